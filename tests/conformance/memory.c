/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "results.h"
#include "suite.h"
#include "trial.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* An allocator that fails after so many blocks, for good or once, and counts. The size of a block
 * stands before it; new memory is filled, so that a pointer nobody has set is no NULL. */
struct meter {
    atomic_long allowed, blocks, bytes, refused;
    bool once;
    bool tried_again; /* a GPU's prediction is, where memory was short, and may go well then */
};

#define FILL 0xa5
#define HEAD 16

static void *meter_allocate(size_t size, void *user)
{
    struct meter *meter = user;
    const long left = atomic_fetch_sub(&meter->allowed, 1);
    if (meter->once ? left == 0 : left <= 0) {
        atomic_fetch_add(&meter->refused, 1);
        return NULL;
    }
    char *block = malloc(size + HEAD);
    if (block == NULL)
        return NULL;
    memset(block, FILL, size + HEAD);
    *(size_t *)(void *)block = size;
    atomic_fetch_add(&meter->blocks, 1);
    atomic_fetch_add(&meter->bytes, (long)size);
    return block + HEAD;
}

static void meter_release(void *block, void *user)
{
    struct meter *meter = user;
    char *start = (char *)block - HEAD;
    atomic_fetch_sub(&meter->blocks, 1);
    atomic_fetch_sub(&meter->bytes, (long)*(size_t *)(void *)start);
    free(start);
}

static void meter_set(struct meter *meter, long allowed)
{
    atomic_store(&meter->allowed, allowed);
    atomic_store(&meter->refused, 0);
}

#define PLENTY 1000000000L

/* Whether memory was refused. */
static bool check_refusal(const struct meter *meter, enum shepard_status status,
                          const struct shepard_error *error, const char *what)
{
    if (status == SHEPARD_OK) {
        const long refused = atomic_load(&meter->refused);
        check(refused == 0 || meter->tried_again, "%s went well without %ld blocks", what, refused);
        return refused > 0;
    }
    check(status == SHEPARD_ERROR_MEMORY && error->status == status && error->message[0] != '\0',
          "%s: status %d, message \"%s\"", what, status, error->message);
    return true;
}

/* Fewer blocks than any call needs. */
#define CALLS_MAX 10000

static struct shepard_points *points_with_less(const struct trial *trial,
                                               const struct model_options *options,
                                               struct meter *meter)
{
    const struct shepard_coordinates coordinates = scene_coordinates(&trial->scene);
    struct shepard_points *points = NULL;
    for (long allowed = 0; points == NULL && allowed < CALLS_MAX; allowed++) {
        struct shepard_error error = {0};
        meter_set(meter, allowed);
        const enum shepard_status status =
            shepard_points_create(&coordinates, &options->points, &points, &error);
        if (!check_refusal(meter, status, &error, "making points"))
            break;
        check(points == NULL && atomic_load(&meter->blocks) == 0,
              "%ld blocks leaked after %ld allocations", atomic_load(&meter->blocks), allowed);
    }
    check(points != NULL, "no points");
    return points;
}

static struct shepard_field *
field_with_less(const struct trial *trial, const struct shepard_points *points, struct meter *meter)
{
    struct shepard_array columns[SCENE_COLUMNS_MAX];
    const struct shepard_values values = scene_values(&trial->scene, columns);
    const long before = atomic_load(&meter->blocks);
    struct shepard_field *field = NULL;
    for (long allowed = 0; field == NULL && allowed < CALLS_MAX; allowed++) {
        struct shepard_error error = {0};
        meter_set(meter, allowed);
        const enum shepard_status status = shepard_field_create(points, &values, &field, &error);
        if (!check_refusal(meter, status, &error, "making a field"))
            break;
        check(field == NULL && atomic_load(&meter->blocks) == before,
              "%ld blocks leaked after %ld allocations", atomic_load(&meter->blocks) - before,
              allowed);
    }
    check(field != NULL, "no field");
    return field;
}

enum verb { PREPARE, PLACES, RASTER, LEAVE_ONE_OUT, NEAREST, NEAREST_OTHERS, VERBS };

static enum shepard_status call(enum verb verb, const struct trial *trial,
                                const struct model *model, struct results *results,
                                struct shepard_error *error)
{
    const struct shepard_output output = results_output(results);
    const struct scene *scene = &trial->scene;
    const double step = scene->size / 10;
    const struct shepard_raster raster = {scene->x0, scene->y0, step, step, 8, 8};
    struct shepard_targets targets =
        verb == RASTER ? raster_targets(&raster, NULL) : places_targets(&trial->places);
    uint32_t indices[64];
    if (verb == LEAVE_ONE_OUT || verb == NEAREST_OTHERS) {
        for (uint32_t i = 0; i < 64; i++)
            indices[i] = 3 * i % (uint32_t)trial->scene.n;
        targets.kind = SHEPARD_TARGETS_LEAVE_ONE_OUT;
        targets.count = 64;
        targets.indices = indices;
    }
    switch (verb) {
    case PREPARE:
        return model_prepare(model, &output, error);
    case NEAREST:
    case NEAREST_OTHERS:
        return model_nearest(model, &targets, 1, NULL, results->count, NULL, error);
    default:
        return model_predict(model, &targets, &output, NULL, error);
    }
}

static size_t held_by(const struct model *model)
{
    return model_points_info(model).bytes + model_field_info(model).bytes;
}

/* A call leaves nothing behind but what the field keeps for the next, and says that it holds. */
struct held {
    long blocks;
    size_t bytes;
};

static void check_held(const struct model *model, const struct meter *meter, struct held *before)
{
    const struct held now = {atomic_load(&meter->blocks), held_by(model)};
    check(now.bytes == before->bytes ? now.blocks == before->blocks : now.blocks > before->blocks,
          "%ld blocks and %zu bytes before, %ld and %zu after a call", before->blocks,
          before->bytes, now.blocks, now.bytes);
    *before = now;
}

/* want: what a model that never failed predicts at the places. */
static void call_with_less(enum verb verb, const struct trial *trial, const struct model *model,
                           struct meter *meter, const struct results *want)
{
    struct held held = {atomic_load(&meter->blocks), held_by(model)};
    for (long allowed = 0; allowed < CALLS_MAX; allowed++) {
        struct results results = results_make(64, trial->scene.columns);
        struct shepard_error error = {0};
        meter_set(meter, allowed);
        const enum shepard_status status = call(verb, trial, model, &results, &error);
        const bool refused = check_refusal(meter, status, &error, "a call");
        check_held(model, meter, &held);
        if (status == SHEPARD_OK) {
            meter_set(meter, PLENTY);
            struct results again = results_make(64, trial->scene.columns);
            check(call(verb, trial, model, &again, &error) == SHEPARD_OK &&
                      results_equal(&again, &results) &&
                      (verb != PLACES || results_equal(&again, want)),
                  "a model predicts otherwise after failures");
            results_free(&again);
        }
        results_free(&results);
        if (!refused)
            return;
    }
    check(false, "never enough memory");
}

/* Points and a field made and asked while allocations fail, with two sets of parameters. After each
 * failure they are what they were. */
static void use_with_less(const struct trial *trial, const struct model_options *options,
                          struct meter *meter)
{
    struct model model = {.parameters = options->parameters};
    model.points = points_with_less(trial, options, meter);
    if (model.points != NULL)
        model.field = field_with_less(trial, model.points, meter);
    struct model_options unharmed = *options;
    unharmed.points.allocator = NULL;
    for (int round = 0; model.field != NULL && round < 2; round++) {
        struct results want = results_of(&trial->scene, &unharmed, &trial->places);
        const int end = round == 0 ? VERBS : RASTER;
        for (int verb = 0; verb < end; verb++)
            call_with_less((enum verb)verb, trial, &model, meter, &want);
        results_free(&want);
        unharmed.parameters.power = model.parameters.power = 3.3;
    }
    shepard_field_free(model.field);
    shepard_points_free(model.points);
}

/* Some systems in double, some in long double; all points, too. */
static void make_kriging(struct trial *trial, struct model_options *options)
{
    free(trial->scene.weights);
    trial->scene.weights = NULL;
    options->parameters.method = SHEPARD_METHOD_KRIGE;
    options->parameters.kriging =
        (struct shepard_kriging){.covariance = SHEPARD_COVARIANCE_GAUSSIAN,
                                 .psill = 1,
                                 .nugget = 0,
                                 .range = trial->scene.size / 8,
                                 .mean = NAN,
                                 .p = NAN};
}

static void try_failures(const struct shepard_backend_info *on, uint64_t seed, bool once)
{
    struct chance chance = {seed};
    const bool kriging = seed % 4 == 1;
    /* All points in one system cost much. */
    const size_t n = kriging ? 64 : 200;
    struct trial trial =
        trial_make((enum scene_kind)(seed % SCENE_KINDS), (int)(seed % TRIAL_HOODS),
                   (int)(seed % TRIAL_POWERS), n, 64, &chance);
    struct meter meter = {.once = once, .tried_again = once && on->backend == SHEPARD_BACKEND_CUDA};
    const struct shepard_allocator allocator = {meter_allocate, meter_release, &meter};
    struct model_options options = trial.options;
    options.points.backend = on->backend;
    options.points.allocator = &allocator;
    options.points.memory_limit = seed % 5 == 0 ? 0 : SIZE_MAX;
    if (kriging)
        make_kriging(&trial, &options);
    if (seed % 3 == 0)
        scene_make_gaps(&trial.scene, trial.scene.columns - 1, &chance);
    use_with_less(&trial, &options, &meter);
    check(atomic_load(&meter.blocks) == 0 && atomic_load(&meter.bytes) == 0,
          "%ld blocks left after a model's end", atomic_load(&meter.blocks));
    trial_free(&trial);
}

/* Bytes a point: of points; of points and a field with one column, with what predictions keep in
 * it, where sums are exact and where they have a tolerance; of each further column, weights, and
 * each set of gaps. */
#define BYTES_POINTS 40
#define BYTES_EXACT 64
#define BYTES_TOLERANCE 160
#define BYTES_COLUMN 12
#define BYTES_WEIGHTS 16
#define BYTES_GAPS 40
/* Besides, of any number of points. */
#define BYTES_MORE 8192

/* What the allocator gave is below the limit, and what the library says. */
static double check_bytes(const struct meter *meter, double limit, size_t said, const char *what)
{
    const double held = (double)atomic_load(&meter->bytes);
    check(held <= limit + BYTES_MORE, "%s: %g bytes held, %g allowed", what, held, limit);
    check(fabs((double)said - held) <= 0.01 * held + BYTES_MORE, "%s: info says %zu bytes, not %g",
          what, said, held);
    return held;
}

static void try_size(const struct shepard_backend_info *on, struct scene *scene, size_t gap_sets,
                     double eps)
{
    struct meter meter = {0};
    const struct shepard_allocator allocator = {meter_allocate, meter_release, &meter};
    struct shepard_array columns[SCENE_COLUMNS_MAX];
    const struct shepard_values values = scene_values(scene, columns);
    struct model_options options = options_for(on->backend);
    options.points.allocator = &allocator;
    options.parameters.precision = SHEPARD_PRECISION_SINGLE;
    options.parameters.eps = eps;
    meter_set(&meter, PLENTY);
    struct model model = {.points = points_make(scene, &options.points),
                          .parameters = options.parameters};
    const double n = (double)scene->n, column = BYTES_COLUMN * (double)scene->columns;
    const double weights = scene->weights != NULL ? BYTES_WEIGHTS : 0;
    /* What is kept for searches together: columns in whole eights and scaled ones in whole
     * sixteens, of which BYTES_GAPS has one eight, a bit for each, weights. */
    const double together = gap_sets > 0 ? 16 * ceil((double)scene->columns / 16) * 8 + 8 + 8 : 0;
    const double gaps = BYTES_GAPS * (double)gap_sets + together;
    check_measure("bytes a point of points",
                  check_bytes(&meter, n * BYTES_POINTS, model_points_info(&model).bytes, "points") /
                      n);
    check(shepard_field_create(model.points, &values, &model.field, NULL) == SHEPARD_OK, "field");
    check_bytes(&meter, n * (BYTES_POINTS + column + weights + gaps), held_by(&model), "field");
    check(model_prepare(&model, NULL, NULL) == SHEPARD_OK, "prepare");
    const double limit = (eps > 0 ? BYTES_TOLERANCE : BYTES_EXACT) + column - BYTES_COLUMN;
    const double held =
        check_bytes(&meter, n * (limit + weights + gaps), held_by(&model), "prepared");
    if (scene->columns == 1 && scene->weights == NULL)
        check_measure(eps > 0 ? "bytes a point of a model with one column, sums with a tolerance"
                              : "bytes a point of a model with one column",
                      held / n);
    shepard_field_free(model.field);
    shepard_points_free(model.points);
    check(atomic_load(&meter.blocks) == 0, "%ld blocks left", atomic_load(&meter.blocks));
}

static void try_sizes(const struct shepard_backend_info *on, struct chance *chance)
{
    struct scene one = scene_make(SCENE_CLUSTERED, 100000, 1, false, chance);
    struct scene three = scene_make(SCENE_CLUSTERED, 100000, 3, true, chance);
    try_size(on, &one, 0, 0);
    try_size(on, &three, 0, 0);
    try_size(on, &one, 0, 1e-5);
    scene_make_gaps(&three, 0, chance);
    try_size(on, &three, three.columns, 0);
    scene_free(&three);
    scene_free(&one);
}

void suite_memory(const struct suite *suite)
{
    struct chance chance = {suite->seed + 8000000};
    for (size_t b = 0; b < suite->count; b++) {
        const struct shepard_backend_info *on = &suite->backends[b];
        for (uint64_t seed = suite->seed; seed < suite->seed + 40; seed++) {
            check_case("seed %llu %s: failing allocations", (unsigned long long)seed, on->name);
            try_failures(on, seed, false);
            try_failures(on, seed, true);
        }
        check_case("seed %llu %s: size of a model", (unsigned long long)suite->seed, on->name);
        try_sizes(on, &chance);
    }
}
