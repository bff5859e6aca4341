/* SPDX-License-Identifier: MIT */
/* What is summed how for each group of targets: what walks down the tree list. Room is for so many
 * groups at a time, and for each so much; where that is full the walk goes on in the next round.
 * Mirrors core/interactions.h. */
#ifndef SHEPARD_BACKEND_CUDA_INTERACTIONS_CUH
#define SHEPARD_BACKEND_CUDA_INTERACTIONS_CUH

#include "backend/cuda/plane_terms.cuh"
#include "backend/cuda/reals.cuh"
#include "backend/cuda/target_groups.cuh"

namespace shepard
{

constexpr int node_room = 512; /* of each order */
constexpr int point_room = 4608;
/* With more points listed than that a step of a walk may not find room. */
constexpr int points_full = point_room - 32 * leaf_points;
constexpr int local_room = 512;
constexpr std::uint32_t wave_groups = 3u << 13;

/* Nodes that are left to the groups of a parent cell: where more are near, larger ones are left. */
constexpr int parent_room = 256;

/* Numbers of a local expansion, of each charge. */
constexpr int local_coefficients = 36;

/* Nodes that wait in a walk: those it began with, then, by rising depth below these, those it
 * found. A step takes the last, a warp of them, and all that is left of a depth comes from one
 * step, which found at most two warps: one is left, but of the last. */
constexpr int waiting_most(int depth)
{
    return parent_room + 32 * (depth + 1);
}

struct list_head {
    int points, nodes[far_orders_max], local; /* listed in this round */
    int waiting; /* nodes that are left to look at; list_done: none were before this round */
    float left;  /* of the error budget of core/mac.h */
    int parent;  /* of a group: its parent group; no_parent */
};

constexpr int list_done = -1;

/* What each group has room for. Parent groups list no points, and nodes of no order. */
struct list_shape {
    int points_most, orders, queue_room;
    int charges; /* of local expansions in float32; 0 without them */
    bool planes; /* there are local expansions of planes */

    __host__ __device__ unsigned entries() const
    {
        return (unsigned)(points_most + orders * node_room + local_room);
    }
};

struct list_view : list_shape {
    list_head *head;      /* [groups] */
    std::uint32_t *entry; /* [groups, entries()] points, nodes by order, nodes to expand locally */
    std::uint32_t *queue; /* [groups, queue_room] */
    float *coefficients;  /* [groups, charges, local_coefficients] of this round's expansions */
    plane_terms *planes_of; /* [groups] those of planes */
    int *left;              /* groups with a further round */
    const int *before; /* that of the wave before. If it is not 0, this wave's walks do nothing,
                          and the wave is begun again. nullptr: nothing to wait for */

    /* From a group on. */
    list_view from(std::uint32_t group) const
    {
        list_view part = *this;
        part.head += group;
        part.entry += (std::size_t)group * entries();
        part.queue += (std::size_t)group * (unsigned)queue_room;
        part.coefficients += (std::size_t)group * (unsigned)(charges * local_coefficients);
        part.planes_of += group;
        return part;
    }
    __device__ std::uint32_t *points_of(std::uint32_t group) const
    {
        return entry + (std::size_t)group * entries();
    }
    __device__ std::uint32_t *nodes_of(std::uint32_t group, int order) const
    {
        return points_of(group) + points_most + order * node_room;
    }
    __device__ std::uint32_t *local_of(std::uint32_t group) const
    {
        return nodes_of(group, orders);
    }
    __device__ float *coefficients_of(std::uint32_t group, int charge) const
    {
        return coefficients +
               ((std::size_t)group * (unsigned)charges + (unsigned)charge) * local_coefficients;
    }
};

/* A parent group's local expansion: the middle of the cell, and log2 of what weights are over, for
 * a unit of 1. */
struct parent_place {
    anchor middle;
    double exponent;
};

/* Parent groups: `left` of the head is left to their groups, nodes in the queue, and of the budget.
 * list_done: nothing is shared. */
struct parent_view {
    parent_list list;
    parent_place *place; /* [list.count] */
    list_view lists;
};

class lists
{
  public:
    /* entry: [groups, entries of the shape], the lists' own while they are. */
    lists(const list_shape &shape, std::uint32_t groups, std::uint32_t *entry, cudaStream_t stream);

    /* Of every other wave, 0 or 1. ahead: that before may need further rounds. */
    list_view view(int turn, bool ahead) const;
    /* Asynchronous. */
    void begin_round(int turn, cudaStream_t stream);
    /* Whether a further round is needed; waits. */
    bool go_on(int turn, const stream &in) const;

  private:
    block<list_head> head_[2];
    block<std::uint32_t> queue_;
    block<float> coefficients_;
    block<plane_terms> planes_;
    block<int> left_;
    list_view view_ = {};
};

/* Lists what parent groups' local expansions have, and what is left to their groups: asynchronous.
 */
void list_parents(const all_points_job &job, const parent_view &to, cudaStream_t stream);
/* Makes the lists of some groups, from what their parents left: asynchronous; round: 0, 1, ... */
void list_groups(const all_points_job &job, const group_list &groups, const parent_view &parents,
                 const list_view &to, int round, cudaStream_t stream);

} // namespace shepard

#endif
