/* SPDX-License-Identifier: MIT */
/** Text as JSON has it. */
#ifndef SHEPARD_CLI_UTF8_H
#define SHEPARD_CLI_UTF8_H

/** The text where it is UTF-8; else each of its bytes is taken as a character of Latin-1, which old
 * files are mostly in. To be freed; NULL where memory is out. */
char *shepard_utf8(const char *text);

#endif
