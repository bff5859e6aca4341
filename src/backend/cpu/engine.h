/* SPDX-License-Identifier: MIT */
/* One field by the rules of one call. */
#ifndef SHEPARD_BACKEND_CPU_ENGINE_H
#define SHEPARD_BACKEND_CPU_ENGINE_H

#include "backend/cpu/farfield.h"
#include "backend/cpu/field.h"

struct shepard_cpu_engine {
    const struct shepard_cpu_field *field;
    const struct shepard_samples *points; /* the field's */
    const struct shepard_rules *rules;
    const struct shepard_predict_job *job;
    const struct shepard_kernels *kernels;
    const struct shepard_tree *tree;
    const double *scale, *middle; /* [columns] as in the sums */
    struct shepard_sum_data sums;
    bool single; /* sums may be in float32; of planes those by the first levels */
    struct shepard_cpu_farfield *farfield;   /* values ready; NULL: sums are exact */
    struct shepard_cpu_kriging_all *kriging; /* of all points, for targets that leave none out */
};

/* Prepares what sums of values by the rules of a job need; both outlive the engine. */
enum shepard_status shepard_cpu_engine_open(const struct shepard_cpu_field *field,
                                            const struct shepard_predict_job *job,
                                            struct shepard_cpu_engine *engine);

/* The same at points of a whole, of which not all are there, for sums within an eps: what sums of
 * values need is left to shepard_cpu_farfield_begin. */
enum shepard_status shepard_cpu_engine_begin(const struct shepard_cpu_field *field,
                                             const struct shepard_predict_job *job,
                                             struct shepard_cpu_engine *engine);

/* Prepares what only some outputs of the job need. */
enum shepard_status shepard_cpu_engine_provide(const struct shepard_cpu_engine *engine);

/* The form of weights of a power that the rules give, or of twice that. */
static inline enum shepard_form shepard_cpu_engine_form(const struct shepard_cpu_engine *engine,
                                                        double power)
{
    return engine->rules->adaptive ? SHEPARD_FORM_GENERAL : shepard_form_of(power);
}

/* An engine that was not opened with success too. */
void shepard_cpu_engine_close(struct shepard_cpu_engine *engine);

#endif
