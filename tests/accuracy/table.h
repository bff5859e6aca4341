/* SPDX-License-Identifier: MIT */
/* Points of a CSV file. */
#ifndef SHEPARD_TESTS_TABLE_H
#define SHEPARD_TESTS_TABLE_H

#include <stdbool.h>
#include <stddef.h>

struct table {
    size_t n;
    double *x, *y, *z; /* [n] */
};

/* Columns x, y and `value` of a file in a folder; with `where` only rows whose column of this name
 * is `equals`. Rows without a number are left out. False, said on
 * standard output as skipped: there is no such file. */
bool table_read(const char *folder, const char *file, const char *value, const char *where,
                double equals, struct table *table);

void table_add(struct table *table, double x, double y, double z);

void table_free(struct table *table);

#endif
