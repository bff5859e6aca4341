/* SPDX-License-Identifier: MIT */
#include "backend/cuda/target_cells.cuh"

#include "backend/cuda/marked.cuh"
#include "cuda/launch.cuh"

#include <cmath>

namespace shepard
{

namespace
{

constexpr int threads = 256;

/* A name of `length` bits has more than cell_points points where two of them, so many apart, share
 * it. A point's cell takes one bit more than the longest such name that the point has too. */
__global__ void measure(const std::uint64_t *key, std::uint32_t n, std::uint8_t *length)
{
    __shared__ std::int8_t common[threads + cell_points];
    const std::int64_t start = (std::int64_t)blockIdx.x * threads - cell_points;
    for (int j = (int)threadIdx.x; j < threads + cell_points; j += threads) {
        const std::int64_t i = start + j;
        common[j] = i >= 0 && i + cell_points < (std::int64_t)n
                        ? (std::int8_t)hilbert_common(key[i], key[i + cell_points])
                        : (std::int8_t)-1;
    }
    __syncthreads();
    const std::size_t own = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (own >= n)
        return;
    int most = -1;
    for (int j = 0; j <= cell_points; j++)
        most = max(most, (int)common[threadIdx.x + (unsigned)j]);
    length[own] = (std::uint8_t)min(most + 1, hilbert_bits);
}

/* Behind the targets that are finite. */
constexpr std::uint8_t no_cell = 255;

/* The points next to a target along the curve tell its cell: the longest name with too many points
 * that the target has is one that one of them has. */
__device__ int cell_of(const points_view &points, const std::uint8_t *length, std::uint64_t key,
                       std::uint32_t rank)
{
    const std::uint32_t after = key > points.key[rank] ? rank + 1 : rank;
    int most = -1;
    if (after > 0)
        most = min(hilbert_common(key, points.key[after - 1]), (int)length[after - 1] - 1);
    if (after < points.n)
        most = max(most, min(hilbert_common(key, points.key[after]), (int)length[after] - 1));
    return most + 1;
}

/* Whether a cell has at most so many points; rank: of the first point not before a key in it, or of
 * the last. */
__device__ bool has_at_most(const points_view &points, std::uint64_t key, int length,
                            std::uint32_t rank, std::uint32_t most)
{
    const int rest = hilbert_bits - length;
    const std::uint32_t first = rank > most ? rank - most - 1 : 0;
    const std::uint32_t count = min(points.n - first, 2 * most + 2);
    const std::uint64_t *const near = points.key + first;
    const std::uint64_t name = key >> rest;
    return hilbert_rank(near, count, (name + 1) << rest) -
               hilbert_rank(near, count, name << rest) <=
           most;
}

__global__ void find_cells(points_view points, const std::uint8_t *length, const std::uint64_t *key,
                           const std::uint32_t *rank, std::uint32_t m, int raster_length,
                           std::uint8_t *own)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (i >= m)
        return;
    if (key[i] == hilbert_end) {
        own[i] = no_cell;
        return;
    }
    int found = cell_of(points, length, key[i], rank[i]);
    while (found > raster_length &&
           has_at_most(points, key[i], found - 1, rank[i], coarse_cell_points))
        found--;
    own[i] = (std::uint8_t)found;
}

/* The targets, what they are in order by, and the points. */
struct subdivide_job {
    points_view points;
    hilbert_curve along;
    target_view targets;
    const std::uint64_t *key;
};

/* How many points are in the square of 2^bits least squares a side that a place is in. */
__device__ std::uint32_t points_in_square(const points_view &points, hilbert_place place, int bits)
{
    const int rest = 2 * bits;
    if (rest >= hilbert_bits)
        return points.n;
    const std::uint64_t name = hilbert_key(place) >> rest;
    return hilbert_rank(points.key, points.n, (name + 1) << rest) -
           hilbert_rank(points.key, points.n, name << rest);
}

/* Whether there are too many points in and round a cell. A lane for each square, of the size of the
 * cell or, where that is two squares side by side, of one of them. */
__device__ bool is_subdivided(const subdivide_job &job, hilbert_place place, std::uint64_t key,
                              int length)
{
    const hilbert_cell cell = hilbert_cell_of(place, key, length);
    const int bits = min(cell.x_bits, cell.y_bits), lane = (int)threadIdx.x % 32;
    const int across = (1 << (cell.x_bits - bits)) + 2, up = (1 << (cell.y_bits - bits)) + 2;
    const std::int64_t side = std::int64_t{1} << bits;
    const std::int64_t column = (std::int64_t)cell.column + (lane % across - 1) * side;
    const std::int64_t row = (std::int64_t)cell.row + (lane / across - 1) * side;
    const bool there = lane < across * up && column >= 0 && column <= (std::int64_t)hilbert_last &&
                       row >= 0 && row <= (std::int64_t)hilbert_last;
    const std::uint32_t own =
        there ? points_in_square(job.points, {(std::uint32_t)column, (std::uint32_t)row}, bits) : 0;
    const bool inside = lane % across % (across - 1) != 0 && lane / across % (up - 1) != 0;
    const std::uint32_t within = __reduce_add_sync(whole_warp, inside ? own : 0);
    return __reduce_add_sync(whole_warp, own) >
           subdivide_times * max(within, (std::uint32_t)cell_points);
}

/* How many targets from one on, before `end`, have a cell's name. */
__device__ std::uint32_t count_in_cell(const subdivide_job &job, std::uint32_t first,
                                       std::uint32_t end, int length)
{
    const std::uint64_t key = job.key[first];
    std::uint32_t count = 0;
    for (unsigned in = whole_warp; in == whole_warp; count += (unsigned)__popc(in)) {
        const std::uint32_t i = first + count + threadIdx.x % 32;
        in = __ballot_sync(whole_warp, i < end && hilbert_common(key, job.key[i]) >= length);
    }
    return count;
}

/* Targets that a warp takes. */
constexpr std::uint32_t split_targets = 32;

__global__ void split_cells(const __grid_constant__ subdivide_job job, std::uint8_t *length)
{
    const std::size_t warp = ((std::size_t)blockIdx.x * threads + threadIdx.x) / 32;
    const std::uint32_t m = job.targets.m, lane = threadIdx.x % 32;
    const std::size_t begin = warp * split_targets;
    const std::uint32_t end = (std::uint32_t)min((std::size_t)m, begin + split_targets);
    for (std::uint32_t i = (std::uint32_t)min((std::size_t)m, begin); i < end;) {
        const int whole = length[i];
        if (whole == no_cell)
            return;
        const hilbert_place place = hilbert_place_of(job.along, job.targets.x[i], job.targets.y[i]);
        int own = whole;
        while (own + 2 <= hilbert_bits && is_subdivided(job, place, job.key[i], own))
            own += 2;
        const std::uint32_t count = count_in_cell(job, i, end, own);
        __syncwarp();
        for (std::uint32_t j = lane; own != whole && j < count; j += 32)
            length[i + j] = (std::uint8_t)own;
        i += count;
    }
}

/* Whether an item begins with a target: a cell's first, and every item_targets-th from there. */
struct begins {
    const std::uint64_t *key;
    const std::uint8_t *length;

    __device__ bool are_of_one_cell(std::uint32_t i, std::uint32_t j) const
    {
        const int rest = hilbert_bits - length[j];
        return length[i] == length[j] && (length[j] == 0 || key[i] >> rest == key[j] >> rest);
    }
    /* The first of i's cell, at most i - item_targets. */
    __device__ std::uint32_t first_of(std::uint32_t i) const
    {
        std::uint32_t low = 0, high = i - item_targets;
        while (low < high) {
            const std::uint32_t middle = low + (high - low) / 2;
            if (are_of_one_cell(middle, i))
                high = middle;
            else
                low = middle + 1;
        }
        return low;
    }
    __device__ bool operator()(std::uint32_t i) const
    {
        if (length[i] == no_cell)
            return false;
        if (i == 0 || !are_of_one_cell(i - 1, i))
            return true;
        if (i < item_targets || !are_of_one_cell(i - item_targets, i))
            return false;
        return (i - first_of(i)) % item_targets == 0;
    }
};

/* One after the other: DeviceSelect::If would read keys and lengths out of order. */
__global__ void mark_items(begins first, std::uint32_t m, std::uint8_t *mark)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (i < m)
        mark[i] = first((std::uint32_t)i);
}

} // namespace

int raster_length_of(const shepard_raster &raster, const shepard_frame &frame,
                     const hilbert_curve &along)
{
    const double across = std::fabs(raster.dx) * frame.scale / along.side;
    const double up = std::fabs(raster.dy) * frame.scale / along.side;
    const double bits =
        std::log2(frame.stretch.ratio / raster_targets) - std::log2(across) - std::log2(up);
    return bits > 0 ? (int)std::fmin(bits, no_raster_length) : 0;
}

int diagonal_length_of(double diagonal, const hilbert_curve &along)
{
    double across = along.side, up = along.side;
    int length = 0;
    for (; std::hypot(across, up) > diagonal && length < hilbert_bits; length++)
        (length % 2 == 0 ? across : up) /= 2;
    return length;
}

cells::cells(const points_view &of, cudaStream_t stream) : length_(of.n, stream)
{
    measure<<<blocks_for(of.n, threads), threads, 0, stream>>>(of.key, of.n, length_.get());
    check_launch("dividing the data points into cells");
}

items::items(const cells &division, const points_view &of, const hilbert_curve &along,
             const targets &cut, int raster_length, bool exact, cudaStream_t stream)
    : raster_length_(exact ? no_raster_length : raster_length), length_(cut.view().m, stream),
      first_(cut.view().m, stream), count_(1, stream)
{
    const target_view view = cut.view();
    find_cells<<<blocks_for(view.m, threads), threads, 0, stream>>>(
        of, division.length(), cut.key(), view.rank, view.m, raster_length_, length_.get());
    check_launch("finding the targets' cells");
    const std::uint32_t warps = (view.m - 1) / split_targets + 1;
    if (!exact)
        split_cells<<<blocks_for(32 * (std::size_t)warps, threads), threads, 0, stream>>>(
            {of, along, view, cut.key()}, length_.get());
    check_launch("dividing crowded cells");
    const block<std::uint8_t> mark(view.m, stream);
    mark_items<<<blocks_for(view.m, threads), threads, 0, stream>>>({cut.key(), length_.get()},
                                                                    view.m, mark.get());
    list_marked(mark.get(), view.m, first_.get(), count_.get(), stream,
                "listing the targets' cells");
}

} // namespace shepard
