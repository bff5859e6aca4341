/* SPDX-License-Identifier: MIT */
#include "api/sd_ratio.h"

#include "base/error.h"
#include "base/memory.h"

#include <math.h>

/* Of those that are numbers; NaN where there is none. */
static double mean_square(const double *sds, size_t count)
{
    double sum = 0, n = 0;
    for (size_t i = 0; i < count; i++)
        if (isfinite(sds[i])) {
            sum += sds[i] * sds[i];
            n++;
        }
    return sum / n;
}

/* sds [targets] at the targets, from all data. */
static enum shepard_status predict_targets(const struct shepard_holdout *holdout,
                                           const struct shepard_parameters *parameters, double *sds,
                                           const struct shepard_control *control,
                                           struct shepard_error *error)
{
    const struct shepard_targets targets = shepard_target_sample_list(&holdout->targets);
    const struct shepard_output_array to = shepard_output_doubles(sds);
    const struct shepard_output output = {.size = sizeof output, .sds = &to};
    struct shepard_field *field = NULL;
    enum shepard_status status =
        shepard_holdout_create_field(holdout, holdout->data.z, &field, error);
    if (status == SHEPARD_OK)
        status = shepard_predict(field, parameters, &targets, &output, control, error);
    shepard_field_free(field);
    return status;
}

/* sds: room for the targets, and for what is held out. */
static enum shepard_status compare(struct shepard_holdout *holdout,
                                   const struct shepard_parameters *parameters, double *sds,
                                   double *ratio, const struct shepard_control *control,
                                   struct shepard_error *error)
{
    const struct shepard_validation_result to = {.sds = sds};
    enum shepard_status status = predict_targets(holdout, parameters, sds, control, error);
    const double at_targets = mean_square(sds, holdout->targets.count);
    if (status == SHEPARD_OK)
        status = shepard_holdout_predict(holdout, parameters, &to, control, error);
    const double found = sqrt(at_targets / mean_square(sds, holdout->held_out.count));
    if (status == SHEPARD_OK && isfinite(found) && found > 0)
        *ratio = found;
    return status;
}

enum shepard_status shepard_holdout_find_sd_ratio(struct shepard_holdout *holdout,
                                                  const struct shepard_parameters *parameters,
                                                  const struct shepard_points_options *options,
                                                  double *ratio,
                                                  const struct shepard_control *control,
                                                  struct shepard_error *error)
{
    struct shepard_parameters own = *parameters;
    *ratio = 1;
    if (holdout->held_out.star_radii == NULL)
        return SHEPARD_OK;
    /* What neighbours' values say is left to the errors. */
    own.kriging.sd = SHEPARD_KRIGING_SD_MODEL;
    own.nodata = NAN;
    const size_t most = holdout->targets.count > holdout->held_out.count ? holdout->targets.count
                                                                         : holdout->held_out.count;
    double *sds = shepard_allocate(holdout->allocator_used, most, sizeof *sds);
    if (sds == NULL)
        return shepard_error_set_memory(error, "the standard deviations");
    enum shepard_status status = shepard_holdout_provide_points(holdout, options->anisotropy_ratio,
                                                                options->anisotropy_angle, error);
    if (status == SHEPARD_OK)
        status = compare(holdout, &own, sds, ratio, control, error);
    shepard_release(holdout->allocator_used, sds);
    return status == SHEPARD_ERROR_MEMORY || status == SHEPARD_ERROR_CANCELLED ? status
                                                                               : SHEPARD_OK;
}
