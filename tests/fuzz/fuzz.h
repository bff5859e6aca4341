/* SPDX-License-Identifier: MIT */
/** What every fuzz target shares: the entry point and the statement of a property. */
#ifndef SHEPARD_FUZZ_H
#define SHEPARD_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/** Runs the target on one input; aborts where a property does not hold. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/** Aborts with the printf-style text where the condition does not hold. */
#define FUZZ_REQUIRE(condition, ...)                                                               \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition);                        \
            fprintf(stderr, __VA_ARGS__);                                                          \
            fputc('\n', stderr);                                                                   \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

#endif
