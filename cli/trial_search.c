/* SPDX-License-Identifier: MIT */
#include "trial_search.h"

#include "error_text.h"

/* Where --seconds does not say. */
enum { SECONDS = 60 };

struct shepard_tuning shepard_search_tuning(const struct shepard_job *job)
{
    const struct shepard_numbers *const seconds = &job->options->seconds;
    struct shepard_tuning tuning;
    shepard_tuning_init(&tuning);
    tuning.seconds = seconds->set ? seconds->v[0] : SECONDS;
    return tuning;
}

bool shepard_search_fit_trend(struct shepard_column_group *surface,
                              const struct shepard_input *input,
                              const struct shepard_covariate_list *covariates,
                              struct shepard_job *job)
{
    static const struct shepard_column_place first = {0, 0};
    struct shepard_algorithm krige = {.options = job->algorithm.options};
    const bool good = shepard_algorithm_choose(&krige, "krige") &&
                      shepard_column_group_fit(surface, &krige, input, &first, covariates, job);
    shepard_algorithm_free(&krige);
    return good;
}

bool shepard_search_run(struct shepard_holdout *holdout, const struct shepard_tuning *tuning,
                        struct shepard_tuning_result *result, struct shepard_job *job)
{
    const struct shepard_control control = shepard_job_control(job);
    struct shepard_error error;
    result->size = sizeof *result;
    shepard_progress_part(&job->watch, 0, 1);
    if (shepard_tune(holdout, tuning, result, &control, &error)) {
        return shepard_say_library_error(&job->algorithm, error.message);
    }
    const bool going = shepard_progress_report(1, &job->watch);
    shepard_progress_part(&job->watch, 0, 0);
    if (!result->complete) {
        shepard_progress_note(&job->watch,
                              "%g seconds were over after %zu trials; the choice is the best of "
                              "these",
                              tuning->seconds, result->trials);
    }
    return going || shepard_progress_error(NULL);
}

char *shepard_search_text(const struct shepard_tuning_result *result,
                          const struct shepard_holdout_info *info)
{
    char *text = NULL;
    if (shepard_append_format(&text,
                              "%zu trials, RMSE %.4g, when chosen by nine tenths and scored on the "
                              "tenth %.4g",
                              result->trials, result->scores.rmse, result->honest_rmse) &&
        info->kind == SHEPARD_VALIDATION_STARS) {
        shepard_append_format(&text, " with the factor %.4g, " SHEPARD_SD_RATIO_TEXT,
                              result->sd_ratio);
    }
    return text;
}
