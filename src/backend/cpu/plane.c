/* SPDX-License-Identifier: MIT */
#include "backend/cpu/plane.h"

#include "core/sphere.h"

/* Weighted sums of offsets and of their products. */
struct offset_sums {
    double x, y, xx, xy, yy;
};

static inline void add(struct offset_sums *sums, double w, double x, double y)
{
    const double wx = w * x, wy = w * y;
    sums->x += wx;
    sums->y += wy;
    sums->xx += wx * x;
    sums->xy += wx * y;
    sums->yy += wy * y;
}

/* Means and centred moments. */
static struct shepard_spread centred(const struct offset_sums *sums, double w)
{
    const double part = 1 / w, x = sums->x * part, y = sums->y * part;
    return (struct shepard_spread){x, y, sums->xx * part - x * x, sums->xy * part - x * y,
                                   sums->yy * part - y * y};
}

/* ---- about the target ------------------------------------------------------------------------ */

/* Offsets on the plane that touches a sphere at the target. */
static struct offset_sums look_on_sphere(const struct shepard_cpu_plane *plane,
                                         const struct shepard_geometry *points)
{
    const struct shepard_cpu_weighted *list = plane->list;
    struct shepard_place place = {.x = list->x, .y = list->y, .z = list->z};
    const double diameter = shepard_frame_diameter(&points->frame);
    struct offset_sums sums = {0};
    shepard_sphere_orient(diameter, &place);
    for (size_t i = 0; i < list->count; i++) {
        const uint32_t at = list->rank[i];
        const double own[3] = {points->x[at], points->y[at], points->z[at]};
        shepard_sphere_offset(diameter, &place, own, &plane->along[i], &plane->across[i]);
        add(&sums, list->w[i], plane->along[i], plane->across[i]);
    }
    return sums;
}

static struct offset_sums look(const struct shepard_cpu_plane *plane,
                               const struct shepard_samples *points)
{
    const struct shepard_cpu_weighted *list = plane->list;
    struct offset_sums sums = {0};
    for (size_t i = 0; i < list->count; i++) {
        const uint32_t at = list->rank[i];
        const double x = points->x[at] - list->x, y = points->y[at] - list->y;
        plane->along[i] = x;
        plane->across[i] = y;
        add(&sums, list->w[i], x, y);
    }
    return sums;
}

static double direct_rise(const struct shepard_cpu_plane *plane,
                          const struct shepard_cpu_column *of, double sum)
{
    const struct shepard_cpu_weighted *list = plane->list;
    const struct shepard_direct *direct = &plane->direct;
    const double part = 1 / plane->w, z = sum * part;
    double xz = 0, yz = 0;
    for (size_t i = 0; i < list->count; i++) {
        const double wz = shepard_cpu_column_term(of, list->w[i], list->rank[i]);
        xz += wz * plane->along[i];
        yz += wz * plane->across[i];
    }
    xz = xz * part - direct->x * z;
    yz = yz * part - direct->y * z;
    return -(direct->u * xz + direct->v * yz) / direct->whole;
}

/* ---- in axes --------------------------------------------------------------------------------- */

/* Puts places where offsets are. */
static void gather(const struct shepard_cpu_plane *plane, const struct shepard_samples *points)
{
    for (size_t i = 0; i < plane->list->count; i++) {
        const uint32_t at = plane->list->rank[i];
        plane->along[i] = points->x[at];
        plane->across[i] = points->y[at];
    }
}

/* Turns places, or on a sphere offsets, into the axes; their spread there. */
static struct shepard_spread turn_into(const struct shepard_cpu_plane *plane,
                                       const struct shepard_axes *axes)
{
    double *restrict along = plane->along, *restrict across = plane->across;
    struct offset_sums sums = {0};
    for (size_t i = 0; i < plane->list->count; i++) {
        shepard_axes_turn(axes, &along[i], &across[i]);
        add(&sums, plane->list->w[i], along[i], across[i]);
    }
    return centred(&sums, plane->w);
}

/* In axes near those of the points, whose spread about the target (x, y) is known roughly; on a
 * sphere, where points have offsets for places, that is (0, 0). */
static void fit_in_axes(struct shepard_cpu_plane *plane, double x, double y,
                        const struct shepard_spread *rough, const struct shepard_rules *rules)
{
    const struct shepard_axes axes = shepard_fit_axes(x, y, rough);
    plane->spread = turn_into(plane, &axes);
    plane->slopes = shepard_fit_slopes(&plane->spread, rules->ridge * plane->list->h2 *
                                                           shepard_axes_length2(&axes));
    shepard_axes_turn(&axes, &x, &y);
    plane->spread.x -= x;
    plane->spread.y -= y;
    shepard_fit_damp(&plane->spread, rules->damping, &plane->slopes);
}

static double rise_in_axes(const struct shepard_cpu_plane *plane,
                           const struct shepard_cpu_column *of, double mean)
{
    const struct shepard_cpu_weighted *list = plane->list;
    double along = 0, across = 0;
    for (size_t i = 0; i < list->count; i++) {
        const double wz = list->w[i] * (of->values[list->rank[i]] * of->scale - mean * of->scale);
        along += wz * plane->along[i];
        across += wz * plane->across[i];
    }
    return shepard_fit_rise(&plane->spread, &plane->slopes, along / plane->w, across / plane->w);
}

/* ---- both ------------------------------------------------------------------------------------ */

void shepard_cpu_plane_fit(struct shepard_cpu_plane *plane, const struct shepard_samples *points,
                           const struct shepard_rules *rules)
{
    const struct shepard_cpu_weighted *list = plane->list;
    const bool on_sphere = points->geometry->frame.space.metric == SHEPARD_METRIC_SPHERE;
    const struct offset_sums sums =
        on_sphere ? look_on_sphere(plane, points->geometry) : look(plane, points);
    const struct shepard_spread about = centred(&sums, plane->w);
    plane->direct = shepard_fit_direct(&about, rules->ridge * list->h2, rules->damping);
    if (plane->direct.good)
        return;
    if (!on_sphere)
        gather(plane, points);
    fit_in_axes(plane, on_sphere ? 0 : list->x, on_sphere ? 0 : list->y, &about, rules);
}

double shepard_cpu_plane_rise(const struct shepard_cpu_plane *plane,
                              const struct shepard_cpu_column *of, double sum, double mean)
{
    return plane->direct.good ? direct_rise(plane, of, sum) : rise_in_axes(plane, of, mean);
}
