/* SPDX-License-Identifier: MIT */
/** Numbers as text, the same as OGR writes into CSV, without printf. */
#ifndef SHEPARD_IO_OGR_NUMBER_H
#define SHEPARD_IO_OGR_NUMBER_H

#include <stddef.h>
#include <stdint.h>

/** Room that a number or a pair of coordinates needs. */
enum { SHEPARD_OGR_NUMBER_MAX = 80 };

/** Writes a whole number, without a terminator, and returns its length. */
size_t shepard_ogr_number_integer(int64_t value, char *text);

/** Writes a real number as printf's "%.15g", and returns its length. */
size_t shepard_ogr_number_real(double value, char *text);

/** Writes x, a separator and y as OGR's well-known text has them, and returns the length: both as
 * whole numbers where both are, else with a decimal point. Exponents keep the zero at their end,
 * which OGR 3.6 drops (1.5E+2 for 1.5E+20). */
size_t shepard_ogr_number_pair(double x, double y, char separator, char *text);

/** Writes the third coordinate, and returns its length. */
size_t shepard_ogr_number_z(double z, char *text);

#endif
