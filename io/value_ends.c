/* SPDX-License-Identifier: MIT */
#include "value_ends.h"

#include <math.h>

/* Fewer other values do not show what their range is. */
enum { OTHERS_MIN = 5 };

void shepard_ends_add_end(struct shepard_value_ends *ends, double value)
{
    if (ends->count++ == 0)
        *ends = (struct shepard_value_ends){1, value, value, value, value, 0, 0};
    if (value < ends->min) {
        ends->next_min = ends->min;
        ends->min = value;
        ends->at_min = 0;
    } else if (value > ends->min && (value < ends->next_min || ends->next_min == ends->min)) {
        ends->next_min = value;
    }
    if (value > ends->max) {
        ends->next_max = ends->max;
        ends->max = value;
        ends->at_max = 0;
    } else if (value < ends->max && (value > ends->next_max || ends->next_max == ends->max)) {
        ends->next_max = value;
    }
    ends->at_min += value == ends->min;
    ends->at_max += value == ends->max;
}

/* The least value above a given one; that one itself where no value is above it. */
static double next_above(double least, const double values[4])
{
    double next = INFINITY;
    for (int i = 0; i < 4; i++)
        next = values[i] > least ? fmin(next, values[i]) : next;
    return next < INFINITY ? next : least;
}

static double next_below(double most, const double values[4])
{
    return -next_above(-most, (const double[]){-values[0], -values[1], -values[2], -values[3]});
}

void shepard_value_ends_join(struct shepard_value_ends *ends,
                             const struct shepard_value_ends *others)
{
    const struct shepard_value_ends a = *ends, b = *others;
    if (b.count == 0)
        return;
    *ends = b;
    if (a.count == 0)
        return;
    ends->count = a.count + b.count;
    ends->min = fmin(a.min, b.min);
    ends->max = fmax(a.max, b.max);
    ends->next_min = next_above(ends->min, (const double[]){a.min, a.next_min, b.min, b.next_min});
    ends->next_max = next_below(ends->max, (const double[]){a.max, a.next_max, b.max, b.next_max});
    ends->at_min = (a.min == ends->min ? a.at_min : 0) + (b.min == ends->min ? b.at_min : 0);
    ends->at_max = (a.max == ends->max ? a.at_max : 0) + (b.max == ends->max ? b.at_max : 0);
}

static bool is_stray(const struct shepard_value_ends *ends, size_t times, double gap, double range)
{
    return times >= 2 && ends->count - times >= OTHERS_MIN && range > 0 && gap > range;
}

struct shepard_stray shepard_value_ends_stray(const struct shepard_value_ends *ends)
{
    if (is_stray(ends, ends->at_min, ends->next_min - ends->min, ends->max - ends->next_min))
        return (struct shepard_stray){ends->at_min, ends->min, ends->next_min, ends->max};
    if (is_stray(ends, ends->at_max, ends->max - ends->next_max, ends->next_max - ends->min))
        return (struct shepard_stray){ends->at_max, ends->max, ends->min, ends->next_max};
    return (struct shepard_stray){0};
}
