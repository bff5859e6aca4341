/* SPDX-License-Identifier: MIT */
/*
 * Preloaded into the command: the FAIL_AT-th allocation that GDAL makes after the command has
 * created a vector file, until it closes the file, fails, once; and while the rows of a CSV file
 * are appended. With FAIL_AT=0 none does; FAIL_COUNT names a file that gets the number of
 * allocations. With FAIL_SIZE only allocations of so many bytes are counted. With FAIL_OWN those
 * that the command's own code makes are counted, from where it begins with GDAL.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static long count, fail_at;
static size_t fail_size;
static int armed;

/* Where the command's own code lies; empty: not asked for. */
static uintptr_t own_begin, own_end;

/* dlsym may allocate: those blocks come from here and are never freed. */
static char early[1 << 16];
static size_t early_used;

static void *next_of(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

static int is_early(const void *block)
{
    return (const char *)block >= early && (const char *)block < early + sizeof early;
}

static void *take_early(size_t size)
{
    const size_t at = early_used;
    early_used += (size + 15) / 16 * 16;
    return early_used <= sizeof early ? early + at : NULL;
}

static int fails(size_t size, const void *caller)
{
    const uintptr_t at = (uintptr_t)caller;
    const int counts = own_end ? at >= own_begin && at < own_end : armed;
    return counts && (fail_size == 0 || size == fail_size) && ++count == fail_at;
}

void *malloc(size_t size)
{
    static void *(*next)(size_t);
    static int looking;
    if (!next && looking)
        return take_early(size);
    if (!next) {
        looking = 1;
        *(void **)&next = next_of("malloc");
    }
    return fails(size, __builtin_return_address(0)) ? NULL : next(size);
}

void *calloc(size_t n, size_t size)
{
    static void *(*next)(size_t, size_t);
    static int looking;
    if (!next && looking)
        return take_early(n * size);
    if (!next) {
        looking = 1;
        *(void **)&next = next_of("calloc");
    }
    return fails(n * size, __builtin_return_address(0)) ? NULL : next(n, size);
}

void *realloc(void *block, size_t size)
{
    static void *(*next)(void *, size_t);
    if (!next)
        *(void **)&next = next_of("realloc");
    return fails(size, __builtin_return_address(0)) ? NULL : next(block, size);
}

void free(void *block)
{
    static void (*next)(void *);
    if (!next)
        *(void **)&next = next_of("free");
    if (!is_early(block))
        next(block);
}

static void write_count(void)
{
    const char *path = getenv("FAIL_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file)
        return;
    fprintf(file, "%ld\n", count);
    fclose(file);
}

static void read_environment(void)
{
    const char *at = getenv("FAIL_AT"), *size = getenv("FAIL_SIZE");
    fail_at = at ? atol(at) : 0;
    fail_size = size ? (size_t)atol(size) : 0;
    atexit(write_count);
}

/* The program comes first. */
static int find_own_code(struct dl_phdr_info *info, size_t size, void *user)
{
    (void)size, (void)user;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X) {
            own_begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            own_end = own_begin + info->dlpi_phdr[i].p_memsz;
        }
    return 1;
}

/* The command calls this first. What is linked into it may have allocated before, as CUDA's runtime
 * does. */
void GDALAllRegister(void)
{
    static void (*next)(void);
    *(void **)&next = next_of("GDALAllRegister");
    if (getenv("FAIL_OWN")) {
        read_environment();
        dl_iterate_phdr(find_own_code, NULL);
    }
    next();
}

void *GDALCreate(void *driver, const char *path, int columns, int rows, int bands, int type,
                 char **options)
{
    static void *(*next)(void *, const char *, int, int, int, int, char **);
    *(void **)&next = next_of("GDALCreate");
    const int is_vector = bands == 0;
    if (!own_end && is_vector)
        read_environment();
    void *made = next(driver, path, columns, rows, bands, type, options);
    armed = is_vector;
    return made;
}

int GDALClose(void *dataset)
{
    static int (*next)(void *);
    *(void **)&next = next_of("GDALClose");
    const int status = next(dataset);
    armed = 0;
    return status;
}

static void *appended;

void *VSIFOpenL(const char *path, const char *mode)
{
    static void *(*next)(const char *, const char *);
    *(void **)&next = next_of("VSIFOpenL");
    void *file = next(path, mode);
    if (mode[0] == 'a') {
        appended = file;
        armed = 1;
    }
    return file;
}

int VSIFCloseL(void *file)
{
    static int (*next)(void *);
    *(void **)&next = next_of("VSIFCloseL");
    const int status = next(file);
    armed = armed && file != appended;
    return status;
}
