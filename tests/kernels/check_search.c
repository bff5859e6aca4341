/* SPDX-License-Identifier: MIT */
#include "core/neighbours.h"
#include "suite.h"

#include <float.h>
#include <math.h>
#include <string.h>

static bool same_hits(const struct shepard_hits *a, const struct shepard_hits *b)
{
    return a->count == b->count && memcmp(a->d2, b->d2, a->count * sizeof *a->d2) == 0 &&
           memcmp(a->rank, b->rank, a->count * sizeof *a->rank) == 0;
}

struct pair {
    struct shepard_hits expected, found;
};

static void make_pair(struct pair *pair, size_t capacity, size_t room)
{
    *pair = (struct pair){{0}, {0}};
    shepard_hits_reserve(&pair->expected, capacity, room, NULL);
    shepard_hits_reserve(&pair->found, capacity, room, NULL);
}

static void free_pair(struct pair *pair)
{
    shepard_hits_reserve(&pair->expected, 0, 0, NULL);
    shepard_hits_reserve(&pair->found, 0, 0, NULL);
    struct shepard_neighbours holder = {.hits = pair->expected};
    shepard_neighbours_free(&holder);
    holder.hits = pair->found;
    shepard_neighbours_free(&holder);
}

static void check_nearest(struct tally *tally, const struct shepard_kernels *kernels,
                          const struct cloud *cloud, size_t k, unsigned long *seed)
{
    const struct shepard_tree *tree = &cloud->store.tree;
    const size_t leaves = (tree->count + SHEPARD_LEAF - 1) / SHEPARD_LEAF;
    struct pair pair;
    make_pair(&pair, k, shepard_hits_room(k));
    for (int i = 0; i < 40; i++) {
        double x, y;
        cloud_target(cloud, seed, &x, &y);
        const double bound = i % 3 == 0 ? pow(chance(seed), 4) : DBL_MAX;
        shepard_hits_start(&pair.expected, bound);
        shepard_search_scalar.nearest(tree, x, y, 0, &pair.expected);
        shepard_hits_start(&pair.found, bound);
        const size_t start = (size_t)(chance(seed) * (double)leaves);
        kernels->search->nearest(tree, x, y, start, &pair.found);
        tally_check(tally, same_hits(&pair.expected, &pair.found),
                    "%s: nearest %zu of %s, n = %zu, at (%.17g, %.17g) within %g", kernels->isa, k,
                    cloud->name, tree->count, x, y, bound);
    }
    free_pair(&pair);
}

static void check_inside(struct tally *tally, const struct shepard_kernels *kernels,
                         const struct cloud *cloud, unsigned long *seed)
{
    const struct shepard_tree *tree = &cloud->store.tree;
    struct pair pair;
    make_pair(&pair, tree->count, tree->count);
    for (int i = 0; i < 40; i++) {
        double x, y;
        cloud_target(cloud, seed, &x, &y);
        const double angle = 6.3 * chance(seed);
        const double radius1 = pow(chance(seed), 3), radius2 = pow(chance(seed), 3);
        const struct shepard_ellipse ellipse =
            shepard_ellipse_of(radius1, i % 2 == 0 ? radius1 : radius2, cos(angle), sin(angle));
        pair.found.capacity = i % 5 == 0 ? tree->count / 3 : tree->count;
        pair.expected.capacity = pair.found.capacity;
        const size_t expected = shepard_search_scalar.inside(tree, x, y, &ellipse, &pair.expected);
        const size_t found = kernels->search->inside(tree, x, y, &ellipse, &pair.found);
        tally_check(tally, expected == found && same_hits(&pair.expected, &pair.found),
                    "%s: inside ellipse %g x %g of %s, n = %zu: %zu, not %zu", kernels->isa,
                    ellipse.radius1, ellipse.radius2, cloud->name, tree->count, found, expected);
    }
    free_pair(&pair);
}

static bool same_sectors(const struct shepard_sector_hits *a, const struct shepard_sector_hits *b)
{
    for (size_t s = 0; s < (size_t)a->sectors; s++) {
        if (a->count[s] != b->count[s])
            return false;
        for (size_t i = 0; i < (size_t)a->count[s]; i++) {
            const size_t at = i * SHEPARD_SECTORS_MAX + s;
            if (a->d2[at] != b->d2[at] || a->rank[at] != b->rank[at])
                return false;
        }
    }
    return true;
}

/* Some sectors anew, each within a bound of its own; the others keep what they hold. */
static void start_sectors(struct shepard_sector_hits *a, struct shepard_sector_hits *b,
                          unsigned long *seed)
{
    for (int s = 0; s < a->sectors; s++) {
        const double kind = chance(seed);
        const double bound = kind < 0.3 ? DBL_MAX : pow(chance(seed), 4);
        a->bound[s] = b->bound[s] = kind < 0.8 ? bound : SHEPARD_SECTOR_CLOSED;
        if (a->bound[s] >= 0)
            a->count[s] = b->count[s] = 0;
    }
}

/* How many of the listed boxes hold point i: leaf `leaf` or a node above it. */
static size_t times_listed(const struct shepard_box_list *list, uint64_t leaf)
{
    size_t times = 0;
    for (size_t j = 0; j < list->count; j++)
        times += leaf >> 3 * (list->node[j] >> 32) == (uint32_t)list->node[j];
    return times;
}

/* A leaf that touches the area is listed once, itself or by one node above it; no other more often.
 */
static void check_boxes(struct tally *tally, const struct shepard_kernels *kernels,
                        const struct cloud *cloud, unsigned long *seed)
{
    const struct shepard_tree *tree = &cloud->store.tree;
    for (int i = 0; i < 40; i++) {
        double x, y;
        cloud_target(cloud, seed, &x, &y);
        const double side = 0.1 * chance(seed), reach = pow(chance(seed), 2);
        const struct shepard_area targets = {x, x + side, y, y + side};
        const struct shepard_area area = {x - reach, x + side + reach, y - reach, y + side + reach};
        struct shepard_box_list list;
        size_t wrong = 0;
        kernels->search->list_boxes(tree, &targets, &area, &list);
        for (size_t leaf = 0; leaf * SHEPARD_LEAF < tree->count; leaf++) {
            const struct shepard_boxes *boxes = &tree->boxes[0][leaf / SHEPARD_FANOUT];
            const size_t at = leaf % SHEPARD_FANOUT, times = times_listed(&list, leaf);
            const bool touches = boxes->x_min[at] <= area.x_max && boxes->x_max[at] >= area.x_min &&
                                 boxes->y_min[at] <= area.y_max && boxes->y_max[at] >= area.y_min;
            wrong += times > 1 || (touches && times == 0);
        }
        tally_check(tally, list.count <= SHEPARD_BOXES_MAX && wrong == 0,
                    "%s: %zu boxes round (%.17g, %.17g) of %s, n = %zu: %zu leaves are wrong",
                    kernels->isa, list.count, x, y, cloud->name, tree->count, wrong);
    }
}

static bool same_bounds(const struct shepard_kernels *kernels, const struct shepard_tree *tree,
                        double x, double y, const struct shepard_sector_hits *hits)
{
    _Alignas(64) double expected[SHEPARD_SECTORS_MAX], found[SHEPARD_SECTORS_MAX];
    shepard_search_scalar.carry_bounds(tree, x, y, hits, expected);
    kernels->search->carry_bounds(tree, x, y, hits, found);
    return memcmp(expected, found, (size_t)hits->sectors * sizeof *found) == 0;
}

/* Sectors of every tree walk and of lists of boxes, and the bounds that these hits are for a target
 * near by; searched twice, so that some keep hits. */
static void check_sectors(struct tally *tally, const struct shepard_kernels *kernels,
                          const struct cloud *cloud, size_t k, unsigned long *seed)
{
    static const int numbers[] = {1, 4, 8};
    const struct shepard_tree *tree = &cloud->store.tree;
    const struct shepard_search search = {
        .sectors = numbers[pick(seed, 3)],
        .max_points = SIZE_MAX,
        .max_points_per_sector = k,
        .bounded = true,
        .ellipse = shepard_ellipse_of(0.1 + chance(seed), 0.1 + chance(seed), cos(1), sin(1))};
    const bool oval = search.sectors == 1 || pick(seed, 2) == 0;
    struct shepard_neighbours expected, found;
    shepard_neighbours_create(&expected, tree, &shepard_search_scalar, &search, NULL);
    shepard_neighbours_create(&found, tree, kernels->search, &search, NULL);
    if (!oval)
        expected.offers.ellipse = found.offers.ellipse = NULL;
    for (int i = 0; i < 40; i++) {
        double x, y;
        cloud_target(cloud, seed, &x, &y);
        const double reach = 0.3 * chance(seed);
        const struct shepard_area target = {x, x, y, y};
        const struct shepard_area area = {x - reach, x + reach, y - reach, y + reach};
        kernels->search->list_boxes(tree, &target, &area, &found.boxes);
        start_sectors(&expected.offers, &found.offers, seed);
        if (i % 3 == 0) {
            shepard_search_scalar.sectors_listed(tree, &found.boxes, x, y, &expected.offers);
            kernels->search->sectors_listed(tree, &found.boxes, x, y, &found.offers);
        } else {
            shepard_search_scalar.sectors(tree, x, y, &expected.offers);
            kernels->search->sectors(tree, x, y, &found.offers);
        }
        tally_check(tally, same_sectors(&expected.offers, &found.offers),
                    "%s: %zu nearest in each of %d sectors of %s, n = %zu, at (%.17g, %.17g)",
                    kernels->isa, k, search.sectors, cloud->name, tree->count, x, y);
        x += 0.01 * chance(seed);
        tally_check(tally, same_bounds(kernels, tree, x, y, &found.offers),
                    "%s: bounds of %zu nearest in each of %d sectors of %s, n = %zu, at %.17g, "
                    "%.17g",
                    kernels->isa, k, search.sectors, cloud->name, tree->count, x, y);
    }
    shepard_neighbours_free(&expected);
    shepard_neighbours_free(&found);
}

static void time_nearest(const struct shepard_kernels *kernels, unsigned long *seed)
{
    enum { TARGETS = 2000 };
    struct cloud cloud;
    struct pair pair;
    cloud_make(&cloud, CLOUD_UNIFORM, 20000, 1, false, seed);
    make_pair(&pair, 10, shepard_hits_room(10));
    const double start = seconds();
    for (size_t i = 0; i < TARGETS; i++) {
        shepard_hits_start(&pair.found, DBL_MAX);
        kernels->search->nearest(&cloud.store.tree, cloud.points.x[i * 10], cloud.points.y[i * 10],
                                 i * 10 / SHEPARD_LEAF, &pair.found);
    }
    printf("%-8s nearest 10 of 20000: %8.0f ns\n", kernels->isa,
           (seconds() - start) / TARGETS * 1e9);
    free_pair(&pair);
    cloud_free(&cloud);
}

void check_search(struct tally *tally, const struct shepard_kernels *kernels, unsigned long seed)
{
    static const size_t sizes[] = {1, 5, 16, 100, 3000};
    static const size_t ks[] = {1, 2, 10, 12, 33, 41, 100, 250, 400};
    for (int kind = 0; kind < CLOUD_KINDS; kind++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            struct cloud cloud;
            cloud_make(&cloud, (enum cloud_kind)kind, sizes[i], 1, false, &seed);
            for (size_t j = 0; j < sizeof ks / sizeof ks[0]; j++)
                check_nearest(tally, kernels, &cloud, ks[j], &seed);
            for (size_t j = 0; j < sizeof ks / sizeof ks[0]; j++)
                check_sectors(tally, kernels, &cloud, ks[j], &seed);
            check_inside(tally, kernels, &cloud, &seed);
            check_boxes(tally, kernels, &cloud, &seed);
            cloud_free(&cloud);
        }
    time_nearest(kernels, &seed);
}
