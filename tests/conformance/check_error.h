/* SPDX-License-Identifier: MIT */
/* What a call that fails must say. */
#ifndef SHEPARD_TESTS_CHECK_ERROR_H
#define SHEPARD_TESTS_CHECK_ERROR_H

#include "shepard/shepard.h"

/* The status; the argument's name, of which the first part is enough; and a message that has the
 * name in it. Long names are cut off in the field. */
void check_error(enum shepard_status got, const struct shepard_error *error,
                 enum shepard_status want, const char *argument);

#endif
