/* SPDX-License-Identifier: MIT */
#include "toll.h"

#define LEAST 262144 /* points of the first size that the promise is about */
#define FACTOR 4
#define CHECKED 16

/* Wall seconds of n points to as many targets. */
static bool measure(const struct shepard_case *bench, size_t n, double *seconds)
{
    struct shepard_cloud cloud = {.n = n, .m = n, .columns = 1};
    struct shepard_task task = {
        .cloud = &cloud, .options = shepard_toll_options(bench), .columns = 1};
    task.options.method = SHEPARD_AIDW;
    struct shepard_toll toll = {0};
    const bool good =
        shepard_cloud_draw(&cloud) && shepard_toll_take(&toll, "growth", &task, bench, CHECKED);
    *seconds = toll.total.count ? shepard_runs_median(&toll.total).wall : 0;
    shepard_cloud_free(&cloud);
    return good;
}

/* LEAST, or less where growth could not be seen. */
static size_t first_size(size_t most)
{
    const size_t small = most / (FACTOR * FACTOR);
    return small < LEAST ? small + (small == 0) : LEAST;
}

bool shepard_case_growth(const struct shepard_case *bench)
{
    shepard_toll_head("Growth: AIDW", bench);
    bool good = true;
    double before = 0;
    for (size_t n = first_size(bench->most); n <= bench->most; n *= FACTOR) {
        double seconds;
        good = measure(bench, n, &seconds) && good;
        if (before > 0)
            printf("          times the seconds of a quarter of the points: %.2f\n",
                   seconds / before);
        before = seconds;
    }
    return good;
}
