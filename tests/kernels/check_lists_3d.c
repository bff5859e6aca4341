/* SPDX-License-Identifier: MIT */
/* Lists round a run of targets with three coordinates: what they hold, and that searches among them
 * find what searches of all points find. */
#include "core/neighbours.h"
#include "core/space.h"
#include "suite.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum shape { CUBE, SHEET, CLUSTERS, SPHERE, SHAPES };
static const char *const names[SHAPES] = {"a cube", "a sheet", "clusters", "a sphere"};

struct places {
    enum shape shape;
    struct shepard_geometry points;
    struct shepard_tree_store store;
};

static void place_at(enum shape shape, unsigned long *seed, double *at)
{
    const double cluster = floor(chance(seed) * 5);
    for (int k = 0; k < 3; k++)
        at[k] = chance(seed);
    if (shape == SHEET)
        at[2] *= 1e-3;
    for (int k = 0; k < 3 && shape == CLUSTERS; k++)
        at[k] = sin((cluster + 1) * (3.7 + k)) + 0.02 * at[k] * at[k];
    if (shape == SPHERE) {
        at[0] *= 40;
        at[1] *= 40;
    }
}

static void make_places(struct places *places, enum shape shape, size_t n, unsigned long *seed)
{
    const struct shepard_stretch none = {.ratio = 1, .cosine = 1};
    struct shepard_error error;
    double *const memory = malloc(3 * n * sizeof *memory);
    if (memory == NULL)
        exit(2);
    for (size_t i = 0; i < n; i++) {
        double at[3];
        place_at(shape, seed, at);
        for (size_t k = 0; k < 3; k++)
            memory[k * n + i] = at[k];
    }
    *places = (struct places){.shape = shape, .points = {.threads = 1}};
    struct shepard_geometry *const points = &places->points;
    points->frame.space.metric = shape == SPHERE ? SHEPARD_METRIC_SPHERE : SHEPARD_METRIC_SPACE;
    points->frame.space.radius = 6371e3;
    points->frame.space.vertical = 1;
    const struct shepard_coordinates coordinates = {
        .count = n,
        .x = resolved(memory),
        .y = resolved(memory + n),
        .z = resolved(shape == SPHERE ? NULL : memory + 2 * n)};
    if (shepard_geometry_create(&coordinates, &none, points, &error) != SHEPARD_OK ||
        shepard_tree_create(points, &places->store, &error) != SHEPARD_OK) {
        printf("%s\n", error.message);
        exit(2);
    }
    free(memory);
}

static void free_places(struct places *places)
{
    shepard_tree_free(&places->store);
    shepard_geometry_free(&places->points);
}

/* Targets within `side` of a random place. Every ninth target is NaN; in one block of ten, all are.
 */
static void make_targets(const struct places *places, double side, unsigned long *seed,
                         struct shepard_target_block *block)
{
    const bool is_empty = pick(seed, 10) == 0;
    double middle[3];
    place_at(places->shape, seed, middle);
    block->count = SHEPARD_RUN - pick(seed, 20);
    for (size_t i = 0; i < block->count; i++) {
        block->x[i] = middle[0] + side * chance(seed);
        block->y[i] = middle[1] + side * chance(seed);
        block->z[i] = middle[2] + side * chance(seed);
        if (!shepard_space_target(&places->points.frame, &block->x[i], &block->y[i],
                                  &block->z[i]) ||
            i % 9 == 8 || is_empty)
            block->x[i] = block->y[i] = block->z[i] = NAN;
    }
}

static double gap_to_box(const struct shepard_area_3d *area, int k, double at)
{
    return fmax(fmax(area->min[k] - at, at - area->max[k]), 0);
}

/* Points of the area that no listed node has, or that more than one has. */
static size_t count_wrong(const struct shepard_tree *tree, const struct shepard_area_3d *area,
                          const struct shepard_list_3d *list)
{
    const size_t points = list->level == 0 ? SHEPARD_LEAF : SHEPARD_LEAF * SHEPARD_FANOUT;
    size_t wrong = 0;
    for (size_t i = 0; i < tree->count; i++) {
        const double dx = gap_to_box(area, 0, tree->x[i]), dy = gap_to_box(area, 1, tree->y[i]);
        const double dz = gap_to_box(area, 2, tree->z[i]);
        size_t times = 0;
        for (size_t j = 0; j < list->count; j++)
            times += i / points == list->node[j];
        wrong += times > 1 || (times == 0 && dx * dx + dy * dy + dz * dz <= area->reach2);
    }
    return wrong;
}

static void check_list(struct tally *tally, const struct shepard_kernels *kernels,
                       const struct places *places, unsigned long *seed)
{
    const struct shepard_tree *const tree = &places->store.tree;
    struct shepard_area_3d area;
    struct shepard_list_3d expected, found;
    const size_t i = pick(seed, tree->count);
    const double at[3] = {tree->x[i], tree->y[i], tree->z[i]};
    for (int k = 0; k < 3; k++) {
        area.min[k] = at[k] - 0.1 * chance(seed);
        area.max[k] = at[k] + 0.1 * chance(seed);
    }
    area.reach2 = pow(chance(seed), 4);
    const int level = tree->levels > 1 ? (int)pick(seed, 2) : 0;
    shepard_search_scalar.list_nodes_3d(tree, &area, level, &expected);
    kernels->search->list_nodes_3d(tree, &area, level, &found);
    const size_t wrong = found.complete ? count_wrong(tree, &area, &found) : 0;
    tally_check(tally,
                wrong == 0 && found.complete == expected.complete && found.level == level &&
                    found.count == expected.count &&
                    memcmp(found.node, expected.node, found.count * sizeof *found.node) == 0,
                "%s: %zu nodes of level %d, not %zu, within %g of a box in %s, n = %zu: %zu points "
                "are wrong",
                kernels->isa, found.count, level, expected.count, sqrt(area.reach2),
                names[places->shape], tree->count, wrong);
}

/* What the plain kernels find among all points, from nothing but the target. */
static void find_plainly(const struct places *places, const struct shepard_search *search,
                         const struct shepard_target_block *block, size_t i,
                         struct shepard_neighbours *plain)
{
    const struct shepard_tree *const tree = &places->store.tree;
    const double radius = search->ellipse.radius1;
    const double bound = search->bounded ? radius * radius : DBL_MAX;
    struct shepard_place place = {.x = block->x[i], .y = block->y[i], .z = block->z[i]};
    shepard_space_orient(&places->points.frame, &place);
    if (search->sectors == 1) {
        shepard_hits_start(&plain->hits, bound);
        shepard_search_scalar.nearest_3d(tree, &place, 0, &plain->hits);
        return;
    }
    for (int s = 0; s < search->sectors; s++) {
        plain->offers.bound[s] = bound;
        plain->offers.count[s] = 0;
    }
    shepard_search_scalar.sectors_3d(tree, &place, &plain->offers);
}

/* Of hits that are sorted; on a sphere found distances are those of arcs. */
static bool same_points(const struct shepard_neighbours *plain,
                        const struct shepard_neighbours *found, int sectors)
{
    if (sectors == 1)
        return found->hits.count == plain->hits.count &&
               memcmp(found->hits.rank, plain->hits.rank,
                      plain->hits.count * sizeof *plain->hits.rank) == 0;
    bool same = true;
    for (int s = 0; s < sectors; s++) {
        const struct shepard_hits *const of = &found->sectors[s];
        same = same && (int64_t)of->count == plain->offers.count[s];
        for (size_t i = 0; same && i < of->count; i++)
            same = of->rank[i] == plain->offers.rank[i * SHEPARD_SECTORS_MAX + (size_t)s];
    }
    return same;
}

/* How many runs had a list of leaves, of the level above, or none. */
struct uses {
    size_t of_level[2], none;
};

/* Runs of targets, one far from the next, which are prepared for. */
static void check_runs(struct tally *tally, const struct shepard_kernels *kernels,
                       const struct places *places, const struct shepard_search *search,
                       struct uses *uses, unsigned long *seed)
{
    const struct shepard_tree *const tree = &places->store.tree;
    struct shepard_neighbours plain, found;
    struct shepard_target_block block;
    if (shepard_neighbours_create(&plain, tree, &shepard_search_scalar, search, NULL) !=
            SHEPARD_OK ||
        shepard_neighbours_create(&found, tree, kernels->search, search, NULL) != SHEPARD_OK)
        exit(2);
    for (int run = 0; run < 8; run++) {
        const double side = pow(chance(seed), 3) * (places->shape == SPHERE ? 40 : 1);
        size_t wrong = 0;
        make_targets(places, side, seed, &block);
        shepard_neighbours_prepare_block(&found, &block, 0);
        if (found.list_reach2[0] >= 0)
            uses->of_level[found.list_3d.level]++;
        else
            uses->none++;
        for (size_t i = 0; i < block.count; i++) {
            bool enough;
            if (isnan(block.x[i]))
                continue;
            find_plainly(places, search, &block, i, &plain);
            found.z = block.z[i];
            shepard_neighbours_find(&found, block.x[i], block.y[i], &enough);
            wrong += !same_points(&plain, &found, search->sectors);
        }
        tally_check(tally, wrong == 0,
                    "%s: %zu of %zu targets, %d sectors, within %g of each other in %s, n = %zu",
                    kernels->isa, wrong, block.count, search->sectors, side, names[places->shape],
                    tree->count);
    }
    shepard_neighbours_free(&plain);
    shepard_neighbours_free(&found);
}

static void check_searches(struct tally *tally, const struct shepard_kernels *kernels,
                           const struct places *places, struct uses *uses, unsigned long *seed)
{
    static const int sectors[] = {1, 1, 4, 8};
    struct shepard_search search = {
        .sectors = sectors[pick(seed, 4)],
        .max_points = SIZE_MAX,
        .max_points_per_sector = 1 + pick(seed, 15),
        .frame_3d = &places->points.frame,
        .bounded = pick(seed, 3) == 0,
    };
    const double radius = 0.3 * chance(seed);
    if (search.bounded)
        search.ellipse = shepard_ellipse_of(radius, radius, 1, 0);
    check_runs(tally, kernels, places, &search, uses, seed);
}

void check_lists_3d(struct tally *tally, const struct shepard_kernels *kernels, unsigned long seed)
{
    static const size_t sizes[] = {1, 20, 150, 2000, 30000};
    struct uses uses = {{0}, 0};
    for (int shape = 0; shape < SHAPES; shape++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            struct places places;
            make_places(&places, (enum shape)shape, sizes[i], &seed);
            for (int j = 0; j < 40; j++)
                check_list(tally, kernels, &places, &seed);
            for (int j = 0; j < 4; j++)
                check_searches(tally, kernels, &places, &uses, &seed);
            free_places(&places);
        }
    tally_check(tally, uses.of_level[0] > 0 && uses.of_level[1] > 0 && uses.none > 0,
                "%s: %zu runs with lists of leaves, %zu with nodes above them, %zu with none",
                kernels->isa, uses.of_level[0], uses.of_level[1], uses.none);
}
