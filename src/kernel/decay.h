/* SPDX-License-Identifier: MIT */
/* Weights of distances, (unit2 / (d2 + smoothing2))^(power / 2), in vectors. */
#ifndef SHEPARD_KERNEL_DECAY_H
#define SHEPARD_KERNEL_DECAY_H

#include "kernel/math.h"
#include "kernel/sums.h"

/* The ratio's logarithm is small where the weight is not, so the weight's relative error stays near
 * that of double whatever power is (docs/math.md, Eq. 8). */
static inline vd vd_decay(enum shepard_form form, vd d2, vd smoothing2, vd unit2, vd half_power)
{
    const vd u = unit2 / (d2 + smoothing2);
    switch (form) {
    case SHEPARD_FORM_1:
        return vd_sqrt(u);
    case SHEPARD_FORM_2:
        return u;
    case SHEPARD_FORM_3:
        return u * vd_sqrt(u);
    case SHEPARD_FORM_4:
        return u * u;
    case SHEPARD_FORM_GENERAL:
        break;
    }
    return vd_exp2(half_power * vd_log2(vd_max(u, vd_all(0x1p-1022))));
}

#endif
