/* SPDX-License-Identifier: MIT */
#include "json_writer.h"

#include <math.h>

/* Deeper values stand on the line of what holds them. */
enum { LINES_DEPTH = 2 };

static void write_string(FILE *file, const char *text)
{
    fputc('"', file);
    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        if (*at == '"' || *at == '\\')
            fprintf(file, "\\%c", *at);
        else if (*at < 0x20)
            fprintf(file, "\\u%04x", *at);
        else
            fputc(*at, file);
    }
    fputc('"', file);
}

static void begin_line(const struct shepard_json_writer *json)
{
    if (json->depth <= LINES_DEPTH)
        fprintf(json->file, "\n%*s", 2 * json->depth, "");
}

static void begin_value(struct shepard_json_writer *json, const char *key)
{
    if (json->comma)
        fputs(json->depth <= LINES_DEPTH ? "," : ", ", json->file);
    if (json->depth > 0)
        begin_line(json);
    if (key) {
        write_string(json->file, key);
        fputs(": ", json->file);
    }
    json->comma = true;
}

void shepard_json_writer_begin(struct shepard_json_writer *json, const char *key, char bracket)
{
    begin_value(json, key);
    fputc(bracket, json->file);
    json->depth++;
    json->comma = false;
}

void shepard_json_writer_end(struct shepard_json_writer *json, char bracket)
{
    const bool has_lines = json->comma && json->depth <= LINES_DEPTH;
    json->depth--;
    if (has_lines)
        begin_line(json);
    fputc(bracket == '{' ? '}' : ']', json->file);
    if (json->depth == 0)
        fputc('\n', json->file);
    json->comma = true;
}

void shepard_json_writer_text(struct shepard_json_writer *json, const char *key, const char *text)
{
    begin_value(json, key);
    if (text)
        write_string(json->file, text);
    else
        fputs("null", json->file);
}

void shepard_json_writer_number(struct shepard_json_writer *json, const char *key, double number)
{
    begin_value(json, key);
    if (isfinite(number))
        fprintf(json->file, "%.17g", number);
    else
        fputs("null", json->file);
}
