/* SPDX-License-Identifier: MIT */
/** Figures of prediction errors: observed against predicted, residuals on the map, their histogram
 * and their size by distance. */
#ifndef SHEPARD_CLI_ERROR_FIGURES_H
#define SHEPARD_CLI_ERROR_FIGURES_H

#include "html.h"
#include "prediction_errors.h"

#include "shepard/shepard_io.h"

struct shepard_error_figures {
    const struct shepard_prediction_errors *errors; /**< at least one */
    const char *field;
    bool anisotropic; /**< distances are those of an anisotropy */
    const struct shepard_srs_description *srs;
};

/** Appends the figures; false on an error, said. */
bool shepard_error_figures_draw(const struct shepard_error_figures *figures,
                                struct shepard_html *html);

#endif
