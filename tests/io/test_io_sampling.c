/* SPDX-License-Identifier: MIT */
/* Numbers out of rasters: between cells, at edges and gaps, across tiles, in other systems. */
#include "fixture.h"

#include <gdal.h>
#include <ogr_srs_api.h>

/* What the rasters hold: linear, so that any interpolation between cells is exact. */
static double plane(double column, double row)
{
    return 3 + 0.5 * column - 2 * row;
}

static const double north_up[6] = {1000, 10, 0, 5000, 0, -10};

/* Of so many columns and rows; cells with plane() at their centres, in cells from the corner. */
static const char *write_raster(const char *name, int columns, int rows, const double *transform,
                                int bands)
{
    const char *path = in_folder(name);
    double place[6];
    memcpy(place, transform, sizeof place);
    GDALDatasetH dataset =
        GDALCreate(GDALGetDriverByName("GTiff"), path, columns, rows, bands, GDT_Float64, NULL);
    double *values = malloc((size_t)columns * (size_t)rows * sizeof *values);
    for (int i = 0; i < columns * rows; i++)
        values[i] = plane(i % columns + 0.5, (double)(i / columns) + 0.5);
    GDALSetGeoTransform(dataset, place);
    for (int b = 1; b <= bands; b++)
        assert_int_equal(GDALRasterIO(GDALGetRasterBand(dataset, b), GF_Write, 0, 0, columns, rows,
                                      values, columns, rows, GDT_Float64, 0, 0),
                         CE_None);
    free(values);
    GDALClose(dataset);
    return path;
}

static struct shepard_sampled_raster *open_raster(const char *path)
{
    struct shepard_sampled_raster *raster = NULL;
    struct shepard_io_error error = {.message = ""};
    if (shepard_sampled_raster_open(path, &raster, NULL, &error))
        fail_msg("%s", error.message);
    return raster;
}

static double sample(struct shepard_sampled_raster *raster, double x, double y)
{
    double value = 0;
    assert_int_equal(shepard_sampled_raster_read(raster, 1, &x, &y, &value, NULL, NULL),
                     SHEPARD_IO_OK);
    return value;
}

static uint64_t next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

static void interpolates_across_tiles(void **state)
{
    (void)state;
    enum { COLUMNS = 1300, ROWS = 700, COUNT = 5000 };
    static double x[COUNT], y[COUNT], values[COUNT];
    struct shepard_sampled_raster *raster =
        open_raster(write_raster("large.tif", COLUMNS, ROWS, north_up, 1));
    uint64_t seed = 5;
    for (int i = 0; i < COUNT; i++) {
        x[i] = 1000 + 10 * (0.5 + (double)(next(&seed) % 1299000) / 1000);
        y[i] = 5000 - 10 * (0.5 + (double)(next(&seed) % 699000) / 1000);
    }
    assert_int_equal(shepard_sampled_raster_read(raster, COUNT, x, y, values, NULL, NULL),
                     SHEPARD_IO_OK);
    for (int i = 0; i < COUNT; i++)
        assert_true(fabs(values[i] - plane((x[i] - 1000) / 10, (5000 - y[i]) / 10)) < 1e-8);
    shepard_sampled_raster_close(raster);
}

static void edges_take_their_own_cell(void **state)
{
    (void)state;
    struct shepard_sampled_raster *raster =
        open_raster(write_raster("edge.tif", 4, 3, north_up, 1));
    assert_true(sample(raster, 1000, 5000) == plane(0.5, 0.5));
    assert_true(sample(raster, 1004, 4985) == plane(0.5, 1.5));
    assert_true(sample(raster, 1040, 4970) == plane(3.5, 2.5));
    assert_true(sample(raster, 1012, 4999) == plane(1.5, 0.5));
    assert_true(isnan(sample(raster, 999.9, 4990)));
    assert_true(isnan(sample(raster, 1040.1, 4990)));
    assert_true(isnan(sample(raster, 1010, 4969.9)));
    assert_true(isnan(sample(raster, NAN, 4990)));
    shepard_sampled_raster_close(raster);
}

static void gaps_take_their_own_cell(void **state)
{
    (void)state;
    const char *path = write_raster("gaps.tif", 4, 3, north_up, 1);
    GDALDatasetH dataset = GDALOpen(path, GA_Update);
    double nodata = -7;
    GDALSetRasterNoDataValue(GDALGetRasterBand(dataset, 1), nodata);
    assert_int_equal(GDALRasterIO(GDALGetRasterBand(dataset, 1), GF_Write, 1, 1, 1, 1, &nodata, 1,
                                  1, GDT_Float64, 0, 0),
                     CE_None);
    GDALClose(dataset);
    struct shepard_sampled_raster *raster = open_raster(path);
    assert_true(isnan(sample(raster, 1015, 4985)));
    assert_true(isnan(sample(raster, 1019, 4981)));
    assert_true(sample(raster, 1021, 4981) == plane(2.5, 1.5));
    assert_true(fabs(sample(raster, 1030, 4988) - plane(3, 1.2)) < 1e-12);
    shepard_sampled_raster_close(raster);
}

static void applies_scale_and_offset(void **state)
{
    (void)state;
    const char *path = write_raster("scaled.tif", 4, 3, north_up, 1);
    GDALDatasetH dataset = GDALOpen(path, GA_Update);
    GDALSetRasterScale(GDALGetRasterBand(dataset, 1), 0.25);
    GDALSetRasterOffset(GDALGetRasterBand(dataset, 1), 100);
    GDALClose(dataset);
    struct shepard_sampled_raster *raster = open_raster(path);
    assert_true(fabs(sample(raster, 1020, 4988) - (100 + 0.25 * plane(2, 1.2))) < 1e-12);
    shepard_sampled_raster_close(raster);
}

static void follows_a_rotated_raster(void **state)
{
    (void)state;
    const double turned[6] = {1000, 8, 6, 5000, 6, -8};
    struct shepard_sampled_raster *raster =
        open_raster(write_raster("turned.tif", 9, 7, turned, 1));
    const double column = 3.3, row = 4.1;
    assert_true(fabs(sample(raster, 1000 + 8 * column + 6 * row, 5000 + 6 * column - 8 * row) -
                     plane(column, row)) < 1e-9);
    shepard_sampled_raster_close(raster);
}

static void transforms_places(void **state)
{
    (void)state;
    const double place[6] = {500000, 1000, 0, 5300000, 0, -1000};
    const char *path = write_raster("utm.tif", 40, 30, place, 1);
    GDALDatasetH dataset = GDALOpen(path, GA_Update);
    OGRSpatialReferenceH srs = OSRNewSpatialReference(NULL);
    OSRImportFromEPSG(srs, 32632);
    GDALSetSpatialRef(dataset, srs);
    OSRDestroySpatialReference(srs);
    GDALClose(dataset);
    struct shepard_sampled_raster *raster = open_raster(path);
    char warnings[2000] = "";
    const struct shepard_io_control control = {.warning = collect_warning, .user = warnings};
    assert_int_equal(shepard_sampled_raster_set_srs(raster, "EPSG:4326", &control, NULL),
                     SHEPARD_IO_OK);
    /* echo 9.2 47.75 | gdaltransform -s_srs EPSG:4326 -t_srs EPSG:32632: 514991.0343 5288533.738 */
    assert_true(fabs(sample(raster, 9.2, 47.75) - plane(14.9910343, 11.466262)) < 1e-6);
    assert_string_equal(warnings, "");
    assert_int_equal(shepard_sampled_raster_set_srs(raster, NULL, &control, NULL), SHEPARD_IO_OK);
    assert_non_null(strstr(warnings, "the coordinate system of the points is unknown"));
    assert_true(fabs(sample(raster, 510000, 5290000) - plane(10, 10)) < 1e-9);
    shepard_sampled_raster_close(raster);
}

static void says_what_it_cannot_sample(void **state)
{
    (void)state;
    struct shepard_sampled_raster *raster = NULL;
    struct shepard_io_error error = {.message = ""};
    const double none[6] = {0, 0, 0, 0, 0, 0};
    assert_int_equal(shepard_sampled_raster_open(write_raster("three.tif", 4, 3, north_up, 3),
                                                 &raster, NULL, &error),
                     SHEPARD_IO_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "has 3 bands"));
    assert_int_equal(
        shepard_sampled_raster_open(write_text("text.tif", "not a raster"), &raster, NULL, &error),
        SHEPARD_IO_ERROR_OPEN);
    assert_int_equal(shepard_sampled_raster_open(write_raster("nowhere.tif", 4, 3, none, 1),
                                                 &raster, NULL, &error),
                     SHEPARD_IO_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "has no georeference"));
    assert_null(raster);
}

static void knows_the_names_of_rasters(void **state)
{
    (void)state;
    const char *path = write_raster("named.tif", 4, 3, north_up, 1);
    char virtual[1000];
    snprintf(virtual, sizeof virtual, "vrt://%s?bands=1", path);
    assert_true(shepard_io_names_raster(path));
    assert_true(shepard_io_names_raster(virtual));
    assert_false(shepard_io_names_raster("elev"));
    assert_false(shepard_io_names_raster("part.a"));
    assert_false(shepard_io_names_raster(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interpolates_across_tiles),  cmocka_unit_test(edges_take_their_own_cell),
        cmocka_unit_test(gaps_take_their_own_cell),   cmocka_unit_test(applies_scale_and_offset),
        cmocka_unit_test(follows_a_rotated_raster),   cmocka_unit_test(transforms_places),
        cmocka_unit_test(says_what_it_cannot_sample), cmocka_unit_test(knows_the_names_of_rasters),
    };
    return cmocka_run_group_tests(tests, fixture_begin, fixture_end);
}
