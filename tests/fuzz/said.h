/* SPDX-License-Identifier: MIT */
/** The command's messages, which come here in place of cli/message.c. */
#ifndef SHEPARD_FUZZ_SAID_H
#define SHEPARD_FUZZ_SAID_H

/** Errors since said_clear, and the last one. */
struct said_errors {
    int count;
    char text[2000];
};

extern struct said_errors said;

void said_clear(void);

#endif
