/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE
#include "spill_file.h"

#include "checksum.h"
#include "journal.h"
#include "point_reader.h"

#include <cpl_multiproc.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const size_t memory_min = (size_t)4 << 20;

/* ---- Making ---------------------------------------------------------------------------------- */

static enum shepard_io_status make_folder(struct shepard_spill *spill,
                                          const struct shepard_spill_options *to,
                                          const struct shepard_io_control *control,
                                          struct shepard_io_error *error)
{
    const char *const environment = getenv("TMPDIR");
    const char *const parent = to->folder                      ? to->folder
                               : environment && environment[0] ? environment
                                                               : "/tmp";
    shepard_temp_folder_sweep(parent, control);
    const int reason = shepard_temp_folder_make(&spill->folder, parent);
    if (reason)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_WRITE, "temp",
                               "no temporary folder can be made in \"%.300s\" (%s); give another "
                               "one with --temp",
                               parent, strerror(reason));
    spill->file = shepard_spill_open(spill, "runs", error);
    return spill->file < 0 ? SHEPARD_IO_ERROR_WRITE : SHEPARD_IO_OK;
}

static enum shepard_io_status check_options(const struct shepard_read_options *options,
                                            struct shepard_io_error *error)
{
    return options->z_field
               ? shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "temp",
                                 "-zdim cannot be used with --memory; leave one of them out")
               : SHEPARD_IO_OK;
}

/* Reading and merging one after the other are one whole. */
struct spill_part {
    const struct shepard_io_control *whole;
    double from, to;
};

/* What reading takes of both: of 10 million points of a LAS file, with two threads. */
static const double reading_part = 0.6;

static bool report_part(double fraction, void *user)
{
    const struct spill_part *part = user;
    return shepard_io_progress(part->whole, part->from + fraction * (part->to - part->from));
}

static void warn(const char *message, void *user)
{
    const struct spill_part *part = user;
    shepard_io_warn(part->whole, "%s", message);
}

/* Reads, and makes runs. */
static enum shepard_io_status write_runs(struct shepard_spill *spill,
                                         const struct shepard_reading *reading,
                                         const struct shepard_spill_options *to,
                                         struct shepard_point_set *points)
{
    struct shepard_spill_writer writer = {.spill = spill,
                                          .memory = to->memory,
                                          .alone = to->threads == 1,
                                          .samples = to->sample,
                                          .stride = 1};
    struct shepard_point_sink sink = {
        .begin = shepard_spill_writer_begin, .take = shepard_spill_writer_take, .user = &writer};
    struct spill_part part = {reading->control, 0, reading_part};
    const struct shepard_io_control control = {report_part, warn, &part};
    struct shepard_reading own = *reading;
    own.sink = &sink;
    own.control = &control;
    enum shepard_io_status status = shepard_read_points(&own, points);
    if (!status)
        status = shepard_spill_writer_finish(&writer, reading->error);
    spill->info.read = sink.taken;
    shepard_spill_writer_end(&writer);
    return status;
}

static enum shepard_io_status check_points(const struct shepard_spill *spill,
                                           const struct shepard_point_set *points,
                                           struct shepard_io_error *error)
{
    const struct shepard_spill_info *info = &spill->info;
    for (size_t c = 0; c < info->columns; c++)
        if (info->value_count[c] == 0)
            return shepard_io_fail(error, SHEPARD_IO_ERROR_NO_POINTS, "weight_field",
                                   "layer %s, field %s: no point of %zu has a value and a usable "
                                   "weight",
                                   points->layer, points->column[c].name, info->read);
    return SHEPARD_IO_OK;
}

static struct shepard_spill *new_spill(void)
{
    struct shepard_spill *spill = calloc(1, sizeof *spill);
    if (spill)
        spill->file = -1;
    return spill;
}

static enum shepard_io_status fill(struct shepard_spill *spill,
                                   const struct shepard_reading *reading,
                                   const struct shepard_spill_options *to,
                                   struct shepard_point_set *points)
{
    enum shepard_io_status status =
        to->sample ? SHEPARD_IO_OK : make_folder(spill, to, reading->control, reading->error);
    if (!status)
        status = write_runs(spill, reading, to, points);
    if (!status)
        status = check_points(spill, points, reading->error);
    struct spill_part part = {reading->control, reading_part, 1};
    const struct shepard_io_control control = {report_part, warn, &part};
    return status ? status
                  : shepard_spill_merge(spill, to->memory, to->threads, &control, reading->error);
}

enum shepard_io_status
shepard_source_spill(struct shepard_source *source, const struct shepard_read_options *options,
                     const struct shepard_spill_options *to, struct shepard_point_set *points,
                     struct shepard_spill **spill, const struct shepard_io_control *control,
                     struct shepard_io_error *error)
{
    enum shepard_io_status status = check_options(options, error);
    if (status)
        return status;
    struct shepard_spill *made = new_spill();
    if (!made)
        return shepard_io_fail_memory(error);
    struct shepard_gdal_error_scope trap;
    shepard_gdal_error_scope_begin(&trap, control);
    const struct shepard_reading reading = {
        .source = source, .options = options, .control = control, .trap = &trap, .error = error};
    struct shepard_spill_options own = *to;
    own.memory = to->memory > memory_min ? to->memory : memory_min;
    own.threads = to->threads > 0 ? to->threads : CPLGetNumCPUs();
    status = fill(made, &reading, &own, points);
    if (status) {
        shepard_point_set_clear(points);
        shepard_spill_close(made);
    } else {
        *spill = made;
    }
    return shepard_gdal_error_scope_end(&trap, status);
}

/* ---- Using ----------------------------------------------------------------------------------- */

void shepard_spill_get_info(const struct shepard_spill *spill, struct shepard_spill_info *info)
{
    *info = spill->info;
    info->bucket_count = spill->buckets.count;
    info->buckets = spill->buckets.box;
    info->bytes = shepard_spill_bytes(spill, spill->info.points);
}

static void deal(const double *records, size_t fields, size_t count, double *numbers, size_t stride)
{
    for (size_t i = 0; i < count; i++)
        for (size_t f = 0; f < fields; f++)
            numbers[f * stride + i] = records[i * fields + f];
}

enum shepard_io_status shepard_spill_read(struct shepard_spill *spill, size_t first, size_t count,
                                          double *numbers, size_t stride,
                                          struct shepard_io_error *error)
{
    size_t at = 0;
    for (size_t i = first; i < first + count; i++) {
        const struct shepard_spill_place *place = &spill->buckets.place[i];
        const size_t points = spill->buckets.box[i].count;
        const size_t bytes = shepard_spill_bytes(spill, points);
        double *const records =
            spill->kept ? spill->kept + place->first * spill->fields : spill->read;
        if ((!spill->kept && !shepard_read_at(spill->file, records, bytes,
                                              place->first * shepard_spill_bytes(spill, 1))) ||
            shepard_checksum_add(0, records, bytes) != place->checksum)
            return shepard_spill_fail_lost(spill, error);
        deal(records, spill->fields, points, numbers + at, stride);
        at += points;
    }
    return SHEPARD_IO_OK;
}

int shepard_spill_new_file(struct shepard_spill *spill, struct shepard_io_error *error)
{
    return shepard_spill_open(spill, "file", error);
}

void shepard_spill_close(struct shepard_spill *spill)
{
    if (!spill)
        return;
    if (spill->file >= 0)
        close(spill->file);
    shepard_temp_folder_remove(&spill->folder);
    free(spill->runs);
    free(spill->kept);
    free(spill->read);
    free(spill->counts);
    free(spill->ends);
    shepard_spill_buckets_clear(&spill->buckets);
    free(spill);
}
