/* SPDX-License-Identifier: MIT */
#include "base/parallel.h"

#include "base/call_part.h"

#include <omp.h>
#include <stdatomic.h>

int shepard_threads(int option)
{
    return option > 0 ? option : omp_get_max_threads();
}

struct loop_progress {
    atomic_size_t next; /* first block nobody has taken */
    atomic_size_t done;
    atomic_int status;
};

static bool report(const struct shepard_loop *loop, size_t done)
{
    return shepard_control_report(loop->control, (double)done / (double)loop->blocks);
}

static void work(const struct shepard_loop *loop, struct loop_progress *progress, int thread)
{
    while (atomic_load(&progress->status) == SHEPARD_OK) {
        size_t block = atomic_fetch_add(&progress->next, 1);
        if (block >= loop->blocks)
            return;
        int status = loop->body(loop->context, block, thread);
        size_t done = atomic_fetch_add(&progress->done, 1) + 1;
        if (status == SHEPARD_OK && thread == 0 && done < loop->blocks && !report(loop, done))
            status = SHEPARD_ERROR_CANCELLED;
        int expected = SHEPARD_OK;
        if (status != SHEPARD_OK)
            atomic_compare_exchange_strong(&progress->status, &expected, status);
    }
}

enum shepard_status shepard_loop_run(const struct shepard_loop *loop)
{
    struct loop_progress progress;
    atomic_init(&progress.next, 0);
    atomic_init(&progress.done, 0);
    atomic_init(&progress.status, SHEPARD_OK);
    if (loop->threads <= 1 || loop->blocks <= 1) {
        work(loop, &progress, 0);
    } else {
#pragma omp parallel num_threads(loop->threads)
        work(loop, &progress, omp_get_thread_num());
    }
    int status = atomic_load(&progress.status);
    if (status == SHEPARD_OK && !report(loop, loop->blocks))
        status = SHEPARD_ERROR_CANCELLED;
    return (enum shepard_status)status;
}
