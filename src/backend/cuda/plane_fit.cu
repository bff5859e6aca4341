/* SPDX-License-Identifier: MIT */
#include "backend/cuda/plane_fit.cuh"

#include "cuda/launch.cuh"

extern "C" {
#include "base/arithmetic.h"
#include "core/fit.h"
}

namespace shepard
{

namespace
{

constexpr int threads = 256;

struct fit_job {
    plane_answers answers;
    plane_rules rules;
    plane_pass pass;
    std::uint8_t *phase;
    shepard_axes *axes;
    std::uint32_t *count;
};

__device__ void put_phase(const fit_job &job, std::uint32_t t, int phase)
{
    job.phase[t] = (std::uint8_t)phase;
    atomicAdd(&job.count[phase], 1u);
}

/* Sums of targets that have any begin about the data's nearest place to the target. */
__global__ void begin_planes(const __grid_constant__ fit_job job, int first)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    const plane_answers &answers = job.answers;
    if (i >= answers.targets.m)
        return;
    const std::uint32_t t = (std::uint32_t)i;
    if (!has_sums(answers, t)) {
        put_phase(job, t, plane_phase_done);
        return;
    }
    const shepard_box &box = job.rules.box;
    job.axes[t] = {shepard_clamp(answers.targets.x[t], box.x_min, box.x_max),
                   shepard_clamp(answers.targets.y[t], box.y_min, box.y_max), 1, 0};
    put_phase(job, t, first);
}

/* A target's sums. */
struct plane_sums_of {
    const double *sums;
    std::size_t m;
    std::uint32_t t;

    __device__ double operator[](int i) const { return sums[(std::size_t)i * m + t]; }
};

/* Centred moments from sums about the axes' origin. */
__device__ shepard_spread spread_of(const plane_sums_of &s)
{
    const double w = s[0], x = s[1] / w, y = s[2] / w;
    return {x, y, s[3] / w - x * x, s[4] / w - x * y, s[5] / w - y * y};
}

/* A target's plane in its axes. */
struct fitted_plane {
    double x, y;           /* the mean place, from the axes' origin */
    shepard_spread spread; /* about the target */
    shepard_slopes slopes;
};

__device__ fitted_plane fit(const fit_job &job, std::uint32_t t, const shepard_spread &spread)
{
    const shepard_axes axes = job.axes[t];
    const double h2 = job.answers.around.h2[t] * shepard_axes_length2(&axes);
    fitted_plane plane = {spread.x, spread.y, spread,
                          shepard_fit_slopes(&spread, job.rules.ridge * h2)};
    double along = job.answers.targets.x[t], across = job.answers.targets.y[t];
    shepard_axes_turn(&axes, &along, &across);
    plane.spread.x -= along;
    plane.spread.y -= across;
    shepard_fit_damp(&plane.spread, job.rules.damping, &plane.slopes);
    return plane;
}

__device__ bool is_good(const fit_job &job, const fitted_plane &plane)
{
    const int level = level_of_phase(job.pass.now);
    return level == SHEPARD_PLANE_LEVELS ||
           shepard_plane_is_good(
               job.rules.eps, level,
               shepard_fit_magnification(&plane.spread, &plane.slopes, job.rules.damping),
               shepard_plane_rounding(&job.rules.box, &plane.slopes));
}

__device__ void answer(const fit_job &job, const plane_sums_of &s, const fitted_plane &plane)
{
    const points_view &points = job.answers.points;
    const std::uint32_t index = job.answers.targets.index[s.t];
    job.rules.weight[index] = s[0];
    for (int c = 0; c < points.columns; c++) {
        const std::size_t at = (std::size_t)c * s.m + index;
        const int first = plane_of_weights + plane_of_column * c;
        const double z = s[first] / s[0];
        const double xz = s[first + 1] / s[0] - z * plane.x;
        const double yz = s[first + 2] / s[0] - z * plane.y;
        job.rules.mean[at] = z;
        if (job.answers.out.values != nullptr)
            job.answers.out.values[at] =
                mean_value(points, c, z) +
                shepard_fit_rise(&plane.spread, &plane.slopes, xz, yz) / points.scale[c];
    }
}

__global__ void finish_planes(const __grid_constant__ fit_job job)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (i >= job.answers.targets.m)
        return;
    const std::uint32_t t = (std::uint32_t)i;
    const int now = job.pass.now;
    if (job.phase[t] != now)
        return;
    const plane_sums_of sums = {job.pass.sums, job.answers.targets.m, t};
    const shepard_spread spread = spread_of(sums);
    if (job.rules.work != nullptr && level_of_phase(now) == SHEPARD_PLANE_LEVELS)
        atomicAdd(&job.rules.work->pairs, (unsigned long long)job.answers.points.n);
    if (job.pass.straight &&
        !shepard_fit_direct(&spread, job.rules.ridge * job.answers.around.h2[t], job.rules.damping)
             .good) {
        job.axes[t] = shepard_fit_axes(job.axes[t].x, job.axes[t].y, &spread);
        put_phase(job, t, now + 1);
        return;
    }
    const fitted_plane plane = fit(job, t, spread);
    if (!is_good(job, plane)) {
        put_phase(job, t, now + 2);
        return;
    }
    answer(job, sums, plane);
    put_phase(job, t, plane_phase_done);
}

} // namespace

static std::size_t rows_of(std::size_t columns)
{
    return plane_of_weights + plane_of_column * columns;
}

std::size_t plane_fit_bytes(std::size_t columns)
{
    return sizeof(std::uint8_t) + sizeof(shepard_axes) + rows_of(columns) * sizeof(double);
}

plane_fit::plane_fit(const plane_answers &answers, const plane_rules &rules, bool exact,
                     const stream &in)
    : answers_(answers), rules_(rules), in_(in), phase_(answers.targets.m, in.get()),
      axes_(answers.targets.m, in.get()),
      sums_(rows_of((std::size_t)answers.points.columns) * answers.targets.m, in.get()),
      counts_(plane_phases + 1, in.get())
{
    check(cudaMemsetAsync(counts_.get(), 0, counts_.bytes(), in.get()), "fitting planes");
    const fit_job job = {answers_, rules_, {}, phase_.get(), axes_.get(), counts_.get()};
    begin_planes<<<blocks_for(answers.targets.m, threads), threads, 0, in.get()>>>(
        job, exact ? plane_phase_exact : 0);
    check_launch("fitting planes");
    count();
}

plane_pass plane_fit::pass(int phase) const
{
    return {phase_.get(), phase, axes_.get(), phase % 2 == 0, false, rules_.box, sums_.get()};
}

void plane_fit::finish(int phase)
{
    const fit_job job = {answers_, rules_, pass(phase), phase_.get(), axes_.get(), counts_.get()};
    finish_planes<<<blocks_for(answers_.targets.m, threads), threads, 0, in_.get()>>>(job);
    check_launch("fitting planes");
    count();
}

void plane_fit::count()
{
    check(cudaMemcpyAsync(count_, counts_.get(), sizeof count_, cudaMemcpyDeviceToHost, in_.get()),
          "fitting planes");
    in_.wait("fitting planes");
}

} // namespace shepard
