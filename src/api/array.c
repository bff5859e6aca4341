/* SPDX-License-Identifier: MIT */
#include "api/array.h"

#include "api/argument.h"
#include "base/error.h"
#include "core/array.h"

#include <inttypes.h>

enum shepard_status shepard_memory_check(const struct shepard_memory *memory,
                                         const struct shepard_backend_table *backend,
                                         const char *argument, struct shepard_error *error)
{
    if (memory->kind == SHEPARD_MEMORY_HOST)
        return SHEPARD_OK;
    if (memory->kind != SHEPARD_MEMORY_CUDA)
        return shepard_error_set(
            error, SHEPARD_ERROR_ARGUMENT, argument,
            "%s.kind is %d: it must be SHEPARD_MEMORY_HOST or SHEPARD_MEMORY_CUDA", argument,
            (int)memory->kind);
    if (backend->arrays != NULL)
        return SHEPARD_OK;
    return shepard_error_set(
        error, SHEPARD_ERROR_ARGUMENT, argument,
        "%s.kind is SHEPARD_MEMORY_CUDA, but the points are of the backend %s, "
        "which reads and writes the host's memory: make them with "
        "SHEPARD_BACKEND_CUDA, or give arrays of the host",
        argument, backend->name);
}

enum shepard_status shepard_memory_check_host(const struct shepard_memory *memory, const char *call,
                                              const char *argument, struct shepard_error *error)
{
    if (memory->kind == SHEPARD_MEMORY_HOST)
        return SHEPARD_OK;
    return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, argument,
                             "%s is not the host's: %s reads arrays of the host, copy them there",
                             argument, call);
}

enum shepard_status shepard_memory_check_stream(const struct shepard_memory *memory,
                                                const void *array,
                                                const struct shepard_backend_table *backend,
                                                const char *argument, struct shepard_error *error)
{
    if (memory->kind == SHEPARD_MEMORY_HOST || array == NULL)
        return SHEPARD_OK;
    return backend->arrays->check_stream(memory, array, argument, error);
}

/* What both kinds of arrays have. */
struct layout {
    const void *data;
    enum shepard_type type;
    ptrdiff_t stride; /* resolved by the check */
};

static enum shepard_status check_layout(struct layout *layout, size_t count, const char *argument,
                                        struct shepard_error *error)
{
    if (layout->data == NULL) {
        layout->stride = (ptrdiff_t)sizeof(double);
        return SHEPARD_OK;
    }
    if (layout->type != SHEPARD_FLOAT64 && layout->type != SHEPARD_FLOAT32)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, argument,
                                 "%s.type is %d: it must be SHEPARD_FLOAT64 or SHEPARD_FLOAT32",
                                 argument, (int)layout->type);
    const ptrdiff_t size = shepard_type_size(layout->type);
    layout->stride = shepard_stride_of(layout->type, layout->stride);
    const bool aligned = count == 0 || (uintptr_t)layout->data % (uintptr_t)size == 0;
    if (!aligned || layout->stride % size != 0)
        return shepard_error_set(
            error, SHEPARD_ERROR_ARGUMENT, argument,
            "%s: its address %p and stride of %td bytes must be multiples of the "
            "%td bytes of an element: copy the array, or give its true type",
            argument, layout->data, layout->stride, size);
    const ptrdiff_t most = count > 0 ? PTRDIFF_MAX / (ptrdiff_t)count : PTRDIFF_MAX;
    if (layout->stride > most || layout->stride < -most)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, argument,
                                 "%s: %zu elements with a stride of %td bytes are more than memory "
                                 "holds: give the bytes from an element to the next",
                                 argument, count, layout->stride);
    return SHEPARD_OK;
}

enum shepard_status shepard_array_check_optional(struct shepard_array *array, size_t count,
                                                 const char *argument, struct shepard_error *error)
{
    struct layout layout = {array->data, array->type, array->stride};
    const enum shepard_status status = check_layout(&layout, count, argument, error);
    array->stride = layout.stride;
    return status;
}

enum shepard_status shepard_array_check(struct shepard_array *array, size_t count,
                                        const char *argument, struct shepard_error *error)
{
    return array->data == NULL ? shepard_argument_missing(argument, error)
                               : shepard_array_check_optional(array, count, argument, error);
}

enum shepard_status shepard_output_array_check(struct shepard_output_array *array, size_t count,
                                               const char *argument, struct shepard_error *error)
{
    struct layout layout = {array->data, array->type, array->stride};
    const enum shepard_status status = check_layout(&layout, count, argument, error);
    array->stride = layout.stride;
    return status;
}

enum shepard_status shepard_array_check_place(const struct shepard_array *array, size_t count,
                                              const struct shepard_memory *memory,
                                              const struct shepard_backend_table *backend,
                                              const char *argument, struct shepard_error *error)
{
    if (memory->kind == SHEPARD_MEMORY_HOST || array->data == NULL || count == 0)
        return SHEPARD_OK;
    return backend->arrays->check(array, count, argument, error);
}

enum shepard_status shepard_output_array_check_place(
    const struct shepard_output_array *array, size_t count, const struct shepard_memory *memory,
    const struct shepard_backend_table *backend, const char *argument, struct shepard_error *error)
{
    const struct shepard_array same = {array->data, array->type, array->stride};
    return shepard_array_check_place(&same, count, memory, backend, argument, error);
}

enum shepard_status shepard_array_check_empty(const struct shepard_array *array,
                                              const char *argument, struct shepard_error *error)
{
    if (array->data == NULL)
        return SHEPARD_OK;
    return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, argument,
                             "%s is given: it is for points of SHEPARD_METRIC_SPACE, leave it "
                             "empty",
                             argument);
}

enum shepard_status shepard_array_check_columns(ptrdiff_t column_stride, size_t count,
                                                const char *argument, struct shepard_error *error)
{
    const ptrdiff_t most = PTRDIFF_MAX / (ptrdiff_t)count;
    if (column_stride <= most && column_stride >= -most)
        return SHEPARD_OK;
    return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, argument,
                             "%s is %td: %zu columns so far apart are more than memory holds: give "
                             "the bytes from a column to the next",
                             argument, column_stride, count);
}

struct shepard_array shepard_array_of_column(const struct shepard_array *columns,
                                             ptrdiff_t column_stride, size_t c)
{
    if (column_stride == 0)
        return columns[c];
    struct shepard_array column = columns[0];
    if (column.data != NULL)
        column.data = (const char *)column.data + (ptrdiff_t)c * column_stride;
    return column;
}

struct shepard_output_array
shepard_output_array_of_column(const struct shepard_output_array *columns, ptrdiff_t column_stride,
                               size_t c)
{
    if (column_stride == 0)
        return columns[c];
    struct shepard_output_array column = columns[0];
    if (column.data != NULL)
        column.data = (char *)column.data + (ptrdiff_t)c * column_stride;
    return column;
}
