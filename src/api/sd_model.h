/* SPDX-License-Identifier: MIT */
/* Standard deviations in predictions by methods that have none of their own, from models of the
 * caller. */
#ifndef SHEPARD_API_SD_MODEL_H
#define SHEPARD_API_SD_MODEL_H

#include "api/field.h"

/* Whether an output that has sds says what they are made from, and lies where they can be. */
enum shepard_status shepard_sd_models_check(const struct shepard_output *output,
                                            struct shepard_error *error);

/* Copies the models of the columns whose sds a resolved output wants into own [columns]. */
enum shepard_status shepard_sd_models_take(const struct shepard_output *output, size_t columns,
                                           struct shepard_sd_model *own,
                                           struct shepard_error *error);

/* One prediction of a group of columns. */
struct shepard_sd_pass {
    const struct shepard_output *wanted; /* resolved, of the group's columns; has sds */
    const struct shepard_field_group *group;
    const struct shepard_sd_model *models; /* of the field's columns */
    size_t targets;
    const struct shepard_allocator *allocator;

    /* What the backend is asked for instead: no sds, but nearest and deviations. Where a target has
     * no prediction they are to be NaN. */
    struct shepard_output asked;
    double *numbers;                         /* room for those that the caller does not want */
    struct shepard_output_array *deviations; /* [columns of the group] */
};

/* Makes what is asked for. */
enum shepard_status shepard_sd_pass_begin(struct shepard_sd_pass *pass,
                                          struct shepard_error *error);

/* Writes the sds. */
void shepard_sd_pass_finish(struct shepard_sd_pass *pass, int threads);

/* Frees what shepard_sd_pass_begin has made, on failure too. */
void shepard_sd_pass_end(struct shepard_sd_pass *pass);

#endif
