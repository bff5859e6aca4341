/* SPDX-License-Identifier: MIT */
/* Places along a Hilbert curve that fills a square round the data: a key of 31 digits, each of
 * which tells one quarter of the square before. Its first 2 d bits name a square, one of 4^d; one
 * bit more names a half of it, two of its quarters side by side. */
#ifndef SHEPARD_BACKEND_CUDA_CURVE_CUH
#define SHEPARD_BACKEND_CUDA_CURVE_CUH

#include "backend/cuda/cloud.cuh"

#include <cstdint>

namespace shepard
{

constexpr int curve_digits = 31;
constexpr int curve_bits = 2 * curve_digits;
constexpr std::uint32_t curve_last = (1u << curve_digits) - 1;
/* Behind every key. */
constexpr std::uint64_t curve_end = UINT64_MAX;

struct curve {
    double x, y;  /* corner of the square */
    double side;  /* of the square, a power of two */
    double units; /* 2^curve_digits / side */
};

/* Numbers of a place's least square; outside, those of a square at the border. */
struct curve_place {
    std::uint32_t column, row;
};

__device__ __forceinline__ std::uint32_t curve_number(double offset, double units)
{
    const double number = offset * units;
    return number >= (double)curve_last ? curve_last : (std::uint32_t)(number > 0.0 ? number : 0.0);
}

__device__ __forceinline__ curve_place curve_place_of(const curve &on, double x, double y)
{
    return {curve_number(x - on.x, on.units), curve_number(y - on.y, on.units)};
}

__device__ __forceinline__ bool curve_holds(const curve &on, double x, double y)
{
    const double column = (x - on.x) * on.units, row = (y - on.y) * on.units;
    return column >= 0 && column <= (double)curve_last && row >= 0 && row <= (double)curve_last;
}

/* Walks down the quarters: each step takes one bit of column and row, and turns the rest into the
 * frame of the quarter (a swap, after a mirror in the fourth). */
__device__ __forceinline__ std::uint64_t curve_key(curve_place place)
{
    std::uint32_t x = place.column, y = place.row;
    std::uint64_t key = 0;
    for (int bit = curve_digits - 1; bit >= 0; bit--) {
        const std::uint32_t rx = (x >> bit) & 1, ry = (y >> bit) & 1;
        const std::uint32_t mirror = 0u - (rx & (ry ^ 1)), swap = ry - 1;
        const std::uint32_t across = x ^ mirror, up = y ^ mirror;
        const std::uint32_t difference = (across ^ up) & swap;
        key = (key << 2) | ((rx << 1) ^ rx ^ ry);
        x = across ^ difference;
        y = up ^ difference;
    }
    return key;
}

/* How many first bits two keys share. */
__device__ __forceinline__ int curve_common(std::uint64_t a, std::uint64_t b)
{
    const int zeros = __clzll((long long)(a ^ b)) - (64 - curve_bits);
    return zeros < curve_bits ? zeros : curve_bits;
}

/* How many of n rising keys are below one. */
__device__ inline std::uint32_t curve_rank(const std::uint64_t *keys, std::uint32_t n,
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
struct curve_cell {
    std::uint32_t column, row; /* the first of them */
    int x_bits, y_bits;
};

/* place: of the key. */
__device__ inline curve_cell curve_cell_of(curve_place place, std::uint64_t key, int length)
{
    const int depth = length / 2;
    const bool half = length % 2 != 0;
    /* Digits 0 and 3 swap the axes of what is inside; unswapped, halves lie side by side along x.
     */
    const std::uint64_t unequal = (key ^ (key >> 1)) & 0x5555555555555555u;
    const int turned =
        depth == 0 ? 0 : depth - __popcll((long long)(unequal >> (curve_bits - 2 * depth)));
    const bool along_x = half && turned % 2 == 0, along_y = half && !along_x;
    const int x_bits = curve_digits - depth - along_x, y_bits = curve_digits - depth - along_y;
    return {place.column >> x_bits << x_bits, place.row >> y_bits << y_bits, x_bits, y_bits};
}

/* Its rectangle, a little more for the rounding of coordinates. */
__device__ inline box curve_region(const curve &on, curve_place place, std::uint64_t key,
                                   int length)
{
    const curve_cell cell = curve_cell_of(place, key, length);
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
