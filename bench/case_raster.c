/* SPDX-License-Identifier: MIT */
#include "toll.h"

#include <math.h>

#define CHECKED 64

bool shepard_case_raster(const struct shepard_case *bench)
{
    static const size_t columns[] = {1, SHEPARD_CLOUD_COLUMNS};
    shepard_toll_head("Raster: IDW of power 2", bench);
    struct shepard_cloud cloud = {.n = bench->points, .m = 1, .columns = SHEPARD_CLOUD_COLUMNS};
    const bool drawn = shepard_cloud_draw(&cloud);
    bool good = drawn;
    for (size_t i = 0; drawn && i < sizeof columns / sizeof *columns; i++) {
        const struct shepard_task task = {.cloud = &cloud,
                                          .options = shepard_toll_options(bench),
                                          .columns = columns[i],
                                          .side = (size_t)ceil(sqrt((double)bench->targets))};
        struct shepard_toll toll;
        good = shepard_toll_take(&toll, "raster", &task, bench, CHECKED) && good;
    }
    shepard_cloud_free(&cloud);
    return good;
}
