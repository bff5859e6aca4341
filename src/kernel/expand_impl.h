/* SPDX-License-Identifier: MIT */
/* The expansion of one node at a vector of targets (Eq. 26 to 28 of docs/math.md), written once for
 * float32 and double. The file that includes it defines, and this one undefines again: EXPAND_V,
 * EXPAND_S, EXPAND_M vector, its numbers, moments as stored; EXPAND_ALL, EXPAND_FMA a vector of one
 * number, a * b + c; EXPAND_MOST largest order; EXPAND_BASIS a struct with what the terms of all
 * charges share, of which re, im are rho (X + iY) / R^2; EXPAND_FACTOR(basis, way, degree, k)
 * the factor beta_mk (rho / R)^2k, m + 2k = degree, made in one of the ways of the type EXPAND_WAY;
 * EXPAND_FACTORS_NAME, EXPAND_SUM_NAME, EXPAND_PAIR_NAME names of the functions to define */

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

/* The sum over all terms of one charge, small degrees last: by Horner's rule over the powers of
 * re + i im. */
static inline __attribute__((always_inline)) EXPAND_V
EXPAND_SUM_NAME(const int order, const struct EXPAND_BASIS *basis, const EXPAND_WAY way,
                const EXPAND_M *moments)
{
    const EXPAND_V re = basis->re, im = basis->im;
    EXPAND_V x = {0}, y = {0};
    SHEPARD_UNROLL
    for (int m = order; m >= 0; m--) {
        EXPAND_V a = {0}, b = {0};
        SHEPARD_UNROLL
        for (int k = (order - m) / 2; k >= 0; k--) {
            const EXPAND_V f = EXPAND_FACTOR(basis, way, m + 2 * k, k);
            const int at = shepard_terms_at(m + 2 * k, k);
            a = EXPAND_FMA(f, EXPAND_ALL((EXPAND_S)moments[at]), a);
            if (m > 0)
                b = EXPAND_FMA(f, EXPAND_ALL((EXPAND_S)moments[at + 1]), b);
        }
        const EXPAND_V next = EXPAND_FMA(x, re, EXPAND_FMA(y, im, a));
        y = EXPAND_FMA(y, re, EXPAND_FMA(-x, im, b));
        x = next;
    }
    return x;
}

/* The same of two charges at once. */
static inline __attribute__((always_inline)) void
EXPAND_PAIR_NAME(const int order, const struct EXPAND_BASIS *basis, const EXPAND_WAY way,
                 const EXPAND_M *first, const EXPAND_M *second, EXPAND_V sums[2])
{
    const EXPAND_V re = basis->re, im = basis->im;
    EXPAND_V x0 = {0}, y0 = {0}, x1 = {0}, y1 = {0};
    SHEPARD_UNROLL
    for (int m = order; m >= 0; m--) {
        EXPAND_V a0 = {0}, b0 = {0}, a1 = {0}, b1 = {0};
        SHEPARD_UNROLL
        for (int k = (order - m) / 2; k >= 0; k--) {
            const EXPAND_V f = EXPAND_FACTOR(basis, way, m + 2 * k, k);
            const int at = shepard_terms_at(m + 2 * k, k);
            a0 = EXPAND_FMA(f, EXPAND_ALL((EXPAND_S)first[at]), a0);
            a1 = EXPAND_FMA(f, EXPAND_ALL((EXPAND_S)second[at]), a1);
            if (m > 0) {
                b0 = EXPAND_FMA(f, EXPAND_ALL((EXPAND_S)first[at + 1]), b0);
                b1 = EXPAND_FMA(f, EXPAND_ALL((EXPAND_S)second[at + 1]), b1);
            }
        }
        const EXPAND_V next0 = EXPAND_FMA(x0, re, EXPAND_FMA(y0, im, a0));
        const EXPAND_V next1 = EXPAND_FMA(x1, re, EXPAND_FMA(y1, im, a1));
        y0 = EXPAND_FMA(y0, re, EXPAND_FMA(-x0, im, b0));
        y1 = EXPAND_FMA(y1, re, EXPAND_FMA(-x1, im, b1));
        x0 = next0;
        x1 = next1;
    }
    sums[0] = x0;
    sums[1] = x1;
}

#undef EXPAND_V
#undef EXPAND_S
#undef EXPAND_M
#undef EXPAND_ALL
#undef EXPAND_FMA
#undef EXPAND_MOST
#undef EXPAND_FACTORS_NAME
#undef EXPAND_BASIS
#undef EXPAND_WAY
#undef EXPAND_FACTOR
#undef EXPAND_SUM_NAME
#undef EXPAND_PAIR_NAME
