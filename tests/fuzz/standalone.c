/* SPDX-License-Identifier: MIT */
/*
 * Runs a fuzz target where libFuzzer is not to be had: first each file, then seeded random inputs,
 * new bytes or files with some bytes changed.
 *
 *     fuzz_NAME [-runs=N] [-seed=N] [-max_total_time=SECONDS] [FILE...]
 *
 * Without -runs it replays the files only.
 */
#include "fuzz.h"

#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SIZE_LIMIT = 512, SECONDS_LIMIT = 100 /* for one input */ };

struct run {
    long runs, seed, seconds;
    char **file;
    int files;
    uint64_t random;
};

static size_t below(struct run *run, size_t limit)
{
    run->random = run->random * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(run->random >> 33) % limit;
}

/* At most SIZE_LIMIT bytes of a file. */
static size_t read_file(const char *path, uint8_t *bytes)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(EXIT_FAILURE);
    }
    const size_t size = fread(bytes, 1, SIZE_LIMIT, file);
    fclose(file);
    return size;
}

/* The input that runs, for the report of a failure. */
static struct {
    const uint8_t *bytes;
    size_t size;
} current;

static void print_input(int number)
{
    fprintf(stderr, "input of %zu bytes, hex: ", current.size);
    for (size_t i = 0; i < current.size; i++)
        fprintf(stderr, "%02x", current.bytes[i]);
    fputc('\n', stderr);
    signal(number, SIG_DFL);
    raise(number);
}

/* But what a sanitizer catches by itself. */
static void catch_signals(void)
{
    static const int numbers[] = {SIGABRT, SIGALRM, SIGFPE, SIGILL, SIGSEGV};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        void (*before)(int) = signal(numbers[i], print_input);
        if (before != SIG_DFL)
            signal(numbers[i], before);
    }
}

/* An exact block, so that AddressSanitizer sees a read past its end. */
static void run_input(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size + (size == 0));
    if (!copy)
        exit(EXIT_FAILURE);
    memcpy(copy, bytes, size);
    current.bytes = bytes;
    current.size = size;
    alarm(SECONDS_LIMIT);
    LLVMFuzzerTestOneInput(copy, size);
    alarm(0);
    free(copy);
}

/* A file and, at times, the beginning of another one behind it. */
static size_t some_files(struct run *run, uint8_t *bytes)
{
    uint8_t more[SIZE_LIMIT];
    const size_t files = (size_t)run->files;
    const size_t size = read_file(run->file[below(run, files)], bytes);
    if (below(run, 4))
        return size;
    const size_t more_size = read_file(run->file[below(run, files)], more);
    const size_t room = SIZE_LIMIT - size, added = more_size < room ? more_size : room;
    memcpy(bytes + size, more, added);
    return size + added;
}

/* Some bytes become random ones, or others of the same input. */
static void change(struct run *run, uint8_t *bytes, size_t size)
{
    for (size_t changes = size ? below(run, 8) : 0; changes > 0; changes--) {
        const size_t from = below(run, size), to = below(run, size);
        bytes[to] = below(run, 2) ? bytes[from] : (uint8_t)below(run, 256);
    }
}

static size_t random_input(struct run *run, uint8_t *bytes)
{
    size_t size = below(run, SIZE_LIMIT);
    if (run->files > 0 && below(run, 4)) {
        size = some_files(run, bytes);
        change(run, bytes, size);
    } else {
        for (size_t i = 0; i < size; i++)
            bytes[i] = (uint8_t)below(run, 256);
    }
    return below(run, 4) ? size : below(run, size + 1);
}

static struct run read_arguments(int argc, char **argv)
{
    struct run run = {.seed = 1, .seconds = 3600};
    int i = 1;
    for (; i < argc && argv[i][0] == '-'; i++)
        if (sscanf(argv[i], "-runs=%ld", &run.runs) != 1 &&
            sscanf(argv[i], "-seed=%ld", &run.seed) != 1 &&
            sscanf(argv[i], "-max_total_time=%ld", &run.seconds) != 1) {
            fprintf(stderr, "unknown argument %s\n", argv[i]);
            exit(EXIT_FAILURE);
        }
    run.file = argv + i;
    run.files = argc - i;
    run.random = (uint64_t)run.seed * 0x9e3779b97f4a7c15u;
    return run;
}

int main(int argc, char **argv)
{
    struct run run = read_arguments(argc, argv);
    printf("seed %ld, at most %ld random inputs in %ld s\n", run.seed, run.runs, run.seconds);
    catch_signals();
    uint8_t bytes[SIZE_LIMIT];
    for (int i = 0; i < run.files; i++)
        run_input(bytes, read_file(run.file[i], bytes));
    long done = 0;
    for (const time_t start = time(NULL); done < run.runs; done++) {
        run_input(bytes, random_input(&run, bytes));
        if (difftime(time(NULL), start) > (double)run.seconds)
            break;
    }
    printf("%d files and %ld random inputs passed\n", run.files, done);
    return EXIT_SUCCESS;
}
