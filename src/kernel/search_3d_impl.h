/* SPDX-License-Identifier: MIT */
/* Searches among points with three coordinates: part of search.c. They walk as those in the plane
 * do; a sector is bounded by planes through the target. */

/* The target in vectors. */
struct target_3d {
    const struct shepard_tree *tree;
    const struct shepard_place *place;
    vd x, y, z;
};

static inline struct target_3d target_of_3d(const struct shepard_tree *tree,
                                            const struct shepard_place *place)
{
    return (struct target_3d){tree, place, vd_all(place->x), vd_all(place->y), vd_all(place->z)};
}

/* The distance of a coordinate from an interval, 0 inside. */
static inline vd gap_to(const double *low, const double *high, vd at)
{
    return vd_max(vd_max(vd_load(low) - at, at - vd_load(high)), vd_all(0));
}

/* Sides of boxes, by coordinate. */
struct box_sides_3d {
    const double *min[3], *max[3];
};

static inline struct box_sides_3d sides_of_siblings(const struct shepard_tree *tree, uint64_t level,
                                                    size_t set)
{
    const struct shepard_boxes *boxes = tree->boxes[level] + set;
    const struct shepard_sides *sides = tree->z_sides[level] + set;
    return (struct box_sides_3d){{boxes->x_min, boxes->y_min, sides->min},
                                 {boxes->x_max, boxes->y_max, sides->max}};
}

static inline struct box_sides_3d sides_of_list(const struct shepard_list_3d *list)
{
    return (struct box_sides_3d){{list->min[0], list->min[1], list->min[2]},
                                 {list->max[0], list->max[1], list->max[2]}};
}

/* Squared distances from boxes i on. */
static inline vd boxes_distance2_3d(const struct target_3d *target,
                                    const struct box_sides_3d *sides, size_t i)
{
    const vd dx = gap_to(sides->min[0] + i, sides->max[0] + i, target->x);
    const vd dy = gap_to(sides->min[1] + i, sides->max[1] + i, target->y);
    const vd dz = gap_to(sides->min[2] + i, sides->max[2] + i, target->z);
    return dx * dx + dy * dy + dz * dz;
}

/* As boxes_within, of the siblings of a level's set. */
static inline unsigned boxes_within_3d(const struct target_3d *target,
                                       const struct shepard_left_out *left, uint64_t level,
                                       size_t set, double bound, double *d2)
{
    const struct shepard_tree *tree = target->tree;
    const struct box_sides_3d sides = sides_of_siblings(tree, level, set);
    const vd limit = vd_all(bound);
    unsigned bits = 0;
    for (int i = 0; i < SHEPARD_FANOUT; i += LANES_D) {
        const vd square = boxes_distance2_3d(target, &sides, (size_t)i);
        vd_store(d2 + i, square);
        bits |= vl_bits((vl)(square <= limit)) << i;
    }
    return shepard_left_out_drop_3d(left, target->place, tree->boxes[level] + set,
                                    tree->z_sides[level] + set, bits);
}

static inline vd distances2_3d(const struct target_3d *target, size_t first)
{
    const struct shepard_tree *tree = target->tree;
    const vd dx = vd_load(tree->x + first) - target->x, dy = vd_load(tree->y + first) - target->y;
    const vd dz = vd_load(tree->z + first) - target->z;
    return dx * dx + dy * dy + dz * dz;
}

/* Bits of the points of a leaf that are used. */
static inline unsigned kept_3d(const struct target_3d *target, const struct shepard_left_out *left,
                               size_t first)
{
    unsigned kept = ~0u;
    for (size_t i = 0; shepard_left_out_any(left) && i < SHEPARD_LEAF; i++)
        if (shepard_left_out_has_3d(left, target->tree, first + i, target->place))
            kept &= ~(1u << i);
    return kept;
}

/* ---- nearest --------------------------------------------------------------------------------- */

static inline void scan_leaf_3d(const struct target_3d *target, size_t leaf,
                                struct shepard_hits *hits)
{
    if (hits->count + SHEPARD_LEAF > hits->room)
        compact(hits, target->tree);
    const size_t first = leaf * SHEPARD_LEAF;
    const vd limit = vd_all(hits->bound);
    const unsigned kept = kept_3d(target, &hits->left_out, first);
    for (size_t i = 0; i < SHEPARD_LEAF; i += LANES_D) {
        const vd d2 = distances2_3d(target, first + i);
        append(hits, d2, vl_bits((vl)(d2 <= limit)) & (kept >> i),
               (uint32_t)(first + i) + (vr){SHEPARD_LOW});
    }
}

static void search_nearest_3d(const struct shepard_tree *tree, const struct shepard_place *place,
                              size_t start, struct shepard_hits *hits)
{
    const struct target_3d target = target_of_3d(tree, place);
    struct visits visits;
    _Alignas(64) double d2[SHEPARD_FANOUT];
    const uint64_t root = (uint64_t)tree->levels - 1;
    visits.top = 0;
    scan_leaf_3d(&target, start, hits);
    push(&visits, boxes_within_3d(&target, &hits->left_out, root, 0, hits->bound, d2), d2,
         root << 32);
    while (visits.top > 0) {
        const int top = --visits.top;
        if (visits.d2[top] > hits->bound)
            continue;
        const size_t node = (uint32_t)visits.node[top];
        const uint64_t level = visits.node[top] >> 32;
        if (level > 0)
            push(&visits,
                 boxes_within_3d(&target, &hits->left_out, level - 1, node, hits->bound, d2), d2,
                 (level - 1) << 32 | node * SHEPARD_FANOUT);
        else if (node != start)
            scan_leaf_3d(&target, node, hits);
    }
    compact(hits, tree);
}

/* Bits of the siblings of a set that touch an area. */
static inline unsigned siblings_touching(const struct box_sides_3d *sides,
                                         const struct shepard_area_3d *area)
{
    unsigned bits = 0;
    for (size_t i = 0; i < SHEPARD_FANOUT; i += LANES_D) {
        vd d2 = vd_all(0);
        for (int k = 0; k < 3; k++) {
            const vd above = vd_load(sides->min[k] + i) - vd_all(area->max[k]);
            const vd below = vd_all(area->min[k]) - vd_load(sides->max[k] + i);
            const vd d = vd_max(vd_max(above, below), vd_all(0));
            d2 += d * d;
        }
        bits |= vl_bits((vl)(d2 <= vd_all(area->reach2))) << i;
    }
    return bits;
}

/* False once the list is full. */
static bool list_set_3d(const struct shepard_tree *tree, const struct shepard_area_3d *area,
                        int level, size_t set, struct shepard_list_3d *list)
{
    const struct box_sides_3d sides = sides_of_siblings(tree, (uint64_t)level, set);
    unsigned bits = siblings_touching(&sides, area);
    bool room = true;
    for (; room && bits != 0; bits &= bits - 1) {
        const unsigned i = (unsigned)__builtin_ctz(bits);
        const size_t node = set * SHEPARD_FANOUT + i;
        if (level > list->level) {
            room = list_set_3d(tree, area, level - 1, node, list);
            continue;
        }
        if (list->count == SHEPARD_LIST_3D_MAX)
            return false;
        for (int k = 0; k < 3; k++) {
            list->min[k][list->count] = sides.min[k][i];
            list->max[k][list->count] = sides.max[k][i];
        }
        list->node[list->count++] = (uint32_t)node;
    }
    return room;
}

static void search_list_nodes_3d(const struct shepard_tree *tree,
                                 const struct shepard_area_3d *area, int level,
                                 struct shepard_list_3d *list)
{
    list->level = level;
    list->count = 0;
    list->complete = list_set_3d(tree, area, tree->levels - 1, 0, list);
    if (!list->complete)
        list->count = 0;
    for (size_t i = list->count; i % LANES_D != 0; i++)
        for (int k = 0; k < 3; k++) {
            list->min[k][i] = INFINITY;
            list->max[k][i] = -INFINITY;
        }
}

/* Listed boxes are looked at so many at a time. */
#define LISTED_BITS 64

static inline void scan_children_3d(const struct target_3d *target, size_t node,
                                    struct shepard_hits *hits)
{
    _Alignas(64) double d2[SHEPARD_FANOUT];
    unsigned bits = boxes_within_3d(target, &hits->left_out, 0, node, hits->bound, d2);
    for (; bits != 0; bits &= bits - 1)
        scan_leaf_3d(target, node * SHEPARD_FANOUT + (unsigned)__builtin_ctz(bits), hits);
}

static void search_nearest_listed_3d(const struct shepard_tree *tree,
                                     const struct shepard_list_3d *list,
                                     const struct shepard_place *place, struct shepard_hits *hits)
{
    const struct target_3d target = target_of_3d(tree, place);
    const struct box_sides_3d sides = sides_of_list(list);
    const vd limit = vd_all(hits->bound);
    for (size_t first = 0; first < list->count; first += LISTED_BITS) {
        const size_t end = first + LISTED_BITS < list->count ? first + LISTED_BITS : list->count;
        uint64_t bits = 0;
        for (size_t i = first; i < end; i += LANES_D)
            bits |= (uint64_t)vl_bits((vl)(boxes_distance2_3d(&target, &sides, i) <= limit))
                    << (i - first);
        for (; bits != 0; bits &= bits - 1) {
            const size_t node = list->node[first + (unsigned)__builtin_ctzll(bits)];
            if (list->level == 0)
                scan_leaf_3d(&target, node, hits);
            else
                scan_children_3d(&target, node, hits);
        }
    }
    compact(hits, tree);
}

/* ---- inside a sphere ------------------------------------------------------------------------- */

struct gather_3d {
    struct target_3d target;
    double bound;
    struct shepard_hits *hits;
    size_t found;
};

static inline void gather_leaf_3d(struct gather_3d *g, size_t leaf)
{
    const size_t first = leaf * SHEPARD_LEAF;
    _Alignas(64) double d2[SHEPARD_LEAF];
    unsigned bits = 0;
    for (size_t i = 0; i < SHEPARD_LEAF; i += LANES_D) {
        const vd square = distances2_3d(&g->target, first + i);
        vd_store(d2 + i, square);
        bits |= vl_bits((vl)(square <= vd_all(g->bound))) << i;
    }
    bits &= kept_3d(&g->target, &g->hits->left_out, first);
    for (; bits != 0; bits &= bits - 1) {
        const unsigned i = (unsigned)__builtin_ctz(bits);
        if (g->found < g->hits->capacity) {
            g->hits->d2[g->found] = d2[i];
            g->hits->rank[g->found] = (uint32_t)(first + i);
        }
        g->found++;
    }
}

/* The siblings of set `set`, by rising number: points come in the tree's order. */
static void gather_set_3d(struct gather_3d *g, uint64_t level, size_t set)
{
    _Alignas(64) double d2[SHEPARD_FANOUT];
    unsigned bits = boxes_within_3d(&g->target, &g->hits->left_out, level, set, g->bound, d2);
    for (; bits != 0; bits &= bits - 1) {
        const size_t node = set * SHEPARD_FANOUT + (unsigned)__builtin_ctz(bits);
        if (level == 0)
            gather_leaf_3d(g, node);
        else
            gather_set_3d(g, level - 1, node);
    }
}

static size_t search_inside_3d(const struct shepard_tree *tree, const struct shepard_place *place,
                               double bound2, struct shepard_hits *hits)
{
    struct gather_3d g = {.target = target_of_3d(tree, place), .bound = bound2, .hits = hits};
    gather_set_3d(&g, (uint64_t)tree->levels - 1, 0);
    hits->count = g.found < hits->capacity ? g.found : hits->capacity;
    return g.found;
}

/* ---- sectors --------------------------------------------------------------------------------- */

static inline vd snapped_3d(vd offset, double snap)
{
    return vd_select((vl)(vd_abs(offset) <= vd_all(snap)), vd_all(0), offset);
}

/* shepard_place_along of points first on. */
static inline vd along_3d(const struct target_3d *target, const double direction[3], size_t first)
{
    const struct shepard_tree *tree = target->tree;
    const vd offset = vd_all(direction[0]) * (vd_load(tree->x + first) - target->x) +
                      vd_all(direction[1]) * (vd_load(tree->y + first) - target->y) +
                      vd_all(direction[2]) * (vd_load(tree->z + first) - target->z);
    return snapped_3d(offset, target->place->snap);
}

static inline __attribute__((always_inline)) void
scan_leaf_by_sector_3d(const struct target_3d *target, size_t leaf, const int sectors,
                       struct sector_walk *walk)
{
    struct shepard_sector_hits *hits = walk->hits;
    const size_t first = leaf * SHEPARD_LEAF;
    _Alignas(64) double d2[SHEPARD_LEAF];
    _Alignas(64) int64_t sector[SHEPARD_LEAF];
    unsigned bits = 0;
    for (size_t i = 0; i < SHEPARD_LEAF; i += LANES_D) {
        const vd square = distances2_3d(target, first + i);
        const vd east = along_3d(target, target->place->east, first + i);
        const vd north = along_3d(target, target->place->north, first + i);
        const vd limit = bounds_at(hits->bound, east, north, sectors, sector + i);
        vd_store(d2 + i, square);
        bits |= vl_bits((vl)(square <= limit)) << i;
    }
    bits &= kept_3d(target, &hits->left_out, first);
    add_by_sector(walk, first, bits, d2, sector);
}

/* The least and the largest offset of boxes i on along a direction, a little too far out. */
static inline void reach_3d(const struct target_3d *target, const double direction[3],
                            const struct box_sides_3d *sides, size_t i, vd *least, vd *most)
{
    const vd at[3] = {target->x, target->y, target->z};
    *least = vd_all(-2 * target->place->snap);
    *most = vd_all(2 * target->place->snap);
    for (int k = 0; k < 3; k++) {
        const vd a = vd_all(direction[k]) * (vd_load(sides->min[k] + i) - at[k]);
        const vd b = vd_all(direction[k]) * (vd_load(sides->max[k] + i) - at[k]);
        *most += vd_max(a, b);
        *least -= vd_max(-a, -b);
    }
}

/* As weigh_boxes. */
static inline __attribute__((always_inline)) vd weigh_boxes_3d(const struct target_3d *target,
                                                               const struct box_sides_3d *sides,
                                                               size_t i, const double *bound,
                                                               const int sectors, vl *gains)
{
    const vd zero = vd_all(0);
    const vd d2 = boxes_distance2_3d(target, sides, i);
    vd west, east, south, north;
    reach_3d(target, target->place->east, sides, i, &west, &east);
    reach_3d(target, target->place->north, sides, i, &south, &north);
    const vl to_side[4] = {(vl)(west <= zero), (vl)(east >= zero), (vl)(south <= zero),
                           (vl)(north >= zero)};
    /* How far out at most, and how near to the axis at least, a part of the box lies. */
    const vd out[4] = {-west, east, -south, north};
    const vd near_y = vd_max(vd_max(south, -north), zero);
    const vd near_x = vd_max(vd_max(west, -east), zero);
    for (int s = 0; s < sectors; s++) {
        const int across = s & 1, up = 2 + (s >> 1 & 1);
        gains[s] = to_side[across] & to_side[up] & (vl)(d2 <= vd_all(bound[s]));
        if (sectors == 8)
            gains[s] &= s & 4 ? (vl)(out[across] >= near_y) : (vl)(out[up] >= near_x);
    }
    return d2;
}

static inline __attribute__((always_inline)) void
push_by_sector_3d(const struct target_3d *target, const struct sector_walk *walk, uint64_t level,
                  size_t set, const int sectors, struct visits *visits)
{
    const struct box_sides_3d sides = sides_of_siblings(walk->tree, level, set);
    _Alignas(64) double d2[SHEPARD_FANOUT];
    _Alignas(64) int64_t serves[SHEPARD_FANOUT];
    unsigned any = 0;
    for (size_t i = 0; i < SHEPARD_FANOUT; i += LANES_D) {
        vl gains[SHEPARD_SECTORS_MAX];
        vd_store(d2 + i, weigh_boxes_3d(target, &sides, i, walk->hits->bound, sectors, gains));
        any |= put_served(gains, sectors, serves + i) << i;
    }
    any = shepard_left_out_drop_3d(&walk->hits->left_out, target->place,
                                   walk->tree->boxes[level] + set, walk->tree->z_sides[level] + set,
                                   any);
    push_served(visits, any, d2, serves, level << 32 | set * SHEPARD_FANOUT);
}

/* Visits what is on the stack, and leaves the nearest of each sector. */
static inline __attribute__((always_inline)) void visit_by_sector_3d(const struct target_3d *target,
                                                                     struct sector_walk *walk,
                                                                     struct visits *visits,
                                                                     const int sectors)
{
    unsigned open = 0;
    for (int s = 0; s < sectors; s++)
        open |= (unsigned)(walk->hits->bound[s] >= 0) << s;
    while (visits->top > 0) {
        const int top = --visits->top;
        const uint64_t node = visits->node[top], level = node >> 32 & LEVEL_MASK;
        if (!may_gain(walk->hits, (unsigned)(node >> SECTORS_SHIFT), visits->d2[top]))
            continue;
        if (level > 0) {
            push_by_sector_3d(target, walk, level - 1, (uint32_t)node, sectors, visits);
            continue;
        }
        scan_leaf_by_sector_3d(target, (uint32_t)node, sectors, walk);
        close_in(walk, &open);
    }
    compact_sectors(walk->hits, walk->tree);
}

static inline __attribute__((always_inline)) void
walk_by_sector_3d(const struct target_3d *target, struct sector_walk *walk, const int sectors)
{
    struct visits visits;
    visits.top = 0;
    push_by_sector_3d(target, walk, (uint64_t)walk->tree->levels - 1, 0, sectors, &visits);
    visit_by_sector_3d(target, walk, &visits, sectors);
}

static void search_sectors_3d(const struct shepard_tree *tree, const struct shepard_place *place,
                              struct shepard_sector_hits *hits)
{
    const struct target_3d target = target_of_3d(tree, place);
    struct sector_walk walk = {.tree = tree, .hits = hits};
    if (hits->sectors == 8)
        walk_by_sector_3d(&target, &walk, 8);
    else if (hits->sectors == 4)
        walk_by_sector_3d(&target, &walk, 4);
    else
        walk_by_sector_3d(&target, &walk, 1);
}

static inline double largest_bound(const struct shepard_sector_hits *hits, const int sectors)
{
    double most = hits->bound[0];
    for (int s = 1; s < sectors; s++)
        most = hits->bound[s] > most ? hits->bound[s] : most;
    return most;
}

/* The listed nodes that may serve a sector, the nearest first. */
static inline __attribute__((always_inline)) void
search_list_by_sector_3d(const struct target_3d *target, struct sector_walk *walk,
                         const struct shepard_list_3d *list, const int sectors)
{
    const struct box_sides_3d sides = sides_of_list(list);
    const vd most = vd_all(largest_bound(walk->hits, sectors));
    const uint64_t level = (uint64_t)list->level << 32;
    struct visits visits;
    visits.top = 0;
    for (size_t i = 0; i < list->count; i += LANES_D) {
        if (vl_bits((vl)(boxes_distance2_3d(target, &sides, i) <= most)) == 0)
            continue;
        _Alignas(64) double d2[LANES_D];
        _Alignas(64) int64_t serves[LANES_D];
        vl gains[SHEPARD_SECTORS_MAX];
        vd_store(d2, weigh_boxes_3d(target, &sides, i, walk->hits->bound, sectors, gains));
        unsigned bits = put_served(gains, sectors, serves);
        for (; bits != 0; bits &= bits - 1) {
            const unsigned lane = (unsigned)__builtin_ctz(bits);
            insert(&visits, 0, d2[lane], (uint64_t)serves[lane] | level | list->node[i + lane]);
        }
    }
    visit_by_sector_3d(target, walk, &visits, sectors);
}

static void search_sectors_listed_3d(const struct shepard_tree *tree,
                                     const struct shepard_list_3d *list,
                                     const struct shepard_place *place,
                                     struct shepard_sector_hits *hits)
{
    const struct target_3d target = target_of_3d(tree, place);
    struct sector_walk walk = {.tree = tree, .hits = hits};
    if (hits->sectors == 8)
        search_list_by_sector_3d(&target, &walk, list, 8);
    else if (hits->sectors == 4)
        search_list_by_sector_3d(&target, &walk, list, 4);
    else
        search_list_by_sector_3d(&target, &walk, list, 1);
}
