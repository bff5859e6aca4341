/* SPDX-License-Identifier: MIT */
/* The verbs that need GDAL, in a build without it. */
#include "message.h"
#include "verb.h"

static int refuse(const char *verb)
{
    shepard_say_error("%s reads and writes files with GDAL, and this shepard was built without it; "
                      "install libgdal-dev and build it again",
                      verb);
    return 1;
}

int shepard_verb_grid(int argc, char **argv)
{
    (void)argc, (void)argv;
    return refuse("grid");
}

int shepard_verb_points(int argc, char **argv)
{
    (void)argc, (void)argv;
    return refuse("points");
}

int shepard_verb_validate(int argc, char **argv)
{
    (void)argc, (void)argv;
    return refuse("validate");
}

int shepard_verb_tune(int argc, char **argv)
{
    (void)argc, (void)argv;
    return refuse("tune");
}

int shepard_verb_mosaic(int argc, char **argv)
{
    (void)argc, (void)argv;
    return refuse("mosaic");
}
