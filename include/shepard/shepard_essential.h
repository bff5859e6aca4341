/* SPDX-License-Identifier: MIT */
/**
 * Several processes predict from all points together, and each holds some of them: a locally
 * essential tree has the points that the targets of one process need, and of all others what they
 * sum to. A prediction from it has the bits of one from all points, if all processes have the same
 * version, instruction set and options.
 *
 * The caller brings numbers from one process to the other, by MPI or otherwise:
 *
 *     // All: the boxes of all points and of all places, the ranges and the number of all points
 *     // (struct shepard_whole), exactly, the same for keys, order and options.
 *     shepard_essential_keys(&whole, &own, keys, &error);
 *     // Bring points to processes by stretches of keys: all of one key to the same process.
 *     shepard_essential_order(&whole, &mine, 0, order, &error); // x[i] = mine_x[order[i]]
 *     // Each has a stretch of the order of all. Move points at the ends of stretches to the
 *     // processes next to it, so that cuts are at multiples of SHEPARD_BRANCH_POINTS.
 *     shepard_essential_create(&options, &tree, &error);
 *     shepard_essential_add(tree, &own_subtrees, of_own_subtrees, &error);
 *     shepard_essential_join(tree, &own_branches, of_own_subtrees, of_own_branches, &error);
 *     // Gather of_own_branches of all processes: of_branches.
 *     shepard_essential_open(tree, of_branches, opened, &error);
 *     // Get the summaries of the subtrees of all opened branches, own ones too: of_subtrees.
 *     shepard_essential_need(tree, &opened_branches, of_subtrees, needed, &error);
 *     // Get the points of needed subtrees of others, and add them.
 *     shepard_essential_add(tree, &subtrees_of_others, NULL, &error);
 *     shepard_essential_finish(tree, &field, &error);
 *     ... shepard_predict(field, ...) in the windows of the options ...
 *     shepard_essential_free(tree); // and with it the field
 *
 * SHEPARD_SUBTREE_POINTS points in a row are a subtree, SHEPARD_BRANCH_SUBTREES of these a branch;
 * the last ones may have fewer. A process may have no point, or no window. Fewest points are
 * brought where windows lie at a process's own points. With some 100 branches a process most of its
 * points are its own; with a few branches in all each process gets nearly all points.
 *
 * For IDW and AIDW over all points within an eps, degree 0, in the plane without anisotropy, on the
 * CPU. Memory: 90 to 125 bytes a point that is there, addresses for all of them, and 1.5 KB (eps
 * 1e-4) to 10 KB for each branch and for each subtree of an opened one. Source of the criterion:
 * docs/math/far-field.md, "Locally essential trees".
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

/** Where places lie along the curve through the box of a whole's places, of which only size and
 * boxes are used: keys [coordinates->count]. Of all points, those of a lower key come first. Keys
 * divide points among processes, and do not order them: all points of one key have to be sorted
 * together. Scratch: 16 bytes a point. */
SHEPARD_API enum shepard_status
shepard_essential_keys(const struct shepard_whole *whole,
                       const struct shepard_coordinates *coordinates, uint32_t *keys,
                       struct shepard_error *error);

/** Sorts all points of some keys: order [coordinates->count], order[i] is the number, from 0, of
 * the point that comes i-th. Points at one place stay in their order; give them in that of the
 * data, or the last bits of sums differ. threads as in shepard_points_options. Scratch: 32 bytes a
 * point. */
SHEPARD_API enum shepard_status
shepard_essential_order(const struct shepard_whole *whole,
                        const struct shepard_coordinates *coordinates, int threads, uint32_t *order,
                        struct shepard_error *error);

/** What one process predicts, from what. All is copied, but value_min and value_max of part_of. */
struct shepard_essential_options {
    size_t size;                                 /**< sizeof(struct shepard_essential_options) */
    const struct shepard_points_options *points; /**< with part_of; backend SHEPARD_BACKEND_AUTO or
                                                      _CPU; no anisotropy, no barriers */
    bool weighted;                               /**< points have weights of their own */
    double weight_min; /**< the least weight of all points, > 0; without weights unused */
    const struct shepard_parameters *parameters; /**< of all predictions */
    struct shepard_raster raster;                /**< the targets are cells of this raster, */
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

/** Points of whole subtrees, one subtree's behind another's, in the order of
 * shepard_essential_order. Branch b has the subtrees from number b * SHEPARD_BRANCH_SUBTREES on. */
struct shepard_subtrees {
    size_t size;            /**< sizeof(struct shepard_subtrees) */
    const size_t *subtrees; /**< [count] their numbers, rising */
    size_t count;
    const struct shepard_coordinates *coordinates; /**< all finite, in the points' box */
    const struct shepard_values *values; /**< all finite, weights above 0; of the whole's columns */
};

/** Adds points. summaries: [count, shepard_essential_numbers] in the order of the subtrees; NULL:
 * they are not wanted. An error where points do not stand along the curve, whose keys are looked
 * at. Cost: some 0.1 s a million points on two cores. */
SHEPARD_API enum shepard_status shepard_essential_add(struct shepard_essential *essential,
                                                      const struct shepard_subtrees *subtrees,
                                                      double *summaries,
                                                      struct shepard_error *error);

/** Branches. What is said of their subtrees stands branch by branch: the subtrees of the first
 * branch, then those of the next. */
struct shepard_branches {
    size_t size;            /**< sizeof(struct shepard_branches) */
    const size_t *branches; /**< [count] their numbers, rising */
    size_t count;
};

/** Joins own subtrees, which have been added: of_subtrees [subtrees of these branches,
 * shepard_essential_numbers] become summaries [count, shepard_essential_numbers]. */
SHEPARD_API enum shepard_status shepard_essential_join(struct shepard_essential *essential,
                                                       const struct shepard_branches *branches,
                                                       const double *of_subtrees, double *summaries,
                                                       struct shepard_error *error);

/** Takes the summaries of all branches of all processes, [branches of the whole,
 * shepard_essential_numbers], once: opened [branches of the whole] becomes 1 for those of which
 * this process needs the summaries of subtrees, else 0. */
SHEPARD_API enum shepard_status shepard_essential_open(struct shepard_essential *essential,
                                                       const double *summaries,
                                                       unsigned char *opened,
                                                       struct shepard_error *error);

/** Takes the summaries of the subtrees of all opened branches, own ones too, once: of_subtrees
 * [subtrees of these branches, shepard_essential_numbers]. needed [subtrees of these branches]
 * becomes 1 for those whose points this process needs, own ones too, else 0: those that have not
 * been added have to be. */
SHEPARD_API enum shepard_status shepard_essential_need(struct shepard_essential *essential,
                                                       const struct shepard_branches *opened,
                                                       const double *of_subtrees,
                                                       unsigned char *needed,
                                                       struct shepard_error *error);

/** The field, when all that is needed has been added; the tree owns it, and frees it: do not call
 * shepard_field_free. It predicts by the parameters of the options, at targets of the kind
 * SHEPARD_TARGETS_WINDOW within one of their windows, or SHEPARD_TARGETS_RASTER where a window is
 * all of it. Of outputs it gives values, count, power and nearest. */
SHEPARD_API enum shepard_status shepard_essential_finish(struct shepard_essential *essential,
                                                         struct shepard_field **field,
                                                         struct shepard_error *error);

/** NULL is allowed. */
SHEPARD_API void shepard_essential_free(struct shepard_essential *essential);

#ifdef __cplusplus
}
#endif

#endif
