/* SPDX-License-Identifier: MIT */
/* Files in, file out with libshepard_io: the points of a vector file become a raster of 64 x 64
 * cells.
 *
 *     grid_file POINTS FIELD RASTER */
#include <shepard/shepard_io.h>

#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 64 };

static int fail(const char *message)
{
    fprintf(stderr, "grid_file: %s\n", message);
    return 1;
}

/* North up: the first row lies at the largest y. */
static struct shepard_raster raster_over(const struct shepard_bounds *box)
{
    return (struct shepard_raster){.x0 = box->x_min,
                                   .y0 = box->y_max,
                                   .dx = (box->x_max - box->x_min) / SIDE,
                                   .dy = (box->y_min - box->y_max) / SIDE,
                                   .columns = SIDE,
                                   .rows = SIDE};
}

static int write_raster(const struct shepard_raster_spec *spec, const double *values)
{
    struct shepard_io_error error;
    struct shepard_raster_file *file = NULL;
    const struct shepard_window all = {.columns = SIDE, .rows = SIDE};
    if (shepard_raster_file_create(spec, &file, NULL, &error))
        return fail(error.message);
    if (shepard_raster_file_write(file, 0, &all, values, NULL, &error)) {
        shepard_raster_file_abandon(file);
        return fail(error.message);
    }
    return shepard_raster_file_commit(file, NULL, &error) ? fail(error.message) : 0;
}

/* Points and a field on them; free both, also after an error. */
static enum shepard_status prepare(const struct shepard_point_set *set,
                                   struct shepard_points **points, struct shepard_field **field,
                                   struct shepard_error *error)
{
    const struct shepard_coordinates coordinates = {.size = sizeof coordinates,
                                                    .count = set->count,
                                                    .x = shepard_doubles(set->x),
                                                    .y = shepard_doubles(set->y)};
    const struct shepard_array column = shepard_doubles(set->values[0]);
    const struct shepard_values values = {
        .size = sizeof values, .column_count = 1, .columns = &column};
    struct shepard_points_options options;
    shepard_points_options_init(&options);
    const enum shepard_status status = shepard_points_create(&coordinates, &options, points, error);
    return status ? status : shepard_field_create(*points, &values, field, error);
}

static int grid(const struct shepard_point_set *set, const char *path)
{
    static double cells[SIDE * SIDE];
    const struct shepard_output_array predictions = shepard_output_doubles(cells);
    struct shepard_points *points = NULL;
    struct shepard_field *field = NULL;
    struct shepard_error error;
    struct shepard_parameters parameters;
    shepard_parameters_init(&parameters);
    parameters.neighbourhood.max_points = 12;
    const struct shepard_targets targets = {.size = sizeof targets,
                                            .kind = SHEPARD_TARGETS_RASTER,
                                            .raster = raster_over(&set->extent)};
    const struct shepard_output output = {.size = sizeof output, .values = &predictions};
    enum shepard_status status = prepare(set, &points, &field, &error);
    if (!status)
        status = shepard_predict(field, &parameters, &targets, &output, NULL, &error);
    shepard_field_free(field);
    shepard_points_free(points);
    if (status)
        return fail(error.message);

    const struct shepard_band band = {
        .description = set->column[0].name, .has_nodata = true, .nodata = parameters.nodata};
    const struct shepard_raster_spec spec = {
        .path = path, .raster = targets.raster, .bands = 1, .band = &band, .srs = set->srs};
    return write_raster(&spec, cells);
}

static int run(const char *points_path, const char *field, const char *raster_path)
{
    const struct shepard_source_options from = {.path = points_path};
    const char *const fields[] = {field, NULL};
    const struct shepard_read_options read = {.fields = fields, .z_multiply = 1};
    struct shepard_source *source = NULL;
    struct shepard_point_set points = {0};
    struct shepard_io_error error;
    if (shepard_source_open(&from, &source, NULL, &error))
        return fail(error.message);
    const int code = shepard_source_read(source, &read, &points, NULL, &error)
                         ? fail(error.message)
                         : grid(&points, raster_path);
    if (code == 0)
        printf("%zu points, field %s: %s\n", points.count, field, raster_path);
    shepard_point_set_clear(&points);
    shepard_source_close(source);
    return code;
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return fail("usage: grid_file POINTS FIELD RASTER");
    shepard_io_init();
    const int code = run(argv[1], argv[2], argv[3]);
    shepard_io_exit();
    return code;
}
