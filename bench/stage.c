/* SPDX-License-Identifier: MIT */
#include "stage.h"

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

static struct least longer(struct least a, struct least b)
{
    return a.seconds >= b.seconds ? a : b;
}

static struct least copying(double bytes, const struct shepard_chip *chip)
{
    return (struct least){bytes / chip->copy, "copy bandwidth"};
}

/* The cells of a raster are not listed: nothing of them is uploaded or read. */
static double listed(const struct shepard_trip *trip)
{
    return trip->task.side ? 0 : (double)shepard_task_targets(&trip->task);
}

static struct least least_sort(const struct shepard_trip *trip, const struct shepard_chip *chip)
{
    const double n = (double)trip->task.cloud->n;
    return copying(n * (2 * POINT + LABEL) + listed(trip) * (2 * PLACE + LABEL), chip);
}

static struct least least_moments(const struct shepard_trip *trip, const struct shepard_chip *chip)
{
    const double n = (double)trip->task.cloud->n, nodes = 2 * n / LEAF;
    return copying(n * POINT + nodes * (NODE + CHARGES * TERMS * sizeof(float)), chip);
}

static struct least least_nearest(const struct shepard_trip *trip, const struct shepard_chip *chip)
{
    const double n = (double)trip->task.cloud->n, m = (double)shepard_task_targets(&trip->task);
    const double bytes = n * POINT + listed(trip) * PLACE + m * 2 * sizeof(double);
    const struct least searching = {m * DISTANCES * DISTANCE / chip->fma_double,
                                    "operations in double"};
    return longer(copying(bytes, chip), searching);
}

static struct least least_sums(const struct shepard_trip *trip, const struct shepard_chip *chip)
{
    const double pairs = trip->work.pairs, nodes = trip->work.nodes;
    const struct least special = {(pairs + nodes) * SPECIAL / chip->special, "special functions"};
    const struct least others = {(pairs * PAIR + nodes * (CHARGES * TERMS + WEIGHT)) /
                                     chip->fma_single,
                                 "operations in single"};
    return longer(special, others);
}

static struct shepard_stage stage(const char *name, double seconds, struct least least)
{
    return (struct shepard_stage){
        .name = name, .seconds = seconds, .least = least.seconds, .limit = least.limit};
}

void shepard_stage_list(const struct shepard_trip *trip, const struct shepard_chip *chip,
                        struct shepard_stage stages[SHEPARD_STAGES])
{
    const double n = (double)trip->task.cloud->n, m = (double)shepard_task_targets(&trip->task);
    const struct shepard_timing *device = &trip->device;
    const struct least upload = {(n * POINT + listed(trip) * PLACE) / chip->to_device,
                                 "host to device"};
    const struct least download = {m * sizeof(double) / chip->from_device, "device to host"};
    const struct least tree = copying(n * PLACE + n / LEAF * BOX, chip);
    stages[0] = stage("upload", device->upload, upload);
    stages[1] = stage("sort", device->sort, least_sort(trip, chip));
    stages[2] = stage("tree", device->tree, tree);
    stages[3] = stage("moments", device->moments, least_moments(trip, chip));
    stages[4] = stage("nearest", device->nearest, least_nearest(trip, chip));
    stages[5] = stage("sums", device->sums, least_sums(trip, chip));
    stages[6] = stage("download", device->download, download);
}

static bool took_place(const struct shepard_stage *of)
{
    return of->seconds > 0;
}

static void record_stage(const struct shepard_trip *trip, const struct shepard_stage *of,
                         struct shepard_record *record)
{
    shepard_record_begin(record, "stage");
    shepard_record_text(record, "trip", trip->name);
    shepard_record_text(record, "stage", of->name);
    shepard_record_number(record, "device_seconds", of->seconds);
    shepard_record_number(record, "least_seconds", of->least);
    shepard_record_number(record, "share", of->least / of->seconds);
    shepard_record_text(record, "limit", of->limit);
    shepard_record_end(record);
}

void shepard_stage_report(const struct shepard_trip *trip, const struct shepard_chip *chip,
                          struct shepard_record *record)
{
    struct shepard_stage stages[SHEPARD_STAGES];
    size_t told = 0;
    shepard_stage_list(trip, chip, stages);
    for (size_t i = 0; i < SHEPARD_STAGES; i++) {
        const struct shepard_stage *of = &stages[i];
        if (!took_place(of))
            continue;
        if (told++ == 0)
            printf("  stage         ms  at least   share  limit\n");
        printf("  %-8s %8.3f %9.3f  %5.1f%%  %s\n", of->name, 1e3 * of->seconds, 1e3 * of->least,
               100 * of->least / of->seconds, of->limit);
        record_stage(trip, of, record);
    }
}
