/* SPDX-License-Identifier: MIT */
/* Products of matrices on the device: the bits of fused multiply-adds one after the other, alone or
 * two at a time. Sums of a target would else depend on which others there are.
 *
 *     test_products [SEED]
 */
#include "on_device.cuh"

#include "cuda/launch.cuh"
#include "cuda/matrix_product.cuh"

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

constexpr int trials = 400, columns = 8, steps = 2, terms = 4 * steps;

struct trial {
    double a[16][terms], b[terms][columns], c[16][columns];
    double alone[16][columns], paired[16][columns]; /* found */
};

__global__ void multiply(trial *all)
{
    trial &own = all[blockIdx.x];
    const int lane = (int)threadIdx.x, row = lane / 4, column = 2 * (lane % 4);
    double alone[2][2], paired[2][2];
    for (int half = 0; half < 2; half++)
        for (int j = 0; j < 2; j++)
            alone[half][j] = paired[half][j] = own.c[8 * half + row][column + j];
    for (int step = 0; step < steps; step++) {
        const int k = 4 * step + lane % 4;
        const double first = own.a[row][k], second = own.a[8 + row][k], b = own.b[k][row];
        add_product(first, b, alone[0]);
        add_product(second, b, alone[1]);
        add_two_products(first, second, b, paired[0], paired[1]);
    }
    for (int half = 0; half < 2; half++)
        for (int j = 0; j < 2; j++) {
            own.alone[8 * half + row][column + j] = alone[half][j];
            own.paired[8 * half + row][column + j] = paired[half][j];
        }
}

void fill(double *numbers, int count, struct chance *chance)
{
    for (int i = 0; i < count; i++)
        numbers[i] = chance_range(chance, -1, 1) * std::exp2(chance_range(chance, -20, 20));
}

int check_all(unsigned long seed)
{
    std::printf("seed %lu\n", seed);
    struct chance chance = {seed};
    std::vector<trial> all(trials);
    for (trial &one : all) {
        fill(one.a[0], 16 * terms, &chance);
        fill(one.b[0], terms * columns, &chance);
        fill(one.c[0], 16 * columns, &chance);
    }
    change_on_device(
        all, [&](trial *there, cudaStream_t in) { multiply<<<trials, 32, 0, in>>>(there); });
    long passed = 0, failed = 0;
    for (const trial &one : all)
        for (int i = 0; i < 16; i++)
            for (int j = 0; j < columns; j++) {
                double want = one.c[i][j];
                for (int k = 0; k < terms; k++)
                    want = std::fma(one.a[i][k], one.b[k][j], want);
                (one.alone[i][j] == want ? passed : failed)++;
                (one.paired[i][j] == want ? passed : failed)++;
            }
    std::printf("%ld passed, %ld failed\n", passed, failed);
    return failed > 0;
}

} // namespace

int main(int argc, char **argv)
{
    return run_on_device(
        [&] { return check_all(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 19900101); });
}
