/* SPDX-License-Identifier: MIT */
/* The keys of an algorithm and their values. */
#include "algorithm.h"

#include "message.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Length of the key in "key=value". */
static size_t key_length(const char *pair)
{
    return strcspn(pair, "=");
}

bool shepard_same_key(const char *a, const char *b)
{
    return key_length(a) == key_length(b) && strncasecmp(a, b, key_length(a)) == 0;
}

bool shepard_algorithm_set_text(struct shepard_algorithm *algorithm, size_t i, const char *text)
{
    char *const copy = strdup(text);
    if (!copy) {
        return shepard_say_error("out of memory");
    }
    free(algorithm->texts.items[i]);
    algorithm->texts.items[i] = copy;
    return true;
}

bool shepard_algorithm_add_key(struct shepard_algorithm *algorithm, const char *name, size_t length,
                               const char *text)
{
    return shepard_text_list_add(&algorithm->keys, name, length) &&
           shepard_text_list_add(&algorithm->texts, text, strlen(text));
}
