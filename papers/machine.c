/* SPDX-License-Identifier: MIT */
#include "machine.h"

#include "child.h"

#include "shepard/shepard.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The compilers, from CMake. */
#ifndef SHEPARD_STUDY_COMPILER
#define SHEPARD_STUDY_COMPILER "unknown"
#endif
#ifndef SHEPARD_STUDY_CUDA_COMPILER
#define SHEPARD_STUDY_CUDA_COMPILER ""
#endif
#ifndef SHEPARD_STUDY_CUDA_RUNTIME
#define SHEPARD_STUDY_CUDA_RUNTIME ""
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

struct shepard_model_info shepard_machine_model(int threads)
{
    const double zero = 0;
    const double *const column = &zero;
    const struct shepard_data data = {
        .count = 1, .x = &zero, .y = &zero, .columns = 1, .values = &column};
    struct shepard_options options;
    struct shepard_model *model = NULL;
    struct shepard_model_info info = {.backend = "none", .isa = ""};
    shepard_options_init(&options);
    options.threads = threads;
    if (shepard_model_create(&data, &options, &model, NULL) == SHEPARD_OK)
        shepard_model_get_info(model, &info);
    shepard_model_free(model);
    return info;
}

/* "NVIDIA H200, 570.86.15": of the first GPU, which is the one that engines use. */
static void ask_gpu(struct shepard_machine *machine)
{
    static const char *const question[] = {"nvidia-smi", "--query-gpu=name,driver_version",
                                           "--format=csv,noheader", NULL};
    char line[256] = "";
    FILE *const answer = tmpfile();
    snprintf(machine->gpu, sizeof machine->gpu, "unknown");
    snprintf(machine->driver, sizeof machine->driver, "unknown");
    if (!answer)
        return;
    const int code = shepard_child_run(question, (struct shepard_child_streams){.out = answer});
    rewind(answer);
    char *const comma = code == 0 && fgets(line, sizeof line, answer) ? strrchr(line, ',') : NULL;
    if (comma) {
        *comma = '\0';
        copy_line(machine->gpu, sizeof machine->gpu, line);
        copy_line(machine->driver, sizeof machine->driver, comma + 1);
    }
    fclose(answer);
}

void shepard_machine_ask(struct shepard_machine *machine, int threads, bool with_gpu)
{
    *machine = (struct shepard_machine){.runtime = SHEPARD_STUDY_CUDA_RUNTIME,
                                        .compiler = SHEPARD_STUDY_COMPILER,
                                        .cuda_compiler = SHEPARD_STUDY_CUDA_COMPILER};
    ask_processor(machine);
    const struct shepard_model_info model = shepard_machine_model(threads);
    machine->threads = model.threads;
    snprintf(machine->isa, sizeof machine->isa, "%s", model.isa);
    if (with_gpu)
        ask_gpu(machine);
}
