/* SPDX-License-Identifier: MIT */
/** What the times were measured on, and what the program was built with. */
#ifndef SHEPARD_PAPERS_MACHINE_H
#define SHEPARD_PAPERS_MACHINE_H

#include "shepard/shepard.h"

#include <stdbool.h>

struct shepard_machine {
    char processor[128];  /**< name; "unknown" where the system does not say */
    long processors;      /**< logical ones, online */
    int threads;          /**< of shepard itself */
    char isa[16];         /**< instruction set of its sums */
    char gpu[128];        /**< name; "" where no GPU engine runs, "unknown" where nobody says */
    char driver[64];      /**< version of its driver; likewise */
    const char *runtime;  /**< of CUDA, linked statically, and so the compiler's; "" without CUDA */
    const char *compiler; /**< of C, name and version */
    const char *cuda_compiler; /**< "" without CUDA */
};

/** Fills *machine. threads: asked for; 0: OpenMP's own number. with_gpu: whether GPU engines run.
 */
void shepard_machine_ask(struct shepard_machine *machine, int threads, bool with_gpu);

/** What a prediction with this option of threads uses, as one point has it; backend "none" and 0
 * threads if the library cannot make one. */
struct shepard_points_info shepard_machine_points(int threads);

#endif
