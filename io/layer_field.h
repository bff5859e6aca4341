/* SPDX-License-Identifier: MIT */
/** The fields of a layer, by name. */
#ifndef SHEPARD_IO_LAYER_FIELD_H
#define SHEPARD_IO_LAYER_FIELD_H

#include "io_error.h"

#include <ogr_api.h>

/** Name of field i. The layer's own. */
const char *shepard_field_name(OGRLayerH layer, int i);

/** The numeric fields' names that are not number skip_a or skip_b, as the end of a message. */
void shepard_append_numeric_fields(OGRLayerH layer, int skip_a, int skip_b, char *text,
                                   size_t size);

/** All fields' names, as the end of a message. */
void shepard_append_fields(OGRLayerH layer, char *text, size_t size);

/** The field that is the x, y or z (name) of a table without a header, whose fields OGR calls
 * field_1, field_2, ...; -1: there is no such field. */
int shepard_headerless_field(OGRLayerH layer, const char *name);

/** Finds a field that may hold numbers (text included), letter case ignored. */
enum shepard_io_status shepard_find_field(OGRLayerH layer, const char *name, const char *argument,
                                          int *field, struct shepard_io_error *error);

/** An error where another field has the same name but for letter case: which one is meant? */
enum shepard_io_status shepard_check_single_field(OGRLayerH layer, int field,
                                                  struct shepard_io_error *error);

#endif
