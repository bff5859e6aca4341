/* SPDX-License-Identifier: MIT */
#include "fixture.h"

#include "base/random.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <ogr_api.h>
#include <ogr_srs_api.h>

static char folder[] = "/tmp/shepard-io-test.XXXXXX";

int fixture_begin(void **state)
{
    (void)state;
    shepard_io_init();
    return mkdtemp(folder) ? 0 : -1;
}

static struct shepard_random random_stream;

int fixture_begin_random(void **state)
{
    const char *text = getenv("SHEPARD_TEST_SEED");
    random_stream.state = text ? strtoull(text, NULL, 10) : 1;
    print_message("seed %llu\n", (unsigned long long)random_stream.state);
    return fixture_begin(state);
}

uint64_t random_bits(void)
{
    return shepard_random_bits(&random_stream);
}

unsigned random_below(unsigned limit)
{
    return (unsigned)(random_bits() % limit);
}

int fixture_end(void **state)
{
    (void)state;
    const int status = VSIRmdirRecursive(folder);
    shepard_io_exit();
    return status;
}

const char *in_folder(const char *name)
{
    static char paths[8][300];
    static size_t next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

const char *write_text(const char *name, const char *text)
{
    const char *path = in_folder(name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    return path;
}

char *read_text(const char *path)
{
    GByte *bytes = NULL;
    assert_true(VSIIngestFile(NULL, path, &bytes, NULL, -1));
    char *text = strdup((const char *)bytes);
    VSIFree(bytes);
    return text;
}

size_t files_in_folder(void)
{
    char **names = VSIReadDir(folder);
    size_t count = 0;
    for (int i = 0; names && names[i]; i++)
        count += strcmp(names[i], ".") != 0 && strcmp(names[i], "..") != 0;
    CSLDestroy(names);
    return count;
}

void empty_folder(void)
{
    VSIRmdirRecursive(folder);
    assert_int_equal(VSIMkdir(folder, 0700), 0);
}

static OGRLayerH make_layer(GDALDatasetH dataset, const char *format)
{
    OGRSpatialReferenceH srs = OSRNewSpatialReference(NULL);
    OSRImportFromEPSG(srs, strcmp(format, "GeoJSON") == 0 ? 4326 : 32632);
    OSRSetAxisMappingStrategy(srs, OAMS_TRADITIONAL_GIS_ORDER);
    OGRLayerH layer = GDALDatasetCreateLayer(dataset, "places", srs, wkbUnknown, NULL);
    OSRDestroySpatialReference(srs);
    assert_non_null(layer);
    static const char *const names[] = {"z", "whole", "name"};
    static const OGRFieldType types[] = {OFTReal, OFTInteger, OFTString};
    for (int i = 0; i < 3; i++) {
        OGRFieldDefnH field = OGR_Fld_Create(names[i], types[i]);
        assert_int_equal(OGR_L_CreateField(layer, field, TRUE), OGRERR_NONE);
        OGR_Fld_Destroy(field);
    }
    return layer;
}

static void add_feature(OGRLayerH layer, const char *line)
{
    char **parts = CSLTokenizeString2(line, ";", CSLT_ALLOWEMPTYTOKENS);
    OGRFeatureH feature = OGR_F_Create(OGR_L_GetLayerDefn(layer));
    char *wkt = parts[0];
    OGRGeometryH geometry = NULL;
    if (wkt[0])
        assert_int_equal(OGR_G_CreateFromWkt(&wkt, NULL, &geometry), OGRERR_NONE);
    OGR_F_SetGeometryDirectly(feature, geometry);
    if (parts[1][0]) {
        OGR_F_SetFieldDouble(feature, 0, CPLAtof(parts[1]));
        OGR_F_SetFieldInteger(feature, 1, (int)CPLAtof(parts[1]));
    }
    if (parts[2][0])
        OGR_F_SetFieldString(feature, 2, parts[2]);
    assert_int_equal(OGR_L_CreateFeature(layer, feature), OGRERR_NONE);
    OGR_F_Destroy(feature);
    CSLDestroy(parts);
}

const char *write_layer(const char *name, const char *format, const char *const *lines)
{
    const char *path = in_folder(name);
    GDALDriverH driver = GDALGetDriverByName(format);
    GDALDatasetH dataset = GDALCreate(driver, path, 0, 0, 0, GDT_Unknown, NULL);
    assert_non_null(dataset);
    OGRLayerH layer = make_layer(dataset, format);
    for (; *lines; lines++)
        add_feature(layer, *lines);
    GDALClose(dataset);
    return path;
}

static enum shepard_io_status open_and_read(const char *path,
                                            const struct shepard_read_options *options,
                                            struct shepard_point_set *points,
                                            struct shepard_io_error *error)
{
    const struct shepard_source_options from = {.path = path};
    struct shepard_source *source = NULL;
    *points = (struct shepard_point_set){0};
    *error = (struct shepard_io_error){.message = ""};
    enum shepard_io_status status = shepard_source_open(&from, &source, NULL, error);
    if (!status)
        status = shepard_source_read(source, options, points, NULL, error);
    shepard_source_close(source);
    return status;
}

struct shepard_point_set read_all(const char *path, const struct shepard_read_options *options)
{
    struct shepard_point_set points;
    struct shepard_io_error error;
    if (open_and_read(path, options, &points, &error))
        fail_msg("%s", error.message);
    return points;
}

struct shepard_io_error read_error(const char *path, const struct shepard_read_options *options)
{
    struct shepard_point_set points;
    struct shepard_io_error error;
    const enum shepard_io_status status = open_and_read(path, options, &points, &error);
    assert_int_not_equal(status, SHEPARD_IO_OK);
    assert_int_equal(status, error.status);
    assert_null(points.x);
    assert_int_equal(points.count, 0);
    return error;
}

void collect_warning(const char *message, void *user)
{
    char *text = user;
    const size_t used = strlen(text);
    snprintf(text + used, 2000 - used, "%s\n", message);
}

bool cancel(double fraction, void *user)
{
    (void)fraction;
    (void)user;
    return false;
}
