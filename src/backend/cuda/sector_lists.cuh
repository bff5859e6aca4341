/* SPDX-License-Identifier: MIT */
/* The nearest points of each sector that one lane has been offered so far: a sorted list for each,
 * all in one row of memory. Mirrors kernel/sector_hits.h. */
#ifndef SHEPARD_BACKEND_CUDA_SECTOR_LISTS_CUH
#define SHEPARD_BACKEND_CUDA_SECTOR_LISTS_CUH

#include "backend/cuda/bearing.cuh"
#include "backend/cuda/nearest_list.cuh"

namespace shepard
{

constexpr int sectors_max = 8;

/* shepard_sector_of. */
template <int sectors> __device__ __forceinline__ int sector_of(double dx, double dy)
{
    if constexpr (sectors == 1)
        return 0;
    const int quadrant = (int)(dx >= 0) | (int)(dy >= 0) << 1;
    return sectors == 4 ? quadrant : quadrant | (int)(fabs(dx) > fabs(dy)) << 2;
}

/* How a box of the plane lies to a place. */
struct box_bearing {
    double east, west, north, south; /* how far it reaches; < 0: not */
    double dx, dy;                   /* how far away it is at least */

    __device__ box_bearing(const box &of, const plane_place &from)
        : east(of.x_max - from.x), west(from.x - of.x_min), north(of.y_max - from.y),
          south(from.y - of.y_min), dx(fmax(fmax(-west, -east), 0.0)),
          dy(fmax(fmax(-south, -north), 0.0))
    {
    }

    /* Whether it may hold points of a quadrant, */
    __device__ bool reaches(int quadrant) const
    {
        return (quadrant & 1 ? east >= 0 : west > 0) && (quadrant & 2 ? north >= 0 : south > 0);
    }
    /* and if so, of its octant beside the y axis, and of that beside the x axis. */
    __device__ bool is_steep(int quadrant) const { return (quadrant & 2 ? north : south) >= dx; }
    __device__ bool is_flat(int quadrant) const { return (quadrant & 1 ? east : west) > dy; }
};

/* Whether a box may hold points of a sector as seen from a place. */
template <int sectors>
__device__ inline bool reaches_sector(const box &of, const plane_place &from, int sector)
{
    if constexpr (sectors == 1)
        return true;
    const box_bearing bearing(of, from);
    const int quadrant = sector & 3;
    return bearing.reaches(quadrant) &&
           (sectors == 4 || (sector < 4 ? bearing.is_steep(quadrant) : bearing.is_flat(quadrant)));
}

/* Bits of the sectors that a box of space may hold points of; planes through the place bound them:
 * by offsets along its directions. */
template <int sectors>
__device__ inline unsigned reached_from(const space_box &of, const shepard_place &from)
{
    const reach x = reach_of(of, from, from.east), y = reach_of(of, from, from.north);
    const bool to_side[2][2] = {{x.least <= 0, x.most >= 0}, {y.least <= 0, y.most >= 0}};
    /* How far out at most, and how near to the axis at least, a part of the box lies. */
    const double out[2][2] = {{-x.least, x.most}, {-y.least, y.most}};
    const double near_x = fmax(fmax(x.least, -x.most), 0.0);
    const double near_y = fmax(fmax(y.least, -y.most), 0.0);
    unsigned reached = 0;
#pragma unroll
    for (int s = 0; s < sectors; s++) {
        const int across = s & 1, up = s >> 1 & 1;
        bool may = to_side[0][across] && to_side[1][up];
        if constexpr (sectors == 8)
            may = may && (s & 4 ? out[0][across] >= near_y : out[1][up] >= near_x);
        reached |= (unsigned)may << s;
    }
    return reached;
}

template <int sectors>
__device__ inline bool reaches_sector(const space_box &of, const shepard_place &from, int sector)
{
    return (reached_from<sectors>(of, from) >> sector & 1) != 0;
}

/* How many points of each sector, 16 bits for each. */
class sector_counts
{
  public:
    __device__ int operator[](int sector) const
    {
        return (int)((sector < 4 ? low_ : high_) >> 16 * (sector & 3) & 0xffff);
    }
    __device__ void add(int sector, int count)
    {
        (sector < 4 ? low_ : high_) += (std::uint64_t)count << 16 * (sector & 3);
    }

  private:
    std::uint64_t low_ = 0, high_ = 0;
};

/* Place i of sector s is place s * each + i of the row; each < 2^16. */
template <int sectors> class sector_lists
{
  public:
    __device__ sector_lists(const neighbour_row &row, int each) : row_(row), each_(each) {}

    /* Points at a squared distance above bound are none; bound < 0: no point is one. */
    __device__ void clear(double bound)
    {
        for (int i = 0; i < sectors * each_; i++)
            put(i, bound, SHEPARD_NO_POINT);
    }

    /* The list of a sector is that of a search, whose infinite places are empty. */
    __device__ void take_over(int sector, const neighbour_row &found)
    {
        for (int i = 0; i < each_; i++) {
            const double d2 = found.d2(i);
            put(sector * each_ + i, d2, d2 < (double)INFINITY ? found.rank(i) : SHEPARD_NO_POINT);
        }
    }

    /* No point of a sector farther than this matters. */
    __device__ double bound(int sector) const { return row_.d2(sector * each_ + each_ - 1); }

    __device__ double greatest_bound() const
    {
        double greatest = bound(0);
        for (int s = 1; s < sectors; s++)
            greatest = fmax(greatest, bound(s));
        return greatest;
    }

    /* Whether any point of a box matters at a place (Eq. 19 for each sector); an octant's part of a
     * box is no nearer than where the diagonal enters the box. */
    __device__ bool may_gain(const box &of, const plane_place &from) const
    {
        const box_bearing bearing(of, from);
        if constexpr (sectors == 1)
            return squared(bearing.dx, bearing.dy) <= bound(0);
        const double larger = fmax(bearing.dx, bearing.dy);
        const double d2 = squared(sectors == 8 ? larger : bearing.dx, bearing.dy);
        const double d2_steep = squared(bearing.dx, larger);
        bool gains = false;
#pragma unroll
        for (int q = 0; q < 4; q++) {
            const bool reaches = bearing.reaches(q);
            if constexpr (sectors == 8)
                gains = gains || (reaches && bearing.is_steep(q) && d2_steep <= bound(q)) ||
                        (reaches && bearing.is_flat(q) && d2 <= bound(q + 4));
            else
                gains = gains || (reaches && d2 <= bound(q));
        }
        return gains;
    }

    /* The same in space. */
    __device__ bool may_gain(const space_box &of, const shepard_place &from) const
    {
        const double d2 = squared_from(of, space_place{{from.x, from.y}, from.z});
        unsigned open = 0;
#pragma unroll
        for (int s = 0; s < sectors; s++)
            open |= (unsigned)(d2 <= bound(s)) << s;
        return open != 0 && (open & reached_from<sectors>(of, from)) != 0;
    }

    /* d2 <= bound(sector). */
    template <class Points>
    __device__ void offer(const Points &points, int sector, double d2, std::uint32_t rank)
    {
        const int first = sector * each_;
        int i = first + each_ - 1;
        if (!is_before(points, d2, rank, i))
            return;
        for (; i > first && is_before(points, d2, rank, i - 1); i--)
            put(i, row_.d2(i - 1), row_.rank(i - 1));
        put(i, d2, rank);
    }

    /* Leaves the points that the limits let through at a place, sector by sector: those at the
     * place first, then in rounds the next of each sector, in the last round the nearest of these.
     * Returns how many there are of each. */
    template <class Points, class Place>
    __device__ sector_counts deal(const Points &points, const Place &at, int most)
    {
        sector_counts found;
        int total = 0;
        for (int s = 0; s < sectors; s++) {
            int count = 0;
            while (count < each_ && row_.rank(s * each_ + count) != SHEPARD_NO_POINT)
                count++;
            found.add(s, count);
            total += count;
        }
        const sector_counts taken = total > most ? take(points, found, at, most) : found;
        close_up(taken);
        return taken;
    }

  private:
    __device__ void put(int i, double d2, std::uint32_t rank)
    {
        row_.d2(i) = d2;
        row_.rank(i) = rank;
    }

    /* Whether a point comes before what is in place i. */
    template <class Points>
    __device__ bool is_before(const Points &points, double d2, std::uint32_t rank, int i) const
    {
        if (d2 != row_.d2(i))
            return d2 < row_.d2(i);
        const std::uint32_t other = row_.rank(i);
        return other == SHEPARD_NO_POINT || comes_before(points, rank, other);
    }

    /* There are more than `most`. */
    template <class Points, class Place>
    __device__ sector_counts take(const Points &points, const sector_counts &found, const Place &at,
                                  int most) const
    {
        const int own = sector_of<sectors>(0, 0);
        int here = 0;
        while (here < min(found[own], most) && is_at(points, row_.rank(own * each_ + here), at))
            here++;
        sector_counts taken;
        taken.add(own, here);
        int left = most - here;
        for (int round = 0; left > 0; round++) {
            unsigned open = 0;
            for (int s = 0; s < sectors; s++)
                open |= (unsigned)(taken[s] == round && round < found[s]) << s;
            for (; open != 0 && left > 0; left--) {
                const int s = nearest_of(points, open, round);
                taken.add(s, 1);
                open &= ~(1u << s);
            }
        }
        return taken;
    }

    /* The sector whose place `round` is nearest. */
    template <class Points>
    __device__ int nearest_of(const Points &points, unsigned open, int round) const
    {
        int nearest = __ffs(open) - 1;
        for (int s = nearest + 1; s < sectors; s++) {
            const int i = s * each_ + round;
            if ((open >> s & 1) != 0 &&
                is_before(points, row_.d2(i), row_.rank(i), nearest * each_ + round))
                nearest = s;
        }
        return nearest;
    }

    /* Moves the points taken to the front of the row. */
    __device__ void close_up(const sector_counts &taken)
    {
        int to = 0;
        for (int s = 0; s < sectors; s++)
            for (int i = 0; i < taken[s]; i++, to++)
                put(to, row_.d2(s * each_ + i), row_.rank(s * each_ + i));
    }

    neighbour_row row_;
    int each_;
};

} // namespace shepard

#endif
