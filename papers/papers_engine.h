/* SPDX-License-Identifier: MIT */
/**
 * The papers' programs, reproduced and corrected: IDW and adaptive IDW by brute force, on one
 * thread of the processor or on a GPU with CUDA. docs/papers.md says what each was, and what was
 * wrong in it.
 *
 * An engine sums over all data points for each target, O(n m). Sources: IDW [Mei 2014], several
 * value columns [Hennebohl, Appel & Pebesma 2011], AIDW "original" [Mei, Xu & Xu 2015] and
 * "improved" [Mei, Xu & Xu 2016].
 */
#ifndef SHEPARD_PAPERS_PAPERS_ENGINE_H
#define SHEPARD_PAPERS_PAPERS_ENGINE_H

#include "shepard/shepard.h"

enum shepard_paper_system {
    SHEPARD_PAPER_IDW,      /**< one power for all targets */
    SHEPARD_PAPER_ORIGINAL, /**< AIDW, neighbours by brute force */
    SHEPARD_PAPER_IMPROVED  /**< AIDW, neighbours from an even grid, a stage of its own */
};

enum shepard_paper_scheme {
    SHEPARD_PAPER_SERIAL, /**< one processor thread */
    SHEPARD_PAPER_NAIVE,  /**< a GPU thread for each target, data from global memory */
    SHEPARD_PAPER_TILED,  /**< the same, data through tiles in shared memory */
    /** A target launches a grid over the data (dynamic parallelism), whose last block adds up. */
    SHEPARD_PAPER_NESTED,
    /** The same, but a grid that waits for all those of some targets (tail launch) adds up. */
    SHEPARD_PAPER_NESTED_TAIL,
    /** The same without the grid that adds up, for the time without waiting: values are NaN. */
    SHEPARD_PAPER_NESTED_OPEN
};

static inline bool shepard_paper_scheme_is_nested(enum shepard_paper_scheme scheme)
{
    return scheme >= SHEPARD_PAPER_NESTED;
}

/** How data points and targets lie in the GPU's memory. */
enum shepard_paper_layout {
    SHEPARD_PAPER_SOA, /**< structure of arrays */
    SHEPARD_PAPER_AOAS /**< array of structures aligned to 16 bytes, targets too */
};

/** Cells of the even grid of the improved system. */
enum shepard_paper_grid {
    SHEPARD_PAPER_GRID_DENSE, /**< three points a cell, over the box of the data */
    SHEPARD_PAPER_GRID_OWN /**< the paper's own: as wide as the expected distance of neighbours, a
                                quarter of a point a cell, over the box of data and targets */
};

/**
 * An engine. Not all combinations are: serial has no layout (SOA stands) and systems IDW and
 * ORIGINAL only, ORIGINAL in double only; nested schemes are IDW with SOA only, the last two in
 * single precision only; square is IDW only. Plain are naive and tiled ones: IDW with SOA in single
 * precision, ORIGINAL, IMPROVED in single precision. The own grid is IMPROVED with SOA in single
 * precision only, and not plain.
 */
struct shepard_paper_engine {
    enum shepard_paper_system system;
    enum shepard_paper_scheme scheme;
    enum shepard_paper_layout layout;
    enum shepard_precision precision;
    bool square; /**< IDW of power 2 without logarithms; else any power, power 2 too */
    /** As the papers' programs: weights by a division and pow of the CUDA library, a target a
     * thread, all data in one sum of plain additions, tiles as long as blocks; one value column. */
    bool plain;
    enum shepard_paper_grid grid;
};

/** Longest name, with its end. */
#define SHEPARD_PAPER_NAME 48

/** Number of engines, and engine i < count. */
size_t shepard_paper_engine_count(void);
struct shepard_paper_engine shepard_paper_engine_at(size_t i);

/** The number of the engine with these fields; the count if there is none. */
size_t shepard_paper_engine_find(const struct shepard_paper_engine *engine);

/** "[plain-]SYSTEM-SCHEME[-aoas][-own-grid][-double]", SYSTEM being idw, idw2 (square), original or
 * improved; serial engines "SYSTEM-serial[-single]". */
void shepard_paper_engine_name(const struct shepard_paper_engine *engine,
                               char name[SHEPARD_PAPER_NAME]);

/** Whether shepard_paper_run_sets takes an engine with several sets: the serial ones, and on a GPU
 * IDW of power 2, naive and tiled, SoA, single precision. */
bool shepard_paper_engine_takes_sets(const struct shepard_paper_engine *engine);

/** NULL where the engine can run here, else why not, static ("built without CUDA", "no driver"). */
const char *shepard_paper_engine_refusal(const struct shepard_paper_engine *engine);

/**
 * What to compute. The engine sets the method and uses the parameters power (IDW) and adaptive
 * (AIDW). smoothing, degree and neighbourhood must be at their defaults, values.weights NULL; the
 * other parameters are checked and not used.
 */
struct shepard_paper_job {
    const struct shepard_coordinates *coordinates; /**< any n >= 1; all finite */
    const struct shepard_values *values;           /**< 1 to 64 columns, plain: 1; all finite */
    const struct shepard_targets *targets;         /**< a list, any m; all finite */
    const struct shepard_parameters *parameters;
};

/** Largest number of value columns, and of neighbours k, that an engine takes. */
#define SHEPARD_PAPER_COLUMNS_MAX 64
#define SHEPARD_PAPER_NEIGHBOURS_MAX 32

/**
 * Seconds of one run. total is wall-clock time of the call, allocations and transfers included;
 * the stages are measured on the GPU, and 0 where the engine has no such stage. Neighbours and sums
 * of the original system are one kernel: weighting has both.
 */
struct shepard_paper_times {
    double total;
    double prepare;    /**< coordinates to the engine's units and precision, on the processor */
    double upload;     /**< processor to GPU */
    double grid;       /**< even grid: extent, cells, sort, counts (improved) */
    double neighbours; /**< search and power of each target (improved) */
    double weighting;  /**< sums */
    double download;   /**< GPU to processor */
};

/**
 * Runs an engine. values: [columns] pointers to [m]. times and error may be NULL.
 * A GPU engine first makes the device's context and loads its kernels by a run on a few of the
 * points, which times do not have. On the GPU more than 16 columns go in chunks of 16, whose
 * weights are made again for each chunk.
 * Accuracy, in parts of the value range: double 1e-11, single 1e-5 for coordinates that single
 * precision holds once the middle of the data is taken away (multiples of 2^-23 of the extent).
 * Others are rounded to that, which moves neighbours at a million points by 1e-4 of their distance.
 * Serial and plain engines in single precision add n numbers one after another: n 2^-24 more.
 * Errors: SHEPARD_ERROR_ARGUMENT (a job outside the limits above, with the field's name), _AREA,
 * _MEMORY (host or device), _BACKEND (no such engine here, no driver, a device that was lost).
 */
enum shepard_status shepard_paper_run(const struct shepard_paper_engine *engine,
                                      const struct shepard_paper_job *job, double *const *values,
                                      struct shepard_paper_times *times,
                                      struct shepard_error *error);

/** Largest number of data sets of one call. */
#define SHEPARD_PAPER_SETS_MAX 64

/**
 * Runs an engine on separate data sets, each with its own places, in one call [Hennebohl, Appel &
 * Pebesma 2011]; on a GPU all are one launch. jobs: [count] with the same number of points, of
 * targets, and one column; several need an engine that takes sets. values: [count] pointers to [m].
 * All else, also the errors, as shepard_paper_run.
 */
enum shepard_status shepard_paper_run_sets(const struct shepard_paper_engine *engine,
                                           const struct shepard_paper_job *jobs, size_t count,
                                           double *const *values, struct shepard_paper_times *times,
                                           struct shepard_error *error);

#endif
