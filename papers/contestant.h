/* SPDX-License-Identifier: MIT */
/** Who is measured: each of the papers' engines, and shepard itself through its public interface.
 * Contestants are numbered from 0. */
#ifndef SHEPARD_PAPERS_CONTESTANT_H
#define SHEPARD_PAPERS_CONTESTANT_H

#include "engine.h"
#include "workload.h"

/** No contestant. */
#define SHEPARD_CONTESTANT_NONE SIZE_MAX

struct shepard_contestant {
    bool ours;                          /**< shepard itself; engine is then of no account */
    enum shepard_method method;         /**< what it computes */
    double eps;                         /**< of shepard itself */
    struct shepard_paper_engine engine; /**< one of the papers' */
};

/** Number of contestants, and contestant i < count: the papers' engines first. */
size_t shepard_contestant_count(void);
struct shepard_contestant shepard_contestant_at(size_t i);

/** The engine's name; "new-aidw-1e-5" and the like for shepard itself. */
void shepard_contestant_name(size_t i, char name[SHEPARD_PAPER_NAME]);

/** Whether a word of --engine means contestant i: its name, or the beginning of its name up to a
 * dash where the word is nobody's name. */
bool shepard_contestant_means(const char *word, size_t i);

/** NULL where it can run here, else why not, static. */
const char *shepard_contestant_refusal(size_t i);

bool shepard_contestant_is_serial(size_t i);

/** Largest error that it may have, a fraction of the value range: 1e-10 of engines in double, eps
 * of shepard itself, 1e-5 of the others. */
double shepard_contestant_limit(size_t i);

/** Work of a case, in a unit of its own: pairs, or for shepard itself points and targets times the
 * logarithm of the points. Times of one contestant grow with it. */
double shepard_contestant_work(size_t i, const struct shepard_workload *job);

/** Where the engine stands that this one's times are divided into: the serial engine that computes
 * the same; SHEPARD_CONTESTANT_NONE where there is none. */
size_t shepard_contestant_baseline(size_t i);

/** The contestant that is the same but for what the edited engine says; NONE where there is none.
 */
size_t shepard_contestant_find(const struct shepard_paper_engine *engine);

/** One run of contestant i: the engine's, or the preparation of points and field and a prediction,
 * with so many threads (0: OpenMP's own number). */
enum shepard_status shepard_contestant_run(size_t i, const struct shepard_paper_job *job,
                                           int threads, double *const *values,
                                           struct shepard_paper_times *times,
                                           struct shepard_error *error);

#endif
