/* SPDX-License-Identifier: MIT */
/*
 * Property: whatever the options, the data and the targets, the public interface of libshepard
 *  - fails with its status in the error, a message that is not empty and no model, on both
 *    backends alike, or
 *  - counts each point as used or skipped, as struct shepard_data says;
 *  - of degree 0, predicts within the range of the values used, or nodata;
 *  - of degree 1, predicts no NaN but nodata, and no infinity where the numbers are of moderate
 *    size;
 *  - gives deviations of at least 0, or nodata; these three where no value is beyond value_limit:
 *    the width of the range overflows there;
 *  - gives a raster's cells the bits that the same places get as points; where all points are
 *    summed with a tolerance, of degree 0: values within twice the tolerance of the value range;
 *  - finds nearest points that are data points, each once, in rising distance;
 *  - where the numbers are of moderate size, ref and cpu agree to 1e-9 of the value range in
 *    double and 1e-5 in single (degree 1, which extrapolates: of the largest value predicted, too);
 *    where all points are summed with a tolerance, of degree 0: to that tolerance in addition.
 */
#include "fuzz.h"
#include "scenario.h"

#include <math.h>
#include <string.h>

enum { DIAGNOSTICS = 4 };

static const double value_limit = 1e308;

/* All results of one call. */
struct results {
    double value[SCENARIO_COLUMNS_MAX][SCENARIO_TARGETS_MAX];
    double deviation[SCENARIO_COLUMNS_MAX][SCENARIO_TARGETS_MAX];
    double diagnostic[DIAGNOSTICS][SCENARIO_TARGETS_MAX]; /* count, nearest, alpha, effective */
};

struct range {
    double least, most, size;
};

static void require_message(enum shepard_status status, const struct shepard_error *error)
{
    FUZZ_REQUIRE(error->status == status, "status %d, error says %d", (int)status,
                 (int)error->status);
    FUZZ_REQUIRE(error->message[0] != '\0', "status %d without a message", (int)status);
    FUZZ_REQUIRE(memchr(error->message, '\0', sizeof error->message), "message without an end");
    FUZZ_REQUIRE(memchr(error->argument, '\0', sizeof error->argument), "argument without an end");
}

static void require_counts(const struct scenario *scenario, const struct shepard_model *model)
{
    struct shepard_model_info info;
    shepard_model_get_info(model, &info);
    size_t used = 0;
    for (size_t i = 0; i < scenario->data.count; i++)
        used += scenario_uses(scenario, i);
    FUZZ_REQUIRE(info.points == used, "%zu points used, not %zu", info.points, used);
    FUZZ_REQUIRE(info.skipped == scenario->data.count - used, "%zu points skipped", info.skipped);
    FUZZ_REQUIRE(info.x_min <= info.x_max && info.y_min <= info.y_max, "box inside out");
}

static struct range values_range(const struct scenario *scenario, size_t column)
{
    struct range range = {INFINITY, -INFINITY, 0};
    for (size_t i = 0; i < scenario->data.count; i++)
        if (scenario_uses(scenario, i)) {
            range.least = fmin(range.least, scenario->value[column][i]);
            range.most = fmax(range.most, scenario->value[column][i]);
        }
    range.size = range.most - range.least;
    return range;
}

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static bool is_nodata(const struct scenario *scenario, double value)
{
    return same_bits(value, scenario->options.nodata);
}

static void require_value(const struct scenario *scenario, const struct range *range, double value)
{
    if (scenario->options.degree == 0)
        FUZZ_REQUIRE(value >= range->least && value <= range->most,
                     "%.17g is outside the values' range %.17g to %.17g", value, range->least,
                     range->most);
    else
        FUZZ_REQUIRE(scenario->wild ? !isnan(value) : isfinite(value), "a plane predicts %g",
                     value);
}

static void require_column(const struct scenario *scenario, const struct results *results, size_t m,
                           size_t c)
{
    const struct range range = values_range(scenario, c);
    const double largest = fmax(fabs(range.least), fabs(range.most));
    for (size_t i = 0; i < m && largest <= value_limit; i++) {
        const double value = results->value[c][i], deviation = results->deviation[c][i];
        if (!is_nodata(scenario, value))
            require_value(scenario, &range, value);
        if (!is_nodata(scenario, deviation))
            FUZZ_REQUIRE(deviation >= 0, "deviation is %g", deviation);
    }
}

static void require_values(const struct scenario *scenario, const struct results *results, size_t m)
{
    for (size_t c = 0; c < scenario->data.columns; c++)
        require_column(scenario, results, m, c);
}

/* Whether sums have a tolerance: those over all points. */
static bool has_tolerance(const struct scenario *scenario)
{
    const struct shepard_neighbourhood *hood = &scenario->options.neighbourhood;
    return scenario->options.eps > 0 && hood->max_points == 0 && hood->radius1 == 0 &&
           hood->max_points_per_sector == 0 && hood->min_points_per_sector == 0;
}

static enum shepard_status predict(const struct scenario *scenario,
                                   const struct shepard_model *model, bool raster,
                                   struct results *results)
{
    double *values[SCENARIO_COLUMNS_MAX], *deviations[SCENARIO_COLUMNS_MAX];
    for (size_t c = 0; c < SCENARIO_COLUMNS_MAX; c++) {
        values[c] = results->value[c];
        deviations[c] = results->deviation[c];
    }
    const struct shepard_output output = {values,
                                          deviations,
                                          results->diagnostic[0],
                                          results->diagnostic[1],
                                          results->diagnostic[2],
                                          results->diagnostic[3]};
    struct shepard_error error = {0};
    const enum shepard_status status =
        raster ? shepard_predict_raster(model, &scenario->raster, NULL, &output, NULL, &error)
               : shepard_predict_points(model, &scenario->targets, &output, NULL, &error);
    if (status != SHEPARD_OK)
        require_message(status, &error);
    return status;
}

static void place_cells(const struct shepard_raster *raster, struct scenario *scenario)
{
    scenario->targets.count = raster->columns * raster->rows;
    for (size_t i = 0; i < scenario->targets.count; i++) {
        const double column = (double)(i % raster->columns), row = (double)(i / raster->columns);
        scenario->target_x[i] = raster->x0 + (column + 0.5) * raster->dx;
        scenario->target_y[i] = raster->y0 + (row + 0.5) * raster->dy;
    }
}

static void require_cell(const struct scenario *scenario, const struct results *cells,
                         const struct results *points, size_t i, size_t c)
{
    const double cell = cells->value[c][i], point = points->value[c][i];
    if (same_bits(cell, point))
        return;
    FUZZ_REQUIRE(has_tolerance(scenario), "cell %zu is %.17g, as a point %.17g", i, cell, point);
    if (scenario->wild || scenario->options.degree == 1)
        return;
    const struct range range = values_range(scenario, c);
    const double rounding = 1e-14 * fmax(fabs(range.least), fabs(range.most));
    FUZZ_REQUIRE(fabs(cell - point) <= 2 * scenario->options.eps * range.size + rounding,
                 "cell %zu is %.17g, as a point %.17g", i, cell, point);
}

/* The targets become the raster's cells. */
static void require_raster(struct scenario *scenario, const struct shepard_model *model)
{
    struct results cells = {0}, points = {0};
    if (predict(scenario, model, true, &cells) != SHEPARD_OK)
        return;
    place_cells(&scenario->raster, scenario);
    const size_t m = scenario->targets.count;
    require_values(scenario, &cells, m);
    FUZZ_REQUIRE(predict(scenario, model, false, &points) == SHEPARD_OK,
                 "points fail, cells do not");
    for (size_t c = 0; c < scenario->data.columns; c++)
        for (size_t i = 0; i < m; i++)
            require_cell(scenario, &cells, &points, i, c);
}

static void require_neighbours(const struct scenario *scenario, const uint32_t *indices,
                               const double *distances)
{
    bool seen[SCENARIO_POINTS_MAX] = {false};
    for (size_t j = 0; j < scenario->k; j++) {
        const uint32_t i = indices[j];
        if (i == SHEPARD_NONE) {
            FUZZ_REQUIRE(isnan(distances[j]), "no neighbour at distance %g", distances[j]);
            continue;
        }
        FUZZ_REQUIRE(j == 0 || indices[j - 1] != SHEPARD_NONE, "a neighbour behind none");
        FUZZ_REQUIRE(i < scenario->data.count && scenario_uses(scenario, i), "neighbour %u", i);
        FUZZ_REQUIRE(!seen[i], "neighbour %u twice", i);
        FUZZ_REQUIRE(j == 0 || distances[j] >= distances[j - 1], "%g after %g", distances[j],
                     distances[j - 1]);
        seen[i] = true;
    }
}

static void require_nearest(const struct scenario *scenario, const struct shepard_model *model)
{
    const size_t k = scenario->k, m = scenario->targets.count;
    uint32_t *indices = calloc(m * k + 1, sizeof *indices);
    double *distances = calloc(m * k + 1, sizeof *distances);
    struct shepard_error error = {0};
    if (indices && distances) {
        const enum shepard_status status =
            shepard_nearest_points(model, &scenario->targets, k, indices, distances, NULL, &error);
        if (status != SHEPARD_OK)
            require_message(status, &error);
        for (size_t i = 0; status == SHEPARD_OK && i < m; i++)
            require_neighbours(scenario, indices + i * k, distances + i * k);
    }
    free(indices);
    free(distances);
}

/* Status of the first call that fails. The targets become the raster's cells at the end. */
static enum shepard_status run(struct scenario *scenario, enum shepard_backend backend,
                               struct results *results)
{
    const struct shepard_targets targets = scenario->targets;
    struct shepard_error error = {0};
    struct shepard_model *model = NULL;
    scenario->options.backend = backend;
    enum shepard_status status =
        shepard_model_create(&scenario->data, &scenario->options, &model, &error);
    if (status != SHEPARD_OK) {
        require_message(status, &error);
        FUZZ_REQUIRE(model == NULL, "a model after an error");
        return status;
    }
    require_counts(scenario, model);
    status = predict(scenario, model, false, results);
    if (status == SHEPARD_OK)
        require_values(scenario, results, targets.count);
    require_nearest(scenario, model);
    require_raster(scenario, model);
    scenario->targets = targets;
    shepard_model_free(model);
    return status;
}

static void require_near(double a, double b, double tolerance, const char *what)
{
    FUZZ_REQUIRE(same_bits(a, b) || fabs(a - b) <= tolerance, "%s: ref %.17g, cpu %.17g, limit %g",
                 what, a, b, tolerance);
}

static void compare(const struct scenario *scenario, const struct results *ref,
                    const struct results *cpu)
{
    static const char *const names[DIAGNOSTICS] = {"count", "nearest", "alpha", "effective"};
    const bool plane = scenario->options.degree == 1;
    const double eps = has_tolerance(scenario) ? scenario->options.eps : 0;
    const double accuracy = (scenario->options.precision == SHEPARD_DOUBLE ? 1e-9 : 1e-5) + eps;
    for (size_t i = 0; i < scenario->targets.count; i++) {
        for (int d = 0; d < DIAGNOSTICS; d++)
            require_near(ref->diagnostic[d][i], cpu->diagnostic[d][i],
                         d == 0 ? 0 : 10 * accuracy * fabs(ref->diagnostic[d][i]), names[d]);
        /* A plane keeps its tolerance near the data only, and the targets are anywhere. */
        for (size_t c = 0; c < scenario->data.columns && !(plane && eps > 0); c++) {
            const struct range range = values_range(scenario, c);
            const double rounding = 1e-14 * fmax(fabs(range.least), fabs(range.most));
            const double extent = plane ? fmax(range.size, fabs(ref->value[c][i])) : range.size;
            require_near(ref->value[c][i], cpu->value[c][i], accuracy * extent + rounding, "value");
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct scenario *scenario = scenario_make(bytes, size);
    if (!scenario)
        return 0;
    struct scenario *twin = scenario_make(bytes, size);
    static struct results ref, cpu;
    ref = cpu = (struct results){0};
    if (twin) {
        const enum shepard_status by_ref = run(scenario, SHEPARD_BACKEND_REF, &ref);
        const enum shepard_status by_cpu = run(twin, SHEPARD_BACKEND_CPU, &cpu);
        FUZZ_REQUIRE(by_ref == by_cpu, "ref gives status %d, cpu %d", (int)by_ref, (int)by_cpu);
        if (by_ref == SHEPARD_OK && !scenario->wild)
            compare(scenario, &ref, &cpu);
    }
    free(twin);
    free(scenario);
    return 0;
}
