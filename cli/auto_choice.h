/* SPDX-License-Identifier: MIT */
/** The choice of -a auto: the method that predicts held-out data best. */
#ifndef SHEPARD_CLI_AUTO_CHOICE_H
#define SHEPARD_CLI_AUTO_CHOICE_H

#include "covariate.h"
#include "html.h"
#include "json.h"

#include "shepard/shepard_tune.h"

struct shepard_choice {
    char *text;        /**< the method as -a takes it; NULL: -a names one */
    const char *field; /**< whose values were held out */
    bool searched;     /**< false: there was nothing to compare, and what follows is not set */
    struct shepard_tuning_result result;
    struct shepard_holdout_info held_out; /**< without its arrays */
};

/** Whether the options fit -a: those of a choice go with -a auto. False, said, where not. */
bool shepard_choice_check(const struct shepard_job *job);

/** Where -a is auto: searches a method for the targets on the first field, puts it into the job in
 * place of auto, and prints it. With covariates, which have been read, it is the method for what
 * their trend leaves. False on an error, said. */
bool shepard_choice_make(struct shepard_choice *choice, const struct shepard_input *input,
                         const struct shepard_targets *targets,
                         const struct shepard_covariate_list *covariates, struct shepard_job *job);

/** Where -a is auto: puts what stands for the choice into the job, without a search. False on an
 * error, said. */
bool shepard_choice_skip(struct shepard_choice *choice, const struct shepard_input *input,
                         struct shepard_job *job);

/** Appends "zinc: 127 trials, RMSE 224, ...", how it was chosen; false when out of memory. */
bool shepard_choice_append(const struct shepard_choice *choice, char **text);

/** Adds it to a summary, if there is one. */
void shepard_choice_add(const struct shepard_choice *choice, struct shepard_json *json);

/** Adds its table to a page, if there is one. */
void shepard_choice_draw(const struct shepard_choice *choice, struct shepard_html *html);

void shepard_choice_free(struct shepard_choice *choice);

#endif
