/* SPDX-License-Identifier: MIT */
/** The stages of a trip on the device, each beside the least time that the chip's limits allow. */
#ifndef SHEPARD_BENCH_STAGE_H
#define SHEPARD_BENCH_STAGE_H

#include "chip.h"
#include "trip.h"

#define SHEPARD_STAGES 7

struct shepard_stage {
    const char *name;
    double seconds;    /**< by the device's clock; 0: there is no such stage */
    double least;      /**< seconds at the limit */
    const char *limit; /**< which one that is */
};

/**
 * Fills stages in the order of struct shepard_timing. The least is what must be done in any case:
 * - upload, download: the caller's arrays, once, over the bus.
 * - sort: points and targets (of a list) read once and written once with their keys and numbers.
 * - tree: coordinates read once, boxes written.
 * - moments: points read once, two charges of order 5 written for each of n / 8 nodes.
 * - nearest: as the sort; or 96 distances a target (6 leaves of 16), 5 operations in double each.
 * - sums: the pairs and nodes that this very run counted: a pair takes 2 special functions and 10
 *   further operations, a node 2 and 102 (two charges of order 5, and 60 for its weight and
 *   factors); special functions and others go on at the same time, so the longer counts.
 */
void shepard_stage_list(const struct shepard_trip *trip, const struct shepard_chip *chip,
                        struct shepard_stage stages[SHEPARD_STAGES]);

/** Prints the stages that there are as a table, and records them. */
void shepard_stage_report(const struct shepard_trip *trip, const struct shepard_chip *chip,
                          struct shepard_record *record);

#endif
