/* SPDX-License-Identifier: MIT */
#include "cloud.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SIDE 1024.0
#define FAR_POINT 1048576.0

const char *const cloud_shape_names[SHAPE_COUNT] = {"uniform",     "clustered",  "flat line",
                                                    "sloped line", "duplicates", "outlier"};
const char *const target_shape_names[TARGET_SHAPE_COUNT] = {"inside", "on data", "far", "mixed"};

static double *numbers(size_t count)
{
    double *const a = malloc((count > 0 ? count : 1) * sizeof *a);
    if (a == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return a;
}

static double on_grid(double a)
{
    return rint(a * 8) / 8;
}

static double place(struct chance *chance)
{
    return on_grid(chance_range(chance, 0, SIDE));
}

/* ---- data ------------------------------------------------------------------------------------ */

static void put_point(const struct cloud_plan *plan, struct chance *chance,
                      struct papers_cloud *cloud, size_t i)
{
    double *const x = cloud->x, *const y = cloud->y;
    const size_t places = plan->n / 3 + 1;
    x[i] = place(chance);
    y[i] = place(chance);
    if (plan->shape == CLUSTERED && i % 8 > 0) {
        x[i] = on_grid(x[i - i % 8] + 3 * chance_normal(chance));
        y[i] = on_grid(y[i - i % 8] + 3 * chance_normal(chance));
    } else if (plan->shape == FLAT_LINE) {
        y[i] = 17;
    } else if (plan->shape == SLOPED_LINE) {
        y[i] = 2 * x[i];
    } else if (plan->shape == DUPLICATES && i >= places) {
        x[i] = x[i % places];
        y[i] = y[i % places];
    } else if (plan->shape == OUTLIER && i + 1 == plan->n) {
        x[i] = FAR_POINT;
        y[i] = FAR_POINT / 2;
    }
}

static void put_values(const struct cloud_plan *plan, struct chance *chance,
                       struct papers_cloud *cloud, size_t column)
{
    const double offset = plan->utm ? 1e6 : 0, constant = offset + chance_range(chance, -0.5, 0.5);
    double low = INFINITY, high = -INFINITY;
    double *const values = numbers(plan->n);
    for (size_t i = 0; i < plan->n; i++) {
        values[i] = plan->constant ? constant : offset + chance_range(chance, -0.5, 0.5);
        low = fmin(low, values[i]);
        high = fmax(high, values[i]);
    }
    cloud->columns[column] = values;
    cloud->range[column] = high > low ? high - low : 1;
    cloud->largest[column] = fmax(fabs(low), fabs(high));
}

/* ---- targets --------------------------------------------------------------------------------- */

static void put_target(const struct cloud_plan *plan, struct chance *chance,
                       struct papers_cloud *cloud, size_t i)
{
    const enum target_shape shape =
        plan->targets == MIXED ? (enum target_shape)chance_below(chance, MIXED) : plan->targets;
    cloud->tx[i] = place(chance);
    cloud->ty[i] = place(chance);
    if (shape == ON_DATA) {
        const size_t at = chance_below(chance, plan->n);
        cloud->tx[i] = cloud->x[at];
        cloud->ty[i] = cloud->y[at];
    } else if (shape == FAR_AWAY) {
        const double far = exp2(floor(chance_range(chance, 11, 33)));
        cloud->tx[i] += far * floor(chance_range(chance, -1, 2));
        cloud->ty[i] += far * floor(chance_range(chance, -1, 2));
    }
}

void cloud_make(const struct cloud_plan *plan, struct chance *chance, struct papers_cloud *cloud)
{
    const double east = plan->utm ? 448000 : 0, north = plan->utm ? 5263000 : 0;
    *cloud = (struct papers_cloud){.x = numbers(plan->n),
                                   .y = numbers(plan->n),
                                   .tx = numbers(plan->m),
                                   .ty = numbers(plan->m)};
    for (size_t i = 0; i < plan->n; i++)
        put_point(plan, chance, cloud, i);
    for (size_t c = 0; c < plan->columns; c++)
        put_values(plan, chance, cloud, c);
    for (size_t i = 0; i < plan->m; i++)
        put_target(plan, chance, cloud, i);
    for (size_t i = 0; i < plan->n; i++) {
        cloud->x[i] += east;
        cloud->y[i] += north;
    }
    for (size_t i = 0; i < plan->m; i++) {
        cloud->tx[i] += east;
        cloud->ty[i] += north;
    }
    cloud->coordinates = (struct shepard_coordinates){.size = sizeof cloud->coordinates,
                                                      .count = plan->n,
                                                      .x = shepard_doubles(cloud->x),
                                                      .y = shepard_doubles(cloud->y)};
    cloud->values = (struct shepard_values){.size = sizeof cloud->values,
                                            .column_count = plan->columns,
                                            .columns = cloud->column_arrays};
    for (size_t c = 0; c < plan->columns; c++)
        cloud->column_arrays[c] = shepard_doubles(cloud->columns[c]);
    cloud->targets = (struct shepard_targets){.size = sizeof cloud->targets,
                                              .kind = SHEPARD_TARGETS_LIST,
                                              .count = plan->m,
                                              .x = shepard_doubles(cloud->tx),
                                              .y = shepard_doubles(cloud->ty)};
}

void cloud_free(struct papers_cloud *cloud)
{
    free(cloud->x);
    free(cloud->y);
    free(cloud->tx);
    free(cloud->ty);
    for (size_t c = 0; c < CLOUD_COLUMNS_MAX; c++)
        free(cloud->columns[c]);
}
