/* SPDX-License-Identifier: MIT */
#include "progress.h"

#include "message.h"

#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The bar, as GDALTermProgress draws it: a number every 10 %, a dot every 2.5 %. */
enum { MARKS = 40, MARKS_PER_NUMBER = 4, PERCENT_PER_NUMBER = 10 };

/* On a terminal the bar shows the time left once it has run for so many seconds, up to 100 hours.
 */
static const double LEFT_AFTER = 1, LEFT_MOST = 360000;

/* So many notes are kept: a format may warn of every feature. */
enum { NOTES_MAX = 1000, NOTE_ROOM = 1000 };

/* A signal handler can reach nothing but a static object. */
static volatile sig_atomic_t caught_signal;

static void catch_signal(int number)
{
    caught_signal = number;
}

double shepard_progress_clock(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void shepard_progress_start(struct shepard_progress *watch)
{
    /* Back to the default after the first signal: a second one ends the program at once. */
    struct sigaction action = {.sa_handler = catch_signal, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    /* A reader that went away and a limit of the size of files are write errors: what was begun is
     * taken away. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    /* nohup has set it to be ignored. */
    struct sigaction before;
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
        sigaction(SIGHUP, &action, NULL);
    }
    watch->begin = watch->since = shepard_progress_clock();
    watch->stage = SHEPARD_STAGE_READ;
    watch->drawn = -1;
}

void shepard_progress_stage(struct shepard_progress *watch, enum shepard_job_stage stage)
{
    const double time = shepard_progress_clock();
    watch->seconds[watch->stage] += time - watch->since;
    watch->since = time;
    watch->stage = stage;
}

double shepard_progress_total(struct shepard_progress *watch)
{
    shepard_progress_stage(watch, watch->stage);
    return watch->since - watch->begin;
}

/* Back to where the marks end. */
static void erase_left(struct shepard_progress *watch)
{
    if (watch->left_width > 0) {
        printf("%*s\033[%dD", watch->left_width, "", watch->left_width);
        watch->left_width = 0;
    }
}

/* Behind the marks, the cursor before it: a terminal's next mark or line goes over it. */
static void draw_left(struct shepard_progress *watch, double fraction)
{
    const double spent = watch->drawn_at - watch->bar_begin;
    const double left = spent * (1 - fraction) / fraction;
    if (!isatty(STDOUT_FILENO) || !(spent > LEFT_AFTER) || !(left < LEFT_MOST)) {
        return;
    }
    const long seconds = (long)ceil(left);
    watch->left_width =
        printf("  [%ld:%02ld:%02ld left", seconds / 3600, seconds / 60 % 60, seconds % 60);
    if (watch->cells > 0) {
        watch->left_width +=
            printf(", %.3g million cells/s", 1e-6 * watch->cells * fraction / spent);
    }
    watch->left_width += printf("]");
    printf("\033[%dD", watch->left_width);
}

/* What is said next stands on a line of its own. */
static void break_line(struct shepard_progress *watch)
{
    if (watch->drawn >= 0 && watch->drawn < MARKS) {
        erase_left(watch);
        putchar('\n');
    }
}

static void draw(struct shepard_progress *watch, double fraction)
{
    const int wanted = (int)(fraction * MARKS);
    const double time = shepard_progress_clock();
    if (wanted <= watch->drawn && time < watch->drawn_at + 1) {
        return;
    }
    watch->drawn_at = time;
    erase_left(watch);
    while (watch->drawn < wanted) {
        watch->drawn++;
        if (watch->drawn % MARKS_PER_NUMBER == 0) {
            printf("%d", watch->drawn / MARKS_PER_NUMBER * PERCENT_PER_NUMBER);
        } else {
            putchar('.');
        }
        if (watch->drawn == MARKS) {
            printf(" - done%s%s.\n", watch->share ? ": " : "", watch->share ? watch->share : "");
        }
    }
    if (watch->drawn < MARKS) {
        draw_left(watch, fraction);
    }
    fflush(stdout);
}

bool shepard_progress_report(double fraction, void *user)
{
    struct shepard_progress *const watch = user;
    if (watch->bar && watch->to > 0) {
        draw(watch, watch->from + fraction * (watch->to - watch->from));
    }
    return caught_signal == 0;
}

/* Keeps a new text; false of one that is kept already. */
static bool keep_note(struct shepard_progress *watch, const char *text)
{
    size_t i = 0;
    while (i < watch->notes.count && strcmp(watch->notes.items[i], text) != 0) {
        i++;
    }
    if (i == watch->notes.count && i < NOTES_MAX) {
        shepard_text_list_add(&watch->notes, text, strlen(text));
        return true;
    }
    return i == watch->notes.count;
}

static void note(struct shepard_progress *watch, const char *text, bool print)
{
    if (*text && keep_note(watch, text) && print) {
        break_line(watch);
        shepard_say_note("%s", text);
    }
}

void shepard_progress_notice(const char *text, void *user)
{
    struct shepard_progress *const watch = user;
    note(watch, text, !watch->quiet);
}

static __attribute__((format(printf, 3, 0))) void
note_format(struct shepard_progress *watch, bool print, const char *format, va_list arguments)
{
    char text[NOTE_ROOM];
    vsnprintf(text, sizeof text, format, arguments);
    note(watch, text, print);
}

void shepard_progress_note(struct shepard_progress *watch, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    note_format(watch, !watch->quiet, format, arguments);
    va_end(arguments);
}

void shepard_progress_warn(struct shepard_progress *watch, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    note_format(watch, true, format, arguments);
    va_end(arguments);
}

void shepard_progress_part(struct shepard_progress *watch, double from, double to)
{
    watch->from = from;
    watch->to = to;
    if (to > 0 && watch->bar_begin == 0) {
        watch->bar_begin = shepard_progress_clock();
    }
}

void shepard_progress_end_bar(struct shepard_progress *watch, const char *line)
{
    if (watch->bar) {
        draw(watch, 1);
        puts(line);
    }
    shepard_progress_begin_bar(watch);
}

void shepard_progress_begin_bar(struct shepard_progress *watch)
{
    break_line(watch);
    watch->drawn = -1;
    watch->drawn_at = watch->bar_begin = 0;
}

bool shepard_progress_error(const char *message)
{
    return shepard_say_error("%s", caught_signal ? "interrupted; nothing was written" : message);
}

int shepard_progress_exit_code(struct shepard_progress *watch)
{
    break_line(watch);
    watch->drawn = MARKS;
    return caught_signal ? 128 + (int)caught_signal : 1;
}
