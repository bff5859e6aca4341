/* SPDX-License-Identifier: MIT */
/* test_essential [SEED]: processes that each have a part of the points, here one after the other,
 * predict the bits that all points predict. What a process does not have is memory of NaN, or of
 * zeros. */
#include "chance.h"
#include "check.h"

#include "shepard/shepard_essential.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TRIALS 14
#define POINTS_MAX 800000
#define PARTS_MAX 5
#define CELLS_MAX 60000
#define SUBTREES_MAX (POINTS_MAX / SHEPARD_SUBTREE_POINTS + 1)
#define ABSENT_MAX 3
#define ROOM (POINTS_MAX + ABSENT_MAX)

struct data {
    size_t count;
    double x[ROOM], y[ROOM], z[ROOM], w[ROOM];
};

struct scene {
    struct data given, sorted; /* as they came, and along the curve */
    struct shepard_whole whole;
    double low, high, weight_min;
    bool weighted;
    size_t absent; /* places without a value, behind the points as they came */
    size_t subtrees, branches, parts;
    size_t first[PARTS_MAX + 1]; /* branch of each part */
    struct shepard_parameters parameters;
    struct shepard_raster raster;
    struct shepard_window windows[PARTS_MAX];
};

/* ---- scenes ---------------------------------------------------------------------------------- */

/* Uniform, in clusters of every size, along a line, or on a grid with many ties. */
static void place(struct chance *chance, int shape, double *x, double *y)
{
    const double u = chance_unit(chance), v = chance_unit(chance);
    const double radius = exp(chance_range(chance, -12, 0)), turn = 6.283 * v;
    *x = shape == 1 ? radius * cos(turn) : shape == 3 ? floor(u * 128) / 128 : u;
    *y = shape == 1   ? radius * sin(turn)
         : shape == 2 ? u * 0.7 + 1e-4 * v
         : shape == 3 ? floor(v * 128) / 128
                      : v;
}

static void make_points(struct scene *scene, int shape, size_t count, struct chance *chance)
{
    struct data *data = &scene->given;
    const double scale = exp(chance_range(chance, -5, 15)), x0 = scale * chance_unit(chance);
    data->count = count;
    scene->weighted = chance_below(chance, 2);
    for (size_t i = 0; i < data->count; i++) {
        place(chance, shape, &data->x[i], &data->y[i]);
        data->x[i] = x0 + scale * data->x[i];
        data->y[i] = scale * data->y[i];
        data->z[i] = chance_normal(chance);
        data->w[i] = scene->weighted ? 0.01 + chance_unit(chance) : 1;
    }
}

/* Some places without a value, most of them outside the points' box. */
static void add_absent(struct scene *scene, struct chance *chance)
{
    struct data *data = &scene->given;
    struct shepard_whole *whole = &scene->whole;
    const double size = fmax(whole->x_max - whole->x_min, whole->y_max - whole->y_min);
    whole->place_x_min = whole->x_min;
    whole->place_x_max = whole->x_max;
    whole->place_y_min = whole->y_min;
    whole->place_y_max = whole->y_max;
    scene->absent = 1 + chance_below(chance, ABSENT_MAX);
    for (size_t i = data->count; i < data->count + scene->absent; i++) {
        data->x[i] = whole->x_min + size * chance_range(chance, -1, 2);
        data->y[i] = whole->y_min + size * chance_range(chance, -1, 2);
        data->z[i] = NAN;
        data->w[i] = 1;
        whole->place_x_min = fmin(whole->place_x_min, data->x[i]);
        whole->place_x_max = fmax(whole->place_x_max, data->x[i]);
        whole->place_y_min = fmin(whole->place_y_min, data->y[i]);
        whole->place_y_max = fmax(whole->place_y_max, data->y[i]);
    }
}

static void measure(struct scene *scene)
{
    const struct data *data = &scene->given;
    struct shepard_whole whole = {.size = sizeof whole,
                                  .points = data->count,
                                  .x_min = INFINITY,
                                  .x_max = -INFINITY,
                                  .y_min = INFINITY,
                                  .y_max = -INFINITY,
                                  .column_count = 1,
                                  .value_min = &scene->low,
                                  .value_max = &scene->high};
    scene->low = scene->weight_min = INFINITY;
    scene->high = -INFINITY;
    for (size_t i = 0; i < data->count; i++) {
        whole.x_min = fmin(whole.x_min, data->x[i]);
        whole.x_max = fmax(whole.x_max, data->x[i]);
        whole.y_min = fmin(whole.y_min, data->y[i]);
        whole.y_max = fmax(whole.y_max, data->y[i]);
        whole.weight_max = fmax(whole.weight_max, data->w[i]);
        scene->weight_min = fmin(scene->weight_min, data->w[i]);
        scene->low = fmin(scene->low, data->z[i]);
        scene->high = fmax(scene->high, data->z[i]);
    }
    scene->whole = whole;
    scene->absent = 0;
}

static void choose(struct scene *scene, struct chance *chance)
{
    struct shepard_parameters *parameters = &scene->parameters;
    const double extent = scene->whole.x_max - scene->whole.x_min;
    shepard_parameters_init(parameters);
    parameters->method = chance_below(chance, 2) ? SHEPARD_METHOD_AIDW : SHEPARD_METHOD_IDW;
    parameters->power = chance_below(chance, 2) ? 2 : chance_range(chance, 0.5, 6);
    parameters->precision =
        chance_below(chance, 2) ? SHEPARD_PRECISION_SINGLE : SHEPARD_PRECISION_DOUBLE;
    parameters->eps = pow(
        10, chance_range(chance, parameters->precision == SHEPARD_PRECISION_SINGLE ? -5 : -9, -2));
    parameters->smoothing = chance_below(chance, 3) == 0 ? extent * 1e-3 : 0;
    parameters->adaptive.k = 1 + chance_below(chance, 30);
    parameters->adaptive.area = chance_below(chance, 2) ? extent * extent : 0;
}

/* Rasters from coarse to dense, of which some lie outside the points; rows may run either way. */
static void make_raster(struct scene *scene, struct chance *chance)
{
    const struct shepard_whole *whole = &scene->whole;
    const double width = whole->x_max - whole->x_min, height = whole->y_max - whole->y_min;
    const double size = exp(chance_range(chance, -4, 0.5));
    const size_t columns = 40 + chance_below(chance, 200), rows = 40 + chance_below(chance, 200);
    const double side = size * fmax(width, height) / (double)columns;
    scene->raster = (struct shepard_raster){
        .x0 = whole->x_min + width * chance_range(chance, -0.2, 1 - size / 2),
        .y0 = whole->y_min + height * chance_range(chance, -0.2, 1 - size / 2),
        .dx = side,
        .dy = chance_below(chance, 2) ? side : -side,
        .columns = columns,
        .rows = rows};
    if (scene->raster.dy < 0)
        scene->raster.y0 += side * (double)rows;
}

/* Bands of rows, one a part. */
static void divide(struct scene *scene, struct chance *chance)
{
    const struct shepard_raster *raster = &scene->raster;
    scene->subtrees = (scene->whole.points - 1) / SHEPARD_SUBTREE_POINTS + 1;
    scene->branches = (scene->whole.points - 1) / SHEPARD_BRANCH_POINTS + 1;
    scene->parts = 1 + chance_below(chance, PARTS_MAX);
    for (size_t p = 0; p < scene->parts; p++) {
        const size_t row = raster->rows * p / scene->parts;
        scene->first[p] = scene->branches * p / scene->parts;
        scene->windows[p] =
            (struct shepard_window){.row = row,
                                    .columns = raster->columns,
                                    .rows = raster->rows * (p + 1) / scene->parts - row};
    }
    scene->first[scene->parts] = scene->branches;
}

static struct shepard_coordinates coordinates_of(const struct data *data, size_t first, size_t end)
{
    return (struct shepard_coordinates){.size = sizeof(struct shepard_coordinates),
                                        .count = end - first,
                                        .x = shepard_doubles(data->x + first),
                                        .y = shepard_doubles(data->y + first)};
}

/* ---- the order ------------------------------------------------------------------------------- */

static void move(const struct data *from, size_t i, struct data *to, size_t j)
{
    to->x[j] = from->x[i];
    to->y[j] = from->y[i];
    to->z[j] = from->z[i];
    to->w[j] = from->w[i];
}

/* Points of the keys from low to high, in their order, behind those that are sorted. */
static void sort_stretch(struct scene *scene, const uint32_t *keys, uint64_t low, uint64_t high)
{
    static struct data stretch;
    static uint32_t order[POINTS_MAX];
    struct data *sorted = &scene->sorted;
    struct shepard_error error = {.message = ""};
    stretch.count = 0;
    for (size_t i = 0; i < scene->given.count; i++)
        if (keys[i] >= low && keys[i] < high)
            move(&scene->given, i, &stretch, stretch.count++);
    if (stretch.count == 0)
        return;
    const struct shepard_coordinates coordinates = coordinates_of(&stretch, 0, stretch.count);
    check(shepard_essential_order(&scene->whole, &coordinates, 2, order, &error) == SHEPARD_OK,
          "%s", error.message);
    for (size_t i = 0; i < stretch.count; i++)
        move(&stretch, order[i], sorted, sorted->count++);
}

/* As processes do it that have a stretch of the curve each. */
static void sort_points(struct scene *scene, struct chance *chance)
{
    static uint32_t keys[POINTS_MAX];
    struct shepard_error error = {.message = ""};
    const struct shepard_coordinates all = coordinates_of(&scene->given, 0, scene->given.count);
    uint64_t low = 0;
    check(shepard_essential_keys(&scene->whole, &all, keys, &error) == SHEPARD_OK, "%s",
          error.message);
    scene->sorted.count = 0;
    for (size_t p = 0; p < scene->parts; p++) {
        const uint64_t cut = keys[chance_below(chance, scene->given.count)];
        const uint64_t high = p + 1 == scene->parts ? (uint64_t)1 << 32 : cut;
        if (high > low) {
            sort_stretch(scene, keys, low, high);
            low = high;
        }
    }
    check(scene->sorted.count == scene->given.count, "points were lost");
}

/* ---- processes ------------------------------------------------------------------------------- */

/* What new memory is filled with: bytes that make NaN, or zeros. */
static int pattern = 0xff;

static void *allocate_pattern(size_t bytes, void *user)
{
    void *block = malloc(bytes);
    (void)user;
    if (block != NULL)
        memset(block, pattern, bytes);
    return block;
}

static void release_pattern(void *block, void *user)
{
    (void)user;
    free(block);
}

static const struct shepard_allocator pattern_memory = {.allocate = allocate_pattern,
                                                        .release = release_pattern};

static struct shepard_essential *create_in(struct scene *scene, size_t part,
                                           const struct shepard_allocator *memory,
                                           struct shepard_error *error)
{
    struct shepard_points_options points;
    struct shepard_essential *essential = NULL;
    shepard_points_options_init(&points);
    points.part_of = &scene->whole;
    points.threads = 2;
    points.allocator = memory;
    points.backend = SHEPARD_BACKEND_CPU;
    const struct shepard_essential_options options = {.size = sizeof options,
                                                      .points = &points,
                                                      .weighted = scene->weighted,
                                                      .weight_min = scene->weight_min,
                                                      .parameters = &scene->parameters,
                                                      .raster = scene->raster,
                                                      .windows = &scene->windows[part],
                                                      .window_count = 1};
    shepard_essential_create(&options, &essential, error);
    return essential;
}

static struct shepard_essential *create(struct scene *scene, size_t part)
{
    struct shepard_error error = {.message = ""};
    struct shepard_essential *essential = create_in(scene, part, &pattern_memory, &error);
    check(essential != NULL, "%s", error.message);
    return essential;
}

/* Subtrees first to end - 1, which follow on each other. */
static enum shepard_status add_subtrees(struct shepard_essential *essential,
                                        const struct scene *scene, size_t first, size_t end,
                                        double *summaries, struct shepard_error *error)
{
    size_t numbers[SUBTREES_MAX];
    const size_t from = first * SHEPARD_SUBTREE_POINTS;
    const size_t to = end == scene->subtrees ? scene->whole.points : end * SHEPARD_SUBTREE_POINTS;
    const struct shepard_coordinates coordinates = coordinates_of(&scene->sorted, from, to);
    const struct shepard_array column = shepard_doubles(scene->sorted.z + from);
    const struct shepard_values values = {
        .size = sizeof values,
        .column_count = 1,
        .columns = &column,
        .weights = shepard_doubles(scene->weighted ? scene->sorted.w + from : NULL)};
    for (size_t s = first; s < end; s++)
        numbers[s - first] = s;
    const struct shepard_subtrees subtrees = {.size = sizeof subtrees,
                                              .subtrees = numbers,
                                              .count = end - first,
                                              .coordinates = &coordinates,
                                              .values = &values};
    return shepard_essential_add(essential, &subtrees, summaries, error);
}

static void add_run(struct shepard_essential *essential, const struct scene *scene, size_t first,
                    size_t end, double *summaries)
{
    struct shepard_error error = {.message = ""};
    check(add_subtrees(essential, scene, first, end, summaries, &error) == SHEPARD_OK, "%s",
          error.message);
}

/* The first subtree of a branch, or past the last one. */
static size_t subtree_of(const struct scene *scene, size_t branch)
{
    const size_t first = branch * SHEPARD_BRANCH_SUBTREES;
    return first < scene->subtrees ? first : scene->subtrees;
}

/* Summaries of all, which the parts make. */
struct summaries {
    size_t each;
    double *subtrees, *branches;
};

/* What a part has, and its summaries. */
static bool add_own(struct shepard_essential *essential, const struct scene *scene, size_t part,
                    const struct summaries *all)
{
    size_t branches[SUBTREES_MAX];
    struct shepard_error error = {.message = ""};
    const size_t first = scene->first[part], end = scene->first[part + 1];
    double *own = all->subtrees + subtree_of(scene, first) * all->each;
    for (size_t b = first; b < end; b++)
        branches[b - first] = b;
    const struct shepard_branches list = {
        .size = sizeof list, .branches = branches, .count = end - first};
    if (end > first)
        add_run(essential, scene, subtree_of(scene, first), subtree_of(scene, end), own);
    return check(shepard_essential_join(essential, &list, own, all->branches + first * all->each,
                                        &error) == SHEPARD_OK,
                 "%s", error.message);
}

/* What others have for it; returns how many subtrees. */
static size_t fetch(struct shepard_essential *essential, const struct scene *scene, size_t part,
                    const struct summaries *all)
{
    unsigned char opened[SUBTREES_MAX], needed[SUBTREES_MAX];
    size_t branches[SUBTREES_MAX], count = 0, subtrees = 0, fetched = 0;
    double *some = malloc(scene->subtrees * all->each * sizeof *some);
    struct shepard_error error = {.message = ""};
    check(shepard_essential_open(essential, all->branches, opened, &error) == SHEPARD_OK, "%s",
          error.message);
    for (size_t b = 0; b < scene->branches; b++)
        for (size_t s = subtree_of(scene, b); opened[b] && s < subtree_of(scene, b + 1); s++) {
            branches[count] = b;
            count += s + 1 == subtree_of(scene, b + 1);
            memcpy(some + subtrees++ * all->each, all->subtrees + s * all->each,
                   all->each * sizeof *some);
        }
    const struct shepard_branches list = {
        .size = sizeof list, .branches = branches, .count = count};
    check(shepard_essential_need(essential, &list, some, needed, &error) == SHEPARD_OK, "%s",
          error.message);
    subtrees = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t s = subtree_of(scene, branches[i]); s < subtree_of(scene, branches[i] + 1); s++)
            if (needed[subtrees++] &&
                (branches[i] < scene->first[part] || branches[i] >= scene->first[part + 1])) {
                add_run(essential, scene, s, s + 1, NULL);
                fetched++;
            }
    free(some);
    return fetched;
}

static bool predict(const struct scene *scene, const struct shepard_field *field,
                    const struct shepard_window *window, double *cells)
{
    struct shepard_error error = {.message = ""};
    const struct shepard_targets targets = {.size = sizeof targets,
                                            .kind = SHEPARD_TARGETS_WINDOW,
                                            .raster = scene->raster,
                                            .window = *window};
    const struct shepard_output_array values = {cells + window->row * scene->raster.columns,
                                                SHEPARD_FLOAT64, sizeof(double)};
    const struct shepard_output output = {.size = sizeof output, .values = &values};
    return check(shepard_predict(field, &scene->parameters, &targets, &output, NULL, &error) ==
                     SHEPARD_OK,
                 "%s", error.message);
}

static struct summaries make_summaries(const struct scene *scene, size_t each)
{
    return (struct summaries){each, malloc(scene->subtrees * each * sizeof(double)),
                              malloc(scene->branches * each * sizeof(double))};
}

static void free_summaries(struct summaries *summaries)
{
    free(summaries->subtrees);
    free(summaries->branches);
}

/* By all parts; returns the share of the subtrees that a part has on average. */
static double predict_parts(struct scene *scene, double *cells)
{
    struct shepard_essential *part[PARTS_MAX];
    struct shepard_error error = {.message = ""};
    struct summaries summaries = {0};
    size_t there = scene->subtrees;
    for (size_t p = 0; p < scene->parts; p++) {
        part[p] = create(scene, p);
        if (part[p] == NULL)
            return 0;
        if (summaries.each == 0)
            summaries = make_summaries(scene, shepard_essential_numbers(part[p]));
        add_own(part[p], scene, p, &summaries);
    }
    for (size_t p = 0; p < scene->parts; p++) {
        struct shepard_field *field = NULL;
        there += fetch(part[p], scene, p, &summaries);
        check(shepard_essential_finish(part[p], &field, &error) == SHEPARD_OK, "%s", error.message);
        predict(scene, field, &scene->windows[p], cells);
        shepard_essential_free(part[p]);
    }
    free_summaries(&summaries);
    return (double)there / (double)(scene->parts * scene->subtrees);
}

static void predict_all(struct scene *scene, double *cells)
{
    struct shepard_error error = {.message = ""};
    struct shepard_points *points = NULL;
    struct shepard_field *field = NULL;
    struct shepard_points_options options;
    const struct shepard_coordinates coordinates =
        coordinates_of(&scene->given, 0, scene->given.count + scene->absent);
    const struct shepard_array column = shepard_doubles(scene->given.z);
    const struct shepard_values values = {
        .size = sizeof values,
        .column_count = 1,
        .columns = &column,
        .weights = shepard_doubles(scene->weighted ? scene->given.w : NULL)};
    const struct shepard_window all = {.columns = scene->raster.columns,
                                       .rows = scene->raster.rows};
    shepard_points_options_init(&options);
    options.backend = SHEPARD_BACKEND_CPU;
    options.threads = 2;
    if (check(shepard_points_create(&coordinates, &options, &points, &error) == SHEPARD_OK &&
                  shepard_field_create(points, &values, &field, &error) == SHEPARD_OK,
              "%s", error.message))
        predict(scene, field, &all, cells);
    shepard_field_free(field);
    shepard_points_free(points);
}

/* ---- trials ---------------------------------------------------------------------------------- */

static void make_scene(struct scene *scene, int shape, size_t count, struct chance *chance)
{
    make_points(scene, shape, count, chance);
    measure(scene);
    if (chance_below(chance, 2))
        add_absent(scene, chance);
    choose(scene, chance);
    make_raster(scene, chance);
    divide(scene, chance);
    sort_points(scene, chance);
}

static void compare(struct scene *scene, struct chance *chance, int trial)
{
    static double want[CELLS_MAX], got[CELLS_MAX];
    const int shape = trial % 4;
    pattern = trial / 4 % 2 ? 0 : 0xff;
    make_scene(scene, shape, (size_t)(POINTS_MAX * exp(chance_range(chance, -3, 0))), chance);
    check_case("trial %d: shape %d, %zu points, %zu places without a value, method %d, power %g, "
               "eps %g, weights %d, smoothing %g, %zu parts",
               trial, shape, scene->given.count, scene->absent, (int)scene->parameters.method,
               scene->parameters.power, scene->parameters.eps, scene->weighted,
               scene->parameters.smoothing, scene->parts);
    predict_all(scene, want);
    const double share = predict_parts(scene, got);
    const size_t cells = scene->raster.columns * scene->raster.rows;
    size_t other = 0;
    for (size_t i = 0; i < cells; i++)
        other += memcmp(&want[i], &got[i], sizeof want[i]) != 0;
    check(other == 0, "%zu of %zu cells have other bits", other, cells);
    if (scene->parts > 1)
        check_measure("share of the subtrees that are not in a part", 1 - share);
}

/* A small raster in a corner needs few of the subtrees. */
static void expect_few(struct scene *scene, struct chance *chance)
{
    make_points(scene, 0, POINTS_MAX, chance);
    measure(scene);
    shepard_parameters_init(&scene->parameters);
    const double side = (scene->whole.x_max - scene->whole.x_min) / 1000;
    scene->raster =
        (struct shepard_raster){scene->whole.x_min, scene->whole.y_min, side, side, 50, 50};
    divide(scene, chance);
    scene->parts = 2;
    scene->first[0] = scene->first[1] = 0;
    scene->first[2] = scene->branches;
    scene->windows[0] = scene->windows[1] = (struct shepard_window){.columns = 50, .rows = 50};
    sort_points(scene, chance);
    struct shepard_essential *none = create(scene, 0), *all = create(scene, 1);
    struct summaries summaries = make_summaries(scene, shepard_essential_numbers(all));
    add_own(all, scene, 1, &summaries);
    const size_t count = fetch(none, scene, 0, &summaries);
    check_case("a raster in a corner");
    check(count >= 1 && count <= scene->subtrees / 8, "%zu of %zu subtrees are needed", count,
          scene->subtrees);
    free_summaries(&summaries);
    shepard_essential_free(none);
    shepard_essential_free(all);
}

/* One part that has all, from adding to finishing. */
static enum shepard_status go_through(struct shepard_essential *essential,
                                      const struct scene *scene, struct shepard_field **field,
                                      struct shepard_error *error)
{
    unsigned char opened[SUBTREES_MAX], needed[SUBTREES_MAX];
    size_t branches[SUBTREES_MAX], count = 0;
    struct summaries all = make_summaries(scene, shepard_essential_numbers(essential));
    struct shepard_branches list = {
        .size = sizeof list, .branches = branches, .count = scene->branches};
    for (size_t b = 0; b < scene->branches; b++)
        branches[b] = b;
    enum shepard_status status =
        add_subtrees(essential, scene, 0, scene->subtrees, all.subtrees, error);
    if (status == SHEPARD_OK)
        status = shepard_essential_join(essential, &list, all.subtrees, all.branches, error);
    if (status == SHEPARD_OK)
        status = shepard_essential_open(essential, all.branches, opened, error);
    for (size_t b = 0; status == SHEPARD_OK && b < scene->branches; b++)
        count += opened[b];
    check(status != SHEPARD_OK || count > 0, "no branch is opened");
    if (status == SHEPARD_OK)
        status = shepard_essential_need(essential, &list, all.subtrees, needed, error);
    if (status == SHEPARD_OK)
        status = shepard_essential_finish(essential, field, error);
    free_summaries(&all);
    return status;
}

static void expect_argument(enum shepard_status status, const char *argument,
                            const struct shepard_error *error)
{
    check(status != SHEPARD_OK && strcmp(error->argument, argument) == 0,
          "error of '%s', not '%s': %s", error->argument, argument, error->message);
}

/* Of a finished tree with one window. */
static void refuse_predictions(struct scene *scene, struct shepard_essential *essential,
                               const struct shepard_field *field)
{
    static double cells[CELLS_MAX];
    struct shepard_error error = {.message = ""};
    struct shepard_targets targets = {.size = sizeof targets,
                                      .kind = SHEPARD_TARGETS_WINDOW,
                                      .raster = scene->raster,
                                      .window = scene->windows[0]};
    const struct shepard_output_array values = {cells, SHEPARD_FLOAT64, sizeof(double)};
    struct shepard_output output = {.size = sizeof output, .values = &values};
    struct shepard_parameters other = scene->parameters;
    other.power += 1;
    other.adaptive.k += 1;
    check_case("errors of a finished tree");
    expect_argument(shepard_predict(field, &other, &targets, &output, NULL, &error), "parameters",
                    &error);
    output.deviations = &values;
    expect_argument(shepard_predict(field, &scene->parameters, &targets, &output, NULL, &error),
                    "output", &error);
    output.deviations = NULL;
    targets.raster.x0 += 1;
    expect_argument(shepard_predict(field, &scene->parameters, &targets, &output, NULL, &error),
                    "targets", &error);
    targets.raster = scene->raster;
    targets.window.rows++;
    expect_argument(shepard_predict(field, &scene->parameters, &targets, &output, NULL, &error),
                    "targets", &error);
    struct shepard_field *again = NULL;
    expect_argument(shepard_essential_finish(essential, &again, &error), "essential", &error);
}

static void refuse(struct scene *scene, struct chance *chance)
{
    struct shepard_error error = {.message = ""};
    struct shepard_field *field = NULL;
    make_scene(scene, 0, 3 * SHEPARD_BRANCH_POINTS, chance);
    scene->parts = 1;
    scene->first[1] = scene->branches;
    scene->windows[0].rows = scene->raster.rows / 2;
    check_case("errors");
    struct shepard_essential *essential = create(scene, 0);
    expect_argument(shepard_essential_finish(essential, &field, &error), "essential", &error);
    const double z = scene->sorted.z[5];
    const struct shepard_coordinates few = coordinates_of(&scene->sorted, 0, 100);
    const struct shepard_array column = shepard_doubles(scene->sorted.z);
    const struct shepard_values values = {
        .size = sizeof values,
        .column_count = 1,
        .columns = &column,
        .weights = shepard_doubles(scene->weighted ? scene->sorted.w : NULL)};
    const size_t zero = 0;
    struct shepard_subtrees subtrees = {.size = sizeof subtrees,
                                        .subtrees = &zero,
                                        .count = 1,
                                        .coordinates = &few,
                                        .values = &values};
    expect_argument(shepard_essential_add(essential, &subtrees, NULL, &error),
                    "subtrees.coordinates", &error);
    scene->sorted.z[5] = NAN;
    const struct shepard_coordinates one =
        coordinates_of(&scene->sorted, 0, SHEPARD_SUBTREE_POINTS);
    subtrees.coordinates = &one;
    expect_argument(shepard_essential_add(essential, &subtrees, NULL, &error), "subtrees.values",
                    &error);
    scene->sorted.z[5] = z;
    const double x = scene->sorted.x[0], y = scene->sorted.y[0];
    const size_t far = SHEPARD_SUBTREE_POINTS - 1;
    scene->sorted.x[0] = scene->sorted.x[far];
    scene->sorted.y[0] = scene->sorted.y[far];
    expect_argument(shepard_essential_add(essential, &subtrees, NULL, &error),
                    "subtrees.coordinates", &error);
    scene->sorted.x[0] = x;
    scene->sorted.y[0] = y;
    check(go_through(essential, scene, &field, &error) == SHEPARD_OK, "%s", error.message);
    refuse_predictions(scene, essential, field);
    shepard_field_free(field);
    shepard_essential_free(essential);
    scene->parameters.eps = 0;
    check(create_in(scene, 0, &pattern_memory, &error) == NULL, "exact sums of a part");
    expect_argument(error.status, "options.parameters", &error);
    scene->whole.points = SHEPARD_BRANCH_POINTS;
    check(create_in(scene, 0, &pattern_memory, &error) == NULL, "one branch");
    expect_argument(error.status, "options.points", &error);
}

/* Of a part that has nothing of its own: what is not brought to it, or not added. */
static void refuse_steps(struct scene *scene, struct chance *chance)
{
    unsigned char opened[SUBTREES_MAX], needed[SUBTREES_MAX];
    size_t branches[SUBTREES_MAX];
    struct shepard_error error = {.message = ""};
    struct shepard_field *field = NULL;
    make_scene(scene, 0, 3 * SHEPARD_BRANCH_POINTS, chance);
    scene->parts = 2;
    scene->first[0] = scene->first[1] = 0;
    scene->first[2] = scene->branches;
    scene->windows[0] = scene->windows[1] =
        (struct shepard_window){.columns = scene->raster.columns, .rows = scene->raster.rows};
    check_case("errors of steps");
    struct shepard_essential *none = create(scene, 0), *all = create(scene, 1);
    struct summaries summaries = make_summaries(scene, shepard_essential_numbers(all));
    add_own(all, scene, 1, &summaries);
    double *const last = summaries.branches + (scene->branches - 1) * summaries.each;
    double *const kept = malloc(summaries.each * sizeof *kept);
    memcpy(kept, last, summaries.each * sizeof *kept);
    memset(last, 0, summaries.each * sizeof *last);
    expect_argument(shepard_essential_open(none, summaries.branches, opened, &error), "summaries",
                    &error);
    memcpy(last, kept, summaries.each * sizeof *last);
    check(shepard_essential_open(none, summaries.branches, opened, &error) == SHEPARD_OK, "%s",
          error.message);
    struct shepard_branches list = {.size = sizeof list, .branches = branches};
    for (size_t b = 0; b < scene->branches; b++)
        if (opened[b])
            branches[list.count++] = b;
    list.count--;
    expect_argument(shepard_essential_need(none, &list, summaries.subtrees, needed, &error),
                    "opened", &error);
    list.count++;
    check(list.count < scene->branches ||
              shepard_essential_need(none, &list, summaries.subtrees, needed, &error) == SHEPARD_OK,
          "%s", error.message);
    if (list.count == scene->branches)
        expect_argument(shepard_essential_finish(none, &field, &error), "essential", &error);
    free(kept);
    free_summaries(&summaries);
    shepard_essential_free(none);
    shepard_essential_free(all);
}

/* ---- memory that runs out -------------------------------------------------------------------- */

/* Fails at one call; how many blocks are held. */
struct failing {
    size_t calls, fails_at, held;
};

static void *allocate_failing(size_t bytes, void *user)
{
    struct failing *failing = user;
    void *block = failing->calls++ == failing->fails_at ? NULL : malloc(bytes);
    failing->held += block != NULL;
    return block;
}

static void release_failing(void *block, void *user)
{
    ((struct failing *)user)->held--;
    free(block);
}

/* Every step with memory that fails once, at each call in turn: an error, and nothing is held. */
static void run_out(struct scene *scene, struct chance *chance)
{
    struct failing failing = {.fails_at = 0};
    const struct shepard_allocator memory = {
        .allocate = allocate_failing, .release = release_failing, .user = &failing};
    enum shepard_status status = SHEPARD_ERROR_MEMORY;
    make_scene(scene, 0, 3 * SHEPARD_BRANCH_POINTS, chance);
    check_case("memory that runs out");
    for (; status == SHEPARD_ERROR_MEMORY && failing.fails_at < 1000; failing.fails_at++) {
        struct shepard_error error = {.message = ""};
        struct shepard_field *field = NULL;
        failing.calls = failing.held = 0;
        struct shepard_essential *essential = create_in(scene, 0, &memory, &error);
        status = essential != NULL ? go_through(essential, scene, &field, &error) : error.status;
        shepard_essential_free(essential);
        check(failing.held == 0, "%zu blocks are lost", failing.held);
    }
    check(status == SHEPARD_OK && failing.fails_at > 20, "status %d after %zu failures",
          (int)status, failing.fails_at);
}

int main(int argc, char **argv)
{
    const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : (uint64_t)time(NULL);
    static struct scene scene;
    struct chance chance = {seed};
    printf("seed %llu\n", (unsigned long long)seed);
    for (int trial = 0; trial < TRIALS; trial++)
        compare(&scene, &chance, trial);
    expect_few(&scene, &chance);
    refuse(&scene, &chance);
    refuse_steps(&scene, &chance);
    run_out(&scene, &chance);
    return check_finish("locally essential trees");
}
