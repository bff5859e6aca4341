/* SPDX-License-Identifier: MIT */
/** Another program, started without a shell. */
#ifndef SHEPARD_PAPERS_CHILD_H
#define SHEPARD_PAPERS_CHILD_H

#include <stdio.h>

/** Its standard streams; NULL: nothing to read, nobody to write to. Files stand at their start. */
struct shepard_child_streams {
    FILE *in, *out, *err;
};

/** No such program could be started. */
#define SHEPARD_CHILD_MISSING (-1)

/** Runs arguments[0], found by PATH, to its end. Returns its exit code, 128 + the signal that ended
 * it, or SHEPARD_CHILD_MISSING. */
int shepard_child_run(const char *const arguments[], struct shepard_child_streams streams);

#endif
