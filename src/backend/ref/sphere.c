/* SPDX-License-Identifier: MIT */
#include "backend/ref/sphere.h"

#include "base/memory.h"

#include <math.h>

#define RADIANS (3.14159265358979323846264338327950288L / 180)

/* What counts as on a meridian or on the circle across it: 2^-50 of the radius. */
#define SNAP 0x1p-50

void shepard_ref_sphere_name(double *longitude, double *latitude)
{
    *longitude = fabs(*latitude) == 90 ? 0 : remainder(*longitude, 360);
    if (*longitude == -180)
        *longitude = 180;
}

static bool allocate(struct shepard_ref_sphere *sphere, const struct shepard_geometry *geometry)
{
    const size_t n = geometry->count;
    *sphere = (struct shepard_ref_sphere){.radius = shepard_frame_diameter(&geometry->frame) / 2,
                                          .allocator = geometry->allocator};
    sphere->longitude = shepard_allocate(sphere->allocator, n, sizeof *sphere->longitude);
    sphere->latitude = shepard_allocate(sphere->allocator, n, sizeof *sphere->latitude);
    if (sphere->longitude != NULL && sphere->latitude != NULL)
        return true;
    shepard_ref_sphere_free(sphere);
    return false;
}

bool shepard_ref_sphere_create(const struct shepard_coordinates *coordinates,
                               const struct shepard_geometry *geometry,
                               struct shepard_ref_sphere *sphere)
{
    if (!allocate(sphere, geometry))
        return false;
    for (size_t i = 0; i < geometry->count; i++) {
        sphere->longitude[i] = shepard_array_at(&coordinates->x, geometry->index[i]);
        sphere->latitude[i] = shepard_array_at(&coordinates->y, geometry->index[i]);
        shepard_ref_sphere_name(&sphere->longitude[i], &sphere->latitude[i]);
    }
    return true;
}

bool shepard_ref_sphere_subset(const struct shepard_ref_sphere *all,
                               const struct shepard_geometry *of,
                               const struct shepard_geometry *subset,
                               struct shepard_ref_sphere *sphere)
{
    if (!allocate(sphere, subset))
        return false;
    for (size_t i = 0, kept = 0; kept < subset->count; i++)
        if (of->index[i] == subset->index[kept]) {
            sphere->longitude[kept] = all->longitude[i];
            sphere->latitude[kept++] = all->latitude[i];
        }
    return true;
}

void shepard_ref_sphere_free(struct shepard_ref_sphere *sphere)
{
    shepard_release(sphere->allocator, sphere->longitude);
    shepard_release(sphere->allocator, sphere->latitude);
    *sphere = (struct shepard_ref_sphere){0};
}

double shepard_ref_sphere_arc(const struct shepard_ref_sphere *sphere, double longitude,
                              double latitude, size_t point)
{
    const long double from = latitude * RADIANS, to = sphere->latitude[point] * RADIANS;
    const long double turn = ((long double)sphere->longitude[point] - longitude) * RADIANS;
    const long double rise = ((long double)sphere->latitude[point] - latitude) * RADIANS;
    const long double a = sinl(rise / 2), b = sinl(turn / 2);
    const long double h = a * a + cosl(from) * cosl(to) * b * b;
    return (double)(2 * (long double)sphere->radius * atan2l(sqrtl(h), sqrtl(fmaxl(1 - h, 0))));
}

void shepard_ref_sphere_bearing(const struct shepard_ref_sphere *sphere, double longitude,
                                double latitude, size_t point, double *east, double *north)
{
    const long double from = latitude * RADIANS, to = sphere->latitude[point] * RADIANS;
    const long double turn = ((long double)sphere->longitude[point] - longitude) * RADIANS;
    *east = (double)(cosl(to) * sinl(turn));
    *north = (double)(cosl(from) * sinl(to) - sinl(from) * cosl(to) * cosl(turn));
    *east = fabs(*east) <= SNAP ? 0 : *east;
    *north = fabs(*north) <= SNAP ? 0 : *north;
}
