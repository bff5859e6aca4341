/* SPDX-License-Identifier: MIT */
#include "device_arrays.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A dataset, its columns but one left out, in one block of the device. */
static bool upload(const struct shepard_dataset *from, size_t column, struct shepard_dataset *to)
{
    const size_t n = from->n, m = from->m;
    const double *const arrays[] = {from->x, from->y, from->values[column], from->target_x,
                                    from->target_y};
    double *const places[] = {to->x, to->x + n, to->x + 2 * n, to->x + 3 * n, to->x + 3 * n + m};
    for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++) {
        const size_t bytes = (a < 3 ? n : m) * sizeof(double);
        if (cudaMemcpy(places[a], arrays[a], bytes, cudaMemcpyHostToDevice) != cudaSuccess)
            return false;
    }
    to->y = places[1];
    to->value_arrays[column] = shepard_doubles(places[2]);
    to->target_x = places[3];
    to->target_y = places[4];
    return true;
}

static enum shepard_status run(const struct shepard_task *task, double *values)
{
    struct shepard_preparation made;
    enum shepard_status status = shepard_task_make(task, &made);
    if (!status)
        status = shepard_task_predict(task, &made, shepard_task_all(task), &values, NULL);
    shepard_preparation_free(&made);
    return status;
}

/* Whether the device's results are those that arrays of the host give. */
static bool compare(const struct shepard_task *task, const double *found)
{
    const size_t bytes = task->dataset->m * sizeof(double);
    double *const got = malloc(bytes), *const want = malloc(bytes);
    const bool same = got && want && !run(task, want) &&
                      cudaMemcpy(got, found, bytes, cudaMemcpyDeviceToHost) == cudaSuccess &&
                      memcmp(got, want, bytes) == 0;
    free(want);
    free(got);
    return same;
}

enum shepard_status shepard_device_arrays_measure(const struct shepard_task *task, size_t repeat,
                                                  struct shepard_runs *runs, bool *same)
{
    struct shepard_dataset dataset = *task->dataset;
    struct shepard_task on_device = *task;
    const size_t inputs = 3 * dataset.n + 2 * dataset.m;
    void *block = NULL;
    bool ready = cudaMalloc(&block, (inputs + dataset.m) * sizeof(double)) == cudaSuccess;
    dataset.x = block;
    on_device.dataset = &dataset;
    on_device.memory.kind = SHEPARD_MEMORY_CUDA;
    ready = ready && upload(task->dataset, task->column, &dataset);
    if (!ready)
        fputs("bench: no device memory for the arrays\n", stderr);
    enum shepard_status status = ready ? SHEPARD_OK : SHEPARD_ERROR_MEMORY;
    for (size_t r = 0; !status && r <= repeat; r++) {
        const struct shepard_seconds start = shepard_seconds_now();
        status = run(&on_device, dataset.x + inputs);
        if (r > 0)
            shepard_runs_add(runs, shepard_seconds_since(start));
    }
    *same = !status && compare(task, dataset.x + inputs);
    (void)cudaFree(block);
    return status;
}
