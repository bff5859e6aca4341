/* SPDX-License-Identifier: MIT */
#include "points_dry_run.h"

#include "message.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Samples are doubled while one takes less than ENOUGH seconds. */
enum { TARGETS_LEAST = 1024, SPOTS = 8, FEATURES = 20000 };
static const double ENOUGH = 0.3;

/* What a prediction holds for a target beside its results: its place in the order of targets, and
 * the coordinates and keys that this is found by. */
static const double ORDER_BYTES = 36;

/* Targets of a sample, and their results. */
struct target_sample {
    const struct shepard_points_job *plan;
    size_t room, count;
    double *x, *y, *z; /* [room]; z: NULL where there is none */
    double *numbers;   /* [results, room] */
    double **buffers;  /* [results] */
};

static void free_sample(struct target_sample *sample)
{
    free(sample->x);
    free(sample->y);
    free(sample->z);
    free(sample->numbers);
    free(sample->buffers);
}

static bool make_sample(struct target_sample *sample, const struct shepard_points_job *plan,
                        size_t room)
{
    const size_t results = plan->results->count;
    *sample = (struct target_sample){.plan = plan, .room = room};
    sample->x = calloc(room, sizeof *sample->x);
    sample->y = calloc(room, sizeof *sample->y);
    sample->z = plan->query->targets.z ? calloc(room, sizeof *sample->z) : NULL;
    sample->numbers = calloc(room * results, sizeof *sample->numbers);
    sample->buffers = calloc(results, sizeof *sample->buffers);
    if (!sample->x || !sample->y || (plan->query->targets.z && !sample->z) || !sample->numbers ||
        !sample->buffers) {
        return shepard_say_error("out of memory for a sample of %zu targets", room);
    }
    for (size_t i = 0; i < results; i++) {
        sample->buffers[i] = sample->numbers + i * room;
    }
    return true;
}

/* ---- Which targets --------------------------------------------------------------------------- */

static void add_target(struct target_sample *sample, size_t i)
{
    const struct shepard_target_layer_targets *const all = &sample->plan->query->targets;
    sample->x[sample->count] = all->x[i];
    sample->y[sample->count] = all->y[i];
    if (all->z) {
        sample->z[sample->count] = all->z[i];
    }
    sample->count++;
}

static double extent(const double *a, size_t count)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        low = fmin(low, a[i]);
        high = fmax(high, a[i]);
    }
    return high > low ? high - low : 0;
}

/* Those of a rectangle round target `middle`, which would hold `wanted` of targets that were spread
 * evenly: a target takes as long as it does between its neighbours in the run itself. */
static void add_spot(struct target_sample *sample, size_t middle, size_t wanted)
{
    const struct shepard_target_layer_targets *const all = &sample->plan->query->targets;
    const double side = sqrt((double)wanted / (double)all->count) / 2;
    const double width = side * extent(all->x, all->count);
    const double height = side * extent(all->y, all->count);
    const size_t end = sample->count + wanted;
    for (size_t i = 0; i < all->count && sample->count < end; i++) {
        if (fabs(all->x[i] - all->x[middle]) <= width &&
            fabs(all->y[i] - all->y[middle]) <= height) {
            add_target(sample, i);
        }
    }
}

/* All where `wanted` are as many; else those of a few spots round targets far apart in the file. */
static void choose_targets(struct target_sample *sample, size_t wanted)
{
    const size_t all = sample->plan->query->targets.count;
    sample->count = 0;
    for (size_t i = 0; wanted >= all && i < all; i++) {
        add_target(sample, i);
    }
    for (size_t spot = 0; wanted < all && spot < SPOTS; spot++) {
        /* Multiples of the golden section modulo 1 fill an interval evenly. */
        const double part = fmod(0.5 + 0.6180339887498949 * (double)spot, 1);
        add_spot(sample, (size_t)(part * (double)all), wanted / SPOTS);
    }
    if (sample->count == 0) {
        add_target(sample, 0);
    }
}

/* ---- Time ------------------------------------------------------------------------------------ */

static bool predict(struct target_sample *sample, double *seconds)
{
    const struct shepard_points_job *const plan = sample->plan;
    const struct shepard_targets targets =
        shepard_input_targets(sample->count, sample->x, sample->y, sample->z);
    const double begin = shepard_progress_clock();
    for (size_t s = 0; s < plan->surfaces->count; s++) {
        struct shepard_output output;
        shepard_results_output(plan->results, s, 0, sample->buffers, &output);
        if (!shepard_column_group_predict(&plan->surfaces->items[s], &targets, &output,
                                          plan->job)) {
            return false;
        }
    }
    *seconds = shepard_progress_clock() - begin;
    return true;
}

/* The first prediction prepares what all share; then the better of two times. */
static bool time_sample(struct target_sample *sample, size_t wanted, double *prepare, double *each)
{
    double first = 0, second = 0;
    choose_targets(sample, wanted);
    if (!predict(sample, &first) || !predict(sample, &second)) {
        return false;
    }
    if (*prepare < 0) {
        *prepare = fmax(0, first - second);
    }
    *each = fmin(first, second) / (double)sample->count;
    return true;
}

/* Sets the seconds of all predictions. */
static bool time_targets(const struct shepard_points_job *plan, double *seconds)
{
    const size_t all = plan->query->targets.count;
    double prepare = -1, each = 0;
    size_t wanted = TARGETS_LEAST < all ? TARGETS_LEAST : all;
    bool good = true, again = true;
    while (good && again) {
        struct target_sample sample;
        good = make_sample(&sample, plan, wanted > 0 ? wanted : 1) &&
               time_sample(&sample, wanted, &prepare, &each);
        again = each * (double)sample.count < ENOUGH && wanted < all;
        wanted = 2 * wanted < all ? 2 * wanted : all;
        free_sample(&sample);
    }
    *seconds = prepare + each * (double)all;
    return good;
}

/* ---- The file -------------------------------------------------------------------------------- */

static bool try_file(const struct shepard_points_job *plan, struct shepard_vector_trial *trial)
{
    const size_t all = plan->query->targets.count, count = all < FEATURES ? all : FEATURES;
    struct shepard_new_column *const columns = calloc(plan->spec->columns, sizeof *columns);
    struct shepard_vector_spec spec = *plan->spec;
    struct shepard_io_error error;
    struct target_sample sample;
    double seconds;
    bool good = columns || shepard_say_error("out of memory");
    good = make_sample(&sample, plan, count > 0 ? count : 1) && good;
    /* The numbers of some targets stand for those of the first features. */
    sample.count = 0;
    for (size_t i = 0; good && i < count; i++) {
        add_target(&sample, i);
    }
    good = good && predict(&sample, &seconds);
    for (size_t i = 0; good && i < spec.columns; i++) {
        columns[i] = plan->spec->column[i];
        columns[i].values = sample.buffers[i];
    }
    spec.column = columns;
    spec.features = count;
    good = good && (!shepard_target_layer_try(plan->query->layer, &spec, trial, &error) ||
                    shepard_progress_error(error.message));
    free_sample(&sample);
    free(columns);
    return good;
}

bool shepard_points_dry_run(const struct shepard_points_job *plan,
                            struct shepard_run_estimate *estimate)
{
    const double all = (double)plan->query->targets.count;
    struct shepard_vector_trial trial;
    *estimate = (struct shepard_run_estimate){.read = shepard_progress_total(&plan->job->watch),
                                              .cells = -1};
    if (plan->query->targets.count > 0 && !time_targets(plan, &estimate->predict)) {
        return false;
    }
    if (!try_file(plan, &trial)) {
        return false;
    }
    estimate->write = trial.seconds;
    estimate->file_bytes = trial.file_bytes;
    memcpy(estimate->format, trial.format, sizeof estimate->format);
    const double numbers = (double)plan->results->count * all;
    shepard_run_estimate_add_memory(estimate, numbers * sizeof(double) +
                                                  fmax(ORDER_BYTES * all, trial.memory_bytes));
    estimate->seconds = estimate->read + estimate->predict + estimate->write;
    return true;
}
