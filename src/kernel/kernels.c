/* SPDX-License-Identifier: MIT */
#include "kernel/kernels.h"

#include "base/isa.h"

#include <stdlib.h>
#include <string.h>

/* By rising speed; a CPU that runs one runs those above it. */
static const struct {
    struct shepard_kernels kernels;
    bool (*runs)(void);
} sets[] = {
    {{"scalar", &shepard_search_scalar, &shepard_sum_scalar, &shepard_moments_scalar,
      &shepard_columns_scalar},
     shepard_isa_any},
#if defined(__x86_64__)
    {{"baseline", &shepard_search_baseline, &shepard_sum_baseline, &shepard_moments_baseline,
      &shepard_columns_baseline},
     shepard_isa_any},
    {{"avx2", &shepard_search_avx2, &shepard_sum_avx2, &shepard_moments_avx2,
      &shepard_columns_avx2},
     shepard_isa_avx2},
    {{"avx512", &shepard_search_avx512, &shepard_sum_avx512, &shepard_moments_avx512,
      &shepard_columns_avx512},
     shepard_isa_avx512},
#elif defined(__aarch64__)
    {{"neon", &shepard_search_neon, &shepard_sum_neon, &shepard_moments_neon,
      &shepard_columns_neon},
     shepard_isa_any},
#endif
};

#define SETS (sizeof sets / sizeof sets[0])

const struct shepard_kernels *shepard_kernels_at(size_t i)
{
    return i < SETS && sets[i].runs() ? &sets[i].kernels : NULL;
}

bool shepard_kernels_limit_known(void)
{
    const char *limit = getenv("SHEPARD_ISA");
    bool known = limit == NULL || *limit == '\0';
    for (size_t i = 0; i < SETS; i++)
        known = known || strcmp(limit, sets[i].kernels.isa) == 0;
    return known;
}

const struct shepard_kernels *shepard_kernels_choose(void)
{
    const char *limit = getenv("SHEPARD_ISA");
    const struct shepard_kernels *chosen = &sets[0].kernels, *next;
    for (size_t i = 0; (next = shepard_kernels_at(i)) != NULL; i++) {
        chosen = next;
        if (limit != NULL && strcmp(limit, next->isa) == 0)
            break;
    }
    return chosen;
}
