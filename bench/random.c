/* SPDX-License-Identifier: MIT */
#include "random.h"

#include <math.h>

static const double two_pi = 6.283185307179586476925286766559;

uint64_t shepard_random_bits(struct shepard_random *random)
{
    random->state += 0x9e3779b97f4a7c15u;
    uint64_t bits = random->state;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return bits ^ (bits >> 31);
}

double shepard_random_uniform(struct shepard_random *random)
{
    return (double)(shepard_random_bits(random) >> 11) * 0x1p-53;
}

double shepard_random_normal(struct shepard_random *random)
{
    const double radius = sqrt(-2.0 * log(1.0 - shepard_random_uniform(random)));
    return radius * cos(two_pi * shepard_random_uniform(random));
}

double shepard_random_magnitude(struct shepard_random *random, double low, double high)
{
    return low * pow(high / low, shepard_random_uniform(random));
}
