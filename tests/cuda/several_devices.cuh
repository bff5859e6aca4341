/* SPDX-License-Identifier: MIT */
/* At least three devices: where a machine has fewer, one stands for several. The library's calls
 * that name a device come through here (the linker's --wrap). */
#ifndef SHEPARD_TESTS_CUDA_SEVERAL_DEVICES_CUH
#define SHEPARD_TESTS_CUDA_SEVERAL_DEVICES_CUH

/* Memory that was asked for for other devices to read, bytes. */
long bytes_for_peers();

/* Refuses the one request for device memory that comes after so many others; -1: none. */
void refuse_memory(long request);

#endif
