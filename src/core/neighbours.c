/* SPDX-License-Identifier: MIT */
#include "core/neighbours.h"

#include "base/arithmetic.h"
#include "base/memory.h"
#include "core/selection.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* First room for lists whose length is not known beforehand. */
#define LIST_GUESS 256

/* A search by plain k nearest, perhaps in a circle: the fast kernel's case. */
bool shepard_search_is_nearest(const struct shepard_search *search)
{
    return search->sectors == 1 &&
           (search->max_points != SIZE_MAX || search->max_points_per_sector != SIZE_MAX) &&
           (!search->bounded || search->ellipse.radius1 == search->ellipse.radius2);
}

static bool is_limited(const struct shepard_search *search)
{
    return search->max_points != SIZE_MAX || search->max_points_per_sector != SIZE_MAX;
}

bool shepard_hits_reserve(struct shepard_hits *hits, size_t capacity, size_t room,
                          const struct shepard_allocator *allocator)
{
    double *d2 = shepard_allocate(allocator, room + SHEPARD_LEAF, sizeof *d2);
    uint32_t *rank = shepard_allocate(allocator, room + SHEPARD_LEAF, sizeof *rank);
    shepard_release(allocator, hits->d2);
    shepard_release(allocator, hits->rank);
    *hits = (struct shepard_hits){
        .d2 = d2, .rank = rank, .capacity = capacity, .room = room, .left_out = hits->left_out};
    return d2 != NULL && rank != NULL;
}

static void forget_list(struct shepard_neighbours *neighbours)
{
    for (int s = 0; s < SHEPARD_SECTORS_MAX; s++)
        neighbours->list_reach2[s] = -1;
}

static bool reserve_offers(struct shepard_neighbours *neighbours, size_t capacity)
{
    const struct shepard_search *search = neighbours->search;
    struct shepard_sector_hits *offers = &neighbours->offers;
    const size_t room = shepard_sector_hits_room(capacity);
    const bool circle = search->ellipse.radius1 == search->ellipse.radius2;
    offers->sectors = search->sectors;
    offers->capacity = capacity;
    offers->room = room;
    offers->ellipse = search->bounded && !circle ? &search->ellipse : NULL;
    offers->d2 =
        shepard_allocate(neighbours->allocator, room, SHEPARD_SECTORS_MAX * sizeof *offers->d2);
    offers->rank =
        shepard_allocate(neighbours->allocator, room, SHEPARD_SECTORS_MAX * sizeof *offers->rank);
    for (int s = 0; s < SHEPARD_SECTORS_MAX; s++) {
        offers->bound[s] = SHEPARD_SECTOR_CLOSED;
        neighbours->expected2[s] = DBL_MAX;
    }
    return shepard_hits_reserve(&offers->column, capacity, room, neighbours->allocator) &&
           offers->d2 != NULL && offers->rank != NULL;
}

enum shepard_status shepard_neighbours_create(struct shepard_neighbours *neighbours,
                                              const struct shepard_tree *tree,
                                              const struct shepard_search_kernels *kernels,
                                              const struct shepard_search *search,
                                              const struct shepard_allocator *allocator)
{
    *neighbours = (struct shepard_neighbours){
        .tree = tree, .kernels = kernels, .search = search, .allocator = allocator, .reach2 = -1};
    forget_list(neighbours);
    const size_t per_sector = shepard_smaller(
        shepard_smaller(search->max_points, search->max_points_per_sector), tree->count);
    const size_t all = shepard_smaller(per_sector * (size_t)search->sectors, tree->count);
    const size_t dealt = is_limited(search) ? shepard_smaller(all, search->max_points) : LIST_GUESS;
    const size_t room = shepard_search_is_nearest(search) ? shepard_hits_room(dealt) : dealt;
    bool complete = shepard_hits_reserve(&neighbours->hits, dealt, room, allocator);
    const bool by_sector = is_limited(search) && !shepard_search_is_nearest(search);
    const size_t sectors = (size_t)search->sectors;
    neighbours->few = shepard_smaller(per_sector, (search->max_points - 1) / sectors + 1);
    for (int i = 0; complete && by_sector && i < search->sectors; i++)
        complete = shepard_hits_reserve(&neighbours->sectors[i], per_sector, per_sector, allocator);
    if (complete && (!by_sector || reserve_offers(neighbours, per_sector)))
        return SHEPARD_OK;
    shepard_neighbours_free(neighbours);
    return SHEPARD_ERROR_MEMORY;
}

void shepard_neighbours_free(struct shepard_neighbours *neighbours)
{
    for (int i = 0; i < SHEPARD_SECTORS_MAX; i++) {
        shepard_release(neighbours->allocator, neighbours->sectors[i].d2);
        shepard_release(neighbours->allocator, neighbours->sectors[i].rank);
    }
    shepard_release(neighbours->allocator, neighbours->offers.d2);
    shepard_release(neighbours->allocator, neighbours->offers.rank);
    shepard_release(neighbours->allocator, neighbours->offers.column.d2);
    shepard_release(neighbours->allocator, neighbours->offers.column.rank);
    shepard_release(neighbours->allocator, neighbours->hits.d2);
    shepard_release(neighbours->allocator, neighbours->hits.rank);
    *neighbours = (struct shepard_neighbours){0};
}

/* ---- k nearest ------------------------------------------------------------------------------- */

/* What squares of tiny lengths may lose to underflow. */
#define SQUARE_ERROR 0x1p-1000

/* k points lie within the last target's k-th distance plus the distance of that target, so none of
 * the k nearest is farther. Where points are left out, those at the last target's place stand in
 * for those of the k that this one leaves out, if they are as many; of a star nothing is known. The
 * factor covers the rounding of root and squares. */
static double carried_bound(const struct shepard_neighbours *neighbours, double x, double y)
{
    if (neighbours->reach2 < 0 || neighbours->left_out.star != NULL ||
        neighbours->left_out.count > neighbours->last_left_out)
        return DBL_MAX;
    const double dx = x - neighbours->x, dy = y - neighbours->y;
    const double mean_radius_log2 = sqrt(neighbours->reach2) + sqrt(dx * dx + dy * dy);
    return mean_radius_log2 * mean_radius_log2 * (1 + 1e-12) + SQUARE_ERROR;
}

/* Leaves are listed up to this multiple of the last target's distances: density changes slowly. */
#define LIST_REACH 1.5

/* Multiples of the squared distance at which a sector is expected to be full: how far it is
 * searched first, how far leaves are listed, and how far a walk looks before it looks without end.
 * A compromise of what is looked at in vain and what has to be looked at again
 * (docs/performance-notes.md). */
#define SECTOR_FIRST2 2.5
#define SECTOR_LIST2 5
#define SECTOR_WALK2 4

/* Leaves are listed for what is expected of a sector, at least of the median sector and at most
 * this multiple of it; where they are too many, for a quarter, which serves some sectors. */
#define SECTOR_MOST2 4
#define SECTOR_LISTS 2

/* The sine of the angle of an octant, rounded up. */
#define OCTANT_WIDTH 0.70711

static struct shepard_area area_of(const double *x, const double *y, size_t count)
{
    struct shepard_area area = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (size_t i = 0; i < count; i++) {
        /* Comparisons with NaN are false. */
        area.x_min = x[i] < area.x_min ? x[i] : area.x_min;
        area.x_max = x[i] > area.x_max ? x[i] : area.x_max;
        area.y_min = y[i] < area.y_min ? y[i] : area.y_min;
        area.y_max = y[i] > area.y_max ? y[i] : area.y_max;
    }
    return area;
}

/* The area within these distances (squared) of an area, each in its sector. */
static struct shepard_area widen(struct shepard_area area, int sectors, const double *reach2)
{
    double west = 0, east = 0, south = 0, north = 0;
    for (int s = 0; s < sectors; s++) {
        const double reach = sqrt(reach2[s]), half = sectors == 8 ? OCTANT_WIDTH * reach : reach;
        const double across = s & 4 ? reach : half, along = s & 4 ? half : reach;
        if (sectors == 1 || !(s & 1))
            west = fmax(west, across);
        if (sectors == 1 || s & 1)
            east = fmax(east, across);
        if (sectors == 1 || !(s & 2))
            south = fmax(south, along);
        if (sectors == 1 || s & 2)
            north = fmax(north, along);
    }
    return (struct shepard_area){area.x_min - west, area.x_max + east, area.y_min - south,
                                 area.y_max + north};
}

/* Squared distance beyond which nothing can be inside. An ellipse's rotation rounds: a little more
 * than its longer axis is searched. */
static double farthest2(const struct shepard_search *search)
{
    const double longer = fmax(search->ellipse.radius1, search->ellipse.radius2);
    if (!search->bounded)
        return DBL_MAX;
    const bool circle = search->ellipse.radius1 == search->ellipse.radius2;
    return longer * longer * (circle ? 1 : 1 + 1e-12);
}

/* Within these squared distances the next targets find most of what they look for; false: they are
 * not known. */
static bool expect_reach2(const struct shepard_neighbours *neighbours, double *reach2)
{
    const struct shepard_search *search = neighbours->search;
    if (shepard_search_is_nearest(search)) {
        reach2[0] = LIST_REACH * LIST_REACH * neighbours->reach2;
        return neighbours->reach2 >= 0;
    }
    if (!is_limited(search))
        return false;
    const double far2 = farthest2(search);
    double sorted[SHEPARD_SECTORS_MAX];
    for (int i = 0; i < search->sectors; i++)
        sorted[i] = reach2[i] = fmin(neighbours->expected2[i], far2);
    shepard_select(sorted, search->sectors, search->sectors / 2);
    const double median2 = sorted[search->sectors / 2];
    for (int i = 0; i < search->sectors; i++) {
        const double wanted2 = shepard_clamp(reach2[i], median2, SECTOR_MOST2 * median2);
        reach2[i] = fmin(SECTOR_LIST2 * wanted2, far2 * (1 + 1e-6));
    }
    return median2 < DBL_MAX;
}

void shepard_neighbours_prepare(struct shepard_neighbours *neighbours, const double *x,
                                const double *y, size_t count)
{
    double reach2[SHEPARD_SECTORS_MAX];
    const int sectors = neighbours->search->sectors;
    forget_list(neighbours);
    if (!expect_reach2(neighbours, reach2))
        return;
    const struct shepard_area targets = area_of(x, y, count);
    const int lists = shepard_search_is_nearest(neighbours->search) ? 1 : SECTOR_LISTS;
    for (int list = 0; list < lists && neighbours->list_reach2[0] < 0; list++) {
        const struct shepard_area area = widen(targets, sectors, reach2);
        neighbours->kernels->list_leaves(neighbours->tree, &area, &neighbours->list);
        for (int s = 0; s < sectors; s++) {
            /* The area's edges are rounded, so the guaranteed radius is a little smaller. */
            if (neighbours->list.count > 0)
                neighbours->list_reach2[s] = reach2[s] * (1 - 1e-9) - SQUARE_ERROR;
            reach2[s] /= 4;
        }
    }
}

void shepard_neighbours_prepare_block(struct shepard_neighbours *neighbours,
                                      const struct shepard_target_block *block, size_t i)
{
    if (i % SHEPARD_RUN == 0)
        shepard_neighbours_prepare(neighbours, block->x + i, block->y + i,
                                   shepard_smaller(block->count - i, SHEPARD_RUN));
}

/* The k nearest within bound among the listed leaves; false where others may hold nearer ones. */
static bool find_listed(struct shepard_neighbours *neighbours, double x, double y, double bound)
{
    struct shepard_hits *hits = &neighbours->hits;
    if (neighbours->list_reach2[0] < 0)
        return false;
    shepard_hits_start(hits, fmin(bound, neighbours->list_reach2[0]));
    neighbours->kernels->nearest_listed(neighbours->tree, &neighbours->list, x, y, hits);
    return hits->count == hits->capacity || bound <= neighbours->list_reach2[0];
}

static void find_nearest(struct shepard_neighbours *neighbours, double x, double y)
{
    const struct shepard_search *search = neighbours->search;
    struct shepard_hits *hits = &neighbours->hits;
    double bound = carried_bound(neighbours, x, y);
    hits->left_out = neighbours->left_out;
    if (search->bounded)
        bound = fmin(bound, search->ellipse.radius1 * search->ellipse.radius1);
    if (!find_listed(neighbours, x, y, bound)) {
        shepard_hits_start(hits, bound);
        neighbours->kernels->nearest(neighbours->tree, x, y, neighbours->start, hits);
    }
    const bool known = hits->count == hits->capacity && neighbours->left_out.star == NULL;
    neighbours->reach2 = known ? hits->d2[hits->count - 1] : -1;
    neighbours->x = x;
    neighbours->y = y;
    neighbours->last_left_out = neighbours->left_out.count;
    if (hits->count > 0)
        neighbours->start = hits->rank[0] / SHEPARD_LEAF;
}

/* ---- all inside an ellipse ------------------------------------------------------------------- */

static struct shepard_ellipse ellipse_of(const struct shepard_search *search)
{
    /* Unbounded: a circle that holds everything. */
    if (!search->bounded)
        return shepard_ellipse_of(0x1p245, 0x1p245, 1, 0);
    return search->ellipse;
}

static bool find_inside(struct shepard_neighbours *neighbours, double x, double y)
{
    const struct shepard_ellipse ellipse = ellipse_of(neighbours->search);
    struct shepard_hits *hits = &neighbours->hits;
    hits->left_out = neighbours->left_out;
    size_t found = neighbours->kernels->inside(neighbours->tree, x, y, &ellipse, hits);
    if (found <= hits->capacity)
        return true;
    const size_t room = shepard_smaller(found + found / 2, neighbours->tree->count);
    if (!shepard_hits_reserve(hits, room, room, neighbours->allocator))
        return false;
    neighbours->kernels->inside(neighbours->tree, x, y, &ellipse, hits);
    return true;
}

/* ---- the nearest of each sector -------------------------------------------------------------- */

/* Takes the next hit of sector s. */
static void take(struct shepard_neighbours *neighbours, unsigned s, size_t *used)
{
    const struct shepard_hits *from = &neighbours->sectors[s];
    struct shepard_hits *all = &neighbours->hits;
    all->d2[all->count] = from->d2[used[s]];
    all->rank[all->count++] = from->rank[used[s]++];
}

/* Takes the points at the target's place, which all lie in one sector and come first there. */
static void take_coincident(struct shepard_neighbours *neighbours, double x, double y, size_t *used)
{
    const struct shepard_tree *tree = neighbours->tree;
    const unsigned s = shepard_sector_of(neighbours->search->sectors, 0, 0);
    const struct shepard_hits *from = &neighbours->sectors[s];
    while (used[s] < from->count && tree->x[from->rank[used[s]]] == x &&
           tree->y[from->rank[used[s]]] == y)
        take(neighbours, s, used);
}

/* Whether the next hit of sector s comes before that of sector t. */
static bool comes_before(const struct shepard_neighbours *neighbours, const size_t *used,
                         unsigned s, unsigned t)
{
    const struct shepard_hits *own = &neighbours->sectors[s], *other = &neighbours->sectors[t];
    return !shepard_hits_after(other, neighbours->tree, used[t], own->d2[used[s]],
                               own->rank[used[s]]);
}

/* Sorts sectors by their next hit, nearest first. */
static void sort_sectors(const struct shepard_neighbours *neighbours, const size_t *used,
                         unsigned *sectors, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const unsigned s = sectors[i];
        size_t at = i;
        for (; at > 0 && comes_before(neighbours, used, s, sectors[at - 1]); at--)
            sectors[at] = sectors[at - 1];
        sectors[at] = s;
    }
}

/* Takes hits up to max_points: those at the target first, then in rounds the next of each sector,
 * in the last round the nearest of these; used: hits per sector. */
static void deal(struct shepard_neighbours *neighbours, double x, double y, size_t *used)
{
    const struct shepard_search *search = neighbours->search;
    struct shepard_hits *all = &neighbours->hits;
    size_t total = 0;
    for (int s = 0; s < search->sectors; s++)
        total += neighbours->sectors[s].count;
    total = shepard_smaller(total, search->max_points);
    all->count = 0;
    take_coincident(neighbours, x, y, used);
    for (size_t round = 0; all->count < total; round++) {
        unsigned sectors[SHEPARD_SECTORS_MAX];
        size_t count = 0;
        for (unsigned s = 0; s < (unsigned)search->sectors; s++)
            if (used[s] == round && round < neighbours->sectors[s].count)
                sectors[count++] = s;
        if (count > total - all->count) {
            sort_sectors(neighbours, used, sectors, count);
            count = total - all->count;
        }
        for (size_t i = 0; i < count; i++)
            take(neighbours, sectors[i], used);
    }
}

/* A search of some sectors for one target. */
struct look {
    double x, y;
    double far2;   /* beyond it (squared) nothing can be found */
    unsigned open; /* sectors that may lack something */
};

/* Searches sector s, if it is open, within bound. */
static void start(struct shepard_sector_hits *offers, const struct look *look, int s, double bound)
{
    const bool open = look->open >> s & 1;
    offers->bound[s] = open ? fmin(bound, look->far2) : SHEPARD_SECTOR_CLOSED;
    offers->count[s] = open ? 0 : offers->count[s];
}

/* Takes those from the open sectors that lack nothing. */
static void finish(const struct shepard_sector_hits *offers, struct look *look)
{
    for (int s = 0; s < offers->sectors; s++)
        if (offers->count[s] == (int64_t)offers->capacity || offers->bound[s] == look->far2)
            look->open &= ~(1u << s);
}

/* Among the listed leaves: as far as what a sector lacks is expected, or as they reach. */
static void look_near(struct shepard_neighbours *neighbours, struct look *look, bool expected)
{
    struct shepard_sector_hits *offers = &neighbours->offers;
    for (int s = 0; s < offers->sectors; s++) {
        const double reach2 = neighbours->list_reach2[s];
        start(offers, look, s,
              expected ? fmin(reach2, SECTOR_FIRST2 * neighbours->expected2[s]) : reach2);
    }
    neighbours->kernels->sectors_listed(neighbours->tree, &neighbours->list, look->x, look->y,
                                        offers);
    finish(offers, look);
}

/* Among all points: as far as what a sector lacks is expected, or without end. As many points as
 * that lie in as large an area. */
static void look_far(struct shepard_neighbours *neighbours, struct look *look, bool expected)
{
    struct shepard_sector_hits *offers = &neighbours->offers;
    const double factor = SECTOR_WALK2 * ((double)offers->capacity / (double)neighbours->few);
    for (int s = 0; s < offers->sectors; s++)
        start(offers, look, s, expected ? factor * neighbours->expected2[s] : DBL_MAX);
    neighbours->kernels->sectors(neighbours->tree, look->x, look->y, offers);
    finish(offers, look);
}

/* How fast the expectation follows what is found. */
#define FOLLOW 0.125

static void expect(struct shepard_neighbours *neighbours, int sector)
{
    const struct shepard_hits *hits = &neighbours->sectors[sector];
    double *expected2 = &neighbours->expected2[sector];
    if (hits->count < neighbours->few)
        *expected2 = DBL_MAX;
    else if (*expected2 == DBL_MAX)
        *expected2 = hits->d2[neighbours->few - 1];
    else
        *expected2 += FOLLOW * (hits->d2[neighbours->few - 1] - *expected2);
}

/* The list of each sector from the table. */
static void take_sectors(struct shepard_neighbours *neighbours)
{
    const struct shepard_sector_hits *offers = &neighbours->offers;
    for (int s = 0; s < offers->sectors; s++) {
        struct shepard_hits *hits = &neighbours->sectors[s];
        hits->count = (size_t)offers->count[s];
        for (size_t i = 0, at = (size_t)s; i < hits->count; i++, at += SHEPARD_SECTORS_MAX) {
            hits->d2[i] = offers->d2[at];
            hits->rank[i] = (uint32_t)offers->rank[at];
        }
    }
}

/* Searches the open sectors, near places first. */
static void look_around(struct shepard_neighbours *neighbours, struct look *look, bool first)
{
    if (neighbours->list_reach2[0] >= 0) {
        if (first)
            look_near(neighbours, look, true);
        if (look->open != 0)
            look_near(neighbours, look, false);
    }
    if (look->open != 0)
        look_far(neighbours, look, true);
    if (look->open != 0)
        look_far(neighbours, look, false);
}

/* Where more hits of a sector could change what was dealt: opens those sectors for twice as many.
 */
static bool wants_more(struct shepard_neighbours *neighbours, struct look *look)
{
    struct shepard_sector_hits *offers = &neighbours->offers;
    const size_t capacity = offers->capacity, most = neighbours->sectors[0].capacity;
    const unsigned own = shepard_sector_of(offers->sectors, 0, 0);
    const struct shepard_hits *at_target = &neighbours->sectors[own];
    bool wants = neighbours->hits.count < neighbours->search->max_points ||
                 (at_target->count == capacity && at_target->d2[capacity - 1] == 0);
    if (!wants || capacity == most)
        return false;
    offers->capacity = shepard_smaller(2 * capacity, most);
    for (int s = 0; s < offers->sectors; s++)
        look->open |= (unsigned)(neighbours->sectors[s].count == capacity) << s;
    return look->open != 0;
}

/* A sum of points that is limited seldom takes more than an equal part of a sector: so few are
 * looked for first. */
static void find_by_sector(struct shepard_neighbours *neighbours, double x, double y, size_t *used)
{
    const size_t sectors = (size_t)neighbours->search->sectors;
    struct look look = {x, y, farthest2(neighbours->search), (1u << sectors) - 1};
    neighbours->offers.left_out = neighbours->left_out;
    neighbours->offers.capacity = neighbours->few;
    bool first = true;
    do {
        look_around(neighbours, &look, first);
        take_sectors(neighbours);
        memset(used, 0, sectors * sizeof *used);
        deal(neighbours, x, y, used);
        first = false;
    } while (wants_more(neighbours, &look));
    for (size_t s = 0; s < sectors; s++)
        expect(neighbours, (int)s);
}

/* ---- any search ------------------------------------------------------------------------------ */

static void count_sectors(const struct shepard_neighbours *neighbours, double x, double y,
                          size_t *used)
{
    const struct shepard_tree *tree = neighbours->tree;
    const struct shepard_hits *hits = &neighbours->hits;
    for (size_t i = 0; i < hits->count; i++)
        used[shepard_sector_of(neighbours->search->sectors, tree->x[hits->rank[i]] - x,
                               tree->y[hits->rank[i]] - y)]++;
}

static bool is_enough(const struct shepard_neighbours *neighbours, const size_t *used)
{
    const struct shepard_search *search = neighbours->search;
    const size_t count = neighbours->hits.count;
    bool enough = count > 0 && count >= search->min_points;
    for (int s = 0; s < search->sectors; s++)
        enough = enough && used[s] >= search->min_points_per_sector;
    return enough;
}

static double least(const double *a, size_t n)
{
    double low = INFINITY;
    for (size_t i = 0; i < n; i++)
        low = a[i] < low ? a[i] : low;
    return low;
}

enum shepard_status shepard_neighbours_find(struct shepard_neighbours *neighbours, double x,
                                            double y, bool *enough)
{
    const struct shepard_search *search = neighbours->search;
    size_t used[SHEPARD_SECTORS_MAX] = {0};
    if (shepard_search_is_nearest(search)) {
        find_nearest(neighbours, x, y);
        used[0] = neighbours->hits.count;
    } else if (is_limited(search)) {
        find_by_sector(neighbours, x, y, used);
    } else {
        if (!find_inside(neighbours, x, y))
            return SHEPARD_ERROR_MEMORY;
        if (search->min_points_per_sector > 0)
            count_sectors(neighbours, x, y, used);
    }
    neighbours->nearest2 = least(neighbours->hits.d2, neighbours->hits.count);
    *enough = is_enough(neighbours, used);
    return SHEPARD_OK;
}

/* ---- the points of one column ---------------------------------------------------------------- */

/* So many points hold k with values, where this share of all has them: the mean and three standard
 * deviations. */
static size_t widened(size_t k, double share)
{
    const double most = (double)k, wide = ceil((most + 3 * sqrt(most * (1 - share)) + 1) / share);
    return wide < (double)SHEPARD_POINTS_MAX ? (size_t)wide : k; /* else k is all points */
}

struct shepard_search shepard_search_widened(const struct shepard_search *search, double share)
{
    struct shepard_search wide = *search;
    const size_t most = shepard_smaller(search->max_points, search->max_points_per_sector);
    wide.min_points = wide.min_points_per_sector = 0;
    wide.max_points = SIZE_MAX;
    wide.max_points_per_sector = widened(most, share);
    return wide;
}

bool shepard_search_is_plain(const struct shepard_search *search)
{
    return shepard_search_is_nearest(search) ||
           (!is_limited(search) && (search->sectors == 1 || search->min_points_per_sector == 0));
}

/* Whether the nearest of a list that a column has values at, as many as `to` takes, are surely in
 * the list. */
static bool pick_nearest(const struct shepard_hits *from, const struct shepard_tree *tree,
                         const struct shepard_columns *columns, size_t column,
                         struct shepard_hits *to)
{
    to->count = 0;
    for (size_t i = 0; i < from->count && to->count < to->capacity; i++)
        if (shepard_columns_present(columns, from->rank[i], column)) {
            to->d2[to->count] = from->d2[i];
            to->rank[to->count++] = from->rank[i];
        }
    return to->count == to->capacity || shepard_hits_complete(from, tree);
}

static bool pick_by_sector(struct shepard_neighbours *neighbours,
                           const struct shepard_neighbours *wide,
                           const struct shepard_columns *columns, size_t column, double x, double y,
                           size_t *used)
{
    for (int s = 0; s < neighbours->search->sectors; s++)
        if (!pick_nearest(&wide->sectors[s], wide->tree, columns, column, &neighbours->sectors[s]))
            return false;
    deal(neighbours, x, y, used);
    return true;
}

static bool has_room(struct shepard_hits *hits, size_t count,
                     const struct shepard_allocator *allocator)
{
    return hits->capacity >= count || shepard_hits_reserve(hits, count, count, allocator);
}

bool shepard_neighbours_pick(struct shepard_neighbours *neighbours,
                             const struct shepard_neighbours *wide,
                             const struct shepard_columns *columns, size_t column, double x,
                             double y, bool *enough, enum shepard_status *status)
{
    const struct shepard_search *search = neighbours->search;
    struct shepard_hits *hits = &neighbours->hits;
    size_t used[SHEPARD_SECTORS_MAX] = {0};
    bool whole = true;
    *status = SHEPARD_OK;
    if (shepard_search_is_nearest(search)) {
        whole = pick_nearest(&wide->hits, wide->tree, columns, column, hits);
        used[0] = hits->count;
    } else if (is_limited(search)) {
        whole = pick_by_sector(neighbours, wide, columns, column, x, y, used);
    } else if (has_room(hits, wide->hits.count, neighbours->allocator)) {
        pick_nearest(&wide->hits, wide->tree, columns, column, hits);
        count_sectors(neighbours, x, y, used);
    } else {
        *status = SHEPARD_ERROR_MEMORY;
    }
    if (!whole || *status != SHEPARD_OK)
        return false;
    neighbours->nearest2 = least(hits->d2, hits->count);
    *enough = is_enough(neighbours, used);
    return true;
}
