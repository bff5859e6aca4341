/* SPDX-License-Identifier: MIT */
/** Tables of what was fitted to the fields: parameters of kriging, trends on covariates. */
#ifndef SHEPARD_CLI_HTML_MODELS_H
#define SHEPARD_CLI_HTML_MODELS_H

#include "html.h"
#include "report.h"

/** Appends a table for each fit and each trend; nothing where nothing was fitted. */
void shepard_html_models(const struct shepard_report *report, struct shepard_html *html);

#endif
