/* SPDX-License-Identifier: MIT */
/* GDAL's own gridding algorithms, for what shepard does not compute itself. */
#include "io_error.h"
#include "number_text.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <float.h>
#include <gdal_alg.h>
#include <gdalgrid.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SHEPARD_GDAL_HAS_GRID_PARSE
#define PARSE_ALGORITHM GDALGridParseAlgorithmAndOptions
#else
#define PARSE_ALGORITHM ParseAlgorithmAndOptions
#endif

/* ---- The algorithms and their keys ----------------------------------------------------------- */

enum { KEYS_MAX = 13 };

struct algorithm {
    const char *name;
    const char *keys[KEYS_MAX]; /* ends with NULL */
};

#define SEARCH_KEYS                                                                                \
    "radius", "radius1", "radius2", "angle", "min_points", "max_points_per_quadrant",              \
        "min_points_per_quadrant", "nodata"

static const struct algorithm algorithms[] = {
    {"linear", {"radius", "nodata"}},
    {"average", {SEARCH_KEYS, "max_points"}},
    {"nearest", {"radius", "radius1", "radius2", "angle", "nodata"}},
    {"minimum", {SEARCH_KEYS}},
    {"maximum", {SEARCH_KEYS}},
    {"range", {SEARCH_KEYS}},
    {"count", {SEARCH_KEYS}},
    {"average_distance", {SEARCH_KEYS}},
    {"average_distance_pts", {SEARCH_KEYS}},
    {"invdist",
     {"power", "smoothing", "radius", "radius1", "radius2", "angle", "max_points", "min_points",
      "max_points_per_quadrant", "min_points_per_quadrant", "nodata"}},
    {"invdistnn",
     {"power", "smoothing", "radius", "max_points", "min_points", "max_points_per_quadrant",
      "min_points_per_quadrant", "nodata"}},
};
enum { ALGORITHMS = sizeof algorithms / sizeof *algorithms };

const char *shepard_gdal_algorithm_name(size_t i)
{
    return i < ALGORITHMS ? algorithms[i].name : NULL;
}

static const struct algorithm *find_algorithm(const char *name)
{
    for (size_t i = 0; i < ALGORITHMS; i++)
        if (strcmp(algorithms[i].name, name) == 0)
            return &algorithms[i];
    return NULL;
}

static enum shepard_io_status fail_name(const char *name, struct shepard_io_error *error)
{
    const char *names[ALGORITHMS];
    for (size_t i = 0; i < ALGORITHMS; i++)
        names[i] = algorithms[i].name;
    const char *nearest = shepard_nearest_name(name, names, ALGORITHMS);
    char guess[80] = "", list[300] = "";
    if (nearest)
        shepard_text_append(guess, sizeof guess, "did you mean \"%s\"? ", nearest);
    shepard_text_append_names(list, sizeof list, names, ALGORITHMS, ALGORITHMS);
    return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "algorithm",
                           "GDAL has no algorithm \"%.60s\"; %sthere are %s", name, guess, list);
}

static enum shepard_io_status fail_key(const struct algorithm *algorithm, const char *key,
                                       struct shepard_io_error *error)
{
    size_t count = 0;
    while (count < KEYS_MAX && algorithm->keys[count])
        count++;
    const char *nearest = shepard_nearest_name(key, algorithm->keys, count);
    char guess[80] = "", list[300] = "";
    if (nearest)
        shepard_text_append(guess, sizeof guess, "did you mean \"%s\"? ", nearest);
    shepard_text_append_names(list, sizeof list, algorithm->keys, count, count);
    return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "algorithm",
                           "the algorithm %s has no key \"%.60s\"; %sits keys are %s",
                           algorithm->name, key, guess, list);
}

static bool has_key(const struct algorithm *algorithm, const char *key)
{
    for (size_t i = 0; i < KEYS_MAX && algorithm->keys[i]; i++)
        if (strcmp(algorithm->keys[i], key) == 0)
            return true;
    return false;
}

/* ---- The text of -a -------------------------------------------------------------------------- */

static bool value_fits(const struct algorithm *algorithm, const char *key, double value)
{
    if (strcmp(key, "nodata") == 0 || strcmp(key, "angle") == 0)
        return true;
    if (strstr(key, "points"))
        return value >= 0.0 && value <= UINT_MAX && value == floor(value);
    if (strcmp(algorithm->name, "linear") == 0)
        return value >= 0.0 || value == -1.0;
    return value >= 0.0;
}

static bool is_nan_text(const char *text)
{
    return EQUAL(text, "nan") || EQUAL(text, "-nan");
}

static enum shepard_io_status check_pair(const struct algorithm *algorithm, const char *pair,
                                         struct shepard_gdal_algorithm *parsed,
                                         struct shepard_io_error *error)
{
    char key[60];
    const char *equals = strchr(pair, '=');
    snprintf(key, sizeof key, "%.*s", (int)(equals ? equals - pair : (ptrdiff_t)strlen(pair)),
             pair);
    if (!has_key(algorithm, key))
        return fail_key(algorithm, key, error);
    const char *text = equals ? equals + 1 : "";
    const bool nodata = strcmp(key, "nodata") == 0;
    double value;
    const bool number =
        shepard_number_from_text(text, strlen(text), &value) == SHEPARD_VALUE_NUMBER;
    if (!(number && value_fits(algorithm, key, value)) && !(nodata && is_nan_text(text)))
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "algorithm",
                               "%s of the algorithm %s cannot be \"%.60s\": it takes %s", key,
                               algorithm->name, text,
                               strstr(key, "points") ? "a whole number, at least 0" : "a number");
    if (nodata) {
        parsed->nodata_given = true;
        parsed->nodata = value;
    }
    return SHEPARD_IO_OK;
}

struct said {
    char text[400];
};

static void collect(const char *message, void *user)
{
    struct said *said = user;
    shepard_text_append(said->text, sizeof said->text, "%s", message);
}

/* GDAL's own options; what it would only warn of, such as a key without effect, is an error. */
static enum shepard_io_status gdal_options(const char *text, GDALGridAlgorithm *number,
                                           void **options, struct shepard_io_error *error)
{
    struct said said = {""};
    const struct shepard_io_control control = {.warning = collect, .user = &said};
    struct shepard_gdal_error_scope trap;
    shepard_gdal_error_scope_begin(&trap, &control);
    *options = NULL;
    const CPLErr failed = PARSE_ALGORITHM(text, number, options);
    enum shepard_io_status status = SHEPARD_IO_OK;
    if (failed != CE_None || said.text[0])
        status = shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "algorithm",
                                 "the algorithm \"%.200s\" cannot be used (GDAL: %s%s)", text,
                                 said.text, trap.text);
    if (status) {
        CPLFree(*options);
        *options = NULL;
    }
    return shepard_gdal_error_scope_end(&trap, status);
}

enum shepard_io_status shepard_gdal_algorithm_parse(const char *text,
                                                    struct shepard_gdal_algorithm *algorithm,
                                                    struct shepard_io_error *error)
{
    if (!text || !algorithm)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "algorithm", "no algorithm given");
    *algorithm = (struct shepard_gdal_algorithm){.nodata = 0.0};
    char **parts = CSLTokenizeString2(text, ":", CSLT_STRIPLEADSPACES | CSLT_STRIPENDSPACES);
    const char *name = parts && parts[0] ? parts[0] : "";
    const struct algorithm *known = find_algorithm(name);
    enum shepard_io_status status = known ? SHEPARD_IO_OK : fail_name(name, error);
    if (known)
        snprintf(algorithm->name, sizeof algorithm->name, "%s", name);
    for (int i = 1; !status && parts[i]; i++)
        status = check_pair(known, parts[i], algorithm, error);
    CSLDestroy(parts);
    GDALGridAlgorithm number;
    void *options = NULL;
    if (!status)
        status = gdal_options(text, &number, &options, error);
    CPLFree(options);
    return status;
}

/* ---- Gridding -------------------------------------------------------------------------------- */

struct shepard_gdal_grid {
    GDALGridContext *context;
    void *options;
    size_t count;
    double *x, *y, *z; /* the context works on them */
};

static bool copy_points(struct shepard_gdal_grid *grid, size_t count, const double *x,
                        const double *y, const double *z)
{
    grid->x = malloc(count * sizeof *grid->x);
    grid->y = malloc(count * sizeof *grid->y);
    grid->z = malloc(count * sizeof *grid->z);
    if (!grid->x || !grid->y || !grid->z)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(x[i]) || !isfinite(y[i]) || !isfinite(z[i]))
            continue;
        grid->x[grid->count] = x[i];
        grid->y[grid->count] = y[i];
        grid->z[grid->count++] = z[i];
    }
    return true;
}

/* Whether some three points make a triangle. qhull, behind GDAL's linear, prints what it thinks of
   others. */
static bool spans_plane(const struct shepard_gdal_grid *grid)
{
    size_t far = 0;
    double length2 = 0.0;
    for (size_t i = 1; i < grid->count; i++) {
        const double dx = grid->x[i] - grid->x[0], dy = grid->y[i] - grid->y[0];
        if (dx * dx + dy * dy > length2) {
            length2 = dx * dx + dy * dy;
            far = i;
        }
    }
    const double fx = grid->x[far] - grid->x[0], fy = grid->y[far] - grid->y[0];
    /* What rounding of the coordinates alone may make of a triangle without height. */
    const double size = fmax(fabs(grid->x[0]), fabs(grid->y[0])) + sqrt(length2);
    const double noise = 8.0 * DBL_EPSILON * size * sqrt(length2);
    for (size_t i = 1; i < grid->count; i++) {
        const double dx = grid->x[i] - grid->x[0], dy = grid->y[i] - grid->y[0];
        if (fabs(fx * dy - fy * dx) > noise)
            return true;
    }
    return false;
}

static enum shepard_io_status make_context(struct shepard_gdal_grid *grid, const char *algorithm,
                                           struct shepard_io_error *error)
{
    GDALGridAlgorithm number;
    enum shepard_io_status status = gdal_options(algorithm, &number, &grid->options, error);
    if (status)
        return status;
    if (number == GGA_Linear && !spans_plane(grid))
        return shepard_io_fail(error, SHEPARD_IO_ERROR_NO_POINTS, "points",
                               "linear needs at least three points that are not on one line; the "
                               "number of points is %zu",
                               grid->count);
    struct shepard_gdal_error_scope trap;
    shepard_gdal_error_scope_begin(&trap, NULL);
    grid->context = GDALGridContextCreate(number, grid->options, (GUInt32)grid->count, grid->x,
                                          grid->y, grid->z, TRUE);
    if (!grid->context)
        status = shepard_io_fail(error, SHEPARD_IO_ERROR_WRITE, "algorithm",
                                 "GDAL cannot compute \"%.200s\" from %zu point%s%s", algorithm,
                                 grid->count, grid->count == 1 ? "" : "s",
                                 shepard_gdal_error_scope_text(&trap));
    return shepard_gdal_error_scope_end(&trap, status);
}

static enum shepard_io_status fill_grid(struct shepard_gdal_grid *grid, const char *algorithm,
                                        size_t count, const double *const xyz[3],
                                        struct shepard_io_error *error)
{
    if (count > 0 && !copy_points(grid, count, xyz[0], xyz[1], xyz[2]))
        return shepard_io_fail_memory(error);
    if (grid->count == 0)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_NO_POINTS, "points",
                               "no point has finite coordinates and a finite value");
    return make_context(grid, algorithm, error);
}

enum shepard_io_status shepard_gdal_grid_create(const char *algorithm, size_t count,
                                                const double *x, const double *y, const double *z,
                                                struct shepard_gdal_grid **grid,
                                                struct shepard_io_error *error)
{
    struct shepard_gdal_algorithm parsed;
    const enum shepard_io_status wrong = shepard_gdal_algorithm_parse(algorithm, &parsed, error);
    if (wrong)
        return wrong;
    if (!grid || (count > 0 && (!x || !y || !z)))
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "points",
                               "x, y, z and grid must not be NULL");
    if (count > INT_MAX)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_SIZE, "points",
                               "GDAL's algorithms take at most %d points, not %zu", INT_MAX, count);
    struct shepard_gdal_grid *made = calloc(1, sizeof *made);
    if (!made)
        return shepard_io_fail_memory(error);
    const double *const xyz[3] = {x, y, z};
    const enum shepard_io_status status = fill_grid(made, algorithm, count, xyz, error);
    if (status)
        shepard_gdal_grid_free(made);
    else
        *grid = made;
    return status;
}

static enum shepard_io_status process(const struct shepard_gdal_grid *grid,
                                      const struct shepard_raster *raster,
                                      const struct shepard_window *window, double *values,
                                      const struct shepard_io_control *control,
                                      struct shepard_gdal_error_scope *trap,
                                      struct shepard_io_error *error)
{
    const double column = (double)window->column, row = (double)window->row;
    const double x_first = raster->x0 + raster->dx * column;
    const double y_first = raster->y0 + raster->dy * row;
    const double x_last = raster->x0 + raster->dx * (column + (double)window->columns);
    const double y_last = raster->y0 + raster->dy * (row + (double)window->rows);
    struct shepard_gdal_progress progress = {control, false};
    const CPLErr failed = GDALGridContextProcess(
        grid->context, x_first, x_last, y_first, y_last, (GUInt32)window->columns,
        (GUInt32)window->rows, GDT_Float64, values, shepard_gdal_progress, &progress);
    if (failed == CE_None)
        return SHEPARD_IO_OK;
    if (progress.cancelled)
        return shepard_io_fail_cancelled(error);
    return shepard_io_fail(error, SHEPARD_IO_ERROR_WRITE, "algorithm", "GDAL's gridding failed%s",
                           shepard_gdal_error_scope_text(trap));
}

enum shepard_io_status shepard_gdal_grid_run(const struct shepard_gdal_grid *grid,
                                             const struct shepard_raster *raster,
                                             const struct shepard_window *window, double *values,
                                             const struct shepard_io_control *control,
                                             struct shepard_io_error *error)
{
    if (!grid || !raster || !values)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "grid",
                               "grid, raster and values must not be NULL");
    const struct shepard_window whole = {0, 0, raster->columns, raster->rows};
    const struct shepard_window *part = window ? window : &whole;
    if (part->columns == 0 || part->rows == 0)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "window", "the window is empty");
    if (part->columns > INT_MAX || part->rows > INT_MAX)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_SIZE, "window",
                               "GDAL grids at most %d columns and rows at once", INT_MAX);
    struct shepard_gdal_error_scope trap;
    shepard_gdal_error_scope_begin(&trap, control);
    const enum shepard_io_status status =
        process(grid, raster, part, values, control, &trap, error);
    return shepard_gdal_error_scope_end(&trap, status);
}

void shepard_gdal_grid_free(struct shepard_gdal_grid *grid)
{
    if (!grid)
        return;
    if (grid->context)
        GDALGridContextFree(grid->context);
    CPLFree(grid->options);
    free(grid->x);
    free(grid->y);
    free(grid->z);
    free(grid);
}
