/* SPDX-License-Identifier: MIT */
/* Sums of a step of columns over one list of points with weights that are given and no weight of a
 * point: what a place has, its row and its weights, is applied to all vectors of the step in turn.
 * Included by columns.c. */
#ifndef SHEPARD_KERNEL_COLUMNS_TAKEN_IMPL_H
#define SHEPARD_KERNEL_COLUMNS_TAKEN_IMPL_H

#include "kernel/columns_lanes.h"

/* Sums of some vectors. */
struct taken_sums {
    vd w[VECTORS], wz[VECTORS];
    vl count[VECTORS]; /* values; of vectors with masks in lanes less 1 for each place */
};

/* Adds a place with weights w to a vector, in the lanes that have a value there and, where open,
 * fewer than `most` before it; j: the place. */
static inline __attribute__((always_inline)) void taken_add(struct taken_sums *sums, int v, vd w,
                                                            vd scaled, bool open, vl most, size_t j)
{
#if SHEPARD_VECTOR_BYTES == 64
    const __m512i none = (__m512i)vd_all(-0.0), one = (__m512i)((vl){0} + 1);
    const __mmask8 present = _mm512_cmpneq_epi64_mask((__m512i)scaled, none);
    const __mmask8 taken =
        open ? _mm512_mask_cmplt_epi64_mask(present, (__m512i)sums->count[v], (__m512i)most)
             : present;
    (void)j;
    sums->w[v] = _mm512_mask_add_pd(sums->w[v], taken, sums->w[v], w);
    sums->wz[v] = _mm512_mask_add_pd(sums->wz[v], taken, sums->wz[v], w * scaled);
    sums->count[v] =
        (vl)_mm512_mask_add_epi64((__m512i)sums->count[v], present, (__m512i)sums->count[v], one);
#else
    const vl missing = columns_missing(scaled);
    const vl taken = open ? ~missing & (vl)(sums->count[v] < most - (int64_t)j) : ~missing;
    const vd own = columns_keep(taken, w);
    sums->w[v] += own;
    sums->wz[v] += own * scaled;
    sums->count[v] += missing;
#endif
}

/* The values that the lanes of a vector have at the first `places` places. */
static inline vl taken_count(const struct taken_sums *sums, int v, size_t places)
{
#if SHEPARD_VECTOR_BYTES == 64
    (void)places;
    return sums->count[v];
#else
    return sums->count[v] + (int64_t)places;
#endif
}

/* Adds the group of places from j on. scaled: of the first vector; w: weights of the first place.
 */
static inline __attribute__((always_inline)) void
taken_add_group(struct taken_sums *sums, int vectors, const double *scaled,
                const struct shepard_columns_list *list, const vl *choice, size_t j, bool open,
                vl most)
{
    SHEPARD_UNROLL
    for (size_t p = j; p < j + SHEPARD_COLUMNS_PLACES; p++) {
        const double *const row = scaled + list->rank[p] * SHEPARD_COLUMNS_STEP;
        const double *const w = list->w + p * SHEPARD_COLUMNS_UNITS;
        for (int v = 0; v < vectors; v++)
            taken_add(sums, v, vd_choose(w, choice[v]), vd_load(row + v * LANES_D), open, most, p);
    }
}

/* Sums of some vectors, and their counts, 0 where a lane has no value at a unit; false: it may have
 * one at a unit that is not looked at. */
static inline __attribute__((always_inline)) bool taken_sum(int vectors, const double *scaled,
                                                            const struct shepard_columns_list *list,
                                                            struct taken_sums *sums)
{
    const size_t reach = list->count < list->most ? list->count : list->most;
    const size_t sure = reach / SHEPARD_COLUMNS_PLACES * SHEPARD_COLUMNS_PLACES;
    const vl most = (vl){0} + (int64_t)reach;
    vl choice[VECTORS], none[VECTORS];
    size_t j = 0;
    columns_choose(vectors, scaled, list, 0, choice, none);
    for (int v = 0; v < vectors; v++) {
        sums->w[v] = sums->wz[v] = vd_all(0);
        sums->count[v] = (vl){0};
    }
    for (; j < sure; j += SHEPARD_COLUMNS_PLACES)
        taken_add_group(sums, vectors, scaled, list, choice, j, false, most);
    for (; j < list->count; j += SHEPARD_COLUMNS_PLACES) {
        vl open[VECTORS];
        for (int v = 0; v < vectors; v++)
            open[v] = (vl)(taken_count(sums, v, j) < most);
        if (!columns_any(open, vectors))
            break;
        taken_add_group(sums, vectors, scaled, list, choice, j, true, most);
    }
    for (int v = 0; v < vectors; v++)
        sums->count[v] = taken_count(sums, v, j) & ~none[v];
    return list->units <= SHEPARD_COLUMNS_UNITS || !columns_any(none, vectors);
}

#endif
