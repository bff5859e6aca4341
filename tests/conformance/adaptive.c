/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "compare.h"
#include "slow.h"
#include "suite.h"

static struct model_options adaptive_options(const struct shepard_backend_info *on,
                                             struct chance *chance)
{
    static const size_t ks[] = {1, 3, 10, 15};
    struct model_options options = options_for(on->backend);
    options.parameters.method = SHEPARD_METHOD_AIDW;
    options.parameters.adaptive.k = ks[chance_below(chance, 4)];
    options.parameters.adaptive.expect =
        chance_below(chance, 2) ? SHEPARD_EXPECT_KNN : SHEPARD_EXPECT_NN;
    options.parameters.adaptive.r_max = chance_range(chance, 1.5, 6);
    for (int i = 0; i < 5; i++)
        options.parameters.adaptive.powers[i] = chance_range(chance, 0.5, 8);
    if (chance_below(chance, 2))
        options.parameters.adaptive.area = chance_range(chance, 0.5, 2);
    return options;
}

/* All of AIDW, with powers in no order, against the equations. */
static void equations_hold(const struct shepard_backend_info *on, enum scene_kind kind,
                           struct chance *chance)
{
    struct trial trial = trial_make(kind, 0, 0, 150, 48, chance);
    trial.options = adaptive_options(on, chance);
    trial.options.parameters.adaptive.area *= trial.scene.size * trial.scene.size;
    struct results slow = compare_slow(&trial);
    struct results got = results_of(&trial.scene, &trial.options, &trial.places);
    compare_results(&trial, &got, &slow);
    results_free(&got);
    results_free(&slow);
    trial_free(&trial);
}

/* Eq. 6's third branch as one paper's listing prints it: a1 where a2 must stand. */
static double misprinted_power(const double powers[5], long double mu)
{
    return (double)(powers[0] * (1 - 5 * (mu - 0.3L)) + 5 * powers[2] * (mu - 0.3L));
}

/* Places with 0.3 < mu < 0.5 get Eq. 6's power, well away from the misprint's. */
static void third_branch(const struct shepard_backend_info *on, struct chance *chance)
{
    struct model_options options = options_for(on->backend);
    options.parameters.method = SHEPARD_METHOD_AIDW;
    options.parameters.adaptive.r_max = 5;
    struct scene scene = scene_make(SCENE_UNIFORM, 200, 1, false, chance);
    struct places places = scene_places_inside(&scene, 200, chance);
    struct results got = results_of(&scene, &options, &places);
    const long double expected = slow_expected_distance(&scene, &options.parameters.adaptive);
    size_t seen = 0;
    for (size_t i = 0; i < places.m; i++) {
        const long double r = slow_mean_distance(&scene, 10, places.x[i], places.y[i]) / expected;
        const long double mu = slow_mu(&options.parameters.adaptive, r);
        if (mu <= 0.3L || mu >= 0.45L)
            continue;
        seen++;
        check_near(got.power[i], (double)slow_power(options.parameters.adaptive.powers, mu), 1e-12,
                   "power of Eq. 6's third branch");
        check(fabs(got.power[i] - misprinted_power(options.parameters.adaptive.powers, mu)) > 0.1,
              "power %g is the misprint's", got.power[i]);
    }
    check(seen >= 10, "only %zu places have 0.3 < mu < 0.45", seen);
    results_free(&got);
    places_free(&places);
    scene_free(&scene);
}

/* Power at chosen R: one data point at the origin (k = 1), area 4 so that r_exp is 1, r_max 2. */
static void chosen_distances(const struct shepard_backend_info *on)
{
    double zero[] = {0}, value[] = {5};
    const struct scene scene = {
        .n = 1, .columns = 1, .x = zero, .y = zero, .values = {value}, .size = 1};
    struct model_options options = options_for(on->backend);
    options.parameters.method = SHEPARD_METHOD_AIDW;
    options.parameters.adaptive.k = 1;
    options.parameters.adaptive.area = 4;
    /* R = 2/3: mu = 1/4; R = 1: mu = 1/2; R = 4/3: mu = 3/4; by hand from Eq. 5 and 6. */
    double x[] = {0, 2.0 / 3, 1, 4.0 / 3, 2, 1e3}, y[] = {0, 0, 0, 0, 0, 0};
    static const double powers[] = {1.5, 1.875, 2.5, 3.125, 3.5, 3.5};
    const struct places places = {6, x, y};
    struct results got = results_of(&scene, &options, &places);
    for (size_t i = 0; i < places.m; i++)
        check_near(got.power[i], powers[i], 1e-14, "power at a chosen distance");
    results_free(&got);
}

/* What is expected by default: of one nearest point where all points are summed, of the mean of k
 * where a neighbourhood is. */
static void expectation_goes_by_points(const struct shepard_backend_info *on, struct chance *chance)
{
    const struct shepard_neighbourhood hoods[] = {{.sectors = 1},
                                                  {.sectors = 1, .min_points = 3},
                                                  {.sectors = 1, .max_points = 12},
                                                  {.sectors = 8, .max_points_per_sector = 2},
                                                  {.sectors = 1, .radius1 = 2, .radius2 = 2}};
    struct scene scene = scene_make(SCENE_UNIFORM, 200, 1, false, chance);
    struct places places = scene_places_inside(&scene, 50, chance);
    struct model_options options = options_for(on->backend);
    options.parameters.method = SHEPARD_METHOD_AIDW;
    for (size_t h = 0; h < sizeof hoods / sizeof hoods[0]; h++) {
        options.parameters.neighbourhood = hoods[h];
        options.parameters.neighbourhood.radius1 *= scene.size;
        options.parameters.neighbourhood.radius2 *= scene.size;
        options.parameters.adaptive.expect = SHEPARD_EXPECT_AUTO;
        struct results got = results_of(&scene, &options, &places);
        options.parameters.adaptive.expect = h < 2 ? SHEPARD_EXPECT_NN : SHEPARD_EXPECT_KNN;
        struct results want = results_of(&scene, &options, &places);
        for (size_t i = 0; i < places.m; i++) {
            check_near(got.power[i], want.power[i], 0, "power of the default expectation");
            check_near(got.values[0][i], want.values[0][i], 0, "value of the default expectation");
        }
        results_free(&got);
        results_free(&want);
    }
    places_free(&places);
    scene_free(&scene);
}

/* Grid cells of width 1: the cell of (5, 5.05) holds (5.95, 5.95); one level more does not reach
 * (3.95, 5.05), which is nearer. */
static void one_more_level_is_not_enough(const struct shepard_backend_info *on)
{
    double x[] = {5.95, 3.95}, y[] = {5.95, 5.05}, z[] = {1, 2}, qx[] = {5}, qy[] = {5.05};
    const struct scene scene = {.n = 2, .columns = 1, .x = x, .y = y, .values = {z}, .size = 10};
    const struct places places = {1, qx, qy};
    struct model_options options = options_for(on->backend);
    options.parameters.method = SHEPARD_METHOD_AIDW;
    options.parameters.adaptive.k = 1;
    options.parameters.adaptive.area = 8; /* r_exp = 1: R is the distance */
    struct results got = results_of(&scene, &options, &places);
    const double right = (double)slow_power(options.parameters.adaptive.powers,
                                            slow_mu(&options.parameters.adaptive, 1.05L));
    const double wrong =
        (double)slow_power(options.parameters.adaptive.powers,
                           slow_mu(&options.parameters.adaptive, hypot(0.95, 0.9)));
    check(fabs(right - wrong) > 0.1, "the two distances give one power");
    check_near(got.power[0], right, 1e-12, "power beyond the next level");
    check_near(got.nearest[0], 1.05, 1e-14, "nearest beyond the next level");
    results_free(&got);
}

/* Power never jumps with mu, so a small step changes it little. */
static void no_jumps(const struct shepard_backend_info *on, struct chance *chance)
{
    struct model_options options = adaptive_options(on, chance);
    struct scene scene = scene_make(SCENE_UNIFORM, 100, 1, false, chance);
    struct places places = scene_places_inside(&scene, 16000, chance);
    for (size_t i = 0; i < places.m; i++) {
        places.x[i] = -1 + 3 * (double)i / (double)places.m;
        places.y[i] = 0.37;
    }
    struct results got = results_of(&scene, &options, &places);
    for (size_t i = 1; i < places.m; i++)
        check(fabs(got.power[i] - got.power[i - 1]) < 0.3, "power jumps from %g to %g",
              got.power[i - 1], got.power[i]);
    results_free(&got);
    places_free(&places);
    scene_free(&scene);
}

void suite_adaptive(const struct suite *suite)
{
    struct chance chance = {suite->seed + 6000000};
    uint64_t seed = suite->seed + 6000000;
    for (size_t b = 0; b < suite->count; b++) {
        const struct shepard_backend_info *on = &suite->backends[b];
        check_case("seed %llu %s: adaptive", (unsigned long long)suite->seed, on->name);
        for (int kind = 0; kind <= SCENE_UTM; kind++)
            for (int round = 0; round < 6; round++)
                if (kind != SCENE_COLLINEAR && suite_takes(suite, seed++))
                    equations_hold(on, (enum scene_kind)kind, &chance);
        third_branch(on, &chance);
        expectation_goes_by_points(on, &chance);
        chosen_distances(on);
        one_more_level_is_not_enough(on);
        no_jumps(on, &chance);
    }
}
