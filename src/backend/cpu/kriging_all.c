/* SPDX-License-Identifier: MIT */
#include "backend/cpu/kriging_all.h"

#include "base/memory.h"

#include <math.h>

static void destroy(struct shepard_cpu_kriging_all *all)
{
    if (all == NULL)
        return;
    const struct shepard_allocator *allocator = all->system.allocator;
    shepard_kriging_free(&all->system);
    shepard_release(allocator, all->rank);
    shepard_release(allocator, all->numbers);
    shepard_release(allocator, all);
}

/* ---- in double ------------------------------------------------------------------------------- */

/* The arrays of a surface, one behind the other: of each increment six numbers and a weight for
 * each column, then the factor, the planes and the scaling. */
static size_t numbers_for(size_t m, size_t columns)
{
    return (6 + columns) * m + m * (m + 1) / 2 +
           columns * (1 + sizeof(struct shepard_kriging_plane) / sizeof(double));
}

static double *copy(const long double *from, size_t count, double *to)
{
    for (size_t i = 0; i < count; i++)
        to[i] = (double)from[i];
    return to + count;
}

/* room: two arrays [n]. */
static void weigh_column(const struct shepard_cpu_kriging_of *of, size_t column,
                         struct shepard_cpu_kriging_all *all, long double *room, double *weight,
                         struct shepard_kriging_plane *plane)
{
    const struct shepard_samples *points = of->points;
    const struct shepard_kriging_rules *rules = of->rules;
    const long double shift = shepard_cpu_kriging_shift(of, column), scale = of->scale[column];
    const long double mean = rules->variogram.simple ? rules->mean : 0;
    const long double root = sqrtl(rules->sill);
    long double *const values = room, *const found = room + points->count;
    for (size_t i = 0; i < points->count; i++)
        values[i] = (points->values[column][i] - shift) * scale;
    *plane = shepard_kriging_dual(&all->system, values, found);
    copy(found, all->system.m, weight);
    for (size_t i = 0; i < points->count; i++)
        values[i] = (points->values[column][i] - mean) / root;
    all->scaling[column] = shepard_kriging_local_scaling(&all->system, values, found);
}

static bool make_surface(const struct shepard_cpu_kriging_of *of,
                         struct shepard_cpu_kriging_all *all)
{
    const struct shepard_samples *points = of->points;
    const struct shepard_kriging_system *system = &all->system;
    const size_t m = system->m, columns = points->columns;
    long double *room = shepard_allocate(points->allocator, 2 * points->count, sizeof *room);
    all->numbers = shepard_allocate(points->allocator, numbers_for(m, columns), sizeof(double));
    const bool good = room != NULL && all->numbers != NULL;
    if (good) {
        double *const x = all->numbers, *const y = copy(system->x, m, x);
        double *const z = copy(system->y, m, y);
        double *const from_base = copy(system->z, m, z);
        double *const along = copy(system->from_base, m, from_base);
        const bool universal = system->variogram->universal;
        double *const across = universal ? copy(system->along, m, along) : along + m;
        double *const weight = universal ? copy(system->across, m, across) : across + m;
        double *const factor = weight + columns * m;
        all->scaling = factor + m * (m + 1) / 2;
        struct shepard_kriging_plane *const plane = (void *)(all->scaling + columns);
        all->surface = (struct shepard_kriging_surface){.m = m,
                                                        .x = x,
                                                        .y = y,
                                                        .z = z,
                                                        .from_base = from_base,
                                                        .factor = factor,
                                                        .along = along,
                                                        .across = across,
                                                        .columns = columns,
                                                        .weight = weight,
                                                        .plane = plane};
        shepard_kriging_copy_factor(system, factor);
        all->least = shepard_kriging_least_pivot(system, &all->largest);
        all->plane_spread =
            universal ? shepard_kriging_plane_inverse(system, all->surface.inverse) : 1;
        for (size_t c = 0; c < columns; c++)
            weigh_column(of, c, all, room, weight + c * m, &plane[c]);
    }
    shepard_release(points->allocator, room);
    return good;
}

double shepard_cpu_kriging_shift(const struct shepard_cpu_kriging_of *of, size_t column)
{
    return of->rules->variogram.simple ? of->rules->mean : of->middle[column];
}

/* ---- made or kept ---------------------------------------------------------------------------- */

static enum shepard_status make(const struct shepard_cpu_kriging_of *of,
                                struct shepard_cpu_kriging_all **all)
{
    const struct shepard_samples *points = of->points;
    struct shepard_cpu_kriging_all *made = shepard_allocate(points->allocator, 1, sizeof *made);
    if (made == NULL)
        return SHEPARD_ERROR_MEMORY;
    *made = (struct shepard_cpu_kriging_all){.rules = *of->rules};
    made->system = shepard_kriging_system_of(&made->rules.variogram, points->allocator);
    made->rank = shepard_allocate(points->allocator, points->count, sizeof *made->rank);
    enum shepard_status status = made->rank != NULL ? SHEPARD_OK : SHEPARD_ERROR_MEMORY;
    for (size_t i = 0; status == SHEPARD_OK && i < points->count; i++)
        made->rank[i] = (uint32_t)i;
    const struct shepard_kriging_points used = {points->x, points->y, points->geometry->z,
                                                made->rank, points->count};
    if (status == SHEPARD_OK)
        status = shepard_kriging_factor(&made->system, &used);
    if (status == SHEPARD_OK && !make_surface(of, made))
        status = SHEPARD_ERROR_MEMORY;
    if (status == SHEPARD_OK)
        *all = made;
    else
        destroy(made);
    return status;
}

static bool is_same(const struct shepard_kriging_rules *one,
                    const struct shepard_kriging_rules *other)
{
    const struct shepard_variogram *a = &one->variogram, *b = &other->variogram;
    const bool p_counts = a->covariance == SHEPARD_COVARIANCE_STABLE;
    return a->covariance == b->covariance && a->structure == b->structure &&
           a->nugget == b->nugget && a->unit == b->unit && (!p_counts || a->p == b->p) &&
           a->simple == b->simple && a->universal == b->universal && one->sill == other->sill &&
           (!a->simple || one->mean == other->mean);
}

enum shepard_status shepard_cpu_kriging_take_all(struct shepard_cpu_kriging_kept *kept,
                                                 const struct shepard_cpu_kriging_of *of,
                                                 struct shepard_cpu_kriging_all **all)
{
    enum shepard_status status = SHEPARD_OK;
    shepard_lock_take(&kept->lock);
    if (kept->all != NULL && is_same(&kept->all->rules, of->rules)) {
        *all = kept->all;
    } else {
        status = make(of, all);
        if (status == SHEPARD_OK && (kept->all == NULL || kept->all->users == 0)) {
            destroy(kept->all);
            kept->all = *all;
        }
    }
    if (status == SHEPARD_OK)
        (*all)->users++;
    shepard_lock_leave(&kept->lock);
    return status;
}

static size_t bytes_of(const struct shepard_cpu_kriging_all *all)
{
    return sizeof *all + all->system.count * sizeof *all->rank +
           shepard_kriging_bytes(&all->system) +
           numbers_for(all->system.m, all->surface.columns) * sizeof *all->numbers;
}

void shepard_cpu_kriging_give_back(struct shepard_cpu_kriging_kept *kept,
                                   struct shepard_cpu_kriging_all *all, size_t memory_limit)
{
    if (all == NULL)
        return;
    shepard_lock_take(&kept->lock);
    const bool keeps = all == kept->all && bytes_of(all) <= memory_limit;
    if (--all->users == 0 && !keeps) {
        kept->all = all == kept->all ? NULL : kept->all;
        destroy(all);
    }
    shepard_lock_leave(&kept->lock);
}

void shepard_cpu_kriging_drop(struct shepard_cpu_kriging_kept *kept)
{
    destroy(kept->all);
    kept->all = NULL;
}

size_t shepard_cpu_kriging_kept_bytes(struct shepard_cpu_kriging_kept *kept)
{
    shepard_lock_take(&kept->lock);
    const size_t bytes = kept->all != NULL ? bytes_of(kept->all) : 0;
    shepard_lock_leave(&kept->lock);
    return bytes;
}
