/* SPDX-License-Identifier: MIT */
#include "backend/ref/choice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SECTORS_MAX 8

/* Inside the ellipse with radius1 along the angle, its edge included. */
static bool inside(const struct shepard_search *search, double dx, double dy)
{
    const double a2 = search->radius1 * search->radius1, b2 = search->radius2 * search->radius2;
    if (!search->bounded)
        return true;
    if (search->radius1 == search->radius2)
        return dx * dx + dy * dy <= a2;
    const double along = dx * search->cosine + dy * search->sine;
    const double across = dy * search->cosine - dx * search->sine;
    return b2 * (along * along) + a2 * (across * across) <= a2 * b2;
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

static size_t collect(const struct shepard_points *points, const struct shepard_search *search,
                      struct shepard_place place, struct shepard_candidate *candidates)
{
    size_t count = 0;
    for (size_t i = 0; i < points->count; i++) {
        const double dx = points->x[i] - place.x, dy = points->y[i] - place.y;
        if (search != NULL && !inside(search, dx, dy))
            continue;
        candidates[count++] = (struct shepard_candidate){
            .d2 = dx * dx + dy * dy,
            .point = (uint32_t)i,
            .sector = search != NULL ? sector_of(search->sectors, dx, dy) : 0,
            .points = points,
        };
    }
    return count;
}

/* By sector, in each nearest first. */
static int compare(const void *first, const void *second)
{
    const struct shepard_candidate *a = first, *b = second;
    if (a->sector != b->sector)
        return a->sector < b->sector ? -1 : 1;
    if (a->d2 != b->d2)
        return a->d2 < b->d2 ? -1 : 1;
    if (a->point == b->point)
        return 0;
    return shepard_points_before(a->points, a->point, b->point) ? -1 : 1;
}

size_t shepard_choice_nearest(const struct shepard_points *points, struct shepard_place place,
                              size_t k, struct shepard_candidate *candidates)
{
    const size_t count = collect(points, NULL, place, candidates);
    qsort(candidates, count, sizeof *candidates, compare);
    return k < count ? k : count;
}

/* In turn the next nearest of each sector, from all, sorted by sector, into used. The sectors'
 * counts are those of all before and those of used after. */
static size_t take_in_turn(const struct shepard_search *search, size_t counts[SECTORS_MAX],
                           const struct shepard_candidate *all, struct shepard_candidate *used)
{
    size_t first[SECTORS_MAX] = {0}, taken[SECTORS_MAX] = {0}, total = 0;
    for (int s = 1; s < search->sectors; s++)
        first[s] = first[s - 1] + counts[s - 1];
    bool more = true;
    for (size_t turn = 0; more && turn < search->max_points_per_sector; turn++) {
        more = false;
        for (int s = 0; s < search->sectors && total < search->max_points; s++) {
            if (turn >= counts[s])
                continue;
            used[total++] = all[first[s] + turn];
            taken[s]++;
            more = true;
        }
    }
    memcpy(counts, taken, sizeof taken);
    return total;
}

static bool enough(const struct shepard_search *search, const size_t counts[SECTORS_MAX],
                   size_t total)
{
    for (int s = 0; s < search->sectors; s++)
        if (counts[s] < search->min_points_per_sector)
            return false;
    return total > 0 && total >= search->min_points;
}

struct shepard_choice shepard_choice_used(const struct shepard_points *points,
                                          const struct shepard_search *search,
                                          struct shepard_place place,
                                          struct shepard_candidate *candidates,
                                          struct shepard_candidate *spare)
{
    if (search->all)
        return (struct shepard_choice){collect(points, NULL, place, candidates),
                                       points->count >= search->min_points};
    const bool limited =
        search->max_points != SIZE_MAX || search->max_points_per_sector != SIZE_MAX;
    struct shepard_candidate *found = limited ? spare : candidates;
    size_t total = collect(points, search, place, found);
    size_t counts[SECTORS_MAX] = {0};
    for (size_t i = 0; i < total; i++)
        counts[found[i].sector]++;
    if (limited) {
        qsort(found, total, sizeof *found, compare);
        total = take_in_turn(search, counts, found, candidates);
    }
    return (struct shepard_choice){total, enough(search, counts, total)};
}
