/* SPDX-License-Identifier: MIT */
#include "chart.h"

#include "contestant.h"
#include "printed.h"
#include "ratio.h"

#include <math.h>
#include <stdlib.h>

/* Colours that the colour-blind tell apart (Okabe & Ito 2008), and three more. The first is that
 * of serial engines. */
static const char *const colours[] = {"#000000", "#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#777777", "#8b4513", "#332288"};

enum { COLOURS = sizeof colours / sizeof colours[0], CURVES_MAX = 64 };

/* gnuplot's point types: a full and an open circle, square, triangle, diamond in turn. */
static const int full_points[] = {7, 5, 9, 13};
static const int open_points[] = {6, 4, 8, 12};

struct curve {
    char title[100]; /* "" where it belongs to another curve */
    size_t style;    /* colour and point */
    bool dashed;     /* printed by a paper */
    size_t count;
    double x[SHEPARD_SERIES_CASES], y[SHEPARD_SERIES_CASES];
    bool estimated[SHEPARD_SERIES_CASES];
};

struct shepard_chart {
    const struct shepard_study *study;
    const struct shepard_series *series;
    enum shepard_chart_kind kind;
    size_t count;
    struct curve curves[CURVES_MAX];
};

const char *shepard_chart_kind_name(enum shepard_chart_kind kind)
{
    static const char *const names[SHEPARD_CHART_KINDS] = {"time", "speedup", "ratio", "shares"};
    return names[kind];
}

static struct curve *add_curve(struct shepard_chart *chart, size_t style, bool dashed)
{
    struct curve *const curve = &chart->curves[chart->count];
    *curve = (struct curve){.style = style, .dashed = dashed};
    chart->count += chart->count + 1 < CURVES_MAX;
    return curve;
}

static void add_point(struct curve *curve, double x, double y, bool estimated)
{
    if (!isfinite(y) || y <= 0)
        return;
    curve->x[curve->count] = x;
    curve->y[curve->count] = y;
    curve->estimated[curve->count++] = estimated;
}

/* Drops the last curve where it has no points. */
static bool keep_curve(struct shepard_chart *chart)
{
    const bool kept = chart->count > 0 && chart->curves[chart->count - 1].count > 0;
    chart->count -= chart->count > 0 && !kept;
    return kept;
}

/* Engines in double have figures of their own. */
static bool is_drawn(const struct shepard_study *study, const struct shepard_series *series,
                     size_t who)
{
    const struct shepard_contestant contestant = shepard_contestant_at(who);
    return shepard_study_takes(study, who) && shepard_series_takes(series, who) &&
           (contestant.ours || shepard_contestant_is_serial(who) ||
            contestant.engine.precision == SHEPARD_PRECISION_SINGLE);
}

static double measured_value(const struct shepard_study *study, const struct shepard_record *record,
                             enum shepard_chart_kind kind, bool *estimated)
{
    *estimated = record->state == SHEPARD_RECORD_EXTRAPOLATED;
    if (kind == SHEPARD_CHART_TIME)
        return shepard_record_has_time(record) ? record->times.total : NAN;
    return shepard_contestant_is_serial(record->who)
               ? NAN
               : shepard_ledger_speedup(&study->ledger, record, estimated);
}

static double printed_value(const struct shepard_series *series, size_t who, size_t i,
                            enum shepard_chart_kind kind)
{
    if (kind == SHEPARD_CHART_TIME)
        return shepard_printed_seconds(series->table, who, &series->cases[i]);
    return shepard_contestant_is_serial(who)
               ? NAN
               : shepard_printed_speedup(series->table, who, &series->cases[i]);
}

static void fill_engine(struct shepard_chart *chart, size_t who, size_t style)
{
    const struct shepard_series *const series = chart->series;
    struct curve *curve = add_curve(chart, style, false);
    shepard_contestant_name(who, curve->title);
    for (size_t i = 0; i < series->count; i++) {
        const struct shepard_record *const record =
            shepard_ledger_find(&chart->study->ledger, who, &series->cases[i]);
        bool estimated = false;
        if (record) {
            const double value = measured_value(chart->study, record, chart->kind, &estimated);
            add_point(curve, shepard_series_at(series, i), value, estimated);
        }
    }
    if (!keep_curve(chart))
        return;
    curve = add_curve(chart, style, true);
    for (size_t i = 0; i < series->count; i++)
        add_point(curve, shepard_series_at(series, i), printed_value(series, who, i, chart->kind),
                  false);
    curve->count = curve->count > 1 ? curve->count : 0; /* one point makes no line */
    keep_curve(chart);
}

static void fill_engines(struct shepard_chart *chart)
{
    size_t style = 1;
    for (size_t who = 0; who < shepard_contestant_count(); who++) {
        if (is_drawn(chart->study, chart->series, who))
            fill_engine(chart, who, shepard_contestant_is_serial(who) ? 0 : style++);
    }
}

static void fill_ratio(struct shepard_chart *chart, const struct shepard_ratio *ratio, size_t style)
{
    const struct shepard_series *const series = chart->series;
    struct curve *const curve = add_curve(chart, style, false);
    shepard_ratio_label(ratio, curve->title);
    for (size_t i = 0; i < series->count; i++)
        add_point(curve, shepard_series_at(series, i),
                  shepard_ratio_measured(ratio, series, i, &chart->study->ledger), false);
    if (!keep_curve(chart) || ratio->a == ratio->b)
        return;
    for (int high = 0; high < 2; high++) {
        struct curve *const printed = add_curve(chart, style, true);
        for (size_t i = 0; i < series->count; i++) {
            const struct shepard_range range =
                shepard_printed_ratio(series->table, ratio->a, ratio->b, &series->cases[i]);
            if (high == 0 || range.high > range.low)
                add_point(printed, shepard_series_at(series, i), high ? range.high : range.low,
                          false);
        }
        keep_curve(chart);
    }
}

static void fill_ratios(struct shepard_chart *chart)
{
    struct shepard_ratio ratios[SHEPARD_RATIOS_MAX];
    const size_t count = shepard_ratio_list(chart->series, ratios);
    for (size_t r = 0; r < count; r++)
        fill_ratio(chart, &ratios[r], r);
}

/* Whether the record has stages to show shares of. */
static const struct shepard_record *find_stages(const struct shepard_study *study, size_t who,
                                                const struct shepard_workload *job)
{
    const struct shepard_record *const record = shepard_ledger_find(&study->ledger, who, job);
    return record && record->state == SHEPARD_RECORD_MEASURED ? record : NULL;
}

static bool has_stages(const struct shepard_study *study, const struct shepard_series *series,
                       size_t who)
{
    bool found = false;
    for (size_t i = 0; i < series->count && is_drawn(study, series, who); i++)
        found = found || find_stages(study, who, &series->cases[i]);
    return found;
}

static bool wants_kind(const struct shepard_series *series, enum shepard_chart_kind kind)
{
    struct shepard_ratio ratios[SHEPARD_RATIOS_MAX];
    if (series->table == SHEPARD_TABLE_STAGES || kind == SHEPARD_CHART_SHARES)
        return series->table == SHEPARD_TABLE_STAGES && kind == SHEPARD_CHART_SHARES;
    if (kind == SHEPARD_CHART_RATIO)
        return shepard_ratio_list(series, ratios) > 0;
    return series->table != SHEPARD_TABLE_DOUBLE;
}

static bool has_shares(const struct shepard_chart *chart)
{
    bool found = false;
    for (size_t who = 0; who < shepard_contestant_count(); who++)
        found = found || has_stages(chart->study, chart->series, who);
    return found;
}

struct shepard_chart *shepard_chart_new(void)
{
    return malloc(sizeof(struct shepard_chart));
}

bool shepard_chart_fill(struct shepard_chart *chart, const struct shepard_study *study,
                        const struct shepard_series *series, enum shepard_chart_kind kind)
{
    chart->study = study;
    chart->series = series;
    chart->kind = kind;
    chart->count = 0;
    if (!wants_kind(series, kind))
        return false;
    if (kind == SHEPARD_CHART_SHARES)
        return has_shares(chart);
    if (kind == SHEPARD_CHART_RATIO)
        fill_ratios(chart);
    else
        fill_engines(chart);
    return chart->count > 0;
}

static void write_head(FILE *script, const struct shepard_series *series, const char *title,
                       const char *note)
{
    fprintf(script,
            "set terminal svg size 960,640 enhanced font 'sans-serif,14' background 'white'\n"
            "set title \"%s: %s%s%s\"\n"
            "set key outside bottom center horizontal maxcols 3 reverse Left samplen 2 height 1.2 "
            "font ',12'\n"
            "set grid lw 1 lc rgb '#dddddd'\nset border lc rgb '#444444'\nset tmargin 4\n",
            series->title, title, note[0] ? "\\n" : "", note);
}

static void write_ticks(FILE *script, const struct shepard_series *series)
{
    static const char *const labels[] = {[SHEPARD_VARIABLE_SIZE] = "data points = targets",
                                         [SHEPARD_VARIABLE_POINTS] = "data points",
                                         [SHEPARD_VARIABLE_TARGETS] = "targets",
                                         [SHEPARD_VARIABLE_RATIO] = "data points / targets",
                                         [SHEPARD_VARIABLE_COLUMNS] = "value columns"};
    char text[24];
    fprintf(script, "set xlabel '%s'\nset logscale x\nset xtics (", labels[series->variable]);
    for (size_t i = 0; i < series->count; i++) {
        fprintf(script, "%s'%s' %.17g", i ? ", " : "", shepard_series_label(series, i, text),
                shepard_series_at(series, i));
    }
    fprintf(script, ")\nset xrange [%.17g:%.17g]\n", 0.8 * shepard_series_at(series, 0),
            1.25 * shepard_series_at(series, series->count - 1));
}

static const char *colour_of(size_t style)
{
    return colours[style ? 1 + (style - 1) % (COLOURS - 1) : 0];
}

static void write_data(FILE *script, const struct shepard_chart *chart)
{
    for (size_t c = 0; c < chart->count; c++) {
        const struct curve *const curve = &chart->curves[c];
        const size_t shape = curve->style % (sizeof full_points / sizeof full_points[0]);
        fprintf(script, "$curve%zu << END\n", c);
        for (size_t i = 0; i < curve->count; i++)
            fprintf(script, "%.17g %.9g %d\n", curve->x[i], curve->y[i],
                    curve->estimated[i] ? open_points[shape] : full_points[shape]);
        fprintf(script, "END\n");
    }
}

static void write_plot(FILE *script, const struct shepard_chart *chart)
{
    fprintf(script, "plot ");
    for (size_t c = 0; c < chart->count; c++) {
        const struct curve *const curve = &chart->curves[c];
        const char *const colour = colour_of(curve->style);
        fprintf(script, "%s$curve%zu ", c ? ", \\\n  " : "", c);
        if (curve->dashed)
            fprintf(script, "using 1:2 with lines lw 1.5 dt 2 lc rgb '%s' notitle", colour);
        else
            fprintf(script,
                    "using 1:2:3 with linespoints lw 2 ps 0.7 pointtype variable lc rgb '%s' "
                    "notitle, NaN with linespoints lw 2 ps 0.7 pt %d lc rgb '%s' title '%s'",
                    colour,
                    full_points[curve->style % (sizeof full_points / sizeof full_points[0])],
                    colour, curve->title);
    }
    fputc('\n', script);
}

/* What the reader must know of lines and points. */
static const char *note_of(const struct shepard_chart *chart)
{
    static const char *const notes[2][2] = {
        {"", "open points: extrapolated serial times"},
        {"dashed: printed by the paper",
         "dashed: printed by the paper; open points: extrapolated serial times"}};
    bool dashed = false, estimated = false;
    for (size_t c = 0; c < chart->count; c++) {
        dashed = dashed || chart->curves[c].dashed;
        for (size_t i = 0; i < chart->curves[c].count; i++)
            estimated = estimated || chart->curves[c].estimated[i];
    }
    return notes[dashed][estimated];
}

static void write_curves(FILE *script, const struct shepard_chart *chart)
{
    static const char *const titles[] = {"time", "speed-up over the serial engine",
                                         "times compared"};
    static const char *const labels[] = {"seconds", "speed-up", "ratio of times"};
    write_head(script, chart->series,
               chart->series->table == SHEPARD_TABLE_DOUBLE ? "double over float"
                                                            : titles[chart->kind],
               note_of(chart));
    write_ticks(script, chart->series);
    fprintf(script, "set ylabel '%s'\n", labels[chart->kind]);
    if (chart->kind == SHEPARD_CHART_RATIO)
        fprintf(script, "set yrange [0:*]\nset offsets 0, 0, graph 0.06, 0\n");
    else
        fprintf(script, "set logscale y\nset format y '10^{%%T}'\n");
    write_data(script, chart);
    write_plot(script, chart);
}

static void write_share_rows(FILE *script, const struct shepard_study *study,
                             const struct shepard_series *series, size_t who)
{
    char text[24];
    fprintf(script, "$engine%zu << END\n", who);
    for (size_t i = 0; i < series->count; i++) {
        const struct shepard_record *const record = find_stages(study, who, &series->cases[i]);
        if (!record)
            continue;
        const struct shepard_paper_times *const t = &record->times;
        const double scale = 100 / t->total;
        fprintf(script, "%s %.6g %.6g %.6g %.6g\n", shepard_size_text(series->cases[i].n, text),
                scale * (t->upload + t->download), scale * t->grid, scale * t->neighbours,
                scale * t->weighting);
    }
    fprintf(script, "END\n");
}

static void write_shares(FILE *script, const struct shepard_study *study,
                         const struct shepard_series *series)
{
    static const char *const stages[] = {"transfers", "grid", "kNN search", "weighting"};
    bool first = true;
    write_head(script, series, "shares of the whole time",
               "above the bars: allocation, conversion, waiting");
    fprintf(script,
            "set style data histograms\nset style histogram rowstacked title offset 0,-1.5\n"
            "set style fill solid 0.85\nset boxwidth 0.8\nset yrange [0:100]\n"
            "set ylabel 'per cent of the whole run'\nset bmargin 8\n"
            "set xtics nomirror rotate by -45 font ',11'\n");
    for (size_t who = 0; who < shepard_contestant_count(); who++) {
        if (has_stages(study, series, who))
            write_share_rows(script, study, series, who);
    }
    fprintf(script, "plot ");
    for (size_t who = 0; who < shepard_contestant_count(); who++) {
        char name[SHEPARD_PAPER_NAME];
        if (!has_stages(study, series, who))
            continue;
        shepard_contestant_name(who, name);
        fprintf(script, "%snewhistogram '%s' font ',12' lt 1", first ? "" : ", ", name);
        for (int s = 0; s < 4; s++)
            fprintf(script, ", $engine%zu using %d:xtic(1) lc rgb '%s' %s%s%s", who, s + 2,
                    colours[s + 1], first ? "title '" : "notitle", first ? stages[s] : "",
                    first ? "'" : "");
        first = false;
    }
    fputc('\n', script);
}

void shepard_chart_write(FILE *script, const struct shepard_chart *chart)
{
    if (chart->kind == SHEPARD_CHART_SHARES)
        write_shares(script, chart->study, chart->series);
    else
        write_curves(script, chart);
}
