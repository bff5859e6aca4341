/* SPDX-License-Identifier: MIT */
#include "backend/cuda/kriging_alone.cuh"

#include "cuda/launch.cuh"

extern "C" {
#include "base/parallel.h"
}

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

namespace shepard
{

namespace
{

constexpr int threads = 128;

/* Numbers that are brought to the host at once, about, and systems of a thread's turn. */
constexpr std::size_t batch_numbers = std::size_t{1} << 23;
constexpr std::size_t turn_systems = 32;

/* ---- what a system is made of ---------------------------------------------------------------- */

/* Of each system its places and values, point by point, the base first. */
struct gathered {
    std::uint32_t *count; /* [systems] */
    double *target;       /* [systems, 3]; z is 0 in the plane */
    double *x, *y, *z;    /* [systems, most]; z only in space */
    double *values;       /* [systems, columns, most] */
};

__device__ void put_place(const gathered &to, std::size_t i, const plane_place &at)
{
    to.x[i] = at.x;
    to.y[i] = at.y;
}

__device__ void put_place(const gathered &to, std::size_t i, const space_place &at)
{
    to.x[i] = at.x;
    to.y[i] = at.y;
    to.z[i] = at.z;
}

__device__ void put_target(double *to, const plane_place &at)
{
    to[0] = at.x;
    to[1] = at.y;
    to[2] = 0;
}

__device__ void put_target(double *to, const space_place &at)
{
    to[0] = at.x;
    to[1] = at.y;
    to[2] = at.z;
}

/* A block for each. */
template <class View>
__global__ void gather_kernel(const __grid_constant__ View view, const std::uint32_t *targets,
                              gathered to)
{
    const std::uint32_t s = blockIdx.x;
    const std::uint32_t t = targets[s];
    const neighbour_row row = view.lists.row(t);
    const std::size_t first = (std::size_t)s * view.most;
    const int count = (int)view.lists.count[t];
    typename View::place_type at;
    if (threadIdx.x == 0) {
        to.count[s] = (std::uint32_t)count;
        place_at(view.targets, t, &at);
        put_target(to.target + 3 * (std::size_t)s, at);
    }
    for (int i = (int)threadIdx.x; i < count; i += (int)blockDim.x) {
        const std::uint32_t rank = row.rank(i);
        place_of(view.points, rank, &at);
        put_place(to, first + i, at);
        for (int c = 0; c < view.points.columns; c++)
            to.values[first * view.points.columns + (std::size_t)c * view.most + i] =
                view.points.values[(std::size_t)c * view.points.n + rank];
    }
}

/* A block of the device and its copy on the host. */
template <class T> struct mirrored {
    block<T> device;
    std::vector<T> host;

    mirrored(std::size_t count, const stream &in) : device(count, in.get()), host(count) {}
    void bring(const stream &in)
    {
        check(cudaMemcpyAsync(host.data(), device.get(), host.size() * sizeof(T),
                              cudaMemcpyDeviceToHost, in.get()),
              "bringing systems to the host");
    }
    void take(const stream &in)
    {
        check(cudaMemcpyAsync(device.get(), host.data(), host.size() * sizeof(T),
                              cudaMemcpyHostToDevice, in.get()),
              "taking results to the device");
    }
};

/* ---- a batch --------------------------------------------------------------------------------- */

/* Systems on the host, and what comes of them. */
struct batch {
    const shepard_kriging_rules &rules;
    std::size_t systems, most; /* points of a system */
    bool in_space;
    std::vector<double> middle, scale; /* [columns] */
    mirrored<std::uint32_t> count;
    mirrored<double> target, x, y, z, values;
    mirrored<double> found, sds; /* [systems, columns] */

    template <class View>
    batch(const View &of, std::size_t most_systems, const stream &in)
        : rules(of.rules), systems(most_systems), most((std::size_t)of.most),
          in_space(std::is_same_v<View, space_kriging>), middle((std::size_t)of.points.columns),
          scale(middle.size()), count(systems, in), target(3 * systems, in), x(systems * most, in),
          y(systems * most, in), z(in_space ? systems * most : 0, in),
          values(systems * most * middle.size(), in), found(systems * middle.size(), in),
          sds(systems * middle.size(), in)
    {
        const std::size_t bytes = middle.size() * sizeof(double);
        check(cudaMemcpyAsync(middle.data(), of.points.middle, bytes, cudaMemcpyDeviceToHost,
                              in.get()),
              "bringing systems to the host");
        check(
            cudaMemcpyAsync(scale.data(), of.points.scale, bytes, cudaMemcpyDeviceToHost, in.get()),
            "bringing systems to the host");
    }

    template <class View>
    void gather(const View &view, const std::uint32_t *targets, const stream &in)
    {
        gather_kernel<<<(unsigned)systems, 32, 0, in.get()>>>(
            view, targets,
            gathered{count.device.get(), target.device.get(), x.device.get(), y.device.get(),
                     z.device.get(), values.device.get()});
        check_launch("gathering systems");
        count.bring(in);
        target.bring(in);
        x.bring(in);
        y.bring(in);
        if (in_space)
            z.bring(in);
        values.bring(in);
        in.wait("gathering systems");
    }
};

/* Room for one system of a thread. */
struct solver {
    shepard_kriging_system system;
    std::vector<std::uint32_t> rank; /* 0, 1 ... */
    std::vector<long double> room, weight;

    solver(const batch &of, const shepard_allocator *allocator)
        : system(shepard_kriging_system_of(&of.rules.variogram, allocator)), rank(of.most),
          room(rank.size()), weight(rank.size())
    {
        for (std::size_t i = 0; i < rank.size(); i++)
            rank[i] = (std::uint32_t)i;
    }
    solver(const solver &) = delete;
    solver &operator=(const solver &) = delete;
    ~solver() { shepard_kriging_free(&system); }
};

/* A column's weighted sum, about the middle of its range. */
double value_of(const batch &of, const struct shepard_kriging_answer &answer, std::size_t s,
                std::size_t c)
{
    const shepard_kriging_rules &rules = of.rules;
    const double *const z = &of.values.host[(s * of.middle.size() + c) * of.most];
    const double scale = of.scale[c], shift = of.middle[c] * scale;
    double sum = 0;
    for (std::size_t i = 0; i < of.count.host[s]; i++)
        sum += (double)answer.weight[i] * (z[i] * scale - shift);
    if (rules.variogram.simple)
        sum += (double)answer.mean_weight * (rules.mean * scale - shift);
    return of.middle[c] + sum / scale;
}

/* After the weights have been used: they give room. */
double scaling_of(const batch &of, solver *by, std::size_t s, std::size_t c)
{
    const shepard_kriging_rules &rules = of.rules;
    const double *const z = &of.values.host[(s * of.middle.size() + c) * of.most];
    const long double mean = rules.variogram.simple ? rules.mean : 0, root = sqrtl(rules.sill);
    for (std::size_t i = 0; i < of.count.host[s]; i++)
        by->weight[i] = (z[i] - mean) / root;
    return shepard_kriging_local_scaling(&by->system, by->weight.data(), by->room.data());
}

shepard_status solve(batch *of, solver *by, std::size_t s)
{
    const shepard_kriging_rules &rules = of->rules;
    const std::size_t columns = of->middle.size(), first = s * of->most;
    const shepard_kriging_points used = {&of->x.host[first], &of->y.host[first],
                                         of->in_space ? &of->z.host[first] : nullptr,
                                         by->rank.data(), of->count.host[s]};
    const shepard_status status = shepard_kriging_factor(&by->system, &used);
    if (status != SHEPARD_OK)
        return status;
    struct shepard_kriging_answer answer = {by->weight.data(), 0, 0};
    shepard_kriging_answer(&by->system, &of->target.host[3 * s], by->room.data(), &answer);
    for (std::size_t c = 0; c < columns; c++)
        of->found.host[s * columns + c] = value_of(*of, answer, s, c);
    const double variance = std::fmax((double)answer.variance, 0.0) * rules.sill;
    for (std::size_t c = 0; c < columns; c++)
        of->sds.host[s * columns + c] =
            std::sqrt(rules.sd_local ? variance * scaling_of(*of, by, s, c) : variance);
    return SHEPARD_OK;
}

/* ---- all of them ----------------------------------------------------------------------------- */

struct turns {
    batch *of;
    const shepard_allocator *allocator;
};

shepard_status solve_turn(void *context, std::size_t number, int)
{
    const turns *const all = static_cast<turns *>(context);
    shepard_status status = SHEPARD_OK;
    const shepard_status made = guard(nullptr, [&] {
        solver by(*all->of, all->allocator);
        const std::size_t first = number * turn_systems;
        const std::size_t end = std::min(first + turn_systems, all->of->systems);
        for (std::size_t s = first; s < end && status == SHEPARD_OK; s++)
            status = solve(all->of, &by, s);
    });
    return made == SHEPARD_OK ? status : made;
}

template <class View>
__global__ void scatter_kernel(const __grid_constant__ View view, const std::uint32_t *targets,
                               std::uint32_t systems, const double *values, const double *sds)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    const std::size_t columns = (std::size_t)view.points.columns;
    if (i >= systems * columns)
        return;
    const std::size_t at =
        i % columns * view.out.m + (std::size_t)view.targets.index[targets[i / columns]];
    if (view.out.values != nullptr)
        view.out.values[at] = values[i];
    if (view.out.sds != nullptr)
        view.out.sds[at] = sds[i];
}

template <class View>
void krige_batch(const View &view, batch *of, const std::uint32_t *targets,
                 const shepard_allocator *allocator, int host_threads, const stream &in)
{
    of->gather(view, targets, in);
    turns all = {of, allocator};
    const shepard_loop loop = {host_threads, (of->systems + turn_systems - 1) / turn_systems,
                               solve_turn, &all, nullptr};
    const shepard_status status = shepard_loop_run(&loop);
    if (status != SHEPARD_OK)
        fail(status, "out of memory for systems of kriging");
    of->found.take(in);
    of->sds.take(in);
    scatter_kernel<<<blocks_for(of->found.host.size(), threads), threads, 0, in.get()>>>(
        view, targets, (std::uint32_t)of->systems, of->found.device.get(), of->sds.device.get());
    check_launch("writing results");
    in.wait("writing results");
}

} // namespace

template <class View>
void krige_alone(const View &view, const std::uint32_t *targets, std::size_t count,
                 const shepard_allocator *allocator, int host_threads, const stream &in)
{
    const std::size_t numbers = (std::size_t)view.most * (3 + (std::size_t)view.points.columns);
    const std::size_t most = std::max(batch_numbers / numbers, turn_systems);
    for (std::size_t first = 0; first < count; first += most) {
        batch of(view, std::min(most, count - first), in);
        krige_batch(view, &of, targets + first, allocator, host_threads, in);
    }
}

template void krige_alone(const plane_kriging &, const std::uint32_t *, std::size_t,
                          const shepard_allocator *, int, const stream &);
template void krige_alone(const space_kriging &, const std::uint32_t *, std::size_t,
                          const shepard_allocator *, int, const stream &);

} // namespace shepard
