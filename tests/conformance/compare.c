/* SPDX-License-Identifier: MIT */
#include "compare.h"

#include "check.h"
#include "slow.h"

/* Accuracy promised: of values as a part of their range, of diagnostics relative. */
#define VALUE_DOUBLE 1e-12
#define VALUE_SINGLE 1e-6
/* A plane through points that lie close together, far from the place, magnifies rounding. */
#define VALUE_PLANE 1e-11
#define DIAGNOSTIC_DOUBLE 1e-11
#define DIAGNOSTIC_SINGLE 1e-5

struct results compare_slow(const struct trial *trial)
{
    const struct scene *scene = &trial->scene;
    struct results results = results_make(trial->places.m, scene->columns);
    const double nodata = trial->options.nodata;
    for (size_t i = 0; i < trial->places.m; i++) {
        const struct slow_prediction slow =
            slow_predict(scene, &trial->options, trial->places.x[i], trial->places.y[i]);
        results.count[i] = slow.count;
        results.nearest[i] = slow.count > 0 ? slow.nearest : nodata;
        results.alpha[i] = slow.met ? slow.alpha : nodata;
        results.effective[i] = slow.met ? slow.effective : nodata;
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
    const double nodata = trial->options.nodata;
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
    check_measure(what, want != 0 ? fabs(got / want - 1) : fabs(got));
}

static void compare_column(const struct trial *trial, const struct results *got,
                           const struct results *want, size_t i, size_t c)
{
    const bool single = trial_is_single(trial), plane = trial->options.degree == 1;
    const double range = scene_value_range(&trial->scene, c);
    const double rounding = scene_value_rounding(&trial->scene, c);
    const double z = want->values[c][i], deviation = want->deviations[c][i];
    const double accuracy = single ? VALUE_SINGLE : plane ? VALUE_PLANE : VALUE_DOUBLE;
    if (both_nodata(trial, got->values[c][i], z, "value"))
        return;
    check_near(got->values[c][i], z, accuracy * range + rounding, "value");
    const double diagnostic = single ? DIAGNOSTIC_SINGLE : DIAGNOSTIC_DOUBLE;
    check_near(got->deviations[c][i], deviation,
               diagnostic * deviation + 10 * accuracy * range + rounding, "deviation");
    if (range == 0 || rounding > 1e-13 * range)
        return;
    check_measure(single  ? "error of single / range"
                  : plane ? "error of degree 1 / range"
                          : "error of double / range",
                  fabs(got->values[c][i] - z) / range);
    check_measure(single ? "error of single's deviation / range" : "error of deviation / range",
                  fabs(got->deviations[c][i] - deviation) / range);
}

void compare_results(const struct trial *trial, const struct results *got,
                     const struct results *want)
{
    const bool single = trial_is_single(trial);
    for (size_t i = 0; i < trial->places.m; i++) {
        check_near(got->count[i], want->count[i], 0, "count");
        compare_diagnostic(trial, got->nearest[i], want->nearest[i], DIAGNOSTIC_DOUBLE,
                           "nearest, relative");
        compare_diagnostic(trial, got->alpha[i], want->alpha[i], DIAGNOSTIC_DOUBLE,
                           "alpha, relative");
        compare_diagnostic(trial, got->effective[i], want->effective[i],
                           single ? DIAGNOSTIC_SINGLE : DIAGNOSTIC_DOUBLE,
                           single ? "single's effective, relative" : "effective, relative");
        for (size_t c = 0; c < trial->scene.columns; c++)
            compare_column(trial, got, want, i, c);
    }
}
