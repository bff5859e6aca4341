/* SPDX-License-Identifier: MIT */
/** The nearest valid name to a mistyped one. */
#ifndef SHEPARD_CLI_SUGGEST_H
#define SHEPARD_CLI_SUGGEST_H

#include <stdbool.h>

/** Search for the nearest name: start from {.word = word}, offer each name, read best. */
struct shepard_suggestion {
    const char *word; /**< what the user wrote */
    const char *best; /**< the nearest name offered so far, borrowed; NULL if none is near */
};

/** Takes the name over where it is nearer to the word, letter case ignored. */
void shepard_suggest(struct shepard_suggestion *suggestion, const char *name);

/** Says "WHAT 'WORD'; did you mean BEST?", or what is to be done otherwise; false. */
bool shepard_say_unknown(const struct shepard_suggestion *suggestion, const char *what,
                         const char *otherwise);

#endif
