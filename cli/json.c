/* SPDX-License-Identifier: MIT */
#include "json.h"

#include "message.h"
#include "text_list.h"
#include "utf8.h"
#include "whole_file.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cJSON *unwrap(struct shepard_json *json)
{
    return (cJSON *)(void *)json;
}

static struct shepard_json *wrap(cJSON *item)
{
    return (struct shepard_json *)(void *)item;
}

/* Whether something of the object now made is missing. */
static bool incomplete;

static struct shepard_json *add(struct shepard_json *json, const char *key, cJSON *item)
{
    cJSON *const parent = unwrap(json);
    const bool added =
        parent && item &&
        (key ? cJSON_AddItemToObject(parent, key, item) : cJSON_AddItemToArray(parent, item));
    if (!added) {
        cJSON_Delete(item);
        incomplete = true;
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
    incomplete = false;
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
    char *const utf8 = text ? shepard_utf8(text) : NULL;
    add(json, key, !text ? cJSON_CreateNull() : utf8 ? cJSON_CreateString(utf8) : NULL);
    free(utf8);
}

void shepard_json_number(struct shepard_json *json, const char *key, double number)
{
    add(json, key, isfinite(number) ? cJSON_CreateNumber(number) : cJSON_CreateNull());
}

void shepard_json_bool(struct shepard_json *json, const char *key, bool value)
{
    add(json, key, cJSON_CreateBool(value));
}

bool shepard_json_check(const char *file)
{
    return !file || shepard_whole_file_check("--json", file);
}

static bool write_file(const char *file, const char *text)
{
    char *line = NULL;
    const bool good = shepard_append_format(&line, "%s\n", text) &&
                      shepard_whole_file_write("--json", file, line, strlen(line));
    free(line);
    return good;
}

static bool write_stdout(const char *text)
{
    return (fputs(text, stdout) >= 0 && fputc('\n', stdout) != EOF && fflush(stdout) == 0) ||
           shepard_say_error("--json: cannot write to stdout: %s", strerror(errno));
}

bool shepard_json_write(const struct shepard_json *json, const char *file)
{
    char *const text = json && !incomplete ? cJSON_Print((const cJSON *)(const void *)json) : NULL;
    if (!text) {
        return shepard_say_error("out of memory");
    }
    const bool good = file ? write_file(file, text) : write_stdout(text);
    cJSON_free(text);
    return good;
}
