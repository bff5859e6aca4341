/* SPDX-License-Identifier: MIT */
/*
 * Property: of any damaged LAS file, reading its points
 *  - ends, in bounded time;
 *  - gives finite points, no more than the file has room for, or an error with a text;
 *  - leaks nothing and reads nothing outside its blocks (the sanitizers').
 *
 * An input is a kind of file (format, records), how to read it, how many records of damage there
 * are, and the records: a position (2 bytes), an operation and a value (1 byte each).
 */
#include "feed.h"
#include "fuzz.h"
#include "las_writer.h"

#include "shepard/shepard_io.h"

#include <cpl_error.h>
#include <cpl_vsi.h>
#include <math.h>
#include <string.h>

enum { POINTS = 20, DAMAGE_MAX = 12, HEADER = 375 };

static const char path[] = "/vsimem/fuzz.las";

static void CPL_STDCALL ignore(CPLErr severity, CPLErrorNum number, const char *message)
{
    (void)severity, (void)number, (void)message;
}

static unsigned char *make_sound(struct feed *feed, size_t *size)
{
    const unsigned kind = feed_byte(feed);
    const struct las_spec spec = {.minor = kind % LAS_FORMATS > 5 || kind & 128 ? 4 : 3,
                                  .format = kind % LAS_FORMATS,
                                  .extra = kind >> 4 & 1,
                                  .scale = {0.01, 0.01, 0.01},
                                  .wkt = kind & 32 ? "LOCAL_CS[\"a\",UNIT[\"metre\",1]]" : NULL,
                                  .wkt_behind = kind & 128,
                                  .epsg = kind & 64 ? 32632 : 0};
    struct las_point points[POINTS] = {{0}};
    for (int i = 0; i < POINTS; i++)
        points[i] = (struct las_point){.x = i, .y = i % 5, .z = 100 + i, .class = i % 3u};
    return las_write(&spec, points, POINTS, size);
}

/* One operation on the bytes; the new size. */
static size_t damage(struct feed *feed, unsigned char *bytes, size_t size)
{
    size_t at = (size_t)feed_number(feed, 2) % size;
    const unsigned operation = feed_byte(feed) % 8;
    const uint8_t value = feed_byte(feed);
    if (operation < 4)
        at %= size < HEADER ? size : HEADER;
    if (operation == 6)
        memset(bytes + at, value, size - at < 8 ? size - at : 8);
    else if (operation == 7 && at > 0)
        return at;
    else if (operation % 2)
        bytes[at] = value;
    else
        bytes[at] ^= (uint8_t)(1u << value % 8);
    return size;
}

static size_t write_damaged(struct feed *feed)
{
    size_t size;
    unsigned char *bytes = make_sound(feed, &size);
    const unsigned count = feed_byte(feed) % DAMAGE_MAX;
    for (unsigned i = 0; i < count; i++)
        size = damage(feed, bytes, size);
    VSILFILE *file = VSIFOpenL(path, "wb");
    FUZZ_REQUIRE(file && VSIFWriteL(bytes, 1, size, file) == size, "the file cannot be written");
    VSIFCloseL(file);
    free(bytes);
    return size;
}

static void read_points(struct shepard_source *source, unsigned how, size_t size)
{
    enum { RECORD_MIN = 20 };
    static const char *const fields[] = {"z,intensity,classification", "amplitude", "normal1",
                                         NULL};
    const bool classes[256] = {[1] = true, [2] = true};
    const struct shepard_read_options options = {
        .fields = how & 1 ? fields : NULL,
        .z_multiply = 1.0,
        .spat = {how & 2, 0.0, -1.0, 1.0, 1.0},
        .las = {.classes = how & 4 ? classes : NULL,
                .return_number = how & 8 ? SHEPARD_LAS_LAST : 0,
                .withheld = how & 16}};
    struct shepard_io_error error = {.message = ""};
    struct shepard_point_set points = {0};
    const enum shepard_io_status status =
        shepard_source_read(source, &options, &points, NULL, &error);
    FUZZ_REQUIRE(status == SHEPARD_IO_OK || (error.message[0] && !points.x),
                 "status %d without a text or with points", (int)status);
    FUZZ_REQUIRE(points.count <= size / RECORD_MIN, "%zu points in %zu bytes", points.count, size);
    for (size_t i = 0; i < points.count; i++)
        FUZZ_REQUIRE(isfinite(points.x[i]) && isfinite(points.y[i]), "point %zu: %g %g", i,
                     points.x[i], points.y[i]);
    shepard_point_set_clear(&points);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static bool begun;
    if (!begun) {
        shepard_io_init();
        CPLSetErrorHandler(ignore);
        begun = true;
    }
    struct feed feed = feed_begin(bytes, size);
    const unsigned how = feed_byte(&feed);
    const size_t written = write_damaged(&feed);
    const struct shepard_source_options options = {.path = path};
    struct shepard_io_error error = {.message = ""};
    struct shepard_source *source = NULL;
    const enum shepard_io_status status = shepard_source_open(&options, &source, NULL, &error);
    FUZZ_REQUIRE(status == SHEPARD_IO_OK || error.message[0], "status %d has no text", (int)status);
    if (!status)
        read_points(source, how, written);
    shepard_source_close(source);
    VSIUnlink(path);
    return 0;
}
