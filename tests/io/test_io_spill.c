/* SPDX-License-Identifier: MIT */
/* Points that go to disk: they are those that were read, near each other in the file, and what
 * cannot be written or read back is an error that leaves nothing behind. */
#include "fixture.h"

#include "spill_file.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Memory for sorting: the least, in which fit some 65,000 points. */
enum { MEMORY = 4 << 20, MANY = 130000 };

static unsigned seed;

/* Of the spills that are made. */
static int threads = 2;
static bool sampled;
static size_t columns = 1; /* of z and b */

static const char *const *fields_read(void)
{
    static const char *const one[] = {"z", NULL}, *const both[] = {"z", "b", NULL};
    return columns == 1 ? one : both;
}

static double unit(void)
{
    return (double)(rand() & 0xffffff) / 0x1000000;
}

/* A table of points, some in a small cluster, some without a value or a weight; b has gaps of its
 * own. */
static const char *write_points(const char *name, size_t count, bool backwards)
{
    const char *path = in_folder(name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("x,y,z,w,b\n", file);
    char(*lines)[100] = malloc(count * sizeof *lines);
    assert_non_null(lines);
    srand(seed);
    for (size_t i = 0; i < count; i++) {
        const double size = i % 4 == 0 ? 3 : 1000;
        char z[20] = "", other[20] = "";
        if (i % 89 != 0)
            snprintf(z, sizeof z, "%.3f", 100 * unit());
        if (i % 7 != 0)
            snprintf(other, sizeof other, "%.3f", -100 * unit());
        snprintf(lines[i], sizeof *lines, "%.4f,%.4f,%s,%d,%s\n", 500000 + size * unit(),
                 5e6 + size * unit(), z, (int)(i % 5), other);
    }
    for (size_t i = 0; i < count; i++)
        fputs(lines[backwards ? count - 1 - i : i], file);
    free(lines);
    assert_int_equal(fclose(file), 0);
    return path;
}

struct spilled {
    struct shepard_spill *spill;
    struct shepard_point_set points;
    struct shepard_spill_info info;
    struct shepard_io_error error;
};

static enum shepard_io_status spill(const char *path, bool weighted, size_t memory,
                                    struct spilled *to)
{
    const struct shepard_source_options from = {.path = path};
    const struct shepard_read_options options = {
        .z_multiply = 1, .fields = fields_read(), .weight_field = weighted ? "w" : NULL};
    const struct shepard_spill_options where = {.folder = in_folder(sampled ? "none" : "temp"),
                                                .memory = memory,
                                                .threads = threads,
                                                .sample = sampled};
    struct shepard_source *source = NULL;
    *to = (struct spilled){0};
    assert_int_equal(shepard_source_open(&from, &source, NULL, &to->error), SHEPARD_IO_OK);
    const enum shepard_io_status status =
        shepard_source_spill(source, &options, &where, &to->points, &to->spill, NULL, &to->error);
    shepard_source_close(source);
    if (!status)
        shepard_spill_get_info(to->spill, &to->info);
    return status;
}

static void release(struct spilled *spilled)
{
    shepard_spill_close(spilled->spill);
    shepard_point_set_clear(&spilled->points);
}

static size_t temporary_files(void)
{
    char command[400];
    snprintf(command, sizeof command, "find %s -mindepth 1 | wc -l", in_folder("temp"));
    FILE *pipe = popen(command, "r");
    size_t count = 99;
    assert_int_equal(fscanf(pipe, "%zu", &count), 1);
    pclose(pipe);
    return count;
}

static int begin(void **state)
{
    return fixture_begin(state) || mkdir(in_folder("temp"), 0700);
}

/* ---- What is in the file --------------------------------------------------------------------- */

enum { COLUMNS_MAX = 2, FIELDS_MAX = 2 + COLUMNS_MAX + 1 };

/* x, y, the values of COLUMNS_MAX columns, 0 of those that are not read, and the weight. */
struct place {
    double number[FIELDS_MAX];
};

static int compare(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct place));
}

/* Missing values as one NaN. */
static double value_of(double value)
{
    return isnan(value) ? NAN : value;
}

/* The points with a value and a weight that are in memory, sorted. */
static struct place *expected(const char *path, bool weighted, size_t *count)
{
    const struct shepard_read_options options = {
        .z_multiply = 1, .fields = fields_read(), .weight_field = weighted ? "w" : NULL};
    struct shepard_point_set points = read_all(path, &options);
    struct place *places = calloc(points.count, sizeof *places);
    assert_non_null(places);
    *count = 0;
    for (size_t i = 0; i < points.count; i++) {
        struct place place = {{points.x[i], points.y[i]}};
        bool any = false;
        for (size_t c = 0; c < columns; c++) {
            place.number[2 + c] = value_of(points.values[c][i]);
            any = any || isfinite(points.values[c][i]);
        }
        place.number[FIELDS_MAX - 1] = weighted ? points.weights[i] : 1;
        if (any && place.number[FIELDS_MAX - 1] > 0)
            places[(*count)++] = place;
    }
    shepard_point_set_clear(&points);
    qsort(places, *count, sizeof *places, compare);
    return places;
}

/* Point i of a bucket's numbers. */
static struct place place_at(const double *numbers, size_t i, bool weighted)
{
    struct place place = {{numbers[i], numbers[SHEPARD_SPILL_BUCKET_MAX + i]}};
    for (size_t c = 0; c < columns; c++)
        place.number[2 + c] = value_of(numbers[(2 + c) * SHEPARD_SPILL_BUCKET_MAX + i]);
    place.number[FIELDS_MAX - 1] =
        weighted ? numbers[(2 + columns) * SHEPARD_SPILL_BUCKET_MAX + i] : 1;
    return place;
}

/* The points of all buckets; each lies in the box of its own, which is no larger than needed. */
static struct place *found(const struct spilled *spilled, bool weighted)
{
    const struct shepard_spill_info *info = &spilled->info;
    struct place *places = malloc(info->points * sizeof *places);
    double *numbers = malloc(FIELDS_MAX * SHEPARD_SPILL_BUCKET_MAX * sizeof *numbers);
    size_t at = 0;
    assert_true(places && numbers);
    for (size_t b = 0; b < info->bucket_count; b++) {
        const struct shepard_spill_bucket *box = &info->buckets[b];
        double x_min = INFINITY, y_max = -INFINITY;
        assert_in_range(box->count, 1, SHEPARD_SPILL_BUCKET_MAX);
        assert_int_equal(
            shepard_spill_read(spilled->spill, b, 1, numbers, SHEPARD_SPILL_BUCKET_MAX, NULL),
            SHEPARD_IO_OK);
        for (size_t i = 0; i < box->count; i++) {
            const struct place place = place_at(numbers, i, weighted);
            const double x = place.number[0], y = place.number[1];
            assert_true(x >= box->x_min && x <= box->x_max);
            assert_true(y >= box->y_min && y <= box->y_max);
            x_min = fmin(x_min, x);
            y_max = fmax(y_max, y);
            places[at++] = place;
        }
        assert_true(x_min == box->x_min && y_max == box->y_max);
    }
    free(numbers);
    assert_int_equal(at, info->points);
    qsort(places, at, sizeof *places, compare);
    return places;
}

/* Of each column the ends of the values that are there. */
static void check_ends(const struct shepard_spill_info *info, const struct place *places,
                       size_t count)
{
    assert_int_equal(info->columns, columns);
    for (size_t c = 0; c < columns; c++) {
        double least = INFINITY, most = -INFINITY;
        size_t values = 0;
        for (size_t i = 0; i < count; i++) {
            values += !isnan(places[i].number[2 + c]);
            least = fmin(least, places[i].number[2 + c]);
            most = fmax(most, places[i].number[2 + c]);
        }
        assert_true(info->value_min[c] == least && info->value_max[c] == most);
        assert_int_equal(info->value_count[c], values);
    }
}

/* No run is of more points than there is room for. */
static void check_runs(const struct spilled *spilled, bool weighted, size_t memory)
{
    const size_t bytes = (2 * (2 + columns + weighted) + 2) * sizeof(double);
    for (size_t i = 0; i < spilled->spill->run_count; i++)
        assert_in_range(spilled->spill->runs[i].count, 1, memory / bytes);
}

static void check_points(const char *path, bool weighted, size_t memory)
{
    struct spilled spilled;
    size_t count = 0;
    assert_int_equal(spill(path, weighted, memory, &spilled), SHEPARD_IO_OK);
    struct place *want = expected(path, weighted, &count);
    assert_int_equal(spilled.info.points, count);
    struct place *got = found(&spilled, weighted);
    assert_memory_equal(got, want, count * sizeof *got);
    check_ends(&spilled.info, want, count);
    check_runs(&spilled, weighted, memory);
    assert_true(spilled.info.weight_max == (weighted ? 4 : 0));
    free(got);
    free(want);
    release(&spilled);
    assert_int_equal(temporary_files(), 0);
}

static void the_points_are_those_that_were_read(void **state)
{
    (void)state;
    char *many = strdup(write_points("many.csv", MANY, false));
    for (columns = 1; columns <= COLUMNS_MAX; columns++) {
        for (threads = 1; threads < 9; threads = 3 * threads - 1)
            check_points(many, threads != 2, MEMORY);
        threads = 2;
        check_points(many, true, (size_t)64 << 20);
        check_points(write_points("few.csv", 90, false), true, MEMORY);
    }
    columns = 1;
    free(many);
}

/* Every 7th point lacks b, every 89th z. */
static void gaps_are_counted(void **state)
{
    (void)state;
    struct spilled spilled;
    const char *path = write_points("many.csv", MANY, false);
    const size_t without_b = (MANY + 6) / 7, without_z = (MANY + 88) / 89;
    const size_t without_both = (MANY + 7 * 89 - 1) / (7 * 89);
    columns = 2;
    for (int i = 0; i < 2; i++) {
        sampled = i == 1;
        assert_int_equal(spill(path, true, MEMORY, &spilled), SHEPARD_IO_OK);
        assert_int_equal(spilled.info.gaps, without_b + without_z - 2 * without_both);
        release(&spilled);
    }
    columns = 1;
    sampled = false;
    assert_int_equal(spill(path, true, MEMORY, &spilled), SHEPARD_IO_OK);
    assert_int_equal(spilled.info.gaps, 0);
    release(&spilled);
}

/* Their values rise in the file that is read; they come in many runs. */
static void points_at_one_place_keep_their_order(void **state)
{
    (void)state;
    enum { PLACES = 7 };
    struct spilled spilled;
    const char *path = in_folder("same.csv");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("x,y,z,w\n", file);
    for (int i = 0; i < 4 * MANY; i++)
        fprintf(file, "%d,%d,%d,1\n", i % PLACES, i % PLACES, i);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(spill(path, false, MEMORY, &spilled), SHEPARD_IO_OK);
    const size_t points = spilled.info.points;
    double *x = malloc(3 * points * sizeof *x), last[PLACES];
    const double *value = x + 2 * points;
    assert_int_equal(points, 4 * MANY);
    assert_non_null(x);
    assert_int_equal(
        shepard_spill_read(spilled.spill, 0, spilled.info.bucket_count, x, points, NULL),
        SHEPARD_IO_OK);
    bool rising = true;
    for (int i = 0; i < PLACES; i++)
        last[i] = -1;
    for (size_t i = 0; i < points; i++) {
        rising = rising && value[i] > last[(int)x[i]];
        last[(int)x[i]] = value[i];
    }
    assert_true(rising);
    free(x);
    release(&spilled);
}

static void buckets_are_compact(void **state)
{
    (void)state;
    struct spilled spilled;
    double area = 0;
    assert_int_equal(spill(write_points("many.csv", MANY, false), false, MEMORY, &spilled),
                     SHEPARD_IO_OK);
    for (size_t b = 0; b < spilled.info.bucket_count; b++) {
        const struct shepard_spill_bucket *box = &spilled.info.buckets[b];
        area += (box->x_max - box->x_min) * (box->y_max - box->y_min);
    }
    /* Squares of the curve would cover the box of 1000 x 1000 once; runs of it are no squares. */
    assert_true(area < 2.5e6);
    release(&spilled);
}

/* Of the same points in memory. */
static uint64_t checksum_of(const char *path)
{
    const struct shepard_source_options from = {.path = path};
    const struct shepard_read_options options = {
        .z_multiply = 1, .fields = fields_read(), .weight_field = "w"};
    struct shepard_source *source = NULL;
    struct shepard_point_set points = {0};
    assert_int_equal(shepard_source_open(&from, &source, NULL, NULL), SHEPARD_IO_OK);
    assert_int_equal(shepard_source_read(source, &options, &points, NULL, NULL), SHEPARD_IO_OK);
    shepard_source_close(source);
    const uint64_t checksum = shepard_point_set_checksum(&points);
    shepard_point_set_clear(&points);
    return checksum;
}

static void what_is_known_depends_on_neither_order_nor_memory(void **state)
{
    (void)state;
    struct spilled a, b;
    assert_int_equal(spill(write_points("a.csv", MANY, false), true, MEMORY, &a), SHEPARD_IO_OK);
    assert_int_equal(spill(write_points("b.csv", MANY, true), true, MEMORY * 5, &b), SHEPARD_IO_OK);
    assert_true(a.info.checksum == b.info.checksum);
    assert_true(a.info.checksum == checksum_of(in_folder("a.csv")));
    assert_true(a.info.checksum == checksum_of(in_folder("b.csv")));
    assert_true(*a.info.value_min == *b.info.value_min && *a.info.value_max == *b.info.value_max);
    assert_memory_equal(&a.info.box.x_min, &b.info.box.x_min, 4 * sizeof(double));
    assert_int_equal(a.info.read, MANY);
    assert_int_equal(a.points.count, 2);
    assert_true(a.points.x[0] == a.points.extent.x_min && a.points.y[1] == a.points.extent.y_max);
    release(&a);
    assert_int_equal(spill(write_points("c.csv", MANY - 1, false), true, MEMORY, &a),
                     SHEPARD_IO_OK);
    assert_true(a.info.checksum != b.info.checksum);
    release(&a);
    release(&b);
}

/* The temporary folder cannot be made: nothing is written. */
static void a_sample_stands_for_all_points(void **state)
{
    (void)state;
    struct spilled all, some;
    assert_int_equal(spill(write_points("many.csv", MANY, false), true, MEMORY, &all),
                     SHEPARD_IO_OK);
    sampled = true;
    assert_int_equal(spill(write_points("many.csv", MANY, false), true, MEMORY, &some),
                     SHEPARD_IO_OK);
    sampled = false;
    assert_int_equal(some.info.points, all.info.points);
    assert_true(some.info.checksum == all.info.checksum);
    assert_memory_equal(&some.info.box, &all.info.box, sizeof all.info.box);
    size_t count = 0, clustered = 0;
    double numbers[4][SHEPARD_SPILL_BUCKET_MAX];
    for (size_t b = 0; b < some.info.bucket_count; b++) {
        assert_int_equal(
            shepard_spill_read(some.spill, b, 1, numbers[0], SHEPARD_SPILL_BUCKET_MAX, NULL),
            SHEPARD_IO_OK);
        count += some.info.buckets[b].count;
        for (size_t i = 0; i < some.info.buckets[b].count; i++)
            clustered += numbers[0][i] < 500003 && numbers[1][i] < 5e6 + 3;
    }
    const size_t room = MEMORY / shepard_spill_run_bytes(4);
    assert_in_range(count, room / 2, room);
    /* A quarter of all points is in the cluster. */
    assert_in_range(clustered, count / 5, count / 3);
    release(&all);
    release(&some);
}

/* ---- Errors ---------------------------------------------------------------------------------- */

static enum shepard_io_status read_first(const struct spilled *spilled,
                                         struct shepard_io_error *error)
{
    double numbers[3][SHEPARD_SPILL_BUCKET_MAX];
    return shepard_spill_read(spilled->spill, 0, 1, numbers[0], SHEPARD_SPILL_BUCKET_MAX, error);
}

static void a_changed_file_is_noticed(void **state)
{
    (void)state;
    struct spilled spilled;
    assert_int_equal(spill(write_points("few.csv", 3000, false), false, MEMORY, &spilled),
                     SHEPARD_IO_OK);
    assert_int_equal(read_first(&spilled, NULL), SHEPARD_IO_OK);
    unsigned char byte = 0;
    assert_int_equal(pread(spilled.spill->file, &byte, 1, 1000), 1);
    byte ^= 1;
    assert_int_equal(pwrite(spilled.spill->file, &byte, 1, 1000), 1);
    assert_int_equal(read_first(&spilled, &spilled.error), SHEPARD_IO_ERROR_READ);
    assert_non_null(strstr(spilled.error.message, "temporary file"));
    assert_int_equal(ftruncate(spilled.spill->file, 100), 0);
    assert_int_equal(read_first(&spilled, NULL), SHEPARD_IO_ERROR_READ);
    release(&spilled);
}

static void a_full_disk_is_said_and_leaves_nothing(void **state)
{
    (void)state;
    const char *path = write_points("many.csv", MANY, false);
    struct rlimit before;
    struct spilled spilled;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    /* In the first run, and in the second one. */
    static const rlim_t limits[] = {1000000, 2700000};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        const struct rlimit less = {limits[i], before.rlim_max};
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &less), 0);
        const enum shepard_io_status status = spill(path, false, MEMORY, &spilled);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_int_equal(status, SHEPARD_IO_ERROR_WRITE);
        assert_non_null(strstr(spilled.error.message, "--temp"));
        assert_null(spilled.points.x);
        assert_int_equal(temporary_files(), 0);
    }
}

static void says_what_cannot_be_spilled(void **state)
{
    (void)state;
    struct spilled spilled;
    const char *path = write_text("none.csv", "x,y,z,w\n1,2,3,0\n4,5,6,0\n");
    assert_int_equal(spill(path, true, MEMORY, &spilled), SHEPARD_IO_ERROR_NO_POINTS);
    assert_non_null(strstr(spilled.error.message, "usable weight"));
    path = write_text("b.csv", "x,y,z,w,b\n1,2,3,1,\n4,5,6,0,7\n");
    columns = 2;
    assert_int_equal(spill(path, true, MEMORY, &spilled), SHEPARD_IO_ERROR_NO_POINTS);
    columns = 1;
    assert_non_null(strstr(spilled.error.message, "field b: no point of 2"));
    assert_int_equal(temporary_files(), 0);
}

int main(int argc, char **argv)
{
    seed = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : (unsigned)time(NULL);
    printf("seed %u\n", seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_points_are_those_that_were_read),
        cmocka_unit_test(gaps_are_counted),
        cmocka_unit_test(points_at_one_place_keep_their_order),
        cmocka_unit_test(buckets_are_compact),
        cmocka_unit_test(what_is_known_depends_on_neither_order_nor_memory),
        cmocka_unit_test(a_sample_stands_for_all_points),
        cmocka_unit_test(a_changed_file_is_noticed),
        cmocka_unit_test(a_full_disk_is_said_and_leaves_nothing),
        cmocka_unit_test(says_what_cannot_be_spilled),
    };
    return cmocka_run_group_tests(tests, begin, fixture_end);
}
