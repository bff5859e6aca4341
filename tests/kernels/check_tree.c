/* SPDX-License-Identifier: MIT */
#include "core/hilbert_key.h"
#include "suite.h"

#include <stdlib.h>

/* Keys of a full square of cells, in order, must visit each cell once by steps to a neighbour. */
static void check_curve(struct tally *tally)
{
    enum { SIDE = 64 };
    static int at[SIDE * SIDE][2];
    bool each_once = true, steps = true;
    for (int i = 0; i < SIDE * SIDE; i++)
        at[i][0] = -1;
    for (uint32_t x = 0; x < SIDE; x++)
        for (uint32_t y = 0; y < SIDE; y++) {
            const uint32_t key = shepard_hilbert_key(x << 10, y << 10) >> 20;
            each_once = each_once && key < SIDE * SIDE && at[key][0] < 0;
            at[key % (SIDE * SIDE)][0] = (int)x;
            at[key % (SIDE * SIDE)][1] = (int)y;
        }
    for (int i = 1; i < SIDE * SIDE; i++)
        steps = steps && abs(at[i][0] - at[i - 1][0]) + abs(at[i][1] - at[i - 1][1]) == 1;
    tally_check(tally, each_once, "the Hilbert curve visits each cell once");
    tally_check(tally, steps, "the Hilbert curve goes from cell to neighbouring cell");
}

static void check_order(struct tally *tally, const struct cloud *cloud)
{
    const size_t n = cloud->points.count;
    unsigned char *seen = calloc(n, 1);
    bool permutation = seen != NULL;
    for (size_t i = 0; permutation && i < n; i++)
        permutation = cloud->points.index[i] < n && !seen[cloud->points.index[i]]++;
    tally_check(tally, permutation, "%s, n = %zu: the order is a permutation", cloud->name, n);
    free(seen);
}

/* Leaves must stay small against the cloud at every scale: mean area of the boxes of a spot's
 * leaves. */
static void check_compact(struct tally *tally, const struct cloud *cloud)
{
    const struct shepard_tree *tree = &cloud->store.tree;
    const struct shepard_box *box = &cloud->points.frame.box;
    const size_t leaves = (tree->count + SHEPARD_LEAF - 1) / SHEPARD_LEAF;
    double area = 0;
    for (size_t i = 1; i < leaves; i++) {
        const struct shepard_boxes *set = &tree->boxes[0][i / SHEPARD_FANOUT];
        const size_t j = i % SHEPARD_FANOUT;
        area += (set->x_max[j] - set->x_min[j]) * (set->y_max[j] - set->y_min[j]);
    }
    const double whole = (box->x_max - box->x_min) * (box->y_max - box->y_min);
    tally_check(tally, area < 4 * whole, "%s: leaves overlap %.3g times", cloud->name,
                area / whole);
}

static void check_spot(struct tally *tally, unsigned long *seed)
{
    struct cloud cloud;
    cloud_make(&cloud, CLOUD_SPOT, 20000, 1, false, seed);
    const struct shepard_tree *tree = &cloud.store.tree;
    size_t spot = 0, longer = 0;
    for (size_t i = 1; i + 1 < tree->count / SHEPARD_LEAF; i++) {
        const struct shepard_boxes *set = &tree->boxes[0][i / SHEPARD_FANOUT];
        const size_t j = i % SHEPARD_FANOUT;
        const double width = set->x_max[j] - set->x_min[j];
        spot += width < 1e-6;
        longer += width < 1e-6 && width >= 1e-11;
    }
    /* The spot is 1e-4 wide in a box of 4e6: 2.5e-11 of it, less than a key's 2^-16. The curve
     * leaves it a few times, where it lies across squares that large. */
    tally_check(tally, spot > 100 && longer * 50 < spot,
                "a dense spot is sorted within itself: %zu of %zu leaves are large", longer, spot);
    cloud_free(&cloud);
}

void check_tree(struct tally *tally, unsigned long seed)
{
    static const size_t sizes[] = {1, 2, 15, 16, 17, 127, 128, 129, 1025, 20000, 100000};
    check_curve(tally);
    for (int kind = 0; kind < CLOUD_KINDS; kind++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            struct cloud cloud;
            cloud_make(&cloud, (enum cloud_kind)kind, sizes[i], 1, false, &seed);
            const char *fault = shepard_tree_check(&cloud.store);
            tally_check(tally, fault == NULL, "%s, n = %zu: %s", cloud.name, sizes[i], fault);
            check_order(tally, &cloud);
            if (kind == CLOUD_UNIFORM && sizes[i] > 1000)
                check_compact(tally, &cloud);
            cloud_free(&cloud);
        }
    check_spot(tally, &seed);
}
