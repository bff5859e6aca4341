/* SPDX-License-Identifier: MIT */
/* cos(pi a), 0 <= a <= 1, with the same bits in plain C and in vectors. */
#ifndef SHEPARD_KERNEL_COSINE_H
#define SHEPARD_KERNEL_COSINE_H

#include <stddef.h>

/* sin(pi t) / t in powers of t^2, Taylor's series; for |t| <= 1/2 what follows is below 2e-18. */
#define SHEPARD_COSINE_TERMS                                                                       \
    5.392664662608129e-10, -2.2948428997269873e-08, 7.952054001475513e-07,                         \
        -2.1915353447830217e-05, 0.00046630280576761255, -0.0073704309457143504,                   \
        0.08214588661112823, -0.5992645293207921, 2.5501640398773455, -5.16771278004997,           \
        3.141592653589793

static inline double shepard_cosine(double a)
{
    static const double terms[] = {SHEPARD_COSINE_TERMS};
    const double t = 0.5 - a, square = t * t;
    double p = terms[0];
    for (size_t i = 1; i < sizeof terms / sizeof *terms; i++)
        p = p * square + terms[i];
    return t * p;
}

#endif
