/* SPDX-License-Identifier: MIT */
/* Parts of a text, by reference. Letters compare as in ASCII, in every locale. */
#ifndef SHEPARD_BASE_SLICE_H
#define SHEPARD_BASE_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct shepard_slice {
    const char *text; /* not ended by a zero */
    size_t length;
};

/* For "%.*s". A message has no room for long texts. */
#define SHEPARD_SLICE_SHOWN 120
#define SHEPARD_SLICE(slice)                                                                       \
    (int)((slice).length < SHEPARD_SLICE_SHOWN ? (slice).length : SHEPARD_SLICE_SHOWN), (slice).text

static inline struct shepard_slice shepard_slice_of(const char *text)
{
    return (struct shepard_slice){text, strlen(text)};
}

static inline char shepard_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Whether both are the same word, letter case ignored. */
static inline bool shepard_slice_same(struct shepard_slice a, struct shepard_slice b)
{
    size_t i = 0;
    while (i < a.length && i < b.length && shepard_lower(a.text[i]) == shepard_lower(b.text[i]))
        i++;
    return i == a.length && i == b.length;
}

static inline bool shepard_slice_is(struct shepard_slice slice, const char *word)
{
    return shepard_slice_same(slice, shepard_slice_of(word));
}

/* The part before the first separator, or all of it without a separator. */
static inline struct shepard_slice shepard_slice_before(struct shepard_slice slice, char separator)
{
    const char *end = slice.length > 0 ? memchr(slice.text, separator, slice.length) : NULL;
    return (struct shepard_slice){slice.text, end ? (size_t)(end - slice.text) : slice.length};
}

/* Takes the next part off *rest; empty parts are left out. False at the end. */
static inline bool shepard_slice_next(struct shepard_slice *rest, char separator,
                                      struct shepard_slice *part)
{
    do {
        if (rest->length == 0)
            return false;
        *part = shepard_slice_before(*rest, separator);
        const size_t taken = part->length + (part->length < rest->length);
        rest->text += taken;
        rest->length -= taken;
    } while (part->length == 0);
    return true;
}

#endif
