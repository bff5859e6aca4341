/* SPDX-License-Identifier: MIT */
#include "suite.h"

#include "base/arithmetic.h"

#include <math.h>
#include <stdlib.h>

static void place_group(struct sample *sample, size_t g, size_t n)
{
    const struct shepard_samples *points = &sample->cloud.samples;
    float *x = sample->floats, *y = x + n;
    const size_t first = g * SHEPARD_GROUP;
    struct shepard_group group = {points->x[first], points->y[first], 0};
    for (size_t i = first; i < n && i < first + SHEPARD_GROUP; i++) {
        const double dx = points->x[i] - group.x, dy = points->y[i] - group.y;
        x[i] = (float)dx;
        y[i] = (float)dy;
        group.radius2 = fmax(group.radius2, dx * dx + dy * dy);
    }
    sample->groups[g] = group;
}

static void fill_floats(struct sample *sample, size_t n, size_t columns)
{
    float *q = sample->floats + 2 * n;
    for (size_t g = 0; g * SHEPARD_GROUP < n; g++)
        place_group(sample, g, n);
    for (size_t c = 0; c < columns; c++) {
        sample->numbers[c] = 1e3 * (double)c + 0.5;
        sample->numbers[columns + c] = 2;
        sample->charges[c] = q + (c + 1) * n;
    }
    for (size_t i = 0; i < n; i++) {
        q[i] = (float)sample_charge(sample, 0, i);
        for (size_t c = 0; c < columns; c++)
            q[(c + 1) * n + i] = (float)sample_charge(sample, c + 1, i);
    }
}

void sample_make(struct sample *sample, enum cloud_kind kind, size_t n, size_t columns,
                 bool weighted, unsigned long *seed)
{
    *sample = (struct sample){.groups = malloc((n / SHEPARD_GROUP + 1) * sizeof *sample->groups),
                              .floats = malloc((3 + columns) * n * sizeof *sample->floats),
                              .charges = malloc(columns * sizeof *sample->charges),
                              .numbers = malloc(2 * columns * sizeof *sample->numbers)};
    if (!sample->groups || !sample->floats || !sample->charges || !sample->numbers)
        exit(2);
    cloud_make(&sample->cloud, kind, n, columns, weighted, seed);
    sample->data = (struct shepard_sum_data){
        .tree = &sample->cloud.store.tree,
        .columns = columns,
        .values = (const double *const *)sample->cloud.samples.values,
        .weights = sample->cloud.samples.weights,
        .middle = sample->numbers,
        .scale = sample->numbers + columns,
        .groups = sample->groups,
        .x = sample->floats,
        .y = sample->floats + n,
        .charges = sample->charges,
        .charge = weighted ? sample->floats + 2 * n : NULL,
    };
    fill_floats(sample, n, columns);
}

void sample_free(struct sample *sample)
{
    shepard_moments_free(&sample->moments);
    cloud_free(&sample->cloud);
    free(sample->numbers);
    free(sample->charges);
    free(sample->floats);
    free(sample->groups);
}

double sample_charge(const struct sample *sample, size_t charge, size_t i)
{
    const struct shepard_sum_data *data = &sample->data;
    const double q = data->weights != NULL ? data->weights[i] : 1;
    if (charge == 0)
        return q;
    const size_t c = charge - 1;
    return q * (data->values[c][i] * data->scale[c] - data->middle[c] * data->scale[c]);
}

static void read_charges(const void *context, size_t first, size_t n, double *out)
{
    const struct sample *sample = context;
    for (size_t c = 0; c <= sample->data.columns; c++)
        for (size_t i = 0; i < n; i++)
            out[c * SHEPARD_LEAF + i] = sample_charge(sample, c, first + i);
}

void sample_expand(struct sample *sample, const struct shepard_moments_form *form)
{
    const struct shepard_charges charges = {sample->data.columns + 1, read_charges, sample};
    shepard_moments_free(&sample->moments);
    if (shepard_moments_create(sample->data.tree, shepard_kernels_choose(), &charges, form,
                               &(struct shepard_moments_work){.threads = 1},
                               &sample->moments) != SHEPARD_OK)
        exit(2);
    sample->data.nodes = sample->moments.data;
}

void sample_node_points(const struct sample *sample, int level, size_t i, size_t *first,
                        size_t *end)
{
    const size_t points = (size_t)SHEPARD_LEAF << level;
    *first = i * points;
    *end = shepard_smaller((i + 1) * points, sample->data.tree->count);
}

void draw_axes(unsigned long *seed, double *main_x, double *main_y)
{
    const double sign = chance(seed) < 0.5 ? -1 : 1, part = (double)(float)(2 * chance(seed) - 1);
    const bool flat = chance(seed) < 0.5;
    *main_x = flat ? sign : part;
    *main_y = flat ? part : sign;
}
