/* SPDX-License-Identifier: MIT */
#include "backend/cpu/tile_interpolation.h"

#include "backend/cpu/output.h"
#include "backend/cpu/worker.h"
#include "base/arithmetic.h"
#include "base/memory.h"
#include "core/chebyshev.h"

#include <string.h>

#define NODES_MAX (SHEPARD_CHEBYSHEV_MAX * SHEPARD_CHEBYSHEV_MAX)

enum shepard_status shepard_cpu_tile_create(struct shepard_cpu_worker *worker)
{
    struct shepard_cpu_tile *tile = &worker->tile;
    const struct shepard_allocator *allocator = worker->engine->points->allocator;
    const size_t charges = worker->engine->points->columns + 1;
    *tile = (struct shepard_cpu_tile){.list.allocator = allocator, .far.allocator = allocator};
    if (worker->job->targets->raster == NULL || worker->engine->farfield == NULL)
        return SHEPARD_OK;
    tile->nodes = shepard_allocate(allocator, charges * NODES_MAX, sizeof(double));
    tile->cells = shepard_allocate(allocator, charges * SHEPARD_BLOCK_MAX, sizeof(double));
    if (tile->nodes != NULL && tile->cells != NULL)
        return SHEPARD_OK;
    shepard_cpu_tile_free(worker);
    return SHEPARD_ERROR_MEMORY;
}

void shepard_cpu_tile_free(struct shepard_cpu_worker *worker)
{
    struct shepard_cpu_tile *tile = &worker->tile;
    const struct shepard_allocator *allocator = worker->engine->points->allocator;
    shepard_interactions_free(&tile->list);
    shepard_interactions_free(&tile->far);
    shepard_release(allocator, tile->nodes);
    shepard_release(allocator, tile->cells);
    tile->nodes = tile->cells = NULL;
}

/* ---- whether it pays ------------------------------------------------------------------------- */

/* The sides of a tile over which interpolation is tried, as log2 of raster cells. */
#define DEPTH 4
_Static_assert(1 << DEPTH == SHEPARD_TILE_MAX, "a tile is a block of the schedule");

/* Estimates, in sums over one point at one target: what a target's lists cost where there are more
 * points than that, and how much more a sum costs at a node of the grid than at a target: to a
 * smaller tolerance, perhaps in double, and lanes stay empty. Measured. */
#define LIST_COST 800
#define NODE_COST 2.5
/* Leaves that near points share with others, in mean spacings of points. */
#define LEAF_MARGIN 1.5

#define PI 3.14159265358979323846

/* Coordinates in a tile are exact to this part of its half-side. */
#define POSITION_ERROR 0x1p-22

/* Half-sides of a region. */
struct half {
    double x, y;
};

static struct half half_of(const struct shepard_box *region)
{
    return (struct half){(region->x_max - region->x_min) / 2, (region->y_max - region->y_min) / 2};
}

/* Nodes and cells must be apart in spite of the rounding of their coordinates. */
static bool is_resolved(const struct shepard_box *region)
{
    const struct half half = half_of(region);
    const double x = fmax(fabs(region->x_min), fabs(region->x_max));
    const double y = fmax(fabs(region->y_min), fabs(region->y_max));
    return half.x * POSITION_ERROR > x * 0x1p-50 && half.y * POSITION_ERROR > y * 0x1p-50;
}

/* Points are near up to this R, squared; the factor is for rounding. */
static double reach2_of(const struct shepard_box *region, double ratio)
{
    const struct half half = half_of(region);
    const double reach = ratio * fmax(half.x, half.y) * (1 + 1e-6);
    return reach * reach;
}

/* The raster cells of a tile. */
struct tile {
    size_t column, row, columns, rows;
};

static struct tile tile_of(const struct shepard_raster *raster,
                           const struct shepard_target_cell *cell)
{
    const size_t side = (size_t)1 << DEPTH;
    const size_t column = (size_t)cell->column * side, row = (size_t)cell->row * side;
    return (struct tile){column, row, shepard_smaller(side, raster->columns - column),
                         shepard_smaller(side, raster->rows - row)};
}

/* Points that are near, about. */
static double near_points(const struct shepard_cpu_worker *worker,
                          const struct shepard_target_cell *cell,
                          const struct shepard_weight_floor *weight_floor, double ratio)
{
    const double smoothing2 = worker->engine->rules->smoothing2;
    const double spacing2 = exp2(2 * weight_floor->distance) - smoothing2;
    const double reach2 = reach2_of(&cell->region, ratio) - smoothing2;
    if (!(reach2 > 0))
        return 0;
    const double spacings = sqrt(reach2 / fmax(spacing2, 0x1p-1000)) + LEAF_MARGIN;
    return fmin(PI * spacings * spacings, (double)worker->engine->points->count);
}

static bool wants_values_alone(const struct shepard_cpu_worker *worker)
{
    return worker->engine->rules->degree == 0 &&
           !shepard_cpu_output_needs_double(worker->job->output);
}

const struct shepard_cpu_tile_rules *shepard_cpu_tile_rules_for(
    const struct shepard_cpu_worker *worker, const struct shepard_target_cell *cell,
    const struct shepard_weight_floor *weight_floor, enum shepard_cpu_powers powers)
{
    const struct shepard_raster *raster = worker->job->targets->raster;
    const struct shepard_cpu_kind_rules *far = &worker->engine->farfield->kind[SHEPARD_CPU_VALUES];
    /* A stretched plane turns rows and columns away from its axes. */
    const bool straight = worker->engine->points->geometry->frame.stretch.ratio == 1;
    if (raster == NULL || !straight || cell->single || cell->depth != DEPTH ||
        powers >= SHEPARD_CPU_SINGLE_POWERS || !wants_values_alone(worker) ||
        !is_resolved(&cell->region))
        return NULL;
    const struct tile tile = tile_of(raster, cell);
    const double cells = (double)(tile.columns * tile.rows);
    const double listed = fmin((double)worker->engine->points->count, LIST_COST);
    const struct shepard_cpu_tile_rules *best = NULL;
    double least = cells * listed;
    for (int i = 0; i < SHEPARD_CPU_DENSE_SIZES; i++) {
        const struct shepard_cpu_tile_rules *rules = &far->tile[powers][i];
        if (!(rules->ratio < INFINITY))
            continue;
        const double cost = cells * near_points(worker, cell, weight_floor, rules->ratio) +
                            NODE_COST * listed * rules->size * rules->size;
        best = cost < least ? rules : best;
        least = fmin(cost, least);
    }
    return best;
}

/* ---- sums at the nodes ----------------------------------------------------------------------- */

/* A grid over a tile. */
struct grid {
    int size;
    double x[SHEPARD_CHEBYSHEV_MAX], y[SHEPARD_CHEBYSHEV_MAX];
};

/* Some of a grid's nodes. */
struct nodes {
    size_t first, count;
    double x[SHEPARD_LANES], y[SHEPARD_LANES];
    struct shepard_decay_lanes decay;
};

static struct nodes nodes_of(const struct shepard_cpu_worker *worker, const struct grid *grid,
                             size_t first)
{
    const struct shepard_cpu_tile *tile = &worker->tile;
    const size_t size = (size_t)grid->size;
    struct nodes nodes = {.first = first,
                          .count = shepard_smaller(SHEPARD_LANES, size * size - first)};
    nodes.decay.form = tile->form;
    nodes.decay.one_power = true;
    nodes.decay.smoothing2 = worker->engine->rules->smoothing2;
    for (size_t j = 0; j < nodes.count; j++) {
        nodes.x[j] = grid->x[(first + j) % size];
        nodes.y[j] = grid->y[(first + j) / size];
        nodes.decay.unit2[j] = tile->unit2;
        nodes.decay.half_power[j] = tile->power / 2;
    }
    return nodes;
}

static void keep_sums(const struct shepard_cpu_worker *worker, const struct nodes *nodes,
                      const double *w, const double *z, size_t stride)
{
    double *to = worker->tile.nodes + nodes->first;
    memcpy(to, w, nodes->count * sizeof(double));
    for (size_t c = 0; c < worker->engine->points->columns; c++)
        memcpy(to + (c + 1) * NODES_MAX, z + c * stride, nodes->count * sizeof(double));
}

static void sum_single(struct shepard_cpu_worker *worker, const struct nodes *nodes)
{
    struct shepard_sum_single *sum = &worker->sum_single;
    sum->targets = nodes->count;
    memcpy(sum->x, nodes->x, sizeof sum->x);
    memcpy(sum->y, nodes->y, sizeof sum->y);
    sum->decay = nodes->decay;
    sum->fast_weights = false;
    shepard_cpu_worker_sum_single(worker, &worker->tile.far);
    keep_sums(worker, nodes, sum->w, sum->z, SHEPARD_LANES);
}

static void sum_double(struct shepard_cpu_worker *worker, const struct nodes *nodes)
{
    struct shepard_sum_double *sum = &worker->sum_double;
    const size_t columns = worker->engine->points->columns;
    sum->targets = nodes->count;
    memcpy(sum->x, nodes->x, sizeof sum->x);
    memcpy(sum->y, nodes->y, sizeof sum->y);
    sum->decay = nodes->decay;
    sum->plane = sum->straight = sum->spread = false;
    for (size_t i = 0; i < columns * SHEPARD_ROW; i++)
        worker->rows[i] = worker->engine->middle[i / SHEPARD_ROW];
    shepard_cpu_worker_sum(worker, &worker->tile.far, SHEPARD_CPU_VALUES);
    keep_sums(worker, nodes, sum->w, sum->z, SHEPARD_ROW);
}

static void sum_at_nodes(struct shepard_cpu_worker *worker, const struct grid *grid, bool single)
{
    const double unit2 = worker->tile.unit2;
    single = single && unit2 >= SHEPARD_SINGLE_NEAR2 && unit2 <= SHEPARD_SINGLE_FAR2;
    for (size_t first = 0; first < (size_t)(grid->size * grid->size); first += SHEPARD_LANES) {
        const struct nodes nodes = nodes_of(worker, grid, first);
        if (single)
            sum_single(worker, &nodes);
        else
            sum_double(worker, &nodes);
    }
}

/* ---- interpolation --------------------------------------------------------------------------- */

/* The grid's polynomials at the columns and rows of a tile. */
struct polynomials {
    double column[SHEPARD_CHEBYSHEV_MAX][SHEPARD_TILE_MAX];
    double row[SHEPARD_TILE_MAX][SHEPARD_CHEBYSHEV_MAX];
};

/* Those of cells that the raster does not have are 0. */
static void set_polynomials(const struct shepard_cpu_worker *worker, const struct tile *tile,
                            const struct grid *grid, struct polynomials *p)
{
    const struct shepard_raster *raster = worker->job->targets->raster;
    const struct shepard_frame *frame = &worker->engine->points->geometry->frame;
    memset(p, 0, sizeof *p);
    for (size_t i = 0; i < SHEPARD_TILE_MAX; i++) {
        double x = raster->x0 + ((double)(tile->column + i) + 0.5) * raster->dx;
        double y = raster->y0 + ((double)(tile->row + i) + 0.5) * raster->dy;
        double weight[SHEPARD_CHEBYSHEV_MAX];
        shepard_frame_target(frame, &x, &y);
        shepard_chebyshev_weights(grid->size, grid->x, x, weight);
        for (int j = 0; i < tile->columns && j < grid->size; j++)
            p->column[j][i] = weight[j];
        if (i < tile->rows)
            shepard_chebyshev_weights(grid->size, grid->y, y, p->row[i]);
    }
}

/* From nodes [size, size] to cells [SHEPARD_TILE_MAX, SHEPARD_TILE_MAX]: along the rows of nodes
 * first. Inlined for each size, so that the sums stay in registers. */
static inline __attribute__((always_inline)) void
interpolate(const int size, const struct polynomials *p, const double *nodes, double *cells)
{
    double along[SHEPARD_CHEBYSHEV_MAX][SHEPARD_TILE_MAX];
    for (int j = 0; j < size; j++)
        for (int i = 0; i < SHEPARD_TILE_MAX; i++) {
            double sum = 0;
            for (int k = 0; k < size; k++)
                sum += nodes[j * size + k] * p->column[k][i];
            along[j][i] = sum;
        }
    for (int row = 0; row < SHEPARD_TILE_MAX; row++)
        for (int i = 0; i < SHEPARD_TILE_MAX; i++) {
            double sum = 0;
            for (int j = 0; j < size; j++)
                sum += p->row[row][j] * along[j][i];
            cells[row * SHEPARD_TILE_MAX + i] = sum;
        }
}

static void interpolate_of_size(int size, const struct polynomials *p, const double *nodes,
                                double *restrict cells)
{
    switch (size) {
    case 4:
        interpolate(4, p, nodes, cells);
        return;
    case 5:
        interpolate(5, p, nodes, cells);
        return;
    case 6:
        interpolate(6, p, nodes, cells);
        return;
    }
    interpolate(size, p, nodes, cells);
}

static void fill_cells(struct shepard_cpu_worker *worker, const struct shepard_target_cell *cell,
                       const struct grid *grid)
{
    const struct tile tile = tile_of(worker->job->targets->raster, cell);
    struct polynomials polynomials;
    set_polynomials(worker, &tile, grid, &polynomials);
    for (size_t c = 0; c <= worker->engine->points->columns; c++)
        interpolate_of_size(grid->size, &polynomials, worker->tile.nodes + c * NODES_MAX,
                            worker->tile.cells + c * SHEPARD_BLOCK_MAX);
}

/* ---- a tile ---------------------------------------------------------------------------------- */

static bool part(struct shepard_cpu_worker *worker, const struct shepard_interaction_query *view,
                 const struct shepard_cpu_tile_rules *rules)
{
    struct shepard_cpu_tile *tile = &worker->tile;
    const struct shepard_box *region = &view->region;
    struct shepard_near_far_split near_far_split = {.tree = worker->engine->tree,
                                                    .moments = view->moments,
                                                    .x = region->x_min + half_of(region).x,
                                                    .y = region->y_min + half_of(region).y,
                                                    .smoothing2 = view->smoothing2,
                                                    .reach2 = reach2_of(region, rules->ratio),
                                                    .near = &worker->interactions,
                                                    .far = &tile->far};
    const bool good = shepard_interactions_part(&tile->list, &near_far_split);
    tile->on = good && near_far_split.least2 < INFINITY;
    tile->unit2 = near_far_split.least2;
    return good;
}

bool shepard_cpu_tile_list(struct shepard_cpu_worker *worker,
                           const struct shepard_target_cell *cell,
                           const struct shepard_interaction_query *view,
                           const struct shepard_cpu_tile_rules *rules)
{
    struct shepard_cpu_tile *tile = &worker->tile;
    const struct shepard_box *region = &view->region;
    struct grid grid = {.size = rules->size};
    tile->power = rules->power;
    tile->form = shepard_cpu_engine_form(worker->engine, rules->power);
    if (!shepard_interactions_list(&tile->list, view) || !part(worker, view, rules))
        return false;
    if (!tile->on)
        return true;
    shepard_chebyshev_nodes(grid.size, region->x_min, region->x_max, grid.x);
    shepard_chebyshev_nodes(grid.size, region->y_min, region->y_max, grid.y);
    sum_at_nodes(worker, &grid, rules->single);
    fill_cells(worker, cell, &grid);
    shepard_cpu_worker_count(worker, &tile->far, (size_t)(grid.size * grid.size));
    return true;
}

/* ratio^(power / 2) */
static double power_of(const struct shepard_cpu_tile *tile, double ratio)
{
    switch (tile->form) {
    case SHEPARD_FORM_1:
        return sqrt(ratio);
    case SHEPARD_FORM_2:
        return ratio;
    case SHEPARD_FORM_3:
        return ratio * sqrt(ratio);
    case SHEPARD_FORM_4:
        return ratio * ratio;
    case SHEPARD_FORM_GENERAL:
        break;
    }
    return pow(ratio, tile->power / 2);
}

void shepard_cpu_tile_add(const struct shepard_cpu_worker *worker,
                          const struct shepard_cpu_batch *batch, struct shepard_sum_double *sum)
{
    const struct shepard_cpu_tile *tile = &worker->tile;
    const struct shepard_window *window = &worker->job->targets->window;
    double factor[SHEPARD_LANES];
    size_t at[SHEPARD_LANES];
    for (size_t j = 0; j < batch->count; j++) {
        const size_t index = worker->block.index[batch->of[j]];
        const size_t column = window->column + index % window->columns;
        const size_t row = window->row + index / window->columns;
        at[j] = row % SHEPARD_TILE_MAX * SHEPARD_TILE_MAX + column % SHEPARD_TILE_MAX;
        factor[j] = power_of(tile, batch->decay.unit2[j] / tile->unit2);
        sum->w[j] += factor[j] * tile->cells[at[j]];
    }
    for (size_t c = 0; c < worker->engine->points->columns; c++)
        for (size_t j = 0; j < batch->count; j++)
            sum->z[c * SHEPARD_ROW + j] +=
                factor[j] * tile->cells[(c + 1) * SHEPARD_BLOCK_MAX + at[j]];
}
