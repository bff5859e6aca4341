/* SPDX-License-Identifier: MIT */
#include "csv_trial.h"

#include "trial_folder.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

/* ---- Values ---------------------------------------------------------------------------------- */

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Row i takes value i of each table, and begins again at its end. */
enum { ROWS = 32 };

static const int integers[] = {0, -1, 7, 1000000000, INT_MAX, INT_MIN};

static const GIntBig long_integers[] = {0, -10, 99, 12345678901234, INT64_MAX, INT64_MIN};

static const double reals[] = {0,
                               -0.0,
                               1,
                               -1234.5,
                               0.1,
                               0.1 + 0.2,
                               2.0 / 3,
                               1e-4,
                               0.99999e-4,
                               1e-5,
                               1e-300,
                               1e14,
                               1e15,
                               1e22,
                               NAN,
                               INFINITY,
                               -INFINITY,
                               DBL_MAX,
                               DBL_MIN,
                               9007199254740993.0,
                               999999999999999.0,
                               999999999999999.9,
                               49.4235739019063951,
                               100.125};

static const char *const texts[] = {
    "",    "a",   "a b",  " lead", "trail ", "1",    "007",    "1.50",     "-2e5",       "a,b",
    "a;b", "a|b", "a\tb", "a\"b",  "\"",     "a\nb", "a\r\nb", "\xc3\xa4", "=1",         "@x",
    "+1",  "-",   "'q'",  "#5",    "NULL",   "true", "x/y",    "(z)",      "{\"k\": 1}", "\xff"};

/* x, y, z of points. */
static const double points[][3] = {{0, 0, 0},
                                   {-7, 3, 2},
                                   {-7, 3.5, -0.5},
                                   {5, 0.1, 1e-5},
                                   {0.5, -0.25, 0.125},
                                   {-0.0, 0.3, 12.75},
                                   {1e15, 1e-9, 1e20},
                                   {0.1 + 0.2, 2.0 / 3, 0.3},
                                   {3e9, -3e9, 3e9},
                                   {7026.316, 1e-15, NAN},
                                   {0.99999999999999, 1, 1},
                                   {NAN, 2, 0},
                                   {INFINITY, -INFINITY, INFINITY},
                                   {0.123456000000001, 0.5000000012345, 5e-7},
                                   {12345.000000011, 123456789.123456789, 100.1},
                                   {0.69999999999999, 0.7999999991, -1}};

static void set_moment(OGRFeatureH feature, int field, int row)
{
    static const float seconds[] = {0, 59, 7.125F, 30.5F};
    static const int zones[] = {0, 1, 100, 104, 90};
    OGR_F_SetFieldDateTimeEx(feature, field, 1970 + 3 * row, 1 + row % 12, 1 + row % 28, row % 24,
                             row * 2 % 60, seconds[(size_t)row % COUNT(seconds)],
                             zones[(size_t)row % COUNT(zones)]);
}

static void set_field(OGRFeatureH feature, int field, int row)
{
    const size_t i = (size_t)row;
    switch (OGR_Fld_GetType(OGR_F_GetFieldDefnRef(feature, field))) {
    case OFTInteger:
        OGR_F_SetFieldInteger(feature, field, integers[i % COUNT(integers)]);
        break;
    case OFTInteger64:
        OGR_F_SetFieldInteger64(feature, field, long_integers[i % COUNT(long_integers)]);
        break;
    case OFTReal:
        OGR_F_SetFieldDouble(feature, field, reals[i % COUNT(reals)]);
        break;
    case OFTString:
        OGR_F_SetFieldString(feature, field, texts[i % COUNT(texts)]);
        break;
    default:
        set_moment(feature, field, row);
        break;
    }
}

static void set_point(OGRFeatureH feature, int row)
{
    const double *point = points[(size_t)row % COUNT(points)];
    OGRGeometryH geometry = OGR_G_CreateGeometry(row % 8 == 7 ? wkbPoint25D : wkbPoint);
    if (row % 8 == 7)
        OGR_G_SetPoint(geometry, 0, point[0], point[1], point[2]);
    else if (row < ROWS - 2)
        OGR_G_SetPoint_2D(geometry, 0, point[0], point[1]);
    OGR_F_SetGeometryDirectly(feature, geometry);
}

/* The last row has neither values nor a point, the one before it an empty point. */
static OGRFeatureH make_feature(OGRFeatureDefnH table, int row)
{
    OGRFeatureH feature = OGR_F_Create(table);
    const int fields = OGR_FD_GetFieldCount(table);
    if (row < ROWS - 1)
        for (int i = 0; i < fields; i++)
            set_field(feature, i, row);
    if (row < ROWS - 1 && OGR_FD_GetGeomFieldCount(table) > 0)
        set_point(feature, row);
    return feature;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static OGRLayerH make_layer(GDALDatasetH dataset, const struct shepard_csv_layer *like)
{
    OGRLayerH layer =
        GDALDatasetCreateLayer(dataset, "trial", like->srs, like->geometry, like->options);
    const int fields = OGR_FD_GetFieldCount(like->table);
    for (int i = 0; layer && i < fields; i++)
        if (OGR_L_CreateField(layer, OGR_FD_GetFieldDefn(like->table, i), TRUE) != OGRERR_NONE)
            return NULL;
    return layer;
}

static bool write_rows(OGRLayerH layer, struct shepard_csv_rows *rows)
{
    bool good = true;
    for (int row = 0; row < ROWS && good; row++) {
        OGRFeatureH feature = make_feature(OGR_L_GetLayerDefn(layer), row);
        good = OGR_L_CreateFeature(layer, feature) == OGRERR_NONE &&
               shepard_csv_rows_add(rows, feature);
        OGR_F_Destroy(feature);
    }
    return shepard_csv_rows_close(rows) && good;
}

static bool write_both(GDALDriverH driver, const struct shepard_csv_layer *like, const char *path,
                       const char *rows_path, struct shepard_csv_rows *rows)
{
    GDALDatasetH dataset = GDALCreate(driver, path, 0, 0, 0, GDT_Unknown, NULL);
    OGRLayerH layer = dataset ? make_layer(dataset, like) : NULL;
    const bool good = layer && shepard_csv_rows_open(rows, rows_path) && write_rows(layer, rows);
    if (dataset)
        GDALClose(dataset);
    return good;
}

/* Whether the file of the driver is a header and then the rows. */
static bool ends_alike(const char *path, const char *rows_path)
{
    vsi_l_offset size = 0, rows_size = 0;
    const GByte *all = VSIGetMemFileBuffer(path, &size, FALSE);
    const GByte *rows = VSIGetMemFileBuffer(rows_path, &rows_size, FALSE);
    if (!all || !rows || rows_size == 0 || size <= rows_size)
        return false;
    const GByte *behind = all + (size - rows_size);
    return behind[-1] == '\n' && memcmp(behind, rows, (size_t)rows_size) == 0;
}

bool shepard_csv_trial_agrees(GDALDriverH driver, const struct shepard_csv_layer *layer,
                              struct shepard_csv_rows *rows)
{
    struct shepard_trial_folder folder = shepard_trial_folder_make(driver, "trial.csv");
    char *rows_path = CPLStrdup(CPLFormFilename(folder.folder, "rows", "txt"));
    CPLPushErrorHandler(CPLQuietErrorHandler);
    const bool agrees = write_both(driver, layer, folder.path, rows_path, rows) &&
                        ends_alike(folder.path, rows_path);
    CPLPopErrorHandler();
    CPLErrorReset();
    CPLFree(rows_path);
    shepard_trial_folder_free(&folder);
    return agrees;
}
