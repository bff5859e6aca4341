/* SPDX-License-Identifier: MIT */
#include "value_ends.h"

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

static bool is_stray(const struct shepard_value_ends *ends, size_t times, double gap, double range)
{
    return times >= 2 && ends->count - times >= OTHERS_MIN && range > 0 && gap > range;
}

struct shepard_stray shepard_ends_stray(const struct shepard_value_ends *ends)
{
    if (is_stray(ends, ends->at_min, ends->next_min - ends->min, ends->max - ends->next_min))
        return (struct shepard_stray){ends->at_min, ends->min, ends->next_min, ends->max};
    if (is_stray(ends, ends->at_max, ends->max - ends->next_max, ends->next_max - ends->min))
        return (struct shepard_stray){ends->at_max, ends->max, ends->min, ends->next_max};
    return (struct shepard_stray){0};
}
