/* SPDX-License-Identifier: MIT */
#include "color_scale.h"

#include <float.h>
#include <math.h>

struct shepard_color_scale shepard_color_scale_make(enum shepard_color_ramp ramp, double low,
                                                    double high)
{
    const double least = 1e-9 * fmax(fabs(low), fabs(high)) + DBL_MIN;
    if (!(high - low > least)) {
        const double middle = 0.5 * low + 0.5 * high, half = fmax(0.05 * fabs(middle), 1e-300);
        low = middle - half;
        high = middle + half;
    }
    return (struct shepard_color_scale){ramp, low, high};
}

double shepard_color_scale_place(const struct shepard_color_scale *scale, double value)
{
    /* Halves, for the difference of two finite numbers may not be one. */
    const double place = (0.5 * value - 0.5 * scale->low) / (0.5 * scale->high - 0.5 * scale->low);
    return fmin(fmax(place, 0), 1);
}

/* ---- Ramps ----------------------------------------------------------------------------------- */

/* Every 16th colour of viridis by Stefan van der Walt and Nathaniel Smith, published under CC0:
 * https://bids.github.io/colormap/ */
static const unsigned char viridis[17][3] = {
    {0x44, 0x01, 0x54}, {0x48, 0x18, 0x6a}, {0x47, 0x2d, 0x7b}, {0x42, 0x40, 0x86},
    {0x3b, 0x52, 0x8b}, {0x33, 0x63, 0x8d}, {0x2c, 0x72, 0x8e}, {0x26, 0x82, 0x8e},
    {0x21, 0x91, 0x8c}, {0x1f, 0xa0, 0x88}, {0x28, 0xae, 0x80}, {0x3f, 0xbc, 0x73},
    {0x5e, 0xc9, 0x62}, {0x84, 0xd4, 0x4b}, {0xad, 0xdc, 0x30}, {0xd8, 0xe2, 0x19},
    {0xfd, 0xe7, 0x25}};

static void viridis_at(double place, unsigned char color[3])
{
    const int last = (int)(sizeof viridis / sizeof viridis[0]) - 1;
    const int i = (int)fmin(place * last, last - 1);
    const double part = place * last - i;
    for (int c = 0; c < 3; c++) {
        const double from = viridis[i][c], to = viridis[i + 1][c];
        color[c] = (unsigned char)lround(from + part * (to - from));
    }
}

static unsigned char srgb(double linear)
{
    const double value =
        linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055;
    return (unsigned char)lround(255 * fmin(fmax(value, 0), 1));
}

/* From lightness, chroma and hue in degrees, in the space Oklab by Björn Ottosson, whose formulas
 * are in the public domain: https://bottosson.github.io/posts/oklab/ */
static void oklch(double lightness, double chroma, double hue, unsigned char color[3])
{
    const double degree = 3.14159265358979323846 / 180;
    const double a = chroma * cos(hue * degree), b = chroma * sin(hue * degree);
    const double l = pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
    const double m = pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
    const double s = pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
    color[0] = srgb(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
    color[1] = srgb(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
    color[2] = srgb(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s);
}

/* From nearly white at 0 to dark at 1, lightness falling evenly, so that it reads in grey too. */
static void darken(double place, double hue, unsigned char color[3])
{
    const double chroma = 0.012 + 0.16 * sin(place * 2.1) / 0.8632;
    oklch(0.965 - 0.58 * place, fmin(chroma, 0.15), hue, color);
}

void shepard_color_at(enum shepard_color_ramp ramp, double place, unsigned char color[3])
{
    const double red = 45, blue = 250;
    switch (ramp) {
    case SHEPARD_RAMP_VIRIDIS:
        viridis_at(place, color);
        break;
    case SHEPARD_RAMP_UNCERTAINTY:
        darken(place, red, color);
        break;
    case SHEPARD_RAMP_DIVERGING:
        darken(fabs(2 * place - 1), place < 0.5 ? blue : red, color);
        break;
    }
}
