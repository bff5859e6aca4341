/* SPDX-License-Identifier: MIT */
#include "toll.h"

#include <stdlib.h>
#include <string.h>

#define EPS 1e-4

/* No further run of the same work begins after this many seconds of it. */
#define PATIENCE 60.0

/* Pairs that are summed one by one, about a second's worth each: by exact sums, and by ref. */
#define EXACT_PAIRS ((size_t)1 << 31)
#define CHECKED_PAIRS ((size_t)1 << 25)
#define CHECKED_MOST 4096

/* Targets that a thread needs to be busy. */
#define EXACT_TARGETS 256

/* In memory before the clock starts. */
static bool allocate(struct shepard_surface *surface, const struct shepard_task *task)
{
    const size_t size = shepard_task_step(task) * sizeof(double);
    *surface = (struct shepard_surface){.columns = task->columns};
    for (size_t c = 0; c < task->columns; c++) {
        surface->values[c] = malloc(size);
        if (!surface->values[c])
            return false;
        memset(surface->values[c], 0, size);
    }
    return true;
}

static void release(struct shepard_surface *surface)
{
    for (size_t c = 0; c < surface->columns; c++)
        free(surface->values[c]);
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static struct shepard_seconds difference(struct shepard_seconds a, struct shepard_seconds b)
{
    return (struct shepard_seconds){.wall = a.wall - b.wall, .cpu = a.cpu - b.cpu};
}

static bool predict_all(struct shepard_toll *toll, const struct shepard_model *model)
{
    const struct shepard_task *task = &toll->task;
    const size_t targets = shepard_task_targets(task);
    const size_t step = shepard_task_step(task);
    toll->work = (struct shepard_work){0};
    for (size_t first = 0; first < targets; first += step) {
        const size_t left = targets - first;
        const struct shepard_part part = {first, left < step ? left : step};
        if (!shepard_task_predict(task, model, part, toll->surface.values, &toll->work))
            return false;
        shepard_sample_keep(&toll->sample, part, toll->surface.values);
    }
    return true;
}

static void add_run(struct shepard_toll *toll, struct shepard_seconds created,
                    struct shepard_seconds total)
{
    if (toll->first.wall == 0) {
        toll->first = total;
        return;
    }
    shepard_runs_add(&toll->create, created);
    shepard_runs_add(&toll->predict, difference(total, created));
    shepard_runs_add(&toll->total, total);
}

bool shepard_toll_run(struct shepard_toll *toll)
{
    const struct shepard_seconds start = shepard_seconds_now();
    struct shepard_model *model = shepard_task_model(&toll->task);
    if (!model)
        return false;
    const struct shepard_seconds created = shepard_seconds_since(start);
    const bool good = predict_all(toll, model);
    add_run(toll, created, shepard_seconds_since(start));
    struct shepard_model_info info;
    shepard_model_get_info(model, &info);
    toll->bytes = (double)info.bytes / (double)info.points;
    toll->isa = info.isa;
    shepard_model_free(model);
    return good;
}

static bool run_often(struct shepard_toll *toll, size_t repeat)
{
    double spent = 0;
    bool good = shepard_toll_run(toll);
    for (size_t r = 0; good && r < repeat && spent < PATIENCE; r++) {
        good = shepard_toll_run(toll);
        spent += good ? toll->total.wall[r] : 0;
    }
    return good;
}

/* The same with exact sums, at a part of the targets. */
static bool run_exact(struct shepard_toll *toll)
{
    const struct shepard_task *task = &toll->task;
    struct shepard_task exact = *task;
    exact.options.eps = 0;
    const size_t least = EXACT_TARGETS * (size_t)task->options.threads;
    const struct shepard_part part =
        shepard_task_piece(task, larger(least, EXACT_PAIRS / task->cloud->n));
    const struct shepard_seconds start = shepard_seconds_now();
    struct shepard_model *model = shepard_task_model(&exact);
    const double created = shepard_seconds_since(start).wall;
    const bool good =
        model && shepard_task_predict(&exact, model, part, toll->surface.values, NULL);
    const double predicted = shepard_seconds_since(start).wall - created;
    const double times = (double)shepard_task_targets(task) / (double)part.count;
    toll->exact_targets = part.count;
    toll->exact_seconds = created + predicted * times;
    shepard_model_free(model);
    return good;
}

static size_t count_checked(const struct shepard_task *task, size_t least)
{
    const size_t cheap = CHECKED_PAIRS / task->cloud->n;
    return larger(least, cheap < CHECKED_MOST ? cheap : CHECKED_MOST);
}

bool shepard_toll_open(struct shepard_toll *toll, const struct shepard_task *task, size_t checked)
{
    *toll = (struct shepard_toll){.task = *task, .pool = shepard_pool_new()};
    if (toll->pool == NULL)
        return false;
    toll->task.options.allocator = shepard_pool_allocator(toll->pool);
    const bool drawn =
        shepard_sample_draw(&toll->sample, &toll->task, count_checked(task, checked));
    return allocate(&toll->surface, task) && drawn;
}

struct shepard_options shepard_toll_options(const struct shepard_case *bench)
{
    struct shepard_options options;
    shepard_options_init(&options);
    options.precision = SHEPARD_SINGLE;
    options.eps = EPS;
    options.threads = bench->threads;
    return options;
}

void shepard_toll_head(const char *title, const struct shepard_case *bench)
{
    printf(
        "%s over all points: single precision, eps %g, threads %d; wall seconds (cpu:\n"
        "processor; first: of the first run, on memory that nothing touched yet), bytes a point\n"
        "held, pairs and nodes a target, wall seconds of exact sums, scaled, and how many times\n"
        "as long that is, largest error over the value range\n"
        "data        points   targets cols  create predict   total     cpu   first  bytes"
        "    pairs   nodes     exact   times   error\n",
        title, EPS, bench->threads);
}

static void report(const struct shepard_toll *toll)
{
    const struct shepard_task *task = &toll->task;
    const struct shepard_seconds total = shepard_runs_median(&toll->total);
    const double targets = (double)shepard_task_targets(task);
    printf("%-9s %8zu %9.0f %4zu %7.3f %7.3f %7.3f %7.3f %7.3f %6.1f %8.1f %7.1f %9.2f %7.1f "
           "%7.1e\n",
           shepard_cloud_name(task->cloud->kind), task->cloud->n, targets, task->columns,
           shepard_runs_median(&toll->create).wall, shepard_runs_median(&toll->predict).wall,
           total.wall, total.cpu, toll->first.wall, toll->bytes, toll->work.pairs / targets,
           toll->work.nodes / targets, toll->exact_seconds, toll->exact_seconds / total.wall,
           toll->error);
    fflush(stdout);
}

static void record_task(const struct shepard_task *task, struct shepard_record *record)
{
    const bool adaptive = task->options.method == SHEPARD_AIDW;
    shepard_record_text(record, "method", adaptive ? "aidw" : "idw");
    shepard_record_text(record, "data", shepard_cloud_name(task->cloud->kind));
    shepard_record_number(record, "points", (double)task->cloud->n);
    shepard_record_number(record, "targets", (double)shepard_task_targets(task));
    shepard_record_number(record, "columns", (double)task->columns);
    shepard_record_number(record, "threads", task->options.threads);
    shepard_record_number(record, "eps", task->options.eps);
}

static void record_toll(const struct shepard_toll *toll, double targets,
                        struct shepard_record *record)
{
    shepard_record_text(record, "isa", toll->isa);
    shepard_record_number(record, "create_wall", shepard_runs_median(&toll->create).wall);
    shepard_record_number(record, "create_cpu", shepard_runs_median(&toll->create).cpu);
    shepard_record_number(record, "predict_wall", shepard_runs_median(&toll->predict).wall);
    shepard_record_number(record, "predict_cpu", shepard_runs_median(&toll->predict).cpu);
    shepard_runs_record(&toll->total, record);
    shepard_record_number(record, "first_wall", toll->first.wall);
    shepard_record_number(record, "model_bytes_per_point", toll->bytes);
    shepard_record_number(record, "pairs_per_target", toll->work.pairs / targets);
    shepard_record_number(record, "nodes_per_target", toll->work.nodes / targets);
    shepard_record_number(record, "exact_targets", (double)toll->exact_targets);
    shepard_record_number(record, "exact_wall_scaled", toll->exact_seconds);
    shepard_record_number(record, "checked", (double)toll->checked);
    shepard_record_number(record, "error", toll->error);
}

static void tell(const struct shepard_toll *toll, const char *name, struct shepard_record *record)
{
    report(toll);
    shepard_record_begin(record, name);
    record_task(&toll->task, record);
    record_toll(toll, (double)shepard_task_targets(&toll->task), record);
    shepard_record_end(record);
}

bool shepard_toll_close(struct shepard_toll *toll, const char *name,
                        const struct shepard_case *bench)
{
    const bool good = toll->total.count > 0 && run_exact(toll) &&
                      shepard_sample_error(&toll->sample, &toll->error);
    toll->checked = toll->sample.count;
    if (good)
        tell(toll, name, bench->record);
    shepard_sample_free(&toll->sample);
    release(&toll->surface);
    shepard_pool_free(toll->pool);
    return good && toll->error <= toll->task.options.eps; /* false for NaN */
}

bool shepard_toll_take(struct shepard_toll *toll, const char *name, const struct shepard_task *task,
                       const struct shepard_case *bench, size_t checked)
{
    const bool good = shepard_toll_open(toll, task, checked) && run_often(toll, bench->repeat);
    return shepard_toll_close(toll, name, bench) && good;
}
