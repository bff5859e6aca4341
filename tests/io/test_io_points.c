/* SPDX-License-Identifier: MIT */
/* Reading points: formats, missing values, geometries, tables, clips, and what goes wrong. */
#include "fixture.h"

static const char *const plain_layer[] = {"POINT (500001 5300002);3.5;a",
                                          "POINT (500003 5300004);-1;b",
                                          "POINT (500005.5 5300006);0.25;c", NULL};

static const struct shepard_bounds no_box;

static struct shepard_read_options with_fields(const char *const *fields)
{
    return (struct shepard_read_options){.fields = fields, .z_multiply = 1.0};
}

static const char *const z_field[] = {"z", NULL};

/* ---- Formats --------------------------------------------------------------------------------- */

static void check_plain(const char *path)
{
    const char *const fields[] = {"z", "WHOLE", NULL};
    const struct shepard_read_options options = with_fields(fields);
    struct shepard_point_set points = read_all(path, &options);
    assert_int_equal(points.count, 3);
    assert_int_equal(points.columns, 2);
    assert_true(points.x[0] == 500001 && points.y[0] == 5300002);
    assert_true(points.x[2] == 500005.5 && points.y[2] == 5300006);
    assert_true(points.values[0][0] == 3.5 && points.values[0][1] == -1 &&
                points.values[0][2] == 0.25);
    assert_true(points.values[1][0] == 3 && points.values[1][1] == -1 && points.values[1][2] == 0);
    assert_string_equal(points.column[0].name, "z");
    assert_string_equal(points.column[1].name, "whole");
    assert_true(points.column[0].values == points.values[0]);
    assert_true(points.extent.given && points.extent.x_min == 500001 &&
                points.extent.x_max == 500005.5 && points.extent.y_min == 5300002 &&
                points.extent.y_max == 5300006);
    assert_int_equal(points.counts.features, 3);
    assert_int_equal(points.column[0].null + points.column[0].not_finite, 0);
    assert_null(points.weights);
    shepard_point_set_clear(&points);
    assert_null(points.x);
}

static void reads_geopackage(void **state)
{
    (void)state;
    check_plain(write_layer("plain.gpkg", "GPKG", plain_layer));
}

static void reads_flatgeobuf(void **state)
{
    (void)state;
    /* A spatial index puts the features in another order. */
    const char *path = in_folder("plain.fgb");
    const struct shepard_read_options options = with_fields(z_field);
    write_layer("plain.fgb", "FlatGeobuf", plain_layer);
    struct shepard_point_set points = read_all(path, &options);
    double sum = 0.0;
    for (size_t i = 0; i < points.count; i++)
        sum += points.values[0][i] * (points.x[i] - 500000);
    assert_int_equal(points.count, 3);
    assert_true(sum == 3.5 * 1 - 1 * 3 + 0.25 * 5.5);
    shepard_point_set_clear(&points);
}

static void reads_shapefile(void **state)
{
    (void)state;
    check_plain(write_layer("plain.shp", "ESRI Shapefile", plain_layer));
}

static void reads_geojson(void **state)
{
    (void)state;
    static const char *const lines[] = {"POINT Z (7.5 51.25 120);4;a", "POINT Z (8 52 130);5;b",
                                        NULL};
    const char *path = write_layer("plain.geojson", "GeoJSON", lines);
    const struct shepard_read_options options = with_fields(NULL);
    struct shepard_point_set points = read_all(path, &options);
    assert_int_equal(points.count, 2);
    assert_true(points.x[0] == 7.5 && points.y[0] == 51.25 && points.values[0][0] == 120);
    assert_string_equal(points.column[0].name, "Z");
    assert_true(points.geographic);
    assert_non_null(strstr(points.srs, "WGS 84"));
    shepard_point_set_clear(&points);
}

static void knows_the_srs(void **state)
{
    (void)state;
    const char *path = write_layer("srs.gpkg", "GPKG", plain_layer);
    const struct shepard_read_options options = with_fields(z_field);
    struct shepard_point_set points = read_all(path, &options);
    assert_non_null(strstr(points.srs, "UTM zone 32N"));
    assert_false(points.geographic);
    assert_string_equal(points.layer, "places");
    shepard_point_set_clear(&points);
}

/* ---- Geometries ------------------------------------------------------------------------------ */

static void takes_z_of_25d_points(void **state)
{
    (void)state;
    static const char *const lines[] = {"POINT Z (1 2 30);9;a", "POINT (3 4);9;b",
                                        "POINT Z (5 6 -7);9;c", NULL};
    const char *path = write_layer("z.gpkg", "GPKG", lines);
    const struct shepard_read_options options = {.z_increase = 2.0, .z_multiply = 10.0};
    struct shepard_point_set points = read_all(path, &options);
    assert_int_equal(points.count, 3);
    assert_true(points.values[0][0] == 320.0 && points.values[0][2] == -50.0);
    assert_true(isnan(points.values[0][1]));
    assert_int_equal(points.column[0].null, 1);
    shepard_point_set_clear(&points);
}

static const char *const mixed_layer[] = {
    "MULTIPOINT ((1 2),(3 4));10;a",
    "LINESTRING (5 6,7 8,9 10);20;b",
    "POLYGON ((0 0,3 0,0 3,0 0));30;c",
    "GEOMETRYCOLLECTION (POINT (4 4),LINESTRING (6 6,8 6));35;h",
    "POINT (11 12);40;d",
    "MULTIPOINT EMPTY;50;e",
    "POLYGON EMPTY;60;f",
    ";70;g",
    NULL};

static void check_mixed(enum shepard_geometry_use geometry, size_t count, const double *x,
                        const double *z)
{
    struct shepard_read_options options = with_fields(z_field);
    options.geometry = geometry;
    struct shepard_point_set points = read_all(in_folder("mixed.gpkg"), &options);
    assert_int_equal(points.count, count);
    for (size_t i = 0; i < count; i++)
        assert_true(fabs(points.x[i] - x[i]) < 1e-12 && points.values[0][i] == z[i]);
    assert_int_equal(points.counts.features, 8);
    assert_int_equal(points.counts.empty_geometry, 2);
    assert_int_equal(points.counts.no_geometry, 1);
    shepard_point_set_clear(&points);
}

static void takes_vertices_or_centroids(void **state)
{
    (void)state;
    write_layer("mixed.gpkg", "GPKG", mixed_layer);
    static const double vertices[] = {1, 3, 5, 7, 9, 0, 3, 0, 0, 4, 6, 8, 11};
    static const double of_vertices[] = {10, 10, 20, 20, 20, 30, 30, 30, 30, 35, 35, 35, 40};
    check_mixed(SHEPARD_GEOMETRY_VERTICES, 13, vertices, of_vertices);
    /* The centroid of a collection is that of its lines. */
    static const double centroids[] = {1, 3, 7, 1, 7, 11};
    static const double of_centroids[] = {10, 10, 20, 30, 35, 40};
    check_mixed(SHEPARD_GEOMETRY_CENTROIDS, 6, centroids, of_centroids);
}

static void lines_and_polygons_need_an_option(void **state)
{
    (void)state;
    const struct shepard_read_options options = with_fields(z_field);
    static const char *const kinds[] = {"LINESTRING", "POLYGON", "GEOMETRYCOLLECTION"};
    for (size_t i = 0; i < 3; i++) {
        const char *const lines[] = {mixed_layer[0], mixed_layer[1 + i], NULL};
        const char *path = write_layer("kind.gpkg", "GPKG", lines);
        const struct shepard_io_error error = read_error(path, &options);
        assert_int_equal(error.status, SHEPARD_IO_ERROR_ARGUMENT);
        assert_string_equal(error.argument, "geometry");
        assert_non_null(strstr(error.message, kinds[i]));
        assert_non_null(strstr(error.message, "-geometry vertices"));
    }
    const char *const points[] = {mixed_layer[0], mixed_layer[4], mixed_layer[5], NULL};
    struct shepard_point_set read = read_all(write_layer("points.gpkg", "GPKG", points), &options);
    assert_int_equal(read.count, 3);
    shepard_point_set_clear(&read);
}

/* The centroid of a C lies where the C does not, and no format's filter may lose it. */
static void centroids_are_clipped_as_points(void **state)
{
    (void)state;
    static const char *const lines[] = {"POLYGON ((0 0,9 0,9 1,1 1,1 9,9 9,9 10,0 10,0 0));7;c",
                                        "POINT (100 100);9;d", NULL};
    static const char *const formats[][2] = {
        {"c.gpkg", "GPKG"}, {"c.fgb", "FlatGeobuf"}, {"c.tab", "MapInfo File"}};
    for (size_t i = 0; i < 3; i++) {
        const char *path = write_layer(formats[i][0], formats[i][1], lines);
        struct shepard_read_options options = with_fields(z_field);
        options.geometry = SHEPARD_GEOMETRY_CENTROIDS;
        options.spat = (struct shepard_bounds){true, 2, 2, 8, 8};
        struct shepard_point_set points = read_all(path, &options);
        assert_int_equal(points.count, 1);
        assert_true(fabs(points.y[0] - 5) < 1e-9 && points.values[0][0] == 7);
        shepard_point_set_clear(&points);
    }
}

/* ---- Missing values -------------------------------------------------------------------------- */

static void keeps_points_without_value(void **state)
{
    (void)state;
    static const char *const lines[] = {"POINT (1 2);;a", "POINT (3 4);5;", "POINT (5 6);;c", NULL};
    const char *path = write_layer("null.gpkg", "GPKG", lines);
    const char *const fields[] = {"z", "whole", NULL};
    struct shepard_read_options options = with_fields(fields);
    options.weight_field = "whole";
    options.z_multiply = 2.0;
    struct shepard_point_set points = read_all(path, &options);
    assert_int_equal(points.count, 3);
    for (size_t c = 0; c < 2; c++) {
        assert_true(isnan(points.values[c][0]) && isnan(points.values[c][2]));
        assert_true(points.values[c][1] == 10);
        assert_int_equal(points.column[c].null, 2);
    }
    assert_true(points.weights[1] == 5 && isnan(points.weights[0]));
    shepard_point_set_clear(&points);
}

/* More rows than a byte of the null bitmap has bits. */
static void null_bitmaps_are_read_right(void **state)
{
    (void)state;
    enum { N = 40 };
    static char text[N][40];
    const char *lines[N + 1] = {NULL};
    for (int i = 0; i < N; i++) {
        snprintf(text[i], sizeof text[i], i % 5 == 2 ? "POINT (%d 0);;n" : "POINT (%d 0);%d;n", i,
                 i + 1);
        lines[i] = text[i];
    }
    const char *const fields[] = {"whole", NULL};
    const struct shepard_read_options options = with_fields(fields);
    struct shepard_point_set points = read_all(write_layer("bits.gpkg", "GPKG", lines), &options);
    assert_int_equal(points.count, N);
    for (int i = 0; i < N; i++)
        assert_true(i % 5 == 2 ? isnan(points.values[0][i]) : points.values[0][i] == i + 1);
    shepard_point_set_clear(&points);
}

static void a_text_column_may_hold_numbers(void **state)
{
    (void)state;
    static const char *const lines[] = {"POINT (1 2);1;12.5", "POINT (3 4);1;NA",
                                        "POINT (5 6);1;many", NULL};
    const char *path = write_layer("text.gpkg", "GPKG", lines);
    const char *const fields[] = {"name", NULL};
    struct shepard_read_options options = with_fields(fields);
    assert_non_null(strstr(read_error(path, &options).message, "\"many\" in row 3"));
    options.skip_invalid = true;
    struct shepard_point_set points = read_all(path, &options);
    assert_true(points.values[0][0] == 12.5 && isnan(points.values[0][1]) &&
                isnan(points.values[0][2]));
    assert_int_equal(points.column[0].null, 1);
    assert_int_equal(points.column[0].not_finite, 1);
    assert_int_equal(points.column[0].lost.count, 1);
    assert_int_equal(points.column[0].lost.row, 3);
    assert_string_equal(points.column[0].lost.text, "many");
    shepard_point_set_clear(&points);
}

/* Batches hold 65,536 rows: nulls and offsets across several of them. */
static void reads_many_batches(void **state)
{
    (void)state;
    enum { N = 200001 };
    const char *path = in_folder("many.csv");
    FILE *file = fopen(path, "w");
    fputs("x,y,z,skip\n", file);
    for (int i = 0; i < N; i++)
        if (i % 7 == 3)
            fprintf(file, "%d,%d,,s\n", i, -i);
        else
            fprintf(file, "%d,%d,%d.5,s\n", i, -i, i);
    fclose(file);
    const struct shepard_read_options options = with_fields(NULL);
    struct shepard_point_set points = read_all(path, &options);
    assert_int_equal(points.count, N);
    for (int i = 0; i < N; i++) {
        assert_true(points.x[i] == i && points.y[i] == -i);
        assert_true(i % 7 == 3 ? isnan(points.values[0][i]) : points.values[0][i] == i + 0.5);
    }
    shepard_point_set_clear(&points);
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static void check_table(const char *header, bool geographic)
{
    char text[300];
    snprintf(text, sizeof text, "%s\nA,1.5,2.5,10\nB,3,4,20\n", header);
    const char *path = write_text("table.csv", text);
    const struct shepard_read_options options = with_fields(NULL);
    struct shepard_point_set points = read_all(path, &options);
    assert_int_equal(points.count, 2);
    assert_true(points.x[0] == 1.5 && points.y[0] == 2.5 && points.x[1] == 3 && points.y[1] == 4);
    assert_true(points.values[0][1] == 20);
    assert_non_null(points.x_name);
    assert_true(points.geographic == geographic);
    assert_true(geographic ? shepard_io_same_srs(points.srs, "EPSG:4326") : !points.srs);
    assert_true(points.extent.given && points.extent.x_max == 3 && points.extent.y_min == 2.5);
    shepard_point_set_clear(&points);
}

static void finds_coordinate_columns(void **state)
{
    (void)state;
    check_table("id,x,y,z", false);
    check_table("id,X,Y,elevation", false);
    check_table("id,lon,lat,rain", true);
    check_table("id,Longitude,Latitude,z", true);
    check_table("id,Easting,NORTHING,z", false);
    check_table("id,POINT_X,POINT_Y,POINT_Z", false);
}

/* The same three points, however the file begins. */
static void check_start(const char *name, const char *text, const char *wanted, bool with_z)
{
    const char *path = write_text(name, text);
    const char *const fields[] = {wanted, NULL};
    const struct shepard_read_options options = with_fields(wanted ? fields : NULL);
    struct shepard_point_set points = read_all(path, &options);
    assert_int_equal(points.count, 3);
    for (int i = 0; i < 3; i++)
        if (points.x[i] != i + 0.5 || points.y[i] != 10 * i || points.values[0][i] != i + 100.25)
            fail_msg("point %d of %s", i, text);
    assert_string_equal(points.column[0].name, wanted ? wanted : "z");
    assert_string_equal(points.x_name, with_z ? "x" : "field_1");
    shepard_point_set_clear(&points);
}

static void reads_tables_without_a_header(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "0.5,0,100.25\n1.5,10,101.25\n2.5,20,102.25\n",
        "0.5 0 100.25\n1.5 10 101.25\n2.5 20 102.25\n",
        "0.5   0 100.25\n1.5  10 101.25\n2.5  20 102.25\n",
        "0,5;0;100,25\r\n1,5;10;101,25\r\n2,5;20;102,25",
        "0,5\t0\t100,25\n1,5\t10\t101,25\n2,5\t20\t102,25\n",
        "0,5 0 100,25\n1,5 10 101,25\n2,5 20 102,25\n",
        "\"0,5\",0,\"100,25\"\n\"1,5\",10,\"101,25\"\n\"2,5\",20,\"102,25\"\n",
        "\"0,5\",\"0,0\",\"100,25\"\n\"1,5\",\"10,0\",\"101,25\"\n\"2,5\",\"20,0\",\"102,25\"\n",
        "# made by a program\n0.5,0,100.25\n1.5,10,101.25\n2.5,20,102.25\n",
        "\357\273\2770,5;0;100,25\n1,5;10;101,25\n2,5;20;102,25\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        check_start("start.csv", texts[i], NULL, false);
        check_start("start.xyz", texts[i], "field_3", false);
        check_start("start.txt", texts[i], "z", false);
    }
}

static void reads_headers_behind_a_sign(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "# x y z\n0.5 0 100.25\n1.5 10 101.25\n2.5 20 102.25\n",
        "#x,y,z\n0.5,0,100.25\n1.5,10,101.25\n2.5,20,102.25\n",
        "## x, y, z\n0.5 0 100.25\n1.5 10 101.25\n2.5 20 102.25\n",
        "# it's \"one\n# x\ty\tz\n0,5;0;100,25\n1,5;10;101,25\n2,5;20;102,25\n",
        "# x y z\n0.5   0 100.25\n1.5  10 101.25\n2.5  20 102.25\n",
        "# made by a program\nx,y,z\n0.5,0,100.25\n1.5,10,101.25\n2.5,20,102.25\n",
        "\xEF\xBB\xBF# x;y;z\r\n0,5;0;100,25\r\n1,5;10;101,25\r\n2,5;20;102,25\r\n",
        "x,y,z,2001,2002\n0.5,0,100.25,1,2\n1.5,10,101.25,3,4\n2.5,20,102.25,5,6\n",
        "\"x\";\"y\";2001;z\n0,5;0;1;100,25\n1,5;10;2;101,25\n2,5;20;3;102,25\n",
        "x;y;z;a,b\n0,5;0;100,25;1\n1,5;10;101,25;2\n2,5;20;102,25;3\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        check_start("start.csv", texts[i], NULL, true);
        check_start("start.xyz", texts[i], "z", true);
    }
    const char *path = write_text("text.csv", "#name,x,y,z\nA,1,2,3\nB,3,4,5\n");
    const struct shepard_read_options options = {.z_multiply = 1.0, .where = "name = 'B'"};
    struct shepard_point_set points = read_all(path, &options);
    assert_true(points.count == 1 && points.x[0] == 3 && points.values[0][0] == 5);
    shepard_point_set_clear(&points);
}

/* What the user says of the header holds. */
static void follows_the_open_option_for_headers(void **state)
{
    (void)state;
    static const char *const headers[] = {"HEADERS=NO", NULL};
    const struct shepard_source_options from = {.path = write_text("option.csv", "#1,2,3\n4,5,6\n"),
                                                .open_options = headers};
    struct shepard_source *source = NULL;
    struct shepard_point_set points = {0};
    struct shepard_read_options options = with_fields(NULL);
    options.skip_invalid = true;
    assert_int_equal(shepard_source_open(&from, &source, NULL, NULL), SHEPARD_IO_OK);
    assert_int_equal(shepard_source_read(source, &options, &points, NULL, NULL), SHEPARD_IO_OK);
    assert_int_equal(points.counts.features, 2);
    assert_int_equal(points.counts.x_lost.count, 1);
    assert_true(points.count == 1 && points.values[0][0] == 6);
    shepard_point_set_clear(&points);
    shepard_source_close(source);
}

static void takes_named_coordinate_columns(void **state)
{
    (void)state;
    const char *path = write_text("named.csv", "a,b,c\n1,2,3\n4,5,6\n");
    struct shepard_read_options options = with_fields(NULL);
    options.x_field = "C";
    options.y_field = "a";
    struct shepard_point_set points = read_all(path, &options);
    assert_true(points.x[1] == 6 && points.y[1] == 4 && points.values[0][1] == 5);
    shepard_point_set_clear(&points);
    options.y_field = NULL;
    struct shepard_io_error error = read_error(path, &options);
    assert_int_equal(error.status, SHEPARD_IO_ERROR_ARGUMENT);
    assert_string_equal(error.argument, "y_field");
}

static void check_fields(const char *path, const char *text, const char *wanted)
{
    const char *const fields[] = {text, NULL};
    const struct shepard_read_options options = with_fields(fields);
    struct shepard_point_set points = read_all(path, &options);
    char names[200] = "";
    for (size_t c = 0; c < points.columns; c++) {
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s=%g", c ? ";" : "", points.column[c].name,
                 points.values[c][0]);
    }
    assert_string_equal(names, wanted);
    shepard_point_set_clear(&points);
}

static void takes_lists_and_ranges_of_fields(void **state)
{
    (void)state;
    const char *path = write_text("list.csv", "x,y,\"Pb, mg\",Pb,d3,d2,d1,t-008,t-009,t-010,d1-d2\n"
                                              "0,0,1,2,3,4,5,8,9,10,11\n1,1,1,2,3,4,5,8,9,10,11\n");
    check_fields(path, "Pb, mg", "Pb, mg=1");
    check_fields(path, "Pb,d2", "Pb=2;d2=4");
    check_fields(path, "d2,Pb, mg,,Pb", "d2=4;Pb, mg=1;Pb=2");
    check_fields(path, "d1-d3", "d1=5;d2=4;d3=3");
    check_fields(path, "D2-d3,Pb", "d2=4;d3=3;Pb=2");
    check_fields(path, "t-008-t-010", "t-008=8;t-009=9;t-010=10");
    check_fields(path, "d1-d2", "d1-d2=11");
    check_fields(path, "t-009,", "t-009=9");
    static const char *const wrong[][2] = {
        {"d1-d4", "no field \"d4\" in layer \"list\", which is part of the range \"d1-d4\""},
        {"t-8-t-10", "no field \"t-8\""},
        {"d3-d1", "the range of fields \"d3-d1\" goes down"},
        {"d1-e3", "no field \"d1-e3\""},
        {"d1-", "no field \"d1-\""},
        {",", "',' names nothing"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *const fields[] = {wrong[i][0], NULL};
        const struct shepard_read_options options = with_fields(fields);
        if (!strstr(read_error(path, &options).message, wrong[i][1]))
            fail_msg("%s: %s", wrong[i][0], read_error(path, &options).message);
    }
}

static void takes_wkt_columns(void **state)
{
    (void)state;
    const char *path = write_text("wkt.csv", "WKT,z\nPOINT (1 2),5\nPOINT (3 4),6\n");
    const struct shepard_read_options options = with_fields(z_field);
    struct shepard_point_set points = read_all(path, &options);
    assert_int_equal(points.count, 2);
    assert_true(points.x[1] == 3 && points.values[0][1] == 6);
    assert_null(points.x_name);
    shepard_point_set_clear(&points);
}

/* OGR guesses column types from a file's first part; fractions further down must survive. */
static void late_fractions_survive(void **state)
{
    (void)state;
    const char *path = in_folder("late.csv");
    FILE *file = fopen(path, "w");
    fputs("x,y,z\n", file);
    for (int i = 0; i < 150000; i++)
        fprintf(file, "%d,%d,%d\n", i, i, 1000000 + i);
    fputs("1.5,2.5,3.75\n", file);
    fclose(file);
    const struct shepard_read_options options = with_fields(z_field);
    struct shepard_point_set points = read_all(path, &options);
    assert_true(points.x[150000] == 1.5 && points.values[0][150000] == 3.75);
    shepard_point_set_clear(&points);
}

static void reads_text_files_of_any_name(void **state)
{
    (void)state;
    const char *path = write_text("table.txt", "x,y,z\n1,2,3\n");
    const struct shepard_read_options options = with_fields(NULL);
    struct shepard_point_set points = read_all(path, &options);
    assert_true(points.count == 1 && points.values[0][0] == 3);
    shepard_point_set_clear(&points);
}

static void counts_unusable_coordinates(void **state)
{
    (void)state;
    const char *path =
        write_text("bad.csv", "x,y,z\n1,2,3\n,2,3\n1,NA,3\n1,north,3\ninf,1,2\n4,5,6\n");
    struct shepard_read_options options = with_fields(NULL);
    options.skip_invalid = true;
    struct shepard_point_set points = read_all(path, &options);
    assert_int_equal(points.count, 2);
    assert_int_equal(points.counts.y_lost.count, 1);
    assert_int_equal(points.counts.features, 6);
    assert_int_equal(points.counts.no_geometry, 2);
    assert_int_equal(points.counts.not_finite, 2);
    assert_true(points.x[1] == 4);
    shepard_point_set_clear(&points);
}

/* ---- Selections ------------------------------------------------------------------------------ */

static const char *grid_layer(void)
{
    static const char *const lines[] = {"POINT (0 0);0;a", "POINT (1 0);1;b",
                                        "POINT (2 0);2;c", "POINT (0 1);3;d",
                                        "POINT (1 1);4;e", "POINT (2 1);5;f",
                                        "POINT (0 2);6;g", "POINT (1 2);7;h",
                                        "POINT (2 2);8;i", NULL};
    return write_layer("grid.gpkg", "GPKG", lines);
}

static void check_selection(const char *path, const struct shepard_read_options *options,
                            size_t count, double sum)
{
    struct shepard_point_set points = read_all(path, options);
    double found = 0.0;
    for (size_t i = 0; i < points.count; i++)
        found += points.values[0][i];
    assert_int_equal(points.count, count);
    assert_true(found == sum);
    shepard_point_set_clear(&points);
}

static void selects_by_condition_and_sql(void **state)
{
    (void)state;
    const char *path = grid_layer();
    struct shepard_read_options options = with_fields(z_field);
    options.where = "z > 5 AND name <> 'i'";
    check_selection(path, &options, 2, 13);
    options.sql = "SELECT * FROM places WHERE z < 3";
    options.where = NULL;
    check_selection(path, &options, 3, 3);
    options.where = "z > 0";
    check_selection(path, &options, 2, 3);
    options.layer = "places";
    assert_int_equal(read_error(path, &options).status, SHEPARD_IO_ERROR_ARGUMENT);
}

/* gdal_grid keeps points within the polygon, edges excluded. */
static void clips_input_points(void **state)
{
    (void)state;
    const char *path = grid_layer();
    struct shepard_read_options options = with_fields(z_field);
    options.spat = (struct shepard_bounds){true, 0, -1, 3, 1.5};
    check_selection(path, &options, 4, 1 + 2 + 4 + 5);
    options.clip.spat_extent = true;
    check_selection(path, &options, 4, 1 + 2 + 4 + 5);
    options.clip = (struct shepard_clip){.box = {true, 1.5, -1, 9, 9}};
    check_selection(path, &options, 2, 2 + 5);
    options.spat = no_box;
    options.clip = (struct shepard_clip){.wkt = "POLYGON ((-1 -1,2.5 -1,-1 2.5,-1 -1))"};
    check_selection(path, &options, 3, 0 + 1 + 3);
    options.clip = (struct shepard_clip){.wkt = "MULTIPOLYGON (((1 1,3 1,3 3,1 3,1 1)))"};
    check_selection(path, &options, 1, 8);
}

/* Its reader begins again after the last feature that passes a spatial filter. */
static void clips_mapinfo_files(void **state)
{
    (void)state;
    static const char *const lines[] = {"POINT (500000 5300000);1;a", "POINT (500010 5300010);2;b",
                                        "POINT (500020 5300020);4;c", NULL};
    const char *path = write_layer("clip.tab", "MapInfo File", lines);
    struct shepard_read_options options = with_fields(z_field);
    options.spat = (struct shepard_bounds){true, 500005, 5300005, 500030, 5300030};
    check_selection(path, &options, 2, 6);
}

static void clips_tables(void **state)
{
    (void)state;
    const char *path = write_text("clip.csv", "x,y,z\n0,0,1\n1,1,2\n2,2,4\n");
    struct shepard_read_options options = with_fields(NULL);
    options.spat = (struct shepard_bounds){true, 0.5, 0.5, 3, 3};
    struct shepard_point_set points = read_all(path, &options);
    assert_int_equal(points.count, 2);
    assert_int_equal(points.counts.outside, 1);
    assert_true(points.extent.x_min == 1);
    shepard_point_set_clear(&points);
}

static void clips_with_a_file(void **state)
{
    (void)state;
    const char *path = grid_layer();
    static const char *const lines[] = {"POLYGON ((-1 -1,0.5 -1,0.5 3,-1 3,-1 -1));1;west",
                                        "POLYGON ((1.5 -1,3 -1,3 3,1.5 3,1.5 -1));2;east", NULL};
    const char *clip = write_layer("clip.gpkg", "GPKG", lines);
    struct shepard_read_options options = with_fields(z_field);
    options.clip.path = clip;
    check_selection(path, &options, 6, 0 + 3 + 6 + 2 + 5 + 8);
    options.clip.where = "name = 'east'";
    check_selection(path, &options, 3, 2 + 5 + 8);
    options.clip.where = NULL;
    options.clip.sql = "SELECT * FROM places WHERE z = 1";
    check_selection(path, &options, 3, 0 + 3 + 6);
    options.clip = (struct shepard_clip){.path = path};
    assert_non_null(strstr(read_error(path, &options).message, "POINT"));
}

static void a_source_can_be_read_again(void **state)
{
    (void)state;
    const struct shepard_source_options from = {.path = grid_layer()};
    struct shepard_source *source = NULL;
    assert_int_equal(shepard_source_open(&from, &source, NULL, NULL), SHEPARD_IO_OK);
    assert_string_equal(shepard_source_format(source), "GPKG");
    assert_int_equal(shepard_source_layer_count(source), 1);
    assert_string_equal(shepard_source_layer_name(source, 0), "places");
    assert_null(shepard_source_layer_name(source, 1));
    for (int i = 0; i < 2; i++) {
        struct shepard_read_options options = with_fields(z_field);
        options.where = i ? NULL : "z > 6";
        struct shepard_point_set points = {0};
        assert_int_equal(shepard_source_read(source, &options, &points, NULL, NULL), SHEPARD_IO_OK);
        assert_int_equal(points.count, i ? 9 : 2);
        shepard_point_set_clear(&points);
    }
    shepard_source_close(source);
}

/* ---- What goes wrong ------------------------------------------------------------------------- */

static void check_error(struct shepard_io_error error, enum shepard_io_status status,
                        const char *says)
{
    assert_int_equal(error.status, status);
    if (!strstr(error.message, says))
        fail_msg("\"%s\" does not say \"%s\"", error.message, says);
}

static void says_which_file(void **state)
{
    (void)state;
    const struct shepard_read_options options = with_fields(z_field);
    write_text("points.csv", "x,y,z\n1,2,3\n");
    check_error(read_error(in_folder("point.csv"), &options), SHEPARD_IO_ERROR_OPEN, "points.csv");
    check_error(read_error("/nowhere/points.csv", &options), SHEPARD_IO_ERROR_OPEN, "no such file");
    const char *broken = in_folder("broken.gpkg");
    FILE *file = fopen(broken, "wb");
    fwrite("\0\1\2\3nonsense", 1, 12, file);
    fclose(file);
    check_error(read_error(broken, &options), SHEPARD_IO_ERROR_OPEN, "cannot be read as vector");
}

static void says_which_layer(void **state)
{
    (void)state;
    struct shepard_read_options options = with_fields(z_field);
    options.layer = "place";
    check_error(read_error(grid_layer(), &options), SHEPARD_IO_ERROR_LAYER,
                "did you mean \"places\"?");
}

static void says_which_field(void **state)
{
    (void)state;
    const char *const fields[] = {"hole", NULL};
    const struct shepard_read_options options = with_fields(fields);
    const struct shepard_io_error error = read_error(grid_layer(), &options);
    check_error(error, SHEPARD_IO_ERROR_FIELD, "did you mean \"whole\"?");
    check_error(error, SHEPARD_IO_ERROR_FIELD, "numeric fields: \"z\", \"whole\"");
    assert_string_equal(error.argument, "fields");
    const char *const text[] = {"name", NULL};
    const struct shepard_read_options named = with_fields(text);
    check_error(read_error(grid_layer(), &named), SHEPARD_IO_ERROR_FIELD, "such as \"a\"");
}

static void says_that_there_is_no_z(void **state)
{
    (void)state;
    const struct shepard_read_options options = with_fields(NULL);
    check_error(read_error(grid_layer(), &options), SHEPARD_IO_ERROR_FIELD, "-zfield");
}

static void says_which_columns(void **state)
{
    (void)state;
    const struct shepard_read_options options = with_fields(NULL);
    const struct shepard_io_error error =
        read_error(write_text("odd.csv", "a,b,c\n1,2,3\n"), &options);
    check_error(error, SHEPARD_IO_ERROR_FIELD, "\"a\", \"b\", \"c\"");
    check_error(error, SHEPARD_IO_ERROR_FIELD, "-xfield");
}

static void says_why_there_are_no_points(void **state)
{
    (void)state;
    struct shepard_read_options options = with_fields(z_field);
    options.where = "z > 100";
    check_error(read_error(grid_layer(), &options), SHEPARD_IO_ERROR_NO_POINTS, "-where");
    options.where = NULL;
    options.spat = (struct shepard_bounds){true, 50, 50, 60, 60};
    check_error(read_error(grid_layer(), &options), SHEPARD_IO_ERROR_NO_POINTS, "-spat");
    options.spat = no_box;
    check_error(read_error(write_text("empty.csv", "x,y,z\n"), &options),
                SHEPARD_IO_ERROR_NO_POINTS, "no features");
}

static void says_what_is_wrong_with_conditions(void **state)
{
    (void)state;
    struct shepard_read_options options = with_fields(z_field);
    options.where = "nosuch = 1";
    check_error(read_error(grid_layer(), &options), SHEPARD_IO_ERROR_ARGUMENT, "nosuch");
    options.where = NULL;
    options.sql = "SELEKT";
    check_error(read_error(grid_layer(), &options), SHEPARD_IO_ERROR_ARGUMENT, "SELEKT");
    options.sql = NULL;
    options.clip.wkt = "POLYGON ((0 0";
    check_error(read_error(grid_layer(), &options), SHEPARD_IO_ERROR_ARGUMENT, "POLYGON");
    options.clip = (struct shepard_clip){.spat_extent = true};
    check_error(read_error(grid_layer(), &options), SHEPARD_IO_ERROR_ARGUMENT, "-spat");
}

static void can_be_cancelled(void **state)
{
    (void)state;
    const struct shepard_source_options from = {.path = grid_layer()};
    const struct shepard_io_control control = {.progress = cancel};
    const struct shepard_read_options options = with_fields(z_field);
    struct shepard_source *source = NULL;
    struct shepard_point_set points = {0};
    assert_int_equal(shepard_source_open(&from, &source, NULL, NULL), SHEPARD_IO_OK);
    assert_int_equal(shepard_source_read(source, &options, &points, &control, NULL),
                     SHEPARD_IO_ERROR_CANCELLED);
    assert_null(points.x);
    shepard_source_close(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_geopackage),
        cmocka_unit_test(reads_flatgeobuf),
        cmocka_unit_test(reads_shapefile),
        cmocka_unit_test(reads_geojson),
        cmocka_unit_test(knows_the_srs),
        cmocka_unit_test(takes_z_of_25d_points),
        cmocka_unit_test(takes_vertices_or_centroids),
        cmocka_unit_test(lines_and_polygons_need_an_option),
        cmocka_unit_test(centroids_are_clipped_as_points),
        cmocka_unit_test(keeps_points_without_value),
        cmocka_unit_test(null_bitmaps_are_read_right),
        cmocka_unit_test(a_text_column_may_hold_numbers),
        cmocka_unit_test(reads_many_batches),
        cmocka_unit_test(finds_coordinate_columns),
        cmocka_unit_test(reads_tables_without_a_header),
        cmocka_unit_test(reads_headers_behind_a_sign),
        cmocka_unit_test(follows_the_open_option_for_headers),
        cmocka_unit_test(takes_named_coordinate_columns),
        cmocka_unit_test(takes_lists_and_ranges_of_fields),
        cmocka_unit_test(takes_wkt_columns),
        cmocka_unit_test(late_fractions_survive),
        cmocka_unit_test(reads_text_files_of_any_name),
        cmocka_unit_test(counts_unusable_coordinates),
        cmocka_unit_test(selects_by_condition_and_sql),
        cmocka_unit_test(clips_input_points),
        cmocka_unit_test(clips_mapinfo_files),
        cmocka_unit_test(clips_tables),
        cmocka_unit_test(clips_with_a_file),
        cmocka_unit_test(a_source_can_be_read_again),
        cmocka_unit_test(says_which_file),
        cmocka_unit_test(says_which_layer),
        cmocka_unit_test(says_which_field),
        cmocka_unit_test(says_that_there_is_no_z),
        cmocka_unit_test(says_which_columns),
        cmocka_unit_test(says_why_there_are_no_points),
        cmocka_unit_test(says_what_is_wrong_with_conditions),
        cmocka_unit_test(can_be_cancelled),
    };
    return cmocka_run_group_tests(tests, fixture_begin, fixture_end);
}
