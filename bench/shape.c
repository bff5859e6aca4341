/* SPDX-License-Identifier: MIT */
#include "shape.h"

#include <math.h>

#define SIDE SHEPARD_DATASET_SIDE

const char *shepard_shape_name(enum shepard_shape shape)
{
    static const char *const names[SHEPARD_SHAPES] = {"decades", "line", "speck", "outside"};
    return names[shape];
}

/* A place, from 0 to 1 along each side. */
static void put_decades(double *u, double *v)
{
    const double distance = pow(10, -9 * *u) / 2, angle = 8 * atan(1) * *v;
    *u = 0.5 + distance * cos(angle);
    *v = 0.5 + distance * sin(angle);
}

static void put_line(double *u, double *v)
{
    *v = 0.3 + 0.4 * *u;
}

static void put_speck(double *u, double *v)
{
    const double part = 0.9, extent = 1e-6;
    if (*u >= part) {
        *u = (*u - part) / (1 - part);
        return;
    }
    *u = 0.5 + extent * *u / part;
    *v = 0.5 + extent * *v;
}

static void put_outside(double *u, double *v)
{
    *u = 7 * *u - 3;
    *v = 7 * *v - 3;
}

static void put(void (*place)(double *u, double *v), size_t count, double *x, double *y)
{
    for (size_t i = 0; i < count; i++) {
        double u = (x[i] - SHEPARD_DATASET_X0) / SIDE, v = (y[i] - SHEPARD_DATASET_Y0) / SIDE;
        place(&u, &v);
        x[i] = SHEPARD_DATASET_X0 + SIDE * u;
        y[i] = SHEPARD_DATASET_Y0 + SIDE * v;
    }
}

void shepard_shape_give(enum shepard_shape shape, struct shepard_dataset *dataset)
{
    static void (*const places[SHEPARD_SHAPES])(double *u, double *v) = {put_decades, put_line,
                                                                         put_speck, put_outside};
    if (shape != SHEPARD_SHAPE_OUTSIDE)
        put(places[shape], dataset->n, dataset->x, dataset->y);
    put(places[shape], dataset->m, dataset->target_x, dataset->target_y);
}
