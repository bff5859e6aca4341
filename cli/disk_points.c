/* SPDX-License-Identifier: MIT */
#include "disk_points.h"

#include "error_text.h"
#include "message.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The share of the memory for what is mapped, in eighths. */
enum { MAPPED_EIGHTHS = 5 };

/* Buckets read at a time. */
enum { BUCKETS = 1024 };

/* Where the bar stands when the points are read back, and when they are sorted. */
static const double read_part = 0.2, sorted_part = 0.5;

/* ---- Memory ---------------------------------------------------------------------------------- */

static bool open_memory(struct shepard_disk_points *disk, const struct shepard_input *input,
                        const struct shepard_job *job)
{
    struct shepard_io_error error;
    const int file = shepard_spill_new_file(input->spill, &error);
    if (file < 0) {
        return shepard_progress_error(error.message);
    }
    disk->memory = shepard_file_memory_open(file, job->memory / 8 * MAPPED_EIGHTHS);
    disk->allocator = (struct shepard_allocator){.allocate = shepard_file_memory_allocate,
                                                 .release = shepard_file_memory_release,
                                                 .user = disk->memory};
    return disk->memory || shepard_say_error("out of memory");
}

static double *allocate(const struct shepard_disk_points *disk, size_t count)
{
    const size_t bytes = count * sizeof(double);
    return disk->memory ? shepard_file_memory_allocate(bytes, disk->memory) : malloc(bytes);
}

static void release(const struct shepard_disk_points *disk, double *numbers)
{
    if (disk->memory) {
        shepard_file_memory_release(numbers, disk->memory);
    } else {
        free(numbers);
    }
}

/* Why a step failed: out of memory is, here, no room on the disk. */
static bool fail(const struct shepard_disk_points *disk, const struct shepard_error *error,
                 const struct shepard_job *job)
{
    const int reason = disk->memory ? shepard_file_memory_refusal(disk->memory) : 0;
    if (reason == 0 || error->status != SHEPARD_ERROR_MEMORY) {
        return shepard_say_library_error(&job->algorithm, error->message);
    }
    return shepard_say_error(
        "no room for temporary files (%s): %.3g GB were in use, and 100 to 400 bytes a point and "
        "field are needed; make room, or give a folder on another disk with --temp",
        strerror(reason), 1e-9 * (double)shepard_file_memory_peak(disk->memory));
}

/* ---- Loading --------------------------------------------------------------------------------- */

static size_t points_of(const struct shepard_spill_info *info, size_t first, size_t end)
{
    size_t points = 0;
    for (size_t i = first; i < end; i++) {
        points += info->buckets[i].count;
    }
    return points;
}

/* numbers: [fields, stride]. */
static bool read_points(const struct shepard_input *input, double *numbers, size_t stride,
                        struct shepard_job *job)
{
    const struct shepard_spill_info *const info = &input->info;
    size_t at = 0;
    for (size_t first = 0, end; first < info->bucket_count; first = end) {
        end = first + BUCKETS < info->bucket_count ? first + BUCKETS : info->bucket_count;
        struct shepard_io_error error;
        if (shepard_spill_read(input->spill, first, end - first, numbers + at, stride, &error)) {
            return shepard_progress_error(error.message);
        }
        at += points_of(info, first, end);
        if (!shepard_progress_report(read_part * (double)end / (double)info->bucket_count,
                                     &job->watch)) {
            return shepard_progress_error(NULL);
        }
    }
    return true;
}

/* Places without a value, which are not on disk, have their part in the frame of all points: where
 * these lie farther out, the corners of their extent do. How many points there are with them. */
enum { CORNERS = 2 };

static size_t add_corners(const struct shepard_input *input, double *numbers, size_t stride,
                          size_t count)
{
    const struct shepard_point_set *const all = &input->layers[0];
    const struct shepard_spill_info *const info = &input->info;
    const struct shepard_bounds *const box = &info->box;
    if (all->x[0] == box->x_min && all->y[0] == box->y_min && all->x[1] == box->x_max &&
        all->y[1] == box->y_max) {
        return count;
    }
    for (size_t i = 0; i < CORNERS; i++) {
        double *const corner = numbers + count + i;
        corner[0] = all->x[i];
        corner[stride] = all->y[i];
        for (size_t c = 0; c < info->columns; c++) {
            corner[(2 + c) * stride] = NAN;
        }
        if (info->weight_max > 0) {
            corner[(2 + info->columns) * stride] = 1;
        }
    }
    return count + CORNERS;
}

static bool make_field(struct shepard_disk_points *disk, const struct shepard_column_group *surface,
                       const struct shepard_spilled_points *points, struct shepard_job *job)
{
    struct shepard_points_options options = surface->options;
    struct shepard_error error;
    options.allocator = disk->memory ? &disk->allocator : NULL;
    return shepard_spilled_field_make(&disk->field, surface, &options, points, &error) ==
               SHEPARD_OK ||
           fail(disk, &error, job);
}

/* The arrays are given back before the field is prepared. */
static bool load(struct shepard_disk_points *disk, const struct shepard_input *input,
                 const struct shepard_column_group *surface, size_t count, struct shepard_job *job)
{
    const size_t stride = count + CORNERS;
    double *const numbers = allocate(disk, shepard_spilled_fields(&input->info) * stride);
    const struct shepard_error none = {SHEPARD_ERROR_MEMORY, .message = "out of memory"};
    if (!numbers) {
        return fail(disk, &none, job);
    }
    bool good = read_points(input, numbers, stride, job);
    if (good) {
        const size_t all = add_corners(input, numbers, stride, count);
        const struct shepard_spilled_points points = {&input->info, numbers, stride, all};
        good = make_field(disk, surface, &points, job);
    }
    release(disk, numbers);
    return good;
}

static bool prepare(struct shepard_disk_points *disk, struct shepard_job *job)
{
    struct shepard_control control = shepard_job_control(job);
    struct shepard_error error;
    shepard_progress_part(&job->watch, sorted_part, 1);
    return shepard_column_group_prepare(&disk->field.surface, &control, job, &error) ==
               SHEPARD_OK ||
           (error.status == SHEPARD_ERROR_CANCELLED ? shepard_progress_error(NULL)
                                                    : fail(disk, &error, job));
}

/* Of a sample: as much for each point as for one of the sample. */
static double bytes_of(const struct shepard_disk_points *disk, const struct shepard_input *input,
                       size_t count)
{
    struct shepard_points_info points = {.size = sizeof points};
    struct shepard_field_info field = {.size = sizeof field};
    if (disk->memory) {
        return (double)shepard_file_memory_peak(disk->memory);
    }
    shepard_points_get_info(disk->field.points, &points);
    shepard_field_get_info(disk->field.surface.field, &field);
    return (double)input->info.points / (double)count * (double)(points.bytes + field.bytes);
}

static void say_how_long(double begin, size_t points, struct shepard_job *job)
{
    char text[120];
    snprintf(text, sizeof text, "%zu points prepared on disk in %.3g s", points,
             shepard_progress_clock() - begin);
    shepard_progress_end_bar(&job->watch, text);
    shepard_progress_part(&job->watch, 0, 0);
}

bool shepard_disk_points_load(struct shepard_disk_points *disk, const struct shepard_input *input,
                              const struct shepard_column_groups *surfaces, struct shepard_job *job)
{
    const size_t count = points_of(&input->info, 0, input->info.bucket_count);
    const double begin = shepard_progress_clock();
    shepard_progress_stage(&job->watch, SHEPARD_STAGE_BUILD);
    shepard_progress_begin_bar(&job->watch);
    shepard_progress_part(&job->watch, 0, 1);
    if ((!job->sampled && !open_memory(disk, input, job)) ||
        !load(disk, input, &surfaces->items[0], count, job) || !prepare(disk, job)) {
        return false;
    }
    disk->bytes = bytes_of(disk, input, count);
    say_how_long(begin, count, job);
    return true;
}

void shepard_disk_points_free(struct shepard_disk_points *disk)
{
    shepard_spilled_field_forget(&disk->field);
    shepard_file_memory_close(disk->memory);
    *disk = (struct shepard_disk_points){0};
}
