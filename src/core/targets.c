/* SPDX-License-Identifier: MIT */
#include "core/targets.h"

#include "core/frame.h"
#include "core/leave_out.h"
#include "core/space.h"

bool shepard_targets_place(const struct shepard_targets_view *view,
                           const struct shepard_frame *frame, size_t i, double *x, double *y)
{
    if (view->points)
        return shepard_leave_out_place(view->leave_out, i, x, y);
    shepard_targets_at(view, i, x, y);
    if (!isfinite(*x) || !isfinite(*y))
        return false;
    shepard_frame_target(frame, x, y);
    return true;
}

bool shepard_targets_place_3d(const struct shepard_targets_view *view,
                              const struct shepard_frame *frame, size_t i, double *x, double *y,
                              double *z)
{
    if (view->points)
        return shepard_leave_out_place_3d(view->leave_out, i, x, y, z);
    shepard_targets_at(view, i, x, y);
    *z = shepard_targets_z(view, i);
    return shepard_space_target(frame, x, y, z);
}
