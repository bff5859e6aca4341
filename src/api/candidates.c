/* SPDX-License-Identifier: MIT */
#include "api/candidates.h"

#include "base/decimal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Neighbourhoods, and how many points each has. */
static const struct {
    const char *keys;
    size_t points;
    bool fits; /* with a fitted covariance */
} neighbourhoods[] = {
    {":sectors=8:max_points_per_sector=2", 16, true},
    {":sectors=4:max_points_per_sector=2", 8, false},
    {":sectors=8:max_points_per_sector=1", 8, false},
    {":sectors=4:max_points_per_sector=3", 12, false},
    {":sectors=8:max_points_per_sector=3", 24, true},
    {":k=12", 12, false},
    {":k=16", 16, true},
    {":k=8", 8, false},
    {":k=24", 24, true},
    {":sectors=8:max_points_per_sector=4", 32, true},
    {":k=32", 32, false},
    {":sectors=4:max_points_per_sector=1", 4, false},
};

enum { NEIGHBOURHOODS = sizeof neighbourhoods / sizeof neighbourhoods[0] };

static const double powers[] = {2, 1, 3, 1.5, 4};

enum { POWERS = sizeof powers / sizeof powers[0] };

/* A plane has three coefficients: fewer points than this leave it little to average. */
#define PLANE_POINTS 8

static void add(struct shepard_candidates *candidates, struct shepard_tuning_candidate candidate)
{
    if (candidates->count < SHEPARD_CANDIDATES_MAX)
        candidates->items[candidates->count++] = candidate;
}

static void add_powers(struct shepard_candidates *candidates,
                       struct shepard_tuning_candidate candidate,
                       const struct shepard_tuning *tuning)
{
    const size_t before = candidates->count;
    for (int p = 0; p < POWERS; p++) {
        candidate.power = powers[p];
        if (powers[p] >= tuning->power_min && powers[p] <= tuning->power_max)
            add(candidates, candidate);
    }
    candidate.power = 0.5 * (tuning->power_min + tuning->power_max);
    if (candidates->count == before)
        add(candidates, candidate);
}

static void add_family(struct shepard_candidates *candidates, enum shepard_candidate_family family,
                       const struct shepard_tuning *tuning)
{
    for (int n = 0; n < NEIGHBOURHOODS; n++) {
        const size_t points = neighbourhoods[n].points;
        const struct shepard_tuning_candidate candidate = {
            .family = family, .where = neighbourhoods[n].keys, .psill = 1, .ratio = 1};
        if (points < tuning->points_min || points > tuning->points_max ||
            (family != SHEPARD_CANDIDATE_IDW && points < PLANE_POINTS) ||
            (family == SHEPARD_CANDIDATE_FITTED && !neighbourhoods[n].fits))
            continue;
        if (family == SHEPARD_CANDIDATE_KRIGE || family == SHEPARD_CANDIDATE_FITTED)
            add(candidates, candidate);
        else
            add_powers(candidates, candidate, tuning);
    }
}

void shepard_candidates_fill(struct shepard_candidates *candidates,
                             const struct shepard_tuning *tuning)
{
    candidates->count = 0;
    candidates->refinements = 0;
    if (candidates->fit[0] != '\0')
        add_family(candidates, SHEPARD_CANDIDATE_FITTED, tuning);
    add_family(candidates, SHEPARD_CANDIDATE_KRIGE, tuning);
    if (candidates->planes)
        add_family(candidates, SHEPARD_CANDIDATE_PLANE, tuning);
    add_family(candidates, SHEPARD_CANDIDATE_IDW, tuning);
    add(candidates,
        (struct shepard_tuning_candidate){.family = SHEPARD_CANDIDATE_AIDW,
                                          .where = candidates->local ? ":max_points=12" : "",
                                          .ratio = 1});
}

/* ---- Variants -------------------------------------------------------------------------------- */

static void add_angles(struct shepard_candidates *candidates,
                       struct shepard_tuning_candidate candidate)
{
    if (!candidates->directions)
        return;
    candidate.ratio = 2;
    for (candidate.angle = 0; candidate.angle < 180; candidate.angle += 30)
        add(candidates, candidate);
}

static void add_ratios(struct shepard_candidates *candidates,
                       struct shepard_tuning_candidate candidate)
{
    static const double ratios[] = {1.4, 3, 5};
    const double angle = candidate.angle;
    if (candidate.ratio == 1)
        return;
    for (int side = -1; side <= 1; side += 2) {
        candidate.angle = angle + 15 * side;
        add(candidates, candidate);
    }
    candidate.angle = angle;
    for (int r = 0; r < 3; r++) {
        candidate.ratio = ratios[r];
        add(candidates, candidate);
    }
}

static void add_near_powers(struct shepard_candidates *candidates,
                            struct shepard_tuning_candidate candidate,
                            const struct shepard_tuning *tuning)
{
    /* In hundredths, for short texts. */
    const double near[] = {round(80 * candidate.power) / 100, round(125 * candidate.power) / 100};
    if (candidate.family != SHEPARD_CANDIDATE_PLANE && candidate.family != SHEPARD_CANDIDATE_IDW)
        return;
    for (int p = 0; p < 2; p++) {
        candidate.power = near[p];
        if (near[p] >= tuning->power_min && near[p] <= tuning->power_max)
            add(candidates, candidate);
    }
}

bool shepard_candidates_refine(struct shepard_candidates *candidates,
                               const struct shepard_tuning_candidate *best,
                               const struct shepard_tuning *tuning)
{
    struct shepard_tuning_candidate from = *best;
    from.psill = 1;
    /* Its anisotropy is fitted, and it has no power. */
    if (from.family == SHEPARD_CANDIDATE_FITTED)
        return false;
    switch (candidates->refinements++) {
    case 0:
        add_angles(candidates, from);
        return true;
    case 1:
        add_ratios(candidates, from);
        return true;
    case 2:
        add_near_powers(candidates, from, tuning);
        return true;
    default:
        return false;
    }
}

/* ---- Text ------------------------------------------------------------------------------------ */

double shepard_candidate_shorten(double number)
{
    if (number == 0)
        return 0;
    const double digits = 3 - floor(log10(fabs(number)));
    const double unit = pow(10, fabs(digits));
    return digits >= 0 ? round(number * unit) / unit : round(number / unit) * unit;
}

static void append(char *text, size_t size, const char *key, double number)
{
    const size_t length = strlen(text);
    char digits[SHEPARD_DECIMAL_SIZE];
    shepard_decimal_write(number, digits);
    snprintf(text + length, size - length, ":%s=%s", key, digits);
}

void shepard_candidates_take_fit(struct shepard_candidates *candidates,
                                 const struct shepard_parameters *parameters,
                                 const struct shepard_points_options *options)
{
    const struct shepard_kriging *kriging = &parameters->kriging;
    const bool linear = kriging->covariance == SHEPARD_COVARIANCE_LINEAR;
    const struct {
        const char *key;
        double number;
        bool left_out;
    } numbers[] = {
        {"psill", kriging->psill, false},
        {"range", kriging->range, false},
        {"nugget", kriging->nugget, false},
        {"p", kriging->p, linear},
        {"anisotropy_ratio", options->anisotropy_ratio, options->anisotropy_ratio == 1},
        {"anisotropy_angle", options->anisotropy_angle, options->anisotropy_ratio == 1},
    };
    char *text = candidates->fit;
    snprintf(text, sizeof candidates->fit, ":model=%s:sd=local", linear ? "linear" : "stable");
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (!numbers[i].left_out)
            append(text, sizeof candidates->fit, numbers[i].key,
                   shepard_candidate_shorten(numbers[i].number));
}

void shepard_candidate_write(const struct shepard_candidates *candidates,
                             const struct shepard_tuning_candidate *candidate,
                             char text[SHEPARD_CANDIDATE_SIZE])
{
    static const char *const names[] = {[SHEPARD_CANDIDATE_FITTED] = "krige",
                                        [SHEPARD_CANDIDATE_KRIGE] = "krige",
                                        [SHEPARD_CANDIDATE_PLANE] = "idw",
                                        [SHEPARD_CANDIDATE_IDW] = "idw",
                                        [SHEPARD_CANDIDATE_AIDW] = "aidw"};
    const bool fitted = candidate->family == SHEPARD_CANDIDATE_FITTED;
    const bool krige = candidate->family == SHEPARD_CANDIDATE_KRIGE;
    const size_t size = SHEPARD_CANDIDATE_SIZE;
    snprintf(text, size, "%s%s%s", names[candidate->family], candidate->where,
             krige    ? ":model=linear:nugget=0:range=1"
             : fitted ? candidates->fit
                      : "");
    if (krige)
        append(text, size, "psill", candidate->psill);
    else if (candidate->family == SHEPARD_CANDIDATE_PLANE ||
             candidate->family == SHEPARD_CANDIDATE_IDW)
        append(text, size, "power", candidate->power);
    if (candidate->family == SHEPARD_CANDIDATE_PLANE)
        append(text, size, "degree", 1);
    if (candidate->ratio != 1) {
        append(text, size, "anisotropy_ratio", candidate->ratio);
        append(text, size, "anisotropy_angle", candidate->angle);
    }
}
