/* SPDX-License-Identifier: MIT */
/* Threads that work for several devices: each work once, the first on the caller's thread; what is
 * thrown; calls at the same time, after a rest, and in a child process. Needs no device.
 *
 *     test_crew [SEED]
 */
#include "labelled_tally.cuh"

#include "backend/cuda/crew.cuh"

extern "C" {
#include "chance.h"
}

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

using namespace shepard;

namespace
{

constexpr std::size_t most = 9;

/* Whether each of `count` works is done once, the first on this thread. */
bool works(crew &of, std::size_t count)
{
    std::vector<int> done(count);
    const std::thread::id here = std::this_thread::get_id();
    bool first_here = count == 0;
    of.at_once(count, [&](std::size_t i) {
        done[i]++;
        if (i == 0)
            first_here = std::this_thread::get_id() == here;
    });
    bool all = first_here;
    for (const int times : done)
        all = all && times == 1;
    return all;
}

/* Some works fail: what the first of them throws arrives, after the others are done. */
bool throws_first(crew &of, std::size_t count, std::size_t first)
{
    std::vector<int> done(count);
    std::string caught;
    try {
        of.at_once(count, [&](std::size_t i) {
            done[i] = 1;
            if (i >= first)
                throw std::runtime_error(std::to_string(i));
        });
    } catch (const std::runtime_error &thrown) {
        caught = thrown.what();
    }
    bool all = caught == std::to_string(first);
    for (const int one : done)
        all = all && one == 1;
    return all;
}

void try_rounds(labelled_tally *t, struct chance *by)
{
    crew own;
    t->label = "rounds";
    bool all = true;
    for (int round = 0; round < 5000; round++)
        all = works(own, chance_below(by, most + 1)) && all;
    t->check(all, "a work was not done once, or the first elsewhere");
    for (int round = 0; round < 200; round++) {
        const std::size_t count = 1 + chance_below(by, most);
        t->check(throws_first(own, count, chance_below(by, count)), "another fault, or none");
    }
}

/* Rests of 0 to 4 ms: threads look for work for 1 ms, then sleep. */
void try_rests(labelled_tally *t)
{
    crew own;
    t->label = "after a rest";
    for (int round = 0; round < 20; round++) {
        std::this_thread::sleep_for(std::chrono::milliseconds(round % 5));
        t->check(works(own, 4), "a work was not done once");
    }
    own.at_once(
        3, [&](std::size_t i) { std::this_thread::sleep_for(std::chrono::milliseconds(5 * i)); });
    t->check(works(own, 4), "not after a wait for others");
}

void try_callers(labelled_tally *t)
{
    crew own;
    std::atomic<int> wrong{0};
    t->label = "callers at the same time";
    std::vector<std::thread> callers;
    for (int caller = 0; caller < 4; caller++)
        callers.emplace_back([&] {
            for (int round = 0; round < 300; round++)
                wrong += !works(own, 3);
        });
    for (std::thread &one : callers)
        one.join();
    t->check(wrong == 0, "a work was not done once");
    bool within = false;
    own.at_once(2, [&](std::size_t i) {
        if (i == 0)
            within = works(own, 3);
    });
    t->check(within, "not within a work");
}

/* A child of fork() has none of the threads. */
void try_child(labelled_tally *t)
{
    std::shared_ptr<crew> own = crew::common();
    t->label = "child process";
    t->check(works(*own, 4), "not in the parent");
    const pid_t child = fork();
    if (child == 0) {
        alarm(20);
        const bool good = works(*own, 4) && works(*crew::common(), 4);
        own.reset();
        _exit(good ? 0 : 1);
    }
    int status = -1;
    t->check(child > 0 && waitpid(child, &status, 0) == child, "no child");
    t->check(WIFEXITED(status) && WEXITSTATUS(status) == 0, "not in the child");
    t->check(works(*own, 4), "not in the parent afterwards");
}

void try_common(labelled_tally *t)
{
    t->label = "the common one";
    const std::shared_ptr<crew> one = crew::common();
    t->check(one == crew::common(), "it is not common");
    t->check(works(*one, 3), "it does not work");
}

} // namespace

int main(int count, char **arguments)
{
    struct chance by = {count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 20170131};
    labelled_tally t;
    std::printf("seed %llu\n", (unsigned long long)by.state);
    try_rounds(&t, &by);
    try_rests(&t);
    try_callers(&t);
    try_child(&t);
    try_common(&t);
    std::printf("crew: %ld passed, %ld failed\n", t.passed, t.failed);
    return t.failed > 0 ? 1 : 0;
}
