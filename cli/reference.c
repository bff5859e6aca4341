/* SPDX-License-Identifier: MIT */
#include "reference.h"

#include "message.h"

#include <string.h>

/* A WKT is too long for a message. */
enum { SRS_SHOWN = 40 };

bool shepard_reference_read(struct shepard_reference *reference, const char *path)
{
    struct shepard_io_error error;
    *reference = (struct shepard_reference){.path = path};
    return !path ||
           shepard_raster_read_reference(path, &reference->raster, &reference->srs, &error) ==
               SHEPARD_IO_OK ||
           shepard_say_error("-like: %s", error.message);
}

static const char *short_srs(const struct shepard_reference *reference)
{
    return strlen(reference->srs) <= SRS_SHOWN ? reference->srs : "SRS";
}

/* A system is written on points that have none. */
static bool check_label(const struct shepard_reference *reference,
                        const struct shepard_input *input, struct shepard_progress *watch)
{
    struct shepard_io_error error;
    for (size_t i = 0; i < input->count; i++) {
        if (shepard_point_set_check_srs(&input->layers[i], reference->srs, &error)) {
            return shepard_say_error("-like: %s", error.message);
        }
    }
    shepard_progress_note(watch,
                          "the coordinate system of the points is unknown; that of %s is assumed",
                          reference->path);
    return true;
}

bool shepard_reference_check(const struct shepard_reference *reference, const char *srs,
                             const struct shepard_input *input, struct shepard_progress *watch)
{
    if (!reference->path || (!srs && !reference->srs)) {
        return true;
    }
    if (!srs) {
        return check_label(reference, input, watch);
    }
    if (!reference->srs) {
        shepard_progress_note(
            watch, "the coordinate system of %s is unknown; that of the points is assumed",
            reference->path);
        return true;
    }
    return shepard_io_same_srs(srs, reference->srs) ||
           shepard_say_error("-like: %s is in another coordinate system than the points; "
                             "transform them with -t_srs %s",
                             reference->path, short_srs(reference));
}

void shepard_reference_free(struct shepard_reference *reference)
{
    shepard_io_free(reference->srs);
    *reference = (struct shepard_reference){0};
}
