/* SPDX-License-Identifier: MIT */
/* Asks for a loop of constant length to be unrolled. Sanitizers need no speed and take minutes to
 * compile what is; so does clang for AVX-512, and unrolls what pays by itself. */
#ifndef SHEPARD_KERNEL_UNROLL_H
#define SHEPARD_KERNEL_UNROLL_H

#if defined(__clang__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SHEPARD_UNROLL
#else
#define SHEPARD_UNROLL _Pragma("GCC unroll 16")
#endif

#endif
