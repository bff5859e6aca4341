/* SPDX-License-Identifier: MIT */
/** Where the shares of things that stand in a row begin. */
#ifndef SHEPARD_IO_SHARE_FIRST_H
#define SHEPARD_IO_SHARE_FIRST_H

#include <stddef.h>
#include <stdint.h>

/** Of n things, the first that is in share `number` of `count`; of share `count`: n. */
static inline uint64_t shepard_share_first(uint64_t n, size_t number, size_t count)
{
    return n / count * number + n % count * number / count;
}

#endif
