/* SPDX-License-Identifier: MIT */
/* Sums over nodes against sums over their points: what a kernel gives may differ from the terms of
 * the expansion by rounding, and these from the whole sum by what is left out. */
#include "base/memory.h"
#include "suite.h"

#include <math.h>
#include <stdlib.h>

#define COLUMNS 6 /* planes: one with the weights, then three at a time */
#define CHARGES (1 + COLUMNS)
#define POINTS 1200
#define N 1e6 /* as which the points count for bounds */
#define T_MAX 0.6

enum kind { SINGLE, PLANE_SINGLE, DOUBLE, PLANE, STRAIGHT, KINDS };

static bool is_single(enum kind kind)
{
    return kind <= PLANE_SINGLE;
}

/* One node and targets that see it. */
struct trial {
    const struct sample *sample;
    enum kind kind;
    int order, level;
    size_t index;
    const struct shepard_node *node;
    struct shepard_node_list list;
    uint32_t number;
    struct shepard_sum_double sum;
    struct shepard_sum_single single;
    double rows[4 * COLUMNS * SHEPARD_ROW];
    _Alignas(SHEPARD_ALIGNMENT) double room[SHEPARD_SUM_ROOM];
};

/* Parts of bounds used up, the largest seen. */
struct worst {
    double rounding, truncation;
};

/* ---- trials ---------------------------------------------------------------------------------- */

static void draw_node(struct trial *trial, unsigned long *seed)
{
    const struct shepard_moments *moments = &trial->sample->moments;
    const int least = (trial->order - 1) / 2 + 1;
    do
        trial->level = (int)pick(seed, (size_t)moments->levels);
    while (moments->orders[trial->level] < least);
    trial->index = pick(seed, moments->count[trial->level]);
    trial->number = (uint32_t)(moments->first[trial->level] + trial->index);
    trial->node = &moments->nodes[trial->number];
    trial->list = (struct shepard_node_list){trial->order, 1, &trial->number};
}

/* R from the node's centre so that scale / R is up to T_MAX; the smoothing may take all of R. */
static void draw_target(struct trial *trial, size_t j, double power, unsigned long *seed)
{
    const double scale = trial->node->scale, smoothing2 = trial->sum.decay.smoothing2;
    const double t = T_MAX * (chance(seed) < 0.5 ? chance(seed) : scaled_chance(seed, -20, 0));
    const double r = scale > 0 ? scale / t : 0.1 + chance(seed), angle = 7 * chance(seed);
    const double x = sqrt(fmax(r * r - smoothing2, 0));
    const double weight = log2(N) + 3, least = is_single(trial->kind) ? -80 : -480;
    trial->sum.x[j] = trial->node->x + x * cos(angle);
    trial->sum.y[j] = trial->node->y + x * sin(angle);
    trial->sum.decay.half_power[j] = power / 2;
    trial->sum.decay.unit2[j] = exp2(fmax(2 * log2(r) - weight * chance(seed) * 2 / power, least));
    trial->sum.origin_x[j] = trial->node->x + scaled_chance(seed, -20, 3) - 0.5;
    trial->sum.origin_y[j] = trial->node->y - scaled_chance(seed, -20, 3) + 0.5;
    draw_axes(seed, &trial->sum.main_x[j], &trial->sum.main_y[j]);
    if (trial->kind == PLANE_SINGLE) {
        trial->sum.origin_x[j] = trial->sum.x[j];
        trial->sum.origin_y[j] = trial->sum.y[j];
        trial->sum.main_x[j] = 1;
        trial->sum.main_y[j] = 0;
    }
}

static double draw_smoothing2(const struct shepard_node *node, unsigned long *seed)
{
    const double kind = chance(seed);
    if (kind < 0.4 || node->scale == 0)
        return 0;
    const double part = kind < 0.7 ? scaled_chance(seed, -20, -1) : scaled_chance(seed, -1, 4);
    return part * part * node->scale * node->scale;
}

static void draw_trial(struct trial *trial, const struct sample *sample, enum kind kind, int order,
                       unsigned long *seed)
{
    const double alpha_max = is_single(kind) ? 8 : 20;
    const double power =
        chance(seed) < 0.5 ? 1 + (double)pick(seed, 4) : 0.1 + (alpha_max - 0.1) * chance(seed);
    *trial = (struct trial){.sample = sample, .kind = kind, .order = order};
    draw_node(trial, seed);
    trial->sum.targets = 1 + pick(seed, SHEPARD_LANES);
    trial->sum.decay.form = chance(seed) < 0.3 ? SHEPARD_FORM_GENERAL : shepard_form_of(power);
    trial->sum.decay.one_power = chance(seed) < 0.5;
    const bool one = trial->sum.decay.one_power || trial->sum.decay.form != SHEPARD_FORM_GENERAL;
    trial->sum.decay.smoothing2 = kind == PLANE_SINGLE ? 0 : draw_smoothing2(trial->node, seed);
    trial->sum.order = order + 2 * (int)pick(seed, is_single(kind) ? 2 : 4);
    if (trial->sum.order > (is_single(kind) ? SHEPARD_ORDER_SINGLE : SHEPARD_ORDER_MAX))
        trial->sum.order = order;
    trial->sum.plane = kind >= PLANE;
    trial->single.plane = kind == PLANE_SINGLE;
    trial->sum.straight = kind == STRAIGHT;
    for (size_t j = 0; j < trial->sum.targets; j++)
        draw_target(trial, j, one ? power : power * (0.5 + chance(seed) / 2), seed);
}

static void run_trial(struct trial *trial, const struct shepard_sum_kernels *kernels)
{
    const struct shepard_sum_data *data = &trial->sample->data;
    const size_t row = COLUMNS * SHEPARD_ROW;
    for (size_t i = 0; i < row; i++)
        trial->rows[i] = data->middle[i / SHEPARD_ROW];
    trial->sum.centre = trial->rows;
    trial->sum.z = trial->rows + row;
    trial->sum.zx = trial->sum.z + row;
    trial->sum.zy = trial->sum.zx + row;
    trial->sum.room = trial->room;
    if (is_single(trial->kind)) {
        trial->single.targets = trial->sum.targets;
        for (size_t j = 0; j < SHEPARD_LANES; j++) {
            trial->single.x[j] = trial->sum.x[j];
            trial->single.y[j] = trial->sum.y[j];
        }
        trial->single.decay = trial->sum.decay;
        trial->single.order = trial->sum.order;
        trial->single.z = trial->sum.z;
        trial->single.zx = trial->sum.zx;
        trial->single.zy = trial->sum.zy;
        trial->single.room = trial->room;
        kernels->start_single(data, &trial->single);
        if (trial->single.plane)
            kernels->add_nodes_planes(data, &trial->single, 1, &trial->list);
        else
            kernels->add_nodes_single(data, &trial->single, &trial->list);
        return;
    }
    kernels->start_double(data, &trial->sum);
    kernels->add_nodes_double(data, &trial->sum, &trial->list);
    kernels->finish_double(data, &trial->sum);
}

/* ---- what is to come out --------------------------------------------------------------------- */

/* Sums of charges times x^a y^b, (a, b) = 00 10 01 20 11 02, offsets along the lane's axes and
 * across from its origin; by the expansion's terms and whole. */
#define POWERS 6

struct exact {
    long double part[CHARGES][POWERS], whole[CHARGES][POWERS];
};

static struct outlook look(const struct trial *trial, size_t j)
{
    return (struct outlook){(long double)trial->sum.x[j] - trial->node->x,
                            (long double)trial->sum.y[j] - trial->node->y,
                            trial->sum.decay.smoothing2, 2 * trial->sum.decay.half_power[j],
                            trial->order};
}

static void sum_exactly(const struct trial *trial, size_t j, struct exact *exact)
{
    const struct shepard_tree *tree = trial->sample->data.tree;
    const struct outlook outlook = look(trial, j);
    const long double r2 = outlook.x * outlook.x + outlook.y * outlook.y + outlook.smoothing2;
    const long double centre = powl(trial->sum.decay.unit2[j] / r2, outlook.power / 2);
    size_t first, end;
    *exact = (struct exact){{{0}}, {{0}}};
    sample_node_points(trial->sample, trial->level, trial->index, &first, &end);
    for (size_t i = first; i < end; i++) {
        const long double px = tree->x[i], py = tree->y[i];
        const struct weight_pair pair =
            expand_weight(&outlook, px - trial->node->x, py - trial->node->y);
        const long double dx = px - trial->sum.origin_x[j], dy = py - trial->sum.origin_y[j];
        const long double p = trial->kind == STRAIGHT ? 1 : trial->sum.main_x[j];
        const long double r = trial->kind == STRAIGHT ? 0 : trial->sum.main_y[j];
        const long double x = p * dx + r * dy, y = p * dy - r * dx;
        const long double powers[POWERS] = {1, x, y, x * x, x * y, y * y};
        for (size_t c = 0; c < CHARGES; c++)
            for (int k = 0; k < POWERS; k++) {
                const long double charge = sample_charge(trial->sample, c, i) * centre * powers[k];
                exact->part[c][k] += charge * pair.part;
                exact->whole[c][k] += charge * pair.whole;
            }
    }
}

/* The rounding that core/accuracy.c allows for, as a part of the value range. */
static double rounding_bound(const struct trial *trial, double power, double t)
{
    const double u = is_single(trial->kind) ? 0x1p-24 : 0x1p-53;
    const double stored = trial->sample->moments.single != NULL ? 0x1p-24 : 0x1p-53;
    const double range = is_single(trial->kind) ? 0 : 1.39 * fmin(500 * power / 2, log2(N) + 3);
    const double common = 6 * power / 2 + 6 + 1.4 * power / 2 + range + 4;
    double sum = 0, term = 1;
    for (int l = 0; l <= trial->order; l++) {
        sum += term * (((common + 15 * l) / 2 + 2 * l + 2) * u + stored);
        term *= (power + l) / (l + 1) * t;
    }
    return sum * pow(1 + t, power);
}

/* What errors of the sums of q and of q z can do to a prediction, as a part of the value range. */
static double effect(long double q, long double qz, long double weight)
{
    const long double sum = fabsl(q) + fabsl(qz);
    return sum == sum ? (double)(sum / 2 / weight) : INFINITY;
}

/* ---- checks ---------------------------------------------------------------------------------- */

static double found_sum(const struct trial *trial, size_t charge, int power, size_t j)
{
    const struct shepard_sum_double *sum = &trial->sum;
    const struct shepard_sum_single *single = &trial->single;
    const double *const powers[POWERS] = {sum->w, sum->wx, sum->wy, sum->wxx, sum->wxy, sum->wyy};
    const double *const single_powers[POWERS] = {single->w,   single->wx,  single->wy,
                                                 single->wxx, single->wxy, single->wyy};
    const double *const columns[POWERS] = {sum->z, sum->zx, sum->zy};
    if (charge > 0)
        return columns[power]
                      [(charge - 1) * (is_single(trial->kind) ? SHEPARD_LANES : SHEPARD_ROW) + j];
    return is_single(trial->kind) ? single_powers[power][j] : powers[power][j];
}

/* Radii of the node over R: the mean one of the first dropped degree, and the largest. */
static void look_radii(const struct trial *trial, size_t j, double *mean, double *largest)
{
    const struct shepard_moments *moments = &trial->sample->moments;
    const struct outlook outlook = look(trial, j);
    const double r =
        (double)sqrtl(outlook.x * outlook.x + outlook.y * outlook.y + outlook.smoothing2);
    const float *mean_radius_log2 =
        moments->mean_radius_log2 + trial->number * moments->mean_radius_stride;
    *mean = exp2((double)mean_radius_log2[(trial->order + 1) / 2]) / r;
    *largest = trial->node->scale / r;
}

static void judge_target(const struct trial *trial, size_t j, struct worst *worst)
{
    struct exact exact;
    double mean, largest;
    const double power = 2 * trial->sum.decay.half_power[j];
    const long double q =
        exp2((double)trial->sample->moments
                 .mean_radius_log2[trial->number * trial->sample->moments.mean_radius_stride]);
    sum_exactly(trial, j, &exact);
    look_radii(trial, j, &mean, &largest);
    const struct outlook o = look(trial, j);
    const long double centre =
        q * powl(trial->sum.decay.unit2[j] / (o.x * o.x + o.y * o.y + o.smoothing2), o.power / 2);
    const double rounding = rounding_bound(trial, power, mean);
    const double truncation = truncation_bound(power, trial->order, mean, largest);
    for (size_t c = 1; c < CHARGES; c++) {
        const long double off = found_sum(trial, 0, 0, j) - exact.part[0][0];
        const long double off_z = found_sum(trial, c, 0, j) - exact.part[c][0];
        worst->rounding = fmax(worst->rounding, effect(off, off_z, exact.whole[0][0]) / rounding);
    }
    for (size_t c = 0; c < CHARGES; c++) {
        const long double left_out = exact.whole[c][0] - exact.part[c][0];
        const double allowed = (double)centre * (truncation + 1e-17);
        worst->truncation = fmax(worst->truncation, fabs((double)left_out) / allowed);
    }
}

/* Sums of offsets: of weights times a length or two. */
static double judge_plane(const struct trial *trial, size_t j)
{
    struct exact exact;
    double mean, largest, worst = 0;
    sum_exactly(trial, j, &exact);
    look_radii(trial, j, &mean, &largest);
    const double power = 2 * trial->sum.decay.half_power[j];
    const double mean_radius_log2 = sqrt(2) * hypot(trial->node->x - trial->sum.origin_x[j],
                                                    trial->node->y - trial->sum.origin_y[j]) +
                                    sqrt(2) * trial->node->scale;
    const double rounding = 2 * rounding_bound(trial, power, largest) * (double)exact.whole[0][0];
    for (size_t c = 0; c < CHARGES; c++)
        for (int p = 0; p < (c == 0 ? POWERS : 3); p++) {
            const double length = p == 0  ? 1
                                  : p < 3 ? mean_radius_log2
                                          : mean_radius_log2 * mean_radius_log2;
            const double off = fabs((double)(found_sum(trial, c, p, j) - exact.part[c][p]));
            worst = fmax(worst, isfinite(off) ? off / (rounding * length) : INFINITY);
        }
    return worst;
}

/* Rounding of the sums of planes in float32, without that of the weight at the centre, over the
 * node's charge and weight there (Eq. 36c). */
static double plane_rounding_bound(double power, int order, double t)
{
    double sum = 0;
    for (int l = 2; l <= order; l++) {
        const double size = exp(lgamma(power + l) - lgamma(power) - lgamma(l + 1.)) * pow(t, l);
        const double term = l + 3.5, moment = 5, additions = (l + 1) * (l + 2) / 2. - 3;
        sum += size * (term + moment + additions) * 0x1p-24;
    }
    return sum + 0x1p-44;
}

/* Sums about the target in float32: the error of the weight, which all share, is that of the sum of
 * weights. */
static double judge_plane_single(const struct trial *trial, size_t j)
{
    struct exact exact;
    double mean, largest, worst = 0;
    sum_exactly(trial, j, &exact);
    look_radii(trial, j, &mean, &largest);
    const struct outlook o = look(trial, j);
    const double power = o.power, r = (double)sqrtl(o.x * o.x + o.y * o.y);
    const double centre = (double)powl(trial->sum.decay.unit2[j] / (r * r), o.power / 2);
    const double charge =
        exp2((double)trial->sample->moments
                 .mean_radius_log2[trial->number * trial->sample->moments.mean_radius_stride]);
    const double allowed = centre * charge * plane_rounding_bound(power, trial->order, largest);
    const long double found = found_sum(trial, 0, 0, j);
    for (size_t c = 0; c < CHARGES; c++)
        for (int p = c == 0 ? 1 : 0; p < (c == 0 ? POWERS : 3); p++) {
            const double length = pow(r * (1 + sqrt(2) * largest), p == 0 ? 0 : p < 3 ? 1 : 2);
            const long double ratio = exact.part[c][p] / exact.part[0][0];
            const double off = fabs((double)(found_sum(trial, c, p, j) - found * ratio));
            const double bound = allowed * (length + fabs((double)ratio));
            worst = fmax(worst, isfinite(off) ? off / bound : INFINITY);
        }
    return worst;
}

static const char *const names[] = {"single", "single plane", "double", "plane", "straight plane"};

static void check_trial(struct tally *tally, const struct shepard_kernels *kernels,
                        struct trial *trial, struct worst *most)
{
    struct worst worst = {0, 0};
    run_trial(trial, kernels->sum);
    for (size_t j = 0; j < trial->sum.targets; j++) {
        judge_target(trial, j, &worst);
        if (trial->kind >= PLANE)
            worst.rounding = fmax(worst.rounding, judge_plane(trial, j));
        if (trial->kind == PLANE_SINGLE)
            worst.rounding = fmax(worst.rounding, judge_plane_single(trial, j));
    }
    tally_check(tally, worst.rounding <= 1 && worst.truncation <= 1,
                "%s: %s sums over a node of %s, order %d, power %g, smoothing %g: rounding %g, "
                "truncation %g of what they may be",
                kernels->isa, names[trial->kind], trial->sample->cloud.name, trial->order,
                2 * trial->sum.decay.half_power[0], sqrt(trial->sum.decay.smoothing2),
                worst.rounding, worst.truncation);
    most->rounding = fmax(most->rounding, worst.rounding);
    most->truncation = fmax(most->truncation, worst.truncation);
}

static void check_kind(struct tally *tally, const struct shepard_kernels *kernels,
                       struct sample *sample, enum kind kind, struct worst *most,
                       unsigned long *seed)
{
    const int orders = is_single(kind) ? (SHEPARD_ORDER_SINGLE + 1) / 2 : SHEPARD_ORDERS_MAX;
    for (int o = 0; o < orders; o++) {
        struct trial trial;
        draw_trial(&trial, sample, kind, SHEPARD_ORDER(o), seed);
        check_trial(tally, kernels, &trial, most);
    }
}

void check_expansions(struct tally *tally, const struct shepard_kernels *kernels,
                      unsigned long seed)
{
    struct worst most[KINDS] = {{0, 0}};
    for (int kind = 0; kind < CLOUD_KINDS; kind++) {
        struct sample sample;
        sample_make(&sample, (enum cloud_kind)kind, POINTS, COLUMNS, kind % 2 == 0, &seed);
        sample_expand(&sample, &(struct shepard_moments_form){SHEPARD_ORDER_MAX, 2, false});
        check_kind(tally, kernels, &sample, DOUBLE, &most[DOUBLE], &seed);
        check_kind(tally, kernels, &sample, PLANE_SINGLE, &most[PLANE_SINGLE], &seed);
        check_kind(tally, kernels, &sample, PLANE_SINGLE, &most[PLANE_SINGLE], &seed);
        check_kind(tally, kernels, &sample, PLANE, &most[PLANE], &seed);
        check_kind(tally, kernels, &sample, STRAIGHT, &most[STRAIGHT], &seed);
        sample_expand(&sample, &(struct shepard_moments_form){SHEPARD_ORDER_MAX, 2, true});
        check_kind(tally, kernels, &sample, SINGLE, &most[SINGLE], &seed);
        check_kind(tally, kernels, &sample, SINGLE, &most[SINGLE], &seed);
        check_kind(tally, kernels, &sample, DOUBLE, &most[DOUBLE], &seed);
        check_kind(tally, kernels, &sample, PLANE, &most[PLANE], &seed);
        check_kind(tally, kernels, &sample, STRAIGHT, &most[STRAIGHT], &seed);
        sample_free(&sample);
    }
    for (int kind = 0; kind < KINDS; kind++)
        printf("%-8s %s sums over nodes: rounding %.2g, truncation %.2g of their bounds at most\n",
               kernels->isa, names[kind], most[kind].rounding, most[kind].truncation);
}
