/* SPDX-License-Identifier: MIT */
/* A call on several devices has the bits of one: points uploaded by shares, targets distributed
 * along the curve, in rounds, where memory is refused, and where there is nothing to distribute.
 *
 *     test_cuda_several [SEED]
 */
#include "call_watch.cuh"
#include "labelled_tally.cuh"
#include "on_device.cuh"
#include "several_devices.cuh"

#include "chance.h"
#include "shepard/shepard.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace
{

using tally = labelled_tally;

/* ---- data ------------------------------------------------------------------------------------ */

enum class shape { uniform, clustered, speck, one_place, nowhere, outside };

constexpr struct {
    shape of;
    const char *name;
} shapes[] = {{shape::uniform, "uniform"},         {shape::clustered, "clustered"},
              {shape::speck, "a dense spot"},      {shape::one_place, "targets at one place"},
              {shape::nowhere, "targets nowhere"}, {shape::outside, "targets outside"}};

/* Numbers in memory as a caller may have them. */
struct layout {
    bool single;
    int step; /* elements from one to the next, backwards if negative */
};

struct numbers {
    std::vector<double> wide;
    std::vector<float> narrow;
    layout by;
    std::size_t count;

    numbers(std::size_t of, const layout &as) : by(as), count(of)
    {
        const std::size_t room = of * (std::size_t)std::abs(as.step);
        as.single ? narrow.resize(room) : wide.resize(room);
    }
    std::size_t place(std::size_t i) const
    {
        return (by.step > 0 ? i : count - 1 - i) * (std::size_t)std::abs(by.step);
    }
    void put(std::size_t i, double a)
    {
        if (by.single)
            narrow[place(i)] = (float)a;
        else
            wide[place(i)] = a;
    }
    void *first() { return by.single ? (void *)&narrow[place(0)] : (void *)&wide[place(0)]; }
    template <class Array> Array array()
    {
        const std::ptrdiff_t size = by.single ? sizeof(float) : sizeof(double);
        return {first(), by.single ? SHEPARD_FLOAT32 : SHEPARD_FLOAT64, size * by.step};
    }
    bool same_as(const numbers &other) const
    {
        return std::memcmp(wide.data(), other.wide.data(), wide.size() * sizeof(double)) == 0 &&
               std::memcmp(narrow.data(), other.narrow.data(), narrow.size() * sizeof(float)) == 0;
    }
};

double coordinate(shape of, chance *by)
{
    if (of == shape::speck && chance_unit(by) < 0.9)
        return 0.3 + 1e-11 * chance_unit(by);
    if (of == shape::clustered)
        return std::floor(8 * chance_unit(by)) / 8 + 0.01 * chance_normal(by);
    return chance_unit(by);
}

double target_coordinate(shape of, chance *by)
{
    if (of == shape::nowhere || chance_unit(by) < 0.01)
        return NAN;
    if (of == shape::one_place)
        return 0.25;
    return of == shape::outside ? chance_range(by, -3, 4) : coordinate(of, by);
}

struct scene {
    numbers x, y, z, tx, ty;

    scene(shape of, std::size_t n, std::size_t m, const layout &as, chance *by)
        : x(n, as), y(n, as), z(n, as), tx(m, as), ty(m, as)
    {
        for (std::size_t i = 0; i < n; i++) {
            const double a = coordinate(of, by), b = coordinate(of, by);
            x.put(i, a);
            y.put(i, b);
            z.put(i, std::sin(9 * a) * std::cos(5 * b) + 0.1 * chance_unit(by));
        }
        for (std::size_t i = 0; i < m; i++) {
            tx.put(i, target_coordinate(of, by));
            ty.put(i, target_coordinate(of, by));
        }
    }
};

/* ---- questions and answers ------------------------------------------------------------------- */

struct question {
    shepard_parameters parameters;
    layout results;
    bool all_results; /* else values only */
    double stop_at;   /* fraction at which to cancel */

    explicit question(chance *by)
        : results{chance_below(by, 2) > 0, 1 + (int)chance_below(by, 3)},
          all_results(chance_below(by, 2) > 0), stop_at(2)
    {
        constexpr double tolerances[] = {1e-3, 1e-4, 1e-5};
        shepard_parameters_init(&parameters);
        parameters.method = chance_below(by, 2) > 0 ? SHEPARD_METHOD_AIDW : SHEPARD_METHOD_IDW;
        parameters.precision =
            chance_below(by, 2) > 0 ? SHEPARD_PRECISION_SINGLE : SHEPARD_PRECISION_DOUBLE;
        parameters.eps = tolerances[chance_below(by, 3)];
        parameters.degree = chance_below(by, 4) == 0;
    }
};

struct answer : call_watch {
    shepard_status status = SHEPARD_OK;
    std::string message;
    std::vector<numbers> results;

    bool same_as(const answer &other) const
    {
        bool same = results.size() == other.results.size();
        for (std::size_t i = 0; same && i < results.size(); i++)
            same = results[i].same_as(other.results[i]);
        return same;
    }
};

struct model {
    shepard_points *points = nullptr;
    shepard_field *field = nullptr;
    shepard_error error = {};

    model(scene *from, int device)
    {
        shepard_points_options options;
        shepard_points_options_init(&options);
        options.backend = SHEPARD_BACKEND_CUDA;
        options.device = device;
        shepard_coordinates coordinates = {};
        coordinates.size = sizeof coordinates;
        coordinates.count = from->x.count;
        coordinates.x = from->x.array<shepard_array>();
        coordinates.y = from->y.array<shepard_array>();
        const shepard_array columns[] = {from->z.array<shepard_array>(),
                                         from->x.array<shepard_array>()};
        shepard_values values = {};
        values.size = sizeof values;
        values.column_count = 2;
        values.columns = columns;
        if (shepard_points_create(&coordinates, &options, &points, &error) == SHEPARD_OK)
            (void)shepard_field_create(points, &values, &field, &error);
    }
    model(const model &) = delete;
    model &operator=(const model &) = delete;
    ~model()
    {
        shepard_field_free(field);
        shepard_points_free(points);
    }
};

answer ask(const model &of, scene *from, const question &what)
{
    answer got;
    const std::size_t m = from->tx.count;
    got.stop_at = what.stop_at;
    for (int i = 0; i < (what.all_results ? 8 : 2); i++)
        got.results.emplace_back(m, what.results);
    std::vector<shepard_output_array> arrays;
    for (numbers &one : got.results)
        arrays.push_back(one.array<shepard_output_array>());
    shepard_targets targets = {};
    targets.size = sizeof targets;
    targets.kind = SHEPARD_TARGETS_LIST;
    targets.count = m;
    targets.x = from->tx.array<shepard_array>();
    targets.y = from->ty.array<shepard_array>();
    shepard_control control = got.control();
    shepard_output output = {};
    output.size = sizeof output;
    output.values = arrays.data();
    if (what.all_results) {
        output.deviations = arrays.data() + 2;
        output.count = arrays[4];
        output.nearest = arrays[5];
        output.power = arrays[6];
        output.effective = arrays[7];
    }
    shepard_error error = {};
    got.status = shepard_predict(of.field, &what.parameters, &targets, &output, &control, &error);
    got.message = error.message;
    return got;
}

/* ---- checks ---------------------------------------------------------------------------------- */

/* More than the least that is. In rounds of three times 60,000 the last has one target. */
constexpr std::size_t distributed = 540001;

void compare(tally *t, const answer &got, const answer &want)
{
    if (!t->check(got.status == SHEPARD_OK, "no answer", got.message.c_str()))
        return;
    t->check(got.notice.empty(), "a notice", got.notice.c_str());
    t->check(got.rises && got.reached == 1, "progress falls, or does not end at 1");
    t->check(got.same_as(want), "other bits than of one device");
}

void try_scene(tally *t, scene *from, chance *by, bool copies)
{
    const long before = bytes_for_peers();
    const model one(from, 0), all(from, SHEPARD_DEVICE_ALL);
    if (!t->check(one.field != nullptr, "no model on one", one.error.message) ||
        !t->check(all.field != nullptr, "no model", all.error.message))
        return;
    t->check((bytes_for_peers() > before) == copies, "points are shared, or not");
    for (int round = 0; round < 3; round++) {
        question what(by);
        const answer want = ask(one, from, what);
        const long targets_before = bytes_for_peers();
        compare(t, ask(all, from, what), want);
        t->check(bytes_for_peers() > targets_before || from->tx.count < distributed,
                 "targets are not distributed");
        what.stop_at = 0.3;
        t->check(ask(all, from, what).status == SHEPARD_ERROR_CANCELLED, "it was not stopped");
    }
}

/* Each request for memory may be the one that is refused. */
void try_refusals(tally *t, chance *by)
{
    scene from(shape::uniform, 20000, distributed, {false, 1}, by);
    question what(by);
    what.parameters.eps = 1e-4;
    t->label = "memory refused";
    const model one(&from, 0), all(&from, SHEPARD_DEVICE_ALL);
    const answer want = ask(one, &from, what);
    for (long request = 0; request < 90; request += 1 + (long)chance_below(by, 3)) {
        refuse_memory(request);
        const answer got = ask(all, &from, what);
        refuse_memory(-1);
        compare(t, got, want);
    }
}

int check_all(unsigned long long seed)
{
    chance by = {seed};
    tally t;
    std::printf("seed %llu\n", seed);
    for (const auto &one : shapes)
        for (const char *chunk : {"", "60000"}) {
            const layout as = {chance_below(&by, 2) > 0, chance_below(&by, 2) > 0 ? 1 : -2};
            scene from(one.of, 5000 + chance_below(&by, 30000), distributed, as, &by);
            t.label = std::string(one.name) + (*chunk != '\0' ? ", in rounds" : "");
            setenv("SHEPARD_CUDA_CHUNK", chunk, 1);
            try_scene(&t, &from, &by, false);
        }
    setenv("SHEPARD_CUDA_CHUNK", "", 1);
    for (const layout &as : {layout{false, 1}, layout{true, -2}}) {
        scene from(shape::uniform, 1100000, 1000, as, &by);
        t.label = "many points";
        try_scene(&t, &from, &by, true);
    }
    try_refusals(&t, &by);
    std::printf("several: %ld passed, %ld failed\n", t.passed, t.failed);
    return t.failed > 0;
}

} // namespace

int main(int count, char **arguments)
{
    const unsigned long long seed = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 20170131;
    return run_on_device([seed] { return check_all(seed); });
}
