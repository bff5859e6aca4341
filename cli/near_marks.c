/* SPDX-License-Identifier: MIT */
#include "near_marks.h"

#include "message.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cells on a side of the squares of which each looks for its points. */
enum { SQUARE = 64 };

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

/* From the centre of the first of some cells to that of the last, rounding included. */
static double centres(double start, double step, size_t from, size_t count, double *end)
{
    const double a = start + ((double)from + 0.5) * step;
    const double b = start + ((double)(from + count) - 0.5) * step;
    const double rounding = coordinate_slack * fmax(fabs(start), fmax(fabs(a), fabs(b)));
    *end = fmax(a, b) + rounding;
    return fmin(a, b) - rounding;
}

static void mark_square(struct shepard_near_marks *near, const struct shepard_raster *raster,
                        const struct shepard_window *square)
{
    const struct shepard_near_rule *const rule = &near->rule;
    struct shepard_bounds box = {.given = true};
    box.x_min = centres(raster->x0, raster->dx, square->column, square->columns, &box.x_max);
    box.y_min = centres(raster->y0, raster->dy, square->row, square->rows, &box.y_max);
    const double stretch2 = rule->stretch * rule->stretch;
    double reach2 = rule->radius * rule->radius;
    if (rule->k > 0) {
        reach2 = fmin(reach2, stretch2 * shepard_bucket_tree_reach2(&near->tree, &box, rule->k));
    }
    if (rule->adaptive_k > 0) {
        reach2 = fmax(reach2,
                      stretch2 * shepard_bucket_tree_reach2(&near->tree, &box, rule->adaptive_k));
    }
    const double reach = sqrt(reach2) * (1 + slack) + near->rounding;
    shepard_bucket_tree_mark(&near->tree, &box, reach * reach, near->marks);
}

static void mark_window(struct shepard_near_marks *near, const struct shepard_raster *raster,
                        const struct shepard_window *window)
{
    for (size_t row = 0; row < window->rows; row += SQUARE) {
        for (size_t column = 0; column < window->columns; column += SQUARE) {
            const size_t rows = window->rows - row, columns = window->columns - column;
            const struct shepard_window square = {.column = window->column + column,
                                                  .row = window->row + row,
                                                  .columns = columns < SQUARE ? columns : SQUARE,
                                                  .rows = rows < SQUARE ? rows : SQUARE};
            mark_square(near, raster, &square);
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
