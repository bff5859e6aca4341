/* SPDX-License-Identifier: MIT */
#include "target_raster.h"

#include <math.h>

bool shepard_target_raster_read(struct shepard_target_raster *target, struct shepard_job *job)
{
    const struct shepard_extent_options *const extent = &job->options->extent;
    shepard_input_files_add(job->inputs, extent->like);
    return shepard_extent_check(extent) && shepard_reference_read(&target->reference, extent->like);
}

struct shepard_bounds shepard_raster_box(const struct shepard_raster *raster)
{
    const double x_end = raster->x0 + raster->dx * (double)raster->columns;
    const double y_end = raster->y0 + raster->dy * (double)raster->rows;
    return (struct shepard_bounds){.given = true,
                                   .x_min = fmin(raster->x0, x_end),
                                   .y_min = fmin(raster->y0, y_end),
                                   .x_max = fmax(raster->x0, x_end),
                                   .y_max = fmax(raster->y0, y_end)};
}

/* Whether points elsewhere lie, most likely, in the box. */
static bool has_bucket(const struct shepard_spill_info *info, const struct shepard_bounds *box)
{
    for (size_t i = 0; i < info->bucket_count; i++) {
        const struct shepard_spill_bucket *const bucket = &info->buckets[i];
        if (bucket->x_min <= box->x_max && bucket->x_max >= box->x_min &&
            bucket->y_min <= box->y_max && bucket->y_max >= box->y_min) {
            return true;
        }
    }
    return false;
}

/* A raster that is most likely not the one that was meant. */
static void note_raster(const struct shepard_raster *raster, const struct shepard_input *input,
                        struct shepard_job *job)
{
    const struct shepard_bounds *const data = &input->layers[0].extent;
    const struct shepard_bounds box = shepard_raster_box(raster);
    bool inside = input->elsewhere && has_bucket(&input->info, &box);
    for (size_t i = 0; i < input->count && !inside; i++) {
        const struct shepard_point_set *const points = &input->layers[i];
        inside = shepard_bounds_have_any(&box, points->count, points->x, points->y);
    }
    if (!inside) {
        shepard_progress_note(&job->watch,
                              "no data point lies within the raster (x %.12g to %.12g, y %.12g to "
                              "%.12g); the data are at x %.12g to %.12g, y %.12g to %.12g",
                              box.x_min, box.x_max, box.y_min, box.y_max, data->x_min, data->x_max,
                              data->y_min, data->y_max);
    }
    if (raster->columns == 1 && raster->rows == 1 && !job->options->extent.outsize.set) {
        shepard_progress_note(
            &job->watch,
            "the raster is a single cell of %.12g x %.12g; is its size in the units "
            "of the coordinates (x %.12g to %.12g, y %.12g to %.12g)?",
            fabs(raster->dx), fabs(raster->dy), data->x_min, data->x_max, data->y_min, data->y_max);
    }
}

static bool find_raster(struct shepard_target_raster *target, const struct shepard_input *input,
                        const struct shepard_job *job)
{
    if (target->reference.path) {
        target->raster = target->reference.raster;
        return true;
    }
    const struct shepard_bounds *const extent = &input->layers[0].extent;
    const struct shepard_extent_box data = {extent->x_min, extent->y_min, extent->x_max,
                                            extent->y_max};
    return shepard_extent_raster(&job->options->extent, &data, &target->raster);
}

bool shepard_target_raster_place(struct shepard_target_raster *target, const char *srs,
                                 const struct shepard_input *input, struct shepard_job *job)
{
    if (!shepard_reference_check(&target->reference, srs, input, &job->watch) ||
        !find_raster(target, input, job)) {
        return false;
    }
    note_raster(&target->raster, input, job);
    job->algorithm.options.expected_targets = target->raster.columns * target->raster.rows;
    return true;
}

void shepard_target_raster_free(struct shepard_target_raster *target)
{
    shepard_reference_free(&target->reference);
}
