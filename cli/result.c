/* SPDX-License-Identifier: MIT */
#include "result.h"

#include "column_group.h"
#include "input.h"
#include "levels.h"
#include "message.h"
#include "text_list.h"

#include <stdlib.h>
#include <string.h>

#define NAME(id, array, name) [SHEPARD_RESULT_##id] = name,
static const char *const kind_names[SHEPARD_RESULT_KINDS] = {[SHEPARD_RESULT_VALUE] = "value",
                                                             SHEPARD_DIAGNOSTIC_LIST(NAME, NAME)};
#undef NAME

/* What names are made from. */
struct result_plan {
    struct shepard_results *results;
    const struct shepard_input *input;
    const struct shepard_column_groups *surfaces;
    const struct shepard_result_naming *naming;
};

bool shepard_diagnostics_have(const struct shepard_diagnostics *diagnostics,
                              enum shepard_result_kind kind)
{
    size_t i = 0;
    while (i < diagnostics->count && diagnostics->kinds[i] != kind) {
        i++;
    }
    return i < diagnostics->count;
}

const char *shepard_result_kind_name(int kind)
{
    return kind_names[kind];
}

bool shepard_result_is_of_column(enum shepard_result_kind kind)
{
#define NO(id, array, name)
#define OR(id, arrays, name) || kind == SHEPARD_RESULT_##id
    return kind == SHEPARD_RESULT_VALUE SHEPARD_DIAGNOSTIC_LIST(NO, OR);
#undef OR
#undef NO
}

bool shepard_diagnostics_are_of_columns(const struct shepard_diagnostics *diagnostics)
{
    size_t i = 0;
    while (i < diagnostics->count && shepard_result_is_of_column(diagnostics->kinds[i])) {
        i++;
    }
    return i == diagnostics->count;
}

/* The field's name, behind the layer's where there are several layers; "z" for the geometry's Z. */
static bool append_field(const struct result_plan *plan, const struct shepard_column_group *surface,
                         size_t column, char **name)
{
    const struct shepard_point_set *const points = &plan->input->layers[surface->layer];
    const char *const field = points->column[surface->column[column]].name;
    const bool several = plan->input->count > 1;
    return shepard_append_format(name, "%s%s%s", several ? points->layer : "", several ? "_" : "",
                                 strcmp(field, "Z") == 0 ? "z" : field);
}

static bool append_name(const struct result_plan *plan, const struct shepard_result *result,
                        char **name)
{
    const struct shepard_column_group *const surface = &plan->surfaces->items[result->surface];
    const struct shepard_result_naming *const naming = plan->naming;
    if (shepard_result_is_of_column(result->kind)) {
        return append_field(plan, surface, result->column, name) &&
               (result->kind == SHEPARD_RESULT_VALUE
                    ? shepard_append_format(name, "%s", naming->value_suffix)
                    : shepard_append_format(name, "_%.*s", naming->letters,
                                            kind_names[result->kind]));
    }
    /* One surface of each kind needs no field name; several are named by their first field. */
    if (plan->surfaces->count > 1 &&
        !(append_field(plan, surface, 0, name) && shepard_append_format(name, "_"))) {
        return false;
    }
    return shepard_append_format(name, "%s", kind_names[result->kind]);
}

static size_t level_count(const struct result_plan *plan)
{
    const struct shepard_levels *const levels = plan->naming->levels;
    return levels && levels->count > 0 ? levels->count : 1;
}

static bool append_level(const struct result_plan *plan, struct shepard_result *result)
{
    const struct shepard_levels *const levels = plan->naming->levels;
    return !levels || levels->count == 0 ||
           (append_name(plan, result, &result->variable) &&
            shepard_append_format(&result->name, "_z%.12g", levels->z[result->level]));
}

static bool add(const struct result_plan *plan, struct shepard_result result)
{
    struct shepard_results *const results = plan->results;
    struct shepard_result *const items =
        realloc(results->items, (results->count + 1) * sizeof *items);
    if (!items) {
        return shepard_say_error("out of memory");
    }
    results->items = items;
    if (!append_name(plan, &result, &result.name) || !append_level(plan, &result)) {
        free(result.name);
        free(result.variable);
        return false;
    }
    items[results->count++] = result;
    return true;
}

/* Predictions stand in the order in which the user named the fields, not grouped by surface. */
static size_t field_order(const struct shepard_result *result,
                          const struct shepard_column_groups *surfaces)
{
    const struct shepard_column_group *const surface = &surfaces->items[result->surface];
    return surface->layer * SHEPARD_COLUMNS_MAX + surface->column[result->column];
}

static void sort_by_field(struct shepard_result *items, size_t count,
                          const struct shepard_column_groups *surfaces)
{
    for (size_t i = 1; i < count; i++) {
        const struct shepard_result item = items[i];
        size_t k = i;
        for (; k > 0 && field_order(&items[k - 1], surfaces) > field_order(&item, surfaces); k--) {
            items[k] = items[k - 1];
        }
        items[k] = item;
    }
}

static bool add_kind(const struct result_plan *plan, enum shepard_result_kind kind)
{
    struct shepard_results *const results = plan->results;
    const size_t first = results->count;
    for (size_t s = 0; s < plan->surfaces->count; s++) {
        const size_t columns =
            shepard_result_is_of_column(kind) ? plan->surfaces->items[s].columns : 1;
        for (size_t i = 0; i < columns * level_count(plan); i++) {
            const struct shepard_result result = {.surface = s,
                                                  .kind = kind,
                                                  .column = i / level_count(plan),
                                                  .level = i % level_count(plan)};
            if (!add(plan, result)) {
                return false;
            }
        }
    }
    if (shepard_result_is_of_column(kind)) {
        sort_by_field(results->items + first, results->count - first, plan->surfaces);
    }
    return true;
}

static bool make_scratch(struct shepard_results *results,
                         const struct shepard_column_groups *surfaces)
{
    size_t columns = 1;
    for (size_t s = 0; s < surfaces->count; s++) {
        columns = surfaces->items[s].columns > columns ? surfaces->items[s].columns : columns;
    }
    bool good = true;
    for (int kind = 0; kind < SHEPARD_RESULT_KINDS; kind++) {
        if (shepard_result_is_of_column(kind)) {
            results->columns[kind] = calloc(columns, sizeof *results->columns[kind]);
            good = good && results->columns[kind];
        }
    }
    return good || shepard_say_error("out of memory");
}

bool shepard_results_plan(struct shepard_results *results, const struct shepard_input *input,
                          const struct shepard_column_groups *surfaces,
                          const struct shepard_diagnostics *diagnostics,
                          const struct shepard_result_naming *naming)
{
    const struct result_plan plan = {results, input, surfaces, naming};
    bool good = add_kind(&plan, SHEPARD_RESULT_VALUE);
    for (size_t i = 0; good && i < diagnostics->count; i++) {
        good = add_kind(&plan, diagnostics->kinds[i]);
    }
    return good && make_scratch(results, surfaces);
}

void shepard_results_free(struct shepard_results *results)
{
    for (size_t i = 0; i < results->count; i++) {
        free(results->items[i].name);
        free(results->items[i].variable);
    }
    free(results->items);
    for (int kind = 0; kind < SHEPARD_RESULT_KINDS; kind++) {
        free(results->columns[kind]);
    }
    *results = (struct shepard_results){0};
}

struct shepard_output
shepard_result_output(const struct shepard_output_array single[SHEPARD_RESULT_KINDS],
                      struct shepard_output_array *const columns[SHEPARD_RESULT_KINDS])
{
#define SINGLE(id, array, name) .array = single[SHEPARD_RESULT_##id],
#define COLUMNS(id, arrays, name) .arrays = columns[SHEPARD_RESULT_##id],
    return (struct shepard_output){.size = sizeof(struct shepard_output),
                                   .values = columns[SHEPARD_RESULT_VALUE],
                                   SHEPARD_DIAGNOSTIC_LIST(SINGLE, COLUMNS)};
#undef COLUMNS
#undef SINGLE
}

void shepard_results_output(const struct shepard_results *results, size_t surface, size_t level,
                            double *const *buffers, struct shepard_output *output)
{
    struct shepard_output_array single[SHEPARD_RESULT_KINDS] = {{.data = NULL}};
    struct shepard_output_array *columns[SHEPARD_RESULT_KINDS] = {
        [SHEPARD_RESULT_VALUE] = results->columns[SHEPARD_RESULT_VALUE]};
    for (size_t i = 0; i < results->count; i++) {
        const struct shepard_result *const result = &results->items[i];
        if (result->surface != surface || result->level != level) {
            continue;
        }
        if (shepard_result_is_of_column(result->kind)) {
            columns[result->kind] = results->columns[result->kind];
            columns[result->kind][result->column] = shepard_output_doubles(buffers[i]);
        } else {
            single[result->kind] = shepard_output_doubles(buffers[i]);
        }
    }
    *output = shepard_result_output(single, columns);
}
