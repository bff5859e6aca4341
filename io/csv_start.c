/* SPDX-License-Identifier: MIT */
#include "csv_start.h"

#include <cpl_vsi.h>
#include <string.h>

/* The part of a text that is looked at, its lines apart. */
enum { START_MAX = 16384 };

/* Where a line that begins here ends; a quoted value may hold line ends. */
static size_t line_length(const char *line)
{
    bool quoted = false;
    size_t i = 0;
    for (; line[i] && (quoted || (line[i] != '\n' && line[i] != '\r')); i++)
        quoted ^= line[i] == '"';
    return i;
}

static const char *next_line(const char *line)
{
    line += line_length(line);
    return line + strspn(line, "\r\n");
}

/* How often a character stands outside quotes. */
static size_t count(const char *line, size_t length, char wanted)
{
    bool quoted = false;
    size_t found = 0;
    for (size_t i = 0; i < length; i++) {
        quoted ^= line[i] == '"';
        found += !quoted && line[i] == wanted;
    }
    return found;
}

/* A comma may be a decimal sign, or stand in a name, where something else separates. */
static char find_separator(const char *first, const char *second)
{
    static const char candidates[] = ";\t|, ";
    const size_t length = line_length(first), other = line_length(second);
    for (const char *c = candidates; *c; c++)
        if (count(first, length, *c) > 0 && count(first, length, *c) == count(second, other, *c))
            return *c;
    for (const char *c = candidates; *c; c++)
        if (count(first, length, *c) > 0)
            return *c;
    return '\0';
}

/* Columns of even width: words with several blanks between, and no other separator. */
static void look_for_alignment(struct shepard_csv_start *start, const char *first,
                               const char *second)
{
    const char *words = first + strspn(first, " ");
    const size_t length = strcspn(words, "\r\n");
    const char *gap = strstr(words, "  ");
    start->aligned = gap && gap < words + length && start->separator == ' ';
    start->indented = start->aligned && (first[0] == ' ' || second[0] == ' ');
}

static void look_at(struct shepard_csv_start *start, const char *first)
{
    const char *second = next_line(first);
    const size_t length = line_length(first);
    size_t filled = line_length(second);
    start->separator = find_separator(first, second);
    while (filled > 0 && (second[filled - 1] == start->separator || second[filled - 1] == ' '))
        filled--;
    start->columns = count(first, length, start->separator) + 1;
    if (strspn(second, "0123456789+-.,; \t|eE") >= filled)
        start->values = count(second, filled, start->separator) + 1;
    look_for_alignment(start, first, second);
}

size_t shepard_read_start(const char *path, char *start, size_t size)
{
    VSILFILE *file = VSIFOpenL(path, "rb");
    const size_t n = file ? VSIFReadL(start, 1, size, file) : 0;
    if (file)
        VSIFCloseL(file);
    return n;
}

bool shepard_csv_start_read(struct shepard_csv_start *start, const char *path)
{
    char *text = VSIMalloc(START_MAX);
    const size_t length = text ? shepard_read_start(path, text, START_MAX - 1) : 0;
    if (length > 0) {
        text[length] = '\0';
        look_at(start, text);
    }
    VSIFree(text);
    return length > 0;
}
