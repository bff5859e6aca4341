/* SPDX-License-Identifier: MIT */
/** The methods of -a that GDAL computes: their keys, checked, for GDAL to read again. */
#ifndef SHEPARD_CLI_GDAL_METHOD_H
#define SHEPARD_CLI_GDAL_METHOD_H

#include "text_list.h"

struct shepard_algorithm;
struct shepard_gdal_method;

/** Name of method i; NULL past the end. Static. */
const char *shepard_gdal_method_name(size_t i);

/** The method of this name, letter case ignored; NULL if no method has it. */
const struct shepard_gdal_method *shepard_gdal_method_find(const char *name);

/** Reads the words behind the first, "key=value", for algorithm->gdal_method. False on a wrong one,
 * said. */
bool shepard_gdal_method_parse(struct shepard_algorithm *algorithm,
                               const struct shepard_text_list *words);

#endif
