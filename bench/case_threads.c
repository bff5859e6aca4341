/* SPDX-License-Identifier: MIT */
#include "case.h"

#include <math.h>

enum { NUMBERS_MOST = 16 }; /* of threads that are tried */

/* Points, field and moments are made anew in each run. */
struct thread_runs {
    int threads;
    double first; /* seconds to prepare on memory that nobody touched before; of one number only */
    struct shepard_runs prepare, predict, whole;
    double sum; /* of the values */
};

static bool run_once(const struct shepard_case *bench, struct shepard_task *task,
                     struct thread_runs *runs)
{
    struct shepard_preparation made;
    double *const values = bench->values[0];
    task->options.threads = runs->threads;
    const struct shepard_seconds start = shepard_seconds_now();
    bool good = !shepard_task_prepare(task, &made);
    const struct shepard_seconds prepared = shepard_seconds_since(start);
    good = good && !shepard_task_predict(task, &made, shepard_task_all(task), bench->values, NULL);
    const struct shepard_seconds both = shepard_seconds_since(start);
    shepard_preparation_free(&made);
    runs->sum = 0;
    for (size_t i = 0; i < bench->targets; i++)
        runs->sum += values[i];
    shepard_runs_add(&runs->prepare, prepared);
    shepard_runs_add(&runs->predict, shepard_seconds_sum(both, -1, prepared));
    shepard_runs_add(&runs->whole, both);
    return good;
}

static bool report(const struct shepard_case *bench, const char *work,
                   const struct thread_runs *one, const struct thread_runs *runs)
{
    const struct shepard_seconds prepare = shepard_runs_median(&runs->prepare);
    const struct shepard_seconds predict = shepard_runs_median(&runs->predict);
    shepard_record_begin("threads");
    shepard_record_text("data", shepard_dataset_name(bench->dataset.kind));
    shepard_record_text("work", work);
    shepard_record_numbers(
        "points targets threads prepare_first prepare_wall prepare_cpu prepare_per_million "
        "predict_wall predict_cpu prepare_speedup predict_speedup whole_speedup wrong",
        (const double[]){
            (double)bench->points, (double)bench->targets, (double)runs->threads, runs->first,
            prepare.wall, prepare.cpu, prepare.wall * 1e6 / (double)bench->points, predict.wall,
            predict.cpu, shepard_runs_median(&one->prepare).wall / prepare.wall,
            shepard_runs_median(&one->predict).wall / predict.wall,
            shepard_runs_median(&one->whole).wall / shepard_runs_median(&runs->whole).wall,
            runs->sum != one->sum});
    shepard_record_end();
    return runs->sum == one->sum;
}

/* A first run of all threads touches memory; then 1, 2, 4 threads and so on take turns. */
static bool measure(const struct shepard_case *bench, const struct shepard_variant *variant)
{
    struct shepard_task task = shepard_task_of(&bench->dataset, 1, variant);
    static struct thread_runs runs[NUMBERS_MOST];
    int count = 0;
    for (size_t threads = 1; threads <= bench->threads; threads *= 2)
        runs[count++] = (struct thread_runs){.threads = (int)threads, .first = NAN};
    struct thread_runs *const most = &runs[count - 1];
    bool good = run_once(bench, &task, most);
    *most = (struct thread_runs){.threads = most->threads, .first = most->prepare.wall[0]};
    for (size_t turn = 0; turn < bench->repeat; turn++)
        for (int i = 0; good && i < count; i++)
            good = run_once(bench, &task, &runs[i]);
    for (int i = 0; good && i < count; i++)
        good = report(bench, variant->name, &runs[0], &runs[i]);
    return good;
}

bool shepard_case_threads(const struct shepard_case *bench)
{
    static const struct shepard_variant nearest = {"12 nearest", SHEPARD_METHOD_IDW, 0, 12, 0};
    static const struct shepard_variant aidw = {"AIDW", SHEPARD_METHOD_AIDW, 0, 0, 0};
    return measure(bench, &nearest) && measure(bench, &aidw);
}
