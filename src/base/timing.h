/* SPDX-License-Identifier: MIT */
/* Sums of struct shepard_timing. */
#ifndef SHEPARD_BASE_TIMING_H
#define SHEPARD_BASE_TIMING_H

#include "shepard/shepard.h"

static inline void shepard_timing_add(const struct shepard_timing *from, struct shepard_timing *to)
{
    to->upload += from->upload;
    to->sort += from->sort;
    to->tree += from->tree;
    to->moments += from->moments;
    to->nearest += from->nearest;
    to->sums += from->sums;
    to->download += from->download;
}

#endif
