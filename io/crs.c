/* SPDX-License-Identifier: MIT */
#include "crs.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <math.h>
#include <string.h>

OGRSpatialReferenceH shepard_crs_open(const char *definition)
{
    OGRSpatialReferenceH srs = OSRNewSpatialReference(NULL);
    if (OSRSetFromUserInput(srs, definition) != OGRERR_NONE) {
        OSRDestroySpatialReference(srs);
        return NULL;
    }
    OSRSetAxisMappingStrategy(srs, OAMS_TRADITIONAL_GIS_ORDER);
    return srs;
}

/* ---- What is known --------------------------------------------------------------------------- */

static bool is_defined(OGRSpatialReferenceH srs)
{
    static const char *const names[] = {"Undefined geographic SRS", "Undefined Cartesian SRS",
                                        "Unknown engineering CRS"};
    const char *name = OSRGetName(srs);
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        if (EQUAL(name, names[i]))
            return false;
    return name != NULL;
}

char *shepard_crs_export(OGRSpatialReferenceH srs)
{
    char *wkt = NULL;
    if (!srs || !is_defined(srs))
        return NULL;
    /* The older WKT lacks some kinds of CRS and the area of use. */
    const char *const options[] = {"FORMAT=WKT2_2019", NULL};
    if (OSRExportToWktEx(srs, &wkt, options) == OGRERR_NONE)
        return wkt;
    CPLFree(wkt);
    return NULL;
}

char *shepard_crs_of_layer(OGRLayerH layer)
{
    return shepard_crs_export(OGR_L_GetSpatialRef(layer));
}

enum shepard_io_status shepard_crs_wkt(const char *definition, char **wkt,
                                       struct shepard_io_error *error)
{
    return definition ? shepard_io_srs(definition, wkt, NULL, error) : SHEPARD_IO_OK;
}

bool shepard_crs_is_geographic(const char *definition)
{
    OGRSpatialReferenceH srs = definition ? shepard_crs_open(definition) : NULL;
    const bool geographic = srs && OSRIsGeographic(srs);
    OSRDestroySpatialReference(srs);
    return geographic;
}

static void copy_text(char *to, size_t size, const char *from)
{
    to[0] = '\0';
    shepard_text_append(to, size, "%s", from ? from : "");
}

static void describe(OGRSpatialReferenceH srs, struct shepard_srs_description *description)
{
    char *unit = NULL;
    const char *authority = OSRGetAuthorityName(srs, NULL), *code = OSRGetAuthorityCode(srs, NULL);
    description->geographic = OSRIsGeographic(srs);
    description->metres = description->geographic
                              ? OSRGetSemiMajor(srs, NULL) * OSRGetAngularUnits(srs, &unit)
                              : OSRGetLinearUnits(srs, &unit);
    copy_text(description->unit, sizeof description->unit, unit);
    copy_text(description->name, sizeof description->name, OSRGetName(srs));
    copy_text(description->code, sizeof description->code,
              authority && code ? CPLSPrintf("%s:%s", authority, code) : "");
}

enum shepard_io_status shepard_io_describe_srs(const char *definition,
                                               struct shepard_srs_description *description,
                                               struct shepard_io_error *error)
{
    char *wkt = NULL;
    const enum shepard_io_status status = shepard_crs_wkt(definition, &wkt, error);
    *description = (struct shepard_srs_description){0};
    OGRSpatialReferenceH srs = wkt ? shepard_crs_open(wkt) : NULL;
    if (srs)
        describe(srs, description);
    OSRDestroySpatialReference(srs);
    shepard_io_free(wkt);
    return status;
}

/* ---- From one into another ------------------------------------------------------------------- */

static OGRSpatialReferenceH open_horizontal(const char *definition)
{
    OGRSpatialReferenceH srs = definition ? shepard_crs_open(definition) : NULL;
    if (srs)
        OSRStripVertical(srs);
    return srs;
}

bool shepard_io_same_srs(const char *a, const char *b)
{
    struct shepard_gdal_error_scope trap;
    shepard_gdal_error_scope_begin(&trap, NULL);
    OGRSpatialReferenceH first = open_horizontal(a), second = open_horizontal(b);
    const bool same = first && second && OSRIsSame(first, second);
    OSRDestroySpatialReference(second);
    OSRDestroySpatialReference(first);
    shepard_gdal_error_scope_clear(&trap);
    shepard_gdal_error_scope_end(&trap, SHEPARD_IO_OK);
    return same;
}

enum shepard_io_status shepard_crs_transformation(const struct shepard_crs_change *change,
                                                  OGRCoordinateTransformationH *transform,
                                                  struct shepard_gdal_error_scope *trap,
                                                  struct shepard_io_error *error)
{
    *transform = NULL;
    if (!change->from || !change->to)
        return SHEPARD_IO_OK;
    OGRSpatialReferenceH from = open_horizontal(change->from), to = open_horizontal(change->to);
    const bool same = from && to && OSRIsSame(from, to);
    if (from && to && !same)
        *transform = OCTNewCoordinateTransformation(from, to);
    enum shepard_io_status status = SHEPARD_IO_OK;
    if (!same && !*transform)
        status =
            shepard_io_fail(error, SHEPARD_IO_ERROR_SRS, "srs",
                            "%s cannot be transformed from \"%.100s\" to \"%.100s\"%s; give "
                            "the right coordinate systems with -s_srs and -q_srs",
                            change->what, from ? OSRGetName(from) : change->from,
                            to ? OSRGetName(to) : change->to, shepard_gdal_error_scope_text(trap));
    OSRDestroySpatialReference(to);
    OSRDestroySpatialReference(from);
    return status;
}

/* PROJ takes int counts. */
enum { TRANSFORM_CHUNK = 1 << 18 };

static size_t transform_chunk(OGRCoordinateTransformationH transform, int count, double *x,
                              double *y, int *done)
{
    size_t before = 0, after = 0;
    for (int i = 0; i < count; i++)
        before += isfinite(x[i]) && isfinite(y[i]);
    OCTTransformEx(transform, count, x, y, NULL, done);
    for (int i = 0; i < count; i++) {
        if (done[i] && isfinite(x[i]) && isfinite(y[i]))
            after++;
        else
            x[i] = y[i] = NAN;
    }
    return before - after;
}

enum shepard_io_status shepard_crs_transform(OGRCoordinateTransformationH transform, size_t count,
                                             double *x, double *y, size_t *lost,
                                             struct shepard_io_error *error)
{
    int *done = VSIMalloc(TRANSFORM_CHUNK * sizeof *done);
    if (!done)
        return shepard_io_fail_memory(error);
    *lost = 0;
    for (size_t first = 0; first < count; first += TRANSFORM_CHUNK) {
        const size_t left = count - first;
        const int part = left < TRANSFORM_CHUNK ? (int)left : TRANSFORM_CHUNK;
        *lost += transform_chunk(transform, part, x + first, y + first, done);
    }
    VSIFree(done);
    return SHEPARD_IO_OK;
}
