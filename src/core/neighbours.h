/* SPDX-License-Identifier: MIT */
/* The data points that a prediction uses, found by the rules of struct shepard_search. */
#ifndef SHEPARD_CORE_NEIGHBOURS_H
#define SHEPARD_CORE_NEIGHBOURS_H

#include "core/rules.h"
#include "core/schedule.h"
#include "kernel/kernels.h"

/* Targets per run: next to each other, SHEPARD_RUN at most. */
#define SHEPARD_RUN 64

/* Late groups whose distances bound those of the next. */
#define SHEPARD_LATE 4

struct shepard_late_group {
    double x[SHEPARD_TARGET_GROUP], y[SHEPARD_TARGET_GROUP];
    double reach[SHEPARD_TARGET_GROUP]; /* distance of the last hit; infinite: not known */
};

/* A run whose targets are searched for by groups. */
struct shepard_grouped_run {
    size_t count;    /* targets; 0: each for itself */
    size_t next;     /* target that is looked for next */
    size_t first;    /* target that the group begins with */
    size_t searched; /* targets up to here had their group */
    double x[SHEPARD_RUN], y[SHEPARD_RUN];
    double sure2[SHEPARD_TARGET_GROUP]; /* squared distance within which a target of the group has
                                         * as many points as are wanted, or all that it may find */
    struct shepard_target_group group;
    size_t late; /* place of the oldest below */
    struct shepard_late_group groups_before[SHEPARD_LATE];
};

/* Scratch of one thread and the neighbours of the last target. */
struct shepard_neighbours {
    const struct shepard_tree *tree;
    const struct shepard_search_kernels *kernels;
    const struct shepard_search *search;
    const struct shepard_allocator *allocator;
    struct shepard_hits hits; /* the result */
    struct shepard_hits
        sectors[SHEPARD_SECTORS_MAX];  /* where sectors or an ellipse and a limit meet */
    struct shepard_sector_hits offers; /* scratch of their search */
    size_t few;                        /* how many hits of each sector are looked for first */
    double spread; /* relative standard deviation of that hit's squared distance */
    double expected2[SHEPARD_SECTORS_MAX]; /* squared distance of a sector's hit number `few`, mean
                                            * of late targets; DBL_MAX: not known */
    double nearest2; /* squared distance of the nearest in hits; infinite without hits */
    size_t start;    /* leaf of the last target's nearest point */
    struct shepard_left_out left_out; /* points to leave out; may be set before each search, but for
                                       * those that are hidden */
    struct shepard_sight sight;       /* of the target, where there are barriers */
    uint32_t last_left_out;           /* how many were of the last target */
    double x, y;                      /* last target */
    /* Where places have three coordinates: */
    double z;                                /* of the target, set before each search */
    double last_z;                           /* of the last target */
    struct shepard_place place;              /* the target */
    double reach2;                           /* squared distance of its last hit; < 0: none */
    struct shepard_leaf_list list;           /* leaves round the run of targets at hand */
    struct shepard_grouped_run run;          /* the same, where these leaves hold few points */
    struct shepard_box_list boxes;           /* the same by sector */
    struct shepard_list_3d list_3d;          /* either, with three coordinates */
    int list_level;                          /* the level that it begins with */
    double list_reach2[SHEPARD_SECTORS_MAX]; /* all points within it (squared) in that sector of
                                              * each of the run are listed; < 0: none */
};

/* Gives hits new arrays; the points it held are lost. False: out of memory. */
bool shepard_hits_reserve(struct shepard_hits *hits, size_t capacity, size_t room,
                          const struct shepard_allocator *allocator);

/* Prepares scratch for a search that is not for all points. On failure nothing is held. */
enum shepard_status shepard_neighbours_create(struct shepard_neighbours *neighbours,
                                              const struct shepard_tree *tree,
                                              const struct shepard_search_kernels *kernels,
                                              const struct shepard_search *search,
                                              const struct shepard_allocator *allocator);

void shepard_neighbours_free(struct shepard_neighbours *neighbours);

/* Prepares for the run of targets that begins with target i of a block, where one does: nearest
 * points are then found faster. May be left out. */
void shepard_neighbours_prepare_block(struct shepard_neighbours *neighbours,
                                      const struct shepard_target_block *block, size_t i);

/* Finds the neighbours of (x, y), frame units; on a sphere their squared distances are then those
 * of arcs. *enough: min_points and min_points_per_sector are met. The result does not depend on
 * earlier targets. */
enum shepard_status shepard_neighbours_find(struct shepard_neighbours *neighbours, double x,
                                            double y, bool *enough);

/* A search that finds nearly always enough points for a column that has values at this share of
 * them, as search would find them among these; below 1. The least numbers of points are left out.
 */
struct shepard_search shepard_search_widened(const struct shepard_search *search, double share);

/* Whether a search finds its points in an order that goes by nothing but ranks or distances: the
 * points of a column are then a part of its list. */
bool shepard_search_is_plain(const struct shepard_search *search);

/* Whether a search ends after the nearest points; else it finds all that it may. */
bool shepard_search_is_nearest(const struct shepard_search *search);

/* Whether what it finds begins with the k nearest of all points, where it may find as many. */
bool shepard_search_begins_near(const struct shepard_search *search, size_t k);

/* Whether hits of a search over all points are all that it may find. */
static inline bool shepard_hits_complete(const struct shepard_hits *hits,
                                         const struct shepard_tree *tree)
{
    return hits->count < hits->capacity || hits->count == tree->count;
}

/* The neighbours of (x, y) among the points that a column has values at, out of what a widened
 * search has found there; no two points are at one place. False if that search was not wide enough.
 * *status: out of memory or not. */
bool shepard_neighbours_pick(struct shepard_neighbours *neighbours,
                             const struct shepard_neighbours *wide,
                             const struct shepard_columns *columns, size_t column, double x,
                             double y, bool *enough, enum shepard_status *status);

#endif
