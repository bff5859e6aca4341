/* SPDX-License-Identifier: MIT */
/* Checks that count, print what failed in which case, and remember the largest errors. */
#ifndef SHEPARD_TESTS_CHECK_H
#define SHEPARD_TESTS_CHECK_H

#include <stdbool.h>

/* Names the case that the next checks belong to; printed where one of them fails. */
__attribute__((format(printf, 1, 2))) void check_case(const char *format, ...);

/* Counts a check and gives ok back; a failed one prints the message (the first few of a run). */
__attribute__((format(printf, 2, 3))) bool check(bool ok, const char *format, ...);

/* |got - want| <= tolerance; both NaN, or both the same infinity, is equal. */
bool check_near(double got, double want, double tolerance, const char *what);

/* Remembers the largest number given under a name (static text), printed by check_finish. */
void check_measure(const char *name, double number);

/* Prints "N passed, M failed" and the measures. Returns the exit status. */
int check_finish(const char *title);

#endif
