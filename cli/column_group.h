/* SPDX-License-Identifier: MIT */
/**
 * Surfaces: value columns of one layer, as one field on the points of the layer. With diagnostics
 * that depend on which points have values, columns with other gaps are a surface of their own; each
 * column is one where parameters are fitted to it.
 */
#ifndef SHEPARD_CLI_COLUMN_GROUP_H
#define SHEPARD_CLI_COLUMN_GROUP_H

#include "column_trend.h"
#include "input.h"
#include "job.h"

struct shepard_column_group {
    size_t layer;
    size_t columns;
    size_t *column;                       /**< [columns] numbers in the layer */
    struct shepard_parameters parameters; /**< as asked for, or fitted: of the library's methods */
    struct shepard_points_options options;
    bool fitted;
    struct shepard_fit_info fit;
    struct shepard_points *own;     /**< points of fitted parameters; NULL: those of the layer */
    struct shepard_field *field;    /**< of the methods that the library computes */
    struct shepard_gdal_grid *grid; /**< of GDAL's methods: one column */
    struct shepard_column_trend trend;
    struct shepard_sd_model *sd_models; /**< [columns] of shepard_sd_fit; NULL: not needed */
};

/** Values of column c that a surface interpolates: those of the layer, or what its trend leaves. */
struct shepard_array shepard_column_group_values(const struct shepard_column_group *surface,
                                                 const struct shepard_point_set *points, size_t c);

/** True where point i has a value in a column, and a weight that counts. */
bool shepard_column_is_used(const struct shepard_point_set *points, size_t column, size_t i);

struct shepard_column_groups {
    struct shepard_column_group *items;
    size_t count;
    struct shepard_points **points; /**< [layers] what fields stand on; NULL for GDAL's methods */
    size_t layers;
    const struct shepard_covariate_list *covariates; /**< of all trends, borrowed */
};

/** Groups the columns and prepares each group for predictions; false on an error, said. covariates
 * have been read. */
bool shepard_column_groups_build(struct shepard_column_groups *surfaces,
                                 const struct shepard_input *input,
                                 const struct shepard_covariate_list *covariates,
                                 struct shepard_job *job);

/** Makes what predictions need, or finds what is wrong with parameters, before any output is begun.
 * control: NULL, or what watches it. */
enum shepard_status shepard_column_group_prepare(const struct shepard_column_group *surface,
                                                 const struct shepard_control *control,
                                                 const struct shepard_job *job,
                                                 struct shepard_error *error);

/** A column of the layers that were read. */
struct shepard_column_place {
    size_t layer, column;
};

/** Fits what an algorithm leaves open to a column, and the trend on the covariates where there are
 * any. *surface, which has no field, is freed by the caller in any case. False on an error, said.
 */
bool shepard_column_group_fit(struct shepard_column_group *surface,
                              const struct shepard_algorithm *algorithm,
                              const struct shepard_input *input,
                              const struct shepard_column_place *place,
                              const struct shepard_covariate_list *covariates,
                              struct shepard_job *job);

/** What its field stands on. */
const struct shepard_points *
shepard_column_group_points(const struct shepard_column_groups *surfaces,
                            const struct shepard_column_group *surface);

/** Appends the parameters of a surface to *text as -a takes them, nodata as asked for; false when
 * out of memory, said. */
bool shepard_column_group_text(const struct shepard_column_group *surface,
                               const struct shepard_job *job, char **text);

/** Prints what was fitted, a line each. */
void shepard_column_groups_print(const struct shepard_column_groups *surfaces,
                                 const struct shepard_input *input, const struct shepard_job *job);

void shepard_column_group_free(struct shepard_column_group *surface);

void shepard_column_groups_free(struct shepard_column_groups *surfaces);

/** Adds trends to the results at count targets, each in its buffer; at: their covariates. What a
 * target without one has of each column becomes NaN. How many targets that are. */
size_t shepard_column_groups_add_trends(const struct shepard_column_groups *surfaces,
                                        const struct shepard_results *results,
                                        const double *const *at, size_t count,
                                        double *const *buffers);

/** Prints a line for each trend that was fitted. */
void shepard_column_groups_print_trends(const struct shepard_column_groups *surfaces,
                                        const struct shepard_input *input);

/** Predicts at targets; buffers as in shepard_results_output. GDAL's methods take windows only. */
bool shepard_column_group_predict(const struct shepard_column_group *surface,
                                  const struct shepard_targets *targets,
                                  const struct shepard_output *output, struct shepard_job *job);

#endif
