/* SPDX-License-Identifier: MIT */
/* The k nearest points that one lane has been offered so far, where k is 1 or large. Lists that are
 * ranked know their points and order those at equal distances; the others hold distances alone. */
#ifndef SHEPARD_BACKEND_CUDA_NEAREST_LIST_CUH
#define SHEPARD_BACKEND_CUDA_NEAREST_LIST_CUH

#include "backend/cuda/points_view.cuh"

#include <cmath>

namespace shepard
{

constexpr int warp_lanes = 32;

/* The next larger double of a >= 0; NaN for infinity. */
__host__ __device__ inline double next_up(double a)
{
    std::int64_t bits;
    memcpy(&bits, &a, sizeof bits);
    bits++;
    memcpy(&a, &bits, sizeof a);
    return a;
}

/* Whether point a comes before b, both at one place: by what they carry. */
__device__ inline bool carries_less(const points_view &points, std::uint32_t a, std::uint32_t b)
{
    for (int c = 0; c < points.columns; c++) {
        const double *z = points.values + (std::size_t)c * points.n;
        if (z[a] != z[b])
            return z[a] < z[b];
    }
    if (points.weights != nullptr && points.weights[a] != points.weights[b])
        return points.weights[a] < points.weights[b];
    return points.index[a] < points.index[b];
}

/* Whether point a comes before b, both at the same distance: shepard_samples_before. */
__device__ inline bool comes_before(const points_view &points, std::uint32_t a, std::uint32_t b)
{
    if (points.x[a] != points.x[b])
        return points.x[a] < points.x[b];
    if (points.y[a] != points.y[b])
        return points.y[a] < points.y[b];
    return carries_less(points, a, b);
}

__device__ inline bool comes_before(const space_points_view &points, std::uint32_t a,
                                    std::uint32_t b)
{
    if (points.x[a] != points.x[b])
        return points.x[a] < points.x[b];
    if (points.y[a] != points.y[b])
        return points.y[a] < points.y[b];
    if (points.z[a] != points.z[b])
        return points.z[a] < points.z[b];
    return carries_less(points, a, b);
}

/* The points of a list that is complete, nearest first. */
struct neighbour_row {
    double *d2_at;
    std::uint32_t *rank_at;
    int stride;

    __device__ double &d2(int i) const { return d2_at[(std::ptrdiff_t)i * stride]; }
    __device__ std::uint32_t &rank(int i) const { return rank_at[(std::ptrdiff_t)i * stride]; }
};

/* Squared median of the first distances, which are sorted, or in the order that select_median
 * leaves them in; 0 of none. */
__device__ inline double median2_of(const neighbour_row &row, int count)
{
    if (count == 0)
        return 0;
    const int middle = count / 2;
    double median = sqrt(row.d2(middle));
    if (count % 2 == 0)
        median = (sqrt(row.d2(middle - 1)) + median) / 2;
    return median * median;
}

__device__ inline void swap_places(const neighbour_row &row, int i, int j)
{
    const double d2 = row.d2(i);
    const std::uint32_t rank = row.rank(i);
    row.d2(i) = row.d2(j);
    row.rank(i) = row.rank(j);
    row.d2(j) = d2;
    row.rank(j) = rank;
}

/* Swaps places of `count` until none before place k is farther than that, and none after it nearer:
 * Hoare's selection. What it compares with is chosen as if by chance, so that no data are slow. */
__device__ inline void select_place(const neighbour_row &row, int count, int k)
{
    std::uint32_t chance = (std::uint32_t)count;
    for (int low = 0, high = count - 1; low < high;) {
        chance = chance * 1664525u + 1013904223u;
        const double pivot = row.d2(low + (int)__umulhi(chance, (unsigned)(high - low + 1)));
        int i = low, j = high;
        while (i <= j) {
            while (row.d2(i) < pivot)
                i++;
            while (row.d2(j) > pivot)
                j--;
            if (i <= j)
                swap_places(row, i++, j--);
        }
        if (k <= j)
            high = j;
        else if (k >= i)
            low = i;
        else
            return;
    }
}

/* Brings those that make the median to their places. */
__device__ inline void select_median(const neighbour_row &row, int count)
{
    const int middle = count / 2;
    if (count == 0)
        return;
    select_place(row, count, middle);
    if (count % 2 == 0)
        select_place(row, middle, middle - 1);
}

/* Swaps the nearest point, the first of several, and the first place. */
__device__ inline void bring_nearest_first(const neighbour_row &row, int count)
{
    int nearest = 0;
    for (int i = 1; i < count; i++)
        nearest = row.d2(i) < row.d2(nearest) ? i : nearest;
    if (nearest > 0)
        swap_places(row, 0, nearest);
}

/* The nearest alone. */
template <bool is_ranked> class lone_list
{
  public:
    static constexpr bool ranked = is_ranked;
    static constexpr int row_places = 1; /* that finish writes to */
    static constexpr int stored_places = 1;
    using stored = std::uint32_t;
    using distances = lone_list<false>;

    __device__ explicit lone_list(int, stored (*)[warp_lanes] = nullptr) {}

    /* Just above the k-th; no number while there is none. */
    __device__ double limit_above() const { return next_up(d2_); }

    /* No point from here on matters. */
    __device__ double limit() const { return ranked ? limit_above() : d2_; }

    /* Whether a point that is no longer here may be one of the k nearest. */
    __device__ bool is_in_doubt() const { return false; }

    /* d2 is finite. */
    template <class Points>
    __device__ void offer(const Points &points, double d2, std::uint32_t rank)
    {
        if (d2 > d2_ || (d2 == d2_ && !(ranked && comes_before(points, rank, rank_))))
            return;
        d2_ = d2;
        rank_ = rank;
    }

    /* Writes the list into row, or leaves it where it is. */
    template <class Points, class Place>
    __device__ neighbour_row finish(const Points &, const Place &, const neighbour_row &row)
    {
        __syncwarp(); /* rows lie where the queues of other lanes were */
        row.d2(0) = d2_;
        if constexpr (ranked)
            row.rank(0) = rank_;
        return row;
    }

  private:
    double d2_ = (double)INFINITY;
    std::uint32_t rank_ = 0;
};

/* A heap whose farthest point is first, k <= room. */
template <int room, bool is_ranked> class heap_list
{
  public:
    static constexpr bool ranked = is_ranked;
    static constexpr int row_places = 1;
    static constexpr int stored_places = 1;
    using stored = std::uint32_t;
    using distances = heap_list<room, false>;

    __device__ explicit heap_list(int k, stored (*)[warp_lanes] = nullptr) : k_(k), count_(0) {}

    __device__ double limit_above() const { return next_up(farthest()); }
    __device__ double limit() const { return ranked ? limit_above() : farthest(); }
    __device__ bool is_in_doubt() const { return false; }

    template <class Points>
    __device__ void offer(const Points &points, double d2, std::uint32_t rank)
    {
        if (count_ < k_)
            rise(points, count_++, d2, rank);
        else if (!is_after(points, 0, d2, rank))
            sink(points, 0, k_, d2, rank);
    }

    /* Sorts the list where it is: heap sort. The places not taken become infinite. */
    template <class Points, class Place>
    __device__ neighbour_row finish(const Points &points, const Place &, const neighbour_row &)
    {
        for (int n = count_ - 1; n > 0; n--) {
            const double d2 = d2_[n];
            const std::uint32_t rank = ranked ? rank_[n] : 0;
            move(0, n);
            sink(points, 0, n, d2, rank);
        }
        for (int i = count_; i < k_; i++)
            d2_[i] = (double)INFINITY;
        return {d2_, rank_, 1};
    }

  private:
    __device__ double farthest() const { return count_ < k_ ? (double)INFINITY : d2_[0]; }

    /* Whether (d2, rank) comes after the one in place i. */
    template <class Points>
    __device__ bool is_after(const Points &points, int i, double d2, std::uint32_t rank) const
    {
        if constexpr (ranked)
            if (d2 == d2_[i])
                return comes_before(points, rank_[i], rank);
        return d2 >= d2_[i];
    }

    __device__ void put(int i, double d2, std::uint32_t rank)
    {
        d2_[i] = d2;
        if constexpr (ranked)
            rank_[i] = rank;
    }

    __device__ void move(int from, int to) { put(to, d2_[from], ranked ? rank_[from] : 0); }

    /* Moves (d2, rank) up from place i. */
    template <class Points>
    __device__ void rise(const Points &points, int i, double d2, std::uint32_t rank)
    {
        for (int parent = (i - 1) / 2; i > 0; parent = (i - 1) / 2) {
            if (!is_after(points, parent, d2, rank))
                break;
            move(parent, i);
            i = parent;
        }
        put(i, d2, rank);
    }

    /* Moves (d2, rank) down from place i of a heap of n. */
    template <class Points>
    __device__ void sink(const Points &points, int i, int n, double d2, std::uint32_t rank)
    {
        for (int child = 2 * i + 1; child < n; child = 2 * i + 1) {
            if (child + 1 < n &&
                is_after(points, child, d2_[child + 1], ranked ? rank_[child + 1] : 0))
                child++;
            if (is_after(points, child, d2, rank))
                break;
            move(child, i);
            i = child;
        }
        put(i, d2, rank);
    }

    int k_, count_;
    double d2_[room];
    std::uint32_t rank_[ranked ? room : 1];
};

} // namespace shepard

#endif
