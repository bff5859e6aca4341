/* SPDX-License-Identifier: MIT */
#include "cf_file.h"

#include "string_list.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <ctype.h>
#include <ogr_srs_api.h>
#include <stdlib.h>
#include <string.h>

struct shepard_cf_file {
    GDALDatasetH dataset;
    GDALGroupH root;
    GDALDimensionH dimension[3]; /* z of a stack, y, x */
    GDALMDArrayH *variable;      /* [variables] */
    size_t variables;
    size_t heights; /* bands of a variable; 0: no stack */
    size_t *height; /* [heights] where a band's height stands among the rising ones */
    bool zarr; /* whose dimensions have to be told their coordinates; netCDF's have them by name */
    GDALDataType type;
    OGRSpatialReferenceH srs; /* NULL: none */
    char **names;             /* that are taken */
};

bool shepard_cf_file_serves(GDALDriverH driver, const char *const *creation_options)
{
    const bool netcdf = EQUAL(GDALGetDriverShortName(driver), "netCDF");
    bool serves = netcdf || EQUAL(GDALGetDriverShortName(driver), "Zarr");
    for (const char *const *option = creation_options; serves && option && *option; option++)
        serves = EQUALN(*option, "COMPRESS=", 9) ||
                 (netcdf ? EQUAL(*option, "FORMAT=NC4") || EQUALN(*option, "ZLEVEL=", 7)
                         : EQUALN(*option, "FORMAT=", 7) || EQUALN(*option, "BLOCKSIZE=", 10));
    return serves;
}

/* ---- Names and attributes -------------------------------------------------------------------- */

/* A name that netCDF allows: it begins with a letter, digit or _, or outside of ASCII, holds no /
 * and no control character, and does not end in a blank. To be freed by CPLFree. */
static char *allowed_name(const char *wanted)
{
    const unsigned char first = (unsigned char)wanted[0];
    char *name = CPLStrdup(
        CPLSPrintf("%s%s", isalnum(first) || first == '_' || first >= 0x80 ? "" : "_", wanted));
    size_t length = strlen(name);
    for (char *c = name; *c; c++)
        *c = *c == '/' || (unsigned char)*c < ' ' || *c == 0x7f ? '_' : *c;
    while (length > 1 && name[length - 1] == ' ')
        name[--length] = '\0';
    return name;
}

/* An allowed name that is free; to be freed by CPLFree. */
static char *free_name(struct shepard_cf_file *file, const char *wanted)
{
    char *base = allowed_name(wanted);
    char *name = CPLStrdup(base);
    for (int i = 2; CSLFindStringCaseSensitive(file->names, name) >= 0; i++) {
        CPLFree(name);
        name = CPLStrdup(CPLSPrintf("%s_%d", base, i));
    }
    CPLFree(base);
    file->names = CSLAddString(file->names, name);
    return name;
}

static bool write_text(GDALAttributeH attribute, const char *text)
{
    const bool good = attribute && GDALAttributeWriteString(attribute, text);
    GDALAttributeRelease(attribute);
    return good;
}

static bool describe_array(GDALMDArrayH array, const char *key, const char *text)
{
    GDALExtendedDataTypeH type = GDALExtendedDataTypeCreateString(0);
    const bool good =
        !text || write_text(GDALMDArrayCreateAttribute(array, key, 0, NULL, type, NULL), text);
    GDALExtendedDataTypeRelease(type);
    return good;
}

static bool describe_file(GDALGroupH root, const char *const *metadata)
{
    GDALExtendedDataTypeH type = GDALExtendedDataTypeCreateString(0);
    bool good = true;
    for (const char *const *item = metadata; good && item && *item; item++) {
        char *key = NULL;
        const char *value = CPLParseNameValue(*item, &key);
        if (key && value)
            good = write_text(GDALGroupCreateAttribute(root, key, 0, NULL, type, NULL), value);
        CPLFree(key);
    }
    GDALExtendedDataTypeRelease(type);
    return good;
}

/* ---- Coordinates ----------------------------------------------------------------------------- */

/* One axis of the raster as CF describes it. */
struct cf_axis {
    const char *name, *kind;
    const char *standard_name, *units, *axis, *positive; /* NULL: none */
    double first, step;                                  /* edge of the first cell */
    size_t cells;
};

enum { Z, Y, X };

/* UDUNITS knows metres and kilometres by these names, feet by those of EPSG. */
static const char *length_units(OGRSpatialReferenceH srs)
{
    char *name = NULL;
    const double metres = OSRGetLinearUnits(srs, &name);
    if (metres == 1)
        return "m";
    if (metres == 1000)
        return "km";
    return metres == 0.3048 ? "foot" : CPLSPrintf("%.17g m", metres);
}

static void set_axes(const struct shepard_raster *raster, OGRSpatialReferenceH srs,
                     struct cf_axis axis[3])
{
    const bool geographic = srs && OSRIsGeographic(srs);
    axis[Y] = (struct cf_axis){.name = geographic ? "lat" : "y",
                               .kind = GDAL_DIM_TYPE_HORIZONTAL_Y,
                               .first = raster->y0,
                               .step = raster->dy,
                               .cells = raster->rows};
    axis[X] = (struct cf_axis){.name = geographic ? "lon" : "x",
                               .kind = GDAL_DIM_TYPE_HORIZONTAL_X,
                               .first = raster->x0,
                               .step = raster->dx,
                               .cells = raster->columns};
    for (int i = 0; i < 2; i++) {
        static const char *const names[2][2] = {
            {"projection_y_coordinate", "projection_x_coordinate"}, {"latitude", "longitude"}};
        static const char *const degrees[2] = {"degrees_north", "degrees_east"};
        axis[Y + i].standard_name = names[geographic][i];
        if (srs)
            axis[Y + i].units = geographic ? degrees[i] : length_units(srs);
    }
}

/* To be freed by VSIFree; NULL where memory is out. */
static double *centres(const struct cf_axis *axis)
{
    double *centre = VSIMalloc2(axis->cells, sizeof *centre);
    for (size_t i = 0; centre && i < axis->cells; i++)
        centre[i] = axis->first + ((double)i + 0.5) * axis->step;
    return centre;
}

static bool add_axis(struct shepard_cf_file *file, const struct cf_axis *axis, int which,
                     const double *coordinates)
{
    const GUInt64 start = 0;
    file->names = CSLAddString(file->names, axis->name);
    file->dimension[which] = GDALGroupCreateDimension(file->root, axis->name, axis->kind, NULL,
                                                      (GUInt64)axis->cells, NULL);
    if (!file->dimension[which])
        return false;
    GDALExtendedDataTypeH type = GDALExtendedDataTypeCreate(GDT_Float64);
    GDALMDArrayH array =
        GDALGroupCreateMDArray(file->root, axis->name, 1, &file->dimension[which], type, NULL);
    const bool good =
        array && describe_array(array, "standard_name", axis->standard_name) &&
        describe_array(array, "units", axis->units) && describe_array(array, "axis", axis->axis) &&
        describe_array(array, "positive", axis->positive) &&
        GDALMDArrayWrite(array, &start, &axis->cells, NULL, NULL, type, coordinates, NULL, 0) &&
        (!file->zarr || GDALDimensionSetIndexingVariable(file->dimension[which], array));
    GDALMDArrayRelease(array);
    GDALExtendedDataTypeRelease(type);
    return good;
}

/* CF wants coordinates that rise or fall: heights rise, in whatever order the bands come. */
static bool add_heights(struct shepard_cf_file *file, const struct shepard_raster_spec *spec)
{
    const size_t count = spec->height_count;
    const struct cf_axis axis = {
        .name = "z", .kind = GDAL_DIM_TYPE_VERTICAL, .axis = "Z", .positive = "up", .cells = count};
    double *rising = VSIMalloc2(count, sizeof *rising);
    file->height = VSICalloc(count, sizeof *file->height);
    const bool room = rising && file->height;
    for (size_t i = 0; room && i < count; i++) {
        for (size_t j = 0; j < count; j++)
            file->height[i] += spec->heights[j] < spec->heights[i];
        rising[file->height[i]] = spec->heights[i];
    }
    const bool good = room && add_axis(file, &axis, Z, rising);
    VSIFree(rising);
    return good;
}

static bool add_axes(struct shepard_cf_file *file, const struct shepard_raster_spec *spec)
{
    struct cf_axis axis[3];
    set_axes(&spec->raster, file->srs, axis);
    bool good = file->heights == 0 || add_heights(file, spec);
    for (int i = Y; good && i <= X; i++) {
        double *coordinates = centres(&axis[i]);
        good = coordinates && add_axis(file, &axis[i], i, coordinates);
        VSIFree(coordinates);
    }
    return good;
}

/* ---- Variables ------------------------------------------------------------------------------- */

/* FORMAT is of the file, the others are of its variables. */
static char **options_of(const char *const *all, bool of_file)
{
    char **options = NULL;
    for (const char *const *option = all; option && *option; option++)
        if (EQUALN(*option, "FORMAT=", 7) == of_file)
            options = CSLAddString(options, *option);
    return options;
}

/* Chunks of a stack are of one height: its bands are written one after the other. */
static char **options_of_stack(char **options)
{
    const char *size = CSLFetchNameValue(options, "BLOCKSIZE");
    return size ? CSLSetNameValue(options, "BLOCKSIZE", CPLSPrintf("1,%s", size)) : options;
}

/* band: the variable's, or its first one; NULL: without a name. */
static bool add_variable(struct shepard_cf_file *file, const struct shepard_band *band,
                         const char *const *creation_options)
{
    const bool stack = file->heights > 0;
    const char *title =
        band ? (stack && band->variable ? band->variable : band->description) : NULL;
    char *name = free_name(file, title ? title : CPLSPrintf("Band%zu", file->variables + 1));
    char **options = options_of(creation_options, false);
    if (stack)
        options = options_of_stack(options);
    GDALExtendedDataTypeH type = GDALExtendedDataTypeCreate(file->type);
    GDALMDArrayH array = GDALGroupCreateMDArray(file->root, name, stack ? 3 : 2,
                                                file->dimension + (stack ? Z : Y), type, options);
    GDALExtendedDataTypeRelease(type);
    CSLDestroy(options);
    CPLFree(name);
    if (array)
        file->variable[file->variables++] = array;
    return array && describe_array(array, "long_name", title) &&
           (!file->srs || GDALMDArraySetSpatialRef(array, file->srs)) &&
           (!band || !band->has_nodata || GDALMDArraySetNoDataValueAsDouble(array, band->nodata));
}

static bool fill(struct shepard_cf_file *file, const struct shepard_raster_spec *spec)
{
    const size_t step = file->heights > 0 ? file->heights : 1;
    file->variable = VSICalloc(spec->bands, sizeof *file->variable);
    bool good = file->variable && add_axes(file, spec);
    /* GDAL's names of the variable that describes the coordinate system. */
    file->names = CSLAddString(file->names, "crs");
    for (size_t b = 0; good && b < spec->bands; b += step)
        good = add_variable(file, spec->band ? &spec->band[b] : NULL, spec->creation_options);
    return good && describe_file(file->root, spec->metadata);
}

static bool read_srs(struct shepard_cf_file *file, const char *definition)
{
    if (!definition)
        return true;
    file->srs = OSRNewSpatialReference(NULL);
    OSRSetAxisMappingStrategy(file->srs, OAMS_TRADITIONAL_GIS_ORDER);
    return OSRSetFromUserInput(file->srs, definition) == OGRERR_NONE;
}

struct shepard_cf_file *shepard_cf_file_create(const struct shepard_raster_spec *spec,
                                               GDALDriverH driver, const char *path,
                                               GDALDataType type)
{
    struct shepard_cf_file *file = VSICalloc(1, sizeof *file);
    if (!file)
        return NULL;
    file->type = type;
    file->heights = spec->height_count;
    file->zarr = EQUAL(GDALGetDriverShortName(driver), "Zarr");
    char **options = options_of(spec->creation_options, true);
    if (read_srs(file, spec->srs))
        file->dataset = GDALCreateMultiDimensional(driver, path, NULL, options);
    CSLDestroy(options);
    file->root = file->dataset ? GDALDatasetGetRootGroup(file->dataset) : NULL;
    if (file->root && fill(file, spec))
        return file;
    shepard_cf_file_close(file);
    return NULL;
}

void shepard_cf_file_block(const struct shepard_cf_file *file, int *columns, int *rows)
{
    size_t count = 0;
    GUInt64 *size = GDALMDArrayGetBlockSize(file->variable[0], &count);
    if (count >= 2 && size[count - 2] > 0 && size[count - 1] > 0) {
        *rows = (int)size[count - 2];
        *columns = (int)size[count - 1];
    }
    CPLFree(size);
}

/* Converted here: the driver would convert and write a cell at a time. */
bool shepard_cf_file_write(struct shepard_cf_file *file, size_t b,
                           const struct shepard_window *window, const double *values)
{
    const size_t cells = window->columns * window->rows;
    const int size = GDALGetDataTypeSizeBytes(file->type);
    const size_t bands = file->heights > 0 ? file->heights : 1;
    const GUInt64 start[3] = {file->heights > 0 ? file->height[b % bands] : 0, window->row,
                              window->column};
    const size_t count[3] = {1, window->rows, window->columns};
    const int first = file->heights > 0 ? Z : Y;
    void *stored = VSIMalloc2(cells, (size_t)size);
    if (!stored)
        return false;
    GDALCopyWords64(values, GDT_Float64, sizeof *values, stored, file->type, size,
                    (GPtrDiff_t)cells);
    GDALExtendedDataTypeH type = GDALExtendedDataTypeCreate(file->type);
    const bool good = GDALMDArrayWrite(file->variable[b / bands], start + first, count + first,
                                       NULL, NULL, type, stored, NULL, 0);
    GDALExtendedDataTypeRelease(type);
    VSIFree(stored);
    return good;
}

void shepard_cf_file_close(struct shepard_cf_file *file)
{
    if (!file)
        return;
    for (size_t i = 0; i < file->variables; i++)
        GDALMDArrayRelease(file->variable[i]);
    VSIFree(file->variable);
    VSIFree(file->height);
    for (int i = Z; i <= X; i++)
        if (file->dimension[i])
            GDALDimensionRelease(file->dimension[i]);
    if (file->root)
        GDALGroupRelease(file->root);
    GDALClose(file->dataset);
    OSRDestroySpatialReference(file->srs);
    CSLDestroy(file->names);
    VSIFree(file);
}
