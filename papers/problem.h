/* SPDX-License-Identifier: MIT */
/* A job in the units that every engine works in: coordinates from the middle of the data's bounding
 * box, in a unit near the expected distance of neighbours, so that logarithms of the distances that
 * matter are small; values from the middle of their range, in halves of it. */
#ifndef SHEPARD_PAPERS_PROBLEM_H
#define SHEPARD_PAPERS_PROBLEM_H

#include "papers_engine.h"

#include "core/adapt.h"

/* Values of one column. A constant column has half 0; all its values are 0 in the engine's units.
 */
struct shepard_paper_range {
    double low, high;
    double middle, half;
};

struct shepard_paper_problem {
    const struct shepard_paper_job *job;
    size_t n, m, columns;
    double x_middle, y_middle; /* the job's units */
    double scale;              /* engine = (job - middle) * scale, a power of two */
    double reach;              /* engine units: targets are held within this of the middle */
    double power;              /* of IDW; 2 for square engines */
    struct shepard_adapt adapt;
    struct shepard_paper_range ranges[SHEPARD_PAPER_COLUMNS_MAX];
};

/* Checks the job and resolves it. Errors: SHEPARD_ERROR_ARGUMENT, _NO_POINTS, _SIZE, _AREA. */
enum shepard_status shepard_paper_problem_of(const struct shepard_paper_engine *engine,
                                             const struct shepard_paper_job *job,
                                             struct shepard_paper_problem *problem,
                                             struct shepard_error *error);

/* a, a coordinate from middle in the engine's units, held within the reach. */
static inline double shepard_paper_place(const struct shepard_paper_problem *problem, double a,
                                         double middle)
{
    const double reach = problem->reach, b = (a - middle) * problem->scale;
    return b < -reach ? -reach : b > reach ? reach : b;
}

/* A value in the engine's units, in [-1, 1] to rounding. */
static inline double shepard_paper_value(const struct shepard_paper_range *range, double z)
{
    return range->half > 0 ? (z - range->middle) / range->half : 0;
}

/* The value that a mean in the engine's units stands for, held within the column's range. */
static inline double shepard_paper_result(const struct shepard_paper_range *range, double mean)
{
    const double z = range->middle + range->half * mean;
    return z < range->low ? range->low : z > range->high ? range->high : z;
}

#endif
