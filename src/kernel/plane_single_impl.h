/* SPDX-License-Identifier: MIT */
/* What planes need of sums in single precision: moments of offsets, summed in float32. Included by
 * sum_single_impl.h, which has the weights. */
#ifndef SHEPARD_KERNEL_PLANE_SINGLE_IMPL_H
#define SHEPARD_KERNEL_PLANE_SINGLE_IMPL_H

/* Adds sums of the weights times 1, x, y, xx, xy, yy to those of a vector of targets; x and y are
 * offsets from the target. */
static inline void add_plane_weights_single(struct shepard_sum_single *sum, size_t lane,
                                            const vf *sums)
{
    add_single(sum->w + lane, sums[0]);
    add_single(sum->wx + lane, sums[1]);
    add_single(sum->wy + lane, sums[2]);
    add_single(sum->wxx + lane, sums[3]);
    add_single(sum->wxy + lane, sums[4]);
    add_single(sum->wyy + lane, sums[5]);
}

/* Of a column times 1, x, y. */
static inline void add_plane_column_single(struct shepard_sum_single *sum, size_t lane,
                                           size_t column, const vf *sums)
{
    const size_t at = column * SHEPARD_LANES + lane;
    add_single(sum->z + at, sums[0]);
    add_single(sum->zx + at, sums[1]);
    add_single(sum->zy + at, sums[2]);
}

/* ---- points ---------------------------------------------------------------------------------- */

/* Points of a group, and a vector of targets; places from the group's centre. */
struct group_places {
    const float *x, *y;
    size_t count;
    vf target_x, target_y;
    const vf *w; /* without the points' weights q */
};

/* As many are summed before their sums are added to those of the others. */
#define PLANE_POINTS 16

/* Sums of a part of the points, with or without those of a column. charges: NULL without; q: NULL
 * where all are 1. */
static inline __attribute__((always_inline)) void
sum_plane_points(const struct group_places *points, size_t from, size_t end, const float *q,
                 const float *charges, const bool weights, vf *sums)
{
    vf w = vf_all(0), wx = w, wy = w, wxx = w, wxy = w, wyy = w, z = w, zx = w, zy = w;
    for (size_t j = from; j < end; j++) {
        const vf x = points->x[j] - points->target_x, y = points->y[j] - points->target_y;
        if (weights) {
            const vf own = q != NULL ? points->w[j] * q[j] : points->w[j];
            const vf along = own * x, across = own * y;
            w += own;
            wx += along;
            wy += across;
            wxx = vf_fma(along, x, wxx);
            wxy = vf_fma(along, y, wxy);
            wyy = vf_fma(across, y, wyy);
        }
        if (charges != NULL) {
            const vf own = points->w[j] * charges[j];
            z += own;
            zx = vf_fma(own, x, zx);
            zy = vf_fma(own, y, zy);
        }
    }
    vf *const column = sums + (weights ? PLANE_OF_WEIGHTS : 0);
    if (weights) {
        const vf of_weights[PLANE_OF_WEIGHTS] = {w, wx, wy, wxx, wxy, wyy};
        for (size_t i = 0; i < PLANE_OF_WEIGHTS; i++)
            sums[i] += of_weights[i];
    }
    if (charges != NULL) {
        column[0] += z;
        column[1] += zx;
        column[2] += zy;
    }
}

static inline __attribute__((always_inline)) void sum_plane_group(const struct group_places *points,
                                                                  const float *q,
                                                                  const float *charges,
                                                                  const bool weights, vf *sums)
{
    for (size_t i = 0; i < PLANE_SETS; i++)
        sums[i] = vf_all(0);
    for (size_t from = 0; from < points->count; from += PLANE_POINTS) {
        const size_t left = points->count - from;
        sum_plane_points(points, from, from + (left < PLANE_POINTS ? left : PLANE_POINTS), q,
                         charges, weights, sums);
    }
}

/* Adds the points of a group, first of all points. */
static void add_plane_points(const struct shepard_sum_data *data, struct shepard_sum_single *sum,
                             const struct group_places *points, size_t first, size_t lane)
{
    const float *q = data->charge == NULL ? NULL : data->charge + first;
    vf sums[PLANE_SETS];
    if (data->columns > 0 && q == NULL)
        sum_plane_group(points, NULL, data->charges[0] + first, true, sums);
    else
        sum_plane_group(points, q, data->columns > 0 ? data->charges[0] + first : NULL, true, sums);
    add_plane_weights_single(sum, lane, sums);
    for (size_t c = 0; c < data->columns; c++) {
        if (c > 0)
            sum_plane_group(points, NULL, data->charges[c] + first, false, sums);
        add_plane_column_single(sum, lane, c, sums + (c > 0 ? 0 : PLANE_OF_WEIGHTS));
    }
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* The terms of the lowest degrees, which are the largest, are summed in double, with moments in
 * double; the others in float32. */
#define PLANE_EXACT 1

typedef float four __attribute__((vector_size(16)));
typedef int32_t four_indices __attribute__((vector_size(16)));

/* Of the moments of a charge: two degrees more than those that are summed, and what vectors of four
 * write and read behind. */
#define PLANE_ROOM (SHEPARD_TERMS(SHEPARD_ORDER_SINGLE + 2) + 8)

/* Moments of a node for a step, raised. */
struct raised_moments {
    float set[PLANE_SETS][PLANE_ROOM];
    double exact[PLANE_SETS][SHEPARD_TERMS(PLANE_EXACT + 2)];
};

static inline four four_load(const float *a)
{
    four v;
    memcpy(&v, a, sizeof v);
    return v;
}

/* shepard_terms_raise along x and y. What is written behind a degree belongs to the next one, which
 * is written later. */
static inline __attribute__((always_inline)) void
raise_both_single(const float *moments, const int order, float *x, float *y)
{
    const four half = {.5f, .5f, .5f, .5f}, other = {.5f, -.5f, .5f, -.5f};
    SHEPARD_UNROLL
    for (int l = 0; l <= order; l++) {
        const float *row = moments + shepard_terms_at(l + 1, 0);
        float *along = x + shepard_terms_at(l, 0), *across = y + shepard_terms_at(l, 0);
        const int last = l / 2 * 2; /* of m = 0 or 1 */
        SHEPARD_UNROLL
        for (int j = 0; j < last; j += 4) {
            const four a = four_load(row + j), b = four_load(row + j + 2), rest = a - b;
            const four sum = (a + b) * half;
            const four turned = __builtin_shufflevector(rest, rest, 1, 0, 3, 2) * other;
            memcpy(along + j, &sum, sizeof sum);
            memcpy(across + j, &turned, sizeof turned);
        }
        along[last] = row[last] * .5f;
        across[last] = row[last + 1] * .5f;
        if (l % 2 == 1) {
            along[last] += row[last + 2];
            along[last + 1] = row[last + 1] * .5f;
            across[last + 1] = row[last + 2] - row[last] * .5f;
        }
    }
}

/* As raise_rest. */
static inline __attribute__((always_inline)) void
raise_rest_single(const float *moments, const int order, const float *xx, float *yy)
{
    SHEPARD_UNROLL
    for (int l = 0; l <= order; l++) {
        const int at = shepard_terms_at(l, 0);
        const float *both = moments + shepard_terms_at(l + 2, 1);
        for (int j = 0; j <= l; j++)
            yy[at + j] = both[j] - xx[at + j];
    }
}

/* As raise_charge, of the exact degrees in double. */
static inline __attribute__((always_inline)) void
raise_exact(const double *moments, const int degree, const bool second,
            double (*exact)[SHEPARD_TERMS(PLANE_EXACT + 2)])
{
    for (int i = 0; i < SHEPARD_TERMS(second ? degree + 2 : degree + 1); i++)
        exact[0][i] = moments[i];
    raise_both(exact[0], second ? degree + 1 : degree, exact[1], exact[2]);
    if (second) {
        raise_both(exact[1], degree, exact[3], exact[4]);
        raise_rest(exact[0], degree, exact[3], exact[5]);
    }
}

/* The moments of a charge, and of it times x and y and, with second, xx, xy, yy, as the sets from
 * one on. GCC would put vectors together from what it knows of memory that it has seen written. */
static inline __attribute__((always_inline)) void
raise_charge_single(const struct shepard_node_data *data, const struct shepard_node *node,
                    size_t charge, const int order, const bool second, size_t first,
                    struct raised_moments *to)
{
    const int terms = SHEPARD_TERMS(second ? order + 2 : order + 1);
    const double *moments = data->precise + node->moments + charge * node->stride;
    float(*set)[PLANE_ROOM] = to->set + first;
    for (int i = 0; i < terms; i++)
        set[0][i] = (float)moments[i];
    SHEPARD_REREAD(set);
    raise_both_single(set[0], second ? order + 1 : order, set[1], set[2]);
    if (second) {
        SHEPARD_REREAD(set);
        raise_both_single(set[1], order, set[3], set[4]);
        SHEPARD_REREAD(set);
        raise_rest_single(set[0], order, set[3], set[5]);
    }
    raise_exact(moments, order < PLANE_EXACT ? order : PLANE_EXACT, second, to->exact + first);
}

/* A node at one vector of targets in double, half of one in float32. */
struct plane_half {
    vd x, y;            /* centre - target */
    vd re[4], im[4], h; /* V to the 1, 2, 4, 8, V = rho (X + iY) / R^2; (rho / R)^2 */
    vd d2, w;           /* squared distance, weight at the centre */
    vd terms[SHEPARD_TERMS(PLANE_EXACT)]; /* of the exact degrees, without moments */
};

static inline __attribute__((always_inline)) void
look_at_plane_half(const struct shepard_sum_single *sum, const struct shepard_node *node,
                   size_t lane, struct plane_half *to)
{
    const vd lambda = vd_load(sum->decay.half_power + lane);
    to->x = node->x - vd_load(sum->x + lane);
    to->y = node->y - vd_load(sum->y + lane);
    to->d2 = vd_fma(to->x, to->x, to->y * to->y);
    const vd step = -node->scale / to->d2;
    to->h = step * -node->scale;
    to->re[0] = to->x * step;
    to->im[0] = to->y * step;
    for (int i = 1; i < 4; i++) {
        to->re[i] = vd_fma(to->re[i - 1], to->re[i - 1], -(to->im[i - 1] * to->im[i - 1]));
        to->im[i] = 2 * to->re[i - 1] * to->im[i - 1];
    }
    to->terms[1] = lambda * to->re[0];
    to->terms[2] = lambda * to->im[0];
}

/* A node at one vector of targets in float32. */
struct plane_node {
    struct plane_half half[2];
    vf terms[SHEPARD_TERMS(SHEPARD_ORDER_SINGLE)]; /* of all degrees but the exact ones */
};

/* How sum->room is laid out. */
struct plane_room {
    struct plane_node at;
    struct raised_moments moments;
};
_Static_assert(sizeof(struct plane_room) <= SHEPARD_SUM_ROOM * sizeof(double), "room of sums");

/* Powers of rho (X + iY) / R^2. */
struct powers_single {
    vf re[SHEPARD_ORDER_SINGLE + 1], im[SHEPARD_ORDER_SINGLE + 1];
};

/* Powers from those whose exponents are powers of two, which were made in double. */
static inline __attribute__((always_inline)) void
make_plane_powers(const int order, const struct plane_half *half, struct powers_single *powers)
{
    for (int i = 0; i < 4 && 1 << i <= order; i++) {
        powers->re[1 << i] = vf_join(half[0].re[i], half[1].re[i]);
        powers->im[1 << i] = vf_join(half[0].im[i], half[1].im[i]);
    }
    SHEPARD_UNROLL
    for (int m = 3; m <= order; m++) {
        const int a = m >= 8 ? 8 : m >= 4 ? 4 : 2, b = m - a;
        if (b == 0)
            continue;
        powers->re[m] = vf_fma(powers->re[a], powers->re[b], -(powers->im[a] * powers->im[b]));
        powers->im[m] = vf_fma(powers->re[a], powers->im[b], powers->im[a] * powers->re[b]);
    }
}

static inline __attribute__((always_inline)) void
look_at_plane_node(const int order, const struct shepard_sum_single *sum,
                   const struct shepard_node *node, size_t lane, struct plane_node *to)
{
    const struct single_decay decay = single_decay_at(sum, lane);
    struct plane_half *half = to->half;
    struct powers_single powers;
    look_at_plane_half(sum, node, lane, &half[0]);
    look_at_plane_half(sum, node, lane + LANES_D, &half[1]);
    const vf w = single_weight_of_form(sum->decay.form, vf_join(half[0].d2, half[1].d2), &decay);
    half[0].w = vd_low(w);
    half[1].w = vd_high(w);
    make_plane_powers(order, half, &powers);
    const vf h = vf_join(half[0].h, half[1].h);
    vf power = h;
    SHEPARD_UNROLL
    for (int k = 0; 2 * k <= order; k++) {
        SHEPARD_UNROLL
        for (int l = 2 * k > PLANE_EXACT ? 2 * k : PLANE_EXACT + 1; l <= order; l++) {
            const int m = l - 2 * k, at = shepard_terms_at(l, k);
            const vf given =
                vf_load(sum->factors[0] + lane + shepard_terms_factor(l, k) * SHEPARD_LANES);
            const vf factor = k == 0 ? given : given * power;
            to->terms[at] = m > 0 ? factor * powers.re[m] : factor;
            if (m > 0)
                to->terms[at + 1] = factor * powers.im[m];
        }
        if (k > 0)
            power *= h;
    }
}

/* Sums over the first sets at once. */
static inline __attribute__((always_inline)) void
sum_plane_sets(const struct plane_node *at, const struct raised_moments *moments, const int order,
               const size_t count, vd sums[2][PLANE_SETS])
{
    const int exact = SHEPARD_TERMS(order < PLANE_EXACT ? order : PLANE_EXACT);
    vf sum[PLANE_SETS];
    for (size_t j = 0; j < count; j++)
        sum[j] = vf_all(0);
    for (int i = SHEPARD_TERMS(order) - 1; i >= exact; i--) {
        SHEPARD_UNROLL
        for (size_t j = 0; j < count; j++)
            sum[j] = vf_fma(at->terms[i], vf_all(moments->set[j][i]), sum[j]);
    }
    for (size_t j = 0; j < count; j++) {
        sums[0][j] = vd_low(sum[j]) + moments->exact[j][0];
        sums[1][j] = vd_high(sum[j]) + moments->exact[j][0];
    }
    for (int i = 0; i < 2; i++)
        for (size_t j = 0; j < count; j++) {
            for (int term = 1; term < exact; term++)
                sums[i][j] =
                    vd_fma(at->half[i].terms[term], vd_all(moments->exact[j][term]), sums[i][j]);
            sums[i][j] *= at->half[i].w;
        }
}

/* The same for as many sets as a step has. */
static inline __attribute__((always_inline)) void
sum_plane_step(const struct plane_node *at, const struct raised_moments *moments, const int order,
               const struct plane_step *step, vd sums[2][PLANE_SETS])
{
    const size_t sets = (step->weights ? PLANE_OF_WEIGHTS : 0) + step->columns * PLANE_OF_COLUMN;
    if (sets == PLANE_SETS)
        sum_plane_sets(at, moments, order, PLANE_SETS, sums);
    else if (sets == 2 * PLANE_OF_COLUMN)
        sum_plane_sets(at, moments, order, 2 * PLANE_OF_COLUMN, sums);
    else
        sum_plane_sets(at, moments, order, PLANE_OF_COLUMN, sums);
}
_Static_assert(PLANE_OF_WEIGHTS == 2 * PLANE_OF_COLUMN, "weights alone have as many sets as two");

static inline void add_vector(double *sum, vd term)
{
    vd_store(sum, vd_load(sum) + term);
}

/* Adds sums about the node's centre, lengths in units of its radius, to those about the target. */
static inline void add_half_weights(struct shepard_sum_single *sum, const struct plane_half *half,
                                    double scale, size_t lane, const vd *s)
{
    const vd x = scale * s[1], y = scale * s[2], scale2 = vd_all(scale * scale);
    const vd along = vd_fma(half->x, s[0], x), across = vd_fma(half->y, s[0], y);
    add_vector(sum->w + lane, s[0]);
    add_vector(sum->wx + lane, along);
    add_vector(sum->wy + lane, across);
    add_vector(sum->wxx + lane, vd_fma(half->x, x + along, scale2 * s[3]));
    add_vector(sum->wxy + lane, vd_fma(half->x, y, vd_fma(half->y, along, scale2 * s[4])));
    add_vector(sum->wyy + lane, vd_fma(half->y, y + across, scale2 * s[5]));
    add_vector(sum->radius2 + lane, scale2 * s[0]);
}

static inline void add_half_column(struct shepard_sum_single *sum, const struct plane_half *half,
                                   double scale, size_t at, const vd *s)
{
    add_vector(sum->z + at, s[0]);
    add_vector(sum->zx + at, vd_fma(half->x, s[0], scale * s[1]));
    add_vector(sum->zy + at, vd_fma(half->y, s[0], scale * s[2]));
}

/* Raises the moments of the charges of a step. */
static inline __attribute__((always_inline)) void
raise_plane_step(const int order, const struct shepard_node_data *data,
                 const struct shepard_node *node, const struct plane_step *step,
                 struct raised_moments *moments)
{
    const size_t before = step->weights ? PLANE_OF_WEIGHTS : 0;
    if (step->weights)
        raise_charge_single(data, node, 0, order, true, 0, moments);
    for (size_t c = 0; c < step->columns; c++)
        raise_charge_single(data, node, step->first + c + 1, order, false,
                            before + c * PLANE_OF_COLUMN, moments);
}

/* Adds the sums of a step at one vector of targets. */
static inline __attribute__((always_inline)) void
add_plane_step(const int order, struct shepard_sum_single *sum, const struct shepard_node *node,
               const struct plane_step *step, struct plane_room *room, size_t lane)
{
    const size_t before = step->weights ? PLANE_OF_WEIGHTS : 0;
    vd sums[2][PLANE_SETS];
    look_at_plane_node(order, sum, node, lane, &room->at);
    sum_plane_step(&room->at, &room->moments, order, step, sums);
    for (size_t i = 0; i < 2; i++, lane += LANES_D) {
        const struct plane_half *half = &room->at.half[i];
        if (step->weights)
            add_half_weights(sum, half, node->scale, lane, sums[i]);
        for (size_t c = 0; c < step->columns; c++)
            add_half_column(sum, half, node->scale, (step->first + c) * SHEPARD_LANES + lane,
                            sums[i] + before + c * PLANE_OF_COLUMN);
    }
}

static inline __attribute__((always_inline)) void
add_plane_node(const int order, const struct shepard_sum_data *data,
               struct shepard_sum_single *sums, size_t count, const struct shepard_node *node)
{
    struct plane_step step = plane_step_first(data->columns);
    struct plane_room *room = (void *)sums->room;
    do {
        raise_plane_step(order, &data->nodes, node, &step, &room->moments);
        for (size_t i = 0; i < count; i++)
            for (size_t lane = 0; lane < sums[i].targets; lane += LANES_F)
                add_plane_step(order, &sums[i], node, &step, room, lane);
    } while (plane_step_next(data->columns, &step));
}

/* Prefetches the moments of q and the first column: nodes of a list lie far apart in memory. */
static inline __attribute__((always_inline)) void
fetch_plane_node(const struct shepard_node_data *data, uint32_t node, const int order)
{
    const char *moments = (const char *)(data->precise + data->nodes[node].moments);
    const size_t second = data->nodes[node].stride * sizeof(double);
    for (size_t at = 0; at < SHEPARD_TERMS((size_t)order + 2) * sizeof(double); at += 64) {
        __builtin_prefetch(moments + at);
        __builtin_prefetch(moments + second + at);
    }
}

static inline __attribute__((always_inline)) void
add_plane_nodes_of_order(const int order, const struct shepard_sum_data *data,
                         struct shepard_sum_single *sums, size_t count,
                         const struct shepard_node_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        if (i + 1 < list->count)
            fetch_plane_node(&data->nodes, list->node[i + 1], order);
        add_plane_node(order, data, sums, count, &data->nodes.nodes[list->node[i]]);
    }
}

#define PLANE_NODES(order)                                                                         \
    static __attribute__((noinline)) void add_plane_nodes_##order(                                 \
        const struct shepard_sum_data *data, struct shepard_sum_single *sums, size_t count,        \
        const struct shepard_node_list *list)                                                      \
    {                                                                                              \
        add_plane_nodes_of_order(order, data, sums, count, list);                                  \
    }
PLANE_NODES(1)
PLANE_NODES(3)
PLANE_NODES(5)
PLANE_NODES(7)
PLANE_NODES(9)
PLANE_NODES(11)
PLANE_NODES(13)

static void add_plane_nodes(const struct shepard_sum_data *data, struct shepard_sum_single *sums,
                            size_t count, const struct shepard_node_list *list)
{
    static void (*const of_order[])(const struct shepard_sum_data *, struct shepard_sum_single *,
                                    size_t, const struct shepard_node_list *) = {
        add_plane_nodes_1, add_plane_nodes_3,  add_plane_nodes_5, add_plane_nodes_7,
        add_plane_nodes_9, add_plane_nodes_11, add_plane_nodes_13};
    of_order[list->order / 2](data, sums, count, list);
}

#endif
