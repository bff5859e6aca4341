/* SPDX-License-Identifier: MIT */
/* Planes of a vector of columns over one list of points, from weights of each column. Included by
 * columns.c. The steps, their order and so their bits are those of one plane (backend/cpu/plane.c,
 * core/fit.h). */
#ifndef SHEPARD_KERNEL_COLUMNS_PLANE_IMPL_H
#define SHEPARD_KERNEL_COLUMNS_PLANE_IMPL_H

#include "kernel/columns.h"
#include "kernel/turn.h"

#include <float.h>

/* One vector of columns of a step. */
struct plane_lanes {
    const struct shepard_columns *columns;
    const struct shepard_columns_list *list;
    size_t at;         /* the first column */
    size_t places;     /* of the list that were looked at */
    const double *own; /* [places, SHEPARD_COLUMNS_STEP] weights, 0 where no value counts */
    vd w, mean, count; /* the weights' sum, the weighted mean, how many values count */
};

/* Weighted sums of offsets and of their products. */
struct plane_moments {
    vd x, y, xx, xy, yy;
};

static inline void plane_add(struct plane_moments *m, vd w, vd dx, vd dy)
{
    const vd wx = w * dx, wy = w * dy;
    m->x += wx;
    m->y += wy;
    m->xx += wx * dx;
    m->xy += wx * dy;
    m->yy += wy * dy;
}

/* Means and centred moments. */
static inline void plane_centre(struct plane_moments *m, vd w)
{
    m->x /= w;
    m->y /= w;
    m->xx = m->xx / w - m->x * m->x;
    m->xy = m->xy / w - m->x * m->y;
    m->yy = m->yy / w - m->y * m->y;
}

static inline vd plane_weight(const struct plane_lanes *lanes, size_t j)
{
    return vd_load(lanes->own + j * SHEPARD_COLUMNS_STEP);
}

/* shepard_fit_median of the distances of each lane's points, squared. */
static inline vd plane_median2(const struct plane_lanes *lanes)
{
    const vd below = vd_round(lanes->count * 0.5 - 0.75),
             above = vd_round(lanes->count * 0.5 - 0.25);
    vd before = vd_all(0), sum = before;
    for (size_t j = 0; j < lanes->places; j++) {
        const vl taken = (vl)(plane_weight(lanes, j) > 0);
        const vl middle = (vl)(before == below) | (vl)(before == above);
        sum += (vd)(taken & middle & (vl)vd_all(lanes->list->distance[j]));
        before += (vd)(taken & (vl)vd_all(1));
    }
    const vd median = vd_select((vl)(below == above), sum, sum / 2);
    return median * median;
}

/* shepard_fit_axes of points whose spread about the target is known roughly. */
static inline struct vd_axes plane_axes(const struct plane_lanes *lanes,
                                        const struct plane_moments *rough)
{
    const vl y_main = ~(vl)(rough->xx >= rough->yy);
    const vd large = vd_select(y_main, rough->yy, rough->xx);
    const vd small = vd_select(y_main, rough->xx, rough->yy);
    const vd trace = large + small, difference = (large - small) / trace;
    const vd twice = 2 * rough->xy / trace;
    vd slope = twice / (difference + vd_sqrt(difference * difference + twice * twice));
    const vl within = (vl)(slope <= 1) & (vl)(slope >= -1);
    slope = (vd)(within & (vl) __builtin_convertvector(__builtin_convertvector(slope, vh), vd));
    return (struct vd_axes){lanes->list->x + rough->x, lanes->list->y + rough->y,
                            vd_select(y_main, slope, vd_all(1)),
                            vd_select(y_main, vd_all(1), slope)};
}

/* The moments about the target, which find the axes. */
static inline struct vd_axes plane_rough(const struct plane_lanes *lanes)
{
    struct plane_moments rough = {vd_all(0), vd_all(0), vd_all(0), vd_all(0), vd_all(0)};
    for (size_t j = 0; j < lanes->places; j++) {
        const uint32_t rank = lanes->list->rank[j];
        plane_add(&rough, plane_weight(lanes, j), vd_all(lanes->columns->x[rank] - lanes->list->x),
                  vd_all(lanes->columns->y[rank] - lanes->list->y));
    }
    plane_centre(&rough, lanes->w);
    return plane_axes(lanes, &rough);
}

/* Moments in the axes, and those of values: sums of w (z - mean) scale times offsets. */
static inline void plane_sum(const struct plane_lanes *lanes, const struct vd_axes *axes,
                             struct plane_moments *spread, vd *zx, vd *zy)
{
    const struct shepard_columns *columns = lanes->columns;
    const size_t lane = lanes->at % SHEPARD_COLUMNS_STEP;
    const double *rows = columns->rows + (lanes->at - lane) * columns->count + lane;
    const vd scale = vd_load(columns->scale + lanes->at), centre = lanes->mean * scale;
    *zx = *zy = spread->x = spread->y = spread->xx = spread->xy = spread->yy = vd_all(0);
    for (size_t j = 0; j < lanes->places; j++) {
        const uint32_t rank = lanes->list->rank[j];
        const vd w = plane_weight(lanes, j);
        const vd d = vd_load(rows + rank * SHEPARD_COLUMNS_STEP) * scale - centre;
        const vd wz = w * (vd)((vl)(w > 0) & (vl)d);
        vd along = vd_all(columns->x[rank]), across = vd_all(columns->y[rank]);
        vd_turn(axes, &along, &across, false);
        plane_add(spread, w, along, across);
        *zx += wz * along;
        *zy += wz * across;
    }
    plane_centre(spread, lanes->w);
    *zx /= lanes->w;
    *zy /= lanes->w;
}

/* shepard_fit_slopes, shepard_fit_damp and shepard_fit_rise; *regular: of a plane that is not
 * singular. */
static inline vd plane_rise(const struct plane_moments *spread, vd ridge_h2, double damping, vd x,
                            vd y, vd zx, vd zy, vl *regular)
{
    const vd xx = spread->xx + ridge_h2, yy = spread->yy + ridge_h2, trace = xx + yy;
    const vl y_first = (vl)(yy > xx);
    const vd pivot = vd_select(y_first, yy, xx), other = vd_select(y_first, xx, yy);
    const vd factor = spread->xy / pivot, rest = other - factor * spread->xy;
    const vd first = vd_select(y_first, y, x), second = vd_select(y_first, x, y);
    const vd z1 = vd_select(y_first, zy, zx), z2 = vd_select(y_first, zx, zy);
    const vd off = second - factor * first;
    const vd b2 = (z2 - factor * z1) / rest, b1 = z1 / pivot - factor * b2;
    vd kept = vd_all(1);
    if (damping > 0)
        kept = 1 / (1 + damping * (first * first / pivot + off * off / rest));
    *regular = (vl)(trace >= DBL_MIN) & (vl)(trace <= DBL_MAX) &
               (vl)(pivot / trace * (rest / trace) > SHEPARD_FIT_SINGULAR);
    return -kept * (b1 * first + b2 * second);
}

/* What the plane predicts at the target. */
static inline vd plane_value(const struct plane_lanes *lanes,
                             const struct shepard_columns_plane *plane, vl *regular)
{
    const struct vd_axes axes = plane_rough(lanes);
    struct plane_moments spread;
    vd zx, zy, x = vd_all(lanes->list->x), y = vd_all(lanes->list->y);
    plane_sum(lanes, &axes, &spread, &zx, &zy);
    vd_turn(&axes, &x, &y, false);
    const vd length2 = axes.main_x * axes.main_x + axes.main_y * axes.main_y;
    const vd ridge_h2 = plane->ridge * plane_median2(lanes) * length2;
    const vd rise =
        plane_rise(&spread, ridge_h2, plane->damping, spread.x - x, spread.y - y, zx, zy, regular);
    return lanes->mean + rise / vd_load(lanes->columns->scale + lanes->at);
}

#endif
