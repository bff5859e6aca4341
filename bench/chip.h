/* SPDX-License-Identifier: MIT */
/** What a GPU can do at most, measured: the limits that a stage's time is held against. */
#ifndef SHEPARD_BENCH_CHIP_H
#define SHEPARD_BENCH_CHIP_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes and operations a second. An operation is one of one thread: a fused multiply-add is one.
 */
struct shepard_chip {
    double to_device;   /**< from pinned memory of the host */
    double from_device; /**< to pinned memory of the host */
    double copy;        /**< within the device's memory, bytes read and bytes written */
    double special;     /**< ex2 and lg2 of float */
    double fma_single;  /**< float */
    double fma_double;  /**< double */
};

/** Measures device 0: the best of several runs each, in a second or two. False, said on stderr,
 * where that failed. */
bool shepard_chip_measure(struct shepard_chip *chip);

#ifdef __cplusplus
}
#endif

#endif
