/* SPDX-License-Identifier: MIT */
#include "machine.h"

#include "shepard/shepard.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The compilers, from CMake. */
#ifndef SHEPARD_PAPERS_COMPILER
#define SHEPARD_PAPERS_COMPILER "unknown"
#endif
#ifndef SHEPARD_PAPERS_CUDA_COMPILER
#define SHEPARD_PAPERS_CUDA_COMPILER ""
#endif
#ifndef SHEPARD_PAPERS_CUDA_RUNTIME
#define SHEPARD_PAPERS_CUDA_RUNTIME ""
#endif

/* Copies the line from its first character that is no blank, without the line end. */
static void copy_line(char *to, size_t room, const char *line)
{
    line += strspn(line, " \t");
    const size_t length = strcspn(line, "\n");
    snprintf(to, room, "%.*s", (int)length, line);
}

/* Linux names the processor in /proc/cpuinfo on most architectures. */
static void ask_processor(struct shepard_machine *machine)
{
    char line[512];
    struct utsname system;
    snprintf(machine->processor, sizeof machine->processor, "unknown");
    if (uname(&system) == 0)
        copy_line(machine->processor, sizeof machine->processor, system.machine);
    FILE *const file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file)) {
        const char *const colon = strchr(line, ':');
        if (colon && strncmp(line, "model name", 10) == 0) {
            copy_line(machine->processor, sizeof machine->processor, colon + 1);
            break;
        }
    }
    if (file)
        fclose(file);
    machine->processors = sysconf(_SC_NPROCESSORS_ONLN);
}

struct shepard_points_info shepard_machine_points(int threads)
{
    const double zero = 0;
    const struct shepard_coordinates coordinates = {.size = sizeof coordinates,
                                                    .count = 1,
                                                    .x = shepard_doubles(&zero),
                                                    .y = shepard_doubles(&zero)};
    struct shepard_points_options options;
    struct shepard_points *points = NULL;
    struct shepard_points_info info = {.size = sizeof info, .backend = "none", .isa = ""};
    shepard_points_options_init(&options);
    options.threads = threads;
    if (shepard_points_create(&coordinates, &options, &points, NULL) == SHEPARD_OK)
        shepard_points_get_info(points, &info);
    shepard_points_free(points);
    return info;
}

/* "NVIDIA H200, 570.86.15": of the first GPU, which is the one that engines use. */
static void ask_gpu(struct shepard_machine *machine)
{
    char line[256] = "";
    FILE *const answer = popen("nvidia-smi --id=0 --query-gpu=name,driver_version "
                               "--format=csv,noheader 2>/dev/null",
                               "r");
    const bool answered = answer && fgets(line, sizeof line, answer);
    const bool good = answer && pclose(answer) == 0 && answered;
    char *const comma = good ? strrchr(line, ',') : NULL;
    if (comma)
        *comma = '\0';
    copy_line(machine->gpu, sizeof machine->gpu, comma ? line : "unknown");
    copy_line(machine->driver, sizeof machine->driver, comma ? comma + 1 : "unknown");
}

void shepard_machine_ask(struct shepard_machine *machine, int threads, bool with_gpu)
{
    *machine = (struct shepard_machine){.runtime = SHEPARD_PAPERS_CUDA_RUNTIME,
                                        .compiler = SHEPARD_PAPERS_COMPILER,
                                        .cuda_compiler = SHEPARD_PAPERS_CUDA_COMPILER};
    ask_processor(machine);
    const struct shepard_points_info points = shepard_machine_points(threads);
    machine->threads = points.threads;
    snprintf(machine->isa, sizeof machine->isa, "%s", points.isa);
    if (with_gpu)
        ask_gpu(machine);
}
