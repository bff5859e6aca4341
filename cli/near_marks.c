/* SPDX-License-Identifier: MIT */
#include "near_marks.h"

#include "message.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cells on a side of the squares of which each looks for its points: at an edge of a window they
 * are smaller. */
enum { SQUARE = 64, LEAST_SQUARE = 16 };

/* What rounding of distances, and of coordinates, may take off: bounds are larger by it. */
static const double slack = 1e-9, coordinate_slack = 1e-14;

/* Where anisotropy turns and stretches them, coordinates are rounded. */
static double rounding_of(const struct shepard_bounds *box, double stretch)
{
    const double x = fmax(fabs(box->x_min), fabs(box->x_max));
    const double y = fmax(fabs(box->y_min), fabs(box->y_max));
    return coordinate_slack * stretch * (x + y);
}

bool shepard_near_marks_make(struct shepard_near_marks *near, const struct shepard_near_rule *rule,
                             const struct shepard_spill_bucket *buckets, size_t count,
                             const struct shepard_bounds *box)
{
    near->rule = *rule;
    near->rounding = rounding_of(box, rule->stretch);
    near->marks = malloc(count);
    return near->marks ? shepard_bucket_tree_make(&near->tree, buckets, count)
                       : shepard_say_error("out of memory");
}

void shepard_near_marks_free(struct shepard_near_marks *near)
{
    shepard_bucket_tree_free(&near->tree);
    free(near->marks);
    *near = (struct shepard_near_marks){0};
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* From the centre of the first of some cells to that of the last, rounding included. */
static double centres(double start, double step, size_t from, size_t count, double *end)
{
    const double a = start + ((double)from + 0.5) * step;
    const double b = start + ((double)(from + count) - 0.5) * step;
    const double rounding = coordinate_slack * fmax(fabs(start), fmax(fabs(a), fabs(b)));
    *end = fmax(a, b) + rounding;
    return fmin(a, b) - rounding;
}

static struct shepard_bounds centres_of(const struct shepard_raster *raster,
                                        const struct shepard_window *window)
{
    struct shepard_bounds box = {.given = true};
    box.x_min = centres(raster->x0, raster->dx, window->column, window->columns, &box.x_max);
    box.y_min = centres(raster->y0, raster->dy, window->row, window->rows, &box.y_max);
    return box;
}

/* The cells of a window to their edges. */
static struct shepard_bounds cells_of(const struct shepard_raster *raster,
                                      const struct shepard_window *window)
{
    struct shepard_bounds box = centres_of(raster, window);
    box.x_min -= fabs(raster->dx) / 2;
    box.x_max += fabs(raster->dx) / 2;
    box.y_min -= fabs(raster->dy) / 2;
    box.y_max += fabs(raster->dy) / 2;
    return box;
}

/* Squared distances within which any place of a box has its neighbours, without anisotropy. */
struct square_reach {
    double k2, adaptive2;
};

/* around: of a box with this one in it. */
static struct square_reach find_reach(const struct shepard_near_marks *near,
                                      const struct shepard_bounds *box, struct square_reach around)
{
    const struct shepard_near_rule *const rule = &near->rule;
    struct square_reach reach = around;
    if (rule->k > 0) {
        reach.k2 = shepard_bucket_tree_reach2(&near->tree, box, rule->k, around.k2);
    }
    if (rule->adaptive_k > 0) {
        reach.adaptive2 =
            shepard_bucket_tree_reach2(&near->tree, box, rule->adaptive_k, around.adaptive2);
    }
    return reach;
}

/* From any place in a box, no neighbour is farther. */
static double distance_of(const struct shepard_near_marks *near, const struct square_reach *reach)
{
    const struct shepard_near_rule *const rule = &near->rule;
    const double stretch2 = rule->stretch * rule->stretch;
    double reach2 = rule->radius * rule->radius;
    if (rule->k > 0) {
        reach2 = fmin(reach2, stretch2 * reach->k2);
    }
    if (rule->adaptive_k > 0) {
        reach2 = fmax(reach2, stretch2 * reach->adaptive2);
    }
    return sqrt(reach2) * (1 + slack) + near->rounding;
}

/* Squares of a window. */
struct square_marks {
    struct shepard_near_marks *near;
    const struct shepard_raster *raster;
    struct shepard_bounds window;
};

/* Whether a window has all points within a distance of a box. */
static bool has_all(const struct square_marks *marks, const struct shepard_bounds *box,
                    double distance)
{
    const struct shepard_bounds *const window = &marks->window;
    const struct shepard_bucket_tree *const tree = &marks->near->tree;
    const struct shepard_spill_bucket *const all = tree->nodes[tree->levels - 1];
    return fmax(box->x_min - distance, all->x_min) >= window->x_min &&
           fmin(box->x_max + distance, all->x_max) <= window->x_max &&
           fmax(box->y_min - distance, all->y_min) >= window->y_min &&
           fmin(box->y_max + distance, all->y_max) <= window->y_max;
}

/* Smaller squares look less far where their own size takes much of it. That matters where they look
 * beyond the window: most of what is in it is marked in any case. */
static bool is_split(const struct square_marks *marks, const struct shepard_window *square,
                     const struct shepard_bounds *box, double distance)
{
    const double size = hypot(box->x_max - box->x_min, box->y_max - box->y_min);
    return (square->columns > LEAST_SQUARE || square->rows > LEAST_SQUARE) && size > distance &&
           !has_all(marks, box, distance);
}

static void mark_square(const struct square_marks *marks, const struct shepard_window *square,
                        struct square_reach around)
{
    const struct shepard_bounds box = centres_of(marks->raster, square);
    const struct square_reach reach = find_reach(marks->near, &box, around);
    const double distance = distance_of(marks->near, &reach);
    if (!is_split(marks, square, &box, distance)) {
        shepard_bucket_tree_mark(&marks->near->tree, &box, distance * distance, marks->near->marks);
        return;
    }
    const size_t columns = (square->columns + 1) / 2, rows = (square->rows + 1) / 2;
    for (size_t row = 0; row < square->rows; row += rows) {
        for (size_t column = 0; column < square->columns; column += columns) {
            const struct shepard_window quarter = {.column = square->column + column,
                                                   .row = square->row + row,
                                                   .columns =
                                                       smaller(columns, square->columns - column),
                                                   .rows = smaller(rows, square->rows - row)};
            mark_square(marks, &quarter, reach);
        }
    }
}

static void mark_window(struct shepard_near_marks *near, const struct shepard_raster *raster,
                        const struct shepard_window *window)
{
    const struct square_marks marks = {near, raster, cells_of(raster, window)};
    for (size_t row = 0; row < window->rows; row += SQUARE) {
        for (size_t column = 0; column < window->columns; column += SQUARE) {
            const struct shepard_window square = {.column = window->column + column,
                                                  .row = window->row + row,
                                                  .columns =
                                                      smaller(SQUARE, window->columns - column),
                                                  .rows = smaller(SQUARE, window->rows - row)};
            mark_square(&marks, &square, (struct square_reach){INFINITY, INFINITY});
        }
    }
}

void shepard_near_marks_set(struct shepard_near_marks *near, const struct shepard_raster *raster,
                            const struct shepard_window *windows, size_t count)
{
    const struct shepard_spill_bucket *const buckets = near->tree.nodes[0];
    const size_t bucket_count = near->tree.count[0];
    memset(near->marks, 0, bucket_count);
    for (size_t i = 0; i < count; i++) {
        mark_window(near, raster, &windows[i]);
    }
    near->points = 0;
    for (size_t i = 0; i < bucket_count; i++) {
        near->points += near->marks[i] ? buckets[i].count : 0;
    }
    if (near->points == 0) { /* none within the radius: any will do */
        near->marks[0] = 1;
        near->points = buckets[0].count;
    }
}
