/* SPDX-License-Identifier: MIT */
/* Weighted means of many columns over lists of points. Compiled once for each instruction set.
 * Sums are not fused: a column gets the bits of plain sums over its own points. */
#include "kernel/columns_plane_impl.h"
#include "kernel/columns_power_impl.h"
#include "kernel/columns_taken_impl.h"
#include "kernel/columns_turn_impl.h"
#include "kernel/kernels.h"

/* Vectors of which powers are computed in turn: the operations of a power wait for each other, and
 * CPUs look ahead over those of fewer than four. */
#define COLUMNS_CHAINS 8

/* How weights go by powers: they are given; each column has one that has no form of its own; or
 * any.
 */
enum columns_power { POWER_GIVEN, POWER_GENERAL, POWER_ANY };

/* Columns of a step, some vectors of them. */
struct columns_step {
    const struct shepard_columns *columns;
    size_t at;            /* the first column */
    const double *scaled; /* from it on: rows SHEPARD_COLUMNS_STEP apart */
    int vectors;
    bool weighted;
    bool plane; /* moments are summed, too */
    enum columns_power power;
    const vd *back; /* [vectors] half of 1 / scale */
    const vd *half; /* [vectors] powers where they are not given */
    double *own; /* [places looked at, LANES_D] to: weights of one vector, 0 where none; or NULL */
};

struct columns_sums {
    vd sum[SUMS][VECTORS];
    vl count[VECTORS];
    size_t places; /* looked at; any lane was open at the first of a group */
};

/* Whether no column's power has a form of its own. */
static inline bool columns_are_general(const vd *half)
{
    vl formed[VECTORS];
    for (int v = 0; v < VECTORS; v++)
        formed[v] = (half[v] == 0.5) | (half[v] == 1) | (half[v] == 1.5) | (half[v] == 2);
    return !columns_any(formed, VECTORS);
}

/* The weights of powers that have a form of their own, as vd_decay has them; others stay. */
static inline vd columns_form(vd half, vd ratio, vd general)
{
    const vd root = vd_sqrt(ratio);
    const vd odd =
        vd_select((vl)(half == 0.5), root, vd_select((vl)(half == 1.5), ratio * root, general));
    return vd_select((vl)(half == 1), ratio, vd_select((vl)(half == 2), ratio * ratio, odd));
}

/* The numbers, weights or logarithms, at place j of the list beside the units from `first` on. */
static inline vd columns_given(const double *w, const struct shepard_columns_list *list,
                               size_t first, size_t j, vl choice)
{
    return vd_choose(w + first * list->places + j * SHEPARD_COLUMNS_UNITS, choice);
}

/* vd_decay of each lane's power at the group of places of the list from j on, beside the units from
 * `first` on. */
static inline __attribute__((always_inline)) void
columns_weigh(const struct columns_step *step, const struct shepard_columns_list *list,
              size_t first, const vl *choice, size_t j, vd *w)
{
    const int vectors = step->vectors, all = SHEPARD_COLUMNS_PLACES * vectors;
    const int chains = all < COLUMNS_CHAINS ? all : COLUMNS_CHAINS;
    for (int i = 0; i < all; i++)
        w[i] =
            step->half[i % vectors] * columns_given(list->logarithm, list, first,
                                                    j + (size_t)(i / vectors), choice[i % vectors]);
    for (int i = 0; i < all; i += chains)
        vd_exp2_normal_each(w + i, chains, true);
    for (int i = 0; i < all && step->power == POWER_ANY; i++)
        w[i] = columns_form(
            step->half[i % vectors],
            columns_given(list->w, list, first, j + (size_t)(i / vectors), choice[i % vectors]),
            w[i]);
}

/* q of a point as the columns of vector v count it. */
static inline vd columns_quality(const struct columns_step *step, size_t rank, int v)
{
    const struct shepard_columns *columns = step->columns;
    const vd highest = vd_load(columns->highest + step->at + (size_t)v * LANES_D);
    return vd_max(vd_all(columns->weights[rank]) / highest, vd_all(columns->least_weight));
}

/* Adds products with the offsets of place j. In this order all sums of a vector are in registers.
 */
static inline __attribute__((always_inline)) void
columns_add_offsets(const struct shepard_columns_list *list, size_t j, int v, vd w, vd wz,
                    struct columns_sums *sums)
{
    const vd dx = vd_all(list->dx[j]);
    sums->sum[SUM_ZX][v] += wz * dx;
    const vd wx = w * dx;
    sums->sum[SUM_X][v] += wx;
    sums->sum[SUM_XX][v] += wx * dx;
    const vd dy = vd_all(list->dy[j]);
    sums->sum[SUM_XY][v] += wx * dy;
    sums->sum[SUM_ZY][v] += wz * dy;
    const vd wy = w * dy;
    sums->sum[SUM_Y][v] += wy;
    sums->sum[SUM_YY][v] += wy * dy;
}

/* Adds place j of the list with these weights [vectors] to lanes that have a value there, and fewer
 * than `most` before it where open: each of the first `most` places is looked at without. Counts
 * values less 1 for each place, beyond `most`, too. of: the lanes whose weights are kept; NULL:
 * all.
 */
static inline __attribute__((always_inline)) void
columns_add(const struct columns_step *step, const struct shepard_columns_list *list, size_t j,
            const vl *of, const vd *weights, bool open, vl left, struct columns_sums *sums)
{
    const size_t rank = list->rank[j];
    for (int v = 0; v < step->vectors; v++) {
        const vd scaled = vd_load(step->scaled + rank * SHEPARD_COLUMNS_STEP + v * LANES_D);
        const vl missing = columns_missing(scaled);
        const vd all = step->weighted ? weights[v] * columns_quality(step, rank, v) : weights[v];
        const vl taken = open ? ~missing & (vl)(sums->count[v] < left) : ~missing;
        const vd w = columns_keep(taken, all);
        const vd wz = w * scaled;
        sums->count[v] += missing;
        sums->sum[SUM_1][v] += w;
        sums->sum[SUM_Z][v] += wz;
        if (step->plane)
            columns_add_offsets(list, j, v, w, wz, sums);
        if (step->own != NULL) {
            double *const kept = step->own + j * LANES_D;
            vd_store(kept, of == NULL ? w : vd_select(of[v], w, vd_load(kept)));
        }
    }
}

/* Adds the group of places from j on. left: what `most` is to values less 1 for each place. */
static inline __attribute__((always_inline)) void
columns_add_group(const struct columns_step *step, const struct shepard_columns_list *list,
                  size_t first, const vl *choice, size_t j, const vl *of, bool open, vl left,
                  struct columns_sums *sums)
{
    vd w[SHEPARD_COLUMNS_PLACES * VECTORS];
    if (step->power != POWER_GIVEN)
        columns_weigh(step, list, first, choice, j, w);
    SHEPARD_UNROLL
    for (int p = 0; p < SHEPARD_COLUMNS_PLACES; p++) {
        vd given[VECTORS];
        for (int v = 0; v < step->vectors && step->power == POWER_GIVEN; v++)
            given[v] = columns_given(list->w, list, first, j + (size_t)p, choice[v]);
        columns_add(step, list, j + (size_t)p, of,
                    step->power == POWER_GIVEN ? given : w + p * step->vectors, open, left, sums);
        left -= 1;
    }
}

/* Over the list, with weights beside the units from `first` on, for lanes `of`; the lanes without
 * any of these. */
static inline __attribute__((always_inline)) void
columns_run(const struct columns_step *step, const struct shepard_columns_list *list, size_t first,
            const vl *of, struct columns_sums *sums, vl *none)
{
    const size_t reach = list->count < list->most ? list->count : list->most;
    const size_t sure = reach / SHEPARD_COLUMNS_PLACES * SHEPARD_COLUMNS_PLACES;
    const struct columns_sums start = {.places = 0};
    vl choice[VECTORS];
    columns_choose(step->vectors, step->scaled, list, first, choice, none);
    *sums = start;
    for (; sums->places < sure; sums->places += SHEPARD_COLUMNS_PLACES)
        columns_add_group(step, list, first, choice, sums->places, of, false, (vl){0}, sums);
    for (; sums->places < list->count; sums->places += SHEPARD_COLUMNS_PLACES) {
        const vl left = (vl){0} + (int64_t)reach - (int64_t)sums->places;
        vl open[VECTORS];
        for (int v = 0; v < step->vectors; v++)
            open[v] = (vl)(sums->count[v] < left);
        if (!columns_any(open, step->vectors))
            break;
        columns_add_group(step, list, first, choice, sums->places, of, true, left, sums);
    }
    for (int v = 0; v < step->vectors; v++)
        sums->count[v] += (int64_t)sums->places;
}

static inline __attribute__((always_inline)) struct columns_sums
columns_sum(const struct columns_step *step, const struct shepard_columns_list *list)
{
    struct columns_sums sums;
    vl none[VECTORS];
    columns_run(step, list, 0, NULL, &sums, none);
    for (size_t u = SHEPARD_COLUMNS_UNITS; u < list->units && columns_any(none, step->vectors);
         u += SHEPARD_COLUMNS_UNITS) {
        struct columns_sums own;
        vl still[VECTORS];
        columns_run(step, list, u, none, &own, still);
        for (int v = 0; v < step->vectors; v++) {
            for (int s = 0; s < (step->plane ? SUMS : SUMS_MEAN); s++)
                sums.sum[s][v] = vd_select(none[v], own.sum[s][v], sums.sum[s][v]);
            sums.count[v] = (none[v] & own.count[v]) | (~none[v] & sums.count[v]);
            none[v] &= still[v];
        }
    }
    for (int v = 0; v < step->vectors; v++)
        sums.count[v] &= ~none[v];
    return sums;
}

/* Asks for the rows of a list, which are scattered over a table that first-level caches do not
 * hold. */
static inline void columns_prefetch(const double *rows, const uint32_t *rank, size_t count)
{
    for (size_t j = 0; j < count; j++)
        for (size_t c = 0; c < SHEPARD_COLUMNS_STEP; c += COLUMNS_LINE)
            __builtin_prefetch(rows + rank[j] * SHEPARD_COLUMNS_STEP + c);
}

/* The plane of one vector in axes near those of its points; the weights are computed again. half:
 * powers, or NULL. */
static __attribute__((noinline)) vd columns_raise_in_axes(const struct plane_lanes *lanes,
                                                          const vd *half, vl *regular)
{
    double own[SHEPARD_COLUMNS_PLANE_POINTS * LANES_D];
    struct columns_step step = {.columns = lanes->columns,
                                .at = lanes->at,
                                .scaled = lanes->scaled,
                                .vectors = 1,
                                .weighted = lanes->columns->weights != NULL,
                                .power = POWER_GIVEN,
                                .half = half,
                                .own = own};
    if (half != NULL)
        step.power = POWER_ANY;
    (void)columns_sum(&step, lanes->list);
    return plane_value_in_axes(lanes, own, regular);
}

/* a / scale, with its bits: products with powers of two; 1 / scale alone may overflow. */
static inline vd columns_unscale(vd a, vd back)
{
    return (a + a) * back;
}

/* The mean of sums of vector v. */
static inline vd columns_mean(const struct columns_step *step, int v, vd w, vd wz)
{
    const struct shepard_columns *columns = step->columns;
    const size_t at = step->at + (size_t)v * LANES_D;
    const vd low = vd_load(columns->low + at), high = vd_load(columns->high + at);
    const vd mean = vd_load(columns->middle + at) + columns_unscale(wz / w, step->back[v]);
    return vd_select((vl)(mean < low), low, vd_select((vl)(mean > high), high, mean));
}

/* How many points are taken of so many values. */
static inline vd columns_points(const struct shepard_columns_list *list, vl values)
{
    const vd count = vd_of(values), most = vd_all((double)list->most);
    return vd_select((vl)(count < most), count, most);
}

/* What the sums of vector v give: a mean, or the value of a plane. */
static inline __attribute__((always_inline)) void
columns_finish(const struct columns_step *step, const struct shepard_columns_list *list, int v,
               const struct columns_sums *sums, const struct shepard_columns_plane *plane,
               double *means, double *counts)
{
    const struct shepard_columns *columns = step->columns;
    const size_t at = step->at + (size_t)v * LANES_D;
    vd mean = columns_mean(step, v, sums->sum[SUM_1][v], sums->sum[SUM_Z][v]);
    vd count = columns_points(list, sums->count[v]);
    if (step->plane) {
        const size_t places = sums->places < list->count ? sums->places : list->count;
        vd sum[SUMS];
        vl good;
        for (int s = 0; s < SUMS; s++)
            sum[s] = sums->sum[s][v];
        const struct plane_moments about = plane_about(sum);
        const vd median2 = plane_median2(list, step->scaled, places, count);
        const vd rise = plane_rise(&about, sum, plane, median2, &good);
        vd value = mean + columns_unscale(rise, step->back[v]);
        if (vl_bits(~good & (vl)(count > 0)) != 0) {
            const struct plane_lanes lanes = {columns,      list, plane,      at,    places,
                                              step->scaled, mean, sum[SUM_1], about, median2};
            const vd half = step->power != POWER_GIVEN ? step->half[v] : mean;
            vl regular;
            value = vd_select(
                good, value,
                columns_raise_in_axes(&lanes, step->power != POWER_GIVEN ? &half : NULL, &regular));
            good |= regular;
        }
        mean = value;
        count = vd_select((vl)(count > 0) & (~good | (vl)(count < 2)), vd_all(-1), count);
    }
    vd_store(means, mean);
    vd_store(counts, count);
}

/* At one list. Planes sum more than registers hold of all vectors together. */
static inline __attribute__((always_inline)) void
columns_one(struct columns_step step, const struct shepard_columns_list *list,
            enum columns_power power, const struct shepard_columns_plane *plane, double *mean,
            double *count)
{
    step.power = power;
    step.vectors = step.plane ? 1 : VECTORS_AT_ONCE;
    for (int from = 0; from < VECTORS; from += step.vectors) {
        const struct columns_sums sums = columns_sum(&step, list);
        for (int v = 0; v < step.vectors; v++)
            columns_finish(&step, list, v, &sums, plane, mean + (from + v) * LANES_D,
                           count + (from + v) * LANES_D);
        step.at += (size_t)step.vectors * LANES_D;
        step.scaled += step.vectors * LANES_D;
        step.back += step.vectors;
        if (power != POWER_GIVEN)
            step.half += step.vectors;
    }
}

/* At a list where each column has a power of its own. */
static inline __attribute__((always_inline)) void
columns_adapted(struct columns_step step, const struct shepard_columns_list *list,
                const struct columns_powers *powers, const struct shepard_columns_plane *plane,
                double *mean, double *count)
{
    step.half = powers->half;
    if (columns_are_general(powers->half))
        columns_one(step, list, POWER_GENERAL, plane, mean, count);
    else
        columns_one(step, list, POWER_ANY, plane, mean, count);
    for (int v = 0; v < VECTORS; v++) {
        double *const at = count + v * LANES_D;
        vd_store(at, vd_select(powers->enough[v], vd_load(at), vd_all(-1)));
    }
}

static inline __attribute__((always_inline)) void
columns_all(struct columns_step step, const struct shepard_columns_list *lists, size_t count,
            const struct shepard_columns_model *model, const struct shepard_columns_means *means)
{
    struct columns_powers powers[COLUMNS_LISTS];
    for (size_t i = 0; i < count; i++) {
        const size_t next = i + COLUMNS_LISTS, rest = count - i;
        if (next < count)
            columns_prefetch(step.scaled, lists[next].rank, lists[next].count);
        if (model->adapt != NULL && i % COLUMNS_LISTS == 0)
            columns_powers(step.scaled, lists + i, rest < COLUMNS_LISTS ? rest : COLUMNS_LISTS,
                           model->adapt, powers);
        double *const mean = means->mean + i * SHEPARD_COLUMNS_STEP;
        double *const number = means->count + i * SHEPARD_COLUMNS_STEP;
        if (model->adapt != NULL)
            columns_adapted(step, &lists[i], &powers[i % COLUMNS_LISTS], model->plane, mean,
                            number);
        else
            columns_one(step, &lists[i], POWER_GIVEN, model->plane, mean, number);
    }
}

/* Copies of columns_all with constants; functions of their own, so that none has all their room. */
#define COLUMNS_COPY(name, planes, weighs)                                                         \
    static __attribute__((noinline)) void name(                                                    \
        struct columns_step step, const struct shepard_columns_list *lists, size_t count,          \
        const struct shepard_columns_model *model, const struct shepard_columns_means *means)      \
    {                                                                                              \
        step.plane = planes;                                                                       \
        step.own = NULL;                                                                           \
        step.weighted = weighs;                                                                    \
        columns_all(step, lists, count, model, means);                                             \
    }
COLUMNS_COPY(columns_means, false, false)
COLUMNS_COPY(columns_weighted_means, false, true)
COLUMNS_COPY(columns_planes, true, false)
COLUMNS_COPY(columns_weighted_planes, true, true)

/* Means of one list by taken_sum; false: to be summed by columns_one. */
static inline __attribute__((always_inline)) bool
columns_take(const struct columns_step *step, const struct shepard_columns_list *list, double *mean,
             double *count)
{
    bool all = true;
    for (int from = 0; from < VECTORS; from += VECTORS_AT_ONCE) {
        struct taken_sums sums;
        all &= taken_sum(VECTORS_AT_ONCE, step->scaled + from * LANES_D, list, &sums);
        for (int v = 0; v < VECTORS_AT_ONCE; v++) {
            vd_store(mean + (from + v) * LANES_D,
                     columns_mean(step, from + v, sums.w[v], sums.wz[v]));
            vd_store(count + (from + v) * LANES_D, columns_points(list, sums.count[v]));
        }
    }
    return all;
}

static __attribute__((noinline)) void
columns_taken(struct columns_step step, const struct shepard_columns_list *lists, size_t count,
              const struct shepard_columns_model *model, const struct shepard_columns_means *means)
{
    for (size_t i = 0; i < count; i++) {
        const size_t next = i + COLUMNS_LISTS;
        double *const mean = means->mean + i * SHEPARD_COLUMNS_STEP;
        double *const number = means->count + i * SHEPARD_COLUMNS_STEP;
        if (next < count)
            columns_prefetch(step.scaled, lists[next].rank, lists[next].count);
        if (!columns_take(&step, &lists[i], mean, number))
            columns_means(step, lists + i, 1, model, &(struct shepard_columns_means){mean, number});
    }
}

static void columns_predict(const struct shepard_columns *columns, size_t at,
                            const struct shepard_columns_list *lists, size_t count,
                            const struct shepard_columns_model *model,
                            const struct shepard_columns_means *means)
{
    vd back[VECTORS];
    for (int v = 0; v < VECTORS; v++)
        back[v] = 0.5 / vd_load(columns->scale + at + v * LANES_D);
    const struct columns_step step = {.columns = columns,
                                      .at = at,
                                      .back = back,
                                      .scaled = columns->scaled + at * (columns->count + 1),
                                      .weighted = columns->weights != NULL};
    if (model->plane != NULL && step.weighted)
        columns_weighted_planes(step, lists, count, model, means);
    else if (model->plane != NULL)
        columns_planes(step, lists, count, model, means);
    else if (step.weighted)
        columns_weighted_means(step, lists, count, model, means);
    else if (model->adapt != NULL)
        columns_means(step, lists, count, model, means);
    else
        columns_taken(step, lists, count, model, means);
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

const struct shepard_column_kernels SHEPARD_KERNELS(columns) = {columns_predict, columns_turn,
                                                                columns_ratios};
