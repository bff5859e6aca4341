/* SPDX-License-Identifier: MIT */
#include "rank_raster.h"

#include "message.h"
#include "path.h"
#include "ranks.h"
#include "together.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool shepard_rank_raster_is_shared(const struct shepard_rank_raster *shared)
{
    return shared->part.number > 0;
}

bool shepard_rank_raster_check(struct shepard_rank_raster *shared, const struct shepard_job *job,
                               bool kept, const char *option)
{
    const char *const output = job->names.items[1];
    if (shepard_rank_count() == 1) {
        return true;
    }
    if (option) {
        return shepard_say_error(
            "%s cannot be used under mpirun, whose processes share the raster; "
            "leave one of them out",
            option);
    }
    if (shepard_path_is_stdin(job->names.items[0])) {
        return shepard_say_error("under mpirun each process reads the points, so that they have to "
                                 "be in a file, not on standard input");
    }
    if (shepard_path_is_stdout(output) || strncmp(output, "/vsi", 4) == 0) {
        return shepard_say_error(
            "under mpirun each process writes a part of the raster next to it, "
            "so that it has to be a file in a folder, not \"%s\"",
            output);
    }
    shared->part =
        (struct shepard_raster_part){(size_t)shepard_rank() + 1, (size_t)shepard_rank_count()};
    shared->kept = kept;
    return true;
}

/* ---- Files ----------------------------------------------------------------------------------- */

enum { PATH_SIZE = 4096 };

static bool name_parts(struct shepard_rank_raster *shared, const char *folder)
{
    bool good = true;
    for (size_t i = 1; i <= shared->part.count && good; i++) {
        char *path = NULL;
        good =
            shepard_append_format(&path, "%s/part%zu-of-%zu.tif", folder, i, shared->part.count) &&
            shepard_text_list_adopt(&shared->paths, path);
    }
    return good;
}

/* Of rank 0. */
static bool make_folder(struct shepard_rank_raster *shared, struct shepard_job *job,
                        char path[PATH_SIZE])
{
    const char *const output = job->names.items[1];
    const struct shepard_io_control control = shepard_job_io_control(job);
    struct shepard_io_error error;
    const enum shepard_io_status status =
        shared->kept ? shepard_part_folder_take(output, shared->part.count, &shared->folder, &error)
                     : shepard_part_folder_make(output, &shared->folder, &control, &error);
    if (status) {
        return shepard_say_error("%s", error.message);
    }
    const char *const made = shepard_part_folder_path(shared->folder);
    if (strlen(made) >= PATH_SIZE) {
        return shepard_say_error("the path of \"%.100s...\" is too long", output);
    }
    strcpy(path, made);
    return true;
}

bool shepard_rank_raster_begin(struct shepard_rank_raster *shared, struct shepard_job *job)
{
    char folder[PATH_SIZE] = "";
    if (!shepard_rank_raster_is_shared(shared)) {
        return true;
    }
    if (!shepard_together(shepard_rank() > 0 || make_folder(shared, job, folder))) {
        return false;
    }
    shepard_ranks_tell(folder, sizeof folder);
    return shepard_together(name_parts(shared, folder));
}

const char *shepard_rank_raster_path(const struct shepard_rank_raster *shared,
                                     const struct shepard_job *job)
{
    return shared->paths.count > 0 ? shared->paths.items[shared->part.number - 1]
                                   : job->names.items[1];
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

/* What the file has are the blocks before its next one, as far as they are this rank's. */
static void skip_finished(struct shepard_rank_raster *shared,
                          const struct shepard_raster_file *file)
{
    struct shepard_window left[SHEPARD_PART_WINDOWS];
    if (shepard_raster_file_windows(file, left) == 0) {
        shared->region.count = 0;
    } else {
        shepard_rank_region_skip(&shared->region, left[0].column, left[0].row);
    }
}

static bool make_region(struct shepard_rank_raster *shared,
                        const struct shepard_block_raster *blocks,
                        const struct shepard_raster_file *file)
{
    if (!shepard_rank_region_make(&shared->region, blocks, shared->part.number - 1,
                                  shared->part.count, shared->kept)) {
        return shepard_say_error("out of memory for the blocks of the raster");
    }
    shared->blocks = shepard_rank_region_blocks(&shared->region, blocks);
    if (shared->kept) {
        skip_finished(shared, file);
    }
    shared->finished = shared->blocks - shepard_rank_region_blocks(&shared->region, blocks);
    return true;
}

bool shepard_rank_raster_divide(struct shepard_rank_raster *shared,
                                const struct shepard_raster *raster,
                                const struct shepard_raster_file *file)
{
    struct shepard_block_raster blocks = {.raster = *raster};
    shepard_raster_file_block(file, &blocks.columns, &blocks.rows);
    if (!shepard_together(make_region(shared, &blocks, file))) {
        return false;
    }
    uint64_t sums[] = {shared->blocks, shared->finished};
    shepard_ranks_sum(sums, sizeof sums / sizeof sums[0]);
    shared->blocks = (size_t)sums[0];
    shared->finished = (size_t)sums[1];
    return true;
}

/* ---- The whole ------------------------------------------------------------------------------- */

/* In the order of the ranks. */
static bool sum_in_order(double *number)
{
    struct shepard_rank_items all = {0};
    if (!shepard_ranks_gather(number, 1, sizeof *number, &all)) {
        return shepard_say_error("out of memory");
    }
    *number = 0;
    for (size_t i = 0; i < all.count; i++) {
        *number += ((const double *)all.items)[i];
    }
    shepard_rank_items_free(&all);
    return true;
}

static bool join_fit(struct shepard_cell_fit *fit)
{
    size_t *const all[] = {&fit->cells,   &fit->empty, &fit->lacking, &fit->outside,
                           &fit->clamped, &fit->moved, &fit->same};
    const bool any = fit->empty < fit->cells;
    uint64_t sums[sizeof all / sizeof all[0]];
    double least = any ? fit->min : INFINITY, most = any ? fit->max : -INFINITY;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        sums[i] = *all[i];
    }
    shepard_ranks_sum(sums, sizeof all / sizeof all[0]);
    shepard_ranks_least(&least, 1);
    shepard_ranks_most(&most, 1);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        *all[i] = (size_t)sums[i];
    }
    fit->min = least;
    fit->max = most;
    return sum_in_order(&fit->sum);
}

/* Of files that are kept, to where they are. */
static bool find_kept(struct shepard_rank_raster *shared)
{
    bool good = true;
    for (size_t i = 0; i < shared->paths.count && shared->kept && good; i++) {
        char *const kept = shepard_raster_file_kept_path(shared->paths.items[i]);
        good = shepard_text_list_add(&shared->sources, kept, strlen(kept));
        shepard_io_free(kept);
    }
    return good;
}

static bool put_together(struct shepard_rank_raster *shared, struct shepard_job *job)
{
    if (!find_kept(shared)) {
        return false;
    }
    const struct shepard_text_list *const files = shared->kept ? &shared->sources : &shared->paths;
    const struct shepard_mosaic_spec spec = {.path = job->names.items[1],
                                             .format = "GTiff",
                                             .count = files->count,
                                             .sources = (const char *const *)files->items,
                                             .guard = shepard_job_guard(job)};
    const struct shepard_io_control control = shepard_job_io_control(job);
    struct shepard_mosaic_info info;
    struct shepard_io_error error;
    return shepard_raster_mosaic_make(&spec, &info, &control, &error) == SHEPARD_IO_OK ||
           shepard_progress_error(error.message);
}

bool shepard_rank_raster_finish(struct shepard_rank_raster *shared, struct shepard_cell_fit *fits,
                                size_t count, struct shepard_job *job)
{
    if (!shepard_rank_raster_is_shared(shared)) {
        return true;
    }
    bool good = shepard_together(true);
    for (size_t i = 0; i < count && good; i++) {
        good = join_fit(&fits[i]);
    }
    shared->whole = shepard_together(good && (shepard_rank() > 0 || put_together(shared, job)));
    return shared->whole;
}

void shepard_rank_raster_end(struct shepard_rank_raster *shared)
{
    shepard_together_end();
    if (shared->kept && !shared->whole) {
        shepard_part_folder_leave(shared->folder);
    } else {
        shepard_part_folder_remove(shared->folder);
    }
    shepard_rank_region_free(&shared->region);
    shepard_text_list_free(&shared->paths);
    shepard_text_list_free(&shared->sources);
}
