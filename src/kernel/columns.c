/* SPDX-License-Identifier: MIT */
/* Weighted means of many columns over lists of points. Compiled once for each instruction set.
 * No fused operations: a column gets the bits of plain sums over its own points. */
#include "kernel/kernels.h"
#include "kernel/math.h"

/* Vectors of a step. */
#define VECTORS (SHEPARD_COLUMNS_STEP / LANES_D)

/* Columns of a step, a vector of them each. */
struct columns_step {
    const struct shepard_columns *columns;
    size_t at;
    vd scale[VECTORS], shift[VECTORS];
    bool weighted;
};

struct columns_sums {
    vd w[VECTORS], wz[VECTORS]; /* sums of w, w (scale z - shift) */
    vl count[VECTORS];
};

static inline vd columns_keep(vl mask, vd a)
{
    return (vd)(mask & (vl)a);
}

/* Adds place j of the list, for lanes that are open and have a value there. */
static inline __attribute__((always_inline)) void
columns_add(const struct columns_step *step, const struct shepard_columns_list *list,
            const double *w, const vl *choice, size_t j, const vl *open, struct columns_sums *sums)
{
    const struct shepard_columns *columns = step->columns;
    const size_t rank = list->rank[j];
    const double *row = shepard_columns_row(columns, rank, step->at);
    for (int v = 0; v < VECTORS; v++) {
        const vd z = vd_load(row + v * LANES_D);
        vl mask = (vl)(z == z);
        if (open != NULL)
            mask &= open[v];
        vd own = vd_choose(w + j * SHEPARD_COLUMNS_UNITS, choice[v]);
        if (step->weighted)
            own *= vd_max(vd_all(columns->weights[rank]) /
                              vd_load(columns->highest + step->at + v * LANES_D),
                          vd_all(columns->least_weight));
        own = columns_keep(mask, own);
        sums->w[v] += own;
        sums->wz[v] += columns_keep(mask, own * (z * step->scale[v] - step->shift[v]));
        sums->count[v] -= mask;
    }
}

/* Over a list, with weights [count, SHEPARD_COLUMNS_UNITS]. */
static inline __attribute__((always_inline)) void
columns_run(const struct columns_step *step, const struct shepard_columns_list *list,
            const double *w, const vl *choice, struct columns_sums *sums)
{
    const size_t sure = list->count < list->most ? list->count : list->most;
    const vl most = (vl){0} + (int64_t)sure;
    for (int v = 0; v < VECTORS; v++) {
        sums->w[v] = sums->wz[v] = vd_all(0);
        sums->count[v] = (vl){0};
    }
    for (size_t j = 0; j < sure; j++)
        columns_add(step, list, w, choice, j, NULL, sums);
    for (size_t j = sure; j < list->count; j++) {
        vl open[VECTORS], any = {0};
        for (int v = 0; v < VECTORS; v++)
            any |= open[v] = (vl)(sums->count[v] < most);
        if (vl_bits(any) == 0)
            break;
        columns_add(step, list, w, choice, j, open, sums);
    }
}

/* Which of the units from `first` on, SHEPARD_COLUMNS_UNITS of them, is the first that each lane
 * has a value at; the lanes that have none. */
static inline void columns_choose(const struct columns_step *step,
                                  const struct shepard_columns_list *list, size_t first, vl *choice,
                                  vl *none)
{
    const size_t rest = list->units - first;
    for (int v = 0; v < VECTORS; v++) {
        choice[v] = vl_choice((vl){0});
        none[v] = (vl){0} - 1;
    }
    for (size_t u = rest < SHEPARD_COLUMNS_UNITS ? rest : SHEPARD_COLUMNS_UNITS; u-- > 0;) {
        const double *row =
            shepard_columns_row(step->columns, list->rank[list->unit[first + u]], step->at);
        for (int v = 0; v < VECTORS; v++) {
            const vd z = vd_load(row + v * LANES_D);
            const vl mask = (vl)(z == z);
            choice[v] = (mask & vl_choice((vl){0} + (int64_t)u)) | (~mask & choice[v]);
            none[v] &= ~mask;
        }
    }
}

static inline __attribute__((always_inline)) struct columns_sums
columns_sum(const struct columns_step *step, const struct shepard_columns_list *list)
{
    struct columns_sums sums = {0};
    vl left[VECTORS], some = {0};
    for (int v = 0; v < VECTORS; v++)
        some |= left[v] = (vl){0} - 1;
    for (size_t u = 0; u < list->units && vl_bits(some) != 0; u += SHEPARD_COLUMNS_UNITS) {
        struct columns_sums own;
        vl choice[VECTORS], none[VECTORS];
        columns_choose(step, list, u, choice, none);
        columns_run(step, list, list->w + u * list->count, choice, &own);
        some = (vl){0};
        for (int v = 0; v < VECTORS; v++) {
            const vl mask = left[v] & ~none[v];
            sums.w[v] = vd_select(mask, own.w[v], sums.w[v]);
            sums.wz[v] = vd_select(mask, own.wz[v], sums.wz[v]);
            sums.count[v] |= mask & own.count[v];
            some |= left[v] &= none[v];
        }
    }
    return sums;
}

static inline void columns_finish(const struct columns_step *step, const struct columns_sums *sums,
                                  struct shepard_columns_means *means)
{
    const struct shepard_columns *columns = step->columns;
    for (int v = 0; v < VECTORS; v++) {
        const size_t from = (size_t)v * LANES_D, at = step->at + from;
        const vd low = vd_load(columns->low + at), high = vd_load(columns->high + at);
        const vd mean = vd_load(columns->middle + at) + sums->wz[v] / sums->w[v] / step->scale[v];
        vd_store(means->mean + from,
                 vd_select((vl)(mean < low), low, vd_select((vl)(mean > high), high, mean)));
        vd_store(means->count + from, vd_of(sums->count[v]));
    }
}

static inline __attribute__((always_inline)) void
columns_all(const struct shepard_columns *columns, size_t at,
            const struct shepard_columns_list *lists, size_t count, bool weighted,
            struct shepard_columns_means *means)
{
    struct columns_step step = {.columns = columns, .at = at, .weighted = weighted};
    for (int v = 0; v < VECTORS; v++) {
        step.scale[v] = vd_load(columns->scale + at + v * LANES_D);
        step.shift[v] = vd_load(columns->shift + at + v * LANES_D);
    }
    for (size_t i = 0; i < count; i++) {
        const struct columns_sums sums = columns_sum(&step, &lists[i]);
        columns_finish(&step, &sums, &means[i]);
    }
}

static void columns_average(const struct shepard_columns *columns, size_t at,
                            const struct shepard_columns_list *lists, size_t count,
                            struct shepard_columns_means *means)
{
    if (columns->weights != NULL)
        columns_all(columns, at, lists, count, true, means);
    else
        columns_all(columns, at, lists, count, false, means);
}

const struct shepard_column_kernels SHEPARD_KERNELS(columns) = {columns_average};
