/* SPDX-License-Identifier: MIT */
#include "cloud.h"

#include "base/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CLUSTERS 500
#define STRIPS 100

struct place {
    double x, y; /* in units of the square's side, origin in its corner */
};

struct cluster {
    struct place centre;
    double sigma;
    double share; /* of this cluster and those before it, in (0, 1] */
};

struct strip {
    struct place start;
    struct place step; /* from end to end */
};

struct layout {
    struct cluster clusters[CLUSTERS];
    struct strip strips[STRIPS];
};

const char *shepard_cloud_name(enum shepard_cloud_kind kind)
{
    return kind == SHEPARD_CLOUD_UNIFORM ? "uniform" : "clustered";
}

static struct place draw_uniform(struct shepard_random *random)
{
    const double x = shepard_random_uniform(random);
    return (struct place){x, shepard_random_uniform(random)};
}

static void lay_out_clusters(struct cluster *clusters, struct shepard_random *random)
{
    double sum = 0;
    for (size_t i = 0; i < CLUSTERS; i++) {
        clusters[i].centre = draw_uniform(random);
        clusters[i].sigma = shepard_random_magnitude(random, 1e-4, 3e-2);
        sum += shepard_random_magnitude(random, 1, 100);
        clusters[i].share = sum;
    }
    for (size_t i = 0; i < CLUSTERS; i++)
        clusters[i].share /= sum;
}

static void lay_out(struct layout *layout)
{
    struct shepard_random random = {2025};
    lay_out_clusters(layout->clusters, &random);
    for (size_t i = 0; i < STRIPS; i++) {
        const struct place a = draw_uniform(&random);
        const struct place b = draw_uniform(&random);
        layout->strips[i] = (struct strip){a, {b.x - a.x, b.y - a.y}};
    }
}

static struct place draw_in_cluster(const struct layout *layout, struct shepard_random *random)
{
    const double share = shepard_random_uniform(random);
    size_t low = 0;
    size_t high = CLUSTERS - 1;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (share < layout->clusters[middle].share)
            high = middle;
        else
            low = middle + 1;
    }
    const struct cluster *cluster = &layout->clusters[low];
    const double x = cluster->centre.x + cluster->sigma * shepard_random_normal(random);
    return (struct place){x, cluster->centre.y + cluster->sigma * shepard_random_normal(random)};
}

static struct place draw_in_strip(const struct layout *layout, struct shepard_random *random)
{
    const struct strip *strip = &layout->strips[shepard_random_bits(random) % STRIPS];
    const double along = shepard_random_uniform(random);
    const double across = 5e-4 * (shepard_random_uniform(random) - 0.5);
    const double length = hypot(strip->step.x, strip->step.y);
    return (struct place){strip->start.x + along * strip->step.x - across * strip->step.y / length,
                          strip->start.y + along * strip->step.y + across * strip->step.x / length};
}

static struct place draw_clustered(const struct layout *layout, struct shepard_random *random)
{
    const double which = shepard_random_uniform(random);
    if (which < 0.70)
        return draw_in_cluster(layout, random);
    return which < 0.95 ? draw_in_strip(layout, random) : draw_uniform(random);
}

/* layout NULL: uniform. */
static void draw_places(const struct layout *layout, uint64_t seed, size_t n, double *x, double *y)
{
    struct shepard_random random = {seed};
    for (size_t i = 0; i < n; i++) {
        const struct place place = layout ? draw_clustered(layout, &random) : draw_uniform(&random);
        x[i] = SHEPARD_CLOUD_X0 + SHEPARD_CLOUD_SIDE * place.x;
        y[i] = SHEPARD_CLOUD_Y0 + SHEPARD_CLOUD_SIDE * place.y;
    }
}

static void draw_values(const struct shepard_cloud *cloud, size_t column)
{
    struct shepard_random random = {1000 + column};
    const double fx = 6.0 + (double)column;
    for (size_t i = 0; i < cloud->n; i++) {
        const double u = (cloud->x[i] - SHEPARD_CLOUD_X0) / SHEPARD_CLOUD_SIDE;
        const double v = (cloud->y[i] - SHEPARD_CLOUD_Y0) / SHEPARD_CLOUD_SIDE;
        cloud->z[column][i] =
            50.0 * sin(fx * u) * cos(5.0 * v) + 5.0 * shepard_random_normal(&random);
    }
}

static double *numbers(const struct shepard_cloud *cloud, size_t count)
{
    const struct shepard_allocator *allocator = cloud->allocator;
    const size_t size = count * sizeof(double);
    return allocator ? allocator->allocate(size, allocator->user) : malloc(size);
}

static void release(const struct shepard_cloud *cloud, double *v)
{
    if (!cloud->allocator)
        free(v);
    else if (v)
        cloud->allocator->release(v, cloud->allocator->user);
}

static bool allocate(struct shepard_cloud *cloud)
{
    cloud->x = numbers(cloud, cloud->n);
    cloud->y = numbers(cloud, cloud->n);
    cloud->target_x = numbers(cloud, cloud->m);
    cloud->target_y = numbers(cloud, cloud->m);
    bool good = cloud->x && cloud->y && cloud->target_x && cloud->target_y;
    for (size_t c = 0; c < cloud->columns; c++) {
        cloud->z[c] = numbers(cloud, cloud->n);
        good = good && cloud->z[c];
    }
    return good;
}

bool shepard_cloud_draw(struct shepard_cloud *cloud)
{
    struct layout *layout = NULL;
    if (!allocate(cloud))
        return false;
    if (cloud->kind == SHEPARD_CLOUD_CLUSTERED) {
        layout = malloc(sizeof *layout);
        if (!layout)
            return false;
        lay_out(layout);
    }
    draw_places(layout, 1, cloud->n, cloud->x, cloud->y);
    draw_places(layout, 2, cloud->m, cloud->target_x, cloud->target_y);
    for (size_t c = 0; c < cloud->columns; c++)
        draw_values(cloud, c);
    free(layout);
    return true;
}

/* Every array is drawn from its front, one number after the other. */
struct shepard_cloud shepard_cloud_prefix(const struct shepard_cloud *cloud, size_t n)
{
    struct shepard_cloud prefix = *cloud;
    prefix.n = n < cloud->n ? n : cloud->n;
    prefix.m = n < cloud->m ? n : cloud->m;
    return prefix;
}

void shepard_cloud_free(struct shepard_cloud *cloud)
{
    release(cloud, cloud->x);
    release(cloud, cloud->y);
    release(cloud, cloud->target_x);
    release(cloud, cloud->target_y);
    for (size_t c = 0; c < SHEPARD_CLOUD_COLUMNS; c++)
        release(cloud, cloud->z[c]);
    *cloud = (struct shepard_cloud){0};
}

static bool write_doubles(const double *v, size_t n, FILE *file)
{
    return fwrite(v, sizeof *v, n, file) == n;
}

bool shepard_cloud_write(const struct shepard_cloud *cloud, const char *file)
{
    FILE *out = fopen(file, "wb");
    if (!out)
        return false;
    const uint64_t counts[2] = {cloud->n, cloud->m};
    const bool written =
        fwrite(counts, sizeof counts, 1, out) == 1 && write_doubles(cloud->x, cloud->n, out) &&
        write_doubles(cloud->y, cloud->n, out) && write_doubles(cloud->target_x, cloud->m, out) &&
        write_doubles(cloud->target_y, cloud->m, out) && write_doubles(cloud->z[0], cloud->n, out);
    return fclose(out) == 0 && written;
}

double shepard_cloud_range(const struct shepard_cloud *cloud, size_t column)
{
    const double *z = cloud->z[column];
    double low = z[0];
    double high = z[0];
    for (size_t i = 1; i < cloud->n; i++) {
        low = fmin(low, z[i]);
        high = fmax(high, z[i]);
    }
    return high - low;
}

struct shepard_data shepard_cloud_data(const struct shepard_cloud *cloud, size_t columns)
{
    return (struct shepard_data){.count = cloud->n,
                                 .x = cloud->x,
                                 .y = cloud->y,
                                 .columns = columns,
                                 .values = (const double *const *)cloud->z};
}

struct shepard_targets shepard_cloud_targets(const struct shepard_cloud *cloud, size_t m)
{
    return (struct shepard_targets){
        .count = m < cloud->m ? m : cloud->m, .x = cloud->target_x, .y = cloud->target_y};
}
