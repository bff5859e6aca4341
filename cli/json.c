/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* realpath */

#include "json.h"

#include "message.h"
#include "path.h"
#include "replaced_file.h"
#include "text_list.h"
#include "utf8.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* A file that is written next to its place and then moved there. */
struct draft {
    char *place; /* where it goes, links followed */
    char *path;  /* where it is until then */
};

static bool say_cannot_write(const char *file)
{
    return shepard_say_error("--json: cannot write %s: %s", file ? file : "to stdout",
                             strerror(errno));
}

static void free_draft(struct draft *draft)
{
    free(draft->path);
    free(draft->place);
}

static FILE *open_draft(struct draft *draft, const char *file)
{
    draft->place = realpath(file, NULL);
    const bool replaces = draft->place;
    if (!replaces) {
        draft->place = strdup(file);
    }
    if (!draft->place ||
        !shepard_append_format(&draft->path, "%s.%ld.part", draft->place, (long)getpid())) {
        return NULL;
    }
    const int number = open(draft->path, O_WRONLY | O_CREAT | O_EXCL, replaces ? 0600 : 0666);
    if (number < 0) {
        return NULL;
    }
    /* A rewritten file keeps its permissions, whatever the umask. */
    shepard_keep_owner(number, draft->place);
    FILE *const out = fdopen(number, "w");
    if (!out) {
        close(number);
        unlink(draft->path);
    }
    return out;
}

static bool write_text(FILE *out, const char *text)
{
    return fputs(text, out) >= 0 && fputc('\n', out) != EOF && fflush(out) == 0;
}

static bool write_file(const char *file, const char *text)
{
    struct draft draft = {0};
    FILE *const out = open_draft(&draft, file);
    bool good = out && write_text(out, text);
    if (out) {
        good = fclose(out) == 0 && good;
        good = good && rename(draft.path, draft.place) == 0;
    }
    if (!good) {
        say_cannot_write(file);
    }
    if (out && !good) {
        unlink(draft.path);
    }
    free_draft(&draft);
    return good;
}

bool shepard_json_check(const char *file)
{
    struct draft draft = {0};
    if (!file) {
        return true;
    }
    if (!shepard_path_check_output("--json: ", file)) {
        return false;
    }
    FILE *const out = open_draft(&draft, file);
    if (out) {
        fclose(out);
        unlink(draft.path);
    } else {
        say_cannot_write(file);
    }
    free_draft(&draft);
    return out;
}

bool shepard_json_write(const struct shepard_json *json, const char *file)
{
    if (file && !shepard_path_check_output("--json: ", file)) {
        return false;
    }
    char *const text = json && !incomplete ? cJSON_Print((const cJSON *)(const void *)json) : NULL;
    if (!text) {
        return shepard_say_error("out of memory");
    }
    const bool good =
        file ? write_file(file, text) : write_text(stdout, text) || say_cannot_write(NULL);
    cJSON_free(text);
    return good;
}
