/* SPDX-License-Identifier: MIT */
/* Writing rasters: what is stored, when it shows, and that failures leave nothing behind. */
#include "fixture.h"

#include <cpl_error.h>
#include <gdal.h>
#include <math.h>
#include <ogr_srs_api.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct shepard_raster four_by_three = {
    .x0 = 500000.0, .y0 = 5300030.0, .dx = 10.0, .dy = -10.0, .columns = 4, .rows = 3};

static struct shepard_raster_spec spec_for(const char *path)
{
    return (struct shepard_raster_spec){
        .path = path, .raster = four_by_three, .bands = 1, .srs = "EPSG:32632"};
}

static double value_at(size_t b, size_t column, size_t row)
{
    return 100.0 * (double)b + 10.0 * (double)row + (double)column + 0.25;
}

/* Row by row, as windows. */
static void write_rows(struct shepard_raster_file *file, size_t bands)
{
    for (size_t b = 0; b < bands; b++)
        for (size_t row = 0; row < 3; row++) {
            double values[4];
            for (size_t column = 0; column < 4; column++)
                values[column] = value_at(b, column, row);
            const struct shepard_window window = {0, row, 4, 1};
            assert_int_equal(shepard_raster_file_write(file, b, &window, values, NULL, NULL),
                             SHEPARD_IO_OK);
        }
}

static struct shepard_raster_file *create(const struct shepard_raster_spec *spec)
{
    struct shepard_raster_file *file = NULL;
    struct shepard_io_error error = {.message = ""};
    if (shepard_raster_file_create(spec, &file, NULL, &error))
        fail_msg("%s", error.message);
    return file;
}

static void commit(struct shepard_raster_file *file)
{
    struct shepard_io_error error = {.message = ""};
    if (shepard_raster_file_commit(file, NULL, &error))
        fail_msg("%s", error.message);
}

static void write_whole(const struct shepard_raster_spec *spec)
{
    struct shepard_raster_file *file = create(spec);
    write_rows(file, spec->bands);
    commit(file);
}

static struct shepard_io_error create_error(const struct shepard_raster_spec *spec)
{
    struct shepard_raster_file *file = NULL;
    struct shepard_io_error error = {.message = ""};
    assert_int_not_equal(shepard_raster_file_create(spec, &file, NULL, &error), SHEPARD_IO_OK);
    assert_null(file);
    return error;
}

static void check_values(GDALDatasetH dataset, size_t bands, double tolerance)
{
    for (size_t b = 0; b < bands; b++) {
        double values[12];
        assert_int_equal(GDALRasterIO(GDALGetRasterBand(dataset, (int)b + 1), GF_Read, 0, 0, 4, 3,
                                      values, 4, 3, GDT_Float64, 0, 0),
                         CE_None);
        for (size_t i = 0; i < 12; i++)
            assert_true(fabs(values[i] - value_at(b, i % 4, i / 4)) <= tolerance);
    }
}

static void check_file(const char *path, const char *format, size_t bands, double tolerance)
{
    GDALDatasetH dataset = GDALOpen(path, GA_ReadOnly);
    assert_non_null(dataset);
    assert_string_equal(GDALGetDriverShortName(GDALGetDatasetDriver(dataset)), format);
    assert_int_equal(GDALGetRasterCount(dataset), bands);
    check_values(dataset, bands, tolerance);
    double transform[6];
    assert_int_equal(GDALGetGeoTransform(dataset, transform), CE_None);
    assert_true(transform[0] == 500000.0 && transform[1] == 10.0 && transform[3] == 5300030.0 &&
                transform[5] == -10.0);
    GDALClose(dataset);
}

/* ---- What is stored -------------------------------------------------------------------------- */

static void stores_values_and_header(void **state)
{
    (void)state;
    empty_folder();
    static const struct shepard_band bands[] = {
        {.description = "zinc", .has_nodata = true, .nodata = -9999.0},
        {.description = "lead", .has_nodata = true, .nodata = -9999.0}};
    static const char *const metadata[] = {"METHOD=idw", "NOTE=a=b", NULL};
    struct shepard_raster_spec spec = spec_for(in_folder("a.tif"));
    spec.bands = 2;
    spec.band = bands;
    spec.metadata = metadata;
    write_whole(&spec);
    assert_int_equal(files_in_folder(), 1);
    check_file(spec.path, "GTiff", 2, 0.0);
    GDALDatasetH dataset = GDALOpen(spec.path, GA_ReadOnly);
    assert_string_equal(GDALGetDescription(GDALGetRasterBand(dataset, 2)), "lead");
    assert_true(GDALGetRasterNoDataValue(GDALGetRasterBand(dataset, 1), NULL) == -9999.0);
    assert_string_equal(GDALGetMetadataItem(dataset, "METHOD", NULL), "idw");
    assert_string_equal(GDALGetMetadataItem(dataset, "NOTE", NULL), "a=b");
    assert_non_null(strstr(GDALGetProjectionRef(dataset), "UTM zone 32N"));
    assert_int_equal(GDALGetRasterDataType(GDALGetRasterBand(dataset, 1)), GDT_Float64);
    GDALClose(dataset);
}

static void writes_many_formats(void **state)
{
    (void)state;
    static const struct {
        const char *name, *format;
        size_t files;
    } cases[] = {{"f.img", "HFA", 1},      {"f.asc", "AAIGrid", 2}, {"f.xyz", "XYZ", 1},
                 {"f.nc", "netCDF", 1},    {"f.bil", "EHdr", 3},    {"f.rst", "RST", 2},
                 {"f.vrt.tif", "GTiff", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        empty_folder();
        struct shepard_raster_spec spec = spec_for(in_folder(cases[i].name));
        spec.type = "float32";
        write_whole(&spec);
        check_file(spec.path, cases[i].format, 1, 1e-3);
        if (files_in_folder() < cases[i].files)
            fail_msg("%s has too few files", cases[i].name);
    }
}

static void check_variable(const struct shepard_raster_spec *spec, size_t b, const char *name)
{
    char path[600];
    snprintf(path, sizeof path, "NETCDF:\"%s\":%s", spec->path, name);
    GDALDatasetH dataset = GDALOpen(path, GA_ReadOnly);
    assert_non_null(dataset);
    GDALRasterBandH band = GDALGetRasterBand(dataset, 1);
    double values[12], transform[6];
    assert_int_equal(GDALRasterIO(band, GF_Read, 0, 0, 4, 3, values, 4, 3, GDT_Float64, 0, 0),
                     CE_None);
    for (size_t i = 0; i < 12; i++)
        assert_true(values[i] == value_at(b, i % 4, i / 4));
    const struct shepard_raster *raster = &spec->raster;
    assert_int_equal(GDALGetGeoTransform(dataset, transform), CE_None);
    assert_true(transform[0] == raster->x0 && transform[1] == raster->dx &&
                transform[3] == raster->y0 && transform[5] == raster->dy);
    const double nodata = GDALGetRasterNoDataValue(band, NULL);
    assert_true(isnan(spec->band[b].nodata) ? isnan(nodata) : nodata == spec->band[b].nodata);
    OGRSpatialReferenceH srs = GDALGetSpatialRef(dataset);
    assert_int_equal(srs != NULL, spec->srs != NULL);
    if (srs)
        assert_int_equal(OSRIsGeographic(srs), strcmp(spec->srs, "EPSG:4326") == 0);
    GDALClose(dataset);
}

/* Every variable of a netCDF file has its band's name, values, place, nodata value and system. */
static void names_netcdf_variables(void **state)
{
    (void)state;
    static const struct shepard_band bands[] = {
        {.description = "zinc", .has_nodata = true, .nodata = -9999.0},
        {.description = "a b/c", .has_nodata = true, .nodata = NAN},
        {.description = "zinc", .has_nodata = true, .nodata = -9999.0},
        {.description = "#(mg) ", .has_nodata = true, .nodata = -9999.0}};
    static const char *const names[] = {"zinc", "a b_c", "zinc_2", "_#(mg)"};
    static const char *const systems[] = {"EPSG:32632", "EPSG:4326", NULL};
    for (size_t s = 0; s < 3; s++) {
        empty_folder();
        struct shepard_raster_spec spec = spec_for(in_folder("a.nc"));
        spec.bands = 4;
        spec.band = bands;
        spec.srs = systems[s];
        if (s == 1)
            spec.raster = (struct shepard_raster){5, 50, 0.25, -0.5, 4, 3};
        write_whole(&spec);
        for (size_t b = 0; b < 4; b++)
            check_variable(&spec, b, names[b]);
    }
}

static void takes_formats_by_name(void **state)
{
    (void)state;
    empty_folder();
    struct shepard_raster_spec spec = spec_for(in_folder("no_extension"));
    write_whole(&spec);
    check_file(spec.path, "GTiff", 1, 0.0);
    spec.path = in_folder("b.dat");
    spec.format = "envi";
    write_whole(&spec);
    check_file(spec.path, "ENVI", 1, 0.0);
    assert_int_equal(access(in_folder("b.hdr"), F_OK), 0);
}

static void clamps_and_rounds_as_gdal_does(void **state)
{
    (void)state;
    empty_folder();
    struct shepard_raster_spec spec = spec_for(in_folder("byte.png"));
    spec.type = "BYTE";
    struct shepard_raster_file *file = create(&spec);
    const double values[12] = {-5, 0.4, 0.6, 254.5, 255.4, 300, 1, 2, 3, 4, 5, 6};
    const struct shepard_window all = {0, 0, 4, 3};
    assert_int_equal(shepard_raster_file_write(file, 0, &all, values, NULL, NULL), SHEPARD_IO_OK);
    commit(file);
    GDALDatasetH dataset = GDALOpen(spec.path, GA_ReadOnly);
    unsigned char stored[12];
    assert_int_equal(GDALRasterIO(GDALGetRasterBand(dataset, 1), GF_Read, 0, 0, 4, 3, stored, 4, 3,
                                  GDT_Byte, 0, 0),
                     CE_None);
    GDALClose(dataset);
    static const unsigned char expected[12] = {0, 0, 1, 255, 255, 255, 1, 2, 3, 4, 5, 6};
    assert_memory_equal(stored, expected, 12);
}

static void writes_to_memory(void **state)
{
    (void)state;
    struct shepard_raster_spec spec = spec_for("/vsimem/shepard-test.tif");
    write_whole(&spec);
    check_file(spec.path, "GTiff", 1, 0.0);
    VSIUnlink(spec.path);
    shepard_raster_file_abandon(create(&spec));
    VSIStatBufL stat;
    assert_int_not_equal(VSIStatL(spec.path, &stat), 0);
}

static void knows_what_types_hold(void **state)
{
    (void)state;
    assert_true(shepard_raster_type_holds(NULL, NAN));
    assert_true(shepard_raster_type_holds("Float32", -9999));
    assert_true(shepard_raster_type_holds("Int16", -9999));
    assert_false(shepard_raster_type_holds("Byte", -9999));
    assert_false(shepard_raster_type_holds("Int16", NAN));
    assert_false(shepard_raster_type_holds("Int32", 0.5));
    assert_false(shepard_raster_type_holds("nonsense", 1));
    for (size_t i = 0; shepard_raster_type_name(i); i++)
        assert_true(shepard_raster_type_holds(shepard_raster_type_name(i), 1));
}

/* ---- When it shows --------------------------------------------------------------------------- */

static void knows_the_ranges_of_types(void **state)
{
    (void)state;
    static const char *const names[] = {"Byte", "UInt16", "Int16", "UInt32", "Int32"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct shepard_cell_range range;
        assert_true(shepard_raster_type_range(names[i], &range));
        assert_true(range.integer);
        assert_true(shepard_raster_type_holds(names[i], range.low));
        assert_true(shepard_raster_type_holds(names[i], range.high));
        assert_false(shepard_raster_type_holds(names[i], range.low - 1.0));
        assert_false(shepard_raster_type_holds(names[i], range.high + 1.0));
    }
    struct shepard_cell_range range;
    assert_true(shepard_raster_type_range("CInt16", &range));
    assert_true(range.integer && range.low == -32768.0 && range.high == 32767.0);
    assert_true(shepard_raster_type_range("float32", &range));
    assert_true(range.single && !range.integer);
    assert_true(shepard_raster_type_range(NULL, &range));
    assert_false(range.single || range.integer);
    assert_false(shepard_raster_type_range("Int7", &range));
}

static void shows_only_when_finished(void **state)
{
    (void)state;
    empty_folder();
    const struct shepard_raster_spec spec = spec_for(in_folder("c.tif"));
    struct shepard_raster_file *file = create(&spec);
    assert_int_not_equal(access(spec.path, F_OK), 0);
    write_rows(file, 1);
    assert_int_not_equal(access(spec.path, F_OK), 0);
    commit(file);
    assert_int_equal(access(spec.path, F_OK), 0);
    assert_int_equal(files_in_folder(), 1);
}

static void abandoned_outputs_leave_nothing(void **state)
{
    (void)state;
    static const char *const names[] = {"d.tif", "d.asc", "d.bil", "d.nc"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        empty_folder();
        struct shepard_raster_spec spec = spec_for(in_folder(names[i]));
        spec.type = "Float32";
        struct shepard_raster_file *file = create(&spec);
        write_rows(file, 1);
        shepard_raster_file_abandon(file);
        assert_int_equal(files_in_folder(), 0);
    }
    shepard_raster_file_abandon(NULL);
}

static void existing_outputs_stay_until_replaced(void **state)
{
    (void)state;
    empty_folder();
    const char *path = write_text("e.tif", "precious");
    write_text("e.tif.aux.xml", "<PAMDataset/>");
    const struct shepard_raster_spec spec = spec_for(path);
    struct shepard_raster_file *file = create(&spec);
    write_rows(file, 1);
    shepard_raster_file_abandon(file);
    char *text = read_text(path);
    assert_string_equal(text, "precious");
    free(text);
    write_whole(&spec);
    check_file(path, "GTiff", 1, 0.0);
    /* The old side-car file must not be taken for the new raster's. */
    assert_int_equal(files_in_folder(), 1);
}

/* A new raster without a coordinate system must not get that of the old one; but roads.prj belongs
 * to roads.shp too, and a VRT's sources are no part of it. */
static void files_of_others_stay(void **state)
{
    (void)state;
    empty_folder();
    struct shepard_raster_spec spec = spec_for(in_folder("s.asc"));
    spec.format = "AAIGrid";
    const char *shape = write_text("s.shp", "another's");
    write_whole(&spec);
    assert_int_equal(access(in_folder("s.prj"), F_OK), 0);
    spec.srs = NULL;
    write_whole(&spec);
    assert_int_equal(access(shape, F_OK), 0);
    assert_int_equal(access(in_folder("s.prj"), F_OK), 0);
    unlink(shape);
    write_whole(&spec);
    assert_int_not_equal(access(in_folder("s.prj"), F_OK), 0);
    struct shepard_raster_spec source = spec_for(in_folder("v.tif"));
    write_whole(&source);
    write_text("v.vrt", "<VRTDataset rasterXSize='4' rasterYSize='3'><VRTRasterBand band='1' "
                        "dataType='Float64'><SimpleSource><SourceFilename relativeToVRT='1'>v.tif"
                        "</SourceFilename></SimpleSource></VRTRasterBand></VRTDataset>");
    struct shepard_raster_spec over = spec_for(in_folder("v.vrt"));
    over.format = "GTiff";
    write_whole(&over);
    check_file(source.path, "GTiff", 1, 0.0);
    check_file(over.path, "GTiff", 1, 0.0);
}

static enum shepard_io_status try_output(const char *path, bool vector, const char *const *options,
                                         struct shepard_io_error *error)
{
    const struct shepard_output_spec spec = {
        .path = path, .vector = vector, .creation_options = options};
    return shepard_output_check(&spec, NULL, error);
}

static void a_check_leaves_nothing(void **state)
{
    (void)state;
    empty_folder();
    struct shepard_io_error error = {.message = ""};
    static const char *const wrong[] = {"COMPRESS=NOSUCH", NULL};
    assert_int_equal(try_output(in_folder("o.tif"), false, NULL, &error), SHEPARD_IO_OK);
    assert_int_equal(try_output(in_folder("o.tif"), false, wrong, &error), SHEPARD_IO_ERROR_FORMAT);
    assert_int_equal(try_output(in_folder("o.tif"), true, NULL, &error), SHEPARD_IO_ERROR_FORMAT);
    assert_int_equal(try_output(in_folder("no/o.csv"), true, NULL, &error), SHEPARD_IO_ERROR_WRITE);
    assert_int_equal(try_output(NULL, true, NULL, &error), SHEPARD_IO_ERROR_ARGUMENT);
    assert_int_equal(files_in_folder(), 0);
    const char *path = write_text("e.tif", "precious");
    assert_int_equal(try_output(path, false, NULL, &error), SHEPARD_IO_OK);
    char *text = read_text(path);
    assert_string_equal(text, "precious");
    free(text);
}

static void count_warning(const char *message, void *user)
{
    *(int *)user += strstr(message, "does not keep") != NULL;
}

static void says_where_nodata_is_lost(void **state)
{
    (void)state;
    static const char *const formats[][2] = {
        {"n.tif", "GTiff"}, {"n.asc", "AAIGrid"}, {"n.xyz", "XYZ"}};
    for (int i = 0; i < 3; i++)
        for (int empty = 0; empty < 2; empty++) {
            empty_folder();
            /* A value of the raster itself, or none. */
            const struct shepard_band band = {.has_nodata = true,
                                              .nodata = empty ? value_at(0, 1, 1) : -9999.0};
            struct shepard_raster_spec spec = spec_for(in_folder(formats[i][0]));
            spec.format = formats[i][1];
            spec.band = &band;
            int warnings = 0;
            const struct shepard_io_control control = {.warning = count_warning, .user = &warnings};
            struct shepard_io_error error = {.message = ""};
            struct shepard_raster_file *file = create(&spec);
            write_rows(file, 1);
            assert_int_equal(shepard_raster_file_commit(file, &control, &error), SHEPARD_IO_OK);
            assert_int_equal(warnings, empty && i == 2);
        }
}

static void two_outputs_of_one_name_do_not_meet(void **state)
{
    (void)state;
    empty_folder();
    const struct shepard_raster_spec spec = spec_for(in_folder("f.tif"));
    struct shepard_raster_file *first = create(&spec), *second = create(&spec);
    write_rows(first, 1);
    write_rows(second, 1);
    commit(first);
    shepard_raster_file_abandon(second);
    check_file(spec.path, "GTiff", 1, 0.0);
    assert_int_equal(files_in_folder(), 1);
}

/* ---- What goes wrong ------------------------------------------------------------------------- */

static void check_error(struct shepard_io_error error, enum shepard_io_status status,
                        const char *says)
{
    assert_int_equal(error.status, status);
    if (!strstr(error.message, says))
        fail_msg("\"%s\" does not say \"%s\"", error.message, says);
    assert_int_equal(files_in_folder(), 0);
}

static void *report_in_thread(void *message)
{
    CPLError(CE_Failure, CPLE_OutOfMemory, "%s", (const char *)message);
    return NULL;
}

/* As GDAL does where a block cannot be compressed. */
static void report_on_another_thread(const char *message)
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, report_in_thread, (void *)(uintptr_t)message),
                     0);
    pthread_join(thread, NULL);
}

static void errors_of_gdals_threads_fail_the_file(void **state)
{
    (void)state;
    static const char *const inputs[] = {"points=some", NULL};
    shepard_io_use_threads(2);
    empty_folder();
    struct shepard_io_error error = {.message = ""};
    struct shepard_raster_spec spec = spec_for(in_folder("t.tif"));
    struct shepard_raster_file *file = create(&spec);
    write_rows(file, 1);
    report_on_another_thread("no memory for a block");
    assert_int_not_equal(shepard_raster_file_commit(file, NULL, &error), SHEPARD_IO_OK);
    check_error(error, SHEPARD_IO_ERROR_WRITE, "no memory for a block");
    file = create(&spec);
    report_on_another_thread("of a file that is abandoned");
    shepard_raster_file_abandon(file);
    write_whole(&spec);
    check_file(spec.path, "GTiff", 1, 0.0);

    empty_folder();
    spec.resume_inputs = inputs;
    file = create(&spec);
    const struct shepard_window window = {0, 0, 4, 3};
    const double values[12] = {0};
    assert_int_equal(shepard_raster_file_write(file, 0, &window, values, NULL, NULL),
                     SHEPARD_IO_OK);
    report_on_another_thread("no memory for a kept block");
    assert_int_not_equal(shepard_raster_file_keep(file, NULL, 0, NULL, &error), SHEPARD_IO_OK);
    shepard_raster_file_abandon(file);
    assert_non_null(strstr(error.message, "no memory for a kept block"));
    empty_folder();
}

static void says_what_cannot_be_created(void **state)
{
    (void)state;
    empty_folder();
    struct shepard_raster_spec spec = spec_for(in_folder("g.tif"));
    spec.format = "GTif";
    check_error(create_error(&spec), SHEPARD_IO_ERROR_FORMAT, "did you mean \"GTiff\"?");
    spec = spec_for(in_folder("g.nosuch"));
    check_error(create_error(&spec), SHEPARD_IO_ERROR_FORMAT, ".nosuch");
    spec = spec_for(in_folder("nofolder/g.tif"));
    check_error(create_error(&spec), SHEPARD_IO_ERROR_WRITE, "there is no folder");
    spec = spec_for("/tmp");
    check_error(create_error(&spec), SHEPARD_IO_ERROR_WRITE, "it is a folder");
    spec = spec_for(in_folder("g.tif"));
    spec.type = "Float46";
    check_error(create_error(&spec), SHEPARD_IO_ERROR_ARGUMENT, "did you mean \"Float64\"?");
    spec.type = NULL;
    spec.srs = "EPSG:nowhere";
    check_error(create_error(&spec), SHEPARD_IO_ERROR_SRS, "EPSG:nowhere");
    spec = spec_for(in_folder("g.png"));
    check_error(create_error(&spec), SHEPARD_IO_ERROR_FORMAT, "-ot");
    spec.type = "Byte";
    spec.bands = 7;
    check_error(create_error(&spec), SHEPARD_IO_ERROR_FORMAT, "7 bands");
}

static void says_what_creation_option_is_wrong(void **state)
{
    (void)state;
    empty_folder();
    static const char *const unknown[] = {"COMPRES=LZW", NULL};
    static const char *const wrong[] = {"COMPRESS=NOSUCH", NULL};
    static const char *const shapeless[] = {"COMPRESS", NULL};
    struct shepard_raster_spec spec = spec_for(in_folder("h.tif"));
    spec.creation_options = unknown;
    check_error(create_error(&spec), SHEPARD_IO_ERROR_FORMAT, "did you mean \"COMPRESS\"?");
    spec.creation_options = wrong;
    check_error(create_error(&spec), SHEPARD_IO_ERROR_FORMAT, "NOSUCH");
    spec.creation_options = shapeless;
    check_error(create_error(&spec), SHEPARD_IO_ERROR_FORMAT, "NAME=VALUE");
}

static void refuses_too_large_rasters(void **state)
{
    (void)state;
    empty_folder();
    struct shepard_raster_spec spec = spec_for(in_folder("i.tif"));
    spec.raster.columns = (size_t)1 << 40;
    check_error(create_error(&spec), SHEPARD_IO_ERROR_SIZE, "too large");
    spec.raster.columns = spec.raster.rows = 2000000000;
    check_error(create_error(&spec), SHEPARD_IO_ERROR_SIZE, "too large");
    spec.raster.columns = 0;
    check_error(create_error(&spec), SHEPARD_IO_ERROR_ARGUMENT, "at least one");
}

static void refuses_windows_outside(void **state)
{
    (void)state;
    empty_folder();
    const struct shepard_raster_spec spec = spec_for(in_folder("j.tif"));
    struct shepard_raster_file *file = create(&spec);
    const double values[12] = {0};
    static const struct shepard_window wrong[] = {
        {0, 0, 5, 1}, {4, 0, 1, 1}, {0, 3, 4, 1}, {0, 0, 0, 1}, {1, 0, SIZE_MAX, 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(shepard_raster_file_write(file, 0, &wrong[i], values, NULL, NULL),
                         SHEPARD_IO_ERROR_ARGUMENT);
    const struct shepard_window right = {0, 0, 4, 1};
    assert_int_equal(shepard_raster_file_write(file, 1, &right, values, NULL, NULL),
                     SHEPARD_IO_ERROR_ARGUMENT);
    shepard_raster_file_abandon(file);
    assert_int_equal(files_in_folder(), 0);
}

static void a_cancelled_copy_leaves_nothing(void **state)
{
    (void)state;
    empty_folder();
    const struct shepard_raster_spec spec = spec_for(in_folder("k.asc"));
    struct shepard_raster_file *file = create(&spec);
    write_rows(file, 1);
    const struct shepard_io_control control = {.progress = cancel};
    assert_int_equal(shepard_raster_file_commit(file, &control, NULL), SHEPARD_IO_ERROR_CANCELLED);
    assert_int_equal(files_in_folder(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stores_values_and_header),
        cmocka_unit_test(writes_many_formats),
        cmocka_unit_test(names_netcdf_variables),
        cmocka_unit_test(takes_formats_by_name),
        cmocka_unit_test(clamps_and_rounds_as_gdal_does),
        cmocka_unit_test(writes_to_memory),
        cmocka_unit_test(knows_what_types_hold),
        cmocka_unit_test(knows_the_ranges_of_types),
        cmocka_unit_test(shows_only_when_finished),
        cmocka_unit_test(abandoned_outputs_leave_nothing),
        cmocka_unit_test(existing_outputs_stay_until_replaced),
        cmocka_unit_test(files_of_others_stay),
        cmocka_unit_test(a_check_leaves_nothing),
        cmocka_unit_test(says_where_nodata_is_lost),
        cmocka_unit_test(two_outputs_of_one_name_do_not_meet),
        cmocka_unit_test(errors_of_gdals_threads_fail_the_file),
        cmocka_unit_test(says_what_cannot_be_created),
        cmocka_unit_test(says_what_creation_option_is_wrong),
        cmocka_unit_test(refuses_too_large_rasters),
        cmocka_unit_test(refuses_windows_outside),
        cmocka_unit_test(a_cancelled_copy_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, fixture_begin, fixture_end);
}
