/* SPDX-License-Identifier: MIT */
#include "tiff_file.h"

#include <cpl_conv.h>
#include <string.h>

/* Numbers of tags, TIFF 6.0. */
enum {
    IMAGE_COLUMNS = 256,
    IMAGE_ROWS = 257,
    STRIP_OFFSETS = 273,
    SAMPLES = 277,
    STRIP_SIZES = 279,
    PLANAR = 284,
    TILE_ROWS = 323,
    TILE_OFFSETS = 324,
    TILE_SIZES = 325
};

/* More tags than any writer makes, and more blocks than fit into memory: the file is damaged. */
static const uint64_t tags_max = 4096, blocks_max = (uint64_t)1 << 40;

/* Bytes of a value, by the type of the tag. */
static size_t type_size(unsigned type)
{
    static const unsigned char sizes[] = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8};
    return type < sizeof sizes ? sizes[type] : 0;
}

static uint64_t number_at(const unsigned char *bytes, size_t size, bool big_endian)
{
    uint64_t number = 0;
    for (size_t i = 0; i < size; i++)
        number |= (uint64_t)bytes[i] << 8 * (big_endian ? size - 1 - i : i);
    return number;
}

static void set_number(unsigned char *bytes, size_t size, bool big_endian, uint64_t number)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)(number >> 8 * (big_endian ? size - 1 - i : i));
}

static bool read_at(VSILFILE *file, uint64_t place, void *bytes, size_t size)
{
    return VSIFSeekL(file, place, SEEK_SET) == 0 && VSIFReadL(bytes, 1, size, file) == size;
}

/* ---- Tags ------------------------------------------------------------------------------------ */

static const struct shepard_tiff_tag *find(const struct shepard_tiff_file *tiff, unsigned number)
{
    for (size_t i = 0; i < tiff->tag_count; i++)
        if (tiff->tags[i].number == number)
            return &tiff->tags[i];
    return NULL;
}

/* All bytes of a tag's values, to be freed by VSIFree; NULL: none, or not to be read. */
static unsigned char *read_values(const struct shepard_tiff_file *tiff,
                                  const struct shepard_tiff_tag *tag)
{
    const size_t size = tag ? type_size(tag->type) : 0;
    unsigned char *bytes =
        size > 0 && tag->count < blocks_max ? VSIMalloc2(tag->count, size) : NULL;
    if (bytes && read_at(tiff->file, tag->place, bytes, tag->count * size))
        return bytes;
    VSIFree(bytes);
    return NULL;
}

uint64_t shepard_tiff_number(const struct shepard_tiff_file *tiff, unsigned number)
{
    const struct shepard_tiff_tag *tag = find(tiff, number);
    const size_t size = tag ? type_size(tag->type) : 0;
    unsigned char bytes[8];
    return size > 0 && tag->count > 0 && read_at(tiff->file, tag->place, bytes, size)
               ? number_at(bytes, size, tiff->big_endian)
               : 0;
}

/* An entry of the directory: number, type, count, and the values themselves or their place. */
static struct shepard_tiff_tag read_tag(const struct shepard_tiff_file *tiff,
                                        const unsigned char *entry, uint64_t place)
{
    const size_t word = tiff->big_tiff ? 8 : 4;
    struct shepard_tiff_tag tag = {
        .number = (unsigned)number_at(entry, 2, tiff->big_endian),
        .type = (unsigned)number_at(entry + 2, 2, tiff->big_endian),
        .count = number_at(entry + 4, word, tiff->big_endian),
        .place = place + 4 + word,
    };
    if (tag.count > word || type_size(tag.type) * tag.count > word)
        tag.place = number_at(entry + 4 + word, word, tiff->big_endian);
    return tag;
}

static bool read_directory(struct shepard_tiff_file *tiff, uint64_t place)
{
    const size_t count_size = tiff->big_tiff ? 8 : 2, entry_size = tiff->big_tiff ? 20 : 12;
    unsigned char bytes[8];
    if (!read_at(tiff->file, place, bytes, count_size))
        return false;
    const uint64_t count = number_at(bytes, count_size, tiff->big_endian);
    unsigned char *entries =
        count > 0 && count <= tags_max ? VSIMalloc2((size_t)count, entry_size) : NULL;
    tiff->tags = entries ? VSICalloc((size_t)count, sizeof *tiff->tags) : NULL;
    const bool good =
        tiff->tags && read_at(tiff->file, place + count_size, entries, (size_t)count * entry_size);
    for (size_t i = 0; good && i < count; i++)
        tiff->tags[i] =
            read_tag(tiff, entries + i * entry_size, place + count_size + i * entry_size);
    tiff->tag_count = good ? (size_t)count : 0;
    VSIFree(entries);
    return good;
}

/* "II" or "MM", 42 or 43 of BigTIFF, and where the first directory is. */
static bool read_header(struct shepard_tiff_file *tiff)
{
    unsigned char head[16];
    if (!read_at(tiff->file, 0, head, 8) || (memcmp(head, "II", 2) && memcmp(head, "MM", 2)))
        return false;
    tiff->big_endian = head[0] == 'M';
    const uint64_t version = number_at(head + 2, 2, tiff->big_endian);
    tiff->big_tiff = version == 43;
    if ((version != 42 && version != 43) || (tiff->big_tiff && !read_at(tiff->file, 0, head, 16)))
        return false;
    return read_directory(
        tiff, number_at(head + (tiff->big_tiff ? 8 : 4), tiff->big_tiff ? 8 : 4, tiff->big_endian));
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

static bool find_blocks(struct shepard_tiff_file *tiff)
{
    struct shepard_block_layout *const layout = &tiff->layout;
    const bool tiled = find(tiff, SHEPARD_TIFF_TILE_COLUMNS) != NULL;
    layout->columns = (size_t)shepard_tiff_number(tiff, IMAGE_COLUMNS);
    layout->rows = (size_t)shepard_tiff_number(tiff, IMAGE_ROWS);
    layout->block_columns =
        tiled ? (size_t)shepard_tiff_number(tiff, SHEPARD_TIFF_TILE_COLUMNS) : layout->columns;
    layout->block_rows =
        (size_t)shepard_tiff_number(tiff, tiled ? TILE_ROWS : SHEPARD_TIFF_BLOCK_ROWS);
    if (!tiled && (layout->block_rows == 0 || layout->block_rows > layout->rows))
        layout->block_rows = layout->rows;
    if (layout->columns == 0 || layout->rows == 0 || layout->block_columns == 0 ||
        layout->block_rows == 0)
        return false;
    tiff->planes =
        shepard_tiff_number(tiff, PLANAR) == 2 ? (size_t)shepard_tiff_number(tiff, SAMPLES) : 1;
    tiff->blocks =
        tiff->planes * shepard_block_layout_across(layout) * shepard_block_layout_down(layout);
    tiff->offsets = tiled ? TILE_OFFSETS : STRIP_OFFSETS;
    tiff->sizes = tiled ? TILE_SIZES : STRIP_SIZES;
    const struct shepard_tiff_tag *offsets = find(tiff, tiff->offsets);
    const struct shepard_tiff_tag *sizes = find(tiff, tiff->sizes);
    return offsets && sizes && offsets->count == tiff->blocks && sizes->count == tiff->blocks;
}

bool shepard_tiff_open(struct shepard_tiff_file *tiff, const char *path, const char *mode)
{
    *tiff = (struct shepard_tiff_file){.file = VSIFOpenL(path, mode)};
    return tiff->file && read_header(tiff) && find_blocks(tiff);
}

bool shepard_tiff_close(struct shepard_tiff_file *tiff)
{
    const bool good = !tiff->file || VSIFCloseL(tiff->file) == 0;
    VSIFree(tiff->tags);
    *tiff = (struct shepard_tiff_file){0};
    return good;
}

static bool read_numbers(const struct shepard_tiff_file *tiff, unsigned number, uint64_t *numbers)
{
    const struct shepard_tiff_tag *tag = find(tiff, number);
    unsigned char *bytes = read_values(tiff, tag);
    const size_t size = bytes ? type_size(tag->type) : 0;
    for (size_t i = 0; bytes && i < tag->count; i++)
        numbers[i] = number_at(bytes + i * size, size, tiff->big_endian);
    VSIFree(bytes);
    return bytes != NULL;
}

bool shepard_tiff_read_blocks(const struct shepard_tiff_file *tiff, uint64_t *offsets,
                              uint64_t *sizes)
{
    return read_numbers(tiff, tiff->offsets, offsets) && read_numbers(tiff, tiff->sizes, sizes);
}

static bool write_numbers(const struct shepard_tiff_file *tiff, unsigned number,
                          const uint64_t *numbers)
{
    const struct shepard_tiff_tag *tag = find(tiff, number);
    const size_t size = type_size(tag->type), count = (size_t)tag->count;
    unsigned char *bytes = VSIMalloc2(count, size);
    bool good = bytes != NULL;
    for (size_t i = 0; good && i < count; i++) {
        good = size == 8 || numbers[i] >> 8 * size == 0;
        set_number(bytes + i * size, size, tiff->big_endian, numbers[i]);
    }
    good = good && VSIFSeekL(tiff->file, tag->place, SEEK_SET) == 0 &&
           VSIFWriteL(bytes, size, count, tiff->file) == count;
    VSIFree(bytes);
    return good;
}

bool shepard_tiff_write_blocks(const struct shepard_tiff_file *tiff, const uint64_t *offsets,
                               const uint64_t *sizes)
{
    return write_numbers(tiff, tiff->offsets, offsets) && write_numbers(tiff, tiff->sizes, sizes);
}

/* ---- Coding ---------------------------------------------------------------------------------- */

static bool same_values(const struct shepard_tiff_file *a, const struct shepard_tiff_file *b,
                        unsigned number)
{
    const struct shepard_tiff_tag *const of_a = find(a, number), *const of_b = find(b, number);
    if (!of_a || !of_b)
        return of_a == of_b;
    if (of_a->type != of_b->type || of_a->count != of_b->count)
        return false;
    unsigned char *bytes_a = read_values(a, of_a), *bytes_b = read_values(b, of_b);
    const bool same =
        bytes_a && bytes_b && memcmp(bytes_a, bytes_b, of_a->count * type_size(of_a->type)) == 0;
    VSIFree(bytes_a);
    VSIFree(bytes_b);
    return same;
}

const char *shepard_tiff_difference(const struct shepard_tiff_file *a,
                                    const struct shepard_tiff_file *b)
{
    static const struct {
        unsigned number;
        const char *name;
    } tags[] = {{259, "compression"},
                {SHEPARD_TIFF_PREDICTOR, "predictor"},
                {PLANAR, "interleaving of the bands"},
                {SAMPLES, "number of bands"},
                {258, "bits of a cell"},
                {339, "type of the cells"},
                {266, "order of bits"},
                {262, "photometric interpretation"},
                {338, "meaning of extra bands"},
                {347, "JPEG tables"},
                {50674, "LERC parameters"}};
    if (a->layout.block_columns != b->layout.block_columns ||
        a->layout.block_rows != b->layout.block_rows ||
        !find(a, SHEPARD_TIFF_TILE_COLUMNS) != !find(b, SHEPARD_TIFF_TILE_COLUMNS))
        return "size of the blocks";
    if (a->big_endian != b->big_endian)
        return "byte order";
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++)
        if (!same_values(a, b, tags[i].number))
            return tags[i].name;
    return NULL;
}
