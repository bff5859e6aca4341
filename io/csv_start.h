/* SPDX-License-Identifier: MIT */
/** The first lines of a CSV text: how its columns are separated, and whether the first line names
 * them. */
#ifndef SHEPARD_IO_CSV_START_H
#define SHEPARD_IO_CSV_START_H

#include <stdbool.h>
#include <stddef.h>

/** Start from {0}. Lines that begin with # are not counted as lines. */
struct shepard_csv_start {
    char separator;         /* of the first line: ',', ';', '|', '\t' or ' '; '\0': one column */
    bool aligned, indented; /* columns of even width, by blanks; lines begin with some */
    size_t columns;         /* that the first line has */
    size_t values;          /* numbers in the second line, empty ones at its end left out; 0: it
                               has other texts too */
    bool names_numbers;     /* the first line is a header, though some of its names are numbers */
    char *header;           /* what OGR should read in place of the first bytes, as it would not
                               find the columns or their names; NULL: the file as it is */
    size_t replaced;        /* how many bytes the header stands for */
};

/** Reads the first bytes of a file, as many as there is room for; returns how many. */
size_t shepard_read_start(const char *path, char *start, size_t size);

/** Reads the first lines of a file; false: it cannot be read. Free start->header with CPLFree. */
bool shepard_csv_start_read(struct shepard_csv_start *start, const char *path);

/**
 * Makes a view of the file that begins with start->header, in a folder of /vsimem/, and returns its
 * path, to be freed with CPLFree; NULL: it cannot be made.
 */
char *shepard_csv_start_apply(const struct shepard_csv_start *start, const char *path,
                              const char *folder);

#endif
