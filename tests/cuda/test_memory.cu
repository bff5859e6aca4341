/* SPDX-License-Identifier: MIT */
/* A device that runs out of memory: calls go on in smaller chunks, with the same bits, or on the
 * CPU, with a notice; points and fields are made there; nothing stays taken. The library's calls
 * for device memory come through here (the linker's --wrap); one that is refused asks the driver
 * for more than any device has, so that it fails as it does there.
 *
 *     test_cuda_memory [SEED]
 */
#include "call_watch.cuh"
#include "on_device.cuh"

#include "chance.h"
#include "shepard/shepard.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace
{

/* ---- device memory --------------------------------------------------------------------------- */

/* What may still be had, and what was. */
struct supply {
    std::mutex lock;
    std::map<void *, std::size_t> blocks;
    std::size_t held = 0, peak = 0, most = SIZE_MAX; /* bytes */
    long asked = 0, refused = 0;
    long refuse_at = -1; /* number of the one request that is refused */

    bool allows(std::size_t bytes)
    {
        const bool allowed = asked++ != refuse_at && held + bytes <= most;
        refused += !allowed;
        return allowed;
    }
    void add(void *block, std::size_t bytes)
    {
        blocks[block] = bytes;
        held += bytes;
        peak = std::max(peak, held);
    }
    void remove(void *block)
    {
        const auto found = blocks.find(block);
        if (found == blocks.end())
            return;
        held -= found->second;
        blocks.erase(found);
    }
    /* Of all that is asked for from now on, no more than `bytes` in addition to what is held; one
     * refused.
     */
    void limit(std::size_t bytes, long number = -1)
    {
        most = bytes < SIZE_MAX - held ? held + bytes : SIZE_MAX;
        peak = held;
        asked = refused = 0;
        refuse_at = number;
    }
};

supply there;

constexpr std::size_t more_than_any = std::size_t{1} << 50;

} // namespace

extern "C" {
cudaError_t __real_cudaMallocAsync(void **block, std::size_t bytes, cudaStream_t in);
cudaError_t __real_cudaFreeAsync(void *block, cudaStream_t in);

cudaError_t __wrap_cudaMallocAsync(void **block, std::size_t bytes, cudaStream_t in)
{
    const std::lock_guard<std::mutex> one(there.lock);
    if (!there.allows(bytes))
        return __real_cudaMallocAsync(block, more_than_any, in);
    const cudaError_t code = __real_cudaMallocAsync(block, bytes, in);
    if (code == cudaSuccess)
        there.add(*block, bytes);
    return code;
}

cudaError_t __wrap_cudaFreeAsync(void *block, cudaStream_t in)
{
    const std::lock_guard<std::mutex> one(there.lock);
    there.remove(block);
    return __real_cudaFreeAsync(block, in);
}
}

namespace
{

/* ---- jobs ------------------------------------------------------------------------------------ */

constexpr std::size_t point_count = 30000, places = 200000, neighbours = 10;
constexpr double eps = 1e-4, value_range = 2;

struct kind {
    const char *name;
    shepard_method method;
    std::size_t max_points; /* 0: all */
    bool searches;          /* for neighbours, not values */
    int degree;
};

constexpr kind kinds[] = {{"IDW over all points", SHEPARD_METHOD_IDW, 0, false, 0},
                          {"AIDW over all points", SHEPARD_METHOD_AIDW, 0, false, 0},
                          {"planes over all points", SHEPARD_METHOD_AIDW, 0, false, 1},
                          {"IDW of 12 points", SHEPARD_METHOD_IDW, 12, false, 0},
                          {"neighbours", SHEPARD_METHOD_IDW, 12, true, 0}};

struct scene {
    std::vector<double> x, y, z, tx, ty;

    explicit scene(chance *by)
    {
        for (std::size_t i = 0; i < point_count; i++) {
            x.push_back(chance_unit(by));
            y.push_back(chance_unit(by));
            z.push_back(std::sin(9 * x[i]) * std::cos(5 * y[i]));
        }
        for (std::size_t i = 0; i < places; i++) {
            tx.push_back(chance_unit(by));
            ty.push_back(chance_unit(by));
        }
    }
};

struct answer : call_watch {
    shepard_status status = SHEPARD_OK;
    std::string message;
    std::vector<double> values;
    bool same_as(const answer &other) const
    {
        return std::memcmp(values.data(), other.values.data(), values.size() * sizeof(double)) == 0;
    }
};

shepard_parameters parameters_of(const kind &of)
{
    shepard_parameters parameters;
    shepard_parameters_init(&parameters);
    parameters.method = of.method;
    parameters.neighbourhood.max_points = of.max_points;
    parameters.precision = SHEPARD_PRECISION_SINGLE;
    parameters.eps = eps;
    parameters.degree = of.degree;
    return parameters;
}

/* Points and a field on them; no field where one of the two could not be made. */
struct model {
    shepard_points *points = nullptr;
    shepard_field *field = nullptr;

    model(const scene &from, shepard_error *error)
    {
        shepard_points_options options;
        shepard_points_options_init(&options);
        options.backend = SHEPARD_BACKEND_CUDA;
        shepard_coordinates coordinates = {};
        coordinates.size = sizeof coordinates;
        coordinates.count = point_count;
        coordinates.x = shepard_doubles(from.x.data());
        coordinates.y = shepard_doubles(from.y.data());
        const shepard_array column = shepard_doubles(from.z.data());
        shepard_values values = {};
        values.size = sizeof values;
        values.column_count = 1;
        values.columns = &column;
        if (shepard_points_create(&coordinates, &options, &points, error) == SHEPARD_OK)
            (void)shepard_field_create(points, &values, &field, error);
    }
    model(const model &) = delete;
    model &operator=(const model &) = delete;
    ~model()
    {
        shepard_field_free(field);
        shepard_points_free(points);
    }

    /* Whether one of the two is not, or not whole, on the device. */
    bool has_notice() const
    {
        shepard_points_info of_points = {};
        shepard_field_info of_field = {};
        of_points.size = sizeof of_points;
        of_field.size = sizeof of_field;
        shepard_points_get_info(points, &of_points);
        shepard_field_get_info(field, &of_field);
        return of_points.notice[0] != '\0' || of_field.notice[0] != '\0';
    }
};

answer ask(const model &of_scene, const scene &from, const kind &of)
{
    answer got;
    got.values.resize(of.searches ? places * neighbours : places);
    shepard_targets targets = {};
    targets.size = sizeof targets;
    targets.kind = SHEPARD_TARGETS_LIST;
    targets.count = places;
    targets.x = shepard_doubles(from.tx.data());
    targets.y = shepard_doubles(from.ty.data());
    shepard_control control = got.control();
    const shepard_output_array values = shepard_output_doubles(got.values.data());
    shepard_output output = {};
    output.size = sizeof output;
    output.values = &values;
    shepard_nearest_output found = {};
    found.size = sizeof found;
    found.distances = values;
    const shepard_parameters parameters = parameters_of(of);
    shepard_error error = {};
    got.status =
        of.searches
            ? shepard_nearest(of_scene.points, &targets, neighbours, &found, &control, &error)
            : shepard_predict(of_scene.field, &parameters, &targets, &output, &control, &error);
    got.message = error.message;
    return got;
}

/* ---- checks ---------------------------------------------------------------------------------- */

struct tally {
    const char *kind = "";
    long passed = 0, failed = 0, smaller = 0, left = 0; /* chunks; to the CPU */

    void check(bool good, const char *what, double number)
    {
        (good ? passed : failed)++;
        if (!good && failed <= 20)
            std::printf("FAILED: %s, %g: %s\n", kind, number, what);
    }

    void check_near(const answer &got, const answer &whole, double number)
    {
        bool near = true;
        for (std::size_t i = 0; i < got.values.size(); i++)
            near = near && std::fabs(got.values[i] - whole.values[i]) <= 2 * eps * value_range;
        check(near, "the CPU's values are others", number);
    }

    /* Without a notice the devices did it, and have done it well. */
    void check_answer(const answer &got, const answer &whole, double number)
    {
        check(got.status == SHEPARD_OK, got.message.c_str(), number);
        if (got.status != SHEPARD_OK)
            return;
        check(got.rises && got.reached == 1, "progress falls, or does not end at 1", number);
        if (got.notice.empty()) {
            check(got.same_as(whole), "other bits in smaller chunks", number);
            smaller += there.refused > 0;
        } else {
            check(there.refused > 0, "left to the CPU, though there was memory", number);
            check(got.notice.find("too little memory") != std::string::npos, got.notice.c_str(),
                  number);
            check_near(got, whole, number);
            left++;
        }
    }
};

/* A model made once, asked with ever less memory, and with one block refused. */
void check_calls(const scene &from, const kind &of, tally *tally)
{
    shepard_error error = {};
    there.limit(SIZE_MAX);
    const model asked(from, &error);
    tally->check(asked.field != nullptr, error.message, 0);
    if (asked.field == nullptr)
        return;
    (void)ask(asked, from, of); /* what a field keeps for the next call */
    there.limit(SIZE_MAX);
    const answer whole = ask(asked, from, of);
    const std::size_t peak = there.peak - there.held;
    const long blocks = there.asked;
    tally->check(whole.notice.empty() && whole.status == SHEPARD_OK, "not on the device", 0);
    const std::size_t held = there.held;
    for (const double part : {1.0, 0.9, 0.7, 0.5, 0.3, 0.2, 0.1, 0.01, 0.0}) {
        there.limit((std::size_t)(part * (double)peak));
        tally->check_answer(ask(asked, from, of), whole, part);
        /* What the field kept may have been dropped for want of memory. */
        tally->check(there.held <= held, "memory was not given back", part);
    }
    for (long number = 0; number < blocks; number += std::max(blocks / 12, 1l)) {
        there.limit(SIZE_MAX, number);
        tally->check_answer(ask(asked, from, of), whole, (double)number);
        tally->check(there.refused == 1 && there.held <= held, "memory was not given back",
                     (double)number);
    }
    std::printf("%s: %.1f MB in %ld blocks; %ld calls in smaller chunks, %ld on the CPU\n", of.name,
                1e-6 * (double)peak, blocks, tally->smaller, tally->left);
    tally->check(tally->smaller > 0, "never in smaller chunks", 0);
    tally->check(tally->left > 0, "never left to the CPU", 0);
}

/* A model made with so much of the memory that one takes, and asked. */
void check_model(const scene &from, const kind &of, double part, std::size_t peak,
                 const answer &whole, tally *tally)
{
    shepard_error error = {};
    there.limit((std::size_t)(part * (double)peak));
    const model made(from, &error);
    tally->check(made.field != nullptr, error.message, part);
    if (made.field == nullptr)
        return;
    tally->check(made.has_notice() == (there.refused > 0), "a model's notice", part);
    const answer got = ask(made, from, of);
    tally->check(got.status == SHEPARD_OK, got.message.c_str(), part);
    tally->check_near(got, whole, part);
}

/* A first prediction prepares what it needs with ever less memory, and none of it is lost. */
void check_preparing(const scene &from, const kind &of, double part, std::size_t peak,
                     const answer &whole, tally *tally)
{
    shepard_error error = {};
    there.limit(SIZE_MAX);
    const model made(from, &error);
    there.limit((std::size_t)(part * (double)peak));
    const answer first = made.field != nullptr ? ask(made, from, of) : answer();
    tally->check(first.status == SHEPARD_OK && first.values.size() == whole.values.size(),
                 first.message.c_str(), part);
    if (first.values.size() != whole.values.size())
        return;
    tally->check_near(first, whole, part);
    there.limit(SIZE_MAX);
    const answer second = ask(made, from, of);
    tally->check(second.status == SHEPARD_OK && second.notice.empty() && second.same_as(whole),
                 "not as ever where there is memory again", part);
}

/* Models made, and prepared, with ever less memory. */
void check_models(const scene &from, const kind &of, tally *tally)
{
    shepard_error error = {};
    there.limit(SIZE_MAX);
    const std::size_t before = there.held;
    std::size_t making, preparing;
    answer whole;
    {
        const model made(from, &error);
        making = there.peak - before;
        const std::size_t made_of = there.held;
        there.limit(SIZE_MAX);
        whole = ask(made, from, of);
        preparing = there.peak - made_of;
    }
    tally->check(there.held == before, "a model's end leaves memory taken", 0);
    for (const double part : {0.9, 0.6, 0.3, 0.1, 0.01, 0.0}) {
        check_model(from, of, part, making, whole, tally);
        tally->check(there.held == before, "a model's end leaves memory taken", part);
        check_preparing(from, of, part, preparing, whole, tally);
        tally->check(there.held == before, "a model's end leaves memory taken", part);
    }
}

int check_all(unsigned long seed)
{
    std::printf("seed %lu\n", seed);
    struct chance by = {seed};
    const scene from(&by);
    long passed = 0, failed = 0;
    for (const kind &of : kinds) {
        tally tally;
        tally.kind = of.name;
        check_calls(from, of, &tally);
        check_models(from, of, &tally);
        passed += tally.passed;
        failed += tally.failed;
    }
    std::printf("%ld passed, %ld failed\n", passed, failed);
    return failed > 0;
}

} // namespace

int main(int argc, char **argv)
{
    return run_on_device(
        [&] { return check_all(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 19680827); });
}
