/* SPDX-License-Identifier: MIT */
#include "point_batch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void shepard_point_batch_free(struct shepard_point_batch *batch)
{
    free(batch->vertex);
    free(batch->row);
    for (int i = 0; i < 2; i++) {
        free(batch->number[i]);
        free(batch->kind[i]);
    }
    *batch = (struct shepard_point_batch){0};
}

static bool grow(void **array, size_t size)
{
    void *grown = realloc(*array, size);
    if (grown)
        *array = grown;
    return grown != NULL;
}

bool shepard_point_batch_reserve_rows(struct shepard_point_batch *batch, size_t rows)
{
    if (rows <= batch->rows_capacity)
        return true;
    for (int i = 0; i < 2; i++) {
        void *number = batch->number[i], *kind = batch->kind[i];
        const bool good = grow(&number, rows * sizeof(double)) && grow(&kind, rows);
        batch->number[i] = number;
        batch->kind[i] = kind;
        if (!good)
            return false;
    }
    batch->rows_capacity = rows;
    return true;
}

bool shepard_point_batch_reserve(struct shepard_point_batch *batch, size_t more)
{
    if (batch->count + more <= batch->capacity)
        return true;
    const size_t capacity = 2 * batch->capacity + more;
    void *vertex = batch->vertex, *row = batch->row;
    const bool good = grow(&vertex, capacity * sizeof *batch->vertex) &&
                      grow(&row, capacity * sizeof *batch->row);
    batch->vertex = vertex;
    batch->row = row;
    if (good)
        batch->capacity = capacity;
    return good;
}

static bool push(struct shepard_point_batch *batch, size_t row, struct shepard_vertex vertex)
{
    if (!shepard_point_batch_reserve(batch, 1))
        return false;
    batch->vertex[batch->count] = vertex;
    batch->row[batch->count++] = (uint32_t)row;
    return true;
}

static bool push_none(struct shepard_point_batch *batch, size_t row)
{
    return !batch->one_each || push(batch, row, (struct shepard_vertex){NAN, NAN, NAN});
}

/* Every vertex of every part, rings closed, as gdal_grid takes them. */
static bool push_vertices(struct shepard_point_batch *batch, size_t row, OGRGeometryH geometry,
                          bool has_z)
{
    const int parts = OGR_G_GetGeometryCount(geometry);
    for (int i = 0; i < parts; i++)
        if (!push_vertices(batch, row, OGR_G_GetGeometryRef(geometry, i), has_z))
            return false;
    const int points = parts ? 0 : OGR_G_GetPointCount(geometry);
    for (int i = 0; i < points; i++) {
        struct shepard_vertex vertex;
        OGR_G_GetPoint(geometry, i, &vertex.x, &vertex.y, &vertex.z);
        if (!has_z)
            vertex.z = NAN;
        if (!push(batch, row, vertex))
            return false;
    }
    return true;
}

/* Whether a geometry consists of points only, and of at most one where one is wanted. */
static bool is_points(OGRGeometryH geometry, bool one)
{
    const int parts = OGR_G_GetGeometryCount(geometry);
    if (parts == 0)
        return OGR_G_IsEmpty(geometry) || wkbFlatten(OGR_G_GetGeometryType(geometry)) == wkbPoint;
    for (int i = 0; i < parts; i++)
        if (!is_points(OGR_G_GetGeometryRef(geometry, i), one))
            return false;
    return !one || parts == 1;
}

static bool push_centroid(struct shepard_point_batch *batch, size_t row, OGRGeometryH geometry)
{
    OGRGeometryH centroid = OGR_G_CreateGeometry(wkbPoint);
    bool good = true;
    if (OGR_G_Centroid(geometry, centroid) == OGRERR_NONE)
        good = push_vertices(batch, row, centroid, false);
    OGR_G_DestroyGeometry(centroid);
    return good;
}

static bool push_used(struct shepard_point_batch *batch, size_t row, OGRGeometryH geometry)
{
    const bool points = is_points(geometry, batch->one_each);
    if (points || (batch->use == SHEPARD_GEOMETRY_VERTICES && !batch->one_each))
        return push_vertices(batch, row, geometry, OGR_G_Is3D(geometry));
    if (batch->use == SHEPARD_GEOMETRY_CENTROIDS)
        return push_centroid(batch, row, geometry);
    snprintf(batch->refused, sizeof batch->refused, "%s", OGR_G_GetGeometryName(geometry));
    return true;
}

/* Anything but a plain point goes through OGR. */
static bool push_geometry(struct shepard_point_batch *batch, size_t row, const unsigned char *wkb,
                          size_t length, struct shepard_read_counts *counts)
{
    OGRGeometryH geometry = NULL;
    if (length == 0 || OGR_G_CreateFromWkb(wkb, NULL, &geometry, (int)length) != OGRERR_NONE) {
        counts->no_geometry++;
        return push_none(batch, row);
    }
    const size_t before = batch->count;
    bool good = push_used(batch, row, geometry);
    OGR_G_DestroyGeometry(geometry);
    if (good && batch->count == before) {
        counts->empty_geometry++;
        good = push_none(batch, row);
    }
    return good;
}

bool shepard_point_batch_from_wkb(struct shepard_point_batch *batch, size_t rows,
                                  const struct shepard_batch_column *column,
                                  struct shepard_read_counts *counts)
{
    batch->count = 0;
    if (!shepard_point_batch_reserve(batch, rows))
        return false;
    for (size_t i = 0; i < rows; i++) {
        size_t length;
        const unsigned char *wkb = shepard_column_bytes(column, (int64_t)i, &length);
        struct shepard_vertex vertex;
        bool good;
        if (!wkb) {
            counts->no_geometry++;
            good = push_none(batch, i);
        } else if (!shepard_wkb_point(wkb, length, &vertex)) {
            good = push_geometry(batch, i, wkb, length, counts);
        } else if (isnan(vertex.x) && isnan(vertex.y)) {
            counts->empty_geometry++;
            good = push_none(batch, i);
        } else {
            good = push(batch, i, vertex);
        }
        if (!good)
            return false;
    }
    return true;
}

static void count_missing(struct shepard_read_counts *counts, unsigned char x, unsigned char y)
{
    if (x == SHEPARD_VALUE_NULL || y == SHEPARD_VALUE_NULL)
        counts->no_geometry++;
    else
        counts->not_finite++;
}

bool shepard_point_batch_from_columns(struct shepard_point_batch *batch, size_t rows,
                                      const struct shepard_batch_column *x,
                                      const struct shepard_batch_column *y,
                                      struct shepard_read_counts *counts)
{
    batch->count = 0;
    if (!shepard_point_batch_reserve(batch, rows) ||
        !shepard_column_numbers(x, rows, batch->number[0], batch->kind[0]) ||
        !shepard_column_numbers(y, rows, batch->number[1], batch->kind[1]))
        return false;
    for (size_t i = 0; i < rows; i++) {
        const unsigned char x_kind = batch->kind[0][i], y_kind = batch->kind[1][i];
        const struct shepard_vertex vertex = {batch->number[0][i], batch->number[1][i], NAN};
        bool good;
        if (shepard_value_is_number(x_kind) && shepard_value_is_number(y_kind)) {
            good = push(batch, i, vertex);
        } else {
            count_missing(counts, x_kind, y_kind);
            good = push_none(batch, i);
        }
        if (!good)
            return false;
    }
    return true;
}
