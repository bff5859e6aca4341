/* SPDX-License-Identifier: MIT */
#include "core/target_cells.h"

#include "base/arithmetic.h"
#include "core/division.h"

#include <math.h>
#include <string.h>

/* Leaves that touch a cell and its surroundings, half its size to each side, at most. Measured:
 * fewer make more, emptier vectors of targets, more make longer lists. */
#define LEAVES_MAX 64

/* Depths of the division of the plane. */
#define DEPTH_MIN (-240)
#define DEPTH_MAX 240 /* the smallest cells, one place each: small enough near the origin */
#define DEPTH_START 8

/* The largest cell of a raster: the tile of a block. */
#define RASTER_DEPTH_MAX 4

/* A raster coarser than the data would have cells of one or a few of its own: each walks down the
 * tree for itself, in lanes that are mostly empty. Cells of this depth, then of the depths below,
 * are taken where so many leaves are in and round them at most: longer lists, shared by more. Of
 * the first depth only where points cost little; more leaves are slower with clustered data. */
#define SHARED_DEPTH 3
static const size_t shared_leaves[SHARED_DEPTH + 1] = {0, 192, SHEPARD_CELL_LEAVES_MAX, 256};

/* Half the diagonal of a leaf's box is about this times the spacing of its points. */
#define LEAF_RADIUS 2.5

/* The weight floor is, for each of the points known, this much (log2) below the weight at the mean
 * spacing: few targets are farther than twice that from the nearest point, or from most of ten. */
#define STANDARD_SLACK 2
#define NEAREST_MAX 16

void shepard_target_cells_init(struct shepard_target_cells *cells)
{
    cells->depth = cells->targets->raster != NULL ? RASTER_DEPTH_MAX : DEPTH_START;
}

/* ---- regions --------------------------------------------------------------------------------- */

/* One side of a cell, a little more for the rounding of coordinates and differences; false if that
 * is not small relative to the cell. */
static bool side_in_plane(double origin, double number, int depth, double *low, double *high)
{
    const double start = shepard_division_start(number, depth), size = ldexp(1, -depth);
    const double pad = (fabs(origin) + fabs(start) + size) * 0x1p-50;
    *low = origin + start - pad;
    *high = origin + start + size + pad;
    return pad < size / 64;
}

static bool region_in_plane(const struct shepard_target_cells *cells,
                            struct shepard_target_cell *cell)
{
    const struct shepard_box *box = &cells->frame->box;
    return side_in_plane(box->x_min, cell->column, cell->depth, &cell->region.x_min,
                         &cell->region.x_max) &&
           side_in_plane(box->y_min, cell->row, cell->depth, &cell->region.y_min,
                         &cell->region.y_max);
}

/* From the centres of the raster cells at the corners, frame units. */
static void side_of_raster(const double corners[4], double *low, double *high)
{
    const double first = fmin(fmin(corners[0], corners[1]), fmin(corners[2], corners[3]));
    const double last = fmax(fmax(corners[0], corners[1]), fmax(corners[2], corners[3]));
    const double pad = (fabs(first) + fabs(last)) * 0x1p-50;
    *low = first - pad;
    *high = last + pad;
}

static void region_of_raster(const struct shepard_target_cells *cells,
                             struct shepard_target_cell *cell)
{
    const struct shepard_raster *raster = cells->targets->raster;
    const double side = ldexp(1, cell->depth);
    const double right = fmin((cell->column + 1) * side, (double)raster->columns) - 1;
    const double bottom = fmin((cell->row + 1) * side, (double)raster->rows) - 1;
    const double x0 = raster->x0 + (cell->column * side + 0.5) * raster->dx;
    const double y0 = raster->y0 + (cell->row * side + 0.5) * raster->dy;
    const double x1 = raster->x0 + (right + 0.5) * raster->dx;
    const double y1 = raster->y0 + (bottom + 0.5) * raster->dy;
    /* Stretched at an angle the cell is a parallelogram. */
    double x[] = {x0, x1, x0, x1}, y[] = {y0, y1, y1, y0};
    for (int i = 0; i < 4; i++)
        shepard_frame_target(cells->frame, &x[i], &y[i]);
    side_of_raster(x, &cell->region.x_min, &cell->region.x_max);
    side_of_raster(y, &cell->region.y_min, &cell->region.y_max);
}

static void number_of(const struct shepard_target_cells *cells,
                      const struct shepard_target_block *block, size_t i, int depth, double *column,
                      double *row)
{
    if (cells->targets->raster == NULL) {
        const struct shepard_box *box = &cells->frame->box;
        *column = shepard_division_number(block->x[i] - box->x_min, depth);
        *row = shepard_division_number(block->y[i] - box->y_min, depth);
        return;
    }
    const struct shepard_window *window = &cells->targets->window;
    const double side = ldexp(1, depth);
    *column = floor((double)(window->column + block->index[i] % window->columns) / side);
    *row = floor((double)(window->row + block->index[i] / window->columns) / side);
}

/* ---- leaves round a region ------------------------------------------------------------------- */

/* A region, and half its size to each side. */
static struct shepard_area surroundings(const struct shepard_box *region)
{
    const double x = (region->x_max - region->x_min) / 2, y = (region->y_max - region->y_min) / 2;
    return (struct shepard_area){region->x_min - x, region->x_max + x, region->y_min - y,
                                 region->y_max + y};
}

static bool few_leaves(struct shepard_target_cells *cells, const struct shepard_box *region)
{
    const struct shepard_area area = surroundings(region);
    cells->kernels->list_leaves(cells->tree, &area, &cells->list);
    return cells->list.complete && cells->list.count <= LEAVES_MAX;
}

/* Adds the leaves of a set of siblings that touch an area; false where they are more than most. */
static bool add_leaves(struct shepard_target_cells *cells, int level, size_t set,
                       const struct shepard_area *area, size_t most)
{
    const struct shepard_boxes *boxes = &cells->tree->boxes[level][set];
    for (size_t i = 0; i < SHEPARD_FANOUT; i++) {
        const size_t node = set * SHEPARD_FANOUT + i;
        if (!shepard_area_touches(boxes, i, area))
            continue;
        if (level > 0 ? !add_leaves(cells, level - 1, node, area, most) : cells->leaves == most)
            return false;
        if (level == 0)
            cells->leaf[cells->leaves++] = (uint32_t)node;
    }
    return true;
}

/* Sets the cell of target i at a depth; whether it is a cell there: with few leaves. */
static bool try_depth(struct shepard_target_cells *cells, const struct shepard_target_block *block,
                      size_t i, int depth, struct shepard_target_cell *cell)
{
    cell->depth = depth;
    number_of(cells, block, i, depth, &cell->column, &cell->row);
    cell->single = false;
    if (cells->targets->raster != NULL) {
        region_of_raster(cells, cell);
        cell->single = depth == 0;
    } else if (depth >= DEPTH_MAX || !region_in_plane(cells, cell)) {
        cell->single = true;
    }
    if (cell->single)
        cell->region = (struct shepard_box){block->x[i], block->x[i], block->y[i], block->y[i]};
    return few_leaves(cells, &cell->region) || cell->single;
}

/* ---- finding --------------------------------------------------------------------------------- */

bool shepard_target_cells_hold(const struct shepard_target_cells *cells,
                               const struct shepard_target_cell *cell,
                               const struct shepard_target_block *block, size_t i)
{
    if (cells->targets->star_radii != NULL)
        return false;
    if (cell->single)
        return block->x[i] == cell->region.x_min && block->y[i] == cell->region.y_min;
    double column, row;
    number_of(cells, block, i, cell->depth, &column, &row);
    return column == cell->column && row == cell->row;
}

/* A cell's surroundings hold those of its parts, so that there is one depth at which there are few
 * leaves and at the next larger size too many. */
static void search_depth(struct shepard_target_cells *cells,
                         const struct shepard_target_block *block, size_t i,
                         struct shepard_target_cell *cell)
{
    const bool raster = cells->targets->raster != NULL;
    const int smaller = raster ? -1 : 1, largest = raster ? RASTER_DEPTH_MAX : DEPTH_MIN;
    int depth = cells->depth;
    if (!try_depth(cells, block, i, depth, cell)) {
        while (!try_depth(cells, block, i, depth += smaller, cell))
            ;
        return;
    }
    struct shepard_target_cell next;
    while (depth != largest && try_depth(cells, block, i, depth - smaller, &next)) {
        depth -= smaller;
        *cell = next;
    }
    /* The lists of leaves are of the last try. */
    if (depth != largest)
        try_depth(cells, block, i, depth, cell);
}

/* A larger cell than the search found, where that has few raster cells. */
static bool share(struct shepard_target_cells *cells, const struct shepard_target_block *block,
                  size_t i, struct shepard_target_cell *cell)
{
    const int most = cells->light_pairs ? SHARED_DEPTH : SHARED_DEPTH - 1;
    for (int depth = most; cells->targets->raster != NULL && depth > cell->depth; depth--) {
        struct shepard_target_cell larger = {.depth = depth};
        number_of(cells, block, i, depth, &larger.column, &larger.row);
        region_of_raster(cells, &larger);
        const struct shepard_area area = surroundings(&larger.region);
        cells->leaves = 0;
        if (add_leaves(cells, cells->tree->levels - 1, 0, &area, shared_leaves[depth])) {
            *cell = larger;
            return true;
        }
    }
    return false;
}

void shepard_target_cells_find(struct shepard_target_cells *cells,
                               const struct shepard_target_block *block, size_t i,
                               struct shepard_target_cell *cell)
{
    if (cells->targets->star_radii != NULL) {
        /* No two targets leave the same points out. */
        *cell = (struct shepard_target_cell){
            .single = true, .region = {block->x[i], block->x[i], block->y[i], block->y[i]}};
        return;
    }
    search_depth(cells, block, i, cell);
    cells->depth = cell->depth;
    if (share(cells, block, i, cell))
        return;
    cells->leaves = cells->list.count;
    memcpy(cells->leaf, cells->list.leaf, cells->leaves * sizeof *cells->leaf);
}

/* From the leaves listed. */
double shepard_target_cells_spacing(const struct shepard_target_cells *cells,
                                    const struct shepard_target_cell *cell,
                                    const struct shepard_moments *moments)
{
    const struct shepard_box *region = &cell->region;
    double radius = 0;
    for (size_t j = 0; j < cells->leaves; j++)
        radius += moments->nodes[cells->leaf[j]].scale;
    return cells->leaves > 0
               ? radius / ((double)cells->leaves * LEAF_RADIUS)
               : 2 * fmax(region->x_max - region->x_min, region->y_max - region->y_min);
}

struct shepard_weight_floor
shepard_target_cells_weight_floor(const struct shepard_target_cells *cells,
                                  const struct shepard_target_cell *cell,
                                  const struct shepard_moments *moments)
{
    const double spacing = shepard_target_cells_spacing(cells, cell, moments);
    const double all =
        (double)moments
            ->mean_radius_log2[moments->first[moments->levels - 1] * moments->mean_radius_stride];
    double charge = 0;
    for (size_t j = 0; j < cells->leaves; j++)
        charge +=
            exp2((double)moments->mean_radius_log2[cells->leaf[j] * moments->mean_radius_stride]);
    const double mean = cells->leaves > 0 ? log2(charge / (double)(cells->leaves * SHEPARD_LEAF))
                                          : all - log2((double)cells->tree->count);
    const double known = log2((double)shepard_smaller(cells->nearest, NEAREST_MAX));
    return (struct shepard_weight_floor){
        mean + known - STANDARD_SLACK,
        log2(fmax(spacing * spacing + cells->smoothing2, 0x1p-1000)) / 2};
}
