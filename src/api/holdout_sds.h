/* SPDX-License-Identifier: MIT */
/* Standard deviations of held-out predictions by methods that have none of their own. */
#ifndef SHEPARD_API_HOLDOUT_SDS_H
#define SHEPARD_API_HOLDOUT_SDS_H

#include "api/holdout_parts.h"

/* Writes of->sds, all of the arrays being [m]: to each prediction that of a model fitted to
 * residuals of other parts of the data (docs/math/standard-deviation.md, cross-fitting). NaN where
 * the data are of one part. */
enum shepard_status shepard_holdout_fit_sds(struct shepard_holdout *holdout,
                                            const struct shepard_validation_result *of,
                                            struct shepard_error *error);

#endif
