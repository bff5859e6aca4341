/* SPDX-License-Identifier: MIT */
/* Cells partition places, by the places and the data alone. */
#include "core/target_cells.h"
#include "suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TARGETS 400

struct scene {
    const struct cloud *cloud;
    struct shepard_targets_view targets;
    struct shepard_raster raster;
    double x[TARGETS], y[TARGETS];
    struct shepard_schedule schedule;
    struct shepard_target_cells cells;
    bool light; /* cells->light_pairs */
    struct shepard_target_block block, other;
};

/* ---- scenes ---------------------------------------------------------------------------------- */

/* Places in user units: round the data, in dense spots, far away, and in empty regions. */
static void draw_list(struct scene *scene, unsigned long *seed)
{
    const double unit = 1 / scene->cloud->points.frame.scale;
    double x = 0, y = 0;
    for (size_t i = 0; i < TARGETS; i++) {
        const double kind = chance(seed);
        if (kind < 0.6 || i == 0)
            cloud_target(scene->cloud, seed, &x, &y);
        else if (kind < 0.9)
            x += scaled_chance(seed, -60, -5) * (chance(seed) - 0.5);
        else if (kind < 0.95)
            x *= scaled_chance(seed, 0, 300);
        scene->x[i] = kind > 0.99 ? NAN : x * unit;
        scene->y[i] = y * unit;
    }
    scene->light = chance(seed) < 0.5;
    scene->targets = (struct shepard_targets_view){
        .count = TARGETS, .x = resolved(scene->x), .y = resolved(scene->y)};
}

static void draw_window(struct scene *scene, unsigned long *seed)
{
    struct shepard_window *window = &scene->targets.window;
    window->column = pick(seed, scene->raster.columns);
    window->row = pick(seed, scene->raster.rows);
    window->columns = 1 + pick(seed, scene->raster.columns - window->column);
    window->rows = 1 + pick(seed, scene->raster.rows - window->row);
    window->columns = window->columns < 40 ? window->columns : 40;
    window->rows = window->rows < 40 ? window->rows : 40;
    scene->targets.count = window->columns * window->rows;
}

static void draw_raster(struct scene *scene, unsigned long *seed)
{
    const struct shepard_frame *frame = &scene->cloud->points.frame;
    const double unit = 1 / frame->scale, size = scaled_chance(seed, -8, 2);
    double x, y;
    scene->light = chance(seed) < 0.5;
    cloud_target(scene->cloud, seed, &x, &y);
    scene->raster = (struct shepard_raster){(x - size * chance(seed)) * unit,
                                            (y + size * chance(seed)) * unit,
                                            size * unit / 100 * (chance(seed) < 0.5 ? -1 : 1),
                                            size * unit / 90 * (chance(seed) < 0.5 ? -1 : 1),
                                            1 + pick(seed, 300),
                                            1 + pick(seed, 300)};
    scene->targets = (struct shepard_targets_view){.raster = &scene->raster};
    draw_window(scene, seed);
}

/* A raster over all data, of so many cells a side or some more. */
static void draw_raster_over(struct scene *scene, size_t least, unsigned long *seed)
{
    const struct shepard_box *box = &scene->cloud->points.frame.box;
    const double unit = 1 / scene->cloud->points.frame.scale;
    const size_t columns = least + pick(seed, 30), rows = least + pick(seed, 30);
    scene->raster = (struct shepard_raster){box->x_min * unit,
                                            box->y_max * unit,
                                            (box->x_max - box->x_min) * unit / (double)columns,
                                            -(box->y_max - box->y_min) * unit / (double)rows,
                                            columns,
                                            rows};
    scene->targets = (struct shepard_targets_view){.raster = &scene->raster};
    draw_window(scene, seed);
}

/* Mostly 4 x 4 cells share one where data are even. */
static void draw_coarse_raster(struct scene *scene, unsigned long *seed)
{
    scene->light = chance(seed) < 0.5;
    draw_raster_over(scene, 20, seed);
}

/* 8 x 8 cells do. */
static void draw_less_coarse_raster(struct scene *scene, unsigned long *seed)
{
    scene->light = true;
    draw_raster_over(scene, 80, seed);
}

static void open_scene(struct scene *scene, unsigned long *seed)
{
    const size_t tile = chance(seed) < 0.7 ? 16 : 1 + pick(seed, SHEPARD_TILE_MAX);
    scene->cells = (struct shepard_target_cells){.tree = &scene->cloud->store.tree,
                                                 .kernels = shepard_kernels_choose()->search,
                                                 .targets = &scene->targets,
                                                 .frame = &scene->cloud->points.frame,
                                                 .nearest = 1,
                                                 .light_pairs = scene->light};
    shepard_target_cells_init(&scene->cells);
    if (shepard_schedule_create(&scene->targets, scene->cells.frame,
                                (struct shepard_block_size){.tile = tile, .run = tile * tile}, 2,
                                NULL, &scene->schedule) != SHEPARD_OK)
        exit(2);
}

/* ---- checks ---------------------------------------------------------------------------------- */

static bool same_cell(const struct shepard_target_cell *a, const struct shepard_target_cell *b)
{
    return a->single == b->single && a->depth == b->depth && a->column == b->column &&
           a->row == b->row && memcmp(&a->region, &b->region, sizeof a->region) == 0;
}

static bool is_within(const struct shepard_target_cell *cell, double x, double y)
{
    const struct shepard_box *box = &cell->region;
    return x >= box->x_min && x <= box->x_max && y >= box->y_min && y <= box->y_max;
}

static void guess(struct scene *scene, unsigned long *seed)
{
    if (scene->targets.raster != NULL)
        scene->cells.depth = (int)pick(seed, 5);
    else
        scene->cells.depth = chance(seed) < 0.5 ? (int)pick(seed, 30) : (int)pick(seed, 480) - 240;
}

static struct shepard_area surroundings_of(const struct shepard_target_cell *cell)
{
    const struct shepard_box *box = &cell->region;
    const double x = (box->x_max - box->x_min) / 2, y = (box->y_max - box->y_min) / 2;
    return (struct shepard_area){box->x_min - x, box->x_max + x, box->y_min - y, box->y_max + y};
}

/* Leaves that touch an area, by a scan of all: their number, and whether the listed ones are they.
 */
static size_t scan_leaves(const struct shepard_tree *tree, const struct shepard_area *area,
                          const uint32_t *listed, size_t count, bool *same)
{
    size_t found = 0;
    *same = true;
    for (size_t leaf = 0; leaf < (tree->count + SHEPARD_LEAF - 1) / SHEPARD_LEAF; leaf++) {
        const struct shepard_boxes *boxes = &tree->boxes[0][leaf / SHEPARD_FANOUT];
        const size_t i = leaf % SHEPARD_FANOUT;
        if (boxes->x_min[i] > area->x_max || boxes->x_max[i] < area->x_min ||
            boxes->y_min[i] > area->y_max || boxes->y_max[i] < area->y_min)
            continue;
        *same = *same && found < count && listed[found] == leaf;
        found++;
    }
    *same = *same && found == count;
    return found;
}

static int compare_leaves(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Leaves that may touch a cell and its surroundings: more where few cells of a raster share it. */
static size_t leaves_allowed(const struct scene *scene, int depth)
{
    const size_t of_depth[] = {64, 192, 512, scene->cells.light_pairs ? 256 : 64, 64};
    return scene->targets.raster != NULL ? of_depth[depth] : 64;
}

/* The leaves of the last cell are those that touch it and half its size to each side, no more than
 * are allowed. */
static bool lists_leaves(const struct scene *scene, const struct shepard_target_cell *cell)
{
    const struct shepard_target_cells *cells = &scene->cells;
    const struct shepard_area area = surroundings_of(cell);
    static uint32_t sorted[SHEPARD_CELL_LEAVES_MAX];
    bool same;
    memcpy(sorted, cells->leaf, cells->leaves * sizeof *sorted);
    qsort(sorted, cells->leaves, sizeof *sorted, compare_leaves);
    const size_t leaves = scan_leaves(cells->tree, &area, sorted, cells->leaves, &same);
    return cell->single ? same || leaves > 64
                        : same && leaves <= leaves_allowed(scene, cell->depth);
}

/* The raster cells of a larger cell's square that the raster has, and half its size to each side.
 */
static struct shepard_area larger_area(const struct scene *scene,
                                       const struct shepard_target_cell *cell, int depth)
{
    const struct shepard_raster *raster = scene->targets.raster;
    const double side = ldexp(1, depth), fewer = ldexp(1, cell->depth - depth);
    const double column = floor(cell->column * fewer) * side, row = floor(cell->row * fewer) * side;
    const double right = fmin(column + side, (double)raster->columns) - 1;
    const double bottom = fmin(row + side, (double)raster->rows) - 1;
    struct shepard_target_cell larger = {.region = {INFINITY, -INFINITY, INFINITY, -INFINITY}};
    for (int corner = 0; corner < 4; corner++) {
        double x = raster->x0 + ((corner & 1 ? right : column) + 0.5) * raster->dx;
        double y = raster->y0 + ((corner & 2 ? bottom : row) + 0.5) * raster->dy;
        shepard_frame_target(scene->cells.frame, &x, &y);
        larger.region = (struct shepard_box){
            fmin(larger.region.x_min, x - fabs(x) * 1e-14),
            fmax(larger.region.x_max, x + fabs(x) * 1e-14),
            fmin(larger.region.y_min, y - fabs(y) * 1e-14),
            fmax(larger.region.y_max, y + fabs(y) * 1e-14),
        };
    }
    return surroundings_of(&larger);
}

/* Whether a raster's cell could be larger, with as few leaves as are allowed there. */
static bool could_be_larger(const struct scene *scene, const struct shepard_target_cell *cell)
{
    bool same;
    for (int depth = cell->depth + 1; depth <= 4; depth++) {
        const struct shepard_area area = larger_area(scene, cell, depth);
        if (scan_leaves(scene->cells.tree, &area, NULL, 0, &same) <= leaves_allowed(scene, depth))
            return true;
    }
    return false;
}

/* NULL or what is wrong with the cell of target i. */
static const char *check_target(struct scene *scene, size_t i, struct shepard_target_cell *cell,
                                unsigned long *seed)
{
    struct shepard_target_cell again;
    shepard_target_cells_find(&scene->cells, &scene->block, i, cell);
    if (!is_within(cell, scene->block.x[i], scene->block.y[i]))
        return "a place is not in its cell's region";
    if (!shepard_target_cells_hold(&scene->cells, cell, &scene->block, i))
        return "a cell does not hold the place it was found for";
    if (!lists_leaves(scene, cell))
        return "the leaves are not those round the cell";
    if (scene->targets.raster != NULL && could_be_larger(scene, cell))
        return "a cell of few raster cells is smaller than it could be";
    for (int times = 0; times < 2; times++) {
        guess(scene, seed);
        shepard_target_cells_find(&scene->cells, &scene->block, i, &again);
        if (!same_cell(cell, &again))
            return "a cell depends on what was found before";
        if (!lists_leaves(scene, cell))
            return "the leaves are not those round the cell after another guess";
    }
    return NULL;
}

/* Whether a cell holds the places of the other block whose cell it is, and no others. */
static const char *check_holding(struct scene *scene, const struct shepard_target_cell *cell)
{
    for (size_t j = 0; j < scene->other.count; j++) {
        struct shepard_target_cell found;
        if (isnan(scene->other.x[j]))
            continue;
        shepard_target_cells_find(&scene->cells, &scene->other, j, &found);
        if (shepard_target_cells_hold(&scene->cells, cell, &scene->other, j) !=
            same_cell(cell, &found))
            return "a cell holds a place of another, or not its own";
        if (same_cell(cell, &found) && !is_within(cell, scene->other.x[j], scene->other.y[j]))
            return "a cell's region does not hold all its places";
    }
    return NULL;
}

/* Whether each target but the first is next to the one before. */
static bool steps_by_one(const struct scene *scene)
{
    const size_t columns = scene->targets.window.columns;
    for (size_t i = 1; i < scene->block.count; i++) {
        const size_t a = scene->block.index[i - 1], b = scene->block.index[i];
        const size_t x = a % columns, y = a / columns, u = b % columns, v = b / columns;
        if ((x > u ? x - u : u - x) + (y > v ? y - v : v - y) != 1)
            return false;
    }
    return true;
}

/* NULL or what is wrong with the order of a raster's block: targets of an aligned square follow on
 * each other, those of a whole tile each next to the one before. */
static const char *check_order(const struct scene *scene)
{
    const struct shepard_target_block *block = &scene->block;
    const struct shepard_window *window = &scene->targets.window;
    if (block->count == SHEPARD_TILE_MAX * SHEPARD_TILE_MAX && !steps_by_one(scene))
        return "a target of a tile is not next to the one before";
    for (int depth = 1; depth <= 4; depth++) {
        bool entered[256] = {false};
        size_t last = SIZE_MAX;
        for (size_t i = 0; i < block->count; i++) {
            const size_t column = window->column + block->index[i] % window->columns;
            const size_t row = window->row + block->index[i] / window->columns;
            const size_t square = (row % 16 >> depth) * 16 + (column % 16 >> depth);
            if (square != last && entered[square])
                return "targets of a square do not follow on each other";
            entered[square] = true;
            last = square;
        }
    }
    return NULL;
}

static bool has_each_once(const struct scene *scene, const size_t *times)
{
    for (size_t i = 0; i < scene->targets.count; i++)
        if (times[i] != 1)
            return false;
    return true;
}

/* NULL or what is wrong with the blocks of a raster. */
static const char *check_raster_blocks(struct scene *scene)
{
    const char *fault = NULL;
    size_t *times = calloc(scene->targets.count, sizeof *times);
    if (times == NULL)
        exit(2);
    for (size_t block = 0; block < scene->schedule.blocks && fault == NULL; block++) {
        shepard_schedule_block(&scene->schedule, block, &scene->block);
        for (size_t i = 0; i < scene->block.count; i++)
            times[scene->block.index[i]]++;
        fault = scene->schedule.tile == 16 ? check_order(scene) : NULL;
    }
    if (fault == NULL && !has_each_once(scene, times))
        fault = "a cell of the raster is in no block, or in several";
    free(times);
    return fault;
}

static const char *check_block(struct scene *scene, size_t block, size_t *singles, size_t *shared,
                               unsigned long *seed)
{
    const char *fault = NULL;
    shepard_schedule_block(&scene->schedule, block, &scene->block);
    shepard_schedule_block(&scene->schedule, pick(seed, scene->schedule.blocks), &scene->other);
    for (size_t i = 0; i < scene->block.count && fault == NULL; i++) {
        struct shepard_target_cell cell;
        if (isnan(scene->block.x[i]))
            continue;
        fault = check_target(scene, i, &cell, seed);
        if (fault == NULL && i % 16 == 0)
            fault = check_holding(scene, &cell);
        *singles += cell.single;
        if (!cell.single && scene->cells.leaves > 64)
            shared[cell.depth]++;
    }
    return fault;
}

static void check_scene(struct tally *tally, const struct cloud *cloud,
                        void (*draw)(struct scene *scene, unsigned long *seed), size_t *singles,
                        size_t *shared, unsigned long *seed)
{
    static struct scene scene;
    const char *fault = NULL;
    scene.cloud = cloud;
    draw(&scene, seed);
    open_scene(&scene, seed);
    const bool raster = scene.targets.raster != NULL;
    if (raster)
        fault = check_raster_blocks(&scene);
    for (size_t block = 0; block < scene.schedule.blocks && fault == NULL; block++)
        fault = check_block(&scene, block, singles, shared, seed);
    tally_check(tally, fault == NULL, "cells of %s over %s, n = %zu: %s",
                raster ? "a raster" : "a list", cloud->name, cloud->points.count, fault);
    shepard_schedule_free(&scene.schedule);
}

/* The cell of a raster's place is the same in whatever window it is. */
static void check_windows(struct tally *tally, const struct cloud *cloud, unsigned long *seed)
{
    static struct scene scene;
    bool same = true;
    scene.cloud = cloud;
    draw_raster(&scene, seed);
    open_scene(&scene, seed);
    for (int i = 0; i < 50; i++) {
        const struct shepard_window window = scene.targets.window;
        const size_t column = window.column + pick(seed, window.columns);
        const size_t row = window.row + pick(seed, window.rows);
        struct shepard_target_cell cells[2];
        for (int alone = 0; alone < 2; alone++) {
            scene.targets.window = alone ? (struct shepard_window){column, row, 1, 1} : window;
            scene.block.index[0] =
                alone ? 0 : (row - window.row) * window.columns + column - window.column;
            shepard_targets_at(&scene.targets, scene.block.index[0], scene.block.x, scene.block.y);
            shepard_frame_target(scene.cells.frame, scene.block.x, scene.block.y);
            shepard_target_cells_find(&scene.cells, &scene.block, 0, &cells[alone]);
        }
        scene.targets.window = window;
        same = same && same_cell(&cells[0], &cells[1]);
    }
    tally_check(tally, same, "cells of a raster over %s depend on the window", cloud->name);
    shepard_schedule_free(&scene.schedule);
}

void check_cells(struct tally *tally, unsigned long seed)
{
    static const size_t sizes[] = {1, 40, 3000, 60000};
    size_t singles = 0, shared[5] = {0}; /* by depth */
    for (int kind = 0; kind < CLOUD_KINDS; kind++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            struct cloud cloud;
            cloud_make(&cloud, (enum cloud_kind)kind, sizes[i], 1, false, &seed);
            for (int times = 0; times < (sizes[i] > 3000 ? 1 : 3); times++) {
                check_scene(tally, &cloud, draw_list, &singles, shared, &seed);
                check_scene(tally, &cloud, draw_raster, &singles, shared, &seed);
            }
            if (sizes[i] > 3000) {
                check_scene(tally, &cloud, draw_coarse_raster, &singles, shared, &seed);
                check_scene(tally, &cloud, draw_less_coarse_raster, &singles, shared, &seed);
            }
            check_windows(tally, &cloud, &seed);
            cloud_free(&cloud);
        }
    tally_check(tally, singles > 0, "no place was a cell of its own");
    for (int depth = 2; depth <= 3; depth++)
        tally_check(tally, shared[depth] > 0, "no cells of a coarse raster shared one of depth %d",
                    depth);
}
