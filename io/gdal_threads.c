/* SPDX-License-Identifier: MIT */
#include "gdal_threads.h"

#include "io_error.h"

#include <cpl_conv.h>
#include <cpl_multiproc.h>
#include <cpl_string.h>
#include <gdal.h>

static int allowed = 1;
static bool begun;

void shepard_io_use_threads(int threads)
{
    allowed = threads > 1 ? threads : 1;
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
    CPLJoinableThread *threads[COMPRESSING_THREADS_MOST];
    CPLMutex *mutex = CPLCreateMutex(); /* acquired */
    int given = 0;
    while (mutex && given < most && (threads[given] = CPLCreateJoinableThread(wait_for_all, mutex)))
        given++;
    if (mutex)
        CPLReleaseMutex(mutex);
    for (int i = 0; i < given; i++)
        CPLJoinThread(threads[i]);
    if (mutex)
        CPLDestroyMutex(mutex);
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

void shepard_gdal_begin_threads(void)
{
    if (begun || allowed < 2)
        return;
    begun = true;
    shepard_gdal_keep_thread_errors();
    if (CPLGetConfigOption("GDAL_NUM_THREADS", NULL))
        return;
    const int given =
        threads_given(allowed < COMPRESSING_THREADS_MOST ? allowed : COMPRESSING_THREADS_MOST);
    if (given < 2)
        return;
    CPLSetConfigOption("GDAL_NUM_THREADS", CPLSPrintf("%d", given));
    begin(given);
}
