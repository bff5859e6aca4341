/* SPDX-License-Identifier: MIT */
#include "compare.h"

#include "check.h"
#include "slow.h"

/* Accuracy promised: of values as a part of their range, of diagnostics relative; sums over all
 * points add their eps. */
#define VALUE_DOUBLE 1e-12
#define VALUE_SINGLE 1e-6
#define DIAGNOSTIC_DOUBLE 1e-11
#define DIAGNOSTIC_SINGLE 1e-5
/* Effective sizes and squared deviations are quotients of sums of which each may be off by eps. */
#define DIAGNOSTIC_EPS 4

struct results compare_slow(const struct trial *trial)
{
    const struct scene *scene = &trial->scene;
    struct results results = results_make(trial->places.m, scene->columns);
    const double nodata = trial->options.parameters.nodata;
    for (size_t i = 0; i < trial->places.m; i++) {
        const struct slow_prediction slow =
            slow_predict(scene, &trial->options, trial->places.x[i], trial->places.y[i]);
#define PUT(id, array, name) results.array[i] = slow.met ? slow.array : nodata;
        SHEPARD_DIAGNOSTIC_LIST(PUT, RESULT_NOT)
#undef PUT
        results.count[i] = slow.count;
        results.nearest[i] = slow.count > 0 ? slow.nearest : nodata;
        for (size_t c = 0; c < scene->columns; c++) {
            results.values[c][i] = slow.met ? slow.values[c] : nodata;
            results.deviations[c][i] = slow.met ? slow.deviations[c] : nodata;
        }
    }
    return results;
}

/* got and want are nodata together, or neither is. */
static bool both_nodata(const struct trial *trial, double got, double want, const char *what)
{
    const double nodata = trial->options.parameters.nodata;
    const bool absent = want == nodata || (isnan(nodata) && isnan(want));
    if (absent)
        check(got == want || (isnan(got) && isnan(want)), "%s is %g, not nodata", what, got);
    else
        check(isfinite(got), "%s is %g, not %g", what, got, want);
    return absent;
}

static void compare_diagnostic(const struct trial *trial, double got, double want, double relative,
                               const char *what)
{
    if (both_nodata(trial, got, want, what))
        return;
    check_near(got, want, relative * fabs(want), what);
    if (trial_eps(trial) == 0 && trial->options.points.anisotropy_ratio == 1)
        check_measure(what, want != 0 ? fabs(got / want - 1) : fabs(got));
}

/* By what part of itself a weight may be off where anisotropy blurs distances. */
static double blur_of(const struct trial *trial, const struct results *want, size_t i)
{
    const struct shepard_parameters *parameters = &trial->options.parameters;
    const bool idw = parameters->method == SHEPARD_METHOD_IDW;
    const double power = idw ? parameters->power : fmax(want->power[i], 0);
    const double blur = trial_blur(trial, want->nearest[i]);
    return blur > 0 ? fmin(1, power * blur / hypot(want->nearest[i], parameters->smoothing)) : 0;
}

static void compare_effective(const struct trial *trial, double got, double want, double blur)
{
    const bool single = trial_is_single(trial);
    const double eps = trial_eps(trial);
    compare_diagnostic(trial, got, want,
                       (single ? DIAGNOSTIC_SINGLE : DIAGNOSTIC_DOUBLE) +
                           DIAGNOSTIC_EPS * (eps + blur),
                       single ? "single's effective, relative" : "effective, relative");
    if (eps > 1e-11 && isfinite(want))
        check_measure("error of effective / (4 eps)",
                      fabs(got / want - 1) / (DIAGNOSTIC_EPS * eps));
}

/* What is known of a column before its values are looked at. */
struct column {
    double low, high, range, rounding, eps;
    bool single, plane;
};

static struct column column_of(const struct trial *trial, size_t c)
{
    const double *z = trial->scene.values[c];
    struct column column = {.low = z[0],
                            .high = z[0],
                            .rounding = scene_value_rounding(&trial->scene, c),
                            .eps = trial_eps(trial),
                            .single = trial_is_single(trial),
                            .plane = trial->options.parameters.degree == 1};
    for (size_t i = 1; i < trial->scene.n; i++) {
        column.low = fmin(column.low, z[i]);
        column.high = fmax(column.high, z[i]);
    }
    column.range = column.high - column.low;
    return column;
}

/* Of the exact sum. */
static double accuracy_of(const struct column *column)
{
    return column->single ? VALUE_SINGLE : VALUE_DOUBLE;
}

/* The tolerance of single precision holds its rounding, that of double is so small that its own
 * comes on top. */
static void compare_value(const struct column *column, double got, double want, double blur)
{
    const double eps = column->eps, range = column->range;
    const double rounding = column->single && eps > 0 ? VALUE_DOUBLE : accuracy_of(column);
    check_near(got, want, (eps + rounding + 2 * blur) * range + column->rounding, "value");
    if (!column->plane)
        check(got >= column->low && got <= column->high, "value %.17g is not within %.17g to %.17g",
              got, column->low, column->high);
    if (range == 0 || column->rounding > 1e-13 * range || blur > 0)
        return;
    const double error = fabs(got - want) / range;
    if (eps == 0)
        check_measure(column->single  ? "error of single / range"
                      : column->plane ? "error of degree 1 / range"
                                      : "error of double / range",
                      error);
    else if (eps > 1e-11)
        check_measure(column->single  ? "error of single / (eps range)"
                      : column->plane ? "error of degree 1 / (eps range)"
                                      : "error of double / (eps range)",
                      error / eps);
}

/* The square of a deviation may be off by a multiple of eps, so small deviations by the root. */
static void compare_deviation(const struct column *column, double got, double want, double blur)
{
    const double range = column->range, unit = range > 0 ? range : 1;
    const double square = want / unit * (want / unit),
                 slack = DIAGNOSTIC_EPS * (column->eps + blur);
    const double exact = (column->single ? DIAGNOSTIC_SINGLE : DIAGNOSTIC_DOUBLE) * want +
                         10 * accuracy_of(column) * range + column->rounding;
    const double low = slack > 0 ? unit * sqrt(fmax(0, square - slack)) : want;
    const double high = slack > 0 ? unit * sqrt(square + slack) : want;
    check(got >= low - exact && got <= high + exact, "deviation is %.17g, not %.17g (eps %g)", got,
          want, column->eps);
    if (range == 0 || column->rounding > 1e-13 * range || blur > 0)
        return;
    if (column->eps == 0)
        check_measure(column->single ? "error of single's deviation / range"
                                     : "error of deviation / range",
                      fabs(got - want) / range);
    else if (column->eps > 1e-11)
        check_measure("error of deviation^2 / (4 eps range^2)",
                      fabs(got / unit * (got / unit) - square) / slack);
}

/* A diagnostic of target i. */
static void compare_single(const struct trial *trial, enum result_single which, double got,
                           const struct results *want, size_t i)
{
#define TEXT(id, array, name) #array ", relative",
    static const char *const text[] = {SHEPARD_DIAGNOSTIC_LIST(TEXT, RESULT_NOT)};
#undef TEXT
    const double wanted = want->single[which][i], blur = trial_blur(trial, want->nearest[i]);
    const double of_distances = blur > 0 ? blur / want->nearest[i] : 0;
    if (which == RESULT_COUNT)
        check_near(got, wanted, 0, "count");
    else if (which == RESULT_EFFECTIVE)
        compare_effective(trial, got, wanted, blur_of(trial, want, i));
    else
        compare_diagnostic(trial, got, wanted,
                           DIAGNOSTIC_DOUBLE + (which == RESULT_POWER ? 0 : of_distances),
                           text[which]);
}

void compare_results(const struct trial *trial, const struct results *got,
                     const struct results *want)
{
    for (size_t i = 0; i < trial->places.m; i++) {
        for (int a = 0; a < RESULT_SINGLES; a++)
            compare_single(trial, a, got->single[a][i], want, i);
    }
    for (size_t c = 0; c < trial->scene.columns; c++) {
        const struct column column = column_of(trial, c);
        for (size_t i = 0; i < trial->places.m; i++) {
            if (both_nodata(trial, got->values[c][i], want->values[c][i], "value"))
                continue;
            const double blur = blur_of(trial, want, i);
            compare_value(&column, got->values[c][i], want->values[c][i], blur);
            compare_deviation(&column, got->deviations[c][i], want->deviations[c][i], blur);
        }
    }
}
