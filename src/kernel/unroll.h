/* SPDX-License-Identifier: MIT */
/* What compilers are told about loops over the numbers of an expansion. */
#ifndef SHEPARD_KERNEL_UNROLL_H
#define SHEPARD_KERNEL_UNROLL_H

/* A loop of constant length is to be unrolled. Sanitizers need no speed and take minutes to compile
 * what is; so does clang for AVX-512, and unrolls what pays by itself. */
#if defined(__clang__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SHEPARD_UNROLL
#else
#define SHEPARD_UNROLL _Pragma("GCC unroll 16")
#endif

/* Numbers at a pointer are to be read where they are used. GCC else reads what a loop over targets
 * does not change before it: some hundred broadcasts of moments, which it then spills. */
#define SHEPARD_REREAD(pointer) __asm__("" : "+r"(pointer))

#endif
