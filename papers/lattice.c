/* SPDX-License-Identifier: MIT */
#include "lattice.h"

#include <math.h>
#include <stdlib.h>

/* A search: the nearest found so far, rising. */
struct search {
    const struct shepard_lattice *lattice;
    struct shepard_lattice_rule rule;
    double x, y;
    long column, row; /* of the cell of (x, y) */
    size_t k, found;
    double nearest[SHEPARD_LATTICE_NEIGHBOURS]; /* [found] */
    size_t stray;
};

static long cell_along(double at, double start, double w, long count)
{
    const long cell = (long)floor((at - start) / w);
    return cell < 0 ? 0 : cell < count ? cell : count - 1;
}

static size_t cell_of(const struct shepard_lattice *lattice, double x, double y)
{
    const long column = cell_along(x, lattice->x0, lattice->w, lattice->columns);
    const long row = cell_along(y, lattice->y0, lattice->w, lattice->rows);
    return (size_t)(row * lattice->columns + column);
}

bool shepard_lattice_build(struct shepard_lattice *lattice)
{
    const size_t cells = (size_t)(lattice->columns * lattice->rows);
    lattice->head = calloc(cells + 2, sizeof *lattice->head);
    lattice->order = malloc(lattice->n * sizeof *lattice->order);
    if (!lattice->head || !lattice->order)
        return false;
    /* Counts stand two places on, then beginnings one place on, which placing moves to their own.
     */
    for (size_t i = 0; i < lattice->n; i++)
        lattice->head[cell_of(lattice, lattice->x[i], lattice->y[i]) + 2]++;
    for (size_t c = 2; c < cells + 2; c++)
        lattice->head[c] += lattice->head[c - 1];
    for (size_t i = 0; i < lattice->n; i++)
        lattice->order[lattice->head[cell_of(lattice, lattice->x[i], lattice->y[i]) + 1]++] = i;
    return true;
}

void shepard_lattice_free(struct shepard_lattice *lattice)
{
    free(lattice->order);
    free(lattice->head);
    lattice->head = lattice->order = NULL;
}

static void insert(struct search *search, double distance)
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

static void scan_cell(struct search *search, long column, long row)
{
    const struct shepard_lattice *const lattice = search->lattice;
    if (column >= lattice->columns || row >= lattice->rows) {
        search->stray++; /* the next row's first cell, or memory behind the last */
        return;
    }
    const size_t cell = (size_t)(row * lattice->columns + column);
    for (size_t i = lattice->head[cell]; i < lattice->head[cell + 1]; i++) {
        const size_t point = lattice->order[i];
        insert(search, hypot(lattice->x[point] - search->x, lattice->y[point] - search->y));
    }
}

/* Looks at all cells of a level anew. */
static void scan_level(struct search *search, long level)
{
    const struct shepard_lattice *const lattice = search->lattice;
    const long reach = level + !search->rule.exclusive_loops;
    const long beyond = search->rule.loose_bounds;
    search->found = search->stray = 0;
    for (long j = search->row - level; j < search->row + reach; j++) {
        for (long i = search->column - level; i < search->column + reach; i++) {
            if (i >= 0 && j >= 0 && i < lattice->columns + beyond && j < lattice->rows + beyond)
                scan_cell(search, i, j);
        }
    }
}

static bool covers_all(const struct search *search, long level)
{
    const struct shepard_lattice *const lattice = search->lattice;
    /* One more than needed: exclusive loops leave a cell out. */
    return level > lattice->columns && level > lattice->rows;
}

/* Every point nearer than this lies in the cells of the level. */
static double guaranteed_radius(const struct search *search, long level)
{
    const struct shepard_lattice *const lattice = search->lattice;
    const double w = lattice->w;
    const double left = search->x - (lattice->x0 + (double)(search->column - level) * w);
    const double below = search->y - (lattice->y0 + (double)(search->row - level) * w);
    const double side = (double)(2 * level + 1) * w;
    return fmin(fmin(left, side - left), fmin(below, side - below));
}

static bool is_done(const struct search *search, long level)
{
    if (search->found < search->k)
        return false;
    return search->rule.one_more_level ||
           search->nearest[search->k - 1] <= guaranteed_radius(search, level);
}

double shepard_lattice_mean(const struct shepard_lattice *lattice, struct shepard_lattice_rule rule,
                            double x, double y, size_t k, size_t *stray)
{
    struct search search = {.lattice = lattice, .rule = rule, .x = x, .y = y, .k = k};
    double sum = 0;
    long level = 0;
    search.column = cell_along(x, lattice->x0, lattice->w, lattice->columns);
    search.row = cell_along(y, lattice->y0, lattice->w, lattice->rows);
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
