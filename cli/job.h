/* SPDX-License-Identifier: MIT */
/** What the verbs that predict share: their options, and what is made of them before any file. */
#ifndef SHEPARD_CLI_JOB_H
#define SHEPARD_CLI_JOB_H

#include "algorithm.h"
#include "extent.h"
#include "option.h"
#include "progress.h"
#include "result.h"

#include "shepard/shepard_io.h"

/** The common options. The struct of each verb begins with this one. */
struct shepard_job_options {
    /* input */
    struct shepard_text_list layers, fields, open_options;
    const char *sql, *where;
    struct shepard_text_list las_classes;
    const char *las_return;
    bool las_withheld;
    const char *x_field, *y_field, *weight_field;
    const char *z_dimension;
    struct shepard_numbers z_factor;
    const char *decimal;
    bool skip_invalid;
    struct shepard_numbers nodata, z_increase, z_multiply, spat;
    struct shepard_clip_option clip;
    const char *clip_sql, *clip_layer, *clip_where;
    const char *source_srs, *target_srs;
    const char *barrier, *barrier_layer;
    const char *geometry;
    /* method */
    const char *algorithm;
    const char *backend;
    struct shepard_text_list diagnostics;
    struct shepard_text_list trend;
    struct shepard_numbers threads;
    bool planar;
    /* where to predict */
    struct shepard_extent_options extent;
    const char *query_layer, *query_sql, *query_where;
    const char *query_x_field, *query_y_field, *query_z_dimension;
    const char *query_srs, *query_geometry;
    struct shepard_text_list query_open_options;
    /* what to hold out */
    const char *at, *blocks;
    struct shepard_numbers folds, seed;
    struct shepard_numbers seconds; /* of a search */
    /* output */
    bool overwrite;
    /* reports */
    bool quiet;
    struct shepard_json_target json;
    const char *report;
    bool help;
};

/** Tables of the common options. */
extern const struct shepard_option shepard_input_options[];
extern const struct shepard_option shepard_method_options[];
extern const struct shepard_option shepard_choice_options[];
extern const struct shepard_option shepard_trend_options[];
extern const struct shepard_option shepard_compute_options[];
extern const struct shepard_option shepard_raster_options[];
extern const struct shepard_option shepard_query_options[];
extern const struct shepard_option shepard_holdout_options[];
extern const struct shepard_option shepard_replace_options[];
extern const struct shepard_option shepard_page_options[];
extern const struct shepard_option shepard_report_options[];

/** A job of one of the verbs. */
struct shepard_job {
    const struct shepard_job_options *options;
    struct shepard_text_list names;     /**< the positional arguments, without `more` */
    struct shepard_text_list more;      /**< further LAS files of SRC */
    char *source;                       /**< what SRC is called: "a.las and 3 more" */
    bool las_classes[256];              /**< of -class */
    struct shepard_las_choice las;      /**< with these classes */
    const char *destination;            /**< path of the output; NULL: none */
    struct shepard_algorithm algorithm; /**< with backend and threads */
    enum shepard_geometry_use geometry; /**< of lines and polygons of SRC */
    struct shepard_diagnostics diagnostics;
    struct shepard_input_files *inputs; /**< what no output may replace */
    struct shepard_output_spec output;  /**< since shepard_job_check_output */
    enum shepard_decimal decimal;
    size_t memory;           /**< bytes for points on disk and what is near them; 0: all points are
                                  in memory */
    bool spread;             /**< points are spread over ranks, each of which has some */
    bool essential;          /**< with spread: those of a locally essential tree, not those near its
                                  cells */
    bool sampled;            /**< with memory: a sample of the points stands for them */
    const char *temp_folder; /**< of the points on disk; NULL: the system's */
    struct shepard_line_set lines;    /**< of -barrier, once the input is read */
    struct shepard_barriers barriers; /**< the same, which the algorithm's options point to */
    struct shepard_progress watch;
};

/** Reads the command line and checks everything that needs no data. False on an error, said. */
bool shepard_job_begin(struct shepard_job *job, const struct shepard_syntax *syntax, int argc,
                       char **argv, struct shepard_job_options *options);

/** Decides whether progress is shown. False, said, where the output (what: "raster") and --json
 * both go to standard output. */
bool shepard_job_check_stdout(struct shepard_job *job, const char *what);

/** Checks the definition of a coordinate system; NULL is allowed. False, said, on a wrong one. */
bool shepard_job_check_srs(const char *option, const char *definition);

/** Reads "vertices" or "centroids"; NULL: points only. False, said, on another text. */
bool shepard_job_read_geometry(const char *option, const char *text,
                               enum shepard_geometry_use *use);

/** Control of every prediction and validation in a job. */
struct shepard_control shepard_job_control(struct shepard_job *job);

/** Control of every call of shepard_io in a job. */
struct shepard_io_control shepard_job_io_control(struct shepard_job *job);

/** What the output may replace. */
struct shepard_output_guard shepard_job_guard(const struct shepard_job *job);

/** Tries the output before there is anything to write: false, said, where
 * it could not be begun. spec: its format, kind, layer and options. */
bool shepard_job_check_output(struct shepard_job *job, struct shepard_output_spec spec);

/** Adds all files of an open source to those that no output may replace: false, said, where one of
 * the outputs would. */
bool shepard_job_add_source(struct shepard_job *job, const struct shepard_source *source);

/** Frees the job and the options' lists. */
void shepard_job_end(struct shepard_job *job, struct shepard_job_options *options);

#endif
