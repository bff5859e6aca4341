/* SPDX-License-Identifier: MIT */
#include "origin.h"

#include "checksum.h"

#include <inttypes.h>
#include <sys/stat.h>

static uint64_t add_numbers(uint64_t checksum, const double *numbers, size_t count)
{
    return shepard_checksum_add(checksum, numbers, count * sizeof *numbers);
}

/* The same wherever the points are: in memory, on disk, or spread over ranks. */
static uint64_t checksum_of(const struct shepard_input *input)
{
    if (input->elsewhere) {
        return input->info.checksum;
    }
    uint64_t checksum = shepard_point_set_checksum(&input->layers[0]);
    for (size_t i = 1; i < input->count; i++) {
        const uint64_t layer = shepard_point_set_checksum(&input->layers[i]);
        checksum = shepard_checksum_add(checksum, &layer, sizeof layer);
    }
    return checksum;
}

bool shepard_origin_append(const struct shepard_input *input,
                           const struct shepard_column_groups *surfaces, char **text)
{
    struct shepard_points_info info = {.size = sizeof info};
    shepard_points_get_info(shepard_column_group_points(surfaces, &surfaces->items[0]), &info);
    return shepard_append_format(text, "%016" PRIx64 " %s%s%s", checksum_of(input), info.backend,
                                 info.isa[0] ? " " : "", info.isa);
}

/* ---- Files ----------------------------------------------------------------------------------- */

static bool add_text(struct shepard_text_list *items, const char *name, const char *value)
{
    char *item = NULL;
    return !value || (shepard_append_format(&item, "%s=%s", name, value) &&
                      shepard_text_list_adopt(items, item));
}

/* What is no file, as a database, has its name only. */
static bool add_file(struct shepard_text_list *items, const char *name, const char *path)
{
    struct stat info;
    char *item = NULL;
    if (!path || stat(path, &info) != 0) {
        return add_text(items, name, path);
    }
    return shepard_append_format(&item, "%s=%s, %lld bytes, changed at %lld.%09ld", name, path,
                                 (long long)info.st_size, (long long)info.st_mtim.tv_sec,
                                 info.st_mtim.tv_nsec) &&
           shepard_text_list_adopt(items, item);
}

static bool add_barriers(struct shepard_text_list *items, const struct shepard_line_set *lines)
{
    uint64_t checksum = add_numbers(0, lines->x, lines->count);
    char *item = NULL;
    checksum = add_numbers(checksum, lines->y, lines->count);
    return lines->count == 0 || (shepard_append_format(&item, "-barrier=%016" PRIx64, checksum) &&
                                 shepard_text_list_adopt(items, item));
}

bool shepard_origin_add_files(const struct shepard_job *job,
                              const struct shepard_mask_options *mask,
                              struct shepard_text_list *items)
{
    bool good = add_barriers(items, &job->lines) && add_file(items, "-mask", mask->path) &&
                add_text(items, "-masklayer", mask->layer) &&
                add_text(items, "-masksql", mask->sql) &&
                add_text(items, "-maskwhere", mask->where);
    for (size_t i = 0; i < job->options->trend.count && good; i++) {
        good = add_file(items, "-trend", job->options->trend.items[i]);
    }
    return good;
}
