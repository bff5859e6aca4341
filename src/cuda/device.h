/* SPDX-License-Identifier: MIT */
/* CUDA devices, as plain C sees them. What there is to know of one is public:
 * shepard_cuda_get_info and shepard_device_get_info in shepard/shepard.h. */
#ifndef SHEPARD_CUDA_DEVICE_H
#define SHEPARD_CUDA_DEVICE_H

/* "" where device 0 can be used, else why not; static. */
const char *shepard_device_unusable(void);

#endif
