/* SPDX-License-Identifier: MIT */
/** What a GPU can do at most, measured. */
#ifndef SHEPARD_BENCH_ROOFLINE_H
#define SHEPARD_BENCH_ROOFLINE_H

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes and operations a second. An operation is one of one thread: a fused multiply-add is one.
 */
struct shepard_roofline {
    double copy;        /**< within the device's memory, bytes read and bytes written */
    double to_device;   /**< from pinned memory of the host */
    double from_device; /**< to pinned memory of the host */
    double special;     /**< ex2 and lg2 of float */
    double fma_single;  /**< float */
    double fma_double;  /**< double */
};

/** Measures device 0: the best of several runs each, in a second or two. Not 0, said on stderr,
 * where that failed. */
int shepard_roofline_measure(struct shepard_roofline *roofline);

#ifdef __cplusplus
}
#endif

#endif
