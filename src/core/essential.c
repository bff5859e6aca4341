/* SPDX-License-Identifier: MIT */
#include "core/essential.h"

#include "base/arithmetic.h"
#include "base/memory.h"
#include "core/schedule.h"

#include <math.h>

/* Halvings of a window of tiles down to one: room for a list of roots at each. */
#define DEPTH_MAX 64

/* More than rounding adds to a distance, and errors of logarithms and squares of float32 to what it
 * is compared with. */
#define MARGIN (1 + 1e-9)
#define OPEN_MARGIN 1.002

struct marking {
    const struct shepard_essential_query *query;
    unsigned char *needed;
};

/* A window of tiles of SHEPARD_TILE_MAX x SHEPARD_TILE_MAX raster cells, the largest cells of
 * targets: columns first to end - 1. */
struct tiles {
    size_t column, column_end, row, row_end;
};

double shepard_essential_reach(const struct shepard_accuracy *accuracy,
                               const float *mean_radius_log2, int orders)
{
    const int o = (orders < accuracy->orders ? orders : accuracy->orders) - 1;
    if (o < 0)
        return INFINITY;
    const double least = (double)accuracy->relative[accuracy->parts - 1][o];
    return exp2((double)mean_radius_log2[o] - least) * OPEN_MARGIN;
}

/* ---- regions --------------------------------------------------------------------------------- */

/* The centres of raster cells first to end - 1 along one side, frame units, rounding included. */
static void side_of(double first, double last, double *low, double *high)
{
    const double pad = (fabs(first) + fabs(last)) * 0x1p-48;
    *low = fmin(first, last) - pad;
    *high = fmax(first, last) + pad;
}

static struct shepard_box region_of(const struct shepard_essential_query *query,
                                    const struct tiles *tiles)
{
    const struct shepard_raster *raster = query->raster;
    const size_t right = shepard_smaller(tiles->column_end * SHEPARD_TILE_MAX, raster->columns) - 1;
    const size_t bottom = shepard_smaller(tiles->row_end * SHEPARD_TILE_MAX, raster->rows) - 1;
    double x0 = raster->x0 + ((double)(tiles->column * SHEPARD_TILE_MAX) + 0.5) * raster->dx;
    double y0 = raster->y0 + ((double)(tiles->row * SHEPARD_TILE_MAX) + 0.5) * raster->dy;
    double x1 = raster->x0 + ((double)right + 0.5) * raster->dx;
    double y1 = raster->y0 + ((double)bottom + 0.5) * raster->dy;
    struct shepard_box region;
    shepard_frame_target(query->frame, &x0, &y0);
    shepard_frame_target(query->frame, &x1, &y1);
    side_of(x0, x1, &region.x_min, &region.x_max);
    side_of(y0, y1, &region.y_min, &region.y_max);
    return region;
}

static double gap(double low, double high, double a_low, double a_high)
{
    return a_low > high ? a_low - high : low > a_high ? low - a_high : 0;
}

/* The least squared distance of places in two boxes. */
static double least2(const struct shepard_box *a, const struct shepard_box *b)
{
    const double dx = gap(a->x_min, a->x_max, b->x_min, b->x_max);
    const double dy = gap(a->y_min, a->y_max, b->y_min, b->y_max);
    return dx * dx + dy * dy;
}

static double most2(const struct shepard_box *a, const struct shepard_box *b)
{
    const double dx = fmax(a->x_max - b->x_min, b->x_max - a->x_min);
    const double dy = fmax(a->y_max - b->y_min, b->y_max - a->y_min);
    return dx * dx + dy * dy;
}

/* ---- needs ----------------------------------------------------------------------------------- */

/* A squared distance within which each place of a region has as many points as are searched for. */
static double reach2_of(const struct marking *marking, const struct shepard_box *region,
                        const uint32_t *list, size_t count)
{
    const struct shepard_essential_query *query = marking->query;
    double reach2 = INFINITY;
    for (size_t i = 0; i < count; i++)
        if (query->roots[list[i]].points >= query->nearest)
            reach2 = fmin(reach2, most2(region, &query->roots[list[i]].box));
    return reach2 * MARGIN;
}

/* Leaves are counted half a cell's size round a cell. */
static struct shepard_box surroundings(const struct shepard_box *region)
{
    const double x = (region->x_max - region->x_min) / 2 * MARGIN;
    const double y = (region->y_max - region->y_min) / 2 * MARGIN;
    return (struct shepard_box){region->x_min - x, region->x_max + x, region->y_min - y,
                                region->y_max + y};
}

static bool may_need(const struct shepard_essential_root *root, const struct shepard_box *region,
                     const struct shepard_box *around, double reach2)
{
    const struct shepard_box centre = {root->x, root->x, root->y, root->y};
    return least2(region, &root->box) <= reach2 || least2(around, &root->box) == 0 ||
           least2(region, &centre) <= root->open * root->open;
}

/* The two halves of a window. */
static void halve(const struct tiles *tiles, struct tiles halves[2])
{
    halves[0] = halves[1] = *tiles;
    if (tiles->column_end - tiles->column > tiles->row_end - tiles->row)
        halves[0].column_end = halves[1].column = (tiles->column + tiles->column_end) / 2;
    else
        halves[0].row_end = halves[1].row = (tiles->row + tiles->row_end) / 2;
}

/* What tiles need is in list [count]; room is for what parts of them need. */
static void mark(const struct marking *marking, const struct tiles *tiles, const uint32_t *list,
                 size_t count, uint32_t *room)
{
    const struct shepard_box region = region_of(marking->query, tiles);
    const struct shepard_box around = surroundings(&region);
    const double reach2 = reach2_of(marking, &region, list, count);
    size_t kept = 0, undecided = 0;
    for (size_t i = 0; i < count; i++)
        if (may_need(&marking->query->roots[list[i]], &region, &around, reach2)) {
            undecided += !marking->needed[list[i]];
            room[kept++] = list[i];
        }
    if (undecided == 0)
        return;
    if (tiles->column_end - tiles->column == 1 && tiles->row_end - tiles->row == 1) {
        for (size_t i = 0; i < kept; i++)
            marking->needed[room[i]] = 1;
        return;
    }
    struct tiles halves[2];
    halve(tiles, halves);
    for (int i = 0; i < 2; i++)
        mark(marking, &halves[i], room, kept, room + kept);
}

bool shepard_essential_mark(const struct shepard_essential_query *query,
                            const struct shepard_window *windows, size_t count,
                            const struct shepard_allocator *allocator, unsigned char *needed)
{
    const struct marking marking = {query, needed};
    uint32_t *all = shepard_allocate(allocator, query->count, (1 + DEPTH_MAX) * sizeof *all);
    if (all == NULL)
        return false;
    for (size_t i = 0; i < query->count; i++)
        all[i] = (uint32_t)i;
    for (size_t i = 0; i < count; i++) {
        const struct shepard_window *window = &windows[i];
        if (window->columns == 0 || window->rows == 0)
            continue;
        const struct tiles tiles = {
            window->column / SHEPARD_TILE_MAX,
            shepard_ceil_div(window->column + window->columns, SHEPARD_TILE_MAX),
            window->row / SHEPARD_TILE_MAX,
            shepard_ceil_div(window->row + window->rows, SHEPARD_TILE_MAX)};
        mark(&marking, &tiles, all, query->count, all + query->count);
    }
    shepard_release(allocator, all);
    return true;
}
