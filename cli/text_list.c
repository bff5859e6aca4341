/* SPDX-License-Identifier: MIT */
#include "text_list.h"

#include "message.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool shepard_text_list_adopt(struct shepard_text_list *words, char *text)
{
    char **items = text ? realloc(words->items, (words->count + 2) * sizeof *items) : NULL;
    if (!items) {
        free(text);
        return shepard_say_error("out of memory");
    }
    words->items = items;
    words->items[words->count++] = text;
    words->items[words->count] = NULL;
    return true;
}

bool shepard_text_list_add(struct shepard_text_list *words, const char *text, size_t length)
{
    return shepard_text_list_adopt(words, strndup(text, length));
}

void shepard_text_list_remove(struct shepard_text_list *words, size_t i)
{
    free(words->items[i]);
    memmove(words->items + i, words->items + i + 1, (words->count - i) * sizeof *words->items);
    words->count--;
}

bool shepard_text_list_split(struct shepard_text_list *words, const char *text, char separator)
{
    while (*text) {
        const char *end = strchr(text, separator);
        const size_t length = end ? (size_t)(end - text) : strlen(text);
        if (length > 0 && !shepard_text_list_add(words, text, length)) {
            return false;
        }
        text += length + (end != NULL);
    }
    return true;
}

void shepard_text_list_free(struct shepard_text_list *words)
{
    for (size_t i = 0; i < words->count; i++) {
        free(words->items[i]);
    }
    free(words->items);
    *words = (struct shepard_text_list){0};
}

bool shepard_append_format(char **text, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int added = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    const size_t before = *text ? strlen(*text) : 0;
    char *longer = added < 0 ? NULL : realloc(*text, before + (size_t)added + 1);
    if (longer) {
        vsnprintf(longer + before, (size_t)added + 1, format, again);
        *text = longer;
    }
    va_end(again);
    return longer ? true : shepard_say_error("out of memory");
}
