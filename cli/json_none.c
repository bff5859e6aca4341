/* SPDX-License-Identifier: MIT */
#include "json.h"

#include "message.h"

#include <stddef.h>

bool shepard_json_available(void)
{
    return shepard_say_error("--json: this shepard was built without cJSON; install libcjson-dev "
                             "and build it again, or leave --json out");
}

struct shepard_json *shepard_json_new(void)
{
    return NULL;
}

void shepard_json_free(struct shepard_json *json)
{
    (void)json;
}

struct shepard_json *shepard_json_object(struct shepard_json *json, const char *key)
{
    (void)key;
    return json;
}

struct shepard_json *shepard_json_array(struct shepard_json *json, const char *key)
{
    (void)key;
    return json;
}

void shepard_json_text(struct shepard_json *json, const char *key, const char *text)
{
    (void)json, (void)key, (void)text;
}

void shepard_json_number(struct shepard_json *json, const char *key, double number)
{
    (void)json, (void)key, (void)number;
}

void shepard_json_bool(struct shepard_json *json, const char *key, bool value)
{
    (void)json, (void)key, (void)value;
}

bool shepard_json_check(const char *file)
{
    (void)file;
    return false;
}

bool shepard_json_write(const struct shepard_json *json, const char *file)
{
    (void)json, (void)file;
    return false;
}
