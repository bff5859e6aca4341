/* SPDX-License-Identifier: MIT */
#include "kernel/kernels.h"

#include <stdlib.h>
#include <string.h>

static const struct shepard_kernels sets[] = {
#define SET(isa, runs)                                                                             \
    {#isa,                                                                                         \
     &shepard_search_##isa,                                                                        \
     &shepard_sum_##isa,                                                                           \
     &shepard_moments_##isa,                                                                       \
     &shepard_columns_##isa,                                                                       \
     &shepard_likelihood_##isa,                                                                    \
     &shepard_kriging_##isa},
    SHEPARD_ISA_LIST(SET)
#undef SET
};

#define SETS (sizeof sets / sizeof sets[0])

const struct shepard_kernels *shepard_kernels_at(size_t i)
{
#define RUNS(isa, runs) runs,
    const bool runs[] = {SHEPARD_ISA_LIST(RUNS)};
#undef RUNS
    return i < SETS && runs[i] ? &sets[i] : NULL;
}

bool shepard_kernels_limit_known(void)
{
    const char *limit = getenv("SHEPARD_ISA");
    bool known = limit == NULL || *limit == '\0';
    for (size_t i = 0; i < SETS; i++)
        known = known || strcmp(limit, sets[i].isa) == 0;
    return known;
}

const struct shepard_kernels *shepard_kernels_choose(void)
{
    const char *limit = getenv("SHEPARD_ISA");
    const struct shepard_kernels *chosen = &sets[0], *next;
    for (size_t i = 0; (next = shepard_kernels_at(i)) != NULL; i++) {
        chosen = next;
        if (limit != NULL && strcmp(limit, next->isa) == 0)
            break;
    }
    return chosen;
}
