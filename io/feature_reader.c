/* SPDX-License-Identifier: MIT */
#include "feature_reader.h"

#include <string.h>

/* Enough that threads seldom wait for each other, and no more than so much memory, as one of some
 * features lets expect. */
enum { BATCH_FEATURES = 1024, BATCH_BYTES = 1 << 20, MEASURED_ONE_IN = 16 };

struct shepard_feature_batch {
    size_t count;
    OGRFeatureH feature[BATCH_FEATURES];
};

static size_t list_bytes(char **texts)
{
    size_t bytes = 0;
    for (; texts && *texts; texts++)
        bytes += strlen(*texts);
    return bytes;
}

/* Of what may be long. */
static size_t field_bytes(OGRFeatureH feature, int field)
{
    const OGRField *value = OGR_F_GetRawFieldRef(feature, field);
    if (OGR_RawField_IsUnset(value) || OGR_RawField_IsNull(value))
        return 0;
    switch (OGR_Fld_GetType(OGR_F_GetFieldDefnRef(feature, field))) {
    case OFTString:
        return strlen(value->String);
    case OFTBinary:
        return (size_t)value->Binary.nCount;
    case OFTStringList:
        return list_bytes(value->StringList.paList);
    case OFTIntegerList:
    case OFTInteger64List:
    case OFTRealList:
        return (size_t)value->RealList.nCount * sizeof(double);
    default:
        return 0;
    }
}

static size_t feature_bytes(OGRFeatureH feature)
{
    size_t bytes = 0;
    for (int i = OGR_F_GetGeomFieldCount(feature) - 1; i >= 0; i--) {
        OGRGeometryH geometry = OGR_F_GetGeomFieldRef(feature, i);
        bytes += geometry ? (size_t)OGR_G_WkbSize(geometry) : 0;
    }
    for (int i = OGR_F_GetFieldCount(feature) - 1; i >= 0; i--)
        bytes += field_bytes(feature, i);
    return bytes;
}

static bool read_batch(void *item, const struct shepard_gdal_error_scope *trap, void *user)
{
    struct shepard_feature_batch *batch = item;
    struct shepard_feature_reader *reader = user;
    size_t bytes = 0;
    while (!reader->last && batch->count < BATCH_FEATURES && bytes < BATCH_BYTES) {
        OGRFeatureH feature = OGR_L_GetNextFeature(reader->layer);
        reader->last = !feature || trap->text[0];
        if (!reader->last) {
            if (batch->count % MEASURED_ONE_IN == 0)
                bytes += MEASURED_ONE_IN * feature_bytes(feature);
            batch->feature[batch->count++] = feature;
        } else {
            OGR_F_Destroy(feature);
        }
    }
    return batch->count > 0;
}

static void clear_batch(void *item, void *user)
{
    struct shepard_feature_batch *batch = item;
    (void)user;
    for (size_t i = 0; i < batch->count; i++)
        OGR_F_Destroy(batch->feature[i]);
    batch->count = 0;
}

bool shepard_feature_reader_begin(struct shepard_feature_reader *reader, OGRLayerH layer,
                                  const struct shepard_io_control *control)
{
    const struct shepard_item_reader batches = {sizeof(struct shepard_feature_batch), read_batch,
                                                clear_batch, reader};
    OGR_L_ResetReading(layer);
    reader->layer = layer;
    reader->ahead = shepard_read_ahead_begin(&batches, control);
    return reader->ahead != NULL;
}

const OGRFeatureH *shepard_feature_reader_next_batch(struct shepard_feature_reader *reader,
                                                     size_t *count)
{
    reader->batch = shepard_read_ahead_next(reader->ahead);
    *count = reader->at = reader->batch ? reader->batch->count : 0;
    return reader->batch ? reader->batch->feature : NULL;
}

OGRFeatureH shepard_feature_reader_next(struct shepard_feature_reader *reader)
{
    size_t count;
    if (!reader->batch || reader->at == reader->batch->count) {
        shepard_feature_reader_next_batch(reader, &count);
        reader->at = 0;
    }
    return reader->batch ? reader->batch->feature[reader->at++] : NULL;
}

void shepard_feature_reader_end(struct shepard_feature_reader *reader)
{
    shepard_read_ahead_end(reader->ahead);
    *reader = (struct shepard_feature_reader){0};
}
