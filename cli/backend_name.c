/* SPDX-License-Identifier: MIT */
#include "backend_name.h"

#include "message.h"
#include "suggest.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The first length letters of the text are the name. */
static bool is_name(const char *text, size_t length, const char *name)
{
    return strlen(name) == length && strncasecmp(text, name, length) == 0;
}

static bool unknown_backend(const char *text)
{
    struct shepard_suggestion near = {.word = text};
    struct shepard_backend_info info;
    for (size_t i = 0; shepard_backend_get_info(i, &info); i++) {
        shepard_suggest(&near, info.name);
    }
    shepard_suggest(&near, "auto");
    return shepard_say_unknown(&near, "--backend: unknown backend",
                               "see `shepard info`, or use auto");
}

/* Finds the backend with this name; looks at no further one, which might mean to start a driver. */
static bool find_backend(const char *text, size_t length, struct shepard_backend_info *info)
{
    size_t i = 0;
    while (shepard_backend_get_info(i, info)) {
        if (is_name(text, length, info->name)) {
            return true;
        }
        i++;
    }
    return false;
}

static bool read_number(const char *text, int *device)
{
    char *end = NULL;
    const unsigned long number = isdigit((unsigned char)text[0]) ? strtoul(text, &end, 10) : 0;
    *device = number <= INT_MAX ? (int)number : INT_MAX;
    return end && *end == '\0';
}

static bool read_device(const char *text, int *device)
{
    if (strcasecmp(text, "all") == 0) {
        *device = SHEPARD_DEVICE_ALL;
        return true;
    }
    return read_number(text, device) ||
           shepard_say_error("--backend: '%s' is not a device; write cuda:0, cuda:1 and so on, or "
                             "cuda:all; `shepard info` lists the devices",
                             text);
}

/* Before files are read; the library would say the same later. */
static bool check_usable(const struct shepard_backend_info *info, int device)
{
    struct shepard_cuda_info cuda;
    if (!info->usable) {
        return shepard_say_error("--backend: %s cannot be used here: %s; use --backend auto, or "
                                 "one that `shepard info` calls usable",
                                 info->name, info->reason);
    }
    if (info->backend != SHEPARD_BACKEND_CUDA || device == SHEPARD_DEVICE_ALL) {
        return true;
    }
    shepard_cuda_get_info(&cuda);
    return (size_t)device < cuda.devices ||
           shepard_say_error("--backend: there is no device %d, only 0 to %zu; `shepard info` "
                             "lists them",
                             device, cuda.devices - 1);
}

bool shepard_backend_name_read(const char *text, bool needed,
                               struct shepard_points_options *options)
{
    struct shepard_backend_info info = {.backend = SHEPARD_BACKEND_AUTO, .usable = true};
    const size_t length = strcspn(text, ":");
    if (!is_name(text, length, "auto") && !find_backend(text, length, &info)) {
        return unknown_backend(text);
    }
    if (text[length] && info.backend != SHEPARD_BACKEND_CUDA) {
        return shepard_say_error("--backend: '%s' names a device, which only cuda has", text);
    }
    options->backend = info.backend;
    options->device = 0;
    return (!text[length] || read_device(text + length + 1, &options->device)) &&
           (!needed || check_usable(&info, options->device));
}
