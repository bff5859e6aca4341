/* SPDX-License-Identifier: MIT */
#include "rival.h"

#include "papers/child.h"
#include "papers/engine.h"
#include "pinned.h"

#include <string.h>

static void leave_out(const char *name, const char *reason)
{
    printf("%s: left out: %s\n", name, reason);
}

/* ---- the papers' engine ---------------------------------------------------------------------- */

static void tell_papers(const struct shepard_paper_times *times, const struct shepard_cloud *cloud,
                        struct shepard_record *record)
{
    printf("papers' improved tiled engine, float, %zu x %zu: %.4g s (sums %.4g s)\n", cloud->n,
           cloud->m, times->total, times->weighting);
    shepard_record_begin(record, "rival");
    shepard_record_text(record, "rival", "papers-improved-tiled");
    shepard_record_number(record, "points", (double)cloud->n);
    shepard_record_number(record, "targets", (double)cloud->m);
    shepard_record_number(record, "wall_seconds", times->total);
    shepard_record_number(record, "sums_device_seconds", times->weighting);
    shepard_record_end(record);
}

void shepard_rival_papers(const struct shepard_cloud *cloud, struct shepard_record *record)
{
    const struct shepard_paper_engine engine = {.system = SHEPARD_PAPER_IMPROVED,
                                                .scheme = SHEPARD_PAPER_TILED,
                                                .layout = SHEPARD_PAPER_SOA,
                                                .precision = SHEPARD_SINGLE};
    const struct shepard_data data = shepard_cloud_data(cloud, 1);
    const struct shepard_targets targets = shepard_cloud_targets(cloud, cloud->m);
    struct shepard_options options;
    shepard_options_init(&options);
    const struct shepard_paper_job job = {&data, &targets, &options};
    struct shepard_paper_times times;
    struct shepard_error error = {.message = "no memory on the host"};
    double *values = shepard_pinned_numbers(cloud->m);
    if (values && !shepard_paper_run(&engine, &job, &values, &times, &error))
        tell_papers(&times, cloud, record);
    else
        leave_out("papers' improved tiled engine", error.message);
    shepard_pinned_free(values);
}

/* ---- PyTorch --------------------------------------------------------------------------------- */

/* What the script prints, or why it cannot run. */
struct answer {
    double points, targets, seconds, error;
    char version[64];
};

static bool read_answer(FILE *from, struct answer *answer, char *line, size_t room)
{
    rewind(from);
    line[0] = '\0';
    while (fgets(line, (int)room, from)) {
        if (sscanf(line,
                   "{\"points\": %lf, \"targets\": %lf, \"seconds\": %lf, \"error\": %lf, "
                   "\"version\": \"%63[^\"]",
                   &answer->points, &answer->targets, &answer->seconds, &answer->error,
                   answer->version) == 5)
            return true;
    }
    line[strcspn(line, "\n")] = '\0';
    return false;
}

static void tell_torch(const struct answer *answer, struct shepard_record *record)
{
    printf("PyTorch %s, torch.compile, all pairs in float, powers given, %.0f x %.0f: %.4g s "
           "(error %.1e)\n",
           answer->version, answer->points, answer->targets, answer->seconds, answer->error);
    shepard_record_begin(record, "rival");
    shepard_record_text(record, "rival", "pytorch-brute-force");
    shepard_record_text(record, "version", answer->version);
    shepard_record_number(record, "points", answer->points);
    shepard_record_number(record, "targets", answer->targets);
    shepard_record_number(record, "wall_seconds", answer->seconds);
    shepard_record_number(record, "error", answer->error);
    shepard_record_end(record);
}

void shepard_rival_torch(const char *script, size_t points, size_t targets,
                         struct shepard_record *record)
{
    char n[32], m[32], line[512] = "";
    snprintf(n, sizeof n, "%zu", points);
    snprintf(m, sizeof m, "%zu", targets);
    const char *const arguments[] = {"python3", script, n, m, NULL};
    FILE *out = tmpfile();
    struct answer answer;
    if (!out) {
        leave_out("PyTorch", "no temporary file");
        return;
    }
    const int code =
        shepard_child_run(arguments, (struct shepard_child_streams){.out = out, .err = stderr});
    if (code == SHEPARD_CHILD_MISSING)
        leave_out("PyTorch", "python3 is not installed");
    else if (read_answer(out, &answer, line, sizeof line) && code == 0)
        tell_torch(&answer, record);
    else
        leave_out("PyTorch", line[0] ? line : "the script failed");
    fclose(out);
}
