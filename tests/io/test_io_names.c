/* SPDX-License-Identifier: MIT */
#include "fixture.h"

static const char *const fields[] = {"zinc", "cadmium", "copper", "lead", "elev"};
enum { FIELDS = 5 };

static void finds_the_nearest(void **state)
{
    (void)state;
    assert_string_equal(shepard_nearest_name("zink", fields, FIELDS), "zinc");
    assert_string_equal(shepard_nearest_name("ZINC", fields, FIELDS), "zinc");
    assert_string_equal(shepard_nearest_name("coper", fields, FIELDS), "copper");
    assert_string_equal(shepard_nearest_name("cadmuim", fields, FIELDS), "cadmium");
    assert_string_equal(shepard_nearest_name("leads", fields, FIELDS), "lead");
}

static void a_swap_costs_one(void **state)
{
    (void)state;
    /* Two substitutions would be too many for three letters, one swap is not. */
    const char *const names[] = {"abc"};
    assert_string_equal(shepard_nearest_name("bac", names, 1), "abc");
    assert_null(shepard_nearest_name("xyc", names, 1));
}

static void another_ending_is_near(void **state)
{
    (void)state;
    const char *const names[] = {"idw", "krige", "nearest"};
    assert_string_equal(shepard_nearest_name("Kriging", names, 3), "krige");
    assert_string_equal(shepard_nearest_name("nearest_neighbour", names, 3), "nearest");
    assert_string_equal(shepard_nearest_name("elevation", fields, FIELDS), "elev");
    assert_null(shepard_nearest_name("kri", names, 3));
    assert_null(shepard_nearest_name("idw_by_kriging", names, 3));
    /* A mistyped name is nearer than one that only begins alike. */
    const char *const both[] = {"power", "powers_max"};
    assert_string_equal(shepard_nearest_name("powers_mxa", both, 2), "powers_max");
}

static void finds_none_far_away(void **state)
{
    (void)state;
    assert_null(shepard_nearest_name("temperature", fields, FIELDS));
    assert_null(shepard_nearest_name("", fields, FIELDS));
    assert_null(shepard_nearest_name("x", fields, 0));
    const char *const letters[] = {"y"};
    assert_null(shepard_nearest_name("x", letters, 1));
}

static void takes_long_names(void **state)
{
    (void)state;
    char name[300];
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    const char *const names[] = {name};
    assert_string_equal(shepard_nearest_name(name, names, 1), name);
}

static void every_status_has_a_text(void **state)
{
    (void)state;
    for (int i = 0; i < SHEPARD_IO_STATUS_COUNT; i++)
        assert_string_not_equal(shepard_io_status_text((enum shepard_io_status)i),
                                "unknown status");
    assert_string_equal(shepard_io_status_text(SHEPARD_IO_STATUS_COUNT), "unknown status");
}

static void knows_coordinate_systems(void **state)
{
    (void)state;
    char *wkt = NULL;
    bool geographic = true;
    struct shepard_io_error error;
    assert_int_equal(shepard_io_srs("EPSG:32632", &wkt, &geographic, &error), SHEPARD_IO_OK);
    assert_non_null(strstr(wkt, "UTM zone 32N"));
    assert_false(geographic);
    shepard_io_free(wkt);
    assert_int_equal(shepard_io_srs("EPSG:4326", &wkt, &geographic, &error), SHEPARD_IO_OK);
    assert_true(geographic);
    shepard_io_free(wkt);
    assert_int_equal(shepard_io_srs("EPSG:nowhere", &wkt, NULL, &error), SHEPARD_IO_ERROR_SRS);
    assert_non_null(strstr(error.message, "EPSG:nowhere"));
}

static void takes_general_options_out(void **state)
{
    (void)state;
    char words[][20] = {"shepard", "--config", "SHEPARD_TEST", "1", "grid"};
    char *list[] = {words[0], words[1], words[2], words[3], words[4], NULL};
    char **argv = list;
    int argc = 5;
    bool done = true;
    struct shepard_io_error error;
    assert_int_equal(shepard_io_arguments(&argc, &argv, &done, &error), SHEPARD_IO_OK);
    assert_false(done);
    assert_int_equal(argc, 2);
    assert_string_equal(argv[1], "grid");
    shepard_io_arguments_free(argv);
    argv = list;
    argc = 3;
    list[3] = NULL;
    assert_int_equal(shepard_io_arguments(&argc, &argv, &done, &error), SHEPARD_IO_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "--config"));
    assert_ptr_equal(argv, list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_nearest),        cmocka_unit_test(a_swap_costs_one),
        cmocka_unit_test(another_ending_is_near),   cmocka_unit_test(finds_none_far_away),
        cmocka_unit_test(takes_long_names),         cmocka_unit_test(every_status_has_a_text),
        cmocka_unit_test(knows_coordinate_systems), cmocka_unit_test(takes_general_options_out),
    };
    return cmocka_run_group_tests(tests, fixture_begin, fixture_end);
}
