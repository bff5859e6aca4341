/* SPDX-License-Identifier: MIT */
/** Items that are read on a thread of their own while those before are used, or, where only one
 * thread is to be used, one after the other on the calling thread. */
#ifndef SHEPARD_IO_READ_AHEAD_H
#define SHEPARD_IO_READ_AHEAD_H

#include "io_error.h"

/** How items are read. All calls are on one thread, but the last clear of each item. */
struct shepard_item_reader {
    size_t size; /**< bytes of an item; all 0 is an empty one */
    /** Reads the next item into an empty one; false: there is no further one, or what GDAL reports
     * spoils it. It is not called again after an error of GDAL's. */
    bool (*read)(void *item, const struct shepard_gdal_error_scope *trap, void *user);
    /** Makes an item empty, which it may be. */
    void (*clear)(void *item, void *user);
    void *user;
};

struct shepard_read_ahead;

/** Begins to read; NULL: out of memory. What reader->user points to is not to be used until
 * shepard_read_ahead_end. Warnings go to control, on the calling thread. */
struct shepard_read_ahead *shepard_read_ahead_begin(const struct shepard_item_reader *reader,
                                                    const struct shepard_io_control *control);

/** The next item, which stays until the next call; NULL: at the end, and where reading
 * failed, whose error GDAL reports again, on the calling thread. */
void *shepard_read_ahead_next(struct shepard_read_ahead *ahead);

/** Ends reading, wherever it is; ahead may be NULL. */
void shepard_read_ahead_end(struct shepard_read_ahead *ahead);

#endif
