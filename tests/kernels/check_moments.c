/* SPDX-License-Identifier: MIT */
#include "base/memory.h"
#include "core/moments.h"
#include "suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers lie in [-1, 1] times the charges' sum; sums differ in their order and in fused
 * operations. */
#define NUMBER_ERROR 1e-13

static const int orders[] = {1, 5, 11, 23};

#define ORDERS (sizeof orders / sizeof orders[0])

/* Charges from a table [count][n]: weights, then numbers no larger than they. */
struct charge_table {
    size_t n;
    double *charges;
    struct shepard_charges view;
};

static void read_charges(const void *context, size_t first, size_t n, double *out)
{
    const struct charge_table *table = context;
    for (size_t c = 0; c < table->view.count; c++)
        memcpy(out + c * SHEPARD_LEAF, table->charges + c * table->n + first, n * sizeof *out);
}

static void make_charges(struct charge_table *table, size_t n, size_t count, unsigned long *seed)
{
    *table = (struct charge_table){.n = n, .charges = malloc(n * count * sizeof(double))};
    if (table->charges == NULL)
        exit(2);
    table->view = (struct shepard_charges){count, read_charges, table};
    for (size_t i = 0; i < n; i++)
        table->charges[i] = 0.1 + chance(seed);
    for (size_t i = n; i < n * count; i++)
        table->charges[i] = table->charges[i % n] * (2 * chance(seed) - 1);
}

/* ---- one kernel after the other against the plain ones --------------------------------------- */

struct pair {
    struct shepard_batch expected, found;
};

static double *reserve(size_t count)
{
    const size_t bytes = (count * sizeof(double) / SHEPARD_ALIGNMENT + 1) * SHEPARD_ALIGNMENT;
    double *numbers = aligned_alloc(SHEPARD_ALIGNMENT, bytes);
    if (numbers == NULL)
        exit(2);
    memset(numbers, 0, bytes);
    return numbers;
}

static struct shepard_batch make_batch(int degree, size_t charges)
{
    const size_t count = SHEPARD_TERMS((size_t)degree) * charges * SHEPARD_BATCH;
    double *numbers = reserve(count + SHEPARD_BATCH_ROOM(degree));
    return (struct shepard_batch){degree, charges, numbers, numbers + count};
}

static double difference(const double *a, const double *b, size_t count)
{
    double worst = 0;
    for (size_t i = 0; i < count; i++)
        worst = fmax(worst, isfinite(b[i]) ? fabs(a[i] - b[i]) : INFINITY);
    return worst;
}

static double batch_difference(const struct pair *pair)
{
    return difference(pair->expected.numbers, pair->found.numbers,
                      SHEPARD_TERMS((size_t)pair->found.degree) * pair->found.charges *
                          SHEPARD_BATCH);
}

static double signed_chance(unsigned long *seed)
{
    return 2 * chance(seed) - 1;
}

static void check_collect(struct tally *tally, const struct shepard_kernels *kernels,
                          struct pair *pair, unsigned long *seed)
{
    const size_t charges = pair->found.charges;
    struct shepard_batch_points points;
    points.charges = reserve(charges * SHEPARD_LEAF * SHEPARD_BATCH);
    for (size_t i = 0; i < SHEPARD_LEAF; i++)
        for (size_t lane = 0; lane < SHEPARD_BATCH; lane++) {
            points.x[i][lane] = signed_chance(seed) * 0.7;
            points.y[i][lane] = signed_chance(seed) * 0.7;
            for (size_t c = 0; c < charges; c++)
                points.charges[(c * SHEPARD_LEAF + i) * SHEPARD_BATCH + lane] =
                    (c == 0 ? chance(seed) : signed_chance(seed)) / SHEPARD_LEAF;
        }
    shepard_moments_scalar.collect(&points, &pair->expected);
    kernels->moments->collect(&points, &pair->found);
    const double worst = batch_difference(pair);
    tally_check(tally, worst <= NUMBER_ERROR, "%s: %zu charges to degree %d: off by %g",
                kernels->isa, charges, pair->found.degree, worst);
    free(points.charges);
}

static void check_translate(struct tally *tally, const struct shepard_kernels *kernels,
                            struct pair *pair, unsigned long *seed)
{
    const int degree = pair->found.degree;
    struct pair to = {make_batch(degree, pair->found.charges),
                      make_batch(degree, pair->found.charges)};
    struct shepard_batch_step step;
    for (size_t lane = 0; lane < SHEPARD_BATCH; lane++) {
        step.scale[lane] = lane == 1 ? 0 : lane == 2 ? 1e-60 : chance(seed);
        step.x[lane] = signed_chance(seed) * (1 - step.scale[lane]) * 0.7;
        step.y[lane] = signed_chance(seed) * (1 - step.scale[lane]) * 0.7;
    }
    to.expected.numbers[3] = to.found.numbers[3] = 0.25;
    shepard_moments_scalar.translate(&pair->expected, &step, &to.expected);
    kernels->moments->translate(&pair->found, &step, &to.found);
    const double worst = batch_difference(&to);
    tally_check(tally, worst <= NUMBER_ERROR, "%s: moving degree %d is off by %g", kernels->isa,
                degree, worst);
    free(pair->expected.numbers);
    free(pair->found.numbers);
    *pair = to;
}

/* Writes of one set of kernels. */
struct written {
    double *precise;
    float *single;
    float mean_radius_log2[SHEPARD_BATCH][SHEPARD_ORDERS_MAX + 1];
};

static void write_batch(const struct shepard_moment_kernels *kernels,
                        const struct shepard_batch *batch, const double *table, int degree,
                        size_t room, struct written *to)
{
    struct shepard_batch_out out = {degree, SHEPARD_TERMS((size_t)degree), table, {0}, {0}};
    struct shepard_batch_mean_radius mean_radius_log2 = {batch->degree / 2, {0}, {0}};
    for (size_t lane = 0; lane < SHEPARD_BATCH; lane++)
        for (int k = 0; k <= SHEPARD_ORDERS_MAX; k++)
            to->mean_radius_log2[lane][k] = 0;
    for (size_t lane = 0; lane < SHEPARD_BATCH; lane++) {
        out.precise[lane] = lane == 4 ? NULL : to->precise + lane * room;
        mean_radius_log2.scale[lane] = lane == 5 ? 0 : exp2(-40.0 * (double)lane);
        mean_radius_log2.mean_radius_log2[lane] = lane == 4 ? NULL : to->mean_radius_log2[lane];
    }
    kernels->express(batch, &out);
    kernels->measure(batch, &mean_radius_log2);
    for (size_t lane = 0; lane < SHEPARD_BATCH; lane++) {
        out.single[lane] = lane == 4 ? NULL : to->single + lane * room;
        out.precise[lane] = NULL;
    }
    kernels->express(batch, &out);
}

static struct written make_written(size_t room)
{
    return (struct written){.precise = reserve(room * SHEPARD_BATCH),
                            .single = (float *)reserve(room * SHEPARD_BATCH)};
}

/* The largest difference of numbers in float32 from those in double, relative to these. */
static double single_difference(const struct written *expected, const struct written *found,
                                size_t count)
{
    double largest = 0;
    for (size_t i = 0; i < count; i++) {
        const double exact = expected->precise[i];
        const double apart = fabs((double)found->single[i] - exact) / (1e-6 + fabs(exact));
        largest = apart > largest ? apart : largest;
    }
    return largest;
}

/* The largest difference of reaches. */
static double reach_difference(const struct written *a, const struct written *b)
{
    double largest = 0;
    for (size_t lane = 0; lane < SHEPARD_BATCH; lane++)
        for (int k = 0; k <= SHEPARD_ORDERS_MAX; k++) {
            const double apart =
                fabs((double)a->mean_radius_log2[lane][k] - (double)b->mean_radius_log2[lane][k]);
            largest = apart > largest ? apart : largest;
        }
    return largest;
}

static void check_express(struct tally *tally, const struct shepard_kernels *kernels,
                          const struct pair *pair, unsigned long *seed)
{
    enum { ROWS = SHEPARD_TERMS(SHEPARD_DEGREE_MAX) * (SHEPARD_DEGREE_MAX + 1) };
    static double table[ROWS];
    const int degree = pair->found.degree - (pair->found.degree > 1);
    /* One more: a number past the last one of a lane must stay 0. */
    const size_t room = SHEPARD_TERMS((size_t)degree) * pair->found.charges + 1;
    struct written expected = make_written(room), found = make_written(room);
    for (int i = 0; i < ROWS; i++)
        table[i] = signed_chance(seed);
    write_batch(&shepard_moments_scalar, &pair->expected, table, degree, room, &expected);
    write_batch(kernels->moments, &pair->expected, table, degree, room, &found);
    const double single = single_difference(&expected, &found, room * SHEPARD_BATCH);
    const double mean_radius_log2 = reach_difference(&found, &expected);
    const double precise = difference(expected.precise, found.precise, room * SHEPARD_BATCH);
    tally_check(tally, precise <= 10 * NUMBER_ERROR, "%s: degree %d in double is off by %g",
                kernels->isa, degree, precise);
    tally_check(tally, single <= 0x1p-24, "%s: degree %d in float is off by %g", kernels->isa,
                degree, single);
    tally_check(tally, mean_radius_log2 <= SHEPARD_MEAN_RADIUS_MARGIN / 2,
                "%s: reaches are off by %g", kernels->isa, mean_radius_log2);
    free(expected.precise);
    free(expected.single);
    free(found.precise);
    free(found.single);
}

static void check_kernels(struct tally *tally, const struct shepard_kernels *kernels,
                          unsigned long *seed)
{
    static const int degrees[] = {2, 3, 7, 12, 13, SHEPARD_DEGREE_MAX};
    for (size_t i = 0; i < sizeof degrees / sizeof degrees[0]; i++)
        for (size_t charges = 1; charges <= 3; charges++) {
            struct pair pair = {make_batch(degrees[i], charges), make_batch(degrees[i], charges)};
            check_collect(tally, kernels, &pair, seed);
            check_translate(tally, kernels, &pair, seed);
            check_express(tally, kernels, &pair, seed);
            free(pair.expected.numbers);
            free(pair.found.numbers);
        }
}

/* ---- whole trees ----------------------------------------------------------------------------- */

/* A spot at the origin in a cloud: half of the points, 1e-60 wide. */
static void add_spot(struct cloud *cloud, unsigned long *seed)
{
    const size_t n = cloud->points.count;
    double *x = malloc(3 * n * sizeof *x);
    if (x == NULL)
        exit(2);
    double *y = x + n, *z = y + n;
    for (size_t i = 0; i < n; i++) {
        const double size = i % 2 == 0 ? 1e-60 : 1;
        x[i] = size * chance(seed);
        y[i] = size * chance(seed);
        z[i] = 0;
    }
    const struct shepard_array column = resolved(z);
    const struct shepard_coordinates coordinates = {.count = n, .x = resolved(x), .y = resolved(y)};
    const struct shepard_values given = {.column_count = 1, .columns = &column};
    cloud_free(cloud);
    cloud->name = "spot of 1e-60";
    cloud_fill(cloud, &coordinates, &given);
    free(x);
}

static void make_cloud(struct cloud *cloud, int kind, size_t n, unsigned long *seed)
{
    cloud_make(cloud, kind < CLOUD_KINDS ? (enum cloud_kind)kind : CLOUD_UNIFORM, n, 1, false,
               seed);
    if (kind == CLOUD_KINDS)
        add_spot(cloud, seed);
}

static void check_form(struct tally *tally, const struct shepard_kernels *kernels,
                       const struct cloud *cloud, const struct charge_table *table,
                       const struct shepard_moments_form *form)
{
    struct shepard_moments moments;
    const struct shepard_moments_work work = {.threads = 1 + form->extra};
    const enum shepard_status status =
        shepard_moments_create(&cloud->store.tree, kernels, &table->view, form, &work, &moments);
    const char *fault = status == SHEPARD_OK ? shepard_moments_check(&moments, &cloud->store.tree,
                                                                     &table->view, form)
                                             : "no memory";
    tally_check(tally, fault == NULL, "%s: %s, n = %zu, order %d + %d: %s", kernels->isa,
                cloud->name, cloud->points.count, form->order, form->extra, fault);
    shepard_moments_free(&moments);
}

/* Every size with every order where that is cheap; a large cloud with one. */
static void check_trees(struct tally *tally, const struct shepard_kernels *kernels,
                        unsigned long *seed)
{
    static const size_t sizes[] = {1, 15, 16, 17, 33, 1025, 20000};
    for (int kind = 0; kind <= CLOUD_KINDS; kind++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            struct cloud cloud;
            struct charge_table table;
            if (sizes[i] == 20000 && kind % 3 > 0)
                continue;
            make_cloud(&cloud, kind, sizes[i], seed);
            make_charges(&table, sizes[i], 1 + i % 3, seed);
            for (size_t o = 0; o < ORDERS; o++)
                for (int extra = 0; extra <= 2; extra += 2)
                    if (sizes[i] < 20000 || (orders[o] == 11) == (extra == 0))
                        if (sizes[i] < 20000 || orders[o] <= 11)
                            check_form(
                                tally, kernels, &cloud, &table,
                                &(struct shepard_moments_form){orders[o], extra, (i + o) % 2 == 0});
            free(table.charges);
            cloud_free(&cloud);
        }
}

/* Chunks share parents and whatever else; many short builds, for the order of threads is chance. */
static void check_threads(struct tally *tally, const struct shepard_kernels *kernels,
                          unsigned long *seed)
{
    enum { N = 20000, TIMES = 300 };
    const struct shepard_moments_form form = {1, 0, false};
    struct cloud cloud;
    struct charge_table table;
    struct shepard_moments alone, found;
    bool same = true;
    cloud_make(&cloud, CLOUD_UNIFORM, N, 1, false, seed);
    make_charges(&table, N, 1, seed);
    if (shepard_moments_create(&cloud.store.tree, kernels, &table.view, &form,
                               &(struct shepard_moments_work){.threads = 1}, &alone) != SHEPARD_OK)
        exit(2);
    const size_t numbers = (alone.first[alone.levels - 1] + 1) * SHEPARD_TERMS(1);
    for (int i = 0; i < TIMES && same; i++) {
        if (shepard_moments_create(&cloud.store.tree, kernels, &table.view, &form,
                                   &(struct shepard_moments_work){.threads = 4},
                                   &found) != SHEPARD_OK)
            exit(2);
        same = memcmp(alone.precise, found.precise, numbers * sizeof *found.precise) == 0;
        shepard_moments_free(&found);
    }
    tally_check(tally, same, "%s: moments depend on threads", kernels->isa);
    shepard_moments_free(&alone);
    free(table.charges);
    cloud_free(&cloud);
}

/* ---- what moments are for -------------------------------------------------------------------- */

struct expansion {
    double x, y, power; /* the target, from the node's centre over rho; the power */
    int order;
};

/* sum_mk a_j a_k M_mk Re or Im (v^m) |v|^2k with v = 1 / (x + i y), j = k + m: the sum of
 * q |X - Y|^-alpha over |X|^-alpha. */
static long double evaluate(const struct expansion *e, const double *numbers)
{
    const long double square = (long double)e->x * e->x + (long double)e->y * e->y;
    const long double re = e->x / square, im = -e->y / square, lambda = e->power / 2;
    long double a[64] = {1}, sum = 0;
    for (int j = 1; j <= e->order; j++)
        a[j] = a[j - 1] * (lambda + j - 1) / j;
    for (int l = 0; l <= e->order; l++)
        for (int k = 0; 2 * k <= l; k++) {
            const int m = l - 2 * k;
            long double pr = a[k] * a[k + m] * powl(square, -k), pi = 0;
            for (int i = 0; i < m; i++) {
                const long double turned = pr * re - pi * im;
                pi = pr * im + pi * re;
                pr = turned;
            }
            sum += pr * *numbers++;
            if (m > 0)
                sum -= pi * *numbers++;
        }
    return sum;
}

/* The bound of what is left out, over |X|^-alpha: of charge 0, and so of all. */
static double truncation(const struct expansion *e, const struct shepard_node *node,
                         const float *mean_radius_log2)
{
    const int next = e->order + 1;
    const double distance = hypot(e->x, e->y), t = 1 / distance;
    const double g = fmax(1, (next + e->power) / (next + 1));
    double factor = 1;
    for (int i = 0; i < next; i++)
        factor *= (e->power + i) / (i + 1);
    /* A_(P+1) = M_00 radius^(P+1) */
    const double radius = exp2((double)mean_radius_log2[next / 2]) / node->scale;
    return factor * exp2((double)mean_radius_log2[0]) * pow(radius * t, next) / (1 - g * t);
}

static long double direct(const struct cloud *cloud, const double *charges, size_t first,
                          const struct shepard_node *node, const struct expansion *e)
{
    const struct shepard_tree *tree = &cloud->store.tree;
    const long double square = (long double)e->x * e->x + (long double)e->y * e->y;
    long double sum = 0;
    for (size_t i = first; i < tree->count; i++) {
        const long double x = e->x - ((long double)tree->x[i] - node->x) / node->scale;
        const long double y = e->y - ((long double)tree->y[i] - node->y) / node->scale;
        sum += charges[i] * powl((x * x + y * y) / square, -e->power / 2.0L);
    }
    return sum;
}

/* Errors within the bound, and not all far below it: then the bound would show nothing. */
static void check_expansion(struct tally *tally, const struct shepard_kernels *kernels,
                            enum cloud_kind kind, int order, unsigned long *seed)
{
    enum { N = 1000, TARGETS = 40 };
    const struct shepard_moments_form form = {order, 0, false};
    struct cloud cloud;
    struct charge_table table;
    struct shepard_moments moments;
    double worst = 0;
    make_cloud(&cloud, kind, N, seed);
    make_charges(&table, N, 2, seed);
    if (shepard_moments_create(&cloud.store.tree, kernels, &table.view, &form,
                               &(struct shepard_moments_work){.threads = 1},
                               &moments) != SHEPARD_OK)
        exit(2);
    const size_t top = moments.first[moments.levels - 1];
    const struct shepard_node *node = &moments.nodes[top];
    const float *mean_radius_log2 = moments.mean_radius_log2 + top * moments.mean_radius_stride;
    for (int i = 0; i < 2 * TARGETS; i++) {
        const double angle = 7 * chance(seed), power = 0.1 + 4 * chance(seed);
        const double g = fmax(1, (order + 1 + power) / (order + 2));
        const double distance = g * (1.05 + 3 * chance(seed) * chance(seed));
        const struct expansion e = {distance * cos(angle), distance * sin(angle), power, order};
        const size_t c = (size_t)i % 2;
        const long double error = evaluate(&e, moments.precise + node->moments + c * node->stride) -
                                  direct(&cloud, table.charges + c * N, 0, node, &e);
        const double bound =
            truncation(&e, node, mean_radius_log2) + 1e-13 * exp2((double)mean_radius_log2[0]);
        worst = fmax(worst, fabs((double)error) / bound);
    }
    tally_check(tally, worst <= 1 && worst > 1e-4,
                "%s: %s, order %d: an expansion's error is %g of its bound", kernels->isa,
                cloud.name, order, worst);
    shepard_moments_free(&moments);
    free(table.charges);
    cloud_free(&cloud);
}

static void time_moments(const struct shepard_kernels *kernels, unsigned long *seed)
{
    enum { POINTS = 20000 };
    const struct shepard_moments_form form = {11, 0, true};
    struct cloud cloud;
    struct charge_table table;
    struct shepard_moments moments;
    double best = INFINITY;
    cloud_make(&cloud, CLOUD_UNIFORM, POINTS, 1, false, seed);
    make_charges(&table, POINTS, 2, seed);
    for (int i = 0; i < 3; i++) {
        const double start = seconds();
        if (shepard_moments_create(&cloud.store.tree, kernels, &table.view, &form,
                                   &(struct shepard_moments_work){.threads = 1},
                                   &moments) != SHEPARD_OK)
            exit(2);
        best = fmin(best, seconds() - start);
        shepard_moments_free(&moments);
    }
    printf("%-8s moments of order 11, 2 charges: %.3g ns a point\n", kernels->isa,
           1e9 * best / POINTS);
    free(table.charges);
    cloud_free(&cloud);
}

void check_moments(struct tally *tally, const struct shepard_kernels *kernels, unsigned long seed)
{
    check_kernels(tally, kernels, &seed);
    check_trees(tally, kernels, &seed);
    check_threads(tally, kernels, &seed);
    for (size_t o = 0; o < ORDERS; o++)
        for (int kind = 0; kind < CLOUD_KINDS; kind++)
            check_expansion(tally, kernels, (enum cloud_kind)kind, orders[o], &seed);
    time_moments(kernels, &seed);
}
