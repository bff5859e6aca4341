/* SPDX-License-Identifier: MIT */
/** Points in well-known binary. */
#ifndef SHEPARD_IO_WKB_H
#define SHEPARD_IO_WKB_H

#include <stdbool.h>
#include <stddef.h>

/** A vertex. */
struct shepard_vertex {
    double x, y, z; /* z is NaN if missing */
};

/**
 * Reads one point: ISO (Z, M, ZM), 25D and PostGIS type codes, either byte order. An empty point
 * has NaN coordinates. False: another kind of geometry, or bytes missing.
 */
bool shepard_wkb_point(const unsigned char *wkb, size_t length, struct shepard_vertex *vertex);

#endif
