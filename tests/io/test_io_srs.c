/* SPDX-License-Identifier: MIT */
/* What coordinate systems are called and measured in: against EPSG's names, and formulas. */
#include "fixture.h"

static const double degree = 3.14159265358979323846 / 180;

static struct shepard_srs_description describe(const char *definition)
{
    struct shepard_srs_description description;
    struct shepard_io_error error = {.message = ""};
    memset(&description, 'x', sizeof description);
    if (shepard_io_describe_srs(definition, &description, &error))
        fail_msg("%s", error.message);
    return description;
}

static void check_empty(const struct shepard_srs_description *description)
{
    assert_string_equal(description->name, "");
    assert_string_equal(description->code, "");
    assert_string_equal(description->unit, "");
    assert_true(description->metres == 0 && !description->geographic);
}

static void knows_names_codes_and_units(void **state)
{
    (void)state;
    const struct shepard_srs_description expected[] = {
        {"Amersfoort / RD New", "EPSG:28992", "metre", 1, false},
        {"WGS 84 / UTM zone 32N", "EPSG:32632", "metre", 1, false},
        {"NAD83 / New York Long Island (ftUS)", "EPSG:2263", "US survey foot", 1200.0 / 3937,
         false},
        {"NAD83(HARN) / Oregon GIC Lambert (ft)", "EPSG:2994", "foot", 0.3048, false},
        {"WGS 84", "EPSG:4326", "degree", 6378137 * degree, true},
        {"NTF (Paris)", "EPSG:4807", "grad", 6378249.2 * 0.9 * degree, true}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const struct shepard_srs_description found = describe(expected[i].code);
        assert_string_equal(found.name, expected[i].name);
        assert_string_equal(found.code, expected[i].code);
        assert_string_equal(found.unit, expected[i].unit);
        assert_true(fabs(found.metres / expected[i].metres - 1) < 1e-12);
        assert_int_equal(found.geographic, expected[i].geographic);
    }
}

static double random_between(double low, double high, uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(*state >> 11) / 9007199254740992.0;
}

static void measures_random_units_and_ellipsoids(void **state)
{
    (void)state;
    for (uint64_t trial = 1; trial <= 30; trial++) {
        uint64_t seed = trial;
        char text[160];
        const double axis = random_between(1e6, 7e6, &seed), unit = random_between(0.1, 9, &seed);
        print_message("seed %u: axis %.17g, unit %.17g\n", (unsigned)trial, axis, unit);
        snprintf(text, sizeof text, "+proj=longlat +a=%.17g +rf=298.25 +type=crs", axis);
        const struct shepard_srs_description sphere = describe(text);
        assert_true(sphere.geographic);
        assert_string_equal(sphere.unit, "degree");
        assert_string_equal(sphere.code, "");
        assert_true(fabs(sphere.metres / (axis * degree) - 1) < 1e-12);
        snprintf(text, sizeof text, "+proj=tmerc +lon_0=9 +ellps=GRS80 +to_meter=%.17g +type=crs",
                 unit);
        const struct shepard_srs_description plane = describe(text);
        assert_true(!plane.geographic);
        assert_true(fabs(plane.metres / unit - 1) < 1e-12);
    }
}

static void cuts_long_names(void **state)
{
    (void)state;
    char text[600], name[301];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    snprintf(text, sizeof text, "LOCAL_CS[\"%s\",UNIT[\"metre\",1]]", name);
    const struct shepard_srs_description found = describe(text);
    assert_in_range(strlen(found.name), 100, sizeof found.name - 1);
    assert_memory_equal(found.name, name, 100);
    assert_string_equal(found.unit, "metre");
    assert_true(found.metres == 1);
}

static void is_empty_where_nothing_is_known(void **state)
{
    (void)state;
    const struct shepard_srs_description none = describe(NULL);
    check_empty(&none);
    static const char *const wrong[] = {"EPSG:999999", "no such system", ""};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct shepard_srs_description description;
        struct shepard_io_error error = {.message = ""};
        memset(&description, 'x', sizeof description);
        assert_int_equal(shepard_io_describe_srs(wrong[i], &description, &error),
                         SHEPARD_IO_ERROR_SRS);
        assert_non_null(strstr(error.message, wrong[i]));
        check_empty(&description);
        assert_int_equal(shepard_io_describe_srs(wrong[i], &description, NULL),
                         SHEPARD_IO_ERROR_SRS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_names_codes_and_units),
        cmocka_unit_test(measures_random_units_and_ellipsoids),
        cmocka_unit_test(cuts_long_names),
        cmocka_unit_test(is_empty_where_nothing_is_known),
    };
    return cmocka_run_group_tests_name("coordinate systems", tests, fixture_begin, fixture_end);
}
