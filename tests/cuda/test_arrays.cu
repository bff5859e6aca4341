/* SPDX-License-Identifier: MIT */
/* Arrays that lie on a device: read and written there, in the order of the caller's stream, with
 * the bits that the host's arrays give and without a copy through the host. The library's copies
 * come through here (the linker's --wrap).
 *
 *     test_cuda_arrays [SEED]
 */
#include "labelled_tally.cuh"
#include "on_device.cuh"

#include "chance.h"
#include "shepard/shepard.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

/* ---- copies ---------------------------------------------------------------------------------- */

static std::size_t copied_bytes; /* to and from the host */

extern "C" {
cudaError_t __real_cudaMemcpyAsync(void *to, const void *from, std::size_t bytes,
                                   cudaMemcpyKind kind, cudaStream_t in);

cudaError_t __wrap_cudaMemcpyAsync(void *to, const void *from, std::size_t bytes,
                                   cudaMemcpyKind kind, cudaStream_t in)
{
    if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToHost)
        copied_bytes += bytes;
    return __real_cudaMemcpyAsync(to, from, bytes, kind, in);
}
}

namespace
{

void must(cudaError_t code)
{
    if (code == cudaSuccess)
        return;
    std::printf("CUDA: %s\n", cudaGetErrorString(code));
    std::exit(1);
}

using tally = labelled_tally;

/* ---- arrays ---------------------------------------------------------------------------------- */

enum class space { host, device, managed };

/* How arrays are laid out: an element every `step` elements, backwards if negative. */
struct plan {
    const char *name;
    space where;
    bool single;
    int step;
    int device = 0;
};

std::size_t size_of(const plan &by)
{
    return by.single ? sizeof(float) : sizeof(double);
}

/* An array of n numbers in a space of its own. */
class laid
{
  public:
    laid(const plan &by, std::size_t n)
        : by_(by), n_(n), bytes_(n * std::abs(by.step) * size_of(by))
    {
        int before = 0;
        must(cudaGetDevice(&before));
        must(cudaSetDevice(by.device));
        if (by.where == space::device)
            must(cudaMalloc(&block_, bytes_));
        else if (by.where == space::managed)
            must(cudaMallocManaged(&block_, bytes_));
        else
            block_ = std::malloc(bytes_);
        must(cudaSetDevice(before));
        fill(std::vector<double>(n, NAN));
    }
    laid(const laid &) = delete;
    laid &operator=(const laid &) = delete;
    ~laid()
    {
        if (by_.where == space::host)
            std::free(block_);
        else
            (void)cudaFree(block_);
    }

    void *block() const { return block_; }
    std::size_t bytes() const { return bytes_; }
    shepard_array input() const { return {first(), type(), stride()}; }
    shepard_output_array output() const { return {first(), type(), stride()}; }

    /* The block with these numbers in their places and zeros between them. */
    std::vector<char> image(const std::vector<double> &numbers) const
    {
        std::vector<char> bytes(bytes_);
        for (std::size_t i = 0; i < n_; i++) {
            char *const at = bytes.data() + offset() + (std::ptrdiff_t)i * stride();
            const float single = (float)numbers[i];
            std::memcpy(at, by_.single ? (const void *)&single : (const void *)&numbers[i],
                        size_of(by_));
        }
        return bytes;
    }
    void fill(const std::vector<double> &numbers)
    {
        const std::vector<char> bytes = image(numbers);
        must(cudaMemcpy(block_, bytes.data(), bytes_, cudaMemcpyDefault));
    }
    /* Whether the array holds these numbers, rounded to its type, and nothing between them. A NaN
     * may have any bits. */
    bool holds(const std::vector<double> &numbers) const
    {
        std::vector<char> bytes(bytes_), want = image(numbers);
        must(cudaMemcpy(bytes.data(), block_, bytes_, cudaMemcpyDefault));
        for (std::size_t i = 0; i < n_; i++) {
            const std::ptrdiff_t at = offset() + (std::ptrdiff_t)i * stride();
            if (std::isnan(numbers[i]) && std::isnan(number_in(&bytes[(std::size_t)at])))
                std::memcpy(&want[(std::size_t)at], &bytes[(std::size_t)at], size_of(by_));
        }
        return bytes == want;
    }

  private:
    shepard_type type() const { return by_.single ? SHEPARD_FLOAT32 : SHEPARD_FLOAT64; }
    std::ptrdiff_t stride() const { return by_.step * (std::ptrdiff_t)size_of(by_); }
    std::ptrdiff_t offset() const
    {
        return by_.step > 0 ? 0 : -(std::ptrdiff_t)(n_ - 1) * stride();
    }
    double number_in(const char *bytes) const
    {
        float single;
        double number;
        std::memcpy(&single, bytes, sizeof single);
        if (by_.single)
            return single;
        std::memcpy(&number, bytes, sizeof number);
        return number;
    }
    void *first() const { return static_cast<char *>(block_) + offset(); }

    plan by_;
    std::size_t n_, bytes_;
    void *block_ = nullptr;
};

/* ---- scenes ---------------------------------------------------------------------------------- */

struct scene {
    std::vector<double> x, y, weights, tx, ty;
    std::vector<std::vector<double>> z;

    scene(chance *by, std::size_t n, std::size_t m, std::size_t columns)
        : z(columns, std::vector<double>(n))
    {
        /* All are numbers of a float. */
        const auto number = [&](double low, double high) {
            return (double)(float)chance_range(by, low, high);
        };
        for (std::size_t i = 0; i < n; i++) {
            x.push_back(number(0, 100));
            y.push_back(number(0, 100));
            weights.push_back(number(0.5, 2));
            for (auto &column : z)
                column[i] = number(-5, 5);
        }
        for (std::size_t i = 0; i < m; i++) {
            const double far = i % 50 == 49 ? 1e30 : 1;
            tx.push_back((double)(float)(far * chance_range(by, -10, 110)));
            ty.push_back(i % 70 == 69 ? NAN : number(-10, 110));
        }
    }
};

constexpr std::size_t neighbours = 4;

struct answer {
    std::vector<std::vector<double>> values, deviations;
    std::vector<double> count, nearest, power, effective, distances;
    std::vector<std::uint32_t> indices;
};

struct question {
    shepard_parameters parameters;
    shepard_points_options options;
    bool weighted;
    std::size_t k;
};

shepard_memory memory_of(const plan &by, cudaStream_t in)
{
    return {by.where == space::host ? SHEPARD_MEMORY_HOST : SHEPARD_MEMORY_CUDA, in};
}

/* All arrays of a scene and of what is asked. */
struct arrangement {
    laid x, y, weights, tx, ty, count, nearest, power, effective, distances, indices;
    std::vector<std::unique_ptr<laid>> z, values, deviations;

    arrangement(const plan &by, const scene &of, std::size_t k)
        : x(by, of.x.size()), y(by, of.x.size()), weights(by, of.x.size()), tx(by, of.tx.size()),
          ty(by, of.tx.size()), count(by, of.tx.size()), nearest(by, of.tx.size()),
          power(by, of.tx.size()), effective(by, of.tx.size()), distances(by, k * of.tx.size()),
          indices({by.name, by.where, true, 1, by.device}, k * of.tx.size())
    {
        for (std::size_t c = 0; c < of.z.size(); c++) {
            z.push_back(std::make_unique<laid>(by, of.x.size()));
            values.push_back(std::make_unique<laid>(by, of.tx.size()));
            deviations.push_back(std::make_unique<laid>(by, of.tx.size()));
        }
    }
    template <class Visit> void for_inputs(const scene &of, const Visit &visit)
    {
        visit(x, of.x);
        visit(y, of.y);
        visit(weights, of.weights);
        visit(tx, of.tx);
        visit(ty, of.ty);
        for (std::size_t c = 0; c < of.z.size(); c++)
            visit(*z[c], of.z[c]);
    }
};

/* ---- calls ----------------------------------------------------------------------------------- */

struct model {
    shepard_points *points = nullptr;
    shepard_field *field = nullptr;
    shepard_status status = SHEPARD_OK;
    shepard_error error = {};

    model(const arrangement &of, const plan &by, const scene &from, const question &ask,
          cudaStream_t in)
    {
        shepard_coordinates coordinates = {};
        coordinates.size = sizeof coordinates;
        coordinates.count = from.x.size();
        coordinates.x = of.x.input();
        coordinates.y = of.y.input();
        coordinates.memory = memory_of(by, in);
        std::vector<shepard_array> columns;
        for (const auto &column : of.z)
            columns.push_back(column->input());
        shepard_values values = {};
        values.size = sizeof values;
        values.column_count = columns.size();
        values.columns = columns.data();
        if (ask.weighted)
            values.weights = of.weights.input();
        values.memory = memory_of(by, in);
        status = shepard_points_create(&coordinates, &ask.options, &points, &error);
        if (status == SHEPARD_OK)
            status = shepard_field_create(points, &values, &field, &error);
    }
    model(const model &) = delete;
    model &operator=(const model &) = delete;
    ~model()
    {
        shepard_field_free(field);
        shepard_points_free(points);
    }
};

shepard_status ask_for(const model &on, const arrangement &of, const plan &by, const scene &from,
                       const question &ask, cudaStream_t in, shepard_error *error)
{
    shepard_targets targets = {};
    targets.size = sizeof targets;
    targets.kind = SHEPARD_TARGETS_LIST;
    targets.count = from.tx.size();
    targets.x = of.tx.input();
    targets.y = of.ty.input();
    targets.memory = memory_of(by, in);
    std::vector<shepard_output_array> values, deviations;
    for (std::size_t c = 0; c < of.z.size(); c++) {
        values.push_back(of.values[c]->output());
        deviations.push_back(of.deviations[c]->output());
    }
    shepard_output output = {};
    output.size = sizeof output;
    output.values = values.data();
    output.deviations = deviations.data();
    output.count = of.count.output();
    output.nearest = of.nearest.output();
    output.power = of.power.output();
    output.effective = of.effective.output();
    output.memory = memory_of(by, in);
    shepard_nearest_output found = {};
    found.size = sizeof found;
    found.indices = static_cast<std::uint32_t *>(of.indices.block());
    found.distances = of.distances.output();
    found.memory = output.memory;
    const shepard_status status =
        shepard_predict(on.field, &ask.parameters, &targets, &output, nullptr, error);
    return status != SHEPARD_OK
               ? status
               : shepard_nearest(on.points, &targets, ask.k, &found, nullptr, error);
}

std::vector<double> numbers_of(const laid &from, std::size_t n)
{
    std::vector<double> numbers(n);
    must(cudaMemcpy(numbers.data(), from.block(), n * sizeof(double), cudaMemcpyDefault));
    return numbers;
}

constexpr plan reference_plan = {"host", space::host, false, 1};

answer reference_of(tally *t, const scene &from, const question &ask)
{
    arrangement of(reference_plan, from, ask.k);
    of.for_inputs(from, [](laid &to, const std::vector<double> &numbers) { to.fill(numbers); });
    answer reference;
    shepard_error error = {};
    const model on(of, reference_plan, from, ask, nullptr);
    const std::size_t m = from.tx.size();
    if (!t->check(on.status == SHEPARD_OK, "no model of the host's arrays", on.error.message) ||
        !t->check(ask_for(on, of, reference_plan, from, ask, nullptr, &error) == SHEPARD_OK,
                  "no answer of the host's arrays", error.message))
        return reference;
    for (std::size_t c = 0; c < from.z.size(); c++) {
        reference.values.push_back(numbers_of(*of.values[c], m));
        reference.deviations.push_back(numbers_of(*of.deviations[c], m));
    }
    reference.count = numbers_of(of.count, m);
    reference.nearest = numbers_of(of.nearest, m);
    reference.power = numbers_of(of.power, m);
    reference.effective = numbers_of(of.effective, m);
    reference.distances = numbers_of(of.distances, ask.k * m);
    reference.indices.resize(ask.k * m);
    std::memcpy(reference.indices.data(), of.indices.block(), ask.k * m * sizeof(std::uint32_t));
    return reference;
}

void compare(tally *t, const arrangement &got, const answer &want)
{
    for (std::size_t c = 0; c < want.values.size(); c++) {
        t->check(got.values[c]->holds(want.values[c]), "values");
        t->check(got.deviations[c]->holds(want.deviations[c]), "deviations");
    }
    t->check(got.count.holds(want.count), "count");
    t->check(got.nearest.holds(want.nearest), "nearest");
    t->check(got.power.holds(want.power), "power");
    t->check(got.effective.holds(want.effective), "effective");
    t->check(got.distances.holds(want.distances), "distances");
    std::vector<std::uint32_t> indices(want.indices.size());
    must(cudaMemcpy(indices.data(), got.indices.block(), indices.size() * sizeof indices[0],
                    cudaMemcpyDefault));
    t->check(indices == want.indices, "indices");
}

/* ---- checks ---------------------------------------------------------------------------------- */

question random_question(chance *by)
{
    question ask = {};
    shepard_points_options_init(&ask.options);
    shepard_parameters_init(&ask.parameters);
    ask.options.backend = SHEPARD_BACKEND_CUDA;
    ask.parameters.method = chance_below(by, 2) ? SHEPARD_METHOD_AIDW : SHEPARD_METHOD_IDW;
    ask.parameters.precision = SHEPARD_PRECISION_DOUBLE;
    ask.parameters.neighbourhood.max_points = chance_below(by, 2) ? 12 : 0;
    ask.parameters.nodata = chance_below(by, 2) ? -9999 : NAN;
    ask.options.anisotropy_ratio = chance_below(by, 2) ? 1 : 3;
    ask.options.anisotropy_angle = 30;
    ask.weighted = chance_below(by, 2);
    /* The CPU looks for more than 64. */
    ask.k = chance_below(by, 4) ? neighbours : 70;
    return ask;
}

void try_layout(tally *t, const plan &by, const scene &from, const question &ask)
{
    const answer want = reference_of(t, from, ask);
    arrangement of(by, from, ask.k);
    of.for_inputs(from, [](laid &to, const std::vector<double> &numbers) { to.fill(numbers); });
    const model on(of, by, from, ask, nullptr);
    shepard_error error = {};
    if (t->check(on.status == SHEPARD_OK, "no model", on.error.message) &&
        t->check(ask_for(on, of, by, from, ask, nullptr, &error) == SHEPARD_OK, "no answer",
                 error.message))
        compare(t, of, want);
}

__global__ void wait_a_while(long long nanoseconds)
{
    long long start, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while (now - start < nanoseconds);
}

/* Work queued before a call is done before it, though it takes long; work queued after sees the
 * results. */
void try_order(tally *t, const scene &from, const question &ask)
{
    const plan by = {"late", space::device, false, 1};
    constexpr long long late = 50000000;
    t->label = "a stream that comes late";
    const answer want = reference_of(t, from, ask);
    cudaStream_t own;
    must(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
    for (const cudaStream_t in : {own, (cudaStream_t) nullptr, cudaStreamPerThread}) {
        arrangement of(by, from, ask.k), source(by, from, ask.k);
        source.for_inputs(from,
                          [](laid &to, const std::vector<double> &numbers) { to.fill(numbers); });
        const auto arrive = [&](const laid &to, const laid &of_source) {
            must(__real_cudaMemcpyAsync(to.block(), of_source.block(), to.bytes(),
                                        cudaMemcpyDeviceToDevice, in));
        };
        must(cudaDeviceSynchronize());
        wait_a_while<<<1, 1, 0, in>>>(late);
        arrive(of.x, source.x);
        arrive(of.y, source.y);
        arrive(of.weights, source.weights);
        for (std::size_t c = 0; c < from.z.size(); c++)
            arrive(*of.z[c], *source.z[c]);
        const model on(of, by, from, ask, in);
        if (!t->check(on.status == SHEPARD_OK, "no model", on.error.message))
            continue;
        wait_a_while<<<1, 1, 0, in>>>(late);
        arrive(of.tx, source.tx);
        arrive(of.ty, source.ty);
        for (const auto &one : of.values)
            must(cudaMemsetAsync(one->block(), 1, one->bytes(), in));
        shepard_error error = {};
        if (!t->check(ask_for(on, of, by, from, ask, in, &error) == SHEPARD_OK, "no answer",
                      error.message))
            continue;
        arrive(*source.values[0], *of.values[0]);
        must(cudaStreamSynchronize(in));
        t->check(source.values[0]->holds(want.values[0]), "what was queued after the call");
        compare(t, of, want);
    }
    must(cudaStreamDestroy(own));
}

/* Device arrays take no way through the host: what is copied does not grow with them. */
void try_copies(tally *t, chance *by)
{
    const plan on_device = {"device", space::device, true, 2};
    t->label = "copies through the host";
    const scene from(by, 200000, 300000, 2);
    question ask = random_question(by);
    ask.k = neighbours;
    arrangement of(on_device, from, ask.k);
    of.for_inputs(from, [](laid &to, const std::vector<double> &numbers) { to.fill(numbers); });
    copied_bytes = 0;
    const model on(of, on_device, from, ask, nullptr);
    shepard_error error = {};
    t->check(on.status == SHEPARD_OK &&
                 ask_for(on, of, on_device, from, ask, nullptr, &error) == SHEPARD_OK,
             "no answer", error.message);
    std::printf("copied from and to the host: %zu bytes\n", copied_bytes);
    t->check(copied_bytes < from.x.size(), "as many bytes as points were copied");
}

/* What is wrong with arrays of a device is said as of the host's. */
void try_wrong(tally *t, chance *by)
{
    const plan on_device = {"device", space::device, false, 1};
    const std::function<void(scene *, question *)> ways[] = {
        [](scene *s, question *) { s->weights[7] = -2; },
        [](scene *s, question *) { s->x[5] = 1e-200; },
        [](scene *s, question *) { s->y[9] = -1e-180; },
        [](scene *s, question *) { s->z[1].assign(s->x.size(), NAN); },
        [](scene *s, question *) { s->x.assign(s->x.size(), NAN); }};
    for (const auto &spoil : ways) {
        scene from(by, 300, 10, 2);
        question ask = random_question(by);
        ask.weighted = true;
        for (double &x : from.x)
            x -= 50;
        for (double &y : from.y)
            y -= 50;
        spoil(&from, &ask);
        const auto error_of = [&](const plan &laid_by) {
            arrangement of(laid_by, from, ask.k);
            of.for_inputs(from,
                          [](laid &to, const std::vector<double> &numbers) { to.fill(numbers); });
            const model on(of, laid_by, from, ask, nullptr);
            return on.error;
        };
        const shepard_error want = error_of(reference_plan), got = error_of(on_device);
        t->label = want.argument;
        t->check(want.status != SHEPARD_OK, "no error of the host's arrays");
        t->check(want.status == got.status && !std::strcmp(want.argument, got.argument) &&
                     !std::strcmp(want.message, got.message),
                 want.message, got.message);
    }
}

void try_wrong_places(tally *t, chance *by)
{
    const plan on_device = {"device", space::device, false, 1};
    const scene from(by, 300, 10, 1);
    question ask = random_question(by);
    arrangement of(on_device, from, ask.k), on_host(reference_plan, from, ask.k);
    t->label = "wrong places";
    const auto refused = [&](const arrangement &arrays, const char *argument) {
        const model on(arrays, on_device, from, ask, nullptr);
        t->check(on.status == SHEPARD_ERROR_ARGUMENT && !std::strcmp(on.error.argument, argument),
                 argument, on.error.message);
    };
    refused(on_host, "coordinates.x");
    ask.options.backend = SHEPARD_BACKEND_CPU;
    refused(of, "coordinates.memory");
}

/* A stream that cannot be waited for is named, before anything is done. */
void try_streams(tally *t, chance *by)
{
    const plan on_device = {"device", space::device, false, 1};
    const scene from(by, 300, 10, 2);
    question ask = random_question(by);
    ask.k = neighbours;
    t->label = "a stream that is capturing";
    arrangement of(on_device, from, ask.k);
    of.for_inputs(from, [](laid &to, const std::vector<double> &numbers) { to.fill(numbers); });
    cudaStream_t capturing;
    must(cudaStreamCreateWithFlags(&capturing, cudaStreamNonBlocking));
    const model good(of, on_device, from, ask, nullptr);
    must(cudaStreamBeginCapture(capturing, cudaStreamCaptureModeRelaxed));
    const model bad(of, on_device, from, ask, capturing);
    shepard_error error = {};
    const shepard_status asked = ask_for(good, of, on_device, from, ask, capturing, &error);
    cudaGraph_t graph;
    must(cudaStreamEndCapture(capturing, &graph));
    must(cudaGraphDestroy(graph));
    must(cudaStreamDestroy(capturing));
    const auto names = [&](const shepard_error &said, const char *argument) {
        t->check(said.status == SHEPARD_ERROR_ARGUMENT && !std::strcmp(said.argument, argument) &&
                     std::strstr(said.message, "capturing a graph") != nullptr,
                 said.argument, said.message);
    };
    t->check(good.status == SHEPARD_OK && asked != SHEPARD_OK, "an answer", good.error.message);
    names(bad.error, "coordinates.memory.stream");
    names(error, "targets.memory.stream");
}

/* Managed memory is every device's: its stream may be of another one than the current. */
void try_managed_stream(tally *t, chance *by, int device)
{
    const plan managed = {"managed", space::managed, false, 1};
    const scene from(by, 3000, 200, 1);
    const question ask = random_question(by);
    t->label = "managed memory with a stream of device " + std::to_string(device);
    const answer want = reference_of(t, from, ask);
    arrangement of(managed, from, ask.k);
    of.for_inputs(from, [](laid &to, const std::vector<double> &numbers) { to.fill(numbers); });
    cudaStream_t own;
    must(cudaSetDevice(device));
    must(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
    must(cudaSetDevice(0));
    {
        const model on(of, managed, from, ask, own);
        shepard_error error = {};
        if (t->check(on.status == SHEPARD_OK, "no model", on.error.message) &&
            t->check(ask_for(on, of, managed, from, ask, own, &error) == SHEPARD_OK, "no answer",
                     error.message))
            compare(t, of, want);
    }
    must(cudaStreamDestroy(own));
}

/* The last of four rounds has missing values: of a device too, each column is as if it were alone.
 */
void try_round(tally *t, const plan &by, int round, chance *seed)
{
    scene from(seed, 100 + chance_below(seed, 5000), 1 + chance_below(seed, 9000),
               1 + chance_below(seed, 3));
    question ask = random_question(seed);
    if (round % 3 == 2)
        ask.options.device = SHEPARD_DEVICE_ALL;
    t->label = std::string(by.name) + ", round " + std::to_string(round);
    if (round % 4 == 3)
        for (auto &column : from.z)
            for (int i = 0; i < 20; i++)
                column[chance_below(seed, column.size())] = NAN;
    try_layout(t, by, from, ask);
}

int check_all(unsigned long long seed)
{
    chance by = {seed};
    tally t;
    int devices = 0;
    must(cudaGetDeviceCount(&devices));
    std::printf("seed %llu, %d devices\n", seed, devices);
    std::vector<plan> plans = {{"host floats", space::host, true, 1},
                               {"host, with gaps", space::host, false, 3},
                               {"host floats, backwards", space::host, true, -2},
                               {"device doubles", space::device, false, 1},
                               {"device floats", space::device, true, 1},
                               {"device doubles, backwards", space::device, false, -1},
                               {"device floats, with gaps", space::device, true, 3},
                               {"managed doubles", space::managed, false, 1},
                               {"managed floats, backwards", space::managed, true, -2}};
    if (devices > 1) {
        plans.push_back({"another device", space::device, false, 1, 1});
        plans.push_back({"another device, floats, backwards", space::device, true, -3, 1});
    }
    for (const plan &one : plans)
        for (int round = 0; round < 12; round++)
            try_round(&t, one, round, &by);
    for (int round = 0; round < 3; round++) {
        const scene from(&by, 3000, 4000, 2);
        question ask = random_question(&by);
        ask.k = neighbours;
        try_order(&t, from, ask);
    }
    try_copies(&t, &by);
    try_wrong(&t, &by);
    try_wrong_places(&t, &by);
    try_streams(&t, &by);
    for (int device = 0; device < std::min(devices, 2); device++)
        try_managed_stream(&t, &by, device);
    std::printf("arrays: %ld passed, %ld failed\n", t.passed, t.failed);
    return t.failed > 0;
}

} // namespace

int main(int count, char **arguments)
{
    const unsigned long long seed = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 20150131;
    return run_on_device([seed] { return check_all(seed); });
}
