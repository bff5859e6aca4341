/* SPDX-License-Identifier: MIT */
#include "api/backends.h"

#include "base/fault.h"

/* Fastest last. */
static const struct shepard_backend_table *const backends[] = {
    &shepard_backend_ref,
    &shepard_backend_cpu,
};

size_t shepard_backend_count(void)
{
    return sizeof backends / sizeof backends[0];
}

bool shepard_backend_get_info(size_t i, struct shepard_backend_info *info)
{
    if (i >= shepard_backend_count())
        return false;
    const char *reason = backends[i]->unusable();
    *info = (struct shepard_backend_info){backends[i]->backend, backends[i]->name, *reason == '\0',
                                          backends[i]->isa(NULL), reason};
    return true;
}

/* Whether AUTO may choose it: brute force only where it is asked for by name. */
static bool is_wanted(const struct shepard_backend_table *table, enum shepard_backend backend)
{
    if (backend == SHEPARD_BACKEND_AUTO)
        return table->backend != SHEPARD_BACKEND_REF;
    return table->backend == backend;
}

const struct shepard_backend_table *shepard_backends_find(enum shepard_backend backend,
                                                          struct shepard_error *error)
{
    const char *reason = "this build does not have it";
    for (size_t i = shepard_backend_count(); i-- > 0;) {
        if (!is_wanted(backends[i], backend))
            continue;
        reason = backends[i]->unusable();
        if (*reason == '\0')
            return backends[i];
    }
    shepard_fail(error, SHEPARD_ERROR_BACKEND, "options.backend", "no such backend can be used: %s",
                 reason);
    return NULL;
}
