/* SPDX-License-Identifier: MIT */
#include "slow.h"

#include "slow_kriging.h"

#include <stdlib.h>

#define PI 3.14159265358979323846264338327950288L

/* Distances along the angle count 1 / ratio; none: ratio 1, angle 0. */
struct anisotropy {
    long double ratio, angle, cosine, sine;
};

/* What is being worked on; state of a point: 0 out of reach, 1 within reach, 2 used. */
struct work {
    const struct scene *scene;
    const struct model_options *options;
    struct anisotropy anisotropy;
    long double x, y;
    char *state;
    long double *weights;
};

static struct anisotropy anisotropy_of(const struct model_options *options)
{
    if (options == NULL || options->points.anisotropy_ratio == 1)
        return (struct anisotropy){.ratio = 1, .cosine = 1};
    /* Quarters of a turn by themselves: neither the sine nor the cosine is rounded. */
    const long double turns = fmodl(options->points.anisotropy_angle, 360) / 90;
    const long double rest = (turns - (int)turns) * PI / 2, c = cosl(rest), s = sinl(rest);
    const long double cosines[] = {c, -s, -c, s}, sines[] = {s, c, -s, -c};
    const int quarters = ((int)turns + 4) % 4;
    return (struct anisotropy){options->points.anisotropy_ratio, options->points.anisotropy_angle,
                               cosines[quarters], sines[quarters]};
}

/* An offset as it counts: along the angle divided by the ratio, and across. */
struct offset {
    long double u, v;
};

static struct offset counted(const struct work *work, long double dx, long double dy)
{
    const struct anisotropy *a = &work->anisotropy;
    return (struct offset){(dx * a->cosine + dy * a->sine) / a->ratio,
                           dy * a->cosine - dx * a->sine};
}

static struct offset offset_of(const struct work *work, size_t i)
{
    return counted(work, work->scene->x[i] - work->x, work->scene->y[i] - work->y);
}

static long double distance2(const struct work *work, size_t i)
{
    const struct offset offset = offset_of(work, i);
    return offset.u * offset.u + offset.v * offset.v;
}

static int order(long double a, long double b)
{
    return a < b ? -1 : a > b;
}

/* Whether point i goes before j: nearer, or as near and of smaller x (along the angle, where there
 * is one), y (across it), values, weight, index. */
static bool nearer(const struct work *work, size_t i, size_t j)
{
    const struct scene *scene = work->scene;
    const long double a = distance2(work, i), b = distance2(work, j);
    if (a != b)
        return a < b;
    const struct offset step = counted(work, (long double)scene->x[i] - scene->x[j],
                                       (long double)scene->y[i] - scene->y[j]);
    int sign = order(step.u, 0);
    if (sign == 0)
        sign = order(step.v, 0);
    for (size_t c = 0; sign == 0 && c < scene->columns; c++)
        sign = order(scene->values[c][i], scene->values[c][j]);
    if (sign == 0 && scene->weights != NULL)
        sign = order(scene->weights[i], scene->weights[j]);
    return sign < 0 || (sign == 0 && i < j);
}

static bool in_ellipse(const struct work *work, size_t i)
{
    const struct shepard_neighbourhood *hood = &work->options->parameters.neighbourhood;
    const struct offset offset = offset_of(work, i);
    const long double dx = offset.u, dy = offset.v;
    const long double angle = (hood->angle - work->anisotropy.angle) * PI / 180;
    if (hood->radius1 == 0)
        return true;
    const long double along = (dx * cosl(angle) + dy * sinl(angle)) / hood->radius1;
    const long double across = (dy * cosl(angle) - dx * sinl(angle)) / hood->radius2;
    if (hood->radius1 == hood->radius2)
        return dx * dx + dy * dy <= (long double)hood->radius1 * hood->radius1;
    return along * along + across * across <= 1;
}

static int sector_of(const struct work *work, size_t i)
{
    const struct offset offset = offset_of(work, i);
    const long double dx = offset.u, dy = offset.v;
    const int sectors = work->options->parameters.neighbourhood.sectors;
    int sector = 0;
    if (sectors > 1)
        sector = (dx < 0 ? 0 : 1) + (dy < 0 ? 0 : 2);
    if (sectors == 8 && fabsl(dx) > fabsl(dy))
        sector += 4;
    return sector;
}

/* The nearest point within reach of a sector (-1: any), or n. */
static size_t next_of(const struct work *work, int sector)
{
    const size_t n = work->scene->n;
    size_t best = n;
    for (size_t i = 0; i < n; i++)
        if (work->state[i] == 1 && (sector < 0 || sector_of(work, i) == sector) &&
            (best == n || nearer(work, i, best)))
            best = i;
    return best;
}

/* What choose() has used so far. */
struct used {
    size_t count, of_sector[8];
};

static void use(struct work *work, struct used *used, size_t i)
{
    work->state[i] = 2;
    used->of_sector[sector_of(work, i)]++;
    used->count++;
}

/* Of the points next in sectors that have used `round` points, the nearest; n: no such point. */
static size_t next_in_round(const struct work *work, const struct used *used, size_t round)
{
    const size_t n = work->scene->n;
    size_t best = n;
    for (int s = 0; s < work->options->parameters.neighbourhood.sectors; s++) {
        const size_t i = used->of_sector[s] == round ? next_of(work, s) : n;
        if (i < n && (best == n || nearer(work, i, best)))
            best = i;
    }
    return best;
}

/* Marks the points used; returns their number and sets *met. */
static size_t choose(struct work *work, bool *met)
{
    const struct shepard_neighbourhood *hood = &work->options->parameters.neighbourhood;
    const size_t n = work->scene->n;
    const size_t most = hood->max_points > 0 ? hood->max_points : n;
    const size_t most_each = hood->max_points_per_sector > 0 ? hood->max_points_per_sector : n;
    struct used used = {0};
    size_t next;
    for (size_t i = 0; i < n; i++)
        work->state[i] = in_ellipse(work, i);
    while (used.count < most && used.count < most_each && (next = next_of(work, -1)) < n &&
           distance2(work, next) == 0)
        use(work, &used, next);
    for (size_t round = 0; round < most_each && round < n; round++)
        while (used.count < most && (next = next_in_round(work, &used, round)) < n)
            use(work, &used, next);
    *met = used.count > 0 && used.count >= hood->min_points;
    for (int s = 0; s < hood->sectors; s++)
        *met = *met && used.of_sector[s] >= hood->min_points_per_sector;
    return used.count;
}

static struct work work_make(const struct scene *scene, const struct model_options *options,
                             double x, double y)
{
    return (struct work){scene,
                         options,
                         anisotropy_of(options),
                         x,
                         y,
                         scene_memory(scene->n, 1),
                         scene_memory(scene->n, sizeof(long double))};
}

static void work_free(struct work *work)
{
    free(work->state);
    free(work->weights);
}

size_t slow_nearest(const struct scene *scene, const struct model_options *options, size_t k,
                    double x, double y, uint32_t *indices)
{
    /* Points without values: searches know of coordinates only. */
    const struct scene places = {.n = scene->n, .x = scene->x, .y = scene->y};
    struct work work = work_make(&places, options, x, y);
    size_t found = 0;
    for (size_t i = 0; i < scene->n; i++)
        work.state[i] = 1;
    while (found < k && found < scene->n) {
        const size_t i = next_of(&work, -1);
        work.state[i] = 2;
        indices[found++] = (uint32_t)i;
    }
    work_free(&work);
    return found;
}

/* The distances of the k nearest points; returns how many there are. */
static size_t nearest_distances(const struct work *work, size_t k, long double *distances)
{
    uint32_t *indices = scene_memory(k, sizeof *indices);
    const size_t found =
        slow_nearest(work->scene, work->options, k, (double)work->x, (double)work->y, indices);
    for (size_t j = 0; j < found; j++)
        distances[j] = sqrtl(distance2(work, indices[j]));
    free(indices);
    return found;
}

static long double mean_distance(const struct work *work, size_t k)
{
    long double *distances = scene_memory(k, sizeof *distances), sum = 0;
    const size_t found = nearest_distances(work, k, distances);
    for (size_t j = 0; j < found; j++)
        sum += distances[j];
    free(distances);
    return sum / found;
}

long double slow_mean_distance(const struct scene *scene, size_t k, double x, double y)
{
    const struct work work = {.scene = scene, .anisotropy = anisotropy_of(NULL), .x = x, .y = y};
    return mean_distance(&work, k);
}

/* Of the box round the data, as it counts. */
static long double box_area(const struct work *work)
{
    const struct scene *scene = work->scene;
    long double u_min = 0, u_max = 0, v_min = 0, v_max = 0;
    for (size_t i = 1; i < scene->n; i++) {
        const struct offset from_first = counted(work, (long double)scene->x[i] - scene->x[0],
                                                 (long double)scene->y[i] - scene->y[0]);
        u_min = fminl(u_min, from_first.u);
        u_max = fmaxl(u_max, from_first.u);
        v_min = fminl(v_min, from_first.v);
        v_max = fmaxl(v_max, from_first.v);
    }
    return (u_max - u_min) * (v_max - v_min);
}

static bool all_points(const struct shepard_neighbourhood *hood)
{
    return hood->max_points == 0 && hood->radius1 == 0 && hood->max_points_per_sector == 0 &&
           hood->min_points_per_sector == 0;
}

static long double expected_distance(const struct work *work,
                                     const struct shepard_adaptive *adaptive)
{
    const struct scene *scene = work->scene;
    const long double n = scene->n;
    const long double area =
        adaptive->area > 0 ? adaptive->area / work->anisotropy.ratio : box_area(work);
    const bool all = work->options == NULL || all_points(&work->options->parameters.neighbourhood);
    if (adaptive->expect == SHEPARD_EXPECT_NN || (adaptive->expect == SHEPARD_EXPECT_AUTO && all))
        return 1 / (2 * sqrtl(n / area));
    const size_t k = adaptive->k < scene->n ? adaptive->k : scene->n;
    long double sum = 0;
    for (size_t j = 1; j <= k; j++)
        sum += expl(lgammal(j + 0.5L) - lgammal(j)) / sqrtl(PI * n / area);
    return sum / k;
}

long double slow_expected_distance(const struct scene *scene,
                                   const struct shepard_adaptive *adaptive)
{
    const struct work work = {.scene = scene, .anisotropy = anisotropy_of(NULL)};
    return expected_distance(&work, adaptive);
}

long double slow_mu(const struct shepard_adaptive *adaptive, long double r)
{
    if (r <= adaptive->r_min)
        return 0;
    if (r >= adaptive->r_max)
        return 1;
    return 0.5L - 0.5L * cosl(PI / adaptive->r_max * (r - adaptive->r_min));
}

long double slow_power(const double powers[5], long double mu)
{
    const long double a1 = powers[0], a2 = powers[1], a3 = powers[2], a4 = powers[3],
                      a5 = powers[4];
    if (mu <= 0.1L)
        return a1;
    if (mu <= 0.3L)
        return a1 * (1 - 5 * (mu - 0.1L)) + 5 * a2 * (mu - 0.1L);
    if (mu <= 0.5L)
        return a2 * (1 - 5 * (mu - 0.3L)) + 5 * a3 * (mu - 0.3L);
    if (mu <= 0.7L)
        return a3 * (1 - 5 * (mu - 0.5L)) + 5 * a4 * (mu - 0.5L);
    if (mu <= 0.9L)
        return a4 * (1 - 5 * (mu - 0.7L)) + 5 * a5 * (mu - 0.7L);
    return a5;
}

static long double power_at(const struct work *work)
{
    const struct shepard_adaptive *adaptive = &work->options->parameters.adaptive;
    if (work->options->parameters.method == SHEPARD_METHOD_IDW)
        return work->options->parameters.power;
    const long double observed = mean_distance(work, adaptive->k);
    const long double r = observed / expected_distance(work, adaptive);
    return slow_power(adaptive->powers, slow_mu(adaptive, r));
}

/* Weights that add up to 1; returns whether the place is that of data points, without smoothing. */
static bool weigh(const struct work *work, long double power, long double nearest2)
{
    const struct scene *scene = work->scene;
    const long double smoothing = work->options->parameters.smoothing, s2 = smoothing * smoothing;
    const bool coincident = nearest2 + s2 == 0;
    long double total = 0;
    for (size_t i = 0; i < scene->n; i++) {
        const long double q = scene->weights != NULL ? scene->weights[i] : 1;
        const long double r2 = distance2(work, i) + s2;
        long double w = 0;
        if (coincident)
            w = r2 == 0 ? q : 0;
        else
            w = q * expl(-power / 2 * (logl(r2) - logl(nearest2 + s2)));
        work->weights[i] = work->state[i] == 2 ? w : 0;
        total += work->weights[i];
    }
    for (size_t i = 0; i < scene->n; i++)
        work->weights[i] /= total;
    return coincident;
}

static int ascending(const void *first, const void *second)
{
    const long double a = *(const long double *)first, b = *(const long double *)second;
    return (a > b) - (a < b);
}

/* With all points the ridge goes by the median distance of so many nearest points. */
#define RIDGE_NEIGHBOURS 10

/* The median distance of the points used; with all points that of the nearest few. */
static long double median_distance(const struct work *work, bool all)
{
    const struct scene *scene = work->scene;
    long double *distances = scene_memory(scene->n, sizeof *distances);
    size_t count = 0;
    if (all) {
        const size_t k = scene->n < RIDGE_NEIGHBOURS ? scene->n : RIDGE_NEIGHBOURS;
        count = nearest_distances(work, k, distances);
    } else {
        for (size_t i = 0; i < scene->n; i++)
            if (work->state[i] == 2)
                distances[count++] = sqrtl(distance2(work, i));
        qsort(distances, count, sizeof *distances, ascending);
    }
    const long double median = (distances[(count - 1) / 2] + distances[count / 2]) / 2;
    free(distances);
    return median;
}

static long double mean_of(const struct work *work, const double *z)
{
    long double sum = 0;
    for (size_t i = 0; i < work->scene->n; i++)
        sum += work->weights[i] * z[i];
    return sum;
}

static long double deviation_of(const struct work *work, const double *z)
{
    const long double mean = mean_of(work, z);
    long double sum = 0;
    for (size_t i = 0; i < work->scene->n; i++)
        sum += work->weights[i] * (z[i] - mean) * (z[i] - mean);
    return sqrtl(sum);
}

/* Sums about the weighted means; u and v are the offsets from the place in units of h. */
struct spread {
    long double u, v, z;
    long double uu, uv, vv, uz, vz;
};

static struct spread spread_of(const struct work *work, const double *z, long double unit)
{
    const struct scene *scene = work->scene;
    struct spread s = {.z = mean_of(work, z)};
    for (size_t i = 0; i < scene->n; i++) {
        const struct offset offset = offset_of(work, i);
        s.u += work->weights[i] * (offset.u / unit);
        s.v += work->weights[i] * (offset.v / unit);
    }
    for (size_t i = 0; i < scene->n; i++) {
        const long double w = work->weights[i], e = z[i] - s.z;
        const struct offset offset = offset_of(work, i);
        const long double u = offset.u / unit - s.u, v = offset.v / unit - s.v;
        s.uu += w * u * u;
        s.uv += w * u * v;
        s.vv += w * v * v;
        s.uz += w * u * e;
        s.vz += w * v * e;
    }
    return s;
}

/* The plane's height at the place, by the axes of the spread: a slope along each axis, none along
 * one where the points hardly spread (the least-squares answer of smallest slope). Its rise from
 * their centre is damped by the squared distance in units of the spread (Eq. 12b). */
static long double plane_of(const struct work *work, const double *z, long double h)
{
    const struct spread s = spread_of(work, z, h > 0 ? h : work->scene->size);
    const long double ridge = h > 0 ? work->options->parameters.ridge : 0;
    const long double angle = atan2l(2 * s.uv, s.uu - s.vv) / 2;
    const long double trace = s.uu + s.vv + 2 * ridge;
    long double rise = 0, leverage = 0;
    for (int axis = 0; axis < 2; axis++) {
        const long double a = cosl(angle + axis * PI / 2), b = sinl(angle + axis * PI / 2);
        const long double size = a * a * s.uu + 2 * a * b * s.uv + b * b * s.vv + ridge;
        if (size > 1e-14L * trace) {
            rise -= (a * s.uz + b * s.vz) / size * (a * s.u + b * s.v);
            leverage += (a * s.u + b * s.v) * (a * s.u + b * s.v) / size;
        }
    }
    return s.z + rise / (1 + work->options->parameters.damping * leverage);
}

static void predict_columns(const struct work *work, bool coincident,
                            struct slow_prediction *prediction)
{
    const struct scene *scene = work->scene;
    const bool plane = work->options->parameters.degree == 1 && !coincident;
    const long double h =
        plane ? median_distance(work, all_points(&work->options->parameters.neighbourhood)) : 0;
    for (size_t c = 0; c < scene->columns; c++) {
        const double *z = scene->values[c];
        prediction->values[c] = (double)(plane ? plane_of(work, z, h) : mean_of(work, z));
        prediction->deviations[c] = (double)deviation_of(work, z);
    }
}

/* What the variance is multiplied by, of each column. */
static void scale_columns(const struct work *work, const struct slow_system *system,
                          long double *scaling)
{
    const struct scene *scene = work->scene;
    long double *values = scene_memory(scene->n, sizeof *values);
    for (size_t c = 0; c < scene->columns; c++) {
        size_t used = 0;
        for (size_t i = 0; i < scene->n; i++)
            if (work->state[i] == 2)
                values[used++] = scene->values[c][i];
        scaling[c] = system->kriging->sd == SHEPARD_KRIGING_SD_LOCAL
                         ? slow_kriging_scaling(system, values)
                         : 1;
    }
    free(values);
}

/* The weights of the points used, those at the place itself being the only ones there. */
static void weigh_by_covariance(const struct work *work, struct slow_system *system,
                                long double *scaling)
{
    const size_t n = work->scene->n;
    long double *x = scene_memory(n, sizeof *x), *y = scene_memory(n, sizeof *y);
    size_t used = 0;
    system->weight = scene_memory(n, sizeof *system->weight);
    for (size_t i = 0; i < n; i++)
        if (work->state[i] == 2) {
            const struct offset offset = offset_of(work, i);
            x[used] = offset.u * work->anisotropy.ratio;
            y[used++] = offset.v * work->anisotropy.ratio;
        }
    system->n = used;
    system->x = x;
    system->y = y;
    slow_kriging_solve(system);
    scale_columns(work, system, scaling);
    for (size_t i = n; i-- > 0;)
        work->weights[i] = work->state[i] == 2 ? system->weight[--used] : 0;
    free(system->weight);
    free(x);
    free(y);
}

static void krige_columns(const struct work *work, long double nearest2,
                          struct slow_prediction *prediction)
{
    const struct shepard_kriging *kriging = &work->options->parameters.kriging;
    struct slow_system system = {.kriging = kriging};
    long double scaling[SCENE_COLUMNS_MAX];
    if (nearest2 == 0)
        weigh(work, 1, 0);
    else
        weigh_by_covariance(work, &system, scaling);
    for (size_t c = 0; c < work->scene->columns; c++) {
        const long double variance = fmaxl(system.variance, 0);
        prediction->sds[c] = nearest2 > 0 ? (double)sqrtl(variance * scaling[c]) : 0;
        prediction->values[c] = (double)mean_of(work, work->scene->values[c]);
        if (kriging->kind == SHEPARD_KRIGING_SIMPLE && nearest2 > 0)
            prediction->values[c] += (double)(system.mean_weight * kriging->mean);
        prediction->deviations[c] = work->options->parameters.nodata;
    }
}

struct slow_prediction slow_predict(const struct scene *scene, const struct model_options *options,
                                    double x, double y)
{
    struct work work = work_make(scene, options, x, y);
    struct slow_prediction prediction = {.nearest = NAN};
    prediction.count = (double)choose(&work, &prediction.met);
    long double nearest2 = INFINITY;
    for (size_t i = 0; i < scene->n; i++)
        if (work.state[i] == 2)
            nearest2 = fminl(nearest2, distance2(&work, i));
    if (prediction.count > 0)
        prediction.nearest = (double)sqrtl(nearest2);
    if (prediction.met && options->parameters.method == SHEPARD_METHOD_KRIGE) {
        prediction.power = prediction.effective = options->parameters.nodata;
        krige_columns(&work, nearest2, &prediction);
    } else if (prediction.met) {
        const long double power = power_at(&work);
        const bool coincident = weigh(&work, power, nearest2);
        long double squares = 0;
        for (size_t i = 0; i < scene->n; i++)
            squares += work.weights[i] * work.weights[i];
        prediction.power = (double)power;
        prediction.effective = (double)(1 / squares);
        predict_columns(&work, coincident, &prediction);
    }
    work_free(&work);
    return prediction;
}
