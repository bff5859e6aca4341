/* SPDX-License-Identifier: MIT */
#include "gdal_threads.h"

#include "io_error.h"

#include <cpl_conv.h>
#include <cpl_multiproc.h>
#include <cpl_string.h>
#include <gdal.h>
#include <stdlib.h>

static int allowed = 1;
static bool told;            /* how many */
static bool begun;           /* those that compress, for what was told last */
static bool chosen;          /* GDAL_NUM_THREADS, by this file */
static CPLMutex *begin_lock; /* NULL: not taken yet */

void shepard_io_use_threads(int threads)
{
    allowed = threads > 1 ? threads : 1;
    told = true;
    begun = false;
}

int shepard_gdal_threads(void)
{
    return allowed;
}

/* ---- Compressing ----------------------------------------------------------------------------- */

/* Each holds two blocks, and one thread puts them all into the file. */
enum { COMPRESSING_THREADS_MOST = 64 };

/* One of those that are there at the same time, each with memory of its own. */
static void wait_for_all(void *mutex)
{
    VSIFree(VSIMalloc(1));
    CPLAcquireMutex(mutex, 1000);
    CPLReleaseMutex(mutex);
}

/* How many threads the system gives, at most so many. */
static int threads_given(int most)
{
    CPLJoinableThread **threads = VSICalloc((size_t)most, sizeof *threads);
    CPLMutex *mutex = threads ? CPLCreateMutex() : NULL; /* acquired */
    int given = 0;
    while (mutex && given < most && (threads[given] = CPLCreateJoinableThread(wait_for_all, mutex)))
        given++;
    if (mutex)
        CPLReleaseMutex(mutex);
    for (int i = 0; i < given; i++)
        CPLJoinThread(threads[i]);
    if (mutex)
        CPLDestroyMutex(mutex);
    VSIFree(threads);
    return given;
}

/* GDAL begins a thread with each of the first blocks that it compresses, and waits for ever where
 * the system gives none. So all of them begin here, and stay. */
static void begin(int count)
{
    CPLPushErrorHandler(CPLQuietErrorHandler);
    static const char path[] = "/vsimem/shepard-threads.tif";
    char **options = CSLSetNameValue(NULL, "COMPRESS", "DEFLATE");
    options = CSLSetNameValue(options, "BLOCKYSIZE", "1");
    GDALDatasetH rows =
        GDALCreate(GDALGetDriverByName("GTiff"), path, 1, count, 1, GDT_Byte, options);
    if (rows)
        GDALFillRaster(GDALGetRasterBand(rows, 1), 1, 0);
    GDALClose(rows);
    VSIUnlink(path);
    CSLDestroy(options);
    shepard_gdal_report_thread_errors();
    CPLPopErrorHandler();
}

/* How many threads GDAL would begin. */
static int threads_asked(const char *option)
{
    enum { OPTION_MOST = 1024 }; /* as GDAL */
    if (!option || chosen)
        return allowed < COMPRESSING_THREADS_MOST ? allowed : COMPRESSING_THREADS_MOST;
    const int asked = EQUAL(option, "ALL_CPUS") ? CPLGetNumCPUs() : atoi(option);
    return asked < OPTION_MOST ? asked : OPTION_MOST;
}

static void begin_once(void)
{
    static const char name[] = "GDAL_NUM_THREADS";
    const char *option = CPLGetConfigOption(name, NULL);
    const int asked = threads_asked(option);
    if (told)
        shepard_gdal_keep_thread_errors();
    if (asked < 2 && !chosen)
        return;
    const int given = threads_given(asked);
    if (!option || chosen || given < asked) {
        CPLSetConfigOption(name, CPLSPrintf("%d", given > 1 ? given : 1));
        chosen = true;
    }
    if (given > 1)
        begin(given);
}

void shepard_gdal_begin_threads(void)
{
    if (!CPLCreateOrAcquireMutex(&begin_lock, 1000))
        return;
    if (!begun)
        begin_once();
    begun = true;
    CPLReleaseMutex(begin_lock);
}
