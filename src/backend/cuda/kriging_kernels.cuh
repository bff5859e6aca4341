/* SPDX-License-Identifier: MIT */
/* Kernels of kriging, in the plane and in space: a thread solves the system of a target. */
#ifndef SHEPARD_BACKEND_CUDA_KRIGING_KERNELS_CUH
#define SHEPARD_BACKEND_CUDA_KRIGING_KERNELS_CUH

#include "backend/cuda/kriging_alone.cuh"
#include "backend/cuda/stage_timer.cuh"
#include "cuda/launch.cuh"

#include <algorithm>
#include <type_traits>

namespace shepard
{

constexpr int system_threads = 128;

/* Blocks of a multiprocessor, and memory that all their systems take at most. */
constexpr int resident_blocks = 3;
constexpr std::size_t room_most = std::size_t{1} << 29;

/* ---- semivariances --------------------------------------------------------------------------- */

/* 1 - (1 + h) e^-h. Below 1/4 by its series, as in kernel/kriging.c. */
__device__ __forceinline__ double matern32_rise(double h)
{
    constexpr double terms[] = {-12.0 / 6227020800.0, 11.0 / 479001600.0, -10.0 / 39916800.0,
                                9.0 / 3628800.0,      -8.0 / 362880.0,    7.0 / 40320.0,
                                -6.0 / 5040.0,        5.0 / 720.0,        -4.0 / 120.0,
                                3.0 / 24.0,           -2.0 / 6.0,         1.0 / 2.0};
    double series = terms[0];
#pragma unroll
    for (int i = 1; i < (int)(sizeof terms / sizeof terms[0]); i++)
        series = series * h + terms[i];
    const double held = fmin(h, 1100.0), less = -expm1(-held);
    return h < 0.25 ? series * h * h : less - held * (1 - less);
}

/* Of two points, or of a point and a target, at this squared distance. */
template <shepard_covariance covariance>
__device__ __forceinline__ double semivariance(const shepard_variogram &of, double d2)
{
    const double h = sqrt(d2) * of.unit;
    double rise = h;
    if constexpr (covariance == SHEPARD_COVARIANCE_STABLE)
        rise = -expm1(-pow(h, of.p));
    else if constexpr (covariance == SHEPARD_COVARIANCE_EXPONENTIAL)
        rise = -expm1(-h);
    else if constexpr (covariance == SHEPARD_COVARIANCE_SPHERICAL)
        rise = h < 1 ? h * (1.5 - 0.5 * h * h) : 1;
    else if constexpr (covariance == SHEPARD_COVARIANCE_MATERN32)
        rise = matern32_rise(h);
    else if constexpr (covariance == SHEPARD_COVARIANCE_GAUSSIAN)
        rise = -expm1(-h * h);
    return rise * of.structure + of.nugget;
}

/* ---- a plane --------------------------------------------------------------------------------- */

/* a b - c d, nearly as exact as its own rounding. */
__device__ __forceinline__ double less_product(double a, double b, double c, double d)
{
    const double product = c * d;
    return fma(a, b, -product) - fma(c, d, -product);
}

/* The symmetric matrix F' M^-1 F of both slopes (Eq. 59). */
struct slopes_matrix {
    double xx, xy, yy;

    __device__ double determinant() const { return less_product(xx, yy, xy, xy); }

    /* The lesser eigenvalue over the greater. */
    __device__ double spread() const
    {
        const double difference = xx - yy;
        const double greater = (xx + yy + sqrt(difference * difference + 4 * xy * xy)) / 2;
        return greater > 0 ? determinant() / greater / greater : 0;
    }

    /* Its inverse times q. */
    __device__ double2 solve(const double2 &q) const
    {
        const double all = determinant();
        return {less_product(yy, q.x, xy, q.y) / all, less_product(xx, q.y, xy, q.x) / all};
    }
};

/* ---- a system -------------------------------------------------------------------------------- */

/* Numbers that the threads of a launch keep beside each other: thread by thread, then number by
 * number. */
struct column {
    double *start;
    std::size_t stride;

    __device__ double &operator[](int i) const { return start[i * stride]; }
    __device__ column from(int i) const { return {start + i * stride, stride}; }
};

/* Offsets of points, coordinate by coordinate. */
template <class Place> class offset_columns;

template <> class offset_columns<plane_place>
{
  public:
    static constexpr int coordinates = 2;

    __device__ offset_columns(const column &room, int most) : x_(room), y_(room.from(most)) {}
    __device__ plane_place operator[](int i) const { return {x_[i], y_[i]}; }
    __device__ void put(int i, const plane_place &offset) const
    {
        x_[i] = offset.x;
        y_[i] = offset.y;
    }

  private:
    column x_, y_;
};

template <> class offset_columns<space_place>
{
  public:
    static constexpr int coordinates = 3;

    __device__ offset_columns(const column &room, int most)
        : flat_(room, most), z_(room.from(2 * most))
    {
    }
    __device__ space_place operator[](int i) const { return {flat_[i], z_[i]}; }
    __device__ void put(int i, const space_place &offset) const
    {
        flat_.put(i, offset);
        z_[i] = offset.z;
    }

  private:
    offset_columns<plane_place> flat_;
    column z_;
};

__device__ __forceinline__ plane_place operator-(const plane_place &a, const plane_place &b)
{
    return {a.x - b.x, a.y - b.y};
}

__device__ __forceinline__ space_place operator-(const space_place &a, const space_place &b)
{
    return {{a.x - b.x, a.y - b.y}, a.z - b.z};
}

__device__ __forceinline__ plane_place operator+(const plane_place &a, const plane_place &b)
{
    return {a.x + b.x, a.y + b.y};
}

__device__ __forceinline__ space_place operator+(const space_place &a, const space_place &b)
{
    return {{a.x + b.x, a.y + b.y}, a.z + b.z};
}

__device__ __forceinline__ double dot(const plane_place &a, const plane_place &b)
{
    return a.x * b.x + a.y * b.y;
}

__device__ __forceinline__ double dot(const space_place &a, const space_place &b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* Rows behind those of the increments: the target's, two of the plane, and a column's values. */
constexpr int extra_rows = 4;

/* Numbers of a system of so many points, of places with these coordinates. */
constexpr std::size_t room_of(std::size_t most, int coordinates)
{
    return most * (std::size_t)(coordinates + 2) +
           (most + extra_rows) * (most + extra_rows + 1) / 2;
}

/* One system of increments from a base, as kernel/kriging.h. */
template <shepard_covariance covariance, class View> class kriging_system
{
  public:
    using place_type = typename View::place_type;
    using offsets_type = offset_columns<place_type>;

    /* row: its first point is the base. most: points that there is room for. */
    __device__ kriging_system(const View &view, std::uint32_t t, int count, const column &room,
                              int most)
        : view_(view), row_(view.lists.row(t)), m_(count - 1),
          simple_(view.rules.variogram.simple ? 1 : 0), offsets_(room, most),
          from_base_(room.from(offsets_type::coordinates * most)),
          inverse_(room.from((offsets_type::coordinates + 1) * most)),
          rows_(room.from((offsets_type::coordinates + 2) * most))
    {
        place_of(view.points, row_.rank(0), &base_);
        place_at(view.targets, t, &target_);
        target_ = target_ - base_;
    }

    /* False where double does not solve it well. */
    __device__ bool factor()
    {
        const bool universal = is_universal();
        place();
        fill();
        fill_target();
        if (universal)
            fill_plane();
        least_ = (double)INFINITY;
        int j = 0;
        for (; j + 1 < m_; j += 2)
            factor_two(j, m_ + (universal ? 3 : 1));
        if (j < m_)
            factor_last(m_ + (universal ? 3 : 1));
        variance_ = 2 * target_from_base_ - simple_ * target_from_base_ * target_from_base_ -
                    product(row(m_), row(m_));
        if (universal)
            add_plane();
        return least_ >= SHEPARD_KRIGING_WELL_CONDITIONED * largest_ && isfinite(variance_);
    }

    __device__ double variance() const { return variance_; }

    /* What the variance is multiplied by where it follows a column's values (Eq. 59a); before
     * substitute. */
    __device__ double local_scaling(int of) const
    {
        const shepard_kriging_rules &rules = view_.rules;
        const double *z = view_.points.values + (std::size_t)of * view_.points.n;
        const double scale = 1 / sqrt(rules.sill), base_value = z[row_.rank(0)];
        const double base = simple_ != 0 ? (base_value - rules.mean) * scale : 0;
        const column y = row(m_ + 3);
        double squares = base * base, rank = 0;
        for (int i = 0; i < m_; i++) {
            const column own = row(i);
            double rest = (z[row_.rank(i + 1)] - base_value) * scale + base * from_base_[i];
            for (int j = 0; j < i; j++)
                rest -= own[j] * y[j];
            y[i] = rest * inverse_[i];
            squares += y[i] * y[i];
        }
        if (is_universal()) {
            const double2 q = {product(row(m_ + 1), y), product(row(m_ + 2), y)};
            const double2 beta = slopes_.solve(q);
            squares -= beta.x * q.x + beta.y * q.y;
            rank = 2;
        }
        return shepard_kriging_scaling(fmax(squares, 0.0), m_ - rank + simple_);
    }

    /* Weights of the increments in place of the target's row. */
    __device__ void substitute()
    {
        const column b = row(m_);
        double sum = 0, known = -target_from_base_;
        for (int j = m_ - 1; j >= 0; j--) {
            const column own = row(j);
            const double weight = b[j] * inverse_[j];
            b[j] = weight;
            sum += weight;
            known += weight * from_base_[j];
            for (int i = 0; i < j; i++)
                b[i] -= own[i] * weight;
        }
        mean_weight_ = -simple_ * known;
        base_weight_ = 1 - sum - mean_weight_;
    }

    /* A column's weighted sum, about the middle of its range; after substitute. */
    __device__ double value(int of) const
    {
        const points_view &points = view_.points;
        const double *z = points.values + (std::size_t)of * points.n;
        const double scale = points.scale[of], shift = points.middle[of] * scale;
        const column b = row(m_);
        double sum = base_weight_ * (z[row_.rank(0)] * scale - shift);
        for (int i = 0; i < m_; i++)
            sum += b[i] * (z[row_.rank(i + 1)] * scale - shift);
        if (simple_ != 0)
            sum += mean_weight_ * (view_.rules.mean * scale - shift);
        return points.middle[of] + sum / scale;
    }

  private:
    static constexpr bool linear = covariance == SHEPARD_COVARIANCE_LINEAR;

    __device__ const shepard_variogram &variogram() const { return view_.rules.variogram; }

    /* In space there is no plane. */
    __device__ bool is_universal() const
    {
        return std::is_same_v<place_type, plane_place> && variogram().universal;
    }

    __device__ double over(const place_type &offset) const
    {
        return semivariance<covariance>(variogram(), dot(offset, offset));
    }

    /* Of the lower triangle. */
    __device__ column row(int i) const { return rows_.from(i * (i + 1) / 2); }

    /* Of the first m numbers. */
    __device__ double product(const column &a, const column &b) const
    {
        double sum = 0;
        for (int i = 0; i < m_; i++)
            sum += a[i] * b[i];
        return sum;
    }

    /* Where the points are; semivariances from the base. */
    __device__ void place()
    {
        target_from_base_ = over(target_);
        /* A linear one of the target is not subtracted from anything. */
        largest_ = linear ? 0 : target_from_base_;
        for (int i = 0; i < m_; i++) {
            place_type at;
            place_of(view_.points, row_.rank(i + 1), &at);
            at = at - base_;
            const double own = over(at);
            offsets_.put(i, at);
            from_base_[i] = own;
            largest_ = fmax(largest_, own);
        }
    }

    /* Covariances of the increments (Eq. 56). */
    __device__ void fill() const
    {
        for (int i = 0; i < m_; i++) {
            const place_type at = offsets_[i];
            const double own = from_base_[i];
            const column to = row(i);
#pragma unroll 2
            for (int j = 0; j < i; j++) {
                const double other = from_base_[j];
                to[j] = own - over(at - offsets_[j]) + other - simple_ * own * other;
            }
            to[i] = 2 * own - simple_ * own * own;
        }
    }

    /* The target's row (Eq. 57): what a target far away has in common with the base is not
     * subtracted. */
    __device__ void fill_target() const
    {
        const double d = sqrt(dot(target_, target_));
        const column b = row(m_);
#pragma unroll 2
        for (int i = 0; i < m_; i++) {
            const place_type at = offsets_[i], rest = target_ - at;
            const double own = from_base_[i];
            double nearer;
            if constexpr (linear)
                nearer = dot(at, target_ + rest) / (d + sqrt(dot(rest, rest))) *
                         (variogram().structure * variogram().unit);
            else
                nearer = target_from_base_ - over(rest);
            b[i] = nearer + own - simple_ * target_from_base_ * own;
        }
    }

    __device__ void fill_plane() const
    {
        const column along = row(m_ + 1), across = row(m_ + 2);
        for (int i = 0; i < m_; i++) {
            const place_type at = offsets_[i];
            along[i] = at.x;
            across[i] = at.y;
        }
    }

    /* -1: one is not above 0. */
    __device__ double take_pivot(int j, double pivot)
    {
        const double inverse = 1 / sqrt(pivot);
        least_ = pivot > 0 ? fmin(least_, pivot) : -1;
        inverse_[j] = inverse;
        return inverse;
    }

    /* Columns j and j + 1 of the factor, in place of the rows. */
    __device__ void factor_two(int j, int rows)
    {
        const column first = row(j), second = row(j + 1);
        double pivot = first[j], across = second[j], next = second[j + 1];
#pragma unroll 4
        for (int c = 0; c < j; c++) {
            const double a = first[c], b = second[c];
            pivot -= a * a;
            across -= b * a;
            next -= b * b;
        }
        const double inverse = take_pivot(j, pivot);
        across *= inverse;
        second[j] = across;
        const double inverse_next = take_pivot(j + 1, next - across * across);
        int i = j + 2;
        for (; i + 4 <= rows; i += 4)
            reduce<4>(i, j, inverse, inverse_next, across);
        for (; i < rows; i++)
            reduce<1>(i, j, inverse, inverse_next, across);
    }

    /* Those columns of `count` rows from i on. */
    template <int count>
    __device__ __forceinline__ void reduce(int i, int j, double inverse, double inverse_next,
                                           double across) const
    {
        const column first = row(j), second = row(j + 1);
        column own[count];
        double a[count], b[count];
#pragma unroll
        for (int r = 0; r < count; r++) {
            own[r] = row(i + r);
            a[r] = own[r][j];
            b[r] = own[r][j + 1];
        }
#pragma unroll 2
        for (int c = 0; c < j; c++) {
            const double left = first[c], right = second[c];
#pragma unroll
            for (int r = 0; r < count; r++) {
                const double factor = own[r][c];
                a[r] -= factor * left;
                b[r] -= factor * right;
            }
        }
#pragma unroll
        for (int r = 0; r < count; r++) {
            a[r] *= inverse;
            own[r][j] = a[r];
            own[r][j + 1] = (b[r] - a[r] * across) * inverse_next;
        }
    }

    /* The last column, where two are not left. */
    __device__ void factor_last(int rows)
    {
        const int j = m_ - 1;
        const column last = row(j);
        double pivot = last[j];
        for (int c = 0; c < j; c++)
            pivot -= last[c] * last[c];
        const double inverse = take_pivot(j, pivot);
        for (int i = m_; i < rows; i++) {
            const column own = row(i);
            double rest = own[j];
            for (int c = 0; c < j; c++)
                rest -= own[c] * last[c];
            own[j] = rest * inverse;
        }
    }

    /* Adds to the target's row what the plane needs to be reproduced (Eq. 59). Double is not enough
     * for points as near to a line as that. */
    __device__ void add_plane()
    {
        const column b = row(m_), along = row(m_ + 1), across = row(m_ + 2);
        slopes_ = {product(along, along), product(along, across), product(across, across)};
        const double2 q = {target_.x - product(along, b), target_.y - product(across, b)};
        const double2 beta = slopes_.solve(q);
        if (!(slopes_.spread() >= SHEPARD_KRIGING_PLANE_SPREAD))
            least_ = -1;
        variance_ += beta.x * q.x + beta.y * q.y;
        for (int i = 0; i < m_; i++)
            b[i] += beta.x * along[i] + beta.y * across[i];
    }

    const View &view_;
    neighbour_row row_;
    int m_;
    double simple_;
    offsets_type offsets_;
    column from_base_, inverse_, rows_;
    place_type base_, target_; /* target_: less the base */
    double target_from_base_, largest_, least_, variance_, mean_weight_, base_weight_;
    slopes_matrix slopes_;
};

/* ---- a target -------------------------------------------------------------------------------- */

/* The mean of the points at the place itself. */
template <class View>
__device__ void answer_coincident(const View &view, const neighbour_row &row, int count,
                                  std::uint32_t index)
{
    const points_view &points = view.points;
    double here = 0;
    for (int i = 0; i < count; i++)
        here += row.d2(i) == 0;
    for (int c = 0; c < points.columns; c++) {
        const double *z = points.values + (std::size_t)c * points.n;
        const double scale = points.scale[c], shift = points.middle[c] * scale;
        const std::size_t at = (std::size_t)c * view.out.m + index;
        double sum = 0;
        for (int i = 0; i < count; i++)
            if (row.d2(i) == 0)
                sum += 1 / here * (z[row.rank(i)] * scale - shift);
        if (view.out.values != nullptr)
            view.out.values[at] = points.middle[c] + sum / scale;
        if (view.out.sds != nullptr)
            view.out.sds[at] = 0;
    }
}

/* False where double does not solve the system well. */
template <shepard_covariance covariance, class View>
__device__ bool answer(const View &view, std::uint32_t t, int count, const column &room)
{
    const outputs &out = view.out;
    const std::uint32_t index = view.targets.index[t];
    kriging_system<covariance, View> system(view, t, count, room, view.most);
    if (!system.factor())
        return false;
    const double variance = fmax(system.variance(), 0.0) * view.rules.sill;
    for (int c = 0; out.sds != nullptr && c < view.points.columns; c++)
        out.sds[(std::size_t)c * out.m + index] =
            sqrt(view.rules.sd_local ? variance * system.local_scaling(c) : variance);
    system.substitute();
    for (int c = 0; out.values != nullptr && c < view.points.columns; c++)
        out.values[(std::size_t)c * out.m + index] = system.value(c);
    return true;
}

template <shepard_covariance covariance, class View>
__device__ bool predict(const View &view, std::uint32_t t, const column &room)
{
    const outputs &out = view.out;
    const std::uint32_t index = view.targets.index[t];
    const neighbour_row row = view.lists.row(t);
    const int count = (int)view.lists.count[t];
    bring_nearest_first(row, count);
    const double nearest2 = count > 0 ? row.d2(0) : 0;
    put_nodata(out, view.points.columns, index, view.nodata);
    put(out.count, index, count);
    put(out.nearest, index, count > 0 ? sqrt(nearest2) / view.frame_scale : view.nodata);
    if (!view.lists.enough[t])
        return true;
    put(out.power, index, view.power);
    if (nearest2 == 0) {
        answer_coincident(view, row, count, index);
        return true;
    }
    return answer<covariance>(view, t, count, room);
}

/* Targets whose systems double does not solve well are listed. */
struct left_alone {
    std::uint32_t *count;
    std::uint32_t *target; /* [m] */
};

template <shepard_covariance covariance, class View>
__global__ void __launch_bounds__(system_threads, resident_blocks)
    krige_kernel(const __grid_constant__ View view, double *room, left_alone alone)
{
    const std::size_t all = (std::size_t)gridDim.x * system_threads;
    const std::size_t own = (std::size_t)blockIdx.x * system_threads + threadIdx.x;
    for (std::size_t t = own; t < view.targets.m; t += all)
        if (!predict<covariance>(view, (std::uint32_t)t, {room + own, all}))
            alone.target[atomicAdd(alone.count, 1u)] = (std::uint32_t)t;
}

template <class View> using kernel_of_systems = void (*)(View, double *, left_alone);

template <class View> kernel_of_systems<View> kernel_for(shepard_covariance covariance)
{
    switch (covariance) {
    case SHEPARD_COVARIANCE_EXPONENTIAL:
        return krige_kernel<SHEPARD_COVARIANCE_EXPONENTIAL, View>;
    case SHEPARD_COVARIANCE_SPHERICAL:
        return krige_kernel<SHEPARD_COVARIANCE_SPHERICAL, View>;
    case SHEPARD_COVARIANCE_MATERN32:
        return krige_kernel<SHEPARD_COVARIANCE_MATERN32, View>;
    case SHEPARD_COVARIANCE_GAUSSIAN:
        return krige_kernel<SHEPARD_COVARIANCE_GAUSSIAN, View>;
    case SHEPARD_COVARIANCE_LINEAR:
        return krige_kernel<SHEPARD_COVARIANCE_LINEAR, View>;
    case SHEPARD_COVARIANCE_STABLE:
        break;
    }
    return krige_kernel<SHEPARD_COVARIANCE_STABLE, View>;
}

/* As many as a device works at together, and have room. */
inline unsigned blocks_of_systems(std::uint32_t m, std::size_t room)
{
    int device = 0, multiprocessors = 0;
    check(cudaGetDevice(&device), "asking for the device");
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
          "asking for the device");
    const std::size_t resident = (std::size_t)multiprocessors * resident_blocks;
    const std::size_t most = room_most / (room * system_threads * sizeof(double));
    return (unsigned)std::min(
        {(std::size_t)blocks_for(m, system_threads), resident, std::max(most, std::size_t{1})});
}

template <class Points, class Targets>
void krige_by(const Points &points, const Targets &targets, const shepard_rules &rules,
              const shepard_geometry &facts, const outputs &out, const stream &in,
              stage_timer &clock)
{
    using view_type = kriging_view<Points, Targets>;
    if (targets.m == 0)
        return;
    const neighbour_lists lists(points, targets, rules.search, in.get());
    clock.enter(&shepard_timing::sums, in);
    const int most = (int)most_neighbours(rules.search, points.n);
    const view_type view = {points,      targets,      lists.view(),      rules.kriging,
                            rules.power, rules.nodata, facts.frame.scale, most,
                            out};
    const std::size_t numbers =
        room_of(most, offset_columns<typename view_type::place_type>::coordinates);
    const unsigned blocks = blocks_of_systems(targets.m, numbers);
    const block<double> room(numbers * system_threads * blocks, in.get());
    const block<std::uint32_t> count(1, in.get()), target(targets.m, in.get());
    std::uint32_t alone = 0;
    check(cudaMemsetAsync(count.get(), 0, sizeof alone, in.get()), "counting systems");
    kernel_for<view_type>(
        rules.kriging.variogram.covariance)<<<blocks, system_threads, 0, in.get()>>>(
        view, room.get(), {count.get(), target.get()});
    check_launch("kriging");
    check(cudaMemcpyAsync(&alone, count.get(), sizeof alone, cudaMemcpyDeviceToHost, in.get()),
          "counting systems");
    in.wait("kriging");
    if (alone > 0)
        krige_alone(view, target.get(), alone, facts.allocator, rules.threads, in);
}

} // namespace shepard

#endif
