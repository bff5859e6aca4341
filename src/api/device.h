/* SPDX-License-Identifier: MIT */
/* options.device against the devices of the machine. */
#ifndef SHEPARD_API_DEVICE_H
#define SHEPARD_API_DEVICE_H

#include "shepard/shepard.h"

/* SHEPARD_ERROR_BACKEND, naming the devices of this machine, if device is not one of them.
 * SHEPARD_OK where the machine has none at all: why that is so is the backend's to say. Calls the
 * driver. */
enum shepard_status shepard_device_check(int device, struct shepard_error *error);

#endif
