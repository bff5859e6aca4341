/* SPDX-License-Identifier: MIT */
/* The kernels of each instruction set: plain C (scalar), then vectors of what a CPU has. */
#ifndef SHEPARD_KERNEL_KERNELS_H
#define SHEPARD_KERNEL_KERNELS_H

#include "kernel/batch.h"
#include "kernel/box_list.h"
#include "kernel/columns.h"
#include "kernel/ellipse.h"
#include "kernel/hits.h"
#include "kernel/kriging.h"
#include "kernel/leaf_list.h"
#include "kernel/likelihood.h"
#include "kernel/list_3d.h"
#include "kernel/place.h"
#include "kernel/sector_hits.h"
#include "kernel/sums.h"
#include "kernel/target_group.h"

/* Walks over the tree. */
struct shepard_search_kernels {
    /* The nearest hits->capacity points of (x, y) within hits->bound, sorted. The bound is the
     * caller's (shepard_hits_start), finite. start: the leaf to look into first, any valid one. */
    void (*nearest)(const struct shepard_tree *tree, double x, double y, size_t start,
                    struct shepard_hits *hits);
    /* Lists the leaves that touch an area. */
    void (*list_leaves)(const struct shepard_tree *tree, const struct shepard_area *area,
                        struct shepard_leaf_list *list);
    /* As nearest, among the leaves of a list with count > 0. */
    void (*nearest_listed)(const struct shepard_tree *tree, const struct shepard_leaf_list *list,
                           double x, double y, struct shepard_hits *hits);
    /* The nearest points, as many as wanted, of a group of targets within their limits, among the
     * copies of a list; below SHEPARD_TARGET_GROUP_POINTS are wanted. NULL: lists have no copies.
     */
    void (*nearest_group)(const struct shepard_tree *tree, const struct shepard_leaf_list *list,
                          size_t wanted, struct shepard_target_group *group);
    /* Points inside the ellipse, in the tree's order. Returns how many there are; stores the first
     * hits->capacity of them. */
    size_t (*inside)(const struct shepard_tree *tree, double x, double y,
                     const struct shepard_ellipse *ellipse, struct shepard_hits *hits);
    /* Adds the points of (x, y) within the bounds of hits, those inside its ellipse if there is
     * one, and leaves the nearest of each sector, sorted. */
    void (*sectors)(const struct shepard_tree *tree, double x, double y,
                    struct shepard_sector_hits *hits);
    /* Lists boxes that hold all points of an area round targets, the nearest to these first. */
    void (*list_boxes)(const struct shepard_tree *tree, const struct shepard_area *targets,
                       const struct shepard_area *area, struct shepard_box_list *list);
    /* As sectors, among the points of a list. */
    void (*sectors_listed)(const struct shepard_tree *tree, const struct shepard_box_list *list,
                           double x, double y, struct shepard_sector_hits *hits);
    /* bound[SHEPARD_SECTORS_MAX], aligned: squared distances within which each sector of (x, y)
     * holds hits->capacity points, those of hits, which was filled at another place; infinite where
     * these do not show it. No point is left out. */
    void (*carry_bounds)(const struct shepard_tree *tree, double x, double y,
                         const struct shepard_sector_hits *hits, double *bound);
    /* As nearest, inside and sectors, of points with three coordinates: all within bound2, a
     * squared distance, and no ellipse. */
    void (*nearest_3d)(const struct shepard_tree *tree, const struct shepard_place *place,
                       size_t start, struct shepard_hits *hits);
    size_t (*inside_3d)(const struct shepard_tree *tree, const struct shepard_place *place,
                        double bound2, struct shepard_hits *hits);
    void (*sectors_3d)(const struct shepard_tree *tree, const struct shepard_place *place,
                       struct shepard_sector_hits *hits);
    /* Lists the nodes of a level, 0 or 1, that touch an area. */
    void (*list_nodes_3d)(const struct shepard_tree *tree, const struct shepard_area_3d *area,
                          int level, struct shepard_list_3d *list);
    /* As nearest_3d and sectors_3d, among the points of a list with count > 0. */
    void (*nearest_listed_3d)(const struct shepard_tree *tree, const struct shepard_list_3d *list,
                              const struct shepard_place *place, struct shepard_hits *hits);
    void (*sectors_listed_3d)(const struct shepard_tree *tree, const struct shepard_list_3d *list,
                              const struct shepard_place *place, struct shepard_sector_hits *hits);
};

/* Weights and sums. A sum is started, added to and finished. The caller chooses what is added in
 * which order; a lane's sums depend on nothing else. */
struct shepard_sum_kernels {
    /* Weights of a list of squared distances; w may be d2. */
    void (*weights)(const double *d2, size_t count, const struct shepard_decay *decay, double *w);
    void (*start_double)(const struct shepard_sum_data *data, struct shepard_sum_double *sum);
    void (*add_points_double)(const struct shepard_sum_data *data, struct shepard_sum_double *sum,
                              const struct shepard_run *run);
    void (*add_nodes_double)(const struct shepard_sum_data *data, struct shepard_sum_double *sum,
                             const struct shepard_node_list *list);
    void (*finish_double)(const struct shepard_sum_data *data, struct shepard_sum_double *sum);
    void (*start_single)(const struct shepard_sum_data *data, struct shepard_sum_single *sum);
    void (*add_points_single)(const struct shepard_sum_data *data, struct shepard_sum_single *sum,
                              const struct shepard_run *run);
    void (*add_nodes_single)(const struct shepard_sum_data *data, struct shepard_sum_single *sum,
                             const struct shepard_node_list *list);
    /* Of several sums with plane, of one order, which share what is made of a node; room: that of
     * the first. */
    void (*add_nodes_planes)(const struct shepard_sum_data *data, struct shepard_sum_single *sums,
                             size_t count, const struct shepard_node_list *list);
};

/* Moments of nodes, SHEPARD_BATCH at once. */
struct shepard_moment_kernels {
    /* Moments of the points of leaves. */
    void (*collect)(const struct shepard_batch_points *points, struct shepard_batch *batch);
    /* Adds the moments of nodes to those of their parents; overwrites *from. */
    void (*translate)(struct shepard_batch *from, const struct shepard_batch_step *step,
                      struct shepard_batch *to);
    /* Writes moments in the form of node.h. */
    void (*express)(const struct shepard_batch *batch, const struct shepard_batch_out *out);
    /* Writes reaches. */
    void (*measure)(const struct shepard_batch *batch, const struct shepard_batch_mean_radius *out);
};

/* Predictions of many columns from lists of points. */
struct shepard_column_kernels {
    /* Of the step of columns that begins with column at: means of `count` lists. */
    void (*predict)(const struct shepard_columns *columns, size_t at,
                    const struct shepard_columns_list *lists, size_t count,
                    const struct shepard_columns_model *model,
                    const struct shepard_columns_means *means);
    /* Writes number c of row i to to[c][index[i]], for each of the first `columns` of a step and
     * each of `count` rows, whose indices rise and mostly follow each other: whole cache lines then
     * go past the caches. */
    void (*turn)(const double *const *rows, const size_t *index, size_t count, double *const *to,
                 size_t columns);
    /* Ratios unit2 / (d2 + smoothing2), and log2 of them, of d2 [count] beside each of unit2
     * [SHEPARD_COLUMNS_UNITS]: a weight of half a power of 1. NULL: only means of weights that are
     * given are predicted. */
    void (*ratios)(const double *d2, size_t count, double smoothing2, const double *unit2,
                   double *ratio, double *logarithm);
};

/* Likelihoods of Gaussian fields. */
struct shepard_likelihood_kernels {
    /* covariates: NULL for none. */
    void (*condition)(const struct shepard_covariance_shape *shape,
                      const struct shepard_conditioning *points,
                      const struct shepard_condition_covariates *covariates,
                      struct shepard_conditionals *to);
};

/* Systems of kriging. */
struct shepard_kriging_kernels {
    /* Solves a batch. NULL: there is none, and systems are solved one by one. */
    void (*solve)(const struct shepard_variogram *variogram, struct shepard_kriging_batch *batch);
    /* Predicts by a system of all points. NULL where solve is. */
    void (*predict)(const struct shepard_variogram *variogram,
                    const struct shepard_kriging_surface *surface,
                    struct shepard_kriging_targets *targets, bool with_variances);
};

struct shepard_kernels {
    const char *isa;
    const struct shepard_search_kernels *search;
    const struct shepard_sum_kernels *sum;
    const struct shepard_moment_kernels *moments;
    const struct shepard_column_kernels *columns;
    const struct shepard_likelihood_kernels *likelihood;
    const struct shepard_kriging_kernels *kriging;
};

/* The instruction sets that this build has kernels for, by rising speed: name, and whether this CPU
 * runs it. A CPU that runs one runs those before it. */
#if defined(__x86_64__)
#define SHEPARD_ISA_LIST(ISA)                                                                      \
    ISA(scalar, true)                                                                              \
    ISA(portable, true)                                                                            \
    ISA(avx2, __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))                     \
    ISA(avx512, __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&         \
                    __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
#else
#define SHEPARD_ISA_LIST(ISA)                                                                      \
    ISA(scalar, true)                                                                              \
    ISA(portable, true)
#endif

#define SHEPARD_ISA_KERNELS(isa, runs)                                                             \
    extern const struct shepard_search_kernels shepard_search_##isa;                               \
    extern const struct shepard_sum_kernels shepard_sum_##isa;                                     \
    extern const struct shepard_moment_kernels shepard_moments_##isa;                              \
    extern const struct shepard_column_kernels shepard_columns_##isa;                              \
    extern const struct shepard_likelihood_kernels shepard_likelihood_##isa;                       \
    extern const struct shepard_kriging_kernels shepard_kriging_##isa;
SHEPARD_ISA_LIST(SHEPARD_ISA_KERNELS)
#undef SHEPARD_ISA_KERNELS

/* Whether the environment variable SHEPARD_ISA is unset, empty or names a set of this build. */
bool shepard_kernels_limit_known(void);

/* The kernels for this CPU, at most the set that SHEPARD_ISA names. */
const struct shepard_kernels *shepard_kernels_choose(void);

/* Number i of the sets that are compiled in and run on this CPU, scalar first; NULL past the end.
 */
const struct shepard_kernels *shepard_kernels_at(size_t i);

#endif
