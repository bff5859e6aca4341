/* SPDX-License-Identifier: MIT */
/** The heights of a stack of rasters: -zlevels. */
#ifndef SHEPARD_CLI_LEVELS_H
#define SHEPARD_CLI_LEVELS_H

#include "text_list.h"

#include <stdbool.h>
#include <stddef.h>

struct shepard_levels {
    size_t count; /**< 0: the plane */
    double *z;    /**< [count], as given, each once */
};

/** Reads the numbers of an option; false on an error, said. Free them with shepard_levels_free. */
bool shepard_levels_read(struct shepard_levels *levels, const struct shepard_text_list *texts);

void shepard_levels_free(struct shepard_levels *levels);

#endif
