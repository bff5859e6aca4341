/* SPDX-License-Identifier: MIT */
#include "api/sd_model.h"

#include "api/argument.h"
#include "api/array.h"
#include "base/arithmetic.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/sized.h"
#include "core/array.h"
#include "core/sd_model.h"

#include <math.h>
#include <stdio.h>

/* Targets that a thread takes at a time. */
#define BLOCK 4096

/* ---- fit ------------------------------------------------------------------------------------- */

static enum shepard_status take_residuals(const struct shepard_sd_residuals *given,
                                          struct shepard_sd_residuals *own,
                                          struct shepard_error *error)
{
    *own = (struct shepard_sd_residuals){.size = sizeof *own};
    enum shepard_status status = SHEPARD_TAKE(given, own, "residuals", shepard_sd_residuals, error);
    if (status == SHEPARD_OK)
        status = shepard_array_check(&own->residuals, own->count, "residuals.residuals", error);
    if (status == SHEPARD_OK)
        status = shepard_array_check(&own->nearest, own->count, "residuals.nearest", error);
    if (status == SHEPARD_OK)
        status = shepard_array_check(&own->deviation, own->count, "residuals.deviation", error);
    return status;
}

/* Copies the complete triples to room [3 count]; *data has them. */
static enum shepard_status gather(const struct shepard_sd_residuals *given, double *room,
                                  struct shepard_sd_data *data, struct shepard_error *error)
{
    double *const residuals = room, *const nearest = room + given->count,
                  *const deviations = room + 2 * given->count;
    size_t used = 0;
    for (size_t i = 0; i < given->count; i++) {
        residuals[used] = shepard_array_at(&given->residuals, i);
        nearest[used] = shepard_array_at(&given->nearest, i);
        deviations[used] = shepard_array_at(&given->deviation, i);
        if (nearest[used] < 0 || deviations[used] < 0)
            return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT,
                                     nearest[used] < 0 ? "residuals.nearest"
                                                       : "residuals.deviation",
                                     "element %zu is negative: give distances and deviations as "
                                     "shepard_predict writes them",
                                     i);
        used += isfinite(residuals[used]) && isfinite(nearest[used]) && isfinite(deviations[used]);
    }
    data->count = used;
    data->residuals = residuals;
    data->nearest = nearest;
    data->deviations = deviations;
    return SHEPARD_OK;
}

static enum shepard_status fit(const struct shepard_sd_residuals *residuals, double *room,
                               struct shepard_sd_model *model, struct shepard_error *error)
{
    struct shepard_sd_data data = {.room = room + 3 * residuals->count};
    const enum shepard_status status = gather(residuals, room, &data, error);
    if (status != SHEPARD_OK)
        return status;
    if (data.count == 0)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "residuals",
                                 "of %zu residuals none is finite, with its distance and "
                                 "deviation: predict where there are neighbours",
                                 residuals->count);
    *model = shepard_sd_model_of(&data);
    return SHEPARD_OK;
}

enum shepard_status shepard_sd_model_fit_sized(const struct shepard_sd_residuals *residuals,
                                               struct shepard_sd_model *model, size_t size,
                                               struct shepard_error *error)
{
    struct shepard_sd_residuals own;
    struct shepard_sd_model fitted;
    enum shepard_status status = take_residuals(residuals, &own, error);
    if (status == SHEPARD_OK && model == NULL)
        status = shepard_argument_missing("model", error);
    if (status != SHEPARD_OK)
        return status;
    double *room = shepard_allocate(own.allocator, own.count, 6 * sizeof *room);
    status = room != NULL ? fit(&own, room, &fitted, error)
                          : shepard_error_set_memory(error, "the residuals");
    shepard_release(own.allocator, room);
    if (status == SHEPARD_OK) {
        fitted.size = size;
        shepard_sized_give(&fitted, sizeof fitted, model, size);
    }
    return status;
}

/* ---- models of a call ------------------------------------------------------------------------ */

enum shepard_status shepard_sd_models_check(const struct shepard_output *output,
                                            struct shepard_error *error)
{
    if (output->sd_models == NULL)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "output.sds",
                                 "output.sds of this method needs a model for each column in "
                                 "output.sd_models: fit them by shepard_sd_model_fit, or use "
                                 "SHEPARD_METHOD_KRIGE (krige), which has a standard deviation "
                                 "(sd) of its own");
    if (output->memory.kind != SHEPARD_MEMORY_HOST)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "output.sds",
                                 "output.sds from output.sd_models are written in the host's "
                                 "memory only: give arrays of the host");
    return SHEPARD_OK;
}

static bool is_valid(const struct shepard_sd_feature *feature)
{
    return isfinite(feature->slope) && isfinite(feature->offset) && feature->offset > 0 &&
           isfinite(feature->centre) && isfinite(feature->low) && isfinite(feature->high) &&
           feature->low <= feature->high;
}

static enum shepard_status take_model(const struct shepard_sd_model *given, size_t size,
                                      const char *name, struct shepard_sd_model *own,
                                      struct shepard_error *error)
{
    *own = (struct shepard_sd_model){.size = sizeof *own};
    if (given->size != size)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, name,
                                 "%s.size is %zu, that of the first %zu: give models of one size",
                                 name, given->size, size);
    const enum shepard_status status = SHEPARD_TAKE(given, own, name, shepard_sd_model, error);
    if (status != SHEPARD_OK)
        return status;
    if (isfinite(own->scale) && own->scale >= 0 && isfinite(own->intercept) &&
        is_valid(&own->nearest) && is_valid(&own->deviation))
        return SHEPARD_OK;
    return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, name,
                             "%s has a number that is not finite or out of range: give a model "
                             "as shepard_sd_model_fit makes it",
                             name);
}

enum shepard_status shepard_sd_models_take(const struct shepard_output *output, size_t columns,
                                           struct shepard_sd_model *own,
                                           struct shepard_error *error)
{
    const char *const first = (const char *)output->sd_models;
    const size_t size = output->sd_models->size;
    enum shepard_status status = SHEPARD_OK;
    for (size_t c = 0; c < columns && status == SHEPARD_OK; c++) {
        char name[64];
        snprintf(name, sizeof name, "output.sd_models[%zu]", c);
        if (output->sds[c].data != NULL)
            status = take_model((const void *)(first + c * size), size, name, &own[c], error);
    }
    return status;
}

/* ---- one prediction -------------------------------------------------------------------------- */

/* The caller's array where it has doubles, else the next room. */
static struct shepard_output_array place(struct shepard_output_array array, size_t targets,
                                         double **room)
{
    if (array.data != NULL && array.type == SHEPARD_FLOAT64)
        return array;
    const struct shepard_output_array own = {*room, SHEPARD_FLOAT64, sizeof(double)};
    *room += targets;
    return own;
}

enum shepard_status shepard_sd_pass_begin(struct shepard_sd_pass *pass, struct shepard_error *error)
{
    const size_t columns = pass->group->count;
    pass->deviations = shepard_allocate(pass->allocator, columns, sizeof *pass->deviations);
    size_t rows = pass->wanted->nearest.type != SHEPARD_FLOAT64 || !pass->wanted->nearest.data;
    for (size_t c = 0; c < columns; c++)
        rows += pass->wanted->sds[c].data != NULL && pass->wanted->sds[c].type != SHEPARD_FLOAT64;
    pass->numbers = pass->targets <= SIZE_MAX / sizeof(double) / (columns + 1)
                        ? shepard_allocate(pass->allocator, rows * pass->targets, sizeof(double))
                        : NULL;
    if (pass->deviations == NULL || pass->numbers == NULL)
        return shepard_error_set_memory(error, "the standard deviations");
    double *room = pass->numbers;
    pass->asked = *pass->wanted;
    pass->asked.sds = NULL;
    pass->asked.nearest = place(pass->wanted->nearest, pass->targets, &room);
    /* A deviation lies where its sd will. */
    for (size_t c = 0; c < columns; c++)
        pass->deviations[c] = pass->wanted->sds[c].data != NULL
                                  ? place(pass->wanted->sds[c], pass->targets, &room)
                                  : shepard_output_column(pass->wanted->deviations, c);
    pass->asked.deviations = pass->deviations;
    return SHEPARD_OK;
}

static double read(const struct shepard_output_array *from, size_t i)
{
    const struct shepard_array array = {from->data, from->type, from->stride};
    return shepard_array_at(&array, i);
}

static enum shepard_status finish_block(void *context, size_t block, int thread)
{
    const struct shepard_sd_pass *const pass = context;
    const struct shepard_output *const wanted = pass->wanted;
    const size_t first = block * BLOCK, end = shepard_smaller(first + BLOCK, pass->targets);
    (void)thread;
    for (size_t i = first; i < end; i++) {
        const double nearest = read(&pass->asked.nearest, i);
        shepard_output_put(wanted->nearest, i, nearest);
        for (size_t c = 0; c < pass->group->count; c++) {
            if (wanted->sds[c].data == NULL)
                continue;
            const struct shepard_sd_model *model = &pass->models[pass->group->column[c]];
            const double deviation = read(&pass->deviations[c], i);
            shepard_output_put(shepard_output_column(wanted->deviations, c), i, deviation);
            shepard_output_put(wanted->sds[c], i,
                               isnan(deviation) ? deviation
                                                : shepard_sd_model_at(model, nearest, deviation));
        }
    }
    return SHEPARD_OK;
}

void shepard_sd_pass_finish(struct shepard_sd_pass *pass, int threads)
{
    const struct shepard_loop loop = {.threads = threads,
                                      .blocks = shepard_ceil_div(pass->targets, BLOCK),
                                      .body = finish_block,
                                      .context = pass};
    shepard_loop_run(&loop);
}

void shepard_sd_pass_end(struct shepard_sd_pass *pass)
{
    shepard_release(pass->allocator, pass->numbers);
    shepard_release(pass->allocator, pass->deviations);
}
