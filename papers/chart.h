/* SPDX-License-Identifier: MIT */
/** One figure: curves over a series' variable, or stacked shares, as a script for gnuplot. */
#ifndef SHEPARD_PAPERS_CHART_H
#define SHEPARD_PAPERS_CHART_H

#include "ledger.h"
#include "study.h"

/** Figures that a series may have. */
enum shepard_chart_kind {
    SHEPARD_CHART_TIME,
    SHEPARD_CHART_SPEEDUP,
    SHEPARD_CHART_RATIO,
    SHEPARD_CHART_SHARES,
    SHEPARD_CHART_KINDS
};

/** The kind's part of a file name, static. */
const char *shepard_chart_kind_name(enum shepard_chart_kind kind);

struct shepard_chart;

/** Room for one chart after another, to be freed by free; NULL: no memory. */
struct shepard_chart *shepard_chart_new(void);

/** Whether a series has a figure of this kind, and the study something to draw in it; then the
 * chart is filled. */
bool shepard_chart_fill(struct shepard_chart *chart, const struct shepard_study *study,
                        const struct shepard_series *series, enum shepard_chart_kind kind);

/** Writes the script, which makes gnuplot write an SVG to its standard output. */
void shepard_chart_write(FILE *script, const struct shepard_chart *chart);

#endif
