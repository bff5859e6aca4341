/* SPDX-License-Identifier: MIT */
/* Walks over the tree: k nearest points, points inside an ellipse, nearest points by sector. Eq. n
 * are those of docs/math.md. Compiled once for each instruction set. Distances are computed as dx *
 * dx + dy * dy without fused operations, so they have the same bits everywhere, and a box's
 * distance never exceeds that of a point in it. */
#include "kernel/kernels.h"
#include "kernel/simd.h"

#include <math.h>

/* The stack holds the nodes of a list, and children of one node for each level at most. */
#define VISITS_MAX (SHEPARD_LIST_3D_MAX + SHEPARD_LEVELS_MAX * SHEPARD_FANOUT)
_Static_assert(SHEPARD_BOXES_MAX <= SHEPARD_LIST_3D_MAX, "the stack has room for either list");

/* Nodes still to be visited: the squared distance of the box, and level << 32 | node. Two arrays:
 * loading a struct whole after writing it in parts stalls. */
struct visits {
    int top;
    double d2[VISITS_MAX];
    uint64_t node[VISITS_MAX];
};

/* Squared distances of (x, y) from sibling boxes (Eq. 18); bits of those within bound (Eq. 19). */
static inline unsigned boxes_within(const struct shepard_boxes *boxes, vd x, vd y, double bound,
                                    double *d2)
{
    const vd zero = vd_all(0), limit = vd_all(bound);
    unsigned bits = 0;
    for (int i = 0; i < SHEPARD_FANOUT; i += LANES_D) {
        const vd dx =
            vd_max(vd_max(vd_load(boxes->x_min + i) - x, x - vd_load(boxes->x_max + i)), zero);
        const vd dy =
            vd_max(vd_max(vd_load(boxes->y_min + i) - y, y - vd_load(boxes->y_max + i)), zero);
        const vd square = dx * dx + dy * dy;
        vd_store(d2 + i, square);
        bits |= vl_bits(square <= limit) << i;
    }
    return bits;
}

/* Squared distances of (x, y) from the points of a leaf; bits of those within bound. */
static inline unsigned points_within(const struct shepard_tree *tree, size_t leaf, vd x, vd y,
                                     double bound, double *d2)
{
    const double *px = tree->x + leaf * SHEPARD_LEAF, *py = tree->y + leaf * SHEPARD_LEAF;
    const vd limit = vd_all(bound);
    unsigned bits = 0;
    for (int i = 0; i < SHEPARD_LEAF; i += LANES_D) {
        const vd dx = vd_load(px + i) - x, dy = vd_load(py + i) - y;
        const vd square = dx * dx + dy * dy;
        vd_store(d2 + i, square);
        bits |= vl_bits(square <= limit) << i;
    }
    return bits;
}

#if SHEPARD_VECTOR_BYTES == 32
/* The lanes in each set of bits, the lowest first; entries after the last do not matter. */
static _Alignas(16) const int32_t lanes_in[16][4] = {
    {0}, {0},    {1},    {0, 1},    {2},    {0, 2},    {1, 2},    {0, 1, 2},
    {3}, {0, 3}, {1, 3}, {0, 1, 3}, {2, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2, 3}};
#endif

/* Ranks of as many points as a vd has lanes. */
typedef uint32_t vr __attribute__((vector_size(LANES_D * sizeof(uint32_t))));

/* Appends the lanes of d2 and rank in bits. */
static inline void append(struct shepard_hits *hits, vd d2, unsigned bits, vr rank)
{
    double *const to = hits->d2 + hits->count;
    uint32_t *const to_rank = hits->rank + hits->count;
#if SHEPARD_VECTOR_BYTES == 64
    const __mmask8 mask = (__mmask8)bits;
    rank = (vr)_mm256_maskz_compress_epi32(mask, (__m256i)rank);
    vd_store(to, _mm512_maskz_compress_pd(mask, d2));
    memcpy(to_rank, &rank, sizeof rank);
    hits->count += (size_t)__builtin_popcount(bits);
#elif SHEPARD_VECTOR_BYTES == 32
    const __m128i lanes = _mm_load_si128((const __m128i *)(const void *)lanes_in[bits]);
    const vl choice = vl_choice((vl)_mm256_cvtepi32_epi64(lanes));
    rank = (vr)_mm_permutevar_ps((__m128)rank, lanes);
    vd_store(to, (vd)_mm256_permutevar8x32_ps((__m256)d2, (__m256i)choice));
    memcpy(to_rank, &rank, sizeof rank);
    hits->count += (size_t)__builtin_popcount(bits);
#else
    size_t kept = 0;
    for (unsigned i = 0; i < LANES_D; i++) {
        to[kept] = d2[i];
        to_rank[kept] = rank[i];
        kept += (bits >> i) & 1;
    }
    hits->count += kept;
#endif
}

/* Up to this many hits are ranked by counting, each against all. */
#define COUNTED_MAX 96

/* Two vectors of hits are counted at a time, against so many others: a loop around one of these
 * runs a fifth slower or faster by where its code lies. */
#define COUNTED_LANES (2 * LANES_D)
#define COUNTED_AT_ONCE 4

/* The number of nearer hits for each; d2 has been filled up with infinities to whole
 * COUNTED_LANES. */
static inline void count_nearer(const double *d2, size_t count, int64_t *nearer)
{
    for (size_t i = 0; i < count; i += COUNTED_LANES) {
        const vd a = vd_load(d2 + i), b = vd_load(d2 + i + LANES_D);
        vl in_a = {0}, in_b = {0};
        for (size_t j = 0; j < count; j += COUNTED_AT_ONCE)
            for (size_t k = j; k < j + COUNTED_AT_ONCE; k++) {
                const vd other = vd_all(d2[k]);
                in_a -= (vl)(a > other);
                in_b -= (vl)(b > other);
            }
        memcpy(nearer + i, &in_a, sizeof in_a);
        memcpy(nearer + i + LANES_D, &in_b, sizeof in_b);
    }
}

/* Hits are copied so many at a time, also beyond the last: for lengths that it does not know GCC
 * takes string instructions, whose start costs more than the copy. */
#define COPIED 8

static inline void copy(double *to, uint32_t *to_rank, const double *from,
                        const uint32_t *from_rank, size_t count)
{
    for (size_t i = 0; i < count; i += COPIED) {
        memcpy(to + i, from + i, COPIED * sizeof *to);
        memcpy(to_rank + i, from_rank + i, COPIED * sizeof *to_rank);
    }
}

/* Copies distances and fills them up for count_nearer. */
static inline void copy_filled(double *to, const double *from, size_t count)
{
    const size_t counted = (count + COUNTED_LANES - 1) / COUNTED_LANES * COUNTED_LANES;
    for (size_t i = 0; i < counted; i += LANES_D) {
        const vl is_there = (vl)((vl){SHEPARD_LOW} + (int64_t)i < (int64_t)count);
        vd_store(to + i, vd_select(is_there, vd_load(from + i), vd_all(INFINITY)));
    }
}

/* Sorts offers, d2 being filled up with infinities to whole vectors; `seen`: how many of the
 * nearest count. Hits at equal distances get the same position and leave a gap: false if among
 * these. */
static inline bool sort_counted(const double *d2, const uint32_t *rank, size_t count, size_t seen,
                                double *to, uint32_t *to_rank)
{
    _Alignas(64) int64_t nearer[COUNTED_MAX + SHEPARD_LEAF];
    count_nearer(d2, count, nearer);
    for (size_t i = 0; i < seen; i += COPIED)
        memset(to_rank + i, 0xff, COPIED * sizeof *to_rank);
    for (size_t i = 0; i < count; i++) {
        to[nearer[i]] = d2[i];
        to_rank[nearer[i]] = rank[i];
    }
    bool gap = false;
    for (size_t i = 0; i < seen; i++)
        gap |= to_rank[i] == UINT32_MAX;
    return !gap;
}

/* Sorts offers from one place to another, or the same; behind either there is room for a leaf. */
static void sort_offers(const struct shepard_tree *tree, const double *from,
                        const uint32_t *from_rank, size_t count, size_t seen, double *to,
                        uint32_t *to_rank)
{
    struct shepard_hits offers = {.d2 = to, .rank = to_rank, .count = count};
    _Alignas(64) double d2[COUNTED_MAX + SHEPARD_LEAF];
    _Alignas(64) uint32_t rank[COUNTED_MAX + SHEPARD_LEAF];
    if (count > COUNTED_MAX) {
        copy(to, to_rank, from, from_rank, count);
        shepard_hits_sort(&offers, tree);
        return;
    }
    copy_filled(d2, from, count);
    for (size_t i = 0; i < count; i += COPIED)
        memcpy(rank + i, from_rank + i, COPIED * sizeof *rank);
    if (!sort_counted(d2, rank, count, seen, to, to_rank)) {
        copy(to, to_rank, d2, rank, count);
        shepard_hits_sort(&offers, tree);
    }
}

/* More hits than are counted, up to PARTED_MAX, are put into parts of about PART_SIZE by their
 * distances first: squares of those of points that lie evenly in the plane are spread evenly. */
#define PART_SIZE 32
#define PARTED_MAX 768
#define PARTS_MAX (PARTED_MAX / PART_SIZE)

struct offer_parts {
    size_t count;
    size_t end[PARTS_MAX];
    double d2[PARTED_MAX + SHEPARD_LEAF];
    uint32_t rank[PARTED_MAX + SHEPARD_LEAF];
};

/* The part of each hit, and how many each has. */
static void number_parts(const struct shepard_hits *hits, size_t parts, uint8_t *of, size_t *counts)
{
    double least = hits->d2[0], most = hits->d2[0];
    for (size_t i = 1; i < hits->count; i++) {
        least = hits->d2[i] < least ? hits->d2[i] : least;
        most = hits->d2[i] > most ? hits->d2[i] : most;
    }
    /* Of hits at one distance, or nearly, all are in the first. */
    const double width = (most - least) / (double)parts, scale = width > 0x1p-1000 ? 1 / width : 0;
    for (size_t i = 0; i < hits->count; i++) {
        const size_t number = (size_t)(int32_t)((hits->d2[i] - least) * scale);
        of[i] = (uint8_t)(number < parts ? number : parts - 1);
        counts[of[i]]++;
    }
}

static void divide(const struct shepard_hits *hits, struct offer_parts *parts)
{
    uint8_t of[PARTED_MAX];
    size_t counts[PARTS_MAX] = {0}, next[PARTS_MAX], end = 0;
    parts->count = hits->count / PART_SIZE;
    number_parts(hits, parts->count, of, counts);
    for (size_t p = 0; p < parts->count; p++) {
        next[p] = end;
        parts->end[p] = end += counts[p];
    }
    for (size_t i = 0; i < hits->count; i++) {
        const size_t to = next[of[i]]++;
        parts->d2[to] = hits->d2[i];
        parts->rank[to] = hits->rank[i];
    }
}

/* Sorts the parts that hold the nearest `seen` hits. */
static void sort_parts(struct shepard_hits *hits, const struct shepard_tree *tree, size_t seen)
{
    struct offer_parts parts;
    divide(hits, &parts);
    for (size_t p = 0, begin = 0; begin < seen; begin = parts.end[p++]) {
        const size_t count = parts.end[p] - begin;
        sort_offers(tree, parts.d2 + begin, parts.rank + begin, count,
                    count < seen - begin ? count : seen - begin, hits->d2 + begin,
                    hits->rank + begin);
    }
}

/* shepard_hits_compact without branches on distances. */
static void compact(struct shepard_hits *hits, const struct shepard_tree *tree)
{
    const size_t count = hits->count, seen = count <= hits->capacity ? count : hits->capacity + 1;
    if (count > PARTED_MAX) {
        shepard_hits_compact(hits, tree);
        return;
    }
    if (count > COUNTED_MAX)
        sort_parts(hits, tree, seen);
    else if (count > 1)
        sort_offers(tree, hits->d2, hits->rank, count, seen, hits->d2, hits->rank);
    hits->count = seen;
    shepard_hits_cut(hits);
}

/* leaving: hits may leave points out. A constant, so that other searches have no cost. */
static inline __attribute__((always_inline)) void scan_leaf(const struct shepard_tree *tree,
                                                            size_t leaf, vd x, vd y,
                                                            const bool leaving,
                                                            struct shepard_hits *hits)
{
    if (hits->count + SHEPARD_LEAF > hits->room)
        compact(hits, tree);
    const size_t first = leaf * SHEPARD_LEAF;
    const vd limit = vd_all(hits->bound);
    const unsigned kept = leaving ? ~(unsigned)shepard_left_out_among(&hits->left_out, tree, first,
                                                                      SHEPARD_LEAF, x[0], y[0])
                                  : 0;
    for (size_t i = 0; i < SHEPARD_LEAF; i += LANES_D) {
        const vd dx = vd_load(tree->x + first + i) - x, dy = vd_load(tree->y + first + i) - y;
        const vd d2 = dx * dx + dy * dy;
        unsigned bits = vl_bits(d2 <= limit);
        if (leaving)
            bits = shepard_left_out_drop_hidden(&hits->left_out, tree, first + i, bits & kept >> i);
        append(hits, d2, bits, (uint32_t)(first + i) + (vr){SHEPARD_LOW});
    }
}

/* Puts a node on the stack, above those from base on that are as far or farther. */
static inline void insert(struct visits *visits, int base, double d2, uint64_t node)
{
    int at = visits->top++;
    for (; at > base && visits->d2[at - 1] <= d2; at--) {
        visits->d2[at] = visits->d2[at - 1];
        visits->node[at] = visits->node[at - 1];
    }
    visits->d2[at] = d2;
    visits->node[at] = node;
}

/* Puts the siblings in bits on the stack, the nearest on top. */
static inline void push(struct visits *visits, unsigned bits, const double *d2, uint64_t first)
{
    const int base = visits->top;
    for (; bits != 0; bits &= bits - 1) {
        const unsigned i = (unsigned)__builtin_ctz(bits);
        insert(visits, base, d2[i], first + i);
    }
}

static inline __attribute__((always_inline)) void walk_nearest(const struct shepard_tree *tree,
                                                               double x, double y, size_t start,
                                                               const bool leaving,
                                                               struct shepard_hits *hits)
{
    const vd vx = vd_all(x), vy = vd_all(y);
    struct visits visits;
    _Alignas(64) double d2[SHEPARD_FANOUT];
    visits.top = 0;
    scan_leaf(tree, start, vx, vy, leaving, hits);
    const int root = tree->levels - 1;
    unsigned bits = boxes_within(tree->boxes[root], vx, vy, hits->bound, d2);
    if (leaving)
        bits = shepard_left_out_drop(&hits->left_out, tree->boxes[root], bits, x, y);
    push(&visits, bits, d2, (uint64_t)root << 32);
    while (visits.top > 0) {
        const int top = --visits.top;
        if (visits.d2[top] > hits->bound ||
            (leaving && shepard_left_out_ends(&hits->left_out, visits.d2[top])))
            continue;
        const size_t node = (uint32_t)visits.node[top];
        const uint64_t level = visits.node[top] >> 32;
        if (level > 0) {
            const struct shepard_boxes *boxes = tree->boxes[level - 1] + node;
            bits = boxes_within(boxes, vx, vy, hits->bound, d2);
            if (leaving)
                bits = shepard_left_out_drop(&hits->left_out, boxes, bits, x, y);
            push(&visits, bits, d2, (level - 1) << 32 | node * SHEPARD_FANOUT);
        } else if (node != start) {
            scan_leaf(tree, node, vx, vy, leaving, hits);
        }
    }
    compact(hits, tree);
}

static void search_nearest(const struct shepard_tree *tree, double x, double y, size_t start,
                           struct shepard_hits *hits)
{
    if (shepard_hits_leave_out(hits))
        walk_nearest(tree, x, y, start, true, hits);
    else
        walk_nearest(tree, x, y, start, false, hits);
}

/* ---- a run of targets ------------------------------------------------------------------------ */

static inline unsigned boxes_touching(const struct shepard_boxes *boxes,
                                      const struct shepard_area *area)
{
    const vd x_min = vd_all(area->x_min), x_max = vd_all(area->x_max);
    const vd y_min = vd_all(area->y_min), y_max = vd_all(area->y_max);
    unsigned bits = 0;
    for (int i = 0; i < SHEPARD_FANOUT; i += LANES_D) {
        const vl touch =
            (vl)(vd_load(boxes->x_min + i) <= x_max) & (vl)(vd_load(boxes->x_max + i) >= x_min) &
            (vl)(vd_load(boxes->y_min + i) <= y_max) & (vl)(vd_load(boxes->y_max + i) >= y_min);
        bits |= vl_bits(touch) << i;
    }
    return bits;
}

/* False once the list is full. */
static bool list_set(const struct shepard_tree *tree, const struct shepard_area *area, int level,
                     size_t set, struct shepard_leaf_list *list)
{
    const struct shepard_boxes *boxes = tree->boxes[level] + set;
    unsigned bits = boxes_touching(boxes, area);
    bool room = true;
    for (; room && bits != 0; bits &= bits - 1) {
        const unsigned i = (unsigned)__builtin_ctz(bits);
        const size_t node = set * SHEPARD_FANOUT + i;
        if (level > 0) {
            room = list_set(tree, area, level - 1, node, list);
            continue;
        }
        if (list->count == SHEPARD_LIST_MAX)
            return false;
        list->x_min[list->count] = boxes->x_min[i];
        list->x_max[list->count] = boxes->x_max[i];
        list->y_min[list->count] = boxes->y_min[i];
        list->y_max[list->count] = boxes->y_max[i];
        list->leaf[list->count++] = (uint32_t)node;
    }
    return room;
}

/* Copies the points of the listed leaves that lie in the area, if they are few. */
static void list_points(const struct shepard_tree *tree, const struct shepard_area *area,
                        struct shepard_leaf_list *list)
{
    const vd x_min = vd_all(area->x_min), x_max = vd_all(area->x_max);
    const vd y_min = vd_all(area->y_min), y_max = vd_all(area->y_max);
    size_t count = 0;
    list->points = 0;
    for (size_t at = 0; at < list->count * SHEPARD_LEAF; at += LANES_D) {
        const size_t rank =
            list->leaf[at / SHEPARD_LEAF] * (size_t)SHEPARD_LEAF + at % SHEPARD_LEAF;
        const vd x = vd_load(tree->x + rank), y = vd_load(tree->y + rank);
        unsigned bits =
            vl_bits((vl)(x >= x_min) & (vl)(x <= x_max) & (vl)(y >= y_min) & (vl)(y <= y_max));
        for (; bits != 0; bits &= bits - 1, count++) {
            if (count == SHEPARD_LIST_POINTS)
                return;
            list->rank[count] = (uint32_t)rank + (uint32_t)__builtin_ctz(bits);
            list->x[count] = tree->x[list->rank[count]];
            list->y[count] = tree->y[list->rank[count]];
        }
    }
    list->points = count;
}

static void search_list_leaves(const struct shepard_tree *tree, const struct shepard_area *area,
                               struct shepard_leaf_list *list)
{
    list->count = 0;
    list->complete = list_set(tree, area, tree->levels - 1, 0, list);
    if (!list->complete)
        list->count = 0;
    for (size_t i = list->count; i % LANES_D != 0; i++) {
        list->x_min[i] = list->y_min[i] = INFINITY;
        list->x_max[i] = list->y_max[i] = -INFINITY;
    }
    list_points(tree, area, list);
}

static void search_nearest_listed(const struct shepard_tree *tree,
                                  const struct shepard_leaf_list *list, double x, double y,
                                  struct shepard_hits *hits)
{
    const vd vx = vd_all(x), vy = vd_all(y), zero = vd_all(0), limit = vd_all(hits->bound);
    uint64_t bits = 0;
    for (size_t i = 0; i < list->count; i += LANES_D) {
        const vd dx =
            vd_max(vd_max(vd_load(list->x_min + i) - vx, vx - vd_load(list->x_max + i)), zero);
        const vd dy =
            vd_max(vd_max(vd_load(list->y_min + i) - vy, vy - vd_load(list->y_max + i)), zero);
        bits |= (uint64_t)vl_bits(dx * dx + dy * dy <= limit) << i;
    }
    if (shepard_hits_leave_out(hits))
        for (; bits != 0; bits &= bits - 1)
            scan_leaf(tree, list->leaf[__builtin_ctzll(bits)], vx, vy, true, hits);
    else
        for (; bits != 0; bits &= bits - 1)
            scan_leaf(tree, list->leaf[__builtin_ctzll(bits)], vx, vy, false, hits);
    compact(hits, tree);
}

#include "kernel/nearest_group_impl.h"

/* ---- ellipses -------------------------------------------------------------------------------- */

/* Lanes whose offsets lie inside the ellipse, boundary included (Eq. 13). */
static inline vl inside(const struct shepard_ellipse *e, vd dx, vd dy)
{
    const vd c = vd_all(e->cosine), s = vd_all(e->sine);
    const vd rx = dx * c + dy * s, ry = dy * c - dx * s;
    return (vl)(vd_all(e->along) * (rx * rx) + vd_all(e->across) * (ry * ry) <= vd_all(e->limit));
}

/* Bits of those of a leaf's points that lie inside the ellipse. */
static inline unsigned leaf_inside(const struct shepard_tree *tree, size_t leaf, vd x, vd y,
                                   const struct shepard_ellipse *e, double *d2)
{
    const double *px = tree->x + leaf * SHEPARD_LEAF, *py = tree->y + leaf * SHEPARD_LEAF;
    unsigned bits = 0;
    for (int i = 0; i < SHEPARD_LEAF; i += LANES_D) {
        const vd dx = vd_load(px + i) - x, dy = vd_load(py + i) - y;
        vd_store(d2 + i, dx * dx + dy * dy);
        bits |= vl_bits(inside(e, dx, dy)) << i;
    }
    return bits;
}

struct gather {
    const struct shepard_tree *tree;
    const struct shepard_ellipse *ellipse;
    bool circle;
    double bound; /* squared distance beyond which nothing can be inside */
    vd x, y;
    struct shepard_hits *hits;
    size_t found;
};

static inline void gather_leaf(struct gather *g, size_t leaf)
{
    _Alignas(64) double d2[SHEPARD_LEAF];
    unsigned bits = g->circle ? points_within(g->tree, leaf, g->x, g->y, g->bound, d2)
                              : leaf_inside(g->tree, leaf, g->x, g->y, g->ellipse, d2);
    bits &= ~(unsigned)shepard_left_out_among(&g->hits->left_out, g->tree, leaf * SHEPARD_LEAF,
                                              SHEPARD_LEAF, g->x[0], g->y[0]);
    for (; bits != 0; bits &= bits - 1) {
        unsigned i = (unsigned)__builtin_ctz(bits);
        if (g->found < g->hits->capacity) {
            g->hits->d2[g->found] = d2[i];
            g->hits->rank[g->found] = (uint32_t)(leaf * SHEPARD_LEAF + i);
        }
        g->found++;
    }
}

/* Children by rising number, so that points come in the tree's order. */
static void gather_node(struct gather *g, size_t node, int level)
{
    if (level == 0) {
        gather_leaf(g, node);
        return;
    }
    _Alignas(64) double d2[SHEPARD_FANOUT];
    unsigned bits = boxes_within(g->tree->boxes[level - 1] + node, g->x, g->y, g->bound, d2);
    for (; bits != 0; bits &= bits - 1)
        gather_node(g, node * SHEPARD_FANOUT + (unsigned)__builtin_ctz(bits), level - 1);
}

static size_t search_inside(const struct shepard_tree *tree, double x, double y,
                            const struct shepard_ellipse *ellipse, struct shepard_hits *hits)
{
    const double longer = ellipse->radius1 > ellipse->radius2 ? ellipse->radius1 : ellipse->radius2;
    const bool circle = ellipse->radius1 == ellipse->radius2;
    /* An ellipse's rotation rounds: a little more than its longer axis is searched. */
    struct gather g = {.tree = tree,
                       .ellipse = ellipse,
                       .circle = circle,
                       .bound = longer * longer * (circle ? 1 : 1 + 1e-12),
                       .x = vd_all(x),
                       .y = vd_all(y),
                       .hits = hits};
    _Alignas(64) double d2[SHEPARD_FANOUT];
    const int level = tree->levels - 1;
    unsigned bits = boxes_within(tree->boxes[level], g.x, g.y, g.bound, d2);
    for (; bits != 0; bits &= bits - 1)
        gather_node(&g, (unsigned)__builtin_ctz(bits), level);
    hits->count = g.found < hits->capacity ? g.found : hits->capacity;
    return g.found;
}

/* ---- sectors --------------------------------------------------------------------------------- */

#include "kernel/search_sectors_impl.h"

/* ---- three dimensions ------------------------------------------------------------------------ */

#include "kernel/search_3d_impl.h"

const struct shepard_search_kernels SHEPARD_KERNELS(search) = {
    search_nearest,       search_list_leaves,       search_nearest_listed,   search_nearest_group,
    search_inside,        search_sectors,           search_list_boxes,       search_sectors_listed,
    search_carry_bounds,  search_nearest_3d,        search_inside_3d,        search_sectors_3d,
    search_list_nodes_3d, search_nearest_listed_3d, search_sectors_listed_3d};
