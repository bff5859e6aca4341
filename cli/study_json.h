/* SPDX-License-Identifier: MIT */
/** A study as JSON. */
#ifndef SHEPARD_CLI_STUDY_JSON_H
#define SHEPARD_CLI_STUDY_JSON_H

#include "papers/study.h"

/** Writes it to a file, or to stdout where file is NULL; false where that failed, said. commit: of
 * the source, as the user gave it; NULL: unknown. */
bool shepard_study_json_write(const struct shepard_study *study, const char *commit,
                              const char *file);

#endif
