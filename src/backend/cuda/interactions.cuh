/* SPDX-License-Identifier: MIT */
/* What is summed how for each group of targets: what walks down the tree list. Room is for so many
 * groups at a time, and for each so much; where that is full the walk goes on in the next round.
 * Mirrors core/interactions.h. */
#ifndef SHEPARD_BACKEND_CUDA_INTERACTIONS_CUH
#define SHEPARD_BACKEND_CUDA_INTERACTIONS_CUH

#include "backend/cuda/plane_terms.cuh"
#include "backend/cuda/target_groups.cuh"

namespace shepard
{

constexpr int node_room = 512; /* of each order */
constexpr int point_room = 4608;
constexpr int local_room = 512;
constexpr std::uint32_t wave_groups = 3u << 13;

/* Numbers of a local expansion, of each charge. */
constexpr int local_coefficients = 36;

struct list_head {
    int points, nodes[far_orders_max], local; /* listed in this round */
    int waiting; /* nodes that are left to look at; list_done: none were before this round */
    float left;  /* of the error budget of core/mac.h */
};

constexpr int list_done = -1;

struct list_view {
    list_head *head;      /* [groups] */
    std::uint32_t *entry; /* [groups, entries()] points, nodes by order, nodes to expand locally */
    std::uint32_t *queue; /* [groups, waiting_most] */
    float *coefficients;  /* [groups, charges, local_coefficients] of this round's expansions */
    plane_terms *planes;  /* [groups] those of planes */
    int *left;            /* groups with a further round */
    int orders, queue_room, charges;

    /* From a group on. */
    list_view from(std::uint32_t group) const
    {
        list_view part = *this;
        part.head += group;
        part.entry += (std::size_t)group * entries();
        part.queue += (std::size_t)group * (unsigned)queue_room;
        part.coefficients += (std::size_t)group * (unsigned)(charges * local_coefficients);
        part.planes += group;
        return part;
    }
    __host__ __device__ unsigned entries() const
    {
        return (unsigned)(point_room + orders * node_room + local_room);
    }
    __device__ std::uint32_t *points_of(std::uint32_t group) const
    {
        return entry + (std::size_t)group * entries();
    }
    __device__ std::uint32_t *nodes_of(std::uint32_t group, int order) const
    {
        return points_of(group) + point_room + order * node_room;
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

class lists
{
  public:
    /* charges: of local expansions; 0 without them. planes: there are some of planes. room: is
     * enlarged where it is too small; the lists' own while they are. */
    lists(const far_tree &tree, std::uint32_t groups, int charges, bool planes, list_room &room,
          cudaStream_t stream);

    const list_view &view() const { return view_; }
    /* Asynchronous. */
    void begin_round(cudaStream_t stream);
    /* Whether a further round is needed; waits. */
    bool go_on(const stream &in) const;

  private:
    block<list_head> head_;
    block<std::uint32_t> queue_;
    block<float> coefficients_;
    block<plane_terms> planes_;
    block<int> left_;
    list_view view_ = {};
};

/* Makes the lists of some groups: asynchronous; round: 0, 1, ... */
void list_groups(const all_points_job &job, const group_list &groups, const list_view &to,
                 int round, cudaStream_t stream);

} // namespace shepard

#endif
