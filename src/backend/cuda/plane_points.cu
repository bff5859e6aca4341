/* SPDX-License-Identifier: MIT */
/* What points give to sums of planes, one by one, in double. Mirrors kernel/sum_double_impl.h. */
#include "backend/cuda/all_points_kernels.cuh"
#include "backend/cuda/coarse_power.cuh"
#include "backend/cuda/pair_sums.cuh"

namespace shepard
{

namespace
{

/* Sums of w, and of x, y, xx, xy, yy, z, zx, zy. */
constexpr int sums_more = plane_of_weights + plane_of_column - 1;
using plane_part = part_sums<double, sums_more>;

/* A lane's target, its axes and sums. */
struct plane_lane : lane_state<double, sums_more, spot<double>> {
    shepard_axes axes;
    coarse_power power;
};

/* How weights are computed: as Form2 says, or by float32. */
enum class weight_form { form2, general, coarse };

/* Leaving: without points at the targets' places. */
template <weight_form Form, bool Leaving, int Threads>
struct plane_points : pair_summing<Form == weight_form::form2, Leaving, Threads, all_points_job,
                                   double, 1, spot<double>, sums_more> {
    static constexpr bool form2 = Form == weight_form::form2;
    using base =
        pair_summing<form2, Leaving, Threads, all_points_job, double, 1, spot<double>, sums_more>;
    using base::sharing;
    using base::total;
    using typename base::ready_type;

    const sum_job &job;

    __device__ plane_points(const sum_job &of, point_stage<double, 1> &stage)
        : base{of.total, stage, {0, 0, 1}, 1}, job(of)
    {
    }

    __device__ __forceinline__ double weight(const plane_lane &own, const spot<double> &at) const
    {
        const double smoothing2 = base::scaled_smoothing2();
        if constexpr (Form == weight_form::coarse)
            return weight_by<Leaving>(own.seen_as.at, at, smoothing2,
                                      [&](double d2) { return own.power.of(d2); });
        else
            return weight_between<form2, Leaving>(own.seen_as, at, smoothing2);
    }

    /* Straight: the axes are along x and y. */
    template <bool Straight>
    __device__ __forceinline__ plane_part sum_of_piece(const plane_lane &own,
                                                       const ready_type &points, int first) const
    {
        plane_part sums = {};
        double *const z = sums.z;
#pragma unroll
        for (int j = first; j < first + piece_points; j++) {
            const spot<double> at = points.at[j];
            const double w = weight(own, at);
            const double wq = real_product(w, points.charge[j][0]);
            const double wz = real_product(w, points.charge[j][1]);
            double x = at.x, y = at.y;
            if (Straight) {
                x -= own.axes.x;
                y -= own.axes.y;
            } else {
                shepard_axes_turn(&own.axes, &x, &y);
            }
            const double ax = real_product(wq, x), ay = real_product(wq, y);
            sums.w = real_sum(sums.w, wq);
            z[0] = real_sum(z[0], ax);
            z[1] = real_sum(z[1], ay);
            z[2] = real_fma(ax, x, z[2]);
            z[3] = real_fma(ax, y, z[3]);
            z[4] = real_fma(ay, y, z[4]);
            z[5] = real_sum(z[5], wz);
            z[6] = real_fma(wz, x, z[6]);
            z[7] = real_fma(wz, y, z[7]);
        }
        return sums;
    }

    __device__ void put(const plane_lane &own, int row, double sum) const
    {
        double *const to = total.plane.sums + (std::size_t)row * total.targets.m + own.target;
        *to = sum + (job.round > 0 ? *to : 0);
    }

    /* After the first round: to what is there. */
    __device__ void keep(const plane_lane &own) const
    {
        if (total.column == 0) {
            put(own, 0, own.sums.w.total());
#pragma unroll
            for (int i = 1; i < plane_of_weights; i++)
                put(own, i, own.sums.z[i - 1].total());
        }
        if (total.columns > 0)
#pragma unroll
            for (int i = 0; i < plane_of_column; i++)
                put(own, plane_of_weights + plane_of_column * total.column + i,
                    own.sums.z[plane_of_weights - 1 + i].total());
    }

    template <bool Straight>
    __device__ __forceinline__ void add_some(plane_lane &own, const ready_type &ready,
                                             int some) const
    {
        own.sums.add(base::sum_of_rows(
            some, [&](int place) { return sum_of_piece<Straight>(own, ready, place); }));
    }

    /* For as many members as there are lanes; the number of those. */
    __device__ int add_batch(const group_record &record, int first)
    {
        const int members = (int)record.members - first;
        const bool listed = total.accuracy != nullptr;
        sharing = sharing_of((unsigned)members, Threads);
        const int lane = (int)threadIdx.x, at = lane / sharing;
        plane_lane own;
        base::open_lane(job.groups.member[record.first + (unsigned)(first + min(at, members - 1))],
                        own);
        own.axes = total.plane.axes[own.target];
        if constexpr (Form == weight_form::coarse)
            own.power = {own.seen_as.lambda, own.seen_as.unit};
        own.idle = lane / 32 * 32 / sharing >= members;
        base::for_staged_points(listed ? job.lists.points_of(blockIdx.x) : nullptr,
                                listed ? (std::uint32_t)job.lists.head[blockIdx.x].points
                                       : total.points.n,
                                [&](const ready_type &ready, int some) {
                                    if (own.idle)
                                        return;
                                    if (total.plane.straight)
                                        add_some<true>(own, ready, some);
                                    else
                                        add_some<false>(own, ready, some);
                                });
        if (at < members && lane % sharing == 0)
            keep(own);
        return Threads / sharing;
    }
};

/* Warps of a multiprocessor: more would leave each lane too few registers. */
constexpr int warps_least = 12;

template <weight_form Form, bool Leaving, int Threads>
__global__ void __launch_bounds__(Threads, 32 * warps_least / Threads)
    sum_points(const __grid_constant__ sum_job job)
{
    __shared__ point_stage<double, 1> stage;
    if (job.total.accuracy != nullptr && job.lists.head[blockIdx.x].waiting == list_done)
        return;
    const group_record record = job.groups.records[blockIdx.x];
    plane_points<Form, Leaving, Threads> work(job, stage);
#pragma unroll 1
    for (int first = 0; first < (int)record.members;)
        first += work.add_batch(record, first);
}

template <weight_form Form, bool Leaving, group_width Width>
void launch(const sum_job &job, cudaStream_t stream)
{
    constexpr int threads = threads_of(Width);
    sum_points<Form, Leaving, threads><<<job.groups.count, threads, 0, stream>>>(job);
    check_launch("summing");
}

template <weight_form Form, bool Leaving> void launch_width(const sum_job &job, cudaStream_t stream)
{
    switch (job.of.width) {
    case group_width::one_warp:
        return launch<Form, Leaving, group_width::one_warp>(job, stream);
    case group_width::three_warps:
        return launch<Form, Leaving, group_width::three_warps>(job, stream);
    default:
        return launch<Form, Leaving, group_width::four_warps>(job, stream);
    }
}

template <weight_form Form> void launch_form(const sum_job &job, cudaStream_t stream)
{
    if (job.total.targets.left_out != nullptr)
        launch_width<Form, true>(job, stream);
    else
        launch_width<Form, false>(job, stream);
}

} // namespace

void sum_plane_points(const sum_job &job, cudaStream_t stream)
{
    (job.total.plane.coarse ? launch_form<weight_form::coarse>
     : job.total.form2      ? launch_form<weight_form::form2>
                            : launch_form<weight_form::general>)(job, stream);
}

} // namespace shepard
