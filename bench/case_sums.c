/* SPDX-License-Identifier: MIT */
#include "toll.h"

#define CHECKED 64

static bool measure(const struct shepard_case *bench, enum shepard_cloud_kind kind)
{
    struct shepard_cloud cloud = {
        .kind = kind, .n = bench->points, .m = bench->targets, .columns = 1};
    struct shepard_task task = {
        .cloud = &cloud, .options = shepard_toll_options(bench), .columns = 1};
    task.options.method = SHEPARD_AIDW;
    struct shepard_toll toll;
    const bool good =
        shepard_cloud_draw(&cloud) && shepard_toll_take(&toll, "sums", &task, bench, CHECKED);
    shepard_cloud_free(&cloud);
    return good;
}

bool shepard_case_sums(const struct shepard_case *bench)
{
    shepard_toll_head("AIDW", bench);
    bool good = true;
    for (int kind = 0; kind < SHEPARD_CLOUD_KINDS; kind++) {
        if (bench->kinds[kind])
            good = measure(bench, kind) && good;
    }
    return good;
}
