/* SPDX-License-Identifier: MIT */
#include "core/frame.h"

#include "base/arithmetic.h"

#include <math.h>

#define LENGTH_MAX 0x1p245
#define EXPONENT_MAX 1000

#define RADIANS (3.14159265358979323846 / 180)

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* ---- stretching ------------------------------------------------------------------------------ */

/* The sines and cosines of quarters of a turn are not rounded. */
struct shepard_stretch shepard_stretch_of(double ratio, double angle)
{
    static const double sines[] = {0, 1, 0, -1};
    const double turn = fmod(angle, 360);
    if (fmod(turn, 90) == 0) {
        const unsigned quarters = (unsigned)((int)turn / 90 + 4);
        return (struct shepard_stretch){ratio, sines[(quarters + 1) % 4], sines[quarters % 4],
                                        angle};
    }
    return (struct shepard_stretch){ratio, cos(turn * RADIANS), sin(turn * RADIANS), angle};
}

/* Each coordinate rises or falls with x and with y, rounding included: what lies within a rectangle
 * is bounded by its corners. */
static void turn_and_stretch(const struct shepard_stretch *stretch, double *x, double *y)
{
    const double along = stretch->cosine * *x + stretch->sine * *y;
    const double across = stretch->cosine * *y - stretch->sine * *x;
    *x = along / stretch->ratio;
    *y = across;
}

static void centre_and_stretch(const struct shepard_frame *frame, double *x, double *y)
{
    *x = shepard_clamp(*x - frame->x_middle, -SHEPARD_FRAME_BEFORE, SHEPARD_FRAME_BEFORE);
    *y = shepard_clamp(*y - frame->y_middle, -SHEPARD_FRAME_BEFORE, SHEPARD_FRAME_BEFORE);
    turn_and_stretch(&frame->stretch, x, y);
}

void shepard_frame_place(const struct shepard_frame *frame, double *x, double *y)
{
    *x *= frame->scale;
    *y *= frame->scale;
    if (frame->stretch.ratio != 1)
        centre_and_stretch(frame, x, y);
    *x = shepard_frame_seen(*x);
    *y = shepard_frame_seen(*y);
}

/* ---- the frame of data ----------------------------------------------------------------------- */

/* The power of two that gives a box (any units, finite) a size near 1. */
static double scale_of(const struct shepard_box *box)
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
    return ldexp(1.0, exponent);
}

static void set_middle(struct shepard_frame *frame, const struct shepard_box *box)
{
    frame->x_middle = (box->x_min / 2 + box->x_max / 2) * frame->scale;
    frame->y_middle = (box->y_min / 2 + box->y_max / 2) * frame->scale;
}

struct frame_places {
    size_t n;
    const double *x, *y;
};

static struct shepard_box box_of(const struct shepard_frame *frame, void *context)
{
    const struct frame_places *places = context;
    struct shepard_box box = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (size_t i = 0; i < places->n; i++) {
        double u = places->x[i], v = places->y[i];
        shepard_frame_place(frame, &u, &v);
        box = (struct shepard_box){fmin(box.x_min, u), fmax(box.x_max, u), fmin(box.y_min, v),
                                   fmax(box.y_max, v)};
    }
    return box;
}

struct shepard_frame shepard_frame_of_boxes(const struct shepard_box *box,
                                            const struct shepard_stretch *stretch,
                                            shepard_frame_boxer *box_in, void *context)
{
    struct shepard_frame frame = {.scale = scale_of(box), .stretch = *stretch};
    if (stretch->ratio == 1) {
        frame.box = shepard_box_scaled(box, frame.scale);
        return frame;
    }
    set_middle(&frame, box);
    frame.box = box_in(&frame, context);
    const double again = shepard_clamp(scale_of(&frame.box), 1 / SHEPARD_FRAME_STRETCH_MAX,
                                       SHEPARD_FRAME_STRETCH_MAX);
    frame.scale = fmin(frame.scale * again, ldexp(1.0, EXPONENT_MAX));
    set_middle(&frame, box);
    frame.box = box_in(&frame, context);
    return frame;
}

struct shepard_frame shepard_frame_of(const struct shepard_box *box,
                                      const struct shepard_stretch *stretch, const double *x,
                                      const double *y, size_t n)
{
    struct frame_places places = {n, x, y};
    return shepard_frame_of_boxes(box, stretch, box_of, &places);
}

struct shepard_frame shepard_frame_of_sphere(const struct shepard_space *space)
{
    int exponent;
    frexp(space->radius, &exponent);
    return (struct shepard_frame){.scale = ldexp(1, -exponent),
                                  .box = {-180, 180, -90, 90},
                                  .stretch = {.ratio = 1, .cosine = 1},
                                  .space = *space};
}

/* The scale is that of the larger of two boxes, a power of two of both. */
struct shepard_frame shepard_frame_with_z(const struct shepard_frame *flat,
                                          const struct shepard_space *space, double low,
                                          double high)
{
    const struct shepard_box upright = {low, high, low, high};
    struct shepard_frame frame = *flat;
    frame.space = *space;
    frame.scale = fmin(flat->scale, scale_of(&upright));
    const double factor = frame.scale / flat->scale;
    frame.box = shepard_box_scaled(&flat->box, factor);
    frame.x_middle *= factor;
    frame.y_middle *= factor;
    frame.z_min = low * frame.scale;
    frame.z_max = high * frame.scale;
    return frame;
}

double shepard_frame_least(const struct shepard_frame *frame)
{
    return SHEPARD_FRAME_LEAST / frame->scale;
}

/* ---- targets and lengths --------------------------------------------------------------------- */

bool shepard_frame_target(const struct shepard_frame *frame, double *x, double *y)
{
    shepard_frame_place(frame, x, y);
    const double u = *x, v = *y;
    *x = shepard_clamp(u, frame->box.x_min - SHEPARD_FRAME_AWAY,
                       frame->box.x_max + SHEPARD_FRAME_AWAY);
    *y = shepard_clamp(v, frame->box.y_min - SHEPARD_FRAME_AWAY,
                       frame->box.y_max + SHEPARD_FRAME_AWAY);
    return *x == u && *y == v;
}

double shepard_frame_length(const struct shepard_frame *frame, double length)
{
    double scaled = length * frame->scale;
    return scaled < LENGTH_MAX ? scaled : LENGTH_MAX;
}

double shepard_frame_distance(const struct shepard_frame *frame, double dx, double dy)
{
    if (frame->stretch.ratio == 1)
        return hypot(dx, dy);
    /* Scaled down so that no product overflows if the distance does not. */
    dx /= 2 * SHEPARD_FRAME_STRETCH_MAX;
    dy /= 2 * SHEPARD_FRAME_STRETCH_MAX;
    turn_and_stretch(&frame->stretch, &dx, &dy);
    return hypot(dx, dy) * (2 * SHEPARD_FRAME_STRETCH_MAX);
}
