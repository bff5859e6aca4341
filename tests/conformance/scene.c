/* SPDX-License-Identifier: MIT */
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>

const char *scene_name(enum scene_kind kind)
{
    static const char *const names[] = {"uniform",    "clustered", "strips", "spot", "lattice",
                                        "duplicates", "collinear", "utm",    "tiny", "huge"};
    return names[kind];
}

void *scene_memory(size_t count, size_t size)
{
    void *block = calloc(count > 0 ? count : 1, size);
    if (block == NULL) {
        fputs("the test itself ran out of memory\n", stderr);
        exit(2);
    }
    return block;
}

/* Point i in the unit square. */
static void unit_point(const struct scene *scene, size_t i, struct chance *chance, double *x,
                       double *y)
{
    *x = chance_unit(chance);
    *y = chance_unit(chance);
    switch (scene->kind) {
    case SCENE_CLUSTERED:
        *x = 0.1 + 0.2 * (double)(i % 5) + 0.01 * chance_normal(chance);
        *y = 0.5 + 0.3 * sin(7.0 * (double)(i % 5)) + 0.01 * chance_normal(chance);
        break;
    case SCENE_STRIPS:
        *y = (double)(i % 4) / 4 + 1e-3 * *y;
        break;
    case SCENE_SPOT:
        if (i % 2 == 1) {
            *x = 0.3 + 1e-3 * *x;
            *y = 0.7 + 1e-3 * *y;
        }
        break;
    case SCENE_DUPLICATES:
        *x = (double)chance_below(chance, 8) / 8;
        *y = (double)chance_below(chance, 8) / 8;
        break;
    case SCENE_COLLINEAR:
        *x = (double)chance_below(chance, 1u << 20) * 0x1p-21;
        *y = 2 * *x;
        break;
    default:
        break;
    }
}

static void set_points(struct scene *scene, struct chance *chance)
{
    const size_t side = (size_t)ceil(sqrt((double)scene->n));
    for (size_t i = 0; i < scene->n; i++) {
        double x, y;
        unit_point(scene, i, chance, &x, &y);
        scene->x[i] = scene->x0 + scene->size * x;
        scene->y[i] = scene->y0 + scene->size * y;
        if (scene->kind == SCENE_LATTICE) {
            scene->x[i] = (double)(i % side);
            scene->y[i] = (double)(i / side);
        }
    }
}

static void set_values(struct scene *scene, size_t column, struct chance *chance)
{
    static const double sizes[] = {1, 1, 1e-3, 100, 0, 1e8, 1e-250, 1e250, 7};
    static const double offsets[] = {0, 1e6, 0, -1e3, 42, 0, 0, 0, 0};
    for (size_t i = 0; i < scene->n; i++) {
        const double u = (scene->x[i] - scene->x0) / scene->size;
        const double v = (scene->y[i] - scene->y0) / scene->size;
        const double field = sin(5 * u + (double)column) * cos(3 * v) + 0.2 * chance_unit(chance);
        scene->values[column][i] = offsets[column] + sizes[column] * field;
    }
}

struct scene scene_make(enum scene_kind kind, size_t n, size_t columns, bool weighted,
                        struct chance *chance)
{
    struct scene scene = {.kind = kind, .n = n, .columns = columns, .size = 1};
    if (kind == SCENE_UTM) {
        scene.size = 1000;
        scene.x0 = 500123;
        scene.y0 = 5400321;
    }
    if (kind == SCENE_TINY || kind == SCENE_HUGE)
        scene.size = kind == SCENE_TINY ? 1e-200 : 1e200;
    if (kind == SCENE_LATTICE)
        scene.size = ceil(sqrt((double)n));
    scene.x = scene_memory(n, sizeof(double));
    scene.y = scene_memory(n, sizeof(double));
    set_points(&scene, chance);
    for (size_t c = 0; c < columns; c++) {
        scene.values[c] = scene_memory(n, sizeof(double));
        set_values(&scene, c, chance);
    }
    if (weighted) {
        scene.weights = scene_memory(n, sizeof(double));
        for (size_t i = 0; i < n; i++)
            scene.weights[i] = chance_range(chance, 0.1, 5);
    }
    return scene;
}

void scene_free(struct scene *scene)
{
    free(scene->x);
    free(scene->y);
    free(scene->weights);
    for (size_t c = 0; c < scene->columns; c++)
        free(scene->values[c]);
    *scene = (struct scene){0};
}

void scene_make_gaps(struct scene *scene, size_t first, struct chance *chance)
{
    for (size_t c = first; c < scene->columns; c++)
        for (size_t i = 0; i < scene->n; i++)
            if (chance_below(chance, 4) == 0)
                scene->values[c][i] = NAN;
}

struct scene scene_subset(const struct scene *scene,
                          bool (*wanted)(const struct scene *scene, size_t i), uint32_t *index)
{
    struct scene part = *scene;
    part.n = 0;
    double **to[SCENE_COLUMNS_MAX + 3] = {&part.x, &part.y, &part.weights};
    const double *from[SCENE_COLUMNS_MAX + 3] = {scene->x, scene->y, scene->weights};
    for (size_t c = 0; c < scene->columns; c++) {
        to[3 + c] = &part.values[c];
        from[3 + c] = scene->values[c];
    }
    for (size_t f = 0; f < 3 + scene->columns; f++)
        *to[f] = from[f] != NULL ? scene_memory(scene->n, sizeof(double)) : NULL;
    for (size_t i = 0; i < scene->n; i++) {
        if (!wanted(scene, i))
            continue;
        for (size_t f = 0; f < 3 + scene->columns; f++)
            if (from[f] != NULL)
                (*to[f])[part.n] = from[f][i];
        if (index != NULL)
            index[part.n] = (uint32_t)i;
        part.n++;
    }
    return part;
}

struct shepard_coordinates scene_coordinates(const struct scene *scene)
{
    return (struct shepard_coordinates){.size = sizeof(struct shepard_coordinates),
                                        .count = scene->n,
                                        .x = shepard_doubles(scene->x),
                                        .y = shepard_doubles(scene->y)};
}

struct shepard_values scene_values(const struct scene *scene, struct shepard_array *columns)
{
    for (size_t c = 0; c < scene->columns; c++)
        columns[c] = shepard_doubles(scene->values[c]);
    return (struct shepard_values){.size = sizeof(struct shepard_values),
                                   .column_count = scene->columns,
                                   .columns = columns,
                                   .weights = shepard_doubles(scene->weights)};
}

static struct places places_make(size_t m)
{
    return (struct places){m, scene_memory(m, sizeof(double)), scene_memory(m, sizeof(double))};
}

/* Place i in boxes from the corner, and whether it starts from a data point instead. */
static bool place_at(size_t i, struct chance *chance, double *u, double *v)
{
    *u = chance_unit(chance);
    *v = chance_unit(chance);
    const double away[] = {1, 3, 1e6, 1e100};
    switch (i % 8) {
    case 0:
        *u = *v = 0;
        return true;
    case 1:
        *u *= 1e-9;
        *v *= 1e-9;
        return true;
    case 5:
    case 6:
        *u = (*u - 0.5) * away[i / 8 % 4];
        *v = (*v - 0.5) * away[i / 8 % 4];
        return false;
    default:
        return false;
    }
}

struct places scene_places(const struct scene *scene, size_t m, struct chance *chance)
{
    struct places places = places_make(m);
    for (size_t i = 0; i < m; i++) {
        double u, v;
        const size_t point = chance_below(chance, scene->n);
        const bool at_data = place_at(i, chance, &u, &v);
        places.x[i] = (at_data ? scene->x[point] : scene->x0) + scene->size * u;
        places.y[i] = (at_data ? scene->y[point] : scene->y0) + scene->size * v;
        /* Half of the places of a lattice are half-way between its points. */
        if (scene->kind == SCENE_LATTICE && i % 8 >= 4 && i % 8 != 5 && i % 8 != 6) {
            places.x[i] = round(2 * places.x[i]) / 2;
            places.y[i] = round(2 * places.y[i]) / 2;
        }
    }
    return places;
}

struct places scene_places_inside(const struct scene *scene, size_t m, struct chance *chance)
{
    struct places places = places_make(m);
    for (size_t i = 0; i < m; i++) {
        places.x[i] = scene->x0 + scene->size * chance_unit(chance);
        places.y[i] = scene->y0 + scene->size * chance_unit(chance);
    }
    return places;
}

void places_free(struct places *places)
{
    free(places->x);
    free(places->y);
    *places = (struct places){0};
}

struct shepard_targets places_targets(const struct places *places)
{
    return (struct shepard_targets){.size = sizeof(struct shepard_targets),
                                    .kind = SHEPARD_TARGETS_LIST,
                                    .count = places->m,
                                    .x = shepard_doubles(places->x),
                                    .y = shepard_doubles(places->y)};
}

struct shepard_targets raster_targets(const struct shepard_raster *raster,
                                      const struct shepard_window *window)
{
    struct shepard_targets targets = {.size = sizeof targets, .raster = *raster};
    targets.kind = window != NULL ? SHEPARD_TARGETS_WINDOW : SHEPARD_TARGETS_RASTER;
    if (window != NULL)
        targets.window = *window;
    return targets;
}

struct places raster_places(const struct shepard_raster *raster,
                            const struct shepard_window *window)
{
    const struct shepard_window whole = {0, 0, raster->columns, raster->rows};
    const struct shepard_window *part = window != NULL ? window : &whole;
    struct places places = places_make(part->columns * part->rows);
    for (size_t i = 0; i < places.m; i++) {
        const size_t column = part->column + i % part->columns;
        const size_t row = part->row + i / part->columns;
        places.x[i] = raster->x0 + ((double)column + 0.5) * raster->dx;
        places.y[i] = raster->y0 + ((double)row + 0.5) * raster->dy;
    }
    return places;
}

double scene_value_range(const struct scene *scene, size_t column)
{
    const double *z = scene->values[column];
    double low = z[0], high = z[0];
    for (size_t i = 1; i < scene->n; i++) {
        low = fmin(low, z[i]);
        high = fmax(high, z[i]);
    }
    return high - low;
}

double scene_value_rounding(const struct scene *scene, size_t column)
{
    double largest = 0;
    for (size_t i = 0; i < scene->n; i++)
        largest = fmax(largest, fabs(scene->values[column][i]));
    return 0x1p-51 * largest;
}
