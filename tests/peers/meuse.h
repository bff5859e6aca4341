/* SPDX-License-Identifier: MIT */
/* The Meuse data: zinc at 155 places, the height of the ground and the distance to the river. */
#ifndef SHEPARD_TESTS_MEUSE_H
#define SHEPARD_TESTS_MEUSE_H

#include <stdbool.h>
#include <stddef.h>

#define MEUSE_POINTS_MAX 1000

struct meuse {
    size_t n;
    double x[MEUSE_POINTS_MAX], y[MEUSE_POINTS_MAX], zinc[MEUSE_POINTS_MAX];
    double elev[MEUSE_POINTS_MAX], dist[MEUSE_POINTS_MAX];
};

/* False if there is no such file; another content is a failed check. */
bool meuse_read(const char *path, struct meuse *meuse);

#endif
