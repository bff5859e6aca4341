/* SPDX-License-Identifier: MIT */
#include "general.h"
#include "json.h"
#include "library_info.h"
#include "message.h"
#include "option.h"
#include "verb.h"

#include "shepard/shepard.h"

#include <stdio.h>

struct info_options {
    struct shepard_json_target json;
    bool help;
};

static const struct shepard_option info_options[] = {
    {"--json", NULL, SHEPARD_OPTION_JSON, 0, offsetof(struct info_options, json), "[FILE]",
     "the same as JSON, to FILE or to standard output"},
    {"--help", "-h", SHEPARD_OPTION_FLAG, 0, offsetof(struct info_options, help), "", "this text"},
    {0}};

static const struct shepard_option_group info_groups[] = {{"Options", info_options}, {0}};

static const struct shepard_syntax info_syntax = {
    .verb = "info",
    .positionals = "none",
    .positional_count = 0,
    .json_offset = offsetof(struct info_options, json),
    .groups = info_groups,
};

/* A version as CUDA counts it, 1000 major + 10 minor. */
static const char *version_text(int version, char text[16])
{
    snprintf(text, 16, "%d.%d", version / 1000, version % 1000 / 10);
    return text;
}

static void print_cuda(void)
{
    struct shepard_cuda_info cuda;
    struct shepard_device_info device;
    char runtime[16], driver[16];
    shepard_cuda_get_info(&cuda);
    printf("CUDA      ");
    if (cuda.built) {
        printf("%s, ", version_text(cuda.runtime, runtime));
    }
    if (cuda.driver > 0) {
        printf("driver for %s, ", version_text(cuda.driver, driver));
    }
    printf("%s%s\n", cuda.reason[0] ? "not usable: " : "usable", cuda.reason);
    for (size_t i = 0; shepard_device_get_info(i, &device); i++) {
        printf("device    %zu: %s, compute capability %d.%d, %d multiprocessors, %.1f GiB\n", i,
               device.name, device.major, device.minor, device.multiprocessors,
               (double)device.memory_bytes / (1024.0 * 1024 * 1024));
    }
}

static struct shepard_points_info info_by_default(void)
{
    struct shepard_points_options options;
    shepard_points_options_init(&options);
    return shepard_library_info(&options);
}

static void print_info(const struct shepard_points_info *points)
{
    const char *const gdal = shepard_general_gdal_version();
    printf("version   %s\n", shepard_version());
    printf("GDAL      %s\n", gdal ? gdal : "not built in: no grid, no points");
    if (points->threads > 0) {
        printf("threads   %d\n", points->threads);
    }
    struct shepard_backend_info backend;
    bool cuda = false;
    for (size_t i = 0; shepard_backend_get_info(i, &backend); i++) {
        cuda = cuda || (backend.usable && backend.backend == SHEPARD_BACKEND_CUDA);
        printf("backend   %-5s %s%s%s\n", backend.name, backend.usable ? "usable" : "not usable: ",
               backend.usable && backend.isa[0] ? ", " : "",
               backend.usable ? backend.isa : backend.reason);
    }
    print_cuda();
    printf("auto is   %s%s%s%s\n", points->backend, points->isa[0] ? ", " : "", points->isa,
           cuda ? "; cuda where that is likely to take half the time or less" : "");
}

static void add_cuda(struct shepard_json *json)
{
    struct shepard_cuda_info cuda;
    struct shepard_device_info device;
    char text[16];
    shepard_cuda_get_info(&cuda);
    struct shepard_json *const object = shepard_json_object(json, "cuda");
    shepard_json_bool(object, "built", cuda.built);
    shepard_json_bool(object, "usable", cuda.reason[0] == '\0');
    shepard_json_text(object, "reason", cuda.reason);
    shepard_json_text(object, "runtime",
                      cuda.runtime > 0 ? version_text(cuda.runtime, text) : NULL);
    shepard_json_text(object, "driver", cuda.driver > 0 ? version_text(cuda.driver, text) : NULL);
    struct shepard_json *const list = shepard_json_array(object, "devices");
    for (size_t i = 0; shepard_device_get_info(i, &device); i++) {
        struct shepard_json *const item = shepard_json_object(list, NULL);
        shepard_json_text(item, "name", device.name);
        shepard_json_number(item, "memory_bytes", (double)device.memory_bytes);
        shepard_json_number(item, "major", device.major);
        shepard_json_number(item, "minor", device.minor);
        shepard_json_number(item, "multiprocessors", device.multiprocessors);
    }
}

static bool write_info(const struct shepard_points_info *points, const char *file)
{
    struct shepard_json *const json = shepard_json_new();
    shepard_json_text(json, "version", shepard_version());
    shepard_json_text(json, "gdal", shepard_general_gdal_version());
    shepard_json_number(json, "threads", points->threads);
    shepard_json_text(json, "backend", points->backend);
    shepard_json_text(json, "isa", points->isa);
    struct shepard_json *const list = shepard_json_array(json, "backends");
    struct shepard_backend_info backend;
    for (size_t i = 0; shepard_backend_get_info(i, &backend); i++) {
        struct shepard_json *const item = shepard_json_object(list, NULL);
        shepard_json_text(item, "name", backend.name);
        shepard_json_bool(item, "usable", backend.usable);
        shepard_json_text(item, "isa", backend.isa);
        shepard_json_text(item, "reason", backend.reason);
    }
    add_cuda(json);
    const bool good = shepard_json_write(json, file);
    shepard_json_free(json);
    return good;
}

static bool run(const struct info_options *options)
{
    if (options->json.set && !shepard_json_available()) {
        return false;
    }
    const struct shepard_points_info points = info_by_default();
    if (options->json.set) {
        return write_info(&points, options->json.file);
    }
    print_info(&points);
    return true;
}

int shepard_verb_info(int argc, char **argv)
{
    struct info_options options = {0};
    struct shepard_text_list names = {0};
    if (shepard_option_asked(argc, argv, "--help") || shepard_option_asked(argc, argv, "-h")) {
        printf("Usage: shepard info [--json [FILE]]\n\n"
               "Prints the version, the threads and instruction set in use, for each backend\n"
               "whether it is usable here, or why not, and the CUDA version and devices.\n");
        shepard_options_help(info_groups);
        return 0;
    }
    const bool good =
        shepard_options_parse(&info_syntax, argc, argv, &options, &names) && run(&options);
    shepard_text_list_free(&names);
    return good ? 0 : 1;
}
