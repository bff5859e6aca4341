/* SPDX-License-Identifier: MIT */
/* Fields with missing values. A column has the bits of a field without the others; what it predicts
 * is what the points that it has a value at predict alone. */
#include "check.h"
#include "compare.h"
#include "suite.h"

#include <string.h>

#define PLACES 12

/* A trial with gaps, and what is known of them. */
struct sparse {
    struct trial trial;
    size_t set_of[SCENE_COLUMNS_MAX]; /* the first column that has values at the same points */
    size_t sets;
};

/* ---- gaps ------------------------------------------------------------------------------------ */

static bool is_usable(const struct scene *scene, size_t column, size_t i)
{
    const double weight = scene->weights != NULL ? scene->weights[i] : 1;
    return isfinite(scene->x[i]) && isfinite(scene->y[i]) && isfinite(weight) && weight > 0 &&
           isfinite(scene->values[column][i]);
}

static size_t usable_count(const struct scene *scene, size_t column)
{
    size_t count = 0;
    for (size_t i = 0; i < scene->n; i++)
        count += is_usable(scene, column, i);
    return count;
}

/* Some of the numbers become those of `bad`, but for number `kept`. */
static void spoil(double *numbers, size_t n, double share, size_t kept, const double bad[3],
                  struct chance *chance)
{
    for (size_t i = 0; i < n; i++)
        if (chance_unit(chance) < share && i != kept)
            numbers[i] = bad[chance_below(chance, 3)];
}

/* Gaps of a column: none, those of the column before, some of its own; few: nearly all. */
static void make_gaps(struct scene *scene, size_t column, bool few, size_t kept,
                      struct chance *chance)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    const size_t kind = chance_below(chance, 6);
    double *z = scene->values[column];
    if (kind < 2 && column > 0) {
        for (size_t i = 0; i < scene->n; i++)
            z[i] = isfinite(scene->values[column - 1][i]) ? z[i] : NAN;
        return;
    }
    if (kind > 0)
        spoil(z, scene->n, kind == 5 && few ? 0.97 : 0.3, kept, bad, chance);
}

static bool same_points(const struct scene *scene, size_t a, size_t b)
{
    for (size_t i = 0; i < scene->n; i++)
        if (is_usable(scene, a, i) != is_usable(scene, b, i))
            return false;
    return true;
}

static void find_sets(struct sparse *sparse)
{
    const struct scene *scene = &sparse->trial.scene;
    for (size_t c = 0; c < scene->columns; c++) {
        size_t first = 0;
        while (!same_points(scene, first, c))
            first++;
        sparse->set_of[c] = first;
        sparse->sets += first == c;
    }
}

static struct sparse sparse_make(enum scene_kind kind, int hood, uint64_t seed)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY}, bad_weights[] = {0, NAN, INFINITY};
    struct chance chance = {seed};
    struct sparse sparse = {.trial = trial_make(kind, hood, (int)(seed % TRIAL_POWERS),
                                                30 + chance_below(&chance, 70), PLACES, &chance)};
    struct scene *scene = &sparse.trial.scene;
    const struct shepard_parameters *parameters = &sparse.trial.options.parameters;
    /* A few points may have no area. */
    const bool few = parameters->method == SHEPARD_METHOD_IDW || parameters->adaptive.area > 0;
    const size_t kept = chance_below(&chance, scene->n);
    for (size_t c = 0; c < scene->columns; c++)
        make_gaps(scene, c, few, kept, &chance);
    if (scene->weights != NULL)
        spoil(scene->weights, scene->n, 0.1, kept, bad_weights, &chance);
    if (chance_below(&chance, 3) == 0)
        spoil(chance_below(&chance, 2) ? scene->x : scene->y, scene->n, 0.1, kept, bad, &chance);
    find_sets(&sparse);
    return sparse;
}

/* The columns of a set, at all points; not to be freed. */
static struct scene set_scene(const struct sparse *sparse, size_t first)
{
    const struct scene *scene = &sparse->trial.scene;
    struct scene set = *scene;
    set.columns = 0;
    for (size_t c = 0; c < scene->columns; c++)
        if (sparse->set_of[c] == first)
            set.values[set.columns++] = scene->values[c];
    return set;
}

/* ---- bits ------------------------------------------------------------------------------------ */

static bool same(const double *a, const double *b, size_t m)
{
    return memcmp(a, b, m * sizeof *a) == 0;
}

/* The columns of a set have the bits of a field of this set; what there is once, of column 0's. */
static void check_set(const struct sparse *sparse, size_t first, const struct results *whole,
                      const struct results *set)
{
    const size_t m = whole->m;
    size_t k = 0;
    for (size_t c = 0; c < whole->columns; c++)
        if (sparse->set_of[c] == first) {
            check(same(whole->values[c], set->values[k], m) &&
                      same(whole->deviations[c], set->deviations[k], m),
                  "column %zu has other bits without the columns with other gaps", c);
            k++;
        }
    for (int a = 0; a < RESULT_SINGLES && first == 0; a++)
        check(same(whole->single[a], set->single[a], m),
              "what there is once has other bits than that of column 0 alone");
}

/* Where nothing but values is asked for. */
static struct results values_of(const struct scene *scene, const struct model_options *options,
                                const struct places *places)
{
    struct results results = results_make(places->m, scene->columns);
    struct model *model = model_make(scene, options);
    const struct shepard_targets targets = places_targets(places);
    const struct shepard_output output = {.size = sizeof output, .values = results.to_values};
    struct shepard_error error = {0};
    check(model_predict(model, &targets, &output, NULL, &error) == SHEPARD_OK, "no values: %s",
          error.message);
    model_free(model);
    return results;
}

/* Which of several points at one place a neighbourhood takes goes by all columns of a set. */
static bool ties_go_by_values(const struct trial *trial)
{
    const bool repeated =
        trial->scene.kind == SCENE_DUPLICATES || trial->scene.kind == SCENE_COLLINEAR;
    return repeated && trial->hood != 0;
}

/* Sums over all points of several columns may round otherwise than those of one: compilers choose
 * where products and sums are fused. Within the promises of both. */
static bool rounds_alike(const struct trial *trial, size_t column, const double *a, const double *b,
                         size_t m)
{
    const double *z = trial->scene.values[column];
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < trial->scene.n; i++) {
        low = isfinite(z[i]) ? fmin(low, z[i]) : low;
        high = isfinite(z[i]) ? fmax(high, z[i]) : high;
    }
    const double most =
        (2 * trial_eps(trial) + 4e-6) * (high - low) + 1e-15 * fmax(fabs(low), fabs(high));
    for (size_t i = 0; i < m; i++)
        if (!(fabs(a[i] - b[i]) <= most) && !(isnan(a[i]) && isnan(b[i])))
            return false;
    return true;
}

/* Values of each column against a field with this column alone. */
static void check_columns(const struct sparse *sparse, const struct model_options *options)
{
    const struct trial *trial = &sparse->trial;
    struct results whole = values_of(&trial->scene, options, &trial->places);
    for (size_t c = 0; c < whole.columns; c++) {
        struct scene alone = trial->scene;
        alone.columns = 1;
        alone.values[0] = trial->scene.values[c];
        const bool shared = set_scene(sparse, sparse->set_of[c]).columns > 1;
        if (shared && (ties_go_by_values(trial) ||
                       (trial->hood == 0 && trial->options.parameters.degree == 1)))
            continue;
        struct results got = values_of(&alone, options, &trial->places);
        check(same(whole.values[c], got.values[0], whole.m) ||
                  (shared && trial->hood == 0 &&
                   rounds_alike(trial, c, whole.values[c], got.values[0], whole.m)),
              "column %zu differs alone", c);
        results_free(&got);
    }
    results_free(&whole);
}

/* ---- reference ------------------------------------------------------------------------------- */

static bool is_used(const struct scene *set, size_t i)
{
    return is_usable(set, 0, i);
}

/* A set's results against those of its points alone: by the equations, and by ref. */
static void check_reference(const struct sparse *sparse, size_t first, const struct results *got)
{
    const struct scene set = set_scene(sparse, first);
    struct trial part = sparse->trial;
    part.scene = scene_subset(&set, is_used, NULL);
    struct results slow = compare_slow(&part);
    compare_results(&part, got, &slow);
    part.options.points.backend = SHEPARD_BACKEND_REF;
    struct results by_ref = results_of(&part.scene, &part.options, &part.places);
    compare_results(&part, got, &by_ref);
    results_free(&by_ref);
    results_free(&slow);
    scene_free(&part.scene);
}

static void check_facts(const struct sparse *sparse, const struct model_options *options)
{
    const struct scene *scene = &sparse->trial.scene;
    struct model *model = model_make(scene, options);
    const struct shepard_field_info info = model_field_info(model);
    check(info.searches == sparse->sets && info.column_count == scene->columns,
          "%zu sets of gaps in %zu columns, not %zu in %zu", info.searches, info.column_count,
          sparse->sets, scene->columns);
    size_t placed = 0;
    for (size_t i = 0; i < scene->n; i++)
        placed += isfinite(scene->x[i]) && isfinite(scene->y[i]);
    const struct shepard_points_info points = model_points_info(model);
    check(points.points == placed && points.skipped == scene->n - placed,
          "%zu points and %zu skipped, not %zu", points.points, points.skipped, placed);
    for (size_t c = 0; c < scene->columns; c++)
        check(shepard_field_count(model->field, c) == usable_count(scene, c),
              "column %zu has %zu points, not %zu", c, shepard_field_count(model->field, c),
              usable_count(scene, c));
    model_free(model);
}

static void try_gaps(const struct shepard_backend_info *on, const struct sparse *sparse,
                     uint64_t seed)
{
    const struct trial *trial = &sparse->trial;
    struct model_options options = trial->options;
    options.points.backend = on->backend;
    trial_case(trial, on->name, seed);
    check_facts(sparse, &options);
    struct results whole = results_of(&trial->scene, &options, &trial->places);
    for (size_t first = 0; first < trial->scene.columns; first++) {
        if (sparse->set_of[first] != first)
            continue;
        const struct scene set = set_scene(sparse, first);
        struct results got = results_of(&set, &options, &trial->places);
        check_set(sparse, first, &whole, &got);
        check_reference(sparse, first, &got);
        results_free(&got);
    }
    results_free(&whole);
    check_columns(sparse, &options);
}

/* A column without a usable value is an error, though others have some. */
static void empty_column(const struct shepard_backend_info *on)
{
    double x[] = {1, 4, NAN}, y[] = {-2, 0, 5}, full[] = {1, 2, 3}, weights[] = {1, 0, 1};
    double nothing[] = {NAN, 7, 8}; /* without weight, without a place */
    const struct scene scene = {
        .n = 3, .columns = 2, .x = x, .y = y, .values = {full, nothing}, .weights = weights};
    struct shepard_array columns[SCENE_COLUMNS_MAX];
    const struct shepard_values values = scene_values(&scene, columns);
    const struct model_options options = options_for(on->backend);
    struct shepard_points *points = points_make(&scene, &options.points);
    struct shepard_field *field = NULL;
    struct shepard_error error = {0};
    check_case("%s: a column without values", on->name);
    check(shepard_field_create(points, &values, &field, &error) == SHEPARD_ERROR_NO_POINTS &&
              field == NULL && strcmp(error.argument, "values.columns") == 0,
          "status %d for \"%s\": %s", error.status, error.argument, error.message);
    weights[1] = 2;
    check(shepard_field_create(points, &values, &field, NULL) == SHEPARD_OK, "one usable value");
    shepard_field_free(field);
    shepard_points_free(points);
}

void suite_gaps(const struct suite *suite)
{
    uint64_t seed = suite->seed + 17000000;
    for (int kind = 0; kind < SCENE_KINDS; kind++)
        for (int hood = 0; hood < TRIAL_HOODS + 8; hood++, seed++) {
            if (!suite_takes(suite, seed))
                continue;
            /* All points more often. */
            struct sparse sparse =
                sparse_make((enum scene_kind)kind, hood < TRIAL_HOODS ? hood : 0, seed);
            for (size_t b = 0; b < suite->count; b++)
                try_gaps(&suite->backends[b], &sparse, seed);
            trial_free(&sparse.trial);
        }
    for (size_t b = 0; b < suite->count; b++)
        empty_column(&suite->backends[b]);
}
