/* SPDX-License-Identifier: MIT */
/**
 * What the peers of the neighbour search share: the dataset that `bench_core draw` wrote, the order
 * in which queries are worked on, and the line of JSON that the driver reads. Included once, by the
 * file that holds main().
 */
#ifndef SHEPARD_BENCH_PEER_HPP
#define SHEPARD_BENCH_PEER_HPP

#include "papers/stopwatch.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

namespace peer
{

struct Point {
    double x, y;
};

struct Dataset {
    std::vector<Point> points, targets;
};

/* Distances and indices of the neighbours of all targets, [m, k], nearest first. */
struct Answer {
    std::vector<std::uint32_t> indices;
    std::vector<double> distances;
};

inline void fail(const std::string &message)
{
    std::fprintf(stderr, "%s\n", message.c_str());
    std::exit(1);
}

inline std::vector<Point> read_points(std::FILE *file, std::size_t n)
{
    std::vector<double> v(2 * n);
    std::vector<Point> points(n);
    if (std::fread(v.data(), sizeof(double), 2 * n, file) != 2 * n)
        fail("the dataset's file is too short");
    for (std::size_t i = 0; i < n; i++)
        points[i] = {v[i], v[n + i]};
    return points;
}

inline Dataset read_dataset(const char *name)
{
    std::FILE *file = std::fopen(name, "rb");
    std::uint64_t counts[2];
    if (!file || std::fread(counts, sizeof counts, 1, file) != 1)
        fail(std::string("cannot read ") + name);
    Dataset dataset;
    dataset.points = read_points(file, counts[0]);
    dataset.targets = read_points(file, counts[1]);
    std::fclose(file);
    return dataset;
}

/* Place of a cell of a 2^16 x 2^16 grid along the Hilbert curve. */
inline std::uint32_t hilbert(std::uint32_t x, std::uint32_t y)
{
    std::uint32_t place = 0;
    for (int level = 15; level >= 0; level--) {
        const std::uint32_t right = x >> level & 1;
        const std::uint32_t up = y >> level & 1;
        place = place << 2 | ((3 * right) ^ up);
        const std::uint32_t flip = right & ~up & 1 ? 0xffffu : 0u;
        x ^= flip;
        y ^= flip;
        if (!up)
            std::swap(x, y);
    }
    return place;
}

struct Keyed {
    std::uint32_t key, index;
};

/* Sorts by key, stable, in four passes of eight bits. */
inline void sort_keys(std::vector<Keyed> &keys)
{
    std::vector<Keyed> other(keys.size());
    for (int shift = 0; shift < 32; shift += 8) {
        std::size_t start[257] = {};
        for (const Keyed &k : keys)
            start[(k.key >> shift & 255) + 1]++;
        std::partial_sum(start, start + 257, start);
        for (const Keyed &k : keys)
            other[start[k.key >> shift & 255]++] = k;
        keys.swap(other);
    }
}

/* The order of points along a Hilbert curve over their bounding box. */
inline std::vector<std::uint32_t> hilbert_order(const std::vector<Point> &points)
{
    Point low = points[0], high = points[0];
    for (const Point &p : points) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    const double side = std::max(std::max(high.x - low.x, high.y - low.y), 1e-300);
    const double scale = 65535.0 / side;
    std::vector<Keyed> keys(points.size());
    for (std::size_t i = 0; i < points.size(); i++) {
        keys[i].key = hilbert(static_cast<std::uint32_t>((points[i].x - low.x) * scale),
                              static_cast<std::uint32_t>((points[i].y - low.y) * scale));
        keys[i].index = static_cast<std::uint32_t>(i);
    }
    sort_keys(keys);
    std::vector<std::uint32_t> order(points.size());
    for (std::size_t i = 0; i < points.size(); i++)
        order[i] = keys[i].index;
    return order;
}

/* Reads `FILE K`, times solve(dataset, k, answer) and prints the line. */
template <class Solve> int run(int argc, char **argv, const char *tool, Solve solve)
{
    if (argc < 3 || std::atoi(argv[2]) < 1)
        fail(std::string("usage: ") + argv[0] + " FILE K");
    const Dataset dataset = read_dataset(argv[1]);
    const std::size_t k = static_cast<std::size_t>(std::atoi(argv[2]));
    Answer answer;
    answer.indices.resize(dataset.targets.size() * k);
    answer.distances.resize(dataset.targets.size() * k);
    const shepard_seconds start = shepard_seconds_now();
    solve(dataset, k, answer);
    const shepard_seconds taken = shepard_seconds_since(start);
    double sum = 0;
    for (std::size_t i = 0; i < dataset.targets.size(); i++)
        sum += answer.distances[i * k + k - 1];
    std::printf("{\"case\": \"knn\", \"tool\": \"%s\", \"k\": %zu, \"wall\": %.6f, \"cpu\": %.6f, "
                "\"checksum\": %.17g}\n",
                tool, k, taken.wall, taken.cpu, sum);
    return 0;
}

} // namespace peer

#endif
