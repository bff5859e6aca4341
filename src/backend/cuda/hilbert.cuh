/* SPDX-License-Identifier: MIT */
/* Places along a Hilbert curve that fills a square round the data: a key of 31 digits, each of
 * which tells one quarter of the square before. Its first 2 d bits name a square, one of 4^d; one
 * bit more names a half of it, two of its quarters side by side. Mirrors core/hilbert.h. */
#ifndef SHEPARD_BACKEND_CUDA_HILBERT_CUH
#define SHEPARD_BACKEND_CUDA_HILBERT_CUH

#include "backend/cuda/points_view.cuh"

#include <cstdint>

namespace shepard
{

constexpr int hilbert_digits = 31;
constexpr int hilbert_bits = 2 * hilbert_digits;
constexpr std::uint32_t hilbert_last = (1u << hilbert_digits) - 1;
/* Behind every key. */
constexpr std::uint64_t hilbert_end = UINT64_MAX;

struct hilbert_curve {
    double x, y;  /* corner of the square */
    double side;  /* of the square, a power of two */
    double units; /* 2^hilbert_digits / side */
    bool crowded; /* a least square holds more points than a leaf: order within such counts, too */
};

/* Numbers of a place's least square; outside, those of a square at the border. */
struct hilbert_place {
    std::uint32_t column, row;
};

__device__ __forceinline__ std::uint32_t hilbert_number(double offset, double units)
{
    const double number = offset * units;
    return number >= (double)hilbert_last ? hilbert_last
                                          : (std::uint32_t)(number > 0.0 ? number : 0.0);
}

__device__ __forceinline__ hilbert_place hilbert_place_of(const hilbert_curve &on, double x,
                                                          double y)
{
    return {hilbert_number(x - on.x, on.units), hilbert_number(y - on.y, on.units)};
}

/* The same within the place's least square, whose quarters are cut as those of the whole are. */
__device__ __forceinline__ hilbert_place hilbert_place_within(const hilbert_curve &on, double x,
                                                              double y)
{
    const double column = (x - on.x) * on.units, row = (y - on.y) * on.units;
    constexpr double digits = (double)(1u << hilbert_digits);
    return {hilbert_number(column - floor(column), digits),
            hilbert_number(row - floor(row), digits)};
}

__device__ __forceinline__ bool hilbert_holds(const hilbert_curve &on, double x, double y)
{
    const double column = (x - on.x) * on.units, row = (y - on.y) * on.units;
    return column >= 0 && column <= (double)hilbert_last && row >= 0 && row <= (double)hilbert_last;
}

/* What digits do to those below: whether axes are swapped, and whether both bits are mirrored, each
 * as a bit of these words. A linear map of numbers modulo 2: swapped' = a swapped + b mirrored + u,
 * mirrored' = c swapped + d mirrored + v. */
struct hilbert_turns {
    std::uint32_t a, b, c, d, u, v;
};

/* Those of each digit alone. With x' and y', its bits as turned from above: axes are swapped where
 * y' = 0, and bits mirrored where x' = 1 besides. */
__device__ __forceinline__ hilbert_turns hilbert_turns_of(std::uint32_t x, std::uint32_t y)
{
    const std::uint32_t differ = x ^ y;
    return {~differ, ~0u, differ, ~differ, ~y & hilbert_last, x & differ};
}

/* Each bit's turns after those that stand `step` bits above. What comes in from above the first
 * digit turns nothing: its u and v are 0, and the first digit is not turned. */
__device__ __forceinline__ hilbert_turns hilbert_join(const hilbert_turns &of, int step)
{
    const hilbert_turns above = {of.a >> step, of.b >> step, of.c >> step,
                                 of.d >> step, of.u >> step, of.v >> step};
    return {(of.a & above.a) ^ (of.b & above.c),        (of.a & above.b) ^ (of.b & above.d),
            (of.c & above.a) ^ (of.d & above.c),        (of.c & above.b) ^ (of.d & above.d),
            of.u ^ (of.a & above.u) ^ (of.b & above.v), of.v ^ (of.c & above.u) ^ (of.d & above.v)};
}

/* The bits of a number at the even places of a larger one. */
__device__ __forceinline__ std::uint64_t hilbert_spread(std::uint32_t bits)
{
    std::uint64_t spread = bits;
    spread = (spread | (spread << 16)) & 0x0000ffff0000ffffu;
    spread = (spread | (spread << 8)) & 0x00ff00ff00ff00ffu;
    spread = (spread | (spread << 4)) & 0x0f0f0f0f0f0f0f0fu;
    spread = (spread | (spread << 2)) & 0x3333333333333333u;
    return (spread | (spread << 1)) & 0x5555555555555555u;
}

/* All digits at once: each one's turns are joined with those above by doubling steps. The first bit
 * of a digit is x', the second x' + y' modulo 2, which no turn changes. */
__device__ __forceinline__ std::uint64_t hilbert_key(hilbert_place place)
{
    const std::uint32_t x = place.column, y = place.row;
    hilbert_turns turns = hilbert_turns_of(x, y);
#pragma unroll
    for (int step = 1; step < hilbert_digits; step *= 2)
        turns = hilbert_join(turns, step);
    const std::uint32_t swapped = turns.u >> 1, mirrored = turns.v >> 1;
    const std::uint32_t first = ((swapped & y) | (~swapped & x)) ^ mirrored;
    return (hilbert_spread(first) << 1) | hilbert_spread(x ^ y);
}

/* How many first bits two keys share. */
__device__ __forceinline__ int hilbert_common(std::uint64_t a, std::uint64_t b)
{
    const int zeros = __clzll((long long)(a ^ b)) - (64 - hilbert_bits);
    return zeros < hilbert_bits ? zeros : hilbert_bits;
}

/* How many of n rising keys are below one. */
__device__ inline std::uint32_t hilbert_rank(const std::uint64_t *keys, std::uint32_t n,
                                             std::uint64_t key)
{
    std::uint32_t low = 0, high = n;
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* What the first `length` bits of a key name: 2^x_bits by 2^y_bits least squares. */
struct hilbert_cell {
    std::uint32_t column, row; /* the first of them */
    int x_bits, y_bits;
};

/* place: of the key. */
__device__ inline hilbert_cell hilbert_cell_of(hilbert_place place, std::uint64_t key, int length)
{
    const int depth = length / 2;
    const bool half = length % 2 != 0;
    /* Digits 0 and 3 swap the axes of what is inside; unswapped, halves lie side by side along x.
     */
    const std::uint64_t unequal = (key ^ (key >> 1)) & 0x5555555555555555u;
    const int turned =
        depth == 0 ? 0 : depth - __popcll((long long)(unequal >> (hilbert_bits - 2 * depth)));
    const bool along_x = half && turned % 2 == 0, along_y = half && !along_x;
    const int x_bits = hilbert_digits - depth - along_x, y_bits = hilbert_digits - depth - along_y;
    return {place.column >> x_bits << x_bits, place.row >> y_bits << y_bits, x_bits, y_bits};
}

/* Its rectangle, a little more for the rounding of coordinates. */
__device__ inline box hilbert_region(const hilbert_curve &on, hilbert_place place,
                                     std::uint64_t key, int length)
{
    const hilbert_cell cell = hilbert_cell_of(place, key, length);
    const double x = (double)cell.column, dx = (double)(1u << cell.x_bits);
    const double y = (double)cell.row, dy = (double)(1u << cell.y_bits);
    const double unit = 1 / on.units;
    const double x_pad = (fabs(on.x) + on.side) * 0x1p-50;
    const double y_pad = (fabs(on.y) + on.side) * 0x1p-50;
    return {on.x + x * unit - x_pad, on.x + (x + dx) * unit + x_pad, on.y + y * unit - y_pad,
            on.y + (y + dy) * unit + y_pad};
}

} // namespace shepard

#endif
