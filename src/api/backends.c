/* SPDX-License-Identifier: MIT */
#include "api/backends.h"

#include "api/cost.h"
#include "api/device.h"
#include "base/error.h"
#include "base/sized.h"

#include <assert.h>

/* Fastest last. */
static const struct shepard_backend_table *const backends[] = {
    &shepard_backend_ref,
    &shepard_backend_cpu,
    &shepard_backend_cuda,
};

size_t shepard_backend_count(void)
{
    return sizeof backends / sizeof backends[0];
}

bool shepard_backend_get_info_sized(size_t i, struct shepard_backend_info *info, size_t size)
{
    if (i >= shepard_backend_count())
        return false;
    const char *reason = backends[i]->unavailable_reason();
    const struct shepard_backend_info all = {backends[i]->backend, backends[i]->name,
                                             *reason == '\0', backends[i]->isa(), reason};
    shepard_sized_give(&all, sizeof all, info, size);
    return true;
}

static const struct shepard_backend_table *cannot_be_used(const struct shepard_backend_table *table,
                                                          enum shepard_backend wanted,
                                                          struct shepard_error *error)
{
    const bool automatic = wanted == SHEPARD_BACKEND_AUTO;
    shepard_error_set(error, SHEPARD_ERROR_BACKEND, "options.backend",
                      "options.backend: %s cannot be used here: %s%s", table->name,
                      table->unavailable_reason(),
                      automatic ? "" : "; use SHEPARD_BACKEND_AUTO, or another one");
    return NULL;
}

/* The driver is asked last: its first call may take a second. */
static bool cuda_is_better(const struct shepard_coordinates *coordinates,
                           const struct shepard_points_options *options)
{
    const struct shepard_cost cost = shepard_cost_of(coordinates, options);
    return shepard_cost_favours_cuda(&cost) && *shepard_backend_cuda.unavailable_reason() == '\0' &&
           shepard_device_check(options->device, NULL) == SHEPARD_OK;
}

/* Coordinates on a device leave no choice: what is wrong with the device is the caller's. */
static const struct shepard_backend_table *choose(const struct shepard_coordinates *coordinates,
                                                  const struct shepard_points_options *options,
                                                  struct shepard_error *error)
{
    const bool there = coordinates->memory.kind == SHEPARD_MEMORY_CUDA &&
                       *shepard_backend_cuda.unavailable_reason() == '\0';
    if (there && shepard_device_check(options->device, error) != SHEPARD_OK)
        return NULL;
    return there || cuda_is_better(coordinates, options) ? &shepard_backend_cuda
                                                         : &shepard_backend_cpu;
}

static const struct shepard_backend_table *named(enum shepard_backend backend)
{
    size_t i = 0;
    while (backends[i]->backend != backend) {
        i++;
        assert(i < shepard_backend_count());
    }
    return backends[i];
}

const struct shepard_backend_table *
shepard_backends_find(const struct shepard_coordinates *coordinates,
                      const struct shepard_points_options *options, struct shepard_error *error)
{
    const struct shepard_backend_table *table = &shepard_backend_cpu;
    if (options->backend != SHEPARD_BACKEND_AUTO)
        table = named(options->backend);
    else if (*table->unavailable_reason() == '\0') /* cuda needs cpu for what it does not do */
        table = choose(coordinates, options, error);
    if (table == NULL)
        return NULL;
    return *table->unavailable_reason() == '\0' ? table
                                                : cannot_be_used(table, options->backend, error);
}
