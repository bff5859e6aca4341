/* SPDX-License-Identifier: MIT */
/* The nearest points of each sector found so far. Offers stand unsorted in a table, a sector in
 * each column, so that vectors choose the nearest of several sectors at once. */
#ifndef SHEPARD_KERNEL_SECTOR_HITS_H
#define SHEPARD_KERNEL_SECTOR_HITS_H

#include "kernel/ellipse.h"
#include "kernel/hits.h"

#include <math.h>

#define SHEPARD_SECTORS_MAX 8

struct shepard_sector_hits {
    int sectors;                                     /* 1, 4 or 8 */
    double *d2;                                      /* [room][SHEPARD_SECTORS_MAX] */
    uint64_t *rank;                                  /* the same; places in the tree's order */
    _Alignas(64) int64_t count[SHEPARD_SECTORS_MAX]; /* offers of each sector */
    _Alignas(64) double bound[SHEPARD_SECTORS_MAX];  /* farther points need not be offered */
    size_t capacity;                                 /* >= 1: how many are wanted of each */
    size_t room;                                     /* >= capacity + SHEPARD_LEAF */
    const struct shepard_ellipse *ellipse; /* points outside are not found; NULL: bounds do */
    struct shepard_left_out left_out;
    struct shepard_hits column; /* scratch for one sector: room for as many */
};

/* The bound of a sector that is not searched; what it holds is kept. */
#define SHEPARD_SECTOR_CLOSED (-1.0)

/* The room that a search works well with: a compaction every few leaves. */
static inline size_t shepard_sector_hits_room(size_t capacity)
{
    return 2 * capacity + 3 * SHEPARD_LEAF / 2;
}

/* The sector of a point at the offset (dx, dy). Quadrant: bit 0 to the east, bit 1 to the north;
 * octant: bit 2 nearer to the x axis (Eq. 14 of docs/math.md). */
static inline unsigned shepard_sector_of(int sectors, double dx, double dy)
{
    if (sectors == 1)
        return 0;
    unsigned sector = (unsigned)(dx >= 0) | (unsigned)(dy >= 0) << 1;
    if (sectors == 8)
        sector |= (unsigned)(fabs(dx) > fabs(dy)) << 2;
    return sector;
}

/* Copies the offers of a sector into the scratch. */
static inline void shepard_sector_hits_take(struct shepard_sector_hits *hits, int sector)
{
    struct shepard_hits *column = &hits->column;
    column->count = (size_t)hits->count[sector];
    column->capacity = hits->capacity;
    column->bound = hits->bound[sector];
    for (size_t i = 0; i < column->count; i++) {
        column->d2[i] = hits->d2[i * SHEPARD_SECTORS_MAX + (size_t)sector];
        column->rank[i] = (uint32_t)hits->rank[i * SHEPARD_SECTORS_MAX + (size_t)sector];
    }
}

/* Puts the scratch back, sorted and cut. */
static inline void shepard_sector_hits_put(struct shepard_sector_hits *hits, int sector)
{
    const struct shepard_hits *column = &hits->column;
    for (size_t i = 0; i < column->count; i++) {
        hits->d2[i * SHEPARD_SECTORS_MAX + (size_t)sector] = column->d2[i];
        hits->rank[i * SHEPARD_SECTORS_MAX + (size_t)sector] = column->rank[i];
    }
    hits->count[sector] = (int64_t)column->count;
    if (hits->bound[sector] >= 0)
        hits->bound[sector] = column->bound;
}

/* Adds an offer; there is room for it. */
static inline void shepard_sector_hits_add(struct shepard_sector_hits *hits, unsigned sector,
                                           double d2, uint64_t rank)
{
    const size_t at = (size_t)hits->count[sector]++ * SHEPARD_SECTORS_MAX + sector;
    hits->d2[at] = d2;
    hits->rank[at] = rank;
}

#endif
