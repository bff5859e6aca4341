/* SPDX-License-Identifier: MIT */
/* The parameters of a prediction, resolved against its points, as backends use them. Lengths in
 * frame units. */
#ifndef SHEPARD_CORE_RULES_H
#define SHEPARD_CORE_RULES_H

#include "core/adapt.h"
#include "core/geometry.h"
#include "core/kriging.h"
#include "kernel/ellipse.h"

/* Which points a prediction uses; see struct shepard_neighbourhood. */
struct shepard_search {
    bool all;          /* all points; of what follows only min_points applies. Where places have
                          three coordinates a search lists them instead */
    size_t max_points; /* SIZE_MAX: no limit */
    size_t min_points;
    bool bounded; /* the ellipse below applies */
    struct shepard_ellipse ellipse;
    int sectors;                  /* 1, 4 or 8 */
    size_t max_points_per_sector; /* SIZE_MAX: no limit */
    size_t min_points_per_sector;
    const struct shepard_barrier_tree *barriers; /* points behind them are not used; NULL: none */
    const struct shepard_frame
        *frame_3d; /* of places with three coordinates; NULL: they have two. On a
                  sphere the radius of the circle is that of its chord */
};

/* Whether all points are used: summed, or where places have three coordinates, listed. */
static inline bool shepard_search_uses_all(const struct shepard_search *search)
{
    return !search->bounded && search->max_points == SIZE_MAX &&
           search->max_points_per_sector == SIZE_MAX && search->min_points_per_sector == 0;
}

struct shepard_rules {
    enum shepard_method method;
    bool adaptive; /* power from adapt, else as given */
    double power;  /* nodata where the method has none */
    struct shepard_adapt adapt;
    double smoothing, smoothing2; /* and squared */
    int degree;                   /* 0 where the method's weights are no powers of distances */
    double ridge, damping;
    double eps; /* of sums over all points, a part of the value range; 0: exact */
    size_t
        ridge_neighbours; /* with all points: neighbours whose median distance scales the ridge */
    struct shepard_search search;
    struct shepard_kriging_rules kriging; /* where the method solves systems */
    double nodata;
    enum shepard_precision precision;
    int threads; /* >= 1 */
};

/* Resolves parameters, which have been checked, against points. */
struct shepard_rules shepard_rules_of(const struct shepard_parameters *parameters,
                                      const struct shepard_geometry *points);

/* The least and the largest power that a prediction may have. */
static inline void shepard_rules_powers(const struct shepard_rules *rules, double *least,
                                        double *most)
{
    *least = *most = rules->adaptive ? rules->adapt.alphas[0] : rules->power;
    for (int i = 1; rules->adaptive && i < 5; i++) {
        *least = fmin(*least, rules->adapt.alphas[i]);
        *most = fmax(*most, rules->adapt.alphas[i]);
    }
}

#endif
