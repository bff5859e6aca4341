/* SPDX-License-Identifier: MIT */
/* Checks of the caller's arrays; what passes has its strides resolved. */
#ifndef SHEPARD_API_ARRAY_H
#define SHEPARD_API_ARRAY_H

#include "backend/backend.h"

/* The memory of the arrays of `argument`, of points of a backend. */
enum shepard_status shepard_memory_check(const struct shepard_memory *memory,
                                         const struct shepard_backend_table *backend,
                                         const char *argument, struct shepard_error *error);

/* As above, of a call ("shepard_fit") that reads arrays of the host only. */
enum shepard_status shepard_memory_check_host(const struct shepard_memory *memory, const char *call,
                                              const char *argument, struct shepard_error *error);

/* Whether a call can wait for the stream of the memory that a checked array (may be NULL)
 * lies in: before anything waits for it. */
enum shepard_status shepard_memory_check_stream(const struct shepard_memory *memory,
                                                const void *array,
                                                const struct shepard_backend_table *backend,
                                                const char *argument, struct shepard_error *error);

/* An array of count elements that has to be there, or that may be empty: of weights, an output. */
enum shepard_status shepard_array_check(struct shepard_array *array, size_t count,
                                        const char *argument, struct shepard_error *error);
enum shepard_status shepard_array_check_optional(struct shepard_array *array, size_t count,
                                                 const char *argument, struct shepard_error *error);
enum shepard_status shepard_output_array_check(struct shepard_output_array *array, size_t count,
                                               const char *argument, struct shepard_error *error);

/* Whether a checked array lies where its memory says; an empty one does. */
enum shepard_status shepard_array_check_place(const struct shepard_array *array, size_t count,
                                              const struct shepard_memory *memory,
                                              const struct shepard_backend_table *backend,
                                              const char *argument, struct shepard_error *error);

enum shepard_status shepard_output_array_check_place(
    const struct shepard_output_array *array, size_t count, const struct shepard_memory *memory,
    const struct shepard_backend_table *backend, const char *argument, struct shepard_error *error);

/* The place of a third coordinate. */
enum shepard_status shepard_array_check_empty(const struct shepard_array *array,
                                              const char *argument, struct shepard_error *error);

/* The distance between the columns of a matrix, 0: no matrix; count >= 1 columns. */
enum shepard_status shepard_array_check_columns(ptrdiff_t column_stride, size_t count,
                                                const char *argument, struct shepard_error *error);

/* Column c of arrays or, where column_stride is not 0, of a matrix. */
struct shepard_array shepard_array_of_column(const struct shepard_array *columns,
                                             ptrdiff_t column_stride, size_t c);
struct shepard_output_array
shepard_output_array_of_column(const struct shepard_output_array *columns, ptrdiff_t column_stride,
                               size_t c);

#endif
