/* SPDX-License-Identifier: MIT */
/** A study's figures as SVG, drawn by gnuplot. */
#ifndef SHEPARD_PAPERS_FIGURE_H
#define SHEPARD_PAPERS_FIGURE_H

#include "study.h"

/** False where there is no gnuplot to start. */
bool shepard_figure_possible(void);

/** Tries whether figures can be written into a folder, made for the trial where it does not exist;
 * leaves nothing behind. *error says why not. */
enum shepard_status shepard_figure_check(const char *folder, struct shepard_error *error);

/**
 * Draws every figure that the study has data for into a folder, which is made where it does not
 * exist. All of them appear, or, on an error, none: *error then says why. Figures of the same name
 * from before are replaced. *count: how many there are.
 */
enum shepard_status shepard_figure_draw(const struct shepard_study *study, const char *folder,
                                        size_t *count, struct shepard_error *error);

#endif
