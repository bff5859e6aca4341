/* SPDX-License-Identifier: MIT */
#include "api/device.h"

#include "base/error.h"

#include <stdio.h>

/* Room for the names of eight devices, which fits into a message. */
#define LIST_ROOM 256

/* "0 (NVIDIA H200), 1 (NVIDIA H200)", with "..." for what has no room. */
static void list_devices(size_t count, char list[LIST_ROOM])
{
    struct shepard_device_info info;
    size_t length = 0;
    list[0] = '\0';
    for (size_t i = 0; i < count && shepard_device_get_info(i, &info); i++) {
        char item[LIST_ROOM];
        const int added =
            snprintf(item, sizeof item, "%s%zu (%.60s)", i > 0 ? ", " : "", i, info.name);
        const bool fits = length + (size_t)added + sizeof ", ..." <= LIST_ROOM;
        snprintf(list + length, LIST_ROOM - length, "%s", fits ? item : ", ...");
        if (!fits)
            return;
        length += (size_t)added;
    }
}

enum shepard_status shepard_device_check(int device, struct shepard_error *error)
{
    struct shepard_cuda_info cuda;
    char list[LIST_ROOM];
    shepard_cuda_get_info(&cuda);
    if (cuda.devices == 0 || device == SHEPARD_DEVICE_ALL || (size_t)device < cuda.devices)
        return SHEPARD_OK;
    list_devices(cuda.devices, list);
    const bool one = cuda.devices == 1;
    return shepard_error_set(error, SHEPARD_ERROR_BACKEND, "options.device",
                             "options.device is %d: there %s %zu device%s here, %s; use %s, or "
                             "SHEPARD_DEVICE_ALL",
                             device, one ? "is" : "are", cuda.devices, one ? "" : "s", list,
                             one ? "that" : "one of them");
}
