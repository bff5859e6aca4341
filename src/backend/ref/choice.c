/* SPDX-License-Identifier: MIT */
#include "backend/ref/choice.h"

#include <math.h>
#include <stdlib.h>

#define SECTORS_MAX 8

/* Inside the ellipse with radius1 along the angle, its edge included; in space a ball. */
static bool inside(const struct shepard_search *search, double dx, double dy, double dz)
{
    const struct shepard_ellipse *ellipse = &search->ellipse;
    if (!search->bounded)
        return true;
    if (ellipse->radius1 == ellipse->radius2)
        return dx * dx + dy * dy + dz * dz <= ellipse->radius1 * ellipse->radius1;
    const double along = dx * ellipse->cosine + dy * ellipse->sine;
    const double across = dy * ellipse->cosine - dx * ellipse->sine;
    return ellipse->along * (along * along) + ellipse->across * (across * across) <= ellipse->limit;
}

/* Quadrants 0 to 3: west south, east south, west north, east north; an octant adds 4 where it
 * touches the x axis. Offsets of 0 count as east and north. The ellipse's angle has no part in it.
 */
static int sector_of(int sectors, double dx, double dy)
{
    const int quadrant = (dx >= 0) | (dy >= 0) << 1;
    if (sectors == 1)
        return 0;
    return sectors == 4 ? quadrant : quadrant | (fabs(dx) > fabs(dy)) << 2;
}

/* How much higher point i is in space; 0 elsewhere. */
static double rise(const struct shepard_samples *points, struct shepard_ref_place place, size_t i)
{
    const double *z = place.sphere == NULL ? points->geometry->z : NULL;
    return z != NULL ? z[i] - place.z : 0;
}

/* Whether point i is at the place. */
static bool is_here(const struct shepard_samples *points, struct shepard_ref_place place, size_t i)
{
    const double *x = place.sphere != NULL ? place.sphere->longitude : points->x;
    const double *y = place.sphere != NULL ? place.sphere->latitude : points->y;
    return x[i] == place.x && y[i] == place.y && rise(points, place, i) == 0;
}

/* Whether the place's star covers point i. */
static bool is_covered(const struct shepard_samples *points, struct shepard_ref_place place,
                       size_t i)
{
    const struct shepard_star *star = place.star;
    if (place.sphere != NULL) {
        const double half = shepard_ref_sphere_arc(place.sphere, place.x, place.y, i) / 2;
        const double chord = 2 * place.sphere->radius * sin(half / place.sphere->radius);
        double east, north;
        shepard_ref_sphere_bearing(place.sphere, place.x, place.y, i, &east, &north);
        return chord * chord < star->radius2[shepard_star_octant(east, north)];
    }
    const struct shepard_place at = {
        .x = place.x, .y = place.y, .east = {1, 0, 0}, .north = {0, 1, 0}};
    return shepard_star_has_3d(star, &at, points->x[i], points->y[i], rise(points, place, i));
}

static bool is_omitted(const struct shepard_samples *points, struct shepard_ref_place place,
                       size_t i)
{
    if (place.star != NULL && is_covered(points, place, i))
        return true;
    switch (place.omission) {
    case SHEPARD_OMIT_ONE:
        return points->index[i] == place.omitted;
    case SHEPARD_OMIT_HERE:
        return is_here(points, place, i);
    case SHEPARD_OMIT_NONE:
        break;
    }
    return false;
}

/* Whether a barrier stands between the place and a point. */
static bool is_hidden(const struct shepard_samples *points, struct shepard_ref_place place,
                      size_t i)
{
    const struct shepard_barrier_tree *barriers = points->geometry->barriers;
    const struct shepard_plane_point target = {place.x, place.y};
    const struct shepard_plane_point point = {points->x[i], points->y[i]};
    for (size_t b = 0; barriers != NULL && b < barriers->count; b++)
        if (shepard_segment_hides(&barriers->segments[b], target, point))
            return true;
    return false;
}

/* The chord's radius of a search as that of the arc (Eq. 97). */
static double arc_of(const struct shepard_search *search, double radius)
{
    const double half = search->ellipse.radius1 / 2 / radius;
    return half <= 1 ? 2 * radius * asin(half) : INFINITY;
}

static size_t collect_on_sphere(const struct shepard_samples *points,
                                const struct shepard_search *search, struct shepard_ref_place place,
                                struct shepard_candidate *candidates)
{
    const struct shepard_ref_sphere *sphere = place.sphere;
    const bool bounded = search != NULL && search->bounded;
    const double most = bounded ? arc_of(search, sphere->radius) : INFINITY;
    size_t count = 0;
    for (size_t i = 0; i < points->count; i++) {
        const double arc = shepard_ref_sphere_arc(sphere, place.x, place.y, i);
        double east, north;
        if (is_omitted(points, place, i) || arc > most)
            continue;
        shepard_ref_sphere_bearing(sphere, place.x, place.y, i, &east, &north);
        candidates[count++] = (struct shepard_candidate){
            .d2 = arc * arc,
            .point = (uint32_t)i,
            .sector = search != NULL ? sector_of(search->sectors, east, north) : 0,
            .points = points,
        };
    }
    return count;
}

static size_t collect(const struct shepard_samples *points, const struct shepard_search *search,
                      struct shepard_ref_place place, struct shepard_candidate *candidates)
{
    size_t count = 0;
    if (place.sphere != NULL)
        return collect_on_sphere(points, search, place, candidates);
    for (size_t i = 0; i < points->count; i++) {
        const double dx = points->x[i] - place.x, dy = points->y[i] - place.y;
        const double dz = rise(points, place, i);
        if (is_omitted(points, place, i) || (search != NULL && !inside(search, dx, dy, dz)) ||
            is_hidden(points, place, i))
            continue;
        candidates[count++] = (struct shepard_candidate){
            .d2 = dx * dx + dy * dy + dz * dz,
            .point = (uint32_t)i,
            .sector = search != NULL ? sector_of(search->sectors, dx, dy) : 0,
            .points = points,
        };
    }
    return count;
}

/* Nearest first. */
static int compare(const void *first, const void *second)
{
    const struct shepard_candidate *a = first, *b = second;
    if (a->d2 != b->d2)
        return a->d2 < b->d2 ? -1 : 1;
    if (a->point == b->point)
        return 0;
    return shepard_samples_before(a->points, a->point, b->point) ? -1 : 1;
}

/* By sector, in each nearest first. */
static int compare_by_sector(const void *first, const void *second)
{
    const struct shepard_candidate *a = first, *b = second;
    return a->sector != b->sector ? a->sector - b->sector : compare(a, b);
}

/* By round, in each nearest first. */
static int compare_by_round(const void *first, const void *second)
{
    const struct shepard_candidate *a = first, *b = second;
    if (a->round != b->round)
        return a->round < b->round ? -1 : 1;
    return compare(a, b);
}

size_t shepard_choice_nearest(const struct shepard_samples *points, struct shepard_ref_place place,
                              size_t k, struct shepard_candidate *candidates)
{
    const size_t count = collect(points, NULL, place, candidates);
    qsort(candidates, count, sizeof *candidates, compare);
    return k < count ? k : count;
}

/* Keeps the points that the limits let through; returns their number. */
static size_t keep_limited(const struct shepard_samples *points,
                           const struct shepard_search *search, struct shepard_ref_place place,
                           struct shepard_candidate *candidates, size_t count)
{
    size_t of_sector = 0, kept = 0;
    int sector = -1;
    qsort(candidates, count, sizeof *candidates, compare_by_sector);
    for (size_t i = 0; i < count; i++) {
        struct shepard_candidate candidate = candidates[i];
        of_sector = candidate.sector == sector ? of_sector + 1 : 1;
        sector = candidate.sector;
        if (of_sector > search->max_points_per_sector)
            continue;
        candidate.round = is_here(points, place, candidate.point) ? 0 : of_sector;
        candidates[kept++] = candidate;
    }
    qsort(candidates, kept, sizeof *candidates, compare_by_round);
    return kept < search->max_points ? kept : search->max_points;
}

/* Whether these points are enough. */
static bool enough(const struct shepard_search *search, const struct shepard_candidate *candidates,
                   size_t count)
{
    size_t counts[SECTORS_MAX] = {0};
    for (size_t i = 0; i < count; i++)
        counts[candidates[i].sector]++;
    for (int s = 0; s < search->sectors; s++)
        if (counts[s] < search->min_points_per_sector)
            return false;
    return count > 0 && count >= search->min_points;
}

struct shepard_ref_choice shepard_choice_used(const struct shepard_samples *points,
                                              const struct shepard_search *search,
                                              struct shepard_ref_place place,
                                              struct shepard_candidate *candidates)
{
    size_t count = collect(points, search->all ? NULL : search, place, candidates);
    if (search->all)
        return (struct shepard_ref_choice){count, count > 0 && count >= search->min_points};
    if (search->max_points != SIZE_MAX || search->max_points_per_sector != SIZE_MAX)
        count = keep_limited(points, search, place, candidates, count);
    return (struct shepard_ref_choice){count, enough(search, candidates, count)};
}
