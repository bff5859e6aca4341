/* SPDX-License-Identifier: MIT */
/* The results of struct shepard_output as a list: values, then the diagnostics of
 * SHEPARD_DIAGNOSTIC_LIST. */
#ifndef SHEPARD_CORE_DIAGNOSTICS_H
#define SHEPARD_CORE_DIAGNOSTICS_H

#include "core/array.h"

/* Stands for the diagnostics that an expansion of the list leaves out. */
#define SHEPARD_NO_DIAGNOSTIC(id, array, name)

/* What a target has one of for each column. */
#define SHEPARD_COLUMN_RESULT(id, arrays, name) SHEPARD_COLUMN_##id,
enum shepard_column_result {
    SHEPARD_COLUMN_VALUE,
    SHEPARD_DIAGNOSTIC_LIST(SHEPARD_NO_DIAGNOSTIC, SHEPARD_COLUMN_RESULT) SHEPARD_COLUMN_RESULTS
};
#undef SHEPARD_COLUMN_RESULT

/* The columns of a kind of result, in *output; they may be replaced. */
static inline const struct shepard_output_array **
shepard_output_columns(struct shepard_output *output, int result)
{
#define COLUMNS(id, arrays, name) &output->arrays,
    const struct shepard_output_array **const all[] = {
        &output->values, SHEPARD_DIAGNOSTIC_LIST(SHEPARD_NO_DIAGNOSTIC, COLUMNS)};
#undef COLUMNS
    return all[result];
}

/* Whether a diagnostic that a target has one of is wanted. */
static inline bool shepard_output_describes_targets(const struct shepard_output *output)
{
#define WANTED(id, array, name) || output->array.data != NULL
    return false SHEPARD_DIAGNOSTIC_LIST(WANTED, SHEPARD_NO_DIAGNOSTIC);
#undef WANTED
}

/* Whether a resolved output has any array. */
static inline bool shepard_output_is_wanted(const struct shepard_output *output)
{
#define WANTED(id, arrays, name) || output->arrays != NULL
    return shepard_output_describes_targets(output) ||
           output->values != NULL SHEPARD_DIAGNOSTIC_LIST(SHEPARD_NO_DIAGNOSTIC, WANTED);
#undef WANTED
}

/* Asks for no diagnostic that a target has one of. */
static inline void shepard_output_forget_targets(struct shepard_output *output)
{
    const struct shepard_output_array none = {NULL, SHEPARD_FLOAT64, 0};
#define FORGET(id, array, name) output->array = none;
    SHEPARD_DIAGNOSTIC_LIST(FORGET, SHEPARD_NO_DIAGNOSTIC)
#undef FORGET
}

/* nodata in all results of a target. */
static inline void shepard_output_put_nodata(const struct shepard_output *output, size_t columns,
                                             size_t index, double nodata)
{
#define PUT(id, array, name) shepard_output_put(output->array, index, nodata);
#define PUT_COLUMN(id, arrays, name)                                                               \
    shepard_output_put(shepard_output_column(output->arrays, c), index, nodata);
    for (size_t c = 0; c < columns; c++) {
        PUT_COLUMN(VALUE, values, "value")
        SHEPARD_DIAGNOSTIC_LIST(SHEPARD_NO_DIAGNOSTIC, PUT_COLUMN)
    }
    SHEPARD_DIAGNOSTIC_LIST(PUT, SHEPARD_NO_DIAGNOSTIC)
#undef PUT_COLUMN
#undef PUT
}

/* Loads all results of a target into the caches, for they will be written. */
SHEPARD_FETCH void shepard_output_fetch_target(const struct shepard_output *output, size_t columns,
                                               size_t index)
{
#define FETCH(id, array, name) shepard_output_fetch(output->array, index, index + 1);
#define FETCH_COLUMN(id, arrays, name)                                                             \
    shepard_output_fetch(shepard_output_column(output->arrays, c), index, index + 1);
    for (size_t c = 0; c < columns; c++) {
        FETCH_COLUMN(VALUE, values, "value")
        SHEPARD_DIAGNOSTIC_LIST(SHEPARD_NO_DIAGNOSTIC, FETCH_COLUMN)
    }
    SHEPARD_DIAGNOSTIC_LIST(FETCH, SHEPARD_NO_DIAGNOSTIC)
#undef FETCH_COLUMN
#undef FETCH
}

#endif
