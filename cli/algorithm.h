/* SPDX-License-Identifier: MIT */
/** The -a option: "name:key=value:...", as gdal_grid writes it. */
#ifndef SHEPARD_CLI_ALGORITHM_H
#define SHEPARD_CLI_ALGORITHM_H

#include "words.h"

#include "shepard/shepard.h"

#include <stdbool.h>

struct shepard_algorithm_form;

/** A parsed algorithm; free with shepard_algorithm_free. */
struct shepard_algorithm {
    const struct shepard_algorithm_form *form;
    struct shepard_words texts;     /**< the value of each key of the form, in its order */
    struct shepard_options options; /**< of the methods that the library computes; nodata of all */
    bool nodata_given;
};

/** Parses text; keys left out take their defaults. False on a wrong one, said. */
bool shepard_algorithm_parse(const char *text, struct shepard_algorithm *algorithm);

void shepard_algorithm_free(struct shepard_algorithm *algorithm);

const char *shepard_algorithm_name(const struct shepard_algorithm *algorithm);

/** True for linear, average, nearest and the metrics, which GDAL computes. */
bool shepard_algorithm_by_gdal(const struct shepard_algorithm *algorithm);

/** Replaces the nodata value; false when out of memory, said. */
bool shepard_algorithm_set_nodata(struct shepard_algorithm *algorithm, double nodata);

/** Name of key i; NULL past the end. Its value is texts.items[i]. */
const char *shepard_algorithm_key(const struct shepard_algorithm *algorithm, size_t i);

/** Reads the value of key i where it is a finite number. */
bool shepard_algorithm_number(const struct shepard_algorithm *algorithm, size_t i, double *number);

/** Appends "key=value:..." with all keys to *text. */
bool shepard_algorithm_text(const struct shepard_algorithm *algorithm, char **text);

/** True where the algorithm has a key of this name. */
bool shepard_algorithm_has(const struct shepard_algorithm *algorithm, const char *key);

/** Prints the algorithms with their keys and defaults on stdout; without or with GDAL's. */
void shepard_algorithm_help(bool with_gdal);

#endif
