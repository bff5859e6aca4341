/* SPDX-License-Identifier: MIT */
/* Makes LAS files for tests and timings:
 *
 *     make_las OUT.las VERSION FORMAT COUNT [EPSG]       random points, as 1.4 6 50000000
 *     make_las OUT.las VERSION FORMAT IN.csv [EPSG]      of x, y, z, intensity, return number,
 *                                                        number of returns, classification
 *
 * Of a table the points as they are stored go to standard output, as a table with 17 digits. */
#include "las_writer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_all(FILE *file, const unsigned char *bytes, size_t size)
{
    if (fwrite(bytes, 1, size, file) != size) {
        perror("make_las");
        exit(1);
    }
}

static void write_random(FILE *file, const struct las_spec *spec, uint64_t count)
{
    enum { LINE = 10000 };
    unsigned char record[LAS_RECORD_MAX];
    size_t size;
    unsigned char *head = las_write_head(spec, count, &size);
    write_all(file, head, size);
    free(head);
    uint64_t state = 1;
    for (uint64_t i = 0; i < count; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const struct las_point point = {.x = (int32_t)(i % LINE * 50 + (state >> 60)),
                                        .y = (int32_t)(i / LINE * 50 + (state >> 56 & 15)),
                                        .z = (int32_t)(state >> 40 & 0xffff),
                                        .intensity = (unsigned)(state >> 32 & 0xff),
                                        .return_number = 1,
                                        .returns = 1,
                                        .class = (unsigned)(state >> 59 & 3),
                                        .gps = (double)i * 1e-5};
        las_write_record(record, spec, &point);
        write_all(file, record, las_record_length(spec));
    }
}

static struct las_point *read_table(const char *path, const struct las_spec *spec, size_t *count)
{
    FILE *table = fopen(path, "r");
    struct las_point *points = NULL;
    char line[400];
    double v[7];
    *count = 0;
    while (table && fgets(line, sizeof line, table)) {
        if (sscanf(line, "%lf,%lf,%lf,%lf,%lf,%lf,%lf", v, v + 1, v + 2, v + 3, v + 4, v + 5,
                   v + 6) != 7)
            continue;
        points = realloc(points, (*count + 1) * sizeof *points);
        if (!points)
            abort();
        points[(*count)++] =
            (struct las_point){.x = (int32_t)lround((v[0] - spec->offset[0]) / spec->scale[0]),
                               .y = (int32_t)lround((v[1] - spec->offset[1]) / spec->scale[1]),
                               .z = (int32_t)lround((v[2] - spec->offset[2]) / spec->scale[2]),
                               .intensity = (unsigned)v[3],
                               .return_number = (unsigned)v[4],
                               .returns = (unsigned)v[5],
                               .class = (unsigned)v[6]};
    }
    if (table)
        fclose(table);
    return points;
}

static void print_table(const struct las_spec *spec, const struct las_point *points, size_t count)
{
    puts("x,y,z,intensity,return_number,number_of_returns,classification");
    for (size_t i = 0; i < count; i++)
        printf("%.17g,%.17g,%.17g,%u,%u,%u,%u\n", points[i].x * spec->scale[0] + spec->offset[0],
               points[i].y * spec->scale[1] + spec->offset[1],
               points[i].z * spec->scale[2] + spec->offset[2], points[i].intensity,
               points[i].return_number, points[i].returns, points[i].class);
}

static void write_table(FILE *file, const struct las_spec *spec, const char *path)
{
    size_t count, size;
    struct las_point *points = read_table(path, spec, &count);
    unsigned char *bytes = las_write(spec, points, count, &size);
    write_all(file, bytes, size);
    print_table(spec, points, count);
    free(bytes);
    free(points);
}

int main(int argc, char **argv)
{
    if (argc < 5) {
        fputs("make_las OUT.las VERSION FORMAT COUNT|IN.csv [EPSG]\n", stderr);
        return 1;
    }
    const struct las_spec spec = {.minor = (unsigned)atoi(strchr(argv[2], '.') + 1),
                                  .format = (unsigned)atoi(argv[3]),
                                  .scale = {0.01, 0.01, 0.01},
                                  .offset = {500000, 100000, 0},
                                  .epsg = argc > 5 ? (unsigned)atoi(argv[5]) : 0};
    FILE *file = fopen(argv[1], "wb");
    if (!file) {
        perror(argv[1]);
        return 1;
    }
    if (strstr(argv[4], ".csv"))
        write_table(file, &spec, argv[4]);
    else
        write_random(file, &spec, strtoull(argv[4], NULL, 10));
    return fclose(file) != 0;
}
