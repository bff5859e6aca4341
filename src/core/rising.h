/* SPDX-License-Identifier: MIT */
/* Rising factorials: (a)_n = a (a + 1) ... (a + n - 1), of which coefficients of expansions are
 * made. */
#ifndef SHEPARD_CORE_RISING_H
#define SHEPARD_CORE_RISING_H

#include "base/host_device.h"

/* (a)_n / n! */
SHEPARD_HOST_DEVICE double shepard_rising_over(double a, int n)
{
    double product = 1;
    for (int i = 0; i < n; i++)
        product *= (a + i) / (i + 1);
    return product;
}

#endif
