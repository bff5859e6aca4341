/* SPDX-License-Identifier: MIT */
/* Numbers of twice the precision of a double, as the unevaluated sum of two: each operation is
 * right to about 100 bits (Dekker 1971). */
#ifndef SHEPARD_REF_PAIR_H
#define SHEPARD_REF_PAIR_H

#include <math.h>

struct shepard_pair {
    double high, low; /* low at most half a unit in the last place of high */
};

/* a + b without error, where a is the larger in size. */
static inline struct shepard_pair shepard_pair_joined(double a, double b)
{
    const double sum = a + b;
    return (struct shepard_pair){sum, b - (sum - a)};
}

/* a + b without error. */
static inline struct shepard_pair shepard_pair_of_sum(double a, double b)
{
    const double sum = a + b, added = sum - a;
    return (struct shepard_pair){sum, (a - (sum - added)) + (b - added)};
}

static inline struct shepard_pair shepard_pair_plus(struct shepard_pair a, struct shepard_pair b)
{
    const struct shepard_pair high = shepard_pair_of_sum(a.high, b.high);
    const struct shepard_pair low = shepard_pair_of_sum(a.low, b.low);
    const struct shepard_pair sum = shepard_pair_joined(high.high, high.low + low.high);
    return shepard_pair_joined(sum.high, sum.low + low.low);
}

static inline struct shepard_pair shepard_pair_minus(struct shepard_pair a, struct shepard_pair b)
{
    return shepard_pair_plus(a, (struct shepard_pair){-b.high, -b.low});
}

static inline struct shepard_pair shepard_pair_times(struct shepard_pair a, struct shepard_pair b)
{
    const double high = a.high * b.high, low = fma(a.high, b.high, -high);
    return shepard_pair_joined(high, low + (a.high * b.low + a.low * b.high));
}

static inline struct shepard_pair shepard_pair_over(struct shepard_pair a, struct shepard_pair b)
{
    const double first = a.high / b.high;
    const struct shepard_pair rest =
        shepard_pair_minus(a, shepard_pair_times(b, (struct shepard_pair){first, 0}));
    return shepard_pair_joined(first, rest.high / b.high);
}

#endif
