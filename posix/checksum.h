/* SPDX-License-Identifier: MIT */
/** Checksums that show whether bytes are those of before; not against forgery. */
#ifndef SHEPARD_POSIX_CHECKSUM_H
#define SHEPARD_POSIX_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/** Adds size bytes (NULL: none) to a checksum, which starts at 0. What is added in several calls
 * has another checksum than in one. */
uint64_t shepard_checksum_add(uint64_t checksum, const void *bytes, size_t size);

#endif
