/* SPDX-License-Identifier: MIT */
/** LAS files that are read as one layer. */
#ifndef SHEPARD_IO_LAS_SET_H
#define SHEPARD_IO_LAS_SET_H

#include "las_file.h"

struct shepard_las_set {
    struct shepard_las_file *file; /* [count] */
    size_t count;                  /* >= 1 */
    char *name;                    /* of the layer: that of the first file without its ending */
};

/** Whether a path is a LAS file or a pattern ("tile?.las") that names one. */
bool shepard_las_set_names(const char *path);

/**
 * Opens the files that the paths, which end with NULL, name. *set is set on success only.
 * Fails where one of them is no LAS file, and where a file is named twice.
 */
enum shepard_io_status shepard_las_set_open(const char *const *paths, struct shepard_las_set **set,
                                            const struct shepard_io_control *control,
                                            struct shepard_io_error *error);

/** Closes it; NULL is allowed. */
void shepard_las_set_close(struct shepard_las_set *set);

/** WKT of the CRS of all files, borrowed, NULL: none says one. Fails where two say different ones;
 * warns where some say none. */
enum shepard_io_status shepard_las_set_crs(const struct shepard_las_set *set, const char **wkt,
                                           const struct shepard_io_control *control,
                                           struct shepard_io_error *error);

/** Fails where a file lacks a dimension, and names those that it has. argument: the option. */
enum shepard_io_status shepard_las_set_check_dimension(const struct shepard_las_set *set,
                                                       const char *name, const char *argument,
                                                       struct shepard_io_error *error);

/** Appends the names of the first file's dimensions to a message. */
void shepard_las_set_append_dimensions(const struct shepard_las_set *set, char *text, size_t size);

#endif
