/* SPDX-License-Identifier: MIT */
/* Powers of ratios on the device against the C library's long double: in double, within what
 * docs/math/rounding.md leaves them of a weight's error: (2.3 lambda + 2 + 1.39 l) v for a weight
 * of 2^-l, the other 5 lambda being the squared distances'; and coarse ones, within their bound.
 *
 *     test_powers [SEED]
 */
#include "on_device.cuh"

#include "backend/cuda/coarse_power.cuh"
#include "backend/cuda/ratio_power.cuh"
#include "cuda/launch.cuh"

extern "C" {
#include "chance.h"
}

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

using namespace shepard;

namespace
{

struct trial {
    double lambda, a, b;
    double power, coarse; /* found */
};

__global__ void raise(trial *trials, std::size_t count)
{
    const std::size_t i = (std::size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    trials[i].power = power_of_ratio(trials[i].lambda, trials[i].a, trials[i].b);
    trials[i].coarse = coarse_power(trials[i].lambda, trials[i].a).of(trials[i].b);
}

/* ---- on the host ----------------------------------------------------------------------------- */

struct tally {
    long passed = 0, failed = 0;
    double worst = 0; /* error over bound */

    void check(bool good, const char *what, const trial &of)
    {
        (good ? passed : failed)++;
        if (!good && failed <= 20)
            std::printf("FAILED: %s: (%a / %a)^%a is %a\n", what, of.a, of.b, of.lambda, of.power);
    }
};

void find(std::vector<trial> &trials)
{
    change_on_device(trials, [&](trial *there, cudaStream_t in) {
        raise<<<blocks_for(trials.size(), 256), 256, 0, in>>>(there, trials.size());
    });
}

void compare(const trial &of, tally *tally)
{
    const long double ratio = (long double)of.a / of.b;
    const double l = (double)(-of.lambda * log2l(ratio));
    if (l > 1020) {
        tally->check(of.power >= 0 && of.power < 0x1p-1019, "not small", of);
        return;
    }
    const long double exact = powl(ratio, of.lambda);
    const double error = (double)fabsl(of.power / exact - 1) * 0x1p53;
    const double bound = 2.3 * of.lambda + 2 + 1.39 * std::fabs(l);
    tally->worst = std::fmax(tally->worst, error / bound);
    tally->check(error <= bound, "beyond the bound", of);
}

void compare_coarse(const trial &of, tally *tally)
{
    const long double ratio = (long double)of.a / of.b;
    const double l = (double)(-of.lambda * log2l(ratio));
    if (l > 1010) {
        tally->check(of.coarse == 0, "coarse, not 0", of);
        return;
    }
    if (l > 990 && of.coarse == 0)
        return;
    const double error = (double)fabsl(of.coarse / powl(ratio, of.lambda) - 1);
    const double bound = coarse_power_error(of.lambda);
    tally->worst = std::fmax(tally->worst, error / bound);
    tally->check(error <= bound, "coarse, beyond the bound", of);
}

void compare_all(const std::vector<trial> &trials, const char *title, tally *tally)
{
    tally->worst = 0;
    for (const trial &one : trials)
        compare(one, tally);
    const double worst = tally->worst;
    tally->worst = 0;
    for (const trial &one : trials)
        if (one.lambda <= coarse_lambda_most)
            compare_coarse(one, tally);
    std::printf("%s: %.2f of the bound, coarse %.2f\n", title, worst, tally->worst);
}

/* Of ratios 2^-depth ... 1 and a little above. */
std::vector<trial> draw(double lambda, double depth, std::size_t count, struct chance *chance)
{
    std::vector<trial> trials;
    for (std::size_t i = 0; i < count; i++) {
        const double b = std::exp2(chance_range(chance, std::fmax(-900, depth - 1000), 900));
        const double ratio = std::exp2(chance_range(chance, -depth, 0.01));
        trials.push_back({lambda * chance_range(chance, 0.5, 1), b * ratio, b, 0, 0});
    }
    return trials;
}

/* Where the exponent changes, and at both ends of what the polynomials are for. */
std::vector<trial> edges()
{
    std::vector<trial> trials;
    for (const double middle : {0.5, 2 / 3.0, 0.75, 1.0, 4 / 3.0, 1.5})
        for (int step = -3; step <= 3; step++)
            for (const double b : {1.0, 4 / 3.0, 1.5, 2 - 0x1p-52, 0x1p-984, 0x1p984})
                for (const double lambda : {0.05, 0.5, 1.0, 1.75, 40.0})
                    trials.push_back({lambda, b * (middle + step * 0x1p-52), b, 0, 0});
    return trials;
}

void check_exact(tally *tally)
{
    std::vector<trial> trials;
    for (const double a : {0x1p-984, 0.1, 1.0, 0x1.fffffffffffffp0, 0x1p984}) {
        trials.push_back({1.7, a, a, 0, 0});
        trials.push_back({1, a / 1024, a, 0, 0});
        trials.push_back({600, a / 4, a, 0, 0});
    }
    find(trials);
    for (std::size_t i = 0; i < trials.size(); i += 3) {
        tally->check(trials[i].power == 1, "a number over itself", trials[i]);
        tally->check(trials[i + 1].power == 0x1p-10, "a power of two", trials[i + 1]);
        tally->check(trials[i + 2].power == 0, "below all numbers", trials[i + 2]);
    }
}

int check_all(unsigned long seed)
{
    std::printf("seed %lu\n", seed);
    struct chance chance = {seed};
    tally tally;
    for (const double lambda : {0.3, 1.0, 1.75, 4.0, 50.0})
        for (const double depth : {0.01, 1.0, 40.0, 80.0, 1000.0}) {
            std::vector<trial> trials = draw(lambda, depth, 100000, &chance);
            char title[64];
            std::snprintf(title, sizeof title, "lambda %g, ratios from 2^-%g", lambda, depth);
            find(trials);
            compare_all(trials, title, &tally);
        }
    std::vector<trial> trials = edges();
    find(trials);
    compare_all(trials, "edges", &tally);
    check_exact(&tally);
    std::printf("%ld passed, %ld failed\n", tally.passed, tally.failed);
    return tally.failed > 0;
}

} // namespace

int main(int argc, char **argv)
{
    return run_on_device(
        [&] { return check_all(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 19680801); });
}
