/* SPDX-License-Identifier: MIT */
/** The dimensions of the points of a LAS file: coordinates, intensity, classification, ... */
#ifndef SHEPARD_IO_LAS_DIMENSION_H
#define SHEPARD_IO_LAS_DIMENSION_H

#include "las_header.h"
#include "las_records.h"

/** Types of numbers in a record, in the order of the types of extra bytes, from 1. */
enum shepard_las_type {
    SHEPARD_LAS_U8 = 1,
    SHEPARD_LAS_I8,
    SHEPARD_LAS_U16,
    SHEPARD_LAS_I16,
    SHEPARD_LAS_U32,
    SHEPARD_LAS_I32,
    SHEPARD_LAS_U64,
    SHEPARD_LAS_I64,
    SHEPARD_LAS_F32,
    SHEPARD_LAS_F64
};

/** Where a number stands in a point record, and what it means: stored * scale + offset. */
struct shepard_las_dimension {
    char name[40];
    enum shepard_las_type type;
    size_t at;                /* byte of the record */
    unsigned shift, bits;     /* of a byte that holds several; bits 0: the whole number */
    double scale, offset;     /* 1 and 0: the number as stored */
    bool has_missing;         /* a stored number stands for "no value" */
    unsigned char missing[8]; /* that number, widened to 8 bytes */
};

/** The dimensions of one file, in the order of the record. Start from {0}. */
struct shepard_las_dimensions {
    struct shepard_las_dimension *item;
    size_t count;
};

/** Lists the dimensions; false: out of memory. */
bool shepard_las_dimensions_list(struct shepard_las_dimensions *dimensions,
                                 const struct shepard_las_header *header,
                                 const struct shepard_las_records *records);

void shepard_las_dimensions_free(struct shepard_las_dimensions *dimensions);

/** The dimension of this name, letter case and underlines ignored (so that PDAL's ReturnNumber is
 * return_number); NULL: none. */
const struct shepard_las_dimension *
shepard_las_dimension_find(const struct shepard_las_dimensions *dimensions, const char *name);

/** The number in a record; false where it stands for "no value". */
bool shepard_las_dimension_get(const struct shepard_las_dimension *dimension,
                               const unsigned char *record, double *value);

#endif
