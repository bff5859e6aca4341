/* SPDX-License-Identifier: MIT */
/* Which groups of targets there are. */
#ifndef SHEPARD_BACKEND_CUDA_TARGET_GROUPS_CUH
#define SHEPARD_BACKEND_CUDA_TARGET_GROUPS_CUH

#include "backend/cuda/all_points.cuh"

namespace shepard
{

/* Warps that have work: one for a target that stands alone, two for few members, three for 65 to
 * 96, else four. */
enum class group_width { four_warps, three_warps, two_warps, one_warp };

constexpr std::uint32_t few_members = 16;

__host__ __device__ constexpr group_width width_of(bool alone, std::uint32_t members)
{
    return alone                           ? group_width::one_warp
           : members <= few_members        ? group_width::two_warps
           : members > 64 && members <= 96 ? group_width::three_warps
                                           : group_width::four_warps;
}

/* Threads of a block: no warp waits without work. */
__host__ __device__ constexpr int threads_of(group_width width)
{
    return 32 * (width == group_width::one_warp      ? 1
                 : width == group_width::two_warps   ? 2
                 : width == group_width::three_warps ? 3
                                                     : 4);
}

/* Groups are summed by different kernels. */
struct group_class {
    bool precise; /* in double */
    group_width width;
    bool one_power; /* all members have the same */
};

/* Those of one power come last: the others, few and slow, are begun first. */
constexpr int group_classes = 16, first_of_one_power = 8;

__host__ __device__ constexpr int number_of_class(group_class of)
{
    return of.precise + 2 * (int)of.width + first_of_one_power * of.one_power;
}

constexpr group_class class_of_number(int number)
{
    return {number % 2 != 0, (group_width)(number % first_of_one_power / 2),
            number >= first_of_one_power};
}

constexpr int no_parent = -1;

struct group_record {
    std::uint32_t item;
    int length;           /* bits of the key that name the cell: the item's or a larger one */
    std::uint32_t points; /* in the cell */
    int group;            /* groups.cuh */
    std::uint32_t first, members; /* place of its targets' numbers among all groups' */
};

struct group_list {
    const group_record *records;
    std::uint32_t count;
    const std::uint32_t *member; /* numbers of targets, of all groups */
};

/* Which parent groups there are: of a parent cell and a range of one power, for groups that share
 * what is far from all of the cell. */
struct parent_list {
    const group_record *records; /* without members */
    std::uint32_t count;
    const std::uint32_t *first; /* [items] the first item of the parent cell */
    const int *of_first;        /* [items, 2] that item's parent groups, by range; no_parent */
};

class target_groups
{
  public:
    /* Waits for the stream. */
    target_groups(const all_points_job &job, const stream &in);

    /* All, class by class. */
    group_list all() const;
    /* Where a class begins among them; that of group_classes: how many there are. */
    std::uint32_t first_of(int class_number) const { return first_[class_number]; }
    parent_list parents() const
    {
        return {parent_records_.get(), parent_count_, parent_first_.get(), parent_of_first_.get()};
    }

  private:
    void make_room_for_parents(std::uint32_t m, cudaStream_t stream);

    block<std::uint32_t> member_;
    block<group_record> records_; /* by class */
    block<group_record> parent_records_;
    block<std::uint32_t> parent_first_;
    block<int> parent_of_first_;
    std::uint32_t parent_count_ = 0;
    std::uint32_t first_[group_classes + 1] = {};
};

} // namespace shepard

#endif
