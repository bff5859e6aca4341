/* SPDX-License-Identifier: MIT */
/** A task measured there and back: arrays in pinned memory, the model made, everything predicted in
 * one call. */
#ifndef SHEPARD_BENCH_TRIP_H
#define SHEPARD_BENCH_TRIP_H

#include "case.h"
#include "task.h"

/** Medians, and of one run what does not change. */
struct shepard_trip {
    const char *name; /**< in the records */
    struct shepard_task task;
    size_t repeat;                /**< runs measured, after one that is not */
    struct shepard_runs create;   /**< wall clock of shepard_model_create, */
    struct shepard_runs total;    /**< and with the call that predicts */
    struct shepard_timing device; /**< seconds of the stages of both, by the device's clock */
    struct shepard_work work;     /**< of one run */
    double area;                  /**< of AIDW */
    double bytes, device_bytes;   /**< a data point, that the model holds */
    char notice[400];             /**< what was done otherwise than asked for, the last; "" */
    size_t checked;               /**< targets compared with the truth, */
    double error;                 /**< and the largest difference, a fraction of the value range */
};

/**
 * Measures trip->task; name, task and repeat are set, repeat at most SHEPARD_REPEAT_MAX. Compares
 * targets with the truth, about 500 or as many as pairs allow: at least 64.
 * SHEPARD_OK, or what failed, said on stdout: SHEPARD_ERROR_MEMORY where memory is short.
 */
enum shepard_status shepard_trip_take(struct shepard_trip *trip, double pairs);

double shepard_trip_seconds(const struct shepard_trip *trip);

#endif
