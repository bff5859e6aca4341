/* SPDX-License-Identifier: MIT */
/* Weights of a list of distances. Included by sum.c. */
#ifndef SHEPARD_KERNEL_WEIGHT_IMPL_H
#define SHEPARD_KERNEL_WEIGHT_IMPL_H

#include "kernel/decay.h"
#include "kernel/kernels.h"

static void list_weights(const double *d2, size_t count, const struct shepard_decay *decay,
                         double *w)
{
    const vd smoothing2 = vd_all(decay->smoothing2), unit2 = vd_all(decay->unit2);
    const vd half_power = vd_all(decay->power / 2);
    size_t i = 0;
    for (; i + LANES_D <= count; i += LANES_D)
        vd_store(w + i, vd_decay(decay->form, vd_load(d2 + i), smoothing2, unit2, half_power));
    if (i == count)
        return;
    double rest[LANES_D];
    for (size_t j = 0; j < LANES_D; j++)
        rest[j] = d2[i + j < count ? i + j : i];
    vd_store(rest, vd_decay(decay->form, vd_load(rest), smoothing2, unit2, half_power));
    memcpy(w + i, rest, (count - i) * sizeof *w);
}

#endif
