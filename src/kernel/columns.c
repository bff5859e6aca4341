/* SPDX-License-Identifier: MIT */
/* Weighted means of many columns over lists of points. Compiled once for each instruction set.
 * Sums are not fused: a column gets the bits of plain sums over its own points. */
#include "kernel/columns_plane_impl.h"
#include "kernel/cosine.h"
#include "kernel/kernels.h"
#include "kernel/math.h"

/* Vectors of a step. */
#define VECTORS (SHEPARD_COLUMNS_STEP / LANES_D)

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
    double *own; /* [places looked at, SHEPARD_COLUMNS_STEP] to: weights, 0 where none; or NULL */
};

struct columns_sums {
    vd w[VECTORS], wz[VECTORS]; /* sums of w, w (scale z - shift) */
    vl count[VECTORS];
    size_t places; /* looked at */
};

static inline vd columns_keep(vl mask, vd a)
{
    return (vd)(mask & (vl)a);
}

/* The lanes without a value, which stands as -0. */
static inline vl columns_missing(vd scaled)
{
    return (vl)scaled == (vl)vd_all(-0.0);
}

static inline bool columns_any(const vl *masks)
{
    vl any = masks[0];
    for (int v = 1; v < VECTORS; v++)
        any |= masks[v];
    return vl_bits(any) != 0;
}

/* Whether no column's power has a form of its own. */
static inline bool columns_are_general(const struct shepard_columns_list *list)
{
    vl formed[VECTORS];
    for (int v = 0; v < VECTORS; v++) {
        const vd half = vd_load(list->half_power + v * LANES_D);
        formed[v] = (half == 0.5) | (half == 1) | (half == 1.5) | (half == 2);
    }
    return !columns_any(formed);
}

/* vd_decay of each lane's power, or the weights that are given; number `at` of the list's. */
static inline __attribute__((always_inline)) void
columns_weigh(const struct columns_step *step, const struct shepard_columns_list *list, size_t at,
              const vl *choice, const vd *half, vd *w)
{
    for (int v = 0; v < VECTORS; v++)
        w[v] = step->power == POWER_GIVEN ? vd_choose(list->w + at, choice[v])
                                          : half[v] * vd_choose(list->logarithm + at, choice[v]);
    if (step->power != POWER_GIVEN)
        vd_exp2_each(w, VECTORS, true);
    for (int v = 0; v < VECTORS && step->power == POWER_ANY; v++) {
        const vd ratio = vd_choose(list->w + at, choice[v]), root = vd_sqrt(ratio);
        const vd odd = vd_select((vl)(half[v] == 0.5), root,
                                 vd_select((vl)(half[v] == 1.5), ratio * root, w[v]));
        w[v] =
            vd_select((vl)(half[v] == 1), ratio, vd_select((vl)(half[v] == 2), ratio * ratio, odd));
    }
}

/* Adds place j of the list to lanes that have a value there, with weights beside the units from
 * `first` on, which are for lanes `of`; open: and fewer than `most`. Counts values, beyond `most`,
 * too; where not open less 1 for each place. */
static inline __attribute__((always_inline)) void
columns_add(const struct columns_step *step, const struct shepard_columns_list *list, size_t first,
            const vl *of, const vd *half, const vl *choice, size_t j, const vl *open,
            struct columns_sums *sums)
{
    const struct shepard_columns *columns = step->columns;
    const size_t rank = list->rank[j];
    const double *row = step->scaled + rank * SHEPARD_COLUMNS_STEP;
    vd weights[VECTORS];
    columns_weigh(step, list, first * list->count + j * SHEPARD_COLUMNS_UNITS, choice, half,
                  weights);
    for (int v = 0; v < VECTORS; v++) {
        const vd scaled = vd_load(row + v * LANES_D);
        const vl missing = columns_missing(scaled);
        vd own = weights[v];
        if (step->weighted)
            own *= vd_max(vd_all(columns->weights[rank]) /
                              vd_load(columns->highest + step->at + v * LANES_D),
                          vd_all(columns->least_weight));
        own = columns_keep(open != NULL ? ~missing & open[v] : ~missing, own);
        sums->w[v] += own;
        sums->wz[v] += own * scaled;
        if (step->own != NULL) {
            double *const kept = step->own + j * SHEPARD_COLUMNS_STEP + v * LANES_D;
            vd_store(kept, first == 0 ? own : vd_select(of[v], own, vd_load(kept)));
        }
        sums->count[v] += open != NULL ? missing + 1 : missing;
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

/* Over the list, with weights beside the units from `first` on, for lanes `of`; the lanes without
 * any of these. */
static inline __attribute__((always_inline)) void
columns_run(const struct columns_step *step, const struct shepard_columns_list *list, size_t first,
            const vl *of, struct columns_sums *sums, vl *none)
{
    const size_t sure = list->count < list->most ? list->count : list->most;
    const vl most = (vl){0} + (int64_t)sure;
    vl choice[VECTORS], open[VECTORS];
    vd half[VECTORS];
    columns_choose(step, list, first, choice, none);
    for (int v = 0; v < VECTORS; v++) {
        sums->w[v] = sums->wz[v] = vd_all(0);
        sums->count[v] = (vl){0};
        half[v] = step->power == POWER_GIVEN ? vd_all(0) : vd_load(list->half_power + v * LANES_D);
    }
    for (size_t j = 0; j < sure; j++)
        columns_add(step, list, first, of, half, choice, j, NULL, sums);
    for (int v = 0; v < VECTORS; v++)
        sums->count[v] += most;
    sums->places = sure;
    for (size_t j = sure; j < list->count; j++, sums->places++) {
        for (int v = 0; v < VECTORS; v++)
            open[v] = (vl)(sums->count[v] < most);
        if (!columns_any(open))
            break;
        columns_add(step, list, first, of, half, choice, j, open, sums);
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
                                          .places = sums->places,
                                          .own = step->own + from,
                                          .w = sums->w[v],
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

static inline __attribute__((always_inline)) void
columns_all(const struct shepard_columns *columns, size_t at,
            const struct shepard_columns_list *lists, size_t count, bool weighted,
            const struct shepard_columns_plane *plane, struct shepard_columns_means *means)
{
    double own[SHEPARD_COLUMNS_PLANE_POINTS * SHEPARD_COLUMNS_STEP];
    const struct columns_step step = {.columns = columns,
                                      .at = at,
                                      .scaled = columns->scaled + at * columns->count,
                                      .weighted = weighted,
                                      .own = plane != NULL ? own : NULL};
    for (size_t i = 0; i < count; i++) {
        if (i + 1 < count)
            columns_prefetch(step.scaled, lists[i + 1].rank, lists[i + 1].count);
        if (lists[i].half_power == NULL)
            columns_one(step, &lists[i], POWER_GIVEN, plane, &means[i]);
        else if (columns_are_general(&lists[i]))
            columns_one(step, &lists[i], POWER_GENERAL, plane, &means[i]);
        else
            columns_one(step, &lists[i], POWER_ANY, plane, &means[i]);
    }
}

static void columns_average(const struct shepard_columns *columns, size_t at,
                            const struct shepard_columns_list *lists, size_t count,
                            struct shepard_columns_means *means)
{
    if (columns->weights != NULL)
        columns_all(columns, at, lists, count, true, NULL, means);
    else
        columns_all(columns, at, lists, count, false, NULL, means);
}

static void columns_planes(const struct shepard_columns *columns, size_t at,
                           const struct shepard_columns_list *lists, size_t count,
                           const struct shepard_columns_plane *plane,
                           struct shepard_columns_means *means)
{
    columns_all(columns, at, lists, count, columns->weights != NULL, plane, means);
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

/* cos(pi a) as kernel/cosine.h has it. */
static inline vd vd_cosine(vd a)
{
    static const double terms[] = {SHEPARD_COSINE_TERMS};
    const vd t = 0.5 - a, square = t * t;
    vd p;
    VD_POLYNOMIALS(terms, &square, &p, 1, false);
    return t * p;
}

/* shepard_adapt_power of core/adapt.h, of each lane's mean distance over the one expected. */
static inline vd columns_power(const struct shepard_columns_adapt *adapt, vd r)
{
    const double *alphas = adapt->alphas;
    const vd between = 0.5 - 0.5 * vd_cosine((r - adapt->r_min) / adapt->r_max);
    const vd mu = vd_select((vl)(r >= adapt->r_max), vd_all(1),
                            vd_select((vl)(r > adapt->r_min), between, vd_all(0)));
    const vd position = (mu - 0.1) * 5;
    const vl i = -((vl)(position >= 1) + (vl)(position >= 2) + (vl)(position >= 3));
    const vd t = position - vd_of(i);
    const vl choice = vl_choice(i);
    const vd power = (1 - t) * vd_choose(alphas, choice) + t * vd_choose(alphas + 1, choice);
    return vd_select((vl)(mu >= 0.9), vd_all(alphas[4]),
                     vd_select((vl)(mu > 0.1), power, vd_all(alphas[0])));
}

static void columns_powers(const struct shepard_columns *columns, size_t at,
                           const struct shepard_columns_near *near,
                           const struct shepard_columns_adapt *adapt,
                           struct shepard_columns_powers *powers)
{
    const double *scaled = columns->scaled + at * columns->count;
    const vl most = (vl){0} + (int64_t)adapt->k;
    vd sum[VECTORS];
    vl count[VECTORS], open[VECTORS];
    for (int v = 0; v < VECTORS; v++) {
        sum[v] = vd_all(0);
        count[v] = (vl){0};
        open[v] = (vl){0} - 1;
    }
    for (size_t j = 0; j < near->count && (j < adapt->k || columns_any(open)); j++) {
        const double *row = scaled + near->rank[j] * SHEPARD_COLUMNS_STEP;
        for (int v = 0; v < VECTORS; v++) {
            const vl taken = ~columns_missing(vd_load(row + v * LANES_D)) & open[v];
            sum[v] += columns_keep(taken, vd_all(near->distance[j]));
            count[v] -= taken;
            open[v] = (vl)(count[v] < most);
        }
    }
    for (int v = 0; v < VECTORS; v++) {
        const vd expected = vd_load(adapt->r_expected + v * LANES_D);
        vd_store(powers->half + v * LANES_D,
                 columns_power(adapt, sum[v] / (double)adapt->k / expected) / 2);
        vd_store(powers->count + v * LANES_D, vd_of(count[v]));
    }
}

const struct shepard_column_kernels SHEPARD_KERNELS(columns) = {columns_average, columns_planes,
                                                                columns_ratios, columns_powers};
