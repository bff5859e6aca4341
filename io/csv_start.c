/* SPDX-License-Identifier: MIT */
#include "csv_start.h"

#include "number_text.h"
#include "small_file.h"
#include "sparse_view.h"
#include "xy_columns.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <stdio.h>
#include <string.h>

/* The part of a text that is looked at. */
enum { START_MAX = 1 << 16 };

/* ---- Lines ----------------------------------------------------------------------------------- */

/* A part of the text. */
struct text_span {
    const char *text;
    size_t length;
};

/* The line that begins here; a quoted value may hold line ends. */
static struct text_span line_at(const char *text)
{
    bool quoted = false;
    size_t i = 0;
    for (; text[i] && (quoted || (text[i] != '\n' && text[i] != '\r')); i++)
        quoted ^= text[i] == '"';
    return (struct text_span){text, i};
}

static const char *behind(struct text_span line)
{
    const char *end = line.text + line.length;
    return end + strspn(end, "\r\n");
}

static size_t count(struct text_span line, char wanted)
{
    bool quoted = false;
    size_t found = 0;
    for (size_t i = 0; i < line.length; i++) {
        quoted ^= line.text[i] == '"';
        found += !quoted && line.text[i] == wanted;
    }
    return found;
}

/* ---- Words ----------------------------------------------------------------------------------- */

/* The words of a line that are still to come. */
struct words {
    struct text_span rest;
    char separator;
    bool over;
};

static struct words words_of(struct text_span line, char separator)
{
    return (struct words){line, separator, false};
}

static void skip_blanks(struct text_span *span)
{
    while (span->length > 0 && (span->text[0] == ' ' || span->text[0] == '\t')) {
        span->text++;
        span->length--;
    }
}

/* The next word, without blanks around it. Several blanks are one separator. */
static bool next_word(struct words *words, struct text_span *word)
{
    if (words->separator == ' ')
        skip_blanks(&words->rest);
    if (words->over || (words->separator == ' ' && words->rest.length == 0))
        return false;
    const struct text_span rest = words->rest;
    bool quoted = false;
    size_t i = 0;
    for (; i < rest.length && (quoted || rest.text[i] != words->separator); i++)
        quoted ^= rest.text[i] == '"';
    words->over = i == rest.length;
    words->rest.text += i + !words->over;
    words->rest.length -= i + !words->over;
    *word = (struct text_span){rest.text, i};
    if (words->separator != '\t')
        skip_blanks(word);
    while (word->length > 0 && word->text[word->length - 1] == ' ')
        word->length--;
    return true;
}

static size_t count_words(struct text_span line, char separator)
{
    struct words words = words_of(line, separator);
    struct text_span word;
    size_t found = 0;
    while (next_word(&words, &word))
        found++;
    return found;
}

static struct text_span unquoted(struct text_span word)
{
    if (word.length < 2 || word.text[0] != '"' || word.text[word.length - 1] != '"')
        return word;
    return (struct text_span){word.text + 1, word.length - 2};
}

static enum shepard_value kind_of(struct text_span word)
{
    double number;
    word = unquoted(word);
    return shepard_number_from_text(word.text, word.length, &number);
}

static bool has_number(struct text_span line, char separator)
{
    struct words words = words_of(line, separator);
    struct text_span word;
    bool found = false;
    while (next_word(&words, &word))
        found = found || shepard_value_is_number((unsigned char)kind_of(word));
    return found;
}

/* Two words that are names of coordinates, as "x,y,2001,2002" has them. */
static bool names_coordinates(struct text_span line, char separator)
{
    struct words words = words_of(line, separator);
    struct text_span word;
    size_t found = 0;
    while (next_word(&words, &word)) {
        const struct text_span plain = unquoted(word);
        char name[32] = ""; /* longer than any of these names */
        memcpy(name, plain.text, plain.length < sizeof name ? plain.length : sizeof name - 1);
        found += shepard_is_coordinate(name);
    }
    return found >= 2;
}

/* A text above a number, as "id,e_rd,n_rd,2001" has them above rows of numbers. */
static bool names_columns(struct text_span first, struct text_span second, char separator)
{
    struct words names = words_of(first, separator), values = words_of(second, separator);
    struct text_span name, value;
    bool found = false;
    while (!found && next_word(&names, &name) && next_word(&values, &value))
        found = kind_of(name) == SHEPARD_VALUE_TEXT &&
                shepard_value_is_number((unsigned char)kind_of(value));
    return found;
}

/* ---- Separators ------------------------------------------------------------------------------ */

/* "1,5 2 3,25": numbers with decimal commas between blanks. */
static bool has_commas_between_blanks(struct text_span line)
{
    struct words words = words_of(line, ' ');
    struct text_span word;
    size_t found = 0;
    while (next_word(&words, &word)) {
        if (!shepard_value_is_number((unsigned char)kind_of(word)) || word.text[0] == ',' ||
            word.text[word.length - 1] == ',')
            return false;
        found++;
    }
    return found > 1;
}

/* A comma may be a decimal sign, or stand in a name, where something else separates. */
static char find_separator(struct text_span first, struct text_span second)
{
    static const char candidates[] = ";\t|, ";
    if (has_commas_between_blanks(first))
        return ' ';
    for (const char *c = candidates; *c; c++)
        if (count(first, *c) > 0 && count(first, *c) == count(second, *c))
            return *c;
    for (const char *c = candidates; *c; c++)
        if (count(first, *c) > 0)
            return *c;
    return '\0';
}

/* What OGR takes: the only one of its separators in the first line, else a comma. */
static char separator_of_ogr(struct text_span line)
{
    static const char candidates[] = ",;\t|";
    char found = '\0';
    for (const char *c = candidates; *c; c++) {
        if (count(line, *c) == 0)
            continue;
        if (found)
            return ',';
        found = *c;
    }
    return found ? found : count(line, ' ') > 0 ? ' ' : ',';
}

/* Columns of even width: words with several blanks between, and no other separator. */
static void look_for_alignment(struct shepard_csv_start *start, struct text_span first,
                               struct text_span second)
{
    struct text_span words = first;
    skip_blanks(&words);
    const char *gap = strstr(words.text, "  ");
    start->aligned = gap && gap < words.text + words.length && start->separator == ' ';
    start->indented = start->aligned && (first.text[0] == ' ' || second.text[0] == ' ');
}

static void look_at_columns(struct shepard_csv_start *start, struct text_span first,
                            struct text_span second)
{
    start->separator = find_separator(first, second);
    struct text_span filled = second;
    while (filled.length > 0 && (filled.text[filled.length - 1] == start->separator ||
                                 filled.text[filled.length - 1] == ' '))
        filled.length--;
    start->columns = count_words(first, start->separator);
    if (strspn(second.text, "0123456789+-.,; \t|eE") >= filled.length)
        start->values = count_words(filled, start->separator);
    look_for_alignment(start, first, second);
}

/* ---- Headers --------------------------------------------------------------------------------- */

static void append(char *text, struct text_span more)
{
    const size_t used = strlen(text);
    memcpy(text + used, more.text, more.length);
    text[used + more.length] = '\0';
}

/* A name in quotes where it holds a character that OGR might take for a separator. */
static void append_name(char *header, struct text_span name)
{
    bool special = false;
    for (size_t i = 0; i < name.length; i++)
        special = special || strchr(",;|\t ", name.text[i]);
    const struct text_span quote = {"\"", special && name.text[0] != '"'};
    append(header, quote);
    append(header, name);
    append(header, quote);
}

/* The name that OGR gives to a column without one. */
static void append_number(char *header, size_t column)
{
    char name[32];
    const int length = snprintf(name, sizeof name, "field_%zu", column + 1);
    append(header, (struct text_span){name, (size_t)length});
}

static char *new_header(const struct shepard_csv_start *start, size_t names)
{
    enum { MORE = 32 }; /* "field_N", or quotes and separator */
    return CPLCalloc(names + MORE * (start->columns + 1), 1);
}

/* The names of a line between the file's separators. */
static void take_names(struct shepard_csv_start *start, struct text_span line, char separator)
{
    struct words words = words_of(line, separator);
    struct text_span name;
    start->header = new_header(start, line.length);
    for (size_t i = 0; next_word(&words, &name); i++) {
        if (i > 0)
            append(start->header, (struct text_span){&start->separator, 1});
        if (name.length > 0)
            append_name(start->header, name);
        else
            append_number(start->header, i);
    }
    append(start->header, (struct text_span){"\n", 1});
}

static void make_names(struct shepard_csv_start *start)
{
    start->header = new_header(start, 0);
    for (size_t i = 0; i < start->columns; i++) {
        if (i > 0)
            append(start->header, (struct text_span){&start->separator, 1});
        append_number(start->header, i);
    }
    append(start->header, (struct text_span){"\n", 1});
}

/* "# x y z" without the sign: the names, or something else. */
static struct text_span uncommented(struct text_span comment)
{
    skip_blanks(&comment);
    while (comment.length > 0 && comment.text[0] == '#') {
        comment.text++;
        comment.length--;
    }
    /* A tab may separate: the sign is then the name of a column. */
    while (comment.length > 0 && comment.text[0] == ' ') {
        comment.text++;
        comment.length--;
    }
    return comment;
}

/* The last comment names the columns where it has as many words and the first line is not a header
 * itself. */
static void take_comment(struct shepard_csv_start *start, struct text_span comment,
                         struct text_span first, struct text_span second)
{
    const struct text_span names = uncommented(comment);
    const bool same = start->separator != ' ' && count(names, start->separator) > 0;
    const char separator = same ? start->separator : find_separator(names, names);
    const bool numbers = has_number(first, start->separator);
    const bool header = !numbers && has_number(second, start->separator);
    if (!header && count_words(names, separator) == start->columns && !has_number(names, separator))
        take_names(start, names, separator);
    else if (numbers)
        make_names(start);
    else
        start->header = CPLStrdup("");
}

/* OGR detects a header by itself, if it finds the separator and a number with a decimal point. */
static bool is_found_by_ogr(const struct shepard_csv_start *start, struct text_span first,
                            bool numbers)
{
    struct words words = words_of(first, start->separator);
    struct text_span word;
    bool plain = !numbers;
    while (next_word(&words, &word)) {
        const enum shepard_value kind = kind_of(word);
        plain = plain || kind == SHEPARD_VALUE_NUMBER || kind == SHEPARD_VALUE_POINT_GROUP;
    }
    return plain && separator_of_ogr(first) == start->separator;
}

static void look_at(struct shepard_csv_start *start, const char *text)
{
    const char *line = text + (strncmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0);
    struct text_span comment = {"", 0};
    while (line[strspn(line, " \t")] == '#') {
        comment = (struct text_span){line, strcspn(line, "\r\n")};
        line = behind(comment);
    }
    const struct text_span first = line_at(line);
    const struct text_span second = line_at(behind(first));
    look_at_columns(start, first, second);
    const bool whole = first.text[first.length] != '\0' || strlen(text) < START_MAX - 1;
    if (first.length == 0 || !start->separator || !whole)
        return;
    const bool named = names_coordinates(first, start->separator) ||
                       names_columns(first, second, start->separator);
    const bool numbers = !named && has_number(first, start->separator);
    start->names_numbers = named && has_number(first, start->separator);
    start->replaced = (size_t)(line - text);
    if (comment.length > 0) {
        take_comment(start, comment, first, second);
    } else if (!is_found_by_ogr(start, first, numbers)) {
        if (numbers) {
            make_names(start);
        } else {
            take_names(start, first, start->separator);
            start->replaced = (size_t)(behind(first) - text);
        }
    }
}

/* ---- Files ----------------------------------------------------------------------------------- */

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

char *shepard_csv_start_apply(const struct shepard_csv_start *start, const char *path,
                              const char *folder)
{
    VSIStatBufL stat;
    if (VSIStatL(path, &stat) != 0 || (vsi_l_offset)stat.st_size < start->replaced)
        return NULL;
    const size_t length = strlen(start->header);
    const vsi_l_offset rest = (vsi_l_offset)stat.st_size - start->replaced;
    char *names = CPLStrdup(CPLSPrintf("%s/header", folder));
    char *view = CPLStrdup(CPLSPrintf("%s/view/%s", folder, CPLGetFilename(path)));
    const struct shepard_view_part parts[] = {{names, 0, length, 0},
                                              {path, start->replaced, rest, length}};
    char *result = shepard_small_file_write(names, start->header, length)
                       ? shepard_sparse_view_make(view, parts, sizeof parts / sizeof *parts)
                       : NULL;
    CPLFree(view);
    CPLFree(names);
    return result;
}
