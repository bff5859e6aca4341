/* SPDX-License-Identifier: MIT */
#include "core/rules.h"

#include "base/arithmetic.h"
#include "core/methods.h"
#include "core/sphere.h"

#include <float.h>

/* Enough for a median that one near point does not move. */
#define RIDGE_NEIGHBOURS 10

static size_t limit(size_t option)
{
    return option == 0 ? SIZE_MAX : option;
}

/* The ellipse's angle, degrees, from the frame's x axis, which lies along the anisotropy. */
static double angle_in_frame(double angle, const struct shepard_stretch *stretch)
{
    return stretch->ratio == 1 ? angle : fmod(angle, 360) - fmod(stretch->angle, 360);
}

static double radius_of(double radius, const struct shepard_frame *frame)
{
    const double length = shepard_frame_length(frame, radius);
    return frame->space.metric == SHEPARD_METRIC_SPHERE ? shepard_sphere_chord(frame, length)
                                                        : length;
}

static struct shepard_search search_of(const struct shepard_neighbourhood *hood,
                                       const struct shepard_geometry *points)
{
    const struct shepard_frame *frame = &points->frame;
    const double radians = angle_in_frame(hood->angle, &frame->stretch) * (SHEPARD_PI / 180);
    struct shepard_search search = {
        .max_points = limit(hood->max_points),
        .min_points = hood->min_points,
        .bounded = hood->radius1 > 0,
        .ellipse = shepard_ellipse_of(radius_of(hood->radius1, frame),
                                      radius_of(hood->radius2, frame), cos(radians), sin(radians)),
        .sectors = hood->sectors,
        .max_points_per_sector = limit(hood->max_points_per_sector),
        .min_points_per_sector = hood->min_points_per_sector,
        .barriers = points->barriers,
        .frame_3d = shepard_frame_is_3d(frame) ? frame : NULL,
    };
    search.all = shepard_search_uses_all(&search);
    return search;
}

static bool expects_mean(enum shepard_expectation expect, bool all)
{
    return expect == SHEPARD_EXPECT_KNN || (expect == SHEPARD_EXPECT_AUTO && !all);
}

/* In space, by the volume. */
static double expected_in_space(const struct shepard_adaptive *option, bool all,
                                const struct shepard_geometry *points, size_t k)
{
    const double n = (double)points->count, scale = points->frame.scale;
    const double given = option->area > 0 ? option->area : shepard_geometry_area(points);
    const double side = cbrt(given / points->frame.stretch.ratio) * scale;
    return expects_mean(option->expect, all) ? shepard_adapt_expect_mean_in_space(n, side, k)
                                             : shepard_adapt_expect_nearest_in_space(n, side);
}

/* all: the prediction uses all points. */
static struct shepard_adapt adapt_of(const struct shepard_adaptive *option, bool all,
                                     const struct shepard_geometry *points)
{
    const size_t all_points = shepard_geometry_population(points);
    const double n = (double)all_points, scale = points->frame.scale;
    const struct shepard_box *box = &points->frame.box;
    struct shepard_adapt adapt = {.k = shepard_smaller(option->k, all_points),
                                  .r_min = option->r_min,
                                  .r_max = option->r_max};
    for (int i = 0; i < 5; i++)
        adapt.alphas[i] = option->powers[i];
    const double given = shepard_frame_is_3d(&points->frame) && option->area == 0
                             ? shepard_geometry_area(points)
                             : option->area;
    const double side = sqrt(given) * scale;
    const double area = given > 0 ? side * side / points->frame.stretch.ratio
                                  : (box->x_max - box->x_min) * (box->y_max - box->y_min);
    double expected = expects_mean(option->expect, all)
                          ? shepard_adapt_expect_mean(n, area, adapt.k)
                          : shepard_adapt_expect_nearest(n, area);
    if (points->frame.space.metric == SHEPARD_METRIC_SPACE)
        expected = expected_in_space(option, all, points, adapt.k);
    adapt.r_expected = fmax(expected, DBL_MIN);
    return adapt;
}

/* Without a sill the values do not vary, and their mean predicts. Range and distances are those
 * along the anisotropy, where the frame is as many times shorter. */
static struct shepard_kriging_rules kriging_of(const struct shepard_kriging *option,
                                               const struct shepard_frame *frame)
{
    const double sill = option->psill + option->nugget;
    return (struct shepard_kriging_rules){
        .variogram = {.covariance = option->covariance,
                      .structure = sill > 0 ? option->psill / sill : 0,
                      .nugget = sill > 0 ? option->nugget / sill : 1,
                      .unit = frame->stretch.ratio / shepard_frame_length(frame, option->range),
                      .p = option->p,
                      .simple = option->kind == SHEPARD_KRIGING_SIMPLE,
                      .universal = option->kind == SHEPARD_KRIGING_UNIVERSAL},
        .sill = sill,
        .mean = option->mean,
        .sd_local = option->sd == SHEPARD_KRIGING_SD_LOCAL && sill > 0,
    };
}

struct shepard_rules shepard_rules_of(const struct shepard_parameters *parameters,
                                      const struct shepard_geometry *points)
{
    const double smoothing = shepard_frame_length(&points->frame, parameters->smoothing);
    const size_t n = points->count;
    struct shepard_search search = search_of(&parameters->neighbourhood, points);
    const bool all = search.all;
    const struct shepard_method_facts *facts = shepard_method_facts(parameters->method);
    search.all = all && (search.frame_3d == NULL || facts->kriging);
    return (struct shepard_rules){
        .method = parameters->method,
        .adaptive = facts->adaptive,
        .power = facts->by_power ? parameters->power : parameters->nodata,
        .adapt = adapt_of(&parameters->adaptive, all, points),
        .smoothing = smoothing,
        .smoothing2 = smoothing * smoothing,
        .degree = facts->by_power ? parameters->degree : 0,
        .ridge = parameters->ridge,
        .damping = parameters->damping,
        .eps = parameters->eps,
        .ridge_neighbours = shepard_smaller(n, RIDGE_NEIGHBOURS),
        .search = search,
        .kriging = kriging_of(&parameters->kriging, &points->frame),
        .nodata = parameters->nodata,
        .precision = parameters->precision,
        .threads = points->threads,
    };
}
