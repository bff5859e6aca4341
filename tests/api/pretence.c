/* SPDX-License-Identifier: MIT */
#include "pretence.h"

#include "backend/backend.h"
#include "backend/cuda/refusal.h"
#include "base/error.h"
#include "base/sized.h"

#include <stdio.h>
#include <stdlib.h>

struct pretence pretence;

void shepard_cuda_get_info_sized(struct shepard_cuda_info *info, size_t size)
{
    pretence.asked++;
    const struct shepard_cuda_info all = {
        .built = true, .devices = pretence.devices, .reason = pretence.reason};
    shepard_sized_give(&all, sizeof all, info, size);
}

bool shepard_device_get_info_sized(size_t i, struct shepard_device_info *info, size_t size)
{
    pretence.asked++;
    if (i >= pretence.devices)
        return false;
    struct shepard_device_info all = {.major = 9};
    snprintf(all.name, sizeof all.name, "Pretence %c", (char)('A' + (int)i));
    shepard_sized_give(&all, sizeof all, info, size);
    return true;
}

static const char *unavailable_reason(void)
{
    pretence.asked++;
    return pretence.reason;
}

static const char *isa(void)
{
    return "";
}

static enum shepard_status points_create(const struct shepard_points_plan *plan,
                                         struct shepard_prepared_points **points,
                                         struct shepard_error *error)
{
    pretence.given++;
    if (pretence.points_status != SHEPARD_OK)
        return shepard_error_set(error, pretence.points_status, "",
                                 "pretended: no room for points");
    struct shepard_prepared_points *made = calloc(1, sizeof *made);
    if (made == NULL)
        return shepard_error_set_memory(error, "pretended points");
    made->geometry.threads = plan->threads;
    made->geometry.allocator = plan->allocator;
    const enum shepard_status status =
        shepard_geometry_create(plan->coordinates, &plan->stretch, &made->geometry, error);
    if (status != SHEPARD_OK) {
        free(made);
        return status;
    }
    pretence.made++;
    *points = made;
    return SHEPARD_OK;
}

static void points_free(struct shepard_prepared_points *points)
{
    shepard_geometry_free(&points->geometry);
    free(points);
    pretence.made--;
}

static enum shepard_status field_create(const struct shepard_prepared_points *points,
                                        const struct shepard_values *values, size_t memory_limit,
                                        struct shepard_prepared_field **field, bool *gaps,
                                        struct shepard_error *error)
{
    (void)memory_limit;
    struct shepard_prepared_field *made = calloc(1, sizeof *made);
    (void)values;
    if (made == NULL)
        return shepard_error_set_memory(error, "a pretended field");
    made->points = points;
    *gaps = false;
    pretence.made++;
    *field = made;
    return SHEPARD_OK;
}

static void field_free(struct shepard_prepared_field *field)
{
    free(field);
    pretence.made--;
}

static void points_holding(const struct shepard_prepared_points *points,
                           struct shepard_holding *holding)
{
    (void)points;
    *holding = (struct shepard_holding){.notice = ""};
}

static enum shepard_status check_stream(const struct shepard_memory *memory, const void *array,
                                        const char *argument, struct shepard_error *error)
{
    (void)memory;
    (void)array;
    return pretence.stream == NULL ? SHEPARD_OK
                                   : shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, argument,
                                                       "%s: %s", argument, pretence.stream);
}

static enum shepard_status check_array(const struct shepard_array *array, size_t count,
                                       const char *argument, struct shepard_error *error)
{
    (void)array;
    (void)count;
    (void)argument;
    (void)error;
    return SHEPARD_OK;
}

static enum shepard_status find(const struct shepard_array *array,
                                const struct shepard_array *beside, size_t count,
                                const double bounds[2], const struct shepard_memory *memory,
                                size_t *first, struct shepard_error *error)
{
    (void)array;
    (void)beside;
    (void)bounds;
    (void)memory;
    (void)error;
    *first = count;
    return SHEPARD_OK;
}

static const struct shepard_device_arrays arrays = {
    .check_stream = check_stream, .check = check_array, .find = find};

const struct shepard_backend_table shepard_backend_cuda = {
    .backend = SHEPARD_BACKEND_CUDA,
    .name = "cuda",
    .unavailable_reason = unavailable_reason,
    .isa = isa,
    .refusal = shepard_cuda_refusal,
    .points_create = points_create,
    .points_free = points_free,
    .field_create = field_create,
    .field_free = field_free,
    .points_holding = points_holding,
    .arrays = &arrays,
};
