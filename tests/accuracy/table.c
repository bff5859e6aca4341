/* SPDX-License-Identifier: MIT */
#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE 1000
#define ABSENT 99

/* Where the text of field i of a line begins; NULL: it has no such field. */
static const char *field(const char *line, size_t i)
{
    for (; i > 0 && line != NULL; i--) {
        line = strchr(line, ',');
        line = line != NULL ? line + 1 : NULL;
    }
    return line;
}

static size_t column_of(const char *header, const char *name)
{
    const size_t length = name != NULL ? strlen(name) : 0;
    const char *at;
    for (size_t i = 0; length > 0 && (at = field(header, i)) != NULL; i++)
        if (strncmp(at, name, length) == 0 && strchr(",\r\n", at[length]) != NULL)
            return i;
    return ABSENT;
}

static bool number(const char *line, size_t column, double *number)
{
    const char *at = field(line, column);
    char *end;
    *number = at != NULL ? strtod(at, &end) : 0;
    return at != NULL && end != at;
}

void table_add(struct table *table, double x, double y, double z)
{
    if ((table->n & (table->n - 1)) == 0) {
        const size_t room = table->n == 0 ? 1 : 2 * table->n;
        table->x = realloc(table->x, room * sizeof *table->x);
        table->y = realloc(table->y, room * sizeof *table->y);
        table->z = realloc(table->z, room * sizeof *table->z);
        if (table->x == NULL || table->y == NULL || table->z == NULL)
            exit(2);
    }
    table->x[table->n] = x;
    table->y[table->n] = y;
    table->z[table->n++] = z;
}

bool table_read(const char *folder, const char *file, const char *value, const char *where,
                double equals, struct table *table)
{
    char path[LINE], line[LINE];
    double x, y, z, mark;
    snprintf(path, sizeof path, "%s/%s", folder, file);
    FILE *stream = fopen(path, "r");
    *table = (struct table){0};
    if (stream == NULL) {
        printf("skipped: %s is not there\n", path);
        return false;
    }
    if (fgets(line, sizeof line, stream) != NULL) {
        const size_t columns[] = {column_of(line, "x"), column_of(line, "y"),
                                  column_of(line, value), column_of(line, where)};
        while (fgets(line, sizeof line, stream) != NULL)
            if (number(line, columns[0], &x) && number(line, columns[1], &y) &&
                number(line, columns[2], &z) &&
                (where == NULL || (number(line, columns[3], &mark) && mark == equals)))
                table_add(table, x, y, z);
    }
    fclose(stream);
    return true;
}

void table_free(struct table *table)
{
    free(table->x);
    free(table->y);
    free(table->z);
    *table = (struct table){0};
}
