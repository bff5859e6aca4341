/* SPDX-License-Identifier: MIT */
#include "wkb.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Type codes: 1 is a point; ISO adds 1000 for Z, 2000 for M, 3000 for both; the older ways set
   the bits below. */
static const uint32_t bit_z = 0x80000000u, bit_m = 0x40000000u, bit_srid = 0x20000000u;

static uint64_t read_bytes(const unsigned char *bytes, size_t n, bool little)
{
    uint64_t value = 0;
    for (size_t i = 0; i < n; i++)
        value = value << 8 | bytes[little ? n - 1 - i : i];
    return value;
}

static double read_double(const unsigned char *bytes, bool little)
{
    const uint64_t bits = read_bytes(bytes, 8, little);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

bool shepard_wkb_point(const unsigned char *wkb, size_t length, struct shepard_vertex *vertex)
{
    if (length < 21 || wkb[0] > 1)
        return false;
    const bool little = wkb[0] == 1;
    const uint32_t code = (uint32_t)read_bytes(wkb + 1, 4, little);
    const uint32_t type = code & ~(bit_z | bit_m | bit_srid);
    if (type % 1000 != 1 || type > 3001)
        return false;
    const bool z = (code & bit_z) || type == 1001 || type == 3001;
    const bool m = (code & bit_m) || type == 2001 || type == 3001;
    const size_t start = code & bit_srid ? 9 : 5;
    if (length < start + 16 + (z ? 8u : 0u) + (m ? 8u : 0u))
        return false;
    vertex->x = read_double(wkb + start, little);
    vertex->y = read_double(wkb + start + 8, little);
    vertex->z = z ? read_double(wkb + start + 16, little) : NAN;
    return true;
}
