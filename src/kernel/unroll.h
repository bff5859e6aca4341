/* SPDX-License-Identifier: MIT */
/* Compiler hints for loops over the coefficients of an expansion. */
#ifndef SHEPARD_KERNEL_UNROLL_H
#define SHEPARD_KERNEL_UNROLL_H

/* Unrolls a loop of constant length. Not with sanitizers, nor with clang for AVX-512: both take
 * minutes to compile it, and clang unrolls where it pays. */
#if defined(__clang__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SHEPARD_UNROLL
#else
#define SHEPARD_UNROLL _Pragma("GCC unroll 16")
#endif

/* Makes GCC read the numbers at a pointer where they are used. Otherwise it hoists some hundred
 * broadcasts of moments out of a loop over targets and spills them. */
#define SHEPARD_REREAD(pointer) __asm__("" : "+r"(pointer))

#endif
