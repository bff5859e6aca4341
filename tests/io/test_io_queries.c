/* SPDX-License-Identifier: MIT */
/* Query layers in, the same layers with new columns out, standard input and output. */
#include "fixture.h"

#include <cpl_conv.h>
#include <gdal.h>
#include <ogr_api.h>
#include <ogr_srs_api.h>
#include <unistd.h>

static const char *const query_layer[] = {"POINT (500001 5300002);3.5;a", ";2;nowhere",
                                          "POINT (500005.5 5300006);;c", NULL};

/* ---- Helpers --------------------------------------------------------------------------------- */

struct opened {
    struct shepard_source *source;
    struct shepard_target_layer *query;
    struct shepard_target_layer_targets targets;
};

static struct opened open_query(const char *path,
                                const struct shepard_target_layer_options *options)
{
    struct opened opened = {0};
    const struct shepard_source_options from = {.path = path};
    struct shepard_io_error error = {.message = ""};
    if (shepard_source_open(&from, &opened.source, NULL, &error) ||
        shepard_target_layer_open(opened.source, options, &opened.query, NULL, &error))
        fail_msg("%s", error.message);
    shepard_target_layer_get_targets(opened.query, &opened.targets);
    return opened;
}

static void close_query(struct opened *opened)
{
    shepard_target_layer_free(opened->query);
    shepard_source_close(opened->source);
}

static void write_query(const struct opened *opened, const struct shepard_vector_spec *spec,
                        char *warnings)
{
    const struct shepard_io_control control = {.warning = collect_warning, .user = warnings};
    struct shepard_io_error error = {.message = ""};
    if (shepard_target_layer_write(opened->query, spec, warnings ? &control : NULL, &error))
        fail_msg("%s", error.message);
}

static const double predictions[] = {1.25, NAN, -9999.0};
static const double counts[] = {12.0, 0.0, 3.0};
static const struct shepard_new_column two_columns[] = {
    {.name = "z_pred", .values = predictions, .nodata = -9999.0},
    {.name = "count", .values = counts, .integer = true, .nodata = NAN}};

static struct shepard_vector_spec spec_for(const char *path)
{
    return (struct shepard_vector_spec){.path = path, .columns = 2, .column = two_columns};
}

static const struct shepard_target_layer_options plain_options;

/* ---- Targets --------------------------------------------------------------------------------- */

static void targets_keep_the_order(void **state)
{
    (void)state;
    struct opened opened = open_query(write_layer("q.gpkg", "GPKG", query_layer), &plain_options);
    const struct shepard_target_layer_targets *targets = &opened.targets;
    assert_int_equal(targets->count, 3);
    assert_int_equal(targets->missing, 1);
    assert_true(targets->x[0] == 500001 && targets->y[0] == 5300002);
    assert_true(isnan(targets->x[1]) && isnan(targets->y[1]));
    assert_true(targets->x[2] == 500005.5);
    assert_false(targets->transformed);
    close_query(&opened);
}

static void targets_have_values_of_named_fields(void **state)
{
    (void)state;
    const char *const fields[] = {"Z", NULL};
    const struct shepard_target_layer_options options = {.fields = fields};
    struct opened opened = open_query(write_layer("q.gpkg", "GPKG", query_layer), &options);
    const struct shepard_target_layer_targets *targets = &opened.targets;
    assert_int_equal(targets->count, 3);
    assert_int_equal(targets->columns, 1);
    assert_string_equal(targets->column[0].name, "z");
    assert_true(targets->column[0].values[0] == 3.5 && targets->column[0].values[1] == 2);
    assert_true(isnan(targets->column[0].values[2]));
    close_query(&opened);
}

static void targets_go_to_the_srs_of_the_data(void **state)
{
    (void)state;
    char *wkt = NULL;
    assert_int_equal(shepard_io_srs("EPSG:4326", &wkt, NULL, NULL), SHEPARD_IO_OK);
    static const char *const lines[] = {"POINT (500000 0);1;a", ";2;b", NULL};
    const struct shepard_target_layer_options options = {.target_srs = wkt};
    struct opened opened = open_query(write_layer("utm.gpkg", "GPKG", lines), &options);
    assert_true(opened.targets.transformed);
    /* The central meridian of zone 32 is 9 degrees east; longitude comes first. */
    assert_true(fabs(opened.targets.x[0] - 9.0) < 1e-9 && fabs(opened.targets.y[0]) < 1e-9);
    assert_int_equal(opened.targets.missing, 1);
    assert_int_equal(opened.targets.untransformed, 0);
    close_query(&opened);
    shepard_io_free(wkt);
    assert_int_equal(shepard_io_srs("EPSG:32632", &wkt, NULL, NULL), SHEPARD_IO_OK);
    opened = open_query(in_folder("utm.gpkg"),
                        &(struct shepard_target_layer_options){.target_srs = wkt});
    assert_false(opened.targets.transformed);
    assert_true(opened.targets.x[0] == 500000);
    close_query(&opened);
    shepard_io_free(wkt);
}

static void places_that_cannot_be_transformed_are_missing(void **state)
{
    (void)state;
    char *wkt = NULL;
    assert_int_equal(shepard_io_srs("EPSG:3857", &wkt, NULL, NULL), SHEPARD_IO_OK);
    static const char *const lines[] = {"POINT (8 50);1;a", "POINT (8 190);1;b", NULL};
    const struct shepard_target_layer_options options = {.target_srs = wkt};
    struct opened opened = open_query(write_layer("far.geojson", "GeoJSON", lines), &options);
    assert_int_equal(opened.targets.untransformed, 1);
    assert_true(isnan(opened.targets.x[1]) && isfinite(opened.targets.x[0]));
    close_query(&opened);
    shepard_io_free(wkt);
}

static struct shepard_io_error query_error(const char *path,
                                           const struct shepard_target_layer_options *options)
{
    const struct shepard_source_options from = {.path = path};
    struct shepard_source *source = NULL;
    struct shepard_target_layer *query = NULL;
    struct shepard_io_error error = {.message = ""};
    assert_int_equal(shepard_source_open(&from, &source, NULL, &error), SHEPARD_IO_OK);
    assert_int_not_equal(shepard_target_layer_open(source, options, &query, NULL, &error),
                         SHEPARD_IO_OK);
    shepard_source_close(source);
    return error;
}

static void a_target_is_one_place(void **state)
{
    (void)state;
    static const char *const kinds[] = {"POLYGON ((0 0,3 0,0 3,0 0));1;a",
                                        "MULTIPOINT ((0 0),(2 2));1;a", "LINESTRING (0 1,2 1);1;a"};
    for (size_t i = 0; i < 3; i++) {
        const char *const lines[] = {"MULTIPOINT ((5 6));2;b", kinds[i], NULL};
        const char *path = write_layer("l.gpkg", "GPKG", lines);
        struct shepard_target_layer_options options = {.geometry = SHEPARD_GEOMETRY_VERTICES};
        const struct shepard_io_error error = query_error(path, &options);
        assert_int_equal(error.status, SHEPARD_IO_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, "-qgeometry centroids"));
        options.geometry = SHEPARD_GEOMETRY_CENTROIDS;
        struct opened opened = open_query(path, &options);
        assert_int_equal(opened.targets.count, 2);
        assert_true(opened.targets.x[0] == 5 && opened.targets.y[0] == 6);
        assert_true(opened.targets.x[1] == 1 && opened.targets.y[1] == 1);
        close_query(&opened);
    }
}

/* ---- Output ---------------------------------------------------------------------------------- */

static OGRFeatureH feature(OGRLayerH layer, int i)
{
    OGR_L_ResetReading(layer);
    OGRFeatureH found = NULL;
    for (int skipped = 0; skipped <= i; skipped++) {
        OGR_F_Destroy(found);
        found = OGR_L_GetNextFeature(layer);
    }
    assert_non_null(found);
    return found;
}

static int field(OGRFeatureH f, const char *name)
{
    const int found = OGR_F_GetFieldIndex(f, name);
    assert_true(found >= 0);
    return found;
}

static void check_written(const char *path, bool geometry)
{
    GDALDatasetH dataset = GDALOpenEx(path, GDAL_OF_VECTOR, NULL, NULL, NULL);
    assert_non_null(dataset);
    OGRLayerH layer = GDALDatasetGetLayer(dataset, 0);
    assert_int_equal(OGR_L_GetFeatureCount(layer, TRUE), 3);
    OGRFeatureH f = feature(layer, 0);
    assert_true(OGR_F_GetFieldAsDouble(f, field(f, "z_pred")) == 1.25);
    assert_int_equal(OGR_F_GetFieldAsInteger64(f, field(f, "count")), 12);
    assert_true(OGR_F_GetFieldAsDouble(f, field(f, "z")) == 3.5);
    assert_string_equal(OGR_F_GetFieldAsString(f, field(f, "name")), "a");
    if (geometry)
        assert_true(OGR_G_GetX(OGR_F_GetGeometryRef(f), 0) == 500001);
    OGR_F_Destroy(f);
    f = feature(layer, 1);
    assert_false(OGR_F_IsFieldSetAndNotNull(f, field(f, "z_pred")));
    assert_string_equal(OGR_F_GetFieldAsString(f, field(f, "name")), "nowhere");
    OGR_F_Destroy(f);
    f = feature(layer, 2);
    assert_false(OGR_F_IsFieldSetAndNotNull(f, field(f, "z_pred")));
    assert_int_equal(OGR_F_GetFieldAsInteger64(f, field(f, "count")), 3);
    OGR_F_Destroy(f);
    GDALClose(dataset);
}

static void writes_many_formats(void **state)
{
    (void)state;
    empty_folder();
    struct opened opened = open_query(write_layer("q.gpkg", "GPKG", query_layer), &plain_options);
    static const char *const names[] = {"o.gpkg", "o.shp", "o.sqlite", "o.gml"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct shepard_vector_spec spec = spec_for(in_folder(names[i]));
        write_query(&opened, &spec, NULL);
        check_written(spec.path, true);
    }
    /* q.gpkg, o.gpkg, o.sqlite; shp, shx, dbf and prj; gml and xsd */
    assert_int_equal(files_in_folder(), 9);
    assert_int_equal(access(in_folder("o.prj"), F_OK), 0);
    close_query(&opened);
}

static void keeps_geometry_in_csv(void **state)
{
    (void)state;
    empty_folder();
    struct opened opened = open_query(write_layer("q.gpkg", "GPKG", query_layer), &plain_options);
    const struct shepard_vector_spec spec = spec_for(in_folder("o.csv"));
    write_query(&opened, &spec, NULL);
    char *text = read_text(spec.path);
    assert_string_equal(text, "X,Y,z,whole,name,z_pred,count\n"
                              "500001,5300002,3.5,3,a,1.25,12\n"
                              ",,2,2,nowhere,,0\n"
                              "500005.5,5300006.0,,,c,,3\n");
    free(text);
    close_query(&opened);
}

static void csv_texts_stay_as_they_are(void **state)
{
    (void)state;
    empty_folder();
    const char *path = write_text("q.csv", "id,x,y\n007,1.50,2\n008,,4\n009,5,6.000\n");
    struct opened opened = open_query(path, &plain_options);
    assert_true(opened.targets.x[0] == 1.5 && isnan(opened.targets.x[1]));
    const struct shepard_vector_spec spec = spec_for(in_folder("o.csv"));
    write_query(&opened, &spec, NULL);
    char *text = read_text(spec.path);
    assert_string_equal(text,
                        "id,x,y,z_pred,count\n007,1.50,2,1.25,12\n008,,4,,0\n009,5,6.000,,3\n");
    free(text);
    close_query(&opened);
}

static void tables_become_points(void **state)
{
    (void)state;
    empty_folder();
    const char *path =
        write_text("q.csv", "name,x,y,z\na,500001,5300002,3.5\nnowhere,,,2\nc,5,6,\n");
    struct opened opened = open_query(path, &plain_options);
    const struct shepard_vector_spec spec = spec_for(in_folder("o.gpkg"));
    write_query(&opened, &spec, NULL);
    check_written(spec.path, true);
    close_query(&opened);
}

static void new_names_are_made_unique(void **state)
{
    (void)state;
    empty_folder();
    char warnings[2000] = "";
    const char *path = write_text("q.csv", "x,y,Z_PRED\n1,2,3\n4,5,6\n7,8,9\n");
    struct opened opened = open_query(path, &plain_options);
    const struct shepard_vector_spec spec = spec_for(in_folder("o.csv"));
    write_query(&opened, &spec, warnings);
    char *text = read_text(spec.path);
    assert_non_null(strstr(text, "x,y,Z_PRED,z_pred_2,count\n1,2,3,1.25,12\n"));
    assert_non_null(strstr(warnings, "z_pred_2"));
    free(text);
    close_query(&opened);
}

static void cut_names_are_reported(void **state)
{
    (void)state;
    empty_folder();
    char warnings[2000] = "";
    struct opened opened = open_query(write_layer("q.gpkg", "GPKG", query_layer), &plain_options);
    const struct shepard_new_column column = {.name = "temperature_pred", .values = counts};
    const struct shepard_vector_spec spec = {
        .path = in_folder("o.shp"), .columns = 1, .column = &column};
    write_query(&opened, &spec, warnings);
    assert_non_null(strstr(warnings, "temperature_pred"));
    GDALDatasetH dataset = GDALOpenEx(spec.path, GDAL_OF_VECTOR, NULL, NULL, NULL);
    OGRFeatureH f = feature(GDALDatasetGetLayer(dataset, 0), 0);
    assert_true(OGR_F_GetFieldAsDouble(f, field(f, "temperatur")) == 12.0);
    OGR_F_Destroy(f);
    GDALClose(dataset);
    close_query(&opened);
}

static void formats_without_null_are_reported(void **state)
{
    (void)state;
    empty_folder();
    char warnings[2000] = "";
    struct opened opened = open_query(write_layer("q.gpkg", "GPKG", query_layer), &plain_options);
    const struct shepard_vector_spec spec = spec_for(in_folder("o.tab"));
    write_query(&opened, &spec, warnings);
    assert_non_null(strstr(warnings, "missing values of \"z_pred\" are 0"));
    assert_null(strstr(warnings, "\"count\""));
    close_query(&opened);
}

static void a_layer_may_replace_itself(void **state)
{
    (void)state;
    empty_folder();
    struct opened opened = open_query(write_layer("q.gpkg", "GPKG", query_layer), &plain_options);
    struct shepard_vector_spec spec = spec_for(in_folder("q.gpkg"));
    spec.guard.overwrite = true; /* its layer has another name */
    write_query(&opened, &spec, NULL);
    close_query(&opened);
    check_written(spec.path, true);
    assert_int_equal(files_in_folder(), 1);
}

static void conditions_hold_for_the_output(void **state)
{
    (void)state;
    empty_folder();
    const struct shepard_target_layer_options options = {.where = "name <> 'nowhere'"};
    struct opened opened = open_query(write_layer("q.gpkg", "GPKG", query_layer), &options);
    assert_int_equal(opened.targets.count, 2);
    struct shepard_vector_spec spec = spec_for(in_folder("o.csv"));
    write_query(&opened, &spec, NULL);
    char *text = read_text(spec.path);
    assert_null(strstr(text, "nowhere"));
    assert_non_null(strstr(text, "500001,5300002,3.5,3,a,1.25,12\n"));
    free(text);
    close_query(&opened);
}

/* ---- Standard input and output --------------------------------------------------------------- */

static void reads_standard_input(void **state)
{
    (void)state;
    static const char *const paths[] = {"-", "/vsistdin/", "/dev/stdin"};
    write_text("in.csv", "x,y,z\n1,2,3\n4,5,6\n");
    write_layer("in.gpkg", "GPKG", query_layer);
    for (int i = 0; i < 4; i++) {
        assert_non_null(freopen(in_folder(i < 3 ? "in.csv" : "in.gpkg"), "rb", stdin));
        const char *const fields[] = {"z", NULL};
        const struct shepard_read_options options = {.fields = fields, .z_multiply = 1.0};
        struct shepard_point_set points = read_all(paths[i % 3], &options);
        assert_int_equal(points.count, 2);
        assert_true(points.values[0][0] == (i < 3 ? 3 : 3.5));
        shepard_point_set_clear(&points);
    }
}

static void writes_standard_output(void **state)
{
    (void)state;
    empty_folder();
    struct opened opened = open_query(write_layer("q.gpkg", "GPKG", query_layer), &plain_options);
    const struct shepard_vector_spec spec = spec_for("/vsistdout/");
    fflush(stdout);
    const int saved = dup(STDOUT_FILENO);
    assert_non_null(freopen(in_folder("out.csv"), "wb", stdout));
    write_query(&opened, &spec, NULL);
    fflush(stdout);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    close_query(&opened);
    char *text = read_text(in_folder("out.csv"));
    assert_non_null(
        strstr(text, "X,Y,z,whole,name,z_pred,count\n500001,5300002,3.5,3,a,1.25,12\n"));
    free(text);
}

/* ---- What goes wrong ------------------------------------------------------------------------- */

static void failures_leave_nothing(void **state)
{
    (void)state;
    empty_folder();
    char text[100000] = "x,y\n";
    for (size_t used = 4; used < sizeof text - 20;)
        used += (size_t)snprintf(text + used, 20, "%zu,1\n", used);
    struct opened opened = open_query(write_text("q.csv", text), &plain_options);
    assert_true(opened.targets.count > 8192);
    double *values = calloc(opened.targets.count, sizeof *values);
    const struct shepard_new_column column = {.name = "v", .values = values};
    static const char *const names[] = {"o.gpkg", "o.shp", "o.csv", "o.geojson"};
    const struct shepard_io_control control = {.progress = cancel};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct shepard_vector_spec spec = {
            .path = in_folder(names[i]), .columns = 1, .column = &column};
        assert_int_equal(shepard_target_layer_write(opened.query, &spec, &control, NULL),
                         SHEPARD_IO_ERROR_CANCELLED);
        assert_int_equal(files_in_folder(), 1);
    }
    free(values);
    close_query(&opened);
}

static void says_what_cannot_be_written(void **state)
{
    (void)state;
    empty_folder();
    struct opened opened = open_query(write_layer("q.gpkg", "GPKG", query_layer), &plain_options);
    struct shepard_io_error error;
    struct shepard_vector_spec spec = spec_for(in_folder("o.nosuch"));
    assert_int_equal(shepard_target_layer_write(opened.query, &spec, NULL, &error),
                     SHEPARD_IO_ERROR_FORMAT);
    assert_non_null(strstr(error.message, ".nosuch"));
    spec = spec_for(in_folder("o.gpkg"));
    spec.format = "GPKGX";
    assert_int_equal(shepard_target_layer_write(opened.query, &spec, NULL, &error),
                     SHEPARD_IO_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "did you mean \"GPKG\"?"));
    spec = spec_for(in_folder("nofolder/o.gpkg"));
    assert_int_equal(shepard_target_layer_write(opened.query, &spec, NULL, &error),
                     SHEPARD_IO_ERROR_WRITE);
    spec = spec_for(in_folder("o.gpkg"));
    static const char *const options[] = {"VERSIO=1.2", NULL};
    spec.creation_options = options;
    assert_int_equal(shepard_target_layer_write(opened.query, &spec, NULL, &error),
                     SHEPARD_IO_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "did you mean \"VERSION\"?"));
    assert_int_equal(files_in_folder(), 1);
    close_query(&opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(targets_keep_the_order),
        cmocka_unit_test(targets_have_values_of_named_fields),
        cmocka_unit_test(targets_go_to_the_srs_of_the_data),
        cmocka_unit_test(places_that_cannot_be_transformed_are_missing),
        cmocka_unit_test(a_target_is_one_place),
        cmocka_unit_test(writes_many_formats),
        cmocka_unit_test(keeps_geometry_in_csv),
        cmocka_unit_test(csv_texts_stay_as_they_are),
        cmocka_unit_test(tables_become_points),
        cmocka_unit_test(new_names_are_made_unique),
        cmocka_unit_test(cut_names_are_reported),
        cmocka_unit_test(formats_without_null_are_reported),
        cmocka_unit_test(a_layer_may_replace_itself),
        cmocka_unit_test(conditions_hold_for_the_output),
        cmocka_unit_test(reads_standard_input),
        cmocka_unit_test(writes_standard_output),
        cmocka_unit_test(failures_leave_nothing),
        cmocka_unit_test(says_what_cannot_be_written),
    };
    return cmocka_run_group_tests(tests, fixture_begin, fixture_end);
}
