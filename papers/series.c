/* SPDX-License-Identifier: MIT */
#include "series.h"

#include "contestant.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *title, *note;
} tables[SHEPARD_TABLES] = {
    [SHEPARD_TABLE_AIDW] = {"aidw", "Adaptive IDW, original and improved [AIDW15, AIDW16]",
                            "k = 10, powers 1.5 to 3.5, area: the box of the data\n"},
    [SHEPARD_TABLE_STAGES] = {"stages", "Stages of the improved adaptive IDW [AIDW16]",
                              "milliseconds; share: of grid and kNN in grid, kNN and sums; the "
                              "printed kNN has the grid\n"},
    [SHEPARD_TABLE_IDW] = {"idw", "IDW: naive, tiled, nested [IDW14]",
                           "the paper prints ratios only: tiled 120 (power 2) and 670 (power 3) "
                           "times as fast as serial,\nabout twice as fast as naive; nested 4.8 to "
                           "6 times the time of naive\n"},
    [SHEPARD_TABLE_JOINT] =
        {"joint", "IDW: points, targets, their ratio, value columns [HAP11]",
         "the paper has one GPU program: its times stand beside both of ours\n"},
    [SHEPARD_TABLE_DOUBLE] = {"double", "Double against float", ""},
    [SHEPARD_TABLE_NEW] = {"new", "shepard itself beside the papers' engines",
                           "the model's creation is part of the time\n"},
    [SHEPARD_TABLE_ERRATA] = {"errata", "What the papers print, run", ""},
};

const char *shepard_table_name(enum shepard_table table)
{
    return tables[table].name;
}

const char *shepard_table_title(enum shepard_table table)
{
    return tables[table].title;
}

const char *shepard_table_note(enum shepard_table table)
{
    return tables[table].note;
}

double shepard_series_at(const struct shepard_series *series, size_t i)
{
    const struct shepard_workload *const job = &series->cases[i];
    switch (series->variable) {
    case SHEPARD_VARIABLE_TARGETS:
        return (double)job->m;
    case SHEPARD_VARIABLE_RATIO:
        return (double)job->n / (double)job->m;
    case SHEPARD_VARIABLE_COLUMNS:
        return (double)job->columns;
    case SHEPARD_VARIABLE_SIZE:
    case SHEPARD_VARIABLE_POINTS:
        break;
    }
    return (double)job->n;
}

const char *shepard_series_label(const struct shepard_series *series, size_t i, char text[24])
{
    const double at = shepard_series_at(series, i);
    if (series->variable != SHEPARD_VARIABLE_RATIO)
        return shepard_size_text((size_t)at, text);
    snprintf(text, 24, "%.*g", at < 1 ? 1 : 5, at < 1 ? at : floor(at + 0.5));
    return text;
}

/* Whether an IDW engine is the one for a power: the square form where there is one. */
static bool fits_power(size_t who, double power)
{
    struct shepard_paper_engine engine = shepard_contestant_at(who).engine;
    if (power != 2)
        return !engine.square;
    if (engine.square)
        return true;
    engine.square = true;
    return shepard_contestant_find(&engine) == SHEPARD_CONTESTANT_NONE;
}

static bool is_plain(const struct shepard_paper_engine *engine)
{
    return engine->precision == SHEPARD_PRECISION_SINGLE && engine->layout == SHEPARD_PAPER_SOA;
}

/* The engines that shepard itself stands beside: the best of the newest system. */
static bool is_rival(const struct shepard_paper_engine *engine)
{
    return engine->scheme == SHEPARD_PAPER_TILED && engine->system != SHEPARD_PAPER_ORIGINAL &&
           is_plain(engine);
}

bool shepard_series_takes(const struct shepard_series *series, size_t who)
{
    const struct shepard_contestant contestant = shepard_contestant_at(who);
    const struct shepard_paper_engine *const engine = &contestant.engine;
    if (contestant.method != series->cases[0].method)
        return false;
    if (contestant.ours)
        return series->table == SHEPARD_TABLE_NEW;
    if (contestant.method == SHEPARD_METHOD_IDW && !fits_power(who, series->cases[0].power))
        return false;
    const bool serial = engine->scheme == SHEPARD_PAPER_SERIAL;
    switch (series->table) {
    case SHEPARD_TABLE_STAGES:
        return engine->system == SHEPARD_PAPER_IMPROVED;
    case SHEPARD_TABLE_JOINT:
        return serial || (is_plain(engine) && engine->scheme != SHEPARD_PAPER_NESTED);
    case SHEPARD_TABLE_DOUBLE:
        return !serial;
    case SHEPARD_TABLE_NEW:
        return serial || is_rival(engine);
    default:
        return true;
    }
}

const char *shepard_size_text(size_t size, char text[24])
{
    if (size >= 1024 && size % 1024 == 0)
        snprintf(text, 24, "%zuK", size / 1024);
    else
        snprintf(text, 24, "%zu", size);
    return text;
}

bool shepard_size_parse(const char *text, size_t *size)
{
    const size_t digits = strspn(text, "0123456789");
    const char *const unit = text + digits;
    size_t value = 0;
    if (digits == 0 || digits > 10)
        return false;
    for (size_t i = 0; i < digits; i++)
        value = 10 * value + (size_t)(text[i] - '0');
    if (strcmp(unit, "K") == 0 || strcmp(unit, "k") == 0)
        value *= 1024;
    else if (strcmp(unit, "M") == 0 || strcmp(unit, "m") == 0)
        value *= 1024 * 1024;
    else if (*unit)
        return false;
    *size = value;
    return value >= 1 && value <= SHEPARD_POINTS_MAX;
}
