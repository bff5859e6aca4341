/* SPDX-License-Identifier: MIT */
/** HTML and SVG, built as one growing text. */
#ifndef SHEPARD_CLI_HTML_H
#define SHEPARD_CLI_HTML_H

#include <stdbool.h>
#include <stddef.h>

/** Start from {0}; free with shepard_html_free. After it failed (out of memory) nothing is added.
 */
struct shepard_html {
    char *text;
    size_t length, room;
    bool failed;
};

void shepard_html_free(struct shepard_html *html);

/** Appends markup as it is. */
void shepard_html_raw(struct shepard_html *html, const char *markup);

/** Appends printf-formatted markup; texts of users go through shepard_html_text. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void shepard_html_format(struct shepard_html *html, const char *format, ...);

/** Appends a text, escaped for elements and quoted attributes; what is not UTF-8 is taken as
 * Latin-1, and control characters become spaces. */
void shepard_html_text(struct shepard_html *html, const char *text);

/** The same of an algorithm's text; a line may break behind each colon. */
void shepard_html_algorithm(struct shepard_html *html, const char *text);

/** Appends bytes in base64. */
void shepard_html_base64(struct shepard_html *html, const unsigned char *bytes, size_t size);

/** Appends a number with 6 digits, whole numbers with all; all its digits stand in the attribute
 * value of its element. key: its path in the summary of --json, as "raster.columns"; NULL: none. */
void shepard_html_number(struct shepard_html *html, double value, const char *key);

/** The same with so many digits. */
void shepard_html_rounded(struct shepard_html *html, double value, int digits, const char *key);

/** The same as a percentage of 1. */
void shepard_html_share(struct shepard_html *html, double value, const char *key);

/** Tables of two columns, a name and what belongs to it. */
void shepard_html_table_begin(struct shepard_html *html, const char *title);
void shepard_html_table_begin_of(struct shepard_html *html, const char *words, const char *name);
void shepard_html_table_end(struct shepard_html *html);
void shepard_html_row_begin(struct shepard_html *html, const char *name);
void shepard_html_row_end(struct shepard_html *html);
void shepard_html_row_text(struct shepard_html *html, const char *name, const char *text);
void shepard_html_row_number(struct shepard_html *html, const char *name, double value,
                             const char *key);

#endif
