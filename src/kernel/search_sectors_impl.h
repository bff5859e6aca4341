/* SPDX-License-Identifier: MIT */
/* The nearest points of each sector: part of search.c. A leaf or a node is looked into only where a
 * sector that it touches may gain (Eq. 19 for each sector). */

/* ---- choosing the nearest -------------------------------------------------------------------- */

/* Up to this capacity, sectors are sorted side by side, each point moved down by comparisons with
 * all that are kept; above, one by one. */
#define SIDE_BY_SIDE_MAX 16

/* Beyond every squared distance, and different for each place: what is not there ties with nothing.
 */
#define ABSENT(place) ((1 + (double)(place)) * 0x1p1000)

/* Leaves the nearest of as many sectors as a vector has lanes, the first one `first`, sorted;
 * false, and nothing done, where two are at one distance. */
static inline __attribute__((always_inline)) bool choose_lanes(struct shepard_sector_hits *hits,
                                                               size_t first, const size_t capacity)
{
    vd best[SIDE_BY_SIDE_MAX];
    vl rank[SIDE_BY_SIDE_MAX], count, tied = {0};
    int64_t rows = 0;
    memcpy(&count, hits->count + first, sizeof count);
    for (size_t i = 0; i < LANES_D; i++)
        rows = count[i] > rows ? count[i] : rows;
    for (size_t k = 0; k < capacity; k++) {
        best[k] = vd_all(ABSENT(k));
        rank[k] = (vl){0};
    }
    for (int64_t row = 0; row < rows; row++) {
        const size_t at = (size_t)row * SHEPARD_SECTORS_MAX + first;
        vd d2 = vd_select((vl)(count > row), vd_load(hits->d2 + at), vd_all(INFINITY));
        vl r;
        memcpy(&r, hits->rank + at, sizeof r);
        for (size_t k = 0; k < capacity; k++) {
            const vd d2_k = best[k];
            const vl rank_k = rank[k], less = (vl)(d2 < d2_k);
            tied |= (vl)(d2 == d2_k);
            best[k] = vd_select(less, d2, d2_k);
            rank[k] = (vl)vd_select(less, (vd)r, (vd)rank_k);
            d2 = vd_select(less, d2_k, d2);
            r = (vl)vd_select(less, (vd)rank_k, (vd)r);
        }
    }
    if (vl_bits(tied) != 0)
        return false;
    for (size_t k = 0; k < capacity; k++) {
        vd_store(hits->d2 + k * SHEPARD_SECTORS_MAX + first, best[k]);
        memcpy(hits->rank + k * SHEPARD_SECTORS_MAX + first, &rank[k], sizeof rank[k]);
    }
    const vl most = (vl){0} + (int64_t)capacity, full = (vl)(count >= most);
    const vd bound = vd_load(hits->bound + first);
    count = (full & most) | (~full & count);
    memcpy(hits->count + first, &count, sizeof count);
    vd_store(hits->bound + first,
             vd_select(full & (vl)(bound >= vd_all(0)), best[capacity - 1], bound));
    return true;
}

static void sort_sector(struct shepard_sector_hits *hits, const struct shepard_tree *tree,
                        int sector)
{
    shepard_sector_hits_take(hits, sector);
    compact(&hits->column, tree);
    shepard_sector_hits_put(hits, sector);
}

static inline __attribute__((always_inline)) void
choose_side_by_side(struct shepard_sector_hits *hits, const struct shepard_tree *tree,
                    const size_t capacity)
{
    for (int first = 0; first < hits->sectors; first += LANES_D)
        if (!choose_lanes(hits, (size_t)first, capacity))
            for (int i = 0; i < LANES_D; i++)
                sort_sector(hits, tree, first + i);
}

/* Leaves the nearest of each sector, sorted. */
static void compact_sectors(struct shepard_sector_hits *hits, const struct shepard_tree *tree)
{
    if (hits->sectors == 1 || hits->capacity > SIDE_BY_SIDE_MAX)
        for (int sector = 0; sector < hits->sectors; sector++)
            sort_sector(hits, tree, sector);
    else if (hits->capacity == 1)
        choose_side_by_side(hits, tree, 1);
    else if (hits->capacity == 2)
        choose_side_by_side(hits, tree, 2);
    else if (hits->capacity == 3)
        choose_side_by_side(hits, tree, 3);
    else
        choose_side_by_side(hits, tree, hits->capacity);
}

/* ---- points and boxes ------------------------------------------------------------------------ */

static inline vd vd_abs(vd a)
{
    return (vd)((vl)a & INT64_MAX);
}

static inline vl quadrant_of(vd dx, vd dy)
{
    return ((vl)(dx >= vd_all(0)) & 1) | ((vl)(dy >= vd_all(0)) & 2);
}

/* The bounds of the sectors that points at these offsets are in, whose numbers are stored. */
static inline __attribute__((always_inline)) vd bounds_at(const double *bound, vd dx, vd dy,
                                                          const int sectors, int64_t *numbers)
{
    vl sector = {0};
    vd limit = vd_all(bound[0]);
    if (sectors > 1) {
        sector = quadrant_of(dx, dy);
        const vl choice = vl_choice(sector);
        limit = vd_choose(bound, choice);
        if (sectors == 8) {
            const vl along = (vl)(vd_abs(dx) > vd_abs(dy));
            limit = vd_select(along, vd_choose(bound + 4, choice), limit);
            sector |= along & 4;
        }
    }
    memcpy(numbers, &sector, sizeof sector);
    return limit;
}

/* Room for a leaf: free rows of the fullest column, after a compaction where there are few. */
static size_t make_room(struct shepard_sector_hits *hits, const struct shepard_tree *tree)
{
    for (bool again = true;; again = false) {
        int64_t most = 0;
        for (int s = 0; s < hits->sectors; s++)
            most = hits->count[s] > most ? hits->count[s] : most;
        const size_t left = hits->room - (size_t)most;
        if (left >= SHEPARD_LEAF || !again)
            return left;
        compact_sectors(hits, tree);
    }
}

/* What a walk knows beside the hits. */
struct sector_walk {
    const struct shepard_tree *tree;
    struct shepard_sector_hits *hits;
    vd x, y;
    size_t left;  /* rows that are free in every column at least */
    bool tighter; /* bounds may be less than at the start */
};

/* Offers the points first on that bits name. */
static inline __attribute__((always_inline)) void add_by_sector(struct sector_walk *walk,
                                                                size_t first, unsigned bits,
                                                                const double *d2,
                                                                const int64_t *sector)
{
    if (walk->left < SHEPARD_LEAF) {
        walk->left = make_room(walk->hits, walk->tree);
        walk->tighter = true;
    }
    walk->left -= (size_t)__builtin_popcount(bits);
    for (; bits != 0; bits &= bits - 1) {
        const unsigned i = (unsigned)__builtin_ctz(bits);
        shepard_sector_hits_add(walk->hits, (unsigned)sector[i], d2[i], first + i);
    }
}

static inline __attribute__((always_inline)) void
scan_leaf_by_sector(struct sector_walk *walk, size_t leaf, const int sectors)
{
    struct shepard_sector_hits *hits = walk->hits;
    const struct shepard_tree *tree = walk->tree;
    const size_t first = leaf * SHEPARD_LEAF;
    _Alignas(64) double d2[SHEPARD_LEAF];
    _Alignas(64) int64_t sector[SHEPARD_LEAF];
    unsigned bits = 0;
    for (size_t i = 0; i < SHEPARD_LEAF; i += LANES_D) {
        const vd dx = vd_load(tree->x + first + i) - walk->x;
        const vd dy = vd_load(tree->y + first + i) - walk->y;
        const vd square = dx * dx + dy * dy;
        const vd limit = bounds_at(hits->bound, dx, dy, sectors, sector + i);
        vd_store(d2 + i, square);
        bits |= vl_bits((vl)(square <= limit)) << i;
    }
    if (hits->ellipse != NULL)
        bits &= leaf_inside(tree, leaf, walk->x, walk->y, hits->ellipse, d2);
    bits &= ~(unsigned)shepard_left_out_among(&hits->left_out, tree, first, SHEPARD_LEAF,
                                              walk->x[0], walk->y[0]);
    bits = shepard_left_out_drop_hidden(&hits->left_out, tree, first, bits);
    add_by_sector(walk, first, bits, d2, sector);
}

/* Sides of boxes. */
struct box_sides {
    const double *x_min, *x_max, *y_min, *y_max;
};

/* Squared distances of (x, y) from boxes i on, as many as a vector has lanes; gains[s]: those that
 * sector s may gain from. An octant's part of a box is no nearer than where the diagonal enters the
 * box. */
static inline __attribute__((always_inline)) vd weigh_boxes(const struct box_sides *sides, size_t i,
                                                            vd x, vd y, const double *bound,
                                                            const int sectors, vl *gains)
{
    const vd zero = vd_all(0);
    const vd east = vd_load(sides->x_max + i) - x, west = x - vd_load(sides->x_min + i);
    const vd north = vd_load(sides->y_max + i) - y, south = y - vd_load(sides->y_min + i);
    const vd dx = vd_max(vd_max(-west, -east), zero), dy = vd_max(vd_max(-south, -north), zero);
    const vd d2 = dx * dx + dy * dy;
    if (sectors == 1) {
        gains[0] = (vl)(d2 <= vd_all(bound[0]));
        return d2;
    }
    const vl to_north = (vl)(north >= zero), to_south = (vl)(south > zero);
    const vl to_east = (vl)(east >= zero), to_west = (vl)(west > zero);
    const vl quadrants[4] = {to_west & to_south, to_east & to_south, to_west & to_north,
                             to_east & to_north};
    if (sectors == 4) {
        for (int q = 0; q < 4; q++)
            gains[q] = quadrants[q] & (vl)(d2 <= vd_all(bound[q]));
        return d2;
    }
    const vd larger = vd_max(dx, dy);
    const vd d2_steep = dx * dx + larger * larger, d2_flat = larger * larger + dy * dy;
    const vl steep[2] = {(vl)(south >= dx), (vl)(north >= dx)};
    const vl flat[2] = {(vl)(west > dy), (vl)(east > dy)};
    for (int q = 0; q < 4; q++) {
        gains[q] = quadrants[q] & steep[q >> 1] & (vl)(d2_steep <= vd_all(bound[q]));
        gains[q + 4] = quadrants[q] & flat[q & 1] & (vl)(d2_flat <= vd_all(bound[q + 4]));
    }
    return d2;
}

/* A node that is to be visited also names the sectors that it may serve. */
#define SECTORS_SHIFT 40
#define LEVEL_MASK 0xff

/* Stores the sectors that boxes may serve; bits of those that serve any. */
static inline __attribute__((always_inline)) unsigned put_served(const vl *gains, const int sectors,
                                                                 int64_t *serves)
{
    vl all = {0};
    for (int s = 0; s < sectors; s++)
        all |= gains[s] & (INT64_C(1) << (SECTORS_SHIFT + s));
    memcpy(serves, &all, sizeof all);
    return vl_bits((vl)(all != 0));
}

/* Puts siblings, the first of which is `first`, on the stack with the sectors that they serve. */
static inline void push_served(struct visits *visits, unsigned bits, const double *d2,
                               const int64_t *serves, uint64_t first)
{
    const int base = visits->top;
    push(visits, bits, d2, first);
    for (int at = base; at < visits->top; at++)
        visits->node[at] |= (uint64_t)serves[visits->node[at] - first];
}

/* ---- a walk over the tree -------------------------------------------------------------------- */

/* Puts the siblings of set `set` of a level that may serve a sector on the stack. */
static inline __attribute__((always_inline)) void push_by_sector(const struct sector_walk *walk,
                                                                 uint64_t level, size_t set,
                                                                 const int sectors,
                                                                 struct visits *visits)
{
    const struct shepard_boxes *boxes = walk->tree->boxes[level] + set;
    const struct box_sides sides = {boxes->x_min, boxes->x_max, boxes->y_min, boxes->y_max};
    _Alignas(64) double d2[SHEPARD_FANOUT];
    _Alignas(64) int64_t serves[SHEPARD_FANOUT];
    unsigned any = 0;
    for (size_t i = 0; i < SHEPARD_FANOUT; i += LANES_D) {
        vl gains[SHEPARD_SECTORS_MAX];
        vd_store(d2 + i,
                 weigh_boxes(&sides, i, walk->x, walk->y, walk->hits->bound, sectors, gains));
        any |= put_served(gains, sectors, serves + i) << i;
    }
    any = shepard_left_out_drop(&walk->hits->left_out, boxes, any, walk->x[0], walk->y[0]);
    push_served(visits, any, d2, serves, level << 32 | set * SHEPARD_FANOUT);
}

/* Without branches on single sectors, which cannot be predicted. */
static inline bool may_gain(const struct shepard_sector_hits *hits, unsigned sectors, double d2)
{
    unsigned within = 0;
    for (size_t s = 0; s < SHEPARD_SECTORS_MAX; s += LANES_D)
        within |= vl_bits((vl)(vd_all(d2) <= vd_load(hits->bound + s))) << s;
    return (within & sectors) != 0;
}

/* Gives sectors in *open their first bound as soon as they are full: it ends the walk. */
static inline void close_in(struct sector_walk *walk, unsigned *open)
{
    unsigned full = 0;
    for (size_t s = 0; s < SHEPARD_SECTORS_MAX; s += LANES_D) {
        vl count;
        memcpy(&count, walk->hits->count + s, sizeof count);
        full |= vl_bits((vl)(count >= (vl){0} + (int64_t)walk->hits->capacity)) << s;
    }
    full &= *open;
    if (full == 0)
        return;
    compact_sectors(walk->hits, walk->tree);
    *open &= ~full;
}

/* Visits what is on the stack, and leaves the nearest of each sector. */
static inline __attribute__((always_inline)) void
visit_by_sector(struct sector_walk *walk, struct visits *visits, const int sectors)
{
    struct shepard_sector_hits *hits = walk->hits;
    unsigned open = 0;
    for (int s = 0; s < sectors; s++)
        open |= (unsigned)(hits->bound[s] >= 0 && hits->count[s] < (int64_t)hits->capacity) << s;
    while (visits->top > 0) {
        const int top = --visits->top;
        const uint64_t node = visits->node[top], level = node >> 32 & LEVEL_MASK;
        if (!may_gain(hits, (unsigned)(node >> SECTORS_SHIFT), visits->d2[top]))
            continue;
        if (level > 0) {
            push_by_sector(walk, level - 1, (uint32_t)node, sectors, visits);
            continue;
        }
        scan_leaf_by_sector(walk, (uint32_t)node, sectors);
        close_in(walk, &open);
    }
    compact_sectors(hits, walk->tree);
}

static inline __attribute__((always_inline)) void walk_by_sector(struct sector_walk *walk,
                                                                 const int sectors)
{
    struct visits visits;
    visits.top = 0;
    push_by_sector(walk, (uint64_t)walk->tree->levels - 1, 0, sectors, &visits);
    visit_by_sector(walk, &visits, sectors);
}

static void search_sectors(const struct shepard_tree *tree, double x, double y,
                           struct shepard_sector_hits *hits)
{
    struct sector_walk walk = {.tree = tree, .hits = hits, .x = vd_all(x), .y = vd_all(y)};
    if (hits->sectors == 8)
        walk_by_sector(&walk, 8);
    else if (hits->sectors == 4)
        walk_by_sector(&walk, 4);
    else
        walk_by_sector(&walk, 1);
}

/* ---- a run of targets ------------------------------------------------------------------------ */

/* Squared distances of an area from sibling boxes. */
static inline void distances_from(const struct shepard_area *area,
                                  const struct shepard_boxes *boxes, double *d2)
{
    const vd x_min = vd_all(area->x_min), x_max = vd_all(area->x_max);
    const vd y_min = vd_all(area->y_min), y_max = vd_all(area->y_max), zero = vd_all(0);
    for (int i = 0; i < SHEPARD_FANOUT; i += LANES_D) {
        const vd east = vd_load(boxes->x_min + i) - x_max, west = x_min - vd_load(boxes->x_max + i);
        const vd north = vd_load(boxes->y_min + i) - y_max;
        const vd south = y_min - vd_load(boxes->y_max + i);
        const vd dx = vd_max(vd_max(east, west), zero), dy = vd_max(vd_max(north, south), zero);
        vd_store(d2 + i, dx * dx + dy * dy);
    }
}

static void list_box(const struct shepard_tree *tree, uint64_t node, struct shepard_box_list *list)
{
    const struct shepard_boxes *boxes = tree->boxes[node >> 32] + (uint32_t)node / SHEPARD_FANOUT;
    const size_t i = node % SHEPARD_FANOUT, at = list->count++;
    list->x_min[at] = boxes->x_min[i];
    list->x_max[at] = boxes->x_max[i];
    list->y_min[at] = boxes->y_min[i];
    list->y_max[at] = boxes->y_max[i];
    list->node[at] = node;
}

/* The nearest node is replaced by its children as long as there is room. */
static void search_list_boxes(const struct shepard_tree *tree, const struct shepard_area *targets,
                              const struct shepard_area *area, struct shepard_box_list *list)
{
    _Alignas(64) double d2[SHEPARD_FANOUT];
    struct visits visits;
    list->count = 0;
    visits.top = 0;
    insert(&visits, 0, 0, (uint64_t)tree->levels << 32);
    while (visits.top > 0) {
        const uint64_t node = visits.node[--visits.top], level = node >> 32;
        const size_t set = (uint32_t)node;
        const struct shepard_boxes *boxes = level > 0 ? tree->boxes[level - 1] + set : NULL;
        unsigned bits = level > 0 ? boxes_touching(boxes, area) : 0;
        const size_t count = list->count + (size_t)(visits.top + __builtin_popcount(bits));
        if (level == 0 || count > SHEPARD_BOXES_MAX) {
            list_box(tree, node, list);
            continue;
        }
        distances_from(targets, boxes, d2);
        for (; bits != 0; bits &= bits - 1) {
            const unsigned i = (unsigned)__builtin_ctz(bits);
            insert(&visits, 0, d2[i], (level - 1) << 32 | (set * SHEPARD_FANOUT + i));
        }
    }
    for (size_t i = list->count; i % LANES_D != 0; i++) {
        list->x_min[i] = list->y_min[i] = INFINITY;
        list->x_max[i] = list->y_max[i] = -INFINITY;
    }
}

/* Leaves first; nodes then have to lie within the bounds of what these held. */
static inline __attribute__((always_inline)) void
search_list_by_sector(struct sector_walk *walk, const struct shepard_box_list *list,
                      const int sectors)
{
    const struct box_sides sides = {list->x_min, list->x_max, list->y_min, list->y_max};
    _Alignas(64) double d2[SHEPARD_BOXES_MAX];
    _Alignas(64) int64_t serves[SHEPARD_BOXES_MAX];
    struct visits visits;
    uint64_t bits = 0;
    for (size_t i = 0; i < list->count; i += LANES_D) {
        vl gains[SHEPARD_SECTORS_MAX];
        vd_store(d2 + i,
                 weigh_boxes(&sides, i, walk->x, walk->y, walk->hits->bound, sectors, gains));
        bits |= (uint64_t)put_served(gains, sectors, serves + i) << i;
    }
    visits.top = 0;
    for (; bits != 0; bits &= bits - 1) {
        const int i = __builtin_ctzll(bits);
        const uint64_t node = list->node[i] | (uint64_t)serves[i];
        if (walk->tighter && !may_gain(walk->hits, (unsigned)(node >> SECTORS_SHIFT), d2[i]))
            continue;
        if (list->node[i] >> 32 == 0)
            scan_leaf_by_sector(walk, (uint32_t)node, sectors);
        else
            insert(&visits, 0, d2[i], node);
    }
    if (visits.top > 0)
        compact_sectors(walk->hits, walk->tree);
    visit_by_sector(walk, &visits, sectors);
}

static void search_sectors_listed(const struct shepard_tree *tree,
                                  const struct shepard_box_list *list, double x, double y,
                                  struct shepard_sector_hits *hits)
{
    struct sector_walk walk = {.tree = tree, .hits = hits, .x = vd_all(x), .y = vd_all(y)};
    if (hits->sectors == 8)
        search_list_by_sector(&walk, list, 8);
    else if (hits->sectors == 4)
        search_list_by_sector(&walk, list, 4);
    else
        search_list_by_sector(&walk, list, 1);
}

/* The bounds of as many sectors as a vector has lanes, the first one `first`: how far the points of
 * a sector are from here, if all are in the same sector here. */
static inline __attribute__((always_inline)) void
carry_lanes(const struct shepard_tree *tree, vd x, vd y, const struct shepard_sector_hits *hits,
            size_t first, const int sectors, double *bound)
{
    static const int64_t numbers[SHEPARD_SECTORS_MAX] = {0, 1, 2, 3, 4, 5, 6, 7};
    vl own, count;
    memcpy(&own, numbers + first, sizeof own);
    memcpy(&count, hits->count + first, sizeof count);
    vl good = (vl)(count >= (vl){0} + (int64_t)hits->capacity) & (vl)(own < (vl){0} + sectors);
    vd farthest2 = vd_all(0);
    for (size_t row = 0; row < hits->capacity; row++) {
        vl rank;
        vd px, py;
        memcpy(&rank, hits->rank + row * SHEPARD_SECTORS_MAX + first, sizeof rank);
        rank &= good; /* what is not good may be no rank */
        for (int i = 0; i < LANES_D; i++) {
            px[i] = tree->x[rank[i]];
            py[i] = tree->y[rank[i]];
        }
        const vd dx = px - x, dy = py - y;
        vl sector = sectors > 1 ? quadrant_of(dx, dy) : (vl){0};
        if (sectors == 8)
            sector |= (vl)(vd_abs(dx) > vd_abs(dy)) & 4;
        good &= (vl)(sector == own);
        if (hits->ellipse != NULL)
            good &= inside(hits->ellipse, dx, dy);
        farthest2 = vd_max(farthest2, dx * dx + dy * dy);
    }
    vd_store(bound + first, vd_select(good, farthest2, vd_all(INFINITY)));
}

static void search_carry_bounds(const struct shepard_tree *tree, double x, double y,
                                const struct shepard_sector_hits *hits, double *bound)
{
    const vd vx = vd_all(x), vy = vd_all(y);
    for (size_t first = 0; first < (size_t)hits->sectors; first += LANES_D)
        if (hits->sectors == 8)
            carry_lanes(tree, vx, vy, hits, first, 8, bound);
        else
            carry_lanes(tree, vx, vy, hits, first, hits->sectors, bound);
}
