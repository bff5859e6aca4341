/* SPDX-License-Identifier: MIT */
/*
 * CGAL's k-d tree at its best: Orthogonal_k_neighbor_search over plain doubles, the points'
 * coordinates cached in the leaves, points and queries in Hilbert order, both sorts included in the
 * time. Sliding_midpoint was the fastest of CGAL's six splitters, with the cache and without.
 * 16 points a leaf (4 to 20 tried, 14 and up alike).
 */
#include "peer.hpp"

#include <CGAL/Kd_tree.h>
#include <CGAL/Orthogonal_k_neighbor_search.h>
#include <CGAL/Search_traits_2.h>
#include <CGAL/Search_traits_adapter.h>
#include <CGAL/Simple_cartesian.h>
#include <cmath>

namespace
{

using Kernel = CGAL::Simple_cartesian<double>;
using Place = Kernel::Point_2;

/* A point that knows its number. */
struct Numbered {
    Place place;
    std::uint32_t number;
};

struct Place_of {
    using value_type = Place;
    using reference = const Place &;
    using key_type = Numbered;
    using category = boost::lvalue_property_map_tag;
    const Place &operator[](const Numbered &p) const { return p.place; }
};

const Place &get(const Place_of &, const Numbered &p)
{
    return p.place;
}

using Base = CGAL::Search_traits_2<Kernel>;
using Traits = CGAL::Search_traits_adapter<Numbered, Place_of, Base>;
using Distance = CGAL::Distance_adapter<Numbered, Place_of, CGAL::Euclidean_distance<Base>>;
using Splitter = CGAL::Sliding_midpoint<Traits>;
using Tree = CGAL::Kd_tree<Traits, Splitter, CGAL::Tag_true, CGAL::Tag_true>;
using Search = CGAL::Orthogonal_k_neighbor_search<Traits, Distance, Splitter, Tree>;

void solve(const peer::Dataset &dataset, std::size_t k, peer::Answer &answer)
{
    const std::vector<std::uint32_t> order = peer::hilbert_order(dataset.points);
    std::vector<Numbered> points(dataset.points.size());
    for (std::size_t i = 0; i < points.size(); i++)
        points[i] = {Place(dataset.points[order[i]].x, dataset.points[order[i]].y), order[i]};
    Tree tree(points.begin(), points.end(), Splitter(16));
    tree.build();
    const Distance distance{Place_of()};
    for (const std::uint32_t i : peer::hilbert_order(dataset.targets)) {
        const Place target(dataset.targets[i].x, dataset.targets[i].y);
        Search search(tree, target, static_cast<unsigned>(k), 0.0, true, distance);
        std::size_t out = i * k;
        for (const auto &found : search) {
            answer.indices[out] = found.first.number;
            answer.distances[out] = std::sqrt(found.second);
            out++;
        }
    }
}

} // namespace

int main(int argc, char **argv)
{
    return peer::run(argc, argv, "cgal", solve);
}
