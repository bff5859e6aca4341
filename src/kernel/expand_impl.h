/* SPDX-License-Identifier: MIT */
/* The expansion of one node at a vector of targets (Eq. 26 to 28 of docs/math.md), written once for
 * float32 and double. The file that includes it defines, and this one undefines again: EXPAND_V,
 * EXPAND_S, EXPAND_M vector, its numbers, moments as stored EXPAND_ALL, EXPAND_FMA a vector of one
 * number, a * b + c EXPAND_MOST largest order EXPAND_FACTORS_NAME, EXPAND_POWERS,
 * EXPAND_POWERS_NAME, EXPAND_BASIS, EXPAND_BASIS_NAME, EXPAND_SUM_NAME, EXPAND_PAIR_NAME names of
 * the functions to define */

/* The factors beta_mk without smoothing: a_(m + k) a_k, a_j = (lambda)_j / j!. */
static inline void EXPAND_FACTORS_NAME(int order, EXPAND_V lambda, EXPAND_S *factors)
{
    EXPAND_V a[EXPAND_MOST + 1];
    a[0] = lambda - lambda + 1;
    for (int j = 1; j <= order; j++)
        a[j] = a[j - 1] * (lambda + (EXPAND_S)(j - 1)) / (EXPAND_S)j;
    for (int l = 0; l <= order; l++)
        for (int k = 0; 2 * k <= l; k++) {
            const EXPAND_V made = a[l - k] * a[k];
            memcpy(factors + shepard_terms_factor(l, k) * SHEPARD_LANES, &made, sizeof made);
        }
}

/* Powers of rho (X + iY) / R^2. */
struct EXPAND_POWERS {
    EXPAND_V re[EXPAND_MOST + 1], im[EXPAND_MOST + 1];
};

/* What the terms of all charges share. */
struct EXPAND_BASIS {
    struct EXPAND_POWERS powers;
    EXPAND_V f[SHEPARD_FACTORS(EXPAND_MOST)]; /* beta_mk (rho / R)^2k */
};

static inline __attribute__((always_inline)) void
EXPAND_POWERS_NAME(const int order, EXPAND_V re, EXPAND_V im, struct EXPAND_POWERS *powers)
{
    powers->re[1] = re;
    powers->im[1] = im;
    SHEPARD_UNROLL
    for (int m = 2; m <= order; m++) {
        const int a = m / 2, b = m - a;
        powers->re[m] = EXPAND_FMA(powers->re[a], powers->re[b], -(powers->im[a] * powers->im[b]));
        powers->im[m] = EXPAND_FMA(powers->re[a], powers->im[b], powers->im[a] * powers->re[b]);
    }
}

static inline __attribute__((always_inline)) void EXPAND_BASIS_NAME(const int order, EXPAND_V re,
                                                                    EXPAND_V im, EXPAND_V h,
                                                                    const EXPAND_S *factors,
                                                                    struct EXPAND_BASIS *basis)
{
    EXPAND_V power = h - h + 1;
    EXPAND_POWERS_NAME(order, re, im, &basis->powers);
    SHEPARD_UNROLL
    for (int k = 0; 2 * k <= order; k++) {
        SHEPARD_UNROLL
        for (int l = 2 * k; l <= order; l++) {
            EXPAND_V factor;
            memcpy(&factor, factors + shepard_terms_factor(l, k) * SHEPARD_LANES, sizeof factor);
            basis->f[shepard_terms_factor(l, k)] = k == 0 ? factor : factor * power;
        }
        power *= h;
    }
}

/* The sum over all terms of one charge, small degrees last. */
static inline __attribute__((always_inline)) EXPAND_V
EXPAND_SUM_NAME(const int order, const struct EXPAND_BASIS *basis, const EXPAND_M *moments)
{
    EXPAND_V sum = basis->f[0] - basis->f[0];
    SHEPARD_UNROLL
    for (int m = order; m >= 0; m--) {
        EXPAND_V re = basis->f[0] - basis->f[0], im = re;
        SHEPARD_UNROLL
        for (int k = (order - m) / 2; k >= 0; k--) {
            const EXPAND_V f = basis->f[shepard_terms_factor(m + 2 * k, k)];
            const int at = shepard_terms_at(m + 2 * k, k);
            re = EXPAND_FMA(f, EXPAND_ALL((EXPAND_S)moments[at]), re);
            if (m > 0)
                im = EXPAND_FMA(f, EXPAND_ALL((EXPAND_S)moments[at + 1]), im);
        }
        sum += m > 0 ? EXPAND_FMA(basis->powers.re[m], re, basis->powers.im[m] * im) : re;
    }
    return sum;
}

/* The same of two charges at once. */
static inline __attribute__((always_inline)) void
EXPAND_PAIR_NAME(const int order, const struct EXPAND_BASIS *basis, const EXPAND_M *first,
                 const EXPAND_M *second, EXPAND_V sums[2])
{
    EXPAND_V sum0 = basis->f[0] - basis->f[0], sum1 = sum0;
    SHEPARD_UNROLL
    for (int m = order; m >= 0; m--) {
        EXPAND_V re0 = basis->f[0] - basis->f[0], im0 = re0, re1 = re0, im1 = re0;
        SHEPARD_UNROLL
        for (int k = (order - m) / 2; k >= 0; k--) {
            const EXPAND_V f = basis->f[shepard_terms_factor(m + 2 * k, k)];
            const int at = shepard_terms_at(m + 2 * k, k);
            re0 = EXPAND_FMA(f, EXPAND_ALL((EXPAND_S)first[at]), re0);
            re1 = EXPAND_FMA(f, EXPAND_ALL((EXPAND_S)second[at]), re1);
            if (m > 0) {
                im0 = EXPAND_FMA(f, EXPAND_ALL((EXPAND_S)first[at + 1]), im0);
                im1 = EXPAND_FMA(f, EXPAND_ALL((EXPAND_S)second[at + 1]), im1);
            }
        }
        sum0 += m > 0 ? EXPAND_FMA(basis->powers.re[m], re0, basis->powers.im[m] * im0) : re0;
        sum1 += m > 0 ? EXPAND_FMA(basis->powers.re[m], re1, basis->powers.im[m] * im1) : re1;
    }
    sums[0] = sum0;
    sums[1] = sum1;
}

#undef EXPAND_V
#undef EXPAND_S
#undef EXPAND_M
#undef EXPAND_ALL
#undef EXPAND_FMA
#undef EXPAND_MOST
#undef EXPAND_FACTORS_NAME
#undef EXPAND_POWERS
#undef EXPAND_BASIS
#undef EXPAND_BASIS_NAME
#undef EXPAND_SUM_NAME
#undef EXPAND_PAIR_NAME
#undef EXPAND_POWERS_NAME
