/* SPDX-License-Identifier: MIT */
/* Work for several devices, each on a thread of its own. */
#ifndef SHEPARD_BACKEND_CUDA_AT_ONCE_CUH
#define SHEPARD_BACKEND_CUDA_AT_ONCE_CUH

#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace shepard
{

/* Waits for its threads where one more cannot be made, too. */
struct crew {
    std::vector<std::thread> threads;

    ~crew() { join(); }
    void join()
    {
        for (std::thread &one : threads)
            one.join();
        threads.clear();
    }
};

/* Calls work(i) for each i < count, the first on this thread, and throws what the first of them
 * that failed threw. What no thread can be made for is done here, too. */
template <class Work> void at_once(std::size_t count, const Work &work)
{
    std::vector<std::exception_ptr> thrown(count);
    const auto run = [&](std::size_t i) {
        try {
            work(i);
        } catch (...) {
            thrown[i] = std::current_exception();
        }
    };
    crew helpers;
    std::size_t started = 1;
    try {
        for (; started < count; started++)
            helpers.threads.emplace_back(run, started);
    } catch (const std::exception &) {
    }
    if (count > 0)
        run(0);
    for (std::size_t i = started; i < count; i++)
        run(i);
    helpers.join();
    for (const std::exception_ptr &one : thrown)
        if (one)
            std::rethrow_exception(one);
}

} // namespace shepard

#endif
