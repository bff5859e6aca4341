/* SPDX-License-Identifier: MIT */
#include "curve_key.h"

#include <math.h>
#include <stdbool.h>

enum { BITS = SHEPARD_CURVE_KEY_BITS / 2, STRIDE = SHEPARD_CURVE_STRIDE };

/* As src/core/hilbert_key.c: each step takes one bit of x and y, and turns the rest into the frame
 * of the quadrant (a swap, after a mirror in the fourth). */
static void descend(uint32_t *x, uint32_t *y, uint32_t *key, int bit)
{
    const uint32_t rx = (*x >> bit) & 1, ry = (*y >> bit) & 1;
    const uint32_t mirror = -(rx & (ry ^ 1)), swap = ry - 1;
    const uint32_t across = *x ^ mirror, up = *y ^ mirror;
    const uint32_t difference = (across ^ up) & swap;
    *key = (*key << 2) | ((rx << 1) ^ rx ^ ry);
    *x = across ^ difference;
    *y = up ^ difference;
}

/* Two bits behind those of the step show how it turns what follows. */
static uint16_t after_step(uint32_t turn, uint32_t step)
{
    const uint32_t mirror = turn & 2 ? UINT32_MAX : 0;
    const uint32_t across = (step >> STRIDE << 2) ^ mirror, up = (step << 2 | 1) ^ mirror;
    const bool swapped = turn == 1 || turn == 2;
    uint32_t x = swapped ? up : across, y = swapped ? across : up, key = 0;
    for (int bit = STRIDE + 1; bit >= 2; bit--)
        descend(&x, &y, &key, bit);
    return (uint16_t)(key << 2 | (x & 3));
}

void shepard_curve_make(struct shepard_curve *curve, const double x[2], const double y[2],
                        double times)
{
    const double size = times * fmax(x[1] - x[0], y[1] - y[0]);
    curve->x = (x[0] + x[1]) / 2 - size / 2;
    curve->y = (y[0] + y[1]) / 2 - size / 2;
    curve->scale = size > 0 ? (1 << BITS) / size : 0;
    for (uint32_t turn = 0; turn < 4; turn++)
        for (uint32_t step = 0; step < SHEPARD_CURVE_STEPS; step++)
            curve->after[turn][step] = after_step(turn, step);
}

static uint32_t cell_of(double offset, double scale)
{
    const double last = (1 << BITS) - 1, cell = offset * scale;
    return cell > 0 ? (uint32_t)(int32_t)(cell < last ? cell : last) : 0;
}

static uint64_t key_of(const struct shepard_curve *curve, uint32_t x, uint32_t y)
{
    const uint32_t mask = (1u << STRIDE) - 1;
    uint64_t key = 0;
    uint32_t turn = 0;
    for (int bit = BITS - STRIDE; bit >= 0; bit -= STRIDE) {
        const uint32_t step = ((x >> bit) & mask) << STRIDE | ((y >> bit) & mask);
        const uint32_t after = curve->after[turn][step];
        key = key << 2 * STRIDE | after >> 2;
        turn = after & 3;
    }
    return key;
}

static double at(const double *numbers, size_t stride, size_t i)
{
    return *(const double *)(const void *)((const char *)numbers + i * stride);
}

void shepard_curve_keys(const struct shepard_curve *curve, const double *x, const double *y,
                        size_t stride, size_t count, uint64_t *key)
{
    for (size_t i = 0; i < count; i++)
        key[i] = key_of(curve, cell_of(at(x, stride, i) - curve->x, curve->scale),
                        cell_of(at(y, stride, i) - curve->y, curve->scale));
}
