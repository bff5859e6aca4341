/* SPDX-License-Identifier: MIT */
/*
 * Property: shepard_number_from_text reads nothing outside its text, and the text without the
 * blanks around it is
 *  - a number exactly where strtod of the C locale takes all of it, with a point in place of a
 *    comma where there is one comma and no point, to a finite one, with the same bits (texts that
 *    stand for NULL, such as "nan", apart; those of 128 characters and more may be refused),
 *  - said to have a comma exactly where it has one, and
 *  - otherwise of another kind, with NaN as the number.
 */
#include "fuzz.h"
#include "number_text.h"

#include <math.h>
#include <string.h>

enum { TEXT_MAX = 128 }; /* longer ones are numbers only where they are plain decimals */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* The text without blanks around it, with an end, from malloc; *length is its length. */
static char *trimmed(const uint8_t *bytes, size_t *length)
{
    const char *text = (const char *)bytes;
    for (; *length > 0 && is_blank(text[0]); --*length)
        text++;
    while (*length > 0 && is_blank(text[*length - 1]))
        --*length;
    char *copy = malloc(*length + 1);
    if (copy) {
        memcpy(copy, text, *length);
        copy[*length] = '\0';
    }
    return copy;
}

/* A point in place of the only comma of a text without a point; whether there was one. */
static bool replace_comma(char *text)
{
    char *comma = strchr(text, ',');
    const bool decimal = comma && !strchr(text, '.') && !strchr(comma + 1, ',');
    if (decimal)
        *comma = '.';
    return decimal;
}

static void require_same(enum shepard_value kind, double number, char *text, size_t length)
{
    char *end;
    const bool comma = replace_comma(text);
    const double wanted = strtod(text, &end);
    const bool is_number = length > 0 && end == text + length && isfinite(wanted);
    if (!shepard_value_is_number((unsigned char)kind)) {
        FUZZ_REQUIRE(isnan(number), "'%s' is not a number, but gives %g", text, number);
        FUZZ_REQUIRE(!is_number || length >= TEXT_MAX, "'%s' is refused", text);
        return;
    }
    FUZZ_REQUIRE(is_number, "'%s' is taken for %.17g", text, number);
    FUZZ_REQUIRE(comma == (kind == SHEPARD_VALUE_COMMA || kind == SHEPARD_VALUE_COMMA_GROUP),
                 "'%s' is of kind %d", text, (int)kind);
    FUZZ_REQUIRE(memcmp(&number, &wanted, sizeof number) == 0, "'%s' is %.17g, not %.17g", text,
                 number, wanted);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    size_t length = size;
    char *text = trimmed(bytes, &length);
    if (text) {
        double number = 0;
        const enum shepard_value kind =
            shepard_number_from_text((const char *)bytes, size, &number);
        require_same(kind, number, text, length);
    }
    free(text);
    return 0;
}
