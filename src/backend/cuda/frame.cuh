/* SPDX-License-Identifier: MIT */
/* core/frame.h on the device: the same operations in the same order, no multiply-add, so that a
 * place has the bits it has on the host. */
#ifndef SHEPARD_BACKEND_CUDA_FRAME_CUH
#define SHEPARD_BACKEND_CUDA_FRAME_CUH

extern "C" {
#include "base/number.h"
#include "core/frame.h"
}

namespace shepard
{

__device__ inline void centre_and_stretch(const shepard_frame &frame, double *x, double *y)
{
    const double u =
        shepard_clamp(*x - frame.x_middle, -SHEPARD_FRAME_BEFORE, SHEPARD_FRAME_BEFORE);
    const double v =
        shepard_clamp(*y - frame.y_middle, -SHEPARD_FRAME_BEFORE, SHEPARD_FRAME_BEFORE);
    const double c = frame.stretch.cosine, s = frame.stretch.sine;
    *x = __dadd_rn(__dmul_rn(c, u), __dmul_rn(s, v)) / frame.stretch.ratio;
    *y = __dsub_rn(__dmul_rn(c, v), __dmul_rn(s, u));
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

} // namespace shepard

#endif
