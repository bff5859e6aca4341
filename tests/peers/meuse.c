/* SPDX-License-Identifier: MIT */
#include "meuse.h"

#include "check.h"

#include <stdio.h>
#include <string.h>

bool meuse_read(const char *path, struct meuse *meuse)
{
    char line[500];
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    bool good = fgets(line, sizeof line, file) != NULL && strncmp(line, "x,y,zinc,", 9) == 0;
    while (good && fgets(line, sizeof line, file) != NULL && meuse->n < MEUSE_POINTS_MAX) {
        const size_t i = meuse->n++;
        good = sscanf(line, "%lf,%lf,%lf,%*f,%*f,%*f,%lf,%lf,", &meuse->x[i], &meuse->y[i],
                      &meuse->zinc[i], &meuse->elev[i], &meuse->dist[i]) == 5;
    }
    fclose(file);
    check(good && meuse->n == 155, "%s has %zu of the 155 Meuse points", path, meuse->n);
    return good;
}
