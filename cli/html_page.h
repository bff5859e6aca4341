/* SPDX-License-Identifier: MIT */
/** The frame of a page: head with style, end. Nothing outside of the page is used. */
#ifndef SHEPARD_CLI_HTML_PAGE_H
#define SHEPARD_CLI_HTML_PAGE_H

#include "html.h"
#include "text_list.h"

/** Begins the page and its heading, which the caller may go on with by paragraphs. */
void shepard_html_page_begin(struct shepard_html *html, const char *title);

/** Ends the heading. */
void shepard_html_page_body(struct shepard_html *html);

/** A section with the notes of a run, if there are any. */
void shepard_html_notes(struct shepard_html *html, const struct shepard_text_list *notes);

/** Ends the page with the command that repeats it. */
void shepard_html_page_end(struct shepard_html *html, const char *command);

#endif
