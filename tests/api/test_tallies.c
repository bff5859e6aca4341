/* SPDX-License-Identifier: MIT */
/* test_tallies [SEED]: which trial a tuning chooses, of errors whose means and standard errors are
 * known. */
#include "check.h"

#include "api/tallies.h"
#include "base/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PARTS SHEPARD_TALLY_PARTS
#define ALL SHEPARD_TALLY_PARTS

static struct shepard_random chance;

/* Errors of about 1 in parts of one size. */
static struct shepard_tally make_tally(enum shepard_tier tier)
{
    struct shepard_tally tally = {.tier = tier};
    for (size_t p = 0; p < PARTS; p++) {
        tally.counts[p] = 100;
        tally.squares[p] = 100 * (0.9 + 0.2 * shepard_random_uniform(&chance));
    }
    return tally;
}

/* The mean square is less than that of from by so many standard errors of the difference: half of
 * the parts differ by error more, half by error less, which makes it error / 3. */
static struct shepard_tally make_better(const struct shepard_tally *from, enum shepard_tier tier,
                                        double errors)
{
    const double error = shepard_random_magnitude(&chance, 1e-3, 1e-2);
    struct shepard_tally tally = *from;
    tally.tier = tier;
    for (size_t p = 0; p < PARTS; p++)
        tally.squares[p] -= 100 * (errors * error / 3 + (p % 2 == 0 ? error : -error));
    return tally;
}

/* A later tier has to be better by two standard errors, the same tier by anything. */
static void check_margin(enum shepard_tier first, enum shepard_tier later)
{
    static const double errors[] = {-1, 0.1, 1.9, 2.1, 10};
    check_case("tiers %d and %d", (int)first, (int)later);
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        struct shepard_tally two[2];
        two[0] = make_tally(first);
        two[1] = make_better(&two[0], later, errors[i]);
        const size_t want = errors[i] > (first == later ? 0 : 2);
        check(shepard_tallies_choose(two, 2, ALL) == want, "better by %g: not %zu", errors[i],
              want);
        /* In any order of the trials. */
        const struct shepard_tally turned[] = {two[1], two[0]};
        check(shepard_tallies_choose(turned, 2, ALL) == 1 - want, "turned, better by %g",
              errors[i]);
    }
}

/* Each tier is compared with what the tiers before it chose. */
static void check_three(void)
{
    struct shepard_tally three[3];
    check_case("three tiers");
    three[2] = make_tally(SHEPARD_TIER_FITTED);
    three[1] = make_better(&three[2], SHEPARD_TIER_CHOSEN, 3);
    three[0] = make_better(&three[1], SHEPARD_TIER_DIRECTED, 1);
    check(shepard_tallies_choose(three, 3, ALL) == 1, "the middle one");
    check(shepard_tallies_best(three, 3, SHEPARD_TIER_DIRECTED, ALL) == 0, "best of its tier");
    three[0] = make_better(&three[1], SHEPARD_TIER_DIRECTED, 3);
    check(shepard_tallies_choose(three, 3, ALL) == 0, "the last one");
    three[0].failed = true;
    check(shepard_tallies_choose(three, 3, ALL) == 1, "one that failed");
    check(shepard_tallies_best(three, 3, SHEPARD_TIER_DIRECTED, ALL) == SHEPARD_NO_TALLY, "none");
    three[1].failed = three[2].failed = true;
    check(shepard_tallies_choose(three, 3, ALL) == SHEPARD_NO_TALLY, "all failed");
}

/* One that misses less goes first, in any tier and however large its errors. */
static void check_missing(void)
{
    struct shepard_tally two[2];
    check_case("missing");
    two[0] = make_tally(SHEPARD_TIER_FITTED);
    two[1] = make_better(&two[0], SHEPARD_TIER_DIRECTED, -9);
    two[0].missing = 2;
    two[1].missing = 1;
    check(shepard_tallies_choose(two, 2, ALL) == 1, "the one that misses less");
}

/* Each trial is perfect in a part of its own, where alone it is scored: the choice of the other
 * parts is never it. */
static void check_honest(void)
{
    struct shepard_tally tallies[PARTS];
    check_case("honest");
    for (size_t t = 0; t < PARTS; t++) {
        tallies[t] = (struct shepard_tally){.tier = SHEPARD_TIER_CHOSEN};
        for (size_t p = 0; p < PARTS; p++) {
            tallies[t].counts[p] = 10 + p;
            tallies[t].squares[p] = p == t ? 0 : 3.0 * (double)(10 + p);
        }
        check(shepard_tallies_choose(tallies, t + 1, t) != t || t == 0, "part %zu", t);
    }
    check_near(shepard_tallies_honest_square(tallies, PARTS), 3, 1e-12, "of many");
    /* Of one trial it is its mean square. */
    double squares = 0, count = 0;
    for (size_t p = 0; p < PARTS; p++) {
        squares += tallies[4].squares[p];
        count += (double)tallies[4].counts[p];
    }
    check_near(shepard_tallies_honest_square(&tallies[4], 1), squares / count, 1e-12, "of one");
}

int main(int count, char **arguments)
{
    const uint64_t seed = count > 1 ? strtoull(arguments[1], NULL, 10) : 20161124;
    chance.state = seed;
    printf("seed %llu\n", (unsigned long long)seed);
    for (int first = 0; first < SHEPARD_TIERS; first++)
        for (int later = first; later < SHEPARD_TIERS; later++)
            check_margin((enum shepard_tier)first, (enum shepard_tier)later);
    check_three();
    check_missing();
    check_honest();
    return check_finish("tallies");
}
