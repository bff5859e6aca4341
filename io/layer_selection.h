/* SPDX-License-Identifier: MIT */
/** The layer that a user chose: by name, by SQL, or because it is the only one. */
#ifndef SHEPARD_IO_LAYER_SELECTION_H
#define SHEPARD_IO_LAYER_SELECTION_H

#include "io_error.h"

#include <gdal.h>
#include <ogr_api.h>

struct shepard_layer_choice {
    const char *layer; /* NULL: the only one */
    const char *sql;   /* in place of layer */
    const char *where;
    bool first; /* without layer and sql: the first one will do */
};

/** A layer in use. Start from {0}. */
struct shepard_layer_selection {
    GDALDatasetH dataset;
    OGRLayerH layer;
    bool from_sql;
};

/** Picks a layer and sets its attribute filter. path is for messages. */
enum shepard_io_status shepard_layer_selection_find(struct shepard_layer_selection *pick,
                                                    GDALDatasetH dataset, const char *path,
                                                    const struct shepard_layer_choice *choice,
                                                    struct shepard_gdal_error_scope *trap,
                                                    struct shepard_io_error *error);

/** Takes off all filters, frees an SQL result, and sets *pick to {0}. */
void shepard_layer_selection_release(struct shepard_layer_selection *pick);

#endif
