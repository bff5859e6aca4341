/* SPDX-License-Identifier: MIT */
#include "io_error.h"

#include <cpl_error.h>
#include <cpl_multiproc.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define STATUS_TEXT(name, text) text,
static const char *const status_texts[] = {SHEPARD_IO_STATUS_LIST(STATUS_TEXT)};
#undef STATUS_TEXT

const char *shepard_io_status_text(enum shepard_io_status status)
{
    return (unsigned)status < SHEPARD_IO_STATUS_COUNT ? status_texts[status] : "unknown status";
}

static void to_one_line(char *text)
{
    size_t length = strlen(text);
    while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == ' '))
        text[--length] = '\0';
    for (char *c = text; *c; c++)
        if (*c == '\n' || *c == '\r' || *c == '\t')
            *c = ' ';
}

static SHEPARD_PRINTF(3, 0) void format_text(char *text, size_t size, const char *format,
                                             va_list arguments)
{
    if (vsnprintf(text, size, format, arguments) >= (int)size)
        memcpy(text + size - 4, "...", 4);
    to_one_line(text);
}

enum shepard_io_status shepard_io_fail(struct shepard_io_error *error,
                                       enum shepard_io_status status, const char *argument,
                                       const char *format, ...)
{
    if (!error)
        return status;
    error->status = status;
    snprintf(error->argument, sizeof error->argument, "%s", argument);
    va_list arguments;
    va_start(arguments, format);
    format_text(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return status;
}

enum shepard_io_status shepard_io_fail_memory(struct shepard_io_error *error)
{
    return shepard_io_fail(error, SHEPARD_IO_ERROR_MEMORY, "",
                           "out of memory: read fewer points at once (-spat, -where) or use a "
                           "machine with more memory");
}

enum shepard_io_status shepard_io_fail_cancelled(struct shepard_io_error *error)
{
    return shepard_io_fail(error, SHEPARD_IO_ERROR_CANCELLED, "", "cancelled");
}

void shepard_io_warn(const struct shepard_io_control *control, const char *format, ...)
{
    if (!control || !control->warning)
        return;
    char text[1000];
    va_list arguments;
    va_start(arguments, format);
    format_text(text, sizeof text, format, arguments);
    va_end(arguments);
    control->warning(text, control->user);
}

bool shepard_io_progress(const struct shepard_io_control *control, double fraction)
{
    return !control || !control->progress || control->progress(fraction, control->user);
}

int shepard_gdal_progress(double fraction, const char *message, void *progress)
{
    struct shepard_gdal_progress *report = progress;
    (void)message;
    if (!shepard_io_progress(report->control, fraction))
        report->cancelled = true;
    return !report->cancelled;
}

void shepard_text_append(char *text, size_t size, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

void shepard_text_append_names(char *text, size_t size, const char *const *names, size_t count,
                               size_t most)
{
    for (size_t i = 0; i < count && i < most; i++)
        shepard_text_append(text, size, "%s\"%s\"", i ? ", " : "", names[i]);
    if (count > most)
        shepard_text_append(text, size, " and %zu more", count - most);
}

/* The first say what is wrong; those after them are its consequences, one for each row at times. */
enum { ERRORS_SHOWN = 3 };

static void keep_failure(struct shepard_gdal_error_scope *trap, const char *message)
{
    if (!message[0] || trap->count == ERRORS_SHOWN || strstr(trap->text, message))
        return;
    trap->count++;
    shepard_text_append(trap->text, sizeof trap->text, "%s%s", trap->text[0] ? "; " : "", message);
}

static void CPL_STDCALL catch_message(CPLErr severity, CPLErrorNum number, const char *message)
{
    struct shepard_gdal_error_scope *trap = CPLGetErrorHandlerUserData();
    if (severity == CE_Debug)
        CPLDefaultErrorHandler(severity, number, message);
    else if (severity == CE_Warning)
        shepard_io_warn(trap->control, "%s", message);
    else if (severity >= CE_Failure)
        keep_failure(trap, message);
}

/* Of the errors of all threads without a scope. */
static struct shepard_gdal_error_scope thread_errors;
static CPLMutex *thread_errors_lock; /* NULL: not taken yet */

static void CPL_STDCALL keep_thread_message(CPLErr severity, CPLErrorNum number,
                                            const char *message)
{
    CPLDefaultErrorHandler(severity, number, message);
    if (severity >= CE_Failure && CPLCreateOrAcquireMutex(&thread_errors_lock, 1000)) {
        keep_failure(&thread_errors, message);
        CPLReleaseMutex(thread_errors_lock);
    }
}

void shepard_gdal_keep_thread_errors(void)
{
    CPLSetErrorHandler(keep_thread_message);
}

bool shepard_gdal_report_thread_errors(void)
{
    struct shepard_gdal_error_scope errors = {0};
    if (CPLCreateOrAcquireMutex(&thread_errors_lock, 1000)) {
        errors = thread_errors;
        thread_errors = (struct shepard_gdal_error_scope){0};
        CPLReleaseMutex(thread_errors_lock);
    }
    if (errors.count > 0)
        CPLError(CE_Failure, CPLE_AppDefined, "%s", errors.text);
    return errors.count > 0;
}

void shepard_gdal_error_scope_begin(struct shepard_gdal_error_scope *trap,
                                    const struct shepard_io_control *control)
{
    trap->control = control;
    trap->count = 0;
    trap->text[0] = '\0';
    CPLErrorReset();
    CPLPushErrorHandlerEx(catch_message, trap);
}

enum shepard_io_status shepard_gdal_error_scope_end(struct shepard_gdal_error_scope *trap,
                                                    enum shepard_io_status status)
{
    CPLPopErrorHandler();
    CPLErrorReset();
    if (status == SHEPARD_IO_OK && trap->text[0])
        shepard_io_warn(trap->control, "%s", trap->text);
    return status;
}

void shepard_gdal_error_scope_clear(struct shepard_gdal_error_scope *trap)
{
    trap->count = 0;
    trap->text[0] = '\0';
    CPLErrorReset();
}

const char *shepard_gdal_error_scope_text(struct shepard_gdal_error_scope *trap)
{
    static const char before[] = " (GDAL: ";
    if (!trap->text[0] || strncmp(trap->text, before, sizeof before - 1) == 0)
        return trap->text;
    trap->text[sizeof trap->text - sizeof before - 2] = '\0';
    const size_t length = strlen(trap->text);
    memmove(trap->text + sizeof before - 1, trap->text, length + 1);
    memcpy(trap->text, before, sizeof before - 1);
    memcpy(trap->text + sizeof before - 1 + length, ")", 2);
    return trap->text;
}
