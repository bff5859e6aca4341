/* SPDX-License-Identifier: MIT */
/* Distances on a sphere and in space: the backend cuda against the backend cpu, through the public
 * interface, and sums over all points against the backend ref. Neighbours are the same, point by
 * point; distances in space have the same bits. What the GPU is to compute comes without a notice.
 *
 *     test_cuda_space [SEED [MOST [REPEATS [LEAST]]]]   so many points, trials of a size
 *     test_cuda_space time POINTS     times of predictions for as many targets, in each metric
 */
#include "library_points.cuh"
#include "on_device.cuh"

#include "cuda/buffer.cuh"

extern "C" {
#include "base/random.h"
#include "shepard/shepard.h"
}

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

namespace
{

constexpr double radians = 3.14159265358979323846 / 180;

enum class cloud { globe, pole, patch, places, cube, drills, lattice, clouds };
constexpr const char *cloud_names[] = {"globe", "pole",   "patch",  "places",
                                       "cube",  "drills", "lattice"};

std::size_t failures, checks;
std::uint64_t current_seed;
cloud current_cloud;
std::size_t current_points;

bool expect(bool holds, const char *what, std::size_t i, double found, double wanted)
{
    checks++;
    if (!holds && ++failures <= 20)
        std::printf("%s, n %zu, seed %llu: target %zu: %s is %.17g, not %.17g\n",
                    cloud_names[(int)current_cloud], current_points,
                    (unsigned long long)current_seed, i, what, found, wanted);
    return holds;
}

std::size_t below(shepard_random *random, std::size_t n)
{
    return (std::size_t)(shepard_random_bits(random) % n);
}

double between(shepard_random *random, double low, double high)
{
    return low + (high - low) * shepard_random_uniform(random);
}

bool is_sphere(cloud of)
{
    return of < cloud::cube;
}

/* ---- data ------------------------------------------------------------------------------------ */

struct places {
    std::vector<double> x, y, z;

    void add(double a, double b, double c)
    {
        x.push_back(a);
        y.push_back(b);
        z.push_back(c);
    }
};

void add_place(cloud of, shepard_random *random, places *to)
{
    const double longitude = between(random, -180, 180);
    const double latitude = std::asin(between(random, -1, 1)) / radians;
    const double u = between(random, 0, 1), v = between(random, 0, 1), w = between(random, 0, 1);
    switch (of) {
    case cloud::globe:
        return to->add(longitude, latitude, 0);
    case cloud::pole:
        return to->add(longitude + 360.0 * (double)below(random, 3),
                       below(random, 50) == 0 ? 90 : 90 - 2 * u * v, 0);
    case cloud::patch: /* across the date line */
        return to->add(below(random, 2) == 0 ? 180 - u / 8 : u / 8 - 180, 47 + v / 8, 0);
    case cloud::places: /* many at one place, and mirrored ones */
        return to->add((double)below(random, 16) * 22.5 - 180, (double)below(random, 9) * 20 - 80,
                       0);
    case cloud::drills: /* most of the extent is vertical */
        return to->add(std::floor(u * 40) / 64, std::floor(v * 40) / 64, 30 * w);
    case cloud::lattice: /* ties everywhere */
        return to->add(std::floor(u * 12), std::floor(v * 12), std::floor(w * 12));
    default:
        return to->add(u, v, w);
    }
}

places make_data(cloud of, std::size_t n, shepard_random *random)
{
    places made;
    for (std::size_t i = 0; i < n; i++)
        add_place(of, random, &made);
    return made;
}

/* Near data, at them, far off, and nowhere. */
places make_targets(cloud of, const places &data, std::size_t m, shepard_random *random)
{
    places made;
    for (std::size_t i = 0; i < m; i++) {
        const std::size_t at = below(random, data.x.size()), kind = below(random, 16);
        if (kind == 0)
            made.add(data.x[at], data.y[at], data.z[at]);
        else if (kind == 1)
            made.add(is_sphere(of) ? data.x[at] + 360 : data.x[at] + 1e3, data.y[at], data.z[at]);
        else if (kind == 2)
            made.add(between(random, -180, 180), between(random, -90, 90), 40);
        else
            add_place(of, random, &made);
    }
    made.x[0] = NAN;
    made.y[m / 2] = is_sphere(of) ? 91 : INFINITY;
    if (!is_sphere(of)) {
        made.z[m / 3] = NAN;
        made.z[m / 4] = 1e300;
        made.x[m / 5] = -1e280;
    }
    return made;
}

/* ---- both backends --------------------------------------------------------------------------- */

struct side {
    std::unique_ptr<shepard_points, void (*)(shepard_points *)> points{nullptr,
                                                                       shepard_points_free};
    std::unique_ptr<shepard_field, void (*)(shepard_field *)> field{nullptr, shepard_field_free};
};

struct scene {
    cloud of;
    places data, targets;
    std::vector<double> values, gaps, weights;
    bool weighted;
    double ratio, vertical;
};

void say_notice(const char *text, void *)
{
    if (!expect(false, "the number of notices", 0, 1, 0) && failures <= 20)
        std::printf("    %s\n", text);
}

shepard_control watched()
{
    shepard_control control = {};
    control.size = sizeof control;
    control.notice = say_notice;
    return control;
}

side make_side(const scene &on, shepard_backend backend)
{
    shepard_coordinates coordinates = {};
    coordinates.size = sizeof coordinates;
    coordinates.count = on.data.x.size();
    coordinates.x = shepard_doubles(on.data.x.data());
    coordinates.y = shepard_doubles(on.data.y.data());
    if (!is_sphere(on.of))
        coordinates.z = shepard_doubles(on.data.z.data());
    shepard_points_options options;
    shepard_points_options_init(&options);
    options.backend = backend;
    options.metric = is_sphere(on.of) ? SHEPARD_METRIC_SPHERE : SHEPARD_METRIC_SPACE;
    options.vertical_factor = on.vertical;
    options.anisotropy_ratio = on.ratio;
    options.anisotropy_angle = on.ratio == 1 ? 0 : 30;
    side made;
    shepard_error error;
    shepard_points *points = nullptr;
    require(shepard_points_create(&coordinates, &options, &points, &error), error);
    made.points.reset(points);
    const shepard_array columns[] = {shepard_doubles(on.values.data()),
                                     shepard_doubles(on.gaps.data())};
    shepard_values values = {};
    values.size = sizeof values;
    values.column_count = 2;
    values.columns = columns;
    if (on.weighted)
        values.weights = shepard_doubles(on.weights.data());
    shepard_field *field = nullptr;
    require(shepard_field_create(points, &values, &field, &error), error);
    made.field.reset(field);
    return made;
}

shepard_targets list_of(const scene &on)
{
    shepard_targets targets = {};
    targets.size = sizeof targets;
    targets.count = on.targets.x.size();
    targets.x = shepard_doubles(on.targets.x.data());
    targets.y = shepard_doubles(on.targets.y.data());
    if (!is_sphere(on.of))
        targets.z = shepard_doubles(on.targets.z.data());
    return targets;
}

shepard_targets raster_of(const scene &on)
{
    shepard_targets targets = {};
    targets.size = sizeof targets;
    targets.kind = SHEPARD_TARGETS_RASTER;
    targets.raster = is_sphere(on.of) ? shepard_raster{-190, 92, 5.3, -4.1, 71, 46}
                                      : shepard_raster{-1, -1, 0.25, 0.5, 64, 30};
    targets.raster_z = is_sphere(on.of) ? 0 : 0.375;
    return targets;
}

/* ---- neighbours ------------------------------------------------------------------------------ */

struct found_points {
    std::vector<std::uint32_t> indices;
    std::vector<double> distances;
};

found_points nearest(const side &on, const shepard_targets &targets, std::size_t m, std::size_t k,
                     const shepard_control *control)
{
    found_points found = {std::vector<std::uint32_t>(m * k), std::vector<double>(m * k)};
    shepard_nearest_output output = {};
    output.size = sizeof output;
    output.indices = found.indices.data();
    output.distances = shepard_output_doubles(found.distances.data());
    shepard_error error;
    require(shepard_nearest(on.points.get(), &targets, k, &output, control, &error), error);
    return found;
}

bool is_near(double found, double wanted, double part)
{
    return (std::isnan(found) && std::isnan(wanted)) || found == wanted ||
           std::fabs(found - wanted) <= part * std::fabs(wanted);
}

void check_nearest(const scene &on, const side &gpu, const side &cpu, const shepard_targets &at,
                   std::size_t m, std::size_t k)
{
    const shepard_control control = watched();
    const found_points got = nearest(gpu, at, m, k, &control);
    const found_points want = nearest(cpu, at, m, k, nullptr);
    for (std::size_t i = 0; i < m * k; i++) {
        expect(got.indices[i] == want.indices[i], "a neighbour", i / k, got.indices[i],
               want.indices[i]);
        /* Functions of angles, and hypot of targets far off, may differ in their last bits. */
        const bool exact = !is_sphere(on.of) && want.distances[i] < 1e100;
        expect(is_near(got.distances[i], want.distances[i], exact ? 0 : 4e-15), "its distance",
               i / k, got.distances[i], want.distances[i]);
        expect(i % k == 0 || !(got.distances[i] < got.distances[i - 1]), "a distance that falls",
               i / k, got.distances[i], i > 0 ? got.distances[i - 1] : 0);
    }
}

/* ---- predictions ----------------------------------------------------------------------------- */

struct predicted {
    std::vector<double> values[2], deviations[2], sds[2], count, nearest, power, effective;

    explicit predicted(std::size_t m) : count(m), nearest(m), power(m), effective(m)
    {
        for (int c = 0; c < 2; c++) {
            values[c].resize(m);
            deviations[c].resize(m);
            sds[c].resize(m);
        }
    }
};

predicted predict(const side &on, const shepard_parameters &parameters,
                  const shepard_targets &targets, std::size_t m, const shepard_control *control)
{
    predicted made(m);
    shepard_output_array values[2], deviations[2], sds[2];
    for (int c = 0; c < 2; c++) {
        sds[c] = shepard_output_doubles(made.sds[c].data());
        values[c] = shepard_output_doubles(made.values[c].data());
        deviations[c] = shepard_output_doubles(made.deviations[c].data());
    }
    shepard_output output = {};
    output.size = sizeof output;
    output.values = values;
    output.deviations = deviations;
    if (parameters.method == SHEPARD_METHOD_KRIGE)
        output.sds = sds;
    output.count = shepard_output_doubles(made.count.data());
    output.nearest = shepard_output_doubles(made.nearest.data());
    output.power = shepard_output_doubles(made.power.data());
    output.effective = shepard_output_doubles(made.effective.data());
    shepard_error error;
    require(shepard_predict(on.field.get(), &parameters, &targets, &output, control, &error),
            error);
    return made;
}

/* The largest differences that were seen, for the last line. */
struct largest_differences {
    double values, kriged, sds, all_points;
};
largest_differences largest;

void keep_largest(double *of, const std::vector<double> &got, const std::vector<double> &want)
{
    for (std::size_t i = 0; i < want.size(); i++)
        if (!std::isnan(want[i]))
            *of = std::max(*of, std::fabs(got[i] - want[i]));
}

/* Values lie within 5 of 0. */
void check_column(const std::vector<double> &got, const std::vector<double> &want, double allowed,
                  const char *what)
{
    for (std::size_t i = 0; i < want.size(); i++)
        expect((std::isnan(got[i]) && std::isnan(want[i])) ||
                   std::fabs(got[i] - want[i]) <= allowed * (1 + std::fabs(want[i])),
               what, i, got[i], want[i]);
}

/* Near 0 a root magnifies: squares are compared. */
void check_deviations(const std::vector<double> &got, const std::vector<double> &want,
                      double allowed)
{
    for (std::size_t i = 0; i < want.size(); i++) {
        const double square = want[i] * want[i];
        expect((std::isnan(got[i]) && std::isnan(want[i])) ||
                   std::fabs(got[i] * got[i] - square) <= allowed * (1 + square),
               "a deviation from all points", i, got[i], want[i]);
    }
}

void check_sds(const std::vector<double> &got, const std::vector<double> &want, double sill)
{
    for (std::size_t i = 0; i < want.size(); i++) {
        const double variance = want[i] * want[i];
        expect((std::isnan(got[i]) && std::isnan(want[i])) ||
                   std::fabs(got[i] * got[i] - variance) <= 1e-10 * (sill + variance),
               "an sd", i, got[i], want[i]);
        if (!std::isnan(want[i]))
            largest.sds =
                std::max(largest.sds, std::fabs(got[i] * got[i] - variance) / (sill + variance));
    }
}

void check_predictions(const side &gpu, const side &cpu, const shepard_parameters &parameters,
                       const shepard_targets &targets, std::size_t m)
{
    const shepard_control control = watched();
    const predicted got = predict(gpu, parameters, targets, m, &control);
    const predicted want = predict(cpu, parameters, targets, m, nullptr);
    const bool kriged = parameters.method == SHEPARD_METHOD_KRIGE;
    const double sill = parameters.kriging.psill + parameters.kriging.nugget;
    for (int c = 0; c < 2; c++) {
        const double allowed = kriged ? 2e-9 : parameters.degree == 1 ? 1e-9 : 1e-10;
        keep_largest(kriged ? &largest.kriged : &largest.values, got.values[c], want.values[c]);
        check_column(got.values[c], want.values[c], allowed, "a value");
        check_column(got.deviations[c], want.deviations[c], 1e-7, "a deviation");
        if (kriged)
            check_sds(got.sds[c], want.sds[c], sill);
    }
    check_column(got.count, want.count, 0, "a count");
    check_column(got.nearest, want.nearest, 1e-14, "a nearest distance");
    check_column(got.power, want.power, 1e-11, "a power");
    check_column(got.effective, want.effective, 1e-9, "an effective number");
}

/* Few points or many, of each sector or of all. */
void draw_sectors(shepard_neighbourhood *hood, shepard_random *random)
{
    hood->sectors = below(random, 2) == 0 ? 4 : 8;
    const std::size_t limits = below(random, 3);
    if (limits != 0)
        hood->max_points_per_sector = 1 + below(random, below(random, 6) == 0 ? 64 : 7);
    if (limits == 1)
        hood->max_points = 0;
    if (hood->max_points_per_sector > 0)
        hood->min_points_per_sector = below(random, 3) == 0;
}

/* At most 64 points. */
void draw_kriging(const scene &on, shepard_parameters *parameters, shepard_random *random)
{
    shepard_kriging &kriging = parameters->kriging;
    shepard_neighbourhood &hood = parameters->neighbourhood;
    const double size = is_sphere(on.of) ? 6e6 : 1;
    parameters->method = SHEPARD_METHOD_KRIGE;
    kriging.covariance = (shepard_covariance)below(random, 6);
    kriging.psill = between(random, 1, 20);
    kriging.range = size * std::pow(10, between(random, -1.5, 0.3));
    kriging.nugget = below(random, 3) == 0 ? 0 : between(random, 0.1, 3);
    /* Rounding decides whether a system without one gets the noise of Eq. 60. */
    if (kriging.covariance == SHEPARD_COVARIANCE_GAUSSIAN && kriging.nugget == 0)
        kriging.nugget = 0.1;
    kriging.p =
        kriging.covariance == SHEPARD_COVARIANCE_STABLE ? between(random, 0.5, 1.8) : (double)NAN;
    kriging.sd = below(random, 2) == 0 ? SHEPARD_KRIGING_SD_MODEL : SHEPARD_KRIGING_SD_LOCAL;
    if (kriging.covariance != SHEPARD_COVARIANCE_LINEAR && below(random, 3) == 0) {
        kriging.kind = SHEPARD_KRIGING_SIMPLE;
        kriging.mean = 0.5;
    }
    hood.max_points = std::min<std::size_t>(hood.max_points, 64);
    if (hood.sectors > 1 && hood.max_points_per_sector * (std::size_t)hood.sectors > 64)
        hood.max_points_per_sector = 64 / (std::size_t)hood.sectors;
}

shepard_parameters draw_parameters(const scene &on, shepard_random *random)
{
    static const double powers[] = {1, 2, 3.5};
    shepard_parameters parameters;
    shepard_parameters_init(&parameters);
    parameters.method = below(random, 3) == 0 ? SHEPARD_METHOD_AIDW : SHEPARD_METHOD_IDW;
    parameters.power = powers[below(random, 3)];
    parameters.eps = 0;
    parameters.adaptive.k = 1 + below(random, below(random, 4) == 0 ? 256 : 20);
    parameters.adaptive.area = 1e6;
    shepard_neighbourhood &hood = parameters.neighbourhood;
    hood.max_points = 1 + below(random, below(random, 4) == 0 ? 256 : 16);
    const double size = is_sphere(on.of) ? 2e7 : 2;
    if (below(random, 2) == 0)
        hood.radius1 = hood.radius2 = size * std::pow(shepard_random_uniform(random), 4);
    hood.min_points = std::min(below(random, 3), hood.max_points);
    if (below(random, 2) == 0)
        draw_sectors(&hood, random);
    if (hood.sectors > 1)
        hood.max_points = std::min<std::size_t>(hood.max_points, 64);
    if (!on.weighted && below(random, 3) == 0)
        draw_kriging(on, &parameters, random);
    else if (below(random, 3) == 0)
        parameters.smoothing = size * 1e-3;
    if (parameters.method != SHEPARD_METHOD_KRIGE && is_sphere(on.of))
        parameters.degree = (int)below(random, 2);
    return parameters;
}

/* From all points. */
shepard_parameters draw_all_points(const scene &on, shepard_random *random)
{
    shepard_parameters parameters = draw_parameters(on, random);
    if (parameters.method == SHEPARD_METHOD_KRIGE)
        parameters.method = SHEPARD_METHOD_AIDW;
    parameters.degree = 0;
    parameters.neighbourhood.max_points = parameters.neighbourhood.max_points_per_sector = 0;
    parameters.neighbourhood.min_points_per_sector = 0;
    parameters.neighbourhood.radius1 = parameters.neighbourhood.radius2 = 0;
    return parameters;
}

/* Against the reference, whose arcs are those of degrees. On a sphere places differ there by the
 * rounding of Eq. 96, and with them the weights of points next to a target. */
void check_all_points(const scene &on, const side &gpu, const side &ref,
                      const shepard_parameters &parameters, const shepard_targets &targets,
                      std::size_t m)
{
    const shepard_control control = watched();
    const predicted got = predict(gpu, parameters, targets, m, &control);
    const predicted want = predict(ref, parameters, targets, m, nullptr);
    const double allowed = is_sphere(on.of) ? 1e-9 : 1e-12;
    for (int c = 0; c < 2; c++) {
        keep_largest(&largest.all_points, got.values[c], want.values[c]);
        check_column(got.values[c], want.values[c], allowed, "a value from all points");
        check_deviations(got.deviations[c], want.deviations[c], 10 * allowed);
    }
    check_column(got.count, want.count, 0, "a count of all points");
    /* In metres, of which a coordinate on the sphere of the earth is rounded to 1e-9. */
    check_column(got.nearest, want.nearest, is_sphere(on.of) ? 1e-8 : 1e-14,
                 "a nearest distance of all points");
    check_column(got.power, want.power, 1e-9, "a power from all points");
    check_column(got.effective, want.effective, 1e-8, "an effective number of all points");
}

/* Targets in the memory of the device give the same bits. */
shepard::buffer<double> upload(const std::vector<double> &from)
{
    shepard::buffer<double> to(from.size());
    shepard::check(
        cudaMemcpy(to.get(), from.data(), from.size() * sizeof(double), cudaMemcpyHostToDevice),
        "uploading");
    return to;
}

void check_device_targets(const scene &on, const side &gpu, const shepard_parameters &parameters)
{
    const std::size_t m = on.targets.x.size();
    const shepard_targets list = list_of(on);
    const shepard::buffer<double> x = upload(on.targets.x), y = upload(on.targets.y),
                                  z = upload(on.targets.z);
    shepard_targets there = list;
    there.x = shepard_doubles(x.get());
    there.y = shepard_doubles(y.get());
    if (!is_sphere(on.of))
        there.z = shepard_doubles(z.get());
    there.memory.kind = SHEPARD_MEMORY_CUDA;
    const shepard_control control = watched();
    const predicted want = predict(gpu, parameters, list, m, &control);
    const predicted got = predict(gpu, parameters, there, m, &control);
    check_column(got.values[0], want.values[0], 0, "a value of a target on the device");
    check_column(got.nearest, want.nearest, 0, "a nearest distance there");
}

/* The reference looks at every pair, and the CPU lists them: few points. */
void check_sums(const scene &on, const side &gpu, const side &cpu, const shepard_targets &list,
                const shepard_targets &left_out, shepard_random *random)
{
    const std::size_t n = on.data.x.size(), m = on.targets.x.size();
    if (n > 5000)
        return;
    for (int i = 0; i < 2; i++)
        check_predictions(gpu, cpu, draw_all_points(on, random), list, m);
    if (n <= 513) {
        const side ref = make_side(on, SHEPARD_BACKEND_REF);
        check_all_points(on, gpu, ref, draw_all_points(on, random), list, m);
    }
    shepard_parameters parameters = draw_all_points(on, random);
    if (left_out.keep_coincident)
        parameters.smoothing = 0;
    check_predictions(gpu, cpu, parameters, left_out, n);
    check_device_targets(on, gpu, draw_all_points(on, random));
}

/* ---- trials ---------------------------------------------------------------------------------- */

scene make_scene(cloud of, std::size_t n, std::size_t m, shepard_random *random)
{
    scene on = {of, make_data(of, n, random), {}, {}, {}, {}, below(random, 3) == 0, 1, 1};
    on.targets = make_targets(of, on.data, m, random);
    for (std::size_t i = 0; i < n; i++) {
        on.values.push_back(between(random, -5, 5));
        on.gaps.push_back(i % 7 == 3 && n > 20 ? NAN : between(random, -5, 5));
        on.weights.push_back(between(random, 0.1, 3));
    }
    if (of == cloud::cube && below(random, 2) == 0) {
        on.ratio = 2.5;
        on.vertical = 0.5;
    }
    return on;
}

void run(cloud of, std::size_t n, shepard_random *random)
{
    static const std::size_t lists[] = {1, 2, 12, 13, 24, 25, 64, 65, 100, 256};
    const std::size_t m = n > 10000 ? 20000 : 300 + below(random, 500);
    const scene on = make_scene(of, n, m, random);
    const side gpu = make_side(on, SHEPARD_BACKEND_CUDA), cpu = make_side(on, SHEPARD_BACKEND_CPU);
    shepard_points_info info = {};
    info.size = sizeof info;
    shepard_points_get_info(gpu.points.get(), &info);
    expect(info.device_bytes > 24 * n && *info.notice == '\0', "bytes on the device", 0,
           (double)info.device_bytes, 24.0 * (double)n);
    const shepard_targets list = list_of(on), raster = raster_of(on);
    const std::size_t cells = raster.raster.columns * raster.raster.rows;
    check_nearest(on, gpu, cpu, list, m, lists[below(random, 10)]);
    check_nearest(on, gpu, cpu, raster, cells, lists[below(random, 10)]);
    for (int i = 0; i < 4; i++) {
        check_predictions(gpu, cpu, draw_parameters(on, random), list, m);
        check_predictions(gpu, cpu, draw_parameters(on, random), raster, cells);
    }
    check_device_targets(on, gpu, draw_parameters(on, random));
    shepard_targets left_out = {};
    left_out.size = sizeof left_out;
    left_out.kind = SHEPARD_TARGETS_LEAVE_ONE_OUT;
    left_out.keep_coincident = below(random, 2) == 0;
    for (int i = 0; i < 3; i++)
        check_predictions(gpu, cpu, draw_parameters(on, random), left_out, n);
    check_nearest(on, gpu, cpu, left_out, n, lists[below(random, 10)]);
    check_sums(on, gpu, cpu, list, left_out, random);
}

int run_all(std::uint64_t seed, std::size_t most, std::size_t repeats, std::size_t least)
{
    static const std::size_t sizes[] = {1, 2, 15, 16, 17, 200, 513, 5000, 40000};
    for (int of = 0; of < (int)cloud::clouds; of++)
        for (const std::size_t n : sizes)
            for (std::size_t i = 0; n >= least && n <= most && i < (n > 10000 ? 1 : repeats);
                 i++, seed++) {
                shepard_random random = {seed};
                current_seed = seed;
                current_cloud = (cloud)of;
                current_points = n;
                run((cloud)of, n, &random);
            }
    std::printf("%zu checks, %zu failures, last seed %llu; largest differences: values %.2g, "
                "from all points %.2g of ref's, kriging %.2g, its variances %.2g of the sill\n",
                checks, failures, (unsigned long long)(seed - 1), largest.values,
                largest.all_points, largest.kriged, largest.sds);
    return failures == 0 ? 0 : 1;
}

/* ---- time ------------------------------------------------------------------------------------ */

double now()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

struct timed {
    const char *name;
    shepard_metric metric;
    side on;
    shepard_targets targets;
};

timed make_timed(const char *name, shepard_metric metric, const places &data, const places &at)
{
    shepard_coordinates coordinates = {};
    coordinates.size = sizeof coordinates;
    coordinates.count = data.x.size();
    coordinates.x = shepard_doubles(data.x.data());
    coordinates.y = shepard_doubles(data.y.data());
    timed made = {name, metric, {}, {}};
    made.targets.size = sizeof made.targets;
    made.targets.count = at.x.size();
    made.targets.x = shepard_doubles(at.x.data());
    made.targets.y = shepard_doubles(at.y.data());
    if (metric == SHEPARD_METRIC_SPACE) {
        coordinates.z = shepard_doubles(data.z.data());
        made.targets.z = shepard_doubles(at.z.data());
    }
    shepard_points_options options;
    shepard_points_options_init(&options);
    options.backend = SHEPARD_BACKEND_CUDA;
    options.metric = metric;
    shepard_error error;
    shepard_points *points = nullptr;
    const double start = now();
    require(shepard_points_create(&coordinates, &options, &points, &error), error);
    std::printf("%-8s points %.1f ms\n", name, 1e3 * (now() - start));
    made.on.points.reset(points);
    const shepard_array column = shepard_doubles(data.z.data());
    shepard_values values = {};
    values.size = sizeof values;
    values.column_count = 1;
    values.columns = &column;
    shepard_field *field = nullptr;
    require(shepard_field_create(points, &values, &field, &error), error);
    made.on.field.reset(field);
    return made;
}

enum class task { nearest, sectors, systems, planes, pairs, any_power, tasks };
constexpr const char *task_names[] = {"k = 12",         "sectors 8 x 2", "kriging 8 x 2",
                                      "planes, k = 12", "all points",    "all, power 3.5"};

shepard_parameters parameters_of(task of, shepard_metric metric)
{
    shepard_parameters parameters;
    shepard_parameters_init(&parameters);
    parameters.eps = 0;
    parameters.degree = of == task::planes;
    if (of == task::nearest || of == task::planes) {
        parameters.neighbourhood.max_points = 12;
    } else if (of == task::sectors || of == task::systems) {
        parameters.neighbourhood.sectors = 8;
        parameters.neighbourhood.max_points_per_sector = 2;
    }
    if (of == task::any_power)
        parameters.power = 3.5;
    if (of == task::systems) {
        parameters.method = SHEPARD_METHOD_KRIGE;
        parameters.kriging.covariance = SHEPARD_COVARIANCE_EXPONENTIAL;
        parameters.kriging.psill = 1;
        parameters.kriging.nugget = 0.1;
        parameters.kriging.range = metric == SHEPARD_METRIC_SPHERE ? 1e6 : 0.2;
    }
    return parameters;
}

/* Seconds of the searches and sums of the best of some calls, after one that is not timed. */
double time_task(task of, const timed &at)
{
    const shepard_parameters parameters = parameters_of(of, at.metric);
    std::vector<double> results(at.targets.count);
    const shepard_output_array to = shepard_output_doubles(results.data());
    shepard_output output = {};
    output.size = sizeof output;
    output.values = &to;
    double least = INFINITY;
    shepard_timing best = {};
    for (int i = 0; i < 6; i++) {
        shepard_timing timing = {};
        shepard_control control = watched();
        control.timing = &timing;
        shepard_error error;
        const double begun = now();
        require(
            shepard_predict(at.on.field.get(), &parameters, &at.targets, &output, &control, &error),
            error);
        if (i > 0 && now() - begun < least) {
            least = now() - begun;
            best = timing;
        }
    }
    std::printf("%-15s %-8s call %8.2f ms: upload %.2f, sort %.2f, nearest %.2f, sums %.2f, "
                "download %.2f",
                task_names[(int)of], at.name, 1e3 * least, 1e3 * best.upload, 1e3 * best.sort,
                1e3 * best.nearest, 1e3 * best.sums, 1e3 * best.download);
    return best.nearest + best.sums;
}

/* Sums of every pair take long with more points. */
constexpr std::size_t pairs_most = 200000;

/* Each task in the plane, on the sphere and in space, and how many times as long as in the plane
 * its kernels took. */
int time_all(std::size_t n)
{
    shepard_random random = {1};
    const places data = make_data(cloud::cube, n, &random), at = make_data(cloud::cube, n, &random);
    const places over = make_data(cloud::globe, n, &random);
    places globe = make_data(cloud::globe, n, &random);
    globe.z = data.z; /* the values */
    std::printf("n and m %zu\n", n);
    std::vector<timed> metrics;
    metrics.push_back(make_timed("plane", SHEPARD_METRIC_PLANE, data, at));
    metrics.push_back(make_timed("sphere", SHEPARD_METRIC_SPHERE, globe, over));
    metrics.push_back(make_timed("space", SHEPARD_METRIC_SPACE, data, at));
    for (int of = 0; of < (int)task::tasks; of++) {
        double plane = 0;
        for (const timed &one : metrics) {
            if ((task)of == task::planes && one.metric == SHEPARD_METRIC_SPACE)
                continue;
            if ((task)of >= task::pairs && n > pairs_most)
                continue;
            const double own = time_task((task)of, one);
            plane = one.metric == SHEPARD_METRIC_PLANE ? own : plane;
            std::printf("; %.2f of the plane\n", own / plane);
        }
    }
    return failures == 0 ? 0 : 1;
}

} // namespace

int main(int count, char **arguments)
{
    const auto number = [&](int i, std::size_t otherwise) {
        return i < count ? (std::size_t)std::strtoull(arguments[i], nullptr, 10) : otherwise;
    };
    if (count == 3 && std::strcmp(arguments[1], "time") == 0)
        return run_on_device([&] { return time_all(number(2, 0)); });
    return run_on_device(
        [&] { return run_all(number(1, 1), number(2, SIZE_MAX), number(3, 4), number(4, 1)); });
}
