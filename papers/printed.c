/* SPDX-License-Identifier: MIT */
#include "printed.h"

#include <math.h>

enum { K = 1024, SIZES = 5 };

static const size_t aidw_sizes[SIZES] = {10 * K, 50 * K, 100 * K, 500 * K, 1000 * K};

/* Milliseconds at these sizes, n = m: [AIDW15], [AIDW16]. */
static const double aidw_serial[SIZES] = {6791, 168234, 673806, 16852984, 67471402};
static const double original[2][2][SIZES] = {
    /* naive: SoA, AoaS */
    {{65.3, 863, 2884, 63599, 250574}, {66.3, 875, 2933, 64593, 254488}},
    /* tiled: SoA, AoaS */
    {{61.3, 714, 2242, 43843, 168189}, {61.6, 722, 2276, 44891, 172605}},
};
static const double improved[2][SIZES] = {{27.9, 400, 1366, 31306, 124353},
                                          {21.0, 233, 771, 16797, 66338}};
static const double improved_search[SIZES] = {12.3, 36, 81, 440, 917};
static const double improved_weighting[2][SIZES] = {{15.6, 364, 1286, 30866, 123437},
                                                    {8.7, 197, 691, 16357, 65421}};

/* Seconds with m = 10^4 targets: [HAP11], Table 1. */
static const size_t joint_points[SIZES] = {100, 1000, 10000, 100000, 1000000};
static const double joint_serial[SIZES] = {0.005, 0.052, 0.513, 5.147, 53.18};
static const double joint_gpu[SIZES] = {0.004, 0.006, 0.033, 0.301, 2.974};

/* [IDW14]: the tiled engine against its serial program, by power; naive against tiled; nested
 * against naive. */
static const double idw_speedup_square = 120, idw_speedup_cube = 670;
static const double idw_naive_over_tiled = 2;
static const struct shepard_range idw_nested_over_naive = {4.8, 6.0};

static size_t find_size(const size_t *sizes, size_t size)
{
    size_t i = 0;
    while (i < SIZES && sizes[i] != size)
        i++;
    return i;
}

static double aidw_milliseconds(const struct shepard_paper_engine *engine, size_t i)
{
    if (engine->scheme == SHEPARD_PAPER_SERIAL)
        return aidw_serial[i];
    if (engine->precision != SHEPARD_PRECISION_SINGLE)
        return NAN;
    const int tiled = engine->scheme == SHEPARD_PAPER_TILED;
    if (engine->system == SHEPARD_PAPER_ORIGINAL)
        return original[tiled][engine->layout == SHEPARD_PAPER_AOAS][i];
    return engine->layout == SHEPARD_PAPER_SOA ? improved[tiled][i] : NAN;
}

/* The paper has one GPU program: its time stands beside both of ours. */
static double joint_seconds(const struct shepard_paper_engine *engine, size_t i)
{
    if (engine->scheme == SHEPARD_PAPER_SERIAL)
        return joint_serial[i];
    return engine->precision == SHEPARD_PRECISION_SINGLE ? joint_gpu[i] : NAN;
}

double shepard_printed_seconds(enum shepard_table table, size_t who,
                               const struct shepard_workload *job)
{
    const struct shepard_contestant contestant = shepard_contestant_at(who);
    if (contestant.ours || job->columns != 1)
        return NAN;
    if (job->method == SHEPARD_METHOD_AIDW) {
        const size_t i = find_size(aidw_sizes, job->n);
        return i < SIZES && job->n == job->m ? 1e-3 * aidw_milliseconds(&contestant.engine, i)
                                             : NAN;
    }
    const size_t i = find_size(joint_points, job->n);
    const bool is_printed = table == SHEPARD_TABLE_JOINT && job->m == 10000 && i < SIZES;
    return is_printed ? joint_seconds(&contestant.engine, i) : NAN;
}

double shepard_printed_speedup(enum shepard_table table, size_t who,
                               const struct shepard_workload *job)
{
    const struct shepard_contestant contestant = shepard_contestant_at(who);
    const struct shepard_paper_engine *const engine = &contestant.engine;
    if (contestant.ours)
        return NAN;
    if (table == SHEPARD_TABLE_IDW)
        return engine->scheme != SHEPARD_PAPER_TILED ||
                       engine->precision != SHEPARD_PRECISION_SINGLE
                   ? NAN
               : job->power == 2 ? idw_speedup_square
                                 : idw_speedup_cube;
    const size_t baseline = shepard_contestant_baseline(who);
    return baseline == SHEPARD_CONTESTANT_NONE ? NAN
                                               : shepard_printed_seconds(table, baseline, job) /
                                                     shepard_printed_seconds(table, who, job);
}

struct shepard_range shepard_printed_ratio(enum shepard_table table, size_t a, size_t b,
                                           const struct shepard_workload *job)
{
    const struct shepard_contestant first = shepard_contestant_at(a);
    const double ratio =
        shepard_printed_seconds(table, a, job) / shepard_printed_seconds(table, b, job);
    if (table != SHEPARD_TABLE_IDW || first.ours ||
        first.engine.precision != SHEPARD_PRECISION_SINGLE)
        return (struct shepard_range){ratio, ratio};
    if (first.engine.scheme == SHEPARD_PAPER_NESTED)
        return idw_nested_over_naive;
    return (struct shepard_range){idw_naive_over_tiled, idw_naive_over_tiled};
}

struct shepard_paper_times shepard_printed_stages(size_t who, const struct shepard_workload *job)
{
    const struct shepard_contestant contestant = shepard_contestant_at(who);
    const struct shepard_paper_engine *const engine = &contestant.engine;
    const size_t i = find_size(aidw_sizes, job->n);
    if (contestant.ours || engine->system != SHEPARD_PAPER_IMPROVED ||
        engine->precision != SHEPARD_PRECISION_SINGLE || engine->layout != SHEPARD_PAPER_SOA ||
        job->n != job->m || i == SIZES)
        return (struct shepard_paper_times){.neighbours = NAN, .weighting = NAN};
    return (struct shepard_paper_times){
        .neighbours = 1e-3 * improved_search[i],
        .weighting = 1e-3 * improved_weighting[engine->scheme == SHEPARD_PAPER_TILED][i]};
}
