/* SPDX-License-Identifier: MIT */
/** Failures of libshepard_io, and the trap that catches what GDAL has to say about them. */
#ifndef SHEPARD_IO_ERROR_H
#define SHEPARD_IO_ERROR_H

#include "shepard/shepard_io.h"

#if defined(__GNUC__)
#define SHEPARD_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define SHEPARD_PRINTF(text, first)
#endif

/** Fills *error (may be NULL) and returns status. */
enum shepard_io_status shepard_io_fail(struct shepard_io_error *error,
                                       enum shepard_io_status status, const char *argument,
                                       const char *format, ...) SHEPARD_PRINTF(4, 5);

/** Out of memory. */
enum shepard_io_status shepard_io_fail_memory(struct shepard_io_error *error);

/** Cancelled by the progress callback. */
enum shepard_io_status shepard_io_fail_cancelled(struct shepard_io_error *error);

/** Passes a warning on; control may be NULL. */
void shepard_io_warn(const struct shepard_io_control *control, const char *format, ...)
    SHEPARD_PRINTF(2, 3);

/** Reports progress; false: cancelled. control may be NULL. */
bool shepard_io_progress(const struct shepard_io_control *control, double fraction);

/** What GDAL's own loops report to. */
struct shepard_gdal_progress {
    const struct shepard_io_control *control;
    bool cancelled; /* the callback said so */
};

/** GDALProgressFunc that reports to a struct shepard_gdal_progress. */
int shepard_gdal_progress(double fraction, const char *message, void *progress);

/** Appends formatted text to text[size], cut where it does not fit. */
void shepard_text_append(char *text, size_t size, const char *format, ...) SHEPARD_PRINTF(3, 4);

/** Names of layers or fields that a message shows. */
enum { SHEPARD_NAMES_SHOWN = 12 };

/** Appends up to `most` names, quoted and separated by commas, and says how many are left out. */
void shepard_text_append_names(char *text, size_t size, const char *const *names, size_t count,
                               size_t most);

/** Catches GDAL's messages of this thread between begin and end. */
struct shepard_gdal_error_scope {
    const struct shepard_io_control *control;
    int count;      /**< of errors in the text */
    char text[700]; /**< GDAL's first errors, "" if none */
};

void shepard_gdal_error_scope_begin(struct shepard_gdal_error_scope *trap,
                                    const struct shepard_io_control *control);

/** Errors of a call that succeeded all the same become a warning. Returns status. */
enum shepard_io_status shepard_gdal_error_scope_end(struct shepard_gdal_error_scope *trap,
                                                    enum shepard_io_status status);

/** Forgets the errors caught so far. */
void shepard_gdal_error_scope_clear(struct shepard_gdal_error_scope *trap);

/** What GDAL said, as the end of a sentence: " (GDAL: ...)", or "". */
const char *shepard_gdal_error_scope_text(struct shepard_gdal_error_scope *trap);

/** From now on errors that GDAL reports on threads of its own, which no scope catches, are kept:
 * a block that could not be compressed there is missing in the file, and no call says so. */
void shepard_gdal_keep_thread_errors(void);

/** Reports such errors since the last call on this thread. Whether there were any. */
bool shepard_gdal_report_thread_errors(void);

#endif
