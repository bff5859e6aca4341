/* SPDX-License-Identifier: MIT */
/* Columns of text, as those of CSV, from the features: GDAL would make Arrow's columns from these,
 * of texts that are read once. */
#include "feature_reader.h"
#include "point_state.h"

#include <string.h>

/* Of the layer that is read: what is no text has none. */
static int64_t find_text(const struct shepard_point_state *reader, int field, const void *table)
{
    OGRFeatureDefnH layer = (OGRFeatureDefnH)(uintptr_t)table;
    const int count = OGR_FD_GetFieldCount(layer);
    for (int i = 0; field >= 0 && i < count; i++) {
        OGRFieldDefnH column = OGR_FD_GetFieldDefn(layer, i);
        if (strcmp(OGR_Fld_GetNameRef(column), shepard_state_field_name(reader, field)) == 0)
            return OGR_Fld_GetType(column) == OFTString ? i : -1;
    }
    return -1;
}

bool shepard_state_find_texts(struct shepard_point_state *reader)
{
    return reader->text.layer &&
           shepard_state_find_columns(reader, find_text, OGR_L_GetLayerDefn(reader->rows));
}

static enum shepard_io_status take_features(struct shepard_point_state *reader,
                                            struct shepard_feature_reader *features)
{
    struct shepard_rows rows = {0};
    enum shepard_io_status status = SHEPARD_IO_OK;
    while (!status && (rows.features = shepard_feature_reader_next_batch(features, &rows.count))) {
        status = shepard_state_take(reader, &rows);
        if (!status)
            status = shepard_state_report(reader);
    }
    return !status && reader->reading->trap->text[0] ? shepard_state_fail_read(reader) : status;
}

enum shepard_io_status shepard_state_read_texts(struct shepard_point_state *reader)
{
    struct shepard_feature_reader features = {0};
    if (!shepard_feature_reader_begin(&features, reader->rows, reader->reading->control))
        return shepard_io_fail_memory(reader->reading->error);
    const enum shepard_io_status status = take_features(reader, &features);
    shepard_feature_reader_end(&features);
    return status;
}
