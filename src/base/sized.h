/* SPDX-License-Identifier: MIT */
/* Structs that another version of the library may know with fewer or more members. */
#ifndef SHEPARD_BASE_SIZED_H
#define SHEPARD_BASE_SIZED_H

#include <stddef.h>
#include <string.h>

/* Fills a struct of so many bytes: with 0 where the other one has no members. */
static inline void shepard_sized_give(const void *from, size_t from_size, void *to, size_t to_size)
{
    const size_t shared = to_size < from_size ? to_size : from_size;
    memcpy(to, from, shared);
    memset((char *)to + shared, 0, to_size - shared);
}

#endif
