/* SPDX-License-Identifier: MIT */
/* Sums over all points in several waves of groups, whose first one needs further rounds: the bits
 * of targets do not depend on which others are in the call, nor on the wave that they are in.
 *
 *     test_cuda_waves [SEED]
 */
#include "labelled_tally.cuh"
#include "library_points.cuh"
#include "on_device.cuh"

#include "backend/cuda/interactions.cuh"

extern "C" {
#include "base/random.h"
#include "shepard/shepard.h"
}

#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace
{

constexpr std::size_t columns = 2;

labelled_tally tally; /* labelled with the parameters */

struct places {
    std::vector<double> x, y;

    void add(const places &other, std::size_t i)
    {
        x.push_back(other.x[i]);
        y.push_back(other.y[i]);
    }
};

/* In a square of this side about the middle of the data, whose side is 1. */
places draw(std::size_t count, double side, shepard_random *random)
{
    places drawn;
    const auto one = [&] { return 0.5 + side * (shepard_random_uniform(random) - 0.5); };
    for (std::size_t i = 0; i < count; i++) {
        drawn.x.push_back(one());
        drawn.y.push_back(one());
    }
    return drawn;
}

class field
{
  public:
    field(const places &data, shepard_random *random)
        : points_(make_points(data.x, data.y, SHEPARD_BACKEND_CUDA))
    {
        const std::size_t n = data.x.size();
        std::vector<double> numbers(columns * n);
        for (double &number : numbers)
            number = shepard_random_uniform(random);
        shepard_array arrays[columns];
        for (std::size_t c = 0; c < columns; c++)
            arrays[c] = shepard_doubles(numbers.data() + c * n);
        shepard_values values = {};
        values.size = sizeof values;
        values.column_count = columns;
        values.columns = arrays;
        shepard_error error;
        require(shepard_field_create(points_.get(), &values, &field_, &error), error);
    }
    field(const field &) = delete;
    field &operator=(const field &) = delete;
    ~field() { shepard_field_free(field_); }

    /* [columns, targets] */
    std::vector<double> predict(const shepard_parameters &parameters, const places &at,
                                shepard_work *work) const
    {
        const std::size_t m = at.x.size();
        std::vector<double> found(columns * m);
        shepard_targets targets = {};
        targets.size = sizeof targets;
        targets.count = m;
        targets.x = shepard_doubles(at.x.data());
        targets.y = shepard_doubles(at.y.data());
        shepard_output_array arrays[columns];
        for (std::size_t c = 0; c < columns; c++)
            arrays[c] = shepard_output_doubles(found.data() + c * m);
        shepard_output output = {};
        output.size = sizeof output;
        output.values = arrays;
        shepard_control control = {};
        control.size = sizeof control;
        control.work = work;
        control.notice = [](const char *notice, void *) { tally.check(false, notice); };
        shepard_error error;
        require(shepard_predict(field_, &parameters, &targets, &output, &control, &error), error);
        return found;
    }

  private:
    owned_points points_;
    shepard_field *field_ = nullptr;
};

/* Targets that stand alone, beyond the data, are one group each, in waves after those of cells.
 * full: lists of cells do not hold all points. */
void run(const char *text, bool full, const field &on, const places &within, const places &beyond)
{
    const std::size_t m = within.x.size(), more = beyond.x.size();
    tally.label = text;
    shepard_parameters parameters;
    shepard_error error;
    shepard_work work = {}, work_of_all = {};
    shepard_parameters_init(&parameters);
    require(shepard_parameters_parse(text, &parameters, nullptr, &error), error);
    places all;
    for (std::size_t i = 0; i < more; i++) {
        if (i < m)
            all.add(within, i);
        all.add(beyond, i);
    }
    const std::vector<double> first = on.predict(parameters, within, &work);
    const std::vector<double> second = on.predict(parameters, beyond, nullptr);
    const std::vector<double> both = on.predict(parameters, all, &work_of_all);
    const double listed = (work.pairs + work.nodes) / (double)m;
    std::printf("%s: %.0f points and nodes a target\n", text, listed);
    tally.check(!full || work.pairs / (double)m > shepard::points_full, "no list was full");
    tally.check(work_of_all.nodes > work.nodes, "targets beyond the data took no nodes");
    for (std::size_t c = 0; c < columns; c++)
        for (std::size_t i = 0; i < more; i++) {
            const double *const got = both.data() + c * (m + more) + (i < m ? 2 * i : m + i);
            const bool same = (i >= m || std::memcmp(got, &first[c * m + i], sizeof *got) == 0) &&
                              std::memcmp(got + (i < m), &second[c * more + i], sizeof *got) == 0;
            tally.check(same, "other targets in the call changed a prediction");
        }
}

int run_all(std::uint64_t seed)
{
    shepard_random random = {seed};
    std::printf("seed %llu\n", (unsigned long long)seed);
    const places data = draw(60000, 1, &random);
    const field on(data, &random);
    const places within = draw(20000, 1, &random);
    places beyond;
    for (const places some = draw(90000, 20, &random); beyond.x.size() < 2 * shepard::wave_groups;)
        for (std::size_t i = 0; i < some.x.size() && beyond.x.size() < 2 * shepard::wave_groups;
             i++)
            if (some.x[i] < -3 || some.x[i] > 4)
                beyond.add(some, i);
    run("idw:power=9:eps=1e-12:precision=double", true, on, within, beyond);
    run("idw:power=9:smoothing=0.01:eps=1e-12:precision=double", true, on, within, beyond);
    run("aidw:eps=1e-4:precision=single", false, on, within, beyond);
    run("aidw:eps=1e-4:degree=1", false, on, within, beyond);
    std::printf("waves: %ld passed, %ld failed\n", tally.passed, tally.failed);
    return tally.failed == 0 ? 0 : 1;
}

} // namespace

int main(int count, char **arguments)
{
    const std::uint64_t seed = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 1;
    return run_on_device([&] { return run_all(seed); });
}
