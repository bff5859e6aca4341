/* SPDX-License-Identifier: MIT */
#include "case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHECKED 64 /* targets compared with brute force */
#define K_MAX SHEPARD_CASE_K_MAX

/* Answers of one search, [m, k]. */
struct answer {
    uint32_t *indices;
    double *distances;
};

/* The k least distances of any points from target i, sorted, into least [k]. */
static void find_least(const struct shepard_cloud *cloud, size_t i, size_t k, double *least)
{
    for (size_t j = 0; j < k; j++)
        least[j] = INFINITY;
    for (size_t j = 0; j < cloud->n; j++) {
        const double dx = cloud->x[j] - cloud->target_x[i];
        const double dy = cloud->y[j] - cloud->target_y[i];
        const double d2 = dx * dx + dy * dy;
        size_t place = k;
        while (place > 0 && d2 < least[place - 1])
            place--;
        for (size_t move = k; move-- > place + 1;)
            least[move] = least[move - 1];
        if (place < k)
            least[place] = d2;
    }
    for (size_t j = 0; j < k; j++)
        least[j] = sqrt(least[j]);
}

/* The k distances of target i are the k least of all, and belong to the indices, all different. */
static bool is_exact(const struct shepard_cloud *cloud, const struct answer *answer, size_t k,
                     size_t i, const double *truth)
{
    for (size_t j = 0; j < k; j++) {
        const double d = answer->distances[i * k + j];
        const uint32_t index = answer->indices[i * k + j];
        if (index >= cloud->n)
            return false;
        const double own =
            hypot(cloud->x[index] - cloud->target_x[i], cloud->y[index] - cloud->target_y[i]);
        const double slack = 1e-15 * truth[j];
        if (fabs(d - truth[j]) > slack || fabs(d - own) > 4 * slack)
            return false;
        for (size_t before = 0; before < j; before++) {
            if (answer->indices[i * k + before] == index)
                return false;
        }
    }
    return true;
}

/* Number of targets, of those checked, whose answer is wrong. */
static size_t count_wrong(const struct shepard_cloud *cloud, const struct answer *answer, size_t k)
{
    double truth[K_MAX];
    size_t wrong = 0;
    for (size_t c = 0; c < CHECKED; c++) {
        const size_t i = c * cloud->m / CHECKED;
        find_least(cloud, i, k, truth);
        wrong += !is_exact(cloud, answer, k, i, truth);
    }
    return wrong;
}

/* The sum of the k-th distances: what the peers' answers are compared with. */
static double checksum(const struct answer *answer, size_t m, size_t k)
{
    double sum = 0;
    for (size_t i = 0; i < m; i++)
        sum += answer->distances[i * k + k - 1];
    return sum;
}

struct phases {
    struct shepard_runs build, search, total;
};

static bool run_once(const struct shepard_cloud *cloud, size_t k, const struct answer *answer,
                     struct phases *phases)
{
    struct shepard_options options;
    shepard_options_init(&options);
    options.precision = SHEPARD_DOUBLE;
    options.eps = 0; /* a search needs no expansions */
    options.threads = 1;
    const struct shepard_targets targets = shepard_cloud_targets(cloud, cloud->m);
    const struct shepard_seconds start = shepard_seconds_now();
    struct shepard_model *model = shepard_case_model(cloud, 1, &options);
    if (!model)
        return false;
    const struct shepard_seconds built = shepard_seconds_since(start);
    struct shepard_error error;
    const bool good = !shepard_nearest_points(model, &targets, k, answer->indices,
                                              answer->distances, NULL, &error);
    const struct shepard_seconds both = shepard_seconds_since(start);
    if (!good)
        fprintf(stderr, "bench_core: %s\n", error.message);
    shepard_model_free(model);
    shepard_runs_add(&phases->build, built);
    shepard_runs_add(&phases->search,
                     (struct shepard_seconds){both.wall - built.wall, both.cpu - built.cpu});
    shepard_runs_add(&phases->total, both);
    return good;
}

struct shape {
    enum shepard_cloud_kind kind;
    size_t k;
    size_t wrong;
    double checksum;
};

static void report(const struct phases *phases, const struct shape *shape,
                   struct shepard_record *record)
{
    const struct shepard_seconds total = shepard_runs_median(&phases->total);
    const struct shepard_seconds build = shepard_runs_median(&phases->build);
    const struct shepard_seconds search = shepard_runs_median(&phases->search);
    printf("%-10s %3zu %9.3f %9.3f %9.3f %9.3f %9.3f   %zu of %d wrong\n",
           shepard_cloud_name(shape->kind), shape->k, build.cpu, search.cpu, total.cpu, total.wall,
           shepard_runs_least(&phases->total).cpu, shape->wrong, CHECKED);
    shepard_record_begin(record, "knn");
    shepard_record_text(record, "tool", "shepard");
    shepard_record_text(record, "data", shepard_cloud_name(shape->kind));
    shepard_record_number(record, "k", (double)shape->k);
    shepard_record_number(record, "build_cpu", build.cpu);
    shepard_record_number(record, "search_cpu", search.cpu);
    shepard_runs_record(&phases->total, record);
    shepard_record_number(record, "checksum", shape->checksum);
    shepard_record_number(record, "checked", CHECKED);
    shepard_record_number(record, "wrong", (double)shape->wrong);
    shepard_record_end(record);
}

static bool measure(const struct shepard_case *bench, const struct shepard_cloud *cloud,
                    struct shape shape)
{
    const size_t size = cloud->m * shape.k;
    struct answer answer = {malloc(size * sizeof *answer.indices),
                            malloc(size * sizeof *answer.distances)};
    struct phases phases = {.build = {0}};
    bool good = answer.indices && answer.distances;
    if (good) { /* the peers' arrays are in memory before their clocks start, too */
        memset(answer.indices, 0, size * sizeof *answer.indices);
        memset(answer.distances, 0, size * sizeof *answer.distances);
    }
    for (size_t r = 0; good && r < bench->repeat; r++)
        good = run_once(cloud, shape.k, &answer, &phases);
    if (good) {
        shape.wrong = count_wrong(cloud, &answer, shape.k);
        shape.checksum = checksum(&answer, cloud->m, shape.k);
        report(&phases, &shape, bench->record);
    }
    free(answer.indices);
    free(answer.distances);
    return good && shape.wrong == 0;
}

/* Measures on one cloud: with k neighbours, or with 10 and 15 where k is 0. */
static bool measure_cloud(const struct shepard_case *bench, enum shepard_cloud_kind kind)
{
    const size_t ks[2] = {bench->k ? bench->k : 10, 15};
    struct shepard_cloud cloud = {
        .kind = kind, .n = bench->points, .m = bench->targets, .columns = 1};
    bool good = shepard_cloud_draw(&cloud);
    for (size_t i = 0; good && i < (bench->k ? 1 : 2); i++)
        good = measure(bench, &cloud, (struct shape){.kind = kind, .k = ks[i]});
    shepard_cloud_free(&cloud);
    return good;
}

bool shepard_case_knn(const struct shepard_case *bench)
{
    printf("Nearest points: %zu data points, %zu targets, one thread; processor seconds and wall\n"
           "data         k     build    search     total      wall     least\n",
           bench->points, bench->targets);
    bool good = true;
    for (int kind = 0; good && kind < SHEPARD_CLOUD_KINDS; kind++) {
        if (bench->kinds[kind])
            good = measure_cloud(bench, kind);
    }
    return good;
}
