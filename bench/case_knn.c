/* SPDX-License-Identifier: MIT */
#include "case.h"
#include "exact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHECKED = 64 }; /* targets compared with a look at all points */

/* One search, its answers [m, k], and what came of it. */
struct knn_search {
    const struct shepard_dataset *dataset;
    size_t k;
    uint32_t *indices;
    double *distances;
    struct shepard_runs build, query, total;
};

/* The k distances of target i are the k least of all, and belong to the indices, all different. */
static bool is_exact(const struct knn_search *search, size_t i)
{
    const struct shepard_dataset *dataset = search->dataset;
    const double x = dataset->target_x[i], y = dataset->target_y[i];
    const uint32_t *const indices = &search->indices[i * search->k];
    double d2[SHEPARD_CASE_K_MAX];
    size_t nearest[SHEPARD_CASE_K_MAX];
    shepard_exact_nearest(dataset, x, y, search->k, d2, nearest);
    for (size_t j = 0; j < search->k; j++) {
        const double d = search->distances[i * search->k + j], exact = sqrt(d2[j]);
        if (indices[j] >= dataset->n || fabs(d - exact) > 1e-15 * exact ||
            fabs(d - hypot(dataset->x[indices[j]] - x, dataset->y[indices[j]] - y)) > 4e-15 * exact)
            return false;
        for (size_t before = 0; before < j; before++) {
            if (indices[before] == indices[j])
                return false;
        }
    }
    return true;
}

static size_t count_wrong(const struct knn_search *search)
{
    size_t wrong = 0;
    for (size_t c = 0; c < CHECKED; c++)
        wrong += !is_exact(search, c * search->dataset->m / CHECKED);
    return wrong;
}

/* The sum of the k-th distances: what the peers' answers are compared with. */
static double checksum(const struct knn_search *search)
{
    double sum = 0;
    for (size_t i = 0; i < search->dataset->m; i++)
        sum += search->distances[i * search->k + search->k - 1];
    return sum;
}

/* Points alone: a search needs no field. */
static bool run_once(struct knn_search *search)
{
    const struct shepard_dataset *dataset = search->dataset;
    static const struct shepard_variant none = {.method = SHEPARD_METHOD_IDW};
    const struct shepard_task task = shepard_task_of(dataset, 1, &none);
    const struct shepard_targets targets = shepard_dataset_targets(dataset, dataset->m);
    const struct shepard_nearest_output output = {.size = sizeof output,
                                                  .indices = search->indices,
                                                  .distances =
                                                      shepard_output_doubles(search->distances)};
    struct shepard_preparation made = {NULL, NULL};
    const struct shepard_seconds start = shepard_seconds_now();
    bool good = !shepard_task_put_points(&task, &made);
    const struct shepard_seconds built = shepard_seconds_since(start);
    good = good && !shepard_nearest(made.points, &targets, search->k, &output, NULL, NULL);
    const struct shepard_seconds both = shepard_seconds_since(start);
    shepard_preparation_free(&made);
    shepard_runs_add(&search->build, built);
    shepard_runs_add(&search->query, shepard_seconds_sum(both, -1, built));
    shepard_runs_add(&search->total, both);
    return good;
}

static bool report(const struct knn_search *search)
{
    const double wrong = (double)count_wrong(search);
    shepard_record_begin("knn");
    shepard_record_text("tool", "shepard");
    shepard_record_text("data", shepard_dataset_name(search->dataset->kind));
    shepard_record_numbers("k build_cpu search_cpu",
                           (const double[]){(double)search->k,
                                            shepard_runs_median(&search->build).cpu,
                                            shepard_runs_median(&search->query).cpu});
    shepard_record_runs(&search->total);
    shepard_record_numbers("checksum checked wrong",
                           (const double[]){checksum(search), CHECKED, wrong});
    shepard_record_end();
    return wrong == 0;
}

static bool measure(const struct shepard_case *bench, size_t k)
{
    const size_t size = bench->dataset.m * k;
    struct knn_search search = {.dataset = &bench->dataset,
                                .k = k,
                                .indices = malloc(size * sizeof *search.indices),
                                .distances = malloc(size * sizeof *search.distances)};
    bool good = search.indices && search.distances;
    if (good) { /* the peers' arrays are in memory before their clocks start, too */
        memset(search.indices, 0, size * sizeof *search.indices);
        memset(search.distances, 0, size * sizeof *search.distances);
    }
    for (size_t r = 0; good && r < bench->repeat; r++)
        good = run_once(&search);
    good = good && report(&search);
    free(search.indices);
    free(search.distances);
    return good;
}

bool shepard_case_knn(const struct shepard_case *bench)
{
    return bench->k ? measure(bench, bench->k) : measure(bench, 10) && measure(bench, 15);
}
