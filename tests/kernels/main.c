/* SPDX-License-Identifier: MIT */
/* test_kernels core|sums|expansions|likelihood [SEED]: what stands above the kernels, part by part;
 * or searches and sums, or expansions and moments, of every kernel variant that this processor
 * runs; or likelihoods and fits of covariances. */
#include "suite.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void tally_check(struct tally *tally, bool good, const char *format, ...)
{
    if (good) {
        tally->passed++;
        return;
    }
    tally->failed++;
    va_list arguments;
    va_start(arguments, format);
    printf("FAILED ");
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
}

double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* SHEPARD_ISA limits the choice; an unknown name is an error of its own. */
static void check_limit(struct tally *tally)
{
    const char *given = getenv("SHEPARD_ISA");
    char *kept = given != NULL ? strdup(given) : NULL;
    setenv("SHEPARD_ISA", "scalar", 1);
    tally_check(tally, shepard_kernels_choose() == shepard_kernels_at(0), "limit scalar");
    tally_check(tally, shepard_kernels_limit_known(), "scalar is known");
    setenv("SHEPARD_ISA", "avx1024", 1);
    tally_check(tally, !shepard_kernels_limit_known(), "avx1024 is not known");
    unsetenv("SHEPARD_ISA");
    tally_check(tally, shepard_kernels_limit_known(), "no limit is known");
    if (kept != NULL)
        setenv("SHEPARD_ISA", kept, 1);
    free(kept);
}

static void check_core(struct tally *tally, unsigned long seed)
{
    check_tree(tally, seed);
    check_segment(tally, seed);
    check_sphere(tally, seed);
    check_hilbert(tally, seed);
    check_squares(tally, seed);
    check_cells(tally, seed);
    check_gather(tally, seed);
    check_powers(tally, seed);
    check_accuracy(tally, seed);
    check_planes(tally, seed);
    check_plane_single(tally, seed);
    check_interactions(tally, seed);
    check_chebyshev(tally, seed);
}

static void check_sums_of_all(struct tally *tally, unsigned long seed)
{
    const struct shepard_kernels *kernels;
    check_limit(tally);
    for (size_t i = 0; (kernels = shepard_kernels_at(i)) != NULL; i++) {
        check_search(tally, kernels, seed);
        check_lists_3d(tally, kernels, seed);
        check_sums(tally, kernels, seed);
        check_lanes(tally, kernels, seed);
    }
}

static void check_expansions_of_all(struct tally *tally, unsigned long seed)
{
    const struct shepard_kernels *kernels;
    for (size_t i = 0; (kernels = shepard_kernels_at(i)) != NULL; i++) {
        check_expansions(tally, kernels, seed);
        check_moments(tally, kernels, seed);
    }
}

static void check_likelihoods(struct tally *tally, unsigned long seed)
{
    check_sd_regression(tally, seed);
    check_likelihood(tally, seed);
    check_covariance_fit(tally, seed);
}

int main(int count, char **words)
{
    const char *group = count > 1 ? words[1] : "";
    const unsigned long seed = count > 2 ? strtoul(words[2], NULL, 10) : 20151107;
    struct tally tally = {0, 0};
    printf("seed %lu\n", seed);
    if (strcmp(group, "core") == 0)
        check_core(&tally, seed);
    else if (strcmp(group, "sums") == 0)
        check_sums_of_all(&tally, seed);
    else if (strcmp(group, "expansions") == 0)
        check_expansions_of_all(&tally, seed);
    else if (strcmp(group, "likelihood") == 0)
        check_likelihoods(&tally, seed);
    else
        fputs("usage: test_kernels core|sums|expansions|likelihood [SEED]\n", stderr);
    printf("%ld passed, %ld failed\n", tally.passed, tally.failed);
    return tally.failed == 0 && tally.passed > 0 ? 0 : 1;
}
