/* SPDX-License-Identifier: MIT */
#include "json.h"
#include "message.h"
#include "option.h"
#include "papers/contestant.h"
#include "papers/figure.h"
#include "papers/study.h"
#include "study_json.h"
#include "suggest.h"
#include "verb.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct bench_options {
    struct shepard_words sizes, engines, tables;
    struct shepard_json_target json;
    const char *plot, *commit;
    struct shepard_numbers budget, repeat, threads, seed;
    bool help;
};

#define FIELD(name) offsetof(struct bench_options, name)

static const struct shepard_option bench_options[] = {
    {"--table", NULL, SHEPARD_OPTION_COMMA_LIST, 0, FIELD(tables), "NAME[,NAME..]",
     "aidw, stages, idw, joint, double, new, errata; default: all"},
    {"--size", NULL, SHEPARD_OPTION_COMMA_LIST, 0, FIELD(sizes), "N[,N..]",
     "numbers of points and targets, 10K = 10240; default: the papers'"},
    {"--engine", NULL, SHEPARD_OPTION_COMMA_LIST, 0, FIELD(engines), "NAME[,NAME..]",
     "these engines only; improved: all that begin with improved-"},
    {"--budget", NULL, SHEPARD_OPTION_POSITIVE, 1, FIELD(budget), "SECONDS",
     "what one run may take; default 60"},
    {"--repeat", NULL, SHEPARD_OPTION_SIZES, 1, FIELD(repeat), "N",
     "runs, of which the median counts, at most 100; default 3"},
    {"--threads", NULL, SHEPARD_OPTION_THREADS, 1, FIELD(threads), "N",
     "threads of shepard itself; default: all"},
    {"--seed", NULL, SHEPARD_OPTION_SIZES, 1, FIELD(seed), "N", "of the data; default 1"},
    {0}};

static const struct shepard_option report_options[] = {
    {"--json", NULL, SHEPARD_OPTION_JSON, 0, FIELD(json), "[FILE]",
     "everything as JSON, to FILE; without FILE to standard output, and no tables"},
    {"--plot", NULL, SHEPARD_OPTION_TEXT, 0, FIELD(plot), "DIR",
     "figures as SVG into this folder, drawn by gnuplot"},
    {"--commit", NULL, SHEPARD_OPTION_TEXT, 0, FIELD(commit), "TEXT",
     "what the JSON is to say of the source's commit"},
    {"--help", "-h", SHEPARD_OPTION_FLAG, 0, FIELD(help), "", "this text"},
    {0}};

static const struct shepard_option_group bench_groups[] = {
    {"What is measured", bench_options}, {"What is reported", report_options}, {0}};

static const struct shepard_syntax bench_syntax = {
    .verb = "bench",
    .positionals = "papers",
    .positional_count = 1,
    .json_offset = FIELD(json),
    .groups = bench_groups,
};

static void print_help(void)
{
    char name[SHEPARD_PAPER_NAME];
    printf("Usage: shepard bench papers [options]\n\n"
           "Reproduces the tables of the papers on IDW and adaptive IDW on GPUs on this machine:\n"
           "each time next to the published one, with its error against double.\n"
           "Exit code 1 if the error of an engine exceeds its limit.\n");
    shepard_options_help(bench_groups);
    printf("\nEngines:\n");
    for (size_t i = 0; i < shepard_contestant_count(); i++) {
        const char *const reason = shepard_contestant_refusal(i);
        shepard_contestant_name(i, name);
        printf("  %-28s%s%s\n", name, reason ? "not here: " : "", reason ? reason : "");
    }
}

static int compare_sizes(const void *a, const void *b)
{
    const size_t u = *(const size_t *)a, v = *(const size_t *)b;
    return (u > v) - (u < v);
}

/* Rising, each once. */
static size_t sort_sizes(size_t *sizes, size_t count)
{
    size_t kept = 0;
    qsort(sizes, count, sizeof *sizes, compare_sizes);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || sizes[i] != sizes[kept - 1]) {
            sizes[kept++] = sizes[i];
        }
    }
    return kept;
}

static bool read_sizes(const struct shepard_words *words, size_t sizes[SHEPARD_SERIES_CASES],
                       size_t *count)
{
    if (words->count > SHEPARD_SERIES_CASES) {
        return shepard_say_error("--size: at most %d sizes, %zu given", SHEPARD_SERIES_CASES,
                                 words->count);
    }
    for (size_t i = 0; i < words->count; i++) {
        if (!shepard_size_parse(words->items[i], &sizes[i])) {
            return shepard_say_error("--size: '%s' is not a size; sizes are whole numbers from 1 "
                                     "to 4000000000, 10K is 10240",
                                     words->items[i]);
        }
    }
    *count = sort_sizes(sizes, words->count);
    return true;
}

static bool check_engine(const char *word)
{
    struct shepard_suggestion near = {.word = word};
    char name[SHEPARD_PAPER_NAME], best[SHEPARD_PAPER_NAME] = "";
    for (size_t i = 0; i < shepard_contestant_count(); i++) {
        if (shepard_contestant_means(word, i)) {
            return true;
        }
        shepard_contestant_name(i, name);
        shepard_suggest(&near, name);
        if (near.best == name) {
            memcpy(best, name, sizeof best);
            near.best = best;
        }
    }
    if (near.best) {
        return shepard_say_error("--engine: there is no engine '%s'; did you mean %s?", word,
                                 near.best);
    }
    return shepard_say_error("--engine: there is no engine '%s'; `shepard bench --help` lists them",
                             word);
}

/* Some of the engines asked for can run here, or this says why not. */
static bool check_engines(const struct shepard_words *words)
{
    const char *reason = NULL;
    bool usable = words->count == 0;
    for (size_t w = 0; w < words->count; w++) {
        if (!check_engine(words->items[w])) {
            return false;
        }
        for (size_t i = 0; i < shepard_contestant_count(); i++) {
            if (shepard_contestant_means(words->items[w], i)) {
                usable = usable || !shepard_contestant_refusal(i);
                reason = reason ? reason : shepard_contestant_refusal(i);
            }
        }
    }
    return usable || shepard_say_error("--engine: none of these can run here: %s", reason);
}

static bool read_table(const char *word, unsigned *tables)
{
    struct shepard_suggestion near = {.word = word};
    for (int table = 0; table < SHEPARD_TABLES; table++) {
        if (strcmp(word, shepard_table_name(table)) == 0) {
            *tables |= 1u << table;
            return true;
        }
        shepard_suggest(&near, shepard_table_name(table));
    }
    if (near.best) {
        return shepard_say_error("--table: there is no table '%s'; did you mean %s?", word,
                                 near.best);
    }
    return shepard_say_error("--table: there is no table '%s'; they are aidw, stages, idw, joint, "
                             "double, new and errata",
                             word);
}

static bool read_tables(const struct shepard_words *words, unsigned *tables)
{
    *tables = words->count ? 0 : (1u << SHEPARD_TABLES) - 1;
    for (size_t i = 0; i < words->count; i++) {
        if (!read_table(words->items[i], tables)) {
            return false;
        }
    }
    return true;
}

static double number_or(const struct shepard_numbers *numbers, double other)
{
    return numbers->set ? numbers->v[0] : other;
}

/* What would only fail after the measurements is tried before. */
static bool check_outputs(const struct bench_options *options)
{
    if (options->json.set &&
        (!shepard_json_available() || !shepard_json_check(options->json.file))) {
        return false;
    }
    if (!options->plot) {
        return true;
    }
    if (!shepard_figure_possible()) {
        return shepard_say_error(
            "--plot: the figures need gnuplot, which is not installed; install it "
            "(Debian: apt-get install gnuplot-nox), or leave --plot out");
    }
    struct shepard_error error;
    return shepard_figure_check(options->plot, &error) == SHEPARD_OK ||
           shepard_say_error("--plot: %s", error.message);
}

static bool check_word(const struct shepard_words *names)
{
    struct shepard_suggestion near = {.word = names->items[0]};
    if (strcmp(names->items[0], "papers") == 0) {
        return true;
    }
    shepard_suggest(&near, "papers");
    return near.best
               ? shepard_say_error("bench has no '%s'; did you mean papers?", near.word)
               : shepard_say_error("bench has no '%s', only papers: the papers' tables", near.word);
}

/* While outputs are written a signal waits until they are complete, and then ends the program. To
 * block it is not enough, for then it goes to another thread. */
static volatile sig_atomic_t is_writing, waiting;

/* While engines run nothing stands half-written anywhere: the end may come at once. */
static void end_at_once(int number)
{
    static const char text[] = "\nshepard: error: interrupted\n";
    if (is_writing) {
        waiting = number;
        return;
    }
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0) {
        /* nobody listens */
    }
    _exit(128 + number);
}

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

static void catch_signals(void)
{
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction before, action = {.sa_handler = end_at_once};
        sigemptyset(&action.sa_mask);
        /* nohup has set SIGHUP to be ignored. */
        if (signals[i] != SIGHUP ||
            (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)) {
            sigaction(signals[i], &action, NULL);
        }
    }
}

/* Blocked as well, for gnuplot: what a program starts has the same signals blocked. */
static void hold_signals(int how)
{
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        sigaddset(&set, signals[i]);
    }
    sigprocmask(how, &set, NULL);
}

static bool write_figures(const struct shepard_study *study, const char *folder)
{
    struct shepard_error error;
    size_t count = 0;
    if (shepard_figure_draw(study, folder, &count, &error)) {
        return shepard_say_error("--plot: %s", error.message);
    }
    if (study->settings.out) {
        printf("%zu figures in %s\n", count, folder);
    }
    return true;
}

static bool write_outputs(const struct shepard_study *study, const struct bench_options *options)
{
    is_writing = 1;
    hold_signals(SIG_BLOCK);
    bool good =
        !options->json.set || shepard_study_json_write(study, options->commit, options->json.file);
    if (options->plot) {
        good = write_figures(study, options->plot) && good;
    }
    is_writing = 0;
    hold_signals(SIG_UNBLOCK);
    if (waiting) {
        end_at_once(waiting);
    }
    return good;
}

static bool run_study(struct shepard_study *study, const struct bench_options *options)
{
    struct shepard_error error;
    catch_signals();
    if (shepard_study_run(study, &error)) {
        return shepard_say_error("%s", error.message);
    }
    return write_outputs(study, options) && shepard_study_is_right(study);
}

static bool read_settings(const struct bench_options *options, size_t sizes[SHEPARD_SERIES_CASES],
                          struct shepard_study_settings *settings)
{
    if (!read_sizes(&options->sizes, sizes, &settings->size_count) ||
        !check_engines(&options->engines) || !read_tables(&options->tables, &settings->tables)) {
        return false;
    }
    if (number_or(&options->repeat, 1) > SHEPARD_REPEAT_MAX) {
        return shepard_say_error("--repeat: at most %d runs, %.0f asked for", SHEPARD_REPEAT_MAX,
                                 options->repeat.v[0]);
    }
    settings->sizes = sizes;
    settings->engines = (const char *const *)options->engines.items;
    settings->engine_count = options->engines.count;
    settings->terms = (struct shepard_terms){.budget = number_or(&options->budget, 60),
                                             .repeat = (int)number_or(&options->repeat, 3),
                                             .threads = (int)number_or(&options->threads, 0)};
    settings->seed = (uint64_t)number_or(&options->seed, 1);
    settings->out = options->json.set && !options->json.file ? NULL : stdout;
    return true;
}

static bool run(const struct bench_options *options, const struct shepard_words *names)
{
    size_t sizes[SHEPARD_SERIES_CASES];
    struct shepard_study *const study = shepard_study_new();
    const bool good = study
                          ? check_word(names) && read_settings(options, sizes, &study->settings) &&
                                check_outputs(options) && run_study(study, options)
                          : shepard_say_error("out of memory");
    shepard_study_free(study);
    return good;
}

int shepard_verb_bench(int argc, char **argv)
{
    struct bench_options options = {0};
    struct shepard_words names = {0};
    if (shepard_option_asked(argc, argv, "--help") || shepard_option_asked(argc, argv, "-h")) {
        print_help();
        return 0;
    }
    if (argc == 0) {
        shepard_say_error("bench of what? There is `shepard bench papers`: the papers' tables, "
                          "measured here; see `shepard bench --help`");
        return 1;
    }
    const bool good =
        shepard_options_parse(&bench_syntax, argc, argv, &options, &names) && run(&options, &names);
    shepard_words_free(&names);
    shepard_words_free(&options.tables);
    shepard_words_free(&options.engines);
    shepard_words_free(&options.sizes);
    return good ? 0 : 1;
}
