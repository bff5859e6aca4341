/* SPDX-License-Identifier: MIT */
#include "backend/cuda/distributed_targets.cuh"

#include "backend/cuda/order.cuh"
#include "backend/cuda/peers.cuh"
#include "cuda/launch.cuh"

#include <cub/block/block_radix_sort.cuh>

#include <algorithm>

namespace shepard
{

namespace
{

constexpr int threads = 256;

/* Targets of a share, evenly spaced, that the stretches are chosen by: what devices get differs by
 * some hundredths. */
constexpr int sample_threads = 512, samples_of_thread = 8;
constexpr int samples = sample_threads * samples_of_thread;

/* Of a device's number. */
constexpr int device_bits = 7;

constexpr shepard_memory of_device = {SHEPARD_MEMORY_CUDA, nullptr};

/* ---- kernels --------------------------------------------------------------------------------- */

struct mark_view {
    const std::uint64_t *key, *within; /* within: may be nullptr */
    std::uint32_t count;

    __device__ curve_mark operator[](std::uint32_t i) const
    {
        return {key[i], within != nullptr ? within[i] : 0};
    }
};

mark_view view_of(const list_marks &marks)
{
    return {marks.key.get(), marks.within.get(), (std::uint32_t)marks.key.size()};
}

/* In rising order: one block. */
__global__ void __launch_bounds__(sample_threads) take_sample(mark_view of, curve_mark *sample)
{
    using sort =
        cub::BlockRadixSort<std::uint64_t, sample_threads, samples_of_thread, std::uint64_t>;
    __shared__ typename sort::TempStorage room;
    std::uint64_t key[samples_of_thread], within[samples_of_thread];
    for (int j = 0; j < samples_of_thread; j++) {
        const std::uint64_t i = (std::uint64_t)threadIdx.x * samples_of_thread + (unsigned)j;
        const curve_mark one = of[(std::uint32_t)(i * of.count / samples)];
        key[j] = one.key;
        within[j] = one.within;
    }
    if (of.within != nullptr) {
        sort(room).Sort(within, key);
        __syncthreads();
    }
    sort(room).Sort(key, within);
    for (int j = 0; j < samples_of_thread; j++)
        sample[threadIdx.x * samples_of_thread + (unsigned)j] = {key[j], within[j]};
}

/* The number of the device that gets a target: of the splitters that are not above it. */
__global__ void choose_devices(mark_view of, const curve_mark *splitter, int splitters,
                               std::uint64_t *device, std::uint32_t *number)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (i >= of.count)
        return;
    const curve_mark own = of[(std::uint32_t)i];
    int below = 0;
    for (int s = 0; s < splitters; s++)
        below += !(own < splitter[s]);
    device[i] = (std::uint64_t)below;
    number[i] = (std::uint32_t)i;
}

/* Where the targets of each device begin among rising ones: a thread for each. */
__global__ void find_begins(const std::uint64_t *device, std::uint32_t count, std::uint32_t *begins)
{
    begins[threadIdx.x] = hilbert_rank(device, count, threadIdx.x);
}

__global__ void gather(number_view from, const std::uint32_t *number, std::size_t count, double *to)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (i < count)
        to[i] = number_at(from, number[i]);
}

__global__ void scatter(const double *from, const std::uint32_t *number, std::size_t count,
                        double *to)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (i < count)
        to[number[i]] = from[i];
}

template <class T> std::vector<T> download(const block<T> &from, const stream &in)
{
    std::vector<T> to(from.size());
    check(cudaMemcpyAsync(to.data(), from.get(), from.bytes(), cudaMemcpyDeviceToHost, in.get()),
          "distributing the targets");
    in.wait("distributing the targets");
    return to;
}

/* For peers. */
block<double> gathered(const number_view &from, const block<std::uint32_t> &number,
                       const stream &in)
{
    const std::size_t count = number.size();
    block<double> to(count, in.get(), pool_for_peers());
    gather<<<blocks_for(count, threads), threads, 0, in.get()>>>(from, number.get(), count,
                                                                 to.get());
    check_launch("distributing the targets");
    return to;
}

} // namespace

/* ---- out to the devices ---------------------------------------------------------------------- */

distributed_targets::part::part(const device_call &on, const call_view &of, bool timed)
    : device(on.device()), clock(timed), memory(of_device, nullptr), output(*of.output, of.columns),
      call(of)
{
    output.set_memory(of_device);
    call.targets = &view;
    call.from = call.to = &memory;
    call.output = &output.output();
}

distributed_targets::distributed_targets(const std::vector<device_call> &devices,
                                         const call_view &call, std::size_t first,
                                         std::size_t count, bool timed, crew &helpers)
    : call_(call), helpers_(helpers)
{
    const std::size_t all = devices.size();
    for (std::size_t i = 0; i < all; i++) {
        const use_device here(devices[i].device());
        parts_.emplace_back(new part(devices[i], call, timed));
        parts_[i]->first = first + count * i / all;
        parts_[i]->count = first + count * (i + 1) / all - parts_[i]->first;
    }
    helpers_.at_once(all, [&](std::size_t i) { read_share(i, devices[i]); });
    const std::vector<curve_mark> splitters = choose_splitters();
    helpers_.at_once(all, [&](std::size_t i) { divide_share(i, splitters); });
    find_offsets();
    helpers_.at_once(all, [&](std::size_t i) { get_targets(i); });
    for (auto &own : parts_) {
        const use_device here(own->device);
        own->x = block<double>();
        own->y = block<double>();
    }
}

void distributed_targets::read_share(std::size_t device, const device_call &on)
{
    part &own = *parts_[device];
    const use_device here(own.device);
    const shepard_targets_view &list = *call_.targets;
    const std::uint32_t m = (std::uint32_t)own.count;
    own.clock.enter(&shepard_timing::upload, own.in);
    call_.from->follow(own.in.get());
    const settled at_end(own.in);
    own.given_x = taken(list.x, own.first, own.count, *call_.from, own.in);
    own.given_y = taken(list.y, own.first, own.count, *call_.from, own.in);
    own.clock.enter(&shepard_timing::sort, own.in);
    own.marks = mark_list(own.given_x.view(), own.given_y.view(), m, call_.facts->frame, on.along(),
                          own.in.get());
    const block<curve_mark> sample(samples, own.in.get());
    take_sample<<<1, sample_threads, 0, own.in.get()>>>(view_of(own.marks), sample.get());
    check_launch("distributing the targets");
    own.sample = download(sample, own.in);
}

/* How many samples of all devices are before a place of the curve. */
std::size_t distributed_targets::samples_before(const curve_mark &mark) const
{
    std::size_t count = 0;
    for (const auto &own : parts_)
        count += (std::size_t)(std::lower_bound(own->sample.begin(), own->sample.end(), mark) -
                               own->sample.begin());
    return count;
}

/* The sample that has so many before it: the last place for which that is true. Its bits are found
 * from the highest down. */
curve_mark distributed_targets::sample_at(std::size_t rank) const
{
    constexpr std::uint64_t first_bit = std::uint64_t{1} << (hilbert_bits - 1);
    curve_mark mark = {0, 0};
    for (std::uint64_t bit = first_bit; bit > 0; bit /= 2)
        if (samples_before({mark.key | bit, 0}) <= rank)
            mark.key |= bit;
    for (std::uint64_t bit = first_bit; bit > 0; bit /= 2)
        if (samples_before({mark.key, mark.within | bit}) <= rank)
            mark.within |= bit;
    return mark;
}

/* Those that are no place are left out: nothing is computed for them. */
std::vector<curve_mark> distributed_targets::choose_splitters() const
{
    const std::size_t all = samples_before({hilbert_end, 0});
    std::vector<curve_mark> splitters;
    for (std::size_t i = 1; i < parts_.size(); i++)
        splitters.push_back(sample_at(all * i / parts_.size()));
    return splitters;
}

void distributed_targets::divide_share(std::size_t device, const std::vector<curve_mark> &splitters)
{
    part &own = *parts_[device];
    const use_device here(own.device);
    const settled at_end(own.in);
    const cudaStream_t in = own.in.get();
    const block<curve_mark> uploaded(splitters.size(), in);
    const block<std::uint32_t> begins(parts_.size() + 1, in);
    ordered order = {block<std::uint64_t>(own.count, in), block<std::uint32_t>(own.count, in)};
    check(cudaMemcpyAsync(uploaded.get(), splitters.data(), uploaded.bytes(),
                          cudaMemcpyHostToDevice, in),
          "distributing the targets");
    choose_devices<<<blocks_for(own.count, threads), threads, 0, in>>>(
        view_of(own.marks), uploaded.get(), (int)splitters.size(), order.key.get(),
        order.number.get());
    check_launch("distributing the targets");
    order = sort_by_key(std::move(order), device_bits, in);
    find_begins<<<1, (unsigned)parts_.size() + 1, 0, in>>>(order.key.get(),
                                                           (std::uint32_t)own.count, begins.get());
    check_launch("distributing the targets");
    own.number = std::move(order.number);
    own.x = gathered(own.given_x.view(), own.number, own.in);
    own.y = gathered(own.given_y.view(), own.number, own.in);
    own.begins = download(begins, own.in);
    own.marks = list_marks();
    own.given_x = taken();
    own.given_y = taken();
}

void distributed_targets::find_offsets()
{
    for (std::size_t to = 0; to < parts_.size(); to++) {
        std::vector<std::size_t> &offset = parts_[to]->offset;
        offset.assign(1, 0);
        for (const auto &from : parts_)
            offset.push_back(offset.back() + from->begins[to + 1] - from->begins[to]);
    }
}

void distributed_targets::get_targets(std::size_t device)
{
    part &own = *parts_[device];
    const use_device here(own.device);
    const settled at_end(own.in);
    const std::size_t count = own.offset.back();
    own.at_x = block<double>(count, own.in.get());
    own.at_y = block<double>(count, own.in.get());
    std::vector<peer_piece> pieces;
    for (std::size_t i = 0; i < parts_.size(); i++) {
        const part &from = *parts_[i];
        const std::size_t begin = from.begins[device], offset = own.offset[i];
        const std::size_t bytes = (from.begins[device + 1] - begin) * sizeof(double);
        pieces.push_back({from.x.get() + begin, own.at_x.get() + offset, bytes});
        pieces.push_back({from.y.get() + begin, own.at_y.get() + offset, bytes});
    }
    fetch(pieces, own.in.get());
    own.view.count = count;
    own.view.x = {own.at_x.get(), SHEPARD_FLOAT64, sizeof(double)};
    own.view.y = {own.at_y.get(), SHEPARD_FLOAT64, sizeof(double)};
    for (shepard_output_array *const array : own.output.arrays()) {
        own.results.emplace_back(count, own.in.get(), pool_for_peers());
        *array = {own.results.back().get(), SHEPARD_FLOAT64, sizeof(double)};
    }
    own.clock.enter(nullptr, own.in);
    own.in.wait("distributing the targets");
}

/* ---- and back -------------------------------------------------------------------------------- */

void distributed_targets::give_back()
{
    helpers_.at_once(parts_.size(), [&](std::size_t i) { return_results(i); });
}

void distributed_targets::return_results(std::size_t device)
{
    part &own = *parts_[device];
    const use_device here(own.device);
    const settled at_end(own.in);
    output_copy wanted(*call_.output, call_.columns);
    own.clock.enter(&shepard_timing::download, own.in);
    call_.to->follow(own.in.get());
    const block<double> ordered(own.count, own.in.get()), made(own.count, own.in.get());
    std::size_t number = 0;
    for (const shepard_output_array *const array : wanted.arrays()) {
        std::vector<peer_piece> pieces;
        for (std::size_t i = 0; i < parts_.size(); i++) {
            const part &from = *parts_[i];
            const std::size_t begin = own.begins[i];
            pieces.push_back({from.results[number].get() + from.offset[device],
                              ordered.get() + begin, (own.begins[i + 1] - begin) * sizeof(double)});
        }
        fetch(pieces, own.in.get());
        scatter<<<blocks_for(own.count, threads), threads, 0, own.in.get()>>>(
            ordered.get(), own.number.get(), own.count, made.get());
        check_launch("collecting the results");
        deliver(*array, own.first, made.get(), own.count, *call_.to, own.in);
        number++;
    }
    own.clock.enter(nullptr, own.in);
    own.in.wait("collecting the results");
}

void distributed_targets::add_to(shepard_timing *timing)
{
    for (auto &own : parts_)
        own->clock.add_to(timing);
}

/* While the targets go out: coordinates as given, keys, devices and numbers sorted, coordinates in
 * order on both devices, and results on both. */
std::size_t distributed_targets::bytes_of_target(const call_view &call)
{
    output_copy wanted(*call.output, call.columns);
    return 16 + 16 + 24 + 32 + 24 * wanted.arrays().size();
}

} // namespace shepard
