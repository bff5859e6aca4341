/* SPDX-License-Identifier: MIT */
/** An open vector data source. */
#ifndef SHEPARD_IO_SOURCE_H
#define SHEPARD_IO_SOURCE_H

#include "csv_start.h"
#include "io_error.h"
#include "las_set.h"

#include <gdal.h>

struct shepard_source {
    char *path;          /* as the user wrote it */
    char *open_path;     /* as GDAL gets it */
    char *file;          /* what open_path is a view of, as GDAL got it at first; NULL: no view */
    char *folder;        /* of /vsimem/: for a copy of standard input, or a view of a CSV file */
    char **open_options; /* the user's */
    struct shepard_las_set *las; /* LAS files; NULL: `dataset` */
    GDALDatasetH dataset; /* CSV: with column types found by OGR, unless the user says otherwise */
    GDALDatasetH text;    /* CSV: the same with all columns as text; NULL: not opened yet */
    struct shepard_csv_start start; /* CSV: how its columns are separated */
    bool guessed;                   /* the column types are OGR's guess from the first part */
    bool guessed_from_all;          /* or from the whole file */
};

/**
 * The dataset with CSV columns as text, where the types of `dataset` are a guess: a column that
 * looks like integers at the file's start may hold fractions further down, which OGR would cut.
 * NULL: the types are no guess, or it cannot be opened.
 */
GDALDatasetH shepard_source_as_text(struct shepard_source *source);

/**
 * Has the types of `dataset`, where they are a guess, guessed from the whole file: for what OGR
 * itself reads by type, conditions and SQL. Opens it again: no layer of it may be in use.
 */
void shepard_source_detect_all(struct shepard_source *source);

/** Whether a path can be read only once: standard input, a FIFO. */
bool shepard_is_stream(const char *path);

/** Opens path for reading vectors; as GDALOpenEx. */
GDALDatasetH shepard_open_vector(const char *path, const char *const *open_options);

/** Fails where GDAL fails to read behind so many features. */
enum shepard_io_status shepard_source_fail_read(const struct shepard_source *source,
                                                size_t features,
                                                struct shepard_gdal_error_scope *trap,
                                                struct shepard_io_error *error);

/** Fails with what is known about a path that did not open. */
enum shepard_io_status shepard_fail_open(const char *path, const char *argument,
                                         struct shepard_gdal_error_scope *trap,
                                         struct shepard_io_error *error);

#endif
