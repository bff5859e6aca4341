/* SPDX-License-Identifier: MIT */
/* Local expansions against sums over the points: within the bound of docs/math.md (Eq. 29 with
 * Eq. 49), and falling with the distance as the first dropped degree does.
 *
 *     test_local [SEED]
 */
#include "expansion_tests.cuh"
#include "on_device.cuh"

#include "backend/cuda/local_expansion.cuh"

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

constexpr int points_most = 16, targets = 4, trials = 4000;

/* A node, the middle of a cell and targets round it. */
struct scene {
    int points;
    double x[points_most], y[points_most], charge[points_most];
    far_node node;
    anchor middle;
    double radius; /* of the cell */
    double power, exponent;
    double target_x[targets], target_y[targets];
    float moments[local_coefficients];
    float sum[targets]; /* found */
};

__global__ void expand(scene *scenes, int count, const __grid_constant__ local_table table)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= count)
        return;
    scene &own = scenes[i];
    float moments[local_coefficients], numbers[local_coefficients] = {};
    for (int k = 0; k < local_coefficients; k++)
        moments[k] = own.moments[k];
    add_node(table, see_from(own.middle, own.node, own.power / 2, own.exponent), moments, numbers);
    for (int k = 0; k < targets; k++) {
        const spot<float> at = spot<float>::at(own.middle, own.target_x[k], own.target_y[k]);
        own.sum[k] = sum_at(at, numbers);
    }
}

/* ---- on the host ----------------------------------------------------------------------------- */

/* t: the cell's and the node's radius together over their distance. */
scene draw(double power, double t, struct chance *chance)
{
    scene s = {};
    s.power = power;
    s.points = 1 + (int)chance_below(chance, points_most);
    const double rho = std::exp2(chance_range(chance, -6, 2)), part = chance_unit(chance);
    s.node.scale = rho;
    s.node.x = chance_range(chance, -1, 1);
    s.node.y = chance_range(chance, -1, 1);
    s.radius = rho * part / (1 - part + 0x1p-10);
    const double far = (rho + s.radius) / t, turn = chance_range(chance, 0, 6.3);
    s.middle = {s.node.x + far * std::cos(turn), s.node.y + far * std::sin(turn),
                std::exp2((double)chance_below(chance, 12) - 6)};
    s.exponent = power * std::log2(far);
    for (int i = 0; i < s.points; i++) {
        const double r = rho * std::sqrt(chance_unit(chance)), at = chance_range(chance, 0, 6.3);
        s.x[i] = s.node.x + r * std::cos(at);
        s.y[i] = s.node.y + r * std::sin(at);
        s.charge[i] = chance_range(chance, -1, 1);
    }
    for (int k = 0; k < targets; k++) {
        const double r = s.radius * std::sqrt(chance_unit(chance));
        const double at = chance_range(chance, 0, 6.3);
        s.target_x[k] = s.middle.x + r * std::cos(at);
        s.target_y[k] = s.middle.y + r * std::sin(at);
    }
    fill_moments(s.node, s.points, s.x, s.y, s.charge, local_order, s.moments);
    return s;
}

double exact(const scene &s, int target)
{
    long double sum = 0;
    for (int i = 0; i < s.points; i++) {
        const long double dx = (long double)s.target_x[target] - s.x[i];
        const long double dy = (long double)s.target_y[target] - s.y[i];
        sum += s.charge[i] * powl(dx * dx + dy * dy, -s.power / 2);
    }
    return (double)(sum * exp2l(s.exponent));
}

/* Of the weights' sum: dropped degrees (Eq. 29) and rounding (Eq. 49). */
double bound_of(const scene &s, double t)
{
    double charge = 0, term = 1, rounding = 12;
    for (int i = 0; i < s.points; i++)
        charge += std::fabs(s.charge[i]);
    for (int l = 0; l <= local_order; l++) {
        rounding += term * (10 * l + 36 + 1);
        term *= (s.power + l) / (l + 1) * t;
    }
    const double g = std::fmax(1, (local_order + 1 + s.power) / (local_order + 2));
    return charge * (term / (1 - g * t) + 0x1p-24 * rounding);
}

/* ---- checks ---------------------------------------------------------------------------------- */

struct tally {
    long passed = 0, failed = 0;

    void check(bool good, const char *what, double power, double t)
    {
        (good ? passed : failed)++;
        if (!good && failed <= 20)
            std::printf("FAILED: power %g, t %g: %s\n", power, t, what);
    }
};

/* The median of errors relative to the charges; all are checked against the bound. */
double median_error(double power, double t, struct chance *chance, tally *tally)
{
    std::vector<scene> scenes;
    for (int i = 0; i < trials; i++)
        scenes.push_back(draw(power, t, chance));
    change_on_device(scenes, [&](scene *there, cudaStream_t in) {
        expand<<<blocks_for(trials, 64), 64, 0, in>>>(there, trials, local_table_of(power));
    });
    std::vector<double> errors;
    for (const scene &s : scenes)
        for (int k = 0; k < targets; k++) {
            const double error = std::fabs((double)s.sum[k] - exact(s, k));
            tally->check(error <= bound_of(s, t), "beyond the bound", power, t);
            errors.push_back(error);
        }
    return median_of(errors);
}

int check_all(unsigned long seed)
{
    std::printf("seed %lu\n", seed);
    struct chance chance = {seed};
    tally tally;
    for (const double power : {0.3, 1.0, 2.0, 3.5, 5.0, 8.0}) {
        for (const double t : {0.02, 0.1, 0.2})
            (void)median_error(power, t, &chance, &tally);
        const double near = median_error(power, 0.45, &chance, &tally);
        const double far = median_error(power, 0.3, &chance, &tally);
        const double fall = std::log(near / far) / std::log(0.45 / 0.3);
        std::printf("power %g: the error falls as distance^-%.2f\n", power, fall);
        /* Below, rounding is not little relative to what is dropped. */
        if (power >= 1)
            tally.check(fall > local_order + 0.5, "falls too slowly", power, 0.3);
    }
    std::printf("%ld passed, %ld failed\n", tally.passed, tally.failed);
    return tally.failed > 0;
}

} // namespace

int main(int argc, char **argv)
{
    return run_on_device(
        [&] { return check_all(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 20151108); });
}
