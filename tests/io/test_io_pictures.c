/* SPDX-License-Identifier: MIT */
/* Pictures in memory: GDAL reads every cell and colour back; sizes that no picture has. */
#include "fixture.h"

#include <cpl_string.h>
#include <cpl_vsi.h>
#include <gdal.h>

static uint64_t next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

struct picture {
    size_t columns, rows;
    unsigned char *cells;
    unsigned char palette[256][4];
};

static struct picture make_picture(size_t columns, size_t rows, uint64_t *seed)
{
    struct picture picture = {.columns = columns, .rows = rows, .cells = malloc(columns * rows)};
    const size_t colors = 1 + next(seed) % 256;
    for (size_t i = 0; i < columns * rows; i++)
        picture.cells[i] = (unsigned char)(next(seed) % colors);
    for (size_t i = 0; i < 256; i++)
        for (size_t c = 0; c < 4; c++)
            picture.palette[i][c] = (unsigned char)next(seed);
    return picture;
}

static struct shepard_png_image image_of(const struct picture *picture)
{
    return (struct shepard_png_image){picture->columns, picture->rows, picture->cells,
                                      (const unsigned char(*)[4])picture->palette};
}

static void check_colors(const struct picture *picture, GDALColorTableH colors)
{
    assert_non_null(colors);
    assert_int_equal(GDALGetColorEntryCount(colors), 256);
    for (int i = 0; i < 256; i++) {
        const GDALColorEntry *entry = GDALGetColorEntry(colors, i);
        assert_int_equal(entry->c1, picture->palette[i][0]);
        assert_int_equal(entry->c2, picture->palette[i][1]);
        assert_int_equal(entry->c3, picture->palette[i][2]);
        assert_int_equal(entry->c4, picture->palette[i][3]);
    }
}

/* Reads the bytes back. */
static void check_bytes(const struct picture *picture, unsigned char *bytes, size_t size)
{
    const char *path = "/vsimem/read-back.png";
    const int columns = (int)picture->columns, rows = (int)picture->rows;
    VSIFCloseL(VSIFileFromMemBuffer(path, bytes, size, FALSE));
    GDALDatasetH dataset = GDALOpen(path, GA_ReadOnly);
    assert_non_null(dataset);
    assert_string_equal(GDALGetDriverShortName(GDALGetDatasetDriver(dataset)), "PNG");
    assert_int_equal(GDALGetRasterXSize(dataset), columns);
    assert_int_equal(GDALGetRasterYSize(dataset), rows);
    assert_int_equal(GDALGetRasterCount(dataset), 1);
    GDALRasterBandH band = GDALGetRasterBand(dataset, 1);
    unsigned char *cells = malloc(picture->columns * picture->rows);
    assert_int_equal(
        GDALRasterIO(band, GF_Read, 0, 0, columns, rows, cells, columns, rows, GDT_Byte, 0, 0),
        CE_None);
    assert_memory_equal(cells, picture->cells, picture->columns * picture->rows);
    check_colors(picture, GDALGetRasterColorTable(band));
    free(cells);
    GDALClose(dataset);
    VSIUnlink(path);
}

static void check_picture(size_t columns, size_t rows, uint64_t *seed)
{
    struct picture picture = make_picture(columns, rows, seed);
    const struct shepard_png_image image = image_of(&picture);
    struct shepard_io_error error = {.message = ""};
    unsigned char *bytes = NULL;
    size_t size = 0;
    if (shepard_png_encode(&image, &bytes, &size, &error))
        fail_msg("%s", error.message);
    check_bytes(&picture, bytes, size);
    shepard_io_free(bytes);
    free(picture.cells);
}

static void reads_back(void **state)
{
    (void)state;
    static const size_t sizes[][2] = {{1, 1}, {1, 65535}, {65535, 1}, {257, 3}};
    for (uint64_t trial = 1; trial <= 40; trial++) {
        uint64_t seed = trial;
        const size_t columns = 1 + next(&seed) % 300, rows = 1 + next(&seed) % 300;
        print_message("seed %u: %zu x %zu\n", (unsigned)trial, columns, rows);
        check_picture(columns, rows, &seed);
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint64_t seed = 100 + i;
        print_message("seed %zu: %zu x %zu\n", 100 + i, sizes[i][0], sizes[i][1]);
        check_picture(sizes[i][0], sizes[i][1], &seed);
    }
}

static void leaves_nothing_in_memory(void **state)
{
    (void)state;
    uint64_t seed = 7;
    char **before = VSIReadDir("/vsimem/");
    check_picture(9, 5, &seed);
    char **after = VSIReadDir("/vsimem/");
    assert_int_equal(CSLCount(after), CSLCount(before));
    CSLDestroy(before);
    CSLDestroy(after);
}

static void check_refused(const struct shepard_png_image *image, enum shepard_io_status status,
                          const char *text)
{
    unsigned char mark = 0, *bytes = &mark;
    size_t size = 5;
    struct shepard_io_error error = {.message = ""};
    assert_int_equal(shepard_png_encode(image, &bytes, &size, &error), status);
    assert_non_null(strstr(error.message, text));
    assert_ptr_equal(bytes, &mark);
    assert_int_equal(size, 5);
    assert_int_equal(shepard_png_encode(image, &bytes, &size, NULL), status);
}

static void refuses_sizes(void **state)
{
    (void)state;
    static const size_t sizes[][2] = {{0, 3}, {3, 0}, {65536, 1}, {1, 65536}, {SIZE_MAX, SIZE_MAX}};
    uint64_t seed = 3;
    struct picture picture = make_picture(2, 2, &seed);
    struct shepard_png_image image = image_of(&picture);
    unsigned char *bytes = NULL;
    size_t size = 0;
    assert_int_equal(shepard_png_encode(NULL, &bytes, &size, NULL), SHEPARD_IO_ERROR_ARGUMENT);
    assert_int_equal(shepard_png_encode(&image, NULL, &size, NULL), SHEPARD_IO_ERROR_ARGUMENT);
    assert_int_equal(shepard_png_encode(&image, &bytes, NULL, NULL), SHEPARD_IO_ERROR_ARGUMENT);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        image.columns = sizes[i][0];
        image.rows = sizes[i][1];
        check_refused(&image, SHEPARD_IO_ERROR_ARGUMENT, "1 to 65535");
    }
    free(picture.cells);
}

static void check_refused_without(const char *driver, enum shepard_io_status status,
                                  const char *text)
{
    uint64_t seed = 4;
    struct picture picture = make_picture(2, 2, &seed);
    const struct shepard_png_image image = image_of(&picture);
    GDALDriverH missing = GDALGetDriverByName(driver);
    GDALDeregisterDriver(missing);
    check_refused(&image, status, text);
    GDALRegisterDriver(missing);
    free(picture.cells);
}

static void says_that_the_driver_is_missing(void **state)
{
    (void)state;
    check_refused_without("PNG", SHEPARD_IO_ERROR_FORMAT, "no driver PNG");
}

static void leaves_results_alone_on_failure(void **state)
{
    (void)state;
    check_refused_without("MEM", SHEPARD_IO_ERROR_WRITE, "cannot be made");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_back),
        cmocka_unit_test(leaves_nothing_in_memory),
        cmocka_unit_test(refuses_sizes),
        cmocka_unit_test(says_that_the_driver_is_missing),
        cmocka_unit_test(leaves_results_alone_on_failure),
    };
    return cmocka_run_group_tests_name("pictures", tests, fixture_begin, fixture_end);
}
