/* SPDX-License-Identifier: MIT */
/* Predictions for consecutive targets of a call on one device, from their upload to the download of
 * the results. */
#ifndef SHEPARD_BACKEND_CUDA_CHUNK_CUH
#define SHEPARD_BACKEND_CUDA_CHUNK_CUH

#include "backend/cuda/all_points.cuh"
#include "backend/cuda/device_field.cuh"

extern "C" {
#include "backend/backend.h"
}

namespace shepard
{

/* What one device does a call with. */
struct device_call {
    device_points &points;
    device_field *field;          /* nullptr: of k nearest points */
    std::shared_ptr<far_set> far; /* nullptr where every pair is summed */
    device_points *places;        /* of targets that are data points; nullptr: they are not */
    bool begins = false; /* chunks begin what their sums need, while targets are on their way */

    int device() const { return points.device(); }
    const space_points_view &view() const
    {
        return field != nullptr ? field->view() : points.view();
    }
    const hilbert_curve &along() const { return points.along(); }
    const cells &division() const { return points.division(); }
    /* What follows in a stream finds it made. */
    const far_kind &provide(charge_kind kind, int level, const stream &in) const
    {
        return far ? far->provide(kind, level, in) : no_far_kind;
    }
};

/* A call as all devices see it. */
struct call_view {
    const shepard_targets_view *targets;
    const lent_memory *from;               /* of the targets */
    const lent_memory *to;                 /* of the results */
    const shepard_output *output;          /* predictions */
    const shepard_nearest_job *neighbours; /* or k nearest points */
    const shepard_geometry *facts;
    std::size_t columns;
    const shepard_rules *rules;
    bool counted; /* work is wanted */
    /* What is wanted of sums. */
    bool values, deviations, effective;

    bool sums() const { return values || deviations || effective; }
    /* Predictions from all points. */
    bool all_points() const
    {
        return neighbours == nullptr && !kriging() && shepard_search_uses_all(&rules->search);
    }
    bool kriging() const { return neighbours == nullptr && rules->method == SHEPARD_METHOD_KRIGE; }
    /* Places of the lists that a target's neighbours are kept in. */
    std::size_t list_places() const;
    bool distances() const
    {
        return (neighbours != nullptr ? neighbours->distances : output->nearest).data != nullptr;
    }
};

call_view view_of_call(const shepard_prepared_field &field, const shepard_predict_job &job,
                       const lent_memory &from, const lent_memory &to);
call_view view_of_call(const shepard_prepared_points &points, const shepard_nearest_job &job,
                       const lent_memory &from, const lent_memory &to);

/* Device memory that a target of a call takes, bytes, about. */
std::size_t bytes_of_target(const call_view &call);

/* A stream of chunks, one after the other. */
struct chunk_lane {
    stream in;
    stage_timer clock;
    list_room &room; /* of all lanes of a thread: used by one at a time */

    chunk_lane(bool timed, list_room &kept) : clock(timed), room(kept) {}
};

/* Targets first ... first + count - 1. Sums, and sorting, wait for the stream; the rest, and the
 * download, are only enqueued. work: on the device, added to. */
void run_chunk(const device_call &on, const call_view &call, const places_view &places,
               std::size_t first, std::size_t count, all_points_work *work, chunk_lane &lane);

} // namespace shepard

#endif
