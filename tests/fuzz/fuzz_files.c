/* SPDX-License-Identifier: MIT */
/*
 * Property: of any damaged GeoPackage, FlatGeobuf, CSV, Shapefile or XLSX file, reading its layers
 * (as they are, by a condition, by SQL, clipped by it, or as query points that are written again)
 *  - ends, in bounded time;
 *  - gives finite points, or an error with a text;
 *  - leaks nothing and reads nothing outside its blocks (the sanitizers').
 *
 * An input is the number of a sound file, how to read it, how many records of damage there are, and
 * the records: a position (3 bytes), an operation and a value (1 byte each).
 */
#include "feed.h"
#include "fuzz.h"

#include "shepard/shepard_io.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <math.h>
#include <ogr_api.h>
#include <string.h>

enum { ROWS = 150 };

/* A sound file, and the one of its parts that is damaged. */
struct sound {
    const char *format, *name, *damaged;
    GByte *bytes;
    size_t size;
};

static struct sound sounds[] = {
    {.format = "GPKG", .name = "a.gpkg", .damaged = "a.gpkg"},
    {.format = "FlatGeobuf", .name = "a.fgb", .damaged = "a.fgb"},
    {.format = "CSV", .name = "a.csv", .damaged = "a.csv"},
    {.format = "ESRI Shapefile", .name = "shp/a.shp", .damaged = "shp/a.shp"},
    {.format = "ESRI Shapefile", .name = "dbf/a.shp", .damaged = "dbf/a.dbf"},
    {.format = "ESRI Shapefile", .name = "shx/a.shp", .damaged = "shx/a.shx"},
    {.format = "XLSX", .name = "a.xlsx", .damaged = "a.xlsx"},
};

enum { SOUNDS = sizeof sounds / sizeof *sounds };

static const char folder[] = "/vsimem/fuzz";

static void CPL_STDCALL ignore(CPLErr severity, CPLErrorNum number, const char *message)
{
    (void)severity, (void)number, (void)message;
}

/* ---- Sound files ----------------------------------------------------------------------------- */

static void add_field(OGRLayerH layer, const char *name, OGRFieldType type)
{
    OGRFieldDefnH field = OGR_Fld_Create(name, type);
    OGR_L_CreateField(layer, field, TRUE);
    OGR_Fld_Destroy(field);
}

static void add_row(OGRLayerH layer, int i)
{
    OGRFeatureH feature = OGR_F_Create(OGR_L_GetLayerDefn(layer));
    const double x = i % 13, y = i / 13 * 0.5;
    OGR_F_SetFieldDouble(feature, 0, x);
    OGR_F_SetFieldDouble(feature, 1, y);
    OGR_F_SetFieldDouble(feature, 2, x * y + 0.25);
    OGR_F_SetFieldString(feature, 3, i % 3 ? "some text" : "12.5");
    OGRGeometryH point = OGR_G_CreateGeometry(wkbPoint);
    OGR_G_SetPoint_2D(point, 0, x, y);
    OGR_F_SetGeometryDirectly(feature, point);
    FUZZ_REQUIRE(OGR_L_CreateFeature(layer, feature) == OGRERR_NONE, "row %d is not written: %s", i,
                 CPLGetLastErrorMsg());
    OGR_F_Destroy(feature);
}

static void make_sound(struct sound *sound)
{
    char *path = CPLStrdup(CPLFormFilename(folder, sound->name, NULL));
    char *own_folder = CPLStrdup(CPLGetPath(path));
    VSIMkdirRecursive(own_folder, 0700);
    CPLFree(own_folder);
    GDALDatasetH dataset =
        GDALCreate(GDALGetDriverByName(sound->format), path, 0, 0, 0, GDT_Unknown, NULL);
    CPLFree(path);
    if (!dataset)
        return; /* a GDAL without the format */
    OGRLayerH layer = GDALDatasetCreateLayer(dataset, "a", NULL, wkbPoint, NULL);
    FUZZ_REQUIRE(layer, "no layer in %s: %s", sound->name, CPLGetLastErrorMsg());
    add_field(layer, "x", OFTReal);
    add_field(layer, "y", OFTReal);
    add_field(layer, "z", OFTReal);
    add_field(layer, "note", OFTString);
    for (int i = 0; i < ROWS; i++)
        add_row(layer, i);
    GDALClose(dataset);
    vsi_l_offset size = 0;
    const char *const damaged = CPLFormFilename(folder, sound->damaged, NULL);
    if (VSIIngestFile(NULL, damaged, &sound->bytes, &size, -1))
        sound->size = (size_t)size;
}

static void make_all(void)
{
    static bool made;
    if (made)
        return;
    made = true;
    shepard_io_init();
    CPLSetErrorHandler(ignore);
    for (size_t i = 0; i < SOUNDS; i++)
        make_sound(&sounds[i]);
}

/* ---- Damage ---------------------------------------------------------------------------------- */

enum { HEADER = 256, BLOCK = 64, RECORDS_MAX = 16 };

static size_t at_most(size_t count, size_t limit)
{
    return count < limit ? count : limit;
}

/* One operation on the bytes; the new size. */
static size_t damage_once(struct feed *feed, uint8_t *bytes, size_t size)
{
    size_t at = (size_t)feed_number(feed, 3) % size;
    const unsigned operation = feed_byte(feed) % 8;
    const uint8_t value = feed_byte(feed);
    if (operation < 2)
        at %= at_most(size, HEADER);
    const size_t block = at_most(BLOCK, size - at);
    switch (operation) {
    case 5:
        memset(bytes + at, value, block);
        return size;
    case 6:
        memmove(bytes + at, bytes + at_most((size_t)value * BLOCK, size - block), block);
        return size;
    case 7:
        return value < 32 && at > 0 ? at : size;
    default:
        bytes[at] = value;
        return size;
    }
}

static void write_damaged(struct feed *feed, const struct sound *sound)
{
    const size_t records = feed_byte(feed) % RECORDS_MAX;
    uint8_t *bytes = malloc(sound->size);
    if (!bytes)
        abort();
    size_t size = sound->size;
    memcpy(bytes, sound->bytes, size);
    for (size_t i = 0; i < records; i++)
        size = damage_once(feed, bytes, size);
    VSILFILE *file = VSIFOpenL(CPLFormFilename(folder, sound->damaged, NULL), "wb");
    FUZZ_REQUIRE(file && VSIFWriteL(bytes, 1, size, file) == size, "the file cannot be written");
    VSIFCloseL(file);
    free(bytes);
}

/* ---- Reading --------------------------------------------------------------------------------- */

static bool succeeded(enum shepard_io_status status, const struct shepard_io_error *error)
{
    FUZZ_REQUIRE(status == SHEPARD_IO_OK || (error->message[0] && error->status == status),
                 "status %d has no text", (int)status);
    return status == SHEPARD_IO_OK;
}

static void read_points(struct shepard_source *source, struct shepard_read_options options)
{
    struct shepard_io_error error = {.message = ""};
    struct shepard_point_set points = {0};
    options.z_multiply = 1.0;
    if (!succeeded(shepard_source_read(source, &options, &points, NULL, &error), &error)) {
        FUZZ_REQUIRE(!points.x && points.count == 0, "points after an error");
        return;
    }
    FUZZ_REQUIRE(points.count > 0 && points.columns > 0, "no points and no error");
    for (size_t i = 0; i < points.count; i++)
        FUZZ_REQUIRE(isfinite(points.x[i]) && isfinite(points.y[i]), "point %zu: %g %g", i,
                     points.x[i], points.y[i]);
    shepard_point_set_clear(&points);
}

static void write_query(struct shepard_target_layer *query)
{
    struct shepard_target_layer_targets targets;
    shepard_target_layer_get_targets(query, &targets);
    double *values = calloc(targets.count + 1, sizeof *values);
    if (!values)
        abort();
    const struct shepard_new_column column = {.name = "new", .values = values, .nodata = NAN};
    const struct shepard_vector_spec spec = {
        .path = "/vsimem/fuzz/out.csv", .columns = 1, .column = &column};
    struct shepard_io_error error = {.message = ""};
    succeeded(shepard_target_layer_write(query, &spec, NULL, &error), &error);
    VSIUnlink(spec.path);
    free(values);
}

static void read_query(struct shepard_source *source)
{
    struct shepard_io_error error = {.message = ""};
    struct shepard_target_layer *query = NULL;
    const struct shepard_target_layer_options options = {0};
    if (succeeded(shepard_target_layer_open(source, &options, &query, NULL, &error), &error))
        write_query(query);
    shepard_target_layer_free(query);
}

/* Not "*": OGR SQL takes minutes for the thousands of columns of a damaged header. */
static const char *select_of(const struct shepard_source *source)
{
    return strcmp(shepard_source_format(source), "GPKG") == 0 ? "SELECT geom, z FROM a WHERE z > 1"
                                                              : "SELECT z FROM a WHERE z > 1";
}

static void read_as(struct shepard_source *source, const char *path, unsigned how)
{
    static const char *const z[] = {"z", NULL}, *const note[] = {"note", "z", NULL};
    switch (how % 7) {
    case 0:
        read_points(source, (struct shepard_read_options){.fields = z});
        break;
    case 1:
        read_points(source, (struct shepard_read_options){.fields = note, .where = "z < 20"});
        break;
    case 2:
        read_points(source, (struct shepard_read_options){.fields = z, .sql = select_of(source)});
        break;
    case 3:
        read_points(source, (struct shepard_read_options){.fields = z,
                                                          .spat = {true, -1.0, -1.0, 9.0, 9.0}});
        break;
    case 4:
        read_points(source,
                    (struct shepard_read_options){.fields = z, .x_field = "x", .y_field = "y"});
        break;
    case 5:
        read_points(source, (struct shepard_read_options){.fields = z, .clip = {.path = path}});
        break;
    default:
        read_query(source);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    make_all();
    struct feed feed = feed_begin(bytes, size);
    const struct sound *sound = &sounds[feed_byte(&feed) % SOUNDS];
    const unsigned how = feed_byte(&feed);
    if (!sound->bytes)
        return 0;
    write_damaged(&feed, sound);
    char *path = CPLStrdup(CPLFormFilename(folder, sound->name, NULL));
    const struct shepard_source_options options = {.path = path};
    struct shepard_io_error error = {.message = ""};
    struct shepard_source *source = NULL;
    if (succeeded(shepard_source_open(&options, &source, NULL, &error), &error))
        read_as(source, path, how);
    shepard_source_close(source);
    CPLFree(path);
    return 0;
}
