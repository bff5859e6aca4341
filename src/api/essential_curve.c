/* SPDX-License-Identifier: MIT */
/* The curve along which points stand in the trees of a whole. */
#include "api/argument.h"
#include "api/points.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "core/hilbert.h"
#include "core/hilbert_key.h"

#include "shepard/shepard_essential.h"

#include <math.h>

/* Places in the frame of a whole. */
struct framed {
    struct shepard_places places;
    struct shepard_frame frame;
    double *x; /* [2, count] to be freed */
};

static enum shepard_status take_box(const struct shepard_whole *whole, struct shepard_box *box,
                                    struct shepard_error *error)
{
    struct shepard_whole all = {.size = sizeof all};
    const enum shepard_status status = SHEPARD_TAKE(whole, &all, "whole", shepard_whole, error);
    *box = shepard_geometry_places(&all);
    if (status != SHEPARD_OK)
        return status;
    return isfinite(box->x_min) && isfinite(box->y_min) && isfinite(box->x_max) &&
                   isfinite(box->y_max) && box->x_min <= box->x_max && box->y_min <= box->y_max
               ? SHEPARD_OK
               : shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "whole",
                                   "whole must have a finite box");
}

/* Those of the box that a place outside, or one that is no number, is nearest to. */
static double clamp_to(double a, double low, double high)
{
    return a > low ? (a < high ? a : high) : low;
}

static enum shepard_status frame_places(const struct shepard_whole *whole,
                                        const struct shepard_coordinates *coordinates,
                                        struct framed *framed, struct shepard_error *error)
{
    const struct shepard_stretch none = shepard_stretch_of(1, 0);
    struct shepard_coordinates own;
    struct shepard_box box;
    enum shepard_status status = take_box(whole, &box, error);
    if (status == SHEPARD_OK)
        status = shepard_coordinates_take(coordinates, SHEPARD_METRIC_PLANE, &own, error);
    if (status != SHEPARD_OK)
        return status;
    double *x = shepard_allocate(NULL, own.count, 2 * sizeof *x);
    if (x == NULL)
        return shepard_error_set_memory(error, "the data points");
    double *const y = x + own.count;
    framed->frame = shepard_frame_of(&box, &none, NULL, NULL, 0);
    framed->x = x;
    framed->places =
        (struct shepard_places){.count = own.count, .x = x, .y = y, .whole = &framed->frame.box};
    for (size_t i = 0; i < own.count; i++) {
        x[i] = clamp_to(shepard_array_at(&own.x, i), box.x_min, box.x_max);
        y[i] = clamp_to(shepard_array_at(&own.y, i), box.y_min, box.y_max);
        shepard_frame_place(&framed->frame, &x[i], &y[i]);
    }
    return SHEPARD_OK;
}

enum shepard_status shepard_essential_keys(const struct shepard_whole *whole,
                                           const struct shepard_coordinates *coordinates,
                                           uint32_t *keys, struct shepard_error *error)
{
    struct framed framed;
    struct shepard_hilbert_turns turns;
    if (coordinates != NULL && coordinates->count == 0)
        return SHEPARD_OK;
    if (keys == NULL)
        return shepard_argument_missing("keys", error);
    const enum shepard_status status = frame_places(whole, coordinates, &framed, error);
    if (status != SHEPARD_OK)
        return status;
    shepard_hilbert_turns_fill(&turns);
    shepard_hilbert_keys(&framed.places, &turns, keys);
    shepard_release(NULL, framed.x);
    return SHEPARD_OK;
}

enum shepard_status shepard_essential_order(const struct shepard_whole *whole,
                                            const struct shepard_coordinates *coordinates,
                                            int threads, uint32_t *order,
                                            struct shepard_error *error)
{
    struct framed framed;
    if (coordinates != NULL && coordinates->count == 0)
        return SHEPARD_OK;
    if (order == NULL)
        return shepard_argument_missing("order", error);
    enum shepard_status status = frame_places(whole, coordinates, &framed, error);
    if (status != SHEPARD_OK)
        return status;
    status = shepard_hilbert_order(&framed.places, shepard_threads(threads), NULL, order);
    shepard_release(NULL, framed.x);
    return status == SHEPARD_OK ? status : shepard_error_set_memory(error, "the data points");
}
