/* SPDX-License-Identifier: MIT */
/** Command line options: one table for each verb, from which parsing and --help are made. */
#ifndef SHEPARD_CLI_OPTION_H
#define SHEPARD_CLI_OPTION_H

#include "text_list.h"

#include <stdbool.h>
#include <stddef.h>

/** Numbers of one option. */
struct shepard_numbers {
    bool set;
    double v[4];
};

/** -clipsrc: a box, or a text (WKT, data source, "spat_extent"). */
struct shepard_clip_option {
    struct shepard_numbers box;
    const char *text; /**< NULL where not given */
};

/** --json: on stdout, or a file. */
struct shepard_json_target {
    bool set;
    const char *file;    /**< NULL: stdout */
    const char *behind;  /**< the positional that followed the option: perhaps the file; or NULL */
    size_t behind_index; /**< its number among the positionals */
};

/** What an option takes, and the type of the field at option.offset that receives it. */
enum shepard_option_kind {
    SHEPARD_OPTION_FLAG,       /**< nothing; bool */
    SHEPARD_OPTION_TEXT,       /**< 1 text; const char *, the last one given wins */
    SHEPARD_OPTION_LIST,       /**< 1 text, repeatable; struct shepard_text_list */
    SHEPARD_OPTION_COMMA_LIST, /**< 1 text, repeatable, split at commas; struct shepard_text_list */
    SHEPARD_OPTION_NUMBERS,    /**< finite numbers; struct shepard_numbers */
    SHEPARD_OPTION_POSITIVE,   /**< numbers > 0; struct shepard_numbers */
    SHEPARD_OPTION_SIZES,      /**< whole numbers 1 to 2147483647; struct shepard_numbers */
    SHEPARD_OPTION_SEED,       /**< a whole number 0 to 2147483647; struct shepard_numbers */
    SHEPARD_OPTION_THREADS,    /**< a whole number 1 to 4096; struct shepard_numbers */
    SHEPARD_OPTION_CLIP,       /**< 1 text or 4 numbers; struct shepard_clip_option */
    SHEPARD_OPTION_JSON        /**< see struct shepard_json_target */
};

struct shepard_option {
    const char *name;  /**< with its dashes: "-zfield", "--json" */
    const char *alias; /**< another spelling; NULL: none */
    enum shepard_option_kind kind;
    int arguments;        /**< of the kinds that take numbers, 1 to 4 */
    size_t offset;        /**< of the field, in the verb's struct */
    const char *operands; /**< for the help: "xmin xmax"; "" without operands */
    const char *help;     /**< one line */
};

/** Options that belong together. */
struct shepard_option_group {
    const char *title;                    /**< for the help; NULL ends a list of groups */
    const struct shepard_option *options; /**< ends with a name of NULL */
};

/** A verb's command line. */
struct shepard_syntax {
    const char *verb;
    const char *positionals; /**< for the help: "SRC DST" */
    size_t positional_count; /**< how many there must be */
    size_t json_offset;      /**< of the struct shepard_json_target */
    size_t output_offset;    /**< of the const char * that names the output, NULL: none; 0: the last
                                  positional is the output */
    bool several_sources;    /**< the first positional may be several LAS files */
    bool several_last;       /**< the last positional may be several, of any kind */
    const struct shepard_option_group *groups;
};

/**
 * Fills the verb's struct at target from the arguments behind the verb, and positionals.
 * False on a wrong command line, said. The texts stay those of argv.
 */
bool shepard_options_parse(const struct shepard_syntax *syntax, int argc, char **argv, void *target,
                           struct shepard_text_list *positionals);

/** Prints the options of all groups, one a line, on stdout. */
void shepard_options_help(const struct shepard_option_group *groups);

/** True where an option of this name stands among the arguments. */
bool shepard_option_asked(int argc, char **argv, const char *name);

/** True where text is the option's name, letter case ignored, one dash or two. */
bool shepard_option_matches(const char *text, const char *name);

#endif
