/* SPDX-License-Identifier: MIT */
#include "dataset.h"

#include "base/random.h"

#include <math.h>
#include <stdlib.h>

#define CLUSTERS 500
#define STRIPS 100

/* In units of the square's side, from its corner. */
struct dataset_place {
    double x, y;
};

struct dataset_cluster {
    struct dataset_place centre;
    double sigma;
    double share; /* of this cluster and those before it, in (0, 1] */
};

struct dataset_strip {
    struct dataset_place start, step; /* from end to end */
};

struct dataset_layout {
    struct dataset_cluster clusters[CLUSTERS];
    struct dataset_strip strips[STRIPS];
};

const char *shepard_dataset_name(enum shepard_dataset_kind kind)
{
    static const char *const names[] = {"papers", "uniform", "clustered"};
    return names[kind];
}

/* ---- streams of random numbers --------------------------------------------------------------- */

/* Places of the data, places of the targets, and one stream for each column. */
enum random_stream { POINTS, TARGETS, VALUES };

/* Streams of one of the papers' seeds start far from one another: their starts are hashed twice. */
static struct shepard_random open_stream(const struct shepard_dataset *dataset, uint64_t seed,
                                         enum random_stream stream, size_t column)
{
    static const uint64_t fixed[] = {1, 2, 1000};
    struct shepard_random random = {seed};
    if (dataset->kind != SHEPARD_DATASET_PAPERS)
        return (struct shepard_random){fixed[stream] + column};
    random.state = shepard_random_bits(&random) + (uint64_t)stream + column;
    random.state = shepard_random_bits(&random);
    return random;
}

/* ---- places ---------------------------------------------------------------------------------- */

static struct dataset_place draw_uniform(struct shepard_random *random)
{
    const double x = shepard_random_uniform(random);
    return (struct dataset_place){x, shepard_random_uniform(random)};
}

static struct dataset_place draw_on_grid(struct shepard_random *random)
{
    const struct dataset_place place = draw_uniform(random);
    return (struct dataset_place){floor(0x1p23 * place.x) / 0x1p23,
                                  floor(0x1p23 * place.y) / 0x1p23};
}

static void lay_out(struct dataset_layout *layout)
{
    struct shepard_random random = {2025};
    double sum = 0;
    for (size_t i = 0; i < CLUSTERS; i++) {
        layout->clusters[i].centre = draw_uniform(&random);
        layout->clusters[i].sigma = shepard_random_magnitude(&random, 1e-4, 3e-2);
        sum += shepard_random_magnitude(&random, 1, 100);
        layout->clusters[i].share = sum;
    }
    for (size_t i = 0; i < CLUSTERS; i++)
        layout->clusters[i].share /= sum;
    for (size_t i = 0; i < STRIPS; i++) {
        const struct dataset_place a = draw_uniform(&random);
        const struct dataset_place b = draw_uniform(&random);
        layout->strips[i] = (struct dataset_strip){a, {b.x - a.x, b.y - a.y}};
    }
}

static struct dataset_place draw_in_cluster(const struct dataset_layout *layout,
                                            struct shepard_random *random)
{
    const double share = shepard_random_uniform(random);
    size_t low = 0, high = CLUSTERS - 1;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (share < layout->clusters[middle].share)
            high = middle;
        else
            low = middle + 1;
    }
    const struct dataset_cluster *cluster = &layout->clusters[low];
    const double x = cluster->centre.x + cluster->sigma * shepard_random_normal(random);
    return (struct dataset_place){x, cluster->centre.y +
                                         cluster->sigma * shepard_random_normal(random)};
}

static struct dataset_place draw_in_strip(const struct dataset_layout *layout,
                                          struct shepard_random *random)
{
    const struct dataset_strip *strip = &layout->strips[shepard_random_bits(random) % STRIPS];
    const double along = shepard_random_uniform(random);
    const double across = 5e-4 * (shepard_random_uniform(random) - 0.5);
    const double length = hypot(strip->step.x, strip->step.y);
    return (struct dataset_place){
        strip->start.x + along * strip->step.x - across * strip->step.y / length,
        strip->start.y + along * strip->step.y + across * strip->step.x / length};
}

static struct dataset_place draw_clustered(const struct dataset_layout *layout,
                                           struct shepard_random *random)
{
    const double which = shepard_random_uniform(random);
    if (which < 0.70)
        return draw_in_cluster(layout, random);
    return which < 0.95 ? draw_in_strip(layout, random) : draw_uniform(random);
}

static void draw_places(const struct shepard_dataset *dataset, struct shepard_random random,
                        size_t count, double *x, double *y)
{
    const bool papers = dataset->kind == SHEPARD_DATASET_PAPERS;
    const double side = papers ? SHEPARD_DATASET_PAPERS_SIDE : SHEPARD_DATASET_SIDE;
    static struct dataset_layout layout; /* the same every time */
    lay_out(&layout);
    for (size_t i = 0; i < count; i++) {
        const struct dataset_place place = papers ? draw_on_grid(&random)
                                           : dataset->kind == SHEPARD_DATASET_UNIFORM
                                               ? draw_uniform(&random)
                                               : draw_clustered(&layout, &random);
        x[i] = (papers ? 0 : SHEPARD_DATASET_X0) + side * place.x;
        y[i] = (papers ? 0 : SHEPARD_DATASET_Y0) + side * place.y;
    }
}

/* ---- the dataset ----------------------------------------------------------------------------- */

static void draw_values(const struct shepard_dataset *dataset, size_t column,
                        struct shepard_random random)
{
    const bool papers = dataset->kind == SHEPARD_DATASET_PAPERS;
    const double side = papers ? SHEPARD_DATASET_PAPERS_SIDE : SHEPARD_DATASET_SIDE;
    const double fx = 6.0 + (double)column;
    for (size_t i = 0; i < dataset->n; i++) {
        const double u = (dataset->x[i] - (papers ? 0 : SHEPARD_DATASET_X0)) / side;
        const double v = (dataset->y[i] - (papers ? 0 : SHEPARD_DATASET_Y0)) / side;
        dataset->values[column][i] =
            50.0 * sin(fx * u) * cos(5.0 * v) + 5.0 * shepard_random_normal(&random);
    }
}

static bool allocate(const struct shepard_dataset *dataset, size_t count, double **to)
{
    const struct shepard_allocator *allocator = dataset->allocator;
    const size_t size = count * sizeof(double);
    *to = allocator ? allocator->allocate(size, allocator->user) : malloc(size);
    return *to;
}

static void release(const struct shepard_dataset *dataset, double *v)
{
    if (!dataset->allocator)
        free(v);
    else if (v)
        dataset->allocator->release(v, dataset->allocator->user);
}

bool shepard_dataset_draw(struct shepard_dataset *dataset, uint64_t seed)
{
    const size_t n = dataset->n, m = dataset->m;
    bool good = allocate(dataset, n, &dataset->x) && allocate(dataset, n, &dataset->y) &&
                allocate(dataset, m, &dataset->target_x) &&
                allocate(dataset, m, &dataset->target_y);
    for (size_t c = 0; good && c < dataset->columns; c++)
        good = allocate(dataset, n, &dataset->values[c]);
    if (!good)
        return false;
    draw_places(dataset, open_stream(dataset, seed, POINTS, 0), n, dataset->x, dataset->y);
    draw_places(dataset, open_stream(dataset, seed, TARGETS, 0), m, dataset->target_x,
                dataset->target_y);
    for (size_t c = 0; c < dataset->columns; c++) {
        draw_values(dataset, c, open_stream(dataset, seed, VALUES, c));
        dataset->value_arrays[c] = shepard_doubles(dataset->values[c]);
    }
    return true;
}

void shepard_dataset_free(struct shepard_dataset *dataset)
{
    double *const arrays[] = {dataset->x, dataset->y, dataset->target_x, dataset->target_y};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        release(dataset, arrays[i]);
    for (size_t c = 0; c < dataset->columns; c++)
        release(dataset, dataset->values[c]);
    *dataset = (struct shepard_dataset){0};
}

struct shepard_dataset shepard_dataset_part(const struct shepard_dataset *dataset, size_t part,
                                            size_t parts)
{
    struct shepard_dataset view = *dataset;
    view.n /= parts;
    view.m /= parts;
    view.x += part * view.n;
    view.y += part * view.n;
    view.target_x += part * view.m;
    view.target_y += part * view.m;
    for (size_t c = 0; c < view.columns; c++) {
        view.values[c] += part * view.n;
        view.value_arrays[c] = shepard_doubles(view.values[c]);
    }
    return view;
}

double shepard_dataset_range(const struct shepard_dataset *dataset, size_t column, size_t n)
{
    const double *const z = dataset->values[column];
    double low = z[0], high = z[0];
    for (size_t i = 1; i < n; i++) {
        low = fmin(low, z[i]);
        high = fmax(high, z[i]);
    }
    return high - low;
}

void shepard_dataset_sample(size_t of, size_t count, size_t *sample)
{
    struct shepard_random random = {7};
    const double stretch = (double)of / (double)count;
    for (size_t i = 0; i < count; i++) {
        const double at = ((double)i + shepard_random_uniform(&random)) * stretch;
        sample[i] = at < (double)of ? (size_t)at : of - 1;
    }
    sample[0] = 0;
    sample[count - 1] = of - 1;
}

struct shepard_coordinates shepard_dataset_coordinates(const struct shepard_dataset *dataset,
                                                       size_t n)
{
    return (struct shepard_coordinates){.size = sizeof(struct shepard_coordinates),
                                        .count = n,
                                        .x = shepard_doubles(dataset->x),
                                        .y = shepard_doubles(dataset->y)};
}

struct shepard_values shepard_dataset_values(const struct shepard_dataset *dataset)
{
    return (struct shepard_values){.size = sizeof(struct shepard_values),
                                   .column_count = dataset->columns,
                                   .columns = dataset->value_arrays};
}

struct shepard_targets shepard_dataset_targets(const struct shepard_dataset *dataset, size_t m)
{
    return (struct shepard_targets){.size = sizeof(struct shepard_targets),
                                    .count = m,
                                    .x = shepard_doubles(dataset->target_x),
                                    .y = shepard_doubles(dataset->target_y)};
}
