/* SPDX-License-Identifier: MIT */
/** Rows at the end of a CSV file: the same text as OGR's driver writes, in less time. */
#ifndef SHEPARD_IO_CSV_ROWS_H
#define SHEPARD_IO_CSV_ROWS_H

#include <cpl_vsi.h>
#include <ogr_api.h>
#include <stdbool.h>
#include <stddef.h>

/** A layer that OGR's CSV driver made, with all of its fields. */
struct shepard_csv_layer {
    OGRFeatureDefnH table;
    OGRwkbGeometryType geometry; /* and options: as the layer was created with */
    OGRSpatialReferenceH srs;    /* NULL: unknown */
    char **options;
};

/** How a row shows its point. */
enum shepard_csv_point {
    SHEPARD_CSV_POINT_HIDDEN,
    SHEPARD_CSV_POINT_XY,
    SHEPARD_CSV_POINT_YX,
    SHEPARD_CSV_POINT_XYZ
};

/** Start from {0}. */
struct shepard_csv_rows {
    OGRFeatureDefnH table; /* NULL: not in use */
    int fields;
    enum shepard_csv_field *kinds; /* of the fields */
    enum shepard_csv_point point;
    char separator;
    bool crlf;
    bool empty; /* the row so far has no value */
    VSILFILE *file;
    char *text; /* not in the file yet */
    size_t used;
};

/** False: the layer's options or fields are not among those that are known here. Free the rows in
 * any case. */
bool shepard_csv_rows_make(struct shepard_csv_rows *rows, const struct shepard_csv_layer *layer);

/** Begins at the end of a file. False: it cannot be opened. */
bool shepard_csv_rows_open(struct shepard_csv_rows *rows, const char *path);

/** Adds a feature of the layer's table. False: writing failed, errno may say why. */
bool shepard_csv_rows_add(struct shepard_csv_rows *rows, OGRFeatureH feature);

/** Writes what is left and closes the file. False: writing failed, errno may say why. */
bool shepard_csv_rows_close(struct shepard_csv_rows *rows);

void shepard_csv_rows_free(struct shepard_csv_rows *rows);

#endif
