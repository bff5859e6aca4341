/* SPDX-License-Identifier: MIT */
/* Locally essential trees of the cpu backend: arrays of all points, of which a process fills those
 * that its targets need. What is not there is behind boxes that are empty, or below nodes of the
 * far field that no walk opens. */
#ifndef SHEPARD_BACKEND_CPU_ESSENTIAL_H
#define SHEPARD_BACKEND_CPU_ESSENTIAL_H

#include "backend/backend.h"

extern const struct shepard_essential_steps shepard_cpu_essential;

#endif
