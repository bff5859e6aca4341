/* SPDX-License-Identifier: MIT */
#include "figure.h"

#include "chart.h"
#include "child.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIGURES_MAX = SHEPARD_PLAN_SERIES * SHEPARD_CHART_KINDS, NAME_MAX_HERE = 64 };

/* Figures are drawn in a folder of their own, inside the one asked for, and then moved. */
struct easel {
    const struct shepard_study *study;
    const char *folder;
    char *scratch;    /* path of the temporary folder; NULL before it exists */
    bool made_folder; /* here, by this call */
    size_t count;     /* figures drawn */
    char names[FIGURES_MAX][NAME_MAX_HERE];
    struct shepard_chart *chart; /* the one that is drawn now */
    struct shepard_error *error;
};

static enum shepard_status fail(struct shepard_error *error, const char *what, const char *name,
                                const char *why)
{
    error->status = SHEPARD_ERROR_ARGUMENT;
    snprintf(error->message, sizeof error->message, "%s %.150s: %.150s", what, name, why);
    return SHEPARD_ERROR_ARGUMENT;
}

bool shepard_figure_possible(void)
{
    static const char *const question[] = {"gnuplot", "--version", NULL};
    return shepard_child_run(question, (struct shepard_child_streams){0}) == 0;
}

/* "folder/name", from malloc. */
static char *join(const char *folder, const char *name)
{
    const size_t room = strlen(folder) + strlen(name) + 2;
    char *const path = malloc(room);
    if (path)
        snprintf(path, room, "%s/%s", folder, name);
    return path;
}

static enum shepard_status open_easel(struct easel *easel)
{
    if (mkdir(easel->folder, 0777) == 0)
        easel->made_folder = true;
    else if (errno != EEXIST)
        return fail(easel->error, "cannot make the folder", easel->folder, strerror(errno));
    char *const scratch = join(easel->folder, ".shepard-XXXXXX");
    if (!scratch)
        return SHEPARD_ERROR_MEMORY;
    if (!mkdtemp(scratch)) {
        free(scratch);
        return fail(easel->error, "cannot write into", easel->folder, strerror(errno));
    }
    easel->scratch = scratch;
    return SHEPARD_OK;
}

/* Does something with the path of each figure drawn in a folder. */
static void remove_figures(const struct easel *easel, const char *folder, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char *const path = join(folder, easel->names[i]);
        if (path)
            unlink(path);
        free(path);
    }
}

static void close_easel(struct easel *easel, bool good)
{
    if (easel->scratch) {
        remove_figures(easel, easel->scratch, easel->count);
        rmdir(easel->scratch);
    }
    if (easel->made_folder && !good)
        rmdir(easel->folder);
    free(easel->scratch);
    free(easel->chart);
}

/* gnuplot's own words: the last line that is not empty. */
static void read_complaint(FILE *complaints, char text[200])
{
    char line[200];
    snprintf(text, 200, "gnuplot failed");
    rewind(complaints);
    while (fgets(line, sizeof line, complaints)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[strspn(line, " ^")])
            snprintf(text, 200, "%s", line);
    }
}

static enum shepard_status run_gnuplot(struct easel *easel, FILE *script, const char *path)
{
    static const char *const command[] = {"gnuplot", "-", NULL};
    char text[200] = "";
    FILE *const out = fopen(path, "w"), *const complaints = tmpfile();
    enum shepard_status status = SHEPARD_OK;
    if (!out || !complaints) {
        status = fail(easel->error, "cannot write", path, strerror(errno));
    } else if (shepard_child_run(command,
                                 (struct shepard_child_streams){script, out, complaints}) != 0) {
        read_complaint(complaints, text);
        status = fail(easel->error, "cannot draw", path, text);
    }
    if (complaints)
        fclose(complaints);
    if (out && fclose(out) != 0 && !status)
        status = fail(easel->error, "cannot write", path, strerror(errno));
    return status;
}

static enum shepard_status draw(struct easel *easel, const struct shepard_series *series,
                                enum shepard_chart_kind kind)
{
    char *const name = easel->names[easel->count++];
    snprintf(name, NAME_MAX_HERE, "%s-%s.svg", series->id, shepard_chart_kind_name(kind));
    char *const path = join(easel->scratch, name);
    FILE *const script = tmpfile();
    enum shepard_status status = SHEPARD_ERROR_MEMORY;
    if (script && path) {
        shepard_chart_write(script, easel->chart);
        if (ferror(script) || fflush(script) != 0)
            status = fail(easel->error, "cannot write", "a script for gnuplot", strerror(errno));
        else {
            rewind(script);
            status = run_gnuplot(easel, script, path);
        }
    }
    if (script)
        fclose(script);
    free(path);
    return status;
}

static enum shepard_status draw_all(struct easel *easel)
{
    enum shepard_status status = SHEPARD_OK;
    for (size_t s = 0; s < easel->study->plan.count; s++) {
        const struct shepard_series *const series = &easel->study->plan.series[s];
        for (int kind = 0; kind < SHEPARD_CHART_KINDS && !status; kind++) {
            if (shepard_chart_fill(easel->chart, easel->study, series, kind))
                status = draw(easel, series, kind);
        }
    }
    return status;
}

static enum shepard_status move_one(struct easel *easel, size_t i)
{
    char *const from = join(easel->scratch, easel->names[i]);
    char *const to = join(easel->folder, easel->names[i]);
    enum shepard_status status = from && to ? SHEPARD_OK : SHEPARD_ERROR_MEMORY;
    if (!status && rename(from, to) != 0)
        status = fail(easel->error, "cannot write", to, strerror(errno));
    free(to);
    free(from);
    return status;
}

static enum shepard_status move_all(struct easel *easel)
{
    for (size_t i = 0; i < easel->count; i++) {
        const enum shepard_status status = move_one(easel, i);
        if (status) {
            remove_figures(easel, easel->folder, i);
            return status;
        }
    }
    return SHEPARD_OK;
}

static enum shepard_status explain(enum shepard_status status, struct shepard_error *error)
{
    if (status && !error->message[0])
        snprintf(error->message, sizeof error->message, "%s", shepard_status_text(status));
    return status;
}

enum shepard_status shepard_figure_check(const char *folder, struct shepard_error *error)
{
    struct easel easel = {.folder = folder, .error = error};
    *error = (struct shepard_error){0};
    const enum shepard_status status = open_easel(&easel);
    close_easel(&easel, false);
    return explain(status, error);
}

enum shepard_status shepard_figure_draw(const struct shepard_study *study, const char *folder,
                                        size_t *count, struct shepard_error *error)
{
    struct easel easel = {
        .study = study, .folder = folder, .chart = shepard_chart_new(), .error = error};
    *error = (struct shepard_error){0};
    enum shepard_status status = easel.chart ? open_easel(&easel) : SHEPARD_ERROR_MEMORY;
    if (!status)
        status = draw_all(&easel);
    if (!status)
        status = move_all(&easel);
    close_easel(&easel, !status);
    *count = status ? 0 : easel.count;
    return explain(status, error);
}
