/* SPDX-License-Identifier: MIT */
#include "extent.h"

#include "message.h"

#include <limits.h>
#include <math.h>

/* gdal_grid's own default. */
enum { SIZE_DEFAULT = 256 };

/* One axis of the raster: cell edges go from first to last, in steps of one sign. */
struct extent_axis {
    const char *name, *option;
    double first, last;
    double step;
    size_t cells;
};

bool shepard_extent_check(const struct shepard_extent_options *options)
{
    if (options->like && (options->txe.set || options->tye.set || options->tr.set ||
                          options->outsize.set || options->tap)) {
        return shepard_say_error("-like gives edges and size; leave out -txe, -tye, -tr, -tap and "
                                 "-outsize");
    }
    if (options->tr.set && options->outsize.set) {
        return shepard_say_error("-tr and -outsize exclude each other; give one of them");
    }
    if (options->tap && !options->tr.set) {
        return shepard_say_error("-tap needs -tr xres yres");
    }
    if (options->txe.set && options->txe.v[0] == options->txe.v[1]) {
        return shepard_say_error("-txe: both edges are %g; give two different ones",
                                 options->txe.v[0]);
    }
    if (options->tye.set && options->tye.v[0] == options->tye.v[1]) {
        return shepard_say_error("-tye: both edges are %g; give two different ones",
                                 options->tye.v[0]);
    }
    return true;
}

/* Rounds a number of cells up, but ignores the rounding error of the division. */
static double whole_cells(double cells)
{
    const double nearest = nearbyint(cells);
    return fabs(cells - nearest) <= 1e-9 * fmax(1, fabs(cells)) ? nearest : ceil(cells);
}

static bool too_large(const struct extent_axis *axis, double cells)
{
    return shepard_say_error("the raster is too large: %.0f cells in %s, %d are possible; give a "
                             "larger -tr, or a smaller %s",
                             cells, axis->name, INT_MAX, axis->option);
}

/* Cells of the given size. */
static bool fit_cells(struct extent_axis *axis, double size, bool tap)
{
    const double sign = axis->last > axis->first ? 1 : -1;
    if (tap) {
        axis->first = -sign * size * whole_cells(-sign * axis->first / size);
    }
    const double cells = fmax(1, whole_cells(fabs(axis->last - axis->first) / size));
    axis->step = sign * size;
    if (!(cells <= INT_MAX)) {
        return too_large(axis, cells);
    }
    axis->cells = (size_t)cells;
    return true;
}

static bool fit(struct extent_axis *axis, const struct shepard_extent_options *options, int i)
{
    if (!(fabs(axis->last - axis->first) > 0)) {
        return shepard_say_error("no extent: all points have %s = %.12g; give %s", axis->name,
                                 axis->first, axis->option);
    }
    if (options->tr.set) {
        return fit_cells(axis, options->tr.v[i], options->tap);
    }
    axis->cells = options->outsize.set ? (size_t)options->outsize.v[i] : SIZE_DEFAULT;
    axis->step = (axis->last - axis->first) / (double)axis->cells;
    return true;
}

bool shepard_extent_raster(const struct shepard_extent_options *options,
                           const struct shepard_extent_box *data, struct shepard_raster *raster)
{
    struct extent_axis x = {
        .name = "x", .option = "-txe xmin xmax", .first = data->x_min, .last = data->x_max};
    struct extent_axis y = {
        .name = "y", .option = "-tye ymin ymax", .first = data->y_max, .last = data->y_min};
    if (options->txe.set) {
        x.first = options->txe.v[0];
        x.last = options->txe.v[1];
    }
    if (options->tye.set) {
        y.first = fmax(options->tye.v[0], options->tye.v[1]);
        y.last = fmin(options->tye.v[0], options->tye.v[1]);
    }
    if (!fit(&x, options, 0) || !fit(&y, options, 1)) {
        return false;
    }
    *raster = (struct shepard_raster){.x0 = x.first,
                                      .y0 = y.first,
                                      .dx = x.step,
                                      .dy = y.step,
                                      .columns = x.cells,
                                      .rows = y.cells};
    return true;
}
