/* SPDX-License-Identifier: MIT */
/** The files of a spill (spill_file.c): sorted runs (spill_runs.c), which are merged into buckets
 * (spill_merge.c). A record is x, y, the value of each column and, if there are weights, the weight
 * of a point. */
#ifndef SHEPARD_IO_SPILL_FILE_H
#define SHEPARD_IO_SPILL_FILE_H

#include "background.h"
#include "curve_key.h"
#include "io_error.h"
#include "point_sink.h"
#include "spill_buckets.h"
#include "temp_folder.h"

struct shepard_spill_run {
    uint64_t first, count; /* records */
};

struct shepard_spill {
    struct shepard_temp_folder folder;
    int file;       /* of the runs, then of the buckets */
    size_t fields;  /* of a record; 0: not known yet */
    size_t *counts; /* [columns] of info, */
    double *ends;   /* [2, columns] */
    struct shepard_curve curve;
    struct shepard_spill_run *runs;
    size_t run_count;
    struct shepard_spill_buckets buckets; /* of the first run, then of all */
    double *kept;                         /* the records of a sample; NULL: they are in the file */
    double *read;                         /* a bucket's records */
    struct shepard_spill_info info;       /* its buckets are set when it is asked for */
};

/** False: out of memory. */
bool shepard_spill_set_columns(struct shepard_spill *spill, size_t columns, bool weighted);

/** Bytes of records, on disk or in memory. */
static inline size_t shepard_spill_bytes(const struct shepard_spill *spill, size_t records)
{
    return records * spill->fields * sizeof(double);
}

/** Records that are gathered before they are written: those of some buckets. */
static inline size_t shepard_spill_chunk(const struct shepard_spill *spill)
{
    enum { BUCKETS = 32, BYTES = 1 << 20 };
    const size_t buckets = BYTES / shepard_spill_bytes(spill, SHEPARD_SPILL_BUCKET_MAX);
    return SHEPARD_SPILL_BUCKET_MAX * (buckets > BUCKETS ? BUCKETS : buckets > 0 ? buckets : 1);
}

/** What makes runs: points are sorted and written while others are read. */
struct shepard_spill_writer {
    struct shepard_spill *spill;
    size_t memory;
    size_t capacity;                   /* points of a run */
    struct shepard_sunk_points points; /* that become one, or several */
    uint64_t *items, *other;           /* [capacity] */
    double *records;                   /* room for some */
    bool curve_is_known;               /* before the first points */
    bool samples;                      /* no runs are written */
    struct shepard_sunk_points sample; /* every so many points */
    size_t stride;
    bool alone; /* without a thread of its own */
    struct shepard_background thread;
    enum shepard_io_status status; /* of the points */
    struct shepard_io_error error;
};

/** Bytes for each point of a run: the reader's arrays, those that are sorted, and the items. */
static inline size_t shepard_spill_run_bytes(size_t fields)
{
    return (2 * fields + 2) * sizeof(double);
}

/** The `begin` of a sink. */
enum shepard_io_status shepard_spill_writer_begin(void *writer, size_t columns, bool weighted,
                                                  size_t *capacity, struct shepard_io_error *error);

/** Sorts points and writes them as a run, or several, once those before are written. The `take` of
 * a sink. */
enum shepard_io_status shepard_spill_writer_take(void *writer, struct shepard_sunk_points *points,
                                                 struct shepard_io_error *error);

/** Until all that was taken is written, or the sample is. */
enum shepard_io_status shepard_spill_writer_finish(struct shepard_spill_writer *writer,
                                                   struct shepard_io_error *error);

void shepard_spill_writer_end(struct shepard_spill_writer *writer);

/** Merges the runs into buckets, with buffers of so many bytes. */
enum shepard_io_status shepard_spill_merge(struct shepard_spill *spill, size_t memory, int threads,
                                           const struct shepard_io_control *control,
                                           struct shepard_io_error *error);

/** Opens a new file in the spill's folder: it, or -1 with *error. */
int shepard_spill_open(const struct shepard_spill *spill, const char *name,
                       struct shepard_io_error *error);

/** Writes records; first: the number of the first one in the file. */
enum shepard_io_status shepard_spill_write(const struct shepard_spill *spill, int file,
                                           const double *records, size_t count, uint64_t first,
                                           struct shepard_io_error *error);

/** What was written is not there any more, or not as it was. */
enum shepard_io_status shepard_spill_fail_lost(const struct shepard_spill *spill,
                                               struct shepard_io_error *error);

#endif
