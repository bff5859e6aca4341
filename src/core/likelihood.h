/* SPDX-License-Identifier: MIT */
/* Vecchia's approximate likelihood of a covariance; mean, sill and the coefficients of covariates
 * are profiled out (Eq. 63 to 67, 75). */
#ifndef SHEPARD_CORE_LIKELIHOOD_H
#define SHEPARD_CORE_LIKELIHOOD_H

#include "core/gls.h"

struct shepard_likelihood {
    const struct shepard_vecchia *sets;
    const struct shepard_kernels *kernels;
    int threads;
    struct shepard_conditionals *conditionals; /* [sets->groups] of the last covariance */
    struct shepard_gls
        gls; /* of sets with covariates, and the coefficients of the last covariance */
};

/* What need not be found; NaN: it is profiled out. */
struct shepard_likelihood_known {
    double mean, sill;
};

/* Of a covariance; sill is that without nugget. */
struct shepard_likelihood_value {
    double deviance; /* -2 log likelihood over the number of data, less a constant */
    double mean, sill;
    size_t told; /* covariates: as struct shepard_gls_value */
};

/* Allocates scratch; sets must outlive the likelihood. */
enum shepard_status shepard_likelihood_create(const struct shepard_vecchia *sets,
                                              const struct shepard_kernels *kernels, int threads,
                                              struct shepard_likelihood *likelihood,
                                              struct shepard_error *error);

void shepard_likelihood_free(struct shepard_likelihood *likelihood);

/* Does not depend on the number of threads. */
struct shepard_likelihood_value
shepard_likelihood_evaluate(const struct shepard_likelihood *likelihood,
                            const struct shepard_covariance_shape *shape,
                            const struct shepard_likelihood_known *known);

#endif
