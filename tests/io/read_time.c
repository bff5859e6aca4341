/* SPDX-License-Identifier: MIT */
/* Times reading the points of files: read_time [-zfield NAME] [-share NUMBER/COUNT] FILE...
 * -share, from 0/COUNT: what one of several processes reads; its time is that of the CPU. */
#include "shepard/shepard_io.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int read_one(const char *path, const char *field)
{
    const char *const fields[] = {field, NULL};
    const struct shepard_source_options from = {.path = path};
    const struct shepard_read_options options = {.fields = fields, .z_multiply = 1.0};
    struct shepard_source *source = NULL;
    struct shepard_point_set points = {0};
    struct shepard_io_error error;
    const double start = seconds();
    enum shepard_io_status status = shepard_source_open(&from, &source, NULL, &error);
    if (!status)
        status = shepard_source_read(source, &options, &points, NULL, &error);
    const double end = seconds();
    if (status)
        fprintf(stderr, "%s\n", error.message);
    else
        printf("%-32s %-15s %9zu points %6.2f s   extent %.10g %.10g %.10g %.10g\n", path,
               shepard_source_format(source), points.count, end - start, points.extent.x_min,
               points.extent.y_min, points.extent.x_max, points.extent.y_max);
    shepard_point_set_clear(&points);
    shepard_source_close(source);
    return status != SHEPARD_IO_OK;
}

static int read_share(const char *path, const char *field, const struct shepard_share *share)
{
    const char *const fields[] = {field, NULL};
    const struct shepard_source_options from = {.path = path};
    const struct shepard_read_options options = {.fields = fields, .z_multiply = 1.0};
    struct shepard_source *source = NULL;
    struct shepard_point_set points = {0};
    struct shepard_shared_points shared = {0};
    struct shepard_io_error error;
    const clock_t start = clock();
    enum shepard_io_status status = shepard_source_open(&from, &source, NULL, &error);
    if (!status)
        status = shepard_source_read_share(source, &options, share, &points, &shared, NULL, &error);
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (status)
        fprintf(stderr, "%s\n", error.message);
    else
        printf("%-32s %-15s share %zu/%zu: %9zu points %6.3f s%s\n", path,
               shepard_source_format(source), share->number, share->count, shared.count, seconds,
               shared.by_range ? ", by range" : "");
    free(shared.records);
    shepard_point_set_clear(&points);
    shepard_source_close(source);
    return status != SHEPARD_IO_OK;
}

int main(int argc, char **argv)
{
    const char *field = NULL;
    struct shepard_share share = {0};
    int failures = 0;
    shepard_io_init();
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-zfield") == 0 && i + 1 < argc)
            field = argv[++i];
        else if (strcmp(argv[i], "-share") == 0 && i + 1 < argc)
            failures += sscanf(argv[++i], "%zu/%zu", &share.number, &share.count) != 2;
        else if (share.count > 0)
            failures += read_share(argv[i], field, &share);
        else
            failures += read_one(argv[i], field);
    }
    shepard_io_exit();
    return failures > 0;
}
