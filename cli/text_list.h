/* SPDX-License-Identifier: MIT */
/** A growing list of texts, each owned by the list. */
#ifndef SHEPARD_CLI_TEXT_LIST_H
#define SHEPARD_CLI_TEXT_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct shepard_text_list {
    char **items; /**< [count], then a NULL; NULL while the list is empty */
    size_t count;
};

/** Appends a copy of the first length bytes of the text; false when out of memory, said. */
bool shepard_text_list_add(struct shepard_text_list *words, const char *text, size_t length);

/** Appends a text from malloc, which the list now owns (freed at once on failure). */
bool shepard_text_list_adopt(struct shepard_text_list *words, char *text);

/** Removes item i. */
void shepard_text_list_remove(struct shepard_text_list *words, size_t i);

/** Appends the parts of the text between separators; empty parts are left out. */
bool shepard_text_list_split(struct shepard_text_list *words, const char *text, char separator);

void shepard_text_list_free(struct shepard_text_list *words);

/** Appends printf-formatted text to *text, which is NULL or from malloc; false when out of memory.
 */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
bool shepard_append_format(char **text, const char *format, ...);

#endif
