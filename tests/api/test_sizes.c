/* SPDX-License-Identifier: MIT */
/* test_sizes [SEED]: structs of programs that were compiled with another version of the header.
 * One that is cut short says what a complete one with defaults in the missing members says; one
 * that is longer says what it says up to there, if all beyond is 0; nothing is written beyond the
 * end of a struct. */
#include "check.h"

#include "base/random.h"
#include "shepard/shepard_tune.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POINTS 200
#define TARGETS 30
#define K 3
/* Bytes that a struct may be longer than this version's. */
#define BEYOND 24

/* ---- one program ----------------------------------------------------------------------------- */

/* Room for a struct of any size, and what must not be touched. */
union block {
    struct shepard_parameters aligned;
    unsigned char bytes[1024];
};

#define UNTOUCHED 0xA5

/* Every struct that a program fills. */
enum kind {
    COORDINATES,
    OPTIONS,
    EXPECTED,
    VALUES,
    PARAMETERS,
    TARGETS_OF,
    OUTPUT,
    CONTROL,
    FOUND,
    COVARIATES,
    TREND,
    VALIDATION,
    VALIDATED,
    TUNING,
    KINDS
};

static const struct {
    const char *argument;
    size_t size;
} kinds[KINDS] = {
    {"coordinates", sizeof(struct shepard_coordinates)},
    {"options", sizeof(struct shepard_points_options)},
    {"parameters", sizeof(struct shepard_parameters)},
    {"values", sizeof(struct shepard_values)},
    {"parameters", sizeof(struct shepard_parameters)},
    {"targets", sizeof(struct shepard_targets)},
    {"output", sizeof(struct shepard_output)},
    {"control", sizeof(struct shepard_control)},
    {"output", sizeof(struct shepard_nearest_output)},
    {"covariates", sizeof(struct shepard_covariates)},
    {"trend", sizeof(struct shepard_trend)},
    {"validation", sizeof(struct shepard_validation)},
    {"result", sizeof(struct shepard_validation_result)},
    {"tuning", sizeof(struct shepard_tuning)},
};

struct program {
    double x[POINTS], y[POINTS], z[POINTS], weights[POINTS], c[POINTS];
    double at_x[TARGETS], at_y[TARGETS];
    struct shepard_array column, covariate;
    const char *name;
    const void *given[KINDS];
};

/* What a program sees. */
struct outcome {
    enum shepard_status status; /* of the first call that fails */
    struct shepard_error error;
    double values[TARGETS], effective[TARGETS], distances[TARGETS * K];
    double coefficient, rest[POINTS], held_out[POINTS], sds[POINTS];
    size_t used, trials;
    int reports, told;
    char choice[200];
};

static struct outcome seen;
static struct shepard_output_array seen_values = {seen.values, SHEPARD_FLOAT64, 0};
static struct shepard_output_array seen_rest = {seen.rest, SHEPARD_FLOAT64, 0};

static bool count_reports(double fraction, void *user)
{
    seen.reports += fraction >= 0 && user == &seen;
    return true;
}

static bool count_trials(const struct shepard_trial *trial, void *user)
{
    seen.told += trial->status == SHEPARD_OK && user == &seen;
    return true;
}

/* The result is given as far as its size goes: scores are written behind what is read. */
static enum shepard_status validate(const void *const *given, struct shepard_holdout *holdout)
{
    union block result;
    const size_t least = 2 * sizeof(size_t);
    size_t size;
    memcpy(&size, given[VALIDATED], sizeof size);
    memcpy(result.bytes, given[VALIDATED],
           size > least && size <= sizeof result.bytes ? size : least);
    return shepard_holdout_validate(holdout, given[PARAMETERS], given[OPTIONS],
                                    (struct shepard_validation_result *)result.bytes,
                                    given[CONTROL], &seen.error);
}

static enum shepard_status tune(const void *const *given, struct shepard_holdout *holdout)
{
    struct shepard_tuning_result result = {.size = sizeof result};
    const enum shepard_status status =
        shepard_tune(holdout, given[TUNING], &result, NULL, &seen.error);
    seen.trials = result.trials;
    snprintf(seen.choice, sizeof seen.choice, "%.199s", result.text);
    return status;
}

static enum shepard_status run_holdout(const void *const *given)
{
    struct shepard_holdout *holdout = NULL;
    enum shepard_status status =
        shepard_holdout_create(given[COORDINATES], given[VALUES], given[OPTIONS], given[VALIDATION],
                               NULL, &holdout, &seen.error);
    if (status == SHEPARD_OK)
        status = validate(given, holdout);
    if (status == SHEPARD_OK)
        status = tune(given, holdout);
    shepard_holdout_free(holdout);
    return status;
}

static enum shepard_status run_calls(const struct program *program, struct shepard_points **points,
                                     struct shepard_field **field)
{
    const void *const *given = program->given;
    enum shepard_status status =
        shepard_points_create(given[COORDINATES], given[OPTIONS], points, &seen.error);
    if (status == SHEPARD_OK)
        status = shepard_field_create(*points, given[VALUES], field, &seen.error);
    if (status == SHEPARD_OK)
        status =
            shepard_prepare(*field, given[PARAMETERS], given[OUTPUT], given[CONTROL], &seen.error);
    if (status == SHEPARD_OK)
        status = shepard_predict(*field, given[PARAMETERS], given[TARGETS_OF], given[OUTPUT],
                                 given[CONTROL], &seen.error);
    if (status == SHEPARD_OK)
        status = shepard_nearest(*points, given[TARGETS_OF], K, given[FOUND], given[CONTROL],
                                 &seen.error);
    if (status == SHEPARD_OK)
        status = shepard_trend_fit(*points, given[VALUES], given[COVARIATES], given[PARAMETERS],
                                   given[TREND], given[CONTROL], &seen.error);
    if (status == SHEPARD_OK)
        status = run_holdout(given);
    return status;
}

static struct outcome run(const struct program *program)
{
    struct shepard_points *points = NULL;
    struct shepard_field *field = NULL;
    memset(&seen, 0, sizeof seen);
    seen.status = run_calls(program, &points, &field);
    shepard_field_free(field);
    shepard_points_free(points);
    return seen;
}

/* ---- structs of other versions --------------------------------------------------------------- */

static void set_size(union block *block, size_t size)
{
    memcpy(block->bytes, &size, sizeof size);
}

/* The first bytes of a struct, then what no call may read. */
static void cut(const void *whole, size_t size, union block *block)
{
    memset(block->bytes, UNTOUCHED, sizeof block->bytes);
    memcpy(block->bytes, whole, size);
    set_size(block, size);
}

/* The same bytes of a complete struct, then defaults. */
static void complete(enum kind kind, const void *whole, size_t size, union block *block)
{
    memset(block->bytes, 0, sizeof block->bytes);
    if (kind == OPTIONS)
        shepard_points_options_init((struct shepard_points_options *)block->bytes);
    if (kind == PARAMETERS || kind == EXPECTED)
        shepard_parameters_init((struct shepard_parameters *)block->bytes);
    if (kind == VALIDATION)
        shepard_validation_init((struct shepard_validation *)block->bytes);
    if (kind == TUNING)
        shepard_tuning_init((struct shepard_tuning *)block->bytes);
    memcpy(block->bytes, whole, size);
    set_size(block, kinds[kind].size);
}

static struct outcome run_with(const struct program *program, enum kind kind,
                               const union block *block)
{
    struct program other = *program;
    struct shepard_points_options options;
    if (kind == EXPECTED) {
        memcpy(&options, program->given[OPTIONS], sizeof options);
        options.expected_parameters = &block->aligned;
        other.given[OPTIONS] = &options;
    } else {
        other.given[kind] = block->bytes;
    }
    return run(&other);
}

static void check_cuts(const struct program *program, enum kind kind)
{
    union block shorter, whole;
    for (size_t size = 2 * sizeof(size_t); size <= kinds[kind].size; size += sizeof(size_t)) {
        cut(program->given[kind], size, &shorter);
        complete(kind, program->given[kind], size, &whole);
        const struct outcome want = run_with(program, kind, &whole);
        const struct outcome got = run_with(program, kind, &shorter);
        check(memcmp(&got, &want, sizeof got) == 0, "%s of %zu bytes: status %d '%s', not %d '%s'",
              kinds[kind].argument, size, got.status, got.error.message, want.status,
              want.error.message);
    }
}

static void check_refused(const struct program *program, enum kind kind, const union block *block,
                          const char *text)
{
    const struct outcome got = run_with(program, kind, block);
    char name[64];
    snprintf(name, sizeof name, "%s.size", kinds[kind].argument);
    check(got.status == SHEPARD_ERROR_ARGUMENT && strstr(got.error.message, name) != NULL &&
              strstr(got.error.message, text) != NULL,
          "%s: status %d, '%s'", name, got.status, got.error.message);
    check(strcmp(got.error.argument, kind == EXPECTED ? "options.expected_parameters" : name) == 0,
          "argument %s", got.error.argument);
}

static void check_longer(const struct program *program, enum kind kind)
{
    const size_t own = kinds[kind].size;
    const struct outcome want = run(program);
    union block block;
    for (size_t more = sizeof(size_t); more <= BEYOND; more += sizeof(size_t)) {
        complete(kind, program->given[kind], own, &block);
        set_size(&block, own + more);
        const struct outcome got = run_with(program, kind, &block);
        check(memcmp(&got, &want, sizeof got) == 0, "%s with %zu bytes of 0 more: '%s'",
              kinds[kind].argument, more, got.error.message);
        block.bytes[own + more - 1] = 1;
        check_refused(program, kind, &block, "is not 0");
    }
}

/* Numbers that are the size of no version. */
static void check_no_sizes(const struct program *program, enum kind kind)
{
    static const size_t sizes[] = {0, 1, sizeof(void *), 2 * sizeof(size_t) + 1, 1 << 20, SIZE_MAX};
    union block block;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        complete(kind, program->given[kind], kinds[kind].size, &block);
        set_size(&block, sizes[i]);
        check_refused(program, kind, &block, "set it to sizeof(struct shepard_");
    }
}

static void check_structs(struct shepard_random *random)
{
    static struct program program;
    for (int i = 0; i < POINTS; i++) {
        program.x[i] = shepard_random_uniform(random);
        program.y[i] = shepard_random_uniform(random);
        program.z[i] = shepard_random_uniform(random);
        program.weights[i] = 0.5 + shepard_random_uniform(random);
        program.c[i] = shepard_random_uniform(random);
    }
    for (int i = 0; i < TARGETS; i++) {
        program.at_x[i] = shepard_random_uniform(random);
        program.at_y[i] = shepard_random_uniform(random);
    }
    program.column = shepard_doubles(program.z);
    program.covariate = shepard_doubles(program.c);
    program.name = "c";
    const struct shepard_coordinates coordinates = {.size = sizeof coordinates,
                                                    .count = POINTS,
                                                    .x = shepard_doubles(program.x),
                                                    .y = shepard_doubles(program.y)};
    const struct shepard_values values = {.size = sizeof values,
                                          .column_count = 1,
                                          .columns = &program.column,
                                          .weights = shepard_doubles(program.weights)};
    const struct shepard_targets targets = {.size = sizeof targets,
                                            .count = TARGETS,
                                            .x = shepard_doubles(program.at_x),
                                            .y = shepard_doubles(program.at_y)};
    const struct shepard_output output = {.size = sizeof output,
                                          .values = &seen_values,
                                          .effective = shepard_output_doubles(seen.effective)};
    const struct shepard_nearest_output found = {
        .size = sizeof found, .distances = shepard_output_doubles(seen.distances)};
    const struct shepard_covariates covariates = {.size = sizeof covariates,
                                                  .count = 1,
                                                  .columns = &program.covariate,
                                                  .names = &program.name};
    const struct shepard_trend trend = {.size = sizeof trend,
                                        .coefficients = &seen.coefficient,
                                        .used = &seen.used,
                                        .residuals = &seen_rest};
    const struct shepard_control control = {
        .size = sizeof control, .progress = count_reports, .user = &seen};
    static const char *const candidates[] = {"idw:k=5", "idw:k=8:power=3"};
    const struct shepard_validation_result validated = {
        .size = sizeof validated, .values = seen.held_out, .sds = seen.sds};
    struct shepard_validation validation;
    struct shepard_tuning tuning;
    shepard_validation_init(&validation);
    validation.kind = SHEPARD_VALIDATION_BLOCKS;
    validation.folds = 4;
    validation.block_size = 0.2;
    validation.seed = 7;
    shepard_tuning_init(&tuning);
    tuning.seconds = 1000;
    tuning.candidates = candidates;
    tuning.candidate_count = 2;
    tuning.power_min = 2;
    tuning.trial = count_trials;
    tuning.user = &seen;
    struct shepard_points_options options;
    struct shepard_parameters parameters;
    shepard_points_options_init(&options);
    options.anisotropy_ratio = 3;
    options.anisotropy_angle = 20;
    options.backend = SHEPARD_BACKEND_CPU;
    options.threads = 1;
    options.expected_parameters = &parameters;
    shepard_parameters_init(&parameters);
    parameters.power = 3;
    parameters.smoothing = 0.01;
    parameters.degree = 1;
    parameters.ridge = 0.5;
    parameters.neighbourhood.max_points = 9;
    parameters.neighbourhood.sectors = 4;
    parameters.neighbourhood.max_points_per_sector = 2;
    parameters.precision = SHEPARD_PRECISION_DOUBLE;
    const void *const given[KINDS] = {&coordinates, &options,    &parameters, &values, &parameters,
                                      &targets,     &output,     &control,    &found,  &covariates,
                                      &trend,       &validation, &validated,  &tuning};
    memcpy(program.given, given, sizeof given);
    const struct outcome whole = run(&program);
    check(whole.status == SHEPARD_OK && whole.reports > 0 && whole.told == 2, "status %d: %s",
          whole.status, whole.error.message);
    for (int kind = 0; kind < KINDS; kind++) {
        check_case("%s, struct %d", kinds[kind].argument, kind);
        check_cuts(&program, (enum kind)kind);
        check_longer(&program, (enum kind)kind);
        check_no_sizes(&program, (enum kind)kind);
    }
}

/* ---- structs that the library fills ---------------------------------------------------------- */

static struct shepard_points *some_points;
static struct shepard_field *some_field;
static struct shepard_holdout *some_holdout;

static void fill_options(void *to, size_t size)
{
    shepard_points_options_init_sized(to, size);
}

static void fill_parameters(void *to, size_t size)
{
    shepard_parameters_init_sized(to, size);
}

/* The bytes between the end of a member and the next one may hold anything. */
static void clear_between(void *to, size_t size, size_t end, size_t next)
{
    if (size >= next)
        memset((char *)to + end, 0, next - end);
}

/* Half of the eight bytes before a member that follows an enum or int. */
static void clear_padding(void *to, size_t size, size_t next)
{
    clear_between(to, size, next - sizeof(int), next);
}

static void parse_parameters(void *to, size_t size)
{
    const enum shepard_status status =
        shepard_parameters_parse_sized("idw:k=7:power=4:nodata=-1", to, size, NULL, NULL);
    check(status == SHEPARD_OK, "parsing into %zu bytes: status %d", size, status);
    clear_padding(to, size, offsetof(struct shepard_parameters, power));
    clear_padding(to, size, offsetof(struct shepard_parameters, ridge));
    clear_padding(to, size,
                  offsetof(struct shepard_parameters, neighbourhood.max_points_per_sector));
    clear_padding(to, size, offsetof(struct shepard_parameters, eps));
    clear_padding(to, size, offsetof(struct shepard_parameters, nodata));
    clear_padding(to, size, offsetof(struct shepard_parameters, kriging.mean));
    clear_padding(to, size, offsetof(struct shepard_parameters, kriging.psill));
    clear_padding(to, size, sizeof(struct shepard_parameters));
}

static void fill_backend(void *to, size_t size)
{
    check(shepard_backend_get_info_sized(1, to, size), "the second backend");
}

static void fill_cuda(void *to, size_t size)
{
    shepard_cuda_get_info_sized(to, size);
}

static void fill_points(void *to, size_t size)
{
    memcpy(to, &size, sizeof size);
    shepard_points_get_info(some_points, to);
}

static void fill_field(void *to, size_t size)
{
    memcpy(to, &size, sizeof size);
    shepard_field_get_info(some_field, to);
}

static void fill_validation(void *to, size_t size)
{
    shepard_validation_init_sized(to, size);
    clear_padding(to, size, offsetof(struct shepard_validation, samples));
}

static void fill_holdout(void *to, size_t size)
{
    memcpy(to, &size, sizeof size);
    shepard_holdout_get_info(some_holdout, to);
    clear_padding(to, size, offsetof(struct shepard_holdout_info, folds));
    clear_between(to, size, offsetof(struct shepard_holdout_info, representative) + sizeof(bool),
                  offsetof(struct shepard_holdout_info, notice));
}

static void fill_scores(void *to, size_t size)
{
    const double observed = 1, predicted = 3, sd = 1;
    shepard_scores_compute_sized(&observed, &predicted, &sd, 1, to, size);
}

/* A result begins with its size, and is written as far as that goes. */
static void fill_result(void *to, size_t size)
{
    struct shepard_parameters parameters;
    shepard_parameters_init(&parameters);
    memset(to, 0, size);
    memcpy(to, &size, sizeof size);
    if (size >= 2 * sizeof(size_t))
        check(shepard_holdout_validate(some_holdout, &parameters, NULL, to, NULL, NULL) ==
                  SHEPARD_OK,
              "a result of %zu bytes", size);
}

static void fill_tuning(void *to, size_t size)
{
    shepard_tuning_init_sized(to, size);
}

static void fill_tuned(void *to, size_t size)
{
    static const char *const candidates[] = {"idw"};
    struct shepard_tuning tuning;
    shepard_tuning_init(&tuning);
    tuning.candidates = candidates;
    tuning.candidate_count = 1;
    memset(to, 0, size);
    memcpy(to, &size, sizeof size);
    if (size >= 2 * sizeof(size_t))
        check(shepard_tune(some_holdout, &tuning, to, NULL, NULL) == SHEPARD_OK,
              "a choice of %zu bytes", size);
    clear_between(to, size, offsetof(struct shepard_tuning_result, complete) + sizeof(bool),
                  offsetof(struct shepard_tuning_result, honest_rmse));
}

static void fill_fit(void *to, size_t size)
{
    static const double x[] = {0, 1, 2}, y[] = {0, 2, 1};
    const struct shepard_array column = shepard_doubles(y);
    const struct shepard_coordinates coordinates = {
        .size = sizeof coordinates, .count = 3, .x = shepard_doubles(x), .y = shepard_doubles(y)};
    const struct shepard_values values = {
        .size = sizeof values, .column_count = 1, .columns = &column};
    const struct shepard_fit_data data = {
        .size = sizeof data, .coordinates = &coordinates, .values = &values};
    struct shepard_parameters parameters;
    struct shepard_points_options options;
    shepard_points_options_init(&options);
    shepard_parameters_init(&parameters);
    parameters.method = SHEPARD_METHOD_KRIGE;
    memcpy(to, &size, sizeof size);
    check(shepard_fit(&data, &parameters, &options, to, NULL, NULL) == SHEPARD_OK, "a fit");
    if (size >= sizeof(struct shepard_fit_info))
        ((struct shepard_fit_info *)to)->seconds = 0;
    clear_between(to, size, offsetof(struct shepard_fit_info, anisotropic) + sizeof(bool),
                  offsetof(struct shepard_fit_info, points));
}

static void fill_sd_model(void *to, size_t size)
{
    static const double some[] = {1, 2, 3};
    const struct shepard_sd_residuals residuals = {.size = sizeof residuals,
                                                   .count = 3,
                                                   .residuals = shepard_doubles(some),
                                                   .nearest = shepard_doubles(some),
                                                   .deviation = shepard_doubles(some)};
    check(shepard_sd_model_fit_sized(&residuals, to, size, NULL) == SHEPARD_OK, "a fit");
}

/* sized: the struct begins with its size. zeroed: what it has more than this version's is set. */
static void check_filled(const char *name, void fill(void *to, size_t size), size_t own, bool sized,
                         bool zeroed)
{
    union block whole, block;
    check_case("%s", name);
    memset(whole.bytes, 0, sizeof whole.bytes);
    fill(whole.bytes, own);
    for (size_t size = sizeof(size_t); size <= own + BEYOND; size += sizeof(size_t)) {
        memset(block.bytes, UNTOUCHED, sizeof block.bytes);
        fill(block.bytes, size);
        size_t i = sized ? sizeof size : 0, end = size < own || zeroed ? size : own;
        while (i < end && block.bytes[i] == whole.bytes[i])
            i++;
        check(i == end, "byte %zu of %zu is %d", i, size, block.bytes[i]);
        while (i < sizeof block.bytes && block.bytes[i] == UNTOUCHED)
            i++;
        check(i == sizeof block.bytes, "byte %zu beyond %zu was written", i, size);
        check(!sized || memcmp(block.bytes, &size, sizeof size) == 0, "the size of %zu bytes",
              size);
    }
}

static bool make_some(void)
{
    static const double x[] = {0, 1, 2}, y[] = {0, 2, 1};
    const struct shepard_array column = shepard_doubles(y);
    const struct shepard_coordinates coordinates = {
        .size = sizeof coordinates, .count = 3, .x = shepard_doubles(x), .y = shepard_doubles(y)};
    const struct shepard_values values = {
        .size = sizeof values, .column_count = 1, .columns = &column};
    struct shepard_points_options options;
    shepard_points_options_init(&options);
    options.backend = SHEPARD_BACKEND_REF;
    struct shepard_validation validation;
    shepard_validation_init(&validation);
    return shepard_holdout_create(&coordinates, &values, &options, &validation, NULL, &some_holdout,
                                  NULL) == SHEPARD_OK &&
           shepard_points_create(&coordinates, &options, &some_points, NULL) == SHEPARD_OK &&
           shepard_field_create(some_points, &values, &some_field, NULL) == SHEPARD_OK;
}

static void check_fills(void)
{
    if (!check(make_some(), "points and a field"))
        return;
    check_filled("options", fill_options, sizeof(struct shepard_points_options), true, true);
    check_filled("parameters", fill_parameters, sizeof(struct shepard_parameters), true, true);
    check_filled("parsing", parse_parameters, sizeof(struct shepard_parameters), true, true);
    check_filled("a backend", fill_backend, sizeof(struct shepard_backend_info), false, true);
    check_filled("CUDA", fill_cuda, sizeof(struct shepard_cuda_info), false, true);
    check_filled("points", fill_points, sizeof(struct shepard_points_info), true, false);
    check_filled("a field", fill_field, sizeof(struct shepard_field_info), true, false);
    check_filled("a model of sd", fill_sd_model, sizeof(struct shepard_sd_model), true, true);
    check_filled("a validation", fill_validation, sizeof(struct shepard_validation), true, true);
    check_filled("a holdout", fill_holdout, sizeof(struct shepard_holdout_info), true, false);
    check_filled("scores", fill_scores, sizeof(struct shepard_scores), false, true);
    check_filled("a result", fill_result, sizeof(struct shepard_validation_result), true, true);
    check_filled("a tuning", fill_tuning, sizeof(struct shepard_tuning), true, true);
    check_filled("a choice", fill_tuned, sizeof(struct shepard_tuning_result), true, true);
    shepard_holdout_free(some_holdout);
    check_filled("a fit", fill_fit, sizeof(struct shepard_fit_info), true, true);
    shepard_field_free(some_field);
    shepard_points_free(some_points);
}

/* Parameters of another version as text. */
static void check_print(void)
{
    struct shepard_parameters parameters;
    union block block;
    char want[500], got[500];
    check_case("printing");
    shepard_parameters_init(&parameters);
    parameters.power = 3;
    shepard_parameters_print(&parameters, NULL, NULL, want, sizeof want);
    cut(&parameters, offsetof(struct shepard_parameters, smoothing), &block);
    shepard_parameters_print(&block.aligned, NULL, NULL, got, sizeof got);
    check(strcmp(got, want) == 0, "'%s', not '%s'", got, want);
    set_size(&block, sizeof(void *));
    check(shepard_parameters_print(&block.aligned, NULL, NULL, got, sizeof got) == 0 &&
              got[0] == '\0',
          "'%s' of a wrong size", got);
}

int main(int count, char **words)
{
    const uint64_t seed = count > 1 ? strtoull(words[1], NULL, 10) : 20261123;
    struct shepard_random random = {seed};
    printf("seed %llu\n", (unsigned long long)seed);
    check_structs(&random);
    check_fills();
    check_print();
    return check_finish("sizes");
}
