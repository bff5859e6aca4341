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
    size_t at;             /* the first column */
    size_t places;         /* of the list that were looked at */
    const double *own;     /* [places, SHEPARD_COLUMNS_STEP] weights, 0 where no value counts */
    const double *scaled;  /* of the columns' step */
    vd w, wz, mean, count; /* the sums of w and w (scale z - shift), the weighted mean, how many
                              values count */
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
    const vd part = 1 / w;
    m->x *= part;
    m->y *= part;
    m->xx = m->xx * part - m->x * m->x;
    m->xy = m->xy * part - m->x * m->y;
    m->yy = m->yy * part - m->y * m->y;
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
    /* No lane ends much earlier: a look at each place would be guessed wrong. */
    const size_t reach = lanes->list->most;
    for (size_t j = 0; j < lanes->places && (j < reach || vl_bits((vl)(before <= above)) != 0);
         j++) {
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

/* Moments about the target, and those of values: sums of w (scale z - shift) times offsets. */
static inline struct plane_moments plane_about(const struct plane_lanes *lanes, vd *zx, vd *zy)
{
    const struct shepard_columns_list *list = lanes->list;
    struct plane_moments about = {vd_all(0), vd_all(0), vd_all(0), vd_all(0), vd_all(0)};
    vd x = vd_all(0), y = vd_all(0);
    for (size_t j = 0; j < lanes->places; j++) {
        const vd w = plane_weight(lanes, j), dx = vd_all(list->dx[j]), dy = vd_all(list->dy[j]);
        const vd wz = w * vd_load(lanes->scaled + list->rank[j] * SHEPARD_COLUMNS_STEP);
        plane_add(&about, w, dx, dy);
        x += wz * dx;
        y += wz * dy;
    }
    plane_centre(&about, lanes->w);
    const vd part = 1 / lanes->w, z = lanes->wz * part;
    *zx = x * part - about.x * z;
    *zy = y * part - about.y * z;
    return about;
}

/* What the plane predicts at the target, in axes near those of the points. */
static __attribute__((noinline)) vd plane_value_in_axes(const struct plane_lanes *lanes,
                                                        const struct plane_moments *about,
                                                        const struct shepard_columns_plane *plane,
                                                        vd median2, vl *regular)
{
    const struct vd_axes axes = plane_axes(lanes, about);
    struct plane_moments spread;
    vd zx, zy, x = vd_all(lanes->list->x), y = vd_all(lanes->list->y);
    plane_sum(lanes, &axes, &spread, &zx, &zy);
    vd_turn(&axes, &x, &y, false);
    const vd length2 = axes.main_x * axes.main_x + axes.main_y * axes.main_y;
    const vd ridge_h2 = plane->ridge * median2 * length2;
    const vd rise =
        plane_rise(&spread, ridge_h2, plane->damping, spread.x - x, spread.y - y, zx, zy, regular);
    return lanes->mean + rise / vd_load(lanes->columns->scale + lanes->at);
}

/* What the plane predicts at the target: shepard_fit_direct, else in axes. */
static inline vd plane_value(const struct plane_lanes *lanes,
                             const struct shepard_columns_plane *plane, vl *regular)
{
    vd zx, zy;
    const struct plane_moments about = plane_about(lanes, &zx, &zy);
    const vd median2 = plane_median2(lanes), ridge_h2 = plane->ridge * median2;
    const vd x = about.x, y = about.y, xy = about.xy;
    const vd xx = about.xx + ridge_h2, yy = about.yy + ridge_h2;
    const vd trace = xx + yy + (x * x + y * y), determinant = xx * yy - xy * xy;
    const vd u = yy * x - xy * y, v = xx * y - xy * x;
    const vl good = (vl)(determinant > SHEPARD_FIT_GOOD * (trace * trace)) &
                    (vl)(determinant >= SHEPARD_FIT_NORMAL);
    const vd rise = -(u * zx + v * zy) / (determinant + plane->damping * (x * u + y * v));
    const vd value = lanes->mean + rise / vd_load(lanes->columns->scale + lanes->at);
    *regular = good;
    if (vl_bits(~good & (vl)(lanes->count > 0)) == 0)
        return value;
    const vd other = plane_value_in_axes(lanes, &about, plane, median2, regular);
    *regular |= good;
    return vd_select(good, value, other);
}

#endif
