/* SPDX-License-Identifier: MIT */
/** The command line as a shell takes it. */
#ifndef SHEPARD_CLI_COMMAND_LINE_H
#define SHEPARD_CLI_COMMAND_LINE_H

/** "shepard VERB" and the arguments, quoted where a shell needs it; to be freed. NULL when out of
 * memory, said. */
char *shepard_command_line(const char *verb, int argc, char **argv);

#endif
