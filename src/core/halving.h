/* SPDX-License-Identifier: MIT */
/* The order of points in space: halved at a plane across their longest side, and so on down to the
 * leaves of a tree (kernel/tree.h), whose nodes are then compact. */
#ifndef SHEPARD_CORE_HALVING_H
#define SHEPARD_CORE_HALVING_H

#include "core/geometry.h"
#include "kernel/tree.h"

/* Points of one leaf stand in any order: others may stand between points at one place, but no two
 * of these in a row are this far apart. */
#define SHEPARD_HALVING_RUN SHEPARD_LEAF

/* Sets order [n] to the permutation. It does not depend on the number of threads. Cost: O(n log n);
 * scratch: 32 bytes a point. */
enum shepard_status shepard_halving_order(const struct shepard_geometry *points, uint32_t *order);

#endif
