/* SPDX-License-Identifier: MIT */
/** What a GPU can do at most, measured, and the stages of a run relative to it. */
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

struct shepard_accuracy_run;
struct shepard_record;

/** Measures device 0: the best of several runs each, in a second or two. Not 0, said on stderr,
 * where that failed. */
int shepard_roofline_measure(struct shepard_roofline *roofline);

/** Records the stages that took place: seconds by the device's clock, and the least that the limits
 * allow for what must be done in any case (stages.c). */
void shepard_roofline_report(const struct shepard_roofline *roofline,
                             const struct shepard_accuracy_run *run, const char *name,
                             struct shepard_record *record);

#ifdef __cplusplus
}
#endif

#endif
