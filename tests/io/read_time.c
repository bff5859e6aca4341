/* SPDX-License-Identifier: MIT */
/* Times reading the points of files: read_time [-zfield NAME] FILE... */
#include "shepard/shepard_io.h"

#include <stdio.h>
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

int main(int argc, char **argv)
{
    const char *field = NULL;
    int failures = 0;
    shepard_io_init();
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-zfield") == 0 && i + 1 < argc)
            field = argv[++i];
        else
            failures += read_one(argv[i], field);
    }
    shepard_io_exit();
    return failures > 0;
}
