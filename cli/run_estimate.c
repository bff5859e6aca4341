/* SPDX-License-Identifier: MIT */
#include "run_estimate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static double peak_bytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
#if defined(__APPLE__)
    return (double)usage.ru_maxrss;
#else
    return 1024 * (double)usage.ru_maxrss;
#endif
}

/* What the process holds now; its peak where the system does not say. */
static double held_bytes(void)
{
    FILE *const file = fopen("/proc/self/statm", "r");
    double total = 0, resident = 0;
    const bool known = file && fscanf(file, "%lf %lf", &total, &resident) == 2;
    if (file) {
        fclose(file);
    }
    return known ? resident * (double)sysconf(_SC_PAGESIZE) : peak_bytes();
}

void shepard_run_estimate_add_memory(struct shepard_run_estimate *estimate, double bytes)
{
    estimate->memory_bytes = fmax(peak_bytes(), held_bytes() + bytes);
}

static void print_bytes(const char *what, double bytes, const char *end)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
    size_t unit = 0;
    while (bytes >= 1000 && unit + 1 < sizeof units / sizeof units[0]) {
        bytes /= 1000;
        unit++;
    }
    printf("%s%.3g %s%s", what, bytes, units[unit], end);
}

static void print_backend(const struct shepard_column_groups *surfaces)
{
    const struct shepard_column_group *const surface = &surfaces->items[0];
    struct shepard_points_info points = {.size = sizeof points};
    if (!surface->field) {
        printf("backend: GDAL\n");
        return;
    }
    shepard_points_get_info(shepard_column_group_points(surfaces, surface), &points);
    printf("backend: %s%s%s, %d thread%s\n", points.backend, points.isa[0] ? " " : "", points.isa,
           points.threads, points.threads == 1 ? "" : "s");
}

void shepard_run_estimate_print(const struct shepard_run_estimate *estimate,
                                const struct shepard_job *job,
                                const struct shepard_column_groups *surfaces, const char *path)
{
    char *parameters = NULL;
    if (shepard_algorithm_text(&job->algorithm, &parameters)) {
        printf("method: %s:%s\n", shepard_algorithm_name(&job->algorithm), parameters);
    }
    free(parameters);
    print_backend(surfaces);
    printf("output: %s, %s%s%s", path, estimate->format, estimate->options[0] ? ", " : "",
           estimate->options);
    if (estimate->file_bytes > 0) {
        print_bytes(", about ", estimate->file_bytes, "");
    }
    printf("\ntime: about %.2g s: %.2g until predictions begin, %.2g for these, %.2g to write",
           estimate->seconds, estimate->read, estimate->predict, estimate->write);
    if (estimate->search > 0) {
        printf(", at most %g for the search of -a auto, whose choice %s stands for here",
               estimate->search, shepard_algorithm_name(&job->algorithm));
    }
    if (estimate->disk_bytes > 0) {
        print_bytes("\ndisk: ", estimate->disk_bytes, " of points, whose sorting takes time, too");
    }
    print_bytes("\nmemory: about ", estimate->memory_bytes, "\nNothing was written.\n");
}

void shepard_run_estimate_add(const struct shepard_run_estimate *estimate,
                              struct shepard_json *json)
{
    struct shepard_json *const item = shepard_json_object(json, "estimate");
    shepard_json_number(item, "seconds", estimate->seconds);
    shepard_json_number(item, "seconds_before", estimate->read);
    shepard_json_number(item, "seconds_search", estimate->search);
    shepard_json_number(item, "seconds_predict", estimate->predict);
    shepard_json_number(item, "seconds_write", estimate->write);
    shepard_json_number(item, "memory_bytes", estimate->memory_bytes);
    if (estimate->disk_bytes > 0) {
        shepard_json_number(item, "disk_bytes", estimate->disk_bytes);
    }
    if (estimate->cells >= 0) {
        shepard_json_number(item, "cells", estimate->cells);
        shepard_json_text(item, "creation_options", estimate->options);
    }
    shepard_json_text(item, "format", estimate->format);
    shepard_json_number(item, "file_bytes", estimate->file_bytes);
}
