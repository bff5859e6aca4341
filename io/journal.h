/* SPDX-License-Identifier: MIT */
/** A file of records that only grows. A record counts once all of it is in the file: what a killed
 * run or a power failure left behind the last whole one is cut off. */
#ifndef SHEPARD_IO_JOURNAL_H
#define SHEPARD_IO_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Start from {.file = -1}. */
struct shepard_journal {
    int file;
    uint64_t end; /* of the records read or written so far */
};

/** Makes a journal with one record, on the disk when it returns: 0, or errno. */
int shepard_journal_begin(struct shepard_journal *journal, const char *path, const void *record,
                          size_t size);

/** Opens one to be read from its first record on: 0, or errno. */
int shepard_journal_open(struct shepard_journal *journal, const char *path);

/** The next record, to be freed by free; NULL at the end, or where it is damaged. */
unsigned char *shepard_journal_read(struct shepard_journal *journal, size_t *size);

/** Cuts off what is behind `end`; what is appended comes there. 0, or errno. */
int shepard_journal_cut(struct shepard_journal *journal, uint64_t end);

/** Appends a record: 0, or errno. */
int shepard_journal_append(struct shepard_journal *journal, const void *record, size_t size);

void shepard_journal_close(struct shepard_journal *journal);

/** Writes all size bytes at a place of a file: 0, or errno. */
int shepard_write_at(int file, const void *bytes, size_t size, uint64_t place);

/** Reads them; false where there are fewer. */
bool shepard_read_at(int file, void *bytes, size_t size, uint64_t place);

#endif
