/* SPDX-License-Identifier: MIT */
#include "shared_input.h"

#include "library_info.h"
#include "message.h"
#include "progress.h"
#include "ranks.h"
#include "together.h"

#include <math.h>
#include <stdlib.h>

/* ---- What is known of all points ------------------------------------------------------------- */

static void join_info(struct shepard_spill_info *info)
{
    struct shepard_bounds *const box = &info->box;
    uint64_t sums[] = {info->points, info->read, info->checksum};
    double least[] = {box->x_min, box->y_min, *info->value_min};
    double most[] = {box->x_max, box->y_max, *info->value_max, info->weight_max};
    shepard_ranks_sum(sums, sizeof sums / sizeof sums[0]);
    shepard_ranks_least(least, sizeof least / sizeof least[0]);
    shepard_ranks_most(most, sizeof most / sizeof most[0]);
    info->points = (size_t)sums[0];
    info->read = (size_t)sums[1];
    info->checksum = sums[2];
    *box = (struct shepard_bounds){true, least[0], least[1], most[0], most[1]};
    *info->value_count = info->points;
    *info->value_min = least[2];
    *info->value_max = most[2];
    info->weight_max = most[3];
}

/* What was left out by all, where each read a range of its own. */
static void join_counts(struct shepard_point_set *points)
{
    struct shepard_read_counts *const counts = &points->counts;
    struct shepard_column *const column = &points->column[0];
    size_t *const all[] = {
        &counts->features,    &counts->no_geometry,       &counts->empty_geometry,
        &counts->not_finite,  &counts->outside,           &counts->untransformed,
        &counts->weight_null, &counts->weight_not_finite, &counts->withheld,
        &column->null,        &column->not_finite,        &column->nodata};
    uint64_t sums[sizeof all / sizeof all[0]];
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        sums[i] = *all[i];
    }
    shepard_ranks_sum(sums, sizeof all / sizeof all[0]);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        *all[i] = (size_t)sums[i];
    }
}

/* The stray value follows from the ends of all. False on all ranks where one is out of memory. */
static bool join_ends(const struct shepard_value_ends *own, struct shepard_point_set *points)
{
    struct shepard_rank_items all = {0};
    struct shepard_value_ends ends = {0};
    if (!shepard_ranks_gather(own, 1, sizeof *own, &all)) {
        return shepard_say_error("out of memory");
    }
    for (size_t i = 0; i < all.count; i++) {
        shepard_value_ends_join(&ends, (const struct shepard_value_ends *)all.items + i);
    }
    points->column[0].stray = shepard_value_ends_stray(&ends);
    shepard_rank_items_free(&all);
    return true;
}

static void join_corners(struct shepard_point_set *points)
{
    double *const values = points->column[0].values;
    double least[] = {points->x[0], points->y[0], values[0]};
    double most[] = {points->x[1], points->y[1], values[1]};
    shepard_ranks_least(least, sizeof least / sizeof least[0]);
    shepard_ranks_most(most, sizeof most / sizeof most[0]);
    points->x[0] = least[0];
    points->y[0] = least[1];
    values[0] = least[2];
    points->x[1] = most[0];
    points->y[1] = most[1];
    values[1] = most[2];
    points->extent = (struct shepard_bounds){true, least[0], least[1], most[0], most[1]};
}

static bool fail_no_value(const struct shepard_spill_info *info,
                          const struct shepard_point_set *points)
{
    return shepard_say_error("layer %s, field %s: no point of %zu that -where, -class, -return, "
                             "-spat and -clipsrc leave has a value and a usable weight",
                             points->layer, points->column[0].name, info->read);
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* Of all ranks: whether all read in the same way, which follows from the source. */
static bool read_alike(bool by_range)
{
    uint64_t ranges = by_range;
    shepard_ranks_sum(&ranges, 1);
    return ranges == 0 || ranges == (uint64_t)shepard_rank_count() ||
           shepard_say_error("the input changed while processes read it; start them again when it "
                             "is complete");
}

/* What is known of all points, from what each rank knows of its own. */
static bool join(const struct shepard_shared_points *shared, struct shepard_point_set *points,
                 struct shepard_spill_info *info, struct shepard_spread_points *spread)
{
    if (!read_alike(shared->by_range)) {
        return false;
    }
    *info = shared->info;
    info->value_min = &spread->value_ends[0];
    info->value_max = &spread->value_ends[1];
    *info->value_min = *shared->info.value_min;
    *info->value_max = *shared->info.value_max;
    info->value_count = &spread->value_count;
    join_info(info);
    if (shared->by_range) {
        join_counts(points);
        join_corners(points);
    }
    return !shared->by_range || join_ends(&shared->ends, points);
}

/* Ranks that read ranges do not know why none of them has a point: one that reads all does. */
static bool fail_no_points(const struct shepard_shared_layer *layer,
                           const struct shepard_spill_info *info, struct shepard_point_set *points)
{
    const struct shepard_share whole = {0, 1};
    struct shepard_shared_points shared = {0};
    struct shepard_io_error error;
    shepard_point_set_clear(points);
    const bool read = shepard_source_read_share(layer->source, layer->options, &whole, points,
                                                &shared, layer->control, &error) == SHEPARD_IO_OK;
    free(shared.records);
    return read ? fail_no_value(info, points) : shepard_progress_error(error.message);
}

static bool spread_points(const struct shepard_shared_points *shared,
                          const struct shepard_bounds *box, struct shepard_spill_info *info,
                          struct shepard_spread_points *spread)
{
    spread->fields = shared->fields;
    spread->numbered = shared->numbered;
    if (!shepard_spread_make(spread, box, shared->records, shared->count)) {
        return shepard_say_error("out of memory for the points of a rank, or it has more than "
                                 "2147483647; start more ranks");
    }
    info->buckets = spread->buckets;
    info->bucket_count = spread->bucket_count;
    return true;
}

bool shepard_shared_input_read(const struct shepard_shared_layer *layer,
                               struct shepard_point_set *points, struct shepard_spill_info *info,
                               struct shepard_spread_points *spread)
{
    const struct shepard_share share = {(size_t)shepard_rank(), (size_t)shepard_rank_count()};
    struct shepard_shared_points shared = {0};
    struct shepard_io_error error;
    spread->threads = shepard_library_threads(layer->threads);
    const bool read = shepard_source_read_share(layer->source, layer->options, &share, points,
                                                &shared, layer->control, &error) == SHEPARD_IO_OK ||
                      shepard_progress_error(error.message);
    if (!shepard_together(read) || !join(&shared, points, info, spread) ||
        (info->points == 0 && !fail_no_points(layer, info, points))) {
        free(shared.records);
    } else if (spread_points(&shared, layer->essential ? &points->extent : &info->box, info,
                             spread)) {
        return true;
    }
    shepard_point_set_clear(points);
    return false;
}
