/* SPDX-License-Identifier: MIT */
#include "gpu_peers.h"

#include "papers/papers_engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* v: points, targets, seconds, of which sums on the device, error. */
static void report(struct shepard_record *record, const char *name, const double v[5],
                   const char *version)
{
    shepard_record_begin(record, "peer");
    shepard_record_numbers(record, "points targets wall_seconds sums_device_seconds error", v);
    shepard_record_text(record, "version", version);
    shepard_record_text(record, "peer", name);
    shepard_record_end(record);
}

void shepard_gpu_peer_papers(const struct shepard_dataset *dataset, double *values,
                             struct shepard_record *record)
{
    const struct shepard_paper_engine engine = {.system = SHEPARD_PAPER_IMPROVED,
                                                .scheme = SHEPARD_PAPER_TILED,
                                                .layout = SHEPARD_PAPER_SOA,
                                                .precision = SHEPARD_PRECISION_SINGLE};
    const struct shepard_coordinates coordinates = shepard_dataset_coordinates(dataset, dataset->n);
    const struct shepard_values column = shepard_dataset_values(dataset);
    const struct shepard_targets targets = shepard_dataset_targets(dataset, dataset->m);
    struct shepard_parameters parameters;
    shepard_parameters_init(&parameters);
    const struct shepard_paper_job job = {&coordinates, &column, &targets, &parameters};
    struct shepard_paper_times times;
    struct shepard_error error;
    if (shepard_paper_run(&engine, &job, &values, &times, &error))
        printf("papers' improved tiled engine: left out: %s\n", error.message);
    else
        report(record, "papers-improved-tiled",
               (const double[]){(double)dataset->n, (double)dataset->m, times.total,
                                times.weighting, NAN},
               shepard_version());
}

/* What the script prints; or else its last line, why it cannot run. */
static bool read_answer(FILE *from, double v[5], char version[64], char *line, size_t room)
{
    static const char form[] = "{\"points\": %lf, \"targets\": %lf, \"seconds\": %lf, "
                               "\"error\": %lf, \"version\": \"%63[^\"]";
    bool found = false;
    v[3] = NAN;
    while (fgets(line, (int)room, from)) {
        line[strcspn(line, "\n")] = '\0';
        found = found || sscanf(line, form, &v[0], &v[1], &v[2], &v[4], version) == 5;
    }
    return found;
}

void shepard_gpu_peer_torch(const char *script, size_t points, size_t targets,
                            struct shepard_record *record)
{
    char command[64], version[64], line[512] = "python3 or the script failed";
    double v[5];
    snprintf(command, sizeof command, "python3 \"$SCRIPT\" %zu %zu", points, targets);
    FILE *const out = setenv("SCRIPT", script, 1) == 0 ? popen(command, "r") : NULL;
    const bool answered = out && read_answer(out, v, version, line, sizeof line);
    if (out && pclose(out) == 0 && answered)
        report(record, "pytorch-brute-force", v, version);
    else
        printf("PyTorch: left out: %s\n", line);
}
