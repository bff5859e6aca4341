/* SPDX-License-Identifier: MIT */
#include "core/sd_model.h"

#include "core/sd_regression.h"
#include "core/selection.h"

#include <math.h>
#include <string.h>

/* Offsets of the features, as parts of the median distance and of the mean deviation; how far they
 * may leave the range of the data; the regression's ridge and its most steps. The first two were
 * found by trials on 15 data sets. */
#define NEAREST_OFFSET 0.01
#define DEVIATION_OFFSET 0.05
#define MARGIN 0.5
#define RIDGE 0.01
#define STEPS 25
/* Of the absolute values of normal numbers. */
#define NORMAL_MEDIAN 0.67448975019608174320
/* The search begins no farther below the root mean square: half of the residuals may be 0. */
#define TYPICAL_LEAST 1e-9

static double clip(double a, double low, double high)
{
    return a < low ? low : a > high ? high : a;
}

static double effect(const struct shepard_sd_feature *feature, double a)
{
    const double place = clip(log(a + feature->offset), feature->low, feature->high);
    return feature->slope * (place - feature->centre);
}

double shepard_sd_model_at(const struct shepard_sd_model *model, double nearest, double deviation)
{
    const double log_square =
        model->intercept + effect(&model->nearest, nearest) + effect(&model->deviation, deviation);
    return model->scale * exp(log_square / 2);
}

static double mean_of(const double *a, size_t count)
{
    double mean = 0;
    for (size_t i = 0; i < count; i++)
        mean += a[i] / (double)count;
    return mean;
}

/* Reorders room. */
static double median_of(const double *a, size_t count, double *room)
{
    memcpy(room, a, count * sizeof *a);
    return shepard_select_quantile(room, (long)count, 0.5);
}

/* The logarithms x [count] of a, centred, and the feature without its slope. Where all of a is 0 so
 * is x. */
static struct shepard_sd_feature make_feature(const double *a, size_t count, double offset,
                                              double *x)
{
    struct shepard_sd_feature feature = {.offset = offset > 0 ? offset : 1};
    for (size_t i = 0; i < count; i++)
        x[i] = log(a[i] + feature.offset);
    feature.centre = mean_of(x, count);
    feature.low = feature.high = x[0];
    for (size_t i = 0; i < count; i++) {
        feature.low = fmin(feature.low, x[i]);
        feature.high = fmax(feature.high, x[i]);
        x[i] -= feature.centre;
    }
    feature.low -= MARGIN;
    feature.high += MARGIN;
    return feature;
}

static double root_mean_square(const double *a, size_t count)
{
    double largest = 0, mean = 0;
    for (size_t i = 0; i < count; i++)
        largest = fabs(a[i]) > largest ? fabs(a[i]) : largest;
    for (size_t i = 0; largest > 0 && i < count; i++)
        mean += a[i] / largest * (a[i] / largest) / (double)count;
    return largest * sqrt(mean);
}

/* A standard deviation that large residuals hardly change: where they are normal numbers, theirs.
 * Fills sizes [count] with the residuals without their signs; reorders room. */
static double typical_size(const struct shepard_sd_data *data, double scale, double *sizes,
                           double *room)
{
    for (size_t i = 0; i < data->count; i++)
        sizes[i] = fabs(data->residuals[i]);
    const double median = median_of(sizes, data->count, room);
    return fmax(median / NORMAL_MEDIAN, TYPICAL_LEAST * scale);
}

static void regress(const struct shepard_sd_regression *regression, struct shepard_sd_model *model)
{
    double b[1 + SHEPARD_SD_REGRESSION_FEATURES_MAX];
    shepard_sd_regression_run(regression, b);
    model->intercept = b[0] + 2 * log(regression->unit / model->scale);
    model->nearest.slope = b[1];
    model->deviation.slope = b[2];
}

struct shepard_sd_model shepard_sd_model_of(const struct shepard_sd_data *data)
{
    const size_t n = data->count;
    double *const sizes = data->room, *const x[2] = {sizes + n, sizes + 2 * n};
    const double median = median_of(data->nearest, n, sizes);
    const double typical_nearest = median > 0 ? median : mean_of(data->nearest, n);
    struct shepard_sd_model model = {.size = sizeof model,
                                     .scale = root_mean_square(data->residuals, n)};
    const struct shepard_sd_regression regression = {
        .count = n,
        .features = 2,
        .errors = sizes,
        .x = {x[0], x[1]},
        .unit = typical_size(data, model.scale, sizes, x[0]),
        .ridge = RIDGE,
        .steps = STEPS};
    model.nearest = make_feature(data->nearest, n, NEAREST_OFFSET * typical_nearest, x[0]);
    model.deviation =
        make_feature(data->deviations, n, DEVIATION_OFFSET * mean_of(data->deviations, n), x[1]);
    if (n >= SHEPARD_SD_RESIDUALS_MIN && model.scale > 0)
        regress(&regression, &model);
    return model;
}
