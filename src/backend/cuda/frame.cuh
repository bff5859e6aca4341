/* SPDX-License-Identifier: MIT */
/* core/frame.h on the device: the same operations in the same order, no multiply-add, so that a
 * place has the bits it has on the host. */
#ifndef SHEPARD_BACKEND_CUDA_FRAME_CUH
#define SHEPARD_BACKEND_CUDA_FRAME_CUH

extern "C" {
#include "base/arithmetic.h"
#include "core/frame.h"
#include "core/sphere_point.h"
}

namespace shepard
{

__device__ inline void turn_and_stretch(const shepard_stretch &stretch, double *x, double *y)
{
    const double u = *x, v = *y, c = stretch.cosine, s = stretch.sine;
    *x = __dadd_rn(__dmul_rn(c, u), __dmul_rn(s, v)) / stretch.ratio;
    *y = __dsub_rn(__dmul_rn(c, v), __dmul_rn(s, u));
}

__device__ inline void centre_and_stretch(const shepard_frame &frame, double *x, double *y)
{
    *x = shepard_clamp(*x - frame.x_middle, -SHEPARD_FRAME_BEFORE, SHEPARD_FRAME_BEFORE);
    *y = shepard_clamp(*y - frame.y_middle, -SHEPARD_FRAME_BEFORE, SHEPARD_FRAME_BEFORE);
    turn_and_stretch(frame.stretch, x, y);
}

__device__ inline void frame_place(const shepard_frame &frame, double *x, double *y)
{
    *x *= frame.scale;
    *y *= frame.scale;
    if (frame.stretch.ratio != 1)
        centre_and_stretch(frame, x, y);
    *x = shepard_frame_seen(*x);
    *y = shepard_frame_seen(*y);
}

/* Whether a target is where it says, not held nearer. */
__device__ inline bool frame_target(const shepard_frame &frame, double *x, double *y)
{
    frame_place(frame, x, y);
    const double u = *x, v = *y;
    *x = shepard_clamp(u, frame.box.x_min - SHEPARD_FRAME_AWAY,
                       frame.box.x_max + SHEPARD_FRAME_AWAY);
    *y = shepard_clamp(v, frame.box.y_min - SHEPARD_FRAME_AWAY,
                       frame.box.y_max + SHEPARD_FRAME_AWAY);
    return *x == u && *y == v;
}

/* core/space.h on the device: a target's place, frame units. False where it is none. To be compiled
 * without multiply-add. */
__device__ inline bool space_target(const shepard_frame &frame, double *x, double *y, double *z)
{
    if (frame.space.metric == SHEPARD_METRIC_SPHERE) {
        if (!shepard_sphere_holds(*x, *y))
            return false;
        shepard_sphere_place(&frame, x, y, z);
        return true;
    }
    if (!isfinite(*x) || !isfinite(*y) || !isfinite(*z))
        return false;
    (void)frame_target(frame, x, y);
    *z = shepard_clamp(shepard_frame_seen(*z * frame.scale * frame.space.vertical),
                       frame.z_min - SHEPARD_FRAME_AWAY, frame.z_max + SHEPARD_FRAME_AWAY);
    return true;
}

/* The length of an offset in user units, user units; hypot may differ in its last bits. */
__device__ inline double frame_distance(const shepard_frame &frame, double dx, double dy)
{
    if (frame.stretch.ratio == 1)
        return hypot(dx, dy);
    dx /= 2 * SHEPARD_FRAME_STRETCH_MAX;
    dy /= 2 * SHEPARD_FRAME_STRETCH_MAX;
    turn_and_stretch(frame.stretch, &dx, &dy);
    return hypot(dx, dy) * (2 * SHEPARD_FRAME_STRETCH_MAX);
}

} // namespace shepard

#endif
