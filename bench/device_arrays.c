/* SPDX-License-Identifier: MIT */
#include "device_arrays.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All arrays of a task, one after the other in one block of the device. */
struct device_arrays {
    double *block, *x, *y, *z, *target_x, *target_y, *values;
};

static bool put(double *to, const double *from, size_t count)
{
    return cudaMemcpy(to, from, count * sizeof *to, cudaMemcpyHostToDevice) == cudaSuccess;
}

static bool upload(const struct shepard_task *task, struct device_arrays *arrays)
{
    const struct shepard_dataset *dataset = task->dataset;
    const size_t n = dataset->n, m = dataset->m;
    void *block = NULL;
    if (cudaMalloc(&block, 3 * (n + m) * sizeof(double)) != cudaSuccess)
        return false;
    arrays->x = arrays->block = block;
    arrays->y = arrays->x + n;
    arrays->z = arrays->y + n;
    arrays->target_x = arrays->z + n;
    arrays->target_y = arrays->target_x + m;
    arrays->values = arrays->target_y + m;
    return put(arrays->x, dataset->x, n) && put(arrays->y, dataset->y, n) &&
           put(arrays->z, dataset->values[task->column], n) &&
           put(arrays->target_x, dataset->target_x, m) &&
           put(arrays->target_y, dataset->target_y, m);
}

static enum shepard_status predict(const struct shepard_task *task,
                                   const struct device_arrays *arrays, struct shepard_error *error)
{
    const struct shepard_memory memory = {SHEPARD_MEMORY_CUDA, NULL};
    const struct shepard_array column = shepard_doubles(arrays->z);
    const struct shepard_output_array predicted = shepard_output_doubles(arrays->values);
    const struct shepard_coordinates coordinates = {.size = sizeof coordinates,
                                                    .count = task->dataset->n,
                                                    .x = shepard_doubles(arrays->x),
                                                    .y = shepard_doubles(arrays->y),
                                                    .memory = memory};
    const struct shepard_values values = {
        .size = sizeof values, .column_count = 1, .columns = &column, .memory = memory};
    const struct shepard_targets targets = {.size = sizeof targets,
                                            .count = task->dataset->m,
                                            .x = shepard_doubles(arrays->target_x),
                                            .y = shepard_doubles(arrays->target_y),
                                            .memory = memory};
    const struct shepard_output output = {
        .size = sizeof output, .values = &predicted, .memory = memory};
    struct shepard_preparation made = {NULL, NULL};
    enum shepard_status status =
        shepard_points_create(&coordinates, &task->options, &made.points, error);
    if (!status)
        status = shepard_field_create(made.points, &values, &made.field, error);
    if (!status)
        status = shepard_predict(made.field, &task->parameters, &targets, &output, NULL, error);
    shepard_preparation_free(&made);
    return status;
}

/* Whether the device's results are those that arrays of the host give. */
static bool compare(const struct shepard_task *task, const struct device_arrays *arrays)
{
    const size_t bytes = task->dataset->m * sizeof(double);
    double *const got = malloc(bytes), *want = malloc(bytes);
    struct shepard_preparation made = {NULL, NULL};
    const bool same =
        got && want && !shepard_task_make(task, &made) &&
        !shepard_task_predict(task, &made, shepard_task_all(task), &want, NULL) &&
        cudaMemcpy(got, arrays->values, bytes, cudaMemcpyDeviceToHost) == cudaSuccess &&
        memcmp(got, want, bytes) == 0;
    shepard_preparation_free(&made);
    free(want);
    free(got);
    return same;
}

enum shepard_status shepard_device_arrays_measure(const struct shepard_task *task, size_t repeat,
                                                  struct shepard_runs *runs, bool *same)
{
    struct device_arrays arrays = {NULL};
    struct shepard_error error = {.message = "no device memory for the arrays"};
    enum shepard_status status = upload(task, &arrays) ? SHEPARD_OK : SHEPARD_ERROR_MEMORY;
    for (size_t r = 0; !status && r <= repeat; r++) {
        const struct shepard_seconds start = shepard_seconds_now();
        status = predict(task, &arrays, &error);
        if (r > 0)
            shepard_runs_add(runs, shepard_seconds_since(start));
    }
    *same = !status && compare(task, &arrays);
    if (status)
        fprintf(stderr, "bench: %s\n", error.message);
    (void)cudaFree(arrays.block);
    return status;
}
