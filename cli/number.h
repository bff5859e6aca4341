/* SPDX-License-Identifier: MIT */
/** Numbers from text, the same in every locale: decimal point, no grouping, no trailing text. */
#ifndef SHEPARD_CLI_NUMBER_H
#define SHEPARD_CLI_NUMBER_H

#include <stdbool.h>

/** Reads a finite decimal number that fills the whole text. */
bool shepard_number(const char *text, double *value);

/** The same, but "nan" is allowed too. */
bool shepard_number_or_nan(const char *text, double *value);

/** Shortest text that reads back as the value; returns the buffer. */
const char *shepard_number_text(double value, char buffer[32]);

#endif
