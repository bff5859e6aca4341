/* SPDX-License-Identifier: MIT */
#include "problem.h"

#include "api/parameters.h"
#include "base/error.h"

#include <float.h>
#include <math.h>

struct data_box {
    double x_min, x_max, y_min, y_max;
};

/* ---- checks ---------------------------------------------------------------------------------- */

static enum shepard_status missing(const char *argument, struct shepard_error *error)
{
    return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, argument,
                             "%s is NULL: give a valid pointer", argument);
}

static enum shepard_status check_finite(const struct shepard_array *array, size_t count,
                                        const char *argument, struct shepard_error *error)
{
    const double *a = array->data;
    const bool whole = array->stride == 0 || array->stride == (ptrdiff_t)sizeof(double);
    if (a == NULL && count > 0)
        return missing(argument, error);
    if (array->type != SHEPARD_FLOAT64 || !whole)
        return shepard_error_set(
            error, SHEPARD_ERROR_ARGUMENT, argument,
            "%s: the papers' engines take doubles without gaps: copy the array", argument);
    for (size_t i = 0; i < count; i++)
        if (!isfinite(a[i]))
            return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, argument,
                                     "%s[%zu] is %g: the papers' engines take finite numbers only, "
                                     "leave the point out",
                                     argument, i, a[i]);
    return SHEPARD_OK;
}

static enum shepard_status check_counts(const struct shepard_paper_engine *engine,
                                        const struct shepard_paper_job *job,
                                        struct shepard_error *error)
{
    const size_t n = job->coordinates->count, m = job->targets->count;
    const size_t columns = job->values->column_count;
    if (n == 0)
        return shepard_error_set(error, SHEPARD_ERROR_NO_POINTS, "coordinates.count",
                                 "there is no data point: give at least one");
    if (n > SHEPARD_POINTS_MAX || m > SHEPARD_POINTS_MAX)
        return shepard_error_set(error, SHEPARD_ERROR_SIZE,
                                 n > SHEPARD_POINTS_MAX ? "coordinates.count" : "targets.count",
                                 "%zu data points and %zu targets: at most %u of each are taken", n,
                                 m, SHEPARD_POINTS_MAX);
    if (columns == 0 || columns > SHEPARD_PAPER_COLUMNS_MAX)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "values.column_count",
                                 "values.column_count is %zu: the papers' engines take 1 to %d",
                                 columns, SHEPARD_PAPER_COLUMNS_MAX);
    if (engine->plain && columns > 1)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "values.column_count",
                                 "values.column_count is %zu: the plain engines take 1, call once "
                                 "for each column",
                                 columns);
    if (job->values->weights.data != NULL)
        return shepard_error_set(
            error, SHEPARD_ERROR_ARGUMENT, "values.weights",
            "values.weights is given: the papers' engines have none, leave it empty");
    if (job->targets->kind != SHEPARD_TARGETS_LIST)
        return shepard_error_set(
            error, SHEPARD_ERROR_ARGUMENT, "targets.kind",
            "targets.kind is %d: the papers' engines take SHEPARD_TARGETS_LIST",
            (int)job->targets->kind);
    return SHEPARD_OK;
}

static enum shepard_status check_arrays(const struct shepard_paper_job *job,
                                        struct shepard_error *error)
{
    const struct shepard_coordinates *coordinates = job->coordinates;
    const struct shepard_values *values = job->values;
    const struct shepard_targets *targets = job->targets;
    const size_t n = coordinates->count;
    enum shepard_status status = check_finite(&coordinates->x, n, "coordinates.x", error);
    if (status == SHEPARD_OK)
        status = check_finite(&coordinates->y, n, "coordinates.y", error);
    if (status == SHEPARD_OK && values->columns == NULL)
        status = missing("values.columns", error);
    for (size_t c = 0; c < values->column_count && status == SHEPARD_OK; c++)
        status = check_finite(&values->columns[c], n, "values.columns", error);
    if (status == SHEPARD_OK)
        status = check_finite(&targets->x, targets->count, "targets.x", error);
    if (status == SHEPARD_OK)
        status = check_finite(&targets->y, targets->count, "targets.y", error);
    return status;
}

/* Parameters that would change a prediction, and that no paper has. */
static enum shepard_status check_parameters(const struct shepard_paper_engine *engine,
                                            const struct shepard_parameters *parameters,
                                            struct shepard_error *error)
{
    const struct shepard_neighbourhood *hood = &parameters->neighbourhood;
    const bool local = hood->max_points > 0 || hood->min_points > 0 || hood->radius1 > 0 ||
                       hood->max_points_per_sector > 0 || hood->min_points_per_sector > 0;
    const struct {
        bool wrong;
        const char *field;
    } rules[] = {{parameters->smoothing != 0, "parameters.smoothing"},
                 {parameters->degree != 0, "parameters.degree"},
                 {local, "parameters.neighbourhood"}};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i].wrong)
            return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, rules[i].field,
                                     "%s is not at its default: the papers' engines have no such "
                                     "parameter, leave it as shepard_parameters_init sets it",
                                     rules[i].field);
    const size_t k = parameters->adaptive.k;
    if (engine->system != SHEPARD_PAPER_IDW && k > SHEPARD_PAPER_NEIGHBOURS_MAX)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "parameters.adaptive.k",
                                 "parameters.adaptive.k is %zu: the papers' engines take 1 to %d",
                                 k, SHEPARD_PAPER_NEIGHBOURS_MAX);
    if (engine->system == SHEPARD_PAPER_IDW && engine->square && parameters->power != 2)
        return shepard_error_set(
            error, SHEPARD_ERROR_ARGUMENT, "parameters.power",
            "parameters.power is %g: this engine is of power 2 only, use the one "
            "of any power",
            parameters->power);
    return SHEPARD_OK;
}

static enum shepard_status check(const struct shepard_paper_engine *engine,
                                 const struct shepard_paper_job *job, struct shepard_error *error)
{
    if (job == NULL)
        return missing("job", error);
    if (job->coordinates == NULL)
        return missing("job.coordinates", error);
    if (job->values == NULL)
        return missing("job.values", error);
    if (job->targets == NULL)
        return missing("job.targets", error);
    if (job->parameters == NULL)
        return missing("job.parameters", error);
    enum shepard_status status = shepard_parameters_check(job->parameters, error);
    if (status == SHEPARD_OK)
        status = check_counts(engine, job, error);
    if (status == SHEPARD_OK)
        status = check_parameters(engine, job->parameters, error);
    if (status == SHEPARD_OK)
        status = check_arrays(job, error);
    return status;
}

/* ---- units ----------------------------------------------------------------------------------- */

static void extend(const double *a, size_t count, double *low, double *high)
{
    double least = a[0], most = a[0];
    for (size_t i = 1; i < count; i++) {
        least = a[i] < least ? a[i] : least;
        most = a[i] > most ? a[i] : most;
    }
    *low = least;
    *high = most;
}

static struct shepard_paper_range range_of(const double *values, size_t count)
{
    struct shepard_paper_range range;
    extend(values, count, &range.low, &range.high);
    range.middle = range.low / 2 + range.high / 2;
    range.half = range.high / 2 - range.low / 2;
    return range;
}

/* The largest power of two that is not above a; a > 0. */
static double power_of_two(double a)
{
    int exponent;
    (void)frexp(a, &exponent);
    return ldexp(1.0, exponent - 1);
}

/* The middle of [low, high], rounded to a fraction of the extent: coordinates with few digits keep
 * them all in single precision. */
static double middle_of(double low, double high, double extent)
{
    const double middle = low / 2 + high / 2, grid = power_of_two(extent) / 256;
    const double steps = middle / grid;
    return fabs(steps) < 0x1p52 ? rint(steps) * grid : middle;
}

/* Half the box's extent becomes about sqrt(n) / 2, within [2^-60, 2^60] whatever the units. */
static void set_frame(const struct data_box *box, struct shepard_paper_problem *problem)
{
    const double extent = fmax(box->x_max / 2 - box->x_min / 2, box->y_max / 2 - box->y_min / 2);
    problem->scale = 1;
    problem->x_middle = box->x_min;
    problem->y_middle = box->y_min;
    if (extent >= 0x1p-900) {
        const double want = power_of_two(sqrt((double)problem->n)) / power_of_two(extent) / 2;
        problem->scale = fmin(fmax(want, 0x1p-1000), 0x1p900);
        problem->x_middle = middle_of(box->x_min, box->x_max, extent);
        problem->y_middle = middle_of(box->y_min, box->y_max, extent);
    } else if (extent > 0) {
        problem->scale = 0x1p900;
    }
}

static enum shepard_status set_adapt(const struct data_box *box,
                                     struct shepard_paper_problem *problem,
                                     struct shepard_error *error)
{
    const struct shepard_adaptive *adaptive = &problem->job->parameters->adaptive;
    const double n = (double)problem->n, scale = problem->scale;
    const double side = sqrt(adaptive->area) * scale;
    const double width = box->x_max * scale - box->x_min * scale;
    const double height = box->y_max * scale - box->y_min * scale;
    const double area = adaptive->area > 0 ? side * side : width * height;
    if (adaptive->area == 0 && (box->x_max == box->x_min || box->y_max == box->y_min))
        return shepard_error_set(
            error, SHEPARD_ERROR_AREA, "parameters.adaptive.area",
            "the %zu data points span a box of area 0: AIDW needs the area of the "
            "study region, give parameters.adaptive.area",
            problem->n);
    const size_t k = adaptive->k < problem->n ? adaptive->k : problem->n;
    problem->adapt =
        (struct shepard_adapt){.k = k, .r_min = adaptive->r_min, .r_max = adaptive->r_max};
    for (int i = 0; i < 5; i++)
        problem->adapt.alphas[i] = adaptive->powers[i];
    const double expected = adaptive->expect == SHEPARD_EXPECT_KNN
                                ? shepard_adapt_expect_mean(n, area, k)
                                : shepard_adapt_expect_nearest(n, area);
    problem->adapt.r_expected = fmin(fmax(expected, 0x1p-100), 0x1p100);
    return SHEPARD_OK;
}

/* Farther targets see all points at one distance, to the precision of the engine and any power. */
static double reach_of(const struct shepard_paper_engine *engine)
{
    return engine->precision == SHEPARD_PRECISION_SINGLE ? 0x1p52 : 0x1p90;
}

enum shepard_status shepard_paper_problem_of(const struct shepard_paper_engine *engine,
                                             const struct shepard_paper_job *job,
                                             struct shepard_paper_problem *problem,
                                             struct shepard_error *error)
{
    const enum shepard_status status = check(engine, job, error);
    if (status != SHEPARD_OK)
        return status;
    const size_t n = job->coordinates->count, columns = job->values->column_count;
    struct data_box box;
    extend(job->coordinates->x.data, n, &box.x_min, &box.x_max);
    extend(job->coordinates->y.data, n, &box.y_min, &box.y_max);
    *problem = (struct shepard_paper_problem){.job = job,
                                              .n = n,
                                              .m = job->targets->count,
                                              .columns = columns,
                                              .reach = reach_of(engine),
                                              .power = engine->square ? 2 : job->parameters->power};
    for (size_t c = 0; c < columns; c++)
        problem->ranges[c] = range_of(job->values->columns[c].data, n);
    set_frame(&box, problem);
    return engine->system == SHEPARD_PAPER_IDW ? SHEPARD_OK : set_adapt(&box, problem, error);
}
