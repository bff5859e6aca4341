/* SPDX-License-Identifier: MIT */
/* Weighted means of many columns over lists of points. Compiled once for each instruction set.
 * Sums are not fused: a column gets the bits of plain sums over its own points. */
#include "kernel/columns_plane_impl.h"
#include "kernel/columns_power_impl.h"
#include "kernel/kernels.h"

/* Places of a list that are weighed together, and vectors of which powers are computed in turn: the
 * operations of a power wait for each other, and CPUs look ahead over those of fewer than four. */
#define COLUMNS_PLACES 4
#define COLUMNS_CHAINS (COLUMNS_PLACES * VECTORS < 8 ? COLUMNS_PLACES * VECTORS : 8)

/* How weights go by powers: they are given; each column has one that has no form of its own; or
 * any.
 */
enum columns_power { POWER_GIVEN, POWER_GENERAL, POWER_ANY };

/* Columns of a step, a vector of them each. */
struct columns_step {
    const struct shepard_columns *columns;
    size_t at;
    const double *scaled; /* [count, SHEPARD_COLUMNS_STEP] */
    bool weighted;
    enum columns_power power;
    const vd *half; /* [VECTORS] powers where they are not given */
    double *own; /* [places looked at, SHEPARD_COLUMNS_STEP] to: weights, 0 where none; or NULL */
};

struct columns_sums {
    vd w[VECTORS], wz[VECTORS]; /* sums of w, w (scale z - shift) */
    vl count[VECTORS];
    size_t places; /* looked at, behind the end of the list too; any lane was open at the first */
};

/* Whether no column's power has a form of its own. */
static inline bool columns_are_general(const vd *half)
{
    vl formed[VECTORS];
    for (int v = 0; v < VECTORS; v++)
        formed[v] = (half[v] == 0.5) | (half[v] == 1) | (half[v] == 1.5) | (half[v] == 2);
    return !columns_any(formed);
}

/* A place of a list; behind its end the last one. */
static inline size_t columns_within(const struct shepard_columns_list *list, size_t place)
{
    return place < list->count ? place : list->count - 1;
}

/* The weights of powers that have a form of their own, as vd_decay has them; others stay. */
static inline vd columns_form(vd half, vd ratio, vd general)
{
    const vd root = vd_sqrt(ratio);
    const vd odd =
        vd_select((vl)(half == 0.5), root, vd_select((vl)(half == 1.5), ratio * root, general));
    return vd_select((vl)(half == 1), ratio, vd_select((vl)(half == 2), ratio * ratio, odd));
}

/* vd_decay of each lane's power, or the weights that are given, at places [j, j + COLUMNS_PLACES)
 * of the list, beside the units from `first` on. */
static inline __attribute__((always_inline)) void
columns_weigh(const struct columns_step *step, const struct shepard_columns_list *list,
              size_t first, const vl *choice, size_t j, vd *w)
{
    const size_t all = COLUMNS_PLACES * VECTORS;
    size_t at[COLUMNS_PLACES];
    for (size_t p = 0; p < COLUMNS_PLACES; p++)
        at[p] = first * list->count + columns_within(list, j + p) * SHEPARD_COLUMNS_UNITS;
    for (size_t i = 0; i < all; i++) {
        const size_t p = i / VECTORS, v = i % VECTORS;
        w[i] = step->power == POWER_GIVEN
                   ? vd_choose(list->w + at[p], choice[v])
                   : step->half[v] * vd_choose(list->logarithm + at[p], choice[v]);
    }
    for (size_t i = 0; i < all && step->power != POWER_GIVEN; i += COLUMNS_CHAINS)
        vd_exp2_normal_each(w + i, COLUMNS_CHAINS, true);
    for (size_t i = 0; i < all && step->power == POWER_ANY; i++) {
        const size_t p = i / VECTORS, v = i % VECTORS;
        w[i] = columns_form(step->half[v], vd_choose(list->w + at[p], choice[v]), w[i]);
    }
}

/* Adds place j of the list with these weights [VECTORS], beside the units from `first` on, to lanes
 * that have a value there, for lanes `of`; open: and fewer than `most`, and places behind the end
 * add nothing. Counts values, beyond `most`, too; where not open less 1 for each place. */
static inline __attribute__((always_inline)) void
columns_add(const struct columns_step *step, const struct shepard_columns_list *list, size_t first,
            const vl *of, size_t j, const vd *weights, const vl *open, struct columns_sums *sums)
{
    const struct shepard_columns *columns = step->columns;
    const size_t rank = list->rank[columns_within(list, j)];
    const vl here = (vl){0} - (int64_t)(j < list->count);
    const double *row = step->scaled + rank * SHEPARD_COLUMNS_STEP;
    for (int v = 0; v < VECTORS; v++) {
        const vd scaled = vd_load(row + v * LANES_D);
        const vl missing = columns_missing(scaled);
        vd own = weights[v];
        if (step->weighted)
            own *= vd_max(vd_all(columns->weights[rank]) /
                              vd_load(columns->highest + step->at + v * LANES_D),
                          vd_all(columns->least_weight));
        own = columns_keep(open != NULL ? ~missing & here & open[v] : ~missing, own);
        sums->w[v] += own;
        sums->wz[v] += own * scaled;
        if (step->own != NULL) {
            double *const kept = step->own + j * SHEPARD_COLUMNS_STEP + v * LANES_D;
            vd_store(kept, first == 0 ? own : vd_select(of[v], own, vd_load(kept)));
        }
        sums->count[v] += open != NULL ? (missing + 1) & here : missing;
    }
}

/* Which of the units from `first` on, SHEPARD_COLUMNS_UNITS of them, is the first that each lane
 * has a value at; the lanes that have none. */
static inline __attribute__((always_inline)) void
columns_choose(const struct columns_step *step, const struct shepard_columns_list *list,
               size_t first, vl *choice, vl *none)
{
    const size_t rest = list->units - first;
    const size_t units = rest < SHEPARD_COLUMNS_UNITS ? rest : SHEPARD_COLUMNS_UNITS;
    for (int v = 0; v < VECTORS; v++) {
        choice[v] = vl_choice((vl){0});
        none[v] = (vl){0} - 1;
    }
    /* Most lanes have a value at one of two: a look at each unit would be guessed wrong. */
    for (size_t u = 0; u < units && (u < 2 || columns_any(none)); u++) {
        const double *row = step->scaled + list->rank[list->unit[first + u]] * SHEPARD_COLUMNS_STEP;
        const vl here = vl_choice((vl){0} + (int64_t)u);
        for (int v = 0; v < VECTORS; v++) {
            const vl missing = columns_missing(vd_load(row + v * LANES_D));
            choice[v] = (none[v] & here) | (~none[v] & choice[v]);
            none[v] &= missing;
        }
    }
}

/* The lanes that have counted fewer than `most`. */
static inline void columns_open(const struct columns_sums *sums, vl most, vl *open)
{
    for (int v = 0; v < VECTORS; v++)
        open[v] = (vl)(sums->count[v] < most);
}

/* Over the list, with weights beside the units from `first` on, for lanes `of`; the lanes without
 * any of these. */
static inline __attribute__((always_inline)) void
columns_run(const struct columns_step *step, const struct shepard_columns_list *list, size_t first,
            const vl *of, struct columns_sums *sums, vl *none)
{
    const size_t reach = list->count < list->most ? list->count : list->most;
    const size_t sure = reach / COLUMNS_PLACES * COLUMNS_PLACES;
    const vl most = (vl){0} + (int64_t)reach;
    vl choice[VECTORS], open[VECTORS];
    vd w[COLUMNS_PLACES * VECTORS];
    columns_choose(step, list, first, choice, none);
    for (int v = 0; v < VECTORS; v++) {
        sums->w[v] = sums->wz[v] = vd_all(0);
        sums->count[v] = (vl){0};
    }
    for (size_t j = 0; j < sure; j += COLUMNS_PLACES) {
        columns_weigh(step, list, first, choice, j, w);
        for (size_t p = 0; p < COLUMNS_PLACES; p++)
            columns_add(step, list, first, of, j + p, w + p * VECTORS, NULL, sums);
    }
    for (int v = 0; v < VECTORS; v++)
        sums->count[v] += (int64_t)sure;
    sums->places = sure;
    for (size_t j = sure; j < list->count; j += COLUMNS_PLACES) {
        columns_open(sums, most, open);
        if (!columns_any(open))
            break;
        columns_weigh(step, list, first, choice, j, w);
        for (size_t p = 0; p < COLUMNS_PLACES; p++) {
            columns_open(sums, most, open);
            columns_add(step, list, first, of, j + p, w + p * VECTORS, open, sums);
        }
        sums->places += COLUMNS_PLACES;
    }
}

static inline __attribute__((always_inline)) struct columns_sums
columns_sum(const struct columns_step *step, const struct shepard_columns_list *list)
{
    struct columns_sums sums;
    vl none[VECTORS];
    columns_run(step, list, 0, NULL, &sums, none);
    for (size_t u = SHEPARD_COLUMNS_UNITS; u < list->units && columns_any(none);
         u += SHEPARD_COLUMNS_UNITS) {
        struct columns_sums own;
        vl still[VECTORS];
        columns_run(step, list, u, none, &own, still);
        for (int v = 0; v < VECTORS; v++) {
            sums.w[v] = vd_select(none[v], own.w[v], sums.w[v]);
            sums.wz[v] = vd_select(none[v], own.wz[v], sums.wz[v]);
            sums.count[v] = (none[v] & own.count[v]) | (~none[v] & sums.count[v]);
            none[v] &= still[v];
        }
    }
    for (int v = 0; v < VECTORS; v++)
        sums.count[v] &= ~none[v];
    return sums;
}

static inline void columns_finish(const struct columns_step *step, const struct columns_sums *sums,
                                  double most, struct shepard_columns_means *means)
{
    const struct shepard_columns *columns = step->columns;
    for (int v = 0; v < VECTORS; v++) {
        const size_t from = (size_t)v * LANES_D, at = step->at + from;
        const vd low = vd_load(columns->low + at), high = vd_load(columns->high + at);
        const vd mean =
            vd_load(columns->middle + at) + sums->wz[v] / sums->w[v] / vd_load(columns->scale + at);
        vd_store(means->mean + from,
                 vd_select((vl)(mean < low), low, vd_select((vl)(mean > high), high, mean)));
        const vd count = vd_of(sums->count[v]);
        vd_store(means->count + from, vd_select((vl)(count < most), count, vd_all(most)));
    }
}

/* Asks for the rows of a list, which are scattered over a table that first-level caches do not
 * hold. */
static inline void columns_prefetch(const double *rows, const uint32_t *rank, size_t count)
{
    for (size_t j = 0; j < count; j++)
        __builtin_prefetch(rows + rank[j] * SHEPARD_COLUMNS_STEP);
}

/* Planes in place of means. */
static void columns_raise(const struct columns_step *step, const struct shepard_columns_list *list,
                          const struct columns_sums *sums,
                          const struct shepard_columns_plane *plane,
                          struct shepard_columns_means *means)
{
    for (int v = 0; v < VECTORS; v++) {
        const size_t from = (size_t)v * LANES_D;
        const struct plane_lanes lanes = {.columns = step->columns,
                                          .list = list,
                                          .at = step->at + from,
                                          .places = sums->places < list->count ? sums->places
                                                                               : list->count,
                                          .own = step->own + from,
                                          .scaled = step->scaled + from,
                                          .w = sums->w[v],
                                          .wz = sums->wz[v],
                                          .mean = vd_load(means->mean + from),
                                          .count = vd_load(means->count + from)};
        vl regular;
        vd_store(means->mean + from, plane_value(&lanes, plane, &regular));
        const vl alone = (vl)(lanes.count > 0) & (~regular | (vl)(lanes.count < 2));
        vd_store(means->count + from, vd_select(alone, vd_all(-1), lanes.count));
    }
}

static inline __attribute__((always_inline)) void
columns_one(struct columns_step step, const struct shepard_columns_list *list,
            enum columns_power power, const struct shepard_columns_plane *plane,
            struct shepard_columns_means *means)
{
    step.power = power;
    const struct columns_sums sums = columns_sum(&step, list);
    columns_finish(&step, &sums, (double)list->most, means);
    if (plane != NULL)
        columns_raise(&step, list, &sums, plane, means);
}

/* At a list where each column has a power of its own. */
static inline __attribute__((always_inline)) void
columns_adapted(struct columns_step step, const struct shepard_columns_list *list,
                const struct columns_powers *powers, const struct shepard_columns_plane *plane,
                struct shepard_columns_means *means)
{
    step.half = powers->half;
    if (columns_are_general(powers->half))
        columns_one(step, list, POWER_GENERAL, plane, means);
    else
        columns_one(step, list, POWER_ANY, plane, means);
    for (int v = 0; v < VECTORS; v++) {
        double *const count = means->count + v * LANES_D;
        vd_store(count, vd_select(powers->enough[v], vd_load(count), vd_all(-1)));
    }
}

static inline __attribute__((always_inline)) void
columns_all(struct columns_step step, const struct shepard_columns_list *lists, size_t count,
            const struct shepard_columns_model *model, const struct shepard_columns_plane *plane,
            struct shepard_columns_means *means)
{
    double own[(SHEPARD_COLUMNS_PLANE_POINTS + COLUMNS_PLACES) * SHEPARD_COLUMNS_STEP];
    struct columns_powers powers[COLUMNS_LISTS];
    step.own = plane != NULL ? own : NULL;
    for (size_t i = 0; i < count; i++) {
        const size_t next = i + COLUMNS_LISTS, rest = count - i;
        if (next < count)
            columns_prefetch(step.scaled, lists[next].rank, lists[next].count);
        if (model->adapt != NULL && i % COLUMNS_LISTS == 0)
            columns_powers(step.scaled, lists + i, rest < COLUMNS_LISTS ? rest : COLUMNS_LISTS,
                           model->adapt, powers);
        if (model->adapt != NULL)
            columns_adapted(step, &lists[i], &powers[i % COLUMNS_LISTS], plane, &means[i]);
        else
            columns_one(step, &lists[i], POWER_GIVEN, plane, &means[i]);
    }
}

/* Copies of columns_all with constants; functions of their own, so that none has all their room. */
static __attribute__((noinline)) void columns_planes(const struct columns_step *step,
                                                     const struct shepard_columns_list *lists,
                                                     size_t count,
                                                     const struct shepard_columns_model *model,
                                                     struct shepard_columns_means *means)
{
    columns_all(*step, lists, count, model, model->plane, means);
}

static __attribute__((noinline)) void columns_means(const struct columns_step *step,
                                                    const struct shepard_columns_list *lists,
                                                    size_t count,
                                                    const struct shepard_columns_model *model,
                                                    struct shepard_columns_means *means)
{
    struct columns_step plain = *step;
    plain.weighted = false;
    columns_all(plain, lists, count, model, NULL, means);
}

static __attribute__((noinline)) void
columns_weighted_means(const struct columns_step *step, const struct shepard_columns_list *lists,
                       size_t count, const struct shepard_columns_model *model,
                       struct shepard_columns_means *means)
{
    struct columns_step weighted = *step;
    weighted.weighted = true;
    columns_all(weighted, lists, count, model, NULL, means);
}

static void columns_predict(const struct shepard_columns *columns, size_t at,
                            const struct shepard_columns_list *lists, size_t count,
                            const struct shepard_columns_model *model,
                            struct shepard_columns_means *means)
{
    const struct columns_step step = {.columns = columns,
                                      .at = at,
                                      .scaled = columns->scaled + at * columns->count,
                                      .weighted = columns->weights != NULL};
    if (model->plane != NULL)
        columns_planes(&step, lists, count, model, means);
    else if (step.weighted)
        columns_weighted_means(&step, lists, count, model, means);
    else
        columns_means(&step, lists, count, model, means);
}

static void columns_ratios(const double *d2, size_t count, double smoothing2, const double *unit2,
                           double *ratio, double *logarithm)
{
    const size_t all = count * SHEPARD_COLUMNS_UNITS;
    for (size_t first = 0; first < all; first += LANES_D) {
        const size_t taken = all - first < LANES_D ? all - first : LANES_D;
        vd r2 = vd_all(1), unit = r2;
        for (size_t i = 0; i < taken; i++) {
            r2[i] = d2[(first + i) / SHEPARD_COLUMNS_UNITS];
            unit[i] = unit2[(first + i) % SHEPARD_COLUMNS_UNITS];
        }
        const vd u = unit / (r2 + smoothing2);
        const vd log2_u = vd_log2(vd_max(u, vd_all(0x1p-1022)));
        memcpy(ratio + first, &u, taken * sizeof *ratio);
        memcpy(logarithm + first, &log2_u, taken * sizeof *logarithm);
    }
}

const struct shepard_column_kernels SHEPARD_KERNELS(columns) = {columns_predict, columns_ratios};
