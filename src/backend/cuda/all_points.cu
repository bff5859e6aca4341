/* SPDX-License-Identifier: MIT */
#include "backend/cuda/all_points_kernels.cuh"
#include "backend/cuda/wave_runner.cuh"

#include <algorithm>

namespace shepard
{

/* Makes room for some groups, and for parents: for some more of these than there are now, as their
 * number changes from chunk to chunk. */
static void reserve(list_room &room, std::size_t groups, std::size_t parents, cudaStream_t stream)
{
    if (room.size() >= groups + parents)
        return;
    room = list_room();
    room = list_room(groups + parents + parents / 8, stream);
}

void sum_all_points(const all_points_job &total, const far_view<float> *single,
                    const far_view<double> *precise, list_room &room, const stream &in)
{
    /* First, while the device has other work: making streams takes as long as planning. */
    side_streams sides(in);
    const target_groups groups(total, in);
    const group_list all = groups.all();
    if (all.count == 0)
        return;
    parent_view parents = {};
    if (total.accuracy == nullptr) {
        const class_launcher sums = {total, single, precise, groups, parents};
        const side_wait finish(sides);
        sums.run_round(0, all.count, {}, 0, sides);
        return;
    }
    const int charges = total.local != nullptr && single != nullptr ? single->charges : 0;
    const bool planes = total.local != nullptr && total.plane.phase != nullptr;
    const std::uint32_t most = std::min(wave_groups, all.count);
    const list_shape of_parents = {0, 0, parent_room, charges, planes};
    const list_shape of_groups = {point_room, total.tree.orders, waiting_most(total.tree.depth),
                                  charges, planes};
    parents.list = groups.parents();
    const std::size_t parent_entries = (std::size_t)parents.list.count * of_parents.entries();
    reserve(room, (std::size_t)most * of_groups.entries(), parent_entries, in.get());
    const block<parent_place> places(parents.list.count, in.get());
    const lists shared(of_parents, parents.list.count, room.get(), in.get());
    lists listed(of_groups, most, room.get() + parent_entries, in.get());
    parents.place = places.get();
    parents.lists = shared.view(0, false);
    const side_wait finish(sides);
    list_parents(total, parents, in.get());
    const class_launcher sums = {total, single, precise, groups, parents};
    wave_runner(sums, listed, sides, in).run();
}

} // namespace shepard
