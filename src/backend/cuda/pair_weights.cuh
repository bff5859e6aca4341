/* SPDX-License-Identifier: MIT */
/* What a point weighs at a target: by distances in the plane, in space and on a sphere. */
#ifndef SHEPARD_BACKEND_CUDA_PAIR_WEIGHTS_CUH
#define SHEPARD_BACKEND_CUDA_PAIR_WEIGHTS_CUH

#include "backend/cuda/points_view.cuh"
#include "backend/cuda/ratio_power.cuh"
#include "backend/cuda/reals.cuh"

extern "C" {
#include "core/sphere_arc.h"
}

namespace shepard
{

template <class Job> __device__ inline double unit2_of(const Job &job, std::uint32_t t)
{
    return job.around.nearest2[t] + job.smoothing2;
}

template <class Job> __device__ inline double power_of_target(const Job &job, std::uint32_t t)
{
    return job.squares ? 2 * job.around.power[t] : job.around.power[t];
}

/* ---- places ---------------------------------------------------------------------------------- */

/* A place with three coordinates, frame units: sums of those are in double. */
struct alignas(16) space_spot {
    double x, y, z;
};

/* On a sphere. */
struct alignas(16) sphere_spot {
    double x, y, z;
    double curvature; /* 1 over the squared diameter */
};

template <class Spot> constexpr int coordinates_of = 3;
template <class Real> constexpr int coordinates_of<spot<Real>> = 2;

template <class Real>
__device__ __forceinline__ spot<Real> spot_of(const anchor &from, const points_view &,
                                              const plane_place &at, const spot<Real> *)
{
    return spot<Real>::at(from, at.x, at.y);
}

__device__ __forceinline__ space_spot spot_of(const anchor &, const space_points_view &,
                                              const space_place &at, const space_spot *)
{
    return {at.x, at.y, at.z};
}

__device__ __forceinline__ sphere_spot spot_of(const anchor &, const space_points_view &points,
                                               const space_place &at, const sphere_spot *)
{
    return {at.x, at.y, at.z, 1 / (points.diameter * points.diameter)};
}

/* ---- weights --------------------------------------------------------------------------------- */

/* A lane's target. */
template <class Real, class Spot = spot<Real>> struct lane_target {
    Spot at;
    Real lambda; /* half the power */
    Real unit;   /* of squared distances; in float32, but for power 2, lambda times its log2 */
};

/* (unit / d2)^lambda. */
template <bool Form2>
__device__ __forceinline__ float weight_at(const lane_target<float> &target, float d2)
{
    if (Form2)
        return target.unit * reciprocal(d2);
    return exp2_approximate(real_fma(-target.lambda, log2_approximate(d2), target.unit));
}

/* (unit / d2)^lambda: the ratio's logarithm is small where the weight is not (Eq. 8). */
template <bool Form2>
__device__ __forceinline__ double weight_of_ratio(double lambda, double unit, double d2)
{
    return Form2 ? unit / d2 : power_of_ratio(lambda, unit, d2);
}

template <bool Form2, class Spot>
__device__ __forceinline__ double weight_at(const lane_target<double, Spot> &target, double d2)
{
    return weight_of_ratio<Form2>(target.lambda, target.unit, d2);
}

/* By weight_at(d2). Others: without points at the target's place. */
template <bool Others, class Real, class Weight>
__device__ __forceinline__ Real weight_by(const spot<Real> &target, const spot<Real> &at,
                                          Real smoothing2, const Weight &weight_at)
{
    const Real dx = across(target, at), dy = along(target, at);
    const Real d2 = real_fma(dx, dx, real_fma(dy, dy, smoothing2));
    return Others && dx == 0 && dy == 0 ? 0 : weight_at(d2);
}

template <bool Form2, bool Others, class Real>
__device__ __forceinline__ Real weight_between(const lane_target<Real> &target,
                                               const spot<Real> &at, Real smoothing2)
{
    return weight_by<Others>(target.at, at, smoothing2,
                             [&](Real d2) { return weight_at<Form2>(target, d2); });
}

template <bool Form2, bool Others>
__device__ __forceinline__ double weight_between(const lane_target<double, space_spot> &target,
                                                 const space_spot &at, double smoothing2)
{
    const double dx = target.at.x - at.x, dy = target.at.y - at.y, dz = target.at.z - at.z;
    const double d2 = fma(dx, dx, fma(dy, dy, fma(dz, dz, smoothing2)));
    return Others && dx == 0 && dy == 0 && dz == 0 ? 0 : weight_at<Form2>(target, d2);
}

/* Targets of a warp are near each other: a point is near all of them or far from all. */
__device__ __forceinline__ shepard_arc_quotient arc2_between(const sphere_spot &a,
                                                             const sphere_spot &b, double chord2)
{
    if (chord2 * a.curvature <= SHEPARD_SPHERE_NEAR_MAX)
        return shepard_sphere_near_arc2(chord2, a.curvature);
    const double x = a.x + b.x, y = a.y + b.y, z = a.z + b.z;
    return shepard_sphere_far_arc2(fma(x, x, fma(y, y, z * z)), a.curvature);
}

template <bool Form2, bool Others>
__device__ __forceinline__ double weight_between(const lane_target<double, sphere_spot> &target,
                                                 const sphere_spot &at, double smoothing2)
{
    const double dx = target.at.x - at.x, dy = target.at.y - at.y, dz = target.at.z - at.z;
    const double chord2 = fma(dx, dx, fma(dy, dy, dz * dz));
    const shepard_arc_quotient arc2 = arc2_between(target.at, at, chord2);
    const double weight = weight_of_ratio<Form2>(target.lambda, target.unit * arc2.under,
                                                 fma(smoothing2, arc2.under, arc2.over));
    return Others && chord2 == 0 ? 0 : weight;
}

} // namespace shepard

#endif
