/* SPDX-License-Identifier: MIT */
/* Weighted means of many columns over one list of points. Compiled once for each instruction set.
 * No fused operations: a column gets the bits of plain sums over its own points. */
#include "kernel/kernels.h"
#include "kernel/simd.h"

struct columns_lanes {
    vd w, wz; /* sums of w, w (scale z - shift) */
    vl count;
};

static inline unsigned columns_bits(const uint64_t *words, size_t at)
{
    return (unsigned)(words[at / 64] >> at % 64) & ((1u << LANES_D) - 1);
}

static inline vl columns_mask(unsigned bits)
{
    vl mask;
    for (int i = 0; i < LANES_D; i++)
        mask[i] = -(int64_t)(bits >> i & 1);
    return mask;
}

static inline vd columns_keep(vl mask, vd a)
{
    return (vd)(mask & (vl)a);
}

/* A pass over the list for the lanes whose nearest points are one unit, or one of two. */
struct columns_pass {
    const struct shepard_columns *columns;
    const struct shepard_columns_list *list;
    size_t at;
    const double *w, *other; /* weights beside the nearer unit, and beside the other, which belongs
                                to these lanes: */
    vl others;
    bool weighted, mixed; /* the other is there */
};

/* Adds place j of the list to the lanes of `open` that have a value there. */
static inline void columns_add(const struct columns_pass *pass, size_t j, vl open,
                               struct columns_lanes *sums)
{
    const struct shepard_columns *columns = pass->columns;
    const size_t rank = pass->list->rank[j], at = pass->at;
    const vd z = vd_load(columns->rows + rank * columns->stride + at);
    const vl mask = open & (vl)(z == z);
    vd w = vd_all(pass->w[j]);
    if (pass->mixed)
        w = vd_select(pass->others, vd_all(pass->other[j]), w);
    if (pass->weighted)
        w *= vd_max(vd_all(columns->weights[rank]) / vd_load(columns->highest + at),
                    vd_all(columns->least_weight));
    w = columns_keep(mask, w);
    sums->w += w;
    sums->wz +=
        columns_keep(mask, w * (z * vd_load(columns->scale + at) - vd_load(columns->shift + at)));
    sums->count -= mask;
}

/* From place `from` on, where the nearest unit is or which is before it. */
static inline struct columns_lanes columns_run(const struct columns_pass *pass, size_t from)
{
    const struct shepard_columns_list *list = pass->list;
    const vl most = (vl){0} + (int64_t)(list->most < list->count ? list->most : list->count);
    const vl all = (vl){0} - 1;
    const size_t sure = list->count - from < list->most ? list->count : from + list->most;
    struct columns_lanes sums = {vd_all(0), vd_all(0), {0}};
    for (size_t j = from; j < sure; j++)
        columns_add(pass, j, all, &sums);
    for (size_t j = sure; j < list->count; j++) {
        const vl open = (vl)(sums.count < most);
        if (vl_bits(open) == 0)
            break;
        columns_add(pass, j, open, &sums);
    }
    return sums;
}

/* The lanes of `left` that have a value at the next unit from *u on that one of them has. */
static inline unsigned columns_next(const struct shepard_columns *columns, size_t at,
                                    const struct shepard_columns_list *list, unsigned left,
                                    size_t *u)
{
    for (; *u < list->units && left != 0; ++*u) {
        const uint64_t *present = columns->present + list->rank[list->unit[*u]] * columns->words;
        const unsigned bits = left & columns_bits(present, at);
        if (bits != 0)
            return bits;
    }
    return 0;
}

static inline struct columns_lanes columns_at(const struct shepard_columns *columns, size_t at,
                                              const struct shepard_columns_list *list,
                                              bool weighted)
{
    struct columns_lanes sums = {vd_all(0), vd_all(0), {0}};
    unsigned left = columns_bits(list->wanted, at), bits;
    for (size_t u = 0; (bits = columns_next(columns, at, list, left, &u)) != 0;) {
        const size_t from = list->sorted ? u : 0;
        struct columns_pass pass = {.columns = columns,
                                    .list = list,
                                    .at = at,
                                    .w = list->w + u * list->count,
                                    .weighted = weighted};
        left &= ~bits;
        const unsigned others = columns_next(columns, at, list, left, &u);
        const vl mask = columns_mask(bits | others);
        struct columns_lanes own;
        if (others != 0) {
            pass.mixed = true;
            pass.other = list->w + u * list->count;
            pass.others = columns_mask(others);
            own = columns_run(&pass, from);
        } else {
            own = columns_run(&pass, from);
        }
        left &= ~others;
        sums.w = vd_select(mask, own.w, sums.w);
        sums.wz = vd_select(mask, own.wz, sums.wz);
        sums.count = (mask & own.count) | (~mask & sums.count);
    }
    return sums;
}

static void columns_average(const struct shepard_columns *columns,
                            const struct shepard_columns_list *list,
                            const struct shepard_columns_means *means)
{
    for (size_t at = 0; at < columns->stride; at += LANES_D) {
        const struct columns_lanes sums = columns->weights != NULL
                                              ? columns_at(columns, at, list, true)
                                              : columns_at(columns, at, list, false);
        const vd low = vd_load(columns->low + at), high = vd_load(columns->high + at);
        const vd mean =
            vd_load(columns->middle + at) + sums.wz / sums.w / vd_load(columns->scale + at);
        vd_store(means->mean + at,
                 vd_select((vl)(mean < low), low, vd_select((vl)(mean > high), high, mean)));
        vd_store(means->count + at, __builtin_convertvector(sums.count, vd));
    }
}

const struct shepard_column_kernels SHEPARD_KERNELS(columns) = {columns_average};
