/* SPDX-License-Identifier: MIT */
/*
 * Property: of any bytes,
 *  - shepard_wkb_point reads none outside the block;
 *  - a point that both it and OGR accept has the same ordinates, bit for bit (an empty one NaN),
 * and what it accepts and OGR reads at all is a point for OGR;
 *  - a batch of a column whose rows are the bytes, their first half, NULL and the bytes again has
 *    in each row as many vertices as OGR or the plain reader finds there; one each where asked for,
 *    by centroids too, or it says which kind of geometry it refused.
 */
#include "fuzz.h"
#include "point_batch.h"

#include <math.h>
#include <string.h>

enum { ROWS = 4 };

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static bool same_vertex(const struct shepard_vertex *a, const struct shepard_vertex *b)
{
    return same_bits(a->x, b->x) && same_bits(a->y, b->y) && same_bits(a->z, b->z);
}

static struct shepard_vertex point_of(OGRGeometryH geometry)
{
    struct shepard_vertex vertex = {NAN, NAN, NAN};
    if (!OGR_G_IsEmpty(geometry))
        OGR_G_GetPoint(geometry, 0, &vertex.x, &vertex.y, &vertex.z);
    if (!OGR_G_Is3D(geometry))
        vertex.z = NAN;
    return vertex;
}

static OGRGeometryH read_by_ogr(const uint8_t *bytes, size_t size)
{
    OGRGeometryH geometry = NULL;
    const bool good =
        size > 0 && OGR_G_CreateFromWkb(bytes, NULL, &geometry, (int)size) == OGRERR_NONE;
    return good ? geometry : NULL;
}

/* The same geometry without an SRID, for free; *size becomes its size. */
static uint8_t *without_srid(const uint8_t *bytes, size_t *size)
{
    uint8_t *copy = malloc(*size + 1);
    if (!copy)
        return NULL;
    memcpy(copy, bytes, *size);
    const size_t high = *size > 0 && bytes[0] == 1 ? 4 : 1; /* the byte of the type's top bits */
    if (*size >= 9 && copy[high] & 0x20) {
        copy[high] &= 0xdf;
        *size -= 4;
        memmove(copy + 5, copy + 9, *size - 5);
    }
    return copy;
}

static void require_same_point(OGRGeometryH geometry, const struct shepard_vertex *got)
{
    const OGRwkbGeometryType type = wkbFlatten(OGR_G_GetGeometryType(geometry));
    FUZZ_REQUIRE(type == wkbPoint, "OGR's geometry type is %d, not a point", (int)type);
    const struct shepard_vertex wanted = point_of(geometry);
    const bool empty = isnan(got->x) && isnan(got->y);
    FUZZ_REQUIRE(empty == !!OGR_G_IsEmpty(geometry), "only one of the two is empty");
    FUZZ_REQUIRE(empty || same_vertex(got, &wanted), "point %g %g %g, not %g %g %g", got->x, got->y,
                 got->z, wanted.x, wanted.y, wanted.z);
}

/* Vertices with a place. */
static size_t count_vertices(OGRGeometryH geometry)
{
    const int parts = OGR_G_GetGeometryCount(geometry);
    const int points = parts ? 0 : OGR_G_GetPointCount(geometry);
    size_t count = 0;
    for (int i = 0; i < parts; i++)
        count += count_vertices(OGR_G_GetGeometryRef(geometry, i));
    for (int i = 0; i < points; i++)
        count += !(isnan(OGR_G_GetX(geometry, i)) && isnan(OGR_G_GetY(geometry, i)));
    return count;
}

/* The number of vertices with a place that a row of a batch must have. */
static size_t row_vertices(const uint8_t *bytes, size_t size)
{
    struct shepard_vertex vertex;
    if (shepard_wkb_point(bytes, size, &vertex))
        return !(isnan(vertex.x) && isnan(vertex.y));
    OGRGeometryH geometry = read_by_ogr(bytes, size);
    const size_t count = geometry ? count_vertices(geometry) : 0;
    OGR_G_DestroyGeometry(geometry);
    return count;
}

static void require_batch(const struct shepard_point_batch *batch, const uint8_t *bytes,
                          const size_t size[ROWS])
{
    size_t at = 0;
    for (size_t row = 0; row < ROWS; row++) {
        const size_t wanted = row == 2 ? 0 : row_vertices(bytes, size[row]);
        const size_t first = at;
        size_t found = 0;
        for (; at < batch->count && batch->row[at] == row; at++)
            found += !(isnan(batch->vertex[at].x) && isnan(batch->vertex[at].y));
        const bool refused = batch->refused[0] && at == first;
        FUZZ_REQUIRE(found == wanted || (batch->one_each && found <= 1),
                     "row %zu has %zu vertices, not %zu", row, found, wanted);
        FUZZ_REQUIRE(refused || !batch->one_each || at == first + 1, "row %zu is not one", row);
        FUZZ_REQUIRE(!refused || batch->use != SHEPARD_GEOMETRY_CENTROIDS, "row %zu refused", row);
    }
    FUZZ_REQUIRE(at == batch->count, "%zu vertices, %zu in order", batch->count, at);
}

/* The rows lie one after the other in a block of their exact size. */
static void run_batch(const uint8_t *bytes, size_t whole, struct shepard_point_batch batch)
{
    const size_t size[ROWS] = {whole, whole / 2, 0, whole};
    int32_t offsets[ROWS + 1] = {0};
    const size_t total = 2 * whole + whole / 2;
    uint8_t *block = malloc(total + (total == 0));
    if (!block)
        return;
    for (size_t row = 0; row < ROWS; row++) {
        memcpy(block + offsets[row], bytes, size[row]);
        offsets[row + 1] = offsets[row] + (int32_t)size[row];
    }
    const uint8_t valid = 0xb;
    const void *buffers[] = {&valid, offsets, block};
    const struct ArrowSchema schema = {.format = "z", .name = "wkb"};
    const struct ArrowArray array = {
        .length = ROWS, .null_count = 1, .n_buffers = 3, .buffers = buffers};
    const struct shepard_batch_column column = {.schema = &schema, .array = &array};
    struct shepard_read_counts counts = {0};
    if (shepard_point_batch_from_wkb(&batch, ROWS, &column, &counts)) {
        require_batch(&batch, bytes, size);
        FUZZ_REQUIRE(counts.no_geometry >= 1, "the NULL row is not counted");
    }
    shepard_point_batch_free(&batch);
    free(block);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct shepard_gdal_error_scope trap;
    shepard_gdal_error_scope_begin(&trap, NULL);
    struct shepard_vertex vertex;
    size_t plain_size = size;
    uint8_t *plain = without_srid(bytes, &plain_size);
    OGRGeometryH geometry = plain ? read_by_ogr(plain, plain_size) : NULL;
    if (shepard_wkb_point(bytes, size, &vertex) && geometry)
        require_same_point(geometry, &vertex);
    OGR_G_DestroyGeometry(geometry);
    free(plain);
    static const struct shepard_point_batch batches[] = {
        {.use = SHEPARD_GEOMETRY_VERTICES},
        {.one_each = true},
        {.one_each = true, .use = SHEPARD_GEOMETRY_CENTROIDS},
    };
    run_batch(bytes, size, batches[size % 3]);
    shepard_gdal_error_scope_end(&trap, SHEPARD_IO_OK);
    return 0;
}
