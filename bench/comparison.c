/* SPDX-License-Identifier: MIT */
#include "comparison.h"

bool shepard_another_turn(size_t asked, size_t turns, double spent)
{
    return turns < asked && (turns < 3 || spent < 60);
}

static bool run(bool (*work)(void *context, bool other), void *context, bool other,
                struct shepard_runs *runs)
{
    const struct shepard_seconds start = shepard_seconds_now();
    const bool good = work(context, other);
    shepard_runs_add(runs, shepard_seconds_since(start));
    return good;
}

bool shepard_compare(bool (*work)(void *context, bool other), void *context, size_t turns,
                     struct shepard_comparison *comparison)
{
    struct shepard_runs *const own = &comparison->own, *const other = &comparison->other;
    *comparison = (struct shepard_comparison){0};
    bool good = work(context, false);
    for (double spent = 0; good && shepard_another_turn(turns, own->count, spent);) {
        good = run(work, context, true, other) && run(work, context, false, own);
        spent += good ? own->wall[own->count - 1] + other->wall[own->count - 1] : 0;
    }
    return good;
}

double shepard_comparison_ratio(const struct shepard_comparison *comparison)
{
    double ratios[SHEPARD_REPEAT_MAX];
    const size_t count = comparison->own.count;
    for (size_t i = 0; i < count; i++)
        ratios[i] = comparison->own.wall[i] / comparison->other.wall[i];
    return shepard_median(ratios, count);
}
