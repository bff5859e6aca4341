/* SPDX-License-Identifier: MIT */
/** Lists of fields as users write them: names, ranges, several of them with commas between. */
#ifndef SHEPARD_IO_FIELD_LIST_H
#define SHEPARD_IO_FIELD_LIST_H

#include "io_error.h"

#include <ogr_api.h>

/**
 * Appends the names that a text means to *names, a list of GDAL's (free with CSLDestroy):
 * "zinc,lead" is two fields unless one field has this name; "d001-d365" is all fields from the
 * first to the second in the order of their numbers, unless one field has this name. A field of
 * which no name is known is appended as it is written. Errors: SHEPARD_IO_ERROR_FIELD: a field of a
 * range is missing; _ARGUMENT: the text names nothing.
 */
enum shepard_io_status shepard_field_list_add(OGRLayerH layer, const char *text, char ***names,
                                              struct shepard_io_error *error);

#endif
