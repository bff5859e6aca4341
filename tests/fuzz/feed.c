/* SPDX-License-Identifier: MIT */
#include "feed.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct feed feed_begin(const uint8_t *bytes, size_t size)
{
    uint64_t seed = 0x9e3779b97f4a7c15u;
    for (size_t i = 0; i < size && i < 4; i++)
        seed = (seed ^ bytes[i]) * 0x100000001b3u;
    return (struct feed){.bytes = bytes, .size = size, .random = seed};
}

uint8_t feed_byte(struct feed *feed)
{
    if (feed->next < feed->size)
        return feed->bytes[feed->next++];
    feed->random = feed->random * 6364136223846793005u + 1442695040888963407u;
    return (uint8_t)(feed->random >> 56);
}

uint64_t feed_number(struct feed *feed, int n)
{
    uint64_t number = 0;
    for (int i = 0; i < n; i++)
        number = number << 8 | feed_byte(feed);
    return number;
}

size_t feed_below(struct feed *feed, size_t limit)
{
    return (size_t)(feed_number(feed, limit > 256 ? 4 : 1) % limit);
}

bool feed_chance(struct feed *feed, unsigned times)
{
    return feed_below(feed, times) == 0;
}

double feed_tame(struct feed *feed)
{
    const unsigned bits = (unsigned)feed_number(feed, 2);
    return bits & 1 ? (double)(bits >> 12) - 8 : (double)bits / 16 - 2048;
}

double feed_wild(struct feed *feed)
{
    static const double special[] = {
        NAN,      INFINITY, -INFINITY,  0.0,         -0.0,         DBL_MAX, -DBL_MAX, DBL_MIN,
        -DBL_MIN, 5e-324,   -5e-324,    1e-310,      DBL_EPSILON,  1e154,   1e155,    -1e160,
        1e-154,   1e-160,   4294967295, 2147483648., 3.402824e+38, 1e300,   1 / 3.,   16777217};
    const unsigned kind = feed_byte(feed);
    if (kind % 4 == 0)
        return special[kind / 4 % (sizeof special / sizeof *special)];
    if (kind % 4 != 1)
        return feed_tame(feed);
    const uint64_t bits = feed_number(feed, 8);
    double any;
    memcpy(&any, &bits, sizeof any);
    return any;
}
