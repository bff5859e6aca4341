/* SPDX-License-Identifier: MIT */
#include "core/leave_out.h"

#include "base/arithmetic.h"
#include "base/memory.h"
#include "core/halving.h"
#include "core/sphere.h"

/* given: coordinates of the caller. NULL where memory is out. */
static uint32_t *ranks_of(const struct shepard_geometry *points, size_t given)
{
    uint32_t *rank = shepard_allocate(points->allocator, given, sizeof *rank);
    if (rank == NULL)
        return NULL;
    for (size_t i = 0; i < given; i++)
        rank[i] = SHEPARD_NO_POINT;
    for (size_t i = 0; i < points->count; i++)
        rank[points->index[i]] = (uint32_t)i;
    return rank;
}

/* Of m targets. NULL where memory is out. */
static struct shepard_star *stars_of(const double *radii, size_t m,
                                     const struct shepard_geometry *points)
{
    const struct shepard_frame *frame = &points->frame;
    struct shepard_star *stars = shepard_allocate(points->allocator, m, sizeof *stars);
    for (size_t i = 0; stars != NULL && i < m; i++) {
        stars[i].ratio = frame->stretch.ratio;
        stars[i].cosine = frame->stretch.cosine;
        stars[i].sine = frame->stretch.sine;
        for (size_t o = 0; o < SHEPARD_OCTANTS; o++) {
            const double given = radii[SHEPARD_OCTANTS * i + o];
            const double radius = frame->space.metric == SHEPARD_METRIC_SPHERE
                                      ? shepard_sphere_chord(frame, given * frame->scale)
                                      : given * frame->scale;
            stars[i].radius2[o] = radius * radius;
        }
    }
    return stars;
}

static bool create_ranks(struct shepard_leave_out *leave_out)
{
    const struct shepard_geometry *all = leave_out->all, *points = leave_out->points;
    const size_t given = all->count + all->skipped;
    leave_out->rank = ranks_of(all, given);
    if (points != all)
        leave_out->rank_used = ranks_of(points, given);
    return leave_out->rank != NULL && (points == all || leave_out->rank_used != NULL);
}

enum shepard_status shepard_leave_out_create(const struct shepard_targets_view *targets,
                                             const struct shepard_geometry *all,
                                             const struct shepard_geometry *points,
                                             struct shepard_leave_out *leave_out)
{
    *leave_out = (struct shepard_leave_out){.all = all,
                                            .points = points,
                                            .keep_coincident = targets->keep_coincident,
                                            .data = targets->points,
                                            .indices = targets->indices,
                                            .allocator = all->allocator};
    if (targets->star_radii != NULL)
        leave_out->stars = stars_of(targets->star_radii, targets->count, points);
    if ((!targets->points || create_ranks(leave_out)) &&
        (targets->star_radii == NULL || leave_out->stars != NULL))
        return SHEPARD_OK;
    shepard_leave_out_free(leave_out);
    return SHEPARD_ERROR_MEMORY;
}

void shepard_leave_out_free(struct shepard_leave_out *leave_out)
{
    shepard_release(leave_out->allocator, leave_out->stars);
    shepard_release(leave_out->allocator, leave_out->rank_used);
    shepard_release(leave_out->allocator, leave_out->rank);
    *leave_out = (struct shepard_leave_out){0};
}

bool shepard_leave_out_place(const struct shepard_leave_out *leave_out, size_t i, double *x,
                             double *y)
{
    const uint32_t rank = leave_out->rank[shepard_leave_out_index(leave_out, i)];
    if (rank == SHEPARD_NO_POINT)
        return false;
    *x = leave_out->all->x[rank];
    *y = leave_out->all->y[rank];
    return true;
}

bool shepard_leave_out_place_3d(const struct shepard_leave_out *leave_out, size_t i, double *x,
                                double *y, double *z)
{
    if (!shepard_leave_out_place(leave_out, i, x, y))
        return false;
    *z = leave_out->all->z[leave_out->rank[shepard_leave_out_index(leave_out, i)]];
    return true;
}

/* Those at the place of point `at`. */
static struct shepard_left_out around(const struct shepard_geometry *points, size_t at)
{
    const double x = points->x[at], y = points->y[at];
    size_t first = at, end = at + 1, count = 1;
    for (size_t i = at; i > 0 && first - (i - 1) < SHEPARD_HALVING_RUN; i--)
        if (points->x[i - 1] == x && points->y[i - 1] == y) {
            first = i - 1;
            count++;
        }
    for (size_t i = end; i < points->count && i - end < SHEPARD_HALVING_RUN; i++)
        if (points->x[i] == x && points->y[i] == y) {
            end = i + 1;
            count++;
        }
    return (struct shepard_left_out){
        .first = (uint32_t)first, .end = (uint32_t)end, .count = (uint32_t)count};
}

/* The same points where they stand in the subset that is used. */
static struct shepard_left_out in_subset(const struct shepard_leave_out *leave_out,
                                         const struct shepard_left_out *in_all, size_t at)
{
    const struct shepard_geometry *all = leave_out->all;
    struct shepard_left_out left_out = {.first = UINT32_MAX};
    for (size_t i = in_all->first; i < in_all->end; i++) {
        const uint32_t rank = leave_out->rank_used[all->index[i]];
        if (rank == SHEPARD_NO_POINT || all->x[i] != all->x[at] || all->y[i] != all->y[at])
            continue;
        left_out.first = rank < left_out.first ? rank : left_out.first;
        left_out.end = rank >= left_out.end ? rank + 1 : left_out.end;
        left_out.count++;
    }
    return left_out.count > 0 ? left_out : (struct shepard_left_out){0};
}

/* The points at the place of target i, a data point. */
static struct shepard_left_out at_place(const struct shepard_leave_out *leave_out, size_t i)
{
    const uint32_t at = leave_out->rank[shepard_leave_out_index(leave_out, i)];
    struct shepard_left_out left_out = {.first = at, .end = at + 1, .count = 1};
    if (leave_out->all->z != NULL && !leave_out->keep_coincident)
        return (struct shepard_left_out){.end = (uint32_t)leave_out->points->count, .count = 1};
    if (!leave_out->keep_coincident)
        left_out = around(leave_out->all, at);
    return leave_out->rank_used != NULL ? in_subset(leave_out, &left_out, at) : left_out;
}

const struct shepard_star *shepard_leave_out_star(const struct shepard_leave_out *leave_out,
                                                  size_t i)
{
    return leave_out->stars != NULL ? &leave_out->stars[i] : NULL;
}

struct shepard_left_out shepard_leave_out_of(const struct shepard_leave_out *leave_out, size_t i)
{
    struct shepard_left_out left_out = {0};
    if (leave_out->data)
        left_out = at_place(leave_out, i);
    left_out.star = shepard_leave_out_star(leave_out, i);
    return left_out;
}

/* ---- counting -------------------------------------------------------------------------------- */

struct star_count {
    const struct shepard_left_out *left_out;
    const struct shepard_tree *tree;
    double x, y;
    size_t count;
};

static void count_leaf(struct star_count *count, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        count->count += shepard_left_out_has(count->left_out, count->tree, i, count->x, count->y);
}

/* The siblings of set `set` of a level; points: of a node there. */
static void count_set(struct star_count *count, int level, size_t set, size_t points)
{
    const struct shepard_boxes *boxes = count->tree->boxes[level] + set;
    for (size_t i = 0; i < SHEPARD_FANOUT; i++) {
        const size_t node = set * SHEPARD_FANOUT + i, first = node * points;
        if (first >= count->tree->count)
            return;
        const size_t end = shepard_smaller(first + points, count->tree->count);
        const struct shepard_star_box box = {boxes->x_min[i] - count->x, boxes->x_max[i] - count->x,
                                             boxes->y_min[i] - count->y,
                                             boxes->y_max[i] - count->y};
        const enum shepard_star_cover cover = shepard_star_cover(count->left_out->star, box);
        if (cover == SHEPARD_STAR_ALL)
            count->count += end - first;
        else if (cover == SHEPARD_STAR_SOME && level > 0)
            count_set(count, level - 1, node, points / SHEPARD_FANOUT);
        else if (cover == SHEPARD_STAR_SOME)
            count_leaf(count, first, end);
    }
}

uint32_t shepard_leave_out_count(const struct shepard_left_out *left_out,
                                 const struct shepard_tree *tree, double x, double y)
{
    struct star_count count = {left_out, tree, x, y, 0};
    size_t points = SHEPARD_LEAF;
    if (left_out->star == NULL)
        return left_out->count;
    for (int level = 1; level < tree->levels; level++)
        points *= SHEPARD_FANOUT;
    count_set(&count, tree->levels - 1, 0, points);
    return (uint32_t)count.count;
}

/* ---- in three dimensions --------------------------------------------------------------------- */

struct place_count {
    const struct shepard_left_out *left_out;
    const struct shepard_tree *tree;
    const struct shepard_place *place;
    size_t count;
};

static bool holds(const struct shepard_boxes *boxes, const struct shepard_sides *z, size_t i,
                  const struct shepard_place *place)
{
    return boxes->x_min[i] <= place->x && place->x <= boxes->x_max[i] &&
           boxes->y_min[i] <= place->y && place->y <= boxes->y_max[i] && z->min[i] <= place->z &&
           place->z <= z->max[i];
}

static void count_leaf_3d(struct place_count *count, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        count->count += shepard_left_out_has_3d(count->left_out, count->tree, i, count->place);
}

/* The siblings of set `set` of a level; points: of a node there. */
static void count_set_3d(struct place_count *count, int level, size_t set, size_t points)
{
    const struct shepard_left_out *left = count->left_out;
    const struct shepard_boxes *boxes = count->tree->boxes[level] + set;
    const struct shepard_sides *sides = count->tree->z_sides[level] + set;
    for (size_t i = 0; i < SHEPARD_FANOUT; i++) {
        const size_t node = set * SHEPARD_FANOUT + i, first = node * points;
        if (first >= count->tree->count)
            return;
        const size_t end = shepard_smaller(first + points, count->tree->count);
        const bool here = left->first < left->end && holds(boxes, sides, i, count->place);
        const enum shepard_star_cover cover =
            left->star != NULL ? shepard_left_out_cover_3d(left, count->place, boxes, sides, i)
                               : SHEPARD_STAR_NONE;
        if (cover == SHEPARD_STAR_ALL)
            count->count += end - first;
        else if ((here || cover == SHEPARD_STAR_SOME) && level > 0)
            count_set_3d(count, level - 1, node, points / SHEPARD_FANOUT);
        else if (here || cover == SHEPARD_STAR_SOME)
            count_leaf_3d(count, first, end);
    }
}

uint32_t shepard_leave_out_count_at(const struct shepard_left_out *left_out,
                                    const struct shepard_tree *tree,
                                    const struct shepard_place *place)
{
    struct place_count count = {left_out, tree, place, 0};
    size_t points = SHEPARD_LEAF;
    for (int level = 1; level < tree->levels; level++)
        points *= SHEPARD_FANOUT;
    count_set_3d(&count, tree->levels - 1, 0, points);
    return (uint32_t)count.count;
}
