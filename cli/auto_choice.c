/* SPDX-License-Identifier: MIT */
#include "auto_choice.h"

#include "error_text.h"
#include "holdout.h"
#include "message.h"
#include "trial_search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is taken where nothing can be compared: by docs/accuracy.md the best on most data. Of few
 * points its semivariance is a straight line, and of one value everywhere it predicts that. */
static const char unsearched[] = "krige";

/* With fewer, some of the tenths by which the error of the choice is judged are empty. */
enum { LEAST_DATA = 10 };

bool shepard_choice_check(const struct shepard_job *job)
{
    const struct shepard_job_options *const options = job->options;
    return job->algorithm.automatic || (!options->seconds.set && !options->seed.set) ||
           shepard_say_error("%s is an option of -a auto, and -a names the method; leave one of "
                             "them out",
                             options->seconds.set ? "--seconds" : "--seed");
}

/* ---- The text -------------------------------------------------------------------------------- */

/* Whether a key of kriging was fitted to the values of the first field. */
static bool is_of_field(const char *pair, bool linear)
{
    static const char *const keys[] = {
        "psill=", "range=", "nugget=", "p=", "anisotropy_ratio=", "anisotropy_angle="};
    const size_t count = linear ? 1 : sizeof keys / sizeof keys[0];
    size_t i = 0;
    while (i < count && !shepard_same_key(pair, keys[i])) {
        i++;
    }
    return i < count;
}

/* Of several fields, each has its own fit of the covariance. */
static bool without_fit(const char *text, char **general)
{
    const bool linear = strstr(text, ":model=linear") != NULL;
    struct shepard_text_list words = {0};
    bool good = shepard_text_list_split(&words, text, ':');
    for (size_t i = 0; good && i < words.count; i++) {
        if (!is_of_field(words.items[i], linear)) {
            good = shepard_append_format(general, "%s%s", i > 0 ? ":" : "", words.items[i]);
        }
    }
    shepard_text_list_free(&words);
    return good;
}

static bool take(struct shepard_choice *choice, const struct shepard_input *input, const char *text,
                 struct shepard_job *job)
{
    const bool several = input->count > 1 || input->layers[0].columns > 1;
    const bool good = several && strncmp(text, "krige:", strlen("krige:")) == 0
                          ? without_fit(text, &choice->text)
                          : shepard_append_format(&choice->text, "%s", text);
    return good && shepard_algorithm_choose(&job->algorithm, choice->text);
}

/* ---- The search ------------------------------------------------------------------------------ */

static bool has_targets(const struct shepard_targets *targets)
{
    const struct shepard_array *const x = &targets->x, *const y = &targets->y;
    size_t i = 0;
    while (targets->kind == SHEPARD_TARGETS_LIST && i < targets->count &&
           !(isfinite(((const double *)x->data)[i]) && isfinite(((const double *)y->data)[i]))) {
        i++;
    }
    return targets->kind != SHEPARD_TARGETS_LIST || i < targets->count;
}

/* Whether there is anything to compare methods by; else says so. */
static bool is_comparable(const struct shepard_point_set *points,
                          const struct shepard_targets *targets, struct shepard_job *job)
{
    const size_t used = shepard_input_used(points, 0);
    double value = 0;
    if (!has_targets(targets)) {
        shepard_progress_note(&job->watch,
                              "-a auto: there is no target with coordinates to choose a method "
                              "for; %s is taken",
                              unsearched);
        return false;
    }
    if (shepard_column_is_constant(points, 0, &value)) {
        shepard_progress_note(&job->watch,
                              "-a auto: every value of field %s is %.12g, which each method "
                              "predicts; %s is taken",
                              points->column[0].name, value, unsearched);
        return false;
    }
    if (used < LEAST_DATA) {
        shepard_progress_note(&job->watch,
                              "-a auto: field %s has too few points with a value (%zu) to compare "
                              "methods, which takes %d; %s is taken",
                              points->column[0].name, used, LEAST_DATA, unsearched);
        return false;
    }
    return true;
}

static void take_info(struct shepard_choice *choice, const struct shepard_holdout *holdout)
{
    struct shepard_holdout_info *const info = &choice->held_out;
    info->size = sizeof *info;
    shepard_holdout_get_info(holdout, info);
    info->indices = NULL;
    info->observed = info->nearest = NULL;
    info->fold = NULL;
    info->notice = "";
}

static bool search(struct shepard_choice *choice, const struct shepard_point_set *points,
                   const struct shepard_array *values, const struct shepard_targets *targets,
                   struct shepard_job *job)
{
    const struct shepard_tuning tuning = shepard_search_tuning(job);
    const struct shepard_holdout_samples samples = {
        .purpose = "-a auto",
        .others = SHEPARD_SEARCH_SAMPLES,
        .seed = job->options->seed.set ? (uint64_t)job->options->seed.v[0] : 0};
    struct shepard_holdout *holdout = NULL;
    struct shepard_error error;
    if (shepard_holdout_at_targets(points, values, targets, &samples, job, &holdout, &error)) {
        return shepard_say_library_error(&job->algorithm, error.message);
    }
    choice->searched = shepard_search_run(holdout, &tuning, &choice->result, job);
    take_info(choice, holdout);
    shepard_holdout_free(holdout);
    shepard_progress_begin_bar(&job->watch);
    return choice->searched;
}

/* For the values, or for what their trend leaves. */
static bool search_column(struct shepard_choice *choice, const struct shepard_input *input,
                          const struct shepard_targets *targets,
                          const struct shepard_covariate_list *covariates, struct shepard_job *job)
{
    const struct shepard_point_set *const points = &input->layers[0];
    struct shepard_array values = shepard_doubles(points->values[0]);
    struct shepard_column_group surface = {0};
    bool good = true;
    if (covariates->count > 0) {
        good = shepard_search_fit_trend(&surface, input, covariates, job);
        values = good ? shepard_column_group_values(&surface, points, 0) : values;
    }
    good = good && search(choice, points, &values, targets, job);
    shepard_column_group_free(&surface);
    return good;
}

static void print(const struct shepard_choice *choice)
{
    char *text = NULL;
    if (shepard_choice_append(choice, &text)) {
        printf("-a auto by field %s\n%s\n", text, choice->text);
    }
    free(text);
}

bool shepard_choice_make(struct shepard_choice *choice, const struct shepard_input *input,
                         const struct shepard_targets *targets,
                         const struct shepard_covariate_list *covariates, struct shepard_job *job)
{
    const struct shepard_point_set *const points = &input->layers[0];
    if (!job->algorithm.automatic) {
        return true;
    }
    choice->field = points->column[0].name;
    shepard_progress_stage(&job->watch, SHEPARD_STAGE_BUILD);
    if (is_comparable(points, targets, job) &&
        !search_column(choice, input, targets, covariates, job)) {
        return false;
    }
    if (!take(choice, input, choice->searched ? choice->result.text : unsearched, job)) {
        return false;
    }
    if (job->watch.bar) {
        print(choice);
    }
    return true;
}

void shepard_choice_free(struct shepard_choice *choice)
{
    free(choice->text);
    choice->text = NULL;
}

bool shepard_choice_skip(struct shepard_choice *choice, const struct shepard_input *input,
                         struct shepard_job *job)
{
    choice->field = input->layers[0].column[0].name;
    return !job->algorithm.automatic || take(choice, input, unsearched, job);
}

/* ---- Reports --------------------------------------------------------------------------------- */

bool shepard_choice_append(const struct shepard_choice *choice, char **text)
{
    if (!choice->searched) {
        return shepard_append_format(text, "%s: nothing to compare", choice->field);
    }
    char *const held_out = shepard_holdout_text(&choice->held_out);
    char *const errors = shepard_search_text(&choice->result, &choice->held_out);
    const bool good =
        held_out && errors &&
        shepard_append_format(text, "%s: the best of %s; %s", choice->field, errors, held_out);
    free(errors);
    free(held_out);
    return good;
}

void shepard_choice_add(const struct shepard_choice *choice, struct shepard_json *json)
{
    if (!choice->text) {
        return;
    }
    const struct shepard_tuning_result *const result = &choice->result;
    struct shepard_json *const item = shepard_json_object(json, "automatic_choice");
    shepard_json_text(item, "algorithm", choice->text);
    shepard_json_text(item, "field", choice->field);
    shepard_json_bool(item, "searched", choice->searched);
    if (choice->searched) {
        shepard_json_number(item, "trials", (double)result->trials);
        shepard_json_bool(item, "complete", result->complete);
        shepard_json_number(item, "rmse", result->scores.rmse);
        shepard_json_number(item, "honest_rmse", result->honest_rmse);
        shepard_json_number(item, "sd_ratio", result->sd_ratio);
        shepard_holdout_add(&choice->held_out, item);
    }
}

void shepard_choice_draw(const struct shepard_choice *choice, struct shepard_html *html)
{
    if (!choice->text) {
        return;
    }
    shepard_html_table_begin(html, "Choice of -a auto");
    shepard_html_row_text(html, "by field", choice->field);
    shepard_html_row_begin(html, "chosen");
    shepard_html_algorithm(html, choice->text);
    shepard_html_row_end(html);
    if (choice->searched) {
        const struct shepard_tuning_result *const result = &choice->result;
        shepard_html_row_number(html, "trials", (double)result->trials, "automatic_choice.trials");
        shepard_html_row_number(html, "RMSE", result->scores.rmse, "automatic_choice.rmse");
        shepard_html_row_number(html, "RMSE, chosen by nine tenths and scored on the tenth",
                                result->honest_rmse, "automatic_choice.honest_rmse");
        shepard_html_row_number(html, "its factor, " SHEPARD_SD_RATIO_TEXT, result->sd_ratio,
                                "automatic_choice.sd_ratio");
        shepard_html_row_number(html, "data held out", (double)choice->held_out.count,
                                "automatic_choice.held_out");
    }
    shepard_html_table_end(html);
}
