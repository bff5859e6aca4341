/* SPDX-License-Identifier: MIT */
#include "shepard/shepard_io.h"

#include <cpl_conv.h>
#include <stdlib.h>

void shepard_point_set_clear(struct shepard_point_set *points)
{
    if (!points)
        return;
    for (size_t i = 0; i < points->columns; i++) {
        CPLFree(points->column[i].name);
        free(points->column[i].values);
    }
    free(points->column);
    free((void *)(uintptr_t)points->values);
    free(points->weights);
    free(points->x);
    free(points->y);
    free(points->z);
    CPLFree(points->srs);
    CPLFree(points->source_srs);
    CPLFree(points->layer);
    CPLFree(points->x_name);
    CPLFree(points->y_name);
    CPLFree(points->z_name);
    *points = (struct shepard_point_set){0};
}
