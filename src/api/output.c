/* SPDX-License-Identifier: MIT */
#include "api/output.h"

#include "api/array.h"
#include "api/points.h"
#include "base/error.h"
#include "core/diagnostics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The columns of one kind of result. */
struct columns {
    const char *name;
    const struct shepard_output_array *given;
    ptrdiff_t stride;
    size_t count, m;
    const struct shepard_memory *memory;
    const struct shepard_backend_table *backend;
};

/* Whether runs of `count` elements with one stride lie between those of the other. */
static bool fits_between(size_t count, ptrdiff_t stride, ptrdiff_t other, ptrdiff_t size)
{
    const size_t room = (size_t)llabs(other) / (size_t)size;
    const size_t step = (size_t)llabs(stride) / (size_t)size;
    return count <= 1 || (room > 0 && step <= (room - 1) / (count - 1));
}

static enum shepard_status check_overlap(const struct columns *columns, ptrdiff_t stride,
                                         ptrdiff_t size, struct shepard_error *error)
{
    if (columns->stride == 0 || columns->given->data == NULL ||
        fits_between(columns->count, columns->stride, stride, size) ||
        fits_between(columns->m, stride, columns->stride, size))
        return SHEPARD_OK;
    return shepard_error_set(
        error, SHEPARD_ERROR_ARGUMENT, columns->name,
        "%s: columns of %zu elements %td bytes apart overlap where the columns are "
        "%td bytes apart: give both strides of the matrix in bytes",
        columns->name, columns->m, stride, columns->stride);
}

static enum shepard_status resolve_columns(const struct columns *columns,
                                           struct shepard_output_array *resolved,
                                           struct shepard_error *error)
{
    char name[64];
    snprintf(name, sizeof name, "%s_stride", columns->name);
    enum shepard_status status =
        shepard_array_check_columns(columns->stride, columns->count, name, error);
    for (size_t c = 0; status == SHEPARD_OK && c < columns->count; c++) {
        snprintf(name, sizeof name, "%s[%zu]", columns->name, c);
        resolved[c] = shepard_output_array_of_column(columns->given, columns->stride, c);
        status = shepard_output_array_check(&resolved[c], columns->m, name, error);
        if (status == SHEPARD_OK)
            status = shepard_output_array_check_place(&resolved[c], columns->m, columns->memory,
                                                      columns->backend, name, error);
    }
    return status == SHEPARD_OK ? check_overlap(columns, resolved[0].stride,
                                                shepard_type_size(resolved[0].type), error)
                                : status;
}

/* The resolved columns, or NULL if none of them is wanted. */
static const struct shepard_output_array *wanted(const struct shepard_output_array *given,
                                                 const struct shepard_output_array *resolved,
                                                 size_t count)
{
    for (size_t c = 0; given != NULL && c < count; c++)
        if (resolved[c].data != NULL)
            return resolved;
    return NULL;
}

static enum shepard_status resolve_single(struct shepard_output *output, size_t m,
                                          const struct shepard_backend_table *backend,
                                          struct shepard_error *error)
{
#define SINGLE(id, array, name) {&output->array, "output." #array},
    const struct {
        struct shepard_output_array *array;
        const char *name;
    } single[] = {SHEPARD_DIAGNOSTIC_LIST(SINGLE, SHEPARD_NO_DIAGNOSTIC)};
#undef SINGLE
    enum shepard_status status = SHEPARD_OK;
    for (size_t a = 0; status == SHEPARD_OK && a < sizeof single / sizeof *single; a++) {
        status = shepard_output_array_check(single[a].array, m, single[a].name, error);
        if (status == SHEPARD_OK)
            status = shepard_output_array_check_place(single[a].array, m, &output->memory, backend,
                                                      single[a].name, error);
    }
    return status;
}

static const void *first_of(const struct shepard_output_array *columns, size_t count)
{
    for (size_t c = 0; columns != NULL && c < count; c++)
        if (columns[c].data != NULL)
            return columns[c].data;
    return NULL;
}

/* An address in the memory of a resolved output; NULL: nothing is wanted. */
static const void *any_of(const struct shepard_output *output, size_t columns)
{
#define SINGLE(id, array, name) output->array,
    const struct shepard_output_array single[] = {
        SHEPARD_DIAGNOSTIC_LIST(SINGLE, SHEPARD_NO_DIAGNOSTIC)};
#undef SINGLE
    const void *any = first_of(single, sizeof single / sizeof *single);
    struct shepard_output of = *output;
    for (int r = 0; r < SHEPARD_COLUMN_RESULTS && any == NULL; r++)
        any = first_of(*shepard_output_columns(&of, r), columns);
    return any;
}

enum shepard_status shepard_output_resolve(const struct shepard_output *output,
                                           const struct shepard_points *points, size_t columns,
                                           size_t m, struct shepard_output_array *room,
                                           struct shepard_output *resolved,
                                           struct shepard_error *error)
{
#define COLUMNS(id, arrays, name)                                                                  \
    {"output." #arrays, output->arrays, output->arrays##_stride, columns, m,                       \
     &output->memory,   points->backend},
#define NO_STRIDE(id, arrays, name) resolved->arrays##_stride = 0;
    const struct columns given[] = {COLUMNS(VALUE, values, "value")
                                        SHEPARD_DIAGNOSTIC_LIST(SHEPARD_NO_DIAGNOSTIC, COLUMNS)};
    *resolved = *output;
    NO_STRIDE(VALUE, values, "value")
    SHEPARD_DIAGNOSTIC_LIST(SHEPARD_NO_DIAGNOSTIC, NO_STRIDE)
#undef NO_STRIDE
#undef COLUMNS
    enum shepard_status status =
        shepard_memory_check(&output->memory, points->backend, "output.memory", error);
    if (status == SHEPARD_OK)
        status = resolve_single(resolved, m, points->backend, error);
    for (int r = 0; r < SHEPARD_COLUMN_RESULTS && status == SHEPARD_OK; r++)
        if (given[r].given != NULL)
            status = resolve_columns(&given[r], room + r * columns, error);
    if (status != SHEPARD_OK)
        return status;
    for (int r = 0; r < SHEPARD_COLUMN_RESULTS; r++)
        *shepard_output_columns(resolved, r) = wanted(given[r].given, room + r * columns, columns);
    return m == 0 ? SHEPARD_OK
                  : shepard_memory_check_stream(&output->memory, any_of(resolved, columns),
                                                points->backend, "output.memory.stream", error);
}

static void name_missing(struct shepard_output_array array, size_t m, double nodata)
{
    const struct shepard_array written = {array.data, array.type, array.stride};
    for (size_t i = 0; array.data != NULL && i < m; i++)
        if (isnan(shepard_array_at(&written, i)))
            shepard_output_put(array, i, nodata);
}

void shepard_output_name_missing(const struct shepard_output *output, size_t columns, size_t m,
                                 double nodata)
{
    struct shepard_output of = *output;
#define NAME(id, array, name) name_missing(output->array, m, nodata);
    SHEPARD_DIAGNOSTIC_LIST(NAME, SHEPARD_NO_DIAGNOSTIC)
#undef NAME
    for (int r = 0; r < SHEPARD_COLUMN_RESULTS; r++)
        for (size_t c = 0; c < columns; c++)
            name_missing(shepard_output_column(*shepard_output_columns(&of, r), c), m, nodata);
}
