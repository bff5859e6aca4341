/* SPDX-License-Identifier: MIT */
#include "table.h"

#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MAX_LENGTH 1000
#define FIELDS_MAX 40

/* Cuts a line at its commas; returns the number of fields. */
static size_t split(char *line, char *fields[FIELDS_MAX])
{
    size_t count = 0;
    line[strcspn(line, "\r\n")] = '\0';
    for (char *at = line; at != NULL && count < FIELDS_MAX; count++) {
        fields[count] = at;
        at = strchr(at, ',');
        if (at != NULL)
            *at++ = '\0';
    }
    return count;
}

/* Where the named columns stand among the fields of the header. */
static bool find_columns(FILE *file, const char *const *names, size_t at[TABLE_COLUMNS_MAX])
{
    char line[LINE_MAX_LENGTH], *fields[FIELDS_MAX];
    if (fgets(line, sizeof line, file) == NULL)
        return false;
    const size_t count = split(line, fields);
    for (size_t c = 0; names[c] != NULL; c++) {
        at[c] = 0;
        while (at[c] < count && strcmp(fields[at[c]], names[c]) != 0)
            at[c]++;
        if (at[c] == count)
            return false;
    }
    return true;
}

static void add_row(struct table *table, size_t *room, char *const *fields, size_t count,
                    const size_t *at)
{
    if (table->n == *room) {
        *room = 2 * *room + 1024;
        for (size_t c = 0; c < table->columns; c++) {
            table->column[c] = realloc(table->column[c], *room * sizeof(double));
            if (table->column[c] == NULL)
                abort();
        }
    }
    for (size_t c = 0; c < table->columns; c++) {
        const bool given = at[c] < count && fields[at[c]][0] != '\0';
        table->column[c][table->n] = given ? strtod(fields[at[c]], NULL) : NAN;
    }
    table->n++;
}

bool table_read(const char *path, const char *const *names, struct table *table)
{
    char line[LINE_MAX_LENGTH], *fields[FIELDS_MAX];
    size_t at[TABLE_COLUMNS_MAX] = {0}, room = 0;
    *table = (struct table){0};
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    while (names[table->columns] != NULL)
        table->columns++;
    const bool good = check(find_columns(file, names, at), "%s lacks one of its columns", path);
    while (good && fgets(line, sizeof line, file) != NULL)
        add_row(table, &room, fields, split(line, fields), at);
    fclose(file);
    return true;
}

void table_free(struct table *table)
{
    for (size_t c = 0; c < table->columns; c++)
        free(table->column[c]);
    *table = (struct table){0};
}

void table_filter(struct table *table, bool (*keep)(const struct table *, size_t, const void *),
                  const void *context)
{
    size_t kept = 0;
    for (size_t i = 0; i < table->n; i++) {
        if (!keep(table, i, context))
            continue;
        for (size_t c = 0; c < table->columns; c++)
            table->column[c][kept] = table->column[c][i];
        kept++;
    }
    table->n = kept;
}
