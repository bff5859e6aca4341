/* SPDX-License-Identifier: MIT */
/* Ranges of powers that have interaction lists of their own, and how the targets of a cell are
 * divided by their powers. Lists for a single power are the shortest; but targets that are divided
 * make more walks down the tree, and vectors with empty lanes. */
#ifndef SHEPARD_BACKEND_CPU_POWER_RANGES_H
#define SHEPARD_BACKEND_CPU_POWER_RANGES_H

#include "core/rules.h"

/* Powers of adaptive predictions are often the smallest or the largest. */
enum shepard_cpu_powers {
    SHEPARD_CPU_POWERS_LEAST, /* one power, the smallest */
    SHEPARD_CPU_POWERS_MOST,  /* one power, the largest */
    SHEPARD_CPU_POWERS_LOW,   /* the smallest and those near it */
    SHEPARD_CPU_POWERS_HIGH,  /* the largest and those near it */
    SHEPARD_CPU_POWERS_ANY,
    SHEPARD_CPU_POWERS
};

/* Those of one power come first. */
#define SHEPARD_CPU_SINGLE_POWERS 2

/* The ranges that a cell's targets are divided into, beside ANY for those that fit no other. */
enum shepard_cpu_division {
    SHEPARD_CPU_DIVISION_SINGLE, /* LEAST and MOST */
    SHEPARD_CPU_DIVISION_LOW,
    SHEPARD_CPU_DIVISION_HIGH,
    SHEPARD_CPU_DIVISION_NONE
};

/* All powers from one to another. */
struct shepard_cpu_range {
    double least, most;
};

/* What a range has of all powers. */
struct shepard_cpu_range shepard_cpu_powers_range(enum shepard_cpu_powers powers,
                                                  struct shepard_cpu_range all);

/* The range that a power belongs to. */
enum shepard_cpu_powers shepard_cpu_powers_of(enum shepard_cpu_division division,
                                              struct shepard_cpu_range all, double power);

/* What suits targets among points of a mean spacing, frame units, where powers rise or fall with
 * the distance: SINGLE, LOW or HIGH where hardly any target is left over; else `otherwise`. The
 * rules are adaptive. */
enum shepard_cpu_division shepard_cpu_powers_divide(const struct shepard_rules *rules,
                                                    double spacing,
                                                    enum shepard_cpu_division otherwise);

#endif
