/* SPDX-License-Identifier: MIT */
#include "html.h"

#include "number.h"
#include "utf8.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void shepard_html_free(struct shepard_html *html)
{
    free(html->text);
    *html = (struct shepard_html){0};
}

/* Makes room for that many bytes more and an end. */
static bool reserve(struct shepard_html *html, size_t more)
{
    if (html->failed || more < html->room - html->length) {
        return !html->failed;
    }
    const size_t room = 2 * html->room + more + 4096;
    char *const text = realloc(html->text, room);
    if (!text) {
        html->failed = true;
        return false;
    }
    html->text = text;
    html->room = room;
    return true;
}

static void append(struct shepard_html *html, const char *bytes, size_t length)
{
    if (reserve(html, length)) {
        memcpy(html->text + html->length, bytes, length);
        html->length += length;
        html->text[html->length] = '\0';
    }
}

void shepard_html_raw(struct shepard_html *html, const char *markup)
{
    append(html, markup, strlen(markup));
}

void shepard_html_format(struct shepard_html *html, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0 || !reserve(html, (size_t)length)) {
        html->failed = true;
        return;
    }
    va_start(arguments, format);
    vsnprintf(html->text + html->length, (size_t)length + 1, format, arguments);
    va_end(arguments);
    html->length += (size_t)length;
}

static void append_escaped(struct shepard_html *html, char letter)
{
    switch (letter) {
    case '&':
        shepard_html_raw(html, "&amp;");
        break;
    case '<':
        shepard_html_raw(html, "&lt;");
        break;
    case '>':
        shepard_html_raw(html, "&gt;");
        break;
    case '"':
        shepard_html_raw(html, "&quot;");
        break;
    case '\'':
        shepard_html_raw(html, "&#39;");
        break;
    default:
        append(html, (unsigned char)letter < ' ' && letter != '\n' ? " " : &letter, 1);
    }
}

/* behind_colon: markup; "": none. */
static void append_text(struct shepard_html *html, const char *text, const char *behind_colon)
{
    char *const utf8 = shepard_utf8(text);
    html->failed = html->failed || !utf8;
    for (const char *letter = utf8; letter && *letter; letter++) {
        append_escaped(html, *letter);
        shepard_html_raw(html, *letter == ':' ? behind_colon : "");
    }
    free(utf8);
}

void shepard_html_text(struct shepard_html *html, const char *text)
{
    append_text(html, text, "");
}

void shepard_html_algorithm(struct shepard_html *html, const char *text)
{
    append_text(html, text, "<wbr>");
}

void shepard_html_base64(struct shepard_html *html, const unsigned char *bytes, size_t size)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (!reserve(html, (size + 2) / 3 * 4)) {
        return;
    }
    char *to = html->text + html->length;
    for (size_t i = 0; i < size; i += 3) {
        const size_t left = size - i;
        const uint32_t bits = (uint32_t)bytes[i] << 16 |
                              (uint32_t)(left > 1 ? bytes[i + 1] : 0) << 8 |
                              (left > 2 ? bytes[i + 2] : 0U);
        *to++ = letters[bits >> 18];
        *to++ = letters[bits >> 12 & 63];
        *to++ = left > 1 ? letters[bits >> 6 & 63] : '=';
        *to++ = left > 2 ? letters[bits & 63] : '=';
    }
    *to = '\0';
    html->length = (size_t)(to - html->text);
}

/* The element's begin, with all digits. */
static void begin_number(struct shepard_html *html, double value, const char *key)
{
    char exact[32];
    shepard_html_raw(html, "<data");
    if (key) {
        shepard_html_raw(html, " data-key=\"");
        shepard_html_text(html, key);
        shepard_html_raw(html, "\"");
    }
    shepard_html_format(html, " value=\"%s\">", shepard_number_text(value, exact));
}

void shepard_html_rounded(struct shepard_html *html, double value, int digits, const char *key)
{
    if (!isfinite(value)) {
        shepard_html_raw(html, "none");
        return;
    }
    const bool whole = value == floor(value) && fabs(value) < 1e15;
    begin_number(html, value, key);
    shepard_html_format(html, "%.*g</data>", whole ? 15 : digits, value);
}

void shepard_html_number(struct shepard_html *html, double value, const char *key)
{
    shepard_html_rounded(html, value, 6, key);
}

void shepard_html_share(struct shepard_html *html, double value, const char *key)
{
    begin_number(html, value, key);
    shepard_html_format(html, "%.1f %%</data>", 100 * value);
}

void shepard_html_table_begin(struct shepard_html *html, const char *title)
{
    shepard_html_raw(html, "<section class=\"table\"><h3>");
    shepard_html_text(html, title);
    shepard_html_raw(html, "</h3><table><tbody>\n");
}

void shepard_html_table_begin_of(struct shepard_html *html, const char *words, const char *name)
{
    shepard_html_raw(html, "<section class=\"table\"><h3>");
    shepard_html_text(html, words);
    shepard_html_raw(html, " ");
    shepard_html_algorithm(html, name);
    shepard_html_raw(html, "</h3><table><tbody>\n");
}

void shepard_html_table_end(struct shepard_html *html)
{
    shepard_html_raw(html, "</tbody></table></section>\n");
}

void shepard_html_row_begin(struct shepard_html *html, const char *name)
{
    shepard_html_raw(html, "<tr><th scope=\"row\">");
    shepard_html_text(html, name);
    shepard_html_raw(html, "</th><td>");
}

void shepard_html_row_end(struct shepard_html *html)
{
    shepard_html_raw(html, "</td></tr>\n");
}

void shepard_html_row_text(struct shepard_html *html, const char *name, const char *text)
{
    shepard_html_row_begin(html, name);
    shepard_html_text(html, text);
    shepard_html_row_end(html);
}

void shepard_html_row_number(struct shepard_html *html, const char *name, double value,
                             const char *key)
{
    shepard_html_row_begin(html, name);
    shepard_html_number(html, value, key);
    shepard_html_row_end(html);
}
