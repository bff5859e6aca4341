/* SPDX-License-Identifier: MIT */
#include "ticks.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

double shepard_round_down(double value)
{
    static const double steps[] = {5, 2, 1};
    const double power = pow(10, floor(log10(value)));
    size_t i = 0;
    /* log10 may round up to the next whole number. */
    while (i < 2 && steps[i] * power > value * (1 + 1e-12)) {
        i++;
    }
    return steps[i] * power;
}

struct shepard_ticks shepard_ticks_make(double low, double high, size_t most)
{
    const double least = (high - low) / (double)most;
    if (!(least > DBL_MIN) || !isfinite(least)) {
        return (struct shepard_ticks){.first = low, .step = 0, .count = 1};
    }
    double step = shepard_round_down(least);
    while (step < least || floor(high / step) - ceil(low / step) >= (double)most) {
        step = shepard_round_down(step * 2.5);
    }
    const double first = ceil(low / step - 1e-9), last = floor(high / step + 1e-9);
    return (struct shepard_ticks){first * step, step, (size_t)fmax(last - first + 1, 0)};
}

double shepard_tick(const struct shepard_ticks *ticks, size_t i)
{
    const double value = ticks->first + (double)i * ticks->step;
    return fabs(value) < 1e-9 * ticks->step ? 0 : value;
}

const char *shepard_tick_text(const struct shepard_ticks *ticks, size_t i, char buffer[40])
{
    const double value = shepard_tick(ticks, i);
    const double last = shepard_tick(ticks, ticks->count - 1);
    const double largest = fmax(fabs(ticks->first), fabs(last));
    if (!(ticks->step > 0)) {
        snprintf(buffer, 40, "%.6g", value);
    } else if (largest >= 1e9 || ticks->step < 1e-5) {
        const double digits = largest > 0 ? log10(largest / ticks->step) : 0;
        snprintf(buffer, 40, "%.*g", (int)fmin(fmax(ceil(digits), 0) + 1, 17), value);
    } else {
        snprintf(buffer, 40, "%.*f", (int)fmax(0, -floor(log10(ticks->step) + 1e-9)), value);
    }
    return buffer;
}
