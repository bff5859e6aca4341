/* SPDX-License-Identifier: MIT */
#include "check.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define SHOWN_MAX 40
#define MEASURES_MAX 64

static struct {
    char title[256];
    long passed, failed;
    int measures;
    const char *names[MEASURES_MAX];
    double largest[MEASURES_MAX];
} run;

void check_case(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(run.title, sizeof run.title, format, arguments);
    va_end(arguments);
}

bool check(bool ok, const char *format, ...)
{
    if (ok) {
        run.passed++;
        return true;
    }
    if (++run.failed > SHOWN_MAX)
        return false;
    printf("FAILED [%s] ", run.title);
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    puts(run.failed == SHOWN_MAX ? "\n... further failures are counted only" : "");
    return false;
}

bool check_near(double got, double want, double tolerance, const char *what)
{
    const bool same = got == want || (isnan(got) && isnan(want));
    return check(same || fabs(got - want) <= tolerance,
                 "%s is %.17g, not %.17g (off by %.3g, limit %.3g)", what, got, want,
                 fabs(got - want), tolerance);
}

void check_measure(const char *name, double number)
{
    int i = 0;
    while (i < run.measures && strcmp(run.names[i], name) != 0)
        i++;
    if (i == MEASURES_MAX)
        return;
    if (i == run.measures) {
        run.names[run.measures++] = name;
        run.largest[i] = 0;
    }
    if (!(number <= run.largest[i]))
        run.largest[i] = number;
}

int check_finish(const char *title)
{
    for (int i = 0; i < run.measures; i++)
        printf("largest %s: %.3g\n", run.names[i], run.largest[i]);
    printf("%s: %ld passed, %ld failed\n", title, run.passed, run.failed);
    return run.failed == 0 && run.passed > 0 ? 0 : 1;
}
