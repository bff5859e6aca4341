/* SPDX-License-Identifier: MIT */
/* A part of a call, watched as a part of its progress. */
#ifndef SHEPARD_BASE_CALL_PART_H
#define SHEPARD_BASE_CALL_PART_H

#include "shepard/shepard.h"

#include <string.h>

struct shepard_call_part {
    const struct shepard_control *whole; /* may be NULL */
    double start, end;                   /* of the whole's progress */
    double reached;
    struct shepard_control control; /* to watch the part with */
};

/* False cancels. */
static inline bool shepard_control_report(const struct shepard_control *control, double fraction)
{
    return control == NULL || control->progress == NULL ||
           control->progress(fraction, control->user);
}

static inline bool shepard_call_part_progress(double fraction, void *user)
{
    struct shepard_call_part *part = (struct shepard_call_part *)user;
    part->reached = fraction < 1 ? part->start + fraction * (part->end - part->start) : part->end;
    return shepard_control_report(part->whole, part->reached);
}

static inline void shepard_call_part_notice(const char *text, void *user)
{
    const struct shepard_control *whole = ((struct shepard_call_part *)user)->whole;
    whole->notice(text, whole->user);
}

/* Begins a part, which stays where it is while it is watched with what is returned. */
static inline const struct shepard_control *
shepard_call_part_begin(struct shepard_call_part *part, const struct shepard_control *whole,
                        double start, double end)
{
    part->whole = whole;
    part->start = part->reached = start;
    part->end = end;
    memset(&part->control, 0, sizeof part->control);
    if (whole != NULL)
        part->control = *whole;
    part->control.size = sizeof part->control;
    part->control.user = part;
    if (part->control.progress != NULL)
        part->control.progress = shepard_call_part_progress;
    if (part->control.notice != NULL)
        part->control.notice = shepard_call_part_notice;
    return &part->control;
}

/* What was begun begins again, from where it is. */
static inline void shepard_call_part_again(struct shepard_call_part *part)
{
    part->start = part->reached;
}

#endif
