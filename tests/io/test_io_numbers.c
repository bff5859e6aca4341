/* SPDX-License-Identifier: MIT */
/* Numbers from texts and points from well-known binary. */
#include "fixture.h"
#include "number_text.h"
#include "wkb.h"

#include <locale.h>

static double number(const char *text)
{
    double value;
    const enum shepard_value found = shepard_number_from_text(text, strlen(text), &value);
    assert_true(found == SHEPARD_VALUE_NUMBER || found == SHEPARD_VALUE_POINT_GROUP);
    return value;
}

static enum shepard_value kind(const char *text)
{
    double value;
    const enum shepard_value found = shepard_number_from_text(text, strlen(text), &value);
    if (!shepard_value_is_number((unsigned char)found))
        assert_true(isnan(value));
    return found;
}

static void reads_numbers(void **state)
{
    (void)state;
    assert_true(number("0") == 0.0);
    assert_true(number("-12.5") == -12.5);
    assert_true(number("+3") == 3.0);
    assert_true(number(".5") == 0.5);
    assert_true(number(" 7. ") == 7.0);
    assert_true(number("1e-3") == 1e-3);
    assert_true(number("500000.123") == 500000.123);
    assert_true(number("123456789012345678901234567890") == 123456789012345678901234567890.0);
}

static void knows_what_is_none(void **state)
{
    (void)state;
    static const char *const null_texts[] = {"", "  ", "NA", "n/a", "NaN", "NULL", "none", "-"};
    static const char *const other_texts[] = {"abc", "1.2.3", "12 m", "--1", "1,2,3", ","};
    for (size_t i = 0; i < sizeof null_texts / sizeof *null_texts; i++)
        assert_int_equal(kind(null_texts[i]), SHEPARD_VALUE_NULL);
    for (size_t i = 0; i < sizeof other_texts / sizeof *other_texts; i++)
        assert_int_equal(kind(other_texts[i]), SHEPARD_VALUE_TEXT);
    assert_int_equal(kind("inf"), SHEPARD_VALUE_NOT_FINITE);
    assert_int_equal(kind("1e999"), SHEPARD_VALUE_NOT_FINITE);
}

/* A comma is a decimal sign; whether it separates thousands shows in the kind. */
static void reads_decimal_commas(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum shepard_value kind;
        double number;
    } cases[] = {
        {"12,5", SHEPARD_VALUE_COMMA, 12.5},
        {"-0,00135803", SHEPARD_VALUE_COMMA, -0.00135803},
        {",5", SHEPARD_VALUE_COMMA, 0.5},
        {"12,", SHEPARD_VALUE_COMMA, 12},
        {" 181072,125 ", SHEPARD_VALUE_COMMA, 181072.125},
        {"0,125", SHEPARD_VALUE_COMMA, 0.125},
        {"1,25e3", SHEPARD_VALUE_COMMA, 1250},
        {"1234567890,12345678", SHEPARD_VALUE_COMMA, 1234567890.12345678},
        {"1,234", SHEPARD_VALUE_COMMA_GROUP, 1.234},
        {"-123,456", SHEPARD_VALUE_COMMA_GROUP, -123.456},
        {"1.234", SHEPARD_VALUE_POINT_GROUP, 1.234},
        {"1234.567", SHEPARD_VALUE_NUMBER, 1234.567},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value;
        assert_int_equal(shepard_number_from_text(cases[i].text, strlen(cases[i].text), &value),
                         cases[i].kind);
        assert_true(value == cases[i].number);
    }
    static const char *const grouped[] = {"1,234,567", "-1,234.5", "1.234,5", "1.234.567",
                                          "1,234."};
    for (size_t i = 0; i < sizeof grouped / sizeof *grouped; i++)
        assert_int_equal(kind(grouped[i]), SHEPARD_VALUE_GROUPED);
    assert_int_equal(kind("1,2345,678"), SHEPARD_VALUE_TEXT);
}

/* Against the C library, which rounds correctly. */
static void rounds_to_the_nearest_double(void **state)
{
    (void)state;
    setlocale(LC_ALL, "C");
    uint64_t seed = 12345;
    for (int i = 0; i < 200000; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        char text[40];
        const int decimals = (int)(seed >> 60);
        snprintf(text, sizeof text, "%.*f", decimals,
                 ((double)(seed >> 20 & 0xffffffffu) - 2e9) / pow(10.0, (double)(seed >> 57 & 7)));
        assert_true(number(text) == strtod(text, NULL));
    }
}

static void put_double(unsigned char *bytes, double value, bool little)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < 8; i++)
        bytes[little ? i : 7 - i] = (unsigned char)(bits >> (8 * i));
}

/* A point of any type code; ordinates 1.5, -2.5, 3.5, 4.5 in turn. */
static size_t make_point(unsigned char *wkb, uint32_t type, int ordinates, bool little)
{
    static const double values[] = {1.5, -2.5, 3.5, 4.5};
    wkb[0] = little;
    for (int i = 0; i < 4; i++)
        wkb[1 + (little ? i : 3 - i)] = (unsigned char)(type >> (8 * i));
    const size_t start = type & 0x20000000u ? 9 : 5;
    for (int i = 0; i < ordinates; i++)
        put_double(wkb + start + 8 * i, values[i], little);
    return start + 8 * (size_t)ordinates;
}

static void check_point(uint32_t type, int ordinates, double z)
{
    for (int little = 0; little < 2; little++) {
        unsigned char wkb[64] = {0};
        struct shepard_vertex vertex;
        const size_t length = make_point(wkb, type, ordinates, little);
        assert_true(shepard_wkb_point(wkb, length, &vertex));
        assert_true(vertex.x == 1.5 && vertex.y == -2.5);
        assert_true(isnan(z) ? isnan(vertex.z) : vertex.z == z);
        assert_false(shepard_wkb_point(wkb, length - 1, &vertex));
    }
}

static void reads_points_of_all_kinds(void **state)
{
    (void)state;
    check_point(1, 2, NAN);
    check_point(1001, 3, 3.5);
    check_point(2001, 3, NAN);
    check_point(3001, 4, 3.5);
    check_point(0x80000001u, 3, 3.5);
    check_point(0x40000001u, 3, NAN);
    check_point(0xC0000001u, 4, 3.5);
    check_point(0xA0000001u, 3, 3.5);
}

static void refuses_other_geometries(void **state)
{
    (void)state;
    unsigned char wkb[64] = {0};
    struct shepard_vertex vertex;
    static const uint32_t types[] = {0, 2, 4, 1002, 1004, 4001, 0x80000004u};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        assert_false(shepard_wkb_point(wkb, make_point(wkb, types[i], 4, true), &vertex));
    make_point(wkb, 1, 2, true);
    wkb[0] = 2;
    assert_false(shepard_wkb_point(wkb, 21, &vertex));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_numbers),
        cmocka_unit_test(knows_what_is_none),
        cmocka_unit_test(reads_decimal_commas),
        cmocka_unit_test(rounds_to_the_nearest_double),
        cmocka_unit_test(reads_points_of_all_kinds),
        cmocka_unit_test(refuses_other_geometries),
    };
    return cmocka_run_group_tests(tests, fixture_begin, fixture_end);
}
