/* SPDX-License-Identifier: MIT */
/* The nearest points of a group of targets, a lane each: included by search.c. */

#define GROUP_VECTORS (SHEPARD_TARGET_GROUP / LANES_D)

/* Points that some target of a group may take. */
struct group_points {
    size_t count;
    _Alignas(64) double d2[SHEPARD_TARGET_GROUP_POINTS + 1][SHEPARD_TARGET_GROUP];
    /* How many are nearer. */
    _Alignas(64) int64_t nearer[SHEPARD_TARGET_GROUP_POINTS + 1][SHEPARD_TARGET_GROUP];
    uint32_t rank[SHEPARD_TARGET_GROUP_POINTS + 1];
};

/* Points of the list within the limit of any target; one more than there is room for ends it. */
static inline void keep_near(const struct shepard_leaf_list *list,
                             const struct shepard_target_group *group, struct group_points *points)
{
    vd x[GROUP_VECTORS], y[GROUP_VECTORS], limit[GROUP_VECTORS];
    for (size_t v = 0; v < GROUP_VECTORS; v++) {
        x[v] = vd_load(group->x + v * LANES_D);
        y[v] = vd_load(group->y + v * LANES_D);
        limit[v] = vd_load(group->limit2 + v * LANES_D);
    }
    size_t count = 0;
    for (size_t i = 0; i < list->points && count <= SHEPARD_TARGET_GROUP_POINTS; i++) {
        const vd px = vd_all(list->x[i]), py = vd_all(list->y[i]);
        vl near = {0};
        for (size_t v = 0; v < GROUP_VECTORS; v++) {
            const vd dx = px - x[v], dy = py - y[v];
            const vd d2 = dx * dx + dy * dy;
            vd_store(points->d2[count] + v * LANES_D, d2);
            near |= (vl)(d2 <= limit[v]);
        }
        points->rank[count] = list->rank[i];
        count += vl_bits(near) != 0;
    }
    points->count = count;
}

/* Of two at one distance the earlier one counts as nearer. */
static inline void count_nearer_points(struct group_points *points)
{
    for (size_t i = 0; i < points->count; i++) {
        vd d2[GROUP_VECTORS];
        vl nearer[GROUP_VECTORS];
        for (size_t v = 0; v < GROUP_VECTORS; v++) {
            d2[v] = vd_load(points->d2[i] + v * LANES_D);
            nearer[v] = (vl){0} + (int64_t)i;
        }
        for (size_t j = 0; j < i; j++)
            for (size_t v = 0; v < GROUP_VECTORS; v++) {
                int64_t *const others = points->nearer[j] + v * LANES_D;
                const vl farther = (vl)(vd_load(points->d2[j] + v * LANES_D) > d2[v]);
                vl other;
                memcpy(&other, others, sizeof other);
                other -= farther;
                memcpy(others, &other, sizeof other);
                nearer[v] += farther;
            }
        memcpy(points->nearer[i], nearer, sizeof nearer);
    }
}

static inline void sort_by_count(const struct group_points *points,
                                 struct shepard_target_group *group)
{
    for (size_t i = 0; i < points->count; i++)
        for (size_t t = 0; t < SHEPARD_TARGET_GROUP; t++) {
            const size_t at = (size_t)points->nearer[i][t];
            group->d2[t][at] = points->d2[i][t];
            group->rank[t][at] = points->rank[i];
        }
}

/* Whether two of the nearest `count` of a target and the one after them are at one distance. */
static inline bool has_ties(struct shepard_target_group *group, size_t t, size_t count, size_t all)
{
    double *const d2 = group->d2[t];
    vl equal = {0};
    for (size_t i = all; i < all + SHEPARD_TARGET_GROUP; i++)
        d2[i] = NAN;
    for (size_t i = 0; i < count; i += LANES_D)
        equal |= (vl)(vd_load(d2 + i) == vd_load(d2 + i + 1));
    return vl_bits(equal) != 0;
}

static void order_ties(const struct shepard_tree *tree, const double *d2, uint32_t *rank,
                       size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t j = i;
             j > 0 && d2[j - 1] == d2[j] && tree->before(tree->context, rank[j], rank[j - 1]);
             j--) {
            const uint32_t later = rank[j - 1];
            rank[j - 1] = rank[j];
            rank[j] = later;
        }
}

static void search_nearest_group(const struct shepard_tree *tree,
                                 const struct shepard_leaf_list *list, size_t wanted,
                                 struct shepard_target_group *group)
{
    struct group_points points;
    keep_near(list, group, &points);
    if (points.count > SHEPARD_TARGET_GROUP_POINTS) {
        for (size_t t = 0; t < SHEPARD_TARGET_GROUP; t++)
            group->count[t] = SHEPARD_TARGET_GROUP_UNKNOWN;
        return;
    }
    count_nearer_points(&points);
    sort_by_count(&points, group);
    for (size_t t = 0; t < SHEPARD_TARGET_GROUP; t++) {
        size_t count = points.count < wanted ? points.count : wanted;
        if (has_ties(group, t, count, points.count))
            order_ties(tree, group->d2[t], group->rank[t], points.count);
        while (count > 0 && !(group->d2[t][count - 1] <= group->limit2[t]))
            count--;
        group->count[t] = count;
    }
}
