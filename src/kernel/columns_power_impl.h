/* SPDX-License-Identifier: MIT */
/* Powers of AIDW for a step of columns: shepard_adapt_power of core/adapt.h in vectors, with its
 * bits. Included by columns.c. */
#ifndef SHEPARD_KERNEL_COLUMNS_POWER_IMPL_H
#define SHEPARD_KERNEL_COLUMNS_POWER_IMPL_H

#include "kernel/columns_lanes.h"
#include "kernel/cosine.h"
#include "kernel/math.h"

/* Lists whose powers are computed in turn: whole numbers of VD_AT_ONCE vectors. */
#define COLUMNS_LISTS 4

/* At one list. */
struct columns_powers {
    vd half[VECTORS];
    vl enough[VECTORS]; /* lanes with as many near points as a power takes */
};

/* Near points looked at until the next look at whether any lane still takes some: most lists end at
 * the first look, which branches are guessed by. */
#define COLUMNS_NEAR 4

/* Mean distances of the first k near points that each lane has a value at, over those expected. */
static inline void columns_near(const double *scaled, const struct shepard_columns_near *near,
                                const struct shepard_columns_adapt *adapt, vd *ratio, vl *enough)
{
    const vl most = (vl){0} + (int64_t)adapt->k;
    vd sum[VECTORS];
    vl count[VECTORS], open[VECTORS];
    for (int v = 0; v < VECTORS; v++) {
        sum[v] = vd_all(0);
        count[v] = (vl){0};
        open[v] = (vl){0} - 1;
    }
    for (size_t j = 0, end = adapt->k; j < near->count && columns_any(open, VECTORS);
         end += COLUMNS_NEAR) {
        end = end < near->count ? end : near->count;
        for (; j < end; j++) {
            const double *row = scaled + near->rank[j] * SHEPARD_COLUMNS_STEP;
            for (int v = 0; v < VECTORS; v++) {
                const vl taken = ~columns_missing(vd_load(row + v * LANES_D)) & open[v];
                sum[v] += columns_keep(taken, vd_all(near->distance[j]));
                count[v] -= taken;
                open[v] = (vl)(count[v] < most);
            }
        }
    }
    for (int v = 0; v < VECTORS; v++) {
        ratio[v] = sum[v] / (double)adapt->k / vd_load(adapt->r_expected + v * LANES_D);
        enough[v] = ~open[v];
    }
}

/* Powers of mean distances over those expected, in place, of VD_AT_ONCE vectors: their operations
 * are in turn, as in math.h. */
static inline void columns_power_each(const struct shepard_columns_adapt *adapt, vd *r)
{
    static const double terms[] = {SHEPARD_COSINE_TERMS};
    const double *alphas = adapt->alphas;
    vd t[VD_AT_ONCE], square[VD_AT_ONCE], cosine[VD_AT_ONCE];
    for (int i = 0; i < VD_AT_ONCE; i++) {
        t[i] = 0.5 - (r[i] - adapt->r_min) / adapt->r_max;
        square[i] = t[i] * t[i];
    }
    VD_POLYNOMIALS(terms, square, cosine, VD_AT_ONCE, false);
    for (int i = 0; i < VD_AT_ONCE; i++) {
        const vd between = 0.5 - 0.5 * (t[i] * cosine[i]);
        const vd mu = vd_select((vl)(r[i] >= adapt->r_max), vd_all(1),
                                vd_select((vl)(r[i] > adapt->r_min), between, vd_all(0)));
        const vd position = (mu - 0.1) * 5;
        const vl place = -((vl)(position >= 1) + (vl)(position >= 2) + (vl)(position >= 3));
        const vd part = position - vd_of(place);
        const vl choice = vl_choice(place);
        const vd power =
            (1 - part) * vd_choose(alphas, choice) + part * vd_choose(alphas + 1, choice);
        r[i] = vd_select((vl)(mu >= 0.9), vd_all(alphas[4]),
                         vd_select((vl)(mu > 0.1), power, vd_all(alphas[0])));
    }
}

/* Powers at count lists, COLUMNS_LISTS at most, the first one in place of those left; scaled: of
 * the step. */
static void columns_powers(const double *scaled, const struct shepard_columns_list *lists,
                           size_t count, const struct shepard_columns_adapt *adapt,
                           struct columns_powers *powers)
{
    vd power[COLUMNS_LISTS * VECTORS];
    for (size_t i = 0; i < COLUMNS_LISTS; i++) {
        const size_t list = i < count ? i : 0;
        columns_near(scaled, &lists[list].near, adapt, power + i * VECTORS, powers[i].enough);
    }
    for (size_t i = 0; i < COLUMNS_LISTS * VECTORS; i += VD_AT_ONCE)
        columns_power_each(adapt, power + i);
    for (size_t i = 0; i < COLUMNS_LISTS; i++)
        for (size_t v = 0; v < VECTORS; v++)
            powers[i].half[v] = power[i * VECTORS + v] / 2;
}

#endif
