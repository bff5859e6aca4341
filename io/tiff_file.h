/* SPDX-License-Identifier: MIT */
/**
 * The first image of a TIFF file as it lies in the file: its tags, where its blocks are, and how
 * they are coded. GDAL and libtiff give blocks decoded only. TIFF 6.0 and BigTIFF, both byte
 * orders.
 */
#ifndef SHEPARD_IO_TIFF_FILE_H
#define SHEPARD_IO_TIFF_FILE_H

#include "raster_part.h"

#include <cpl_vsi.h>
#include <stdint.h>

/** Values of a tag. */
struct shepard_tiff_tag {
    unsigned number, type;
    uint64_t count;
    uint64_t place; /* of the values in the file */
};

/** Start from {0}. */
struct shepard_tiff_file {
    VSILFILE *file;
    bool big_endian;
    bool big_tiff;
    size_t tag_count;
    struct shepard_tiff_tag *tags;
    struct shepard_block_layout layout;
    size_t planes;           /* 1, or one for each band */
    size_t blocks;           /* of all planes, plane after plane */
    unsigned offsets, sizes; /* numbers of the tags that say where the blocks are */
};

/** Opens a file; mode: "rb" or "r+b". False where it cannot be read as a TIFF; close it in any
 * case. */
bool shepard_tiff_open(struct shepard_tiff_file *tiff, const char *path, const char *mode);

/** False where what was written did not get into the file. */
bool shepard_tiff_close(struct shepard_tiff_file *tiff);

/** Reads offsets and sizes of all blocks, [blocks] each; 0 where a block is missing. */
bool shepard_tiff_read_blocks(const struct shepard_tiff_file *tiff, uint64_t *offsets,
                              uint64_t *sizes);

/** Writes them. False where a number is too large for the file, too. */
bool shepard_tiff_write_blocks(const struct shepard_tiff_file *tiff, const uint64_t *offsets,
                               const uint64_t *sizes);

/** The first number of a tag; 0 where there is no such tag. */
uint64_t shepard_tiff_number(const struct shepard_tiff_file *tiff, unsigned tag);

/** What differs in how blocks of the two files are coded and cut, as a noun ("predictor"); NULL
 * where those of one can be put into the other. */
const char *shepard_tiff_difference(const struct shepard_tiff_file *a,
                                    const struct shepard_tiff_file *b);

/* Numbers of tags. */
enum {
    SHEPARD_TIFF_BLOCK_ROWS = 278,
    SHEPARD_TIFF_PREDICTOR = 317,
    SHEPARD_TIFF_TILE_COLUMNS = 322
};

#endif
