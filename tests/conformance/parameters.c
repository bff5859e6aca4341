/* SPDX-License-Identifier: MIT */
/* Predictions with any parameters from one field, and from several fields on the same points: each
 * result has the bits of points and a field that were made for it alone. */
#include "check.h"
#include "results.h"
#include "suite.h"
#include "trial.h"

#include <pthread.h>
#include <string.h>

#define JOBS 10
#define CALLERS 3
#define PREDICTIONS 12 /* of a caller */
#define FIELDS 4

/* One prediction. */
struct job {
    struct shepard_parameters parameters;
    bool values_only; /* nothing else is asked for: sums may go another way */
};

/* Jobs for one scene, and what they must give. */
struct study {
    struct trial trial;
    bool gaps; /* in each column other ones */
    struct job jobs[JOBS];
    struct results want[JOBS];
};

static struct shepard_output output_of(const struct job *job, const struct results *results)
{
    const struct shepard_output all = results_output(results);
    const struct shepard_output values = {.size = sizeof values, .values = results->to_values};
    return job->values_only ? values : all;
}

/* No check is in it: callers are threads. */
static bool predicts(const struct shepard_field *field, const struct job *job,
                     const struct places *places, const struct results *want)
{
    struct results got = results_make(places->m, want->columns);
    const struct shepard_targets targets = places_targets(places);
    const struct shepard_output output = output_of(job, &got);
    const bool same =
        shepard_predict(field, &job->parameters, &targets, &output, NULL, NULL) == SHEPARD_OK &&
        results_equal(&got, want);
    results_free(&got);
    return same;
}

/* By points and a field made for the job. */
static struct results wanted(const struct scene *scene, const struct model_options *options,
                             const struct job *job, const struct places *places)
{
    struct results results = results_make(places->m, scene->columns);
    struct model *model = model_make(scene, options);
    const struct shepard_targets targets = places_targets(places);
    const struct shepard_output output = output_of(job, &results);
    struct shepard_error error = {0};
    model->parameters = job->parameters;
    check(model_predict(model, &targets, &output, NULL, &error) == SHEPARD_OK, "no prediction: %s",
          error.message);
    model_free(model);
    return results;
}

/* Half of the jobs are sums over all points, for which the most is prepared. */
static struct study study_make(const struct shepard_backend_info *on, uint64_t seed)
{
    const bool ref = on->backend == SHEPARD_BACKEND_REF;
    struct chance chance = {seed};
    struct study study = {.trial = trial_make((enum scene_kind)(seed % SCENE_KINDS), 0, 0,
                                              ref ? 60 : 800, ref ? 8 : 40, &chance)};
    struct trial *trial = &study.trial;
    const struct shepard_points_options points = trial->options.points;
    for (int j = 0; j < JOBS; j++) {
        const int hood = j % 2 ? (int)chance_below(&chance, TRIAL_HOODS) : 0;
        trial_draw(trial, hood, (int)chance_below(&chance, TRIAL_POWERS), &chance);
        study.jobs[j] = (struct job){trial->options.parameters, chance_below(&chance, 2) == 0};
        if (hood == 0 && study.jobs[j].parameters.degree == 1)
            study.jobs[j].parameters.eps = 1e-4;
    }
    trial->options.points = points;
    trial->options.points.backend = on->backend;
    study.gaps = seed % 3 == 0;
    if (study.gaps)
        scene_make_gaps(&trial->scene, 0, &chance);
    for (int j = 0; j < JOBS; j++)
        study.want[j] = wanted(&trial->scene, &trial->options, &study.jobs[j], &trial->places);
    return study;
}

static void study_free(struct study *study)
{
    for (int j = 0; j < JOBS; j++)
        results_free(&study->want[j]);
    trial_free(&study->trial);
}

/* ---- one field, many parameters -------------------------------------------------------------- */

struct caller {
    pthread_t thread;
    const struct study *study;
    const struct model *model;
    uint64_t seed;
    int wrong;
};

/* Jobs in any order; now and then one is prepared and not predicted. */
static void *predict_jobs(void *user)
{
    struct caller *caller = user;
    const struct study *study = caller->study;
    const struct shepard_field *field = caller->model->field;
    struct chance chance = {caller->seed};
    for (int i = 0; i < PREDICTIONS; i++) {
        const size_t j = chance_below(&chance, JOBS);
        const struct job *job = &study->jobs[j], *other = &study->jobs[chance_below(&chance, JOBS)];
        const struct shepard_output output = output_of(other, &study->want[0]);
        const bool prepared =
            chance_below(&chance, 4) != 0 ||
            shepard_prepare(field, &other->parameters, &output, NULL, NULL) == SHEPARD_OK;
        caller->wrong += !prepared || !predicts(field, job, &study->trial.places, &study->want[j]);
    }
    return NULL;
}

/* Bytes that a field may make at the first prediction that needs them, for good: of the 12 a point
 * and column those in single precision, of the 20 for weights those and the squares, of the 40 for
 * a set of gaps 12, and all that a set of gaps takes: 40 for points, 12 and 20 for its values. */
static size_t floats_of(const struct scene *scene, bool gaps)
{
    const size_t gap_sets = gaps ? scene->columns : 0;
    const size_t weights = scene->weights != NULL ? 3 * (1 + gap_sets) : 0;
    const size_t sets = gap_sets * (scene->n * (40 + 12 + 20) + 4096);
    return (scene->columns + weights + 3 * gap_sets) * (scene->n * sizeof(float) + 64) + sets;
}

/* And the host's copy of all that a GPU holds, for what the CPU computes instead. */
static size_t host_copy_of(const struct scene *scene, bool gaps, enum shepard_backend backend)
{
    const size_t gap_sets = gaps ? scene->columns : 0;
    const size_t arrays = scene->columns + (scene->weights != NULL) + 8 * gap_sets;
    return backend == SHEPARD_BACKEND_CUDA
               ? arrays * scene->n * sizeof(double) + (1 + gap_sets) * 4096
               : 0;
}

static void try_memory_limit(const struct study *study, size_t memory_limit, uint64_t seed)
{
    struct model_options options = study->trial.options;
    options.points.memory_limit = memory_limit;
    struct model *model = model_make(&study->trial.scene, &options);
    const size_t before = model_field_info(model).bytes;
    struct caller callers[CALLERS];
    for (unsigned i = 0; i < CALLERS; i++) {
        callers[i] = (struct caller){.study = study, .model = model, .seed = seed + i};
        check(pthread_create(&callers[i].thread, NULL, predict_jobs, &callers[i]) == 0, "a thread");
    }
    for (int i = 0; i < CALLERS; i++) {
        pthread_join(callers[i].thread, NULL);
        check(callers[i].wrong == 0, "limit %zu: %d of %d predictions in thread %d are wrong",
              memory_limit, callers[i].wrong, PREDICTIONS, i);
    }
    const size_t after = model_field_info(model).bytes;
    const struct scene *scene = &study->trial.scene;
    const size_t own =
        floats_of(scene, study->gaps) + host_copy_of(scene, study->gaps, options.points.backend);
    const size_t most = memory_limit < SIZE_MAX - own ? memory_limit + own : SIZE_MAX;
    check(after >= before && after - before <= most, "%zu bytes kept, %zu are allowed besides %zu",
          after - before, memory_limit, own);
    for (int j = 0; j < JOBS; j++)
        check(predicts(model->field, &study->jobs[j], &study->trial.places, &study->want[j]),
              "limit %zu: job %d differs afterwards", memory_limit, j);
    model_free(model);
}

/* The limit is of all that a field keeps, whatever sets of gaps its columns have. */
static void try_limit_of_gaps(const struct shepard_backend_info *on, struct chance *chance)
{
    struct scene scene = scene_make(SCENE_UNIFORM, 800, 9, false, chance);
    struct model_options options;
    model_options_init(&options); /* sums within a tolerance */
    options.points.backend = on->backend;
    scene_make_gaps(&scene, 0, chance);
    const size_t own = floats_of(&scene, true) + host_copy_of(&scene, true, on->backend);
    for (size_t limit = 0; limit < 1200000; limit += 150000) {
        options.points.memory_limit = limit;
        struct model *model = model_make(&scene, &options);
        const size_t before = model_field_info(model).bytes;
        check(model_prepare(model, NULL, NULL) == SHEPARD_OK, "not prepared");
        const size_t kept = model_field_info(model).bytes - before;
        check(kept <= limit + own, "9 sets of gaps: %zu bytes kept, %zu are allowed besides %zu",
              kept, limit, own);
        model_free(model);
    }
    scene_free(&scene);
}

/* ---- prepared ahead -------------------------------------------------------------------------- */

static void prepare_and_predict(const struct study *study, int j, struct model *model)
{
    const struct job *job = &study->jobs[j];
    const struct shepard_output output = output_of(job, &study->want[j]);
    struct shepard_error error = {0};
    model->parameters = job->parameters;
    check(model_prepare(model, job->values_only ? NULL : &output, &error) == SHEPARD_OK,
          "job %d is not prepared: %s", j, error.message);
    const size_t prepared = model_field_info(model).bytes;
    check(predicts(model->field, job, &study->trial.places, &study->want[j]),
          "job %d differs where it was prepared", j);
    const size_t predicted = model_field_info(model).bytes;
    check(model_prepare(model, &output, NULL) == SHEPARD_OK, "job %d, prepared twice", j);
    check(predicted == prepared && model_field_info(model).bytes == prepared,
          "job %d: %zu bytes where it was prepared, %zu where it was predicted, %zu in the end", j,
          prepared, predicted, model_field_info(model).bytes);
}

/* A prediction needs nothing more than shepard_prepare has prepared, and keeps nothing more: after
 * others, and as the first of all. */
static void try_prepared(const struct study *study)
{
    struct model *model = model_make(&study->trial.scene, &study->trial.options);
    for (int j = 0; j < JOBS; j++)
        prepare_and_predict(study, j, model);
    model_free(model);
    for (int j = 0; j < JOBS; j++) {
        model = model_make(&study->trial.scene, &study->trial.options);
        prepare_and_predict(study, j, model);
        model_free(model);
    }
}

static size_t bytes_of(const struct model *model)
{
    const struct shepard_field_info info = model_field_info(model);
    return info.bytes + info.device_bytes;
}

/* Columns with other gaps that are not asked for are not prepared. */
static void prepares_what_is_wanted(const struct shepard_backend_info *on, struct chance *chance)
{
    struct scene scene = scene_make(SCENE_UNIFORM, 800, 3, false, chance);
    const struct model_options options = options_for(on->backend);
    double any;
    const struct shepard_output_array wanted[3] = {[1] = shepard_output_doubles(&any)};
    const struct shepard_output output = {.size = sizeof output, .values = wanted};
    scene_make_gaps(&scene, 0, chance);
    check_case("%s: one of three columns", on->name);
    struct model *model = model_make(&scene, &options);
    const size_t before = bytes_of(model);
    check(model_prepare(model, &output, NULL) == SHEPARD_OK, "one column");
    const size_t one = bytes_of(model);
    check(model_prepare(model, NULL, NULL) == SHEPARD_OK, "all columns");
    const size_t all = bytes_of(model);
    check(on->backend == SHEPARD_BACKEND_REF ||
              (one > before && (double)(all - before) > 2.5 * (double)(one - before)),
          "%zu bytes, %zu with a column prepared, %zu with three", before, one, all);
    model_free(model);
    scene_free(&scene);
}

/* Where a prediction at some targets shares a search and at others does not, both are prepared. */
static void prepares_what_targets_may_need(struct chance *chance)
{
    struct scene scene = scene_make(SCENE_UNIFORM, 800, 3, false, chance);
    struct model_options options = options_for(SHEPARD_BACKEND_CPU);
    options.parameters.neighbourhood.max_points = 8;
    for (size_t c = 0; c < scene.columns; c++)
        for (int i = 0; i < 80; i++)
            scene.values[c][chance_below(chance, scene.n)] = NAN;
    check_case("neighbourhoods of columns with other gaps");
    struct model *model = model_make(&scene, &options);
    const size_t before = bytes_of(model);
    check(model_prepare(model, NULL, NULL) == SHEPARD_OK, "no preparation");
    const double grown = (double)(bytes_of(model) - before);
    check(grown > 3 * 20. * (double)scene.n, "%g bytes for three sets of gaps", grown);
    model_free(model);
    scene_free(&scene);
}

/* ---- many fields on the same points ---------------------------------------------------------- */

/* Other values at the same places, with weights and gaps or without. */
static struct scene other_values(const struct scene *scene, size_t number, struct chance *chance)
{
    static const size_t columns[FIELDS] = {1, 3, 9, 2};
    struct scene other =
        scene_make(scene->kind, scene->n, columns[number], number % 2 == 1, chance);
    memcpy(other.x, scene->x, scene->n * sizeof *other.x);
    memcpy(other.y, scene->y, scene->n * sizeof *other.y);
    if (number >= 2)
        scene_make_gaps(&other, 0, chance);
    return other;
}

/* One field of several. */
struct holder {
    pthread_t thread;
    const struct study *study;
    const struct shepard_points *points;
    struct scene scene;
    struct results want[JOBS];
    struct shepard_field *field;
    int wrong;
};

static void *make_and_predict(void *user)
{
    struct holder *holder = user;
    const struct study *study = holder->study;
    struct shepard_array columns[SCENE_COLUMNS_MAX];
    const struct shepard_values values = scene_values(&holder->scene, columns);
    if (shepard_field_create(holder->points, &values, &holder->field, NULL) != SHEPARD_OK) {
        holder->wrong = JOBS;
        return NULL;
    }
    for (int j = 0; j < JOBS; j++)
        holder->wrong +=
            !predicts(holder->field, &study->jobs[j], &study->trial.places, &holder->want[j]);
    return NULL;
}

static void holder_free(struct holder *holder)
{
    shepard_field_free(holder->field);
    for (int j = 0; j < JOBS; j++)
        results_free(&holder->want[j]);
    scene_free(&holder->scene);
}

static void try_fields(const struct study *study, struct chance *chance)
{
    const struct trial *trial = &study->trial;
    struct shepard_points *points = points_make(&trial->scene, &trial->options.points);
    struct holder holders[FIELDS] = {0};
    for (size_t f = 0; f < FIELDS; f++) {
        struct holder *holder = &holders[f];
        holder->study = study;
        holder->points = points;
        holder->scene = other_values(&trial->scene, f, chance);
        for (int j = 0; j < JOBS; j++)
            holder->want[j] =
                wanted(&holder->scene, &trial->options, &study->jobs[j], &trial->places);
    }
    for (size_t f = 0; f < FIELDS; f++)
        check(pthread_create(&holders[f].thread, NULL, make_and_predict, &holders[f]) == 0,
              "a thread");
    for (size_t f = 0; f < FIELDS; f++) {
        pthread_join(holders[f].thread, NULL);
        check(holders[f].wrong == 0, "%d of %d predictions of field %zu are wrong",
              holders[f].wrong, JOBS, f);
    }
    /* The end of a field leaves the others, and the points, as they are. */
    for (size_t f = 0; f < FIELDS; f++) {
        const struct holder *last = &holders[FIELDS - 1];
        check(predicts(last->field, &study->jobs[f], &trial->places, &last->want[f]),
              "a field differs after the end of %zu others", f);
        holder_free(&holders[f]);
    }
    shepard_points_free(points);
}

void suite_parameters(const struct suite *suite)
{
    struct chance gaps = {suite->seed + 19000000};
    for (size_t b = 0; b < suite->count; b++) {
        check_case("%s: limit of memory", suite->backends[b].name);
        try_limit_of_gaps(&suite->backends[b], &gaps);
        if (suite->backends[b].backend == SHEPARD_BACKEND_CPU)
            prepares_what_targets_may_need(&gaps);
    }
    for (size_t b = 0; b < suite->count; b++)
        for (uint64_t seed = suite->seed; seed < suite->seed + SCENE_KINDS; seed++) {
            if (!suite_takes(suite, seed))
                continue;
            const struct shepard_backend_info *on = &suite->backends[b];
            struct chance chance = {seed + 16000000};
            check_case("seed %llu %s: parameters", (unsigned long long)seed, on->name);
            struct study study = study_make(on, seed + 16000000);
            try_memory_limit(&study, 0, seed);
            try_memory_limit(&study, 40 * study.trial.scene.n, seed);
            try_memory_limit(&study, SIZE_MAX, seed);
            try_prepared(&study);
            try_fields(&study, &chance);
            prepares_what_is_wanted(on, &chance);
            study_free(&study);
        }
}
