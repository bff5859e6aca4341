/* SPDX-License-Identifier: MIT */
#include "part.h"

#include "message.h"
#include "origin.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
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

bool shepard_part_check_method(const struct shepard_job *job, const char *option)
{
    char methods[SHEPARD_METHOD_NAMES_SIZE];
    if (shepard_algorithm_by_gdal(&job->algorithm)) {
        return shepard_say_error("%s: %s is computed by GDAL, whose last digits depend on where a "
                                 "raster is cut; use %s",
                                 option, shepard_algorithm_name(&job->algorithm),
                                 shepard_algorithm_own_methods(methods));
    }
    if (job->algorithm.automatic) {
        return shepard_say_error("%s: the search of -a auto ends after some time, so that runs "
                                 "could choose differently; choose once with shepard tune --write "
                                 "FILE, then give -a @FILE",
                                 option);
    }
    return !job->options->report ||
           shepard_say_error("%s: --report shows what one run computes; leave one of them out",
                             option);
}

bool shepard_part_read(const char *text, const struct shepard_job *job,
                       struct shepard_raster_part *part)
{
    *part = (struct shepard_raster_part){0};
    return !text || (shepard_part_check_method(job, "--part") && read_fraction(text, part));
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
    if (!shepard_append_format(&origin, "SHEPARD_INPUT=") ||
        !shepard_origin_append(input, surfaces, &origin) ||
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
