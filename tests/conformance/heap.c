/* SPDX-License-Identifier: MIT */
/* Very many points at one place: to leave each of them out with the others there takes as long as
 * there are points. If each passed over the others, the cases would take minutes. */
#include "check.h"
#include "results.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

#define HEAPED 100000 /* points at one place */
#define OTHERS 1000   /* points that follow, each at its own */
#define POINTS (HEAPED + OTHERS)
#define NEAREST 5
#define ACCURACY 1e-11 /* of values from 3 to 4, exact sums */

struct heap {
    double *x, *y, *z, *value; /* [POINTS] */
};

/* In degrees on a sphere. */
static struct heap heap_make(struct chance *chance)
{
    double *room = scene_memory((size_t)4 * POINTS, sizeof *room);
    const struct heap heap = {room, room + POINTS, room + 2 * POINTS, room + 3 * POINTS};
    for (size_t i = 0; i < POINTS; i++) {
        heap.x[i] = i < HEAPED ? 4.5 : chance_range(chance, 0, 10);
        heap.y[i] = i < HEAPED ? 5.5 : chance_range(chance, 0, 10);
        heap.z[i] = i < HEAPED ? -0.0 : chance_range(chance, -5, 5);
        heap.value[i] = chance_range(chance, 3, 4);
    }
    heap.z[0] = 0;
    return heap;
}

/* Of the points from `first` on. */
static struct model *model_of(const struct heap *heap, size_t first,
                              const struct model_options *options)
{
    struct shepard_coordinates coordinates = {.size = sizeof coordinates, .count = POINTS - first};
    coordinates.x = shepard_doubles(heap->x + first);
    coordinates.y = shepard_doubles(heap->y + first);
    if (options->points.metric == SHEPARD_METRIC_SPACE)
        coordinates.z = shepard_doubles(heap->z + first);
    const struct shepard_array column = shepard_doubles(heap->value + first);
    const struct shepard_values values = {
        .size = sizeof values, .column_count = 1, .columns = &column};
    struct shepard_error error;
    struct model *model = NULL;
    if (!check(model_create(&coordinates, &values, options, &model, &error) == SHEPARD_OK,
               "no model: %s", error.message))
        exit(1);
    return model;
}

static struct results predict(const struct model *model, const struct shepard_targets *targets,
                              size_t count)
{
    struct results results = results_make(count, 1);
    const struct shepard_output output = results_output(&results);
    struct shepard_error error;
    check(model_predict(model, targets, &output, NULL, &error) == SHEPARD_OK, "no prediction: %s",
          error.message);
    return results;
}

/* At the heap, from the others alone. */
static struct results predict_from_others(const struct heap *heap,
                                          const struct model_options *options)
{
    struct shepard_targets targets = {.size = sizeof targets,
                                      .count = 1,
                                      .x = shepard_doubles(heap->x),
                                      .y = shepard_doubles(heap->y)};
    if (options->points.metric == SHEPARD_METRIC_SPACE)
        targets.z = shepard_doubles(heap->z);
    struct model *model = model_of(heap, HEAPED, options);
    const struct results results = predict(model, &targets, 1);
    model_free(model);
    return results;
}

static const struct shepard_targets each = {.size = sizeof(struct shepard_targets),
                                            .kind = SHEPARD_TARGETS_LEAVE_ONE_OUT};

/* Every point of the heap has the same bits, those of its place without it. */
static void try_predictions(const struct heap *heap, const struct model_options *options)
{
    struct results want = predict_from_others(heap, options);
    struct model *model = model_of(heap, 0, options);
    struct results got = predict(model, &each, POINTS);
    size_t different = 0;
    check_near(got.values[0][0], want.values[0][0], ACCURACY, "value");
    check_near(got.nearest[0], want.nearest[0], ACCURACY * want.nearest[0], "nearest");
    check(got.count[0] == want.count[0], "count %g, not %g", got.count[0], want.count[0]);
    for (size_t i = 1; i < HEAPED; i++)
        different += got.values[0][i] != got.values[0][0] || got.count[i] != got.count[0] ||
                     got.nearest[i] != got.nearest[0] ||
                     got.deviations[0][i] != got.deviations[0][0];
    check(different == 0, "%zu points of the heap differ from its first", different);
    for (size_t i = HEAPED; i < POINTS; i++)
        check(got.values[0][i] >= 3 && got.values[0][i] <= 4, "%g at point %zu", got.values[0][i],
              i);
    results_free(&got);
    results_free(&want);
    model_free(model);
}

static void try_nearest(const struct heap *heap, const struct model_options *options)
{
    struct model *model = model_of(heap, 0, options);
    uint32_t *indices = scene_memory((size_t)NEAREST * POINTS, sizeof *indices);
    double *distances = scene_memory((size_t)NEAREST * POINTS, sizeof *distances);
    struct shepard_error error;
    check(model_nearest(model, &each, NEAREST, indices, distances, NULL, &error) == SHEPARD_OK,
          "no search: %s", error.message);
    for (size_t j = 0; j < NEAREST; j++)
        check(indices[j] >= HEAPED && distances[j] > 0, "neighbour %u at %g", indices[j],
              distances[j]);
    size_t different = 0;
    for (size_t i = 1; i < HEAPED; i++)
        different += memcmp(indices, indices + NEAREST * i, NEAREST * sizeof *indices) != 0 ||
                     memcmp(distances, distances + NEAREST * i, NEAREST * sizeof *distances) != 0;
    check(different == 0, "%zu points of the heap have other neighbours", different);
    free(distances);
    free(indices);
    model_free(model);
}

/* The backend cpu alone: ref is slow by design. */
void suite_heap(const struct suite *suite)
{
    static const char *const metrics[] = {"plane", "sphere", "space"};
    struct chance chance = {suite->seed + 31000000};
    const struct heap heap = heap_make(&chance);
    for (int metric = 0; metric < 3; metric++)
        for (size_t k = 0; k <= 12; k += 12) {
            struct model_options options = options_for(SHEPARD_BACKEND_CPU);
            options.points.metric = (enum shepard_metric)metric;
            options.parameters.neighbourhood.max_points = k;
            check_case("seed %llu: heap, %s, k %zu", (unsigned long long)suite->seed,
                       metrics[metric], k);
            try_predictions(&heap, &options);
            if (k > 0)
                try_nearest(&heap, &options);
        }
    free(heap.x);
}
