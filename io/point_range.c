/* SPDX-License-Identifier: MIT */
/*
 * Which rows of a layer one of several processes reads. Setting a layer to a row by its index would
 * be a rule for all formats, but of those that say that they do so fast, Shapefile counts removed
 * rows as well, and GDAL's stream of a Parquet file begins with the batch in which the row is.
 */
#include "fgb_range.h"
#include "fid_range.h"
#include "point_state.h"

#include <cpl_conv.h>

/* Texts that are no numbers are told by the row that they are in. */
static bool reads_texts(const struct shepard_point_state *reader)
{
    const OGRFeatureDefnH table = OGR_L_GetLayerDefn(reader->rows);
    bool texts = false;
    for (size_t f = 0; f < reader->field_count; f++) {
        const int field = reader->fields[f].field;
        texts |= field >= 0 && OGR_Fld_GetType(OGR_FD_GetFieldDefn(table, field)) == OFTString;
    }
    return texts;
}

static bool open_view(struct shepard_point_state *reader, const struct shepard_share *share)
{
    const struct shepard_source *source = reader->reading->source;
    if (!EQUAL(shepard_source_format(source), "FlatGeobuf") ||
        shepard_source_layer_count(source) != 1)
        return false;
    char *path = shepard_fgb_range(source->open_path, source->folder, share);
    reader->view =
        path ? shepard_open_vector(path, (const char *const *)source->open_options) : NULL;
    CPLFree(path);
    OGRLayerH rows = reader->view ? GDALDatasetGetLayer(reader->view, 0) : NULL;
    reader->rows = rows ? rows : reader->rows;
    return rows != NULL;
}

static bool set_condition(struct shepard_point_state *reader, const struct shepard_share *share)
{
    uint64_t rows;
    if (!shepard_fid_range_set(&reader->pick, share, &rows))
        return false;
    reader->total = (double)rows / (double)share->count;
    return true;
}

/* With a condition, or a spatial filter, a database may take rows in the order of an index, and
 * ranges would not follow on each other; in FlatGeobuf they ask for FIDs and the index. */
void shepard_state_choose_range(struct shepard_point_state *reader)
{
    const struct shepard_reading *reading = reader->reading;
    if (!reading->share || reading->share->count < 2 || reader->options->sql ||
        reader->options->where || reader->area.filter || reader->xy.x >= 0 || reads_texts(reader))
        return;
    reading->sink->by_range =
        set_condition(reader, reading->share) || open_view(reader, reading->share);
    shepard_gdal_error_scope_clear(reading->trap);
}
