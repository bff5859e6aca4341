/* SPDX-License-Identifier: MIT */
#include "json.h"

#include "message.h"
#include "path.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static cJSON *unwrap(struct shepard_json *json)
{
    return (cJSON *)(void *)json;
}

static struct shepard_json *wrap(cJSON *item)
{
    return (struct shepard_json *)(void *)item;
}

static struct shepard_json *add(struct shepard_json *json, const char *key, cJSON *item)
{
    cJSON *const parent = unwrap(json);
    const bool added =
        parent && item &&
        (key ? cJSON_AddItemToObject(parent, key, item) : cJSON_AddItemToArray(parent, item));
    if (!added) {
        cJSON_Delete(item);
        return NULL;
    }
    return wrap(item);
}

bool shepard_json_available(void)
{
    return true;
}

struct shepard_json *shepard_json_new(void)
{
    return wrap(cJSON_CreateObject());
}

void shepard_json_free(struct shepard_json *json)
{
    cJSON_Delete(unwrap(json));
}

struct shepard_json *shepard_json_object(struct shepard_json *json, const char *key)
{
    return add(json, key, cJSON_CreateObject());
}

struct shepard_json *shepard_json_array(struct shepard_json *json, const char *key)
{
    return add(json, key, cJSON_CreateArray());
}

void shepard_json_text(struct shepard_json *json, const char *key, const char *text)
{
    add(json, key, text ? cJSON_CreateString(text) : cJSON_CreateNull());
}

void shepard_json_number(struct shepard_json *json, const char *key, double number)
{
    add(json, key, isfinite(number) ? cJSON_CreateNumber(number) : cJSON_CreateNull());
}

void shepard_json_bool(struct shepard_json *json, const char *key, bool value)
{
    add(json, key, cJSON_CreateBool(value));
}

bool shepard_json_write(const struct shepard_json *json, const char *file)
{
    if (file && !shepard_path_check_output("--json: ", file)) {
        return false;
    }
    char *const text = json ? cJSON_Print((const cJSON *)(const void *)json) : NULL;
    if (!text) {
        return shepard_say_error("out of memory");
    }
    FILE *const out = file ? fopen(file, "w") : stdout;
    bool good = out && fputs(text, out) >= 0 && fputc('\n', out) != EOF && fflush(out) == 0;
    if (out && file) {
        good = fclose(out) == 0 && good;
    }
    cJSON_free(text);
    return good || shepard_say_error("--json: cannot write %s: %s", file ? file : "to stdout",
                                     strerror(errno));
}
