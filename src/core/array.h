/* SPDX-License-Identifier: MIT */
/* Elements of arrays in host memory. Strides are resolved: not 0. */
#ifndef SHEPARD_CORE_ARRAY_H
#define SHEPARD_CORE_ARRAY_H

#include "base/fetch.h"

#include "shepard/shepard.h"

/* Bytes of an element. */
static inline ptrdiff_t shepard_type_size(enum shepard_type type)
{
    return type == SHEPARD_FLOAT32 ? (ptrdiff_t)sizeof(float) : (ptrdiff_t)sizeof(double);
}

static inline ptrdiff_t shepard_stride_of(enum shepard_type type, ptrdiff_t stride)
{
    return stride != 0 ? stride : shepard_type_size(type);
}

static inline double shepard_array_at(const struct shepard_array *array, size_t i)
{
    const char *at = (const char *)array->data + (ptrdiff_t)i * array->stride;
    return array->type == SHEPARD_FLOAT32 ? (double)*(const float *)(const void *)at
                                          : *(const double *)(const void *)at;
}

/* Loads element i into the caches, if there is one. */
SHEPARD_FETCH void shepard_array_fetch(const struct shepard_array *array, size_t i)
{
    if (array->data != NULL)
        __builtin_prefetch((const char *)array->data + (ptrdiff_t)i * array->stride);
}

/* Nothing where the array is not wanted. */
static inline void shepard_output_put(struct shepard_output_array array, size_t i, double value)
{
    if (array.data == NULL)
        return;
    char *at = (char *)array.data + (ptrdiff_t)i * array.stride;
    if (array.type == SHEPARD_FLOAT32)
        *(float *)(void *)at = (float)value;
    else
        *(double *)(void *)at = value;
}

/* Loads elements first to end - 1, at least one, into the caches, for they will be written. */
SHEPARD_FETCH void shepard_output_fetch(struct shepard_output_array array, size_t first, size_t end)
{
    const ptrdiff_t line = 64,
                    step = array.stride < line && array.stride > 0 ? line / array.stride : 1;
    if (array.data == NULL)
        return;
    for (size_t i = first; i + 1 < end; i += (size_t)step)
        __builtin_prefetch((char *)array.data + (ptrdiff_t)i * array.stride, 1);
    __builtin_prefetch((char *)array.data + (ptrdiff_t)(end - 1) * array.stride, 1);
}

/* Column c of an array of columns; not wanted if columns is NULL. */
static inline struct shepard_output_array
shepard_output_column(const struct shepard_output_array *columns, size_t c)
{
    const struct shepard_output_array none = {NULL, SHEPARD_FLOAT64, 0};
    return columns != NULL ? columns[c] : none;
}

#endif
