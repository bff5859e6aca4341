/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE
#include "kept_raster.h"

#include "checksum.h"
#include "standard_output.h"
#include "string_list.h"

#include <cpl_conv.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The disk has everything that is older. */
static const double sync_seconds = 1;

/* A window in the journal; behind it the sizes of its blocks, plane after plane, and the state. */
struct window_record {
    uint64_t first, count; /* blocks of a plane, in row-major order */
    uint64_t offset, bytes, checksum;
    uint64_t state_size;
};

/* The last record: the finished file, by which it is known in its place. */
struct end_record {
    uint64_t device, inode;
};

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static enum shepard_io_status fail_file(const struct shepard_kept_raster *kept, int reason,
                                        struct shepard_io_error *error)
{
    return shepard_io_fail(error, SHEPARD_IO_ERROR_WRITE, "path", "cannot write \"%.300s\": %s",
                           kept->path, strerror(reason));
}

enum shepard_io_status shepard_kept_raster_check(const char *path, GDALDriverH driver,
                                                 struct shepard_io_error *error)
{
    if (shepard_is_stdout(path) || STARTS_WITH(path, "/vsi"))
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "path",
                               "\"%.300s\" cannot be resumed, which needs a file in a folder: give "
                               "the name of a GeoTIFF",
                               path);
    if (!EQUAL(GDALGetDriverShortName(driver), "GTiff"))
        return shepard_io_fail(error, SHEPARD_IO_ERROR_FORMAT, "format",
                               "the format %s cannot be resumed: only GeoTIFF (-of GTiff) takes "
                               "finished blocks as they are; convert it afterwards",
                               GDALGetDriverShortName(driver));
    return SHEPARD_IO_OK;
}

/* ---- The file -------------------------------------------------------------------------------- */

static bool read_layout(struct shepard_kept_raster *kept)
{
    struct shepard_tiff_file tiff;
    const bool good = shepard_tiff_open(&tiff, kept->path, "rb");
    if (good) {
        kept->layout = tiff.layout;
        kept->planes = tiff.planes;
        kept->in_plane = tiff.blocks / tiff.planes;
        kept->offsets = VSICalloc(tiff.blocks, sizeof *kept->offsets);
        kept->sizes = VSICalloc(tiff.blocks, sizeof *kept->sizes);
        kept->finished = VSICalloc(kept->in_plane, sizeof *kept->finished);
    }
    shepard_tiff_close(&tiff);
    return good && kept->offsets && kept->sizes && kept->finished;
}

size_t shepard_kept_raster_next(const struct shepard_kept_raster *kept, size_t block)
{
    while (block < kept->in_plane && kept->finished[block])
        block++;
    return block;
}

/* ---- Going on -------------------------------------------------------------------------------- */

/* Whether the bytes of a window are those of the journal. */
static bool has_bytes(const struct shepard_kept_raster *kept, const struct window_record *record)
{
    unsigned char *bytes = VSIMalloc(record->bytes + 1);
    const bool same = bytes &&
                      shepard_read_at(kept->file, bytes, (size_t)record->bytes, record->offset) &&
                      shepard_checksum_add(0, bytes, (size_t)record->bytes) == record->checksum;
    VSIFree(bytes);
    return same;
}

static void set_blocks(struct shepard_kept_raster *kept, const struct window_record *record,
                       const uint64_t *sizes)
{
    uint64_t offset = record->offset;
    for (size_t i = 0; i < kept->planes * record->count; i++) {
        const size_t block =
            i / record->count * kept->in_plane + (size_t)record->first + i % record->count;
        kept->sizes[block] = sizes[i];
        kept->offsets[block] = sizes[i] > 0 ? offset : 0;
        offset += sizes[i];
    }
    for (uint64_t i = 0; i < record->count; i++)
        kept->finished[record->first + i] = true;
    kept->end = offset;
}

static bool keep_state(struct shepard_kept_raster *kept, const void *state, size_t size)
{
    unsigned char *copy = VSIRealloc(kept->state, size + 1);
    if (!copy)
        return false;
    memcpy(copy, state, size);
    kept->state = copy;
    kept->state_size = size;
    return true;
}

/* Whether none of the blocks was there before. */
static bool is_new(const struct shepard_kept_raster *kept, const struct window_record *record)
{
    if (record->first > kept->in_plane || record->count == 0 ||
        record->count > kept->in_plane - record->first)
        return false;
    bool found = false;
    for (uint64_t i = 0; i < record->count; i++)
        found = found || kept->finished[record->first + i];
    return !found;
}

/* False: it does not follow what is known so far, or its blocks are not in the file. */
static bool take_record(struct shepard_kept_raster *kept, const unsigned char *bytes, size_t size)
{
    struct window_record record;
    if (size < sizeof record)
        return false;
    memcpy(&record, bytes, sizeof record);
    if (!is_new(kept, &record) || record.offset != kept->end ||
        size != sizeof record + kept->planes * record.count * sizeof(uint64_t) + record.state_size)
        return false;
    const size_t count = kept->planes * (size_t)record.count;
    uint64_t *sizes = VSIMalloc2(count, sizeof *sizes);
    bool good = sizes && has_bytes(kept, &record);
    uint64_t sum = 0;
    if (good)
        memcpy(sizes, bytes + sizeof record, count * sizeof *sizes);
    for (size_t i = 0; good && i < count; i++)
        sum += sizes[i];
    good =
        good && sum == record.bytes &&
        keep_state(kept, bytes + sizeof record + count * sizeof *sizes, (size_t)record.state_size);
    if (good)
        set_blocks(kept, &record, sizes);
    VSIFree(sizes);
    return good;
}

static bool is_moved(const struct shepard_output_stage *stage, const unsigned char *bytes,
                     size_t size)
{
    struct end_record record;
    struct stat info;
    if (size != sizeof record || stat(stage->target, &info) != 0)
        return false;
    memcpy(&record, bytes, sizeof record);
    return record.device == (uint64_t)info.st_dev && record.inode == (uint64_t)info.st_ino;
}

/* The file is gone: it may be the output already. */
static bool find_moved(struct shepard_kept_raster *kept, const struct shepard_output_stage *stage)
{
    unsigned char *bytes;
    size_t size;
    while (!kept->moved && (bytes = shepard_journal_read(&kept->journal, &size))) {
        kept->moved = is_moved(stage, bytes, size);
        free(bytes);
    }
    return kept->moved;
}

/* Windows as far as they are whole; what comes behind them is computed again. */
static bool take_windows(struct shepard_kept_raster *kept)
{
    bool good = true;
    uint64_t whole = kept->journal.end;
    unsigned char *bytes;
    size_t size;
    while (good && (bytes = shepard_journal_read(&kept->journal, &size))) {
        good = take_record(kept, bytes, size);
        whole = good ? kept->journal.end : whole;
        free(bytes);
    }
    return shepard_journal_cut(&kept->journal, whole) == 0 &&
           ftruncate(kept->file, (off_t)kept->end) == 0;
}

/* Bytes of a text up to the end of its line, as many as a message shows. */
static int line_length(const char *text)
{
    enum { SHOWN = 120 };
    const size_t length = strcspn(text, "\n");
    return length < SHOWN ? (int)length : SHOWN;
}

/* Names the line in which the texts differ first, and shows it from the word that differs on. */
static enum shepard_io_status fail_other(const char *output, const char *text, const char *before,
                                         struct shepard_io_error *error)
{
    size_t line = 0, word = 0;
    for (size_t i = 0; text[i] && text[i] == before[i]; i++) {
        line = text[i] == '\n' ? i + 1 : line;
        word = strchr("\n: ", text[i]) || (text[i] == '=' && word == line) ? i + 1 : word;
    }
    const char *named = text[line] ? text + line : before + line;
    char *folder = shepard_stage_kept_folder(output);
    const enum shepard_io_status status = shepard_io_fail(
        error, SHEPARD_IO_ERROR_ARGUMENT, "inputs",
        "\"%.300s\" was begun with other data or parameters: %.*s has \"%.*s\" now and had "
        "\"%.*s\" then; give the same ones, or remove \"%.300s\" to begin anew",
        output, (int)strcspn(named, "=\n"), named, line_length(text + word), text + word,
        line_length(before + word), before + word, folder);
    CPLFree(folder);
    return status;
}

/* Whether anything is finished, behind what is read. */
static bool has_record(struct shepard_kept_raster *kept)
{
    size_t size;
    unsigned char *bytes = shepard_journal_read(&kept->journal, &size);
    free(bytes);
    return bytes != NULL;
}

/* The first record: where blocks begin in the file, and the text. Where it is another text and
 * nothing is finished, nothing is lost by beginning anew. */
static enum shepard_io_status read_text(struct shepard_kept_raster *kept, const char *text,
                                        bool *found, struct shepard_io_error *error)
{
    size_t size = 0;
    unsigned char *bytes = shepard_journal_open(&kept->journal, kept->journal_path) == 0
                               ? shepard_journal_read(&kept->journal, &size)
                               : NULL;
    enum shepard_io_status status = SHEPARD_IO_OK;
    *found = bytes && size > sizeof kept->end && bytes[size - 1] == '\0';
    if (*found) {
        const char *before = (const char *)bytes + sizeof kept->end;
        const bool same = strcmp(before, text) == 0;
        memcpy(&kept->end, bytes, sizeof kept->end);
        *found = same || has_record(kept);
        if (*found && !same)
            status = fail_other(kept->output, text, before, error);
    }
    free(bytes);
    return status;
}

/* What cannot be gone on with. */
static void forget(struct shepard_kept_raster *kept)
{
    shepard_journal_close(&kept->journal);
    if (kept->file >= 0)
        close(kept->file);
    VSIFree(kept->offsets);
    VSIFree(kept->sizes);
    VSIFree(kept->finished);
    kept->file = -1;
    kept->offsets = NULL;
    kept->sizes = NULL;
    kept->finished = NULL;
}

static void name_files(struct shepard_kept_raster *kept, const struct shepard_output_stage *stage)
{
    if (!kept->path) {
        kept->path = CPLStrdup(stage->path);
        kept->journal_path = shepard_stage_scratch(stage, "journal");
    }
}

enum shepard_io_status shepard_kept_raster_find(struct shepard_kept_raster *kept,
                                                const struct shepard_output_stage *stage,
                                                const char *text, bool *found,
                                                struct shepard_io_error *error)
{
    name_files(kept, stage);
    enum shepard_io_status status = read_text(kept, text, found, error);
    if (!*found)
        forget(kept);
    if (status || !*found)
        return status;
    kept->file = open(kept->path, O_RDWR | O_CLOEXEC);
    *found = kept->file >= 0 ? read_layout(kept) && take_windows(kept) : find_moved(kept, stage);
    if (!*found)
        forget(kept);
    return SHEPARD_IO_OK;
}

/* ---- Beginning ------------------------------------------------------------------------------- */

static int begin_journal(struct shepard_kept_raster *kept, const char *text)
{
    const size_t length = strlen(text) + 1;
    unsigned char *record = malloc(sizeof kept->end + length);
    if (!record)
        return ENOMEM;
    memcpy(record, &kept->end, sizeof kept->end);
    memcpy(record + sizeof kept->end, text, length);
    const int reason = shepard_journal_begin(&kept->journal, kept->journal_path, record,
                                             sizeof kept->end + length);
    free(record);
    return reason;
}

enum shepard_io_status shepard_kept_raster_begin(struct shepard_kept_raster *kept,
                                                 const struct shepard_output_stage *stage,
                                                 const char *text, struct shepard_io_error *error)
{
    struct stat info;
    name_files(kept, stage);
    kept->file = open(kept->path, O_RDWR | O_CLOEXEC);
    if (kept->file < 0 || fstat(kept->file, &info) != 0 || fsync(kept->file) != 0)
        return fail_file(kept, errno, error);
    if (!read_layout(kept))
        return shepard_io_fail_memory(error);
    kept->end = (uint64_t)info.st_size;
    const int reason = begin_journal(kept, text);
    return reason ? fail_file(kept, reason, error) : SHEPARD_IO_OK;
}

/* ---- Windows --------------------------------------------------------------------------------- */

static bool open_window(struct shepard_kept_raster *kept, const struct shepard_window *window)
{
    char **options = CSLDuplicate(shepard_list((const char *const *)kept->options));
    options = CSLSetNameValue(options, "BLOCKYSIZE", CPLSPrintf("%zu", kept->layout.block_rows));
    kept->at = *window;
    kept->window_path = CPLStrdup(CPLSPrintf("/vsimem/shepard-%p.tif", (void *)kept));
    kept->window = GDALCreate(kept->driver, kept->window_path, (int)window->columns,
                              (int)window->rows, kept->bands, kept->type, options);
    CSLDestroy(options);
    for (int i = 1; kept->window && kept->has_nodata && i <= kept->bands; i++)
        GDALSetRasterNoDataValue(GDALGetRasterBand(kept->window, i), kept->nodata);
    return kept->window != NULL;
}

static void drop_window(struct shepard_kept_raster *kept)
{
    GDALClose(kept->window);
    if (kept->window_path)
        VSIUnlink(kept->window_path);
    CPLFree(kept->window_path);
    kept->window = NULL;
    kept->window_path = NULL;
}

bool shepard_kept_raster_write(struct shepard_kept_raster *kept, size_t b,
                               const struct shepard_window *window, const double *values)
{
    if (kept->window && memcmp(&kept->at, window, sizeof *window) != 0)
        drop_window(kept);
    if (!kept->window && !open_window(kept, window))
        return false;
    /* GF_Write only reads the buffer, which has no const in GDAL's signature. */
    void *buffer = (void *)(uintptr_t)values;
    return GDALRasterIO(GDALGetRasterBand(kept->window, (int)b + 1), GF_Write, 0, 0,
                        (int)window->columns, (int)window->rows, buffer, (int)window->columns,
                        (int)window->rows, GDT_Float64, 0, 0) == CE_None;
}

/* The blocks of the window, one behind the other in *bytes, to be freed by VSIFree. */
static bool collect(const struct shepard_tiff_file *window, const uint64_t *offsets,
                    const uint64_t *sizes, unsigned char **bytes, size_t *length)
{
    *length = 0;
    for (size_t i = 0; i < window->blocks; i++)
        *length += (size_t)sizes[i];
    *bytes = VSIMalloc(*length + 1);
    size_t at = 0;
    bool good = *bytes != NULL;
    for (size_t i = 0; good && i < window->blocks; at += (size_t)sizes[i], i++)
        good = VSIFSeekL(window->file, offsets[i], SEEK_SET) == 0 &&
               VSIFReadL(*bytes + at, 1, (size_t)sizes[i], window->file) == sizes[i];
    return good;
}

/* Record, sizes and state, as they are in the journal. */
static int append_record(struct shepard_kept_raster *kept, const struct window_record *record,
                         const uint64_t *sizes, const void *state)
{
    const size_t sizes_bytes = kept->planes * (size_t)record->count * sizeof *sizes;
    const size_t size = sizeof *record + sizes_bytes + (size_t)record->state_size;
    unsigned char *bytes = malloc(size);
    if (!bytes)
        return ENOMEM;
    memcpy(bytes, record, sizeof *record);
    memcpy(bytes + sizeof *record, sizes, sizes_bytes);
    memcpy(bytes + sizeof *record + sizes_bytes, state, (size_t)record->state_size);
    const int reason = shepard_journal_append(&kept->journal, bytes, size);
    free(bytes);
    return reason;
}

static int sync_now(struct shepard_kept_raster *kept)
{
    kept->synced = seconds_now();
    return fdatasync(kept->file) == 0 && fdatasync(kept->journal.file) == 0 ? 0 : errno;
}

/* The first block of the window. */
static size_t first_block(const struct shepard_kept_raster *kept)
{
    const struct shepard_block_layout *layout = &kept->layout;
    return kept->at.row / layout->block_rows * shepard_block_layout_across(layout) +
           kept->at.column / layout->block_columns;
}

/* Data first: a record without its blocks has the wrong checksum, whatever the disk kept. */
static int keep_bytes(struct shepard_kept_raster *kept, const struct shepard_tiff_file *window,
                      const uint64_t *sizes, const unsigned char *bytes, size_t length,
                      const void *state, size_t state_size)
{
    const struct window_record record = {.first = first_block(kept),
                                         .count = window->blocks / window->planes,
                                         .offset = kept->end,
                                         .bytes = length,
                                         .checksum = shepard_checksum_add(0, bytes, length),
                                         .state_size = state_size};
    int reason = shepard_write_at(kept->file, bytes, length, kept->end);
    if (!reason)
        reason = append_record(kept, &record, sizes, state);
    if (!reason)
        set_blocks(kept, &record, sizes);
    return !reason && seconds_now() - kept->synced >= sync_seconds ? sync_now(kept) : reason;
}

int shepard_kept_raster_keep(struct shepard_kept_raster *kept, const void *state, size_t size)
{
    struct shepard_tiff_file window = {0};
    unsigned char *bytes = NULL;
    size_t length = 0;
    int reason = -1;
    GDALClose(kept->window);
    kept->window = NULL;
    const bool opened =
        !shepard_gdal_report_thread_errors() && shepard_tiff_open(&window, kept->window_path, "rb");
    uint64_t *offsets = opened ? VSIMalloc2(window.blocks, sizeof *offsets) : NULL;
    uint64_t *sizes = opened ? VSIMalloc2(window.blocks, sizeof *sizes) : NULL;
    if (offsets && sizes && window.planes == kept->planes &&
        window.layout.block_columns == kept->layout.block_columns &&
        shepard_tiff_read_blocks(&window, offsets, sizes) &&
        collect(&window, offsets, sizes, &bytes, &length))
        reason = keep_bytes(kept, &window, sizes, bytes, length, state, size);
    VSIFree(bytes);
    VSIFree(offsets);
    VSIFree(sizes);
    shepard_tiff_close(&window);
    drop_window(kept);
    return reason;
}

/* ---- Ending ---------------------------------------------------------------------------------- */

bool shepard_kept_raster_finish(struct shepard_kept_raster *kept)
{
    struct shepard_tiff_file tiff;
    const bool good = shepard_tiff_open(&tiff, kept->path, "r+b") &&
                      shepard_tiff_write_blocks(&tiff, kept->offsets, kept->sizes);
    return shepard_tiff_close(&tiff) && good && fsync(kept->file) == 0;
}

bool shepard_kept_raster_sign(struct shepard_kept_raster *kept)
{
    struct stat info;
    if (fstat(kept->file, &info) != 0)
        return false;
    const struct end_record record = {(uint64_t)info.st_dev, (uint64_t)info.st_ino};
    return shepard_journal_append(&kept->journal, &record, sizeof record) == 0 &&
           fsync(kept->journal.file) == 0;
}

void shepard_kept_raster_close(struct shepard_kept_raster *kept)
{
    drop_window(kept);
    forget(kept);
    CPLFree(kept->path);
    CPLFree(kept->journal_path);
    VSIFree(kept->state);
    *kept = (struct shepard_kept_raster){.file = -1, .journal = {.file = -1}};
}
