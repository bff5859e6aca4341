/* SPDX-License-Identifier: MIT */
#include "pretence.h"

#include "backend/backend.h"
#include "base/fault.h"

#include <stdio.h>

struct pretence pretence;

void shepard_cuda_get_info(struct shepard_cuda_info *info)
{
    pretence.asked++;
    *info = (struct shepard_cuda_info){
        .built = true, .devices = pretence.devices, .reason = pretence.reason};
}

bool shepard_device_get_info(size_t i, struct shepard_device_info *info)
{
    pretence.asked++;
    if (i >= pretence.devices)
        return false;
    *info = (struct shepard_device_info){.major = 9};
    snprintf(info->name, sizeof info->name, "Pretence %c", (char)('A' + (int)i));
    return true;
}

static const char *unusable(void)
{
    pretence.asked++;
    return pretence.reason;
}

static const char *isa(const struct shepard_engine *engine)
{
    (void)engine;
    return "";
}

static enum shepard_status answer(enum shepard_status status, const char *what,
                                  struct shepard_error *error)
{
    return status == SHEPARD_OK ? status : shepard_fail(error, status, "", "pretended: %s", what);
}

static enum shepard_status take(const struct shepard_data *data,
                                const struct shepard_options *options,
                                struct shepard_points *points, struct shepard_error *error)
{
    const enum shepard_status status = answer(pretence.take_status, "no room for points", error);
    const struct shepard_stretch stretch = {.ratio = 1};
    (void)options;
    return status != SHEPARD_OK
               ? status
               : shepard_points_create(data, &stretch, 1, points->allocator, points, error);
}

static enum shepard_status create(struct shepard_points *points, const struct shepard_rules *rules,
                                  struct shepard_engine **engine, struct shepard_error *error)
{
    static char nothing;
    (void)points;
    (void)rules;
    const enum shepard_status status = answer(pretence.make_status, "no room for a tree", error);
    if (status != SHEPARD_OK)
        return status;
    *engine = (struct shepard_engine *)(void *)&nothing;
    pretence.made++;
    return SHEPARD_OK;
}

static void free_engine(struct shepard_engine *engine)
{
    (void)engine;
    pretence.made--;
}

static size_t bytes(const struct shepard_engine *engine)
{
    (void)engine;
    return 0;
}

const struct shepard_backend_table shepard_backend_cuda = {
    .backend = SHEPARD_BACKEND_CUDA,
    .name = "cuda",
    .unusable = unusable,
    .isa = isa,
    .take = take,
    .create = create,
    .free = free_engine,
    .bytes = bytes,
};
