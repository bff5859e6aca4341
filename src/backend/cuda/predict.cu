/* SPDX-License-Identifier: MIT */
#include "backend/cuda/predict.cuh"

#include "backend/cuda/at_once.cuh"
#include "backend/cuda/use_device.cuh"

extern "C" {
#include "base/timing.h"
}

#include <algorithm>
#include <atomic>
#include <cstdlib>

namespace shepard
{

namespace
{

/* Targets of a chunk: enough to fill a device, few enough that the transfers of one go on beside
 * the work for another. Walks down the tree are shared by targets of a cell; of a list, whose
 * targets lie anywhere, a part has few in each, so that a chunk of those is as large as memory
 * allows. The host may have to solve all systems of one, and answers progress after it. Where
 * memory is out, not below the least. */
constexpr std::size_t chunk_most = std::size_t{1} << 22;
constexpr std::size_t chunk_of_walks = std::size_t{1} << 28;
constexpr std::size_t chunk_of_systems = std::size_t{1} << 20;
constexpr std::size_t chunk_least = std::size_t{1} << 14;

/* Chunks in work at a time on a device, each in its own stream. */
constexpr int lanes = 2;

bool shares_walks(const call_view &call)
{
    return call.all_points() && call.sums() && call.rules->eps > 0 &&
           call.targets->raster == nullptr;
}

/* SHEPARD_CUDA_CHUNK: at most so many targets in a chunk. None has more than a device's part. */
std::size_t chunk_limit(const call_view &call, std::size_t devices)
{
    const std::size_t part = (call.targets->count + devices - 1) / devices;
    const std::size_t usual = call.kriging() ? chunk_of_systems : chunk_most;
    const std::size_t most = std::min(shares_walks(call) ? chunk_of_walks : usual, part);
    const char *given = std::getenv("SHEPARD_CUDA_CHUNK");
    const unsigned long long number = given != nullptr ? std::strtoull(given, nullptr, 10) : 0;
    return number > 0 ? std::min((std::size_t)number, most) : most;
}

/* What the devices of a call share. */
struct progress {
    std::mutex lock;
    std::size_t next = 0, done = 0, all = 0, devices = 1;
    std::atomic<bool> stop{false};

    /* How many targets to do next; 0 at the end. */
    std::size_t take(std::size_t most, std::size_t *first)
    {
        const std::lock_guard<std::mutex> one(lock);
        *first = next;
        const std::size_t count = stop ? 0 : std::min(most, all - next);
        next += count;
        return count;
    }

    std::size_t add(std::size_t count)
    {
        const std::lock_guard<std::mutex> one(lock);
        return done += count;
    }
};

bool is_short_of_memory(const fault &thrown)
{
    return thrown.error.status == SHEPARD_ERROR_MEMORY;
}

/* A stream of chunks. */
struct lane {
    stream in;
    stage_timer clock;
    std::size_t pending = 0; /* targets of the chunk in work */

    explicit lane(bool timed) : clock(timed) {}

    /* How many targets are ready now that were not. */
    std::size_t wait()
    {
        in.wait("predicting");
        const std::size_t ready = pending;
        pending = 0;
        return ready;
    }
};

/* The part of a call that one device does. */
class worker
{
  public:
    worker(const device_call &on, const call_view &call, bool timed, progress &shared)
        : here_(on.device()), on_(on), call_(call), shared_(shared),
          chunk_(chunk_limit(call, shared.devices)), lanes_{lane(timed), lane(timed)},
          work_(1, lanes_[0].in.get())
    {
        if (call.targets->points)
            ranks_ = place_ranks(on.places->view(), on.places->given_count(), lanes_[0].in);
        std::size_t available = 0, total = 0;
        check(cudaMemGetInfo(&available, &total), "asking for device memory");
        /* What the pool keeps is not free to others, but to us: at least a part of all is. */
        const std::size_t room = std::max(available, total / 16) / 3 / bytes_of_target(call);
        chunk_ = std::max(std::min(chunk_, room), std::min(chunk_, chunk_least));
        for (const lane &one : lanes_) {
            call.from->follow(one.in.get());
            call.to->follow(one.in.get());
        }
        check(cudaMemsetAsync(work_.get(), 0, sizeof(all_points_work), lanes_[0].in.get()),
              "counting work");
        lanes_[0].in.wait("counting work");
    }

    worker(const worker &) = delete;
    worker &operator=(const worker &) = delete;
    /* After a fault too nothing writes to the caller's arrays any more. */
    ~worker()
    {
        for (const lane &one : lanes_)
            (void)cudaStreamSynchronize(one.in.get());
    }

    /* told(count): so many targets are ready; false: stop. */
    template <class Told> void run(const Told &told)
    {
        std::size_t first, count;
        for (int i = 0; (count = shared_.take(chunk_, &first)) > 0; i = (i + 1) % lanes) {
            if (!settle(lanes_[i], told))
                break;
            start(lanes_[i], first, count);
        }
        for (lane &one : lanes_)
            if (!settle(one, told))
                break;
        for (lane &one : lanes_)
            (void)one.wait();
    }

    void add_to(shepard_timing *timing, shepard_work *work)
    {
        all_points_work host;
        for (lane &one : lanes_)
            if (timing != nullptr)
                one.clock.add_to(timing);
        if (work == nullptr)
            return;
        check(cudaMemcpy(&host, work_.get(), sizeof host, cudaMemcpyDeviceToHost), "counting work");
        work->pairs += (double)host.pairs;
        work->nodes += (double)host.nodes;
    }

  private:
    template <class Told> bool settle(lane &one, const Told &told)
    {
        const std::size_t ready = one.wait();
        return ready == 0 || told(ready);
    }

    /* Where memory is out: by halves, after all that is under way has given its memory back. */
    void start(lane &one, std::size_t first, std::size_t count)
    {
        const std::size_t end = first + count;
        while (first < end) {
            const std::size_t part = std::min(chunk_, end - first);
            try {
                run_chunk(on_, call_, ranks_.view(), first, part,
                          call_.counted ? work_.get() : nullptr, one.in, one.clock);
                one.pending += part;
                first += part;
            } catch (const fault &thrown) {
                if (!is_short_of_memory(thrown) || chunk_ / 2 < chunk_least)
                    throw;
                for (lane &any : lanes_)
                    any.in.wait("predicting");
                chunk_ /= 2;
            }
        }
    }

    use_device here_;
    const device_call &on_;
    const call_view &call_;
    progress &shared_;
    std::size_t chunk_;
    lane lanes_[lanes];
    block<all_points_work> work_;
    place_ranks ranks_;
};

/* Runs one device's part; what it throws is kept. */
template <class Told> struct part {
    const device_call &on;
    const call_view &call;
    const shepard_control *control;
    progress &shared;
    const Told &told;
    shepard_timing timing = {};
    shepard_work work = {};
    std::exception_ptr thrown = {};

    void run()
    {
        try {
            worker own(on, call, control != nullptr && control->timing != nullptr, shared);
            own.run(told);
            own.add_to(&timing, call.counted ? &work : nullptr);
        } catch (...) {
            thrown = std::current_exception();
            shared.stop = true;
        }
    }
};

} // namespace

bool run_call(const std::vector<device_call> &devices, const call_view &call,
              const shepard_control *control)
{
    progress shared;
    shared.all = call.targets->count;
    shared.devices = devices.size();
    bool cancelled = false;
    const auto report = [&](std::size_t ready) {
        const std::size_t done = shared.add(ready);
        if (control == nullptr || control->progress == nullptr)
            return true;
        if (!control->progress((double)done / (double)shared.all, control->user))
            cancelled = shared.stop = true;
        return !cancelled;
    };
    /* The callback is called on this thread only. */
    const auto count = [&](std::size_t ready) {
        shared.add(ready);
        return !shared.stop;
    };
    std::vector<part<decltype(count)>> others;
    others.reserve(devices.size());
    for (std::size_t i = 1; i < devices.size(); i++)
        others.push_back({devices[i], call, control, shared, count});
    crew helpers;
    /* A device without a thread does nothing: the others take its targets. */
    try {
        for (auto &one : others)
            helpers.threads.emplace_back([&one] { one.run(); });
    } catch (const std::exception &) {
    }
    part<decltype(report)> own = {devices[0], call, control, shared, report};
    own.run();
    helpers.join();
    if (own.thrown)
        std::rethrow_exception(own.thrown);
    for (auto &one : others)
        if (one.thrown)
            std::rethrow_exception(one.thrown);
    if (!others.empty() && !cancelled)
        (void)report(0);
    const auto give = [&](const auto &from) {
        if (control != nullptr && control->timing != nullptr)
            shepard_timing_add(&from.timing, control->timing);
        if (call.counted) {
            control->work->pairs += from.work.pairs;
            control->work->nodes += from.work.nodes;
        }
    };
    give(own);
    for (const auto &one : others)
        give(one);
    /* Kernels count what walks have listed. */
    if (call.counted && call.all_points() && call.sums() && call.rules->eps == 0 &&
        call.facts->count >= call.rules->search.min_points)
        control->work->pairs += (double)shared.done * (double)call.facts->count;
    return cancelled;
}

} // namespace shepard
