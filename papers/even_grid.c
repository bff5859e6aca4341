/* SPDX-License-Identifier: MIT */
#include "even_grid.h"

#include <math.h>
#include <stdlib.h>

/* A search: the nearest found so far, rising. */
struct even_grid_search {
    const struct shepard_even_grid *grid;
    struct shepard_even_grid_rule rule;
    double x, y;
    long column, row; /* of the cell of (x, y) */
    size_t k, found;
    double nearest[SHEPARD_EVEN_GRID_NEIGHBOURS]; /* [found] */
    size_t stray;
};

static long cell_along(double at, double start, double w, long count)
{
    const long cell = (long)floor((at - start) / w);
    return cell < 0 ? 0 : cell < count ? cell : count - 1;
}

static size_t cell_of(const struct shepard_even_grid *grid, double x, double y)
{
    const long column = cell_along(x, grid->x0, grid->w, grid->columns);
    const long row = cell_along(y, grid->y0, grid->w, grid->rows);
    return (size_t)(row * grid->columns + column);
}

bool shepard_even_grid_build(struct shepard_even_grid *grid)
{
    const size_t cells = (size_t)(grid->columns * grid->rows);
    grid->head = calloc(cells + 2, sizeof *grid->head);
    grid->order = malloc(grid->n * sizeof *grid->order);
    if (!grid->head || !grid->order)
        return false;
    /* Counts stand two places on, then beginnings one place on, which placing moves to their own.
     */
    for (size_t i = 0; i < grid->n; i++)
        grid->head[cell_of(grid, grid->x[i], grid->y[i]) + 2]++;
    for (size_t c = 2; c < cells + 2; c++)
        grid->head[c] += grid->head[c - 1];
    for (size_t i = 0; i < grid->n; i++)
        grid->order[grid->head[cell_of(grid, grid->x[i], grid->y[i]) + 1]++] = i;
    return true;
}

void shepard_even_grid_free(struct shepard_even_grid *grid)
{
    free(grid->order);
    free(grid->head);
    grid->head = grid->order = NULL;
}

static void insert(struct even_grid_search *search, double distance)
{
    size_t at = search->found;
    if (at == search->k && distance >= search->nearest[at - 1])
        return;
    at -= at == search->k;
    for (; at > 0 && search->nearest[at - 1] > distance; at--)
        search->nearest[at] = search->nearest[at - 1];
    search->nearest[at] = distance;
    search->found += search->found < search->k;
}

static void scan_cell(struct even_grid_search *search, long column, long row)
{
    const struct shepard_even_grid *const grid = search->grid;
    if (column >= grid->columns || row >= grid->rows) {
        search->stray++; /* the next row's first cell, or memory behind the last */
        return;
    }
    const size_t cell = (size_t)(row * grid->columns + column);
    for (size_t i = grid->head[cell]; i < grid->head[cell + 1]; i++) {
        const size_t point = grid->order[i];
        insert(search, hypot(grid->x[point] - search->x, grid->y[point] - search->y));
    }
}

/* Looks at all cells of a level anew. */
static void scan_level(struct even_grid_search *search, long level)
{
    const struct shepard_even_grid *const grid = search->grid;
    const long reach = level + !search->rule.exclusive_loops;
    const long beyond = search->rule.loose_bounds;
    search->found = search->stray = 0;
    for (long j = search->row - level; j < search->row + reach; j++) {
        for (long i = search->column - level; i < search->column + reach; i++) {
            if (i >= 0 && j >= 0 && i < grid->columns + beyond && j < grid->rows + beyond)
                scan_cell(search, i, j);
        }
    }
}

static bool covers_all(const struct even_grid_search *search, long level)
{
    const struct shepard_even_grid *const grid = search->grid;
    /* One more than needed: exclusive loops leave a cell out. */
    return level > grid->columns && level > grid->rows;
}

/* Every point nearer than this lies in the cells of the level. */
static double guaranteed_radius(const struct even_grid_search *search, long level)
{
    const struct shepard_even_grid *const grid = search->grid;
    const double w = grid->w;
    const double left = search->x - (grid->x0 + (double)(search->column - level) * w);
    const double below = search->y - (grid->y0 + (double)(search->row - level) * w);
    const double side = (double)(2 * level + 1) * w;
    return fmin(fmin(left, side - left), fmin(below, side - below));
}

static bool is_done(const struct even_grid_search *search, long level)
{
    if (search->found < search->k)
        return false;
    return search->rule.one_more_level ||
           search->nearest[search->k - 1] <= guaranteed_radius(search, level);
}

double shepard_even_grid_mean(const struct shepard_even_grid *grid,
                              struct shepard_even_grid_rule rule, double x, double y, size_t k,
                              size_t *stray)
{
    struct even_grid_search search = {.grid = grid, .rule = rule, .x = x, .y = y, .k = k};
    double sum = 0;
    long level = 0;
    search.column = cell_along(x, grid->x0, grid->w, grid->columns);
    search.row = cell_along(y, grid->y0, grid->w, grid->rows);
    scan_level(&search, level);
    while (!is_done(&search, level) && !covers_all(&search, level))
        scan_level(&search, ++level);
    if (rule.one_more_level)
        scan_level(&search, level + 1);
    for (size_t i = 0; i < search.found; i++)
        sum += search.nearest[i];
    if (stray)
        *stray = search.stray;
    return search.found == k ? sum / (double)k : NAN;
}
