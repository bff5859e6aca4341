/* SPDX-License-Identifier: MIT */
/** Messages to the user, all on stderr. */
#ifndef SHEPARD_CLI_MESSAGE_H
#define SHEPARD_CLI_MESSAGE_H

#include <stdbool.h>

/** Writes "shepard: error: ..." and a line end; returns false, so that a check can return it. */
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
bool shepard_say_error(const char *format, ...);

/** Writes "shepard: note: ..." and a line end. */
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
void shepard_say_note(const char *format, ...);

/** Of several processes that do one job: errors wait from now on, for all may have the same, and
 * notes are written or not. */
void shepard_messages_wait(bool notes);

/** Writes the errors that wait, or forgets them. */
void shepard_messages_end(bool write);

#endif
