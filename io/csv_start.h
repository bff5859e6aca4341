/* SPDX-License-Identifier: MIT */
/** The first lines of a CSV text: how its columns are separated. */
#ifndef SHEPARD_IO_CSV_START_H
#define SHEPARD_IO_CSV_START_H

#include <stdbool.h>
#include <stddef.h>

struct shepard_csv_start {
    char separator;         /* of the first line: ',', ';', '|', '\t' or ' '; '\0': one column */
    bool aligned, indented; /* columns of even width, by blanks; lines begin with some */
    size_t columns;         /* that the first line has */
    size_t values;          /* numbers in the second line, empty ones at its end left out; 0: it
                               has other texts too */
};

/** Reads the first bytes of a file, as many as there is room for; returns how many. */
size_t shepard_read_start(const char *path, char *start, size_t size);

/** Reads the first lines of a file; false: it cannot be read. */
bool shepard_csv_start_read(struct shepard_csv_start *start, const char *path);

#endif
