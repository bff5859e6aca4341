/* SPDX-License-Identifier: MIT */
/* A raster that numbers are taken from, at any places. It is read in tiles, each once a call, so
 * that memory does not depend on its size. */
#include "crs.h"
#include "io_error.h"

#include <cpl_conv.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <math.h>
#include <string.h>

/* Rows and columns of a tile; it is read with one more of each. */
enum { TILE = 512, TILE_READ = TILE + 1 };
/* Tiles of the largest raster: 10^12 cells. */
static const double tiles_max = 1 << 22;

/* Cells that were read, of the corner (column, row). */
struct raster_tile {
    int column, row, columns, rows;
    double *values;       /* [rows, columns] */
    unsigned char *valid; /* [rows, columns], where not all are; 0: no value */
};

struct shepard_sampled_raster {
    GDALDatasetH dataset;
    GDALRasterBandH band;
    char *path;
    char *srs;                           /* NULL: unknown */
    double inverse[6];                   /* from coordinates to columns and rows */
    double scale, offset;                /* of stored numbers */
    bool masked;                         /* some cells may have no value */
    OGRCoordinateTransformationH change; /* from places to the raster's system; NULL: none */
    size_t across, down;                 /* tiles */
    struct raster_tile tile;
};

/* ---- Opening --------------------------------------------------------------------------------- */

bool shepard_io_names_raster(const char *name)
{
    VSIStatBufL status;
    struct shepard_gdal_error_scope trap;
    if (!name || !name[0])
        return false;
    shepard_gdal_error_scope_begin(&trap, NULL);
    const bool file = VSIStatL(name, &status) == 0 && VSI_ISREG(status.st_mode);
    const bool raster = file || GDALIdentifyDriverEx(name, GDAL_OF_RASTER, NULL, NULL) != NULL;
    shepard_gdal_error_scope_clear(&trap);
    shepard_gdal_error_scope_end(&trap, SHEPARD_IO_OK);
    return raster;
}

static enum shepard_io_status take_band(struct shepard_sampled_raster *raster,
                                        struct shepard_io_error *error)
{
    const int bands = GDALGetRasterCount(raster->dataset);
    if (bands != 1)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "path",
                               "\"%.300s\" has %d bands, and one is needed; name one of them, "
                               "such as vrt://%.300s?bands=1",
                               raster->path, bands, raster->path);
    int has_scale = FALSE, has_offset = FALSE;
    raster->band = GDALGetRasterBand(raster->dataset, 1);
    if (GDALDataTypeIsComplex(GDALGetRasterDataType(raster->band)))
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "path",
                               "\"%.300s\" holds complex numbers; gdal_translate -ot Float32 "
                               "keeps their real parts",
                               raster->path);
    const double scale = GDALGetRasterScale(raster->band, &has_scale);
    const double offset = GDALGetRasterOffset(raster->band, &has_offset);
    raster->scale = has_scale ? scale : 1;
    raster->offset = has_offset ? offset : 0;
    raster->masked = !(GDALGetMaskFlags(raster->band) & GMF_ALL_VALID);
    return SHEPARD_IO_OK;
}

static enum shepard_io_status take_place(struct shepard_sampled_raster *raster,
                                         struct shepard_io_error *error)
{
    double transform[6];
    if (GDALGetGeoTransform(raster->dataset, transform) != CE_None ||
        !GDALInvGeoTransform(transform, raster->inverse))
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "path",
                               "\"%.300s\" has no georeference; gdal_edit.py -a_ullr gives it one",
                               raster->path);
    raster->across = (size_t)(GDALGetRasterXSize(raster->dataset) - 1) / TILE + 1;
    raster->down = (size_t)(GDALGetRasterYSize(raster->dataset) - 1) / TILE + 1;
    if ((double)raster->across * (double)raster->down > tiles_max)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_SIZE, "path",
                               "\"%.300s\" of %d x %d cells is too large; gdal_translate -projwin "
                               "cuts a part out, -tr makes cells larger",
                               raster->path, GDALGetRasterXSize(raster->dataset),
                               GDALGetRasterYSize(raster->dataset));
    OGRSpatialReferenceH srs = GDALGetSpatialRef(raster->dataset);
    if (srs && OSRExportToWkt(srs, &raster->srs) != OGRERR_NONE) {
        CPLFree(raster->srs);
        raster->srs = NULL;
    }
    return SHEPARD_IO_OK;
}

static enum shepard_io_status open_raster(struct shepard_sampled_raster *raster,
                                          struct shepard_gdal_error_scope *trap,
                                          struct shepard_io_error *error)
{
    raster->dataset = GDALOpenEx(raster->path, GDAL_OF_RASTER | GDAL_OF_READONLY, NULL, NULL, NULL);
    if (!raster->dataset)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_OPEN, "path",
                               "\"%.300s\" cannot be read as a raster%s", raster->path,
                               shepard_gdal_error_scope_text(trap));
    enum shepard_io_status status = take_band(raster, error);
    if (!status)
        status = take_place(raster, error);
    if (status)
        return status;
    const size_t cells = (size_t)TILE_READ * TILE_READ;
    raster->tile.values = VSIMalloc(cells * sizeof *raster->tile.values);
    raster->tile.valid = VSIMalloc(cells);
    return raster->tile.values && raster->tile.valid ? SHEPARD_IO_OK
                                                     : shepard_io_fail_memory(error);
}

enum shepard_io_status shepard_sampled_raster_open(const char *path,
                                                   struct shepard_sampled_raster **raster,
                                                   const struct shepard_io_control *control,
                                                   struct shepard_io_error *error)
{
    if (!path || !path[0] || !raster)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "path",
                               "no raster given: name the one to be read");
    struct shepard_sampled_raster *opened = VSICalloc(1, sizeof *opened);
    if (!opened)
        return shepard_io_fail_memory(error);
    struct shepard_gdal_error_scope trap;
    shepard_gdal_error_scope_begin(&trap, control);
    opened->path = CPLStrdup(path);
    const enum shepard_io_status status = open_raster(opened, &trap, error);
    if (status)
        shepard_sampled_raster_close(opened);
    else
        *raster = opened;
    return shepard_gdal_error_scope_end(&trap, status);
}

void shepard_sampled_raster_close(struct shepard_sampled_raster *raster)
{
    if (!raster)
        return;
    OCTDestroyCoordinateTransformation(raster->change);
    GDALClose(raster->dataset);
    VSIFree(raster->tile.values);
    VSIFree(raster->tile.valid);
    CPLFree(raster->srs);
    CPLFree(raster->path);
    VSIFree(raster);
}

enum shepard_io_status shepard_sampled_raster_set_srs(struct shepard_sampled_raster *raster,
                                                      const char *srs,
                                                      const struct shepard_io_control *control,
                                                      struct shepard_io_error *error)
{
    struct shepard_gdal_error_scope trap;
    const struct shepard_crs_change change = {srs, raster->srs, "places"};
    OCTDestroyCoordinateTransformation(raster->change);
    raster->change = NULL;
    if (!srs != !raster->srs)
        shepard_io_warn(control,
                        srs ? "the coordinate system of %s is unknown; that of the points is "
                              "assumed"
                            : "the coordinate system of the points is unknown; that of %s is "
                              "assumed",
                        raster->path);
    shepard_gdal_error_scope_begin(&trap, control);
    const enum shepard_io_status status =
        shepard_crs_transformation(&change, &raster->change, &trap, error);
    return shepard_gdal_error_scope_end(&trap, status);
}

/* ---- Sampling -------------------------------------------------------------------------------- */

/* One call. column and row: of the place, in cells from the outer corner; NaN where it is not in
 * the raster. */
struct raster_sampling {
    struct shepard_sampled_raster *raster;
    size_t count;
    double *column, *row;
    size_t *first; /* [tiles + 1] of each tile's places in order */
    size_t *order; /* [count] places, tile by tile */
};

static void locate(const struct raster_sampling *call)
{
    const double *t = call->raster->inverse;
    const double columns = GDALGetRasterXSize(call->raster->dataset);
    const double rows = GDALGetRasterYSize(call->raster->dataset);
    for (size_t i = 0; i < call->count; i++) {
        const double x = call->column[i], y = call->row[i];
        const double column = t[0] + t[1] * x + t[2] * y, row = t[3] + t[4] * x + t[5] * y;
        const bool inside = column >= 0 && column <= columns && row >= 0 && row <= rows;
        call->column[i] = inside ? column : NAN;
        call->row[i] = inside ? row : NAN;
    }
}

/* The cell whose centre is the last one before a place; the first cell at the very edge. */
static int cell_before(double at)
{
    return at > 0.5 ? (int)(at - 0.5) : 0;
}

static size_t tile_of(const struct raster_sampling *call, size_t i)
{
    return (size_t)(cell_before(call->row[i]) / TILE) * call->raster->across +
           (size_t)(cell_before(call->column[i]) / TILE);
}

/* Sorts the places by tile; those outside the raster are not among them. */
static void sort(const struct raster_sampling *call)
{
    const size_t tiles = call->raster->across * call->raster->down;
    memset(call->first, 0, (tiles + 1) * sizeof *call->first);
    for (size_t i = 0; i < call->count; i++)
        if (!isnan(call->column[i]))
            call->first[tile_of(call, i) + 1]++;
    for (size_t k = 0; k < tiles; k++)
        call->first[k + 1] += call->first[k];
    for (size_t i = 0; i < call->count; i++)
        if (!isnan(call->column[i]))
            call->order[call->first[tile_of(call, i)]++] = i;
    memmove(call->first + 1, call->first, tiles * sizeof *call->first);
    call->first[0] = 0;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static enum shepard_io_status read_tile(struct shepard_sampled_raster *raster, size_t k,
                                        struct shepard_gdal_error_scope *trap,
                                        struct shepard_io_error *error)
{
    struct raster_tile *tile = &raster->tile;
    tile->column = (int)(k % raster->across) * TILE;
    tile->row = (int)(k / raster->across) * TILE;
    tile->columns = smaller(TILE_READ, GDALGetRasterXSize(raster->dataset) - tile->column);
    tile->rows = smaller(TILE_READ, GDALGetRasterYSize(raster->dataset) - tile->row);
    const int c = tile->columns, r = tile->rows;
    bool good = GDALRasterIO(raster->band, GF_Read, tile->column, tile->row, c, r, tile->values, c,
                             r, GDT_Float64, 0, 0) == CE_None;
    if (good && raster->masked)
        good = GDALRasterIO(GDALGetMaskBand(raster->band), GF_Read, tile->column, tile->row, c, r,
                            tile->valid, c, r, GDT_Byte, 0, 0) == CE_None;
    if (!good)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_READ, "path", "reading \"%.300s\" failed%s",
                               raster->path, shepard_gdal_error_scope_text(trap));
    for (int i = 0; i < c * r; i++) {
        const bool valid = !raster->masked || tile->valid[i];
        tile->values[i] = valid ? raster->offset + raster->scale * tile->values[i] : NAN;
    }
    return SHEPARD_IO_OK;
}

/* NaN outside the tile, which then is the edge of the raster. */
static double cell(const struct raster_tile *tile, int column, int row)
{
    column -= tile->column;
    row -= tile->row;
    const bool inside = column >= 0 && column < tile->columns && row >= 0 && row < tile->rows;
    return inside ? tile->values[(size_t)row * (size_t)tile->columns + (size_t)column] : NAN;
}

/* Between the four centres around the place; of its own cell where one of them has no value. */
static double value_at(const struct shepard_sampled_raster *raster, double column, double row)
{
    const struct raster_tile *tile = &raster->tile;
    const int c = (int)floor(column - 0.5), r = (int)floor(row - 0.5);
    const double u = column - 0.5 - c, v = row - 0.5 - r;
    const double value = (1 - v) * ((1 - u) * cell(tile, c, r) + u * cell(tile, c + 1, r)) +
                         v * ((1 - u) * cell(tile, c, r + 1) + u * cell(tile, c + 1, r + 1));
    if (isfinite(value))
        return value;
    const int own_column = smaller((int)column, GDALGetRasterXSize(raster->dataset) - 1);
    const int own_row = smaller((int)row, GDALGetRasterYSize(raster->dataset) - 1);
    const double own = cell(tile, own_column, own_row);
    return isfinite(own) ? own : NAN;
}

static enum shepard_io_status sample_tiles(const struct raster_sampling *call, double *values,
                                           struct shepard_gdal_error_scope *trap,
                                           struct shepard_io_error *error)
{
    enum shepard_io_status status = SHEPARD_IO_OK;
    const size_t tiles = call->raster->across * call->raster->down;
    for (size_t i = 0; i < call->count; i++)
        values[i] = NAN;
    for (size_t k = 0; k < tiles && !status; k++) {
        if (call->first[k] == call->first[k + 1])
            continue;
        status = read_tile(call->raster, k, trap, error);
        for (size_t o = call->first[k]; o < call->first[k + 1] && !status; o++) {
            const size_t i = call->order[o];
            values[i] = value_at(call->raster, call->column[i], call->row[i]);
        }
    }
    return status;
}

static enum shepard_io_status sample(struct raster_sampling *call, const double *x, const double *y,
                                     double *values, struct shepard_gdal_error_scope *trap,
                                     struct shepard_io_error *error)
{
    const size_t bytes = (call->count + 1) * sizeof(double);
    const size_t tiles = call->raster->across * call->raster->down;
    call->column = VSIMalloc(bytes);
    call->row = VSIMalloc(bytes);
    call->order = VSIMalloc((call->count + 1) * sizeof *call->order);
    call->first = VSIMalloc((tiles + 1) * sizeof *call->first);
    if (!call->column || !call->row || !call->order || !call->first)
        return shepard_io_fail_memory(error);
    memcpy(call->column, x, call->count * sizeof *x);
    memcpy(call->row, y, call->count * sizeof *y);
    size_t lost = 0;
    if (call->raster->change) {
        const enum shepard_io_status status = shepard_crs_transform(
            call->raster->change, call->count, call->column, call->row, &lost, error);
        if (status)
            return status;
        shepard_gdal_error_scope_clear(trap);
    }
    locate(call);
    sort(call);
    return sample_tiles(call, values, trap, error);
}

enum shepard_io_status shepard_sampled_raster_read(struct shepard_sampled_raster *raster,
                                                   size_t count, const double *x, const double *y,
                                                   double *values,
                                                   const struct shepard_io_control *control,
                                                   struct shepard_io_error *error)
{
    struct raster_sampling call = {.raster = raster, .count = count};
    struct shepard_gdal_error_scope trap;
    shepard_gdal_error_scope_begin(&trap, control);
    const enum shepard_io_status status = sample(&call, x, y, values, &trap, error);
    VSIFree(call.column);
    VSIFree(call.row);
    VSIFree(call.order);
    VSIFree(call.first);
    return shepard_gdal_error_scope_end(&trap, status);
}
