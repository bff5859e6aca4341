/* SPDX-License-Identifier: MIT */
/* Whether this build has code for a device. Architectures are counted as in __CUDA_ARCH_LIST__:
 * 100 major + 10 minor. */
#ifndef SHEPARD_CUDA_ARCHITECTURE_H
#define SHEPARD_CUDA_ARCHITECTURE_H

#include <stddef.h>

enum shepard_device_code {
    SHEPARD_CODE_NONE,   /* every architecture of the build is newer than the device */
    SHEPARD_CODE_BINARY, /* one has its major version and is not newer */
    SHEPARD_CODE_PTX     /* only earlier major versions: PTX is needed, if the build has it */
};

enum shepard_device_code shepard_device_code_of(const int *built, size_t count, int device);

/* Room for the text of shepard_architecture_reason. */
#define SHEPARD_ARCHITECTURE_REASON_SIZE 256

/* Writes why device number `number` cannot be used, and how to build for it. */
void shepard_architecture_reason(char text[SHEPARD_ARCHITECTURE_REASON_SIZE], int number,
                                 const int *built, size_t count, int device);

/* The number of devices from 0 on that this build has code for; of a device after them *reason
 * (static) says why not. devices: those that the driver has. Looked for once. */
int shepard_devices_with_code(int devices, const char **reason);

#endif
