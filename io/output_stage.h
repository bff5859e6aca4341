/* SPDX-License-Identifier: MIT */
/** A place to write an output so that it shows as a whole or not at all: a temporary folder next
 * to the target, in which the files have their final names (some formats write their own name into
 * themselves) and from which they are renamed. */
#ifndef SHEPARD_IO_OUTPUT_STAGE_H
#define SHEPARD_IO_OUTPUT_STAGE_H

#include "temp_folder.h"

/** Where an output is to go. */
struct shepard_output_place {
    const char *path;
    bool direct;            /* write at the path itself; /vsi paths always are */
    const char *extension;  /* for standard output */
    bool vector;            /* or a raster */
    const char *layer_name; /* of a vector output; NULL: the file's base name */
    bool zarr;              /* the output is a Zarr, a folder */
    bool kept;              /* what is unfinished stays for another run, in a folder of its own */
    bool trial;             /* nothing will be written: leftovers of killed runs stay */
    struct shepard_output_guard guard;
    const struct shepard_io_control *control; /* for notes; may be NULL */
};

/** Start from {0}. */
struct shepard_output_stage {
    char *target;                      /* where the output goes at the end */
    struct shepard_temp_folder folder; /* path NULL: direct */
    char *path;                        /* where to write it */
    bool to_stdout;
    bool kept;                                /* the folder stays if the output is not finished */
    bool replaces;                            /* direct, and something stood there before */
    bool replaces_zarr;                       /* a Zarr stands at the target, a folder */
    const struct shepard_input_files *inputs; /* borrowed; NULL: not checked */
};

/** Makes the stage, after the place's guard has been asked. */
enum shepard_io_status shepard_stage_make(struct shepard_output_stage *stage,
                                          const struct shepard_output_place *place,
                                          struct shepard_io_error *error);

/** The folder in which an unfinished output of this path stays; to be freed by CPLFree. */
char *shepard_stage_kept_folder(const char *path);

/** Whether a run has left anything of this output there. */
bool shepard_stage_is_kept(const char *path);

/** A path for scratch files in the stage, not part of the output; to be freed by CPLFree. */
char *shepard_stage_scratch(const struct shepard_output_stage *stage, const char *name);

/** Fails if one of the files in the stage, main file or side-car file, would replace an input. */
enum shepard_io_status shepard_stage_check_names(const struct shepard_output_stage *stage,
                                                 struct shepard_io_error *error);

/** Fails if the disk is full, or a file has reached the limit of its size. */
enum shepard_io_status shepard_stage_check_space(const struct shepard_output_stage *stage,
                                                 struct shepard_io_error *error);

/** Puts the output in its place and ends the stage; on failure it is abandoned. */
enum shepard_io_status shepard_stage_commit(struct shepard_output_stage *stage,
                                            struct shepard_io_error *error);

/** Removes everything and ends the stage; of what was written directly, a file that was not there
 * before. */
void shepard_stage_abandon(struct shepard_output_stage *stage);

#endif
