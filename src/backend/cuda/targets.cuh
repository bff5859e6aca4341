/* SPDX-License-Identifier: MIT */
/* The targets of a chunk of a call, put into the frame and in order: along the curve, those with
 * three coordinates by the leaves that they are nearest to. Whole rows of cells that are only
 * searched round are taken in strips, column by column, which needs no sorting. Mirrors
 * core/schedule.h. */
#ifndef SHEPARD_BACKEND_CUDA_TARGETS_CUH
#define SHEPARD_BACKEND_CUDA_TARGETS_CUH

#include "backend/cuda/arrays.cuh"
#include "backend/cuda/hilbert.cuh"
#include "backend/cuda/leave_out.cuh"
#include "backend/cuda/points_view.cuh"
#include "backend/cuda/stage_timer.cuh"
#include "cuda/pool.cuh"

extern "C" {
#include "core/frame.h"
#include "core/targets.h"
}

namespace shepard
{

/* What the targets are put in order by. */
struct target_frame {
    shepard_frame frame;
    hilbert_curve along;
    space_points_view points;
    double x_min, y_min; /* corner of the data's box, user units */
    bool distances;      /* are wanted */
    bool along_curve;    /* the order has to be the curve's */
};

/* Where targets come from: data points, arrays or cells of a raster's window. */
struct target_source {
    places_view places;
    chosen_points chosen;
    bool list;
    number_view x, y, z; /* [m] of the chunk; z in space */
    double raster_z;     /* of cells, in space */
    shepard_raster raster;
    shepard_window window;
    std::uint64_t first; /* number of the chunk's first target in the call */
};

/* Targets first ... first + count - 1 of a call, on their way to the device; count < 2^32. */
class incoming_targets
{
  public:
    incoming_targets(const shepard_targets_view &of, const lent_memory &memory, std::size_t first,
                     std::size_t count, const places_view &places, const stream &on,
                     stage_timer &clock);

    const shepard_targets_view &all() const { return all_; }
    std::size_t first() const { return source_.first; }
    std::size_t count() const { return count_; }
    const target_source &source() const { return source_; }

  private:
    const shepard_targets_view &all_; /* of the call */
    std::size_t count_;
    taken x_, y_, z_;
    block<std::uint32_t> indices_;
    target_source source_ = {};
};

class targets
{
  public:
    targets(const incoming_targets &given, const target_frame &in, const stream &on,
            stage_timer &clock);

    target_view view() const
    {
        return {m_,          x_.get(),          y_.get(),         index_.get(),
                rank_.get(), left_out_.count(), left_out_.alone()};
    }
    /* Of targets with three coordinates. */
    space_target_view space_view() const { return {view(), z_.get()}; }
    /* [m] keys, rising, of targets along the curve; hilbert_end where a target is not finite. */
    const std::uint64_t *key() const { return key_.get(); }

    /* Puts the distances, user units, of targets so far away that they were held nearer into rows
     * [m, k], NaN past the last of a row; nodata: the first of rows without a point: asynchronous.
     */
    void correct_far(double *rows, int k, double nodata, const stream &on) const;

  private:
    void put_along_curve(const target_source &from, const target_frame &in, cudaStream_t stream);
    void put_in_strips(const target_source &from, const target_frame &in, cudaStream_t stream);
    void put_by_leaves(const target_source &from, const target_frame &in, cudaStream_t stream);

    std::uint32_t m_;
    double far_;              /* distances from here on may be those of a target held nearer */
    block<double> x_, y_, z_; /* z: of three coordinates */
    block<double> away_;      /* [m] as given: the distance of one held nearer, else 0 */
    block<std::uint32_t> index_, rank_;
    block<std::uint64_t> key_;
    left_out_points left_out_;
};

/* Rows of a strip of cells: a warp's are a square, nearly. */
constexpr std::uint32_t strip_rows = 8;

/* Where the places of a list stand along the curve. */
struct list_marks {
    block<std::uint64_t> key;    /* hilbert_end where a place is not finite */
    block<std::uint64_t> within; /* keys within the least squares, where the curve is crowded */
};

/* x, y: [m] user units. */
list_marks mark_list(const number_view &x, const number_view &y, std::uint32_t m,
                     const shepard_frame &frame, const hilbert_curve &along, cudaStream_t stream);

} // namespace shepard

#endif
