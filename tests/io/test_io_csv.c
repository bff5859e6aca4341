/* SPDX-License-Identifier: MIT */
/* Rows of CSV files compared with those of OGR's driver, byte by byte: random tables, numbers and
 * whole outputs, with the seed of SHEPARD_TEST_SEED or 1. */
#include "csv_trial.h"
#include "fixture.h"
#include "ogr_number.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <float.h>
#include <gdal.h>
#include <limits.h>

/* ---- Random values --------------------------------------------------------------------------- */

/* OGR warns of values that do not fit their field. */
static int seed(void **state)
{
    CPLSetErrorHandler(CPLQuietErrorHandler);
    return fixture_begin_random(state);
}

static double any_bits(void)
{
    const uint64_t bits = random_bits();
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* A decimal of few digits, or one next to it. */
static double near_decimal(void)
{
    const double value = (double)random_below(1000000) * pow(10, (double)random_below(24) - 20);
    const double next = random_below(3) ? value : nextafter(value, random_below(2) ? 1e300 : 0);
    return random_below(2) ? next : -next;
}

/* A fraction of few digits, and some in its last of 15 decimals. */
static double noisy(void)
{
    const double value = (double)random_below(1000000) * 1e-6;
    return value + ((double)random_below(400) - 200) * pow(10, -(double)(13 + random_below(3)));
}

/* An odd multiple of a power of two, which may lie in the middle between two decimals. */
static double dyadic(void)
{
    const double value =
        ldexp((double)(random_bits() >> (11 + random_below(53))), (int)random_below(80) - 75);
    return random_below(2) ? value : -value;
}

static double random_number(void)
{
    static const double special[] = {
        0,       -0.0,    1,      -1,      1e15,    1e-4,         NAN,  INFINITY, -INFINITY,
        DBL_MAX, DBL_MIN, 5e-324, INT_MAX, INT_MIN, 2147483648.0, 1e14, 0.1,      100};
    switch (random_below(7)) {
    case 0:
        return special[random_below(sizeof special / sizeof *special)];
    case 1:
        return any_bits();
    case 2:
        return near_decimal();
    case 3:
        return dyadic();
    case 4:
        return noisy();
    case 5:
        return (double)random_below(100) - 50;
    default:
        return ((double)(random_bits() >> 11) / 9007199254740992.0 - 0.5) *
               pow(10, (double)random_below(12) - 3);
    }
}

/* OGR 3.6 cuts the zero off the exponents of 1.5E+20 and, where z is one, of 1.5E-10. */
static double random_coordinate(bool is_z)
{
    double value = random_number();
    while (isfinite(value) && (fabs(value) >= 1e20 || (is_z && value != 0 && fabs(value) < 1e-9)))
        value = random_number();
    return value;
}

static const char *random_text(char *text, size_t size)
{
    static const char *const parts[] = {
        "a", "Z",  "7",  "0",    ".",  "-", " ",        "\"",           ",", ";",
        "|", "\t", "\n", "\r\n", "\r", "'", "\xc3\xa4", "\xe2\x82\xac", "=", "+",
        "@", "#",  "e5", "(",    ")",  "{", "\xff",     "word"};
    const unsigned count = random_below(4) ? random_below(6) : 0;
    text[0] = '\0';
    for (unsigned i = 0; i < count; i++)
        snprintf(text + strlen(text), size - strlen(text), "%s",
                 parts[random_below(random_below(2) ? 5 : sizeof parts / sizeof *parts)]);
    if (random_below(6) == 0)
        snprintf(text, size, "%.*f", (int)random_below(5), random_number());
    return text;
}

/* ---- Random tables --------------------------------------------------------------------------- */

static OGRFieldDefnH random_field(unsigned i, bool known_only)
{
    static const OGRFieldType types[] = {
        OFTInteger,  OFTInteger64, OFTReal,        OFTString,        OFTDate,      OFTTime,
        OFTDateTime, OFTRealList,  OFTIntegerList, OFTInteger64List, OFTStringList};
    const OGRFieldType type = types[random_below(known_only ? 7 : 11)];
    OGRFieldDefnH field =
        OGR_Fld_Create(CPLSPrintf("f%u%s", i, random_below(4) ? "" : ",\"x"), type);
    if (random_below(5) == 0 && (type == OFTReal || type == OFTString || type == OFTInteger))
        OGR_Fld_SetWidth(field, 1 + (int)random_below(20));
    if (type == OFTReal && OGR_Fld_GetWidth(field) > 0)
        OGR_Fld_SetPrecision(field, (int)random_below(6));
    if (type == OFTInteger && random_below(4) == 0)
        OGR_Fld_SetSubType(field, random_below(2) ? OFSTBoolean : OFSTInt16);
    if (type == OFTReal && !known_only && random_below(4) == 0)
        OGR_Fld_SetSubType(field, OFSTFloat32);
    return field;
}

static void set_list(OGRFeatureH feature, int field, OGRFieldType type)
{
    const int integers[] = {(int)random_bits(), 5};
    const GIntBig longs[] = {(GIntBig)random_bits(), -5};
    const double numbers[] = {near_decimal(), 0.5};
    char text[200];
    char *strings[] = {text, text + sizeof text / 2, NULL};
    random_text(text, sizeof text / 2);
    random_text(text + sizeof text / 2, sizeof text / 2);
    if (type == OFTIntegerList)
        OGR_F_SetFieldIntegerList(feature, field, 2, integers);
    else if (type == OFTInteger64List)
        OGR_F_SetFieldInteger64List(feature, field, 2, longs);
    else if (type == OFTRealList)
        OGR_F_SetFieldDoubleList(feature, field, 2, numbers);
    else
        OGR_F_SetFieldStringList(feature, field, strings);
}

static void set_field(OGRFeatureH feature, int field)
{
    const OGRFieldType type = OGR_Fld_GetType(OGR_F_GetFieldDefnRef(feature, field));
    char text[200];
    switch (type) {
    case OFTInteger:
        OGR_F_SetFieldInteger(feature, field, (int)(random_bits() >> (32 + random_below(32))));
        break;
    case OFTInteger64:
        OGR_F_SetFieldInteger64(feature, field, (GIntBig)(random_bits() >> random_below(64)));
        break;
    case OFTReal:
        OGR_F_SetFieldDouble(feature, field, random_number());
        break;
    case OFTString:
        OGR_F_SetFieldString(feature, field, random_text(text, sizeof text));
        break;
    case OFTDate:
    case OFTTime:
    case OFTDateTime:
        OGR_F_SetFieldDateTimeEx(feature, field, (int)random_below(3000), 1 + (int)random_below(12),
                                 1 + (int)random_below(28), (int)random_below(24),
                                 (int)random_below(60), (float)random_below(60000) / 1000.0F,
                                 (int)random_below(120));
        break;
    default:
        set_list(feature, field, type);
        break;
    }
}

static void set_geometry(OGRFeatureH feature)
{
    static const char *const others[] = {"POINT EMPTY", "LINESTRING (0 0,1 1)",
                                         "MULTIPOINT ((1 2))", "POINT M (1 2 3)",
                                         "POINT ZM (1 2.5 3.5 4)"};
    const unsigned kind = random_below(8);
    OGRGeometryH geometry = OGR_G_CreateGeometry(kind < 4 ? wkbPoint : wkbPoint25D);
    if (kind < 4)
        OGR_G_SetPoint_2D(geometry, 0, random_coordinate(false), random_coordinate(false));
    else if (kind < 7)
        OGR_G_SetPoint(geometry, 0, random_coordinate(false), random_coordinate(false),
                       random_coordinate(true));
    if (kind == 7) {
        char *wkt = CPLStrdup(others[random_below(sizeof others / sizeof *others)]);
        char *rest = wkt;
        OGR_G_DestroyGeometry(geometry);
        assert_int_equal(OGR_G_CreateFromWkt(&rest, NULL, &geometry), OGRERR_NONE);
        CPLFree(wkt);
    }
    OGR_F_SetGeometryDirectly(feature, geometry);
}

static OGRFeatureH random_feature(OGRFeatureDefnH table)
{
    OGRFeatureH feature = OGR_F_Create(table);
    const int fields = OGR_FD_GetFieldCount(table);
    for (int i = 0; i < fields; i++) {
        const unsigned kind = random_below(8);
        if (kind == 0)
            OGR_F_SetFieldNull(feature, i);
        else if (kind > 1)
            set_field(feature, i);
    }
    if (OGR_FD_GetGeomFieldCount(table) > 0 && random_below(8) > 0)
        set_geometry(feature);
    return feature;
}

static char **random_options(bool known_only)
{
    static const char *const geometries[] = {"AS_XY", "AS_XYZ", "AS_YX", "NONE", "AS_WKT"};
    static const char *const separators[] = {"COMMA", "SEMICOLON", "TAB", "SPACE"};
    char **options = NULL;
    options = CSLSetNameValue(options, "STRING_QUOTING",
                              known_only || random_below(4) ? "IF_NEEDED" : "ALWAYS");
    if (random_below(3))
        options =
            CSLSetNameValue(options, "GEOMETRY", geometries[random_below(known_only ? 4 : 5)]);
    if (random_below(2))
        options =
            CSLSetNameValue(options, "SEPARATOR", separators[random_below(known_only ? 3 : 4)]);
    if (random_below(3) == 0)
        options = CSLSetNameValue(options, "LINEFORMAT", random_below(2) ? "CRLF" : "LF");
    if (random_below(4) == 0)
        options = CSLSetNameValue(options, "CREATE_CSVT", "YES");
    if (random_below(4) == 0)
        options = CSLSetNameValue(options, "WRITE_BOM", "YES");
    return options;
}

/* ---- Two writers ----------------------------------------------------------------------------- */

/* One of two files of the same table. */
struct output {
    GDALDatasetH dataset;
    OGRLayerH layer;
};

static struct output create(const char *path, const struct shepard_csv_layer *like,
                            OGRFieldDefnH *fields, unsigned count)
{
    VSIUnlink(path);
    struct output made = {
        .dataset = GDALCreate(GDALGetDriverByName("CSV"), path, 0, 0, 0, GDT_Unknown, NULL)};
    assert_non_null(made.dataset);
    made.layer = GDALDatasetCreateLayer(made.dataset, "t", NULL, like->geometry, like->options);
    assert_non_null(made.layer);
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(OGR_L_CreateField(made.layer, fields[i], TRUE), OGRERR_NONE);
    return made;
}

static void assert_same_files(const char *path, const char *other)
{
    GByte *text = NULL, *expected = NULL;
    vsi_l_offset size = 0, expected_size = 0;
    assert_true(VSIIngestFile(NULL, path, &text, &size, -1));
    assert_true(VSIIngestFile(NULL, other, &expected, &expected_size, -1));
    vsi_l_offset i = 0;
    while (i < size && i < expected_size && text[i] == expected[i])
        i++;
    if (i < size || i < expected_size)
        fail_msg("byte %zu, written: \"%.80s\", by OGR: \"%.80s\"", (size_t)i,
                 (const char *)text + (i > 20 ? i - 20 : 0),
                 (const char *)expected + (i > 20 ? i - 20 : 0));
    VSIFree(text);
    VSIFree(expected);
}

/* Whether the rows were written; if not, OGR's driver is to write them. */
static bool write_both(const struct shepard_csv_layer *like, OGRFieldDefnH *fields, unsigned count)
{
    enum { FEATURES = 60 };
    char path[300], other[300];
    snprintf(path, sizeof path, "%s", in_folder("rows.csv"));
    snprintf(other, sizeof other, "%s", in_folder("ogr.csv"));
    const struct output ours = create(path, like, fields, count);
    const struct output ogr = create(other, like, fields, count);
    struct shepard_csv_layer layer = *like;
    struct shepard_csv_rows rows = {0};
    layer.table = OGR_L_GetLayerDefn(ours.layer);
    const bool good = shepard_csv_rows_make(&rows, &layer) &&
                      shepard_csv_trial_agrees(GDALGetDriverByName("CSV"), &layer, &rows);
    GDALClose(ours.dataset);
    if (good)
        assert_true(shepard_csv_rows_open(&rows, path));
    for (int i = 0; i < FEATURES && good; i++) {
        OGRFeatureH feature = random_feature(OGR_L_GetLayerDefn(ogr.layer));
        assert_true(shepard_csv_rows_add(&rows, feature));
        assert_int_equal(OGR_L_CreateFeature(ogr.layer, feature), OGRERR_NONE);
        OGR_F_Destroy(feature);
    }
    GDALClose(ogr.dataset);
    if (good) {
        assert_true(shepard_csv_rows_close(&rows));
        assert_same_files(path, other);
    }
    shepard_csv_rows_free(&rows);
    return good;
}

static bool write_random_table(bool known_only)
{
    enum { FIELDS_MAX = 8 };
    OGRFieldDefnH fields[FIELDS_MAX];
    const unsigned count = 1 + random_below(FIELDS_MAX);
    struct shepard_csv_layer like = {.options = random_options(known_only)};
    like.geometry = CSLFetchNameValue(like.options, "GEOMETRY") && (known_only || random_below(8))
                        ? wkbPoint
                        : wkbNone;
    for (unsigned i = 0; i < count; i++)
        fields[i] = random_field(i, known_only);
    const bool good = write_both(&like, fields, count);
    for (unsigned i = 0; i < count; i++)
        OGR_Fld_Destroy(fields[i]);
    CSLDestroy(like.options);
    return good;
}

/* ---- Tests ----------------------------------------------------------------------------------- */

/* Versions whose text is known to be the same; of others OGR's driver may write the rows. */
static bool known_version(void)
{
    return atoi(GDALVersionInfo("VERSION_NUM")) / 10000 == 306;
}

static void rows_are_those_of_ogr(void **state)
{
    (void)state;
    enum { TABLES = 200 };
    int written = 0;
    for (int i = 0; i < TABLES; i++)
        written += write_random_table(true);
    print_message("%d of %d tables written\n", written, TABLES);
    if (known_version())
        assert_int_equal(written, TABLES);
}

/* Also of tables that the driver has to write. */
static void what_is_not_known_is_left_to_ogr(void **state)
{
    (void)state;
    enum { TABLES = 200 };
    int written = 0;
    for (int i = 0; i < TABLES; i++)
        written += write_random_table(false);
    print_message("%d of %d tables written\n", written, TABLES);
    assert_true(written < TABLES);
}

static void long_texts_are_kept(void **state)
{
    (void)state;
    enum { LENGTH = 3000000 };
    char **options = CSLSetNameValue(NULL, "STRING_QUOTING", "IF_NEEDED");
    const struct shepard_csv_layer like = {.geometry = wkbNone, .options = options};
    OGRFieldDefnH field = OGR_Fld_Create("t", OFTString);
    const struct output made = create(in_folder("long.csv"), &like, &field, 1);
    struct shepard_csv_layer layer = like;
    struct shepard_csv_rows rows = {0};
    layer.table = OGR_L_GetLayerDefn(made.layer);
    assert_true(shepard_csv_rows_make(&rows, &layer));
    assert_true(shepard_csv_rows_open(&rows, in_folder("long.txt")));
    char *text = calloc(LENGTH + 1, 1);
    memset(text, 'x', LENGTH);
    OGRFeatureH feature = OGR_F_Create(layer.table);
    for (size_t length = 1; length <= LENGTH; length = 3 * length + 1) {
        text[length] = '\0';
        OGR_F_SetFieldString(feature, 0, text);
        text[length] = 'x';
        assert_true(shepard_csv_rows_add(&rows, feature));
        assert_int_equal(OGR_L_CreateFeature(made.layer, feature), OGRERR_NONE);
    }
    assert_true(shepard_csv_rows_close(&rows));
    OGR_F_Destroy(feature);
    GDALClose(made.dataset);
    char *written = read_text(in_folder("long.txt")), *by_ogr = read_text(in_folder("long.csv"));
    assert_string_equal(written, by_ogr + strlen("t,\n"));
    free(written);
    free(by_ogr);
    free(text);
    shepard_csv_rows_free(&rows);
    OGR_Fld_Destroy(field);
    CSLDestroy(options);
}

static void reals_are_those_of_printf(void **state)
{
    (void)state;
    for (int i = 0; i < 300000; i++) {
        const double value = random_number();
        char text[SHEPARD_OGR_NUMBER_MAX], expected[SHEPARD_OGR_NUMBER_MAX];
        text[shepard_ogr_number_real(value, text)] = '\0';
        snprintf(expected, sizeof expected, "%.15g", value);
        assert_string_equal(text, expected);
    }
}

static void integers_are_those_of_printf(void **state)
{
    (void)state;
    for (int i = 0; i < 100000; i++) {
        const int64_t value = i == 0 ? INT64_MIN : (int64_t)random_bits() >> random_below(64);
        char text[SHEPARD_OGR_NUMBER_MAX], expected[SHEPARD_OGR_NUMBER_MAX];
        text[shepard_ogr_number_integer(value, text)] = '\0';
        snprintf(expected, sizeof expected, "%lld", (long long)value);
        assert_string_equal(text, expected);
    }
}

/* The well-known text of a point between its brackets. */
static void coordinates_are_those_of_ogr(void **state)
{
    (void)state;
    if (!known_version())
        skip();
    for (int i = 0; i < 200000; i++) {
        const double x = random_coordinate(false),
                     y = random_below(2) ? random_coordinate(false) : near_decimal();
        if (isnan(x) || isnan(y))
            continue;
        OGRGeometryH point = OGR_G_CreateGeometry(wkbPoint);
        OGR_G_SetPoint_2D(point, 0, x, y);
        char text[SHEPARD_OGR_NUMBER_MAX], *expected = NULL;
        assert_int_equal(OGR_G_ExportToWkt(point, &expected), OGRERR_NONE);
        const size_t length = shepard_ogr_number_pair(x, y, ' ', text);
        const char *between = expected + strlen("POINT (");
        if (strlen(between) != length + 1 || memcmp(between, text, length) != 0)
            fail_msg("%.17g %.17g: \"%.*s\", by OGR \"%s\"", x, y, (int)length, text, expected);
        CPLFree(expected);
        OGR_G_DestroyGeometry(point);
    }
}

/* ---- Whole outputs --------------------------------------------------------------------------- */

/* A query layer with fields of many types. */
static const char *write_query_layer(void)
{
    enum { FEATURES = 500, FIELDS = 9 };
    const char *path = in_folder("q.gpkg");
    VSIUnlink(path);
    GDALDatasetH dataset =
        GDALCreate(GDALGetDriverByName("GPKG"), path, 0, 0, 0, GDT_Unknown, NULL);
    OGRLayerH layer = GDALDatasetCreateLayer(dataset, "q", NULL, wkbPoint, NULL);
    for (unsigned i = 0; i < FIELDS; i++) {
        OGRFieldDefnH field = random_field(i, true);
        OGR_L_CreateField(layer, field, TRUE);
        OGR_Fld_Destroy(field);
    }
    OGRFieldDefnH x = OGR_Fld_Create("x", OFTReal);
    OGR_L_CreateField(layer, x, TRUE);
    OGR_Fld_Destroy(x);
    CPLPushErrorHandler(CPLQuietErrorHandler);
    for (int i = 0; i < FEATURES; i++) {
        OGRFeatureH feature = random_feature(OGR_L_GetLayerDefn(layer));
        OGRGeometryH point = OGR_G_CreateGeometry(wkbPoint);
        OGR_G_SetPoint_2D(point, 0, near_decimal(), near_decimal());
        OGR_F_SetGeometryDirectly(feature, i % 7 ? point : NULL);
        if (i % 7 == 0)
            OGR_G_DestroyGeometry(point);
        assert_int_equal(OGR_L_CreateFeature(layer, feature), OGRERR_NONE);
        OGR_F_Destroy(feature);
    }
    CPLPopErrorHandler();
    GDALClose(dataset);
    return path;
}

static void write_query(struct shepard_vector_spec spec, const double *values)
{
    const struct shepard_source_options from = {.path = in_folder("q.gpkg")};
    const struct shepard_target_layer_options plain = {0};
    const struct shepard_new_column columns[] = {
        {.name = "z_pred", .values = values, .nodata = 3},
        {.name = "count", .values = values, .integer = true, .nodata = NAN}};
    spec.columns = 2;
    spec.column = columns;
    struct shepard_source *source = NULL;
    struct shepard_target_layer *query = NULL;
    struct shepard_io_error error = {.message = ""};
    if (shepard_source_open(&from, &source, NULL, &error) ||
        shepard_target_layer_open(source, &plain, &query, NULL, &error) ||
        shepard_target_layer_write(query, &spec, NULL, &error))
        fail_msg("%s", error.message);
    shepard_target_layer_free(query);
    shepard_source_close(source);
}

/* The name of a geometry column that is not written is an option that has no effect, but that
 * leaves the rows to OGR's driver. */
static void outputs_are_those_of_ogr(void **state)
{
    (void)state;
    static const char *const options[][4] = {
        {NULL}, {"CREATE_CSVT=YES", NULL}, {"SEPARATOR=SEMICOLON", "WRITE_BOM=YES", NULL}};
    double values[500];
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        values[i] = i % 9 == 0 ? 3 : i % 9 == 1 ? NAN : near_decimal();
    for (size_t i = 0; i < 3 * (sizeof options / sizeof *options); i++) {
        const char *const *some = options[i / 3];
        char **more = CSLAddString(NULL, "GEOMETRY_NAME=g");
        for (int k = 0; some[k]; k++)
            more = CSLAddString(more, some[k]);
        empty_folder();
        write_query_layer();
        write_query(
            (struct shepard_vector_spec){.path = in_folder("rows.csv"), .layer_options = some},
            values);
        write_query((struct shepard_vector_spec){.path = in_folder("ogr.csv"),
                                                 .layer_options = (const char *const *)more},
                    values);
        assert_same_files(in_folder("rows.csv"), in_folder("ogr.csv"));
        if (i / 3 == 1)
            assert_same_files(in_folder("rows.csvt"), in_folder("ogr.csvt"));
        assert_int_equal(files_in_folder(), i / 3 == 1 ? 5 : 3);
        CSLDestroy(more);
    }
}

/* An option of the dataset changes the rows, too. */
static void options_of_the_dataset_hold(void **state)
{
    (void)state;
    static const char *const options[] = {"GEOMETRY=AS_WKT", NULL};
    const double values[500] = {0};
    empty_folder();
    write_query_layer();
    write_query(
        (struct shepard_vector_spec){.path = in_folder("wkt.csv"), .creation_options = options},
        values);
    char *text = read_text(in_folder("wkt.csv"));
    assert_non_null(strstr(text, "\n\"POINT ("));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_those_of_ogr),
        cmocka_unit_test(what_is_not_known_is_left_to_ogr),
        cmocka_unit_test(long_texts_are_kept),
        cmocka_unit_test(reals_are_those_of_printf),
        cmocka_unit_test(integers_are_those_of_printf),
        cmocka_unit_test(coordinates_are_those_of_ogr),
        cmocka_unit_test(outputs_are_those_of_ogr),
        cmocka_unit_test(options_of_the_dataset_hold),
    };
    return cmocka_run_group_tests(tests, seed, fixture_end);
}
