/* SPDX-License-Identifier: MIT */
/* The usable coordinates of a data set, in frame units. */
#ifndef SHEPARD_CORE_GEOMETRY_H
#define SHEPARD_CORE_GEOMETRY_H

#include "core/frame.h"
#include "core/targets.h"
#include "kernel/sight.h"

struct shepard_geometry {
    size_t count;    /* n >= 1 */
    double *x, *y;   /* [n], room up to shepard_geometry_room(n) */
    double *z;       /* the same; NULL where places have two coordinates */
    uint32_t *index; /* [n], into the caller's arrays */
    bool as_given;   /* index[i] is i */
    size_t skipped;
    struct shepard_box box; /* user units, not stretched; of a subset, that of all */
    double area;            /* of shepard_geometry_area, where places have three coordinates */
    struct shepard_frame frame;
    struct shepard_whole
        whole; /* the data of which the points are a part; points 0: they are all */
    const struct shepard_barrier_tree *barriers; /* points behind them are not used; NULL: none */
    int threads;                                 /* of a call, >= 1 */
    const struct shepard_allocator *allocator;
};

/* Length of the coordinate arrays of n points: whole vectors and groups may be read past n. */
size_t shepard_geometry_room(size_t n);

/* Checked coordinates have resolved strides. */

/* Whether point i is in use: its coordinates are finite. */
bool shepard_geometry_usable(const struct shepard_coordinates *coordinates, size_t i);

/* Copies the usable coordinates, which have been checked, into *geometry, spread over its threads.
 * threads, frame.space, whole and allocator are set beforehand. On failure *geometry holds nothing.
 */
enum shepard_status shepard_geometry_create(const struct shepard_coordinates *coordinates,
                                            const struct shepard_stretch *stretch,
                                            struct shepard_geometry *geometry,
                                            struct shepard_error *error);

/* The box of all places of a whole. */
struct shepard_box shepard_geometry_places(const struct shepard_whole *whole);

/* Room for all points of the whole, in the frame of its places, of which none is there yet:
 * isotropic, in the plane. On failure *geometry holds nothing. */
enum shepard_status shepard_geometry_begin(struct shepard_geometry *geometry,
                                           struct shepard_error *error);

/* Puts count of the caller's points, from number `from` on, at first; all are usable. */
void shepard_geometry_put(struct shepard_geometry *geometry,
                          const struct shepard_coordinates *coordinates, size_t from, size_t first,
                          size_t count);

/* The points of `all` whose keep[index] is true, at least one, in the same order and frame, whose
 * box becomes theirs. On failure *geometry holds nothing. */
enum shepard_status shepard_geometry_subset(const struct shepard_geometry *all, const bool *keep,
                                            struct shepard_geometry *geometry,
                                            struct shepard_error *error);

/* The error for data without a usable point. */
enum shepard_status shepard_geometry_fail_empty(size_t count, struct shepard_error *error);

void shepard_geometry_free(struct shepard_geometry *geometry);

/* Puts the points in the order given: point i becomes the old point order[i]. Takes the block
 * `order`, whose room becomes that of the indices, or frees it on failure. */
enum shepard_status shepard_geometry_permute(struct shepard_geometry *geometry, uint32_t *order,
                                             struct shepard_error *error);

/* The order of places: by x, then y, then z where there is one. */
int shepard_geometry_compare(const struct shepard_geometry *geometry, size_t a, size_t b);

/* The order of points at equal distances: by place, then index. True where a comes before b. */
bool shepard_geometry_before(const struct shepard_geometry *geometry, size_t a, size_t b);

/* The distances, user units, of target i from points at the squared distances d2 [count], frame
 * units, none farther than the last. For targets so far away that frame units clamp them, the
 * distance of the data's box, which is equal there. No data point is so far away. */
void shepard_geometry_distances(const struct shepard_geometry *geometry,
                                const struct shepard_targets_view *targets, size_t i,
                                const double *d2, size_t count, double *distances);

/* The area of the box in the plane of the user, user units squared: with anisotropy that of the box
 * with sides along and across its angle; on a sphere that of Eq. 100; in space the volume. */
double shepard_geometry_area(const struct shepard_geometry *geometry);

/* How many points there are with those of the whole. */
static inline size_t shepard_geometry_population(const struct shepard_geometry *geometry)
{
    return geometry->whole.points > 0 ? geometry->whole.points : geometry->count;
}

size_t shepard_geometry_bytes(const struct shepard_geometry *geometry);

#endif
