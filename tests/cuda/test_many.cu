/* SPDX-License-Identifier: MIT */
/* Many nearest points in the plane, with each data point left out or not: the GPU's have the bits
 * of the CPU's.
 *
 *     test_cuda_many [SEED [MOST]]   so many points
 */
#include "library_points.cuh"
#include "on_device.cuh"

extern "C" {
#include "base/random.h"
#include "shepard/shepard.h"
}

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace
{

enum class spread { uniform, clustered, lattice, repeated, count };

struct places {
    std::vector<double> x, y;
};

struct found_points {
    std::vector<std::uint32_t> indices;
    std::vector<double> distances;
};

std::size_t checks, failures;

/* u, in [0, 1), along one axis. */
double place_of(spread of, double u)
{
    switch (of) {
    case spread::clustered:
        return std::floor(4 * u) + 1e-3 * u;
    case spread::lattice:
        return std::floor(40 * u);
    case spread::repeated:
        return std::floor(3 * u);
    default:
        return u;
    }
}

places make_places(spread of, std::size_t n, shepard_random *random)
{
    places made;
    for (std::size_t i = 0; i < n; i++) {
        made.x.push_back(place_of(of, shepard_random_uniform(random)));
        made.y.push_back(place_of(of, shepard_random_uniform(random)));
    }
    return made;
}

void say_notice(const char *text, void *)
{
    failures++;
    std::printf("a notice: %s\n", text);
}

found_points find(const shepard_points *points, const shepard_targets &targets, std::size_t m,
                  std::size_t k)
{
    found_points found = {std::vector<std::uint32_t>(m * k), std::vector<double>(m * k)};
    shepard_nearest_output output = {};
    output.size = sizeof output;
    output.indices = found.indices.data();
    output.distances = shepard_output_doubles(found.distances.data());
    shepard_control control = {};
    control.size = sizeof control;
    control.notice = say_notice;
    shepard_error error;
    require(shepard_nearest(points, &targets, k, &output, &control, &error), error);
    return found;
}

bool is_same(double a, double b)
{
    return a == b || (std::isnan(a) && std::isnan(b));
}

void compare(const found_points &got, const found_points &want, std::size_t n, std::size_t k)
{
    for (std::size_t i = 0; i < want.indices.size(); i++, checks++)
        if ((got.indices[i] != want.indices[i] || !is_same(got.distances[i], want.distances[i])) &&
            ++failures <= 20)
            std::printf(
                "%zu points, k = %zu, target %zu, place %zu: %u at %.17g, not %u at %.17g\n", n, k,
                i / k, i % k, got.indices[i], got.distances[i], want.indices[i], want.distances[i]);
}

void run(spread of, std::size_t n, shepard_random *random)
{
    static const std::size_t lists[] = {24, 25, 32, 33, 64, 65, 100, 128, 129, 200, 256};
    const places data = make_places(of, n, random), others = make_places(of, 300, random);
    const auto gpu = make_points(data.x, data.y, SHEPARD_BACKEND_CUDA);
    const auto cpu = make_points(data.x, data.y, SHEPARD_BACKEND_CPU);
    shepard_targets left_out = {};
    left_out.size = sizeof left_out;
    left_out.kind = SHEPARD_TARGETS_LEAVE_ONE_OUT;
    shepard_targets list = {};
    list.size = sizeof list;
    list.count = others.x.size();
    list.x = shepard_doubles(others.x.data());
    list.y = shepard_doubles(others.y.data());
    for (const std::size_t k : lists) {
        left_out.keep_coincident = !left_out.keep_coincident;
        compare(find(gpu.get(), left_out, n, k), find(cpu.get(), left_out, n, k), n, k);
        compare(find(gpu.get(), list, list.count, k), find(cpu.get(), list, list.count, k), n, k);
    }
}

int run_all(std::uint64_t seed, std::size_t most)
{
    for (int of = 0; of < (int)spread::count; of++)
        for (const std::size_t n : {1, 20, 33, 100, 300, 2000, 6000}) {
            shepard_random random = {seed++};
            if (n <= most)
                run((spread)of, n, &random);
        }
    std::printf("%zu checks, %zu failures\n", checks, failures);
    return failures == 0 ? 0 : 1;
}

} // namespace

int main(int count, char **arguments)
{
    const auto number = [&](int i, std::uint64_t otherwise) {
        return count > i ? std::strtoull(arguments[i], nullptr, 10) : otherwise;
    };
    return run_on_device([&] { return run_all(number(1, 1), number(2, SIZE_MAX)); });
}
