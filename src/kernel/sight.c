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

static bool any_touches(const struct shepard_barrier_tree *tree, const struct area *area)
{
    struct visit visits[VISITS_MAX];
    int top = 0;
    visits[top++] = (struct visit){tree->levels - 1, 0};
    while (top > 0) {
        const struct visit visit = visits[--top];
        unsigned bits = touching(tree->boxes[visit.level] + visit.set, area);
        if (bits != 0 && visit.level == 0)
            return true;
        for (; bits != 0; bits &= bits - 1)
            visits[top++] = (struct visit){visit.level - 1, visit.set * SHEPARD_FANOUT +
                                                                (unsigned)__builtin_ctz(bits)};
    }
    return false;
}

/* ---- one target ------------------------------------------------------------------------------ */

void shepard_sight_turn(struct shepard_sight *sight, double x, double y)
{
    sight->target = (struct shepard_plane_point){x, y};
}

bool shepard_sight_hides(struct shepard_sight *sight, double x, double y)
{
    const struct shepard_barrier_tree *tree = sight->tree;
    const struct line line = line_of(sight->target, (struct shepard_plane_point){x, y});
    if (sight->last != SHEPARD_NO_SEGMENT &&
        shepard_segment_hides(&tree->segments[sight->last], line.s, line.t))
        return true;
    const size_t found = find_between(tree, &line);
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
    if (sight->last == SHEPARD_NO_SEGMENT || around)
        return false;
    for (int i = 0; i < 4; i++)
        if (!shepard_segment_hides(&sight->tree->segments[sight->last], sight->target, corners[i]))
            return false;
    return true;
}

bool shepard_sight_is_clear(const struct shepard_sight *sight, double reach)
{
    const struct shepard_plane_point at = sight->target;
    const struct area area = {at.x - reach, at.x + reach, at.y - reach, at.y + reach};
    return !any_touches(sight->tree, &area);
}
