/* SPDX-License-Identifier: MIT */
/* Local expansions of planes against sums over the points: each of the nine sums within the bound
 * of docs/math.md (Eq. 35a with Eq. 49), and falling with the distance as the first dropped degree
 * does.
 *
 *     test_plane_expansion [SEED]
 */
#include "expansion_tests.cuh"
#include "on_device.cuh"

#include "backend/cuda/plane_expansion_kernels.cuh"

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

constexpr int points_most = 16, nodes = 5, targets = 4, trials = 1000;
constexpr int moment_order = plane_order + degrees_more;
constexpr int stride = moments_apart(moment_order);

/* Nodes round the middle of a cell and targets in it. */
struct scene {
    int points[nodes];
    double x[nodes][points_most], y[nodes][points_most];
    double charge[nodes][2][points_most]; /* q, q z' */
    far_node node[nodes];
    alignas(16) double moments[nodes][2][stride];
    anchor middle;
    double radius; /* of the cell */
    double power, exponent;
    spot<double> origin;
    double target_x[targets], target_y[targets];
    double sum[targets][plane_sets]; /* found */
};

__device__ double sum_at(plane_terms &terms, int set, const spot<double> &at)
{
    double sum = 0, re = 1, im = 0;
    for (int m = 0; m <= plane_order; m++) {
        double h = 1;
        for (int k = 0; m + 2 * k <= plane_order; k++) {
            const double *const own = terms.at(set, m, k);
            sum += h * (re * own[0] + im * own[1]);
            h *= at.x * at.x + at.y * at.y;
        }
        const double next = re * at.x - im * at.y;
        im = re * at.y + im * at.x;
        re = next;
    }
    return sum;
}

__global__ void __launch_bounds__(expansion_threads)
    expand(scene *scenes, const __grid_constant__ product_table table)
{
    extern __shared__ __align__(16) unsigned char shared[];
    __shared__ plane_terms terms;
    __shared__ std::uint32_t number[nodes];
    scene &own = scenes[blockIdx.x];
    if (threadIdx.x < nodes)
        number[threadIdx.x] = threadIdx.x;
    __syncthreads();
    far_view<double> far = {};
    far.nodes = own.node;
    far.charges = 2;
    far.moments = &own.moments[0][0][0];
    far.stride = stride;
    all_points_job total = {};
    total.columns = 1;
    total.plane.box = {own.origin.x, own.origin.x, own.origin.y, own.origin.y};
    expand_nodes(total, table, far, number, nodes, own.middle, own.power, own.exponent,
                 reinterpret_cast<expansion_room *>(shared), terms);
    __syncthreads();
    const int k = (int)threadIdx.x / plane_sets, set = (int)threadIdx.x % plane_sets;
    if (k < targets)
        own.sum[k][set] =
            sum_at(terms, set, spot<double>::at(own.middle, own.target_x[k], own.target_y[k]));
}

/* ---- on the host ----------------------------------------------------------------------------- */

/* At (rho + B) / R = t. */
void draw_node(scene *s, int node, double t, struct chance *chance)
{
    far_node &own = s->node[node];
    own.scale = s->radius * std::exp2(chance_range(chance, -5, 3));
    const double far = (own.scale + s->radius) / t, turn = chance_range(chance, 0, 6.3);
    own.x = s->middle.x + far * std::cos(turn);
    own.y = s->middle.y + far * std::sin(turn);
    s->points[node] = 1 + (int)chance_below(chance, points_most);
    for (int i = 0; i < s->points[node]; i++) {
        const double r = own.scale * std::sqrt(chance_unit(chance));
        const double at = chance_range(chance, 0, 6.3);
        s->x[node][i] = own.x + r * std::cos(at);
        s->y[node][i] = own.y + r * std::sin(at);
        s->charge[node][0][i] = chance_range(chance, 0.1, 1);
        s->charge[node][1][i] = s->charge[node][0][i] * chance_range(chance, -1, 1);
    }
    for (int charge = 0; charge < 2; charge++)
        fill_moments(own, s->points[node], s->x[node], s->y[node], s->charge[node][charge],
                     moment_order, s->moments[node][charge]);
}

scene draw(double power, double t, struct chance *chance)
{
    scene s = {};
    s.power = power;
    s.radius = std::exp2(chance_range(chance, -6, 2));
    s.middle = {chance_range(chance, -1, 1), chance_range(chance, -1, 1),
                std::exp2((double)chance_below(chance, 12) - 6)};
    s.exponent = -power * std::log2(s.radius / t);
    s.origin = {s.middle.x + chance_range(chance, -1, 1) * s.radius,
                s.middle.y + chance_range(chance, -1, 1) * s.radius};
    for (int node = 0; node < nodes; node++)
        draw_node(&s, node, t, chance);
    for (int k = 0; k < targets; k++) {
        const double r = s.radius * std::sqrt(chance_unit(chance));
        const double at = chance_range(chance, 0, 6.3);
        s.target_x[k] = s.middle.x + r * std::cos(at);
        s.target_y[k] = s.middle.y + r * std::sin(at);
    }
    return s;
}

/* A sum, and that of the sizes of what it adds up; and of what these are parts of: products of
 * charges, of which one may be near the origin, with squares of a node's distance. */
struct exact_sum {
    long double sum = 0, sizes = 0, whole = 0;
};

exact_sum exact(const scene &s, int target, int set)
{
    exact_sum found;
    for (int node = 0; node < nodes; node++)
        for (int i = 0; i < s.points[node]; i++) {
            const long double x = (long double)s.x[node][i] - s.origin.x;
            const long double y = (long double)s.y[node][i] - s.origin.y;
            const long double part[plane_sets] = {1, x, y, x * x, x * y, y * y, 1, x, y};
            const long double dx = (long double)s.target_x[target] - s.x[node][i];
            const long double dy = (long double)s.target_y[target] - s.y[node][i];
            const long double weight =
                powl(dx * dx + dy * dy, -s.power / 2) * exp2l((long double)-s.exponent);
            const int degree = set % plane_of_weights == 0 ? 0 : set >= 3 && set < 6 ? 2 : 1;
            const double charge = s.charge[node][set >= plane_of_weights][i];
            found.sum += charge * part[set] * weight;
            found.sizes += fabsl(charge * part[set] * weight);
            found.whole += s.charge[node][0][i] * weight * powl(x * x + y * y, degree / 2.0L);
        }
    return found;
}

/* Eq. 35a. */
double dropped(double power, double t)
{
    double c = 1;
    for (int l = 0; l <= plane_order; l++)
        c *= (power + l) / (l + 1) * t;
    return c * std::pow(1 + t, std::fmax(power - 1, 1)) * std::pow(1 - t, std::fmin(power - 2, 0));
}

/* ---- checks ---------------------------------------------------------------------------------- */

struct tally {
    long passed = 0, failed = 0;

    void check(bool good, const char *what, double power, double t, int set)
    {
        (good ? passed : failed)++;
        if (!good && failed <= 20)
            std::printf("FAILED: power %g, t %g, sum %d: %s\n", power, t, set, what);
    }
};

void expand_all(std::vector<scene> &scenes, double power)
{
    constexpr int bytes = expansion_warps * (int)sizeof(expansion_room);
    check(cudaFuncSetAttribute(expand, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
          "planning");
    change_on_device(scenes, [&](scene *there, cudaStream_t in) {
        expand<<<(unsigned)scenes.size(), expansion_threads, bytes, in>>>(there, table_of(power));
    });
}

/* The median of errors relative to the sizes; all are checked against the bound, and what 900
 * roundings come to. */
double median_error(double power, double t, struct chance *chance, tally *tally)
{
    std::vector<scene> scenes;
    for (int i = 0; i < trials; i++)
        scenes.push_back(draw(power, t, chance));
    expand_all(scenes, power);
    std::vector<double> errors;
    for (const scene &s : scenes)
        for (int k = 0; k < targets; k++)
            for (int set = 0; set < plane_sets; set++) {
                const exact_sum want = exact(s, k, set);
                const double error = (double)fabsl(s.sum[k][set] - want.sum);
                const double bound = dropped(power, t) * (double)want.sizes;
                tally->check(error <= bound + 900 * 0x1p-53 * (double)want.whole,
                             "beyond the bound", power, t, set);
                errors.push_back(error / (double)want.sizes);
            }
    return median_of(errors);
}

int check_all(unsigned long seed)
{
    std::printf("seed %lu\n", seed);
    struct chance chance = {seed};
    tally tally;
    for (const double power : {0.3, 1.0, 2.0, 3.5, 5.0, 8.0}) {
        for (const double t : {0.02, 0.1})
            (void)median_error(power, t, &chance, &tally);
        const double near = median_error(power, 0.35, &chance, &tally);
        const double far = median_error(power, 0.2, &chance, &tally);
        const double fall = std::log(near / far) / std::log(0.35 / 0.2);
        std::printf("power %g: the error falls as distance^-%.2f\n", power, fall);
        tally.check(fall > plane_order + 0.5, "falls too slowly", power, 0.2, 0);
    }
    std::printf("%ld passed, %ld failed\n", tally.passed, tally.failed);
    return tally.failed > 0;
}

} // namespace

int main(int argc, char **argv)
{
    return run_on_device(
        [&] { return check_all(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 20261127); });
}
