/* SPDX-License-Identifier: MIT */
#include "record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- runs ------------------------------------------------------------------------------------ */

void shepard_runs_add(struct shepard_runs *runs, struct shepard_seconds seconds)
{
    runs->wall[runs->count] = seconds.wall;
    runs->cpu[runs->count] = seconds.cpu;
    runs->count++;
}

static int compare_doubles(const void *a, const void *b)
{
    const double u = *(const double *)a, v = *(const double *)b;
    return (u > v) - (u < v);
}

double shepard_median(double *v, size_t n)
{
    qsort(v, n, sizeof *v, compare_doubles);
    return n % 2 ? v[n / 2] : 0.5 * (v[n / 2 - 1] + v[n / 2]);
}

struct shepard_seconds shepard_runs_median(const struct shepard_runs *runs)
{
    struct shepard_runs sorted = *runs;
    return (struct shepard_seconds){.wall = shepard_median(sorted.wall, runs->count),
                                    .cpu = shepard_median(sorted.cpu, runs->count)};
}

/* ---- the file -------------------------------------------------------------------------------- */

bool shepard_record_open(struct shepard_record *record, const char *file)
{
    *record = (struct shepard_record){0};
    if (!file)
        return true;
    record->file = fopen(file, "w");
    return record->file && fputs("[", record->file) >= 0;
}

bool shepard_record_close(struct shepard_record *record)
{
    if (!record->file)
        return true;
    const bool written = fputs("\n]\n", record->file) >= 0 && !ferror(record->file);
    const bool closed = fclose(record->file) == 0;
    record->file = NULL;
    return written && closed;
}

/* A member whose value is text of JSON. */
static void write_member(struct shepard_record *record, const char *key, size_t length,
                         const char *value)
{
    if (record->file)
        fprintf(record->file, "%s\"%.*s\": %s", record->members++ ? ", " : "", (int)length, key,
                value);
}

static const char *number_text(double number, char text[32])
{
    snprintf(text, 32, isfinite(number) ? "%.17g" : "null", number);
    return text;
}

static void write_list(struct shepard_record *record, const char *key, const double *v, size_t n)
{
    char list[32 * SHEPARD_REPEAT_MAX] = "[", text[32];
    for (size_t i = 0; i < n; i++) {
        strcat(list, i ? ", " : "");
        strcat(list, number_text(v[i], text));
    }
    write_member(record, key, strlen(key), strcat(list, "]"));
}

/* ---- objects and rows ------------------------------------------------------------------------ */

/* Columns are as wide as their keys, and 9 or more. */
static void add_cell(struct shepard_record *record, const char *key, size_t length,
                     const char *text)
{
    const int width = length < 9 ? 9 : (int)length;
    char *const ends[] = {record->keys + strlen(record->keys), record->row + strlen(record->row)};
    snprintf(ends[0], (size_t)(record->keys + sizeof record->keys - ends[0]), "  %*.*s", width,
             (int)length, key);
    snprintf(ends[1], (size_t)(record->row + sizeof record->row - ends[1]), "  %*s", width, text);
}

void shepard_record_begin(struct shepard_record *record, const char *name)
{
    if (record->file)
        fputs(record->objects++ ? ",\n  {" : "\n  {", record->file);
    record->members = 0;
    record->keys[0] = record->row[0] = '\0';
    if (strcmp(name, record->name))
        record->head[0] = '\0';
    snprintf(record->name, sizeof record->name, "%s", name);
    char quoted[40];
    snprintf(quoted, sizeof quoted, "\"%s\"", name);
    write_member(record, "case", 4, quoted);
}

void shepard_record_end(struct shepard_record *record)
{
    if (record->file)
        fputs("}", record->file);
    if (strcmp(record->head, record->keys))
        printf("\n%s\n%s\n", record->name, strcpy(record->head, record->keys));
    puts(record->row);
    fflush(stdout);
}

void shepard_record_text(struct shepard_record *record, const char *key, const char *text)
{
    char quoted[512];
    snprintf(quoted, sizeof quoted, "\"%s\"", text);
    write_member(record, key, strlen(key), quoted);
    add_cell(record, key, strlen(key), text);
}

static void add_numbers(struct shepard_record *record, const char *keys, const double *v,
                        bool shown)
{
    char text[32];
    for (const char *key = keys; *key; v++) {
        const size_t length = strcspn(key, " ");
        write_member(record, key, length, number_text(*v, text));
        snprintf(text, sizeof text, fabs(*v) < 1e10 && *v == floor(*v) ? "%.0f" : "%.4g", *v);
        if (shown)
            add_cell(record, key, length, text);
        key += length + strspn(key + length, " ");
    }
}

void shepard_record_numbers(struct shepard_record *record, const char *keys, const double *v)
{
    add_numbers(record, keys, v, true);
}

void shepard_record_details(struct shepard_record *record, const char *keys, const double *v)
{
    add_numbers(record, keys, v, false);
}

void shepard_record_runs(struct shepard_record *record, const struct shepard_runs *runs)
{
    const struct shepard_seconds median = shepard_runs_median(runs);
    write_list(record, "wall", runs->wall, runs->count);
    write_list(record, "cpu", runs->cpu, runs->count);
    shepard_record_numbers(record, "wall_median cpu_median",
                           (const double[]){median.wall, median.cpu});
}
