/* SPDX-License-Identifier: MIT */
/* A target's sums have the same bits whatever lane it is in and whatever the other lanes are. */
#include "base/memory.h"
#include "suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 2
#define POINTS 900

/* Targets to choose lanes from, and what they are summed with. */
struct group {
    const struct sample *sample;
    size_t targets;
    double x[SHEPARD_LANES], y[SHEPARD_LANES], origin_x[SHEPARD_LANES], origin_y[SHEPARD_LANES];
    double main_x[SHEPARD_LANES], main_y[SHEPARD_LANES];
    struct shepard_decay_lanes decay;
    bool plane, straight, spread;
    struct shepard_run runs[3];
    uint32_t node[3];
    struct shepard_node_list list;
};

/* One target's sums. */
#define DOUBLES (7 + 3 * COLUMNS)

struct answer {
    double precise[DOUBLES], single[DOUBLES];
};

/* Groups of points in which some targets lie, and others do not: near and far lanes together. */
static void draw_targets(struct group *group, double power, unsigned long *seed)
{
    const struct shepard_tree *tree = group->sample->data.tree;
    for (size_t j = 0; j < group->targets; j++) {
        cloud_target(&group->sample->cloud, seed, &group->x[j], &group->y[j]);
        group->origin_x[j] = group->x[j] + chance(seed);
        group->origin_y[j] = group->y[j] + chance(seed);
        draw_axes(seed, &group->main_x[j], &group->main_y[j]);
        const double dx = group->x[j] - tree->x[0], dy = group->y[j] - tree->y[0];
        group->decay.unit2[j] = fmax((dx * dx + dy * dy) * scaled_chance(seed, -20, 0), 0x1p-70) +
                                group->decay.smoothing2;
        const bool one = group->decay.one_power || group->decay.form != SHEPARD_FORM_GENERAL;
        group->decay.half_power[j] = one ? power / 2 : power * chance(seed);
    }
}

static void draw_group(struct group *group, const struct sample *sample, unsigned long *seed)
{
    const double power = 1 + floor(5 * chance(seed));
    *group = (struct group){.sample = sample, .targets = SHEPARD_LANES};
    group->decay.form = shepard_form_of(power);
    group->decay.one_power = chance(seed) < 0.5;
    group->decay.smoothing2 = chance(seed) < 0.5 ? 0 : scaled_chance(seed, -30, 0);
    group->plane = chance(seed) < 0.4;
    group->straight = group->plane && chance(seed) < 0.5;
    group->spread = !group->plane && chance(seed) < 0.3;
    draw_targets(group, power, seed);
    for (size_t i = 0; i < 3; i++) {
        group->runs[i].first = i * POINTS / 3 + pick(seed, 100);
        group->runs[i].count = 1 + pick(seed, 190);
        group->node[i] = (uint32_t)(sample->moments.first[3] + pick(seed, 7));
    }
    group->list = (struct shepard_node_list){SHEPARD_ORDER((int)pick(seed, 7)), 3, group->node};
}

static void set_lane(const struct group *group, size_t target, size_t lane, double *x, double *y,
                     struct shepard_decay_lanes *decay)
{
    x[lane] = group->x[target];
    y[lane] = group->y[target];
    decay->unit2[lane] = group->decay.unit2[target];
    decay->half_power[lane] = group->decay.half_power[target];
}

static void sum_double(const struct group *group, const struct shepard_sum_kernels *kernels,
                       size_t targets, const size_t *target, struct answer *answers)
{
    const struct shepard_sum_data *data = &group->sample->data;
    double rows[4 * COLUMNS * SHEPARD_ROW];
    _Alignas(SHEPARD_ALIGNMENT) double room[SHEPARD_SUM_ROOM];
    const size_t row = COLUMNS * SHEPARD_ROW;
    struct shepard_sum_double sum = {.targets = targets,
                                     .decay = group->decay,
                                     .order = group->list.order,
                                     .plane = group->plane,
                                     .straight = group->straight,
                                     .spread = group->spread,
                                     .centre = rows,
                                     .z = rows + row,
                                     .zx = rows + 2 * row,
                                     .zy = rows + 3 * row,
                                     .room = room};
    for (size_t i = 0; i < row; i++)
        rows[i] = data->middle[i / SHEPARD_ROW];
    for (size_t lane = 0; lane < targets; lane++) {
        set_lane(group, target[lane], lane, sum.x, sum.y, &sum.decay);
        sum.origin_x[lane] = group->origin_x[target[lane]];
        sum.origin_y[lane] = group->origin_y[target[lane]];
        sum.main_x[lane] = group->main_x[target[lane]];
        sum.main_y[lane] = group->main_y[target[lane]];
    }
    kernels->start_double(data, &sum);
    for (size_t i = 0; i < 3; i++)
        kernels->add_points_double(data, &sum, &group->runs[i]);
    if (!sum.spread)
        kernels->add_nodes_double(data, &sum, &group->list);
    kernels->finish_double(data, &sum);
    for (size_t lane = 0; lane < targets; lane++) {
        double *to = answers[target[lane]].precise;
        const double *const of[] = {sum.w, sum.ww, sum.wx, sum.wy, sum.wxx, sum.wxy, sum.wyy};
        for (size_t i = 0; i < 7; i++)
            *to++ = i < 2 || sum.plane ? of[i][lane] : 0;
        for (size_t c = 0; c < COLUMNS; c++)
            for (size_t i = 1; i < 4; i++)
                *to++ = i < 2 || sum.plane ? rows[i * row + c * SHEPARD_ROW + lane] : 0;
    }
}

#define SINGLE_ROWS (3 * COLUMNS * SHEPARD_LANES)

/* Starts a sum for some targets and adds the points. */
static void begin_single(const struct group *group, const struct shepard_sum_kernels *kernels,
                         size_t targets, const size_t *target, double *rows,
                         struct shepard_sum_single *sum)
{
    const struct shepard_sum_data *data = &group->sample->data;
    const size_t row = COLUMNS * SHEPARD_LANES;
    *sum = (struct shepard_sum_single){.targets = targets,
                                       .decay = group->decay,
                                       .order = group->list.order,
                                       .plane = group->plane && group->decay.smoothing2 == 0,
                                       .z = rows,
                                       .zx = rows + row,
                                       .zy = rows + 2 * row};
    for (size_t lane = 0; lane < targets; lane++)
        set_lane(group, target[lane], lane, sum->x, sum->y, &sum->decay);
    kernels->start_single(data, sum);
    for (size_t i = 0; i < 3; i++)
        kernels->add_points_single(data, sum, &group->runs[i]);
}

static void keep_single(const struct shepard_sum_single *sum, const size_t *target,
                        struct answer *answers)
{
    for (size_t lane = 0; lane < sum->targets; lane++) {
        double *to = answers[target[lane]].single;
        const double *const of[] = {sum->w,   sum->wx,  sum->wy,     sum->wxx,
                                    sum->wxy, sum->wyy, sum->radius2};
        const double *const columns[] = {sum->z, sum->zx, sum->zy};
        for (size_t i = 0; i < 7; i++)
            *to++ = i < 1 || sum->plane ? of[i][lane] : 0;
        for (size_t c = 0; c < COLUMNS; c++)
            for (size_t i = 0; i < 3; i++)
                *to++ = i < 1 || sum->plane ? columns[i][c * SHEPARD_LANES + lane] : 0;
    }
}

/* Planes as two sums that are added to together, where there are two targets. */
static void sum_single(const struct group *group, const struct shepard_sum_kernels *kernels,
                       size_t targets, const size_t *target, struct answer *answers)
{
    const struct shepard_sum_data *data = &group->sample->data;
    struct shepard_sum_single sums[2];
    double rows[2][SINGLE_ROWS];
    _Alignas(SHEPARD_ALIGNMENT) double room[SHEPARD_SUM_ROOM];
    const bool plane = group->plane && group->decay.smoothing2 == 0;
    const size_t count = plane && targets > 1 ? 2 : 1, first = targets / count;
    begin_single(group, kernels, first, target, rows[0], &sums[0]);
    if (count > 1)
        begin_single(group, kernels, targets - first, target + first, rows[1], &sums[1]);
    sums->room = room;
    if (plane && data->nodes.precise != NULL)
        kernels->add_nodes_planes(data, sums, count, &group->list);
    else if (!plane && data->nodes.single != NULL)
        kernels->add_nodes_single(data, sums, &group->list);
    for (size_t i = 0; i < count; i++)
        keep_single(&sums[i], target + i * first, answers);
}

/* The targets in other lanes, some left out, some twice. */
static bool same_elsewhere(const struct group *group, const struct shepard_sum_kernels *kernels,
                           const struct answer *expected, unsigned long *seed)
{
    struct answer found[SHEPARD_LANES];
    size_t target[SHEPARD_LANES];
    const size_t targets = 1 + pick(seed, SHEPARD_LANES);
    for (size_t lane = 0; lane < targets; lane++)
        target[lane] = pick(seed, SHEPARD_LANES);
    sum_double(group, kernels, targets, target, found);
    sum_single(group, kernels, targets, target, found);
    for (size_t lane = 0; lane < targets; lane++)
        if (memcmp(&found[target[lane]], &expected[target[lane]], sizeof *found) != 0)
            return false;
    return true;
}

static void check_group(struct tally *tally, const struct shepard_kernels *kernels,
                        const struct sample *sample, unsigned long *seed)
{
    enum { TIMES = 6 };
    struct group group;
    struct answer expected[SHEPARD_LANES];
    size_t target[SHEPARD_LANES];
    bool same = true;
    draw_group(&group, sample, seed);
    for (size_t lane = 0; lane < SHEPARD_LANES; lane++)
        target[lane] = lane;
    sum_double(&group, kernels->sum, SHEPARD_LANES, target, expected);
    sum_single(&group, kernels->sum, SHEPARD_LANES, target, expected);
    for (int i = 0; i < TIMES; i++)
        same = same && same_elsewhere(&group, kernels->sum, expected, seed);
    tally_check(tally, same, "%s: sums over %s, order %d, depend on the lanes", kernels->isa,
                sample->cloud.name, group.list.order);
}

void check_lanes(struct tally *tally, const struct shepard_kernels *kernels, unsigned long seed)
{
    enum { TIMES = 10 };
    for (int kind = 0; kind < CLOUD_KINDS; kind++)
        for (int single = 0; single < 2; single++) {
            const struct shepard_moments_form form = {13, 2, single == 1};
            struct sample sample;
            sample_make(&sample, (enum cloud_kind)kind, POINTS, COLUMNS, chance(&seed) < 0.5,
                        &seed);
            sample_expand(&sample, &form);
            for (int i = 0; i < TIMES; i++)
                check_group(tally, kernels, &sample, &seed);
            sample_free(&sample);
        }
}
