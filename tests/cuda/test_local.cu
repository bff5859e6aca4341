/* SPDX-License-Identifier: MIT */
/* Local expansions against sums over the points: within the bound of docs/math.md (Eq. 29, 33b and
 * 49), and falling with the distance as the first dropped degree does.
 *
 *     test_local [SEED]
 */
#include "expansion_tests.cuh"
#include "on_device.cuh"

#include "backend/cuda/local_expansion.cuh"

extern "C" {
#include "chance.h"
#include "core/accuracy.h"
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
    double power, exponent, smoothing2;
    double target_x[targets], target_y[targets];
    float moments[local_coefficients];
    float sum[targets]; /* found */
};

template <class Node, class Table>
__global__ void expand(scene *scenes, int count, const __grid_constant__ Table table)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= count)
        return;
    scene &own = scenes[i];
    float moments[local_coefficients], numbers[local_coefficients] = {};
    for (int k = 0; k < local_coefficients; k++)
        moments[k] = own.moments[k];
    Node node(table, {own.middle, own.power / 2, own.exponent, own.smoothing2}, own.node);
    add_node(node, moments, numbers);
    for (int k = 0; k < targets; k++) {
        const spot<float> at = spot<float>::at(own.middle, own.target_x[k], own.target_y[k]);
        own.sum[k] = sum_at(at, numbers);
    }
}

/* ---- on the host ----------------------------------------------------------------------------- */

/* The part of a squared length that is distance (S): with smoothing any, also nothing or very
 * little of it, or nearly all. */
double draw_distance(bool smoothed, struct chance *chance)
{
    const double part[] = {0, 1e-30, 1e-9, 0.5, 1 - 1e-9, chance_unit(chance)};
    return smoothed ? part[chance_below(chance, 6)] : 1;
}

/* t: the cell's and the node's radius together over their distance and smoothing. */
scene draw(double power, double t, bool smoothed, struct chance *chance)
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
    const double distance = draw_distance(smoothed, chance), away = far * std::sqrt(distance);
    s.smoothing2 = far * far * (1 - distance);
    s.middle = {s.node.x + away * std::cos(turn), s.node.y + away * std::sin(turn),
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
        sum += s.charge[i] * powl(dx * dx + dy * dy + s.smoothing2, -s.power / 2);
    }
    return (double)(sum * exp2l(s.exponent));
}

/* Of the weights' sum: dropped degrees (Eq. 29) and rounding (Eq. 49, and 33a and 33b). */
double bound_of(const scene &s, double t)
{
    const bool smoothed = s.smoothing2 > 0;
    double charge = 0, term = 1, rounding = 12;
    for (int i = 0; i < s.points; i++)
        charge += std::fabs(s.charge[i]);
    for (int l = 0; l <= local_order; l++) {
        rounding +=
            smoothed
                ? term * ((13 * l + 43) * shepard_accuracy_summands(s.power, l) + std::sqrt(l + 1))
                : term * (10 * l + 36 + 1);
        term *= (s.power + l) / (l + 1) * t;
    }
    const double g = std::fmax(1, (local_order + 1 + s.power) / (local_order + 2));
    return charge * (term / (1 - g * t) + 0x1p-24 * rounding);
}

/* ---- checks ---------------------------------------------------------------------------------- */

struct tally {
    long passed = 0, failed = 0;

    void check(bool good, const char *what, double power, double t, bool smoothed)
    {
        (good ? passed : failed)++;
        if (!good && failed <= 20)
            std::printf("FAILED: power %g, t %g%s: %s\n", power, t, smoothed ? ", smoothed" : "",
                        what);
    }
};

void expand_all(std::vector<scene> &scenes, double power, bool smoothed)
{
    change_on_device(scenes, [&](scene *there, cudaStream_t in) {
        const auto run = [&](auto kernel, auto table) {
            fill(power, &table);
            kernel<<<blocks_for(trials, 64), 64, 0, in>>>(there, trials, table);
        };
        if (smoothed)
            run(expand<smoothed_node, smoothed_table>, smoothed_table{});
        else
            run(expand<plain_node, local_table>, local_table{});
    });
}

/* The median of errors relative to the charges; all are checked against the bound. */
double median_error(double power, double t, bool smoothed, struct chance *chance, tally *tally)
{
    std::vector<scene> scenes;
    for (int i = 0; i < trials; i++)
        scenes.push_back(draw(power, t, smoothed, chance));
    expand_all(scenes, power, smoothed);
    std::vector<double> errors;
    double most = 0;
    for (const scene &s : scenes)
        for (int k = 0; k < targets; k++) {
            const double error = std::fabs((double)s.sum[k] - exact(s, k)), bound = bound_of(s, t);
            tally->check(error <= bound, "beyond the bound", power, t, smoothed);
            errors.push_back(error);
            most = std::fmax(most, error / bound);
        }
    std::printf("power %g, t %g%s: at most %.3f of the bound\n", power, t,
                smoothed ? ", smoothed" : "", most);
    return median_of(errors);
}

void check_power(double power, bool smoothed, struct chance *chance, tally *tally)
{
    for (const double t : {0.02, 0.1, 0.2})
        (void)median_error(power, t, smoothed, chance, tally);
    const double near = median_error(power, 0.45, smoothed, chance, tally);
    const double far = median_error(power, 0.3, smoothed, chance, tally);
    const double fall = std::log(near / far) / std::log(0.45 / 0.3);
    std::printf("power %g%s: the error falls as distance^-%.2f\n", power,
                smoothed ? ", smoothed" : "", fall);
    /* Below, rounding is not little relative to what is dropped. */
    if (power >= 1)
        tally->check(fall > local_order + 0.5, "falls too slowly", power, 0.3, smoothed);
}

int check_all(unsigned long seed)
{
    std::printf("seed %lu\n", seed);
    struct chance chance = {seed};
    tally tally;
    for (const double power : {0.3, 1.0, 2.0, 3.5, 5.0, 8.0}) {
        check_power(power, false, &chance, &tally);
        check_power(power, true, &chance, &tally);
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
