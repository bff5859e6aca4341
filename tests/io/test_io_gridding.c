/* SPDX-License-Identifier: MIT */
/* GDAL's own algorithms: what they compute for plain cases, and the texts that name them. */
#include "fixture.h"

static const double px[] = {0.0, 10.0, 0.0, 10.0};
static const double py[] = {0.0, 0.0, 10.0, 10.0};
/* z = 1 + 2 x + 3 y, which linear interpolation reproduces. */
static const double pz[] = {1.0, 21.0, 31.0, 51.0};

static const struct shepard_raster raster = {
    .x0 = 0.0, .y0 = 10.0, .dx = 2.5, .dy = -2.5, .columns = 4, .rows = 4};

static struct shepard_gdal_grid *create(const char *algorithm)
{
    struct shepard_gdal_grid *grid = NULL;
    struct shepard_io_error error = {.message = ""};
    if (shepard_gdal_grid_create(algorithm, 4, px, py, pz, &grid, &error))
        fail_msg("%s", error.message);
    return grid;
}

static void run(const struct shepard_gdal_grid *grid, const struct shepard_window *window,
                double *values)
{
    struct shepard_io_error error = {.message = ""};
    if (shepard_gdal_grid_run(grid, &raster, window, values, NULL, &error))
        fail_msg("%s", error.message);
}

static double plane(size_t column, size_t row)
{
    return 1.0 + 2.0 * (2.5 * ((double)column + 0.5)) + 3.0 * (10.0 - 2.5 * ((double)row + 0.5));
}

static void linear_reproduces_a_plane(void **state)
{
    (void)state;
    struct shepard_gdal_grid *grid = create("linear");
    double values[16];
    run(grid, NULL, values);
    for (size_t i = 0; i < 16; i++)
        assert_true(fabs(values[i] - plane(i % 4, i / 4)) < 1e-9);
    const struct shepard_window window = {1, 2, 2, 2};
    run(grid, &window, values);
    for (size_t i = 0; i < 4; i++)
        assert_true(fabs(values[i] - plane(1 + i % 2, 2 + i / 2)) < 1e-9);
    shepard_gdal_grid_free(grid);
}

static void check_constant(const char *algorithm, double expected)
{
    struct shepard_gdal_grid *grid = create(algorithm);
    double values[16];
    run(grid, NULL, values);
    for (size_t i = 0; i < 16; i++)
        if (fabs(values[i] - expected) > 1e-9)
            fail_msg("%s gives %g, not %g", algorithm, values[i], expected);
    shepard_gdal_grid_free(grid);
}

static void metrics_over_all_points(void **state)
{
    (void)state;
    check_constant("average", (1.0 + 21.0 + 31.0 + 51.0) / 4.0);
    check_constant("minimum", 1.0);
    check_constant("maximum", 51.0);
    check_constant("range", 50.0);
    check_constant("count", 4.0);
    check_constant("average_distance_pts", (4.0 * 10.0 + 2.0 * sqrt(200.0)) / 6.0);
    check_constant("average:radius1=1:radius2=1:min_points=1:nodata=-5", -5.0);
}

static void nearest_takes_the_nearest(void **state)
{
    (void)state;
    struct shepard_gdal_grid *grid = create("nearest");
    double values[16];
    run(grid, NULL, values);
    assert_true(values[0] == 31.0 && values[3] == 51.0 && values[12] == 1.0 && values[15] == 21.0);
    shepard_gdal_grid_free(grid);
}

static void missing_values_are_left_out(void **state)
{
    (void)state;
    const double z[] = {1.0, NAN, INFINITY, 3.0};
    struct shepard_gdal_grid *grid = NULL;
    double value;
    const struct shepard_window one = {0, 0, 1, 1};
    assert_int_equal(shepard_gdal_grid_create("average", 4, px, py, z, &grid, NULL), SHEPARD_IO_OK);
    run(grid, &one, &value);
    assert_true(value == 2.0);
    shepard_gdal_grid_free(grid);
    const double none[] = {NAN};
    assert_int_equal(shepard_gdal_grid_create("average", 1, px, py, none, &grid, NULL),
                     SHEPARD_IO_ERROR_NO_POINTS);
}

static void check_wrong(const char *text, const char *says)
{
    struct shepard_gdal_algorithm algorithm;
    struct shepard_io_error error = {.message = ""};
    assert_int_equal(shepard_gdal_algorithm_parse(text, &algorithm, &error),
                     SHEPARD_IO_ERROR_ARGUMENT);
    if (!strstr(error.message, says))
        fail_msg("\"%s\" does not say \"%s\"", error.message, says);
}

static void checks_what_gdal_takes_silently(void **state)
{
    (void)state;
    check_wrong("liner", "did you mean \"linear\"?");
    check_wrong("", "there are");
    check_wrong("linear:radious=3", "did you mean \"radius\"?");
    check_wrong("invdist:power=abc", "power");
    check_wrong("average:min_points=1.5", "whole number");
    check_wrong("average:radius1=-1", "radius1");
    check_wrong("nearest:power=2", "no key \"power\"");
    check_wrong("average:radius1", "radius1");
    check_wrong("average:max_points=3", "max_points is ignored");
    check_wrong("average:max_points_per_quadrant=3", "Radius");
}

static void linear_needs_a_triangle(void **state)
{
    (void)state;
    struct shepard_gdal_grid *grid = NULL;
    struct shepard_io_error error = {.message = ""};
    assert_int_not_equal(shepard_gdal_grid_create("linear", 2, px, py, pz, &grid, &error),
                         SHEPARD_IO_OK);
    assert_non_null(strstr(error.message, "number of points is 2"));
    const double line[] = {500000.1, 500000.2, 500000.3, 500000.4};
    const double steep[] = {5300000.7, 5300001.0, 5300001.3, 5300001.6};
    assert_int_equal(shepard_gdal_grid_create("linear", 4, line, steep, pz, &grid, &error),
                     SHEPARD_IO_ERROR_NO_POINTS);
}

static void knows_the_nodata(void **state)
{
    (void)state;
    struct shepard_gdal_algorithm algorithm;
    assert_int_equal(shepard_gdal_algorithm_parse("average:nodata=-7.5:radius=3", &algorithm, NULL),
                     SHEPARD_IO_OK);
    assert_true(algorithm.nodata_given && algorithm.nodata == -7.5);
    assert_string_equal(algorithm.name, "average");
    assert_int_equal(shepard_gdal_algorithm_parse("linear:nodata=nan", &algorithm, NULL),
                     SHEPARD_IO_OK);
    assert_true(algorithm.nodata_given && isnan(algorithm.nodata));
    assert_int_equal(shepard_gdal_algorithm_parse("linear", &algorithm, NULL), SHEPARD_IO_OK);
    assert_true(!algorithm.nodata_given && algorithm.nodata == 0.0);
    for (size_t i = 0; shepard_gdal_algorithm_name(i); i++)
        assert_int_equal(
            shepard_gdal_algorithm_parse(shepard_gdal_algorithm_name(i), &algorithm, NULL),
            SHEPARD_IO_OK);
}

static void can_be_cancelled(void **state)
{
    (void)state;
    struct shepard_gdal_grid *grid = create("average");
    const struct shepard_io_control control = {.progress = cancel};
    double values[16];
    assert_int_equal(shepard_gdal_grid_run(grid, &raster, NULL, values, &control, NULL),
                     SHEPARD_IO_ERROR_CANCELLED);
    shepard_gdal_grid_free(grid);
    shepard_gdal_grid_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_reproduces_a_plane),
        cmocka_unit_test(metrics_over_all_points),
        cmocka_unit_test(nearest_takes_the_nearest),
        cmocka_unit_test(missing_values_are_left_out),
        cmocka_unit_test(checks_what_gdal_takes_silently),
        cmocka_unit_test(linear_needs_a_triangle),
        cmocka_unit_test(knows_the_nodata),
        cmocka_unit_test(can_be_cancelled),
    };
    return cmocka_run_group_tests(tests, fixture_begin, fixture_end);
}
