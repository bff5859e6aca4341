/* SPDX-License-Identifier: MIT */
/*
 * Property: shepard_algorithm_parse of any text
 *  - says one error that is not empty where it refuses the text, and none where it takes it;
 *  - gives options and parameters with which points, a field and shepard_prepare succeed, or the
 *    error names one of them;
 *  - and what it took, written out with all keys, is taken again and gives the same options,
 *    parameters and text.
 */
#include "algorithm.h"
#include "fuzz.h"
#include "said.h"

#include <string.h>

static void require_options(const struct shepard_algorithm *algorithm)
{
    const double x[] = {0, 1}, y[] = {0, 1}, z[] = {2, 3};
    const struct shepard_array column = shepard_doubles(z);
    const struct shepard_coordinates coordinates = {
        .size = sizeof coordinates, .count = 2, .x = shepard_doubles(x), .y = shepard_doubles(y)};
    const struct shepard_values values = {
        .size = sizeof values, .column_count = 1, .columns = &column};
    struct shepard_points *points = NULL;
    struct shepard_field *field = NULL;
    struct shepard_error error = {0};
    enum shepard_status status =
        shepard_points_create(&coordinates, &algorithm->options, &points, &error);
    if (status == SHEPARD_OK)
        status = shepard_field_create(points, &values, &field, &error);
    if (status == SHEPARD_OK)
        status = shepard_prepare(field, &algorithm->parameters, NULL, NULL, &error);
    const bool named = strncmp(error.argument, "options.", 8) == 0 ||
                       strncmp(error.argument, "parameters.", 11) == 0;
    FUZZ_REQUIRE(status == SHEPARD_OK || (named && error.message[0]),
                 "status %d, argument '%s', message '%s'", (int)status, error.argument,
                 error.message);
    shepard_field_free(field);
    shepard_points_free(points);
}

static bool parse(const char *text, struct shepard_algorithm *algorithm)
{
    said_clear();
    const bool good = shepard_algorithm_parse(text, algorithm);
    if (good)
        FUZZ_REQUIRE(said.count == 0, "'%s' is taken, with the error '%s'", text, said.text);
    else
        FUZZ_REQUIRE(said.count == 1 && said.text[0], "'%s' is refused with %d errors", text,
                     said.count);
    return good;
}

/* "name:key=value:..." with all keys; from malloc. */
static char *whole_text(const struct shepard_algorithm *algorithm)
{
    char *text = NULL;
    const bool good = shepard_append_format(&text, "%s:", shepard_algorithm_name(algorithm)) &&
                      shepard_algorithm_text(algorithm, &text);
    FUZZ_REQUIRE(good, "the text cannot be written");
    return text;
}

/* Equal, or both open. */
static bool same(double a, double b)
{
    return a == b || (a != a && b != b);
}

/* Padding apart, which the init functions leave open, parameters are the same field by field. */
static void require_same_parameters(const struct shepard_parameters *a,
                                    const struct shepard_parameters *b)
{
    const struct shepard_neighbourhood *na = &a->neighbourhood, *nb = &b->neighbourhood;
    const struct shepard_adaptive *aa = &a->adaptive, *ab = &b->adaptive;
    FUZZ_REQUIRE(a->method == b->method && a->power == b->power && a->smoothing == b->smoothing &&
                     a->degree == b->degree && a->ridge == b->ridge && a->damping == b->damping &&
                     a->eps == b->eps && a->precision == b->precision,
                 "a method's parameter differs");
    FUZZ_REQUIRE(same(a->nodata, b->nodata), "nodata %g and %g", a->nodata, b->nodata);
    const struct shepard_kriging *ka = &a->kriging, *kb = &b->kriging;
    FUZZ_REQUIRE(ka->kind == kb->kind && same(ka->mean, kb->mean) &&
                     ka->covariance == kb->covariance && same(ka->psill, kb->psill) &&
                     same(ka->range, kb->range) && same(ka->nugget, kb->nugget) &&
                     same(ka->p, kb->p) && ka->sd == kb->sd,
                 "a parameter of kriging differs");
    FUZZ_REQUIRE(na->max_points == nb->max_points && na->min_points == nb->min_points &&
                     na->radius1 == nb->radius1 && na->radius2 == nb->radius2 &&
                     na->angle == nb->angle && na->sectors == nb->sectors &&
                     na->max_points_per_sector == nb->max_points_per_sector &&
                     na->min_points_per_sector == nb->min_points_per_sector,
                 "a parameter of the neighbourhood differs");
    FUZZ_REQUIRE(aa->k == ab->k && memcmp(aa->powers, ab->powers, sizeof aa->powers) == 0 &&
                     aa->r_min == ab->r_min && aa->r_max == ab->r_max && aa->area == ab->area &&
                     aa->expect == ab->expect,
                 "a parameter of AIDW differs");
}

static void require_round_trip(const struct shepard_algorithm *algorithm)
{
    char *text = whole_text(algorithm);
    struct shepard_algorithm again;
    FUZZ_REQUIRE(parse(text, &again), "'%s' is written, but refused: %s", text, said.text);
    require_same_parameters(&algorithm->parameters, &again.parameters);
    FUZZ_REQUIRE(same(algorithm->options.anisotropy_ratio, again.options.anisotropy_ratio) &&
                     same(algorithm->options.anisotropy_angle, again.options.anisotropy_angle),
                 "the anisotropy differs");
    char *text_again = whole_text(&again);
    FUZZ_REQUIRE(strcmp(text, text_again) == 0, "'%s' becomes '%s'", text, text_again);
    free(text_again);
    shepard_algorithm_free(&again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, bytes, size);
    text[size] = '\0';
    struct shepard_algorithm algorithm;
    if (parse(text, &algorithm)) {
        require_options(&algorithm);
        require_round_trip(&algorithm);
        shepard_algorithm_free(&algorithm);
    }
    free(text);
    return 0;
}
