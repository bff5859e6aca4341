/* SPDX-License-Identifier: MIT */
#include "api/argument.h"
#include "api/candidates.h"
#include "api/holdout_fit.h"
#include "api/holdout_parts.h"
#include "api/sd_ratio.h"
#include "api/tallies.h"
#include "base/arithmetic.h"
#include "base/call_part.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/sized.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The trial with the least error of a tier. */
struct tier_best {
    struct shepard_tuning_candidate candidate;
    struct shepard_scores scores;
    char text[SHEPARD_CANDIDATE_SIZE];
};

/* What psill may be, so that its square is a number. */
#define PSILL_LEAST 1e-290
#define PSILL_MOST 1e290

struct tuner {
    struct shepard_holdout *holdout;
    struct shepard_holdout_info info;
    struct shepard_tuning tuning;
    struct shepard_control control;        /* the caller's */
    struct shepard_candidates *candidates; /* the library's; else not used */
    struct shepard_tally *tallies;         /* [trials] */
    size_t trials;
    size_t best; /* the choice among the tallies; SHEPARD_NO_TALLY: none yet */
    struct tier_best bests[SHEPARD_TIERS];
    double *values, *sds;   /* [m] */
    double unit;            /* of errors that are squared: a power of two near the largest value */
    double sd_ratio;        /* of the targets to the held-out data */
    double begin, fraction; /* of progress, last told */
    size_t planned;         /* trials, for progress */
    bool late, stopped;     /* the time is over, the callback has ended the search */
    struct shepard_error last; /* of the last candidate that failed */
};

/* ---- Arguments ------------------------------------------------------------------------------- */

void shepard_tuning_init_sized(struct shepard_tuning *tuning, size_t size)
{
    const struct shepard_tuning defaults = {
        .size = size, .power_min = 1, .power_max = 4, .points_min = 4, .points_max = 32};
    shepard_sized_give(&defaults, sizeof defaults, tuning, size);
}

static enum shepard_status check_limits(const struct shepard_tuning *tuning,
                                        struct shepard_error *error)
{
    if (!(tuning->power_min <= tuning->power_max))
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "tuning.power_min",
                                 "tuning.power_min is %g and power_max %g: give the smaller one "
                                 "first",
                                 tuning->power_min, tuning->power_max);
    if (tuning->points_min > tuning->points_max)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "tuning.points_min",
                                 "tuning.points_min is %zu and points_max %zu: give the smaller "
                                 "one first",
                                 tuning->points_min, tuning->points_max);
    if (!(tuning->power_min > 0 && tuning->power_max <= 100))
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "tuning.power_min",
                                 "tuning.power_min is %g and power_max %g: powers are greater than "
                                 "0 and at most 100",
                                 tuning->power_min, tuning->power_max);
    return shepard_argument_require(tuning->seconds >= 0, "tuning.seconds", tuning->seconds,
                                    "> 0, or 0 for no limit", error);
}

/* ---- A trial --------------------------------------------------------------------------------- */

static bool is_late(const struct tuner *tuner)
{
    return tuner->tuning.seconds > 0 && shepard_clock() - tuner->begin >= tuner->tuning.seconds;
}

static bool report(double fraction, void *user)
{
    struct tuner *tuner = user;
    double done = ((double)tuner->trials + fraction) / (double)tuner->planned;
    if (tuner->tuning.seconds > 0)
        done = fmax(done, (shepard_clock() - tuner->begin) / tuner->tuning.seconds);
    tuner->fraction = fmax(tuner->fraction, fmin(done, 1));
    tuner->late = is_late(tuner);
    return shepard_control_report(&tuner->control, tuner->fraction) && !tuner->late;
}

/* Which part of the held-out data number i belongs to: folds stay whole. */
static size_t part_of(const struct tuner *tuner, size_t i)
{
    if (tuner->info.fold != NULL && tuner->info.folds >= 2)
        return tuner->info.fold[i] % SHEPARD_TALLY_PARTS;
    struct shepard_random random = {tuner->info.indices[i]};
    return (size_t)(shepard_random_bits(&random) % SHEPARD_TALLY_PARTS);
}

static enum shepard_tier tier_of(const struct shepard_tuning_candidate *candidate)
{
    if (candidate == NULL)
        return SHEPARD_TIER_CHOSEN;
    if (candidate->family == SHEPARD_CANDIDATE_FITTED)
        return SHEPARD_TIER_FITTED;
    return candidate->ratio != 1 ? SHEPARD_TIER_DIRECTED : SHEPARD_TIER_CHOSEN;
}

static void count_errors(const struct tuner *tuner, struct shepard_tally *tally)
{
    *tally = (struct shepard_tally){0};
    for (size_t i = 0; i < tuner->info.count; i++) {
        const double error = (tuner->values[i] - tuner->info.observed[i]) / tuner->unit;
        const size_t part = part_of(tuner, i);
        if (isfinite(error)) {
            tally->squares[part] += error * error;
            tally->counts[part]++;
        } else {
            tally->missing++;
        }
    }
}

/* The slope of a linear semivariogram, given as 1, with which squared errors have the variances
 * that kriging states; sds are scaled by it. */
static double fit_slope(struct tuner *tuner)
{
    double sum = 0, count = 0;
    bool any = false;
    for (size_t i = 0; i < tuner->info.count; i++) {
        const double ratio = (tuner->values[i] - tuner->info.observed[i]) / tuner->sds[i];
        if (isfinite(ratio)) {
            sum += ratio * ratio;
            any = any || ratio != 0;
            count++;
        }
    }
    const double mean = fmin(fmax(sum / count, PSILL_LEAST), PSILL_MOST);
    const double slope = count > 0 && any ? shepard_candidate_shorten(mean) : 1;
    for (size_t i = 0; i < tuner->info.count; i++)
        tuner->sds[i] *= sqrt(slope);
    return slope;
}

static struct shepard_control control_of(struct tuner *tuner)
{
    return (struct shepard_control){
        .size = sizeof(struct shepard_control), .progress = report, .user = tuner};
}

/* Completes the caller's text of kriging, where it leaves numbers open. */
static enum shepard_status complete(struct tuner *tuner, struct shepard_parameters *parameters,
                                    struct shepard_points_options *options,
                                    char text[SHEPARD_CANDIDATE_SIZE], struct shepard_error *error)
{
    static const char nodata[] = ":nodata=";
    const struct shepard_control control = control_of(tuner);
    bool fitted = false;
    const enum shepard_status status =
        shepard_holdout_fit(tuner->holdout, parameters, options, &fitted, &control, error);
    if (!fitted)
        return status;
    shepard_parameters_print(parameters, options, "krige", text, SHEPARD_CANDIDATE_SIZE);
    char *at = strstr(text, nodata);
    if (at != NULL) {
        const char *rest = at + strlen(nodata) + strcspn(at + strlen(nodata), ":");
        memmove(at, rest, strlen(rest) + 1);
    }
    return SHEPARD_OK;
}

static enum shepard_status validate(struct tuner *tuner, char text[SHEPARD_CANDIDATE_SIZE],
                                    struct shepard_scores *scores, struct shepard_error *error)
{
    struct shepard_parameters parameters;
    struct shepard_points_options options;
    shepard_points_options_init(&options);
    const struct shepard_control control = control_of(tuner);
    struct shepard_validation_result result = {
        .size = sizeof result, .values = tuner->values, .sds = tuner->sds};
    enum shepard_status status = shepard_parameters_parse(text, &parameters, &options, error);
    if (status == SHEPARD_OK && parameters.method == SHEPARD_METHOD_KRIGE)
        status = complete(tuner, &parameters, &options, text, error);
    if (status == SHEPARD_OK)
        status = shepard_holdout_validate(tuner->holdout, &parameters, &options, &result, &control,
                                          error);
    *scores = result.scores;
    return status;
}

/* Takes the last trial into account. candidate: NULL where the text is the caller's. */
static void take_good(struct tuner *tuner, const struct shepard_tuning_candidate *candidate,
                      const char *text, const struct shepard_scores *scores)
{
    const size_t last = tuner->trials - 1;
    const enum shepard_tier tier = tier_of(candidate);
    count_errors(tuner, &tuner->tallies[last]);
    tuner->tallies[last].tier = tier;
    if (shepard_tallies_best(tuner->tallies, tuner->trials, tier, SHEPARD_TALLY_PARTS) == last) {
        struct tier_best *best = &tuner->bests[tier];
        best->scores = *scores;
        memcpy(best->text, text, strlen(text) + 1);
        if (candidate != NULL)
            best->candidate = *candidate;
    }
    tuner->best = shepard_tallies_choose(tuner->tallies, tuner->trials, SHEPARD_TALLY_PARTS);
}

static const struct tier_best *best_trial(const struct tuner *tuner)
{
    return &tuner->bests[tuner->tallies[tuner->best].tier];
}

static bool tell(const struct tuner *tuner, struct shepard_trial *trial)
{
    return tuner->tuning.trial == NULL || tuner->tuning.trial(trial, tuner->tuning.user);
}

/* candidate: NULL where the text is the caller's. Refused where the whole search ends. */
static enum shepard_status try_one(struct tuner *tuner, struct shepard_tuning_candidate *candidate,
                                   char text[SHEPARD_CANDIDATE_SIZE], struct shepard_error *error)
{
    struct shepard_scores scores;
    struct shepard_tally *tally = &tuner->tallies[tuner->trials];
    const double begin = shepard_clock();
    tuner->last.message[0] = '\0';
    const enum shepard_status status = validate(tuner, text, &scores, &tuner->last);
    if (status == SHEPARD_ERROR_CANCELLED || status == SHEPARD_ERROR_MEMORY) {
        if (error != NULL)
            *error = tuner->last;
        return tuner->late ? SHEPARD_OK : status;
    }
    const bool good = status == SHEPARD_OK && scores.count > 0;
    if (good && candidate != NULL && candidate->family == SHEPARD_CANDIDATE_KRIGE) {
        candidate->psill = fit_slope(tuner);
        shepard_candidate_write(tuner->candidates, candidate, text);
        shepard_scores_compute(tuner->info.observed, tuner->values, tuner->sds, tuner->info.count,
                               &scores);
    }
    *tally = (struct shepard_tally){.failed = true};
    const size_t number = tuner->trials++;
    if (good)
        take_good(tuner, candidate, text, &scores);
    struct shepard_trial trial = {.number = number,
                                  .text = text,
                                  .status = status,
                                  .message = tuner->last.message,
                                  .scores = good ? &scores : NULL,
                                  .seconds = shepard_clock() - begin,
                                  .best = tuner->best == number};
    tuner->stopped = !tell(tuner, &trial);
    return SHEPARD_OK;
}

/* ---- The search ------------------------------------------------------------------------------ */

static bool is_over(struct tuner *tuner)
{
    tuner->late = tuner->late || is_late(tuner);
    return tuner->late || tuner->stopped;
}

static enum shepard_status try_given(struct tuner *tuner, struct shepard_error *error)
{
    enum shepard_status status = SHEPARD_OK;
    char text[SHEPARD_CANDIDATE_SIZE];
    for (size_t i = 0; i < tuner->tuning.candidate_count && !is_over(tuner); i++) {
        const int length = snprintf(text, sizeof text, "%s", tuner->tuning.candidates[i]);
        if (length >= SHEPARD_CANDIDATE_SIZE)
            return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "tuning.candidates",
                                     "tuning.candidates[%zu] has more than %d letters", i,
                                     SHEPARD_CANDIDATE_SIZE - 1);
        status = try_one(tuner, NULL, text, error);
        if (status != SHEPARD_OK)
            break;
    }
    return status;
}

static enum shepard_status try_own(struct tuner *tuner, struct shepard_error *error)
{
    struct shepard_candidates *candidates = tuner->candidates;
    char text[SHEPARD_CANDIDATE_SIZE];
    size_t next = 0;
    do {
        for (; next < candidates->count && !is_over(tuner); next++) {
            shepard_candidate_write(candidates, &candidates->items[next], text);
            const enum shepard_status status =
                try_one(tuner, &candidates->items[next], text, error);
            if (status != SHEPARD_OK)
                return status;
        }
    } while (!is_over(tuner) && tuner->best != SHEPARD_NO_TALLY &&
             shepard_candidates_refine(candidates, &best_trial(tuner)->candidate, &tuner->tuning));
    return SHEPARD_OK;
}

/* The covariance of the data, of which several candidates make use; without one they are not
 * tried. */
static enum shepard_status fit_covariance(struct tuner *tuner, struct shepard_error *error)
{
    struct shepard_parameters parameters;
    struct shepard_points_options options;
    const struct shepard_control control = control_of(tuner);
    struct shepard_error own;
    shepard_points_options_init(&options);
    tuner->candidates->fit[0] = '\0';
    enum shepard_status status = shepard_parameters_parse("krige", &parameters, &options, &own);
    if (status == SHEPARD_OK)
        status = shepard_holdout_fit(tuner->holdout, &parameters, &options, NULL, &control, &own);
    if (status == SHEPARD_OK)
        shepard_candidates_take_fit(tuner->candidates, &parameters, &options);
    if (status == SHEPARD_OK)
        status = shepard_holdout_find_sd_ratio(tuner->holdout, &parameters, &options,
                                               &tuner->sd_ratio, &control, &own);
    if (status != SHEPARD_ERROR_MEMORY && (status != SHEPARD_ERROR_CANCELLED || tuner->late))
        return SHEPARD_OK;
    if (error != NULL)
        *error = own;
    return status;
}

static enum shepard_status try_all(struct tuner *tuner, struct shepard_error *error)
{
    const bool given = tuner->tuning.candidates != NULL;
    tuner->planned = given ? tuner->tuning.candidate_count : SHEPARD_CANDIDATES_MAX;
    enum shepard_status status = SHEPARD_OK;
    if (!given || tuner->info.kind == SHEPARD_VALIDATION_STARS)
        status = fit_covariance(tuner, error);
    if (status == SHEPARD_OK && given)
        return try_given(tuner, error);
    if (status != SHEPARD_OK)
        return status;
    const struct shepard_barriers *barriers = tuner->holdout->options.barriers;
    const enum shepard_metric metric = tuner->holdout->options.metric;
    tuner->candidates->planes = metric != SHEPARD_METRIC_SPACE;
    tuner->candidates->directions = metric != SHEPARD_METRIC_SPHERE;
    tuner->candidates->local =
        metric != SHEPARD_METRIC_PLANE || (barriers != NULL && barriers->count > 0);
    shepard_candidates_fill(tuner->candidates, &tuner->tuning);
    tuner->planned = tuner->candidates->count + 13;
    return try_own(tuner, error);
}

static double unit_of(const struct shepard_holdout_info *info)
{
    double largest = 0;
    for (size_t i = 0; i < info->count; i++)
        if (fabs(info->observed[i]) > largest)
            largest = fabs(info->observed[i]);
    return shepard_power_of_two(largest);
}

static enum shepard_status finish(const struct tuner *tuner, struct shepard_tuning_result *result,
                                  struct shepard_error *error)
{
    if (tuner->best == SHEPARD_NO_TALLY && tuner->late)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "tuning.seconds",
                                 "%g seconds are too short for one trial: give more time",
                                 tuner->tuning.seconds);
    if (tuner->best == SHEPARD_NO_TALLY) {
        if (error != NULL)
            *error = tuner->last;
        return tuner->last.message[0] != '\0'
                   ? tuner->last.status
                   : shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "tuning.candidates",
                                       "no candidate predicts any of the held-out data");
    }
    struct shepard_points_options options;
    shepard_points_options_init(&options);
    result->trials = tuner->trials;
    result->complete = !tuner->late && !tuner->stopped;
    result->sd_ratio = tuner->sd_ratio;
    result->honest_rmse = tuner->sd_ratio * tuner->unit *
                          sqrt(shepard_tallies_honest_square(tuner->tallies, tuner->trials));
    memcpy(result->text, best_trial(tuner)->text, sizeof result->text);
    result->scores = best_trial(tuner)->scores;
    if (result->parameters == NULL)
        return SHEPARD_OK;
    const enum shepard_status status = shepard_parameters_parse_sized(
        result->text, result->parameters, sizeof *result->parameters, &options, error);
    result->parameters->nodata = NAN;
    if (result->options != NULL) {
        result->options->anisotropy_ratio = options.anisotropy_ratio;
        result->options->anisotropy_angle = options.anisotropy_angle;
    }
    return status;
}

static enum shepard_status search(struct tuner *tuner, struct shepard_tuning_result *result,
                                  struct shepard_error *error)
{
    const size_t most =
        tuner->tuning.candidates == NULL ? SHEPARD_CANDIDATES_MAX : tuner->tuning.candidate_count;
    const struct shepard_allocator *allocator = tuner->holdout->allocator_used;
    tuner->tallies = shepard_allocate(allocator, most, sizeof *tuner->tallies);
    tuner->values = shepard_allocate(allocator, tuner->info.count, sizeof *tuner->values);
    tuner->sds = shepard_allocate(allocator, tuner->info.count, sizeof *tuner->sds);
    tuner->candidates = shepard_allocate(allocator, 1, sizeof *tuner->candidates);
    enum shepard_status status = SHEPARD_ERROR_MEMORY;
    if (tuner->tallies == NULL || tuner->values == NULL || tuner->sds == NULL ||
        tuner->candidates == NULL) {
        shepard_error_set_memory(error, "the trials");
    } else {
        status = try_all(tuner, error);
        if (status == SHEPARD_OK)
            status = finish(tuner, result, error);
    }
    shepard_release(allocator, tuner->candidates);
    shepard_release(allocator, tuner->sds);
    shepard_release(allocator, tuner->values);
    shepard_release(allocator, tuner->tallies);
    return status;
}

enum shepard_status shepard_tune(struct shepard_holdout *holdout,
                                 const struct shepard_tuning *tuning,
                                 struct shepard_tuning_result *result,
                                 const struct shepard_control *control, struct shepard_error *error)
{
    struct tuner tuner = {.holdout = holdout,
                          .info = {.size = sizeof tuner.info},
                          .best = SHEPARD_NO_TALLY,
                          .sd_ratio = 1,
                          .begin = shepard_clock()};
    struct shepard_tuning_result found = {.size = sizeof found};
    if (holdout == NULL)
        return shepard_argument_missing("holdout", error);
    shepard_tuning_init(&tuner.tuning);
    enum shepard_status status =
        SHEPARD_TAKE(tuning, &tuner.tuning, "tuning", shepard_tuning, error);
    if (status == SHEPARD_OK)
        status = SHEPARD_TAKE(result, &found, "result", shepard_tuning_result, error);
    if (status == SHEPARD_OK)
        status = check_limits(&tuner.tuning, error);
    if (status == SHEPARD_OK)
        status = shepard_control_take(control, &tuner.control, error);
    if (status != SHEPARD_OK)
        return status;
    shepard_holdout_get_info(holdout, &tuner.info);
    tuner.unit = unit_of(&tuner.info);
    status = search(&tuner, &found, error);
    if (status == SHEPARD_OK) {
        found.size = result->size;
        memcpy(result, &found, shepard_smaller(found.size, sizeof found));
    }
    return status;
}
