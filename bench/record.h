/* SPDX-License-Identifier: MIT */
/** Results as a JSON array of flat objects, written as they come. */
#ifndef SHEPARD_BENCH_RECORD_H
#define SHEPARD_BENCH_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct shepard_record {
    FILE *file; /* NULL: nothing is written */
    size_t objects;
    size_t members; /* of the object that is open */
};

/** Opens a file; NULL: writes nothing. False where that failed. */
bool shepard_record_open(struct shepard_record *record, const char *file);

/** Ends the array and closes the file; false where anything could not be written. */
bool shepard_record_close(struct shepard_record *record);

/** Begins an object with a member "case"; ends it. */
void shepard_record_begin(struct shepard_record *record, const char *name);
void shepard_record_end(struct shepard_record *record);

/** Adds a member. Texts and keys must need no escapes. Numbers that are not finite become null. */
void shepard_record_text(struct shepard_record *record, const char *key, const char *text);
void shepard_record_number(struct shepard_record *record, const char *key, double number);
void shepard_record_numbers(struct shepard_record *record, const char *key, const double *v,
                            size_t n);

#endif
