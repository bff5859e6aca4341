/* SPDX-License-Identifier: MIT */
#include "backend/ref/power.h"

/* ln 2: its first 53 bits and the next. */
static const struct shepard_pair ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};

/* Arguments of Taylor's series are at most ln 2 / 128: terms of degree 13 are below 2^-130. */
#define HALVINGS 6
#define DEGREE 12

static struct shepard_pair pair_of(double a)
{
    return (struct shepard_pair){a, 0};
}

/* Times a power of two. */
static struct shepard_pair scaled(struct shepard_pair a, int exponent)
{
    return (struct shepard_pair){ldexp(a.high, exponent), ldexp(a.low, exponent)};
}

/* e^a - 1 for small a, by Horner's rule: a (1 + a / 2 (1 + a / 3 (...))). */
static struct shepard_pair series(struct shepard_pair a)
{
    struct shepard_pair sum = pair_of(1);
    for (int k = DEGREE; k > 1; k--) {
        const struct shepard_pair part = shepard_pair_over(a, pair_of(k));
        sum = shepard_pair_plus(shepard_pair_times(part, sum), pair_of(1));
    }
    return shepard_pair_times(a, sum);
}

static struct shepard_pair exponential(struct shepard_pair a)
{
    const double whole = rint(a.high / ln2.high);
    if (whole < -1000)
        return pair_of(0);
    const struct shepard_pair rest = shepard_pair_minus(a, shepard_pair_times(pair_of(whole), ln2));
    struct shepard_pair e = series(scaled(rest, -HALVINGS));
    /* (1 + e)^2 = 1 + (2 e + e^2) */
    for (int i = 0; i < HALVINGS; i++)
        e = shepard_pair_plus(scaled(e, 1), shepard_pair_times(e, e));
    return scaled(shepard_pair_plus(pair_of(1), e), (int)whole);
}

/* Newton's step from the logarithm of a double: log m = l + log(m e^-l), the last of 1 + e, e so
 * small that e - e^2 / 2 will do. */
static struct shepard_pair logarithm(struct shepard_pair a)
{
    int exponent;
    const double l = log(frexp(a.high, &exponent));
    const struct shepard_pair m = scaled(a, -exponent);
    const struct shepard_pair ratio = shepard_pair_times(m, exponential(pair_of(-l)));
    const struct shepard_pair e = shepard_pair_minus(ratio, pair_of(1));
    const struct shepard_pair rest = shepard_pair_minus(e, scaled(shepard_pair_times(e, e), -1));
    const struct shepard_pair whole = shepard_pair_times(pair_of(exponent), ln2);
    return shepard_pair_plus(whole, shepard_pair_plus(pair_of(l), rest));
}

struct shepard_pair shepard_pair_power(struct shepard_pair a, double exponent)
{
    return exponential(shepard_pair_times(logarithm(a), pair_of(exponent)));
}

struct shepard_pair shepard_pair_root(struct shepard_pair a)
{
    const double root = sqrt(a.high);
    if (root == 0)
        return pair_of(0);
    const struct shepard_pair rest =
        shepard_pair_minus(a, shepard_pair_times(pair_of(root), pair_of(root)));
    return shepard_pair_joined(root, rest.high / (2 * root));
}
