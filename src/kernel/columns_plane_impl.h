/* SPDX-License-Identifier: MIT */
/* Planes of a vector of columns over one list of points, from weights of each column. Included by
 * columns.c. The steps, their order and so their bits are those of one plane (backend/cpu/plane.c,
 * core/fit.h). */
#ifndef SHEPARD_KERNEL_COLUMNS_PLANE_IMPL_H
#define SHEPARD_KERNEL_COLUMNS_PLANE_IMPL_H

#include "kernel/columns_lanes.h"
#include "kernel/turn.h"

#include <float.h>

/* Weighted sums of offsets and of their products. */
struct plane_moments {
    vd x, y, xx, xy, yy;
};

/* One vector of columns of a step. */
struct plane_lanes {
    const struct shepard_columns *columns;
    const struct shepard_columns_list *list;
    const struct shepard_columns_plane *plane;
    size_t at;                  /* the first column */
    size_t places;              /* of the list that were looked at */
    const double *scaled;       /* from the first column on */
    vd mean, w;                 /* the weighted mean, the sum of weights */
    struct plane_moments about; /* the target */
    vd median2;
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
static inline void plane_centre(struct plane_moments *m, vd part)
{
    m->x *= part;
    m->y *= part;
    m->xx = m->xx * part - m->x * m->x;
    m->xy = m->xy * part - m->x * m->y;
    m->yy = m->yy * part - m->y * m->y;
}

/* Places behind the first that may be a median, until the next look at whether all are found: a
 * look at each would be guessed wrong. */
#define PLANE_PLACES 5

/* shepard_fit_median2 of each lane's points, `points` of those at the places of the list. */
static inline vd plane_median2(const struct shepard_columns_list *list, const double *scaled,
                               size_t places, vd points)
{
    const vl count = vl_of(points), below = (count - 1) >> 1, above = count >> 1;
    const bool full = vl_bits((vl)(points < (double)list->most)) == 0;
    vl before = {0};
    vd sum = vd_all(0);
    size_t j = 0;
    for (const size_t sure = full ? (list->most - 1) / 2 : 0; j < sure; j++)
        before += columns_missing(vd_load(scaled + list->rank[j] * SHEPARD_COLUMNS_STEP)) + 1;
    while (j < places && vl_bits((vl)(before <= above)) != 0) {
        const size_t reach = j + PLANE_PLACES, end = reach < places ? reach : places;
        for (; j < end; j++) {
            const vd own = vd_load(scaled + list->rank[j] * SHEPARD_COLUMNS_STEP);
            const vl missing = columns_missing(own);
            const vl middle = (vl)(before == below) | (vl)(before == above);
            sum += columns_keep(~missing & middle, vd_all(list->distance[j]));
            before += missing + 1;
        }
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

/* Moments in the axes, and those of values: sums of w (z - mean) scale times offsets. own [places,
 * LANES_D]: weights, 0 where no value counts. */
static inline void plane_sum(const struct plane_lanes *lanes, const double *own,
                             const struct vd_axes *axes, struct plane_moments *spread, vd *zx,
                             vd *zy)
{
    const struct shepard_columns *columns = lanes->columns;
    const double *rows = columns->rows + shepard_columns_row_place(columns, 0, lanes->at);
    const vd scale = vd_load(columns->scale + lanes->at), centre = lanes->mean * scale;
    *zx = *zy = spread->x = spread->y = spread->xx = spread->xy = spread->yy = vd_all(0);
    for (size_t j = 0; j < lanes->places; j++) {
        const uint32_t rank = lanes->list->rank[j];
        const vd w = vd_load(own + j * LANES_D);
        const vd d = vd_load(rows + rank * SHEPARD_COLUMNS_ROW) * scale - centre;
        const vd wz = w * (vd)((vl)(w > 0) & (vl)d);
        vd along = vd_all(columns->x[rank]), across = vd_all(columns->y[rank]);
        vd_turn(axes, &along, &across, false);
        plane_add(spread, w, along, across);
        *zx += wz * along;
        *zy += wz * across;
    }
    plane_centre(spread, 1 / lanes->w);
    *zx /= lanes->w;
    *zy /= lanes->w;
}

/* shepard_fit_slopes, shepard_fit_damp and shepard_fit_rise; *regular: of a plane that is not
 * singular. */
static inline vd plane_rise_in_axes(const struct plane_moments *spread, vd ridge_h2, double damping,
                                    vd x, vd y, vd zx, vd zy, vl *regular)
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

/* What the plane predicts at the target, in axes near those of the points. */
static inline vd plane_value_in_axes(const struct plane_lanes *lanes, const double *own,
                                     vl *regular)
{
    const struct vd_axes axes = plane_axes(lanes, &lanes->about);
    struct plane_moments spread;
    vd zx, zy, x = vd_all(lanes->list->x), y = vd_all(lanes->list->y);
    plane_sum(lanes, own, &axes, &spread, &zx, &zy);
    vd_turn(&axes, &x, &y, false);
    const vd length2 = axes.main_x * axes.main_x + axes.main_y * axes.main_y;
    const vd ridge_h2 = lanes->plane->ridge * lanes->median2 * length2;
    const vd rise = plane_rise_in_axes(&spread, ridge_h2, lanes->plane->damping, spread.x - x,
                                       spread.y - y, zx, zy, regular);
    return lanes->mean + rise / vd_load(lanes->columns->scale + lanes->at);
}

/* Moments about the target. */
static inline struct plane_moments plane_about(const vd *sum)
{
    struct plane_moments about = {sum[SUM_X], sum[SUM_Y], sum[SUM_XX], sum[SUM_XY], sum[SUM_YY]};
    plane_centre(&about, 1 / sum[SUM_1]);
    return about;
}

/* What the plane of sums [SUMS] rises to the target: shepard_fit_direct; *good: else in axes. */
static inline vd plane_rise(const struct plane_moments *about, const vd *sum,
                            const struct shepard_columns_plane *plane, vd median2, vl *good)
{
    const vd part = 1 / sum[SUM_1], z = sum[SUM_Z] * part, ridge_h2 = plane->ridge * median2;
    const vd x = about->x, y = about->y, xy = about->xy;
    const vd zx = sum[SUM_ZX] * part - x * z, zy = sum[SUM_ZY] * part - y * z;
    const vd xx = about->xx + ridge_h2, yy = about->yy + ridge_h2;
    const vd trace = xx + yy + (x * x + y * y), determinant = xx * yy - xy * xy;
    const vd u = yy * x - xy * y, v = xx * y - xy * x;
    *good = (vl)(determinant > SHEPARD_FIT_GOOD * (trace * trace)) &
            (vl)(determinant >= SHEPARD_FIT_NORMAL);
    return -(u * zx + v * zy) / (determinant + plane->damping * (x * u + y * v));
}

#endif
