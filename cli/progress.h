/* SPDX-License-Identifier: MIT */
/** A running job: its progress bar, its interruption by a signal, and the time it takes. */
#ifndef SHEPARD_CLI_PROGRESS_H
#define SHEPARD_CLI_PROGRESS_H

#include "text_list.h"

#include "shepard/shepard.h"

#include <stdbool.h>

enum shepard_job_stage {
    SHEPARD_STAGE_READ,
    SHEPARD_STAGE_BUILD,
    SHEPARD_STAGE_PREDICT,
    SHEPARD_STAGE_WRITE,
    SHEPARD_STAGE_COUNT
};

struct shepard_progress {
    bool bar;          /**< draw a progress bar on stdout */
    bool quiet;        /**< no notes */
    int drawn;         /**< marks of the bar that stand on the screen */
    int left_width;    /**< letters of the time left that stand behind them */
    double bar_begin;  /**< when the bar began; 0: not yet */
    double drawn_at;   /**< when it was drawn last: at most once a second between marks */
    double cells;      /**< that the bar stands for; 0: for something else */
    const char *share; /**< of the work that the bar stands for, said at its end; NULL: all */
    double from, to;   /**< the part of the whole that the running call covers; to = 0: none */
    enum shepard_job_stage stage; /**< where time goes at present */
    double since;                 /**< when that began */
    double begin;                 /**< when the job began */
    double seconds[SHEPARD_STAGE_COUNT];
    struct shepard_text_list notes; /**< what the user should know, each once: for --json too */
    struct shepard_timing gpu;      /**< what GPUs did, of all calls */
};

/** Catches SIGINT, SIGTERM and, under no nohup, SIGHUP from now on, and starts the clock. */
void shepard_progress_start(struct shepard_progress *watch);

/** Seconds of a clock that only runs forward. */
double shepard_progress_clock(void);

/** Time belongs to this stage from now on. */
void shepard_progress_stage(struct shepard_progress *watch, enum shepard_job_stage stage);

/** Stops the clock of the running stage; seconds[] is then complete. */
double shepard_progress_total(struct shepard_progress *watch);

/** The progress callback of every library call; user is the watch. False once a signal came. */
bool shepard_progress_report(double fraction, void *user);

/** The notice callback of every library call and the warning callback of shepard_io; user is the
 * watch. A new text is kept, and printed unless the watch is quiet; "" is ignored. */
void shepard_progress_notice(const char *text, void *user);

/** The same for a note of the command itself. */
void shepard_progress_note(struct shepard_progress *watch, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** The same, printed by a quiet watch too: values are lost. */
void shepard_progress_warn(struct shepard_progress *watch, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** Progress of the running call goes to this part of the bar; 0, 0: to none. */
void shepard_progress_part(struct shepard_progress *watch, double from, double to);

/** Draws the rest of the bar, and a line below it; the next report draws a new one. */
void shepard_progress_end_bar(struct shepard_progress *watch, const char *line);

/** The next report draws a new bar. */
void shepard_progress_begin_bar(struct shepard_progress *watch);

/** Says why a library call failed: its message, or that a signal came; returns false. */
bool shepard_progress_error(const char *message);

/** Exit code of a job that failed: 128 + the signal that came, or 1. Ends the bar's line. */
int shepard_progress_exit_code(struct shepard_progress *watch);

#endif
