/* SPDX-License-Identifier: MIT */
/** The page of --report. */
#ifndef SHEPARD_CLI_HTML_REPORT_H
#define SHEPARD_CLI_HTML_REPORT_H

#include "report.h"

/** What the page shows besides the summary. */
struct shepard_html_report {
    const struct shepard_report *report;
    const struct shepard_report_data *data;
    const char *command; /**< as a shell takes it */
};

/** Writes the page of grid; false on an error, said. */
bool shepard_html_report_write(const struct shepard_html_report *page);

#endif
