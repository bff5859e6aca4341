/* SPDX-License-Identifier: MIT */
/**
 * Sums over all points by several processes, each of which has a part of them: a locally essential
 * tree has the points that the targets of one process need, and of all others what they sum to. A
 * prediction from it has the bits of one from all points.
 *
 * The caller brings points and sums from one process to the other, by MPI or otherwise:
 * 1. Points are put along the library's curve: shepard_essential_keys tells which come first,
 *    shepard_essential_order sorts a stretch of the curve. SHEPARD_SUBTREE_POINTS of them in a row
 *    are a subtree, SHEPARD_BRANCH_SUBTREES of these a branch; the last ones may have fewer. Each
 *    process gets whole branches.
 * 2. Each calls shepard_essential_create for its targets, and shepard_essential_add with its own
 *    subtrees, which gives a summary of each. shepard_essential_join makes summaries of branches.
 * 3. All get the summaries of all branches. shepard_essential_open says which of them a process has
 *    to know better: it gets the summaries of their subtrees.
 * 4. shepard_essential_need says which of these subtrees the process needs: those of others are
 *    brought and added.
 * 5. shepard_essential_finish gives a field that predicts at the targets.
 *
 * For IDW and AIDW over all points within an eps, degree 0, in the plane without anisotropy, on the
 * CPU. Memory: 90 to 120 bytes a point that is there, addresses for all of them, and 1.5 KB (eps
 * 1e-4) to 10 KB a subtree. Source of the criterion: docs/math/far-field.md, "Locally essential
 * trees".
 */
#ifndef SHEPARD_SHEPARD_ESSENTIAL_H
#define SHEPARD_SHEPARD_ESSENTIAL_H

#include "shepard/shepard.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Points of a subtree, subtrees of a branch, and points of it. */
#define SHEPARD_SUBTREE_POINTS 2048
#define SHEPARD_BRANCH_SUBTREES 8
#define SHEPARD_BRANCH_POINTS (SHEPARD_SUBTREE_POINTS * SHEPARD_BRANCH_SUBTREES)

/** Where places lie along the curve through the box of a whole, all else of which is unused: keys
 * [coordinates->count]. Of all points, those of a lower key come first; all points of one key have
 * to be sorted together. Scratch: 16 bytes a point. */
SHEPARD_API enum shepard_status
shepard_essential_keys(const struct shepard_whole *whole,
                       const struct shepard_coordinates *coordinates, uint32_t *keys,
                       struct shepard_error *error);

/** Sorts the points of some keys: order [coordinates->count], order[i] is the number of the point
 * that comes i-th. Points at one place stay in their order. threads as in shepard_points_options.
 * Scratch: 32 bytes a point. */
SHEPARD_API enum shepard_status
shepard_essential_order(const struct shepard_whole *whole,
                        const struct shepard_coordinates *coordinates, int threads, uint32_t *order,
                        struct shepard_error *error);

/** What one process predicts, from what. */
struct shepard_essential_options {
    size_t size;                                 /**< sizeof(struct shepard_essential_options) */
    const struct shepard_points_options *points; /**< its part_of is set; metric, barriers and
                                                      anisotropy are the defaults */
    bool weighted;                               /**< points have weights of their own */
    double weight_min;                           /**< the least of all weights, > 0 */
    const struct shepard_parameters *parameters; /**< of all predictions */
    struct shepard_raster raster;                /**< the targets are cells of this raster */
    const struct shepard_window *windows;        /**< [window_count] in these windows of it */
    size_t window_count;
};

struct shepard_essential;

/** Begins a tree that has no point yet. Refused where the whole has one branch only. */
SHEPARD_API enum shepard_status
shepard_essential_create(const struct shepard_essential_options *options,
                         struct shepard_essential **essential, struct shepard_error *error);

/** Numbers of a summary: 190 for one column at eps 1e-4, up to some 1200. The same for all
 * processes, subtrees and branches. */
SHEPARD_API size_t shepard_essential_numbers(const struct shepard_essential *essential);

/** Points of whole subtrees, one subtree's behind another's, sorted as above. */
struct shepard_subtrees {
    size_t size;            /**< sizeof(struct shepard_subtrees) */
    const size_t *subtrees; /**< [count] their numbers, rising */
    size_t count;
    const struct shepard_coordinates *coordinates; /**< all finite, in the box of the whole */
    const struct shepard_values *values; /**< all finite, weights above 0; of the whole's columns */
};

/** Adds points. summaries: [count, shepard_essential_numbers] in the order of the subtrees; NULL:
 * they are not wanted. Cost: some 0.1 s a million points on two cores. */
SHEPARD_API enum shepard_status shepard_essential_add(struct shepard_essential *essential,
                                                      const struct shepard_subtrees *subtrees,
                                                      double *summaries,
                                                      struct shepard_error *error);

/** Branches, by rising number. Summaries of their subtrees stand branch by branch. */
struct shepard_branches {
    size_t size;            /**< sizeof(struct shepard_branches) */
    const size_t *branches; /**< [count] their numbers */
    size_t count;
};

/** Joins subtrees, all of which have been added: of_subtrees [subtrees of these branches,
 * shepard_essential_numbers] become summaries [count, shepard_essential_numbers]. */
SHEPARD_API enum shepard_status shepard_essential_join(struct shepard_essential *essential,
                                                       const struct shepard_branches *branches,
                                                       const double *of_subtrees, double *summaries,
                                                       struct shepard_error *error);

/** Takes the summaries of all branches, [branches of the whole, shepard_essential_numbers], once:
 * opened [branches of the whole] becomes 1 for those of which this process needs summaries of
 * subtrees, its own among them, else 0. */
SHEPARD_API enum shepard_status shepard_essential_open(struct shepard_essential *essential,
                                                       const double *summaries,
                                                       unsigned char *opened,
                                                       struct shepard_error *error);

/** Takes these, once: opened are all that shepard_essential_open says, of_subtrees [their subtrees,
 * shepard_essential_numbers]; needed [their subtrees] becomes 1 for those whose points this process
 * needs, else 0. */
SHEPARD_API enum shepard_status shepard_essential_need(struct shepard_essential *essential,
                                                       const struct shepard_branches *opened,
                                                       const double *of_subtrees,
                                                       unsigned char *needed,
                                                       struct shepard_error *error);

/** The field, which lives as long as the tree, when all that is needed has been added. It predicts
 * by the parameters and in the windows of the options; of outputs it gives values, count, power and
 * the nearest distance. */
SHEPARD_API enum shepard_status shepard_essential_finish(struct shepard_essential *essential,
                                                         struct shepard_field **field,
                                                         struct shepard_error *error);

/** NULL is allowed. */
SHEPARD_API void shepard_essential_free(struct shepard_essential *essential);

#ifdef __cplusplus
}
#endif

#endif
