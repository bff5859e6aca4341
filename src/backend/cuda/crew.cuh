/* SPDX-License-Identifier: MIT */
/* Threads that work for several devices at once. They stay until the last points are freed, and
 * look for more work for a while before they sleep: a step for which threads are started takes 70
 * to 170 us, waking one 50 to 100, and a call has many short steps. */
#ifndef SHEPARD_BACKEND_CUDA_CREW_CUH
#define SHEPARD_BACKEND_CUDA_CREW_CUH

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace shepard
{

class crew
{
  public:
    crew();
    crew(const crew &) = delete;
    crew &operator=(const crew &) = delete;
    ~crew();

    /* That of the process, which lasts as long as anybody holds it. */
    static std::shared_ptr<crew> common();

    /* Calls work(i) for each i < count: work(0) on this thread, the others on threads, or where one
     * cannot be started on this thread after work(0). Rethrows what the failed work of the lowest
     * number threw. A second call at the same time gets threads of its own. */
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
        using runner = decltype(run);
        const auto call = [](const void *of, std::size_t i) {
            (*static_cast<const runner *>(of))(i);
        };
        run_all(count, {call, &run});
        for (const std::exception_ptr &one : thrown)
            if (one)
                std::rethrow_exception(one);
    }

  private:
    /* Throws nothing. */
    struct task {
        void (*call)(const void *of, std::size_t number);
        const void *of;

        void run(std::size_t number) const { call(of, number); }
    };

    void run_all(std::size_t count, const task &what);
    void run_here_and_there(std::size_t count, const task &what);
    void begin_round(std::size_t count, const task &what);
    /* What a thread does to the end: work `number` of each round after round `done`. */
    void serve(std::size_t number, unsigned done);
    template <class Holds> void wait_until(const Holds &holds);
    bool is_of_this_process() const;
    static void leave(crew *own);

    const long process_; /* a child of fork() has no threads */
    std::atomic_flag in_use_ = ATOMIC_FLAG_INIT;
    std::vector<std::thread> threads_; /* the i-th does work i + 1 */
    std::mutex lock_;
    std::condition_variable changed_;
    /* Of the round of work that is under way: set under the lock; closing_ before the last round.
     */
    std::atomic<unsigned> round_{0};
    std::atomic<std::size_t> busy_{0};
    task what_ = {};
    std::size_t count_ = 0;
    bool closing_ = false;
};

} // namespace shepard

#endif
