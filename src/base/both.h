/* SPDX-License-Identifier: MIT */
/* Functions of headers that C and CUDA share as one text. They have internal linkage, so a header
 * may be included inside extern "C" as well as outside. */
#ifndef SHEPARD_BASE_BOTH_H
#define SHEPARD_BASE_BOTH_H

#ifdef __CUDACC__
#define SHEPARD_BOTH static inline __host__ __device__
#else
#define SHEPARD_BOTH static inline
#endif

#endif
