/* SPDX-License-Identifier: MIT */
/** The methods that are measured: the papers' engines, and the library through its public
 * interface, on CPU and GPU. They are numbered from 0. */
#ifndef SHEPARD_PAPERS_METHOD_H
#define SHEPARD_PAPERS_METHOD_H

#include "papers_engine.h"
#include "workload.h"

struct shepard_paper_method {
    bool is_library;                    /**< the library; engine is not used */
    enum shepard_method method;         /**< what it computes */
    double eps;                         /**< of the library */
    enum shepard_backend backend;       /**< of the library: _CPU or _CUDA */
    struct shepard_paper_engine engine; /**< one of the papers' */
};

/** Number of methods, and method i < count: the papers' engines first. */
size_t shepard_paper_method_count(void);
struct shepard_paper_method shepard_paper_method_at(size_t i);

/** The engine's name; "new-aidw-1e-5", on a GPU "gpu-aidw-1e-5", and the like for the library.
 */
void shepard_paper_method_name(size_t i, char name[SHEPARD_PAPER_NAME]);

/** Whether a word of --method selects method i: its name, or the beginning of its name up to a
 * dash if the word is not the name of another method. */
bool shepard_paper_method_matches(const char *word, size_t i);

/** Why method i cannot run on this machine, static; NULL if it can. */
const char *shepard_paper_method_refusal(size_t i);

bool shepard_paper_method_is_serial(size_t i);
bool shepard_paper_method_is_on_gpu(size_t i);

/** Largest error allowed with n data points, as a fraction of the value range: eps of the library,
 * 1e-10 of engines in double, 1e-5 of the others, with n 2^-24 more where sums are those of n plain
 * additions in single precision; infinite where results are incomplete, as the method has it. */
double shepard_paper_method_error_limit(size_t i, size_t n);

/** Work of a case, all its calls: pairs, or, for the library, points and targets times the
 * logarithm of the points. The time of a method grows with it. */
double shepard_paper_method_work(size_t i, const struct shepard_workload *job);

/** Whether one call of method i takes several data sets. */
bool shepard_paper_method_takes_sets(size_t i);

/** What one call computes. */
struct shepard_paper_call {
    const struct shepard_paper_job *jobs; /**< [count], one for each data set */
    size_t count;                         /**< 1, or more if the method takes sets */
    int threads;                          /**< of the library; 0: OpenMP's own number */
};

/** One call of method i: the engine's, or the preparation of points and field and a prediction.
 * values: [columns or count] pointers to [m]. */
enum shepard_status shepard_paper_method_run(size_t i, const struct shepard_paper_call *call,
                                             double *const *values,
                                             struct shepard_paper_times *times,
                                             struct shepard_error *error);

#endif
