/* SPDX-License-Identifier: MIT */
/* The conformance suite: what every backend must do, through the public interface alone. */
#ifndef SHEPARD_TESTS_SUITE_H
#define SHEPARD_TESTS_SUITE_H

#include "chance.h"

#include "shepard/shepard.h"

#define SUITE_BACKENDS_MAX 8

struct suite {
    uint64_t seed;
    bool repeat;   /* once more, for another instruction set: main.c */
    size_t one_in; /* of the random trials of a group one in so many is made: main.c */
    size_t count;  /* usable backends, "ref" among them */
    struct shepard_backend_info backends[SUITE_BACKENDS_MAX];
};

/* Whether the trial of this seed is made. A random choice: every option keeps its share. */
static inline bool suite_takes(const struct suite *suite, uint64_t seed)
{
    struct chance chance = {~seed};
    return suite->one_in <= 1 || chance_below(&chance, suite->one_in) == 0;
}

/* Each group of checks; X(name, what it shows). */
#define SUITE_GROUPS(X)                                                                            \
    X(sweep, "every option on every kind of data, against ref and against the equations")          \
    X(large, "thousands of points: deep trees, dense blocks of places")                            \
    X(tolerance, "sums over all points are within eps, whatever the data, the power, the place")   \
    X(dense, "rasters much finer than the data are within eps, whatever their windows")            \
    X(nearest, "the k nearest points, exact, in the documented order")                             \
    X(sectors, "small cases by hand: which points sectors with limits let a place use")            \
    X(surface, "what a surface keeps: data, constants, bounds, shifts, scales, planes")            \
    X(anisotropy, "a map of the plane beforehand, a turn, a change of axes: the same surface")     \
    X(bits, "the same bits for any threads, windows and order of places")                          \
    X(limits, "extreme powers, coordinates and weights; few points; skipped points")               \
    X(spans, "lengths over all decades that doubles can square; the rest is refused")              \
    X(adaptive, "AIDW against the papers' equations, and their misprints")                         \
    X(methods, "every method that has a name, from neighbourhoods, against the equations")         \
    X(arguments, "every wrong argument: its status and name")                                      \
    X(arrays, "float or double, any strides, matrices: the same bits; wrong arrays")               \
    X(calls, "progress, cancellation, outputs left out, facts, defaults")                          \
    X(memory, "every allocation that can fail; what points and fields take")                       \
    X(stack, "what calls use of a thread's stack")                                                 \
    X(small_stack, "calls from threads with stacks of 128 KiB")                                    \
    X(threads, "predictions from one model in several threads at once")                            \
    X(parameters, "one field with many parameters, many fields on the same points")                \
    X(gaps, "missing values: each column as if it were alone")                                     \
    X(leave_one_out, "each point predicted from the others, as if it were not in the data")        \
    X(heap, "very many points at one place, each left out with the others there: linear time")     \
    X(stars, "data near a target left out octant by octant, as if they were not in the data")      \
    X(barriers, "points behind lines, as if they were not in the data; what touches")              \
    X(many_gaps, "many columns that each miss other values: the bits of a call for each")          \
    X(sphere, "great circles: poles, date line, antipodes, small patches, turns of the Earth")     \
    X(space, "three coordinates: against the equations, the plane, other axes")                    \
    X(kriging, "kriging against its equations, and what it keeps; degenerate data")                \
    X(kriging_3d, "kriging on a sphere and in space, against its equations")

#define SUITE_DECLARE(name, text) void suite_##name(const struct suite *suite);
SUITE_GROUPS(SUITE_DECLARE)
#undef SUITE_DECLARE

#endif
