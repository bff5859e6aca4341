/* SPDX-License-Identifier: MIT */
#include "core/frame.h"

#include "base/number.h"

#include <math.h>

#define FAR_AWAY 0x1p240
#define LENGTH_MAX 0x1p245
#define EXPONENT_MAX 1000

static double larger(double a, double b)
{
    return a > b ? a : b;
}

struct shepard_frame shepard_frame_of(const struct shepard_box *box)
{
    /* Halved first: the difference of two finite doubles may overflow. */
    double extent = larger(box->x_max / 2 - box->x_min / 2, box->y_max / 2 - box->y_min / 2);
    double size = larger(larger(fabs(box->x_min), fabs(box->x_max)),
                         larger(fabs(box->y_min), fabs(box->y_max)));
    /* A box thin in one direction and far off in the other: coordinates stay within 2^200. */
    double unit = larger(extent, size * (extent > 0 ? 0x1p-200 : 1));
    int exponent = 0;
    if (unit > 0)
        frexp(unit, &exponent);
    exponent = -exponent;
    if (exponent > EXPONENT_MAX)
        exponent = EXPONENT_MAX;
    double scale = ldexp(1.0, exponent);
    return (struct shepard_frame){
        scale, {box->x_min * scale, box->x_max * scale, box->y_min * scale, box->y_max * scale}};
}

void shepard_frame_target(const struct shepard_frame *frame, double *x, double *y)
{
    *x = shepard_clamp(*x * frame->scale, frame->box.x_min - FAR_AWAY, frame->box.x_max + FAR_AWAY);
    *y = shepard_clamp(*y * frame->scale, frame->box.y_min - FAR_AWAY, frame->box.y_max + FAR_AWAY);
}

double shepard_frame_length(const struct shepard_frame *frame, double length)
{
    double scaled = length * frame->scale;
    return scaled < LENGTH_MAX ? scaled : LENGTH_MAX;
}
