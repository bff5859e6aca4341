/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "file_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* Shorter arrays are not worth a mapping. */
static const size_t mapped_min = (size_t)1 << 20;

/* Between two looks at what is resident, as much may become resident as a quarter of what may be,
 * by threads that write 8 GB a second together; no more than so many nanoseconds. */
static const double write_rate = 8;
static const double watch_interval_max = 2e7, watch_interval_min = 1e6;

/* In front of each array. */
struct mapping {
    struct mapping *next, *before;
    size_t size; /* of the mapping; 0: plain memory */
    off_t at;    /* in the file */
};

/* The room of a head: arrays are aligned as those of malloc. */
enum { HEAD = 64 };
_Static_assert(sizeof(struct mapping) <= HEAD, "a head has room");

struct shepard_file_memory {
    int file;
    size_t page, resident_max; /* with what was resident when it was opened */
    long interval;             /* nanoseconds between two looks */
    pthread_mutex_t lock;      /* of all that follows */
    struct mapping *mappings;  /* that are mapped */
    off_t end;                 /* of the file */
    uint64_t held, peak;
    int refusal;
    pthread_cond_t wake;
    bool closing, watched;
    pthread_t watcher;
    struct sigaction before;
};

/* ---- Errors of the file ---------------------------------------------------------------------- */

static void fail(int number)
{
    static const char text[] = "shepard: error: the temporary file of --memory cannot be read or "
                               "written any more; give a folder on another disk with --temp\n";
    (void)number;
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    _exit(1);
}

/* ---- What is resident ------------------------------------------------------------------------ */

#ifdef __linux__
/* Bytes of files in the memory of the process. */
static size_t resident_bytes(size_t page)
{
    char text[200] = "";
    const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    size_t total, resident, shared = 0;
    if (file < 0)
        return 0;
    const ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    return length > 0 && sscanf(text, "%zu %zu %zu", &total, &resident, &shared) == 3
               ? shared * page
               : 0;
}

/* Pages that are used again come back from the system's cache, or else from the disk. */
static void drop_pages(const struct shepard_file_memory *memory)
{
    for (struct mapping *mapping = memory->mappings; mapping; mapping = mapping->next)
        madvise(mapping, mapping->size, MADV_DONTNEED);
}

static void *watch(void *user)
{
    struct shepard_file_memory *memory = user;
    pthread_mutex_lock(&memory->lock);
    while (!memory->closing) {
        struct timespec next;
        clock_gettime(CLOCK_REALTIME, &next);
        next.tv_nsec += memory->interval;
        next.tv_sec += next.tv_nsec / 1000000000;
        next.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&memory->wake, &memory->lock, &next);
        if (resident_bytes(memory->page) > memory->resident_max)
            drop_pages(memory);
    }
    pthread_mutex_unlock(&memory->lock);
    return NULL;
}
#endif

/* ---- Opening --------------------------------------------------------------------------------- */

static void start_watching(struct shepard_file_memory *memory)
{
#ifdef __linux__
    const double pace = (double)memory->resident_max / 4 / write_rate;
    memory->interval = (long)fmax(watch_interval_min, fmin(watch_interval_max, pace));
    memory->resident_max += resident_bytes(memory->page);
    memory->watched = pthread_create(&memory->watcher, NULL, watch, memory) == 0;
#else
    (void)memory;
#endif
}

struct shepard_file_memory *shepard_file_memory_open(int file, size_t resident_max)
{
    struct shepard_file_memory *memory = calloc(1, sizeof *memory);
    if (!memory) {
        close(file);
        return NULL;
    }
    memory->file = file;
    memory->page = (size_t)sysconf(_SC_PAGESIZE);
    memory->resident_max = resident_max;
    pthread_mutex_init(&memory->lock, NULL);
    pthread_cond_init(&memory->wake, NULL);
    sigaction(SIGBUS, &(struct sigaction){.sa_handler = fail}, &memory->before);
    start_watching(memory);
    return memory;
}

void shepard_file_memory_close(struct shepard_file_memory *memory)
{
    if (!memory)
        return;
    pthread_mutex_lock(&memory->lock);
    memory->closing = true;
    pthread_cond_signal(&memory->wake);
    pthread_mutex_unlock(&memory->lock);
    if (memory->watched)
        pthread_join(memory->watcher, NULL);
    while (memory->mappings)
        shepard_file_memory_release((char *)memory->mappings + HEAD, memory);
    sigaction(SIGBUS, &memory->before, NULL);
    close(memory->file);
    pthread_cond_destroy(&memory->wake);
    pthread_mutex_destroy(&memory->lock);
    free(memory);
}

/* ---- Mappings ----------------------------------------------------------------------------------
 */

static void *allocate_plain(size_t size)
{
    struct mapping *mapping = malloc(HEAD + size);
    if (!mapping)
        return NULL;
    *mapping = (struct mapping){.size = 0};
    return (char *)mapping + HEAD;
}

/* 0, or errno. */
static int reserve(int file, off_t at, off_t size)
{
#ifdef __APPLE__
    return ftruncate(file, at + size) == 0 ? 0 : errno;
#else
    return posix_fallocate(file, at, size);
#endif
}

/* At the end of the file, with room on the disk. NULL with errno. Under the lock. */
static struct mapping *add_mapping(struct shepard_file_memory *memory, size_t size)
{
    const int reason = reserve(memory->file, memory->end, (off_t)size);
    errno = reason;
    struct mapping *mapping =
        reason ? MAP_FAILED
               : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory->file, memory->end);
    if (mapping == MAP_FAILED)
        return NULL;
    *mapping = (struct mapping){.next = memory->mappings, .size = size, .at = memory->end};
    if (memory->mappings)
        memory->mappings->before = mapping;
    memory->mappings = mapping;
    memory->end += (off_t)size;
    memory->held += size;
    memory->peak = memory->held > memory->peak ? memory->held : memory->peak;
    return mapping;
}

void *shepard_file_memory_allocate(size_t size, void *user)
{
    struct shepard_file_memory *memory = user;
    const size_t whole = (size + HEAD + memory->page - 1) / memory->page * memory->page;
    if (size < mapped_min)
        return allocate_plain(size);
    if (whole < size)
        return NULL;
    pthread_mutex_lock(&memory->lock);
    struct mapping *mapping = add_mapping(memory, whole);
    if (!mapping && memory->refusal == 0)
        memory->refusal = errno;
    pthread_mutex_unlock(&memory->lock);
    return mapping ? (char *)mapping + HEAD : NULL;
}

/* Gives the room on the disk back, where the file system can. Under the lock. */
static void remove_mapping(struct shepard_file_memory *memory, struct mapping *mapping)
{
    const struct mapping old = *mapping;
    *(old.before ? &old.before->next : &memory->mappings) = old.next;
    if (old.next)
        old.next->before = old.before;
    munmap(mapping, old.size);
#ifdef FALLOC_FL_PUNCH_HOLE
    (void)!fallocate(memory->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, old.at,
                     (off_t)old.size);
#endif
    memory->held -= old.size;
}

void shepard_file_memory_release(void *array, void *user)
{
    struct shepard_file_memory *memory = user;
    struct mapping *mapping = (struct mapping *)(void *)((char *)array - HEAD);
    if (mapping->size == 0) {
        free(mapping);
        return;
    }
    pthread_mutex_lock(&memory->lock);
    remove_mapping(memory, mapping);
    pthread_mutex_unlock(&memory->lock);
}

int shepard_file_memory_refusal(const struct shepard_file_memory *memory)
{
    return memory->refusal;
}

uint64_t shepard_file_memory_peak(const struct shepard_file_memory *memory)
{
    return memory->peak;
}
