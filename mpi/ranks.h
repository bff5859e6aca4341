/* SPDX-License-Identifier: MIT */
/**
 * Processes that do one job together, as a launcher such as mpirun started them. What all of them
 * have to call at the same time is said to be of all ranks.
 */
#ifndef SHEPARD_MPI_RANKS_H
#define SHEPARD_MPI_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** How many processes the launcher says that it started; 1: without one. */
int shepard_ranks_started(void);

/** Begins, where the launcher started several. False: this build has no MPI. */
bool shepard_ranks_begin(void);

/** Of all ranks; nothing where shepard_ranks_begin began nothing. */
void shepard_ranks_end(void);

/** Number of this process, from 0, and of all of them. */
int shepard_rank(void);
int shepard_rank_count(void);

/** Number of this process among those of its machine, from 0. */
int shepard_rank_on_machine(void);

/** Of all ranks: the first for which this holds; shepard_rank_count() where it holds for none. */
int shepard_ranks_first(bool holds);

/** Of all ranks: sums, least and largest of each number, in its place. */
void shepard_ranks_sum(uint64_t *numbers, size_t count);
void shepard_ranks_least(double *numbers, size_t count);
void shepard_ranks_most(double *numbers, size_t count);

/** Of all ranks: gives all the text of rank 0. */
void shepard_ranks_tell(char *text, size_t size);

/** Items of size bytes, one rank's behind another's. What is received into starts from {0}, or from
 * items that are malloc'ed memory, which is used again: new memory costs as much as filling it. */
struct shepard_rank_items {
    size_t size;
    void *items;
    size_t *counts; /**< [ranks] */
    size_t count;   /**< of all */
};

/** Frees items and counts. */
void shepard_rank_items_free(struct shepard_rank_items *items);

/** What one process gathers from itself; false when out of memory. */
bool shepard_rank_items_copy(const void *mine, size_t count, size_t size,
                             struct shepard_rank_items *all);

/** Of all ranks: gives each the items of all. False on all ranks where one is out of memory, or
 * has more than 2^31 - 1 of them. */
bool shepard_ranks_gather(const void *mine, size_t count, size_t size,
                          struct shepard_rank_items *all);

/** Of all ranks: sends each rank those that are for it. False as shepard_ranks_gather is. */
bool shepard_ranks_exchange(const struct shepard_rank_items *out, struct shepard_rank_items *in);

#endif
