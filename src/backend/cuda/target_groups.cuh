/* SPDX-License-Identifier: MIT */
/* Which groups of targets there are. */
#ifndef SHEPARD_BACKEND_CUDA_TARGET_GROUPS_CUH
#define SHEPARD_BACKEND_CUDA_TARGET_GROUPS_CUH

#include "backend/cuda/all_points.cuh"

namespace shepard
{

/* Groups are summed by different kernels. */
struct group_class {
    bool precise;     /* in double */
    bool three_warps; /* three_warps_least to three_warps_most members */
    bool one_power;   /* all members have the same */
};

constexpr std::uint32_t three_warps_least = 65, three_warps_most = 96;

/* Those of one power come last: the others, few and slow, are begun first. */
constexpr int group_classes = 8, first_of_one_power = 4;

__host__ __device__ constexpr int number_of_class(group_class of)
{
    return of.precise + 2 * of.three_warps + first_of_one_power * of.one_power;
}

constexpr group_class class_of_number(int number)
{
    return {(number & 1) != 0, (number & 2) != 0, number >= first_of_one_power};
}

struct group_record {
    std::uint32_t item;
    int length;           /* bits of the key that name the cell: the item's, or a parent cell */
    std::uint32_t points; /* in the cell */
    int group;            /* groups.cuh */
    std::uint32_t first, members; /* place of its targets' numbers among all groups' */
};

struct group_list {
    const group_record *records;
    std::uint32_t count;
    const std::uint32_t *member; /* numbers of targets, of all groups */
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

  private:
    block<std::uint32_t> member_;
    block<group_record> records_; /* by class */
    std::uint32_t first_[group_classes + 1] = {};
};

} // namespace shepard

#endif
