/* SPDX-License-Identifier: MIT */
/* Every argument that is wrong: which call refuses it, with which status and name. */
#include "check.h"
#include "check_error.h"
#include "results.h"
#include "suite.h"

#include <string.h>

/* A member of struct model_options that does not keep its rule. */
struct bad_option {
    char type; /* double, size_t, int or enum */
    size_t offset;
    double value;
    const char *argument; /* the first part is enough */
    enum shepard_status status;
};

#define BAD(type, member, value, argument, status)                                                 \
    {                                                                                              \
        type, offsetof(struct model_options, member), value, argument, SHEPARD_ERROR_##status      \
    }
#define BAD_OPTION(type, field, value) BAD(type, points.field, value, "options." #field, ARGUMENT)
#define BAD_PARAMETER(type, field, value)                                                          \
    BAD(type, parameters.field, value, "parameters." #field, ARGUMENT)

static const struct bad_option bad_options[] = {
    BAD_OPTION('s', size, 0),
    BAD_OPTION('s', size, 8),
    BAD_OPTION('s', size, 1e6),
    BAD_OPTION('i', metric, 7),
    BAD_OPTION('d', anisotropy_ratio, 0),
    BAD_OPTION('d', anisotropy_ratio, -2),
    BAD_OPTION('d', anisotropy_ratio, 1e-7),
    BAD_OPTION('d', anisotropy_ratio, 2e6),
    BAD_OPTION('d', anisotropy_ratio, INFINITY),
    BAD_OPTION('d', anisotropy_ratio, NAN),
    BAD_OPTION('d', anisotropy_angle, INFINITY),
    BAD_OPTION('d', anisotropy_angle, NAN),
    BAD_OPTION('i', threads, -1),
    BAD_OPTION('i', threads, 5000),
    BAD_OPTION('i', device, -2),
    BAD('i', points.backend, 77, "options.backend", BACKEND),
    BAD('i', points.backend, -1, "options.backend", BACKEND),
};

static const struct bad_option bad_parameters[] = {
    BAD_PARAMETER('s', size, 0),
    BAD_PARAMETER('s', size, 8),
    BAD_PARAMETER('s', size, 1e6),
    BAD_PARAMETER('i', method, 9),
    BAD_PARAMETER('d', power, 0),
    BAD_PARAMETER('d', power, -2),
    BAD_PARAMETER('d', power, 100.5),
    BAD_PARAMETER('d', power, NAN),
    BAD_PARAMETER('d', smoothing, -1),
    BAD_PARAMETER('d', smoothing, INFINITY),
    BAD_PARAMETER('i', degree, 2),
    BAD_PARAMETER('i', degree, -1),
    BAD_PARAMETER('d', ridge, -1e-9),
    BAD_PARAMETER('d', ridge, NAN),
    BAD_PARAMETER('d', damping, -1e-9),
    BAD_PARAMETER('d', damping, INFINITY),
    BAD_PARAMETER('s', neighbourhood.min_points, 6),
    BAD_PARAMETER('d', neighbourhood.radius1, -1),
    BAD_PARAMETER('d', neighbourhood.radius1, INFINITY),
    BAD_PARAMETER('d', neighbourhood.radius2, NAN),
    BAD_PARAMETER('d', neighbourhood.radius2, 1),
    BAD_PARAMETER('d', neighbourhood.angle, INFINITY),
    BAD_PARAMETER('i', neighbourhood.sectors, 0),
    BAD_PARAMETER('i', neighbourhood.sectors, 3),
    BAD_PARAMETER('s', neighbourhood.min_points_per_sector, 5),
    BAD_PARAMETER('s', adaptive.k, 0),
    BAD('d', parameters.adaptive.powers[0], 0, "parameters.adaptive.powers", ARGUMENT),
    BAD('d', parameters.adaptive.powers[4], 101, "parameters.adaptive.powers", ARGUMENT),
    BAD('d', parameters.adaptive.r_min, 2, "parameters.adaptive.r", ARGUMENT),
    BAD_PARAMETER('d', adaptive.r_min, -1),
    BAD_PARAMETER('d', adaptive.r_max, 0),
    BAD_PARAMETER('d', adaptive.r_max, NAN),
    BAD_PARAMETER('d', adaptive.area, -1),
    BAD_PARAMETER('d', adaptive.area, INFINITY),
    BAD_PARAMETER('i', adaptive.expect, 5),
    BAD_PARAMETER('d', eps, -1),
    BAD_PARAMETER('d', eps, 0.02),
    BAD_PARAMETER('d', eps, NAN),
    BAD_PARAMETER('i', precision, 4),
    BAD('d', parameters.eps, 1e-9, "parameters.eps", TOLERANCE),
};

static void spoil(struct model_options *options, const struct bad_option *bad)
{
    char *field = (char *)options + bad->offset;
    const size_t size = (size_t)(bad->type == 's' ? bad->value : 0);
    const int whole = bad->type == 'i' ? (int)bad->value : 0;
    if (bad->type == 'd')
        memcpy(field, &bad->value, sizeof bad->value);
    else if (bad->type == 's')
        memcpy(field, &size, sizeof size);
    else
        memcpy(field, &whole, sizeof whole);
}

/* Options that both tables spoil one by one. */
static struct model_options good_options(const struct shepard_backend_info *on)
{
    struct model_options options = options_for(on->backend);
    options.parameters.precision = SHEPARD_PRECISION_SINGLE;
    options.parameters.neighbourhood.max_points = 5;
    options.parameters.neighbourhood.max_points_per_sector = 4;
    return options;
}

static void wrong_options(const struct shepard_backend_info *on, const struct scene *scene)
{
    const struct shepard_coordinates coordinates = scene_coordinates(scene);
    for (size_t i = 0; i < sizeof bad_options / sizeof bad_options[0]; i++) {
        struct model_options options = good_options(on);
        spoil(&options, &bad_options[i]);
        struct shepard_points *points = NULL;
        struct shepard_error error = {0};
        const enum shepard_status status =
            shepard_points_create(&coordinates, &options.points, &points, &error);
        check_error(status, &error, bad_options[i].status, bad_options[i].argument);
        check(points == NULL, "points in spite of an error");
        check(shepard_points_create(&coordinates, &options.points, &points, NULL) == status,
              "another status without an error to fill in");
    }
}

/* A radius that stands alone is named as either of the two. */
static const char *parameter_name(const struct bad_option *bad)
{
    static const char radius[] = "parameters.neighbourhood.radius";
    return strncmp(bad->argument, radius, sizeof radius - 1) == 0 ? radius : bad->argument;
}

/* Bad parameters are refused by each call that takes them, also where there is no target. */
static void wrong_parameters(const struct shepard_backend_info *on, const struct scene *scene)
{
    struct places places = {2, scene->x, scene->y};
    const struct shepard_targets targets = places_targets(&places);
    struct results results = results_make(places.m, scene->columns);
    const struct shepard_output output = results_output(&results);
    for (size_t i = 0; i < sizeof bad_parameters / sizeof bad_parameters[0]; i++) {
        const struct bad_option *bad = &bad_parameters[i];
        struct model_options options = good_options(on);
        spoil(&options, bad);
        struct model *model = model_make(scene, &options);
        struct shepard_error error = {0};
        enum shepard_status status = model_predict(model, &targets, &output, NULL, &error);
        check_error(status, &error, bad->status, parameter_name(bad));
        check(model_predict(model, &targets, &output, NULL, NULL) == status,
              "another status without an error to fill in");
        error = (struct shepard_error){0};
        status = model_prepare(model, &output, &error);
        check_error(status, &error, bad->status, parameter_name(bad));
        check(model_prepare(model, NULL, NULL) == status,
              "another status without an error to fill in");
        model->parameters = good_options(on).parameters;
        check(model_predict(model, &targets, &output, NULL, NULL) == SHEPARD_OK,
              "good parameters after bad ones");
        model_free(model);
    }
    results_free(&results);
}

/* Single precision takes 0 and 8e-6 as tolerances, double 0 and 1e-12. */
static void right_tolerances(const struct shepard_backend_info *on, const struct scene *scene)
{
    const struct shepard_coordinates coordinates = scene_coordinates(scene);
    struct shepard_array columns[SCENE_COLUMNS_MAX];
    const struct shepard_values values = scene_values(scene, columns);
    static const double eps[] = {0, 8e-6, 1e-9, 0.01};
    for (int i = 0; i < 4; i++) {
        struct model_options options = options_for(on->backend);
        options.parameters.precision = i == 2 ? SHEPARD_PRECISION_DOUBLE : SHEPARD_PRECISION_SINGLE;
        options.parameters.eps = eps[i];
        check(model_try(&coordinates, &values, &options, NULL) == SHEPARD_OK, "eps %g", eps[i]);
    }
}

/* One way to spoil coordinates, or values. */
struct bad_data {
    struct shepard_coordinates coordinates;
    struct shepard_values values;
    enum shepard_status status;
    const char *argument;
};

#define BAD_DATA_MAX 24

/* Sets the last of *count ways from good data. */
#define SPOIL(object, field, value, code)                                                          \
    do {                                                                                           \
        struct bad_data *way_ = &bad[count++];                                                     \
        *way_ = good;                                                                              \
        way_->object.field = value;                                                                \
        way_->status = code;                                                                       \
        way_->argument = #object "." #field;                                                       \
    } while (0)

/* Every way to spoil coordinates; returns how many. */
static size_t spoil_coordinates(const struct bad_data good, struct bad_data *bad)
{
    static const double nan[] = {NAN, NAN, NAN};
    size_t count = 0;
    SPOIL(coordinates, size, 0, SHEPARD_ERROR_ARGUMENT);
    SPOIL(coordinates, size, 8, SHEPARD_ERROR_ARGUMENT);
    SPOIL(coordinates, size, SIZE_MAX, SHEPARD_ERROR_ARGUMENT);
    SPOIL(coordinates, count, 0, SHEPARD_ERROR_NO_POINTS);
    SPOIL(coordinates, count, (size_t)SHEPARD_POINTS_MAX + 1, SHEPARD_ERROR_SIZE);
    SPOIL(coordinates, x, shepard_doubles(NULL), SHEPARD_ERROR_ARGUMENT);
    SPOIL(coordinates, y, shepard_doubles(NULL), SHEPARD_ERROR_ARGUMENT);
    SPOIL(coordinates, x, shepard_doubles(nan), SHEPARD_ERROR_NO_POINTS);
    bad[count - 1].argument = "coordinates";
    return count;
}

/* The same of values. */
static size_t spoil_values(const struct bad_data good, struct bad_data *bad)
{
    static const double minus[] = {1, -1, 1}, minus_infinity[] = {1, -INFINITY, 1};
    static const double nan[] = {NAN, INFINITY, -INFINITY}, zero[] = {0, NAN, INFINITY};
    static const struct shepard_array missing[] = {{.data = NULL}}, empty[] = {{.data = nan}};
    size_t count = 0;
    SPOIL(values, size, 0, SHEPARD_ERROR_ARGUMENT);
    SPOIL(values, size, 8, SHEPARD_ERROR_ARGUMENT);
    SPOIL(values, size, SIZE_MAX, SHEPARD_ERROR_ARGUMENT);
    SPOIL(values, column_count, 0, SHEPARD_ERROR_ARGUMENT);
    SPOIL(values, column_count, SHEPARD_COLUMNS_MAX + 1, SHEPARD_ERROR_SIZE);
    SPOIL(values, columns, NULL, SHEPARD_ERROR_ARGUMENT);
    SPOIL(values, columns, missing, SHEPARD_ERROR_ARGUMENT);
    bad[count - 1].argument = "values.columns[0]";
    SPOIL(values, columns, empty, SHEPARD_ERROR_NO_POINTS);
    SPOIL(values, weights, shepard_doubles(minus), SHEPARD_ERROR_ARGUMENT);
    SPOIL(values, weights, shepard_doubles(minus_infinity), SHEPARD_ERROR_ARGUMENT);
    SPOIL(values, weights, shepard_doubles(zero), SHEPARD_ERROR_NO_POINTS);
    bad[count - 1].argument = "values";
    return count;
}
#undef SPOIL

static void wrong_data(const struct shepard_backend_info *on, const struct scene *scene)
{
    const struct model_options options = options_for(on->backend);
    struct shepard_array columns[SCENE_COLUMNS_MAX];
    const struct bad_data good = {.coordinates = scene_coordinates(scene),
                                  .values = scene_values(scene, columns)};
    struct bad_data bad[BAD_DATA_MAX];
    const size_t count = spoil_coordinates(good, bad);
    for (size_t i = 0; i < count; i++) {
        struct shepard_points *points = NULL;
        struct shepard_error error = {0};
        const enum shepard_status status =
            shepard_points_create(&bad[i].coordinates, &options.points, &points, &error);
        check_error(status, &error, bad[i].status, bad[i].argument);
        check(points == NULL, "points of bad coordinates");
    }
    struct shepard_points *points = points_make(scene, &options.points);
    const size_t value_count = spoil_values(good, bad);
    for (size_t i = 0; i < value_count; i++) {
        struct shepard_field *field = NULL;
        struct shepard_error error = {0};
        const enum shepard_status status =
            shepard_field_create(points, &bad[i].values, &field, &error);
        check_error(status, &error, bad[i].status, bad[i].argument);
        check(field == NULL, "a field of bad values");
    }
    shepard_points_free(points);
}

static void wrong_points_call(const struct shepard_backend_info *on, const struct scene *scene)
{
    const struct shepard_coordinates coordinates = scene_coordinates(scene);
    struct shepard_points_options options = options_for(on->backend).points;
    struct shepard_points *points = NULL;
    struct shepard_error error = {0};
    check_error(shepard_points_create(NULL, &options, &points, &error), &error,
                SHEPARD_ERROR_ARGUMENT, "coordinates");
    check_error(shepard_points_create(&coordinates, NULL, &points, &error), &error,
                SHEPARD_ERROR_ARGUMENT, "options");
    check_error(shepard_points_create(&coordinates, &options, NULL, &error), &error,
                SHEPARD_ERROR_ARGUMENT, "points");
    const struct shepard_allocator allocator = {NULL, NULL, NULL};
    options.allocator = &allocator;
    check_error(shepard_points_create(&coordinates, &options, &points, &error), &error,
                SHEPARD_ERROR_ARGUMENT, "options.allocator");
    shepard_points_free(NULL);
}

static void wrong_field_call(const struct shepard_backend_info *on, const struct scene *scene)
{
    struct shepard_array columns[SCENE_COLUMNS_MAX];
    const struct shepard_values values = scene_values(scene, columns);
    const struct shepard_points_options options = options_for(on->backend).points;
    struct shepard_points *points = points_make(scene, &options);
    struct shepard_field *field = NULL;
    struct shepard_error error = {0};
    check_error(shepard_field_create(NULL, &values, &field, &error), &error, SHEPARD_ERROR_ARGUMENT,
                "points");
    check_error(shepard_field_create(points, NULL, &field, &error), &error, SHEPARD_ERROR_ARGUMENT,
                "values");
    check_error(shepard_field_create(points, &values, NULL, &error), &error, SHEPARD_ERROR_ARGUMENT,
                "field");
    shepard_field_free(NULL);
    shepard_points_free(points);
}

/* AIDW of points on a line upright, on a line along, at one place. */
static void no_area(const struct shepard_backend_info *on)
{
    static double spread[] = {1, 2, 3}, fixed[] = {4, 4, 4};
    struct model_options options = options_for(on->backend);
    options.parameters.method = SHEPARD_METHOD_AIDW;
    for (int i = 0; i < 3; i++) {
        const struct scene scene = {.n = 3,
                                    .columns = 1,
                                    .x = i == 0 ? spread : fixed,
                                    .y = i == 1 ? spread : fixed,
                                    .values = {spread}};
        const struct places places = {3, fixed, spread};
        const struct shepard_targets targets = places_targets(&places);
        struct results results = results_make(places.m, 1);
        const struct shepard_output output = results_output(&results);
        struct model *model = model_make(&scene, &options);
        struct shepard_error error = {0};
        check_error(model_predict(model, &targets, &output, NULL, &error), &error,
                    SHEPARD_ERROR_AREA, "parameters.adaptive.area");
        check_error(model_prepare(model, NULL, &error), &error, SHEPARD_ERROR_AREA,
                    "parameters.adaptive.area");
        model->parameters.adaptive.area = 10;
        check(model_prepare(model, &output, &error) == SHEPARD_OK &&
                  model_predict(model, &targets, &output, NULL, &error) == SHEPARD_OK,
              "an area was given: %s", error.message);
        model->parameters = options.parameters;
        model->parameters.method = SHEPARD_METHOD_IDW;
        check(model_predict(model, &targets, &output, NULL, &error) == SHEPARD_OK,
              "IDW needs no area: %s", error.message);
        model_free(model);
        results_free(&results);
    }
}

/* Checks what the model says to targets, asked for a prediction and, but where the fault is the
 * prediction's alone, for neighbours. */
static void check_targets(const struct model *model, const struct shepard_targets *targets,
                          enum shepard_status want, const char *argument)
{
    const struct shepard_output output = {.size = sizeof output};
    struct shepard_error error = {0};
    enum shepard_status status = model_predict(model, targets, &output, NULL, &error);
    check_error(status, &error, want, argument);
    error = (struct shepard_error){0};
    status = model_nearest(model, targets, 1, NULL, NULL, NULL, &error);
    check_error(status, &error, want, argument);
}

static void wrong_lists(const struct model *model)
{
    static double place[] = {1};
    const struct places one = {1, place, place};
    const struct shepard_targets good = places_targets(&one);
    struct shepard_targets targets = good;
    check_targets(model, NULL, SHEPARD_ERROR_ARGUMENT, "targets");
    targets.x = shepard_doubles(NULL);
    check_targets(model, &targets, SHEPARD_ERROR_ARGUMENT, "targets.x");
    targets = good;
    targets.y = shepard_doubles(NULL);
    check_targets(model, &targets, SHEPARD_ERROR_ARGUMENT, "targets.y");
    targets = good;
    targets.count = (size_t)SHEPARD_POINTS_MAX + 1;
    check_targets(model, &targets, SHEPARD_ERROR_SIZE, "targets.count");
    targets = good;
    targets.kind = (enum shepard_target_kind)(SHEPARD_TARGETS_LEAVE_ONE_OUT + 1);
    check_targets(model, &targets, SHEPARD_ERROR_ARGUMENT, "targets.kind");
    targets.kind = (enum shepard_target_kind)(-1);
    check_targets(model, &targets, SHEPARD_ERROR_ARGUMENT, "targets.kind");
    static const size_t sizes[] = {0, 8, SIZE_MAX};
    for (int i = 0; i < 3; i++) {
        targets = good;
        targets.size = sizes[i];
        check_targets(model, &targets, SHEPARD_ERROR_ARGUMENT, "targets.size");
    }
}

/* One of the structs of a call is missing, or not of this version. */
static void wrong_structs(const struct model *model)
{
    static double place[] = {1};
    const struct places one = {1, place, place};
    const struct shepard_targets targets = places_targets(&one);
    const struct shepard_parameters *parameters = &model->parameters;
    struct shepard_output output = {.size = sizeof output};
    struct shepard_control control = {.size = sizeof control};
    struct shepard_error error = {0};
    check_error(shepard_predict(NULL, parameters, &targets, &output, NULL, &error), &error,
                SHEPARD_ERROR_ARGUMENT, "field");
    check_error(shepard_predict(model->field, NULL, &targets, &output, NULL, &error), &error,
                SHEPARD_ERROR_ARGUMENT, "parameters");
    check_error(model_predict(model, &targets, NULL, NULL, &error), &error, SHEPARD_ERROR_ARGUMENT,
                "output");
    check_error(shepard_prepare(NULL, parameters, &output, NULL, &error), &error,
                SHEPARD_ERROR_ARGUMENT, "field");
    check_error(shepard_prepare(model->field, NULL, &output, NULL, &error), &error,
                SHEPARD_ERROR_ARGUMENT, "parameters");
    check(model_predict(model, &targets, &output, &control, NULL) == SHEPARD_OK, "nothing wrong");
    static const size_t off[] = {0, 8, SIZE_MAX};
    for (int i = 0; i < 3; i++) {
        output.size = off[i];
        check_error(model_predict(model, &targets, &output, NULL, &error), &error,
                    SHEPARD_ERROR_ARGUMENT, "output.size");
        check_error(model_prepare(model, &output, &error), &error, SHEPARD_ERROR_ARGUMENT,
                    "output.size");
        output.size = sizeof output;
        control.size = off[i];
        check_error(model_predict(model, &targets, &output, &control, &error), &error,
                    SHEPARD_ERROR_ARGUMENT, "control.size");
        check_error(model_nearest(model, &targets, 1, NULL, NULL, &control, &error), &error,
                    SHEPARD_ERROR_ARGUMENT, "control.size");
        check_error(shepard_prepare(model->field, parameters, &output, &control, &error), &error,
                    SHEPARD_ERROR_ARGUMENT, "control.size");
    }
}

static void wrong_searches(const struct model *model)
{
    static double place[] = {1};
    const struct places one = {1, place, place}, none = {0, NULL, NULL};
    const struct shepard_targets targets = places_targets(&one), empty = places_targets(&none);
    const struct shepard_output output = {.size = sizeof output};
    struct shepard_error error = {0};
    check(model_predict(model, &empty, &output, NULL, &error) == SHEPARD_OK &&
              model_nearest(model, &empty, 1, NULL, NULL, NULL, &error) == SHEPARD_OK,
          "no places are no error: %s", error.message);
    struct shepard_nearest_output found = nearest_output(NULL, NULL);
    check_error(shepard_nearest(NULL, &targets, 1, &found, NULL, &error), &error,
                SHEPARD_ERROR_ARGUMENT, "points");
    check_error(shepard_nearest(model->points, &targets, 1, NULL, NULL, &error), &error,
                SHEPARD_ERROR_ARGUMENT, "output");
    found.size = 8;
    check_error(shepard_nearest(model->points, &targets, 1, &found, NULL, &error), &error,
                SHEPARD_ERROR_ARGUMENT, "output.size");
    check_error(model_nearest(model, &targets, 0, NULL, NULL, NULL, &error), &error,
                SHEPARD_ERROR_ARGUMENT, "k");
}

static void wrong_rasters(const struct model *model)
{
    const struct shepard_raster good = {0, 0, 1, -1, 3, 2};
    const struct shepard_raster bad[] = {{NAN, 0, 1, 1, 1, 1}, {0, INFINITY, 1, 1, 1, 1},
                                         {0, 0, 0, 1, 1, 1},   {0, 0, 1, NAN, 1, 1},
                                         {0, 0, 1, 1, 0, 1},   {0, 0, 1, 1, 1, 0}};
    const struct shepard_window cell = {0, 0, 1, 1};
    for (int i = 0; i < 6; i++) {
        struct shepard_targets targets = raster_targets(&bad[i], NULL);
        check_targets(model, &targets, SHEPARD_ERROR_ARGUMENT, "targets.raster");
        targets = raster_targets(&bad[i], &cell);
        check_targets(model, &targets, SHEPARD_ERROR_ARGUMENT, "targets.raster");
    }
    const struct shepard_window outside[] = {
        {0, 0, 4, 1}, {0, 0, 1, 3}, {3, 0, 1, 1}, {0, 2, 1, 1}, {SIZE_MAX, 0, 2, 1}};
    for (int i = 0; i < 5; i++) {
        const struct shepard_targets targets = raster_targets(&good, &outside[i]);
        check_targets(model, &targets, SHEPARD_ERROR_ARGUMENT, "targets.window");
    }
    const struct shepard_raster vast = {0, 0, 1, 1, 1u << 20, 1u << 20};
    const struct shepard_window most = {1, 1, (1u << 20) - 1, (1u << 20) - 1};
    struct shepard_targets targets = raster_targets(&vast, NULL);
    check_targets(model, &targets, SHEPARD_ERROR_SIZE, "targets.raster");
    targets = raster_targets(&vast, &most);
    check_targets(model, &targets, SHEPARD_ERROR_SIZE, "targets.window");
    /* A window of a raster of any size is taken; one without cells predicts nothing. */
    const struct shepard_window empty = {5, 7, 0, 3};
    const struct shepard_output output = {.size = sizeof output};
    targets = raster_targets(&vast, &cell);
    check(model_predict(model, &targets, &output, NULL, NULL) == SHEPARD_OK, "a cell");
    targets = raster_targets(&vast, &empty);
    check(model_predict(model, &targets, &output, NULL, NULL) == SHEPARD_OK, "an empty window");
}

void suite_arguments(const struct suite *suite)
{
    struct chance chance = {suite->seed + 18000000};
    struct scene three = scene_make(SCENE_UNIFORM, 3, 1, false, &chance);
    for (size_t b = 0; b < suite->count; b++) {
        const struct shepard_backend_info *on = &suite->backends[b];
        check_case("seed %llu %s: arguments", (unsigned long long)suite->seed, on->name);
        wrong_options(on, &three);
        wrong_parameters(on, &three);
        right_tolerances(on, &three);
        wrong_data(on, &three);
        wrong_points_call(on, &three);
        wrong_field_call(on, &three);
        no_area(on);
        const struct model_options options = options_for(on->backend);
        struct model *model = model_make(&three, &options);
        wrong_lists(model);
        wrong_structs(model);
        wrong_searches(model);
        wrong_rasters(model);
        model_free(model);
    }
    scene_free(&three);
}
