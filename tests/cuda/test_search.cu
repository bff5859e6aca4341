/* SPDX-License-Identifier: MIT */
/* The device's searches and what stands on them, against all points compared one by one on the
 * processor: neighbours and distances bit for bit, predictions against long double.
 *
 *     test_cuda_search [SEED]
 */
#include "exact_prediction.cuh"
#include "on_device.cuh"

#include "backend/cuda/knn_stats.cuh"
#include "backend/cuda/neighbour_lists.cuh"
#include "backend/cuda/neighbourhood.cuh"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace
{

struct trial {
    shape of;
    std::uint32_t n, m;
    int columns;
    bool weighted, sorted;
    std::uint64_t seed;
};

struct scene {
    trial made_as;
    host_points points;
    host_targets targets;
    uploaded_points on_device;
    device_targets device_places;
};

std::size_t failures;

bool expect(bool holds, const trial &of, const char *what, std::uint32_t target, double found,
            double wanted)
{
    if (!holds && ++failures <= 20)
        std::printf("%s, n %u, m %u, columns %d, %s, %s, seed %llu: target %u: %s is %.17g, not "
                    "%.17g\n",
                    shape_name(of.of), of.n, of.m, of.columns, of.weighted ? "weighted" : "plain",
                    of.sorted ? "sorted" : "shuffled", (unsigned long long)of.seed, target, what,
                    found, wanted);
    return holds;
}

/* Within part of the size; NaN meets NaN. */
bool is_near(double found, long double wanted, long double size, double part)
{
    if (std::isnan(found) || std::isnan((double)wanted))
        return std::isnan(found) && std::isnan((double)wanted);
    return std::fabs((long double)found - wanted) <= part * size;
}

bool is_nowhere(const scene &on, std::uint32_t i)
{
    return std::isnan(on.targets.x[i]);
}

std::uint32_t below(shepard_random *random, std::uint32_t n)
{
    return (std::uint32_t)(shepard_random_bits(random) % n);
}

/* ---- the points themselves ------------------------------------------------------------------- */

constexpr double frame_scale = 0x1p-3;

void check_nearest(const scene &on, int k)
{
    const std::uint32_t m = on.made_as.m;
    shepard::buffer<std::uint32_t> indices((std::size_t)m * k);
    shepard::buffer<double> distances((std::size_t)m * k);
    shepard::find_nearest(on.on_device.view(), on.device_places.view(), k, frame_scale,
                          indices.get(), distances.get(), nullptr);
    const auto found = download(indices);
    const auto far = download(distances);
    for (std::uint32_t i = 0; i < m; i++) {
        const std::size_t first = (std::size_t)on.targets.index[i] * k;
        std::vector<hit> hits;
        if (!is_nowhere(on, i))
            hits = sort_by_distance(on.points, on.targets.x[i], on.targets.y[i]);
        for (int j = 0; j < k; j++) {
            const bool there = (std::size_t)j < hits.size();
            const std::uint32_t index = there ? on.points.index[hits[j].rank] : SHEPARD_NO_POINT;
            const double distance = there ? std::sqrt(hits[j].d2) / frame_scale : NAN;
            expect(found[first + j] == index, on.made_as, "a neighbour", i, found[first + j],
                   index);
            expect(there ? far[first + j] == distance : std::isnan(far[first + j]), on.made_as,
                   "its distance", i, far[first + j], distance);
        }
    }
}

/* ---- rules ----------------------------------------------------------------------------------- */

shepard_rules draw_rules(const scene &on, int k, shepard_random *random)
{
    static const double powers[] = {1, 2, 3, 4, 2.5, 0.75};
    shepard_rules rules = {};
    rules.adaptive = below(random, 2) == 0;
    rules.power = powers[below(random, 6)];
    rules.adapt.k =
        std::min<std::size_t>(1 + below(random, below(random, 4) == 0 ? 256 : 20), on.points.n);
    rules.adapt.r_expected = shepard_random_magnitude(random, 0.1, 2) / std::sqrt(on.points.n);
    rules.adapt.r_max = 2;
    const double alphas[] = {0.5, 1, 2, 3, 4.5};
    std::copy(alphas, alphas + 5, rules.adapt.alphas);
    const double smoothing = below(random, 3) == 0 ? 0.01 : 0;
    rules.smoothing2 = smoothing * smoothing;
    rules.degree = (int)below(random, 2);
    rules.ridge = shepard_random_magnitude(random, 1e-2, 1);
    rules.ridge_neighbours = std::min<std::size_t>(10, on.points.n);
    rules.damping = below(random, 2) == 0 ? 0 : shepard_random_magnitude(random, 1e-2, 100);
    rules.nodata = -9999;
    shepard_search &search = rules.search;
    static const int sectors[] = {1, 1, 4, 8};
    search.sectors = sectors[below(random, 4)];
    search.max_points = below(random, 2) == 0 ? (std::size_t)k : SIZE_MAX;
    search.max_points_per_sector =
        search.max_points == SIZE_MAX ? (std::size_t)k : (std::size_t)k + below(random, 3);
    search.min_points = below(random, 4);
    search.min_points_per_sector = below(random, 3);
    search.bounded = below(random, 2) == 0;
    /* On a grid such that points are at the radius. */
    const double radius = (double)(1 + below(random, 16)) / 64;
    const double across = below(random, 3) == 0 ? (double)(1 + below(random, 16)) / 64 : radius;
    const double angle = shepard_random_magnitude(random, 1e-3, 3);
    search.ellipse = shepard_ellipse_of(radius, across, std::cos(angle), std::sin(angle));
    if (search.bounded && below(random, 3) == 0)
        search.max_points = search.max_points_per_sector = SIZE_MAX;
    return rules;
}

/* ---- all points round a target --------------------------------------------------------------- */

struct found_knn_stats {
    std::vector<double> nearest2, power, weight, weight2, h2;
};

found_knn_stats find_knn_stats(const scene &on, const shepard_rules &rules)
{
    const std::uint32_t m = on.made_as.m;
    shepard::buffer<double> nearest2(m), power(m), weight(m), weight2(m), h2(m);
    shepard::find_knn_stats(on.on_device.view(), on.device_places.view(), rules,
                            {nearest2.get(), power.get(), weight.get(), weight2.get(),
                             rules.degree == 1 ? h2.get() : nullptr},
                            nullptr);
    return {download(nearest2), download(power), download(weight), download(weight2), download(h2)};
}

/* The squared median of the first distances. */
long double true_median2(const std::vector<hit> &hits, std::size_t count)
{
    const std::size_t middle = count / 2;
    const long double above = std::sqrt((long double)hits[middle].d2);
    const long double below = count % 2 == 0 ? std::sqrt((long double)hits[middle - 1].d2) : above;
    return (below + above) * (below + above) / 4;
}

void check_knn_stats(const scene &on, const shepard_rules &rules)
{
    const found_knn_stats found = find_knn_stats(on, rules);
    const std::size_t ridge = rules.degree == 1 ? rules.ridge_neighbours : 1;
    const std::size_t k = std::max(rules.adaptive ? rules.adapt.k : 1, ridge);
    for (std::uint32_t i = 0; i < on.made_as.m; i++) {
        if (is_nowhere(on, i))
            continue;
        const auto hits = sort_by_distance(on.points, on.targets.x[i], on.targets.y[i]);
        const long double power = true_alpha(rules, hits), smoothing2 = rules.smoothing2;
        const long double unit2 = hits[0].d2 + smoothing2;
        long double weight = 0, weight2 = 0;
        for (std::size_t j = 0; unit2 > 0 && j < k; j++) {
            const double q = on.points.weights.empty() ? 1 : on.points.weights[hits[j].rank];
            const long double w =
                q * true_weight(power, unit2, hits[j].d2 + smoothing2, hits[j].d2);
            weight += w;
            weight2 += w * w;
        }
        expect(found.nearest2[i] == hits[0].d2, on.made_as, "the nearest's squared distance", i,
               found.nearest2[i], hits[0].d2);
        expect(is_near(found.power[i], power, power, 1e-12), on.made_as, "alpha", i, found.power[i],
               (double)power);
        expect(is_near(found.weight[i], weight, weight, 1e-11), on.made_as, "the weight", i,
               found.weight[i], (double)weight);
        expect(is_near(found.weight2[i], weight2, weight2, 1e-11), on.made_as, "the squared weight",
               i, found.weight2[i], (double)weight2);
        const long double h2 = true_median2(hits, ridge);
        expect(rules.degree == 0 || is_near(found.h2[i], h2, h2, 1e-14), on.made_as,
               "the ridge's length", i, found.h2[i], (double)h2);
    }
}

/* ---- predictions ----------------------------------------------------------------------------- */

struct found_predictions {
    std::vector<double> values, deviations, count, nearest, power, effective;
    bool operator==(const found_predictions &other) const
    {
        return values == other.values && deviations == other.deviations && count == other.count &&
               nearest == other.nearest && power == other.power && effective == other.effective;
    }
};

found_predictions predict(const scene &on, const device_targets &at, const shepard_rules &rules)
{
    const std::size_t m = at.view().m, all = m * on.made_as.columns;
    shepard::buffer<double> values(all), deviations(all), count(m), nearest(m), power(m),
        effective(m);
    shepard::outputs out = {};
    out.m = at.view().m;
    out.values = values.get();
    out.deviations = deviations.get();
    out.count = count.get();
    out.nearest = nearest.get();
    out.power = power.get();
    out.effective = effective.get();
    shepard::predict_local(on.on_device.view(), at.view(), rules, frame_scale, out, nullptr);
    return {download(values),  download(deviations), download(count),
            download(nearest), download(power),      download(effective)};
}

void check_columns(const scene &on, const shepard_rules &rules, const found_predictions &found,
                   const exact_prediction &exact, std::uint32_t i)
{
    const std::uint32_t m = on.made_as.m, index = on.targets.index[i];
    for (int c = 0; c < on.made_as.columns; c++) {
        const std::size_t at = (std::size_t)c * m + index;
        const long double value = exact.met ? exact.values[c] : rules.nodata;
        const long double deviation = exact.met ? exact.deviations[c] : rules.nodata;
        const long double range = (long double)on.points.value_max[c] - on.points.value_min[c];
        const long double size = range + 1e-3L * std::fabs(value);
        expect(is_near(found.values[at], value, size, 1e-12), on.made_as, "the value", i,
               found.values[at], (double)value);
        expect(is_near(found.deviations[at], deviation, size, 1e-12), on.made_as, "the deviation",
               i, found.deviations[at], (double)deviation);
    }
}

void check_target(const scene &on, const shepard_rules &rules, const found_predictions &found,
                  std::uint32_t i)
{
    const double x = on.targets.x[i], y = on.targets.y[i];
    const std::uint32_t index = on.targets.index[i];
    std::vector<hit> hits;
    exact_prediction exact = {};
    if (!is_nowhere(on, i)) {
        hits = sort_by_distance(on.points, x, y);
        exact = predict_exactly(on.points, rules, hits, x, y);
    }
    const double nearest = exact.count > 0 ? std::sqrt(exact.nearest2) / frame_scale : rules.nodata;
    const long double power = exact.met ? exact.power : rules.nodata;
    const long double effective = exact.met ? exact.effective : rules.nodata;
    expect(found.count[index] == (double)exact.count, on.made_as, "the count", i,
           found.count[index], (double)exact.count);
    expect(found.nearest[index] == nearest, on.made_as, "the nearest distance", i,
           found.nearest[index], nearest);
    expect(is_near(found.power[index], power, power, 1e-12) || found.power[index] == power,
           on.made_as, "the power", i, found.power[index], (double)power);
    expect(is_near(found.effective[index], effective, std::fabs(effective), 1e-11), on.made_as,
           "the effective size", i, found.effective[index], (double)effective);
    check_columns(on, rules, found, exact, i);
}

/* The same targets in another order, among other neighbours: the same bits. */
void check_independence(const scene &on, const shepard_rules &rules, const found_predictions &found,
                        shepard_random *random)
{
    host_targets shuffled = on.targets;
    for (std::uint32_t i = on.made_as.m; i > 1; i--) {
        const std::uint32_t j = below(random, i);
        std::swap(shuffled.x[i - 1], shuffled.x[j]);
        std::swap(shuffled.y[i - 1], shuffled.y[j]);
        std::swap(shuffled.index[i - 1], shuffled.index[j]);
        std::swap(shuffled.rank[i - 1], shuffled.rank[j]);
    }
    const device_targets places(shuffled);
    expect(predict(on, places, rules) == found, on.made_as, "the order's part in results", 0, 1, 0);
}

/* Outputs that are not wanted change no others. */
void check_unwanted(const scene &on, const shepard_rules &rules, const found_predictions &found)
{
    const std::uint32_t m = on.made_as.m;
    shepard::buffer<double> values((std::size_t)m * on.made_as.columns), count(m);
    shepard::outputs out = {};
    out.m = m;
    out.values = values.get();
    shepard::predict_local(on.on_device.view(), on.device_places.view(), rules, frame_scale, out,
                           nullptr);
    out.values = nullptr;
    out.count = count.get();
    shepard::predict_local(on.on_device.view(), on.device_places.view(), rules, frame_scale, out,
                           nullptr);
    expect(download(values) == found.values && download(count) == found.count, on.made_as,
           "the part of other outputs", 0, 1, 0);
}

void check_predictions(const scene &on, const shepard_rules &rules, shepard_random *random)
{
    const found_predictions found = predict(on, on.device_places, rules);
    for (std::uint32_t i = 0; i < on.made_as.m; i++)
        check_target(on, rules, found, i);
    check_independence(on, rules, found, random);
    check_unwanted(on, rules, found);
}

/* ---- trials ---------------------------------------------------------------------------------- */

constexpr int lists[] = {1,  2,  7,  8,  9,  10, 12,  13,  16,  17,  24,
                         25, 32, 33, 64, 65, 96, 100, 128, 129, 200, 256};

void run(const trial &one, shepard_random *random)
{
    const host_points points = make_points(one.of, one.n, one.columns, one.weighted, random);
    const host_targets targets = make_targets(points, one.m, one.sorted, random);
    const scene on = {one, points, targets, uploaded_points(points), device_targets(targets)};
    const int k = lists[below(random, sizeof lists / sizeof lists[0])];
    check_nearest(on, k);
    check_knn_stats(on, draw_rules(on, k, random));
    check_predictions(on, draw_rules(on, k, random), random);
}

int run_all(std::uint64_t seed)
{
    static const std::uint32_t sizes[] = {1,   2,   5,   15,   16,   17,   63,
                                          200, 511, 513, 1500, 5000, 20000};
    std::size_t trials = 0;
    for (int of = 0; of < (int)shape::shapes; of++)
        for (const std::uint32_t n : sizes)
            for (int repeat = 0; repeat < 6; repeat++, trials++, seed++) {
                shepard_random random = {seed};
                const std::uint32_t most = n > 10000 ? 40 : n > 1000 ? 150 : 400;
                const std::uint32_t m = 1 + below(&random, most);
                run({(shape)of, n, m, 1 + (int)below(&random, 3), below(&random, 2) == 0,
                     below(&random, 3) != 0, seed},
                    &random);
            }
    std::printf("%zu trials, %zu failures, last seed %llu\n", trials, failures,
                (unsigned long long)(seed - 1));
    return failures == 0 ? 0 : 1;
}

} // namespace

int main(int count, char **arguments)
{
    return run_on_device(
        [&] { return run_all(count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 1); });
}
