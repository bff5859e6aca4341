/* SPDX-License-Identifier: MIT */
/** Points, values, parameters and targets that an input describes. */
#ifndef SHEPARD_FUZZ_SCENARIO_H
#define SHEPARD_FUZZ_SCENARIO_H

#include "shepard/shepard.h"

#include <stdint.h>

enum { SCENARIO_POINTS_MAX = 512, SCENARIO_COLUMNS_MAX = 3, SCENARIO_TARGETS_MAX = 24 };

/** Too large for a stack; the pointers of its structs point into it. */
struct scenario {
    bool wild; /* any double anywhere; otherwise finite numbers of moderate size */
    struct shepard_points_options options;
    struct shepard_parameters parameters;
    struct shepard_coordinates coordinates;
    struct shepard_values values;
    struct shepard_targets targets; /* a list */
    struct shepard_targets cells;   /* a raster */
    struct shepard_targets others;  /* leave-one-out */
    size_t k;                       /* of the search for the nearest points */
    double x[SCENARIO_POINTS_MAX], y[SCENARIO_POINTS_MAX], z[SCENARIO_POINTS_MAX];
    double weights[SCENARIO_POINTS_MAX];
    double value[SCENARIO_COLUMNS_MAX][SCENARIO_POINTS_MAX];
    struct shepard_array columns[SCENARIO_COLUMNS_MAX];
    double target_x[SCENARIO_TARGETS_MAX], target_y[SCENARIO_TARGETS_MAX];
    double target_z[SCENARIO_TARGETS_MAX];
    uint32_t index[SCENARIO_TARGETS_MAX];
    double star[8 * SCENARIO_TARGETS_MAX];
};

/** A scenario from malloc, for free; NULL when out of memory. */
struct scenario *scenario_make(const uint8_t *bytes, size_t size);

/** Whether the library must take point i, and its value in a column. */
bool scenario_takes(const struct scenario *scenario, size_t i);
bool scenario_uses(const struct scenario *scenario, size_t column, size_t i);

#endif
