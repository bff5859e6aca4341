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
static struct shepard_raster raster_over(const struct shepard_box *box)
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

static int grid(const struct shepard_point_set *points, const char *path)
{
    const struct shepard_data data = {.count = points->count,
                                      .x = points->x,
                                      .y = points->y,
                                      .columns = points->columns,
                                      .values = (const double *const *)points->values};
    struct shepard_options options;
    struct shepard_model *model = NULL;
    struct shepard_error error;
    shepard_options_init(&options);
    options.neighbourhood.max_points = 12;
    if (shepard_model_create(&data, &options, &model, &error))
        return fail(error.message);

    static double cells[SIDE * SIDE];
    double *const columns[] = {cells};
    const struct shepard_output output = {.values = columns};
    const struct shepard_raster raster = raster_over(&points->extent);
    const enum shepard_status status =
        shepard_predict_raster(model, &raster, NULL, &output, NULL, &error);
    shepard_model_free(model);
    if (status)
        return fail(error.message);

    const struct shepard_band band = {
        .description = points->column[0].name, .has_nodata = true, .nodata = options.nodata};
    const struct shepard_raster_spec spec = {
        .path = path, .raster = raster, .bands = 1, .band = &band, .srs = points->srs};
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
