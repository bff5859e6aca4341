/* SPDX-License-Identifier: MIT */
/** The verbs. Each takes the arguments behind its name and returns the exit code. */
#ifndef SHEPARD_CLI_VERB_H
#define SHEPARD_CLI_VERB_H

int shepard_verb_grid(int argc, char **argv);
int shepard_verb_points(int argc, char **argv);
int shepard_verb_info(int argc, char **argv);

#endif
