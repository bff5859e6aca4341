/* SPDX-License-Identifier: MIT */
/* Columns of numbers of a plain CSV file: commas, one header line, an empty field is missing. */
#ifndef SHEPARD_TESTS_TABLE_H
#define SHEPARD_TESTS_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#define TABLE_COLUMNS_MAX 4

struct table {
    size_t n, columns;
    double *column[TABLE_COLUMNS_MAX]; /* [n], NaN where missing */
};

/* Reads the named columns, NULL at the end. False if there is no such file; a file without one of
 * these columns is a failed check. table_free frees the table in any case. */
bool table_read(const char *path, const char *const *names, struct table *table);

void table_free(struct table *table);

/* Keeps the rows for which keep(row, context) is true. */
void table_filter(struct table *table, bool (*keep)(const struct table *, size_t, const void *),
                  const void *context);

#endif
