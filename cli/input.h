/* SPDX-License-Identifier: MIT */
/** The data points of a job: one set for each layer or SQL result. */
#ifndef SHEPARD_CLI_INPUT_H
#define SHEPARD_CLI_INPUT_H

#include "job.h"
#include "spread.h"

#include "shepard/shepard_io.h"

struct shepard_input {
    struct shepard_source *source;
    struct shepard_point_set *layers;
    size_t count;   /**< layers, >= 1 */
    bool elsewhere; /**< the points of the layer, which itself has the corners of their extent, are
                         on disk or spread over ranks */
    struct shepard_spill *spill;         /**< on disk, with job->memory; else NULL */
    struct shepard_spread_points spread; /**< over ranks, where there are several */
    struct shepard_spill_info info;      /**< what is known of them */
};

/** Opens the source, reads all layers and chooses the metric; false on an error, said. Notes what
 * was left out; with -q only values lost as they are texts, in one line. */
bool shepard_input_read(struct shepard_input *input, const char *path, struct shepard_job *job);

/** Withheld measurements: a layer of the source of the data, or else another source. */
struct shepard_withheld_layer {
    const char *name;
    struct shepard_point_set points;      /**< with the fields of the data */
    const struct shepard_text_list *also; /**< other fields, as they are; NULL: none */
    struct shepard_point_set fields;      /**< at the same points, these */
};

/** Reads points and fields, in the coordinate system of the data. False on an error, said. */
bool shepard_input_read_withheld(const struct shepard_input *input,
                                 struct shepard_withheld_layer *layer, struct shepard_job *job);

/** Reads other fields of the points of a layer, as they are: no -z_increase, no -a_nodata_in. */
bool shepard_input_read_fields(const struct shepard_input *input, size_t layer,
                               const struct shepard_text_list *fields,
                               struct shepard_point_set *points, struct shepard_job *job);

/** How many points a column of a layer leaves to predict from: those with a value, and a weight. */
size_t shepard_input_used(const struct shepard_point_set *points, size_t column);

/** The coordinates of a layer's points. */
struct shepard_coordinates shepard_input_coordinates(const struct shepard_point_set *points);

/** Targets at places; z: NULL without a third coordinate. */
struct shepard_targets shepard_input_targets(size_t count, const double *x, const double *y,
                                             const double *z);

/** One column of values at a layer's points: an array that outlives what is returned. */
struct shepard_values shepard_input_column(const struct shepard_point_set *points,
                                           const struct shepard_array *column);

/** The coordinate system of the first layer that has one, else NULL. */
const char *shepard_input_srs(const struct shepard_input *input);

/** Prints how many points are used, "145 of 155 points", and the field of a table that is used by
 * default, without a line end. */
void shepard_input_print(const struct shepard_input *input);

/** Notes the coordinates of query points that are lost as they are texts, also with -q. */
void shepard_input_note_query(const struct shepard_target_layer_targets *targets,
                              struct shepard_progress *watch);

void shepard_input_free(struct shepard_input *input);

/** Whether a point lies in the box, on its edge too. */
bool shepard_bounds_have_any(const struct shepard_bounds *box, size_t count, const double *x,
                             const double *y);

#endif
