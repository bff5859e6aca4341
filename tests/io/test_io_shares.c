/* SPDX-License-Identifier: MIT */
/* Layers that several processes read: their shares are together what one process reads. */
#include "fixture.h"

#include <cpl_vsi.h>
#include <gdal.h>

enum { ROWS = 600, LINE = 80, SHARES_MAX = 5 };

static const char *const z_field[] = {"z", NULL};

/* ---- Reading --------------------------------------------------------------------------------- */

/* What the shares of a layer are together. */
struct together {
    enum shepard_io_status status; /* of the first share that failed */
    size_t ranges;                 /* shares that were read by range */
    size_t count;                  /* of points */
    double records[2 * ROWS][3];   /* [count] x, y and value */
    struct shepard_read_counts counts;
    struct shepard_value_ends ends;
    struct shepard_stray stray; /* of the last share */
    size_t null, nodata, read;
    uint64_t checksum;
};

static void add_share(struct together *all, const struct shepard_shared_points *shared,
                      const struct shepard_point_set *points)
{
    assert_int_equal(shared->fields, 3);
    assert_true(all->count + shared->count <= 2 * (size_t)ROWS);
    assert_int_equal(shared->numbered, !shared->by_range);
    const size_t fields = shared->fields + shared->numbered;
    for (size_t i = 0; i < shared->count; i++) {
        const double *record = shared->records + i * fields;
        memcpy(all->records[all->count++], record, sizeof *all->records);
        if (shared->numbered && i > 0)
            assert_true(record[3] > record[3 - (ptrdiff_t)fields]);
    }
    all->ranges += shared->by_range;
    all->read += shared->info.read;
    all->checksum += shared->info.checksum;
    all->counts.features += points->counts.features;
    all->counts.no_geometry += points->counts.no_geometry;
    all->counts.empty_geometry += points->counts.empty_geometry;
    all->counts.outside += points->counts.outside;
    shepard_value_ends_join(&all->ends, &shared->ends);
    all->stray = points->column[0].stray;
    all->null += points->column[0].null;
    all->nodata += points->column[0].nodata;
}

static int compare(const void *a, const void *b)
{
    return memcmp(a, b, 3 * sizeof(double));
}

static void read_shares(const char *path, const struct shepard_read_options *options, size_t shares,
                        struct together *all)
{
    const struct shepard_source_options from = {.path = path};
    *all = (struct together){.status = SHEPARD_IO_OK};
    for (size_t i = 0; i < shares && !all->status; i++) {
        const struct shepard_share share = {i, shares};
        struct shepard_source *source = NULL;
        struct shepard_point_set points = {0};
        struct shepard_shared_points shared = {0};
        struct shepard_io_error error;
        all->status = shepard_source_open(&from, &source, NULL, &error);
        if (!all->status)
            all->status =
                shepard_source_read_share(source, options, &share, &points, &shared, NULL, &error);
        if (!all->status)
            add_share(all, &shared, &points);
        free(shared.records);
        shepard_point_set_clear(&points);
        shepard_source_close(source);
    }
}

/* In the order of the layer where shares are ranges, else in any. */
static void check_points(struct together *one, struct together *all)
{
    assert_int_equal(all->status, SHEPARD_IO_OK);
    if (all->ranges == 0) {
        qsort(one->records, one->count, sizeof *one->records, compare);
        qsort(all->records, all->count, sizeof *all->records, compare);
    }
    assert_int_equal(all->count, one->count);
    assert_memory_equal(all->records, one->records, one->count * sizeof *one->records);
    assert_true(all->checksum == one->checksum && all->read == one->read);
}

static void check_counts(const struct together *one, const struct together *all)
{
    assert_int_equal(all->counts.features, one->counts.features);
    assert_int_equal(all->counts.no_geometry, one->counts.no_geometry);
    assert_int_equal(all->counts.empty_geometry, one->counts.empty_geometry);
    assert_int_equal(all->counts.outside, one->counts.outside);
    const struct shepard_stray stray = shepard_value_ends_stray(&all->ends);
    assert_memory_equal(&stray, &one->stray, sizeof stray);
    assert_memory_equal(&all->ends, &one->ends, sizeof one->ends);
    assert_int_equal(all->null, one->null);
    assert_int_equal(all->nodata, one->nodata);
}

static void check_shares(const char *path, const struct shepard_read_options *options, bool ranges)
{
    static struct together one, all;
    read_shares(path, options, 1, &one);
    assert_int_equal(one.status, SHEPARD_IO_OK);
    assert_true(one.count > 0 && one.ranges == 0);
    for (size_t shares = 2; shares <= SHARES_MAX; shares++) {
        print_message("%s: %zu\n", path, shares);
        read_shares(path, options, shares, &all);
        check_points(&one, &all);
        assert_int_equal(all.ranges, ranges ? shares : 0);
        if (ranges)
            check_counts(&one, &all);
    }
}

/* ---- Layers ---------------------------------------------------------------------------------- */

/* gaps: rows without a geometry, or with an empty one, too. */
static const char *make_layer(const char *name, const char *format, bool gaps)
{
    static char text[ROWS][LINE];
    static const char *lines[ROWS + 1];
    for (unsigned i = 0; i < ROWS; i++) {
        const unsigned x = random_below(50), y = random_below(50), value = random_below(1000);
        const unsigned kind = random_below(20);
        char z[20];
        if (kind < 2)
            snprintf(z, sizeof z, "%s", kind == 0 ? "" : "-9999");
        else
            snprintf(z, sizeof z, "%u.5", value);
        if (gaps && kind == 2)
            snprintf(text[i], LINE, ";%s;n", z);
        else if (gaps && kind == 3)
            snprintf(text[i], LINE, "POINT EMPTY;%s;n", z);
        else
            snprintf(text[i], LINE, "POINT (%u.25 %u.75);%s;n%u", x, y, z, i);
        lines[i] = text[i];
    }
    return write_layer(name, format, lines);
}

static void run_sql(const char *path, const char *sql)
{
    GDALDatasetH dataset = GDALOpenEx(path, GDAL_OF_VECTOR | GDAL_OF_UPDATE, NULL, NULL, NULL);
    assert_non_null(dataset);
    GDALDatasetReleaseResultSet(dataset, GDALDatasetExecuteSQL(dataset, sql, NULL, NULL));
    GDALClose(dataset);
}

static struct shepard_read_options options_of(const char *where)
{
    return (struct shepard_read_options){
        .fields = z_field, .where = where, .z_multiply = 1.0, .has_nodata = true, .nodata = -9999};
}

static const struct shepard_bounds middle = {true, 10, 10, 30.5, 40};

static bool has_stray(const char *path, const struct shepard_read_options *options)
{
    static struct together all;
    read_shares(path, options, 2, &all);
    return shepard_value_ends_stray(&all.ends).value == -9999;
}

static void databases_are_read_by_range(void **state)
{
    (void)state;
    static const char *const formats[] = {"GPKG", "SQLite"};
    static const char *const names[] = {"p.gpkg", "p.sqlite"};
    for (int i = 0; i < 2; i++) {
        const char *path = make_layer(names[i], formats[i], true);
        struct shepard_read_options options = options_of(NULL);
        check_shares(path, &options, true);
        /* Without nodata its value strays from the others. */
        options.has_nodata = false;
        check_shares(path, &options, true);
        assert_true(has_stray(path, &options));
        options.has_nodata = true;
        /* SQLite may take rows in the order of an index. */
        options.spat = middle;
        check_shares(path, &options, false);
        options.spat = (struct shepard_bounds){0};
        options.where = "z < 300 OR z > 500";
        check_shares(path, &options, false);
    }
}

static void gaps_in_row_numbers(void **state)
{
    (void)state;
    const struct shepard_read_options options = options_of(NULL);
    const char *path = make_layer("gaps.gpkg", "GPKG", true);
    run_sql(path, "UPDATE places SET fid = fid - 400");
    check_shares(path, &options, true);
    run_sql(path, "DELETE FROM places WHERE fid % 3 = 0");
    check_shares(path, &options, true);
    run_sql(path, "DELETE FROM places WHERE (fid + 600) % 3 = 1");
    check_shares(path, &options, false);
    run_sql(path, "UPDATE places SET fid = 9223372036854775807 WHERE fid = 2");
    run_sql(path, "UPDATE places SET fid = -9223372036854775807 WHERE fid = 5");
    check_shares(path, &options, false);
}

static void flatgeobuf_is_read_by_range(void **state)
{
    (void)state;
    const char *path = make_layer("p.fgb", "FlatGeobuf", false);
    struct shepard_read_options options = options_of(NULL);
    check_shares(path, &options, true);
    /* FIDs and the index are those of the whole file. */
    options.where = "fid < 200";
    check_shares(path, &options, false);
    options = options_of(NULL);
    options.spat = middle;
    check_shares(path, &options, false);
}

static void other_layers_are_read_whole(void **state)
{
    (void)state;
    struct shepard_read_options options = options_of(NULL);
    check_shares(make_layer("p.shp", "ESRI Shapefile", false), &options, false);
    const char *path = make_layer("q.gpkg", "GPKG", true);
    options.sql = "SELECT * FROM places WHERE z < 400";
    check_shares(path, &options, false);
    /* Texts that are no numbers are told by their rows. */
    static const char *const text_field[] = {"text", NULL};
    run_sql(path, "ALTER TABLE places ADD COLUMN text TEXT");
    run_sql(path, "UPDATE places SET text = CASE fid WHEN 400 THEN 'x' ELSE z END");
    options.sql = NULL;
    options.fields = text_field;
    check_shares(path, &options, false);
}

/* ---- Damage ---------------------------------------------------------------------------------- */

/* Rewrites the first `length` bytes of a file as another file, with one of them changed. */
static const char *change_byte(const char *path, size_t length, size_t at, unsigned char bits)
{
    GByte *bytes = NULL;
    vsi_l_offset size = 0;
    assert_true(VSIIngestFile(NULL, path, &bytes, &size, -1));
    assert_true(length <= size && at < length);
    bytes[at] ^= bits;
    const char *changed = in_folder("changed.fgb");
    VSILFILE *file = VSIFOpenL(changed, "wb");
    assert_true(file && VSIFWriteL(bytes, 1, length, file) == length);
    VSIFCloseL(file);
    VSIFree(bytes);
    return changed;
}

static size_t size_of(const char *path)
{
    VSIStatBufL stat;
    assert_int_equal(VSIStatL(path, &stat), 0);
    return (size_t)stat.st_size;
}

/* Header and index damaged, or the file cut off: shares fail where one process does; else they have
 * its points. */
static void flatgeobuf_may_be_damaged(void **state)
{
    (void)state;
    enum { HEADER = 400, INDEX = 40 * ROWS }; /* bytes, about */
    static struct together one, all;
    const struct shepard_read_options options = options_of(NULL);
    char path[300];
    snprintf(path, sizeof path, "%s", make_layer("whole.fgb", "FlatGeobuf", false));
    const size_t size = size_of(path);
    for (int i = 0; i < 400; i++) {
        const bool cut = i % 4 == 0;
        const size_t length = cut ? 200 + random_below((unsigned)size - 200) : size;
        const size_t at = random_below(i % 2 ? HEADER : HEADER + INDEX) % length;
        const char *changed =
            change_byte(path, length, at, (unsigned char)(cut ? 0 : 1 << random_below(8)));
        read_shares(changed, &options, 1, &one);
        read_shares(changed, &options, 3, &all);
        if (one.status)
            assert_int_not_equal(all.status, SHEPARD_IO_OK);
        else
            check_points(&one, &all);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(databases_are_read_by_range),
        cmocka_unit_test(gaps_in_row_numbers),
        cmocka_unit_test(flatgeobuf_is_read_by_range),
        cmocka_unit_test(other_layers_are_read_whole),
        cmocka_unit_test(flatgeobuf_may_be_damaged),
    };
    return cmocka_run_group_tests(tests, fixture_begin_random, fixture_end);
}
