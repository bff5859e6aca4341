/* SPDX-License-Identifier: MIT */
#include "ratio.h"

#include <math.h>
#include <stdio.h>

/* Which two engines: fields of the one that stands above the line, edited for the one below. */
struct pair {
    struct shepard_paper_engine above, below;
};

#define ENGINE(system, scheme, layout)                                                             \
    {                                                                                              \
        SHEPARD_PAPER_##system, SHEPARD_PAPER_##scheme, SHEPARD_PAPER_##layout,                    \
            SHEPARD_PRECISION_SINGLE, false                                                        \
    }

static const struct pair aidw_pairs[] = {
    {ENGINE(ORIGINAL, NAIVE, SOA), ENGINE(ORIGINAL, TILED, SOA)},
    {ENGINE(ORIGINAL, NAIVE, AOAS), ENGINE(ORIGINAL, TILED, AOAS)},
    {ENGINE(IMPROVED, NAIVE, SOA), ENGINE(IMPROVED, TILED, SOA)},
    {ENGINE(ORIGINAL, NAIVE, AOAS), ENGINE(ORIGINAL, NAIVE, SOA)},
    {ENGINE(ORIGINAL, TILED, AOAS), ENGINE(ORIGINAL, TILED, SOA)},
    {ENGINE(ORIGINAL, NAIVE, SOA), ENGINE(IMPROVED, NAIVE, SOA)},
    {ENGINE(ORIGINAL, TILED, SOA), ENGINE(IMPROVED, TILED, SOA)},
};

static const struct pair idw_pairs[] = {
    {ENGINE(IDW, NAIVE, SOA), ENGINE(IDW, TILED, SOA)},
    {ENGINE(IDW, NESTED, SOA), ENGINE(IDW, NAIVE, SOA)},
};

static size_t add(struct shepard_ratio *ratios, size_t count, struct shepard_ratio ratio)
{
    if (ratio.a == SHEPARD_CONTESTANT_NONE || ratio.b == SHEPARD_CONTESTANT_NONE ||
        count == SHEPARD_RATIOS_MAX)
        return count;
    ratios[count] = ratio;
    return count + 1;
}

static size_t list_pairs(const struct pair *pairs, size_t pair_count, bool square,
                         struct shepard_ratio *ratios)
{
    size_t count = 0;
    for (size_t i = 0; i < pair_count; i++) {
        struct pair pair = pairs[i];
        pair.above.square = pair.below.square = square;
        count = add(ratios, count,
                    (struct shepard_ratio){shepard_contestant_find(&pair.above),
                                           shepard_contestant_find(&pair.below)});
    }
    return count;
}

/* Each engine in double over the same in float. */
static size_t list_doubles(const struct shepard_series *series, struct shepard_ratio *ratios)
{
    size_t count = 0;
    for (size_t i = 0; i < shepard_paper_engine_count(); i++) {
        struct shepard_paper_engine engine = shepard_paper_engine_at(i);
        if (!shepard_series_takes(series, i) || engine.precision != SHEPARD_PRECISION_DOUBLE)
            continue;
        engine.precision = SHEPARD_PRECISION_SINGLE;
        count = add(ratios, count, (struct shepard_ratio){i, shepard_contestant_find(&engine)});
    }
    return count;
}

/* The papers' engines over shepard itself. */
static size_t list_ours(const struct shepard_series *series, struct shepard_ratio *ratios)
{
    size_t count = 0;
    for (size_t b = shepard_paper_engine_count(); b < shepard_contestant_count(); b++) {
        for (size_t a = 0; a < shepard_paper_engine_count(); a++) {
            if (shepard_series_takes(series, a) && shepard_series_takes(series, b) &&
                !shepard_contestant_is_serial(a))
                count = add(ratios, count, (struct shepard_ratio){a, b});
        }
    }
    return count;
}

static size_t list_growth(const struct shepard_series *series, struct shepard_ratio *ratios)
{
    size_t count = 0;
    for (size_t i = 0; i < shepard_contestant_count(); i++) {
        if (shepard_series_takes(series, i))
            count = add(ratios, count, (struct shepard_ratio){i, i});
    }
    return count;
}

size_t shepard_ratio_list(const struct shepard_series *series,
                          struct shepard_ratio ratios[SHEPARD_RATIOS_MAX])
{
    const bool square = series->cases[0].power == 2;
    if (series->variable == SHEPARD_VARIABLE_COLUMNS)
        return list_growth(series, ratios);
    switch (series->table) {
    case SHEPARD_TABLE_AIDW:
        return list_pairs(aidw_pairs, sizeof aidw_pairs / sizeof aidw_pairs[0], false, ratios);
    case SHEPARD_TABLE_IDW:
        return list_pairs(idw_pairs, sizeof idw_pairs / sizeof idw_pairs[0], square, ratios);
    case SHEPARD_TABLE_DOUBLE:
        return list_doubles(series, ratios);
    case SHEPARD_TABLE_NEW:
        return list_ours(series, ratios);
    default:
        return 0;
    }
}

double shepard_ratio_measured(const struct shepard_ratio *ratio,
                              const struct shepard_series *series, size_t i,
                              const struct shepard_ledger *ledger)
{
    if (ratio->a != ratio->b)
        return shepard_ledger_ratio(ledger, ratio->a, ratio->b, &series->cases[i]);
    const struct shepard_record *const first =
        shepard_ledger_find(ledger, ratio->a, &series->cases[0]);
    const struct shepard_record *const here =
        shepard_ledger_find(ledger, ratio->a, &series->cases[i]);
    if (!first || !here || first->state != SHEPARD_RECORD_MEASURED ||
        here->state != SHEPARD_RECORD_MEASURED)
        return NAN;
    return here->times.total / first->times.total;
}

void shepard_ratio_label(const struct shepard_ratio *ratio, char label[100])
{
    char a[SHEPARD_PAPER_NAME], b[SHEPARD_PAPER_NAME];
    shepard_contestant_name(ratio->a, a);
    shepard_contestant_name(ratio->b, b);
    if (ratio->a == ratio->b)
        snprintf(label, 100, "%s", a);
    else
        snprintf(label, 100, "%s / %s", a, b);
}
