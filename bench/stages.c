/* SPDX-License-Identifier: MIT */
#include "accuracy_run.h"
#include "roofline.h"

/* Bytes of a point (coordinates and a value), a place, a key and a number, a box; of a leaf,
 * points. */
#define POINT 24.0
#define PLACE 16.0
#define LABEL 12.0
#define BOX 32.0
#define LEAF 16.0

/* Of a node: numbers of an expansion of the order that stands for all (SHEPARD_TERMS of
 * kernel/node.h), in two charges; bytes of what else it holds; operations for its weight. */
#define TERMS (2 * 21.0)
#define NODE 48.0
#define WEIGHT 60.0

/* Operations: of a search, 96 distances of 5, in double; of a pair, of which two special ones. */
#define SEARCH (96 * 5.0)
#define PAIR 10.0
#define SPECIAL 2.0

struct least {
    double seconds;
    const char *limit;
};

static struct least longer(struct least a, struct least b)
{
    return a.seconds >= b.seconds ? a : b;
}

/* In the order of struct shepard_timing:
 * - upload, download: the caller's arrays, once, over the bus.
 * - sort: points and targets read once and written once with their keys and numbers.
 * - tree: coordinates read once, boxes written.
 * - moments: points read once, two charges written for each of n / 8 nodes.
 * - nearest: as the sort, or the searches.
 * - sums: the pairs and nodes that the run counted; special functions and others go on at the same
 *   time, so the longer counts.
 * The cells of a raster are not listed: nothing of them is uploaded or read. */
static void find_least(const struct shepard_roofline *roofline,
                       const struct shepard_accuracy_run *run,
                       struct least least[SHEPARD_TASK_STAGES])
{
    static const char copying[] = "copy bandwidth";
    const double n = (double)run->task.dataset->n, m = (double)shepard_task_all(&run->task).count;
    const double listed = run->task.side ? 0 : m, given = n * POINT + listed * PLACE;
    const double pairs = run->work.pairs, nodes = run->work.nodes, copy = roofline->copy;
    const double moments = n * POINT + 2 * n / LEAF * (NODE + TERMS * sizeof(float));
    const double summed = pairs * PAIR + nodes * (TERMS + WEIGHT);
    const struct least all[SHEPARD_TASK_STAGES] = {
        {given / roofline->to_device, "host to device"},
        {(2 * given + (n + listed) * LABEL) / copy, copying},
        {(n * PLACE + n / LEAF * BOX) / copy, copying},
        {moments / copy, copying},
        longer((struct least){(given + m * 2 * sizeof(double)) / copy, copying},
               (struct least){m * SEARCH / roofline->fma_double, "operations in double"}),
        longer((struct least){(pairs + nodes) * SPECIAL / roofline->special, "special functions"},
               (struct least){summed / roofline->fma_single, "operations in single"}),
        {m * sizeof(double) / roofline->from_device, "device to host"}};
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
