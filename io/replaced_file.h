/* SPDX-License-Identifier: MIT */
/** A file in whose place another one is put. */
#ifndef SHEPARD_IO_REPLACED_FILE_H
#define SHEPARD_IO_REPLACED_FILE_H

/**
 * Gives the file at `from`, about to be renamed to `to`, the mode, group and owner of what stands
 * there. Where its group cannot be kept, the new one gets no permissions.
 */
void shepard_keep_owner(const char *from, const char *to);

/** Why a link leads to no file ("a link that leads back to itself"), static; NULL: it does, or it
 * is no link. */
const char *shepard_broken_link(const char *path);

#endif
