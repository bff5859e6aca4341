/* SPDX-License-Identifier: MIT */
/** The covariates of -trend: fields of SRC and QUERY, or rasters; their values at places. */
#ifndef SHEPARD_CLI_COVARIATE_H
#define SHEPARD_CLI_COVARIATE_H

#include "input.h"
#include "job.h"

struct shepard_covariate {
    char *name;                            /**< of the field in the layer, or of the raster */
    struct shepard_sampled_raster *raster; /**< NULL: a field */
};

/** Their values at the points of one layer. */
struct shepard_covariate_layer {
    struct shepard_point_set fields;
    double **values;                      /**< [covariates] arrays [points] */
    size_t lacking;                       /**< points without a value of one of them */
    struct shepard_covariates covariates; /**< the same as the library takes them: */
    struct shepard_array *columns;        /**< [covariates] */
    const char **names;                   /**< [covariates] */
};

struct shepard_covariate_list {
    size_t count; /**< 0: there is no trend */
    size_t field_count;
    struct shepard_covariate *items; /**< [count], fields first */
    struct shepard_text_list fields; /**< as given */
    struct shepard_covariate_layer *layers;
    size_t layer_count;
    struct shepard_covariate_layer withheld; /**< of withheld measurements, where there are any */
};

/** Opens the rasters among the names of -trend; all others are fields. False on an error, said. */
bool shepard_covariates_open(struct shepard_covariate_list *list, struct shepard_job *job);

/**
 * Reads the values at the points of all layers; srs: what the points are in, NULL: unknown. Points
 * that lack a value lose those of their value fields, with a note. False on an error, said.
 */
bool shepard_covariates_read(struct shepard_covariate_list *list, const struct shepard_input *input,
                             const char *srs, struct shepard_job *job);

/** Takes the values at withheld measurements, after those of the data: fields out of layer, where
 * they were read, rasters read there. What lacks one loses its values, with a note. False on an
 * error, said. */
bool shepard_covariates_read_withheld(struct shepard_covariate_list *list,
                                      struct shepard_withheld_layer *layer,
                                      struct shepard_job *job);

/**
 * Sets at[] to the values at other places: fields to those given, rasters to room[] after reading
 * them there. room: one array of count numbers for each raster. False on an error, said.
 */
bool shepard_covariates_at(const struct shepard_covariate_list *list,
                           const struct shepard_targets *places,
                           const struct shepard_column *fields, double *const *room,
                           const double **at, struct shepard_job *job);

/** The covariates of a layer's points, as the library takes them. NULL: there is no trend. */
const struct shepard_covariates *
shepard_covariates_of_layer(const struct shepard_covariate_list *list, size_t layer);

/** Whether an error of the library is about them. */
bool shepard_covariates_are_wrong(const struct shepard_error *error);

/** Whether place i lacks one of them. */
bool shepard_covariates_lack(const struct shepard_covariate_list *list, const double *const *at,
                             size_t i);

void shepard_covariates_free(struct shepard_covariate_list *list);

#endif
