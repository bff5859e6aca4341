/* SPDX-License-Identifier: MIT */
/* Functions of headers that C and CUDA share. They have internal linkage, so a header may be
 * included inside extern "C" as well as outside. */
#ifndef SHEPARD_BASE_HOST_DEVICE_H
#define SHEPARD_BASE_HOST_DEVICE_H

#ifdef __CUDACC__
#define SHEPARD_HOST_DEVICE static inline __host__ __device__
#else
#define SHEPARD_HOST_DEVICE static inline
#endif

#endif
