/* SPDX-License-Identifier: MIT */
/**
 * A GeoTIFF whose finished blocks survive the run: each window is coded by GDAL in memory, its
 * blocks are appended to the file as they are, and a journal says where they are and what their
 * checksums are. The directory of the file gets their places at the end.
 */
#ifndef SHEPARD_IO_KEPT_RASTER_H
#define SHEPARD_IO_KEPT_RASTER_H

#include "journal.h"
#include "output_stage.h"
#include "tiff_file.h"

/** Start from {.file = -1, .journal = {.file = -1}}. */
struct shepard_kept_raster {
    /* what windows are coded with, given by the caller */
    GDALDriverH driver;
    const char *output; /* what the file is a part of, or is; borrowed */
    GDALDataType type;
    int bands;
    bool has_nodata;
    double nodata;
    char **options; /* borrowed */
    /* the file */
    int file;
    char *path, *journal_path;
    struct shepard_journal journal;
    struct shepard_block_layout layout;
    size_t planes, in_plane;   /* blocks of a plane */
    uint64_t *offsets, *sizes; /* [planes * in_plane] */
    bool *finished;            /* [in_plane] in all planes */
    uint64_t end;              /* of what is in the file */
    bool moved;                /* the finished file was put in its place by a run that ended then */
    double synced;             /* when the disk last had everything */
    /* what the caller counts, as it was after the last window */
    unsigned char *state;
    size_t state_size;
    /* the window being written */
    GDALDatasetH window;
    char *window_path;
    struct shepard_window at;
};

/** Fails where the output cannot be such a file: it must be a GeoTIFF in a folder. */
enum shepard_io_status shepard_kept_raster_check(const char *path, GDALDriverH driver,
                                                 struct shepard_io_error *error);

/** Looks for what a run of the same text ("NAME=VALUE" lines) has left in the stage, and goes on
 * with it; *found says whether there was any. Fails, with what differs, where it was a run of
 * another text. */
enum shepard_io_status shepard_kept_raster_find(struct shepard_kept_raster *kept,
                                                const struct shepard_output_stage *stage,
                                                const char *text, bool *found,
                                                struct shepard_io_error *error);

/** Begins with the file that stands there, which GDAL made and which has no block yet. */
enum shepard_io_status shepard_kept_raster_begin(struct shepard_kept_raster *kept,
                                                 const struct shepard_output_stage *stage,
                                                 const char *text, struct shepard_io_error *error);

/** The first block from this one on that is not finished; in_plane where all are. */
size_t shepard_kept_raster_next(const struct shepard_kept_raster *kept, size_t block);

/** Writes one band of a window, a run of whole blocks in row-major order. */
bool shepard_kept_raster_write(struct shepard_kept_raster *kept, size_t b,
                               const struct shepard_window *window, const double *values);

/** Keeps the window, all bands of which were written, and the caller's counts: 0, or errno; -1
 * where GDAL says why. */
int shepard_kept_raster_keep(struct shepard_kept_raster *kept, const void *state, size_t size);

/** Completes the file: false where it cannot be written. */
bool shepard_kept_raster_finish(struct shepard_kept_raster *kept);

/** Notes of a complete file, about to be put in its place, that it is known there: false where that
 * cannot be written. */
bool shepard_kept_raster_sign(struct shepard_kept_raster *kept);

void shepard_kept_raster_close(struct shepard_kept_raster *kept);

#endif
