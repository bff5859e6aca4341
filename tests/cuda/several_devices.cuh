/* SPDX-License-Identifier: MIT */
/* At least three devices: where a machine has fewer, one stands for several. The library's calls
 * that name a device come through here (the linker's --wrap). */
#ifndef SHEPARD_TESTS_CUDA_SEVERAL_DEVICES_CUH
#define SHEPARD_TESTS_CUDA_SEVERAL_DEVICES_CUH

/* What has been copied from device to device, bytes. */
long bytes_between_devices();

/* Refuses the one request for device memory that comes after so many others; -1: none. */
void refuse_memory(long request);

#endif
