/* SPDX-License-Identifier: MIT */
/* A star round a target: in each octant of the map, the radius within which the target does not
 * use points (Eq. 94 of docs/math/validation.md). */
#ifndef SHEPARD_KERNEL_STAR_H
#define SHEPARD_KERNEL_STAR_H

#include "kernel/place.h"

#include <math.h>
#include <stdbool.h>

#define SHEPARD_OCTANTS 8

struct shepard_star {
    double radius2[SHEPARD_OCTANTS]; /* squared, units of the frame across its stretch; on a sphere
                                      * of chords */
    double ratio, cosine, sine;      /* of a frame's stretch; a ratio of 1 stretches nothing */
};

/* A box of offsets from the target. */
struct shepard_star_box {
    double x_min, x_max, y_min, y_max;
};

/* How much of a box a star covers. */
enum shepard_star_cover { SHEPARD_STAR_NONE, SHEPARD_STAR_SOME, SHEPARD_STAR_ALL };

/* Bit 0 to the east, bit 1 to the north, bit 2 nearer to the x axis (Eq. 14). */
static inline unsigned shepard_star_octant(double dx, double dy)
{
    return (unsigned)(dx >= 0) | (unsigned)(dy >= 0) << 1 | (unsigned)(fabs(dx) > fabs(dy)) << 2;
}

/* Whether the star covers the point at an offset, frame units. */
static inline bool shepard_star_has(const struct shepard_star *star, double dx, double dy)
{
    if (star->ratio != 1) {
        const double along = dx * star->ratio, across = dy;
        dx = along * star->cosine - across * star->sine;
        dy = along * star->sine + across * star->cosine;
    }
    return dx * dx + dy * dy < star->radius2[shepard_star_octant(dx, dy)];
}

/* The same of a point round a place in space: octants go by the place's directions. */
static inline bool shepard_star_has_3d(const struct shepard_star *star,
                                       const struct shepard_place *place, double x, double y,
                                       double z)
{
    double east = shepard_place_along(place, place->east, x, y, z);
    double north = shepard_place_along(place, place->north, x, y, z);
    double dx = x - place->x, dy = y - place->y;
    const double dz = z - place->z;
    if (star->ratio != 1) {
        const double along = dx * star->ratio, across = dy;
        east = dx = along * star->cosine - across * star->sine;
        north = dy = along * star->sine + across * star->cosine;
    }
    return dx * dx + dy * dy + dz * dz < star->radius2[shepard_star_octant(east, north)];
}

/* A box of the frame as one of the map that holds it, rounding included. */
static inline struct shepard_star_box shepard_star_unstretch(const struct shepard_star *star,
                                                             const struct shepard_star_box *box)
{
    const double along[2] = {box->x_min * star->ratio, box->x_max * star->ratio};
    const double across[2] = {box->y_min, box->y_max};
    const double pad =
        1e-14 * (fabs(along[0]) + fabs(along[1]) + fabs(across[0]) + fabs(across[1]));
    struct shepard_star_box to = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (int corner = 0; corner < 4; corner++) {
        const double a = along[corner & 1], c = across[corner >> 1];
        const double x = a * star->cosine - c * star->sine, y = a * star->sine + c * star->cosine;
        to.x_min = x - pad < to.x_min ? x - pad : to.x_min;
        to.x_max = x + pad > to.x_max ? x + pad : to.x_max;
        to.y_min = y - pad < to.y_min ? y - pad : to.y_min;
        to.y_max = y + pad > to.y_max ? y + pad : to.y_max;
    }
    return to;
}

/* Whether points of a box may lie in an octant. */
static inline bool shepard_star_reaches(const struct shepard_star_box *box, unsigned octant)
{
    const bool east = octant & 1, north = octant & 2;
    if (!(east ? box->x_max >= 0 : box->x_min < 0) || !(north ? box->y_max >= 0 : box->y_min < 0))
        return false;
    const double x_low = east ? box->x_min : -box->x_max, x_high = east ? box->x_max : -box->x_min;
    const double y_low = north ? box->y_min : -box->y_max;
    const double y_high = north ? box->y_max : -box->y_min;
    return octant & 4 ? x_high > (y_low > 0 ? y_low : 0) : (x_low > 0 ? x_low : 0) <= y_high;
}

/* The least radius of the octants that a box reaches; *most: the largest. */
static inline double shepard_star_least(const struct shepard_star *star,
                                        const struct shepard_star_box *box, double *most)
{
    double least = INFINITY;
    *most = 0;
    for (unsigned o = 0; o < SHEPARD_OCTANTS; o++)
        if (shepard_star_reaches(box, o)) {
            least = star->radius2[o] < least ? star->radius2[o] : least;
            *most = star->radius2[o] > *most ? star->radius2[o] : *most;
        }
    return least;
}

/* Never more than is covered, and none only where nothing is; a box with the target in it is never
 * free of the star. */
static inline enum shepard_star_cover shepard_star_cover(const struct shepard_star *star,
                                                         struct shepard_star_box box)
{
    if (star->ratio != 1)
        box = shepard_star_unstretch(star, &box);
    double most;
    const double least = shepard_star_least(star, &box, &most);
    const double dx = fmax(fmax(box.x_min, -box.x_max), 0), x = fmax(-box.x_min, box.x_max);
    const double dy = fmax(fmax(box.y_min, -box.y_max), 0), y = fmax(-box.y_min, box.y_max);
    const double near2 = dx * dx + dy * dy;
    if (x * x + y * y < least)
        return SHEPARD_STAR_ALL;
    return near2 > 0 && near2 >= most ? SHEPARD_STAR_NONE : SHEPARD_STAR_SOME;
}

/* The same of a box of space round a place: of its sides by coordinate. */
static inline enum shepard_star_cover shepard_star_cover_3d(const struct shepard_star *star,
                                                            const struct shepard_place *place,
                                                            const double low[3],
                                                            const double high[3])
{
    const double at[3] = {place->x, place->y, place->z};
    const double widest = star->ratio > 1 ? star->ratio : 1;
    struct shepard_star_box box = {-2 * place->snap, 2 * place->snap, -2 * place->snap,
                                   2 * place->snap};
    double near2 = 0, far2 = 0, most;
    for (int k = 0; k < 3; k++) {
        const double below = low[k] - at[k], above = high[k] - at[k];
        const double gap = fmax(fmax(below, -above), 0), reach = fmax(-below, above);
        near2 += gap * gap;
        far2 += reach * reach;
        box.x_min += fmin(place->east[k] * below, place->east[k] * above);
        box.x_max += fmax(place->east[k] * below, place->east[k] * above);
        box.y_min += fmin(place->north[k] * below, place->north[k] * above);
        box.y_max += fmax(place->north[k] * below, place->north[k] * above);
    }
    if (star->ratio != 1)
        box = shepard_star_unstretch(star, &box);
    const double least = shepard_star_least(star, &box, &most);
    if (far2 * (widest * widest) < least)
        return SHEPARD_STAR_ALL;
    return near2 > 0 && near2 * fmin(star->ratio * star->ratio, 1) >= most * (1 + 1e-12)
               ? SHEPARD_STAR_NONE
               : SHEPARD_STAR_SOME;
}

#endif
