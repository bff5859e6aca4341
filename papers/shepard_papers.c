/* SPDX-License-Identifier: MIT */
/* shepard_papers: measures the papers' programs on this machine. */
#include "method.h"
#include "size.h"
#include "study.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* What the command line asks for. The words are parts of argv. */
struct papers_command {
    struct shepard_study_settings settings;
    size_t sizes[SHEPARD_SERIES_CASES];
    const char *methods[128];
    const char *json; /* NULL: none */
};

__attribute__((format(printf, 1, 2))) static bool say_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fputs("shepard_papers: error: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return false;
}

static void print_help(void)
{
    char name[SHEPARD_PAPER_NAME];
    printf(
        "Usage: shepard_papers [options]\n\n"
        "Measures the programs of the papers on IDW and adaptive IDW on GPUs, and the library, on\n"
        "this machine: seconds, and the error against exact sums. papers/report makes tables and\n"
        "figures from the JSON. Exit code 1 if a method fails or exceeds its error limit.\n\n"
        "  --study NAME[,NAME..]   aidw, idw, joint; default: all\n"
        "  --size N[,N..]          points and targets, 10K = 10240; default: the papers'\n"
        "  --method NAME[,NAME..]  these methods; improved: all that begin with improved-\n"
        "  --budget SECONDS        what one run may take; default 60. Over it, serial methods are\n"
        "                          extrapolated from smaller sizes, others are skipped\n"
        "  --runs N                runs, whose median counts, at most %d; default 3\n"
        "  --threads N             threads of the library; default: all\n"
        "  --seed N                of the data; default 1\n"
        "  --json FILE             the results\n"
        "  --commit TEXT           the source's commit, for the results\n"
        "  --help                  this text\n\n"
        "GPU methods use the first CUDA device; CUDA_VISIBLE_DEVICES selects another.\n\n"
        "Methods:\n",
        SHEPARD_PAPER_RUNS_MAX);
    for (size_t i = 0; i < shepard_paper_method_count(); i++) {
        const char *const reason = shepard_paper_method_refusal(i);
        shepard_paper_method_name(i, name);
        if (reason)
            printf("  %-33snot here: %s\n", name, reason);
        else
            printf("  %s\n", name);
    }
}

/* ---- options --------------------------------------------------------------------------------- */

static bool read_whole(const char *option, const char *text, unsigned long long low,
                       unsigned long long high, unsigned long long *number)
{
    char *end = NULL;
    errno = 0;
    *number = strtoull(text, &end, 10);
    if (*text >= '0' && *text <= '9' && !*end && !errno && *number >= low && *number <= high)
        return true;
    return say_error("%s: '%s' is not allowed; it takes a whole number from %llu to %llu", option,
                     text, low, high);
}

static bool read_int(const char *option, const char *text, int high, int *number)
{
    unsigned long long whole = 0;
    const bool good = read_whole(option, text, 1, (unsigned long long)high, &whole);
    *number = (int)whole;
    return good;
}

static bool read_budget(const char *text, double *budget)
{
    char *end = NULL;
    *budget = strtod(text, &end);
    return (end != text && !*end && isfinite(*budget) && *budget > 0) ||
           say_error("--budget: '%s' is not allowed; it takes a number of seconds greater than 0",
                     text);
}

static bool read_study(struct papers_command *command, const char *word)
{
    for (int study = 0; study < SHEPARD_STUDY_COUNT; study++) {
        if (strcmp(word, shepard_study_name(study)) == 0) {
            command->settings.studies |= 1u << study;
            return true;
        }
    }
    return say_error("--study: there is no study '%s'; they are aidw, idw and joint", word);
}

/* Keeps the sizes rising, each once. */
static bool read_size(struct papers_command *command, const char *word)
{
    size_t *const sizes = command->sizes, size = 0;
    size_t at = command->settings.size_count;
    if (!shepard_size_parse(word, &size))
        return say_error("--size: '%s' is not a size; sizes are whole numbers from 1 to 4000000000,"
                         " 10K is 10240",
                         word);
    for (size_t i = 0; i < at; i++) {
        if (sizes[i] == size)
            return true;
    }
    if (at == SHEPARD_SERIES_CASES)
        return say_error("--size: at most %d sizes", SHEPARD_SERIES_CASES);
    for (; at > 0 && sizes[at - 1] > size; at--)
        sizes[at] = sizes[at - 1];
    sizes[at] = size;
    command->settings.size_count++;
    return true;
}

static bool read_method(struct papers_command *command, const char *word)
{
    const size_t room = sizeof command->methods / sizeof command->methods[0];
    if (command->settings.method_count == room)
        return say_error("--method: at most %zu words", room);
    for (size_t i = 0; i < shepard_paper_method_count(); i++) {
        if (shepard_paper_method_matches(word, i)) {
            command->methods[command->settings.method_count++] = word;
            return true;
        }
    }
    return say_error("--method: there is no method '%s'; `shepard_papers --help` lists them", word);
}

/* Calls read with each word of a list; the commas in text become ends. */
static bool read_list(struct papers_command *command, char *text,
                      bool (*read)(struct papers_command *command, const char *word))
{
    bool good = true;
    for (char *word = text; word && good;) {
        char *const comma = strchr(word, ',');
        if (comma)
            *comma = '\0';
        good = read(command, word);
        word = comma ? comma + 1 : NULL;
    }
    return good;
}

static bool read_option(struct papers_command *command, int option, char *text)
{
    struct shepard_study_settings *const settings = &command->settings;
    unsigned long long seed = 0;
    switch (option) {
    case 's':
        return read_list(command, text, read_study);
    case 'n':
        return read_list(command, text, read_size);
    case 'm':
        return read_list(command, text, read_method);
    case 'b':
        return read_budget(text, &settings->options.budget);
    case 'r':
        return read_int("--runs", text, SHEPARD_PAPER_RUNS_MAX, &settings->options.runs);
    case 't':
        return read_int("--threads", text, 4096, &settings->options.threads);
    case 'd':
        /* The JSON holds the seed as a double. */
        if (!read_whole("--seed", text, 1, 1ull << 53, &seed))
            return false;
        settings->seed = seed;
        return true;
    case 'j':
        command->json = text;
        return true;
    case 'c':
        settings->commit = text;
        return true;
    default:
        return say_error("see `shepard_papers --help`"); /* getopt has said what is wrong */
    }
}

/* *help: whether --help was asked for. */
static bool read_options(int argc, char **argv, struct papers_command *command, bool *help)
{
    static const struct option options[] = {{"study", required_argument, NULL, 's'},
                                            {"size", required_argument, NULL, 'n'},
                                            {"method", required_argument, NULL, 'm'},
                                            {"budget", required_argument, NULL, 'b'},
                                            {"runs", required_argument, NULL, 'r'},
                                            {"threads", required_argument, NULL, 't'},
                                            {"seed", required_argument, NULL, 'd'},
                                            {"json", required_argument, NULL, 'j'},
                                            {"commit", required_argument, NULL, 'c'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    int option;
    while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
        *help = *help || option == 'h';
        if (option != 'h' && !read_option(command, option, optarg))
            return false;
    }
    return optind == argc ||
           say_error("'%s': there are options only, see `shepard_papers --help`", argv[optind]);
}

/* Some of the methods asked for can run here, or this says why not. */
static bool check_methods(const struct shepard_study_settings *settings)
{
    const char *reason = NULL;
    for (size_t i = 0; i < shepard_paper_method_count(); i++) {
        for (size_t w = 0; w < settings->method_count; w++) {
            if (!shepard_paper_method_matches(settings->methods[w], i))
                continue;
            if (!shepard_paper_method_refusal(i))
                return true;
            reason = shepard_paper_method_refusal(i);
        }
    }
    return settings->method_count == 0 ||
           say_error("--method: none of these can run here: %s", reason);
}

/* ---- the results file ------------------------------------------------------------------------ */

static bool say_cannot_write(const char *file)
{
    return say_error("--json: cannot write %s: %s", file, strerror(errno));
}

/* Opens the file that becomes the results when it is complete. part: its name. */
static FILE *open_part(const char *file, char part[4096])
{
    const int length = snprintf(part, 4096, "%s.part", file);
    FILE *const out = length < 4096 ? fopen(part, "w") : NULL;
    if (!out)
        say_cannot_write(file);
    return out;
}

/* Fails before the measurements if the file could not be written after them. */
static bool check_json(const char *file)
{
    char part[4096];
    FILE *const out = file ? open_part(file, part) : NULL;
    if (out) {
        fclose(out);
        remove(part);
    }
    return out || !file;
}

static bool write_json(const struct shepard_study *study, const char *file)
{
    char part[4096];
    FILE *const out = open_part(file, part);
    if (!out)
        return false;
    const bool written = shepard_study_write_json(study, out);
    if (fclose(out) == 0 && written && rename(part, file) == 0)
        return true;
    say_cannot_write(file);
    remove(part);
    return false;
}

/* ---- the program ----------------------------------------------------------------------------- */

static bool run(const struct papers_command *command)
{
    static struct shepard_study study;
    struct shepard_error error;
    study.settings = command->settings;
    bool good = shepard_study_run(&study, &error) == SHEPARD_OK || say_error("%s", error.message);
    if (good && command->json)
        good = write_json(&study, command->json);
    if (good && !shepard_study_is_right(&study))
        good = say_error("a method failed or exceeded its error limit, see above");
    shepard_study_free(&study);
    return good;
}

int main(int argc, char **argv)
{
    struct papers_command command = {
        .settings = {.options = {.budget = 60, .runs = 3}, .seed = 1, .log = stdout}};
    bool help = false;
    command.settings.sizes = command.sizes;
    command.settings.methods = command.methods;
    if (!read_options(argc, argv, &command, &help))
        return 1;
    if (help) {
        print_help();
        return 0;
    }
    if (command.settings.studies == 0)
        command.settings.studies = (1u << SHEPARD_STUDY_COUNT) - 1;
    return check_methods(&command.settings) && check_json(command.json) && run(&command) ? 0 : 1;
}
