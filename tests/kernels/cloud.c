/* SPDX-License-Identifier: MIT */
#include "suite.h"

#include <math.h>
#include <stdlib.h>

double chance(unsigned long *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (double)(*seed >> 11) * 0x1p-53;
}

size_t pick(unsigned long *seed, size_t count)
{
    return (size_t)(chance(seed) * (double)count);
}

double scaled_chance(unsigned long *seed, double low, double high)
{
    return exp2(low + (high - low) * chance(seed));
}

static void place(enum cloud_kind kind, size_t i, size_t n, unsigned long *seed, double *x,
                  double *y)
{
    const double a = chance(seed), b = chance(seed), side = ceil(sqrt((double)n));
    *x = a;
    *y = b;
    if (kind == CLOUD_CLUSTERS) {
        const double cluster = floor(chance(seed) * 12);
        *x = sin(cluster * 12.9) + 1e-3 * a * a * (cluster + 1);
        *y = cos(cluster * 78.2) + 1e-3 * b * (cluster + 1);
    } else if (kind == CLOUD_LATTICE) {
        *x = fmod((double)i, side);
        *y = floor((double)i / side);
    } else if (kind == CLOUD_DUPLICATES) {
        *x = floor(a * 6);
        *y = floor(b * 6);
    } else if (kind == CLOUD_SPOT && i > 0) {
        /* One point far away, the rest far below the resolution of one Hilbert key. */
        *x = 4e6 + 1e-7 * floor(a * 1000);
        *y = 5e5 + 1e-7 * floor(b * 1000);
    } else if (kind == CLOUD_OUTLIERS) {
        /* Mean radii far below the radius. */
        const double size = i % 97 == 4 ? 1 : 1e-3;
        *x = size * a;
        *y = size * b;
    } else if (kind == CLOUD_RIM) {
        *x = 500000 + 1e3 * cos(6.3 * a);
        *y = 5800000 + 1e3 * sin(6.3 * a);
    }
}

void cloud_make(struct cloud *cloud, enum cloud_kind kind, size_t n, size_t columns, bool weighted,
                unsigned long *seed)
{
    static const char *const names[] = {"uniform", "clusters", "lattice", "duplicates",
                                        "spot",    "outliers", "rim"};
    double *memory = malloc((3 + columns) * n * sizeof *memory);
    struct shepard_array *values = malloc(columns * sizeof *values);
    if (memory == NULL || values == NULL)
        exit(2);
    double *x = memory, *y = memory + n, *weights = memory + 2 * n;
    for (size_t i = 0; i < n; i++) {
        place(kind, i, n, seed, &x[i], &y[i]);
        weights[i] = 0.1 + chance(seed);
    }
    for (size_t c = 0; c < columns; c++) {
        double *column = memory + (3 + c) * n;
        for (size_t i = 0; i < n; i++)
            column[i] = 1e3 * (double)c + chance(seed);
        values[c] = resolved(column);
    }
    const struct shepard_coordinates coordinates = {.count = n, .x = resolved(x), .y = resolved(y)};
    const struct shepard_values given = {
        .column_count = columns, .columns = values, .weights = resolved(weighted ? weights : NULL)};
    cloud->name = names[kind];
    cloud_fill(cloud, &coordinates, &given);
    free(values);
    free(memory);
}

void cloud_fill(struct cloud *cloud, const struct shepard_coordinates *coordinates,
                const struct shepard_values *values)
{
    const struct shepard_stretch none = {.ratio = 1, .cosine = 1};
    struct shepard_error error;
    bool gaps;
    cloud->points = (struct shepard_geometry){.threads = 2};
    if (shepard_geometry_create(coordinates, &none, &cloud->points, &error) != SHEPARD_OK ||
        shepard_tree_create(&cloud->points, &cloud->store, &error) != SHEPARD_OK ||
        shepard_samples_create(&cloud->points, values, &cloud->samples, &gaps, &error) !=
            SHEPARD_OK ||
        gaps) {
        printf("%s\n", error.message);
        exit(2);
    }
}

void cloud_free(struct cloud *cloud)
{
    shepard_samples_free(&cloud->samples);
    shepard_tree_free(&cloud->store);
    shepard_geometry_free(&cloud->points);
}

void cloud_target(const struct cloud *cloud, unsigned long *seed, double *x, double *y)
{
    const struct shepard_box *box = &cloud->points.frame.box;
    const double kind = chance(seed);
    const double margin = kind < 0.1 ? 1000 : kind < 0.3 ? 0.5 : 0;
    *x = box->x_min + (box->x_max - box->x_min) * (chance(seed) * (1 + 2 * margin) - margin);
    *y = box->y_min + (box->y_max - box->y_min) * (chance(seed) * (1 + 2 * margin) - margin);
    if (kind > 0.6) {
        const size_t i = (size_t)(chance(seed) * (double)cloud->points.count);
        *x = cloud->points.x[i];
        *y = cloud->points.y[i];
    }
    if (kind > 0.8)
        *x += (chance(seed) - 0.5) * 1e-4 * (box->x_max - box->x_min);
}
