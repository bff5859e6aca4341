/* SPDX-License-Identifier: MIT */
#include "cuda/architecture.h"

#include <stdio.h>

enum shepard_device_code shepard_device_code_of(const int *built, size_t count, int device)
{
    enum shepard_device_code code = SHEPARD_CODE_NONE;
    for (size_t i = 0; i < count; i++) {
        if (built[i] / 100 == device / 100 && built[i] <= device)
            return SHEPARD_CODE_BINARY;
        if (built[i] < device)
            code = SHEPARD_CODE_PTX;
    }
    return code;
}

void shepard_architecture_reason(char text[SHEPARD_ARCHITECTURE_REASON_SIZE], int number,
                                 const int *built, size_t count, int device)
{
    char list[96] = "";
    int length = 0;
    for (size_t i = 0; i < count && length < (int)sizeof list - 8; i++)
        length += snprintf(list + length, sizeof list - (size_t)length, "%s%d.%d",
                           i == 0 ? "" : ", ", built[i] / 100, built[i] / 10 % 10);
    snprintf(text, SHEPARD_ARCHITECTURE_REASON_SIZE,
             "device %d has compute capability %d.%d, this build has code for %s: build with "
             "-DCMAKE_CUDA_ARCHITECTURES=%d",
             number, device / 100, device / 10 % 10, list, device / 10);
}
