/* SPDX-License-Identifier: MIT */
#include "cell_fit.h"

#include "progress.h"

#include <math.h>

/* What the cell will hold: GDAL rounds halves away from zero. */
static double stored(const struct shepard_cell_range *range, double value)
{
    if (range->integer) {
        return round(value);
    }
    return range->single ? (double)(float)value : value;
}

static double clamp(struct shepard_cell_fit *fit, double value)
{
    const struct shepard_cell_range *const range = &fit->range;
    const double rounded = range->integer ? round(value) : value;
    if (rounded >= range->low && rounded <= range->high) {
        return value;
    }
    fit->clamped++;
    return rounded < range->low ? range->low : range->high;
}

/* The whole number next to nodata, on the value's side if there is one. */
static double beside(const struct shepard_cell_fit *fit, double value)
{
    const bool up =
        fit->nodata <= fit->range.low || (value > fit->nodata && fit->nodata < fit->range.high);
    return fit->nodata + (up ? 1 : -1);
}

static double fit_value(struct shepard_cell_fit *fit, double value)
{
    if (isnan(value) || (fit->nodata_is_empty && value == fit->nodata)) {
        fit->empty++;
        return fit->nodata;
    }
    if (fit->zero_is_zero && value == 0) {
        return value;
    }
    const double clamped = clamp(fit, value);
    if (stored(&fit->range, clamped) != stored(&fit->range, fit->nodata)) {
        return clamped;
    }
    if (!fit->range.integer) {
        fit->same++;
        return clamped;
    }
    fit->moved += clamped == value;
    return beside(fit, value);
}

static void tally(struct shepard_cell_fit *fit, double value)
{
    const bool first = fit->cells == fit->empty;
    fit->min = first || value < fit->min ? value : fit->min;
    fit->max = first || value > fit->max ? value : fit->max;
    fit->sum += value;
}

void shepard_cells_fit(struct shepard_cell_fit *fit, double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const size_t empty = fit->empty;
        values[i] = fit_value(fit, values[i]);
        if (fit->empty == empty) {
            tally(fit, stored(&fit->range, values[i]));
        }
        fit->cells++;
    }
}

void shepard_cells_add(struct shepard_cell_fit *fit, const struct shepard_cell_fit *other)
{
    if (other->empty < other->cells) {
        const bool first = fit->cells == fit->empty;
        fit->min = first || other->min < fit->min ? other->min : fit->min;
        fit->max = first || other->max > fit->max ? other->max : fit->max;
    }
    fit->cells += other->cells;
    fit->sum += other->sum;
    fit->empty += other->empty;
    fit->lacking += other->lacking;
    fit->outside += other->outside;
    fit->clamped += other->clamped;
    fit->moved += other->moved;
    fit->same += other->same;
}

double shepard_cells_mean(const struct shepard_cell_fit *fit)
{
    return fit->cells > fit->empty ? fit->sum / (double)(fit->cells - fit->empty) : NAN;
}

void shepard_cells_note(const struct shepard_cell_fit *fit, const char *type, const char *name,
                        struct shepard_progress *watch)
{
    const char *const before = name[0] ? "band " : "", *const after = name[0] ? ": " : "";
    if (fit->lacking > 0) {
        shepard_progress_note(watch, "%s%s%s%zu of %zu cells lack a covariate: nodata", before,
                              name, after, fit->lacking, fit->cells);
    }
    if (fit->empty > fit->lacking + fit->outside) {
        shepard_progress_note(watch, "%s%s%s%zu of %zu cells have %s: nodata", before, name, after,
                              fit->empty - fit->lacking - fit->outside, fit->cells,
                              fit->nodata_is_empty ? "no value" : "too few points within reach");
    }
    if (fit->clamped > 0) {
        shepard_progress_note(
            watch, "%s%s%scells outside the range of %s, clamped: %zu; choose another -ot", before,
            name, after, type, fit->clamped);
    }
    if (fit->moved > 0) {
        shepard_progress_note(
            watch,
            "%s%s%scells with the value %.17g, which is nodata, changed to the next number: %zu; "
            "choose another nodata or -ot",
            before, name, after, fit->nodata, fit->moved);
    }
    if (fit->same > 0) {
        shepard_progress_note(
            watch, "%s%s%scells with the value %.17g, which is nodata: %zu; choose another nodata",
            before, name, after, fit->nodata, fit->same);
    }
}
