/* SPDX-License-Identifier: MIT */
#include "case.h"

#include <string.h>

void shepard_runs_add(struct shepard_runs *runs, struct shepard_seconds seconds)
{
    runs->wall[runs->count] = seconds.wall;
    runs->cpu[runs->count] = seconds.cpu;
    runs->count++;
}

static double median_of(const double *v, size_t n)
{
    double copy[SHEPARD_REPEAT_MAX];
    memcpy(copy, v, n * sizeof *v);
    return shepard_median(copy, n);
}

static double least_of(const double *v, size_t n)
{
    double least = v[0];
    for (size_t i = 1; i < n; i++)
        least = v[i] < least ? v[i] : least;
    return least;
}

struct shepard_seconds shepard_runs_median(const struct shepard_runs *runs)
{
    return (struct shepard_seconds){.wall = median_of(runs->wall, runs->count),
                                    .cpu = median_of(runs->cpu, runs->count)};
}

struct shepard_seconds shepard_runs_least(const struct shepard_runs *runs)
{
    return (struct shepard_seconds){.wall = least_of(runs->wall, runs->count),
                                    .cpu = least_of(runs->cpu, runs->count)};
}

void shepard_runs_record(const struct shepard_runs *runs, struct shepard_record *record)
{
    const struct shepard_seconds median = shepard_runs_median(runs);
    const struct shepard_seconds least = shepard_runs_least(runs);
    shepard_record_numbers(record, "wall", runs->wall, runs->count);
    shepard_record_numbers(record, "cpu", runs->cpu, runs->count);
    shepard_record_number(record, "wall_median", median.wall);
    shepard_record_number(record, "cpu_median", median.cpu);
    shepard_record_number(record, "wall_min", least.wall);
    shepard_record_number(record, "cpu_min", least.cpu);
}

struct shepard_model *shepard_case_model(const struct shepard_cloud *cloud, size_t columns,
                                         const struct shepard_options *options)
{
    const struct shepard_data data = shepard_cloud_data(cloud, columns);
    struct shepard_options what = *options;
    struct shepard_model *model = NULL;
    struct shepard_error error;
    if (what.backend == SHEPARD_BACKEND_AUTO)
        what.backend = SHEPARD_BACKEND_CPU; /* figures are of the processor, whatever is there */
    if (shepard_model_create(&data, &what, &model, &error)) {
        fprintf(stderr, "bench_core: %s\n", error.message);
        return NULL;
    }
    return model;
}
