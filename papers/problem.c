/* SPDX-License-Identifier: MIT */
#include "problem.h"

#include "api/options.h"
#include "base/fault.h"

#include <float.h>
#include <math.h>

struct box {
    double x_min, x_max, y_min, y_max;
};

/* ---- checks ---------------------------------------------------------------------------------- */

static enum shepard_status missing(const char *argument, struct shepard_error *error)
{
    return shepard_fail(error, SHEPARD_ERROR_ARGUMENT, argument, "%s is NULL: give a valid pointer",
                        argument);
}

static enum shepard_status check_finite(const double *a, size_t count, const char *argument,
                                        struct shepard_error *error)
{
    if (a == NULL && count > 0)
        return missing(argument, error);
    for (size_t i = 0; i < count; i++)
        if (!isfinite(a[i]))
            return shepard_fail(error, SHEPARD_ERROR_ARGUMENT, argument,
                                "%s[%zu] is %g: the papers' engines take finite numbers only, "
                                "leave the point out",
                                argument, i, a[i]);
    return SHEPARD_OK;
}

static enum shepard_status check_counts(const struct shepard_data *data,
                                        const struct shepard_targets *targets,
                                        struct shepard_error *error)
{
    if (data->count == 0)
        return shepard_fail(error, SHEPARD_ERROR_NO_POINTS, "data.count",
                            "there is no data point: give at least one");
    if (data->count > SHEPARD_POINTS_MAX || targets->count > SHEPARD_POINTS_MAX)
        return shepard_fail(error, SHEPARD_ERROR_SIZE,
                            data->count > SHEPARD_POINTS_MAX ? "data.count" : "targets.count",
                            "%zu data points and %zu targets: at most %u of each are taken",
                            data->count, targets->count, SHEPARD_POINTS_MAX);
    if (data->columns == 0 || data->columns > SHEPARD_PAPER_COLUMNS_MAX)
        return shepard_fail(error, SHEPARD_ERROR_ARGUMENT, "data.columns",
                            "data.columns is %zu: the papers' engines take 1 to %d", data->columns,
                            SHEPARD_PAPER_COLUMNS_MAX);
    if (data->weights != NULL)
        return shepard_fail(error, SHEPARD_ERROR_ARGUMENT, "data.weights",
                            "data.weights is given: the papers' engines have none, pass NULL");
    return SHEPARD_OK;
}

static enum shepard_status check_arrays(const struct shepard_data *data,
                                        const struct shepard_targets *targets,
                                        struct shepard_error *error)
{
    enum shepard_status status = check_finite(data->x, data->count, "data.x", error);
    if (status == SHEPARD_OK)
        status = check_finite(data->y, data->count, "data.y", error);
    if (status == SHEPARD_OK && data->values == NULL)
        status = missing("data.values", error);
    for (size_t c = 0; c < data->columns && status == SHEPARD_OK; c++)
        status = check_finite(data->values[c], data->count, "data.values", error);
    if (status == SHEPARD_OK)
        status = check_finite(targets->x, targets->count, "targets.x", error);
    if (status == SHEPARD_OK)
        status = check_finite(targets->y, targets->count, "targets.y", error);
    return status;
}

/* Options that would change a prediction, and that no paper has. */
static enum shepard_status check_options(const struct shepard_paper_engine *engine,
                                         const struct shepard_options *options,
                                         struct shepard_error *error)
{
    const struct shepard_neighbourhood *hood = &options->neighbourhood;
    const bool local = hood->max_points > 0 || hood->min_points > 0 || hood->radius1 > 0 ||
                       hood->max_points_per_sector > 0 || hood->min_points_per_sector > 0;
    const struct {
        bool wrong;
        const char *field;
    } rules[] = {{options->smoothing != 0, "options.smoothing"},
                 {options->anisotropy_ratio != 1, "options.anisotropy_ratio"},
                 {options->degree != 0, "options.degree"},
                 {local, "options.neighbourhood"}};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i].wrong)
            return shepard_fail(error, SHEPARD_ERROR_ARGUMENT, rules[i].field,
                                "%s is not at its default: the papers' engines have no such "
                                "option, leave it as shepard_options_init sets it",
                                rules[i].field);
    if (engine->system != SHEPARD_PAPER_IDW && options->adaptive.k > SHEPARD_PAPER_NEIGHBOURS_MAX)
        return shepard_fail(error, SHEPARD_ERROR_ARGUMENT, "options.adaptive.k",
                            "options.adaptive.k is %zu: the papers' engines take 1 to %d",
                            options->adaptive.k, SHEPARD_PAPER_NEIGHBOURS_MAX);
    if (engine->system == SHEPARD_PAPER_IDW && engine->square && options->power != 2)
        return shepard_fail(error, SHEPARD_ERROR_ARGUMENT, "options.power",
                            "options.power is %g: this engine is of power 2 only, use the one of "
                            "any power",
                            options->power);
    return SHEPARD_OK;
}

static enum shepard_status check(const struct shepard_paper_engine *engine,
                                 const struct shepard_paper_job *job, struct shepard_error *error)
{
    if (job == NULL)
        return missing("job", error);
    if (job->data == NULL)
        return missing("job.data", error);
    if (job->targets == NULL)
        return missing("job.targets", error);
    if (job->options == NULL)
        return missing("job.options", error);
    enum shepard_status status = shepard_options_check(job->options, error);
    if (status == SHEPARD_OK)
        status = check_counts(job->data, job->targets, error);
    if (status == SHEPARD_OK)
        status = check_options(engine, job->options, error);
    if (status == SHEPARD_OK)
        status = check_arrays(job->data, job->targets, error);
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
static void set_frame(const struct box *box, struct shepard_paper_problem *problem)
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

static enum shepard_status set_adapt(const struct box *box, struct shepard_paper_problem *problem,
                                     struct shepard_error *error)
{
    const struct shepard_adaptive *option = &problem->job->options->adaptive;
    const double n = (double)problem->n, scale = problem->scale;
    const double side = sqrt(option->area) * scale;
    const double width = box->x_max * scale - box->x_min * scale;
    const double height = box->y_max * scale - box->y_min * scale;
    const double area = option->area > 0 ? side * side : width * height;
    if (option->area == 0 && (box->x_max == box->x_min || box->y_max == box->y_min))
        return shepard_fail(error, SHEPARD_ERROR_AREA, "options.adaptive.area",
                            "the %zu data points span a box of area 0: AIDW needs the area of the "
                            "study region, give options.adaptive.area",
                            problem->n);
    const size_t k = option->k < problem->n ? option->k : problem->n;
    problem->adapt = (struct shepard_adapt){.k = k, .r_min = option->r_min, .r_max = option->r_max};
    for (int i = 0; i < 5; i++)
        problem->adapt.alphas[i] = option->alphas[i];
    const double expected = option->expect == SHEPARD_EXPECT_KNN
                                ? shepard_adapt_expect_mean(n, area, k)
                                : shepard_adapt_expect_nearest(n, area);
    problem->adapt.r_expected = fmin(fmax(expected, 0x1p-100), 0x1p100);
    return SHEPARD_OK;
}

/* Farther targets see all points at one distance, to the precision of the engine and any power. */
static double reach_of(const struct shepard_paper_engine *engine)
{
    return engine->precision == SHEPARD_SINGLE ? 0x1p52 : 0x1p90;
}

enum shepard_status shepard_paper_problem_of(const struct shepard_paper_engine *engine,
                                             const struct shepard_paper_job *job,
                                             struct shepard_paper_problem *problem,
                                             struct shepard_error *error)
{
    const enum shepard_status status = check(engine, job, error);
    if (status != SHEPARD_OK)
        return status;
    const struct shepard_data *data = job->data;
    struct box box;
    extend(data->x, data->count, &box.x_min, &box.x_max);
    extend(data->y, data->count, &box.y_min, &box.y_max);
    *problem = (struct shepard_paper_problem){.job = job,
                                              .n = data->count,
                                              .m = job->targets->count,
                                              .columns = data->columns,
                                              .reach = reach_of(engine),
                                              .power = engine->square ? 2 : job->options->power};
    for (size_t c = 0; c < data->columns; c++)
        problem->ranges[c] = range_of(data->values[c], data->count);
    set_frame(&box, problem);
    return engine->system == SHEPARD_PAPER_IDW ? SHEPARD_OK : set_adapt(&box, problem, error);
}
