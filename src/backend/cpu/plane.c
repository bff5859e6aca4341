/* SPDX-License-Identifier: MIT */
#include "backend/cpu/plane.h"

#include "core/sphere.h"

/* Offsets on the plane that touches a sphere at the target. */
static void gather_on_sphere(const struct shepard_cpu_plane *plane,
                             const struct shepard_geometry *points)
{
    const struct shepard_cpu_weighted *list = plane->list;
    struct shepard_place place = {.x = list->x, .y = list->y, .z = list->z};
    const double diameter = shepard_frame_diameter(&points->frame);
    shepard_sphere_orient(diameter, &place);
    for (size_t i = 0; i < list->count; i++) {
        const uint32_t at = list->rank[i];
        const double own[3] = {points->x[at], points->y[at], points->z[at]};
        shepard_sphere_offset(diameter, &place, own, &plane->along[i], &plane->across[i]);
    }
}

static void gather(const struct shepard_cpu_plane *plane, const struct shepard_samples *points)
{
    for (size_t i = 0; i < plane->list->count; i++) {
        const uint32_t at = plane->list->rank[i];
        plane->along[i] = points->x[at];
        plane->across[i] = points->y[at];
    }
}

static void turn(const struct shepard_cpu_plane *plane, const struct shepard_axes *axes)
{
    double *restrict along = plane->along, *restrict across = plane->across;
    for (size_t i = 0; i < plane->list->count; i++)
        shepard_axes_turn(axes, &along[i], &across[i]);
}

/* Means and centred moments of plane->along - x and plane->across - y. */
static struct shepard_spread spread_about(const struct shepard_cpu_plane *plane, double x, double y)
{
    const double *weights = plane->list->w;
    double u = 0, v = 0, uu = 0, uv = 0, vv = 0;
    for (size_t i = 0; i < plane->list->count; i++) {
        const double du = plane->along[i] - x, dv = plane->across[i] - y;
        const double wu = weights[i] * du, wv = weights[i] * dv;
        u += wu;
        v += wv;
        uu += wu * du;
        uv += wu * dv;
        vv += wv * dv;
    }
    const double part = 1 / plane->w;
    u *= part;
    v *= part;
    return (struct shepard_spread){u, v, uu * part - u * u, uv * part - u * v, vv * part - v * v};
}

/* In axes near those of the points, whose spread about the target is known roughly. */
static void fit_in_axes(struct shepard_cpu_plane *plane, const struct shepard_spread *rough,
                        const struct shepard_rules *rules)
{
    const struct shepard_axes axes = shepard_fit_axes(plane->x, plane->y, rough);
    turn(plane, &axes);
    plane->spread = spread_about(plane, 0, 0);
    plane->slopes = shepard_fit_slopes(&plane->spread, rules->ridge * plane->list->h2 *
                                                           shepard_axes_length2(&axes));
    double along = plane->x, across = plane->y;
    shepard_axes_turn(&axes, &along, &across);
    plane->spread.x -= along;
    plane->spread.y -= across;
    shepard_fit_damp(&plane->spread, rules->damping, &plane->slopes);
}

void shepard_cpu_plane_fit(struct shepard_cpu_plane *plane, const struct shepard_samples *points,
                           const struct shepard_rules *rules)
{
    const struct shepard_cpu_weighted *list = plane->list;
    const bool on_sphere = points->geometry->frame.space.metric == SHEPARD_METRIC_SPHERE;
    plane->x = on_sphere ? 0 : list->x;
    plane->y = on_sphere ? 0 : list->y;
    if (on_sphere)
        gather_on_sphere(plane, points->geometry);
    else
        gather(plane, points);
    const struct shepard_spread about = spread_about(plane, plane->x, plane->y);
    plane->direct = shepard_fit_direct(&about, rules->ridge * list->h2, rules->damping);
    if (!plane->direct.good)
        fit_in_axes(plane, &about, rules);
}

static double direct_rise(const struct shepard_cpu_plane *plane,
                          const struct shepard_cpu_plane_values *of)
{
    const struct shepard_cpu_weighted *list = plane->list;
    const struct shepard_direct *direct = &plane->direct;
    const double shift = of->middle * of->scale, part = 1 / plane->w;
    double z = 0, xz = 0, yz = 0;
    for (size_t i = 0; i < list->count; i++) {
        const double wz = list->w[i] * (of->values[list->rank[i]] * of->scale - shift);
        z += wz;
        xz += wz * (plane->along[i] - plane->x);
        yz += wz * (plane->across[i] - plane->y);
    }
    z *= part;
    xz = xz * part - direct->x * z;
    yz = yz * part - direct->y * z;
    return -(direct->u * xz + direct->v * yz) / direct->whole;
}

double shepard_cpu_plane_rise(const struct shepard_cpu_plane *plane,
                              const struct shepard_cpu_plane_values *of, double mean)
{
    const struct shepard_cpu_weighted *list = plane->list;
    double along = 0, across = 0;
    if (plane->direct.good)
        return direct_rise(plane, of);
    for (size_t i = 0; i < list->count; i++) {
        const double wz = list->w[i] * (of->values[list->rank[i]] * of->scale - mean * of->scale);
        along += wz * plane->along[i];
        across += wz * plane->across[i];
    }
    return shepard_fit_rise(&plane->spread, &plane->slopes, along / plane->w, across / plane->w);
}
