/* SPDX-License-Identifier: MIT */
/* Scenes made to defeat sums by expansions: densities that differ by any factor, heaps of points at
 * one place, values without any order, weights over many orders of magnitude. */
#ifndef SHEPARD_TESTS_HARD_H
#define SHEPARD_TESTS_HARD_H

#include "scene.h"

enum hard_layout {
    HARD_UNIFORM,
    HARD_CLUSTERED,
    HARD_STRIPS,
    HARD_SPOT,  /* half of the points in a millionth of the box */
    HARD_SPECK, /* half of the points within 1e-12 of the box */
    HARD_HEAP,  /* half of the points at one place */
    HARD_DUPLICATES,
    HARD_LATTICE,
    HARD_COLLINEAR,
    HARD_UTM,    /* metres, far from the origin */
    HARD_CORNER, /* all but a few points in one corner */
    HARD_FUNNEL, /* as many points in each ring of half the size */
    HARD_CIRCLE, /* none inside: all on the edge of one disc */
    HARD_ROW,    /* a box without height */
    HARD_ONE_PLACE,
    HARD_LAYOUTS
};

enum hard_weights {
    HARD_NO_WEIGHTS,
    HARD_EVEN_WEIGHTS, /* within a factor of 50 */
    HARD_WIDE_WEIGHTS, /* over 6 orders of magnitude */
    HARD_WILD_WEIGHTS, /* over 30: more than floats hold as ratios of sums */
    HARD_WEIGHTS
};

/* Fields of values; column c of a scene has field (first + c) % HARD_FIELDS. */
enum hard_field {
    HARD_CHECKERBOARD,
    HARD_STEP,
    HARD_COINS,
    HARD_SLOPE,   /* linear in x */
    HARD_ODD_ONE, /* all alike but one */
    HARD_OFFSET,  /* 1e6 within a range of 1 */
    HARD_SMOOTH,
    HARD_CONSTANT,
    HARD_FIELDS
};

const char *hard_name(enum hard_layout layout);

struct scene hard_scene(enum hard_layout layout, size_t n, size_t columns, enum hard_field first,
                        enum hard_weights weights, struct chance *chance);

/* m finite places: on data points, at distances from them of any size down to 1e-14 of the box,
 * inside the box, half-way between strips, along its edges; and, where far is asked for, 10, 1e6
 * and 1e100 boxes away. At times most of them lie in one small patch, as places that share their
 * far points do. */
struct places hard_places(const struct scene *scene, size_t m, bool far, struct chance *chance);

/* A raster over the box and some of its surroundings, or over a small patch of it. */
struct shepard_raster hard_raster(const struct scene *scene, struct chance *chance);

#endif
