/* SPDX-License-Identifier: MIT */
/* What instruction sets this CPU and its operating system run. */
#ifndef SHEPARD_BASE_ISA_H
#define SHEPARD_BASE_ISA_H

#include <stdbool.h>

bool shepard_isa_any(void);    /* true: what the compiler's target has */
bool shepard_isa_avx2(void);   /* and FMA */
bool shepard_isa_avx512(void); /* F, DQ, BW, VL */

#endif
