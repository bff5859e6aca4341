/* SPDX-License-Identifier: MIT */
/** A file in whose place another one is put. */
#ifndef SHEPARD_POSIX_REPLACED_FILE_H
#define SHEPARD_POSIX_REPLACED_FILE_H

/**
 * Gives an open file, about to be renamed to `place`, the mode, group and owner of the file there,
 * as far as permitted. If the group cannot be kept, the new file's group gets no permissions.
 * Does nothing if there is no file at `place`.
 */
void shepard_keep_owner(int file, const char *place);

/** Why a link leads to no file ("a link that leads back to itself"), static; NULL: it does, or it
 * is no link. */
const char *shepard_broken_link(const char *path);

#endif
