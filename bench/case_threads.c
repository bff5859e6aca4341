/* SPDX-License-Identifier: MIT */
#include "case.h"

#include <stdlib.h>

enum { SEARCH_K = 10 };

/* Work whose seconds are compared over thread counts. */
struct work {
    const char *name;
    bool (*run)(const struct shepard_cloud *cloud, int threads, size_t sums, double *room,
                struct shepard_seconds *seconds);
};

static bool search(const struct shepard_cloud *cloud, int threads, size_t sums, double *room,
                   struct shepard_seconds *seconds)
{
    (void)sums;
    struct shepard_options options;
    shepard_options_init(&options);
    options.threads = threads;
    options.eps = 0; /* a search needs no expansions */
    const struct shepard_targets targets = shepard_cloud_targets(cloud, cloud->m);
    const struct shepard_seconds start = shepard_seconds_now();
    struct shepard_model *model = shepard_case_model(cloud, 1, &options);
    const bool good =
        model && !shepard_nearest_points(model, &targets, SEARCH_K, NULL, room, NULL, NULL);
    *seconds = shepard_seconds_since(start);
    shepard_model_free(model);
    return good;
}

static bool sum(const struct shepard_cloud *cloud, int threads, size_t sums, double *room,
                struct shepard_seconds *seconds)
{
    struct shepard_options options;
    shepard_options_init(&options);
    options.threads = threads;
    options.eps = 0;
    struct shepard_model *model = shepard_case_model(cloud, 1, &options);
    const struct shepard_targets targets = shepard_cloud_targets(cloud, sums);
    const struct shepard_output output = {.values = &room};
    const struct shepard_seconds start = shepard_seconds_now();
    const bool good = model && !shepard_predict_points(model, &targets, &output, NULL, NULL);
    *seconds = shepard_seconds_since(start);
    shepard_model_free(model);
    return good;
}

static const struct work works[] = {{"knn", search}, {"pairs", sum}};

static void report(const struct work *work, int threads, const struct shepard_runs *runs,
                   double first, struct shepard_record *record)
{
    const double wall = shepard_runs_median(runs).wall;
    printf("%-6s %7d %9.3f %9.2f\n", work->name, threads, wall, first / wall);
    shepard_record_begin(record, "threads");
    shepard_record_text(record, "work", work->name);
    shepard_record_number(record, "threads", threads);
    shepard_record_number(record, "speedup", first / wall);
    shepard_runs_record(runs, record);
    shepard_record_end(record);
}

static bool measure(const struct shepard_case *bench, const struct shepard_cloud *cloud,
                    const struct work *work, double *room)
{
    double first = 0;
    for (int threads = 1; threads <= bench->threads; threads *= 2) {
        struct shepard_runs runs = {0};
        for (size_t r = 0; r < bench->repeat; r++) {
            struct shepard_seconds seconds;
            if (!work->run(cloud, threads, bench->sums, room, &seconds))
                return false;
            shepard_runs_add(&runs, seconds);
        }
        if (threads == 1)
            first = shepard_runs_median(&runs).wall;
        report(work, threads, &runs, first, bench->record);
    }
    return true;
}

bool shepard_case_threads(const struct shepard_case *bench)
{
    printf("Threads: build and search of %d nearest points, and sums of power 2; wall seconds\n"
           "work   threads   seconds   speedup\n",
           SEARCH_K);
    const size_t targets = bench->targets > bench->sums ? bench->targets : bench->sums;
    struct shepard_cloud cloud = {.n = bench->points, .m = targets, .columns = 1};
    double *room = malloc(targets * SEARCH_K * sizeof *room);
    bool good = shepard_cloud_draw(&cloud) && room;
    for (size_t w = 0; good && w < sizeof works / sizeof *works; w++)
        good = measure(bench, &cloud, &works[w], room);
    free(room);
    shepard_cloud_free(&cloud);
    return good;
}
