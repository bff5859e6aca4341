/* SPDX-License-Identifier: MIT */
/** JSON output. Where the command was built without cJSON nothing but _available works. */
#ifndef SHEPARD_CLI_JSON_H
#define SHEPARD_CLI_JSON_H

#include <stdbool.h>

/** A value. Every function takes NULL for a value that could not be made, and then does nothing; an
 * object that lacks something so is not written. One object is made at a time. */
struct shepard_json;

/** True where this build writes JSON; else says that it does not. */
bool shepard_json_available(void);

struct shepard_json *shepard_json_new(void);
void shepard_json_free(struct shepard_json *json);

/** Adds to an object; with key NULL, to an array. Returns the new one, owned by the first. */
struct shepard_json *shepard_json_object(struct shepard_json *json, const char *key);
struct shepard_json *shepard_json_array(struct shepard_json *json, const char *key);

/** Adds a value; text NULL, and numbers that are not finite, become null. */
void shepard_json_text(struct shepard_json *json, const char *key, const char *text);
void shepard_json_number(struct shepard_json *json, const char *key, double number);
void shepard_json_bool(struct shepard_json *json, const char *key, bool value);

/** Whether a file (NULL: stdout) can be written; else false, said. Leaves nothing there. */
bool shepard_json_check(const char *file);

/** Writes to a file, or to stdout where file is NULL; false where that failed, said. A file appears
 * whole or not at all, and one of that name from before then stays. */
bool shepard_json_write(const struct shepard_json *json, const char *file);

#endif
