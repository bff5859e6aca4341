/* SPDX-License-Identifier: MIT */
#include "ogr_number.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* ---- Digits ---------------------------------------------------------------------------------- */

/* OGR writes 15 significant digits. */
enum { DIGITS = 15 };

static const uint64_t powers[] = {1u,
                                  10u,
                                  100u,
                                  1000u,
                                  10000u,
                                  100000u,
                                  1000000u,
                                  10000000u,
                                  100000000u,
                                  1000000000u,
                                  10000000000u,
                                  100000000000u,
                                  1000000000000u,
                                  10000000000000u,
                                  100000000000000u,
                                  1000000000000000u,
                                  10000000000000000u,
                                  100000000000000000u,
                                  1000000000000000000u,
                                  10000000000000000000u};

/* Writes value as `count` digits, with zeros before it; two at a time. */
static void write_digits(uint64_t value, int count, char *text)
{
    static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                                "25262728293031323334353637383940414243444546474849"
                                "50515253545556575859606162636465666768697071727374"
                                "75767778798081828384858687888990919293949596979899";
    for (; count >= 2; count -= 2) {
        memcpy(text + count - 2, pairs + 2 * (value % 100), 2);
        value /= 100;
    }
    if (count > 0)
        text[0] = (char)('0' + value % 10);
}

static int digit_count(uint64_t value)
{
    int count = 1;
    while (count < 20 && value >= powers[count])
        count++;
    return count;
}

/* The length of digits without the zeros at their end. */
static int without_zeros(const char *digits, int count)
{
    while (count > 0 && digits[count - 1] == '0')
        count--;
    return count;
}

size_t shepard_ogr_number_integer(int64_t value, char *text)
{
    const bool negative = value < 0;
    const uint64_t size = negative ? 0 - (uint64_t)value : (uint64_t)value;
    const int count = digit_count(size);
    text[0] = '-';
    write_digits(size, count, text + negative);
    return (size_t)(count + negative);
}

/* ---- Decimals -------------------------------------------------------------------------------- */

/* A product of a mantissa and a power of ten fits into 128 bits, so that it is exact. */
#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 wide;

/* value * 10^power, rounded to the nearest whole number, ties to even. 0 <= power < 20, and
 * 2^-64 <= value < 2^52 or value == 0. */
static bool scale(double value, int power, uint64_t *scaled)
{
    enum { MANTISSA_BITS = 52, EXPONENT_BIAS = 1075 };
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint64_t mantissa = (bits & ((UINT64_C(1) << MANTISSA_BITS) - 1)) | UINT64_C(1)
                                                                                  << MANTISSA_BITS;
    const int shift = EXPONENT_BIAS - (int)(bits >> MANTISSA_BITS);
    const wide product = (wide)mantissa * powers[power];
    const wide half = (wide)1 << (shift - 1);
    const wide rest = product & ((half << 1) - 1);
    const uint64_t floor = (uint64_t)(product >> shift);
    *scaled = floor + (rest > half || (rest == half && floor % 2 == 1));
    return true;
}
#else
static bool scale(double value, int power, uint64_t *scaled)
{
    (void)value;
    (void)power;
    (void)scaled;
    return false;
}
#endif

/* The significant digits of size, and the power of ten of the first one. False: printf writes it
 * with an exponent, or may. */
static bool find_digits(double size, uint64_t *digits, int *exponent)
{
    if (!(size >= 1e-4 && size < 1e15))
        return false;
    int binary;
    frexp(size, &binary);
    /* floor(log10(2^(binary - 1))), which is the exponent or one less. */
    const int32_t log2_to_log10 = 78913; /* 2^18 log10(2) */
    const int32_t product = (binary - 1) * log2_to_log10;
    *exponent = product >= 0 ? product >> 18 : -((-product + (1 << 18) - 1) >> 18);
    for (; *exponent < DIGITS; ++*exponent) {
        if (!scale(size, DIGITS - 1 - *exponent, digits))
            return false;
        if (*digits < powers[DIGITS])
            return true;
    }
    return false;
}

/* A number in decimals; 0: it needs an exponent. */
static size_t write_decimal(double value, char *text)
{
    uint64_t digits;
    int exponent;
    if (!find_digits(fabs(value), &digits, &exponent))
        return 0;
    char shown[DIGITS];
    write_digits(digits, DIGITS, shown);
    const int count = without_zeros(shown, DIGITS), whole = exponent + 1;
    size_t n = 0;
    if (value < 0)
        text[n++] = '-';
    if (whole <= 0) {
        memcpy(text + n, "0.0000", 6);
        n += (size_t)(2 - whole);
        memcpy(text + n, shown, DIGITS);
        return n + (size_t)count;
    }
    memcpy(text + n, shown, DIGITS);
    n += (size_t)whole;
    if (count <= whole)
        return n;
    text[n] = '.';
    memcpy(text + n + 1, shown + whole, (size_t)(count - whole));
    return n + 1 + (size_t)(count - whole);
}

size_t shepard_ogr_number_real(double value, char *text)
{
    const size_t length = write_decimal(value, text);
    return length ? length : (size_t)CPLsnprintf(text, SHEPARD_OGR_NUMBER_MAX, "%.15g", value);
}

/* ---- Coordinates ----------------------------------------------------------------------------- */

static bool is_int(double value)
{
    return value >= INT_MIN && value <= INT_MAX && value == (int)value;
}

/* OGR takes off what it holds for rounding errors: after five equal digits the last one, after
 * seven the last eight or nine. `decimals` are the 15 behind the point. */
static uint64_t without_noise(uint64_t decimals)
{
    if (decimals / 10 % 100000 == 0)
        return decimals - decimals % 10;
    if (decimals / 100 % 10000000 == 0)
        return decimals - decimals % 100000000;
    if (decimals / 10 % 100000 == 99999)
        return (decimals / 1000000 + 1) * 1000000;
    if (decimals / 100 % 10000000 == 9999999)
        return (decimals / 1000000000 + 1) * 1000000000;
    return decimals;
}

/* The 15 decimals of a number below 1. */
static uint64_t decimals_of(double size)
{
    uint64_t decimals = 0;
    if (size < 1e-16)
        return 0;
    if (scale(size, DIGITS, &decimals))
        return decimals;
    char text[DIGITS + 3];
    CPLsnprintf(text, sizeof text, "%.15f", size);
    return (uint64_t)(text[0] - '0') * powers[DIGITS] + strtoull(text + 2, NULL, 10);
}

static size_t write_fraction(double value, char *text)
{
    const uint64_t decimals = without_noise(decimals_of(fabs(value)));
    char digits[DIGITS];
    write_digits(decimals % powers[DIGITS], DIGITS, digits);
    const int count = without_zeros(digits, DIGITS);
    size_t n = 0;
    if (signbit(value))
        text[n++] = '-';
    text[n++] = (char)('0' + decimals / powers[DIGITS]);
    text[n++] = '.';
    memcpy(text + n, digits, DIGITS);
    return n + (size_t)(count > 0 ? count : 1);
}

/* With an exponent where that is shorter, after a capital E. */
static size_t write_large(double value, char *text)
{
    const size_t length = write_decimal(value, text);
    return length ? length : (size_t)CPLsnprintf(text, SHEPARD_OGR_NUMBER_MAX / 2, "%.15G", value);
}

static size_t write_not_finite(double value, char *text)
{
    const char *name = isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
    memcpy(text, name, strlen(name));
    return strlen(name);
}

static size_t write_coordinate(double value, char *text)
{
    if (!isfinite(value))
        return write_not_finite(value, text);
    if (fabs(value) < 1)
        return write_fraction(value, text);
    const size_t length = write_large(value, text);
    size_t i = 0;
    while (i < length && text[i] >= '0' && text[i] <= '9')
        i++;
    if (i < length)
        return length;
    memcpy(text + length, ".0", 2);
    return length + 2;
}

size_t shepard_ogr_number_pair(double x, double y, char separator, char *text)
{
    const bool whole = is_int(x) && is_int(y);
    size_t n = whole ? shepard_ogr_number_integer((int)x, text) : write_coordinate(x, text);
    text[n++] = separator;
    return n +
           (whole ? shepard_ogr_number_integer((int)y, text + n) : write_coordinate(y, text + n));
}

size_t shepard_ogr_number_z(double z, char *text)
{
    if (is_int(z))
        return shepard_ogr_number_integer((int)z, text);
    return isfinite(z) ? write_large(z, text) : write_not_finite(z, text);
}
