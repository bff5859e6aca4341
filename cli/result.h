/* SPDX-License-Identifier: MIT */
/** The results of a job, one band or column each: predictions first, then diagnostics in the order
 * asked for. */
#ifndef SHEPARD_CLI_RESULT_H
#define SHEPARD_CLI_RESULT_H

#include <shepard/shepard.h>

struct shepard_input;
struct shepard_column_groups;
struct shepard_levels;

#define SHEPARD_RESULT_KIND(id, array, name) SHEPARD_RESULT_##id,
enum shepard_result_kind {
    SHEPARD_RESULT_VALUE,
    SHEPARD_DIAGNOSTIC_LIST(SHEPARD_RESULT_KIND, SHEPARD_RESULT_KIND) SHEPARD_RESULT_KINDS
};
#undef SHEPARD_RESULT_KIND

/** The diagnostics asked for, each once, in the order asked for. */
struct shepard_diagnostics {
    enum shepard_result_kind kinds[SHEPARD_RESULT_KINDS];
    size_t count;
};

bool shepard_diagnostics_have(const struct shepard_diagnostics *diagnostics,
                              enum shepard_result_kind kind);

/** The name of a kind as --diagnostics takes it, static. */
const char *shepard_result_kind_name(int kind);

/** True where each column has a result of its own, whatever other columns miss. */
bool shepard_result_is_of_column(enum shepard_result_kind kind);

/** True where all results are of a column. */
bool shepard_diagnostics_are_of_columns(const struct shepard_diagnostics *diagnostics);

/** The names of --diagnostics in one text, each behind a space. */
#define SHEPARD_DIAGNOSTIC_NAME(id, array, name) " " name
#define SHEPARD_DIAGNOSTIC_NAMES                                                                   \
    SHEPARD_DIAGNOSTIC_LIST(SHEPARD_DIAGNOSTIC_NAME, SHEPARD_DIAGNOSTIC_NAME)

/** An output for the arrays of each kind: single ones, and those of columns. What is empty or NULL
 * is not asked for. */
struct shepard_output
shepard_result_output(const struct shepard_output_array single[SHEPARD_RESULT_KINDS],
                      struct shepard_output_array *const columns[SHEPARD_RESULT_KINDS]);

/** What stands behind the field's name in the names of results that each column has. */
struct shepard_result_naming {
    const char *value_suffix;            /**< "" or "_pred" */
    int letters;                         /**< of a diagnostic's name, behind "_"; -1: all */
    const struct shepard_levels *levels; /**< of a stack, a result at each; NULL: none */
};

struct shepard_result {
    char *name;
    char *variable; /**< the name without the level; NULL: no stack */
    size_t surface; /**< whose result it is */
    enum shepard_result_kind kind;
    size_t column; /**< of the surface; for values and deviations */
    size_t level;  /**< of a stack, else 0 */
};

struct shepard_results {
    struct shepard_result *items;
    size_t count;
    /** Scratch of shepard_results_output: of each kind as many as the largest surface has columns,
     * NULL where there is one for all columns. */
    struct shepard_output_array *columns[SHEPARD_RESULT_KINDS];
};

/** Lists the results; false when out of memory, said. */
bool shepard_results_plan(struct shepard_results *results, const struct shepard_input *input,
                          const struct shepard_column_groups *surfaces,
                          const struct shepard_diagnostics *diagnostics,
                          const struct shepard_result_naming *naming);

void shepard_results_free(struct shepard_results *results);

/**
 * Points the library's output for a surface at a level to its buffers, one for each result. The
 * lists of arrays in *output belong to results and hold until the next call.
 */
void shepard_results_output(const struct shepard_results *results, size_t surface, size_t level,
                            double *const *buffers, struct shepard_output *output);

#endif
