/* SPDX-License-Identifier: MIT */
/* Arrays in a file: they keep what is written, little of them is resident, room is said to be out,
 * and comes back. */
#include "fixture.h"

#include "file_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const size_t mebi = (size_t)1 << 20;

/* A file without a name. */
static int new_file(void)
{
    const char *path = in_folder("memory");
    const int file = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
    assert_true(file >= 0);
    assert_int_equal(unlink(path), 0);
    return file;
}

static size_t blocks_of(int file)
{
    struct stat status;
    assert_int_equal(fstat(file, &status), 0);
    return (size_t)status.st_blocks * 512;
}

static void arrays_keep_what_is_written(void **state)
{
    (void)state;
    enum { ARRAYS = 200, FILLED = 4000 };
    struct {
        uint64_t *at, first;
        size_t count;
    } arrays[ARRAYS] = {{0}};
    struct shepard_file_memory *memory = shepard_file_memory_open(new_file(), 0);
    assert_non_null(memory);
    for (int i = 0; i < FILLED; i++) {
        const unsigned a = random_below(ARRAYS);
        bool kept = true;
        for (size_t j = 0; j < arrays[a].count; j++)
            kept = kept && arrays[a].at[j] == arrays[a].first + j;
        assert_true(kept);
        if (arrays[a].at)
            shepard_file_memory_release(arrays[a].at, memory);
        arrays[a].count = 1 + random_below(i % 20 == 0 ? 500000 : 2000);
        arrays[a].first = random_bits();
        arrays[a].at = shepard_file_memory_allocate(arrays[a].count * sizeof(uint64_t), memory);
        assert_non_null(arrays[a].at);
        assert_int_equal((uintptr_t)arrays[a].at % 16, 0);
        for (size_t j = 0; j < arrays[a].count; j++)
            arrays[a].at[j] = arrays[a].first + j;
    }
    for (int a = 0; a < ARRAYS; a++)
        if (arrays[a].at)
            shepard_file_memory_release(arrays[a].at, memory);
    shepard_file_memory_close(memory);
}

struct filling {
    struct shepard_file_memory *memory;
    unsigned char number;
    bool good;
};

static void *fill_arrays(void *user)
{
    struct filling *filling = user;
    filling->good = true;
    for (int i = 0; i < 300; i++) {
        const size_t size = 3 * mebi / 2 + (size_t)i;
        unsigned char *array = shepard_file_memory_allocate(size, filling->memory);
        if (!array)
            return NULL;
        memset(array, filling->number, size);
        for (size_t j = 0; j < size; j++)
            filling->good = filling->good && array[j] == filling->number;
        shepard_file_memory_release(array, filling->memory);
    }
    return NULL;
}

static void threads_have_arrays_of_their_own(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    struct shepard_file_memory *memory = shepard_file_memory_open(new_file(), 0);
    struct filling filling[THREADS];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        filling[i] = (struct filling){memory, (unsigned char)(i + 1), false};
        assert_int_equal(pthread_create(&threads[i], NULL, fill_arrays, &filling[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_true(filling[i].good);
    }
    shepard_file_memory_close(memory);
}

/* Bytes of files in memory, without the libraries before. */
static size_t resident(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    size_t total, all, shared = 0;
    if (file && fscanf(file, "%zu %zu %zu", &total, &all, &shared) != 3)
        shared = 0;
    if (file)
        fclose(file);
    return shared * (size_t)sysconf(_SC_PAGESIZE);
}

static void few_pages_are_resident(void **state)
{
    (void)state;
#ifdef __linux__
    const size_t before = resident(), size = 400 * mebi, limit = 50 * mebi;
    struct shepard_file_memory *memory = shepard_file_memory_open(new_file(), limit);
    unsigned char *array = shepard_file_memory_allocate(size, memory);
    size_t most = 0;
    assert_non_null(array);
    for (int turn = 0; turn < 3; turn++) {
        bool kept = true;
        for (size_t i = 0; i < size; i += 4096) {
            kept = kept && (turn == 0 || array[i] == (unsigned char)(i / 4096 + (size_t)turn));
            array[i] = (unsigned char)(i / 4096 + (size_t)turn + 1);
            if (i % (8 * mebi) == 0) {
                const struct timespec rest = {0, 2000000};
                nanosleep(&rest, NULL);
                const size_t now = resident();
                most = now > most ? now : most;
            }
        }
        assert_true(kept);
    }
    print_message("%zu of %zu MiB resident\n", (most - before) / mebi, size / mebi);
    assert_true(most < before + size / 2);
    shepard_file_memory_close(memory);
#else
    skip();
#endif
}

static void no_room_is_said_and_room_comes_back(void **state)
{
    (void)state;
    const int file = new_file(), other = dup(file);
    struct shepard_file_memory *memory = shepard_file_memory_open(file, 0);
    struct rlimit before;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    const struct rlimit less = {20 * mebi, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &less), 0);
    void *first = shepard_file_memory_allocate(15 * mebi, memory);
    assert_non_null(first);
    assert_int_equal(shepard_file_memory_refusal(memory), 0);
    void *second = shepard_file_memory_allocate(15 * mebi, memory);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_null(second);
    assert_int_equal(shepard_file_memory_refusal(memory), EFBIG);
    assert_null(shepard_file_memory_allocate(SIZE_MAX - 10, memory));
    assert_true(blocks_of(other) >= 15 * mebi);
    shepard_file_memory_release(first, memory);
    if (blocks_of(other) != 0)
        print_message("the file system of %s takes no part of a file back\n", in_folder(""));
    assert_true(shepard_file_memory_peak(memory) >= 15 * mebi);
    shepard_file_memory_close(memory);
    close(other);
}

/* A child, which the signal ends. */
static void an_unreadable_file_ends_the_process(void **state)
{
    (void)state;
    int ends[2], status;
    char text[200] = "";
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const int file = new_file(), other = dup(file);
        struct shepard_file_memory *memory = shepard_file_memory_open(file, 0);
        volatile char *array = shepard_file_memory_allocate(4 * mebi, memory);
        dup2(ends[1], STDERR_FILENO);
        if (!array || ftruncate(other, 0))
            _exit(2);
        _exit(array[3 * mebi] == 0 ? 3 : 4);
    }
    close(ends[1]);
    assert_true(read(ends[0], text, sizeof text - 1) > 0);
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 1);
    assert_non_null(strstr(text, "shepard: error: the temporary file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_keep_what_is_written),
        cmocka_unit_test(threads_have_arrays_of_their_own),
        cmocka_unit_test(few_pages_are_resident),
        cmocka_unit_test(no_room_is_said_and_room_comes_back),
        cmocka_unit_test(an_unreadable_file_ends_the_process),
    };
    return cmocka_run_group_tests(tests, fixture_begin_random, fixture_end);
}
