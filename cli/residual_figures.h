/* SPDX-License-Identifier: MIT */
/** The figures of one algorithm's residuals on held-out data. */
#ifndef SHEPARD_CLI_RESIDUAL_FIGURES_H
#define SHEPARD_CLI_RESIDUAL_FIGURES_H

#include "html.h"
#include "residuals.h"

/** What the figures show. */
struct shepard_residual_figures {
    const struct shepard_residuals *residuals;
    size_t algorithm; /**< of the residuals */
    const char *text; /**< the algorithm */
    const char *why;  /**< behind its text: "which has the least RMSE" */
    const char *field;
};

/** Appends a sentence and the figures, nothing without any prediction; false on an error, said. */
bool shepard_residual_figures_draw(const struct shepard_residual_figures *figures,
                                   struct shepard_html *html);

#endif
