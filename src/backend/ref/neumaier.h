/* SPDX-License-Identifier: MIT */
/* Sums with a running compensation (Neumaier 1974): as if summed in twice the precision. */
#ifndef SHEPARD_REF_NEUMAIER_H
#define SHEPARD_REF_NEUMAIER_H

#include <math.h>

struct shepard_neumaier {
    double sum, lost;
};

static inline void shepard_neumaier_add(struct shepard_neumaier *a, double term)
{
    const double sum = a->sum + term;
    a->lost += fabs(a->sum) >= fabs(term) ? (a->sum - sum) + term : (term - sum) + a->sum;
    a->sum = sum;
}

static inline double shepard_neumaier_total(const struct shepard_neumaier *a)
{
    return a->sum + a->lost;
}

#endif
