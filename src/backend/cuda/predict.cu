/* SPDX-License-Identifier: MIT */
#include "backend/cuda/predict.cuh"

#include "backend/cuda/distributed_targets.cuh"
#include "backend/cuda/peers.cuh"
#include "backend/cuda/use_device.cuh"

extern "C" {
#include "base/timing.h"
}

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <deque>

namespace shepard
{

namespace
{

/* Targets of a chunk: enough to fill a device, few enough that the transfers of one go on beside
 * the work for another, and that progress is told. The host may have to solve all systems of one.
 * Where memory is out, not below the least. */
constexpr std::size_t chunk_most = std::size_t{1} << 22;
constexpr std::size_t chunk_of_systems = std::size_t{1} << 20;
constexpr std::size_t chunk_least = std::size_t{1} << 14;

/* Targets of a list lie anywhere, so that those of a part of it are far from each other: they share
 * less of a search, and cells of a walk have few. A chunk of a list that is searched round has so
 * many for each data point where that is more; one of walks, as far as memory allows, the most. */
constexpr std::size_t listed_of_point = 8;
constexpr std::size_t chunk_of_list = std::size_t{1} << 28;

/* Chunks in work at a time on a device, each in its own stream. */
constexpr int lanes = 2;

bool shares_walks(const call_view &call)
{
    return call.all_points() && call.sums() && call.rules->eps > 0 &&
           call.targets->raster == nullptr;
}

std::size_t usual_chunk(const call_view &call)
{
    const std::size_t usual = call.kriging() ? chunk_of_systems : chunk_most;
    if (shares_walks(call))
        return chunk_of_list;
    if (call.targets->raster != nullptr || call.neighbours != nullptr || call.all_points())
        return usual;
    return std::min(std::max(usual, listed_of_point * call.facts->count), chunk_of_list);
}

/* Chunks are alike, and each device gets as many. SHEPARD_CUDA_CHUNK: at most so many targets. */
std::size_t chunk_limit(const call_view &call, std::size_t devices)
{
    const std::size_t all = call.targets->count, round = devices * usual_chunk(call);
    const std::size_t parts = devices * std::max((all + round - 1) / round, std::size_t{1});
    const std::size_t most = (all + parts - 1) / parts;
    const char *given = std::getenv("SHEPARD_CUDA_CHUNK");
    const unsigned long long number = given != nullptr ? std::strtoull(given, nullptr, 10) : 0;
    return number > 0 ? std::min((std::size_t)number, most) : most;
}

/* What devices take of a raster towards the end is less and less, down to this, so that they end at
 * one time. Not with sums over all points: fewer targets would share a cell. */
constexpr std::size_t chunk_last = std::size_t{1} << 19;

/* Of cells whole strips, if there is one. */
std::size_t whole_strips(const shepard_targets_view &targets, std::size_t chunk)
{
    const std::size_t strip = targets.raster != nullptr ? strip_rows * targets.window.columns : 1;
    return chunk >= strip ? chunk / strip * strip : chunk;
}

/* Targets that devices take from. */
struct pending_targets {
    std::mutex lock;
    std::size_t next, end;

    pending_targets(std::size_t first, std::size_t all) : next(first), end(all) {}

    /* How many to do next, by one of so many devices; 0 at the end. */
    std::size_t take(const call_view &call, std::size_t most, std::size_t devices,
                     std::size_t *first)
    {
        const std::lock_guard<std::mutex> one(lock);
        const std::size_t rest = end - next;
        std::size_t count = most;
        if (call.targets->raster != nullptr && !call.all_points())
            count = std::min(most, std::max(rest / (lanes * devices), chunk_last));
        count = std::min(whole_strips(*call.targets, count), rest);
        *first = next;
        next += count;
        return count;
    }
};

/* What one device does of a call, alone or with others. */
struct device_share {
    const device_call &on;
    const call_view &call;
    pending_targets &pending;
    std::size_t devices; /* that take from them */

    std::size_t take(std::size_t most, std::size_t *first) const
    {
        return pending.take(call, most, devices, first);
    }
};

/* Of all devices. */
struct progress {
    const shepard_control *control; /* or nullptr */
    std::size_t all;
    std::mutex lock;
    std::size_t done = 0;
    bool cancelled = false; /* by the caller */
    std::atomic<bool> stop{false};

    progress(const shepard_control *told, std::size_t targets) : control(told), all(targets) {}

    /* So many more targets are ready; false: stop. calls_back: on the caller's thread. */
    bool add(std::size_t ready, bool calls_back)
    {
        const std::size_t now = count(ready);
        if (calls_back && control != nullptr && control->progress != nullptr &&
            !control->progress((double)now / (double)all, control->user))
            cancelled = stop = true;
        return !stop;
    }

  private:
    std::size_t count(std::size_t ready)
    {
        const std::lock_guard<std::mutex> one(lock);
        return done += ready;
    }
};

bool is_short_of_memory(const fault &thrown)
{
    return thrown.error.status == SHEPARD_ERROR_MEMORY;
}

struct lane : chunk_lane {
    std::size_t in_work = 0; /* targets of the chunk */

    using chunk_lane::chunk_lane;

    /* How many targets are ready now that were not. */
    std::size_t wait()
    {
        in.wait("predicting");
        const std::size_t ready = in_work;
        in_work = 0;
        return ready;
    }
};

/* Bytes of the current device to plan with. What the pool keeps is not free to others, but to us:
 * at least a part of all is. */
std::size_t usable_memory()
{
    std::size_t available = 0, total = 0;
    check(cudaMemGetInfo(&available, &total), "asking for device memory");
    return std::max(available, total / 16) / 3;
}

/* The part of a call that one device does. */
class worker
{
  public:
    worker(const device_share &of, bool timed, progress &shared, bool calls_back)
        : here_(of.on.device()), of_(of), shared_(shared), calls_back_(calls_back),
          chunk_(chunk_limit(of.call, of.devices)), lanes_{lane(timed, room_), lane(timed, room_)},
          work_(1, lanes_[0].in.get())
    {
        const call_view &call = of.call;
        if (call.targets->points)
            ranks_ = place_ranks(of.on.places->view(), of.on.places->given_count(), lanes_[0].in);
        const std::size_t room = usable_memory() / bytes_of_target(call);
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

    void run()
    {
        std::size_t first, count;
        for (int i = 0; !shared_.stop && (count = of_.take(chunk_, &first)) > 0;
             i = (i + 1) % lanes) {
            if (!settle(lanes_[i]))
                break;
            start(lanes_[i], first, count);
        }
        for (lane &one : lanes_)
            if (!settle(one))
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
    /* False: stop. */
    bool settle(lane &one)
    {
        const std::size_t ready = one.wait();
        return ready == 0 || shared_.add(ready, calls_back_);
    }

    /* Where memory is out: waits for what is under way, and tries the same chunk once more without
     * the room for lists, which no chunk keeps from then on; after that, chunks of half the size.
     */
    void start(lane &one, std::size_t first, std::size_t count)
    {
        const std::size_t end = first + count;
        while (first < end) {
            const std::size_t part = std::min(whole_strips(*of_.call.targets, chunk_), end - first);
            try {
                run_chunk(of_.on, of_.call, ranks_.view(), first, part,
                          of_.call.counted ? work_.get() : nullptr, one);
                one.in_work += part;
                first += part;
            } catch (const fault &thrown) {
                if (!is_short_of_memory(thrown) || (is_short_ && chunk_ / 2 < chunk_least))
                    throw;
                for (lane &any : lanes_)
                    any.in.wait("predicting");
                if (is_short_)
                    chunk_ /= 2;
                is_short_ = true;
            }
            if (is_short_)
                room_ = list_room();
        }
    }

    use_device here_;
    const device_share &of_;
    progress &shared_;
    bool calls_back_;
    std::size_t chunk_;
    bool is_short_ = false; /* memory was out */
    lane lanes_[lanes];
    list_room room_; /* after the lanes: destroyed before their streams */
    block<all_points_work> work_;
    place_ranks ranks_;
};

/* Runs one device's part; where it fails, the others stop. */
struct device_part {
    const device_share &of;
    bool timed;
    progress &shared;
    shepard_timing timing = {};
    shepard_work work = {};

    void run(bool calls_back)
    {
        try {
            worker own(of, timed, shared, calls_back);
            own.run();
            own.add_to(&timing, of.call.counted ? &work : nullptr);
        } catch (...) {
            shared.stop = true;
            throw;
        }
    }
};

/* One call on several devices. */
class call_run
{
  public:
    call_run(const std::vector<device_call> &devices, const call_view &call,
             const shepard_control *control, crew &helpers)
        : devices_(devices), call_(call), control_(control), helpers_(helpers),
          shared_(control, call.targets->count)
    {
    }

    /* Whether it was cancelled. */
    bool run();

  private:
    bool is_timed() const { return control_ != nullptr && control_->timing != nullptr; }
    bool is_distributed() const;
    std::size_t round_limit() const;
    std::unique_ptr<distributed_targets> distribute(std::size_t first, std::size_t count);
    bool run_distributed(distributed_targets &targets);
    bool run_pending(std::size_t first);
    bool run_shares(const std::vector<device_share> &shares);
    void add_results_of(const device_part &from);

    const std::vector<device_call> &devices_;
    const call_view &call_;
    const shepard_control *control_;
    crew &helpers_;
    progress shared_;
};

void call_run::add_results_of(const device_part &from)
{
    if (is_timed())
        shepard_timing_add(&from.timing, control_->timing);
    if (call_.counted) {
        control_->work->pairs += from.work.pairs;
        control_->work->nodes += from.work.nodes;
    }
}

bool call_run::run_shares(const std::vector<device_share> &shares)
{
    std::vector<device_part> parts;
    for (const device_share &share : shares)
        parts.push_back({share, is_timed(), shared_});
    /* The first is done on this thread. */
    helpers_.at_once(parts.size(), [&](std::size_t i) { parts[i].run(i == 0); });
    if (parts.size() > 1 && !shared_.cancelled)
        (void)shared_.add(0, true);
    for (const device_part &one : parts)
        add_results_of(one);
    return shared_.cancelled;
}

bool call_run::run_pending(std::size_t first)
{
    pending_targets all(first, shared_.all);
    std::vector<device_share> shares;
    for (const device_call &one : devices_)
        shares.push_back({one, call_, all, devices_.size()});
    return run_shares(shares);
}

/* nullptr where there is no memory for it. */
std::unique_ptr<distributed_targets> call_run::distribute(std::size_t first, std::size_t count)
{
    try {
        return std::make_unique<distributed_targets>(devices_, call_, first, count, is_timed(),
                                                     helpers_);
    } catch (const fault &thrown) {
        if (!is_short_of_memory(thrown))
            throw;
        return nullptr;
    }
}

bool call_run::run_distributed(distributed_targets &targets)
{
    std::deque<pending_targets> pending;
    std::vector<device_share> shares;
    for (std::size_t i = 0; i < devices_.size(); i++) {
        const call_view &own = targets.call_of(i);
        pending.emplace_back(0, own.targets->count);
        shares.push_back({devices_[i], own, pending.back(), 1});
    }
    if (run_shares(shares))
        return true;
    targets.give_back();
    if (is_timed())
        targets.add_to(control_->timing);
    return false;
}

/* Distributing takes about a millisecond, which is what four devices save with a million targets.
 */
constexpr std::size_t distributed_least = std::size_t{1} << 19;

bool call_run::is_distributed() const
{
    std::vector<int> devices;
    for (const device_call &one : devices_)
        devices.push_back(one.device());
    return shares_walks(call_) && !call_.targets->points &&
           !shepard_frame_is_3d(&call_.facts->frame) && call_.targets->count >= distributed_least &&
           are_peers(devices);
}

/* Targets that are distributed at a time. */
std::size_t call_run::round_limit() const
{
    std::size_t limit = chunk_limit(call_, devices_.size());
    const std::size_t bytes = distributed_targets::bytes_of_target(call_);
    for (const device_call &one : devices_) {
        const use_device here(one.device());
        limit = std::min(limit, std::max(usable_memory() / bytes, chunk_least));
    }
    return limit * devices_.size();
}

bool call_run::run()
{
    if (!is_distributed())
        return run_pending(0);
    const std::size_t limit = round_limit();
    for (std::size_t first = 0; first < shared_.all; first += limit) {
        const std::size_t count = std::min(limit, shared_.all - first);
        const auto targets = count < chunk_least ? nullptr : distribute(first, count);
        if (targets == nullptr)
            return run_pending(first);
        if (run_distributed(*targets))
            return true;
    }
    return false;
}

} // namespace

bool run_call(const std::vector<device_call> &devices, const call_view &call,
              const shepard_control *control, crew &helpers)
{
    const bool cancelled = call_run(devices, call, control, helpers).run();
    /* Kernels count what walks have listed. */
    if (!cancelled && call.counted && call.all_points() && call.sums() && call.rules->eps == 0 &&
        call.rules->degree == 0 && call.facts->count >= call.rules->search.min_points)
        control->work->pairs += (double)call.targets->count * (double)call.facts->count;
    return cancelled;
}

} // namespace shepard
