/* SPDX-License-Identifier: MIT */
#include "backend/cuda/crew.cuh"

extern "C" {
#include "base/process.h"
}

#include <chrono>

#include <cuda_runtime_api.h>

namespace shepard
{

/* Longer than the steps of a call are apart. */
static constexpr std::chrono::microseconds patience(1000);

crew::crew() : process_(shepard_process_id()) {}

bool crew::is_of_this_process() const
{
    return process_ == shepard_process_id();
}

std::shared_ptr<crew> crew::common()
{
    static std::mutex lock;
    static std::weak_ptr<crew> last;
    const std::lock_guard<std::mutex> one(lock);
    std::shared_ptr<crew> found = last.lock();
    if (!found || !found->is_of_this_process())
        last = found = std::shared_ptr<crew>(new crew, leave);
    return found;
}

/* In another process there are no threads whose end could be waited for. */
void crew::leave(crew *own)
{
    if (own->is_of_this_process())
        delete own;
}

template <class Holds> void crew::wait_until(const Holds &holds)
{
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!holds()) {
        if (std::chrono::steady_clock::now() < end) {
            std::this_thread::yield();
            continue;
        }
        std::unique_lock<std::mutex> own(lock_);
        changed_.wait(own, holds);
        return;
    }
}

void crew::serve(std::size_t number, unsigned done)
{
    for (;;) {
        wait_until([&] { return round_ != done; });
        done = round_;
        if (closing_)
            return;
        (void)cudaGetLastError(); /* what an earlier round has left is not this one's */
        if (number < count_)
            what_.run(number);
        const std::lock_guard<std::mutex> own(lock_);
        if (--busy_ == 0)
            changed_.notify_all();
    }
}

void crew::begin_round(std::size_t count, const task &what)
{
    const std::lock_guard<std::mutex> own(lock_);
    what_ = what;
    count_ = count;
    busy_ = threads_.size();
    round_++;
    changed_.notify_all();
}

void crew::run_here_and_there(std::size_t count, const task &what)
{
    try {
        while (threads_.size() + 1 < count)
            threads_.emplace_back([this, number = threads_.size() + 1, done = round_.load()] {
                serve(number, done);
            });
    } catch (const std::exception &) {
    }
    begin_round(count, what);
    what.run(0);
    for (std::size_t i = threads_.size() + 1; i < count; i++)
        what.run(i);
    wait_until([&] { return busy_ == 0; });
}

void crew::run_all(std::size_t count, const task &what)
{
    if (count == 1)
        what.run(0);
    if (count < 2)
        return;
    if (!is_of_this_process() || in_use_.test_and_set()) {
        crew().run_here_and_there(count, what);
        return;
    }
    run_here_and_there(count, what);
    in_use_.clear();
}

crew::~crew()
{
    closing_ = true;
    begin_round(0, {});
    for (std::thread &one : threads_)
        one.join();
}

} // namespace shepard
