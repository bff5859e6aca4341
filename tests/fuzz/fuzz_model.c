/* SPDX-License-Identifier: MIT */
/*
 * Property: whatever the options, the data, the parameters and the targets, the public interface of
 * libshepard
 *  - fails with its status in the error, a message that is not empty and no object, on both
 *    backends alike, or
 *  - counts each point as used or skipped, and each value as used or missing, as
 *    struct shepard_coordinates and struct shepard_values say;
 *  - of degree 0, predicts within the range of the values used, or nodata, leave-one-out too;
 *  - of degree 1, predicts no NaN but nodata, and no infinity where the numbers are of moderate
 *    size; the same of kriging, but for numbers of any size;
 *  - gives deviations of at least 0, or nodata; these three where no value is beyond value_limit:
 *    the width of the range overflows there;
 *  - gives a raster's cells the bits that the same places get as points; where all points are
 *    summed with a tolerance, of degree 0: values within twice the tolerance of the value range;
 *  - predicts the same bits once more, after shepard_prepare;
 *  - finds nearest points that are data points, each once, in rising distance;
 *  - where the numbers are of moderate size, ref and cpu agree to 1e-9 of the value range in
 *    double and 1e-5 in single (degree 1, which extrapolates: of the largest value predicted, too;
 *    kriging, whose systems are magnified by their condition: to 1e-6 of it); where all points are
 *    summed with a tolerance, of degree 0: to that tolerance in addition. The same of
 *    leave-one-out.
 */
#include "fuzz.h"
#include "scenario.h"

#include <math.h>
#include <string.h>

/* The diagnostics that a target has one of. */
#define NONE(id, array, name)
#define NUMBER(id, array, name) DIAGNOSTIC_##id,
enum { SHEPARD_DIAGNOSTIC_LIST(NUMBER, NONE) DIAGNOSTICS };
#undef NUMBER

static const double value_limit = 1e308;

/* All results of one call. */
struct results {
    double value[SCENARIO_COLUMNS_MAX][SCENARIO_TARGETS_MAX];
    double deviation[SCENARIO_COLUMNS_MAX][SCENARIO_TARGETS_MAX];
    double diagnostic[DIAGNOSTICS][SCENARIO_TARGETS_MAX];
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

static void require_points(const struct scenario *scenario, const struct shepard_points *points)
{
    struct shepard_points_info info = {.size = sizeof info};
    shepard_points_get_info(points, &info);
    const size_t count = scenario->coordinates.count;
    size_t taken = 0;
    for (size_t i = 0; i < count; i++)
        taken += scenario_takes(scenario, i);
    FUZZ_REQUIRE(info.points == taken, "%zu points used, not %zu", info.points, taken);
    FUZZ_REQUIRE(info.skipped == count - taken, "%zu points skipped", info.skipped);
    FUZZ_REQUIRE(info.x_min <= info.x_max && info.y_min <= info.y_max, "box inside out");
}

static void require_field(const struct scenario *scenario, const struct shepard_field *field)
{
    for (size_t c = 0; c < scenario->values.column_count; c++) {
        size_t used = 0;
        for (size_t i = 0; i < scenario->coordinates.count; i++)
            used += scenario_uses(scenario, c, i);
        FUZZ_REQUIRE(shepard_field_count(field, c) == used, "%zu values used, not %zu",
                     shepard_field_count(field, c), used);
    }
}

static struct range values_range(const struct scenario *scenario, size_t column)
{
    struct range range = {INFINITY, -INFINITY, 0};
    for (size_t i = 0; i < scenario->coordinates.count; i++)
        if (scenario_uses(scenario, column, i)) {
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
    return same_bits(value, scenario->parameters.nodata);
}

static bool is_kriging(const struct scenario *scenario)
{
    return scenario->parameters.method == SHEPARD_METHOD_KRIGE;
}

/* Beyond the values' range, and in what kriging makes of numbers of any size beyond any. */
static bool extrapolates(const struct scenario *scenario)
{
    return scenario->parameters.degree == 1 || is_kriging(scenario);
}

static void require_value(const struct scenario *scenario, const struct range *range, double value)
{
    if (is_kriging(scenario) && scenario->wild)
        return;
    if (!extrapolates(scenario))
        FUZZ_REQUIRE(value >= range->least && value <= range->most,
                     "%.17g is outside the values' range %.17g to %.17g", value, range->least,
                     range->most);
    else
        FUZZ_REQUIRE(scenario->wild ? !isnan(value) : isfinite(value), "the prediction is %g",
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
    for (size_t c = 0; c < scenario->values.column_count; c++)
        require_column(scenario, results, m, c);
}

/* Whether sums have a tolerance: those over all points. */
static bool has_tolerance(const struct scenario *scenario)
{
    const struct shepard_neighbourhood *hood = &scenario->parameters.neighbourhood;
    return !is_kriging(scenario) && scenario->parameters.eps > 0 && hood->max_points == 0 &&
           hood->radius1 == 0 && hood->max_points_per_sector == 0 &&
           hood->min_points_per_sector == 0;
}

static enum shepard_status predict(const struct scenario *scenario,
                                   const struct shepard_field *field,
                                   const struct shepard_targets *targets, struct results *results)
{
    struct shepard_output_array values[SCENARIO_COLUMNS_MAX], deviations[SCENARIO_COLUMNS_MAX];
    for (size_t c = 0; c < SCENARIO_COLUMNS_MAX; c++) {
        values[c] = shepard_output_doubles(results->value[c]);
        deviations[c] = shepard_output_doubles(results->deviation[c]);
    }
#define ARRAY(id, array, name)                                                                     \
    .array = shepard_output_doubles(results->diagnostic[DIAGNOSTIC_##id]),
    const struct shepard_output output = {.size = sizeof output,
                                          .values = values,
                                          .deviations = deviations,
                                          SHEPARD_DIAGNOSTIC_LIST(ARRAY, NONE)};
#undef ARRAY
    struct shepard_error error = {0};
    const enum shepard_status status =
        shepard_predict(field, &scenario->parameters, targets, &output, NULL, &error);
    if (status != SHEPARD_OK)
        require_message(status, &error);
    return status;
}

/* results: of a prediction at the targets that went well. */
static void require_again(const struct scenario *scenario, const struct shepard_field *field,
                          const struct results *results)
{
    static struct results again;
    again = (struct results){0};
    FUZZ_REQUIRE(shepard_prepare(field, &scenario->parameters, NULL, NULL, NULL) == SHEPARD_OK &&
                     predict(scenario, field, &scenario->targets, &again) == SHEPARD_OK,
                 "a prediction goes well only once");
    FUZZ_REQUIRE(memcmp(&again, results, sizeof again) == 0, "other bits the second time");
}

static void place_cells(const struct shepard_raster *raster, struct scenario *scenario)
{
    scenario->targets.count = raster->columns * raster->rows;
    for (size_t i = 0; i < scenario->targets.count; i++) {
        const double column = (double)(i % raster->columns), row = (double)(i / raster->columns);
        scenario->target_x[i] = raster->x0 + (column + 0.5) * raster->dx;
        scenario->target_y[i] = raster->y0 + (row + 0.5) * raster->dy;
        scenario->target_z[i] = scenario->cells.raster_z;
    }
}

static void require_cell(const struct scenario *scenario, const struct results *cells,
                         const struct results *points, size_t i, size_t c)
{
    const double cell = cells->value[c][i], point = points->value[c][i];
    if (same_bits(cell, point))
        return;
    FUZZ_REQUIRE(has_tolerance(scenario), "cell %zu is %.17g, as a point %.17g", i, cell, point);
    if (scenario->wild || scenario->parameters.degree == 1)
        return;
    const struct range range = values_range(scenario, c);
    const double rounding = 1e-14 * fmax(fabs(range.least), fabs(range.most));
    FUZZ_REQUIRE(fabs(cell - point) <= 2 * scenario->parameters.eps * range.size + rounding,
                 "cell %zu is %.17g, as a point %.17g", i, cell, point);
}

/* The targets become the raster's cells. */
static void require_raster(struct scenario *scenario, const struct shepard_field *field)
{
    struct results cells = {0}, points = {0};
    if (predict(scenario, field, &scenario->cells, &cells) != SHEPARD_OK)
        return;
    place_cells(&scenario->cells.raster, scenario);
    const size_t m = scenario->targets.count;
    require_values(scenario, &cells, m);
    FUZZ_REQUIRE(predict(scenario, field, &scenario->targets, &points) == SHEPARD_OK,
                 "points fail, cells do not");
    for (size_t c = 0; c < scenario->values.column_count; c++)
        for (size_t i = 0; i < m; i++)
            require_cell(scenario, &cells, &points, i, c);
}

static void require_neighbours(const struct scenario *scenario, const uint32_t *indices,
                               const double *distances)
{
    bool seen[SCENARIO_POINTS_MAX] = {false};
    for (size_t j = 0; j < scenario->k; j++) {
        const uint32_t i = indices[j];
        if (i == SHEPARD_NO_POINT) {
            FUZZ_REQUIRE(isnan(distances[j]), "no neighbour at distance %g", distances[j]);
            continue;
        }
        FUZZ_REQUIRE(j == 0 || indices[j - 1] != SHEPARD_NO_POINT, "a neighbour behind none");
        FUZZ_REQUIRE(i < scenario->coordinates.count && scenario_takes(scenario, i), "neighbour %u",
                     i);
        FUZZ_REQUIRE(!seen[i], "neighbour %u twice", i);
        FUZZ_REQUIRE(j == 0 || distances[j] >= distances[j - 1], "%g after %g", distances[j],
                     distances[j - 1]);
        seen[i] = true;
    }
}

static void require_nearest(const struct scenario *scenario, const struct shepard_points *points)
{
    const size_t k = scenario->k, m = scenario->targets.count;
    uint32_t *indices = calloc(m * k + 1, sizeof *indices);
    double *distances = calloc(m * k + 1, sizeof *distances);
    const struct shepard_nearest_output output = {
        .size = sizeof output, .indices = indices, .distances = shepard_output_doubles(distances)};
    struct shepard_error error = {0};
    if (indices && distances) {
        const enum shepard_status status =
            shepard_nearest(points, &scenario->targets, k, &output, NULL, &error);
        if (status != SHEPARD_OK)
            require_message(status, &error);
        for (size_t i = 0; status == SHEPARD_OK && i < m; i++)
            require_neighbours(scenario, indices + i * k, distances + i * k);
    }
    free(indices);
    free(distances);
}

/* Points and a field; nothing after an error. */
static enum shepard_status make(const struct scenario *scenario, struct shepard_points **points,
                                struct shepard_field **field)
{
    struct shepard_error error = {0};
    enum shepard_status status =
        shepard_points_create(&scenario->coordinates, &scenario->options, points, &error);
    if (status == SHEPARD_OK) {
        require_points(scenario, *points);
        status = shepard_field_create(*points, &scenario->values, field, &error);
    }
    if (status == SHEPARD_OK) {
        require_field(scenario, *field);
        return status;
    }
    require_message(status, &error);
    FUZZ_REQUIRE(*field == NULL, "a field after an error");
    shepard_points_free(*points);
    return status;
}

/* Status of the first call that fails. The targets become the raster's cells at the end. */
static enum shepard_status run(struct scenario *scenario, enum shepard_backend backend,
                               struct results *results, struct results *others)
{
    const struct shepard_targets targets = scenario->targets;
    struct shepard_points *points = NULL;
    struct shepard_field *field = NULL;
    scenario->options.backend = backend;
    enum shepard_status status = make(scenario, &points, &field);
    if (status != SHEPARD_OK)
        return status;
    require_nearest(scenario, points);
    status = predict(scenario, field, &targets, results);
    if (status == SHEPARD_OK) {
        require_values(scenario, results, targets.count);
        require_again(scenario, field, results);
    }
    require_raster(scenario, field);
    scenario->targets = targets;
    const enum shepard_status left_out = predict(scenario, field, &scenario->others, others);
    if (left_out == SHEPARD_OK)
        require_values(scenario, others, scenario->others.count);
    if (status == SHEPARD_OK)
        status = left_out;
    shepard_field_free(field);
    shepard_points_free(points);
    return status;
}

static void require_near(double a, double b, double tolerance, const char *what)
{
    FUZZ_REQUIRE(same_bits(a, b) || fabs(a - b) <= tolerance, "%s: ref %.17g, cpu %.17g, limit %g",
                 what, a, b, tolerance);
}

static void compare(const struct scenario *scenario, const struct results *ref,
                    const struct results *cpu, size_t m)
{
#define NAME(id, array, name) #array,
    static const char *const names[] = {SHEPARD_DIAGNOSTIC_LIST(NAME, NONE)};
#undef NAME
    const bool plane = extrapolates(scenario);
    const double eps = has_tolerance(scenario) ? scenario->parameters.eps : 0;
    const bool in_double = scenario->parameters.precision == SHEPARD_PRECISION_DOUBLE;
    const double accuracy = (is_kriging(scenario) ? 1e-6 : in_double ? 1e-9 : 1e-5) + eps;
    for (size_t i = 0; i < m; i++) {
        for (int d = 0; d < DIAGNOSTICS; d++)
            require_near(ref->diagnostic[d][i], cpu->diagnostic[d][i],
                         d == DIAGNOSTIC_COUNT ? 0 : 10 * accuracy * fabs(ref->diagnostic[d][i]),
                         names[d]);
        /* A plane keeps its tolerance near the data only, and the targets are anywhere. */
        for (size_t c = 0; c < scenario->values.column_count && !(plane && eps > 0); c++) {
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
    static struct results ref, cpu, ref_others, cpu_others;
    ref = cpu = ref_others = cpu_others = (struct results){0};
    if (twin) {
        const enum shepard_status by_ref = run(scenario, SHEPARD_BACKEND_REF, &ref, &ref_others);
        const enum shepard_status by_cpu = run(twin, SHEPARD_BACKEND_CPU, &cpu, &cpu_others);
        FUZZ_REQUIRE(by_ref == by_cpu, "ref gives status %d, cpu %d", (int)by_ref, (int)by_cpu);
        if (by_ref == SHEPARD_OK && !scenario->wild) {
            compare(scenario, &ref, &cpu, scenario->targets.count);
            compare(scenario, &ref_others, &cpu_others, scenario->others.count);
        }
    }
    free(twin);
    free(scenario);
    return 0;
}
