/* SPDX-License-Identifier: MIT */
/* The kernels in plain C: no tree walk, no vectors, libm for powers. The other kernels are tested
 * against them. */
#include "kernel/axes.h"
#include "kernel/kernels.h"
#include "kernel/terms.h"

#include "base/arithmetic.h"

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
        if (d2 <= hits->bound && !shepard_left_out_has(&hits->left_out, tree, i, x, y))
            shepard_hits_offer(hits, tree, d2, (uint32_t)i);
    }
    shepard_hits_compact(hits, tree);
}

static void list_leaves(const struct shepard_tree *tree, const struct shepard_area *area,
                        struct shepard_leaf_list *list)
{
    const size_t leaves = shepard_ceil_div(tree->count, SHEPARD_LEAF);
    list->count = list->points = 0;
    list->complete = true;
    for (size_t leaf = 0; leaf < leaves; leaf++) {
        const struct shepard_boxes *boxes = &tree->boxes[0][leaf / SHEPARD_FANOUT];
        const size_t i = leaf % SHEPARD_FANOUT;
        if (!shepard_area_touches(boxes, i, area))
            continue;
        if (list->count == SHEPARD_LIST_MAX) {
            list->count = 0;
            list->complete = false;
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
        if (d2 <= hits->bound && !shepard_left_out_has(&hits->left_out, tree, i, x, y))
            shepard_hits_offer(hits, tree, d2, (uint32_t)i);
    }
    shepard_hits_compact(hits, tree);
}

static size_t inside(const struct shepard_tree *tree, double x, double y,
                     const struct shepard_ellipse *ellipse, struct shepard_hits *hits)
{
    size_t found = 0;
    for (size_t i = 0; i < tree->count; i++) {
        if (!shepard_ellipse_holds(ellipse, tree->x[i] - x, tree->y[i] - y) ||
            shepard_left_out_has(&hits->left_out, tree, i, x, y))
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

static void sort_sector(struct shepard_sector_hits *hits, const struct shepard_tree *tree,
                        int sector)
{
    shepard_sector_hits_take(hits, sector);
    shepard_hits_compact(&hits->column, tree);
    shepard_sector_hits_put(hits, sector);
}

static void offer_by_sector(const struct shepard_tree *tree, size_t i, double x, double y,
                            struct shepard_sector_hits *hits)
{
    const double dx = tree->x[i] - x, dy = tree->y[i] - y, d2 = distance2(tree, i, x, y);
    const unsigned sector = shepard_sector_of(hits->sectors, dx, dy);
    if (d2 > hits->bound[sector] || shepard_left_out_has(&hits->left_out, tree, i, x, y) ||
        (hits->ellipse != NULL && !shepard_ellipse_holds(hits->ellipse, dx, dy)))
        return;
    if ((size_t)hits->count[sector] == hits->room)
        sort_sector(hits, tree, (int)sector);
    shepard_sector_hits_add(hits, sector, d2, i);
}

static void sectors(const struct shepard_tree *tree, double x, double y,
                    struct shepard_sector_hits *hits)
{
    for (size_t i = 0; i < tree->count; i++)
        offer_by_sector(tree, i, x, y, hits);
    for (int sector = 0; sector < hits->sectors; sector++)
        sort_sector(hits, tree, sector);
}

/* The topmost level, whatever there is room for. */
static void list_boxes(const struct shepard_tree *tree, const struct shepard_area *targets,
                       const struct shepard_area *area, struct shepard_box_list *list)
{
    (void)targets;
    const uint64_t level = (uint64_t)tree->levels - 1;
    const struct shepard_boxes *boxes = tree->boxes[level];
    list->count = 0;
    for (size_t i = 0; i < SHEPARD_FANOUT; i++) {
        if (!shepard_area_touches(boxes, i, area))
            continue;
        list->x_min[list->count] = boxes->x_min[i];
        list->x_max[list->count] = boxes->x_max[i];
        list->y_min[list->count] = boxes->y_min[i];
        list->y_max[list->count] = boxes->y_max[i];
        list->node[list->count++] = level << 32 | i;
    }
}

static void sectors_listed(const struct shepard_tree *tree, const struct shepard_box_list *list,
                           double x, double y, struct shepard_sector_hits *hits)
{
    for (size_t j = 0; j < list->count; j++) {
        size_t points = SHEPARD_LEAF;
        for (uint64_t level = list->node[j] >> 32; level > 0; level--)
            points *= SHEPARD_FANOUT;
        const size_t first = (uint32_t)list->node[j] * points;
        for (size_t i = first; i < first + points && i < tree->count; i++)
            offer_by_sector(tree, i, x, y, hits);
    }
    for (int sector = 0; sector < hits->sectors; sector++)
        sort_sector(hits, tree, sector);
}

static double carried_bound(const struct shepard_tree *tree, double x, double y,
                            const struct shepard_sector_hits *hits, size_t sector)
{
    double farthest2 = 0;
    if (hits->count[sector] < (int64_t)hits->capacity)
        return INFINITY;
    for (size_t row = 0; row < hits->capacity; row++) {
        const size_t i = hits->rank[row * SHEPARD_SECTORS_MAX + sector];
        const double dx = tree->x[i] - x, dy = tree->y[i] - y;
        if (shepard_sector_of(hits->sectors, dx, dy) != sector ||
            (hits->ellipse != NULL && !shepard_ellipse_holds(hits->ellipse, dx, dy)))
            return INFINITY;
        farthest2 = fmax(farthest2, distance2(tree, i, x, y));
    }
    return farthest2;
}

static void carry_bounds(const struct shepard_tree *tree, double x, double y,
                         const struct shepard_sector_hits *hits, double *bound)
{
    for (size_t sector = 0; sector < (size_t)hits->sectors; sector++)
        bound[sector] = carried_bound(tree, x, y, hits, sector);
}

/* ---- three dimensions ------------------------------------------------------------------------ */

static double distance2_3d(const struct shepard_tree *tree, size_t i,
                           const struct shepard_place *place)
{
    const double dx = tree->x[i] - place->x, dy = tree->y[i] - place->y, dz = tree->z[i] - place->z;
    return dx * dx + dy * dy + dz * dz;
}

static bool left_out_3d(const struct shepard_left_out *left, const struct shepard_tree *tree,
                        size_t i, const struct shepard_place *place)
{
    return shepard_left_out_has_3d(left, tree, i, place);
}

static void nearest_3d(const struct shepard_tree *tree, const struct shepard_place *place,
                       size_t start, struct shepard_hits *hits)
{
    (void)start;
    for (size_t i = 0; i < tree->count; i++) {
        const double d2 = distance2_3d(tree, i, place);
        if (d2 <= hits->bound && !left_out_3d(&hits->left_out, tree, i, place))
            shepard_hits_offer(hits, tree, d2, (uint32_t)i);
    }
    shepard_hits_compact(hits, tree);
}

static size_t inside_3d(const struct shepard_tree *tree, const struct shepard_place *place,
                        double bound2, struct shepard_hits *hits)
{
    size_t found = 0;
    for (size_t i = 0; i < tree->count; i++) {
        const double d2 = distance2_3d(tree, i, place);
        if (d2 > bound2 || left_out_3d(&hits->left_out, tree, i, place))
            continue;
        if (found < hits->capacity) {
            hits->d2[found] = d2;
            hits->rank[found] = (uint32_t)i;
        }
        found++;
    }
    hits->count = found < hits->capacity ? found : hits->capacity;
    return found;
}

static void offer_by_sector_3d(const struct shepard_tree *tree, size_t i,
                               const struct shepard_place *place, struct shepard_sector_hits *hits)
{
    const double x = tree->x[i], y = tree->y[i], z = tree->z[i];
    const double d2 = distance2_3d(tree, i, place);
    const unsigned sector =
        shepard_sector_of(hits->sectors, shepard_place_along(place, place->east, x, y, z),
                          shepard_place_along(place, place->north, x, y, z));
    if (d2 > hits->bound[sector] || left_out_3d(&hits->left_out, tree, i, place))
        return;
    if ((size_t)hits->count[sector] == hits->room)
        sort_sector(hits, tree, (int)sector);
    shepard_sector_hits_add(hits, sector, d2, i);
}

static void sectors_3d(const struct shepard_tree *tree, const struct shepard_place *place,
                       struct shepard_sector_hits *hits)
{
    for (size_t i = 0; i < tree->count; i++)
        offer_by_sector_3d(tree, i, place, hits);
    for (int sector = 0; sector < hits->sectors; sector++)
        sort_sector(hits, tree, sector);
}

/* Points of a node. */
static size_t node_points(int level)
{
    return level == 0 ? SHEPARD_LEAF : SHEPARD_LEAF * SHEPARD_FANOUT;
}

/* The distance of intervals, 0 where they touch. */
static double gap(double a_min, double a_max, double b_min, double b_max)
{
    const double above = b_min - a_max, below = a_min - b_max;
    return above > 0 ? above : below > 0 ? below : 0;
}

static void list_nodes_3d(const struct shepard_tree *tree, const struct shepard_area_3d *area,
                          int level, struct shepard_list_3d *list)
{
    const size_t nodes = shepard_ceil_div(tree->count, node_points(level));
    list->level = level;
    list->count = 0;
    list->complete = true;
    for (size_t node = 0; node < nodes && list->complete; node++) {
        const struct shepard_boxes *boxes = &tree->boxes[level][node / SHEPARD_FANOUT];
        const struct shepard_sides *sides = &tree->z_sides[level][node / SHEPARD_FANOUT];
        const size_t i = node % SHEPARD_FANOUT;
        const double dx = gap(area->min[0], area->max[0], boxes->x_min[i], boxes->x_max[i]);
        const double dy = gap(area->min[1], area->max[1], boxes->y_min[i], boxes->y_max[i]);
        const double dz = gap(area->min[2], area->max[2], sides->min[i], sides->max[i]);
        if (dx * dx + dy * dy + dz * dz > area->reach2)
            continue;
        list->complete = list->count < SHEPARD_LIST_3D_MAX;
        if (list->complete)
            list->node[list->count++] = (uint32_t)node;
    }
    if (!list->complete)
        list->count = 0;
}

/* Point j of a list; tree->count or more: none. */
static size_t listed_point(const struct shepard_list_3d *list, size_t j)
{
    const size_t points = node_points(list->level);
    return list->node[j / points] * points + j % points;
}

static void nearest_listed_3d(const struct shepard_tree *tree, const struct shepard_list_3d *list,
                              const struct shepard_place *place, struct shepard_hits *hits)
{
    for (size_t j = 0; j < list->count * node_points(list->level); j++) {
        const size_t i = listed_point(list, j);
        const double d2 = i < tree->count ? distance2_3d(tree, i, place) : INFINITY;
        if (d2 <= hits->bound && !left_out_3d(&hits->left_out, tree, i, place))
            shepard_hits_offer(hits, tree, d2, (uint32_t)i);
    }
    shepard_hits_compact(hits, tree);
}

static void sectors_listed_3d(const struct shepard_tree *tree, const struct shepard_list_3d *list,
                              const struct shepard_place *place, struct shepard_sector_hits *hits)
{
    for (size_t j = 0; j < list->count * node_points(list->level); j++) {
        const size_t i = listed_point(list, j);
        if (i < tree->count)
            offer_by_sector_3d(tree, i, place, hits);
    }
    for (int sector = 0; sector < hits->sectors; sector++)
        sort_sector(hits, tree, sector);
}

/* ---- weights and sums ------------------------------------------------------------------------ */

static double weight(const struct shepard_decay *decay, double d2)
{
    return pow(decay->unit2 / (d2 + decay->smoothing2), decay->power / 2);
}

static void weights(const double *d2, size_t count, const struct shepard_decay *decay, double *w)
{
    for (size_t i = 0; i < count; i++)
        w[i] = weight(decay, d2[i]);
}

static struct shepard_decay decay_of(const struct shepard_decay_lanes *lanes, size_t lane)
{
    return (struct shepard_decay){lanes->form, 2 * lanes->half_power[lane], lanes->smoothing2,
                                  lanes->unit2[lane]};
}

static void add_columns(const struct shepard_sum_data *data, struct shepard_sum_double *sum,
                        size_t lane, size_t i, double w)
{
    const struct shepard_axes axes = {sum->origin_x[lane], sum->origin_y[lane],
                                      sum->straight ? 1 : sum->main_x[lane],
                                      sum->straight ? 0 : sum->main_y[lane]};
    double dx = data->tree->x[i], dy = data->tree->y[i];
    shepard_axes_turn(&axes, &dx, &dy);
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

/* Whether a lane at (x, y) leaves point i out. */
static bool is_left_out(const struct shepard_sum_data *data,
                        const struct shepard_left_out *left_out, size_t lane, size_t i,
                        const double *x, const double *y)
{
    return left_out != NULL &&
           shepard_left_out_has(&left_out[lane], data->tree, i, x[lane], y[lane]);
}

static void start_double(const struct shepard_sum_data *data, struct shepard_sum_double *sum)
{
    for (size_t lane = 0; lane < sum->targets; lane++) {
        sum->w[lane] = sum->ww[lane] = sum->wx[lane] = sum->wy[lane] = 0;
        sum->wxx[lane] = sum->wxy[lane] = sum->wyy[lane] = 0;
        for (size_t c = 0; c < data->columns; c++) {
            const size_t at = c * SHEPARD_ROW + lane;
            sum->z[at] = 0;
            if (sum->plane)
                sum->zx[at] = sum->zy[at] = 0;
        }
    }
}

static void add_points_double(const struct shepard_sum_data *data, struct shepard_sum_double *sum,
                              const struct shepard_run *run)
{
    for (size_t lane = 0; lane < sum->targets; lane++) {
        const struct shepard_decay decay = decay_of(&sum->decay, lane);
        for (size_t i = run->first; i < run->first + run->count; i++) {
            const double q = data->weights != NULL ? data->weights[i] : 1;
            const double d2 = distance2(data->tree, i, sum->x[lane], sum->y[lane]);
            if (!is_left_out(data, sum->left_out, lane, i, sum->x, sum->y))
                add_columns(data, sum, lane, i, q * weight(&decay, d2));
        }
    }
}

static void finish_double(const struct shepard_sum_data *data, struct shepard_sum_double *sum)
{
    (void)data;
    (void)sum;
}

static void start_single(const struct shepard_sum_data *data, struct shepard_sum_single *sum)
{
    for (size_t lane = 0; lane < sum->targets; lane++) {
        sum->w[lane] = sum->wx[lane] = sum->wy[lane] = 0;
        sum->wxx[lane] = sum->wxy[lane] = sum->wyy[lane] = sum->radius2[lane] = 0;
        for (size_t c = 0; c < data->columns; c++) {
            const size_t at = c * SHEPARD_LANES + lane;
            sum->z[at] = 0;
            if (sum->plane)
                sum->zx[at] = sum->zy[at] = 0;
        }
    }
}

/* Adds point i of weight w. */
static void add_point_single(const struct shepard_sum_data *data, struct shepard_sum_single *sum,
                             size_t lane, size_t i, double w)
{
    const double dx = data->tree->x[i] - sum->x[lane], dy = data->tree->y[i] - sum->y[lane];
    sum->w[lane] += w;
    sum->wx[lane] += w * dx;
    sum->wy[lane] += w * dy;
    sum->wxx[lane] += w * dx * dx;
    sum->wxy[lane] += w * dx * dy;
    sum->wyy[lane] += w * dy * dy;
    for (size_t c = 0; c < data->columns; c++) {
        const size_t at = c * SHEPARD_LANES + lane;
        const double z =
            w * (data->values[c][i] * data->scale[c] - data->middle[c] * data->scale[c]);
        sum->z[at] += z;
        if (sum->plane) {
            sum->zx[at] += z * dx;
            sum->zy[at] += z * dy;
        }
    }
}

static void add_points_single(const struct shepard_sum_data *data, struct shepard_sum_single *sum,
                              const struct shepard_run *run)
{
    for (size_t lane = 0; lane < sum->targets; lane++) {
        const struct shepard_decay decay = decay_of(&sum->decay, lane);
        for (size_t i = run->first; i < run->first + run->count; i++) {
            const double q = data->weights != NULL ? data->weights[i] : 1;
            const double d2 = distance2(data->tree, i, sum->x[lane], sum->y[lane]);
            if (!is_left_out(data, sum->left_out, lane, i, sum->x, sum->y))
                add_point_single(data, sum, lane, i, q * weight(&decay, d2));
        }
    }
}

/* ---- expansions ------------------------------------------------------------------------------ */

/* A node at one target: powers of t = rho (X + iY) / R^2 and of h = rho^2 / R^2, the factors
 * beta_mk of Eq. 27, and the weight at the centre. */
struct view {
    double re[SHEPARD_ORDER_MAX + 1], im[SHEPARD_ORDER_MAX + 1], h[SHEPARD_ORDER_MAX + 1];
    double beta[SHEPARD_ORDER_MAX + 2][SHEPARD_ORDER_MAX + 1]; /* [m][k] */
    double w;
};

static void set_factors(int order, double part, double lambda, struct view *view)
{
    view->beta[0][0] = 1;
    for (int l = 1; l <= order; l++)
        for (int k = 0; 2 * k <= l; k++) {
            const int m = l - 2 * k;
            double up = m > 0 ? view->beta[m - 1][k] : 0, down = 0;
            if (k > 0) {
                up += part * (m > 0 ? 1 : 2) * view->beta[m + 1][k - 1];
                down = view->beta[m][k - 1];
            }
            view->beta[m][k] = ((l + lambda - 1) * up - (l + 2 * lambda - 2) * down) / l;
        }
}

static void look_at_node(const struct shepard_node *node, const struct shepard_decay *decay,
                         double x, double y, int order, struct view *view)
{
    const double dx = x - node->x, dy = y - node->y, d2 = dx * dx + dy * dy;
    const double r2 = d2 + decay->smoothing2;
    const double a = node->scale * dx / r2, b = node->scale * dy / r2;
    set_factors(order, d2 / r2, decay->power / 2, view);
    view->re[0] = view->h[0] = 1;
    view->im[0] = 0;
    for (int m = 1; m <= order; m++) {
        view->re[m] = view->re[m - 1] * a - view->im[m - 1] * b;
        view->im[m] = view->re[m - 1] * b + view->im[m - 1] * a;
        view->h[m] = view->h[m - 1] * (node->scale / r2 * node->scale);
    }
    view->w = weight(decay, d2);
}

static double node_moment(const struct shepard_node_data *data, const struct shepard_node *node,
                          size_t charge, int term)
{
    const size_t at = node->moments + charge * node->stride + (size_t)term;
    return data->precise != NULL ? data->precise[at] : (double)data->single[at];
}

/* The sum over a node of a charge with these moments. */
static double sum_terms(const struct view *view, int order, const double *moments)
{
    double sum = 0;
    for (int l = 0; l <= order; l++)
        for (int k = 0; 2 * k <= l; k++) {
            const int m = l - 2 * k;
            const double *at = moments + shepard_terms_at(l, k);
            const double part = m > 0 ? view->re[m] * at[0] + view->im[m] * at[1] : at[0];
            sum += view->beta[m][k] * view->h[k] * part;
        }
    return view->w * sum;
}

static void read_moments(const struct shepard_node_data *data, const struct shepard_node *node,
                         size_t charge, int order, double *moments)
{
    for (int i = 0; i < SHEPARD_TERMS(order); i++)
        moments[i] = node_moment(data, node, charge, i);
}

/* The sum of one charge over a node. */
static double node_sum(const struct shepard_node_data *data, const struct shepard_node *node,
                       const struct view *view, int order, size_t charge)
{
    double moments[SHEPARD_TERMS(SHEPARD_ORDER_MAX)];
    read_moments(data, node, charge, order, moments);
    return sum_terms(view, order, moments);
}

/* Adds a node's sums of all charges to a target's; column c's stands c * row after *z. */
static void add_node(const struct shepard_sum_data *data, const struct shepard_node *node,
                     const struct view *view, int order, double *w, double *z, size_t row)
{
    *w += node_sum(&data->nodes, node, view, order, 0);
    for (size_t c = 0; c < data->columns; c++)
        z[c * row] += node_sum(&data->nodes, node, view, order, c + 1);
}

/* Sums over a node of w times 1, along, across, and with second their products, of one charge. */
struct raised {
    double one, a, c, aa, ac, cc;
};

static struct raised sum_raised(const struct shepard_node_data *data,
                                const struct shepard_node *node, const struct view *view, int order,
                                size_t charge, double *room)
{
    enum { MOST = SHEPARD_TERMS(SHEPARD_ORDER_MAX + 2) };
    double *moments = room, *x = moments + MOST, *y = x + MOST, *twice = y + MOST;
    const double scale = node->scale;
    read_moments(data, node, charge, order + 2, moments);
    shepard_terms_raise(moments, false, order + 1, x);
    shepard_terms_raise(moments, true, order + 1, y);
    struct raised s = {.one = sum_terms(view, order, moments),
                       .a = scale * sum_terms(view, order, x),
                       .c = scale * sum_terms(view, order, y)};
    shepard_terms_raise(x, false, order, twice);
    s.aa = scale * scale * sum_terms(view, order, twice);
    shepard_terms_raise(x, true, order, twice);
    s.ac = scale * scale * sum_terms(view, order, twice);
    shepard_terms_raise(y, true, order, twice);
    s.cc = scale * scale * sum_terms(view, order, twice);
    return s;
}

static struct shepard_axes axes_of(const struct shepard_sum_double *sum, size_t lane)
{
    return (struct shepard_axes){sum->origin_x[lane], sum->origin_y[lane],
                                 sum->straight ? 1 : sum->main_x[lane],
                                 sum->straight ? 0 : sum->main_y[lane]};
}

/* From x and y about the node's centre to the axes. */
static struct raised turn(const struct raised *s, const struct shepard_axes *axes,
                          const struct shepard_node *node)
{
    const double p = axes->main_x, q = axes->main_y;
    const double dx = node->x - axes->x, dy = node->y - axes->y;
    const double a = p * dx + q * dy, c = p * dy - q * dx;
    const double x = p * s->a + q * s->c, y = p * s->c - q * s->a;
    return (struct raised){
        s->one,
        x + a * s->one,
        y + c * s->one,
        p * p * s->aa + 2 * p * q * s->ac + q * q * s->cc + 2 * a * x + a * a * s->one,
        p * q * (s->cc - s->aa) + (p * p - q * q) * s->ac + a * y + c * x + a * c * s->one,
        p * p * s->cc - 2 * p * q * s->ac + q * q * s->aa + 2 * c * y + c * c * s->one};
}

static void add_node_plane(const struct shepard_sum_data *data, struct shepard_sum_double *sum,
                           const struct shepard_node *node, const struct view *view, int order,
                           size_t lane)
{
    const struct shepard_axes axes = axes_of(sum, lane);
    struct raised s = sum_raised(&data->nodes, node, view, order, 0, sum->room);
    s = turn(&s, &axes, node);
    sum->w[lane] += s.one;
    sum->wx[lane] += s.a;
    sum->wy[lane] += s.c;
    sum->wxx[lane] += s.aa;
    sum->wxy[lane] += s.ac;
    sum->wyy[lane] += s.cc;
    for (size_t c = 0; c < data->columns; c++) {
        s = sum_raised(&data->nodes, node, view, order, c + 1, sum->room);
        s = turn(&s, &axes, node);
        sum->z[c * SHEPARD_ROW + lane] += s.one;
        sum->zx[c * SHEPARD_ROW + lane] += s.a;
        sum->zy[c * SHEPARD_ROW + lane] += s.c;
    }
}

static void add_nodes_double(const struct shepard_sum_data *data, struct shepard_sum_double *sum,
                             const struct shepard_node_list *list)
{
    struct view view;
    for (size_t lane = 0; lane < sum->targets; lane++) {
        const struct shepard_decay decay = decay_of(&sum->decay, lane);
        for (size_t i = 0; i < list->count; i++) {
            const struct shepard_node *node = &data->nodes.nodes[list->node[i]];
            look_at_node(node, &decay, sum->x[lane], sum->y[lane], list->order, &view);
            if (sum->plane)
                add_node_plane(data, sum, node, &view, list->order, lane);
            else
                add_node(data, node, &view, list->order, &sum->w[lane], sum->z + lane, SHEPARD_ROW);
        }
    }
}

static void add_nodes_single(const struct shepard_sum_data *data, struct shepard_sum_single *sum,
                             const struct shepard_node_list *list)
{
    struct view view;
    for (size_t lane = 0; lane < sum->targets; lane++) {
        const struct shepard_decay decay = decay_of(&sum->decay, lane);
        for (size_t i = 0; i < list->count; i++) {
            const struct shepard_node *node = &data->nodes.nodes[list->node[i]];
            look_at_node(node, &decay, sum->x[lane], sum->y[lane], list->order, &view);
            add_node(data, node, &view, list->order, &sum->w[lane], sum->z + lane, SHEPARD_LANES);
        }
    }
}

static void add_node_plane_single(const struct shepard_sum_data *data,
                                  struct shepard_sum_single *sum, const struct shepard_node *node,
                                  const struct view *view, int order, size_t lane, double *room)
{
    const struct shepard_axes axes = {sum->x[lane], sum->y[lane], 1, 0};
    struct raised s = sum_raised(&data->nodes, node, view, order, 0, room);
    s = turn(&s, &axes, node);
    sum->w[lane] += s.one;
    sum->wx[lane] += s.a;
    sum->wy[lane] += s.c;
    sum->wxx[lane] += s.aa;
    sum->wxy[lane] += s.ac;
    sum->wyy[lane] += s.cc;
    sum->radius2[lane] += s.one * node->scale * node->scale;
    for (size_t c = 0; c < data->columns; c++) {
        const size_t at = c * SHEPARD_LANES + lane;
        s = sum_raised(&data->nodes, node, view, order, c + 1, room);
        s = turn(&s, &axes, node);
        sum->z[at] += s.one;
        sum->zx[at] += s.a;
        sum->zy[at] += s.c;
    }
}

static void add_nodes_planes(const struct shepard_sum_data *data, struct shepard_sum_single *sums,
                             size_t count, const struct shepard_node_list *list)
{
    struct view view;
    for (size_t at = 0; at < count * SHEPARD_LANES; at++) {
        struct shepard_sum_single *sum = &sums[at / SHEPARD_LANES];
        const size_t lane = at % SHEPARD_LANES;
        if (lane >= sum->targets)
            continue;
        const struct shepard_decay decay = decay_of(&sum->decay, lane);
        for (size_t i = 0; i < list->count; i++) {
            const struct shepard_node *node = &data->nodes.nodes[list->node[i]];
            look_at_node(node, &decay, sum->x[lane], sum->y[lane], list->order, &view);
            add_node_plane_single(data, sum, node, &view, list->order, lane, sums->room);
        }
    }
}

/* ---- moments --------------------------------------------------------------------------------- */

static double *number(const struct shepard_batch *batch, int degree, int b, size_t charge,
                      size_t lane)
{
    const size_t t = charge * (size_t)SHEPARD_TERMS(batch->degree) +
                     shepard_batch_at(batch->degree, degree - b, b);
    return &batch->numbers[t * SHEPARD_BATCH + lane];
}

/* sum_i q_i x_i^a y_i^b of one lane. */
static double moment(const struct shepard_batch_points *points, const double *charges, size_t lane,
                     int a, int b)
{
    double sum = 0;
    for (size_t i = 0; i < SHEPARD_LEAF; i++)
        sum += charges[i * SHEPARD_BATCH + lane] * pow(points->x[i][lane], a) *
               pow(points->y[i][lane], b);
    return sum;
}

static void collect(const struct shepard_batch_points *points, struct shepard_batch *batch)
{
    for (size_t c = 0; c < batch->charges; c++)
        for (size_t lane = 0; lane < SHEPARD_BATCH; lane++)
            for (int l = 0; l <= batch->degree; l++)
                for (int b = 0; b <= l; b++)
                    *number(batch, l, b, c, lane) = moment(
                        points, points->charges + c * SHEPARD_LEAF * SHEPARD_BATCH, lane, l - b, b);
}

/* One lane of one charge by (x + dx)^a -> x^a, x^(a-1) dx, ...: p steps of (1 + dx shift) in the
 * order that leaves what is still to be read. */
static void translate_one(struct shepard_batch *from, const struct shepard_batch_step *step,
                          size_t c, size_t lane)
{
    for (int l = 0; l <= from->degree; l++)
        for (int b = 0; b <= l; b++)
            *number(from, l, b, c, lane) *= pow(step->scale[lane], l);
    for (int p = 1; p <= from->degree; p++)
        for (int l = from->degree; l >= p; l--)
            for (int b = 0; b <= l - p; b++)
                *number(from, l, b, c, lane) += step->x[lane] * *number(from, l - 1, b, c, lane);
    for (int p = 1; p <= from->degree; p++)
        for (int l = from->degree; l >= p; l--)
            for (int b = l; b >= p; b--)
                *number(from, l, b, c, lane) +=
                    step->y[lane] * *number(from, l - 1, b - 1, c, lane);
}

static void translate(struct shepard_batch *from, const struct shepard_batch_step *step,
                      struct shepard_batch *to)
{
    const size_t count =
        SHEPARD_TERMS((size_t)from->degree) * from->charges * (size_t)SHEPARD_BATCH;
    for (size_t c = 0; c < from->charges; c++)
        for (size_t lane = 0; lane < SHEPARD_BATCH; lane++)
            translate_one(from, step, c, lane);
    for (size_t i = 0; i < count; i++)
        to->numbers[i] += from->numbers[i];
}

static void express_one(const struct shepard_batch *batch, const struct shepard_batch_out *out,
                        size_t c, size_t lane)
{
    const double *table = out->table;
    size_t t = c * out->stride;
    for (int l = 0; l <= out->degree; l++)
        for (int row = 0; row <= l; row++, t++) {
            double sum = 0;
            for (int b = row % 2; b <= l; b += 2)
                sum += *table++ * *number(batch, l, b, c, lane);
            if (out->single[lane] != NULL)
                out->single[lane][t] = (float)sum;
            else
                out->precise[lane][t] = sum;
        }
}

static void express(const struct shepard_batch *batch, const struct shepard_batch_out *out)
{
    for (size_t lane = 0; lane < SHEPARD_BATCH; lane++)
        for (size_t c = 0; c < batch->charges; c++)
            if (out->single[lane] != NULL || out->precise[lane] != NULL)
                express_one(batch, out, c, lane);
}

/* M_kk / M_00 of charge 0. */
static double even_moment(const struct shepard_batch *batch, int k, size_t lane)
{
    double sum = 0, binomial = 1;
    for (int i = 0; i <= k; i++) {
        sum += binomial * *number(batch, 2 * k, 2 * i, 0, lane);
        binomial *= (double)(k - i) / (i + 1);
    }
    return sum / *number(batch, 0, 0, 0, lane);
}

static void measure(const struct shepard_batch *batch, const struct shepard_batch_mean_radius *out)
{
    for (size_t lane = 0; lane < SHEPARD_BATCH; lane++) {
        if (out->mean_radius_log2[lane] == NULL)
            continue;
        const double scale = out->scale[lane];
        out->mean_radius_log2[lane][0] = (float)log2(*number(batch, 0, 0, 0, lane));
        for (int k = 1; k <= out->orders; k++) {
            const double moment = fmax(even_moment(batch, k, lane), 0) + SHEPARD_BATCH_ERROR;
            const double mean_radius_log2 =
                log2(scale) + log2(moment) / (2 * k) + SHEPARD_MEAN_RADIUS_MARGIN;
            out->mean_radius_log2[lane][k] =
                (float)(scale > 0 ? mean_radius_log2 : SHEPARD_MEAN_RADIUS_NONE);
        }
    }
}

/* ---- columns --------------------------------------------------------------------------------- */

/* Over the points of one column, with weights relative to its first unit. */
static void average_column(const struct shepard_columns *columns, size_t column,
                           const struct shepard_columns_list *list, double *mean, double *number)
{
    const size_t lane = column % SHEPARD_COLUMNS_STEP;
    const size_t u = shepard_columns_unit(columns, column, list);
    const double *beside = list->w + shepard_columns_beside(list->places, u);
    double w = 0, wz = 0;
    size_t count = 0;
    for (size_t j = 0; u < list->units && j < list->count && count < list->most; j++) {
        const size_t rank = list->rank[j];
        if (!shepard_columns_present(columns, rank, column))
            continue;
        const double own =
            beside[j * SHEPARD_COLUMNS_UNITS] * shepard_columns_weight(columns, rank, column);
        const double z = shepard_columns_value(columns, rank, column);
        w += own;
        wz += own * (z * columns->scale[column] - columns->shift[column]);
        count++;
    }
    mean[lane] = shepard_clamp(columns->middle[column] + wz / w / columns->scale[column],
                               columns->low[column], columns->high[column]);
    number[lane] = (double)count;
}

static void average_columns(const struct shepard_columns *columns, size_t at,
                            const struct shepard_columns_list *lists, size_t count,
                            const struct shepard_columns_model *model,
                            const struct shepard_columns_means *means)
{
    (void)model;
    for (size_t i = 0; i < count; i++)
        for (size_t c = at; c < at + SHEPARD_COLUMNS_STEP; c++)
            average_column(columns, c, &lists[i], means->mean + i * SHEPARD_COLUMNS_STEP,
                           means->count + i * SHEPARD_COLUMNS_STEP);
}

static void turn_rows(const double *const *rows, const size_t *index, size_t count,
                      double *const *to, size_t columns)
{
    for (size_t c = 0; c < columns; c++)
        for (size_t i = 0; i < count; i++)
            to[c][index[i]] = rows[i][c];
}

const struct shepard_search_kernels shepard_search_scalar = {
    nearest,       list_leaves,       nearest_listed,   NULL,       inside,    sectors,
    list_boxes,    sectors_listed,    carry_bounds,     nearest_3d, inside_3d, sectors_3d,
    list_nodes_3d, nearest_listed_3d, sectors_listed_3d};
const struct shepard_sum_kernels shepard_sum_scalar = {
    weights,      start_double,      add_points_double, add_nodes_double, finish_double,
    start_single, add_points_single, add_nodes_single,  add_nodes_planes,
};
const struct shepard_moment_kernels shepard_moments_scalar = {collect, translate, express, measure};
const struct shepard_column_kernels shepard_columns_scalar = {average_columns, turn_rows, NULL};
const struct shepard_kriging_kernels shepard_kriging_scalar = {NULL, NULL};
