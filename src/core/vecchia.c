/* SPDX-License-Identifier: MIT */
#include "core/vecchia.h"

#include "base/arithmetic.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "core/neighbours.h"
#include "core/space.h"
#include "core/tree.h"

#include <assert.h>
#include <math.h>

#define LANES SHEPARD_CONDITION_LANES

/* ---- sets ------------------------------------------------------------------------------------ */

void shepard_vecchia_free(struct shepard_vecchia *sets)
{
    shepard_release(sets->allocator, sets->weight);
    shepard_release(sets->allocator, sets->covariate);
    shepard_release(sets->allocator, sets->height);
    shepard_release(sets->allocator, sets->z);
    shepard_release(sets->allocator, sets->y);
    shepard_release(sets->allocator, sets->x);
    shepard_release(sets->allocator, sets->neighbours_of);
    *sets = (struct shepard_vecchia){0};
}

struct shepard_conditioning shepard_vecchia_group(const struct shepard_vecchia *sets, size_t group)
{
    const size_t at = group * (sets->neighbours + 1) * LANES;
    return (struct shepard_conditioning){sets->neighbours_of[group], sets->x + at, sets->y + at,
                                         sets->z + at,
                                         sets->height != NULL ? sets->height + at : NULL};
}

struct shepard_condition_covariates
shepard_vecchia_group_covariates(const struct shepard_vecchia *sets, size_t group)
{
    const size_t stride = (sets->neighbours + 1) * LANES;
    return (struct shepard_condition_covariates){.count = sets->covariates,
                                                 .stride = stride,
                                                 .given = sets->covariate +
                                                          group * sets->covariates * stride};
}

/* Sets without weights; covariates are 0. */
static bool allocate(struct shepard_vecchia *sets, bool with_height)
{
    const size_t lanes = sets->groups * LANES, places = lanes * (sets->neighbours + 1);
    sets->neighbours_of =
        shepard_allocate(sets->allocator, sets->groups, sizeof *sets->neighbours_of);
    sets->x = shepard_allocate(sets->allocator, places, sizeof *sets->x);
    sets->y = shepard_allocate(sets->allocator, places, sizeof *sets->y);
    sets->z = shepard_allocate(sets->allocator, places, sizeof *sets->z);
    sets->covariate =
        shepard_allocate(sets->allocator, places, sets->covariates * sizeof *sets->covariate);
    sets->weight = shepard_allocate(sets->allocator, lanes, sizeof *sets->weight);
    if (with_height)
        sets->height = shepard_allocate(sets->allocator, places, sizeof *sets->height);
    const bool complete = sets->neighbours_of != NULL && sets->x != NULL && sets->y != NULL &&
                          sets->z != NULL && (!with_height || sets->height != NULL) &&
                          sets->covariate != NULL && sets->weight != NULL;
    for (size_t i = 0; complete && i < lanes; i++)
        sets->weight[i] = 0;
    for (size_t i = 0; complete && i < places * sets->covariates; i++)
        sets->covariate[i] = 0;
    if (!complete)
        shepard_vecchia_free(sets);
    return complete;
}

/* Points in their random order. */
struct random_order {
    double *x, *y, *z;
    double *height;    /* NULL: places have two coordinates */
    double *covariate; /* [points, covariates] */
};

/* A point and its neighbours, as places in the order. */
struct conditioned {
    uint32_t point;
    const uint32_t *neighbours;
    size_t count;
    double weight;
};

static void put_place(struct shepard_vecchia *sets, size_t at, const struct random_order *ordered,
                      uint32_t from)
{
    const size_t stride = (sets->neighbours + 1) * LANES, p = sets->covariates;
    for (size_t j = 0; j < p; j++)
        sets->covariate[(at / stride * p + j) * stride + at % stride] =
            ordered->covariate[from * p + j];
    sets->x[at] = ordered->x[from];
    sets->y[at] = ordered->y[from];
    sets->z[at] = ordered->z[from];
    if (sets->height != NULL)
        sets->height[at] = ordered->height[from];
}

/* Fills a lane of the groups. */
static void put(struct shepard_vecchia *sets, size_t lane, const struct random_order *ordered,
                const struct conditioned *conditioned)
{
    const size_t group = lane / LANES;
    const size_t at = group * (sets->neighbours + 1) * LANES + lane % LANES;
    for (size_t j = 0; j < conditioned->count; j++)
        put_place(sets, at + j * LANES, ordered, conditioned->neighbours[j]);
    put_place(sets, at + conditioned->count * LANES, ordered, conditioned->point);
    sets->neighbours_of[group] = conditioned->count;
    sets->weight[lane] = conditioned->weight;
}

/* Lanes without a point repeat the first of their group. */
static void fill_up(struct shepard_vecchia *sets)
{
    const size_t stride = (sets->neighbours + 1) * LANES;
    for (size_t lane = 0; lane < sets->groups * LANES; lane++) {
        if (sets->weight[lane] > 0)
            continue;
        const size_t group = lane / LANES, first = group * stride;
        for (size_t j = 0; j <= sets->neighbours_of[group]; j++) {
            const size_t from = first + j * LANES, to = from + lane % LANES;
            sets->x[to] = sets->x[from];
            sets->y[to] = sets->y[from];
            sets->z[to] = sets->z[from];
            if (sets->height != NULL)
                sets->height[to] = sets->height[from];
        }
    }
}

/* ---- order ----------------------------------------------------------------------------------- */

static void free_ordered(struct random_order *ordered, const struct shepard_allocator *allocator)
{
    shepard_release(allocator, ordered->covariate);
    shepard_release(allocator, ordered->height);
    shepard_release(allocator, ordered->z);
    shepard_release(allocator, ordered->y);
    shepard_release(allocator, ordered->x);
}

static bool allocate_ordered(struct random_order *ordered, size_t count,
                             const struct shepard_vecchia_data *data)
{
    const struct shepard_allocator *allocator = data->allocator;
    ordered->x = shepard_allocate(allocator, count, sizeof *ordered->x);
    ordered->y = shepard_allocate(allocator, count, sizeof *ordered->y);
    ordered->z = shepard_allocate(allocator, count, sizeof *ordered->z);
    ordered->covariate =
        shepard_allocate(allocator, count, data->covariates * sizeof *ordered->covariate);
    if (data->height != NULL)
        ordered->height = shepard_allocate(allocator, count, sizeof *ordered->height);
    return ordered->x != NULL && ordered->y != NULL && ordered->z != NULL &&
           (data->height == NULL || ordered->height != NULL) && ordered->covariate != NULL;
}

/* A number below count < 2^32. */
static uint32_t draw(struct shepard_random *random, size_t count)
{
    return (uint32_t)((shepard_random_bits(random) >> 32) * count >> 32);
}

/* The first `first` points of a random order of all. order [n] is scratch. */
static void shuffle(const struct shepard_vecchia_data *data, struct shepard_random *random,
                    size_t first, uint32_t *order, struct random_order *ordered)
{
    for (size_t i = 0; i < data->count; i++)
        order[i] = (uint32_t)i;
    for (size_t i = 0; i < first; i++) {
        const size_t j = i + draw(random, data->count - i);
        const uint32_t chosen = order[j];
        order[j] = order[i];
        order[i] = chosen;
        ordered->x[i] = data->x[chosen];
        ordered->y[i] = data->y[chosen];
        ordered->z[i] = data->z[chosen];
        if (data->height != NULL)
            ordered->height[i] = data->height[chosen];
        for (size_t c = 0; c < data->covariates; c++)
            ordered->covariate[i * data->covariates + c] = data->covariate[c][chosen];
    }
}

/* ---- all points on their predecessors -------------------------------------------------------- */

/* The nearest of the points before this one, nearest first, at equal distances in their order. */
static size_t find_predecessors(const struct random_order *ordered, size_t point, size_t most,
                                uint32_t *found)
{
    double d2[SHEPARD_CONDITION_MAX];
    size_t count = 0;
    for (size_t i = 0; i < point; i++) {
        const double dx = ordered->x[i] - ordered->x[point], dy = ordered->y[i] - ordered->y[point];
        const double up = ordered->height != NULL ? ordered->height[i] - ordered->height[point] : 0;
        const double own = dx * dx + dy * dy + up * up;
        if (count == most && own >= d2[most - 1])
            continue;
        size_t at = count < most ? count++ : most - 1;
        for (; at > 0 && d2[at - 1] > own; at--) {
            d2[at] = d2[at - 1];
            found[at] = found[at - 1];
        }
        d2[at] = own;
        found[at] = (uint32_t)i;
    }
    return count;
}

/* Adds all points in one order; lane [most + 1]: the next for points with so many neighbours. */
static void put_order(struct shepard_vecchia *sets, const struct random_order *ordered,
                      size_t points, size_t *lane)
{
    uint32_t found[SHEPARD_CONDITION_MAX];
    for (size_t i = 0; i < points; i++) {
        const size_t count = find_predecessors(ordered, i, sets->neighbours, found);
        put(sets, lane[count]++, ordered, &(struct conditioned){(uint32_t)i, found, count, 1});
    }
}

/* Sets lane to the first lanes for points with 0, 1, ... neighbours; returns how many groups there
 * are. */
static size_t plan_lanes(size_t points, size_t orders, size_t most, size_t *lane)
{
    size_t groups = 0;
    for (size_t count = 0; count <= most && count < points; count++) {
        const size_t each = count < most ? 1 : points - most;
        lane[count] = groups * LANES;
        groups += shepard_ceil_div(each * orders, LANES);
    }
    return groups;
}

static enum shepard_status condition_all(const struct shepard_vecchia_data *data,
                                         const struct shepard_vecchia_size *size,
                                         struct shepard_vecchia *sets)
{
    const size_t n = data->count, orders = size->points / n;
    size_t lane[SHEPARD_CONDITION_MAX + 1];
    struct shepard_random random = {data->seed};
    struct random_order ordered = {0};
    sets->count = orders * n;
    sets->orders = orders;
    sets->groups = plan_lanes(n, orders, sets->neighbours, lane);
    uint32_t *order = shepard_allocate(data->allocator, n, sizeof *order);
    const bool complete = order != NULL && allocate_ordered(&ordered, n, data) &&
                          allocate(sets, data->height != NULL);
    for (size_t i = 0; complete && i < orders; i++) {
        shuffle(data, &random, n, order, &ordered);
        put_order(sets, &ordered, n, lane);
    }
    if (complete)
        fill_up(sets);
    shepard_release(data->allocator, order);
    free_ordered(&ordered, data->allocator);
    return complete ? SHEPARD_OK : SHEPARD_ERROR_MEMORY;
}

/* ---- a sample on the first points ------------------------------------------------------------ */

/* Fewest points that neighbours are taken from. */
#define FIRST_MIN 32
/* Fewest points that are conditioned in a level. */
#define SAMPLE_MIN 20

/* Level j, 0 the finest of `count`: points from low on have neighbours among the first `low`. */
struct order_level {
    size_t number, count;
    size_t low, high;
};

static size_t count_levels(size_t n)
{
    size_t count = 0;
    for (n /= 4; n >= FIRST_MIN; n /= 4)
        count++;
    return count;
}

static struct order_level level_of(size_t n, size_t number)
{
    struct order_level level = {number, count_levels(n), n / 4, n};
    for (size_t i = 0; i < number; i++) {
        level.high = level.low;
        level.low /= 4;
    }
    return level;
}

/* How many points of a level are conditioned: half of all evenly over levels, half halved from one
 * to the next coarser. */
static size_t sample_of(const struct order_level *level, size_t points)
{
    const double halved = ldexp(1, -(int)level->number) / (2 - ldexp(2, -(int)level->count));
    const double part = 0.5 * halved + 0.5 / (double)level->count;
    const size_t wanted = (size_t)(part * (double)points + 0.5);
    return shepard_smaller(wanted > SAMPLE_MIN ? wanted : SAMPLE_MIN, level->high - level->low);
}

/* Points searched in a block of the loop. */
#define SEARCH_BLOCK 32

/* A level's search for one of the sizes. */
struct level_search {
    const struct random_order *ordered;
    const struct shepard_geometry *geometry;
    struct shepard_neighbours *neighbours; /* [threads] */
    struct order_level level;
    size_t sample, first_lane;
    struct shepard_vecchia *sets;
};

static enum shepard_status search_point(const struct level_search *search,
                                        struct shepard_neighbours *neighbours, size_t i)
{
    const struct random_order *ordered = search->ordered;
    const uint32_t point = (uint32_t)(search->level.low + i);
    uint32_t found[SHEPARD_CONDITION_MAX];
    const struct shepard_frame *frame = &search->geometry->frame;
    double x = ordered->x[point], y = ordered->y[point];
    bool enough;
    if (ordered->height != NULL) {
        neighbours->z = ordered->height[point];
        shepard_space_place(frame, &x, &y, &neighbours->z);
    } else {
        shepard_frame_place(frame, &x, &y);
    }
    const enum shepard_status status = shepard_neighbours_find(neighbours, x, y, &enough);
    for (size_t j = 0; status == SHEPARD_OK && j < neighbours->hits.count; j++)
        found[j] = search->geometry->index[neighbours->hits.rank[j]];
    const double stands_for =
        (double)(search->level.high - search->level.low) / (double)search->sample;
    if (status == SHEPARD_OK)
        put(search->sets, search->first_lane + i, ordered,
            &(struct conditioned){point, found, neighbours->hits.count, stands_for});
    return status;
}

static enum shepard_status search_block(void *context, size_t block, int thread)
{
    const struct level_search *search = context;
    const size_t end = shepard_smaller((block + 1) * SEARCH_BLOCK, search->sample);
    enum shepard_status status = SHEPARD_OK;
    for (size_t i = block * SEARCH_BLOCK; i < end && status == SHEPARD_OK; i++)
        status = search_point(search, &search->neighbours[thread], i);
    return status;
}

static enum shepard_status search_level(const struct shepard_vecchia_data *data,
                                        const struct shepard_tree_store *store,
                                        struct level_search *search)
{
    const struct shepard_frame *frame = &search->geometry->frame;
    const struct shepard_search nearest = {.max_points = search->sets->neighbours,
                                           .max_points_per_sector = SIZE_MAX,
                                           .sectors = 1,
                                           .frame_3d = shepard_frame_is_3d(frame) ? frame : NULL};
    enum shepard_status status = SHEPARD_OK;
    int made = 0;
    search->neighbours =
        shepard_allocate(data->allocator, (size_t)data->threads, sizeof *search->neighbours);
    if (search->neighbours == NULL)
        return SHEPARD_ERROR_MEMORY;
    while (made < data->threads && status == SHEPARD_OK) {
        status = shepard_neighbours_create(&search->neighbours[made], &store->tree,
                                           data->kernels->search, &nearest, data->allocator);
        made += status == SHEPARD_OK;
    }
    const struct shepard_loop loop = {.threads = data->threads,
                                      .blocks = shepard_ceil_div(search->sample, SEARCH_BLOCK),
                                      .body = search_block,
                                      .context = search};
    if (status == SHEPARD_OK)
        status = shepard_loop_run(&loop);
    for (int i = 0; i < made; i++)
        shepard_neighbours_free(&search->neighbours[i]);
    shepard_release(data->allocator, search->neighbours);
    return status;
}

/* What several sizes share while a sample is conditioned. */
struct sampling {
    const struct shepard_vecchia_data *data;
    const struct shepard_vecchia_size *sizes;
    size_t count;
    struct shepard_vecchia *sets;
    struct random_order ordered;
};

/* Whether not all points are conditioned. */
static bool is_sample(const struct sampling *sampling, size_t i)
{
    return sampling->data->count > sampling->sizes[i].points;
}

/* Conditions the samples of a level. */
static enum shepard_status condition_level(const struct sampling *sampling,
                                           const struct order_level *level, size_t *lane)
{
    const struct shepard_vecchia_data *data = sampling->data;
    const struct shepard_stretch none = {.ratio = 1, .cosine = 1};
    struct shepard_coordinates coordinates = {
        .count = level->low,
        .x = {sampling->ordered.x, SHEPARD_FLOAT64, sizeof(double)},
        .y = {sampling->ordered.y, SHEPARD_FLOAT64, sizeof(double)}};
    struct shepard_geometry geometry = {.threads = data->threads, .allocator = data->allocator};
    if (data->height != NULL) {
        coordinates.z =
            (struct shepard_array){sampling->ordered.height, SHEPARD_FLOAT64, sizeof(double)};
        geometry.frame.space =
            (struct shepard_space){.metric = SHEPARD_METRIC_SPACE, .vertical = 1};
    }
    struct shepard_tree_store store = {.allocator = data->allocator};
    enum shepard_status status = shepard_geometry_create(&coordinates, &none, &geometry, NULL);
    if (status != SHEPARD_OK)
        return status;
    status = shepard_tree_create(&geometry, &store, NULL);
    for (size_t i = 0; i < sampling->count && status == SHEPARD_OK; i++) {
        if (!is_sample(sampling, i))
            continue;
        const size_t sample = sample_of(level, sampling->sizes[i].points);
        status = search_level(data, &store,
                              &(struct level_search){&sampling->ordered, &geometry, NULL, *level,
                                                     sample, lane[i], &sampling->sets[i]});
        lane[i] += sample;
    }
    shepard_tree_free(&store);
    shepard_geometry_free(&geometry);
    return status;
}

/* Allocates the sets of samples; *first: how many points of the order they use. */
static bool plan_samples(const struct sampling *sampling, size_t *first)
{
    const size_t n = sampling->data->count, levels = count_levels(n);
    bool complete = true;
    *first = 0;
    for (size_t i = 0; i < sampling->count && complete; i++) {
        struct shepard_vecchia *sets = &sampling->sets[i];
        if (!is_sample(sampling, i))
            continue;
        for (size_t number = 0; number < levels; number++) {
            const struct order_level level = level_of(n, number);
            const size_t sample = sample_of(&level, sampling->sizes[i].points);
            sets->count += sample;
            *first = level.low + sample > *first ? level.low + sample : *first;
        }
        sets->groups = shepard_ceil_div(sets->count, LANES);
        complete = allocate(sets, sampling->data->height != NULL);
    }
    return complete;
}

static enum shepard_status take_sample(struct sampling *sampling, size_t first)
{
    const struct shepard_vecchia_data *data = sampling->data;
    struct shepard_random random = {data->seed};
    uint32_t *order = shepard_allocate(data->allocator, data->count, sizeof *order);
    const bool complete = order != NULL && allocate_ordered(&sampling->ordered, first, data);
    if (complete)
        shuffle(data, &random, first, order, &sampling->ordered);
    shepard_release(data->allocator, order);
    return complete ? SHEPARD_OK : SHEPARD_ERROR_MEMORY;
}

/* Conditions the samples of all sizes that are less than the data. */
static enum shepard_status condition_samples(struct sampling *sampling)
{
    const size_t n = sampling->data->count, levels = count_levels(n);
    size_t lane[SHEPARD_VECCHIA_SIZES_MAX] = {0}, first;
    if (!plan_samples(sampling, &first))
        return SHEPARD_ERROR_MEMORY;
    if (first == 0)
        return SHEPARD_OK;
    enum shepard_status status = take_sample(sampling, first);
    for (size_t number = 0; number < levels && status == SHEPARD_OK; number++) {
        const struct order_level level = level_of(n, number);
        status = condition_level(sampling, &level, lane);
    }
    for (size_t i = 0; i < sampling->count && status == SHEPARD_OK; i++)
        if (is_sample(sampling, i))
            fill_up(&sampling->sets[i]);
    free_ordered(&sampling->ordered, sampling->data->allocator);
    return status;
}

/* ---- both ------------------------------------------------------------------------------------ */

enum shepard_status shepard_vecchia_create(const struct shepard_vecchia_data *data,
                                           const struct shepard_vecchia_size *sizes, size_t count,
                                           struct shepard_vecchia *sets,
                                           struct shepard_error *error)
{
    struct sampling sampling = {data, sizes, count, sets, {0}};
    assert(count <= SHEPARD_VECCHIA_SIZES_MAX);
    for (size_t i = 0; i < count; i++) {
        assert(sizes[i].points >= SHEPARD_VECCHIA_POINTS_MIN &&
               sizes[i].neighbours <= SHEPARD_CONDITION_MAX);
        sets[i] = (struct shepard_vecchia){.orders = 1,
                                           .neighbours = sizes[i].neighbours,
                                           .covariates = data->covariates,
                                           .allocator = data->allocator};
    }
    enum shepard_status status = condition_samples(&sampling);
    for (size_t i = 0; i < count && status == SHEPARD_OK; i++)
        if (!is_sample(&sampling, i))
            status = condition_all(data, &sizes[i], &sets[i]);
    if (status == SHEPARD_OK)
        return SHEPARD_OK;
    for (size_t i = 0; i < count; i++)
        shepard_vecchia_free(&sets[i]);
    return shepard_error_set_memory(error, "the fit of the covariance");
}
