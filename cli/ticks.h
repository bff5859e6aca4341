/* SPDX-License-Identifier: MIT */
/** Round numbers along an axis: 1, 2 or 5 times a power of ten apart. */
#ifndef SHEPARD_CLI_TICKS_H
#define SHEPARD_CLI_TICKS_H

#include <stddef.h>

struct shepard_ticks {
    double first, step;
    size_t count;
};

/** The largest of 1, 2 and 5 times a power of ten that is at most value > 0. */
double shepard_round_down(double value);

/** The ticks within [low, high], at most `most` of them. */
struct shepard_ticks shepard_ticks_make(double low, double high, size_t most);

double shepard_tick(const struct shepard_ticks *ticks, size_t i);

/** The text of a tick, with the digits that tell it from the next one; returns the buffer. */
const char *shepard_tick_text(const struct shepard_ticks *ticks, size_t i, char buffer[40]);

#endif
