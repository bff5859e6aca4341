/* SPDX-License-Identifier: MIT */
#include "point_reader.h"
#include "used_points.h"

#include <math.h>
#include <stdlib.h>

/* Points that one process keeps before the next one has its turn, and points handed over at once.
 */
enum { RUN = 4096, HANDED = 65536 };

/* What keeps the points of a share. */
struct keeper {
    struct shepard_point_sink sink;
    const struct shepard_share *share;
    struct shepard_shared_points *shared;
    size_t room; /* records */
    size_t seen; /* points of all shares */
};

static bool reserve(struct keeper *keeper, size_t count)
{
    struct shepard_shared_points *shared = keeper->shared;
    if (shared->count + count <= keeper->room)
        return true;
    const size_t room = keeper->room + keeper->room / 2 + count;
    const size_t fields = shared->fields + shared->numbered;
    double *records = realloc(shared->records, room * fields * sizeof *records);
    if (!records)
        return false;
    shared->records = records;
    keeper->room = room;
    return true;
}

static bool is_mine(const struct keeper *keeper, size_t i)
{
    return keeper->sink.by_range ||
           (keeper->seen + i) / RUN % keeper->share->count == keeper->share->number;
}

static void keep(struct keeper *keeper, const struct shepard_sunk_points *points, size_t i)
{
    struct shepard_shared_points *shared = keeper->shared;
    double *record = shared->records + shared->count++ * (shared->fields + shared->numbered);
    for (size_t f = 0; f < shared->fields; f++)
        record[f] = points->numbers[f][i];
    if (shared->numbered)
        record[shared->fields] = (double)(keeper->seen + i);
}

static enum shepard_io_status begin(void *user, size_t columns, bool weighted, size_t *capacity,
                                    struct shepard_io_error *error)
{
    struct keeper *keeper = user;
    keeper->shared->fields = shepard_record_fields(columns, weighted);
    *capacity = HANDED;
    return columns == 1
               ? SHEPARD_IO_OK
               : shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "fields",
                                 "several processes take one value column, and there are %zu: "
                                 "name one with -zfield",
                                 columns);
}

static enum shepard_io_status take(void *user, struct shepard_sunk_points *points,
                                   struct shepard_io_error *error)
{
    struct keeper *keeper = user;
    const enum shepard_io_status status = shepard_used_points_check(points, error);
    if (status)
        return status;
    keeper->shared->numbered = !keeper->sink.by_range;
    if (!reserve(keeper, points->count))
        return shepard_io_fail_memory(error);
    for (size_t i = 0; i < points->count; i++)
        if (is_mine(keeper, i)) {
            keeper->shared->info.read++;
            if (shepard_used_points_add(&keeper->shared->info, points, i))
                keep(keeper, points, i);
        }
    keeper->seen += points->count;
    return SHEPARD_IO_OK;
}

static enum shepard_io_status read_share(const struct shepard_reading *reading,
                                         const struct shepard_share *share,
                                         struct shepard_point_set *points,
                                         struct shepard_shared_points *shared)
{
    struct keeper keeper = {.sink = {.begin = begin,
                                     .take = take,
                                     .user = &keeper,
                                     .extent = {true, INFINITY, INFINITY, -INFINITY, -INFINITY}},
                            .share = share,
                            .shared = shared};
    struct shepard_reading own = *reading;
    own.sink = &keeper.sink;
    own.share = share;
    const enum shepard_io_status status = shepard_read_points(&own, points);
    shared->by_range = keeper.sink.by_range;
    shared->numbered = !shared->by_range;
    shared->ends = keeper.sink.ends;
    return status;
}

enum shepard_io_status
shepard_source_read_share(struct shepard_source *source, const struct shepard_read_options *options,
                          const struct shepard_share *share, struct shepard_point_set *points,
                          struct shepard_shared_points *shared,
                          const struct shepard_io_control *control, struct shepard_io_error *error)
{
    struct shepard_gdal_error_scope trap;
    shepard_gdal_error_scope_begin(&trap, control);
    *shared = (struct shepard_shared_points){0};
    shepard_used_points_begin(&shared->info, &shared->value_count, shared->value_ends, 1);
    const struct shepard_reading reading = {
        .source = source, .options = options, .control = control, .trap = &trap, .error = error};
    const enum shepard_io_status status = read_share(&reading, share, points, shared);
    if (status) {
        shepard_point_set_clear(points);
        free(shared->records);
        *shared = (struct shepard_shared_points){0};
    }
    return shepard_gdal_error_scope_end(&trap, status);
}
