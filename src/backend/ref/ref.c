/* SPDX-License-Identifier: MIT */
/* The reference that tests compare with: every target looks at every point, in plain double with
 * compensated sums, planes in pairs of doubles. Nothing here is shared with another backend but the
 * definitions in core/. */
#include "backend/backend.h"
#include "backend/ref/estimate.h"
#include "backend/ref/kriging.h"
#include "backend/ref/neumaier.h"
#include "backend/ref/plane.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "core/diagnostics.h"
#include "core/leave_out.h"
#include "core/methods.h"

#define BLOCK 16 /* targets */

struct shepard_ref_points {
    struct shepard_prepared_points base;
    struct shepard_ref_sphere sphere; /* where points are on one */
};

static const struct shepard_ref_sphere *sphere_of(const struct shepard_prepared_points *points)
{
    return points->geometry.frame.space.metric == SHEPARD_METRIC_SPHERE
               ? &((const struct shepard_ref_points *)points)->sphere
               : NULL;
}

struct shepard_ref_field {
    struct shepard_prepared_field base;
};

/* What one thread works in, each [n]. */
struct scratch {
    struct shepard_candidate *candidates, *spare;
    double *weights;
    struct shepard_pair *plane;         /* of degree 1 */
    struct shepard_ref_kriging kriging; /* of systems */
};

/* One call, of either kind. */
struct ref_call {
    const struct shepard_samples *points;
    const struct shepard_ref_sphere *sphere; /* that points are on; NULL: none */
    const struct shepard_ref_sphere *places; /* and targets that are data points */
    const struct shepard_rules *rules;       /* of a prediction */
    const struct shepard_targets_view *targets;
    const struct shepard_output *output;       /* of a prediction */
    const struct shepard_nearest_job *nearest; /* of a search */
    struct scratch *scratch;                   /* [threads] */
    int threads;
};

/* Diagnostics of one target. */
#define NUMBER(id, array, name) double array;
struct report {
    SHEPARD_DIAGNOSTIC_LIST(NUMBER, SHEPARD_NO_DIAGNOSTIC)
};
#undef NUMBER

static bool degrees_at(const struct ref_call *call, size_t i, struct shepard_ref_place *place)
{
    const struct shepard_targets_view *targets = call->targets;
    if (targets->points) {
        const uint32_t rank = targets->leave_out->rank[place->omitted];
        if (rank == SHEPARD_NO_POINT)
            return false;
        place->x = call->places->longitude[rank];
        place->y = call->places->latitude[rank];
        return true;
    }
    shepard_targets_at(targets, i, &place->x, &place->y);
    if (!isfinite(place->x) || !(fabs(place->y) <= 90))
        return false;
    shepard_ref_sphere_name(&place->x, &place->y);
    return true;
}

static bool target_at(const struct ref_call *call, size_t i, struct shepard_ref_place *place)
{
    const struct shepard_targets_view *targets = call->targets;
    *place = (struct shepard_ref_place){.omission = SHEPARD_OMIT_NONE};
    if (targets->points) {
        place->omission = targets->keep_coincident ? SHEPARD_OMIT_ONE : SHEPARD_OMIT_HERE;
        place->omitted = targets->indices != NULL ? targets->indices[i] : (uint32_t)i;
    }
    if (targets->leave_out != NULL)
        place->star = shepard_leave_out_star(targets->leave_out, i);
    place->sphere = call->sphere;
    if (place->sphere != NULL)
        return degrees_at(call, i, place);
    if (call->points->geometry->z != NULL)
        return shepard_targets_place_3d(targets, &call->points->geometry->frame, i, &place->x,
                                        &place->y, &place->z);
    return shepard_targets_place(targets, &call->points->geometry->frame, i, &place->x, &place->y);
}

static void put_report(const struct ref_call *call, size_t i, const struct report *report)
{
#define PUT(id, array, name) shepard_output_put(call->output->array, i, report->array);
    SHEPARD_DIAGNOSTIC_LIST(PUT, SHEPARD_NO_DIAGNOSTIC)
#undef PUT
}

static void put_nothing(const struct ref_call *call, size_t i, double count, double nearest)
{
    shepard_output_put_nodata(call->output, call->points->columns, i, call->rules->nodata);
    shepard_output_put(call->output->count, i, count);
    shepard_output_put(call->output->nearest, i, nearest);
}

static double power_at(const struct ref_call *call, struct shepard_ref_place place,
                       struct scratch *scratch)
{
    const struct shepard_rules *rules = call->rules;
    if (!rules->adaptive)
        return rules->power;
    const size_t k = shepard_choice_nearest(call->points, place, rules->adapt.k, scratch->spare);
    struct shepard_neumaier sum = {0};
    for (size_t i = 0; i < k; i++)
        shepard_neumaier_add(&sum, sqrt(scratch->spare[i].d2));
    return shepard_adapt_power(&rules->adapt, shepard_neumaier_total(&sum) / (double)k);
}

/* The plane through the points used; what its ridge is relative to is the size of the
 * neighbourhood.
 */
static struct shepard_plane plane_at(const struct ref_call *call,
                                     const struct shepard_estimate *estimate, double power,
                                     struct scratch *scratch)
{
    const struct shepard_rules *rules = call->rules;
    const struct shepard_candidate *sample = estimate->used;
    size_t count = estimate->count;
    if (rules->search.all) {
        count = shepard_choice_nearest(call->points, estimate->place, rules->ridge_neighbours,
                                       scratch->spare);
        sample = scratch->spare;
    }
    struct shepard_plane plane = {.points = call->points,
                                  .place = estimate->place,
                                  .used = estimate->used,
                                  .count = estimate->count,
                                  .weights = scratch->plane,
                                  .damping = rules->damping};
    shepard_plane_penalise(&plane, rules->ridge, sample, count, scratch->plane);
    shepard_plane_weigh(&plane, power, rules->smoothing, estimate->nearest2 + rules->smoothing2);
    return plane;
}

/* plane: NULL where the mean is asked for. */
static void put_estimate(const struct ref_call *call, size_t i,
                         const struct shepard_estimate *estimate, const struct shepard_plane *plane)
{
    for (size_t c = 0; c < estimate->points->columns; c++) {
        const struct shepard_output_array values = shepard_output_column(call->output->values, c);
        const struct shepard_output_array deviations =
            shepard_output_column(call->output->deviations, c);
        if (values.data != NULL)
            shepard_output_put(values, i,
                               plane != NULL ? shepard_plane_value(plane, c)
                                             : shepard_estimate_mean(estimate, c));
        if (deviations.data != NULL)
            shepard_output_put(deviations, i, shepard_estimate_deviation(estimate, c));
    }
}

/* The distance, user units, of target i from a candidate. Frame units hold back targets that are
 * very far away: theirs comes from user units, and is the same to every point. */
static double distance_of(const struct ref_call *call, size_t i,
                          const struct shepard_candidate *candidate)
{
    const struct shepard_samples *points = call->points;
    const struct shepard_geometry *geometry = points->geometry;
    const struct shepard_frame *frame = &geometry->frame;
    if (call->targets->points || call->sphere != NULL)
        return sqrt(candidate->d2) / frame->scale;
    double x, y;
    shepard_targets_at(call->targets, i, &x, &y);
    double u = x, v = y;
    if (geometry->z != NULL) {
        double distance;
        shepard_geometry_distances(geometry, call->targets, i, &candidate->d2, 1, &distance);
        return distance;
    }
    if (shepard_frame_target(frame, &u, &v))
        return sqrt(candidate->d2) / frame->scale;
    return shepard_frame_distance(frame, x - geometry->box.x_min, y - geometry->box.y_min);
}

static const struct shepard_candidate *nearest_of(const struct shepard_candidate *candidates,
                                                  size_t count)
{
    const struct shepard_candidate *nearest = candidates;
    for (size_t i = 1; i < count; i++)
        if (candidates[i].d2 < nearest->d2)
            nearest = &candidates[i];
    return nearest;
}

/* Weights that are powers of distances. */
static enum shepard_status predict_by_power(const struct ref_call *call, size_t i,
                                            struct shepard_estimate *estimate,
                                            struct scratch *scratch, struct report *report)
{
    const struct shepard_rules *rules = call->rules;
    report->power = power_at(call, estimate->place, scratch);
    shepard_estimate_weigh(estimate, report->power, rules->smoothing2);
    const bool coincident = estimate->nearest2 + rules->smoothing2 == 0;
    const bool tilted = rules->degree == 1 && !coincident;
    struct shepard_plane plane;
    if (tilted)
        plane = plane_at(call, estimate, report->power, scratch);
    put_estimate(call, i, estimate, tilted ? &plane : NULL);
    report->effective = estimate->effective;
    return SHEPARD_OK;
}

/* Weights that solve a system of covariances. */
static enum shepard_status predict_by_kriging(const struct ref_call *call, size_t i,
                                              struct shepard_estimate *estimate,
                                              struct scratch *scratch, struct report *report)
{
    struct shepard_ref_kriging *kriging = &scratch->kriging;
    const size_t count = estimate->count;
    report->power = report->effective = call->rules->nodata;
    const enum shepard_status status =
        shepard_ref_kriging_weigh(kriging, estimate->place, estimate->used, count);
    for (size_t c = 0; status == SHEPARD_OK && c < call->points->columns; c++) {
        const struct shepard_output_array values = shepard_output_column(call->output->values, c);
        if (values.data != NULL)
            shepard_output_put(values, i, shepard_ref_kriging_value(kriging, count, c));
        const struct shepard_output_array sds = shepard_output_column(call->output->sds, c);
        if (sds.data != NULL)
            shepard_output_put(sds, i, shepard_ref_kriging_sd(kriging, count, c));
        shepard_output_put(shepard_output_column(call->output->deviations, c), i,
                           call->rules->nodata);
    }
    return status;
}

/* From the points used to a prediction, for each method. */
static enum shepard_status (*const predictions[])(const struct ref_call *, size_t,
                                                  struct shepard_estimate *, struct scratch *,
                                                  struct report *) = {
    [SHEPARD_METHOD_IDW] = predict_by_power,
    [SHEPARD_METHOD_AIDW] = predict_by_power,
    [SHEPARD_METHOD_KRIGE] = predict_by_kriging,
};

static enum shepard_status predict_at(const struct ref_call *call, size_t i,
                                      struct scratch *scratch)
{
    const struct shepard_samples *points = call->points;
    const struct shepard_rules *rules = call->rules;
    struct shepard_ref_place place;
    if (!target_at(call, i, &place)) {
        put_nothing(call, i, 0, rules->nodata);
        return SHEPARD_OK;
    }
    const struct shepard_ref_choice choice =
        shepard_choice_used(points, &rules->search, place, scratch->candidates);
    struct report report = {.count = (double)choice.count, .nearest = rules->nodata};
    if (choice.count > 0)
        report.nearest = distance_of(call, i, nearest_of(scratch->candidates, choice.count));
    if (!choice.met) {
        put_nothing(call, i, report.count, report.nearest);
        return SHEPARD_OK;
    }
    struct shepard_estimate estimate = {.points = points,
                                        .place = place,
                                        .used = scratch->candidates,
                                        .count = choice.count,
                                        .weights = scratch->weights};
    const enum shepard_status status =
        predictions[rules->method](call, i, &estimate, scratch, &report);
    put_report(call, i, &report);
    return status;
}

static void search_at(const struct ref_call *call, size_t i, struct scratch *scratch)
{
    const struct shepard_samples *points = call->points;
    const struct shepard_nearest_job *job = call->nearest;
    struct shepard_ref_place place;
    size_t found = 0;
    if (target_at(call, i, &place))
        found = shepard_choice_nearest(points, place, job->k, scratch->candidates);
    for (size_t j = 0; j < job->k; j++) {
        const struct shepard_candidate *candidate = j < found ? &scratch->candidates[j] : NULL;
        if (job->indices != NULL)
            job->indices[i * job->k + j] =
                candidate != NULL ? points->index[candidate->point] : SHEPARD_NO_POINT;
        shepard_output_put(job->distances, i * job->k + j,
                           candidate != NULL ? distance_of(call, i, candidate) : NAN);
    }
}

static enum shepard_status do_block(void *context, size_t block, int thread)
{
    const struct ref_call *call = context;
    size_t end = (block + 1) * BLOCK;
    if (end > call->targets->count)
        end = call->targets->count;
    enum shepard_status status = SHEPARD_OK;
    for (size_t i = block * BLOCK; i < end && status == SHEPARD_OK; i++) {
        if (call->nearest != NULL)
            search_at(call, i, &call->scratch[thread]);
        else
            status = predict_at(call, i, &call->scratch[thread]);
    }
    return status;
}

static void scratch_free(struct ref_call *call)
{
    const struct shepard_allocator *allocator = call->points->allocator;
    for (int t = 0; call->scratch != NULL && t < call->threads; t++) {
        shepard_release(allocator, call->scratch[t].candidates);
        shepard_release(allocator, call->scratch[t].spare);
        shepard_release(allocator, call->scratch[t].weights);
        shepard_release(allocator, call->scratch[t].plane);
        shepard_ref_kriging_free(&call->scratch[t].kriging);
    }
    shepard_release(allocator, call->scratch);
}

static bool scratch_allocate(struct ref_call *call)
{
    const struct shepard_samples *points = call->points;
    const size_t threads = (size_t)call->threads, n = points->count;
    const bool tilted = call->rules != NULL && call->rules->degree == 1;
    const bool krige = call->rules != NULL && shepard_method_facts(call->rules->method)->kriging;
    call->scratch = shepard_allocate(points->allocator, threads, sizeof *call->scratch);
    if (call->scratch == NULL)
        return false;
    for (size_t t = 0; t < threads; t++)
        call->scratch[t] = (struct scratch){0};
    for (size_t t = 0; t < threads; t++) {
        struct scratch *scratch = &call->scratch[t];
        scratch->candidates = shepard_allocate(points->allocator, n, sizeof *scratch->candidates);
        scratch->spare = shepard_allocate(points->allocator, n, sizeof *scratch->spare);
        scratch->weights = shepard_allocate(points->allocator, n, sizeof *scratch->weights);
        if (tilted)
            scratch->plane = shepard_allocate(points->allocator, n, sizeof *scratch->plane);
        if (!scratch->candidates || !scratch->spare || !scratch->weights ||
            (tilted && !scratch->plane))
            return false;
        scratch->kriging = (struct shepard_ref_kriging){
            .points = krige ? points : NULL, .rules = krige ? &call->rules->kriging : NULL};
        if (krige && !shepard_ref_kriging_create(&scratch->kriging))
            return false;
    }
    return true;
}

static enum shepard_status do_blocks(struct ref_call *call, const struct shepard_control *control,
                                     struct shepard_error *error)
{
    const size_t blocks = (call->targets->count + BLOCK - 1) / BLOCK;
    const int threads = call->points->geometry->threads;
    call->threads = blocks < (size_t)threads ? (int)blocks : threads;
    enum shepard_status status;
    if (scratch_allocate(call))
        status = shepard_loop_run(
            &(struct shepard_loop){call->threads, blocks, do_block, call, control});
    else
        status = shepard_error_set_memory(error, "the lists of neighbours");
    scratch_free(call);
    return shepard_kriging_fail(status, error);
}

/* all: the points that targets may be of. */
static enum shepard_status call_run(struct ref_call *call, const struct shepard_geometry *all,
                                    const struct shepard_control *control,
                                    struct shepard_error *error)
{
    struct shepard_targets_view targets = *call->targets;
    struct shepard_leave_out leave_out = {0};
    const bool leaves_out = shepard_targets_leave_out(&targets);
    if (leaves_out &&
        shepard_leave_out_create(&targets, all, call->points->geometry, &leave_out) != SHEPARD_OK)
        return shepard_error_set_memory(error, "the targets");
    targets.leave_out = leaves_out ? &leave_out : NULL;
    call->targets = &targets;
    const enum shepard_status status = do_blocks(call, control, error);
    shepard_leave_out_free(&leave_out);
    return status;
}

static enum shepard_status ref_predict(const struct shepard_prepared_field *field,
                                       const struct shepard_predict_job *job,
                                       struct shepard_error *error)
{
    struct ref_call call = {.points = &field->samples,
                            .sphere = sphere_of(field->points),
                            .places = sphere_of(job->places),
                            .rules = job->rules,
                            .targets = job->targets,
                            .output = job->output};
    return call_run(&call, &job->places->geometry, job->control, error);
}

static enum shepard_status ref_nearest(const struct shepard_prepared_points *points,
                                       const struct shepard_nearest_job *job,
                                       struct shepard_error *error)
{
    const struct shepard_samples places = shepard_samples_of_places(&points->geometry);
    struct ref_call call = {.points = &places,
                            .sphere = sphere_of(points),
                            .places = sphere_of(points),
                            .targets = job->targets,
                            .nearest = job};
    return call_run(&call, &points->geometry, job->control, error);
}

static enum shepard_status ref_prepare(const struct shepard_prepared_field *field,
                                       const struct shepard_predict_job *job,
                                       struct shepard_error *error)
{
    (void)field;
    (void)job;
    (void)error;
    return SHEPARD_OK;
}

/* ---- points and fields ----------------------------------------------------------------------- */

static struct shepard_ref_points *new_points(const struct shepard_allocator *allocator, int threads)
{
    struct shepard_ref_points *made = shepard_allocate(allocator, 1, sizeof *made);
    if (made != NULL)
        *made = (struct shepard_ref_points){
            .base.geometry = {.allocator = allocator, .threads = threads},
            .sphere.allocator = allocator};
    return made;
}

static void ref_points_free(struct shepard_prepared_points *points)
{
    const struct shepard_allocator *allocator = points->geometry.allocator;
    struct shepard_ref_points *own = (struct shepard_ref_points *)points;
    shepard_ref_sphere_free(&own->sphere);
    shepard_geometry_free(&points->geometry);
    shepard_release(allocator, own);
}

static enum shepard_status ref_points_create(const struct shepard_points_plan *plan,
                                             struct shepard_prepared_points **points,
                                             struct shepard_error *error)
{
    struct shepard_ref_points *made = new_points(plan->allocator, plan->threads);
    if (made == NULL)
        return shepard_error_set_memory(error, "the points");
    made->base.geometry.frame.space = plan->space;
    made->base.geometry.whole = *plan->whole;
    enum shepard_status status =
        shepard_geometry_create(plan->coordinates, &plan->stretch, &made->base.geometry, error);
    if (status == SHEPARD_OK && plan->space.metric == SHEPARD_METRIC_SPHERE &&
        !shepard_ref_sphere_create(plan->coordinates, &made->base.geometry, &made->sphere))
        status = shepard_error_set_memory(error, "the points");
    if (status == SHEPARD_OK)
        *points = &made->base;
    else
        ref_points_free(&made->base);
    return status;
}

static enum shepard_status ref_points_subset(const struct shepard_prepared_points *all,
                                             const bool *keep,
                                             struct shepard_prepared_points **points,
                                             struct shepard_error *error)
{
    const struct shepard_geometry *geometry = &all->geometry;
    struct shepard_ref_points *made = new_points(geometry->allocator, geometry->threads);
    if (made == NULL)
        return shepard_error_set_memory(error, "the points");
    enum shepard_status status =
        shepard_geometry_subset(geometry, keep, &made->base.geometry, error);
    const struct shepard_ref_sphere *sphere = sphere_of(all);
    if (status == SHEPARD_OK && sphere != NULL &&
        !shepard_ref_sphere_subset(sphere, geometry, &made->base.geometry, &made->sphere))
        status = shepard_error_set_memory(error, "the points");
    if (status == SHEPARD_OK)
        *points = &made->base;
    else
        ref_points_free(&made->base);
    return status;
}

static void ref_field_free(struct shepard_prepared_field *field)
{
    const struct shepard_allocator *allocator = field->points->geometry.allocator;
    shepard_samples_free(&field->samples);
    shepard_release(allocator, field);
}

static enum shepard_status ref_field_create(const struct shepard_prepared_points *points,
                                            const struct shepard_values *values,
                                            size_t memory_limit,
                                            struct shepard_prepared_field **field, bool *gaps,
                                            struct shepard_error *error)
{
    (void)memory_limit;
    struct shepard_ref_field *made = shepard_allocate(points->geometry.allocator, 1, sizeof *made);
    if (made == NULL)
        return shepard_error_set_memory(error, "the field");
    *made = (struct shepard_ref_field){.base.points = points};
    enum shepard_status status =
        shepard_samples_create(&points->geometry, values, &made->base.samples, gaps, error);
    if (status == SHEPARD_OK && !*gaps)
        *field = &made->base;
    else
        ref_field_free(&made->base);
    return status;
}

static void ref_points_holding(const struct shepard_prepared_points *points,
                               struct shepard_holding *holding)
{
    holding->bytes = sizeof(struct shepard_ref_points) + shepard_geometry_bytes(&points->geometry);
    if (sphere_of(points) != NULL)
        holding->bytes += points->geometry.count * 2 * sizeof(double);
}

static void ref_field_holding(const struct shepard_prepared_field *field,
                              struct shepard_holding *holding)
{
    holding->bytes = sizeof(struct shepard_ref_field) + shepard_samples_bytes(&field->samples);
}

/* ---- the table ------------------------------------------------------------------------------- */

static const char *nothing(void)
{
    return "";
}

const struct shepard_backend_table shepard_backend_ref = {
    .backend = SHEPARD_BACKEND_REF,
    .name = "ref",
    .unavailable_reason = nothing,
    .isa = nothing,
    .points_create = ref_points_create,
    .points_subset = ref_points_subset,
    .points_free = ref_points_free,
    .field_create = ref_field_create,
    .field_free = ref_field_free,
    .prepare = ref_prepare,
    .predict = ref_predict,
    .nearest = ref_nearest,
    .points_holding = ref_points_holding,
    .field_holding = ref_field_holding,
};
