/* SPDX-License-Identifier: MIT */
#include "core/neighbours.h"

#include "base/arithmetic.h"
#include "base/memory.h"
#include "core/selection.h"
#include "core/space.h"
#include "core/sphere.h"

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

bool shepard_search_begins_near(const struct shepard_search *search, size_t k)
{
    return shepard_search_is_nearest(search) && !search->bounded && search->max_points >= k &&
           search->max_points_per_sector >= k;
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

static bool is_in_space(const struct shepard_search *search)
{
    return search->frame_3d != NULL && search->frame_3d->space.metric == SHEPARD_METRIC_SPACE;
}

enum shepard_status shepard_neighbours_create(struct shepard_neighbours *neighbours,
                                              const struct shepard_tree *tree,
                                              const struct shepard_search_kernels *kernels,
                                              const struct shepard_search *search,
                                              const struct shepard_allocator *allocator)
{
    *neighbours =
        (struct shepard_neighbours){.tree = tree,
                                    .kernels = kernels,
                                    .search = search,
                                    .allocator = allocator,
                                    .sight = {.tree = search->barriers, .last = SHEPARD_NO_SEGMENT},
                                    .start = tree->start,
                                    .reach2 = -1};
    forget_list(neighbours);
    for (size_t i = 0; i < SHEPARD_LATE; i++)
        for (size_t t = 0; t < SHEPARD_TARGET_GROUP; t++)
            neighbours->run.groups_before[i].reach[t] = INFINITY;
    const size_t per_sector = shepard_smaller(
        shepard_smaller(search->max_points, search->max_points_per_sector), tree->count);
    const size_t all = shepard_smaller(per_sector * (size_t)search->sectors, tree->count);
    const size_t dealt = is_limited(search) ? shepard_smaller(all, search->max_points) : LIST_GUESS;
    const size_t room = shepard_search_is_nearest(search) ? shepard_hits_room(dealt) : dealt;
    bool complete = shepard_hits_reserve(&neighbours->hits, dealt, room, allocator);
    const bool by_sector = is_limited(search) && !shepard_search_is_nearest(search);
    const size_t sectors = (size_t)search->sectors;
    neighbours->few = shepard_smaller(per_sector, (search->max_points - 1) / sectors + 1);
    neighbours->spread = (is_in_space(search) ? 2.0 / 3 : 1) / sqrt((double)neighbours->few);
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
 * for those of the k that this one leaves out, if they are as many; of a star, and of what is
 * hidden, nothing is known. The factor covers the rounding of root and squares. */
static double carried_bound(const struct shepard_neighbours *neighbours, double x, double y)
{
    if (neighbours->reach2 < 0 || neighbours->left_out.star != NULL ||
        neighbours->left_out.sight != NULL ||
        neighbours->left_out.count > neighbours->last_left_out)
        return DBL_MAX;
    const double dx = x - neighbours->x, dy = y - neighbours->y;
    const double reach = sqrt(neighbours->reach2) + sqrt(dx * dx + dy * dy);
    return reach * reach * (1 + 1e-12) + SQUARE_ERROR;
}

/* As carried_bound. */
static double carried_bound_3d(const struct shepard_neighbours *neighbours)
{
    const struct shepard_place *place = &neighbours->place;
    if (neighbours->reach2 < 0 || shepard_left_out_any(&neighbours->left_out) ||
        neighbours->last_left_out > 0)
        return DBL_MAX;
    const double dx = place->x - neighbours->x, dy = place->y - neighbours->y;
    const double dz = place->z - neighbours->last_z;
    const double reach = sqrt(neighbours->reach2) + sqrt(dx * dx + dy * dy + dz * dz);
    return reach * reach * (1 + 1e-12) + SQUARE_ERROR;
}

/* Leaves are listed up to this multiple of the last target's distances: density changes slowly. In
 * space as many more points lie within a smaller one. */
#define LIST_REACH 1.5
#define LIST_REACH_SPACE 1.31

/* The squared distance at which a sector is full varies like the sum of `few` exponential numbers.
 * Standard deviations above what is expected: how far a sector is searched first where the last
 * target's points say nothing, and how far boxes are listed. A compromise of what is looked at in
 * vain and what has to be looked at again (docs/performance-notes.md). */
#define SECTOR_FIRST 3.5
#define SECTOR_LIST 5.7

/* The multiple of what is expected at which a walk looks before it looks without end: four times as
 * many points, in space within 4^(2/3) times the squared distance. */
#define SECTOR_WALK2 4
#define SECTOR_WALK2_SPACE 2.5

/* Boxes are listed for what is expected of a sector, at least of the median sector and at most this
 * multiple of it. */
#define SECTOR_MOST2 16

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
        const double times = is_in_space(search) ? LIST_REACH_SPACE : LIST_REACH;
        reach2[0] = times * times * neighbours->reach2;
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
        reach2[i] = fmin((1 + SECTOR_LIST * neighbours->spread) * wanted2, far2 * (1 + 1e-6));
    }
    return median2 < DBL_MAX;
}

/* Groups look at points within a little more than the distance of the last that is wanted; of more
 * than this many wanted they would look at too many. */
#define GROUP_WANTED 40

static void start_run(struct shepard_neighbours *neighbours, const double *x, const double *y,
                      size_t count)
{
    struct shepard_grouped_run *run = &neighbours->run;
    if (neighbours->list.points == 0 || neighbours->hits.capacity > GROUP_WANTED)
        return;
    memcpy(run->x, x, count * sizeof *x);
    memcpy(run->y, y, count * sizeof *y);
    run->count = count;
    run->next = run->searched = 0;
}

/* The area's edges are rounded, so the guaranteed radius is a little smaller. */
static double sure_reach2(double reach2)
{
    return reach2 * (1 - 1e-9) - SQUARE_ERROR;
}

static void prepare(struct shepard_neighbours *neighbours, const double *x, const double *y,
                    size_t count)
{
    double reach2[SHEPARD_SECTORS_MAX];
    const int sectors = neighbours->search->sectors;
    if (!expect_reach2(neighbours, reach2))
        return;
    const struct shepard_area targets = area_of(x, y, count);
    const struct shepard_area area = widen(targets, sectors, reach2);
    const bool nearest = shepard_search_is_nearest(neighbours->search);
    if (nearest)
        neighbours->kernels->list_leaves(neighbours->tree, &area, &neighbours->list);
    else
        neighbours->kernels->list_boxes(neighbours->tree, &targets, &area, &neighbours->boxes);
    if (nearest && neighbours->list.count == 0)
        return;
    for (int s = 0; s < sectors; s++)
        neighbours->list_reach2[s] = sure_reach2(reach2[s]);
    if (nearest)
        start_run(neighbours, x, y, count);
}

/* Lists leaves, or where they are too many the level above; the next run begins with what did. */
static void list_nodes_3d(struct shepard_neighbours *neighbours, const struct shepard_area_3d *area)
{
    struct shepard_list_3d *list = &neighbours->list_3d;
    const struct shepard_tree *tree = neighbours->tree;
    neighbours->kernels->list_nodes_3d(tree, area, neighbours->list_level, list);
    if (!list->complete && neighbours->list_level == 0 && tree->levels > 1) {
        neighbours->list_level = 1;
        neighbours->kernels->list_nodes_3d(tree, area, 1, list);
    }
    if (list->complete && list->level == 1 && list->count <= SHEPARD_LIST_3D_MAX / SHEPARD_FANOUT)
        neighbours->list_level = 0;
}

/* As prepare, of targets with three coordinates. */
static void prepare_3d(struct shepard_neighbours *neighbours,
                       const struct shepard_target_block *block, size_t i, size_t count)
{
    double reach2[SHEPARD_SECTORS_MAX];
    const int sectors = neighbours->search->sectors;
    if (!expect_reach2(neighbours, reach2))
        return;
    const struct shepard_area across = area_of(block->x + i, block->y + i, count);
    const struct shepard_area up = area_of(block->z + i, block->z + i, count);
    struct shepard_area_3d area = {.min = {across.x_min, across.y_min, up.x_min},
                                   .max = {across.x_max, across.y_max, up.x_max}};
    for (int s = 0; s < sectors; s++)
        area.reach2 = fmax(area.reach2, reach2[s]);
    list_nodes_3d(neighbours, &area);
    for (int s = 0; s < sectors && neighbours->list_3d.count > 0; s++)
        neighbours->list_reach2[s] = sure_reach2(reach2[s]);
}

void shepard_neighbours_prepare_block(struct shepard_neighbours *neighbours,
                                      const struct shepard_target_block *block, size_t i)
{
    if (i % SHEPARD_RUN != 0)
        return;
    const size_t count = shepard_smaller(block->count - i, SHEPARD_RUN);
    forget_list(neighbours);
    neighbours->run.count = 0;
    if (neighbours->search->frame_3d == NULL)
        prepare(neighbours, block->x + i, block->y + i, count);
    else
        prepare_3d(neighbours, block, i, count);
}

/* ---- groups of a run ------------------------------------------------------------------------- */

static double distance(double ax, double ay, double bx, double by)
{
    return sqrt((ax - bx) * (ax - bx) + (ay - by) * (ay - by));
}

/* The middle of a group stands for it where groups are compared. */
#define MIDDLE (SHEPARD_TARGET_GROUP / 2)

/* What carried_bound squares, from target t of a group. */
static double reach_from(const struct shepard_late_group *group, size_t t, double x, double y)
{
    return group->reach[t] + distance(x, y, group->x[t], group->y[t]);
}

/* The group that bounds the next one best; NULL: the last target does. */
static const struct shepard_late_group *best_group(const struct shepard_grouped_run *run,
                                                   double least)
{
    const struct shepard_late_group *best = NULL;
    for (size_t i = 0; i < SHEPARD_LATE; i++) {
        const double reach =
            reach_from(&run->groups_before[i], MIDDLE, run->group.x[MIDDLE], run->group.y[MIDDLE]);
        best = reach < least ? &run->groups_before[i] : best;
        least = reach < least ? reach : least;
    }
    return best;
}

/* As carried_bound: from the last target, or from a late group, each from the target in its lane or
 * in the one opposite, since rows of a raster alternate in direction. */
static void bound_group(struct shepard_neighbours *neighbours)
{
    struct shepard_grouped_run *run = &neighbours->run;
    const struct shepard_search *search = neighbours->search;
    const double *const x = run->group.x, *const y = run->group.y;
    const double last = neighbours->reach2 >= 0 ? sqrt(neighbours->reach2) : INFINITY;
    const struct shepard_late_group *const best =
        best_group(run, last + distance(x[MIDDLE], y[MIDDLE], neighbours->x, neighbours->y));
    const double far2 =
        search->bounded ? search->ellipse.radius1 * search->ellipse.radius1 : DBL_MAX;
    const double listed2 = neighbours->list_reach2[0];
    for (size_t t = 0; t < SHEPARD_TARGET_GROUP; t++) {
        double reach = last + distance(x[t], y[t], neighbours->x, neighbours->y);
        if (best != NULL) {
            const double same = reach_from(best, t, x[t], y[t]);
            const double opposite = reach_from(best, SHEPARD_TARGET_GROUP - 1 - t, x[t], y[t]);
            reach = same < opposite ? same : opposite;
        }
        const double most2 = reach * reach * (1 + 1e-12) + SQUARE_ERROR;
        run->sure2[t] = most2 < far2 ? most2 : far2;
        run->group.limit2[t] = run->sure2[t] < listed2 ? run->sure2[t] : listed2;
    }
}

static void remember_group(struct shepard_grouped_run *run, size_t wanted)
{
    const struct shepard_target_group *group = &run->group;
    struct shepard_late_group *late = &run->groups_before[run->late];
    memcpy(late->x, group->x, sizeof group->x);
    memcpy(late->y, group->y, sizeof group->y);
    for (size_t t = 0; t < SHEPARD_TARGET_GROUP; t++)
        late->reach[t] = group->count[t] == wanted ? sqrt(group->d2[t][wanted - 1]) : INFINITY;
    run->late = (run->late + 1) % SHEPARD_LATE;
}

static void search_group(struct shepard_neighbours *neighbours, size_t first)
{
    struct shepard_grouped_run *run = &neighbours->run;
    const size_t wanted = neighbours->hits.capacity;
    for (size_t t = 0; t < SHEPARD_TARGET_GROUP; t++) {
        const size_t i = shepard_smaller(first + t, run->count - 1);
        run->group.x[t] = run->x[i];
        run->group.y[t] = run->y[i];
    }
    bound_group(neighbours);
    neighbours->kernels->nearest_group(neighbours->tree, &neighbours->list, wanted, &run->group);
    run->first = first;
    run->searched = first + SHEPARD_TARGET_GROUP;
    remember_group(run, wanted);
}

/* False where the run has no such target, or its group did not find all. */
static bool find_in_group(struct shepard_neighbours *neighbours, double x, double y)
{
    struct shepard_grouped_run *run = &neighbours->run;
    struct shepard_hits *hits = &neighbours->hits;
    if (shepard_left_out_any(&neighbours->left_out))
        return false;
    while (run->next < run->count && !(run->x[run->next] == x && run->y[run->next] == y))
        run->next++;
    if (run->next >= run->count)
        return false;
    if (run->next >= run->searched)
        search_group(neighbours, run->next);
    const size_t t = run->next++ - run->first, count = run->group.count[t];
    if (count == SHEPARD_TARGET_GROUP_UNKNOWN ||
        (count < hits->capacity && run->sure2[t] > neighbours->list_reach2[0]))
        return false;
    /* Whole steps: copies of a known length are faster. */
    for (size_t i = 0; i < count; i += SHEPARD_LEAF) {
        memcpy(hits->d2 + i, run->group.d2[t] + i, SHEPARD_LEAF * sizeof *hits->d2);
        memcpy(hits->rank + i, run->group.rank[t] + i, SHEPARD_LEAF * sizeof *hits->rank);
    }
    hits->count = count;
    return true;
}

/* ---- one target ------------------------------------------------------------------------------ */

/* What the next targets make use of; nothing of a search past barriers. */
static void remember_nearest(struct shepard_neighbours *neighbours, double x, double y)
{
    const struct shepard_hits *hits = &neighbours->hits;
    if (neighbours->left_out.sight != NULL)
        return;
    const bool known = hits->count == hits->capacity && neighbours->left_out.star == NULL;
    neighbours->reach2 = known ? hits->d2[hits->count - 1] : -1;
    neighbours->x = x;
    neighbours->y = y;
    neighbours->last_z = neighbours->z;
    neighbours->last_left_out = neighbours->left_out.count;
    if (hits->count > 0)
        neighbours->start = hits->rank[0] / SHEPARD_LEAF;
}

/* Looks among the listed boxes; whether as many as are wanted lie within a bound. */
static bool finds_listed(struct shepard_neighbours *neighbours, double x, double y, double bound)
{
    const struct shepard_search_kernels *kernels = neighbours->kernels;
    const struct shepard_tree *tree = neighbours->tree;
    struct shepard_hits *hits = &neighbours->hits;
    shepard_hits_start(hits, bound);
    if (neighbours->search->frame_3d != NULL)
        kernels->nearest_listed_3d(tree, &neighbours->list_3d, &neighbours->place, hits);
    else
        kernels->nearest_listed(tree, &neighbours->list, x, y, hits);
    return hits->count == hits->capacity;
}

/* The same among all points. */
static bool finds_anywhere(struct shepard_neighbours *neighbours, double x, double y, double bound)
{
    const struct shepard_search_kernels *kernels = neighbours->kernels;
    const struct shepard_tree *tree = neighbours->tree;
    struct shepard_hits *hits = &neighbours->hits;
    shepard_hits_start(hits, bound);
    if (neighbours->search->frame_3d != NULL)
        kernels->nearest_3d(tree, &neighbours->place, neighbours->start, hits);
    else
        kernels->nearest(tree, x, y, neighbours->start, hits);
    return hits->count == hits->capacity;
}

/* The k-th distance of the last target, and as many standard deviations above it, is where a search
 * looks first: a bound that is sure holds up to twice as many points, in space several times as
 * many (docs/performance-notes.md). */
#define FIRST 2

/* The nearest within sure2: where they are expected, as far as the list reaches, and anywhere. */
static void find_within(struct shepard_neighbours *neighbours, double x, double y, double sure2)
{
    const double first2 = neighbours->reach2 * (1 + FIRST * neighbours->spread);
    const double listed2 = neighbours->list_reach2[0];
    const bool has_first = first2 > 0 && first2 < sure2;
    if (has_first && first2 < listed2 && finds_listed(neighbours, x, y, first2))
        return;
    if (listed2 >= 0 && (finds_listed(neighbours, x, y, fmin(sure2, listed2)) || sure2 <= listed2))
        return;
    if (has_first && first2 >= listed2 && finds_anywhere(neighbours, x, y, first2))
        return;
    finds_anywhere(neighbours, x, y, sure2);
}

static void find_nearest(struct shepard_neighbours *neighbours, double x, double y)
{
    const bool is_3d = neighbours->search->frame_3d != NULL;
    neighbours->hits.left_out = neighbours->left_out;
    if (is_3d || !find_in_group(neighbours, x, y)) {
        const double carried2 =
            is_3d ? carried_bound_3d(neighbours) : carried_bound(neighbours, x, y);
        find_within(neighbours, x, y, fmin(carried2, farthest2(neighbours->search)));
    }
    remember_nearest(neighbours, x, y);
}

/* ---- three dimensions ------------------------------------------------------------------------ */

/* Squared chords become squared arcs. */
static void bend(struct shepard_neighbours *neighbours)
{
    const struct shepard_frame *frame = neighbours->search->frame_3d;
    const struct shepard_place *place = &neighbours->place;
    const struct shepard_tree *tree = neighbours->tree;
    struct shepard_hits *hits = &neighbours->hits;
    for (size_t i = 0; i < hits->count; i++) {
        const uint32_t at = hits->rank[i];
        hits->d2[i] = shepard_space_distance2(frame, hits->d2[i], place, tree->x[at], tree->y[at],
                                              tree->z[at]);
    }
}

/* Makes (x, y) with neighbours->z the target. */
static void go_to(struct shepard_neighbours *neighbours, double x, double y)
{
    struct shepard_place *place = &neighbours->place;
    place->x = x;
    place->y = y;
    place->z = neighbours->z;
    if (neighbours->search->sectors > 1 || neighbours->left_out.star != NULL)
        shepard_space_orient(neighbours->search->frame_3d, place);
}

static size_t inside(struct shepard_neighbours *neighbours, double x, double y,
                     const struct shepard_ellipse *ellipse)
{
    const struct shepard_search_kernels *kernels = neighbours->kernels;
    struct shepard_hits *hits = &neighbours->hits;
    if (neighbours->search->frame_3d == NULL)
        return kernels->inside(neighbours->tree, x, y, ellipse, hits);
    const double bound2 = ellipse->radius1 * ellipse->radius1;
    return kernels->inside_3d(neighbours->tree, &neighbours->place, bound2, hits);
}

/* The sector of a point. */
static unsigned sector_of(const struct shepard_neighbours *neighbours, size_t rank, double x,
                          double y)
{
    const struct shepard_tree *tree = neighbours->tree;
    const struct shepard_place *place = &neighbours->place;
    const int sectors = neighbours->search->sectors;
    if (neighbours->search->frame_3d == NULL || sectors == 1)
        return shepard_sector_of(sectors, tree->x[rank] - x, tree->y[rank] - y);
    const double px = tree->x[rank], py = tree->y[rank], pz = tree->z[rank];
    return shepard_sector_of(sectors, shepard_place_along(place, place->east, px, py, pz),
                             shepard_place_along(place, place->north, px, py, pz));
}

static bool is_here(const struct shepard_neighbours *neighbours, size_t rank, double x, double y)
{
    const struct shepard_tree *tree = neighbours->tree;
    return tree->x[rank] == x && tree->y[rank] == y &&
           (tree->z == NULL || tree->z[rank] == neighbours->z);
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
    const size_t found = inside(neighbours, x, y, &ellipse);
    if (found <= hits->capacity)
        return true;
    const size_t room = shepard_smaller(found + found / 2, neighbours->tree->count);
    if (!shepard_hits_reserve(hits, room, room, neighbours->allocator))
        return false;
    inside(neighbours, x, y, &ellipse);
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
    const unsigned s = shepard_sector_of(neighbours->search->sectors, 0, 0);
    const struct shepard_hits *from = &neighbours->sectors[s];
    while (used[s] < from->count && is_here(neighbours, from->rank[used[s]], x, y))
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

/* fmin without a call. */
static double lesser(double a, double b)
{
    return a < b ? a : b;
}

/* A search of some sectors for one target. */
struct look {
    double x, y;
    double far2;   /* beyond it (squared) nothing can be found */
    unsigned open; /* sectors that may lack something */
    /* Within it (squared) a sector lacks nothing; infinite: not known. */
    _Alignas(64) double sure2[SHEPARD_SECTORS_MAX];
    double searched2[SHEPARD_SECTORS_MAX]; /* how far a sector was searched; < 0: not yet */
};

/* Searches sector s within bound, if it is open and was not yet searched so far. */
static bool start(struct shepard_sector_hits *offers, struct look *look, int s, double bound)
{
    const double within2 = lesser(lesser(bound, look->sure2[s]), look->far2);
    const bool starts = (look->open >> s & 1) && within2 > look->searched2[s];
    offers->bound[s] = starts ? within2 : SHEPARD_SECTOR_CLOSED;
    if (starts) {
        offers->count[s] = 0;
        look->searched2[s] = within2;
    }
    return starts;
}

/* Takes those from the open sectors that lack nothing. */
static void finish(const struct shepard_sector_hits *offers, struct look *look)
{
    for (int s = 0; s < offers->sectors; s++)
        if (offers->count[s] == (int64_t)offers->capacity || offers->bound[s] == look->far2)
            look->open &= ~(1u << s);
}

/* Among the listed boxes: as far as what a sector lacks is expected, or as they reach. */
static void look_near(struct shepard_neighbours *neighbours, struct look *look, bool expected)
{
    struct shepard_sector_hits *offers = &neighbours->offers;
    bool any = false;
    for (int s = 0; s < offers->sectors; s++) {
        const double reach2 = neighbours->list_reach2[s];
        const double first2 = (1 + SECTOR_FIRST * neighbours->spread) * neighbours->expected2[s];
        any |= start(offers, look, s, expected ? lesser(reach2, first2) : reach2);
    }
    if (!any)
        return;
    if (neighbours->search->frame_3d != NULL)
        neighbours->kernels->sectors_listed_3d(neighbours->tree, &neighbours->list_3d,
                                               &neighbours->place, offers);
    else
        neighbours->kernels->sectors_listed(neighbours->tree, &neighbours->boxes, look->x, look->y,
                                            offers);
    finish(offers, look);
}

/* Among all points: as far as what a sector lacks is expected, or without end. As many points as
 * that lie in as large an area. */
static void look_far(struct shepard_neighbours *neighbours, struct look *look, bool expected)
{
    struct shepard_sector_hits *offers = &neighbours->offers;
    const bool in_space = is_in_space(neighbours->search);
    const double factor = (in_space ? SECTOR_WALK2_SPACE : SECTOR_WALK2) *
                          ((double)offers->capacity / (double)neighbours->few);
    bool any = false;
    for (int s = 0; s < offers->sectors; s++)
        any |= start(offers, look, s, expected ? factor * neighbours->expected2[s] : DBL_MAX);
    if (!any)
        return;
    if (neighbours->search->frame_3d != NULL)
        neighbours->kernels->sectors_3d(neighbours->tree, &neighbours->place, offers);
    else
        neighbours->kernels->sectors(neighbours->tree, look->x, look->y, offers);
    finish(offers, look);
}

/* How fast the expectation follows what is found. */
#define FOLLOW 0.05

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

/* Nothing is known of what the open sectors hold. */
static void forget(struct look *look)
{
    for (int s = 0; s < SHEPARD_SECTORS_MAX; s++) {
        look->sure2[s] = INFINITY;
        look->searched2[s] = -1;
    }
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
    forget(look);
    return look->open != 0;
}

/* A sum of points that is limited seldom takes more than an equal part of a sector: so few are
 * looked for first. */
static void find_by_sector(struct shepard_neighbours *neighbours, double x, double y, size_t *used)
{
    const size_t sectors = (size_t)neighbours->search->sectors;
    struct shepard_sector_hits *offers = &neighbours->offers;
    struct look look = {
        .x = x, .y = y, .far2 = farthest2(neighbours->search), .open = (1u << sectors) - 1};
    bool first = true;
    offers->left_out = neighbours->left_out;
    offers->capacity = neighbours->few;
    forget(&look);
    if (!shepard_left_out_any(&neighbours->left_out) && neighbours->search->frame_3d == NULL)
        neighbours->kernels->carry_bounds(neighbours->tree, x, y, offers, look.sure2);
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

/* ---- past barriers --------------------------------------------------------------------------- */

/* Whether no barrier comes near any of the hits. */
static bool is_clear(struct shepard_neighbours *neighbours, const struct shepard_hits *hits)
{
    double most2 = 0;
    for (size_t i = 0; i < hits->count; i++)
        most2 = hits->d2[i] > most2 ? hits->d2[i] : most2;
    /* The root rounds. */
    return shepard_sight_is_clear(&neighbours->sight, sqrt(most2) * (1 + 1e-12));
}

/* Drops the hits that are hidden from the target; the others keep their order. Whether there were
 * any. */
static bool drop_hidden(struct shepard_neighbours *neighbours, struct shepard_hits *hits)
{
    const struct shepard_tree *tree = neighbours->tree;
    size_t kept = 0;
    if (is_clear(neighbours, hits))
        return false;
    for (size_t i = 0; i < hits->count; i++) {
        const uint32_t rank = hits->rank[i];
        if (shepard_sight_hides(&neighbours->sight, tree->x[rank], tree->y[rank]))
            continue;
        hits->d2[kept] = hits->d2[i];
        hits->rank[kept++] = rank;
    }
    const bool dropped = kept < hits->count;
    hits->count = kept;
    return dropped;
}

/* Whether a search that did not look at barriers found anything that they hide, and may have missed
 * what they do not. Where it found all that there is, what is hidden is dropped. */
static bool is_misled(struct shepard_neighbours *neighbours)
{
    const struct shepard_search *search = neighbours->search;
    struct shepard_hits *hits = &neighbours->hits;
    const bool whole = !is_limited(search) || shepard_hits_complete(hits, neighbours->tree);
    bool dropped = false;
    if (shepard_search_is_nearest(search) || !is_limited(search))
        return drop_hidden(neighbours, hits) && !whole;
    for (int s = 0; s < search->sectors && !dropped; s++)
        dropped = drop_hidden(neighbours, &neighbours->sectors[s]);
    return dropped;
}

/* ---- any search ------------------------------------------------------------------------------ */

/* False: out of memory. */
static bool find_any(struct shepard_neighbours *neighbours, double x, double y, size_t *used)
{
    if (shepard_search_is_nearest(neighbours->search))
        find_nearest(neighbours, x, y);
    else if (is_limited(neighbours->search))
        find_by_sector(neighbours, x, y, used);
    else
        return find_inside(neighbours, x, y);
    return true;
}

/* The same of what the target sees: first without a look at barriers, which most targets are far
 * from. */
static bool find_seen(struct shepard_neighbours *neighbours, double x, double y, size_t *used)
{
    if (!find_any(neighbours, x, y, used))
        return false;
    if (neighbours->sight.tree == NULL)
        return true;
    shepard_sight_turn(&neighbours->sight, x, y);
    if (!is_misled(neighbours))
        return true;
    shepard_sight_look_round(&neighbours->sight);
    neighbours->left_out.sight = &neighbours->sight;
    const bool found = find_any(neighbours, x, y, used);
    neighbours->left_out.sight = NULL;
    return found;
}

static void count_sectors(const struct shepard_neighbours *neighbours, double x, double y,
                          size_t *used)
{
    const struct shepard_hits *hits = &neighbours->hits;
    for (size_t i = 0; i < hits->count; i++)
        used[sector_of(neighbours, hits->rank[i], x, y)]++;
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
    if (search->frame_3d != NULL)
        go_to(neighbours, x, y);
    if (!find_seen(neighbours, x, y, used))
        return SHEPARD_ERROR_MEMORY;
    if (shepard_search_is_nearest(search))
        used[0] = neighbours->hits.count;
    else if (!is_limited(search) && search->min_points_per_sector > 0)
        count_sectors(neighbours, x, y, used);
    if (search->frame_3d != NULL && search->frame_3d->space.metric == SHEPARD_METRIC_SPHERE)
        bend(neighbours);
    const struct shepard_hits *hits = &neighbours->hits;
    /* On a sphere the arcs of sorted chords may be out of order by rounding. */
    if (shepard_search_is_nearest(search) && search->frame_3d == NULL)
        neighbours->nearest2 = hits->count > 0 ? hits->d2[0] : INFINITY;
    else
        neighbours->nearest2 = least(hits->d2, hits->count);
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
