/* SPDX-License-Identifier: MIT */
#include "accuracy_run.h"
#include "roofline.h"

/* Bytes of a point: coordinates and a value; coordinates alone; key and number; a box. */
#define POINT 24.0
#define PLACE 16.0
#define LABEL 12.0
#define BOX 32.0
#define LEAF 16.0

/* Numbers of an expansion of the order that stands for all (SHEPARD_TERMS of kernel/node.h), bytes
 * of what else a node holds, and charges of one value column. */
#define TERMS 21.0
#define NODE 48.0
#define CHARGES 2.0

/* Operations: of a distance, distances of a search, of a pair, and of a node beside its terms. */
#define DISTANCE 5.0
#define DISTANCES 96.0
#define SPECIAL 2.0
#define PAIR 10.0
#define WEIGHT 60.0

struct least {
    double seconds;
    const char *limit;
};

static struct least at(double amount, double rate, const char *limit)
{
    return (struct least){amount / rate, limit};
}

static struct least longer(struct least a, struct least b)
{
    return a.seconds >= b.seconds ? a : b;
}

/* In the order of struct shepard_timing. The cells of a raster are not listed: nothing of them is
 * uploaded or read. */
static void find_least(const struct shepard_roofline *roofline,
                       const struct shepard_accuracy_run *run, struct least *least)
{
    const double n = (double)run->task.dataset->n, m = (double)shepard_task_all(&run->task).count;
    const double listed = run->task.side ? 0 : m;
    const double pairs = run->work.pairs, nodes = run->work.nodes;
    const double points = n * POINT, places = listed * PLACE;
    const double expansions = 2 * n / LEAF * (NODE + CHARGES * TERMS * sizeof(float));
    const double searched = points + places + m * 2 * sizeof(double);
    const double summed = pairs * PAIR + nodes * (CHARGES * TERMS + WEIGHT);
    static const char copying[] = "copy bandwidth";
    const struct least all[SHEPARD_TASK_STAGES] = {
        at(points + places, roofline->to_device, "host to device"),
        at(2 * (points + places) + (n + listed) * LABEL, roofline->copy, copying),
        at(n * PLACE + n / LEAF * BOX, roofline->copy, copying),
        at(points + expansions, roofline->copy, copying),
        longer(at(searched, roofline->copy, copying),
               at(m * DISTANCES * DISTANCE, roofline->fma_double, "operations in double")),
        longer(at((pairs + nodes) * SPECIAL, roofline->special, "special functions"),
               at(summed, roofline->fma_single, "operations in single")),
        at(m * sizeof(double), roofline->from_device, "device to host")};
    for (int s = 0; s < SHEPARD_TASK_STAGES; s++)
        least[s] = all[s];
}

void shepard_roofline_report(const struct shepard_roofline *roofline,
                             const struct shepard_accuracy_run *run, const char *name,
                             struct shepard_record *record)
{
    static const char *const names[SHEPARD_TASK_STAGES] = {"upload",  "sort", "tree",    "moments",
                                                           "nearest", "sums", "download"};
    const union shepard_task_stages stages = {run->median};
    struct least least[SHEPARD_TASK_STAGES];
    find_least(roofline, run, least);
    for (int s = 0; s < SHEPARD_TASK_STAGES; s++) {
        const double seconds = stages.seconds[s];
        if (seconds <= 0)
            continue;
        shepard_record_begin(record, "stage");
        shepard_record_text(record, "stage", names[s]);
        shepard_record_numbers(
            record, "device_seconds least_seconds share",
            (const double[]){seconds, least[s].seconds, least[s].seconds / seconds});
        shepard_record_text(record, "run", name);
        shepard_record_text(record, "limit", least[s].limit);
        shepard_record_end(record);
    }
}
