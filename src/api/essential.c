/* SPDX-License-Identifier: MIT */
#include "api/essential.h"

#include "api/argument.h"
#include "api/array.h"
#include "api/field.h"
#include "api/parameters.h"
#include "api/points_options.h"
#include "api/targets.h"
#include "api/whole.h"
#include "base/arithmetic.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "core/methods.h"
#include "core/span.h"
#include "kernel/tree.h"

#include "shepard/shepard_essential.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(SHEPARD_SUBTREE_POINTS == SHEPARD_SUBTREE, "the public name of the same");
_Static_assert(SHEPARD_BRANCH_POINTS == SHEPARD_BRANCH, "the public name of the same");

/* Parameters as text, which tells whether they are the same. */
#define TEXT_SIZE 2048

/* What has been done; then it may be done no more. */
enum stage { CREATED, OPENED, NEEDED, FINISHED };

struct shepard_essential {
    struct shepard_points points; /* of all */
    struct shepard_whole whole;
    size_t subtrees, branches;
    bool weighted;
    enum stage stage;
    char parameters[TEXT_SIZE];
    struct shepard_raster raster;
    struct shepard_window *windows; /* [window_count] */
    size_t window_count;
    struct shepard_essential_part *part;
    struct shepard_field *field;
};

/* Plain memory, which a large block of has pages only where it was touched. */
static void *allocate_plain(size_t bytes, void *user)
{
    (void)user;
    return malloc(bytes);
}

static void release_plain(void *block, void *user)
{
    (void)user;
    free(block);
}

/* ---- checks ---------------------------------------------------------------------------------- */

static enum shepard_status check_points(const struct shepard_points_options *options,
                                        const struct shepard_whole *whole,
                                        struct shepard_error *error)
{
    if (whole->points <= SHEPARD_BRANCH)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "options.points",
                                 "options.points->part_of has %zu points: a tree of parts needs "
                                 "more than %d, give these to each process",
                                 whole->points, SHEPARD_BRANCH);
    if (whole->points > SHEPARD_POINTS_MAX)
        return shepard_error_set(error, SHEPARD_ERROR_SIZE, "options.points",
                                 "%zu data points are more than the %u that the library takes: "
                                 "split or thin the data",
                                 whole->points, SHEPARD_POINTS_MAX);
    if (options->anisotropy_ratio != 1 || options->metric != SHEPARD_METRIC_PLANE ||
        (options->barriers != NULL && options->barriers->count > 0))
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "options.points",
                                 "options.points: a tree of parts is for the plane, without "
                                 "anisotropy and barriers");
    return options->backend == SHEPARD_BACKEND_CPU || options->backend == SHEPARD_BACKEND_AUTO
               ? SHEPARD_OK
               : shepard_error_set(error, SHEPARD_ERROR_BACKEND, "options.points",
                                   "options.points->backend must be SHEPARD_BACKEND_CPU: no other "
                                   "has a part of the points");
}

static enum shepard_status check_parameters(const struct shepard_parameters *parameters,
                                            struct shepard_error *error)
{
    const bool sums = shepard_method_facts(parameters->method)->by_power &&
                      shepard_parameters_use_all(parameters) && parameters->degree == 0 &&
                      parameters->eps > 0;
    return sums ? SHEPARD_OK
                : shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "options.parameters",
                                    "options.parameters must be of IDW or AIDW over all points, "
                                    "degree 0, eps above 0: what else predicts from all points "
                                    "needs all of them in each process");
}

static enum shepard_status check_windows(const struct shepard_essential_options *options,
                                         struct shepard_error *error)
{
    if (options->window_count > 0 && options->windows == NULL)
        return shepard_argument_missing("options.windows", error);
    for (size_t i = 0; i < options->window_count; i++)
        if (!shepard_window_is_inside(&options->windows[i], &options->raster))
            return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "options.windows",
                                     "options.windows[%zu] is not inside the raster", i);
    return SHEPARD_OK;
}

/* What the caller has given, complete. */
struct taken_options {
    struct shepard_essential_options options;
    struct shepard_points_options points;
    struct shepard_parameters expected, parameters;
    struct shepard_whole whole;
};

static enum shepard_status take(const struct shepard_essential_options *options,
                                struct taken_options *given, struct shepard_error *error)
{
    given->options = (struct shepard_essential_options){.size = sizeof given->options};
    enum shepard_status status =
        SHEPARD_TAKE(options, &given->options, "options", shepard_essential_options, error);
    if (status == SHEPARD_OK)
        status = shepard_points_options_take(given->options.points, &given->points,
                                             &given->expected, error);
    if (status == SHEPARD_OK && given->points.part_of == NULL)
        status = shepard_argument_missing("options.points->part_of", error);
    if (status == SHEPARD_OK)
        status =
            shepard_whole_take(given->points.part_of, SHEPARD_METRIC_PLANE, &given->whole, error);
    if (status == SHEPARD_OK)
        status = check_points(&given->points, &given->whole, error);
    if (status == SHEPARD_OK)
        status = shepard_parameters_take(given->options.parameters, &given->parameters, error);
    if (status == SHEPARD_OK)
        status = check_parameters(&given->parameters, error);
    if (status == SHEPARD_OK)
        status = check_windows(&given->options, error);
    const double least = given->options.weight_min;
    if (status == SHEPARD_OK && given->options.weighted &&
        !(least > 0 && least <= given->whole.weight_max))
        status = shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "options.weight_min",
                                   "options.weight_min is %g and part_of->weight_max %g: they are "
                                   "the least and the largest weight of all points, above 0",
                                   least, given->whole.weight_max);
    return status;
}

/* ---- making ---------------------------------------------------------------------------------- */

static enum shepard_status keep(struct shepard_essential *essential,
                                const struct taken_options *given, struct shepard_error *error)
{
    const size_t count = given->options.window_count;
    essential->whole = given->whole;
    essential->subtrees = shepard_ceil_div(given->whole.points, SHEPARD_SUBTREE);
    essential->branches = shepard_ceil_div(given->whole.points, SHEPARD_BRANCH);
    essential->weighted = given->options.weighted;
    essential->raster = given->options.raster;
    shepard_parameters_print(&given->parameters, NULL, NULL, essential->parameters, TEXT_SIZE);
    essential->windows =
        shepard_allocate(essential->points.allocator_used, count, sizeof *essential->windows);
    if (essential->windows == NULL)
        return shepard_error_set_memory(error, "the points");
    for (size_t i = 0; i < count; i++)
        essential->windows[i] = given->options.windows[i];
    essential->window_count = count;
    return SHEPARD_OK;
}

static enum shepard_status make(struct shepard_essential *essential,
                                const struct taken_options *given, struct shepard_error *error)
{
    const struct shepard_points_plan points = {
        .options = &given->points,
        .space = {.metric = SHEPARD_METRIC_PLANE},
        .stretch = shepard_stretch_of(1, 0),
        .whole = &essential->whole,
        .threads = shepard_threads(given->points.threads),
        .allocator = essential->points.allocator_used,
    };
    const double least =
        essential->weighted
            ? fmax(given->options.weight_min / given->whole.weight_max, SHEPARD_WEIGHT_MIN)
            : 1;
    const struct shepard_essential_plan plan = {.points = &points,
                                                .columns = essential->whole.column_count,
                                                .weighted = essential->weighted,
                                                .least_weight = least,
                                                .memory_limit = given->points.memory_limit,
                                                .parameters = &given->parameters,
                                                .raster = essential->raster,
                                                .windows = essential->windows,
                                                .window_count = essential->window_count};
    const enum shepard_status status =
        essential->points.backend->essential->create(&plan, &essential->part, error);
    if (status == SHEPARD_OK)
        essential->points.prepared = essential->part->points;
    return status;
}

enum shepard_status shepard_essential_create(const struct shepard_essential_options *options,
                                             struct shepard_essential **essential,
                                             struct shepard_error *error)
{
    struct taken_options given;
    enum shepard_status status = take(options, &given, error);
    if (status == SHEPARD_OK && essential == NULL)
        status = shepard_argument_missing("essential", error);
    if (status != SHEPARD_OK)
        return status;
    struct shepard_essential *made = shepard_allocate(given.points.allocator, 1, sizeof *made);
    if (made == NULL)
        return shepard_error_set_memory(error, "the points");
    memset(made, 0, sizeof *made);
    made->points.allocator =
        given.points.allocator != NULL
            ? *given.points.allocator
            : (struct shepard_allocator){.allocate = allocate_plain, .release = release_plain};
    made->points.allocator_used = &made->points.allocator;
    made->points.backend = &shepard_backend_cpu;
    made->points.given = given.whole.points;
    made->points.memory_limit = given.points.memory_limit;
    made->points.essential = made;
    status = keep(made, &given, error);
    if (status == SHEPARD_OK)
        status = make(made, &given, error);
    if (status == SHEPARD_OK)
        *essential = made;
    else
        shepard_essential_free(made);
    return status;
}

void shepard_essential_free(struct shepard_essential *essential)
{
    if (essential == NULL)
        return;
    const struct shepard_allocator allocator = essential->points.allocator;
    shepard_field_disown(essential->field);
    if (essential->part != NULL)
        essential->points.backend->essential->free(essential->part);
    shepard_release(&allocator, essential->windows);
    shepard_release(&allocator, essential);
}

size_t shepard_essential_numbers(const struct shepard_essential *essential)
{
    return essential->points.backend->essential->numbers(essential->part);
}

/* ---- adding ---------------------------------------------------------------------------------- */

static enum shepard_status check_stage(const struct shepard_essential *essential, enum stage least,
                                       enum stage most, struct shepard_error *error)
{
    static const char *const done[] = {"created", "opened", "told what it needs", "finished"};
    return essential->stage >= least && essential->stage <= most
               ? SHEPARD_OK
               : shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "essential",
                                   "the tree is %s: the order of calls is create, add, join, open, "
                                   "need, add, finish",
                                   done[essential->stage]);
}

/* Whether numbers rise, and are below a limit. */
static enum shepard_status check_numbers(const size_t *numbers, size_t count, size_t limit,
                                         const char *argument, struct shepard_error *error)
{
    for (size_t i = 0; i < count; i++)
        if (numbers[i] >= limit || (i > 0 && numbers[i] <= numbers[i - 1]))
            return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, argument,
                                     "%s[%zu] is %zu: numbers must rise, and be below %zu",
                                     argument, i, numbers[i], limit);
    return SHEPARD_OK;
}

static size_t count_points(const struct shepard_essential *essential,
                           const struct shepard_subtrees *subtrees)
{
    size_t points = 0;
    for (size_t i = 0; i < subtrees->count; i++)
        points += shepard_smaller(SHEPARD_SUBTREE, essential->whole.points -
                                                       subtrees->subtrees[i] * SHEPARD_SUBTREE);
    return points;
}

static enum shepard_status check_places(const struct shepard_whole *whole,
                                        const struct shepard_coordinates *coordinates,
                                        struct shepard_error *error)
{
    for (size_t i = 0; i < coordinates->count; i++) {
        const double x = shepard_array_at(&coordinates->x, i);
        const double y = shepard_array_at(&coordinates->y, i);
        if (!shepard_whole_holds(whole, x, y))
            return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "subtrees.coordinates",
                                     "point %zu, at %.17g, %.17g, is not in the box of part_of, "
                                     "which is that of all points",
                                     i, x, y);
    }
    return SHEPARD_OK;
}

static enum shepard_status check_values(const struct shepard_essential *essential,
                                        const struct shepard_values *values,
                                        struct shepard_error *error)
{
    if (values->column_count != essential->whole.column_count)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "subtrees.values",
                                 "subtrees.values->column_count is %zu, and part_of has %zu",
                                 values->column_count, essential->whole.column_count);
    return (values->weights.data != NULL) == essential->weighted
               ? SHEPARD_OK
               : shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "subtrees.values",
                                   "subtrees.values->weights must be given where "
                                   "options.weighted says so, and only there");
}

enum shepard_status shepard_essential_add(struct shepard_essential *essential,
                                          const struct shepard_subtrees *subtrees,
                                          double *summaries, struct shepard_error *error)
{
    struct shepard_subtrees own = {.size = sizeof own};
    struct shepard_coordinates coordinates;
    struct shepard_values values = {.size = sizeof values}, resolved;
    if (essential == NULL)
        return shepard_argument_missing("essential", error);
    enum shepard_status status = SHEPARD_TAKE(subtrees, &own, "subtrees", shepard_subtrees, error);
    if (status == SHEPARD_OK)
        status = check_stage(essential, CREATED, NEEDED, error);
    if (status == SHEPARD_OK)
        status =
            check_numbers(own.subtrees, own.count, essential->subtrees, "subtrees.subtrees", error);
    if (status != SHEPARD_OK || own.count == 0)
        return status;
    status = shepard_coordinates_take(own.coordinates, SHEPARD_METRIC_PLANE, &coordinates, error);
    if (status == SHEPARD_OK)
        status = SHEPARD_TAKE(own.values, &values, "subtrees.values", shepard_values, error);
    if (status == SHEPARD_OK)
        status = check_values(essential, &values, error);
    if (status != SHEPARD_OK)
        return status;
    const size_t points = count_points(essential, &own);
    if (points != coordinates.count)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "subtrees.coordinates",
                                 "subtrees.coordinates->count is %zu, and the subtrees have %zu "
                                 "points",
                                 coordinates.count, points);
    struct shepard_array *room = NULL;
    status = shepard_field_take_values(&values, &essential->points, coordinates.count, &room,
                                       &resolved, error);
    const struct shepard_essential_batch batch = {own.subtrees, own.count, &coordinates, &resolved};
    if (status == SHEPARD_OK)
        status = check_places(&essential->whole, &coordinates, error);
    if (status == SHEPARD_OK)
        status = shepard_span_check(&coordinates, &essential->points.prepared->geometry, error);
    if (status == SHEPARD_OK)
        status =
            essential->points.backend->essential->add(essential->part, &batch, summaries, error);
    shepard_release(essential->points.allocator_used, room);
    return status;
}

/* ---- branches -------------------------------------------------------------------------------- */

/* What the caller has given at a stage, as a backend takes it. */
static enum shepard_status take_branches(const struct shepard_essential *essential,
                                         const struct shepard_branches *given, enum stage stage,
                                         struct shepard_essential_branches *branches,
                                         struct shepard_error *error)
{
    struct shepard_branches own = {.size = sizeof own};
    if (essential == NULL)
        return shepard_argument_missing("essential", error);
    enum shepard_status status = check_stage(essential, stage, stage, error);
    if (status == SHEPARD_OK)
        status = SHEPARD_TAKE(given, &own, "branches", shepard_branches, error);
    if (status == SHEPARD_OK)
        status =
            check_numbers(own.branches, own.count, essential->branches, "branches.branches", error);
    *branches = (struct shepard_essential_branches){own.branches, own.count};
    return status;
}

enum shepard_status shepard_essential_join(struct shepard_essential *essential,
                                           const struct shepard_branches *branches,
                                           const double *of_subtrees, double *summaries,
                                           struct shepard_error *error)
{
    struct shepard_essential_branches own;
    const enum shepard_status status = take_branches(essential, branches, CREATED, &own, error);
    if (status != SHEPARD_OK || own.count == 0)
        return status;
    if (of_subtrees == NULL || summaries == NULL)
        return shepard_argument_missing(of_subtrees == NULL ? "of_subtrees" : "summaries", error);
    return essential->points.backend->essential->join(essential->part, &own, of_subtrees, summaries,
                                                      error);
}

enum shepard_status shepard_essential_open(struct shepard_essential *essential,
                                           const double *summaries, unsigned char *opened,
                                           struct shepard_error *error)
{
    if (essential == NULL)
        return shepard_argument_missing("essential", error);
    if (summaries == NULL || opened == NULL)
        return shepard_argument_missing(summaries == NULL ? "summaries" : "opened", error);
    enum shepard_status status = check_stage(essential, CREATED, CREATED, error);
    if (status == SHEPARD_OK)
        status =
            essential->points.backend->essential->open(essential->part, summaries, opened, error);
    if (status == SHEPARD_OK)
        essential->stage = OPENED;
    return status;
}

enum shepard_status shepard_essential_need(struct shepard_essential *essential,
                                           const struct shepard_branches *opened,
                                           const double *of_subtrees, unsigned char *needed,
                                           struct shepard_error *error)
{
    struct shepard_essential_branches own;
    enum shepard_status status = take_branches(essential, opened, OPENED, &own, error);
    if (status == SHEPARD_OK && own.count > 0 && (of_subtrees == NULL || needed == NULL))
        status = shepard_argument_missing(of_subtrees == NULL ? "of_subtrees" : "needed", error);
    if (status == SHEPARD_OK)
        status = essential->points.backend->essential->need(essential->part, &own, of_subtrees,
                                                            needed, error);
    if (status == SHEPARD_OK)
        essential->stage = NEEDED;
    return status;
}

enum shepard_status shepard_essential_finish(struct shepard_essential *essential,
                                             struct shepard_field **field,
                                             struct shepard_error *error)
{
    if (essential == NULL)
        return shepard_argument_missing("essential", error);
    if (field == NULL)
        return shepard_argument_missing("field", error);
    enum shepard_status status = check_stage(essential, NEEDED, NEEDED, error);
    if (status == SHEPARD_OK && essential->field == NULL)
        status = shepard_field_adopt(&essential->points, essential->part->field,
                                     essential->whole.column_count, essential->weighted,
                                     &essential->field, error);
    if (status == SHEPARD_OK)
        status = essential->points.backend->essential->finish(essential->part, error);
    if (status != SHEPARD_OK)
        return status;
    essential->stage = FINISHED;
    *field = essential->field;
    return SHEPARD_OK;
}

/* ---- predictions ----------------------------------------------------------------------------- */

static bool same_raster(const struct shepard_raster *a, const struct shepard_raster *b)
{
    return a->x0 == b->x0 && a->y0 == b->y0 && a->dx == b->dx && a->dy == b->dy &&
           a->columns == b->columns && a->rows == b->rows;
}

static bool holds(const struct shepard_window *a, const struct shepard_window *b)
{
    return b->column >= a->column && b->column + b->columns <= a->column + a->columns &&
           b->row >= a->row && b->row + b->rows <= a->row + a->rows;
}

static enum shepard_status check_targets(const struct shepard_essential *essential,
                                         const struct shepard_targets_view *targets,
                                         struct shepard_error *error)
{
    bool inside = false;
    for (size_t i = 0; targets->raster != NULL && i < essential->window_count; i++)
        inside = inside || (same_raster(targets->raster, &essential->raster) &&
                            holds(&essential->windows[i], &targets->window));
    return inside ? SHEPARD_OK
                  : shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "targets",
                                      "the field's points are those that windows of a raster need "
                                      "(shepard_essential_create): targets must be cells of one of "
                                      "these windows");
}

/* Whether one of the arrays of columns is there: those of a matrix are where the first one is. */
static bool asks_for(const struct shepard_output_array *columns, ptrdiff_t stride, size_t count)
{
    const size_t arrays = stride != 0 ? 1 : count;
    for (size_t c = 0; columns != NULL && c < arrays; c++)
        if (columns[c].data != NULL)
            return true;
    return false;
}

/* Names the first key that differs. */
static enum shepard_status fail_parameters(const char *asked, const char *made,
                                           struct shepard_error *error)
{
    size_t at = 0;
    while (asked[at] == made[at])
        at++;
    while (at > 0 && asked[at - 1] != ':')
        at--;
    return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "parameters",
                             "the parameters have %.*s, and the field's points are those that "
                             "%.*s needs: give the parameters of shepard_essential_create",
                             (int)strcspn(asked + at, ":"), asked + at,
                             (int)strcspn(made + at, ":"), made + at);
}

enum shepard_status shepard_essential_check(const struct shepard_essential *essential,
                                            const struct shepard_parameters *parameters,
                                            const struct shepard_targets_view *targets,
                                            const struct shepard_output *output,
                                            struct shepard_error *error)
{
    char text[TEXT_SIZE];
    shepard_parameters_print(parameters, NULL, NULL, text, sizeof text);
    if (strcmp(text, essential->parameters) != 0)
        return fail_parameters(text, essential->parameters, error);
    if (asks_for(output->deviations, output->deviations_stride, essential->whole.column_count) ||
        asks_for(output->sds, output->sds_stride, essential->whole.column_count) ||
        output->effective.data != NULL)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "output",
                                 "deviations, effective numbers of points and sds need the points "
                                 "of all: this field gives values, count, power and nearest");
    return targets != NULL ? check_targets(essential, targets, error) : SHEPARD_OK;
}
