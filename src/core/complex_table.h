/* SPDX-License-Identifier: MIT */
/* Coefficients that make complex moments, as kernel/node.h has them, of real ones. */
#ifndef SHEPARD_CORE_COMPLEX_TABLE_H
#define SHEPARD_CORE_COMPLEX_TABLE_H

/* For each degree l = 0 to degree l + 1 rows, one for each number of a node's moments: the
 * coefficients of x^(l - b) y^b for b = 0, 2, ... where it is a real part, for b = 1, 3, ... where
 * it is an imaginary one; other coefficients are 0. Exact. */
void shepard_complex_table(int degree, double *table);

#endif
