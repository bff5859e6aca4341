/* SPDX-License-Identifier: MIT */
/* Sums in single precision: float32 where that is accurate enough, double where a point is close to
 * the target. Included by sum.c, after sum_double_impl.h. */
#ifndef SHEPARD_KERNEL_SUM_SINGLE_IMPL_H
#define SHEPARD_KERNEL_SUM_SINGLE_IMPL_H

#include "kernel/sum_double_impl.h"
#include "kernel/weight_impl.h"

/* Where factors are made for each sum that uses them, without and with smoothing; where they have
 * been made. */
enum factors_way { FACTORS_PLAIN, FACTORS_SMOOTH, FACTORS_MADE };

/* What the terms of all charges share at a node. */
struct basis_single {
    vf re, im;            /* rho (X + iY) / R^2 */
    const float *factors; /* beta_mk, with smoothing the coefficients of Eq. 28a */
    /* From k = 1 on: (rho / R)^2k, with smoothing what coefficient j of Eq. 28a is multiplied by.
     */
    vf product[SHEPARD_ORDER_SINGLE / 2 + 1][SHEPARD_ORDER_SINGLE / 2 + 1];
    vf made[SHEPARD_FACTORS(SHEPARD_ORDER_SINGLE)]; /* with FACTORS_MADE, instead */
};

/* The factor beta_mk (rho / R)^2k, m + 2k = degree. */
static inline __attribute__((always_inline)) vf factor_single(const struct basis_single *basis,
                                                              const enum factors_way way,
                                                              const int degree, const int k)
{
    const int plain = shepard_terms_factor(degree, k);
    if (way == FACTORS_MADE)
        return basis->made[plain];
    const bool smooth = way == FACTORS_SMOOTH;
    const float *at =
        basis->factors + (smooth ? shepard_terms_smooth(degree, k) : plain) * SHEPARD_LANES;
    if (k == 0)
        return vf_load(at);
    vf factor = vf_load(at) * basis->product[k][0];
    if (!smooth)
        return factor;
    SHEPARD_UNROLL
    for (int j = 1; j <= k; j++)
        factor = vf_fma(vf_load(at + j * SHEPARD_LANES), basis->product[k][j], factor);
    return factor;
}

#define EXPAND_V vf
#define EXPAND_S float
#define EXPAND_M float
#define EXPAND_ALL vf_all
#define EXPAND_FMA vf_fma
#define EXPAND_MOST SHEPARD_ORDER_SINGLE
#define EXPAND_FACTORS_NAME factors_single
#define EXPAND_BASIS basis_single
#define EXPAND_WAY enum factors_way
#define EXPAND_FACTOR factor_single
#define EXPAND_SUM_NAME sum_terms_single
#define EXPAND_PAIR_NAME sum_term_pairs_single
#include "kernel/expand_impl.h"

/* The first 12 of a number's bits. */
static float half_of(float a)
{
    uint32_t bits;
    memcpy(&bits, &a, sizeof bits);
    bits &= 0xfffff000u;
    memcpy(&a, &bits, sizeof a);
    return a;
}

/* a_0 to a_order of Eq. 27 of a vector of lambdas. */
static inline void fill_rising(int order, vd lambda, vd *a)
{
    a[0] = vd_all(1);
    for (int i = 1; i <= order; i++)
        a[i] = a[i - 1] * (lambda + (double)(i - 1)) * (1. / i);
}

/* The coefficients of Eq. 28a for LANES_F lambdas, made in double. */
static void make_smooth(int order, const double *lambda, float *smooth)
{
    for (size_t lane = 0; lane < LANES_F; lane += LANES_D) {
        const vd of_lane = vd_load(lambda + lane);
        vd first[SHEPARD_ORDER_SINGLE + 1], a[SHEPARD_ORDER_SINGLE + 1];
        fill_rising(order, of_lane, first);
        for (int j = 0; 2 * j <= order; j++) {
            fill_rising(order, of_lane + (double)j, a);
            for (int l = 2 * j; l <= order; l++)
                for (int k = j; 2 * k <= l; k++) {
                    const vd made = first[j] * a[l - k - j] * a[k - j];
                    float *to = smooth + (shepard_terms_smooth(l, k) + j) * SHEPARD_LANES + lane;
                    for (size_t i = 0; i < LANES_D; i++)
                        to[i] = (float)made[i];
                }
        }
    }
}

/* The factors beta_mk without smoothing of LANES_F lambdas, made in double. */
static void make_exact_factors(int order, const double *lambda, float *factors)
{
    for (size_t lane = 0; lane < LANES_F; lane += LANES_D) {
        vd a[SHEPARD_ORDER_SINGLE + 1];
        fill_rising(order, vd_load(lambda + lane), a);
        for (int l = 0; l <= order; l++)
            for (int k = 0; 2 * k <= l; k++) {
                const vd made = a[l - k] * a[k];
                float *to = factors + shepard_terms_factor(l, k) * SHEPARD_LANES + lane;
                for (size_t i = 0; i < LANES_D; i++)
                    to[i] = (float)made[i];
            }
    }
}

static void start_plane(const struct shepard_sum_data *data, struct shepard_sum_single *sum)
{
    memset(sum->wx, 0, sizeof sum->wx);
    memset(sum->wy, 0, sizeof sum->wy);
    memset(sum->wxx, 0, sizeof sum->wxx);
    memset(sum->wxy, 0, sizeof sum->wxy);
    memset(sum->wyy, 0, sizeof sum->wyy);
    memset(sum->radius2, 0, sizeof sum->radius2);
    memset(sum->zx, 0, data->columns * sizeof sum->w);
    memset(sum->zy, 0, data->columns * sizeof sum->w);
}

static void start_single(const struct shepard_sum_data *data, struct shepard_sum_single *sum)
{
    fill_lanes(sum->x, sum->y, &sum->decay, sum->targets);
    for (size_t i = 0; i < SHEPARD_LANES; i++) {
        sum->unit2[i] = (float)sum->decay.unit2[i];
        sum->per_unit2[i] = (float)(1 / sum->decay.unit2[i]);
        sum->half_power[i] = (float)sum->decay.half_power[i];
        sum->exponent[i] = -sum->half_power[i];
        sum->high[i] = half_of(sum->exponent[i]);
        sum->low[i] = (float)(-sum->decay.half_power[i] - (double)sum->high[i]);
    }
    memset(sum->w, 0, sizeof sum->w);
    memset(sum->z, 0, data->columns * sizeof sum->w);
    if (sum->plane)
        start_plane(data, sum);
    for (size_t lane = 0; sum->order > 0 && lane < SHEPARD_LANES; lane += LANES_F)
        if (sum->plane)
            make_exact_factors(sum->order, sum->decay.half_power + lane, sum->factors[0] + lane);
        else if (sum->decay.smoothing2 > 0)
            make_smooth(sum->order, sum->decay.half_power + lane, sum->smooth[0] + lane);
        else
            factors_single(sum->order, vf_load(sum->half_power + lane), sum->factors[0] + lane);
}

/* The weights of one vector of targets. */
struct single_decay {
    vf unit2, per_unit2, exponent, high, low;
};

static inline struct single_decay single_decay_at(const struct shepard_sum_single *sum, size_t lane)
{
    return (struct single_decay){vf_load(sum->unit2 + lane), vf_load(sum->per_unit2 + lane),
                                 vf_load(sum->exponent + lane), vf_load(sum->high + lane),
                                 vf_load(sum->low + lane)};
}

/* 1 / ratio^half_power of `count` vectors in place, VF_AT_ONCE at most; ratio (d2 + smoothing2) /
 * unit2 (Eq. 23). The product of exponent and power is exact except for the power's low bits, so
 * large exponents lose no accuracy. */
static inline __attribute__((always_inline)) void
general_weights(vf *ratio, const struct single_decay *decay, const int count)
{
    vf e[VF_AT_ONCE], rest[VF_AT_ONCE];
    vi whole[VF_AT_ONCE];
    vf_log2_each(ratio, e, rest, count);
    for (int i = 0; i < count; i++) {
        const vf part = decay->exponent * rest[i];
        const vf rounded = vf_round(vf_fma(decay->high, e[i], part));
        rest[i] = vf_fma(decay->high, e[i], -rounded) + vf_fma(decay->low, e[i], part);
        whole[i] = __builtin_convertvector(rounded, vi);
    }
    vf_exp2_each(rest, whole, ratio, count);
}

/* The same with less accuracy (Eq. 25a). The weight of a point at the target's place, left out, may
 * become any number. */
static inline __attribute__((always_inline)) void
fast_general_weights(vf *ratio, const struct single_decay *decay, const int count)
{
    const vf magic = vf_all(0x1.8p23f);
    vf log2[VF_AT_ONCE], part[VF_AT_ONCE], whole[VF_AT_ONCE];
    vf_fast_log2_each(ratio, log2, count);
    for (int i = 0; i < count; i++) {
        const vf x = vf_max(decay->exponent * log2[i], vf_all(-126));
        whole[i] = x + magic; /* an integer in the last bits */
        part[i] = x - (whole[i] - magic);
    }
    vf_fast_exp2_each(part, whole, ratio, count);
}

/* over / a of `count` vectors in place: one division for two of them, which CPUs have few units
 * for.
 */
static inline __attribute__((always_inline)) void vf_divide_each(vf over, vf *a, const int count)
{
    int i = 0;
    for (; i + 2 <= count; i += 2) {
        const vf both = over / (a[i] * a[i + 1]), first = a[i];
        a[i] = both * a[i + 1];
        a[i + 1] = both * first;
    }
    for (; i < count; i++)
        a[i] = over / a[i];
}

static inline vf weight_of_ratio(enum shepard_form form, vf u)
{
    return form == SHEPARD_FORM_1   ? vf_sqrt(u)
           : form == SHEPARD_FORM_2 ? u
           : form == SHEPARD_FORM_3 ? u * vf_sqrt(u)
                                    : u * u;
}

/* The weight at a squared distance that includes the smoothing. */
static inline vf single_weight(enum shepard_form form, vf d2, const struct single_decay *decay)
{
    if (form != SHEPARD_FORM_GENERAL)
        return weight_of_ratio(form, decay->unit2 / d2);
    d2 *= decay->per_unit2;
    general_weights(&d2, decay, 1);
    return d2;
}

static inline vf single_weight_of_form(enum shepard_form form, vf d2,
                                       const struct single_decay *decay)
{
    switch (form) {
    case SHEPARD_FORM_1:
        return single_weight(SHEPARD_FORM_1, d2, decay);
    case SHEPARD_FORM_2:
        return single_weight(SHEPARD_FORM_2, d2, decay);
    case SHEPARD_FORM_3:
        return single_weight(SHEPARD_FORM_3, d2, decay);
    case SHEPARD_FORM_4:
        return single_weight(SHEPARD_FORM_4, d2, decay);
    case SHEPARD_FORM_GENERAL:
        break;
    }
    return single_weight(SHEPARD_FORM_GENERAL, d2, decay);
}

/* Adds float sums to double ones. */
static inline void add_single(double *sum, vf term)
{
    vd_store(sum, vd_load(sum) + vd_low(term));
    vd_store(sum + LANES_D, vd_load(sum + LANES_D) + vd_high(term));
}

#include "kernel/plane_single_impl.h"

/* ---- points ---------------------------------------------------------------------------------- */

/* A part of one group of points, and its distances from all lanes. */
struct piece {
    const struct shepard_sum_data *data;
    struct shepard_sum_single *sum;
    size_t first, count;                      /* at most SHEPARD_GROUP */
    float x[SHEPARD_LANES], y[SHEPARD_LANES]; /* target - centre of the group */
    float scale[SHEPARD_LANES];  /* a power of two: squared distances times that are 2^-10 to 2^3 */
    float close2[SHEPARD_LANES]; /* points nearer than this (squared) are summed in double; or 0 */
    bool near[SHEPARD_LANES / LANES_F]; /* whether any lane of a vector has such a distance */
    int32_t close[SHEPARD_GROUP / 32][SHEPARD_LANES]; /* bits of points that are */
    uint64_t left_out[SHEPARD_LANES]; /* bits of points without weight; set where sums leave any out
                                       */
};

/* The box of the piece's leaves. */
static struct shepard_area box_of(const struct piece *piece)
{
    const size_t last = (piece->first + piece->count - 1) / SHEPARD_LEAF;
    struct shepard_area box = {0x1p300, -0x1p300, 0x1p300, -0x1p300};
    for (size_t leaf = piece->first / SHEPARD_LEAF; leaf <= last; leaf++) {
        const struct shepard_boxes *set = &piece->data->tree->boxes[0][leaf / SHEPARD_FANOUT];
        const size_t i = leaf % SHEPARD_FANOUT;
        box.x_min = set->x_min[i] < box.x_min ? set->x_min[i] : box.x_min;
        box.x_max = set->x_max[i] > box.x_max ? set->x_max[i] : box.x_max;
        box.y_min = set->y_min[i] < box.y_min ? set->y_min[i] : box.y_min;
        box.y_max = set->y_max[i] > box.y_max ? set->y_max[i] : box.y_max;
    }
    return box;
}

/* Whether lanes of doubles are within their close distance of the box. */
static inline vd touch_box(const struct shepard_area *box, const double *x, const double *y,
                           vd close2)
{
    const vd zero = vd_all(0), px = vd_load(x), py = vd_load(y);
    const vd dx = vd_max(vd_max(box->x_min - px, px - box->x_max), zero);
    const vd dy = vd_max(vd_max(box->y_min - py, py - box->y_max), zero);
    return vd_select((vl)(dx * dx + dy * dy <= close2 * 1.001), close2, zero);
}

/* Lanes that are farther from the box than their close distance have no close points. */
static void drop_clear(struct piece *piece)
{
    const struct shepard_area box = box_of(piece);
    for (size_t i = 0; i < SHEPARD_LANES; i += LANES_F) {
        const double *x = piece->sum->x + i, *y = piece->sum->y + i;
        const vf close2 = vf_load(piece->close2 + i);
        const vf kept = vf_join(touch_box(&box, x, y, vd_low(close2)),
                                touch_box(&box, x + LANES_D, y + LANES_D, vd_high(close2)));
        vf_store(piece->close2 + i, kept);
        piece->near[i / LANES_F] = vi_any(kept > 0);
    }
}

/* 2^-e for numbers in [2^e, 2^(e + 1)). */
static inline vf inverse_power(vf a)
{
    return (vf)((254 << 23) - ((vi)a & 0x7f800000));
}

/* Points are close whose squared distance is below this part of T^2 + rho^2 of Eq. 21. */
#define CLOSE_PART (1.0f / 32)
#define FAST_CLOSE_PART (1.0f / 512)

/* A target whose distance from the group's centre is below twice the group's radius may be so close
 * to a point that float offsets are too coarse (Eq. 21). */
static void place_lanes(struct piece *piece)
{
    const float close_part = piece->sum->fast_weights ? FAST_CLOSE_PART : CLOSE_PART;
    const struct shepard_group *group = &piece->data->groups[piece->first / SHEPARD_GROUP];
    memset(piece->near, 0, sizeof piece->near);
    const float radius2 = (float)group->radius2, smoothing2 = (float)piece->sum->decay.smoothing2;
    bool any = false;
    for (size_t i = 0; i < SHEPARD_LANES; i += LANES_F) {
        const double *px = piece->sum->x + i, *py = piece->sum->y + i;
        const vf x = vf_join(vd_load(px) - group->x, vd_load(px + LANES_D) - group->x);
        const vf y = vf_join(vd_load(py) - group->y, vd_load(py + LANES_D) - group->y);
        const vf d2 = vf_fma(x, x, y * y);
        const vi near = d2 < 4.01f * radius2;
        vf_store(piece->x + i, x);
        vf_store(piece->y + i, y);
        vf_store(piece->scale + i, inverse_power(d2 + radius2 + smoothing2));
        vf_store(piece->close2 + i, vf_select(near, (d2 + radius2) * close_part, vf_all(0)));
        any |= vi_any(near);
    }
    if (any)
        drop_clear(piece);
}

/* A piece as one vector of targets sees it. Ratios are (d2 + smoothing2) / unit2 for a general
 * power, for others that times `over`, which makes them numbers near 1 whose products are safe. */
struct piece_vector {
    const float *px, *py;
    vf x, y, close2;
    vf factor, smoothing2; /* ratio = d2 * factor + smoothing2 */
    vf over;
    struct single_decay decay;
};

static inline struct piece_vector piece_vector_at(const struct piece *piece, enum shepard_form form,
                                                  size_t lane)
{
    const struct single_decay decay = single_decay_at(piece->sum, lane);
    const vf scale = vf_load(piece->scale + lane);
    const vf factor = form == SHEPARD_FORM_GENERAL ? decay.per_unit2 : scale;
    return (struct piece_vector){.px = piece->data->x + piece->first,
                                 .py = piece->data->y + piece->first,
                                 .x = vf_load(piece->x + lane),
                                 .y = vf_load(piece->y + lane),
                                 .close2 = vf_load(piece->close2 + lane),
                                 .factor = factor,
                                 .smoothing2 = (float)piece->sum->decay.smoothing2 * factor,
                                 .over = decay.unit2 * scale,
                                 .decay = decay};
}

/* No ratio of a point that counts is less. One that is left out may be at the target's place. */
#define RATIO_LEAST 0x1p-20f

/* Weights of ratios, `count` vectors in place. `fast`: with less accuracy. */
static inline __attribute__((always_inline)) void ratio_weights(const struct piece_vector *from,
                                                                enum shepard_form form,
                                                                const bool fast, const int count,
                                                                vf *ratio)
{
    if (form == SHEPARD_FORM_GENERAL) {
        if (fast)
            fast_general_weights(ratio, &from->decay, count);
        else
            general_weights(ratio, &from->decay, count);
        return;
    }
    vf_divide_each(from->over, ratio, count);
    for (int i = 0; i < count; i++)
        ratio[i] = weight_of_ratio(form, ratio[i]);
}

/* Weights of `count` points from the j-th on, VF_AT_ONCE at most. Those of close points are 0, and
 * their bits in close are set. close: NULL where none are close, nor left out. */
static inline __attribute__((always_inline)) void
point_weights(const struct piece_vector *from, enum shepard_form form, const bool fast, size_t j,
              const size_t count, vi *close, vf *w)
{
    vi is_close[VF_AT_ONCE];
    for (size_t i = 0; i < count; i++) {
        const vf dx = from->x - from->px[j + i], dy = from->y - from->py[j + i];
        const vf d2 = vf_fma(dx, dx, dy * dy);
        if (close != NULL)
            is_close[i] = d2 < from->close2;
        w[i] = vf_fma(close != NULL ? vf_select(is_close[i], from->close2, d2) : d2, from->factor,
                      from->smoothing2);
        if (close != NULL && form != SHEPARD_FORM_GENERAL)
            w[i] = vf_max(w[i], vf_all(RATIO_LEAST));
    }
    ratio_weights(from, form, fast, (int)count, w);
    for (size_t i = 0; close != NULL && i < count; i++) {
        w[i] = (vf)((vi)w[i] & ~is_close[i]);
        close[(j + i) / 32] |= is_close[i] & (int32_t)(1u << (j + i) % 32);
    }
}

/* Weights of a piece's points into w; those of close points are 0, and marked where `close` is not
 * NULL. */
static inline __attribute__((always_inline)) void weigh_piece(const struct piece *piece,
                                                              enum shepard_form form,
                                                              const bool fast, size_t lane,
                                                              vi *close, vf *w)
{
    const struct piece_vector from = piece_vector_at(piece, form, lane);
    size_t j = 0;
    for (; j + VF_AT_ONCE <= piece->count; j += VF_AT_ONCE)
        point_weights(&from, form, fast, j, VF_AT_ONCE, close, w + j);
    for (; j < piece->count; j++)
        point_weights(&from, form, fast, j, 1, close, w + j);
}

/* The same, and keeps the marks. `careful`: some points may be close, or left out. */
static inline __attribute__((always_inline)) void piece_weights(struct piece *piece,
                                                                enum shepard_form form,
                                                                const bool fast, size_t lane,
                                                                bool careful, vf *w)
{
    vi close[SHEPARD_GROUP / 32] = {{0}};
    if (!careful) {
        weigh_piece(piece, form, fast, lane, NULL, w);
        return;
    }
    weigh_piece(piece, form, fast, lane, close, w);
    for (size_t i = 0; i < SHEPARD_GROUP / 32; i++)
        memcpy(&piece->close[i][lane], &close[i], sizeof close[i]);
}

static void piece_weights_of_form(struct piece *piece, size_t lane, bool careful, vf *w)
{
    switch (piece->sum->decay.form) {
    case SHEPARD_FORM_1:
        piece_weights(piece, SHEPARD_FORM_1, false, lane, careful, w);
        return;
    case SHEPARD_FORM_2:
        piece_weights(piece, SHEPARD_FORM_2, false, lane, careful, w);
        return;
    case SHEPARD_FORM_3:
        piece_weights(piece, SHEPARD_FORM_3, false, lane, careful, w);
        return;
    case SHEPARD_FORM_4:
        piece_weights(piece, SHEPARD_FORM_4, false, lane, careful, w);
        return;
    case SHEPARD_FORM_GENERAL:
        if (piece->sum->fast_weights)
            piece_weights(piece, SHEPARD_FORM_GENERAL, true, lane, careful, w);
        else
            piece_weights(piece, SHEPARD_FORM_GENERAL, false, lane, careful, w);
        return;
    }
}

/* The dot product of weights and charges, or the sum of the weights without charges. Four partial
 * sums, each of a quarter of the terms. */
static inline vf dot_charges(const vf *w, const float *charges, size_t count)
{
    vf part[4] = {{0}, {0}, {0}, {0}};
    size_t j = 0;
    for (; j + 4 <= count; j += 4)
        for (size_t i = 0; i < 4; i++)
            part[i] = charges != NULL ? vf_fma(w[j + i], vf_all(charges[j + i]), part[i])
                                      : part[i] + w[j + i];
    for (; j < count; j++)
        part[0] = charges != NULL ? vf_fma(w[j], vf_all(charges[j]), part[0]) : part[0] + w[j];
    return (part[0] + part[1]) + (part[2] + part[3]);
}

/* One column, no point weights, no close points: everything stays in registers. */
static inline __attribute__((always_inline)) void
add_plain(const struct piece *piece, enum shepard_form form, const bool fast, size_t lane)
{
    const struct piece_vector from = piece_vector_at(piece, form, lane);
    const float *charges = piece->data->charges[0] + piece->first;
    vf w[VF_AT_ONCE] = {{0}}, z[VF_AT_ONCE] = {{0}}, next[VF_AT_ONCE];
    size_t j = 0;
    for (; j + VF_AT_ONCE <= piece->count; j += VF_AT_ONCE) {
        point_weights(&from, form, fast, j, VF_AT_ONCE, NULL, next);
        for (size_t i = 0; i < VF_AT_ONCE; i++) {
            w[i] += next[i];
            z[i] = vf_fma(next[i], vf_all(charges[j + i]), z[i]);
        }
    }
    for (; j < piece->count; j++) {
        point_weights(&from, form, fast, j, 1, NULL, next);
        w[0] += next[0];
        z[0] = vf_fma(next[0], vf_all(charges[j]), z[0]);
    }
    add_single(piece->sum->w + lane, (w[0] + w[1]) + (w[2] + w[3]));
    add_single(piece->sum->z + lane, (z[0] + z[1]) + (z[2] + z[3]));
}

static void add_plain_of_form(const struct piece *piece, size_t lane)
{
    switch (piece->sum->decay.form) {
    case SHEPARD_FORM_1:
        add_plain(piece, SHEPARD_FORM_1, false, lane);
        return;
    case SHEPARD_FORM_2:
        add_plain(piece, SHEPARD_FORM_2, false, lane);
        return;
    case SHEPARD_FORM_3:
        add_plain(piece, SHEPARD_FORM_3, false, lane);
        return;
    case SHEPARD_FORM_4:
        add_plain(piece, SHEPARD_FORM_4, false, lane);
        return;
    case SHEPARD_FORM_GENERAL:
        if (piece->sum->fast_weights)
            add_plain(piece, SHEPARD_FORM_GENERAL, true, lane);
        else
            add_plain(piece, SHEPARD_FORM_GENERAL, false, lane);
        return;
    }
}

/* Sets what each target leaves out. */
static void mark_left_out(struct piece *piece)
{
    const struct shepard_sum_single *sum = piece->sum;
    for (size_t i = 0; i < SHEPARD_LANES; i++)
        piece->left_out[i] =
            i < sum->targets
                ? shepard_left_out_among(&sum->left_out[i], piece->data->tree, piece->first,
                                         piece->count, sum->x[i], sum->y[i])
                : 0;
}

/* Whether a target of a vector leaves anything out. */
static bool leaves_out(const struct piece *piece, size_t lane)
{
    uint64_t any = 0;
    for (size_t i = 0; piece->sum->left_out != NULL && i < LANES_F; i++)
        any |= piece->left_out[lane + i];
    return any != 0;
}

/* Sets the weights of left-out points to 0, whatever they are. */
static void drop_left_out(const struct piece *piece, size_t lane, vf *w)
{
    for (size_t i = 0; i < LANES_F; i++)
        for (uint64_t bits = piece->left_out[lane + i]; bits != 0; bits &= bits - 1)
            w[__builtin_ctzll(bits)][i] = 0;
}

static void add_piece_plane(const struct piece *piece, size_t lane, const vf *w)
{
    const struct group_places points = {.x = piece->data->x + piece->first,
                                        .y = piece->data->y + piece->first,
                                        .count = piece->count,
                                        .target_x = vf_load(piece->x + lane),
                                        .target_y = vf_load(piece->y + lane),
                                        .w = w};
    add_plane_points(piece->data, piece->sum, &points, piece->first, lane);
}

static void add_piece(struct piece *piece, size_t lane)
{
    const bool leaving = leaves_out(piece, lane), near = piece->near[lane / LANES_F];
    if (piece->data->columns == 1 && piece->data->charge == NULL && !leaving && !near &&
        !piece->sum->plane) {
        add_plain_of_form(piece, lane);
        return;
    }
    const struct shepard_sum_data *data = piece->data;
    const float *q = data->charge == NULL ? NULL : data->charge + piece->first;
    vf w[SHEPARD_GROUP];
    piece_weights_of_form(piece, lane, leaving || near, w);
    if (leaving)
        drop_left_out(piece, lane, w);
    if (piece->sum->plane) {
        add_piece_plane(piece, lane, w);
        return;
    }
    add_single(piece->sum->w + lane,
               q == NULL ? dot_charges(w, NULL, piece->count) : dot_charges(w, q, piece->count));
    for (size_t c = 0; c < data->columns; c++)
        add_single(piece->sum->z + c * SHEPARD_LANES + lane,
                   dot_charges(w, data->charges[c] + piece->first, piece->count));
}

/* The ranks of a lane's close points, without those that it leaves out. */
static size_t list_close(const struct piece *piece, size_t lane, size_t *rank)
{
    const uint64_t left_out = piece->sum->left_out != NULL ? piece->left_out[lane] : 0;
    size_t count = 0;
    for (size_t i = 0; i < SHEPARD_GROUP / 32; i++)
        for (uint32_t bits = (uint32_t)piece->close[i][lane] & ~(uint32_t)(left_out >> 32 * i);
             bits != 0; bits &= bits - 1)
            rank[count++] = piece->first + 32 * i + (size_t)__builtin_ctz(bits);
    return count;
}

/* Points of a group that a target is close to, in double. */
struct close_points {
    size_t count;
    size_t rank[SHEPARD_GROUP];
    double x[SHEPARD_GROUP], y[SHEPARD_GROUP]; /* offsets from the target */
    double w[SHEPARD_GROUP];
};

static void weigh_close(const struct shepard_sum_data *data, const struct shepard_sum_single *sum,
                        size_t lane, struct close_points *close)
{
    const struct shepard_decay decay = {sum->decay.form, 2 * sum->decay.half_power[lane],
                                        sum->decay.smoothing2, sum->decay.unit2[lane]};
    for (size_t j = 0; j < close->count; j++) {
        close->x[j] = data->tree->x[close->rank[j]] - sum->x[lane];
        close->y[j] = data->tree->y[close->rank[j]] - sum->y[lane];
        close->w[j] = close->x[j] * close->x[j] + close->y[j] * close->y[j];
    }
    list_weights(close->w, close->count, &decay, close->w);
    for (size_t j = 0; data->weights != NULL && j < close->count; j++)
        close->w[j] *= data->weights[close->rank[j]];
}

static void add_close_weights(const struct close_points *close, struct shepard_sum_single *sum,
                              size_t lane)
{
    double total = 0;
    for (size_t j = 0; j < close->count; j++)
        total += close->w[j];
    sum->w[lane] += total;
    for (size_t j = 0; sum->plane && j < close->count; j++) {
        const double along = close->w[j] * close->x[j], across = close->w[j] * close->y[j];
        sum->wx[lane] += along;
        sum->wy[lane] += across;
        sum->wxx[lane] += along * close->x[j];
        sum->wxy[lane] += along * close->y[j];
        sum->wyy[lane] += across * close->y[j];
    }
}

static void add_close_column(const struct shepard_sum_data *data, const struct close_points *close,
                             struct shepard_sum_single *sum, size_t c, size_t lane)
{
    const double scale = data->scale[c], middle = data->middle[c] * scale;
    const size_t at = c * SHEPARD_LANES + lane;
    double z = 0, zx = 0, zy = 0;
    for (size_t j = 0; j < close->count; j++) {
        const double own = close->w[j] * (data->values[c][close->rank[j]] * scale - middle);
        z += own;
        if (sum->plane) {
            zx += own * close->x[j];
            zy += own * close->y[j];
        }
    }
    sum->z[at] += z;
    if (sum->plane) {
        sum->zx[at] += zx;
        sum->zy[at] += zy;
    }
}

static void add_close(const struct piece *piece, size_t lane)
{
    struct close_points close;
    close.count = list_close(piece, lane, close.rank);
    if (close.count == 0)
        return;
    weigh_close(piece->data, piece->sum, lane, &close);
    add_close_weights(&close, piece->sum, lane);
    for (size_t c = 0; c < piece->data->columns; c++)
        add_close_column(piece->data, &close, piece->sum, c, lane);
}

static void add_points_single(const struct shepard_sum_data *data, struct shepard_sum_single *sum,
                              const struct shepard_run *run)
{
    const size_t end = run->first + run->count;
    struct piece piece = {.data = data, .sum = sum, .first = run->first};
    for (; piece.first < end; piece.first += piece.count) {
        const size_t border = (piece.first / SHEPARD_GROUP + 1) * SHEPARD_GROUP;
        piece.count = (border < end ? border : end) - piece.first;
        place_lanes(&piece);
        if (sum->left_out != NULL)
            mark_left_out(&piece);
        for (size_t lane = 0; lane < sum->targets; lane += LANES_F)
            add_piece(&piece, lane);
        for (size_t lane = 0; lane < sum->targets; lane++)
            if (piece.near[lane / LANES_F])
                add_close(&piece, lane);
    }
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* Sets products of `first` and, with smoothing, `rest`. */
static inline __attribute__((always_inline)) void
set_products(const int order, const bool smooth, vf first, vf rest, struct basis_single *basis)
{
    SHEPARD_UNROLL
    for (int k = 1; 2 * k <= order; k++) {
        basis->product[k][0] = k > 1 ? basis->product[k - 1][0] * first : first;
        if (!smooth)
            continue;
        SHEPARD_UNROLL
        for (int j = 1; j <= k; j++)
            basis->product[k][j] = k > 1 ? basis->product[k - 1][j - 1] * rest : rest;
    }
}

static inline __attribute__((always_inline)) void
make_factors(const int order, const enum factors_way way, struct basis_single *basis)
{
    SHEPARD_UNROLL
    for (int k = 0; 2 * k <= order; k++)
        SHEPARD_UNROLL
    for (int l = 2 * k; l <= order; l++)
        basis->made[shepard_terms_factor(l, k)] = factor_single(basis, way, l, k);
}

/* Adds the expansions of a node's charges, times its weight at the centre. */
static inline __attribute__((always_inline)) void
add_charges_single(const int order, const struct shepard_sum_data *data,
                   struct shepard_sum_single *sum, const struct shepard_node *node,
                   const struct basis_single *basis, const enum factors_way way, vf w, size_t lane)
{
    const float *first = data->nodes.single + node->moments, *second = first + node->stride;
    vf sums[2];
    SHEPARD_REREAD(first);
    SHEPARD_REREAD(second);
    sum_term_pairs_single(order, basis, way, first, second, sums);
    add_single(sum->w + lane, w * sums[0]);
    add_single(sum->z + lane, w * sums[1]);
    for (size_t c = 1; c < data->columns; c++)
        add_single(sum->z + c * SHEPARD_LANES + lane,
                   w * sum_terms_single(order, basis, way, first + (c + 1) * node->stride));
}

/* The same with factors that are made in a way: once where several sums use them. */
static inline __attribute__((always_inline)) void
add_charges_in_way(const int order, const struct shepard_sum_data *data,
                   struct shepard_sum_single *sum, const struct shepard_node *node,
                   struct basis_single *basis, const enum factors_way way, vf w, size_t lane)
{
    if (data->columns == 1) {
        add_charges_single(order, data, sum, node, basis, way, w, lane);
        return;
    }
    make_factors(order, way, basis);
    add_charges_single(order, data, sum, node, basis, FACTORS_MADE, w, lane);
}

static inline __attribute__((always_inline)) void
add_node_single(const int order, const struct shepard_sum_data *data,
                struct shepard_sum_single *sum, const struct shepard_node *node, size_t lane)
{
    const vf x =
        vf_join(vd_load(sum->x + lane) - node->x, vd_load(sum->x + lane + LANES_D) - node->x);
    const vf y =
        vf_join(vd_load(sum->y + lane) - node->y, vd_load(sum->y + lane + LANES_D) - node->y);
    const struct single_decay decay = single_decay_at(sum, lane);
    const vf d2 = vf_fma(x, x, y * y), r2 = d2 + (float)sum->decay.smoothing2;
    const vf inverse = 1 / r2, step = inverse * (float)node->scale;
    const vf h = step * (float)node->scale;
    const vf w = single_weight_of_form(sum->decay.form, r2, &decay);
    struct basis_single basis;
    basis.re = x * step;
    basis.im = y * step;
    if (sum->decay.smoothing2 > 0) {
        set_products(order, true, vf_fma(basis.re, basis.re, basis.im * basis.im),
                     h * inverse * -(float)sum->decay.smoothing2, &basis);
        basis.factors = sum->smooth[0] + lane;
        add_charges_in_way(order, data, sum, node, &basis, FACTORS_SMOOTH, w, lane);
        return;
    }
    set_products(order, false, h, h, &basis);
    basis.factors = sum->factors[0] + lane;
    add_charges_in_way(order, data, sum, node, &basis, FACTORS_PLAIN, w, lane);
}

/* Prefetches a node's moments of q and the first column: nodes of a list lie far apart in
 * memory. */
static inline __attribute__((always_inline)) void fetch_node(const struct shepard_node_data *data,
                                                             uint32_t node, const int order)
{
    const char *moments = (const char *)(data->single + data->nodes[node].moments);
    const size_t second = data->nodes[node].stride * sizeof(float);
    for (size_t at = 0; at < SHEPARD_TERMS((size_t)order) * sizeof(float); at += 64) {
        __builtin_prefetch(moments + at);
        __builtin_prefetch(moments + second + at);
    }
}

static inline __attribute__((always_inline)) void
add_nodes_of_order(const int order, const struct shepard_sum_data *data,
                   struct shepard_sum_single *sum, const struct shepard_node_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        if (i + 2 < list->count)
            fetch_node(&data->nodes, list->node[i + 2], order);
        for (size_t lane = 0; lane < sum->targets; lane += LANES_F)
            add_node_single(order, data, sum, &data->nodes.nodes[list->node[i]], lane);
    }
}

static void add_nodes_single(const struct shepard_sum_data *data, struct shepard_sum_single *sum,
                             const struct shepard_node_list *list)
{
    switch (list->order) {
    case 1:
        add_nodes_of_order(1, data, sum, list);
        return;
    case 3:
        add_nodes_of_order(3, data, sum, list);
        return;
    case 5:
        add_nodes_of_order(5, data, sum, list);
        return;
    case 7:
        add_nodes_of_order(7, data, sum, list);
        return;
    case 9:
        add_nodes_of_order(9, data, sum, list);
        return;
    case 11:
        add_nodes_of_order(11, data, sum, list);
        return;
    case SHEPARD_ORDER_SINGLE:
        add_nodes_of_order(SHEPARD_ORDER_SINGLE, data, sum, list);
        return;
    }
}

#endif
