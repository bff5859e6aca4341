/* SPDX-License-Identifier: MIT */
#include "device_task.cuh"
#include "gpu.h"
#include "grid.cuh"
#include "host_parallel.cuh"
#include "stopwatch.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace shepard
{

/* A run that only loads what a real one needs: enough points for each of CUB's kernels. */
constexpr std::size_t warm_points = 65536;
constexpr std::size_t warm_targets = 256;

/* ---- one block for all that is uploaded ------------------------------------------------------ */

constexpr std::size_t block_alignment = 256;

/* Where the arrays lie in the block, bytes. */
struct upload_plan {
    std::size_t x, y, packed, rows, target_x, target_y, packed_targets, bytes;
};

static std::size_t take(upload_plan &plan, std::size_t count, std::size_t size)
{
    const std::size_t place = plan.bytes;
    plan.bytes += (count * size + block_alignment - 1) / block_alignment * block_alignment;
    return place;
}

template <class Real>
static upload_plan plan_of(std::size_t n, std::size_t m, bool packed, int chunk, std::size_t chunks)
{
    upload_plan plan = {};
    plan.x = take(plan, packed ? 0 : n, sizeof(Real));
    plan.y = take(plan, packed ? 0 : n, sizeof(Real));
    plan.packed = take(plan, packed ? n : 0, sizeof(packed_point<Real>));
    plan.rows =
        take(plan, packed && chunk == 1 ? 0 : n * (std::size_t)chunk * chunks, sizeof(Real));
    plan.target_x = take(plan, packed ? 0 : m, sizeof(Real));
    plan.target_y = take(plan, packed ? 0 : m, sizeof(Real));
    plan.packed_targets = take(plan, packed ? m : 0, sizeof(packed_point<Real>));
    return plan;
}

/* The arrays of one of several sets, n points and m targets of one column each. */
template <class Real>
static upload_plan plan_of_set(upload_plan plan, std::size_t n, std::size_t m, std::size_t set)
{
    for (std::size_t *const place : {&plan.x, &plan.y, &plan.rows})
        *place += set * n * sizeof(Real);
    for (std::size_t *const place : {&plan.target_x, &plan.target_y})
        *place += set * m * sizeof(Real);
    return plan;
}

template <class Real>
static void place_all(const shepard_paper_problem &problem, const double *x, const double *y,
                      std::size_t count, Real *to_x, Real *to_y)
{
    parallel_for_ranges(count, [&](std::size_t first, std::size_t end) {
        for (std::size_t i = first; i < end; i++)
            to_x[i] = (Real)shepard_paper_place(&problem, x[i], problem.x_middle);
        for (std::size_t i = first; i < end; i++)
            to_y[i] = (Real)shepard_paper_place(&problem, y[i], problem.y_middle);
    });
}

/* An array that has been checked. */
static const double *doubles(const shepard_array &array)
{
    return static_cast<const double *>(array.data);
}

/* values NULL: z is 0. */
template <class Real>
static void pack(const shepard_paper_problem &problem, const double *x, const double *y,
                 const double *values, std::size_t count, packed_point<Real> *to)
{
    parallel_for_ranges(count, [&](std::size_t first, std::size_t end) {
        for (std::size_t i = first; i < end; i++) {
            to[i].x = (Real)shepard_paper_place(&problem, x[i], problem.x_middle);
            to[i].y = (Real)shepard_paper_place(&problem, y[i], problem.y_middle);
            to[i].z = values != nullptr ? (Real)shepard_paper_value(&problem.ranges[0], values[i])
                                        : Real(0);
            to[i].spare = 0;
        }
    });
}

/* rows [chunks, n, chunk], 0 in columns past the last. */
template <class Real>
static void fill_rows(const shepard_paper_problem &problem, std::size_t chunk, std::size_t chunks,
                      Real *rows)
{
    for (std::size_t column = 0; column < chunk * chunks; column++) {
        Real *to = rows + column / chunk * problem.n * chunk + column % chunk;
        const bool real = column < problem.columns;
        const double *const from = real ? doubles(problem.job->values->columns[column]) : nullptr;
        parallel_for_ranges(problem.n, [&](std::size_t first, std::size_t end) {
            for (std::size_t i = first; i < end; i++)
                to[i * chunk] =
                    real ? (Real)shepard_paper_value(&problem.ranges[column], from[i]) : Real(0);
        });
    }
}

template <class Real>
static void fill_block(const shepard_paper_problem &problem, const upload_plan &plan, bool packed,
                       int chunk, std::size_t chunks, unsigned char *block)
{
    const shepard_coordinates &from = *problem.job->coordinates;
    const shepard_targets &targets = *problem.job->targets;
    const auto at = [&](std::size_t place) { return reinterpret_cast<Real *>(block + place); };
    const auto packed_at = [&](std::size_t place) {
        return reinterpret_cast<packed_point<Real> *>(block + place);
    };
    if (packed) {
        pack(problem, doubles(from.x), doubles(from.y),
             chunk == 1 ? doubles(problem.job->values->columns[0]) : nullptr, problem.n,
             packed_at(plan.packed));
        pack(problem, doubles(targets.x), doubles(targets.y), nullptr, problem.m,
             packed_at(plan.packed_targets));
    } else {
        place_all(problem, doubles(from.x), doubles(from.y), problem.n, at(plan.x), at(plan.y));
        place_all(problem, doubles(targets.x), doubles(targets.y), problem.m, at(plan.target_x),
                  at(plan.target_y));
    }
    if (!packed || chunk > 1)
        fill_rows(problem, (std::size_t)chunk, chunks, at(plan.rows));
}

/* ---- one run --------------------------------------------------------------------------------- */

template <class Real> static adapt_table<Real> table_of(const shepard_adapt &adapt)
{
    adapt_table<Real> table = {};
    table.k = (int)adapt.k;
    table.r_expected = (Real)adapt.r_expected;
    table.r_min = (Real)adapt.r_min;
    table.r_max = (Real)adapt.r_max;
    for (int i = 0; i < 5; i++)
        table.alphas[i] = (Real)adapt.alphas[i];
    return table;
}

struct stage_marks {
    event start, uploaded, gridded, found, summed, downloaded;
};

static void read_marks(const stage_marks &marks, shepard_paper_times &times)
{
    times.upload = seconds_between(marks.start, marks.uploaded);
    times.grid = seconds_between(marks.uploaded, marks.gridded);
    times.neighbours = seconds_between(marks.gridded, marks.found);
    times.weighting = seconds_between(marks.found, marks.summed);
    times.download = seconds_between(marks.summed, marks.downloaded);
}

/* What a call computes. */
struct gpu_job {
    const shepard_paper_engine &engine;
    const shepard_paper_problem *problems; /* [sets], of one size; several have one column */
    std::size_t sets;
    std::size_t targets; /* of all sets; where the call only loads kernels, of what follows */
};

/* A job on the device in one precision, in chunks of C columns. */
template <class Real, int C> class run
{
  public:
    explicit run(const gpu_job &job)
        : job_(job), engine_(job.engine), problem_(job.problems[0]),
          chunks_((problem_.columns + C - 1) / C), points_(job.sets * problem_.n),
          targets_(job.sets * problem_.m)
    {
        int device = 0;
        check(cudaGetDevice(&device), "the current device");
        check(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, device),
              "the device's size");
    }

    /* values NULL: results stay where they are. */
    void work(double *const *values, shepard_paper_times &times)
    {
        upload(times);
        if (engine_.system == SHEPARD_PAPER_IMPROVED)
            find_neighbours();
        else
            record_empty_stages();
        sum();
        download(values);
        read_marks(marks_, times);
    }

  private:
    bool is_packed() const { return engine_.layout == SHEPARD_PAPER_AOAS; }
    bool has_means_in_targets() const { return is_packed() && C == 1; }

    template <class T> T *device(std::size_t place) const
    {
        return reinterpret_cast<T *>(block_.get() + place);
    }

    void upload(shepard_paper_times &times)
    {
        const double started = shepard_seconds_wall();
        plan_ = plan_of<Real>(points_, targets_, is_packed(), C, chunks_);
        const std::unique_ptr<unsigned char[]> host(new unsigned char[plan_.bytes]);
        parallel_for_ranges(
            job_.sets,
            [&](std::size_t set, std::size_t) {
                fill_block<Real>(job_.problems[set],
                                 plan_of_set<Real>(plan_, problem_.n, problem_.m, set), is_packed(),
                                 C, chunks_, host.get());
            },
            1);
        times.prepare += shepard_seconds_wall() - started;
        block_ = buffer<unsigned char>(plan_.bytes);
        means_ = buffer<Real>(has_means_in_targets() ? 0 : chunks_ * C * targets_);
        list_targets_ = buffer<std::uint32_t>(targets_);
        list_count_ = buffer<unsigned>(job_.sets);
        if (engine_.system != SHEPARD_PAPER_IDW) {
            alphas_ = buffer<Real>(problem_.m);
            shifts_ = buffer<Real>(problem_.m);
        }
        marks_.start.record(on_);
        check(cudaMemcpyAsync(block_.get(), host.get(), plan_.bytes, cudaMemcpyHostToDevice,
                              on_.get()),
              "data and targets to the device");
        marks_.uploaded.record(on_);
        on_.wait("data and targets to the device");
    }

    target_powers<Real> by() const { return {(Real)problem_.power, alphas_.get(), shifts_.get()}; }

    void record_empty_stages()
    {
        marks_.gridded.record(on_);
        marks_.found.record(on_);
    }

    /* Coordinates as the grid reads them: where they lie in structures, copied out of them. */
    struct place_arrays {
        place_arrays(const run &of, std::size_t x_place, std::size_t y_place, std::size_t packed,
                     std::uint32_t count)
            : x(of.device<Real>(x_place)), y(of.device<Real>(y_place))
        {
            if (!of.is_packed())
                return;
            own_x = buffer<Real>(count);
            own_y = buffer<Real>(count);
            unpack(of.device<packed_point<Real>>(packed), count, own_x.get(), own_y.get(), of.on_);
            x = own_x.get();
            y = own_y.get();
        }
        buffer<Real> own_x, own_y;
        const Real *x, *y;
    };

    void find_neighbours()
    {
        const place_arrays points(*this, plan_.x, plan_.y, plan_.packed, problem_.n);
        const place_arrays places(*this, plan_.target_x, plan_.target_y, plan_.packed_targets,
                                  problem_.m);
        const place_list<Real> targets = {places.x, places.y, (std::uint32_t)problem_.m};
        const bool own = engine_.grid == SHEPARD_PAPER_GRID_OWN;
        const even_grid<Real> grid({points.x, points.y, (std::uint32_t)problem_.n},
                                   own ? cells_of_2016<Real>(targets, problem_.adapt.r_expected)
                                       : dense_cells<Real>(),
                                   on_);
        marks_.gridded.record(on_);
        find_powers(grid.view(), targets, table_of<Real>(problem_.adapt), by(), on_);
        marks_.found.record(on_);
        on_.wait("the search for neighbours");
    }

    kernel_data<Real, C> kernel_data_of(std::size_t chunk) const
    {
        kernel_data<Real, C> data = {};
        data.x = device<Real>(plan_.x);
        data.y = device<Real>(plan_.y);
        data.packed = device<packed_point<Real>>(plan_.packed);
        data.rows = device<value_row<Real, C>>(plan_.rows) + chunk * problem_.n;
        data.n = (std::uint32_t)problem_.n;
        data.target_x = device<Real>(plan_.target_x);
        data.target_y = device<Real>(plan_.target_y);
        data.packed_targets = device<packed_point<Real>>(plan_.packed_targets);
        data.m = (std::uint32_t)problem_.m;
        data.means = means_.get() + chunk * C * problem_.m;
        return data;
    }

    void launch_sums(const sum_task<Real, C> &task) const
    {
        if constexpr (C == 1) {
            if (engine_.plain) {
                launch_plain(task);
                return;
            }
        }
        if (engine_.system == SHEPARD_PAPER_ORIGINAL)
            launch_original(task);
        else if (shepard_paper_scheme_is_nested(engine_.scheme))
            launch_nested(task);
        else
            launch_weigh(task);
    }

    void sum()
    {
        for (std::size_t chunk = 0; chunk < chunks_; chunk++) {
            const sum_task<Real, C> task = {kernel_data_of(chunk),
                                            by(),
                                            table_of<Real>(problem_.adapt),
                                            {list_targets_.get(), list_count_.get()},
                                            &parts_,
                                            &engine_,
                                            &on_,
                                            multiprocessors_,
                                            (std::uint32_t)job_.sets,
                                            job_.targets};
            check(cudaMemsetAsync(list_count_.get(), 0, job_.sets * sizeof(unsigned), on_.get()),
                  "zeros");
            launch_sums(task);
            launch_fixup(task);
        }
        marks_.summed.record(on_);
        on_.wait("the sums");
    }

    void download(double *const *values)
    {
        if (has_means_in_targets())
            download_from(device<packed_point<Real>>(plan_.packed_targets), values,
                          [](const packed_point<Real> &target) { return target.z; });
        else
            download_from(means_.get(), values, [](Real mean) { return mean; });
    }

    /* from [columns, targets], of each of which get takes the mean. */
    template <class T, class Get>
    void download_from(const T *from, double *const *values, const Get &get)
    {
        const std::size_t m = problem_.m, count = problem_.columns * targets_;
        const std::unique_ptr<T[]> host(new T[count]);
        check(
            cudaMemcpyAsync(host.get(), from, count * sizeof(T), cudaMemcpyDeviceToHost, on_.get()),
            "results to the CPU");
        marks_.downloaded.record(on_);
        on_.wait("results to the CPU");
        if (values != nullptr && job_.sets == 1)
            for (std::size_t c = 0; c < problem_.columns; c++)
                write_values(problem_.ranges[c], host.get() + c * m, get, values[c]);
        else if (values != nullptr)
            parallel_for_ranges(
                job_.sets,
                [&](std::size_t set, std::size_t) {
                    write_values(job_.problems[set].ranges[0], host.get() + set * m, get,
                                 values[set]);
                },
                1);
    }

    template <class T, class Get>
    void write_values(const shepard_paper_range &range, const T *from, const Get &get,
                      double *values) const
    {
        parallel_for_ranges(problem_.m, [&](std::size_t first, std::size_t end) {
            for (std::size_t i = first; i < end; i++)
                values[i] = shepard_paper_result(&range, (double)get(from[i]));
        });
    }

    const gpu_job &job_;
    const shepard_paper_engine &engine_;
    const shepard_paper_problem &problem_; /* of the first set: sizes, and all of the only one */
    const std::size_t chunks_, points_, targets_; /* points, targets: of all sets */
    int multiprocessors_ = 0;
    stream on_;
    stage_marks marks_;
    upload_plan plan_ = {};
    buffer<unsigned char> block_;
    buffer<Real> means_, alphas_, shifts_, parts_;
    buffer<std::uint32_t> list_targets_;
    buffer<unsigned> list_count_;
};

template <class Real>
static void run_columns(const gpu_job &job, double *const *values, shepard_paper_times &times)
{
    if (job.problems[0].columns == 1)
        run<Real, 1>(job).work(values, times);
    else if (job.problems[0].columns <= 4)
        run<Real, 4>(job).work(values, times);
    else
        run<Real, 16>(job).work(values, times);
}

static void run_precision(const gpu_job &job, double *const *values, shepard_paper_times &times)
{
    if (job.engine.precision == SHEPARD_PRECISION_SINGLE)
        run_columns<float>(job, values, times);
    else
        run_columns<double>(job, values, times);
}

} // namespace shepard

enum shepard_status shepard_paper_gpu_warm(const struct shepard_paper_engine *engine,
                                           const struct shepard_paper_problem *problems,
                                           size_t sets, struct shepard_error *error)
{
    return shepard::guard(error, [&] {
        shepard::check(cudaFree(nullptr), "starting the device");
        std::vector<shepard_paper_problem> few(problems, problems + sets);
        shepard_paper_times times = {};
        for (shepard_paper_problem &problem : few) {
            problem.n = std::min(problem.n, shepard::warm_points);
            problem.m = std::min(problem.m, shepard::warm_targets);
            problem.adapt.k = std::min(problem.adapt.k, problem.n);
        }
        if (few[0].m > 0)
            shepard::run_precision({*engine, few.data(), sets, sets * problems->m}, nullptr, times);
    });
}

enum shepard_status shepard_paper_gpu_run(const struct shepard_paper_engine *engine,
                                          const struct shepard_paper_problem *problems, size_t sets,
                                          double *const *values, struct shepard_paper_times *times,
                                          struct shepard_error *error)
{
    return shepard::guard(error, [&] {
        if (problems->m > 0)
            shepard::run_precision({*engine, problems, sets, sets * problems->m}, values, *times);
    });
}
