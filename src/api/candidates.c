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
} neighbourhoods[] = {
    {":sectors=8:max_points_per_sector=2", 16},
    {":sectors=4:max_points_per_sector=2", 8},
    {":sectors=8:max_points_per_sector=1", 8},
    {":sectors=4:max_points_per_sector=3", 12},
    {":sectors=8:max_points_per_sector=3", 24},
    {":k=12", 12},
    {":k=16", 16},
    {":k=8", 8},
    {":k=24", 24},
    {":k=32", 32},
    {":sectors=4:max_points_per_sector=1", 4},
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
            (family != SHEPARD_CANDIDATE_IDW && points < PLANE_POINTS))
            continue;
        if (family == SHEPARD_CANDIDATE_KRIGE)
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
    add_family(candidates, SHEPARD_CANDIDATE_KRIGE, tuning);
    add_family(candidates, SHEPARD_CANDIDATE_PLANE, tuning);
    add_family(candidates, SHEPARD_CANDIDATE_IDW, tuning);
    add(candidates, (struct shepard_tuning_candidate){
                        .family = SHEPARD_CANDIDATE_AIDW, .where = "", .ratio = 1});
}

/* ---- Variants -------------------------------------------------------------------------------- */

static void add_angles(struct shepard_candidates *candidates,
                       struct shepard_tuning_candidate candidate)
{
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

static void append(char *text, const char *key, double number)
{
    const size_t length = strlen(text);
    char digits[SHEPARD_DECIMAL_SIZE];
    shepard_decimal_write(number, digits);
    snprintf(text + length, SHEPARD_CANDIDATE_SIZE - length, ":%s=%s", key, digits);
}

void shepard_candidate_write(const struct shepard_tuning_candidate *candidate,
                             char text[SHEPARD_CANDIDATE_SIZE])
{
    static const char *const names[] = {[SHEPARD_CANDIDATE_KRIGE] = "krige",
                                        [SHEPARD_CANDIDATE_PLANE] = "idw",
                                        [SHEPARD_CANDIDATE_IDW] = "idw",
                                        [SHEPARD_CANDIDATE_AIDW] = "aidw"};
    const bool krige = candidate->family == SHEPARD_CANDIDATE_KRIGE;
    snprintf(text, SHEPARD_CANDIDATE_SIZE, "%s%s%s", names[candidate->family], candidate->where,
             krige ? ":model=linear:nugget=0:range=1" : "");
    if (krige)
        append(text, "psill", candidate->psill);
    else if (candidate->family != SHEPARD_CANDIDATE_AIDW)
        append(text, "power", candidate->power);
    if (candidate->family == SHEPARD_CANDIDATE_PLANE)
        append(text, "degree", 1);
    if (candidate->ratio != 1) {
        append(text, "anisotropy_ratio", candidate->ratio);
        append(text, "anisotropy_angle", candidate->angle);
    }
}
