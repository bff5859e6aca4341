/* SPDX-License-Identifier: MIT */
/* Sums in double. Included by sum.c. Lanes are targets; each point, each node is broadcast. A
 * target's sums do not depend on its lane or its neighbours in the block: every lane does the same
 * operations in the same order. */
#ifndef SHEPARD_KERNEL_SUM_DOUBLE_IMPL_H
#define SHEPARD_KERNEL_SUM_DOUBLE_IMPL_H

#include "kernel/decay.h"
#include "kernel/kernels.h"
#include "kernel/terms.h"
#include "kernel/turn.h"
#include "kernel/unroll.h"

/* What the terms of all charges share at a node. */
struct basis_double {
    vd re, im;                       /* rho (X + iY) / R^2 */
    const double *factors;           /* beta_mk; without smoothing */
    vd h[SHEPARD_ORDER_MAX / 2 + 1]; /* (rho / R)^2k for k > 0; without smoothing */
    const vd *smooth;                /* beta_mk (rho / R)^2k with smoothing */
};

/* The factor beta_mk (rho / R)^2k, m + 2k = degree. */
static inline __attribute__((always_inline)) vd
factor_double(const struct basis_double *basis, const bool smooth, const int degree, const int k)
{
    const int i = shepard_terms_factor(degree, k);
    if (smooth)
        return basis->smooth[i];
    const vd factor = vd_load(basis->factors + i * SHEPARD_LANES);
    return k > 0 ? factor * basis->h[k] : factor;
}

#define EXPAND_V vd
#define EXPAND_S double
#define EXPAND_M double
#define EXPAND_ALL vd_all
#define EXPAND_FMA vd_fma
#define EXPAND_MOST SHEPARD_ORDER_MAX
#define EXPAND_FACTORS_NAME factors_double
#define EXPAND_BASIS basis_double
#define EXPAND_WAY bool
#define EXPAND_FACTOR factor_double
#define EXPAND_SUM_NAME sum_terms_double
#define EXPAND_PAIR_NAME sum_term_pairs_double
#include "kernel/expand_impl.h"

/* Adds term to a row's sums from *sum on, and its rounding error to the row's rounding errors
 * (Knuth's two-sum). */
static inline void add_to(double *sum, vd term)
{
    const vd old = vd_load(sum), lost = vd_load(sum + SHEPARD_LANES);
    const vd new = old + term, added = new - old;
    vd_store(sum, new);
    vd_store(sum + SHEPARD_LANES, lost + ((old - (new - added)) + (term - added)));
}

static void recover(double *row)
{
    for (size_t i = 0; i < SHEPARD_LANES; i++)
        row[i] += row[SHEPARD_LANES + i];
}

/* One vector of targets and one group of points: weights first, then what is summed with them. */
struct block {
    const struct shepard_sum_data *data;
    struct shepard_sum_double *sum;
    size_t lane;         /* first of the vector */
    size_t first, count; /* points of the group */
    vd w[SHEPARD_GROUP];
    vd along[SHEPARD_GROUP], across[SHEPARD_GROUP]; /* with plane: offsets of the points */
};

static inline void block_weights(struct block *b, enum shepard_form form)
{
    const struct shepard_decay_lanes *decay = &b->sum->decay;
    const vd x = vd_load(b->sum->x + b->lane), y = vd_load(b->sum->y + b->lane);
    const vd smoothing2 = vd_all(decay->smoothing2);
    const vd unit2 = vd_load(decay->unit2 + b->lane);
    const vd half_power = vd_load(decay->half_power + b->lane);
    const double *px = b->data->tree->x + b->first, *py = b->data->tree->y + b->first;
    const double *q = b->data->weights;
    for (size_t j = 0; j < b->count; j++) {
        const vd dx = px[j] - x, dy = py[j] - y;
        b->w[j] = vd_decay(form, vd_fma(dx, dx, dy * dy), smoothing2, unit2, half_power);
    }
    for (size_t j = 0; q != NULL && j < b->count; j++)
        b->w[j] *= q[b->first + j];
}

static void block_weights_of_form(struct block *b)
{
    switch (b->sum->decay.form) {
    case SHEPARD_FORM_1:
        block_weights(b, SHEPARD_FORM_1);
        return;
    case SHEPARD_FORM_2:
        block_weights(b, SHEPARD_FORM_2);
        return;
    case SHEPARD_FORM_3:
        block_weights(b, SHEPARD_FORM_3);
        return;
    case SHEPARD_FORM_4:
        block_weights(b, SHEPARD_FORM_4);
        return;
    case SHEPARD_FORM_GENERAL:
        block_weights(b, SHEPARD_FORM_GENERAL);
        return;
    }
}

/* Sets the weights of left-out points to 0, whatever they are. */
static void block_leave_out(struct block *b)
{
    const struct shepard_sum_double *sum = b->sum;
    for (size_t i = 0; i < LANES_D && b->lane + i < sum->targets; i++) {
        const size_t lane = b->lane + i;
        uint64_t bits = shepard_left_out_among(&sum->left_out[lane], b->data->tree, b->first,
                                               b->count, sum->x[lane], sum->y[lane]);
        for (; bits != 0; bits &= bits - 1)
            b->w[__builtin_ctzll(bits)][i] = 0;
    }
}

static void block_totals(const struct block *b)
{
    vd w = vd_all(0), ww = w;
    for (size_t j = 0; j < b->count; j++) {
        w += b->w[j];
        ww = vd_fma(b->w[j], b->w[j], ww);
    }
    add_to(b->sum->w + b->lane, w);
    add_to(b->sum->ww + b->lane, ww);
}

static void block_straight_offsets(struct block *b)
{
    const double *px = b->data->tree->x + b->first, *py = b->data->tree->y + b->first;
    const vd x = vd_load(b->sum->origin_x + b->lane), y = vd_load(b->sum->origin_y + b->lane);
    for (size_t j = 0; j < b->count; j++) {
        b->along[j] = px[j] - x;
        b->across[j] = py[j] - y;
    }
}

/* shepard_axes_turn for the places of the group. */
static void block_offsets(struct block *b)
{
    const double *px = b->data->tree->x + b->first, *py = b->data->tree->y + b->first;
    const struct vd_axes axes = {
        vd_load(b->sum->origin_x + b->lane), vd_load(b->sum->origin_y + b->lane),
        vd_load(b->sum->main_x + b->lane), vd_load(b->sum->main_y + b->lane)};
    for (size_t j = 0; j < b->count; j++) {
        b->along[j] = vd_all(px[j]);
        b->across[j] = vd_all(py[j]);
        vd_turn(&axes, &b->along[j], &b->across[j], true);
    }
}

static void block_plane(const struct block *b)
{
    vd wx = vd_all(0), wy = wx, wxx = wx, wxy = wx, wyy = wx;
    for (size_t j = 0; j < b->count; j++) {
        const vd dx = b->along[j], dy = b->across[j];
        const vd ax = b->w[j] * dx, ay = b->w[j] * dy;
        wx += ax;
        wy += ay;
        wxx = vd_fma(ax, dx, wxx);
        wxy = vd_fma(ax, dy, wxy);
        wyy = vd_fma(ay, dy, wyy);
    }
    add_to(b->sum->wx + b->lane, wx);
    add_to(b->sum->wy + b->lane, wy);
    add_to(b->sum->wxx + b->lane, wxx);
    add_to(b->sum->wxy + b->lane, wxy);
    add_to(b->sum->wyy + b->lane, wyy);
}

static void block_column(const struct block *b, size_t column)
{
    const size_t at = column * SHEPARD_ROW + b->lane;
    const double *values = b->data->values[column] + b->first;
    const double scale = b->data->scale[column];
    const vd centre = vd_load(b->sum->centre + at) * scale;
    vd z = vd_all(0);
    for (size_t j = 0; j < b->count; j++) {
        const vd d = values[j] * scale - centre;
        z = vd_fma(b->sum->spread ? b->w[j] * d : b->w[j], d, z);
    }
    add_to(b->sum->z + at, z);
}

static void block_column_plane(const struct block *b, size_t column)
{
    const size_t at = column * SHEPARD_ROW + b->lane;
    const double *values = b->data->values[column] + b->first;
    const double scale = b->data->scale[column];
    const vd centre = vd_load(b->sum->centre + at) * scale;
    vd zx = vd_all(0), zy = zx;
    for (size_t j = 0; j < b->count; j++) {
        const vd wz = b->w[j] * (values[j] * scale - centre);
        zx = vd_fma(wz, b->along[j], zx);
        zy = vd_fma(wz, b->across[j], zy);
    }
    add_to(b->sum->zx + at, zx);
    add_to(b->sum->zy + at, zy);
}

/* Lanes past the last target repeat the first. */
static void fill_lanes(double *x, double *y, struct shepard_decay_lanes *decay, size_t targets)
{
    for (size_t i = targets; i < SHEPARD_LANES; i++) {
        x[i] = x[0];
        y[i] = y[0];
        decay->unit2[i] = decay->unit2[0];
        decay->half_power[i] = decay->half_power[0];
    }
}

/* Whether nodes are summed with the factors of one power in their moments. */
static inline bool folds_double(const struct shepard_sum_double *sum)
{
    return sum->decay.one_power && sum->decay.smoothing2 == 0 && !sum->plane && sum->order > 0;
}

static void start_smoothing(struct shepard_sum_double *sum)
{
    for (int l = 1; l <= sum->order; l++)
        for (size_t lane = 0; lane < SHEPARD_LANES; lane += LANES_D) {
            const vd lambda = vd_load(sum->decay.half_power + lane);
            vd_store(sum->rise[l] + lane, (lambda + (double)(l - 1)) / (double)l);
            vd_store(sum->fall[l] + lane, (lambda * 2 + (double)(l - 2)) / (double)l);
        }
}

static void start_double(const struct shepard_sum_data *data, struct shepard_sum_double *sum)
{
    const size_t row = sizeof sum->w, all = data->columns * row;
    fill_lanes(sum->x, sum->y, &sum->decay, sum->targets);
    memset(sum->w, 0, row);
    memset(sum->ww, 0, row);
    memset(sum->wx, 0, row);
    memset(sum->wy, 0, row);
    memset(sum->wxx, 0, row);
    memset(sum->wxy, 0, row);
    memset(sum->wyy, 0, row);
    memset(sum->z, 0, all);
    if (sum->plane) {
        memset(sum->zx, 0, all);
        memset(sum->zy, 0, all);
    }
    if (folds_double(sum)) {
        shepard_terms_make(sum->order, sum->decay.half_power[0], sum->terms);
        return;
    }
    if (sum->decay.smoothing2 > 0) {
        start_smoothing(sum);
        return;
    }
    for (size_t lane = 0; sum->order > 0 && lane < SHEPARD_LANES; lane += LANES_D)
        factors_double(sum->order, vd_load(sum->decay.half_power + lane), sum->factors[0] + lane);
}

static void sum_block(struct block *b)
{
    block_weights_of_form(b);
    if (b->sum->left_out != NULL)
        block_leave_out(b);
    block_totals(b);
    if (b->sum->plane) {
        if (b->sum->straight)
            block_straight_offsets(b);
        else
            block_offsets(b);
        block_plane(b);
    }
    for (size_t c = 0; c < b->data->columns; c++) {
        block_column(b, c);
        if (b->sum->plane)
            block_column_plane(b, c);
    }
}

static void add_points_double(const struct shepard_sum_data *data, struct shepard_sum_double *sum,
                              const struct shepard_run *run)
{
    const size_t end = run->first + run->count;
    /* Not initialized as a whole: that would write its arrays for each group. */
    struct block b;
    b.data = data;
    b.sum = sum;
    for (size_t first = run->first; first < end; first += SHEPARD_GROUP) {
        const size_t count = end - first < SHEPARD_GROUP ? end - first : SHEPARD_GROUP;
        for (size_t lane = 0; lane < sum->targets; lane += LANES_D) {
            b.lane = lane;
            b.first = first;
            b.count = count;
            sum_block(&b);
        }
    }
}

static void finish_double(const struct shepard_sum_data *data, struct shepard_sum_double *sum)
{
    recover(sum->w);
    recover(sum->ww);
    recover(sum->wx);
    recover(sum->wy);
    recover(sum->wxx);
    recover(sum->wxy);
    recover(sum->wyy);
    for (size_t c = 0; c < data->columns; c++) {
        recover(sum->z + c * SHEPARD_ROW);
        if (sum->plane) {
            recover(sum->zx + c * SHEPARD_ROW);
            recover(sum->zy + c * SHEPARD_ROW);
        }
    }
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* Powers of rho (X + iY) / R^2. */
struct powers_double {
    vd re[SHEPARD_ORDER_MAX + 1], im[SHEPARD_ORDER_MAX + 1];
};

static inline __attribute__((always_inline)) void make_powers_double(const int order, vd re, vd im,
                                                                     struct powers_double *powers)
{
    powers->re[1] = re;
    powers->im[1] = im;
    SHEPARD_UNROLL
    for (int m = 2; m <= order; m++) {
        const int a = m / 2, b = m - a;
        powers->re[m] = vd_fma(powers->re[a], powers->re[b], -(powers->im[a] * powers->im[b]));
        powers->im[m] = vd_fma(powers->re[a], powers->im[b], powers->im[a] * powers->re[b]);
    }
}

/* The factors beta_mk (rho / R)^2k with smoothing, by the recurrence of Gegenbauer's polynomials
 * (Eq. 28); h is (rho / R)^2, part |X|^2 / R^2. */
static inline __attribute__((always_inline)) void
make_smooth_factors(const int order, vd part, vd h, const struct shepard_sum_double *sum,
                    size_t lane, vd *f)
{
    const vd side = part * h;
    f[0] = vd_all(1);
    SHEPARD_UNROLL
    for (int l = 1; l <= order; l++) {
        const vd rise = vd_load(sum->rise[l] + lane), fall = vd_load(sum->fall[l] + lane) * h;
        f[shepard_terms_factor(l, 0)] = rise * f[shepard_terms_factor(l - 1, 0)];
        SHEPARD_UNROLL
        for (int k = 1; 2 * k <= l; k++) {
            const vd beside = f[shepard_terms_factor(l - 1, k - 1)];
            const vd up = 2 * k < l ? vd_fma(side, beside, f[shepard_terms_factor(l - 1, k)])
                                    : 2 * side * beside;
            f[shepard_terms_factor(l, k)] =
                vd_fma(rise, up, -(fall * f[shepard_terms_factor(l - 2, k - 1)]));
        }
    }
}

/* Sets of moments for planes that are summed together: of q, times 1, x, y, xx, xy, yy; of a column
 * times 1, x, y. */
#define PLANE_SETS 9
#define PLANE_OF_WEIGHTS 6
#define PLANE_OF_COLUMN 3

/* How sum->room is laid out where nodes are not folded. */
struct node_room {
    struct powers_double powers;
    vd factors[SHEPARD_FACTORS(SHEPARD_ORDER_MAX)]; /* with smoothing */
    vd terms[SHEPARD_TERMS(SHEPARD_ORDER_MAX)];
    /* Of q, the first column and another one; with plane sets as below. */
    double moments[PLANE_SETS][SHEPARD_TERMS(SHEPARD_ORDER_MAX + 2)];
};
_Static_assert(sizeof(struct node_room) <= SHEPARD_SUM_ROOM * sizeof(double), "room of sums");

/* One node at one vector of targets. */
struct node_view {
    const struct shepard_node *node;
    /* Of q and the first column; with plane sets. */
    const double *moments[PLANE_SETS];
    vd dx, dy;                 /* target - centre */
    vd w;                      /* weight at the centre */
    struct basis_double basis; /* without plane */
    bool smooth;
    struct node_room *room;
};

/* Every term of an expansion without its moment, in the order of the moments: of the powers and,
 * where factors is NULL (smoothing), the factors of the room, else of these factors and h. */
static inline __attribute__((always_inline)) void make_terms(const int order, const double *factors,
                                                             vd h, struct node_room *room)
{
    const struct powers_double *powers = &room->powers;
    vd power = vd_all(1);
    SHEPARD_UNROLL
    for (int k = 0; 2 * k <= order; k++) {
        SHEPARD_UNROLL
        for (int l = 2 * k; l <= order; l++) {
            const int m = l - 2 * k, i = shepard_terms_factor(l, k), at = shepard_terms_at(l, k);
            const vd factor =
                factors == NULL ? room->factors[i] : vd_load(factors + i * SHEPARD_LANES) * power;
            room->terms[at] = m > 0 ? factor * powers->re[m] : factor;
            if (m > 0)
                room->terms[at + 1] = factor * powers->im[m];
        }
        power *= h;
    }
}

static inline __attribute__((always_inline)) void
look_at_node(struct node_view *view, struct shepard_sum_double *sum, const int order, size_t lane)
{
    const struct shepard_node *node = view->node;
    const struct shepard_decay_lanes *decay = &sum->decay;
    const vd half_power = vd_load(decay->half_power + lane);
    view->dx = vd_load(sum->x + lane) - node->x;
    view->dy = vd_load(sum->y + lane) - node->y;
    const vd d2 = vd_fma(view->dx, view->dx, view->dy * view->dy);
    const vd inverse = 1 / (d2 + decay->smoothing2);
    const vd step = inverse * node->scale;
    const vd re = view->dx * step, im = view->dy * step, h = step * node->scale;
    const double *factors = sum->factors[0] + lane;
    struct node_room *room = view->room;
    const bool smooth = decay->smoothing2 > 0;
    if (smooth)
        make_smooth_factors(order, d2 * inverse, h, sum, lane, room->factors);
    if (sum->plane) {
        make_powers_double(order, re, im, &room->powers);
        make_terms(order, smooth ? NULL : factors, h, room);
    } else {
        view->smooth = smooth;
        view->basis.re = re;
        view->basis.im = im;
        view->basis.smooth = room->factors;
        view->basis.factors = factors;
        view->basis.h[1] = h;
        SHEPARD_UNROLL
        for (int k = 2; 2 * k <= order; k++)
            view->basis.h[k] = view->basis.h[k - 1] * h;
    }
    view->w = vd_decay(decay->form, d2, vd_all(decay->smoothing2), vd_load(decay->unit2 + lane),
                       half_power);
}

/* The moments of a charge in double, for the terms that are used. */
static const double *moments_of(const struct shepard_node_data *data,
                                const struct shepard_node *node, size_t charge, int terms,
                                double *room)
{
    const size_t first = node->moments + charge * node->stride;
    if (data->precise != NULL)
        return data->precise + first;
    for (int i = 0; i < terms; i++)
        room[i] = (double)data->single[first + (size_t)i];
    return room;
}

static inline __attribute__((always_inline)) vd node_sum(const struct node_view *view,
                                                         const int order, const double *moments)
{
    return view->w * (view->smooth ? sum_terms_double(order, &view->basis, true, moments)
                                   : sum_terms_double(order, &view->basis, false, moments));
}

static inline __attribute__((always_inline)) void
add_node_double(const struct shepard_sum_data *data, struct shepard_sum_double *sum,
                const struct node_view *view, const int order, size_t lane)
{
    if (data->columns == 0) {
        add_to(sum->w + lane, node_sum(view, order, view->moments[0]));
        return;
    }
    const double *first = view->moments[0], *second = view->moments[1];
    vd sums[2];
    SHEPARD_REREAD(first);
    SHEPARD_REREAD(second);
    if (view->smooth)
        sum_term_pairs_double(order, &view->basis, true, first, second, sums);
    else
        sum_term_pairs_double(order, &view->basis, false, first, second, sums);
    add_to(sum->w + lane, view->w * sums[0]);
    add_to(sum->z + lane, view->w * sums[1]);
    for (size_t c = 1; c < data->columns; c++) {
        const double *moments = moments_of(&data->nodes, view->node, c + 1, SHEPARD_TERMS(order),
                                           view->room->moments[2]);
        add_to(sum->z + c * SHEPARD_ROW + lane, node_sum(view, order, moments));
    }
}

typedef double two_doubles __attribute__((vector_size(16)));

/* shepard_terms_raise along x and y. */
static inline __attribute__((always_inline)) void raise_both(const double *moments, const int order,
                                                             double *x, double *y)
{
    SHEPARD_UNROLL
    for (int l = 0; l <= order; l++) {
        const double *row = moments + shepard_terms_at(l + 1, 0);
        double *along = x + shepard_terms_at(l, 0), *across = y + shepard_terms_at(l, 0);
        const int last = l / 2 * 2; /* of m = 0 or 1 */
        SHEPARD_UNROLL
        for (int j = 0; j < last; j += 2) {
            two_doubles a, b;
            memcpy(&a, row + j, sizeof a);
            memcpy(&b, row + j + 2, sizeof b);
            const two_doubles sum = (a + b) / 2, rest = (a - b) / 2;
            const two_doubles turned = {rest[1], -rest[0]};
            memcpy(along + j, &sum, sizeof sum);
            memcpy(across + j, &turned, sizeof turned);
        }
        along[last] = row[last] / 2;
        across[last] = row[last + 1] / 2;
        if (l % 2 == 1) {
            along[last] += row[last + 2];
            along[last + 1] = row[last + 1] / 2;
            across[last + 1] = row[last + 2] - row[last] / 2;
        }
    }
}

/* Of moments times yy: those times |Y|^2 / rho^2, of one more m and k, without those times xx. */
static inline __attribute__((always_inline)) void raise_rest(const double *moments, const int order,
                                                             const double *xx, double *yy)
{
    SHEPARD_UNROLL
    for (int l = 0; l <= order; l++) {
        const int at = shepard_terms_at(l, 0);
        const double *both = moments + shepard_terms_at(l + 2, 1);
        for (int j = 0; j <= l; j++)
            yy[at + j] = both[j] - xx[at + j];
    }
}

/* The moments of a charge, and of it times x and y and, with second, xx, xy, yy, as the sets from a
 * number on. */
static inline __attribute__((always_inline)) void raise_charge(const struct shepard_node_data *data,
                                                               struct node_view *view,
                                                               size_t charge, const int order,
                                                               bool second, size_t set)
{
    const int terms = SHEPARD_TERMS(order + 2);
    double(*room)[SHEPARD_TERMS(SHEPARD_ORDER_MAX + 2)] = view->room->moments + set;
    const double *moments = moments_of(data, view->node, charge, terms, room[0]);
    view->moments[set] = moments;
    raise_both(moments, second ? order + 1 : order, room[1], room[2]);
    if (second) {
        raise_both(room[1], order, room[3], room[4]);
        raise_rest(moments, order, room[3], room[5]);
    }
}

/* Sums of w times the charge, x, y, and, with second, xx, xy, yy; offsets from the node's centre.
 */
struct raised_sums {
    vd one, x, y, xx, xy, yy;
};

/* Of a node: q and the first column, or as many of the other columns, are raised once for all
 * targets. */
struct plane_step {
    bool weights;
    size_t first, columns;
};

static inline struct plane_step plane_step_first(size_t columns)
{
    return (struct plane_step){.weights = true, .columns = columns < 1 ? columns : 1};
}

/* Whether there is another step. */
static inline bool plane_step_next(size_t columns, struct plane_step *step)
{
    const size_t first = step->first + step->columns, left = columns - first;
    const size_t most = PLANE_SETS / PLANE_OF_COLUMN;
    *step = (struct plane_step){.first = first, .columns = left < most ? left : most};
    return left > 0;
}

/* Sums over sets at once: those of a step of one order. */
static inline __attribute__((always_inline)) void
sum_sets(const struct node_view *view, const bool weights, int terms, const size_t count, vd *sums)
{
    const struct node_room *room = view->room;
    vd sum[PLANE_SETS];
    for (size_t j = 0; j < count; j++)
        sum[j] = vd_all(0);
    for (int i = terms - 1; i >= 0; i--) {
        SHEPARD_UNROLL
        for (size_t j = 0; j < count; j++) {
            const bool raised = weights ? j % PLANE_OF_WEIGHTS > 0 : j % PLANE_OF_COLUMN > 0;
            const double *set = raised ? room->moments[j] : view->moments[j];
            sum[j] = vd_fma(room->terms[i], vd_all(set[i]), sum[j]);
        }
    }
    for (size_t j = 0; j < count; j++)
        sums[j] = view->w * sum[j];
}

/* The same for as many sets as a step has. */
static inline __attribute__((always_inline)) void
sum_step(const struct node_view *view, const struct plane_step *step, int terms, vd *sums)
{
    if (step->weights && step->columns > 0)
        sum_sets(view, true, terms, PLANE_OF_WEIGHTS + PLANE_OF_COLUMN, sums);
    else if (step->weights)
        sum_sets(view, true, terms, PLANE_OF_WEIGHTS, sums);
    else if (step->columns == 3)
        sum_sets(view, false, terms, 3 * PLANE_OF_COLUMN, sums);
    else if (step->columns == 2)
        sum_sets(view, false, terms, 2 * PLANE_OF_COLUMN, sums);
    else
        sum_sets(view, false, terms, PLANE_OF_COLUMN, sums);
}

static struct raised_sums scale_sums(const struct node_view *view, bool second, const vd *sums)
{
    const double scale = view->node->scale;
    struct raised_sums s = {.one = sums[0], .x = scale * sums[1], .y = scale * sums[2]};
    if (second) {
        s.xx = scale * scale * sums[3];
        s.xy = scale * scale * sums[4];
        s.yy = scale * scale * sums[5];
    }
    return s;
}

/* A lane's axes, as seen from a node: the way from the origin to the node's centre. */
struct turn {
    bool straight;
    vd along, across, p, q;
};

static struct turn turn_of(const struct shepard_sum_double *sum, const struct shepard_node *node,
                           size_t lane)
{
    struct turn turn = {.straight = sum->straight};
    const vd x = node->x - vd_load(sum->origin_x + lane);
    const vd y = node->y - vd_load(sum->origin_y + lane);
    turn.along = x;
    turn.across = y;
    if (!sum->straight) {
        turn.p = vd_load(sum->main_x + lane);
        turn.q = vd_load(sum->main_y + lane);
        turn.along = vd_fma(turn.p, x, turn.q * y);
        turn.across = vd_fma(turn.p, y, -(turn.q * x));
    }
    return turn;
}

/* Turns sums with x and y into the axes. */
static void turn_axes(const struct turn *turn, bool second, struct raised_sums *s)
{
    const vd p = turn->p, q = turn->q, x = s->x, y = s->y;
    s->x = p * x + q * y;
    s->y = p * y - q * x;
    if (second) {
        const vd xx = s->xx, xy = s->xy, yy = s->yy;
        s->xx = p * p * xx + 2 * p * q * xy + q * q * yy;
        s->xy = p * q * (yy - xx) + (p * p - q * q) * xy;
        s->yy = p * p * yy - 2 * p * q * xy + q * q * xx;
    }
}

/* Turns sums with x and y about a node's centre into those along and across from the origin. */
static void turn_sums(const struct turn *turn, bool second, struct raised_sums *s)
{
    const vd a = turn->along, c = turn->across;
    if (!turn->straight)
        turn_axes(turn, second, s);
    if (second) {
        s->xx += 2 * a * s->x + a * a * s->one;
        s->xy += a * s->y + c * s->x + a * c * s->one;
        s->yy += 2 * c * s->y + c * c * s->one;
    }
    s->x += a * s->one;
    s->y += c * s->one;
}

static void add_plane_weights(struct shepard_sum_double *sum, const struct node_view *view,
                              const struct turn *turn, const vd *sums, size_t lane)
{
    struct raised_sums s = scale_sums(view, true, sums);
    turn_sums(turn, true, &s);
    add_to(sum->w + lane, s.one);
    add_to(sum->wx + lane, s.x);
    add_to(sum->wy + lane, s.y);
    add_to(sum->wxx + lane, s.xx);
    add_to(sum->wxy + lane, s.xy);
    add_to(sum->wyy + lane, s.yy);
}

static void add_plane_column(struct shepard_sum_double *sum, const struct node_view *view,
                             const struct turn *turn, const vd *sums, size_t column, size_t lane)
{
    const size_t at = column * SHEPARD_ROW + lane;
    struct raised_sums s = scale_sums(view, false, sums);
    turn_sums(turn, false, &s);
    add_to(sum->z + at, s.one);
    add_to(sum->zx + at, s.x);
    add_to(sum->zy + at, s.y);
}

static inline __attribute__((always_inline)) void add_node_plane(struct shepard_sum_double *sum,
                                                                 struct node_view *view,
                                                                 const struct plane_step *step,
                                                                 const int order, size_t lane)
{
    const size_t before = step->weights ? PLANE_OF_WEIGHTS : 0;
    vd sums[PLANE_SETS];
    look_at_node(view, sum, order, lane);
    const struct turn turn = turn_of(sum, view->node, lane);
    sum_step(view, step, SHEPARD_TERMS(order), sums);
    if (step->weights)
        add_plane_weights(sum, view, &turn, sums, lane);
    for (size_t c = 0; c < step->columns; c++)
        add_plane_column(sum, view, &turn, sums + before + c * PLANE_OF_COLUMN, step->first + c,
                         lane);
}

static inline __attribute__((always_inline)) void
add_planes_of_order(const int order, const struct shepard_sum_data *data,
                    struct shepard_sum_double *sum, struct node_view *view)
{
    struct plane_step step = plane_step_first(data->columns);
    do {
        if (step.weights)
            raise_charge(&data->nodes, view, 0, order, true, 0);
        for (size_t c = 0; c < step.columns; c++)
            raise_charge(&data->nodes, view, step.first + c + 1, order, false,
                         (step.weights ? PLANE_OF_WEIGHTS : 0) + c * PLANE_OF_COLUMN);
        for (size_t lane = 0; lane < sum->targets; lane += LANES_D)
            add_node_plane(sum, view, &step, order, lane);
    } while (plane_step_next(data->columns, &step));
}

/* Orders that single precision uses as well are unrolled. */
#define UNROLLED(DO) DO(5) DO(7) DO(9) DO(11) DO(13)
_Static_assert(SHEPARD_ORDER_SINGLE == 13, "other orders are unrolled");

/* A function for each: in one, the variables of all would be on the stack. */
#define ADD_PLANES(order)                                                                          \
    static __attribute__((noinline)) void add_planes_##order(const struct shepard_sum_data *data,  \
                                                             struct shepard_sum_double *sum,       \
                                                             struct node_view *view)               \
    {                                                                                              \
        add_planes_of_order(order, data, sum, view);                                               \
    }
#define CASE_OF_PLANES(order)                                                                      \
    case order:                                                                                    \
        add_planes_##order(data, sum, view);                                                       \
        return;

UNROLLED(ADD_PLANES)

static __attribute__((noinline)) void add_planes(int order, const struct shepard_sum_data *data,
                                                 struct shepard_sum_double *sum,
                                                 struct node_view *view)
{
    switch (order) {
        UNROLLED(CASE_OF_PLANES)
    }
    add_planes_of_order(order, data, sum, view);
}

static inline __attribute__((always_inline)) void
add_nodes_of_order_double(const int order, const struct shepard_sum_data *data,
                          struct shepard_sum_double *sum, const struct shepard_node_list *list)
{
    struct node_view view = {.room = (void *)sum->room};
    for (size_t i = 0; i < list->count; i++) {
        view.node = &data->nodes.nodes[list->node[i]];
        if (sum->plane) {
            add_planes(order, data, sum, &view);
            continue;
        }
        for (size_t c = 0; c < 2 && c <= data->columns; c++)
            view.moments[c] =
                moments_of(&data->nodes, view.node, c, SHEPARD_TERMS(order), view.room->moments[c]);
        for (size_t lane = 0; lane < sum->targets; lane += LANES_D) {
            look_at_node(&view, sum, order, lane);
            add_node_double(data, sum, &view, order, lane);
        }
    }
}

/* ---- nodes, at targets of one power ---------------------------------------------------------- */

/* Charges of a node whose moments are multiplied by the factors at a time, where sum->room holds
 * them. */
#define FOLDED_MOST 16

struct folded {
    size_t first, count; /* charges */
    double *moments;     /* [count, SHEPARD_TERMS(order)] */
};

static inline void fold_charges(const struct shepard_sum_data *data,
                                const struct shepard_sum_double *sum,
                                const struct shepard_node *node, int order, struct folded *folded)
{
    const struct shepard_node_data *nodes = &data->nodes;
    const size_t terms = SHEPARD_TERMS((size_t)order);
    for (size_t c = 0; c < folded->count; c++) {
        const size_t first = node->moments + (folded->first + c) * node->stride;
        double *moments = folded->moments + c * terms;
        if (nodes->precise != NULL)
            for (size_t i = 0; i < terms; i++)
                moments[i] = nodes->precise[first + i] * sum->terms[i];
        else
            for (size_t i = 0; i < terms; i++)
                moments[i] = (double)nodes->single[first + i] * sum->terms[i];
    }
}

/* The sum over all terms of two charges, the factors in their moments: by Horner's rule in h =
 * (rho / R)^2. */
static inline __attribute__((always_inline)) void
sum_folded_pair(const int order, const struct powers_double *powers, vd h, const double *first,
                const double *second, vd sums[2])
{
    const vd zero = vd_all(0);
    vd sum0 = zero, sum1 = zero;
    SHEPARD_UNROLL
    for (int m = order; m >= 0; m--) {
        vd re0 = zero, im0 = zero, re1 = zero, im1 = zero;
        SHEPARD_UNROLL
        for (int k = (order - m) / 2; k >= 0; k--) {
            const int at = shepard_terms_at(m + 2 * k, k);
            re0 = vd_fma(re0, h, vd_all(first[at]));
            re1 = vd_fma(re1, h, vd_all(second[at]));
            if (m > 0) {
                im0 = vd_fma(im0, h, vd_all(first[at + 1]));
                im1 = vd_fma(im1, h, vd_all(second[at + 1]));
            }
        }
        sum0 += m > 0 ? vd_fma(powers->re[m], re0, powers->im[m] * im0) : re0;
        sum1 += m > 0 ? vd_fma(powers->re[m], re1, powers->im[m] * im1) : re1;
    }
    sums[0] = sum0;
    sums[1] = sum1;
}

/* Folded charges of a node, two at a time, at one vector of targets. */
static inline __attribute__((always_inline)) void
add_folded(const int order, struct shepard_sum_double *sum, const struct shepard_node *node,
           const struct folded *folded, size_t lane)
{
    struct powers_double powers;
    const vd dx = vd_load(sum->x + lane) - node->x, dy = vd_load(sum->y + lane) - node->y;
    const vd d2 = vd_fma(dx, dx, dy * dy), step = node->scale / d2;
    make_powers_double(order, dx * step, dy * step, &powers);
    const vd w = vd_decay(sum->decay.form, d2, vd_all(0), vd_load(sum->decay.unit2 + lane),
                          vd_load(sum->decay.half_power + lane));
    for (size_t c = 0; c < folded->count; c += 2) {
        const size_t charge = folded->first + c;
        const bool alone = c + 1 == folded->count;
        const double *first = folded->moments + c * SHEPARD_TERMS((size_t)order);
        const double *second = alone ? first : first + SHEPARD_TERMS((size_t)order);
        vd sums[2];
        SHEPARD_REREAD(first);
        SHEPARD_REREAD(second);
        sum_folded_pair(order, &powers, step * node->scale, first, second, sums);
        add_to(charge == 0 ? sum->w + lane : sum->z + (charge - 1) * SHEPARD_ROW + lane,
               w * sums[0]);
        if (!alone)
            add_to(sum->z + charge * SHEPARD_ROW + lane, w * sums[1]);
    }
}

static inline __attribute__((always_inline)) void
add_folded_of_order(const int order, const struct shepard_sum_data *data,
                    struct shepard_sum_double *sum, const struct shepard_node_list *list)
{
    /* Even, for two are summed at a time. */
    const size_t held = SHEPARD_SUM_ROOM / SHEPARD_TERMS((size_t)order) / 2 * 2;
    const size_t most = held < FOLDED_MOST ? held : FOLDED_MOST;
    struct folded folded = {.moments = sum->room};
    for (size_t i = 0; i < list->count; i++) {
        const struct shepard_node *node = &data->nodes.nodes[list->node[i]];
        for (folded.first = 0; folded.first <= data->columns; folded.first += most) {
            const size_t left = data->columns + 1 - folded.first;
            folded.count = left < most ? left : most;
            fold_charges(data, sum, node, order, &folded);
            for (size_t lane = 0; lane < sum->targets; lane += LANES_D)
                add_folded(order, sum, node, &folded, lane);
        }
    }
}

static inline __attribute__((always_inline)) void
add_nodes_as_double(const int order, const struct shepard_sum_data *data,
                    struct shepard_sum_double *sum, const struct shepard_node_list *list)
{
    if (folds_double(sum))
        add_folded_of_order(order, data, sum, list);
    else
        add_nodes_of_order_double(order, data, sum, list);
}

#define CASE_OF_NODES(order)                                                                       \
    case order:                                                                                    \
        add_nodes_as_double(order, data, sum, list);                                               \
        return;

static void add_nodes_double(const struct shepard_sum_data *data, struct shepard_sum_double *sum,
                             const struct shepard_node_list *list)
{
    switch (list->order) {
        UNROLLED(CASE_OF_NODES)
    }
    add_nodes_as_double(list->order, data, sum, list);
}

#endif
