/* SPDX-License-Identifier: MIT */
/* Numbers from text and as text, the same in every locale: decimal point, no grouping. */
#ifndef SHEPARD_BASE_DECIMAL_H
#define SHEPARD_BASE_DECIMAL_H

#include "base/slice.h"

#define SHEPARD_DECIMAL_SIZE 32

/* Reads a finite decimal number that fills the whole text; the nearest double. */
bool shepard_decimal_read(struct shepard_slice text, double *value);

/* The shortest digits that read back as the same bits; "nan", "inf" or "-inf" for others. */
void shepard_decimal_write(double value, char text[SHEPARD_DECIMAL_SIZE]);

#endif
