/* SPDX-License-Identifier: MIT */
/**
 * Arrays in a file: more of them than the memory of the machine. They are mapped, so that the
 * system reads and writes what is used, and keeps no more of them in the process than it may.
 */
#ifndef SHEPARD_POSIX_FILE_MEMORY_H
#define SHEPARD_POSIX_FILE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

struct shepard_file_memory;

/**
 * In an empty file that is open for reading and writing, which it closes in the end. resident_max:
 * bytes of it that the process may have in memory, about; what is beyond stays in the file, and in
 * the system's cache of it. Linux; elsewhere the system alone decides. NULL: memory is out, and the
 * file is closed.
 *
 * Only one may be open in a process. While it is, a file that cannot be read ends the process with
 * an error: it is a signal (SIGBUS), as an array has no status.
 */
struct shepard_file_memory *shepard_file_memory_open(int file, size_t resident_max);

/** What was allocated in it must not be used any more. NULL is allowed. */
void shepard_file_memory_close(struct shepard_file_memory *memory);

/** The functions of a struct shepard_allocator, user: the file memory. Short arrays are in plain
 * memory; of long ones the file has room before they are used. Threads may call both at once. */
void *shepard_file_memory_allocate(size_t size, void *memory);
void shepard_file_memory_release(void *block, void *memory);

/** errno of what was refused room in the file first; 0: nothing. */
int shepard_file_memory_refusal(const struct shepard_file_memory *memory);

/** Bytes that the file held at most. */
uint64_t shepard_file_memory_peak(const struct shepard_file_memory *memory);

#endif
