/* SPDX-License-Identifier: MIT */
#include "case.h"
#include "comparison.h"

#include <stdlib.h>

/* The dataset's square becomes so many degrees, or units of space, each way. */
#define EXTENT 60.0

/* Methods by their text, lengths as parts of a degree's; what a metric lacks has none. */
struct distance_way {
    const char *name, *text;
    bool in_space;
};
static const struct distance_way ways[] = {
    {"k=12", "idw:k=12", true},
    {"k=50", "idw:k=50", true},
    {"aidw, 12 nearest", "aidw:max_points=12", true},
    {"octants of 2", "idw:sectors=8:max_points_per_sector=2", true},
    {"quadrants of 3", "idw:sectors=4:max_points_per_sector=3", true},
    {"planes, k=12", "idw:k=12:degree=1", false},
};
static const struct distance_way sums[] = {
    {"all points", "idw:eps=0", true},
    {"all points, aidw", "aidw:eps=0", true},
};

/* A dataset's places as those of a metric. */
struct metric_places {
    size_t count;
    double *at[3]; /* x, y, z [count] */
};

struct distances {
    struct shepard_task task;
    const char *text;
    struct metric_places data, targets;
    struct shepard_preparation plane, other;
    bool in_space; /* the other */
    double *values;
    const struct distance_way *ways;
    size_t way_count;
};

/* The third coordinate is the first of the point at the other end: with it as independent as with
 * the others. */
static bool spread(const double *x, const double *y, size_t count, struct metric_places *places)
{
    places->count = count;
    for (int c = 0; c < 3; c++)
        places->at[c] = malloc(count * sizeof(double));
    if (!places->at[0] || !places->at[1] || !places->at[2])
        return false;
    const double unit = EXTENT / SHEPARD_DATASET_SIDE;
    for (size_t i = 0; i < count; i++) {
        places->at[0][i] = (x[i] - SHEPARD_DATASET_X0) * unit;
        places->at[1][i] = (y[i] - SHEPARD_DATASET_Y0) * unit;
        places->at[2][count - 1 - i] = places->at[0][i];
    }
    return true;
}

static void free_places(struct metric_places *places)
{
    for (int c = 0; c < 3; c++)
        free(places->at[c]);
}

static bool make(const struct distances *on, enum shepard_metric metric,
                 struct shepard_preparation *made)
{
    const bool in_space = metric == SHEPARD_METRIC_SPACE;
    const struct shepard_coordinates coordinates = {
        .size = sizeof coordinates,
        .count = on->data.count,
        .x = shepard_doubles(on->data.at[0]),
        .y = shepard_doubles(on->data.at[1]),
        .z = in_space ? shepard_doubles(on->data.at[2]) : (struct shepard_array){.data = NULL}};
    const struct shepard_values values = shepard_dataset_values(on->task.dataset);
    struct shepard_points_options options = on->task.options;
    options.metric = metric;
    return !shepard_points_create(&coordinates, &options, &made->points, NULL) &&
           !shepard_field_create(made->points, &values, &made->field, NULL);
}

static bool run(void *context, bool plane)
{
    struct distances *const on = context;
    const struct shepard_preparation *const made = plane ? &on->plane : &on->other;
    const struct shepard_targets targets = {.size = sizeof targets,
                                            .kind = SHEPARD_TARGETS_LIST,
                                            .count = on->targets.count,
                                            .x = shepard_doubles(on->targets.at[0]),
                                            .y = shepard_doubles(on->targets.at[1]),
                                            .z = plane || !on->in_space
                                                     ? (struct shepard_array){.data = NULL}
                                                     : shepard_doubles(on->targets.at[2])};
    const struct shepard_output_array column = shepard_output_doubles(on->values);
    const struct shepard_output output = {.size = sizeof output, .values = &column};
    struct shepard_parameters parameters;
    shepard_parameters_init(&parameters);
    return !shepard_parameters_parse(on->text, &parameters, NULL, NULL) &&
           !shepard_predict(made->field, &parameters, &targets, &output, NULL, NULL);
}

static bool measure(struct distances *on, const char *name, const char *metric, size_t turns)
{
    struct shepard_comparison comparison;
    if (!run(on, true) || !run(on, false) || !shepard_compare(run, on, turns, &comparison))
        return false;
    shepard_record_begin("distances");
    shepard_record_text("metric", metric);
    shepard_record_text("way", name);
    shepard_record_numbers("points", (const double[]){(double)on->data.count});
    shepard_record_runs(&comparison.own);
    shepard_record_numbers("plane_wall_median speed",
                           (const double[]){shepard_runs_median(&comparison.other).wall,
                                            1 / shepard_comparison_ratio(&comparison)});
    shepard_record_end();
    return true;
}

static bool measure_all(struct distances *on, enum shepard_metric metric, size_t turns)
{
    const bool in_space = on->in_space = metric == SHEPARD_METRIC_SPACE;
    bool good = make(on, metric, &on->other);
    for (size_t i = 0; good && i < on->way_count; i++) {
        on->text = on->ways[i].text;
        if (!in_space || on->ways[i].in_space)
            good = measure(on, on->ways[i].name, in_space ? "space" : "sphere", turns);
    }
    shepard_preparation_free(&on->other);
    return good;
}

static bool measure_metrics(struct distances *on, size_t turns)
{
    const struct shepard_dataset *const dataset = on->task.dataset;
    const bool good = spread(dataset->x, dataset->y, dataset->n, &on->data) &&
                      spread(dataset->target_x, dataset->target_y, dataset->m, &on->targets) &&
                      make(on, SHEPARD_METRIC_PLANE, &on->plane) &&
                      measure_all(on, SHEPARD_METRIC_SPHERE, turns) &&
                      measure_all(on, SHEPARD_METRIC_SPACE, turns);
    if (!good)
        fputs("bench: distances were not measured\n", stderr);
    shepard_preparation_free(&on->plane);
    free_places(&on->data);
    free_places(&on->targets);
    return good;
}

bool shepard_case_distances(const struct shepard_case *bench)
{
    static const struct shepard_variant idw = {.method = SHEPARD_METHOD_IDW};
    struct distances on = {.task = shepard_task_of(&bench->dataset, bench->threads, &idw),
                           .values = bench->values[0],
                           .ways = ways,
                           .way_count = sizeof ways / sizeof *ways};
    return measure_metrics(&on, bench->repeat);
}

bool shepard_distances_measure_sums(const struct shepard_task *task, size_t turns, double *values)
{
    struct distances on = {
        .task = *task, .values = values, .ways = sums, .way_count = sizeof sums / sizeof *sums};
    return measure_metrics(&on, turns);
}
