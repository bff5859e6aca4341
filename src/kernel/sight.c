/* SPDX-License-Identifier: MIT */
#include "kernel/sight.h"

#include <math.h>

/* Sets of siblings still to be visited: those of one node for each level at most. */
#define VISITS_MAX (SHEPARD_LEVELS_MAX * SHEPARD_FANOUT)

struct visit {
    int level;
    size_t set;
};

/* ---- what boxes tell ------------------------------------------------------------------------- */

struct area {
    double x_min, x_max, y_min, y_max;
};

/* Bits of the boxes that touch the area. */
static unsigned touching(const struct shepard_boxes *boxes, const struct area *area)
{
    unsigned bits = 0;
    for (unsigned i = 0; i < SHEPARD_FANOUT; i++)
        bits |= (unsigned)((boxes->x_min[i] <= area->x_max) & (boxes->x_max[i] >= area->x_min) &
                           (boxes->y_min[i] <= area->y_max) & (boxes->y_max[i] >= area->y_min))
                << i;
    return bits;
}

/* A line of sight, and its offset from one end to the other. */
struct line {
    struct shepard_plane_point s, t;
    double dx, dy;
    struct area area;
};

static struct line line_of(struct shepard_plane_point s, struct shepard_plane_point t)
{
    return (struct line){s,
                         t,
                         t.x - s.x,
                         t.y - s.y,
                         {fmin(s.x, t.x), fmax(s.x, t.x), fmin(s.y, t.y), fmax(s.y, t.y)}};
}

/* What rounding can change of an area of two products of differences, relative to them, and more.
 */
#define SIDE_ERROR 0x1p-50

/* Whether a box lies on one side of a line. A line along an axis touches all boxes that it might
 * cross. */
static bool is_beside(const struct line *line, const struct shepard_boxes *boxes, unsigned i)
{
    const double a = line->dx * (boxes->y_min[i] - line->s.y);
    const double b = line->dx * (boxes->y_max[i] - line->s.y);
    const double c = line->dy * (boxes->x_min[i] - line->s.x);
    const double d = line->dy * (boxes->x_max[i] - line->s.x);
    const double error = SIDE_ERROR * (fmax(fabs(a), fabs(b)) + fmax(fabs(c), fabs(d)));
    return fmin(a, b) - fmax(c, d) > error || fmin(c, d) - fmax(a, b) > error;
}

static unsigned crossed(const struct shepard_boxes *boxes, const struct line *line)
{
    unsigned bits = touching(boxes, &line->area);
    for (unsigned rest = bits; rest != 0; rest &= rest - 1) {
        const unsigned i = (unsigned)__builtin_ctz(rest);
        if (is_beside(line, boxes, i))
            bits &= ~(1u << i);
    }
    return bits;
}

/* ---- walks ----------------------------------------------------------------------------------- */

/* A segment that hides the two ends of a line from each other; SHEPARD_NO_SEGMENT: none does. */
static size_t find_between(const struct shepard_barrier_tree *tree, const struct line *line)
{
    struct visit visits[VISITS_MAX];
    int top = 0;
    visits[top++] = (struct visit){tree->levels - 1, 0};
    while (top > 0) {
        const struct visit visit = visits[--top];
        unsigned bits = crossed(tree->boxes[visit.level] + visit.set, line);
        for (; bits != 0; bits &= bits - 1) {
            const size_t node = visit.set * SHEPARD_FANOUT + (unsigned)__builtin_ctz(bits);
            if (visit.level > 0)
                visits[top++] = (struct visit){visit.level - 1, node};
            else if (shepard_segment_hides(&tree->segments[node], line->s, line->t))
                return node;
        }
    }
    return SHEPARD_NO_SEGMENT;
}

/* ---- the segments round a target ------------------------------------------------------------- */

static void put_near(struct shepard_sight *sight, size_t number)
{
    const struct shepard_segment segment = sight->tree->segments[number];
    const struct shepard_plane_point at = sight->target;
    sight->near[sight->count++] = (struct shepard_near_segment){
        segment, segment.a.x - at.x, segment.a.y - at.y, segment.b.x - at.x, segment.b.y - at.y,
        number};
}

/* Bits without those of boxes that the horizon hides: what they hide is hidden anyway. */
static unsigned drop_behind(const struct shepard_sight *sight, const struct shepard_boxes *boxes,
                            unsigned bits)
{
    const struct shepard_plane_point at = sight->target;
    for (unsigned rest = sight->has_horizon ? bits : 0; rest != 0; rest &= rest - 1) {
        const unsigned i = (unsigned)__builtin_ctz(rest);
        const struct shepard_offsets box = {boxes->x_min[i] - at.x, boxes->x_max[i] - at.x,
                                            boxes->y_min[i] - at.y, boxes->y_max[i] - at.y};
        if (shepard_horizon_hides_box(&sight->horizon, &box))
            bits &= ~(1u << i);
    }
    return bits;
}

/* Lists the segments that come into the square; false: not all have room. */
static bool list_near(struct shepard_sight *sight, double reach)
{
    const struct shepard_barrier_tree *tree = sight->tree;
    const struct shepard_plane_point at = sight->target;
    const struct area area = {at.x - reach, at.x + reach, at.y - reach, at.y + reach};
    struct visit visits[VISITS_MAX];
    int top = 0;
    sight->count = 0;
    visits[top++] = (struct visit){tree->levels - 1, 0};
    while (top > 0) {
        const struct visit visit = visits[--top];
        const struct shepard_boxes *boxes = tree->boxes[visit.level] + visit.set;
        unsigned bits = drop_behind(sight, boxes, touching(boxes, &area));
        for (; bits != 0; bits &= bits - 1) {
            const size_t node = visit.set * SHEPARD_FANOUT + (unsigned)__builtin_ctz(bits);
            if (visit.level > 0)
                visits[top++] = (struct visit){visit.level - 1, node};
            else if (sight->count < SHEPARD_NEAR_MAX)
                put_near(sight, node);
            else
                return false;
        }
    }
    return true;
}

static void draw_horizon(struct shepard_sight *sight)
{
    for (size_t i = 0; i < sight->count; i++) {
        const struct shepard_near_segment *near = &sight->near[i];
        shepard_horizon_add(&sight->horizon, near->ax, near->ay, near->bx, near->by);
    }
    shepard_horizon_sum_up(&sight->horizon);
}

/* Lists all within reach that no horizon hides, if they have room. A full list, too, raises the
 * horizon, which may hide enough of them. */
static void extend(struct shepard_sight *sight, double reach)
{
    bool whole = list_near(sight, reach);
    if (sight->has_horizon)
        draw_horizon(sight);
    if (!whole && sight->has_horizon) {
        whole = list_near(sight, reach);
        draw_horizon(sight);
    }
    sight->full = !whole;
    sight->reach = whole ? reach : -1;
}

/* ---- one target ------------------------------------------------------------------------------ */

void shepard_sight_turn(struct shepard_sight *sight, double x, double y)
{
    sight->target = (struct shepard_plane_point){x, y};
    sight->count = 0;
    sight->reach = -1;
    sight->full = sight->has_horizon = false;
}

void shepard_sight_look_round(struct shepard_sight *sight)
{
    shepard_horizon_clear(&sight->horizon);
    sight->has_horizon = true;
    sight->full = false;
    draw_horizon(sight);
}

/* What rounding can change of a turn, relative to the sum of its two products, and more: segment.c
 * has the bound. */
#define TURN_ERROR 0x1p-51

/* The sign of the area that (px, py) and (qx, qy) span; 2: not certain. */
static int turn_to(double px, double py, double qx, double qy)
{
    const double left = px * qy, right = py * qx, area = left - right;
    if (!(fabs(area) > TURN_ERROR * (fabs(left) + fabs(right))))
        return 2;
    return area > 0 ? 1 : -1;
}

/* shepard_segment_hides: most segments lie with both ends on one side of the line of sight, as the
 * offsets tell. */
static bool hides(const struct shepard_near_segment *near, const struct line *line)
{
    const int of_a = turn_to(line->dx, line->dy, near->ax, near->ay);
    const int of_b = turn_to(line->dx, line->dy, near->bx, near->by);
    return (of_a == 2 || of_a != of_b) && shepard_segment_hides(&near->segment, line->s, line->t);
}

/* A segment of the list that hides the ends of a line from each other. */
static size_t find_near(const struct shepard_sight *sight, const struct line *line)
{
    for (size_t i = 0; i < sight->count; i++)
        if (hides(&sight->near[i], line))
            return sight->near[i].number;
    return SHEPARD_NO_SEGMENT;
}

/* Whether the horizon hides an offset; it is raised first where nothing is listed so far out. */
static bool is_beyond(struct shepard_sight *sight, double dx, double dy, double distance)
{
    if (!sight->has_horizon)
        return false;
    if (shepard_horizon_hides(&sight->horizon, dx, dy))
        return true;
    bool extended = false;
    while (!sight->full && distance > sight->reach && sight->horizon.most > sight->reach) {
        extend(sight, sight->reach > distance / 64 ? 2 * sight->reach : distance);
        extended = true;
    }
    return extended && shepard_horizon_hides(&sight->horizon, dx, dy);
}

bool shepard_sight_hides(struct shepard_sight *sight, double x, double y)
{
    const struct shepard_barrier_tree *tree = sight->tree;
    const struct line line = line_of(sight->target, (struct shepard_plane_point){x, y});
    const double distance = fmax(fabs(line.dx), fabs(line.dy));
    if (is_beyond(sight, line.dx, line.dy, distance))
        return true;
    if (sight->last != SHEPARD_NO_SEGMENT &&
        shepard_segment_hides(&tree->segments[sight->last], line.s, line.t))
        return true;
    const size_t found =
        distance <= sight->reach ? find_near(sight, &line) : find_between(tree, &line);
    if (found != SHEPARD_NO_SEGMENT)
        sight->last = found;
    return found != SHEPARD_NO_SEGMENT;
}

/* The places that a segment hides from a target are a convex set, without the target: one with the
 * corners of a box has all of it. Only of a target on the segment itself they lie on both sides. */
bool shepard_sight_hides_box(struct shepard_sight *sight, double x_min, double x_max, double y_min,
                             double y_max)
{
    const struct shepard_plane_point corners[] = {
        {x_min, y_min}, {x_max, y_min}, {x_min, y_max}, {x_max, y_max}};
    const struct shepard_plane_point at = sight->target;
    const bool around = x_min <= at.x && at.x <= x_max && y_min <= at.y && at.y <= y_max;
    if (around)
        return false;
    const struct shepard_offsets box = {x_min - at.x, x_max - at.x, y_min - at.y, y_max - at.y};
    if (sight->has_horizon && shepard_horizon_hides_box(&sight->horizon, &box))
        return true;
    if (sight->last == SHEPARD_NO_SEGMENT)
        return false;
    for (int i = 0; i < 4; i++)
        if (!shepard_segment_hides(&sight->tree->segments[sight->last], sight->target, corners[i]))
            return false;
    return true;
}

bool shepard_sight_is_clear(struct shepard_sight *sight, double reach)
{
    extend(sight, reach);
    return !sight->full && sight->count == 0;
}
