/* SPDX-License-Identifier: MIT */
/* What planes lose where the sums that they need are in float32 (docs/math/far-field.md, Planes in
 * float32). */
#ifndef SHEPARD_CORE_PLANE_SINGLE_H
#define SHEPARD_CORE_PLANE_SINGLE_H

#include "core/fit.h"

#include <math.h>
#include <stdbool.h>

/* Errors: of each weight, relative to it; of sums over points, relative to the sum of the sizes; of
 * a node's sums about its centre, in units of its radius, relative to its weight. */
struct shepard_plane_single {
    bool used;
    double weights, points, nodes;
};

/* So many levels may be in float32 (core/plane_levels.h). */
#define SHEPARD_PLANE_SINGLE_LEVELS 2

/* Below this eps float32 is of no use. */
#define SHEPARD_PLANE_SINGLE_EPS 1e-5

/* Of sums over points: units of u. */
#define SHEPARD_PLANE_SINGLE_POINTS 42
/* The most of sums over nodes for which the square of an error is little relative to it. */
#define SHEPARD_PLANE_SINGLE_NODES 2e-5

/* Squared distances of nearest points (frame units) from which on no weight that counts vanishes in
 * float32, where the sum of all q is at most so many times the least. */
#define SHEPARD_PLANE_SINGLE_NEAR2 0x1p-40
#define SHEPARD_PLANE_SINGLE_CHARGES 0x1p40

/* Where the weights of a plane's sums are, each number over the sum of all weights: those of points
 * that are summed one by one, and times their squared distances from the target; those of nodes
 * times their squared radii. */
struct shepard_plane_shares {
    double points, points_moment, nodes_radius2;
};

/* A plane as its error sees it: the least eigenvalue of the equations, the second moment about the
 * target, the leverage and its root. */
struct shepard_plane_shape {
    double least, moment, leverage, root;
};

static inline struct shepard_plane_shape shepard_plane_shape_of(const struct shepard_spread *spread,
                                                                const struct shepard_slopes *slopes)
{
    const double trace = slopes->pivot * (1 + slopes->factor * slopes->factor) + slopes->rest;
    const double determinant = slopes->pivot * slopes->rest;
    const double difference = sqrt(fmax(trace * trace - 4 * determinant, 0));
    const double leverage = shepard_fit_leverage(spread, slopes);
    return (struct shepard_plane_shape){2 * determinant / (trace + difference),
                                        trace + spread->x * spread->x + spread->y * spread->y,
                                        leverage, sqrt(leverage)};
}

/* Root mean squares over a part of the weights, its own over all being `weight`: of the influence h
 * of a datum on the prediction, and of what is summed with it, values and the plane's, in half
 * value ranges. */
struct shepard_plane_means {
    double weight, influence, value;
};

/* Of points. moment: their part of the second moment. */
static inline struct shepard_plane_means
shepard_plane_means_of(const struct shepard_plane_shape *shape, double weight, double moment)
{
    const double near = sqrt(weight), far = sqrt(moment / shape->least);
    return (struct shepard_plane_means){weight, near * (1 + shape->leverage) + far * shape->root,
                                        near * (2 + shape->root) + far};
}

/* Of nodes, at the worst place in each. */
static inline struct shepard_plane_means
shepard_plane_node_means_of(const struct shepard_plane_shape *shape, double weight, double moment,
                            double radius2)
{
    const double off = (1 + sqrt(2)) * sqrt(radius2 / shape->least);
    struct shepard_plane_means means = shepard_plane_means_of(shape, weight, moment);
    means.influence = fmin(means.influence, sqrt(1 + shape->leverage)) + off * shape->root;
    means.value = fmin(means.value, 2 * sqrt(weight) + 1) + off;
    return means;
}

/* The error of a prediction from errors relative to a part of the weights: twice its part of the
 * value range (Eq. 36d). */
static inline double shepard_plane_part_error(const struct shepard_plane_means *of,
                                              const struct shepard_plane_shape *shape, double kept,
                                              double damping)
{
    const double h = of->influence, weight = of->weight;
    return kept * (h * of->value + weight * shape->root) + 2 * (1 - kept) * weight +
           damping * kept * kept * shape->root * (h * h + weight * (1 + 2 * shape->leverage));
}

/* The error of a prediction, a part of the value range, beyond that of the weights. spread: about
 * the target. */
static inline double shepard_plane_single_error(const struct shepard_plane_single *single,
                                                const struct shepard_plane_shares *shares,
                                                const struct shepard_spread *spread,
                                                const struct shepard_slopes *slopes, double damping)
{
    const struct shepard_plane_shape shape = shepard_plane_shape_of(spread, slopes);
    const struct shepard_plane_means points =
        shepard_plane_means_of(&shape, shares->points, shares->points_moment);
    const struct shepard_plane_means nodes = shepard_plane_node_means_of(
        &shape, fmax(1 - shares->points, 0), fmax(shape.moment - shares->points_moment, 0),
        shares->nodes_radius2);
    return 1.1 / 2 *
           (single->points * shepard_plane_part_error(&points, &shape, slopes->kept, damping) +
            single->nodes * shepard_plane_part_error(&nodes, &shape, slopes->kept, damping));
}

#endif
