/* SPDX-License-Identifier: MIT */
#include "read_ahead.h"

#include "gdal_threads.h"

#include <cpl_conv.h>
#include <cpl_multiproc.h>
#include <cpl_string.h>

/* One is used, one waits, one is read. */
enum { ITEMS = 3 };

struct shepard_read_ahead {
    struct shepard_item_reader reader;
    const struct shepard_io_control *control;
    struct shepard_gdal_error_scope trap; /* of the thread that reads */
    unsigned char *items;                 /* [ITEMS] */
    size_t places;                        /* of these that are taken in turn */
    CPLJoinableThread *thread;            /* NULL: items are read where they are used */
    CPLMutex *mutex;                      /* of what follows */
    CPLCond *changed;
    size_t read, handed, done; /* items that are read, handed out, and not used any more */
    bool ended;                /* nothing more is read */
    bool stopped;              /* nothing more is wanted */
    char **warnings;           /* of the thread, not passed on yet */
};

static void *item_at(const struct shepard_read_ahead *ahead, size_t i)
{
    return ahead->items + i % ahead->places * ahead->reader.size;
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* Into the place of an item that is not used any more. Errors stay in the trap. */
static bool read_one(struct shepard_read_ahead *ahead, const struct shepard_io_control *control)
{
    void *item = item_at(ahead, ahead->read);
    shepard_gdal_error_scope_begin(&ahead->trap, control);
    ahead->reader.clear(item, ahead->reader.user);
    const bool good = ahead->reader.read(item, &ahead->trap, ahead->reader.user);
    shepard_gdal_error_scope_end(&ahead->trap, SHEPARD_IO_ERROR_READ);
    return good;
}

static void count(struct shepard_read_ahead *ahead, bool good)
{
    ahead->read += good;
    ahead->ended = !good || ahead->trap.text[0];
}

static void keep_warning(const char *message, void *user)
{
    struct shepard_read_ahead *ahead = user;
    CPLAcquireMutex(ahead->mutex, 1000);
    ahead->warnings = CSLAddString(ahead->warnings, message);
    CPLReleaseMutex(ahead->mutex);
}

/* The thread. */
static void read_all(void *user)
{
    struct shepard_read_ahead *ahead = user;
    const struct shepard_io_control control = {.warning = keep_warning, .user = ahead};
    CPLAcquireMutex(ahead->mutex, 1000);
    while (!ahead->ended) {
        while (ahead->read - ahead->done == ahead->places && !ahead->stopped)
            CPLCondWait(ahead->changed, ahead->mutex);
        if (ahead->stopped)
            break;
        CPLReleaseMutex(ahead->mutex);
        const bool good = read_one(ahead, &control);
        CPLAcquireMutex(ahead->mutex, 1000);
        count(ahead, good);
        CPLCondBroadcast(ahead->changed);
    }
    CPLReleaseMutex(ahead->mutex);
}

/* ---- Using ----------------------------------------------------------------------------------- */

static void pass_warnings_on(const struct shepard_read_ahead *ahead, char **warnings)
{
    for (char **warning = warnings; warning && *warning; warning++)
        shepard_io_warn(ahead->control, "%s", *warning);
    CSLDestroy(warnings);
}

/* Both ways to the next item: whether there is one. */
static bool wait_for_item(struct shepard_read_ahead *ahead)
{
    CPLAcquireMutex(ahead->mutex, 1000);
    ahead->done = ahead->handed;
    CPLCondBroadcast(ahead->changed);
    while (ahead->read == ahead->handed && !ahead->ended)
        CPLCondWait(ahead->changed, ahead->mutex);
    const bool found = ahead->handed < ahead->read;
    ahead->handed += found;
    char **warnings = ahead->warnings;
    ahead->warnings = NULL;
    CPLReleaseMutex(ahead->mutex);
    pass_warnings_on(ahead, warnings);
    return found;
}

static bool read_item_here(struct shepard_read_ahead *ahead)
{
    if (!ahead->ended)
        count(ahead, read_one(ahead, ahead->control));
    const bool found = ahead->handed < ahead->read;
    ahead->handed += found;
    return found;
}

void *shepard_read_ahead_next(struct shepard_read_ahead *ahead)
{
    if (ahead->thread ? wait_for_item(ahead) : read_item_here(ahead))
        return item_at(ahead, ahead->handed - 1);
    if (ahead->trap.text[0])
        CPLError(CE_Failure, CPLE_AppDefined, "%s", ahead->trap.text);
    return NULL;
}

/* ---- Beginning and ending -------------------------------------------------------------------- */

/* Where there is no second thread, the first one reads, into one place. */
static void begin_thread(struct shepard_read_ahead *ahead)
{
    ahead->places = 1;
    if (shepard_gdal_threads() < 2)
        return;
    ahead->mutex = CPLCreateMutex();
    ahead->changed = CPLCreateCond();
    if (ahead->mutex)
        CPLReleaseMutex(ahead->mutex);
    if (!ahead->mutex || !ahead->changed)
        return;
    ahead->places = ITEMS;
    ahead->thread = CPLCreateJoinableThread(read_all, ahead);
    if (!ahead->thread)
        ahead->places = 1;
}

struct shepard_read_ahead *shepard_read_ahead_begin(const struct shepard_item_reader *reader,
                                                    const struct shepard_io_control *control)
{
    struct shepard_read_ahead *ahead = VSICalloc(1, sizeof *ahead);
    unsigned char *items = VSICalloc(ITEMS, reader->size);
    if (!ahead || !items) {
        VSIFree(ahead);
        VSIFree(items);
        return NULL;
    }
    ahead->reader = *reader;
    ahead->control = control;
    ahead->items = items;
    begin_thread(ahead);
    return ahead;
}

static void end_thread(struct shepard_read_ahead *ahead)
{
    if (!ahead->thread)
        return;
    CPLAcquireMutex(ahead->mutex, 1000);
    ahead->stopped = true;
    CPLCondBroadcast(ahead->changed);
    CPLReleaseMutex(ahead->mutex);
    CPLJoinThread(ahead->thread);
}

void shepard_read_ahead_end(struct shepard_read_ahead *ahead)
{
    if (!ahead)
        return;
    end_thread(ahead);
    for (size_t i = 0; i < ITEMS; i++)
        ahead->reader.clear(ahead->items + i * ahead->reader.size, ahead->reader.user);
    CSLDestroy(ahead->warnings); /* of items that nobody wanted */
    if (ahead->changed)
        CPLDestroyCond(ahead->changed);
    if (ahead->mutex)
        CPLDestroyMutex(ahead->mutex);
    VSIFree(ahead->items);
    VSIFree(ahead);
}
