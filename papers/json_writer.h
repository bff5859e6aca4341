/* SPDX-License-Identifier: MIT */
/** Writes JSON to a file, value after value. Errors are those of the file: see ferror. */
#ifndef SHEPARD_PAPERS_JSON_WRITER_H
#define SHEPARD_PAPERS_JSON_WRITER_H

#include <stdbool.h>
#include <stdio.h>

struct shepard_json_writer {
    FILE *file;
    int depth;  /**< of open objects and arrays */
    bool comma; /**< the next value follows another one */
};

/** Every value has a key in an object; in an array and at the top key is NULL. Objects and arrays
 * are closed by shepard_json_writer_end with the bracket that opened them. */
void shepard_json_writer_begin(struct shepard_json_writer *json, const char *key, char bracket);
void shepard_json_writer_end(struct shepard_json_writer *json, char bracket);

/** text NULL, and a number that is not finite, become null. */
void shepard_json_writer_text(struct shepard_json_writer *json, const char *key, const char *text);
void shepard_json_writer_number(struct shepard_json_writer *json, const char *key, double number);

#endif
