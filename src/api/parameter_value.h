/* SPDX-License-Identifier: MIT */
/* The value of a key, from text and as text. */
#ifndef SHEPARD_API_PARAMETER_VALUE_H
#define SHEPARD_API_PARAMETER_VALUE_H

#include "base/decimal.h"
#include "core/methods.h"

#define SHEPARD_PARAMETER_VALUE_SIZE (5 * SHEPARD_DECIMAL_SIZE)

/* Checks the text and puts the value into *settings. Errors: SHEPARD_ERROR_ARGUMENT. */
enum shepard_status shepard_parameter_read(const struct shepard_parameter_key *key,
                                           struct shepard_slice text,
                                           struct shepard_parameter_settings *settings,
                                           struct shepard_error *error);

/* Writes the value so that it reads back as the same bits; false where no text does. */
bool shepard_parameter_write(const struct shepard_parameter_key *key,
                             const struct shepard_parameter_settings *settings,
                             char text[SHEPARD_PARAMETER_VALUE_SIZE]);

#endif
