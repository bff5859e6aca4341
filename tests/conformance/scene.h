/* SPDX-License-Identifier: MIT */
/* Made-up data sets, and places to predict at. */
#ifndef SHEPARD_TESTS_SCENE_H
#define SHEPARD_TESTS_SCENE_H

#include "chance.h"
#include "shepard/shepard.h"

#define SCENE_COLUMNS_MAX 9

enum scene_kind {
    SCENE_UNIFORM,
    SCENE_CLUSTERED,
    SCENE_STRIPS,     /* dense along lines, as a scanner leaves them */
    SCENE_SPOT,       /* half of the points in a millionth of the box */
    SCENE_LATTICE,    /* whole numbers: equal distances everywhere */
    SCENE_DUPLICATES, /* several points at most places */
    SCENE_COLLINEAR,
    SCENE_UTM,  /* metres, far from the origin */
    SCENE_TINY, /* units of 1e-200 */
    SCENE_HUGE, /* units of 1e200 */
    SCENE_KINDS
};

struct scene {
    enum scene_kind kind;
    size_t n, columns;
    double *x, *y;
    double *values[SCENE_COLUMNS_MAX];
    double *weights; /* NULL: none */
    double size;     /* of the box, > 0, a unit of length for radii and targets */
    double x0, y0;   /* its corner */
};

/* A place or a list of places. */
struct places {
    size_t m;
    double *x, *y;
};

const char *scene_name(enum scene_kind kind);

/* n points. Columns differ in size: one has values about 1e6 within a range of 1, one is constant.
 */
struct scene scene_make(enum scene_kind kind, size_t n, size_t columns, bool weighted,
                        struct chance *chance);
void scene_free(struct scene *scene);

/* A quarter of the values of columns from `first` on becomes NaN, in each column other ones. */
void scene_make_gaps(struct scene *scene, size_t first, struct chance *chance);

/* The points i of a scene that are wanted, all columns and weights; index[i]: where point i stood
 * (room for all; NULL: not asked for). Free it. */
struct scene scene_subset(const struct scene *scene,
                          bool (*wanted)(const struct scene *scene, size_t i), uint32_t *index);

struct shepard_coordinates scene_coordinates(const struct scene *scene);
/* columns: room for one of each of the scene's, which the values point to. */
struct shepard_values scene_values(const struct scene *scene, struct shepard_array *columns);

/* m finite places: on data points, very near them, inside and round the box, 1e6 and 1e100 boxes
 * away. */
struct places scene_places(const struct scene *scene, size_t m, struct chance *chance);
/* m places inside the box. */
struct places scene_places_inside(const struct scene *scene, size_t m, struct chance *chance);
void places_free(struct places *places);
struct shepard_targets places_targets(const struct places *places);

/* The cells of a window; NULL: of the whole raster. */
struct shepard_targets raster_targets(const struct shepard_raster *raster,
                                      const struct shepard_window *window);
/* Their centres. */
struct places raster_places(const struct shepard_raster *raster,
                            const struct shepard_window *window);

/* Largest minus smallest value of a column. */
double scene_value_range(const struct scene *scene, size_t column);
/* What rounding the values themselves costs: two units in the last place of the largest. */
double scene_value_rounding(const struct scene *scene, size_t column);

/* malloc that ends the program where memory is out. */
void *scene_memory(size_t count, size_t size);

#endif
