/* SPDX-License-Identifier: MIT */
#include "rank_raster.h"

#include "message.h"
#include "path.h"
#include "ranks.h"
#include "together.h"

#include <stdlib.h>
#include <string.h>

bool shepard_rank_raster_is_shared(const struct shepard_rank_raster *shared)
{
    return shared->part.number > 0;
}

bool shepard_rank_raster_check(struct shepard_rank_raster *shared, const struct shepard_job *job,
                               const char *option)
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
    return true;
}

/* ---- Files of earlier runs ------------------------------------------------------------------- */

/* Adds the blocks that a file has to those of this rank. */
static bool add_finished(struct shepard_rank_raster *shared, const struct shepard_raster_file *file)
{
    size_t count;
    const bool *const finished = shepard_raster_file_finished(file, &count);
    uint64_t *const numbers =
        realloc(shared->numbers, (shared->number_count + count + 1) * sizeof *numbers);
    if (!numbers) {
        return shepard_say_error("out of memory for the blocks of the raster");
    }
    for (size_t i = 0; i < count; i++) {
        if (finished[i]) {
            numbers[shared->number_count++] = i;
        }
    }
    shared->numbers = numbers;
    return true;
}

/* Adds what an earlier run has counted in a file. */
static bool add_counted(struct shepard_rank_raster *shared, const struct shepard_raster_file *file)
{
    size_t blocks = 0, all = 0;
    struct shepard_cell_fit *const fits = calloc(shared->bands, sizeof *fits);
    if (!fits) {
        return shepard_say_error("out of memory");
    }
    if (shepard_raster_file_resumed(file, fits, shared->bands * sizeof *fits, &blocks, &all)) {
        shared->ended = shared->ended || all == 0;
        for (size_t i = 0; i < shared->bands; i++) {
            shepard_cells_add(&shared->counted[i], &fits[i]);
        }
    }
    free(fits);
    return true;
}

/* What a file has is finished, and stays there. */
static bool take_over(struct shepard_rank_raster *shared, const struct shepard_raster_spec *spec,
                      struct shepard_job *job)
{
    const struct shepard_io_control control = shepard_job_io_control(job);
    struct shepard_raster_file *file = NULL;
    struct shepard_io_error error;
    if (shepard_raster_file_create(spec, &file, &control, &error)) {
        return shepard_progress_error(error.message);
    }
    if (!add_finished(shared, file) || !add_counted(shared, file)) {
        shepard_raster_file_abandon(file);
        return false;
    }
    return !shepard_raster_file_leave(file, &control, &error) ||
           shepard_progress_error(error.message);
}

/* Of rank 0: the file of one process, which locks the folder that will be that of all. */
static bool take_over_whole(struct shepard_rank_raster *shared,
                            const struct shepard_raster_spec *spec, struct shepard_job *job)
{
    struct shepard_raster_spec whole = *spec;
    whole.part = (struct shepard_raster_part){0};
    return !shared->left.whole || take_over(shared, &whole, job);
}

/* Parts that are no rank's own go to the ranks in turn. */
static bool take_over_parts(struct shepard_rank_raster *shared,
                            const struct shepard_raster_spec *spec, struct shepard_job *job)
{
    struct shepard_raster_spec part = *spec;
    bool good = true;
    part.part = (struct shepard_raster_part){1, 1};
    for (size_t i = shared->part.number + shared->part.count; i <= shared->left.parts && good;
         i += shared->part.count) {
        part.path = shared->paths.items[i - 1];
        good = take_over(shared, &part, job);
    }
    return good;
}

/* ---- Files ----------------------------------------------------------------------------------- */

enum { PATH_SIZE = 4096 };

static bool name_parts(struct shepard_rank_raster *shared, const char *folder)
{
    const size_t own = shared->part.count, left = shared->left.parts;
    bool good = true;
    for (size_t i = 1; i <= (own > left ? own : left) && good; i++) {
        char *path = NULL;
        good = shepard_append_format(&path, "%s/part%zu.tif", folder, i) &&
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
        shared->kept ? shepard_part_folder_take(output, &shared->folder, &error)
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

/* Of rank 0: what earlier runs left, which one process goes on with alone where it was one. */
static void find_left(struct shepard_rank_raster *shared, const struct shepard_raster_spec *spec)
{
    if (spec->resume_inputs && shepard_rank() == 0) {
        shepard_kept_files_find(spec->path, &shared->left);
    }
    if (shepard_rank_count() == 1 && shared->left.parts > 0) {
        shared->part = (struct shepard_raster_part){1, 1};
    }
    shared->kept = spec->resume_inputs && shepard_rank_raster_is_shared(shared);
}

/* Of all ranks: what rank 0 knows of the files. */
static void tell_files(struct shepard_rank_raster *shared, char folder[PATH_SIZE])
{
    uint64_t numbers[] = {shared->left.parts, shared->ended};
    shepard_ranks_tell(folder, PATH_SIZE);
    shepard_ranks_sum(numbers, sizeof numbers / sizeof numbers[0]);
    shared->left.parts = (size_t)numbers[0];
    shared->ended = numbers[1] > 0;
}

bool shepard_rank_raster_begin(struct shepard_rank_raster *shared,
                               const struct shepard_raster_spec *spec, struct shepard_job *job)
{
    char folder[PATH_SIZE] = "";
    find_left(shared, spec);
    if (!shepard_rank_raster_is_shared(shared)) {
        return true;
    }
    shared->bands = spec->bands;
    shared->counted = calloc(spec->bands, sizeof *shared->counted);
    const bool begun = shared->counted || shepard_say_error("out of memory");
    if (!shepard_together(begun && (shepard_rank() > 0 || (take_over_whole(shared, spec, job) &&
                                                           make_folder(shared, job, folder))))) {
        return false;
    }
    tell_files(shared, folder);
    return shepard_together(name_parts(shared, folder) && take_over_parts(shared, spec, job));
}

const char *shepard_rank_raster_path(const struct shepard_rank_raster *shared,
                                     const struct shepard_job *job)
{
    return shared->paths.count > 0 ? shared->paths.items[shared->part.number - 1]
                                   : job->names.items[1];
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

static bool fail_unfit(const struct shepard_rank_raster *shared)
{
    const char *const path = shared->paths.items[0];
    return shepard_say_error(
        "what earlier runs have left in \"%.*s\" does not fit together: a block "
        "is there twice, as of two runs at the same time, or a file is "
        "damaged; remove this folder to begin anew",
        (int)(strrchr(path, '/') - path), path);
}

/* Of all ranks: marks the blocks that files of any of them have. */
static bool mark_finished(struct shepard_rank_raster *shared, bool *finished)
{
    struct shepard_rank_items all = {0};
    if (!shepard_ranks_gather(shared->numbers, shared->number_count, sizeof *shared->numbers,
                              &all)) {
        return shepard_say_error("out of memory for the blocks of the raster");
    }
    const uint64_t *const numbers = all.items;
    bool good = true;
    for (size_t i = 0; i < all.count && good; i++) {
        good = numbers[i] < shared->blocks && !finished[numbers[i]];
        if (good) {
            finished[numbers[i]] = true;
        }
    }
    shared->finished = all.count;
    shepard_rank_items_free(&all);
    return good || fail_unfit(shared);
}

/* Of all ranks. */
static bool make_region(struct shepard_rank_raster *shared, struct shepard_block_raster *blocks,
                        bool *finished)
{
    if (shared->ended) {
        memset(finished, true, shared->blocks * sizeof *finished);
        shared->finished = shared->blocks;
    } else if (!mark_finished(shared, finished)) {
        return false;
    }
    blocks->finished = finished;
    return shepard_rank_region_make(&shared->region, blocks, shared->part.number - 1,
                                    shared->part.count, shared->kept) ||
           shepard_say_error("out of memory for the blocks of the raster");
}

bool shepard_rank_raster_divide(struct shepard_rank_raster *shared,
                                const struct shepard_raster *raster,
                                const struct shepard_raster_file *file)
{
    struct shepard_block_raster blocks = {.raster = *raster};
    shepard_raster_file_block(file, &blocks.columns, &blocks.rows);
    shared->blocks = shepard_block_raster_count(&blocks);
    bool *const finished = calloc(shared->blocks, sizeof *finished);
    const bool ready =
        (finished || shepard_say_error("out of memory for the blocks of the raster")) &&
        add_finished(shared, file);
    const bool good =
        shepard_together(ready) && shepard_together(make_region(shared, &blocks, finished));
    free(finished);
    return good;
}

/* ---- The whole ------------------------------------------------------------------------------- */

/* Of all ranks: what they and earlier runs have counted, in the order of the ranks. */
static bool join_fits(const struct shepard_rank_raster *shared, struct shepard_cell_fit *fits)
{
    struct shepard_rank_items all = {0};
    for (size_t i = 0; i < shared->bands; i++) {
        shepard_cells_add(&fits[i], &shared->counted[i]);
    }
    if (!shepard_ranks_gather(fits, shared->bands, sizeof *fits, &all)) {
        return shepard_say_error("out of memory");
    }
    const struct shepard_cell_fit *const of = all.items;
    memcpy(fits, of, shared->bands * sizeof *fits);
    for (size_t i = shared->bands; i < all.count; i++) {
        shepard_cells_add(&fits[i % shared->bands], &of[i]);
    }
    shepard_rank_items_free(&all);
    return true;
}

static bool add_source(struct shepard_text_list *sources, const char *path, bool kept)
{
    char *const there = kept ? shepard_raster_file_kept_path(path) : NULL;
    const char *const source = kept ? there : path;
    const bool good = shepard_text_list_add(sources, source, strlen(source));
    shepard_io_free(there);
    return good;
}

/* All files that blocks are in. */
static bool find_sources(const struct shepard_rank_raster *shared, const char *output,
                         struct shepard_text_list *sources)
{
    bool good = true;
    for (size_t i = 0; i < shared->paths.count && good; i++) {
        good = add_source(sources, shared->paths.items[i], shared->kept);
    }
    return good && (!shared->left.whole || add_source(sources, output, true));
}

/* Of rank 0. */
static bool put_together(const struct shepard_rank_raster *shared, struct shepard_job *job)
{
    const char *const output = job->names.items[1];
    struct shepard_text_list sources = {0};
    if (!find_sources(shared, output, &sources)) {
        shepard_text_list_free(&sources);
        return false;
    }
    const struct shepard_mosaic_spec spec = {.path = output,
                                             .format = "GTiff",
                                             .count = sources.count,
                                             .sources = (const char *const *)sources.items,
                                             .guard = shepard_job_guard(job)};
    const struct shepard_io_control control = shepard_job_io_control(job);
    struct shepard_mosaic_info info;
    struct shepard_io_error error;
    const enum shepard_io_status status =
        shepard_raster_mosaic_make(&spec, &info, &control, &error);
    shepard_text_list_free(&sources);
    return status == SHEPARD_IO_OK || shepard_progress_error(error.message);
}

bool shepard_rank_raster_finish(struct shepard_rank_raster *shared, struct shepard_cell_fit *fits,
                                struct shepard_job *job)
{
    if (!shepard_rank_raster_is_shared(shared)) {
        return true;
    }
    const bool good = shepard_together(true) && join_fits(shared, fits);
    const bool made = shared->ended || shepard_rank() > 0;
    shared->whole = shepard_together(good && (made || put_together(shared, job)));
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
    free(shared->counted);
    free(shared->numbers);
}
