/* SPDX-License-Identifier: MIT */
#include "part.h"

#include "checksum.h"
#include "message.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

/* A whole number from 1 on, with what stands behind it; NULL: none. */
static const char *read_whole(const char *text, size_t *number)
{
    char *end;
    errno = 0;
    if (!isdigit((unsigned char)text[0])) {
        return NULL;
    }
    const unsigned long long value = strtoull(text, &end, 10);
    *number = (size_t)value;
    return errno == 0 && value > 0 && value <= SIZE_MAX ? end : NULL;
}

static bool read_fraction(const char *text, struct shepard_raster_part *part)
{
    const char *rest = read_whole(text, &part->number);
    rest = rest && *rest == '/' ? read_whole(rest + 1, &part->count) : NULL;
    return (rest && !*rest && part->number <= part->count) ||
           shepard_say_error("--part: '%s' is no part; write i/n, where i goes from 1 to n, as in "
                             "2/8",
                             text);
}

bool shepard_part_read(const char *text, const struct shepard_job *job,
                       struct shepard_raster_part *part)
{
    *part = (struct shepard_raster_part){0};
    char methods[SHEPARD_METHOD_NAMES_SIZE];
    if (!text) {
        return true;
    }
    if (shepard_algorithm_by_gdal(&job->algorithm)) {
        return shepard_say_error(
            "--part: %s is computed by GDAL, whose last digits depend on where "
            "a raster is cut; use %s",
            shepard_algorithm_name(&job->algorithm), shepard_algorithm_own_methods(methods));
    }
    if (job->algorithm.automatic) {
        return shepard_say_error(
            "--part: the search of -a auto ends after some time, so that parts "
            "could choose differently; choose once with shepard tune --write FILE, "
            "then give -a @FILE");
    }
    if (job->options->report) {
        return shepard_say_error("--part: --report shows a whole raster; leave one of them out");
    }
    return read_fraction(text, part);
}

/* What decides the bits of a prediction: the data, and the machine code that sums them. */
static bool append_origin(const struct shepard_input *input,
                          const struct shepard_column_groups *surfaces, char **text)
{
    struct shepard_points_info info = {.size = sizeof info};
    shepard_points_get_info(shepard_column_group_points(surfaces, &surfaces->items[0]), &info);
    return shepard_append_format(text, "SHEPARD_INPUT=%016" PRIx64 " %s%s%s",
                                 shepard_checksum_of_input(input), info.backend,
                                 info.isa[0] ? " " : "", info.isa);
}

bool shepard_part_describe(const struct shepard_raster_part *part,
                           const struct shepard_input *input,
                           const struct shepard_column_groups *surfaces,
                           struct shepard_text_list *metadata)
{
    char *name = NULL, *origin = NULL;
    if (part->number == 0) {
        return true;
    }
    if (!append_origin(input, surfaces, &origin) ||
        !shepard_append_format(&name, "SHEPARD_PART=%zu/%zu", part->number, part->count)) {
        free(origin);
        return false;
    }
    const bool good = shepard_text_list_adopt(metadata, origin);
    return shepard_text_list_adopt(metadata, name) && good;
}

void shepard_part_note_empty(const struct shepard_raster_part *part, size_t windows,
                             struct shepard_progress *watch)
{
    if (windows == 0) {
        shepard_progress_note(watch,
                              "part %zu/%zu has no block: the raster has fewer blocks than parts",
                              part->number, part->count);
    }
}
