/* SPDX-License-Identifier: MIT */
#include "curve_key.h"

#include <math.h>
#include <string.h>

enum { BITS = SHEPARD_CURVE_KEY_BITS / 2 };

/* Keys computed at once; the compiler vectorizes the loop. */
enum { LANES = 16 };

struct key_lanes {
    uint32_t x[LANES], y[LANES], high[LANES], low[LANES];
};

struct shepard_curve_square shepard_curve_square_of(double x_min, double x_max, double y_min,
                                                    double y_max, double times)
{
    const double size = times * fmax(x_max - x_min, y_max - y_min);
    return (struct shepard_curve_square){.x = (x_min + x_max) / 2 - size / 2,
                                         .y = (y_min + y_max) / 2 - size / 2,
                                         .scale = size > 0 ? (1 << BITS) / size : 0};
}

static uint32_t cell_of(double offset, double scale)
{
    const double last = (1 << BITS) - 1, cell = offset * scale;
    return cell > 0 ? (uint32_t)(cell < last ? cell : last) : 0;
}

/* As src/core/hilbert.c: each step takes one bit of x and y, and turns the rest into the frame of
 * the quadrant (a swap, after a mirror in the fourth). */
static inline void descend(uint32_t *x, uint32_t *y, uint32_t *key, int bit)
{
    const uint32_t rx = (*x >> bit) & 1, ry = (*y >> bit) & 1;
    const uint32_t mirror = -(rx & (ry ^ 1)), swap = ry - 1;
    const uint32_t across = *x ^ mirror, up = *y ^ mirror;
    const uint32_t difference = (across ^ up) & swap;
    *key = (*key << 2) | ((rx << 1) ^ rx ^ ry);
    *x = across ^ difference;
    *y = up ^ difference;
}

static void find_keys(struct key_lanes *lanes)
{
    memset(lanes->high, 0, sizeof lanes->high);
    memset(lanes->low, 0, sizeof lanes->low);
    for (int bit = BITS - 1; bit >= BITS / 2; bit--)
        for (int i = 0; i < LANES; i++)
            descend(&lanes->x[i], &lanes->y[i], &lanes->high[i], bit);
    for (int bit = BITS / 2 - 1; bit >= 0; bit--)
        for (int i = 0; i < LANES; i++)
            descend(&lanes->x[i], &lanes->y[i], &lanes->low[i], bit);
}

static double at(const double *numbers, size_t stride, size_t i)
{
    return *(const double *)(const void *)((const char *)numbers + i * stride);
}

void shepard_curve_keys(const struct shepard_curve_square *square, const double *x, const double *y,
                        size_t stride, size_t count, uint64_t *key)
{
    struct key_lanes lanes = {.x = {0}};
    for (size_t first = 0; first < count; first += LANES) {
        const size_t some = count - first < LANES ? count - first : LANES;
        for (size_t i = 0; i < some; i++) {
            lanes.x[i] = cell_of(at(x, stride, first + i) - square->x, square->scale);
            lanes.y[i] = cell_of(at(y, stride, first + i) - square->y, square->scale);
        }
        find_keys(&lanes);
        for (size_t i = 0; i < some; i++)
            key[first + i] = (uint64_t)lanes.high[i] << BITS | lanes.low[i];
    }
}
