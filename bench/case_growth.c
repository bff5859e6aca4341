/* SPDX-License-Identifier: MIT */
#include "toll.h"

#define LEAST 262144 /* points of the first size that the promise is about */
#define FACTOR 4
#define SIZES_MAX 16
#define CHECKED 16

/* One size, n points to as many targets. */
struct size {
    struct shepard_cloud cloud;
    struct shepard_task task;
    struct shepard_toll toll;
};

/* LEAST, or less where growth could not be seen. */
static size_t first_size(size_t most)
{
    const size_t small = most / (FACTOR * FACTOR);
    return small < LEAST ? small + (small == 0) : LEAST;
}

static bool open_size(struct size *size, size_t n, const struct shepard_case *bench)
{
    *size = (struct size){.cloud = {.n = n, .m = n, .columns = 1}};
    size->task = (struct shepard_task){
        .cloud = &size->cloud, .options = shepard_toll_options(bench), .columns = 1};
    size->task.options.method = SHEPARD_AIDW;
    const bool drawn = shepard_cloud_draw(&size->cloud);
    return shepard_toll_open(&size->toll, &size->task, CHECKED) && drawn;
}

/* The median over the turns: the two runs of a turn are near each other in time. */
static double growth(const struct size *size)
{
    double ratios[SHEPARD_REPEAT_MAX];
    const struct shepard_runs *less = &size[-1].toll.total, *more = &size->toll.total;
    for (size_t r = 0; r < more->count; r++)
        ratios[r] = more->wall[r] / less->wall[r];
    return shepard_median(ratios, more->count);
}

static bool close_size(struct size *size, bool first, const struct shepard_case *bench)
{
    const bool good = shepard_toll_close(&size->toll, "growth", bench);
    if (good && !first) {
        printf("          times the seconds of a quarter of the points: %.2f\n", growth(size));
        shepard_record_begin(bench->record, "growth_ratio");
        shepard_record_number(bench->record, "points", (double)size->cloud.n);
        shepard_record_number(bench->record, "ratio", growth(size));
        shepard_record_end(bench->record);
    }
    shepard_cloud_free(&size->cloud);
    return good;
}

/* Sizes take turns, so that what else the machine does meets all alike. */
bool shepard_case_growth(const struct shepard_case *bench)
{
    struct size sizes[SIZES_MAX];
    size_t count = 0;
    bool good = true;
    shepard_toll_head("Growth: AIDW", bench);
    for (size_t n = first_size(bench->most); n <= bench->most && count < SIZES_MAX; n *= FACTOR)
        good = open_size(&sizes[count++], n, bench) && good;
    for (size_t turn = 0; good && turn <= bench->repeat; turn++)
        for (size_t i = 0; good && i < count; i++)
            good = shepard_toll_run(&sizes[i].toll);
    for (size_t i = 0; i < count; i++)
        good = close_size(&sizes[i], i == 0, bench) && good;
    return good;
}
