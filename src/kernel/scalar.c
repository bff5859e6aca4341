/* SPDX-License-Identifier: MIT */
/* The kernels in plain C: no tree walk, no vectors, libm for powers. What the others are checked
 * with. */
#include "kernel/kernels.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

static double distance2(const struct shepard_tree *tree, size_t i, double x, double y)
{
    const double dx = tree->x[i] - x, dy = tree->y[i] - y;
    return dx * dx + dy * dy;
}

static void nearest(const struct shepard_tree *tree, double x, double y, size_t start,
                    struct shepard_hits *hits)
{
    (void)start;
    for (size_t i = 0; i < tree->count; i++) {
        const double d2 = distance2(tree, i, x, y);
        if (d2 <= hits->bound)
            shepard_hits_offer(hits, tree, d2, (uint32_t)i);
    }
    shepard_hits_compact(hits, tree);
}

static bool touches(const struct shepard_boxes *boxes, size_t i, const struct shepard_area *area)
{
    return boxes->x_min[i] <= area->x_max && boxes->x_max[i] >= area->x_min &&
           boxes->y_min[i] <= area->y_max && boxes->y_max[i] >= area->y_min;
}

static void list_leaves(const struct shepard_tree *tree, const struct shepard_area *area,
                        struct shepard_leaf_list *list)
{
    const size_t leaves = shepard_ceil_div(tree->count, SHEPARD_LEAF);
    list->count = 0;
    for (size_t leaf = 0; leaf < leaves; leaf++) {
        const struct shepard_boxes *boxes = &tree->boxes[0][leaf / SHEPARD_FANOUT];
        const size_t i = leaf % SHEPARD_FANOUT;
        if (!touches(boxes, i, area))
            continue;
        if (list->count == SHEPARD_LIST_MAX) {
            list->count = 0;
            return;
        }
        list->x_min[list->count] = boxes->x_min[i];
        list->x_max[list->count] = boxes->x_max[i];
        list->y_min[list->count] = boxes->y_min[i];
        list->y_max[list->count] = boxes->y_max[i];
        list->leaf[list->count++] = (uint32_t)leaf;
    }
}

static void nearest_listed(const struct shepard_tree *tree, const struct shepard_leaf_list *list,
                           double x, double y, struct shepard_hits *hits)
{
    for (size_t j = 0; j < list->count * SHEPARD_LEAF; j++) {
        const size_t i = (size_t)list->leaf[j / SHEPARD_LEAF] * SHEPARD_LEAF + j % SHEPARD_LEAF;
        const double d2 = i < tree->count ? distance2(tree, i, x, y) : INFINITY;
        if (d2 <= hits->bound)
            shepard_hits_offer(hits, tree, d2, (uint32_t)i);
    }
    shepard_hits_compact(hits, tree);
}

static bool is_inside(const struct shepard_ellipse *e, double dx, double dy)
{
    const double a2 = e->radius1 * e->radius1, b2 = e->radius2 * e->radius2;
    if (e->radius1 == e->radius2)
        return dx * dx + dy * dy <= a2;
    const double rx = dx * e->cosine + dy * e->sine, ry = dy * e->cosine - dx * e->sine;
    return b2 * (rx * rx) + a2 * (ry * ry) <= a2 * b2;
}

static size_t inside(const struct shepard_tree *tree, double x, double y,
                     const struct shepard_ellipse *ellipse, struct shepard_hits *hits)
{
    size_t found = 0;
    for (size_t i = 0; i < tree->count; i++) {
        if (!is_inside(ellipse, tree->x[i] - x, tree->y[i] - y))
            continue;
        if (found < hits->capacity) {
            hits->d2[found] = distance2(tree, i, x, y);
            hits->rank[found] = (uint32_t)i;
        }
        found++;
    }
    hits->count = found < hits->capacity ? found : hits->capacity;
    return found;
}

static double weight(const struct shepard_decay *decay, double d2)
{
    return pow(decay->unit2 / (d2 + decay->smoothing2), decay->alpha / 2);
}

static void weights(const double *d2, size_t count, const struct shepard_decay *decay, double *w)
{
    for (size_t i = 0; i < count; i++)
        w[i] = weight(decay, d2[i]);
}

static void add_columns(const struct shepard_sum_data *data, struct shepard_sum_double *sum,
                        size_t lane, size_t i, double w)
{
    const double dx = data->tree->x[i] - sum->origin_x[lane];
    const double dy = data->tree->y[i] - sum->origin_y[lane];
    for (size_t c = 0; c < data->columns; c++) {
        const size_t at = c * SHEPARD_ROW + lane;
        const double d = data->values[c][i] * data->scale[c] - sum->centre[at] * data->scale[c];
        sum->z[at] += sum->spread ? w * d * d : w * d;
        if (sum->plane) {
            sum->zx[at] += w * d * dx;
            sum->zy[at] += w * d * dy;
        }
    }
    sum->w[lane] += w;
    sum->ww[lane] += w * w;
    sum->wx[lane] += w * dx;
    sum->wy[lane] += w * dy;
    sum->wxx[lane] += w * dx * dx;
    sum->wxy[lane] += w * dx * dy;
    sum->wyy[lane] += w * dy * dy;
}

static void clear(const struct shepard_sum_data *data, struct shepard_sum_double *sum, size_t lane)
{
    sum->w[lane] = sum->ww[lane] = sum->wx[lane] = sum->wy[lane] = 0;
    sum->wxx[lane] = sum->wxy[lane] = sum->wyy[lane] = 0;
    for (size_t c = 0; c < data->columns; c++) {
        const size_t at = c * SHEPARD_ROW + lane;
        sum->z[at] = 0;
        if (sum->plane)
            sum->zx[at] = sum->zy[at] = 0;
    }
}

static void sum_double(const struct shepard_sum_data *data, struct shepard_sum_double *sum)
{
    for (size_t lane = 0; lane < sum->targets; lane++) {
        clear(data, sum, lane);
        for (size_t i = 0; i < data->tree->count; i++) {
            const double q = data->weights != NULL ? data->weights[i] : 1;
            const double d2 = distance2(data->tree, i, sum->x[lane], sum->y[lane]);
            add_columns(data, sum, lane, i, q * weight(&sum->decay[lane], d2));
        }
    }
}

static void sum_single(const struct shepard_sum_data *data, struct shepard_sum_single *sum)
{
    for (size_t lane = 0; lane < sum->targets; lane++) {
        sum->w[lane] = 0;
        for (size_t c = 0; c < data->columns; c++)
            sum->z[c * SHEPARD_LANES + lane] = 0;
        for (size_t i = 0; i < data->tree->count; i++) {
            const double q = data->weights != NULL ? data->weights[i] : 1;
            const double d2 = distance2(data->tree, i, sum->x[lane], sum->y[lane]);
            const double w = q * weight(&sum->decay[lane], d2);
            sum->w[lane] += w;
            for (size_t c = 0; c < data->columns; c++)
                sum->z[c * SHEPARD_LANES + lane] +=
                    w * (data->values[c][i] - data->middle[c]) / data->half_range[c];
        }
    }
}

const struct shepard_search_kernels shepard_search_scalar = {nearest, list_leaves, nearest_listed,
                                                             inside};
const struct shepard_sum_kernels shepard_sum_scalar = {weights, sum_double, sum_single};
