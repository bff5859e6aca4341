/* SPDX-License-Identifier: MIT */
#include "backend/cuda/crew.cuh"

#include <chrono>

namespace shepard
{

/* Longer than the steps of a call are apart. */
static constexpr std::chrono::microseconds patience(1000);

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
            threads_.emplace_back(&crew::serve, this, threads_.size() + 1, round_.load());
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
    const std::unique_lock<std::mutex> own(in_use_, std::try_to_lock);
    if (count == 0)
        return;
    if (count == 1)
        what.run(0);
    else if (own)
        run_here_and_there(count, what);
    else
        crew().run_here_and_there(count, what);
}

crew::~crew()
{
    closing_ = true;
    begin_round(0, {});
    for (std::thread &one : threads_)
        one.join();
}

} // namespace shepard
