/* SPDX-License-Identifier: MIT */
/** The variable-length records of a LAS file that say what its points mean. */
#ifndef SHEPARD_IO_LAS_RECORDS_H
#define SHEPARD_IO_LAS_RECORDS_H

#include "las_header.h"

#include <cpl_vsi.h>

enum shepard_las_record {
    SHEPARD_LAS_WKT,         /* LASF_Projection 2112 */
    SHEPARD_LAS_GEO_KEYS,    /* LASF_Projection 34735, as the tag of TIFF */
    SHEPARD_LAS_GEO_DOUBLES, /* 34736 */
    SHEPARD_LAS_GEO_TEXTS,   /* 34737 */
    SHEPARD_LAS_EXTRA_BYTES, /* LASF_Spec 4 */
    SHEPARD_LAS_RECORDS
};

/** Start from {0}. */
struct shepard_las_records {
    struct {
        unsigned char *bytes; /* [size], then a 0; NULL: the file has none */
        size_t size;
    } record[SHEPARD_LAS_RECORDS];
    bool damaged; /* a record goes beyond its place: it and those behind it are not there */
};

/** Reads the records; false: out of memory. Of two of a kind the first one counts. */
bool shepard_las_records_read(struct shepard_las_records *records,
                              const struct shepard_las_header *header, VSILFILE *file,
                              uint64_t file_size);

void shepard_las_records_free(struct shepard_las_records *records);

#endif
