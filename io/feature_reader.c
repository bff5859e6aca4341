/* SPDX-License-Identifier: MIT */
#include "feature_reader.h"

/* Enough that threads seldom wait for each other; fewer where geometries may be large. */
enum { BATCH_FEATURES = 1024, BATCH_LARGE = 64 };

struct shepard_feature_batch {
    size_t count;
    OGRFeatureH feature[BATCH_FEATURES];
};

static size_t batch_features(OGRLayerH layer)
{
    const OGRwkbGeometryType type = wkbFlatten(OGR_L_GetGeomType(layer));
    return type == wkbPoint || type == wkbNone ? BATCH_FEATURES : BATCH_LARGE;
}

static bool read_batch(void *item, const struct shepard_gdal_error_scope *trap, void *user)
{
    struct shepard_feature_batch *batch = item;
    OGRLayerH layer = user;
    const size_t most = batch_features(layer);
    OGRFeatureH feature = NULL;
    while (batch->count < most && !trap->text[0] && (feature = OGR_L_GetNextFeature(layer)))
        batch->feature[batch->count++] = feature;
    /* An error is of the last one. */
    if (feature && trap->text[0])
        OGR_F_Destroy(batch->feature[--batch->count]);
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
                                                clear_batch, layer};
    OGR_L_ResetReading(layer);
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
    if (!reader->batch || reader->at == reader->batch->count) {
        reader->batch = shepard_read_ahead_next(reader->ahead);
        reader->at = 0;
    }
    return reader->batch ? reader->batch->feature[reader->at++] : NULL;
}

void shepard_feature_reader_end(struct shepard_feature_reader *reader)
{
    shepard_read_ahead_end(reader->ahead);
    *reader = (struct shepard_feature_reader){0};
}
