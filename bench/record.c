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

/* ---- lines ----------------------------------------------------------------------------------- */

static void write_number(double number)
{
    if (isfinite(number))
        printf("%.17g", number);
    else
        fputs("null", stdout);
}

static void write_list(const char *key, const double *v, size_t n)
{
    printf(", \"%s\": [", key);
    for (size_t i = 0; i < n; i++) {
        fputs(i ? ", " : "", stdout);
        write_number(v[i]);
    }
    putchar(']');
}

void shepard_record_begin(const char *name)
{
    printf("{\"case\": \"%s\"", name);
}

void shepard_record_end(void)
{
    puts("}");
    fflush(stdout);
}

void shepard_record_text(const char *key, const char *text)
{
    printf(", \"%s\": \"%s\"", key, text);
}

void shepard_record_numbers(const char *keys, const double *v)
{
    for (const char *key = keys; *key; v++) {
        const size_t length = strcspn(key, " ");
        printf(", \"%.*s\": ", (int)length, key);
        write_number(*v);
        key += length + strspn(key + length, " ");
    }
}

void shepard_record_runs(const struct shepard_runs *runs)
{
    const struct shepard_seconds median = shepard_runs_median(runs);
    write_list("wall", runs->wall, runs->count);
    write_list("cpu", runs->cpu, runs->count);
    shepard_record_numbers("wall_median cpu_median", (const double[]){median.wall, median.cpu});
}

bool shepard_record_finish(void)
{
    const bool written = fflush(stdout) == 0 && !ferror(stdout);
    if (!written)
        fputs("bench: cannot write the results\n", stderr);
    return written;
}
