/* SPDX-License-Identifier: MIT */
#include "hard.h"

#define TURN 6.283185307179586

const char *hard_name(enum hard_layout layout)
{
    static const char *const names[HARD_LAYOUTS] = {
        "uniform",   "clustered", "strips", "spot",   "speck",  "heap", "duplicates", "lattice",
        "collinear", "utm",       "corner", "funnel", "circle", "row",  "one place"};
    return names[layout];
}

static enum scene_kind kind_of(enum hard_layout layout)
{
    switch (layout) {
    case HARD_CLUSTERED:
        return SCENE_CLUSTERED;
    case HARD_STRIPS:
        return SCENE_STRIPS;
    case HARD_SPOT:
        return SCENE_SPOT;
    case HARD_DUPLICATES:
        return SCENE_DUPLICATES;
    case HARD_LATTICE:
        return SCENE_LATTICE;
    case HARD_COLLINEAR:
        return SCENE_COLLINEAR;
    case HARD_UTM:
        return SCENE_UTM;
    default:
        return SCENE_UNIFORM;
    }
}

/* A place at a distance from (x, y), in any direction. */
static void step_away(double *x, double *y, double distance, struct chance *chance)
{
    const double angle = chance_range(chance, 0, TURN);
    *x += distance * cos(angle);
    *y += distance * sin(angle);
}

/* Moves point i of uniform points, in the unit square. */
static void move_point(enum hard_layout layout, size_t i, double *x, double *y,
                       struct chance *chance)
{
    switch (layout) {
    case HARD_SPECK:
    case HARD_HEAP:
        if (i % 2 == 1) {
            *x = 0.3 + (layout == HARD_SPECK ? 1e-12 * *x : 0);
            *y = 0.7 + (layout == HARD_SPECK ? 1e-12 * *y : 0);
        }
        break;
    case HARD_CORNER:
        *x *= i % 100 == 7 ? 1 : 1e-4;
        *y *= i % 100 == 7 ? 1 : 1e-4;
        break;
    case HARD_FUNNEL:
        *x = *y = 0.4;
        step_away(x, y, 0.5 * pow(2, chance_range(chance, -40, 0)), chance);
        break;
    case HARD_CIRCLE:
        *x = *y = 0.5;
        step_away(x, y, 0.5, chance);
        break;
    case HARD_ROW:
    case HARD_ONE_PLACE:
        *x = layout == HARD_ROW ? *x : 0.6;
        *y = 0.25;
        break;
    default:
        break;
    }
}

static double value_at(enum hard_field field, double u, double v, bool odd, struct chance *chance)
{
    switch (field) {
    case HARD_CHECKERBOARD:
        return ((int)floor(32 * u) + (int)floor(32 * v)) % 2 != 0 ? 1 : -1;
    case HARD_STEP:
        return u < 0.37 ? -3 : 5;
    case HARD_COINS:
        return chance_below(chance, 2) ? 1e-3 : -1e-3;
    case HARD_SLOPE:
        return 100 * u;
    case HARD_ODD_ONE:
        return odd ? 1 : 0;
    case HARD_OFFSET:
        return 1e6 + chance_unit(chance);
    case HARD_SMOOTH:
        return sin(5 * u) * cos(3 * v);
    default:
        return 42.1;
    }
}

static double weight_of(enum hard_weights weights, struct chance *chance)
{
    static const double decades[HARD_WEIGHTS] = {0, 1.7, 6, 30};
    return pow(10, -decades[weights] * chance_unit(chance));
}

struct scene hard_scene(enum hard_layout layout, size_t n, size_t columns, enum hard_field first,
                        enum hard_weights weights, struct chance *chance)
{
    struct scene scene =
        scene_make(kind_of(layout), n, columns, weights != HARD_NO_WEIGHTS, chance);
    const size_t odd = chance_below(chance, n);
    for (size_t i = 0; i < n; i++) {
        move_point(layout, i, &scene.x[i], &scene.y[i], chance);
        if (scene.weights != NULL)
            scene.weights[i] = weight_of(weights, chance);
    }
    for (size_t c = 0; c < columns; c++)
        for (size_t i = 0; i < n; i++) {
            const double u = (scene.x[i] - scene.x0) / scene.size;
            const double v = (scene.y[i] - scene.y0) / scene.size;
            const enum hard_field field = (enum hard_field)(((size_t)first + c) % HARD_FIELDS);
            scene.values[c][i] = value_at(field, u, v, i == odd, chance);
        }
    return scene;
}

/* From a data point: 0, a part of the spacing, or a distance of any size. */
static double near_distance(const struct scene *scene, struct chance *chance)
{
    static const double parts[] = {0, 1e-3, 1e-6, 1e-12};
    const size_t which = chance_below(chance, 8);
    if (which < 4)
        return parts[which] * scene->size / sqrt((double)scene->n);
    return scene->size * pow(10, chance_range(chance, -14, 0));
}

/* Place i in the box, as a part of it. */
static void place_in_box(size_t i, bool far, double *u, double *v, struct chance *chance)
{
    static const double away[] = {10, 1e6, 1e100};
    *u = chance_unit(chance);
    *v = chance_unit(chance);
    switch (i % 8) {
    case 3: /* half-way between strips */
        *v = 0.125 + 0.25 * (double)chance_below(chance, 4);
        break;
    case 4: /* at the edge */
        *u = (double)chance_below(chance, 2) + chance_range(chance, -0.01, 0.01);
        break;
    case 5:
        if (far)
            step_away(u, v, away[i / 8 % 3], chance);
        break;
    default:
        break;
    }
}

/* Draws three of four places together. */
static void gather(const struct scene *scene, struct places *places, struct chance *chance)
{
    const size_t centre = chance_below(chance, scene->n);
    const double part = pow(10, chance_range(chance, -4, -0.5));
    for (size_t i = 0; i < places->m; i++) {
        const double u = chance_range(chance, -1, 1), v = chance_range(chance, -1, 1);
        if (i % 4 == 0)
            continue;
        places->x[i] = scene->x[centre] + scene->size * part * u;
        places->y[i] = scene->y[centre] + scene->size * part * v;
    }
}

struct places hard_places(const struct scene *scene, size_t m, bool far, struct chance *chance)
{
    struct places places = scene_places_inside(scene, m, chance);
    for (size_t i = 0; i < m; i++) {
        const size_t point = chance_below(chance, scene->n);
        double u, v;
        if (i % 8 < 3) {
            places.x[i] = scene->x[point];
            places.y[i] = scene->y[point];
            step_away(&places.x[i], &places.y[i], near_distance(scene, chance), chance);
            continue;
        }
        place_in_box(i, far, &u, &v, chance);
        places.x[i] = scene->x0 + scene->size * u;
        places.y[i] = scene->y0 + scene->size * v;
    }
    if (chance_below(chance, 3) == 0)
        gather(scene, &places, chance);
    return places;
}

struct shepard_raster hard_raster(const struct scene *scene, struct chance *chance)
{
    const size_t columns = 8 + chance_below(chance, 10), rows = 5 + chance_below(chance, 8);
    const bool patch = chance_below(chance, 2) == 0;
    const double size = scene->size * (patch ? pow(10, chance_range(chance, -3, -1)) : 1.4);
    const size_t centre = chance_below(chance, scene->n);
    const double x = patch ? scene->x[centre] : scene->x0 + scene->size / 2;
    const double y = patch ? scene->y[centre] : scene->y0 + scene->size / 2;
    return (struct shepard_raster){.x0 = x - size / 2,
                                   .y0 = y + size / 2,
                                   .dx = size / (double)columns,
                                   .dy = -size / (double)rows,
                                   .columns = columns,
                                   .rows = rows};
}
