/* SPDX-License-Identifier: MIT */
#include "mask.h"

#include "message.h"
#include "target_raster.h"

bool shepard_mask_open(struct shepard_mask *mask, const struct shepard_mask_options *options,
                       struct shepard_job *job)
{
    const struct shepard_raster_mask_options from = {.path = options->path,
                                                     .layer = options->layer,
                                                     .sql = options->sql,
                                                     .where = options->where};
    const struct shepard_io_control control = shepard_job_io_control(job);
    struct shepard_io_error error;
    if (!options->path) {
        return (!options->layer && !options->sql && !options->where) ||
               shepard_say_error("-masklayer, -masksql and -maskwhere need -mask POLYGONS");
    }
    shepard_input_files_add_dataset(job->inputs, options->path);
    shepard_input_files_add_sql(job->inputs, options->sql);
    return shepard_raster_mask_open(&from, &mask->polygons, &control, &error) == SHEPARD_IO_OK ||
           shepard_say_error("-mask: %s", error.message);
}

bool shepard_mask_place(struct shepard_mask *mask, const char *srs, struct shepard_job *job)
{
    const struct shepard_io_control control = shepard_job_io_control(job);
    struct shepard_io_error error;
    return !mask->polygons ||
           !shepard_raster_mask_transform(mask->polygons, srs, &control, &error) ||
           shepard_say_error("-mask: %s", error.message);
}

bool shepard_mask_cells(const struct shepard_mask *mask, const struct shepard_raster *raster,
                        const struct shepard_window *window, unsigned char *inside)
{
    struct shepard_io_error error;
    return !shepard_raster_mask_cells(mask->polygons, raster, window, inside, &error) ||
           shepard_say_error("-mask: %s", error.message);
}

/* ---- Cover ----------------------------------------------------------------------------------- */

/* Windows of fewer cells are not divided further: each costs a call of the library. */
enum { PART_CELLS = 4096 };

/* Shrinks a window to the box of its cells inside; returns how many there are. */
static size_t shrink(const struct shepard_mask_cover *cover, struct shepard_window *window)
{
    size_t count = 0, left = SIZE_MAX, right = 0, top = 0, bottom = 0;
    for (size_t row = window->row; row < window->row + window->rows; row++) {
        const unsigned char *const inside =
            cover->inside + (row - cover->window.row) * cover->window.columns;
        for (size_t column = window->column; column < window->column + window->columns; column++) {
            if (inside[column - cover->window.column]) {
                top = count == 0 ? row : top;
                bottom = row;
                left = column < left ? column : left;
                right = column > right ? column : right;
                count++;
            }
        }
    }
    if (count > 0) {
        *window = (struct shepard_window){
            .column = left, .row = top, .columns = right - left + 1, .rows = bottom - top + 1};
    }
    return count;
}

/* A window is halved across its longer side until most of its cells lie inside. */
static bool visit_parts(const struct shepard_mask_cover *cover, struct shepard_window window)
{
    const size_t count = shrink(cover, &window), cells = window.columns * window.rows;
    if (count == 0) {
        return true;
    }
    if (cells <= PART_CELLS || count >= cells - cells / 4) {
        return cover->visit(&window, cover->user);
    }
    struct shepard_window first = window, second = window;
    if (window.columns > window.rows) {
        first.columns = window.columns / 2;
        second.columns -= first.columns;
        second.column += first.columns;
    } else {
        first.rows = window.rows / 2;
        second.rows -= first.rows;
        second.row += first.rows;
    }
    return visit_parts(cover, first) && visit_parts(cover, second);
}

bool shepard_mask_cover(const struct shepard_mask_cover *cover)
{
    return visit_parts(cover, cover->window);
}

void shepard_mask_note_empty(const struct shepard_mask *mask, const struct shepard_raster *raster,
                             struct shepard_progress *watch)
{
    const struct shepard_bounds area = shepard_raster_mask_extent(mask->polygons);
    const struct shepard_bounds box = shepard_raster_box(raster);
    shepard_progress_note(watch,
                          "no cell has its centre in the polygons of -mask (x %.12g to %.12g, y "
                          "%.12g to %.12g), the raster is at x %.12g to %.12g, y %.12g to %.12g: "
                          "all cells are nodata",
                          area.x_min, area.x_max, area.y_min, area.y_max, box.x_min, box.x_max,
                          box.y_min, box.y_max);
}

void shepard_mask_free(struct shepard_mask *mask)
{
    shepard_raster_mask_free(mask->polygons);
    *mask = (struct shepard_mask){0};
}
