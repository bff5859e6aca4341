/* SPDX-License-Identifier: MIT */
#include "distance_metric.h"

#include "message.h"

const char *shepard_distance_metric_name(enum shepard_metric metric)
{
    static const char *const names[] = {[SHEPARD_METRIC_PLANE] = "plane",
                                        [SHEPARD_METRIC_SPHERE] = "sphere",
                                        [SHEPARD_METRIC_SPACE] = "space"};
    return names[metric];
}

static bool uses_all(const struct shepard_neighbourhood *hood)
{
    return hood->max_points == 0 && hood->radius1 == 0 && hood->sectors == 1;
}

/* Sums over all points within a tolerance are of the plane. Exact ones are within each. */
static void sum_exactly(struct shepard_algorithm *algorithm)
{
    if (!algorithm->eps_given && uses_all(&algorithm->parameters.neighbourhood)) {
        algorithm->parameters.eps = 0;
    }
}

static bool choose_space(struct shepard_job *job, bool geographic)
{
    const struct shepard_job_options *const options = job->options;
    if (shepard_algorithm_by_gdal(&job->algorithm)) {
        char methods[SHEPARD_METHOD_NAMES_SIZE];
        return shepard_say_error("-zdim: %s is computed by GDAL, in the plane; use %s",
                                 shepard_algorithm_name(&job->algorithm),
                                 shepard_algorithm_own_methods(methods));
    }
    if (geographic && !options->planar) {
        return shepard_say_error("-zdim: longitude and latitude are degrees, which cannot be "
                                 "compared with a height; transform the data with -t_srs");
    }
    job->algorithm.options.metric = SHEPARD_METRIC_SPACE;
    if (options->z_factor.set) {
        job->algorithm.options.vertical_factor = options->z_factor.v[0];
    }
    sum_exactly(&job->algorithm);
    return true;
}

static void choose_sphere(struct shepard_job *job, const char *who)
{
    const bool has_radius = job->algorithm.parameters.neighbourhood.radius1 > 0;
    job->algorithm.options.metric = SHEPARD_METRIC_SPHERE;
    shepard_progress_note(&job->watch,
                          "%s has longitude and latitude: distances are great circles in metres%s; "
                          "-planar takes degrees for plane coordinates, as gdal_grid does",
                          who, has_radius ? ", and the radius is in metres" : "");
    sum_exactly(&job->algorithm);
}

void shepard_distance_metric_share(const struct shepard_job *job,
                                   struct shepard_algorithm *algorithm)
{
    const struct shepard_points_options *const from = &job->algorithm.options;
    algorithm->options.metric = from->metric;
    algorithm->options.sphere_radius = from->sphere_radius;
    algorithm->options.vertical_factor = from->vertical_factor;
    if (from->metric != SHEPARD_METRIC_PLANE) {
        sum_exactly(algorithm);
    }
}

bool shepard_distance_metric_choose(struct shepard_job *job, const char *who, bool geographic)
{
    const struct shepard_job_options *const options = job->options;
    if (options->barrier && (options->z_dimension || (geographic && !options->planar))) {
        return shepard_say_error("-barrier: lines of sight are straight in the plane; %s",
                                 options->z_dimension ? "leave out -zdim"
                                                      : "transform the data with -t_srs, or use "
                                                        "-planar");
    }
    if (options->z_dimension) {
        return choose_space(job, geographic);
    }
    if (geographic && !options->planar && shepard_algorithm_by_gdal(&job->algorithm)) {
        shepard_progress_note(&job->watch,
                              "%s has longitude and latitude, which GDAL's %s treats as plane "
                              "coordinates; transform the data with -t_srs for true distances, or "
                              "use -planar",
                              who, shepard_algorithm_name(&job->algorithm));
    } else if (geographic && !options->planar) {
        choose_sphere(job, who);
    }
    return true;
}
