/* SPDX-License-Identifier: MIT */
/* Neighbouring targets whose nearest points are found together: a lane each. */
#ifndef SHEPARD_KERNEL_TARGET_GROUP_H
#define SHEPARD_KERNEL_TARGET_GROUP_H

#include <stddef.h>
#include <stdint.h>

#define SHEPARD_TARGET_GROUP 8         /* targets; a multiple of the doubles of any vector */
#define SHEPARD_TARGET_GROUP_POINTS 64 /* that are looked at, at most */
#define SHEPARD_TARGET_GROUP_ROW (SHEPARD_TARGET_GROUP_POINTS + SHEPARD_TARGET_GROUP)
#define SHEPARD_TARGET_GROUP_UNKNOWN SIZE_MAX

struct shepard_target_group {
    _Alignas(64) double x[SHEPARD_TARGET_GROUP];
    _Alignas(64) double y[SHEPARD_TARGET_GROUP];
    /* Squared distance up to which points are found. */
    _Alignas(64) double limit2[SHEPARD_TARGET_GROUP];
    /* Found; SHEPARD_TARGET_GROUP_UNKNOWN: too many to look at. */
    size_t count[SHEPARD_TARGET_GROUP];
    /* Those of each target, sorted, and then others. */
    _Alignas(64) double d2[SHEPARD_TARGET_GROUP][SHEPARD_TARGET_GROUP_ROW];
    uint32_t rank[SHEPARD_TARGET_GROUP][SHEPARD_TARGET_GROUP_ROW];
};

#endif
