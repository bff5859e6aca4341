/* SPDX-License-Identifier: MIT */
/** How many threads the library uses. */
#ifndef SHEPARD_CLI_THREAD_COUNT_H
#define SHEPARD_CLI_THREAD_COUNT_H

/** With this option of --threads; 0: as many as OpenMP takes. 1 where that is not known. */
int shepard_thread_count(int option);

#endif
