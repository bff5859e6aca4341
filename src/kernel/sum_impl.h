/* SPDX-License-Identifier: MIT */
/* Sums over all points and weights of lists. Included by the file of one instruction set. Lanes are
 * targets; each point is broadcast. A target's sums do not depend on its lane or its neighbours in
 * the block: every lane does the same operations in the same order. */
#ifndef SHEPARD_KERNEL_SUM_IMPL_H
#define SHEPARD_KERNEL_SUM_IMPL_H

#include "kernel/decay.h"
#include "kernel/kernels.h"

#include <math.h>

/* The parameters of weights, field by field. */
struct decay_lanes {
    enum shepard_form form;
    double smoothing2[SHEPARD_LANES], unit2[SHEPARD_LANES], half_alpha[SHEPARD_LANES];
};

static inline struct decay_lanes lanes_of(const struct shepard_decay *decay, size_t targets)
{
    struct decay_lanes lanes = {.form = decay[0].form};
    for (size_t i = 0; i < SHEPARD_LANES; i++) {
        const struct shepard_decay *d = &decay[i < targets ? i : 0];
        lanes.smoothing2[i] = d->smoothing2;
        lanes.unit2[i] = d->unit2;
        lanes.half_alpha[i] = d->alpha / 2;
    }
    return lanes;
}

static void list_weights(const double *d2, size_t count, const struct shepard_decay *decay,
                         double *w)
{
    const vd smoothing2 = vd_all(decay->smoothing2), unit2 = vd_all(decay->unit2);
    const vd half_alpha = vd_all(decay->alpha / 2);
    size_t i = 0;
    for (; i + LANES_D <= count; i += LANES_D)
        vd_store(w + i, vd_decay(decay->form, vd_load(d2 + i), smoothing2, unit2, half_alpha));
    if (i == count)
        return;
    double rest[LANES_D];
    for (size_t j = 0; j < LANES_D; j++)
        rest[j] = d2[i + j < count ? i + j : i];
    vd_store(rest, vd_decay(decay->form, vd_load(rest), smoothing2, unit2, half_alpha));
    memcpy(w + i, rest, (count - i) * sizeof *w);
}

/* Adds term to a row's sums from *sum on, and what the addition rounds off to its lost ones
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
};

static inline void block_weights(struct block *b, enum shepard_form form,
                                 const struct decay_lanes *lanes)
{
    const vd x = vd_load(b->sum->x + b->lane), y = vd_load(b->sum->y + b->lane);
    const vd smoothing2 = vd_load(lanes->smoothing2 + b->lane);
    const vd unit2 = vd_load(lanes->unit2 + b->lane);
    const vd half_alpha = vd_load(lanes->half_alpha + b->lane);
    const double *px = b->data->tree->x + b->first, *py = b->data->tree->y + b->first;
    const double *q = b->data->weights;
    for (size_t j = 0; j < b->count; j++) {
        const vd dx = px[j] - x, dy = py[j] - y;
        b->w[j] = vd_decay(form, dx * dx + dy * dy, smoothing2, unit2, half_alpha);
    }
    for (size_t j = 0; q != NULL && j < b->count; j++)
        b->w[j] *= q[b->first + j];
}

static void block_weights_of_form(struct block *b, const struct decay_lanes *lanes)
{
    switch (lanes->form) {
    case SHEPARD_FORM_1:
        block_weights(b, SHEPARD_FORM_1, lanes);
        return;
    case SHEPARD_FORM_2:
        block_weights(b, SHEPARD_FORM_2, lanes);
        return;
    case SHEPARD_FORM_3:
        block_weights(b, SHEPARD_FORM_3, lanes);
        return;
    case SHEPARD_FORM_4:
        block_weights(b, SHEPARD_FORM_4, lanes);
        return;
    case SHEPARD_FORM_GENERAL:
        block_weights(b, SHEPARD_FORM_GENERAL, lanes);
        return;
    }
}

static void block_totals(const struct block *b)
{
    vd w = vd_all(0), ww = w;
    for (size_t j = 0; j < b->count; j++) {
        w += b->w[j];
        ww += b->w[j] * b->w[j];
    }
    add_to(b->sum->w + b->lane, w);
    add_to(b->sum->ww + b->lane, ww);
}

static void block_plane(const struct block *b)
{
    const double *px = b->data->tree->x + b->first, *py = b->data->tree->y + b->first;
    const vd x = vd_load(b->sum->origin_x + b->lane), y = vd_load(b->sum->origin_y + b->lane);
    vd wx = vd_all(0), wy = wx, wxx = wx, wxy = wx, wyy = wx;
    for (size_t j = 0; j < b->count; j++) {
        const vd dx = px[j] - x, dy = py[j] - y;
        const vd ax = b->w[j] * dx, ay = b->w[j] * dy;
        wx += ax;
        wy += ay;
        wxx += ax * dx;
        wxy += ax * dy;
        wyy += ay * dy;
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
        z += b->sum->spread ? b->w[j] * d * d : b->w[j] * d;
    }
    add_to(b->sum->z + at, z);
}

static void block_column_plane(const struct block *b, size_t column)
{
    const size_t at = column * SHEPARD_ROW + b->lane;
    const double *px = b->data->tree->x + b->first, *py = b->data->tree->y + b->first;
    const double *values = b->data->values[column] + b->first;
    const double scale = b->data->scale[column];
    const vd centre = vd_load(b->sum->centre + at) * scale;
    const vd x = vd_load(b->sum->origin_x + b->lane), y = vd_load(b->sum->origin_y + b->lane);
    vd zx = vd_all(0), zy = zx;
    for (size_t j = 0; j < b->count; j++) {
        const vd wz = b->w[j] * (values[j] * scale - centre);
        zx += wz * (px[j] - x);
        zy += wz * (py[j] - y);
    }
    add_to(b->sum->zx + at, zx);
    add_to(b->sum->zy + at, zy);
}

static void clear_double(const struct shepard_sum_data *data, struct shepard_sum_double *sum)
{
    const size_t row = sizeof sum->w, all = data->columns * row;
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
}

static void recover_double(const struct shepard_sum_data *data, struct shepard_sum_double *sum)
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

static void sum_block(struct block *b, const struct decay_lanes *lanes)
{
    block_weights_of_form(b, lanes);
    block_totals(b);
    if (b->sum->plane)
        block_plane(b);
    for (size_t c = 0; c < b->data->columns; c++) {
        block_column(b, c);
        if (b->sum->plane)
            block_column_plane(b, c);
    }
}

/* Lanes past the last target repeat the first. */
static void fill_lanes(double *x, double *y, size_t targets)
{
    for (size_t i = targets; i < SHEPARD_LANES; i++) {
        x[i] = x[0];
        y[i] = y[0];
    }
}

static void sum_double(const struct shepard_sum_data *data, struct shepard_sum_double *sum)
{
    const size_t n = data->tree->count;
    const struct decay_lanes lanes = lanes_of(sum->decay, sum->targets);
    clear_double(data, sum);
    fill_lanes(sum->x, sum->y, sum->targets);
    for (size_t first = 0; first < n; first += SHEPARD_GROUP) {
        const size_t count = n - first < SHEPARD_GROUP ? n - first : SHEPARD_GROUP;
        for (size_t lane = 0; lane < sum->targets; lane += LANES_D) {
            struct block b = {
                .data = data, .sum = sum, .lane = lane, .first = first, .count = count};
            sum_block(&b, &lanes);
        }
    }
    recover_double(data, sum);
}

/* ---- single precision ------------------------------------------------------------------------ */

/* Float parameters of the weights: general: 2^(level - half_alpha log2(d2 + smoothing2)), level an
 * integer, so that it joins the exponent without rounding; integer powers: of unit2 / d2. */
struct far_lanes {
    enum shepard_form form;
    float smoothing2, unit2[SHEPARD_LANES], half_alpha[SHEPARD_LANES];
    int32_t level[SHEPARD_LANES];
    float x[SHEPARD_LANES], y[SHEPARD_LANES]; /* offsets from the group's centre */
    int32_t far[SHEPARD_LANES];               /* all ones where the group is far */
};

/* The weight that both the float and the double part of a single-precision sum use; for the general
 * form unit2 is moved so that its power is a power of two. */
static struct shepard_decay single_decay(const struct shepard_decay *decay, struct far_lanes *far,
                                         size_t lane)
{
    struct shepard_decay moved = *decay;
    const double half_alpha = decay->alpha / 2;
    const double level = rint(half_alpha * log2(decay->unit2));
    if (decay->form == SHEPARD_FORM_GENERAL)
        moved.unit2 = exp2(level / half_alpha);
    far->half_alpha[lane] = (float)half_alpha;
    far->level[lane] = (int32_t)level;
    far->unit2[lane] = (float)moved.unit2;
    return moved;
}

/* Within these bounds (frame units, squared) squares of float offsets neither vanish nor overflow.
 */
#define FAR_MIN2 0x1p-80
#define FAR_MAX2 0x1p100

/* A target nearer to a point than this (squared) has weights far away that float32 cannot hold. */
#define UNIT_MIN2 0x1p-80

/* Whether a target this far (squared) from a group's centre sees it in float32: offsets then have a
 * relative error of a few 2^-24 (docs/math.md, Eq. 21 and 22). */
static inline bool is_far(double distance2, double radius2, double smoothing2)
{
    return distance2 >= 4 * radius2 && distance2 >= FAR_MIN2 && distance2 + smoothing2 <= FAR_MAX2;
}

/* Sets the offsets from the group's centre; returns the lanes to which the group is near. */
static unsigned place_lanes(const struct shepard_group *group, const struct shepard_sum_single *sum,
                            struct far_lanes *far)
{
    unsigned near = 0;
    for (unsigned i = 0; i < SHEPARD_LANES; i++) {
        const double x = sum->x[i] - group->x, y = sum->y[i] - group->y;
        const bool apart = sum->decay[i < sum->targets ? i : 0].unit2 >= UNIT_MIN2 &&
                           is_far(x * x + y * y, group->radius2, sum->decay[0].smoothing2);
        far->x[i] = (float)x;
        far->y[i] = (float)y;
        far->far[i] = -(int32_t)apart;
        near |= (unsigned)!apart << i;
    }
    return near;
}

static inline vf far_weight(enum shepard_form form, vf d2, vf unit2, vf half_alpha, vi level)
{
    if (form == SHEPARD_FORM_GENERAL) {
        vf e, rest;
        vf_log2(d2, &e, &rest);
        const vf whole = vf_round(half_alpha * e + half_alpha * rest);
        const vf r = (half_alpha * e - whole) + half_alpha * rest;
        return vf_exp2(-r, level - __builtin_convertvector(whole, vi));
    }
    const vf u = unit2 / d2;
    return form == SHEPARD_FORM_1   ? vf_sqrt(u)
           : form == SHEPARD_FORM_2 ? u
           : form == SHEPARD_FORM_3 ? u * vf_sqrt(u)
                                    : u * u;
}

/* One vector of targets and one group of points in float32. */
struct far_block {
    const struct shepard_sum_data *data;
    const struct far_lanes *far;
    struct shepard_sum_single *sum;
    size_t lane;
    size_t first, count;
};

/* Adds a group's float sums to the double ones, in the lanes that see it from far. */
static inline void add_far(const struct far_block *b, double *sum, vf term)
{
    float terms[LANES_F];
    vi far;
    memcpy(&far, b->far->far + b->lane, sizeof far);
    vf_store(terms, (vf)(far & (vi)term));
    for (size_t i = 0; i < LANES_F; i++)
        sum[b->lane + i] += (double)terms[i];
}

static inline vf far_weight_at(const struct far_block *b, enum shepard_form form, size_t j)
{
    const struct far_lanes *far = b->far;
    vi level;
    memcpy(&level, far->level + b->lane, sizeof level);
    const vf dx = vf_load(far->x + b->lane) - b->data->x[b->first + j];
    const vf dy = vf_load(far->y + b->lane) - b->data->y[b->first + j];
    const vf d2 = dx * dx + dy * dy + far->smoothing2;
    return far_weight(form, d2, vf_load(far->unit2 + b->lane), vf_load(far->half_alpha + b->lane),
                      level);
}

/* One column and no weights: everything stays in registers. */
static inline void sum_far_one(const struct far_block *b, enum shepard_form form)
{
    const float *charges = b->data->charges[0] + b->first;
    vf w = vf_all(0), z = w;
    for (size_t j = 0; j < b->count; j++) {
        const vf wj = far_weight_at(b, form, j);
        w += wj;
        z += wj * charges[j];
    }
    add_far(b, b->sum->w, w);
    add_far(b, b->sum->z, z);
}

/* Any number of columns: the group's weights are kept, one pass over them a column. */
static inline void sum_far_many(const struct far_block *b, enum shepard_form form)
{
    vf w[SHEPARD_GROUP];
    for (size_t j = 0; j < b->count; j++)
        w[j] = far_weight_at(b, form, j);
    const float *q = b->data->charge;
    vf total = vf_all(0);
    for (size_t j = 0; j < b->count; j++)
        total += q != NULL ? w[j] * q[b->first + j] : w[j];
    add_far(b, b->sum->w, total);
    for (size_t c = 0; c < b->data->columns; c++) {
        const float *charges = b->data->charges[c] + b->first;
        vf z = vf_all(0);
        for (size_t j = 0; j < b->count; j++)
            z += w[j] * charges[j];
        add_far(b, b->sum->z + c * SHEPARD_LANES, z);
    }
}

static inline void sum_far(const struct far_block *b, enum shepard_form form)
{
    if (b->data->columns == 1 && b->data->charge == NULL)
        sum_far_one(b, form);
    else
        sum_far_many(b, form);
}

static void sum_far_of_form(const struct far_block *b)
{
    switch (b->far->form) {
    case SHEPARD_FORM_1:
        sum_far(b, SHEPARD_FORM_1);
        return;
    case SHEPARD_FORM_2:
        sum_far(b, SHEPARD_FORM_2);
        return;
    case SHEPARD_FORM_3:
        sum_far(b, SHEPARD_FORM_3);
        return;
    case SHEPARD_FORM_4:
        sum_far(b, SHEPARD_FORM_4);
        return;
    case SHEPARD_FORM_GENERAL:
        sum_far(b, SHEPARD_FORM_GENERAL);
        return;
    }
}

/* The same group in double for one lane. */
static void sum_near(const struct far_block *b, const struct shepard_decay *decay, unsigned lane)
{
    const struct shepard_sum_data *data = b->data;
    const double *px = data->tree->x + b->first, *py = data->tree->y + b->first;
    const double x = b->sum->x[lane], y = b->sum->y[lane];
    double d2[SHEPARD_GROUP], w[SHEPARD_GROUP];
    for (size_t j = 0; j < b->count; j++)
        d2[j] = (px[j] - x) * (px[j] - x) + (py[j] - y) * (py[j] - y);
    list_weights(d2, b->count, decay, w);
    double total = 0;
    for (size_t j = 0; j < b->count; j++) {
        w[j] *= data->weights != NULL ? data->weights[b->first + j] : 1;
        total += w[j];
    }
    b->sum->w[lane] += total;
    for (size_t c = 0; c < data->columns; c++) {
        const double *values = data->values[c] + b->first;
        const double scale = data->scale[c], middle = data->middle[c] * scale;
        double z = 0;
        for (size_t j = 0; j < b->count; j++)
            z += w[j] * (values[j] * scale - middle);
        b->sum->z[c * SHEPARD_LANES + lane] += z / (data->half_range[c] * scale);
    }
}

static void sum_group(struct far_block *b, const struct shepard_decay *decay, unsigned near)
{
    for (b->lane = 0; b->lane < b->sum->targets; b->lane += LANES_F)
        sum_far_of_form(b);
    for (; near != 0; near &= near - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(near);
        if (lane < b->sum->targets)
            sum_near(b, &decay[lane], lane);
    }
}

static void sum_single(const struct shepard_sum_data *data, struct shepard_sum_single *sum)
{
    const size_t n = data->tree->count;
    struct far_lanes far = {.form = sum->decay[0].form,
                            .smoothing2 = (float)sum->decay[0].smoothing2};
    struct shepard_decay decay[SHEPARD_LANES];
    for (size_t i = 0; i < SHEPARD_LANES; i++)
        decay[i] = single_decay(&sum->decay[i < sum->targets ? i : 0], &far, i);
    fill_lanes(sum->x, sum->y, sum->targets);
    memset(sum->w, 0, sizeof sum->w);
    memset(sum->z, 0, data->columns * sizeof sum->w);
    for (size_t first = 0; first < n; first += SHEPARD_GROUP) {
        const unsigned near = place_lanes(&data->groups[first / SHEPARD_GROUP], sum, &far);
        const size_t count = n - first < SHEPARD_GROUP ? n - first : SHEPARD_GROUP;
        struct far_block b = {
            .data = data, .far = &far, .sum = sum, .first = first, .count = count};
        sum_group(&b, decay, near);
    }
}

#endif
