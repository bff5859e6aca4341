/* SPDX-License-Identifier: MIT */
/** The -a option: "name:key=value:...", as gdal_grid writes it. The library reads its own methods;
 * those of GDAL are read here. */
#ifndef SHEPARD_CLI_ALGORITHM_H
#define SHEPARD_CLI_ALGORITHM_H

#include "text_list.h"

#include "shepard/shepard.h"

#include <stdbool.h>

struct shepard_gdal_method;

/** Default of the key nodata. */
#define SHEPARD_ALGORITHM_NODATA "-9999"

/** A parsed algorithm; free with shepard_algorithm_free. */
struct shepard_algorithm {
    const char *name;                              /**< static */
    const struct shepard_gdal_method *gdal_method; /**< NULL: a method of the library */
    struct shepard_text_list keys, texts;          /**< all keys of the method, and their values */
    struct shepard_points_options options;         /**< of the library's methods */
    struct shepard_parameters parameters;          /**< the same; nodata of all methods */
    bool nodata_given, eps_given;
    bool automatic; /**< "auto": stands for the method that is yet to be chosen */
};

/** Parses text, or, of "@FILE", the file of a tuning; keys left out take their defaults. False on a
 * wrong one, said. */
bool shepard_algorithm_parse(const char *text, struct shepard_algorithm *algorithm);

void shepard_algorithm_free(struct shepard_algorithm *algorithm);

const char *shepard_algorithm_name(const struct shepard_algorithm *algorithm);

/** True for linear, average, nearest and the metrics, which GDAL computes. */
bool shepard_algorithm_by_gdal(const struct shepard_algorithm *algorithm);

/** Puts a method that was found for "auto" in its place, and keeps nodata and what no text holds.
 * False on a wrong one, said. */
bool shepard_algorithm_choose(struct shepard_algorithm *algorithm, const char *text);

/** True where parameters are left to a fit. */
bool shepard_algorithm_is_fitted(const struct shepard_algorithm *algorithm);

/** Room for the names of the library's methods. */
#define SHEPARD_METHOD_NAMES_SIZE 120

/** Lists the library's methods in text: "a, b or c". Returns text. */
const char *shepard_algorithm_own_methods(char text[SHEPARD_METHOD_NAMES_SIZE]);

/** Replaces the nodata value; false when out of memory, said. */
bool shepard_algorithm_set_nodata(struct shepard_algorithm *algorithm, double nodata);

/** Appends a key, the first length letters of name, with its value; false when out of memory, said.
 */
bool shepard_algorithm_add_key(struct shepard_algorithm *algorithm, const char *name, size_t length,
                               const char *text);

/** Replaces the value of key i; false when out of memory, said. */
bool shepard_algorithm_set_text(struct shepard_algorithm *algorithm, size_t i, const char *text);

/** Whether two texts "key=value" have the same key. */
bool shepard_same_key(const char *a, const char *b);

/** Name of key i; NULL past the end. Its value is texts.items[i]. */
const char *shepard_algorithm_key(const struct shepard_algorithm *algorithm, size_t i);

/** Reads the value of key i where it is a finite number. */
bool shepard_algorithm_number(const struct shepard_algorithm *algorithm, size_t i, double *number);

/** Appends "key=value:..." with all keys to *text. */
bool shepard_algorithm_text(const struct shepard_algorithm *algorithm, char **text);

/** Appends these parameters of the algorithm's method to *text as -a takes them, with the
 * algorithm's nodata; false when out of memory, said. */
bool shepard_algorithm_print(const struct shepard_algorithm *algorithm,
                             const struct shepard_parameters *parameters,
                             const struct shepard_points_options *options, char **text);

/** True where the algorithm has a key of this name. */
bool shepard_algorithm_has(const struct shepard_algorithm *algorithm, const char *key);

/** Prints the algorithms with their keys and defaults on stdout; without or with GDAL's. */
void shepard_algorithm_help(bool with_gdal);

/** Prints how to ask for other tolerances than the default. */
void shepard_algorithm_help_eps(void);

#endif
