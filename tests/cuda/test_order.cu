/* SPDX-License-Identifier: MIT */
/* Numbers in the order of their keys: keys spread evenly, and runs of every length of those that
 * share their first bits, equal ones among them.
 *
 *     test_cuda_order [SEED]
 */
#include "on_device.cuh"

#include "backend/cuda/order.cuh"

extern "C" {
#include "chance.h"
}

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

using namespace shepard;

namespace
{

constexpr int bits = 62;
/* Keys of a run differ in these at most. */
constexpr int low_bits = 22;

/* Keys in runs of up to `most`, shuffled. distinct: last bits that are drawn. */
std::vector<std::uint64_t> draw_keys(std::size_t n, std::size_t most, int distinct,
                                     struct chance *chance)
{
    std::vector<std::uint64_t> keys;
    while (keys.size() < n) {
        const std::uint64_t first = chance_bits(chance) >> (64 - bits) >> low_bits << low_bits;
        const std::size_t length = 1 + chance_below(chance, most);
        for (std::size_t i = 0; i < length && keys.size() < n; i++)
            keys.push_back(first | chance_bits(chance) >> (64 - distinct));
    }
    for (std::size_t i = n; i > 1; i--)
        std::swap(keys[i - 1], keys[chance_below(chance, i)]);
    return keys;
}

/* By the device, equal keys in the order of their places. */
std::vector<std::uint32_t> order_on_device(const std::vector<std::uint64_t> &keys)
{
    const stream on;
    const std::size_t n = keys.size();
    std::vector<std::uint32_t> numbers(n);
    std::iota(numbers.begin(), numbers.end(), 0u);
    ordered order = {block<std::uint64_t>(n, on.get()), block<std::uint32_t>(n, on.get())};
    check(cudaMemcpyAsync(order.key.get(), keys.data(), order.key.bytes(), cudaMemcpyHostToDevice,
                          on.get()),
          "uploading");
    check(cudaMemcpyAsync(order.number.get(), numbers.data(), order.number.bytes(),
                          cudaMemcpyHostToDevice, on.get()),
          "uploading");
    order = sort_by_key(std::move(order), bits, on.get());
    check(cudaMemcpyAsync(numbers.data(), order.number.get(), order.number.bytes(),
                          cudaMemcpyDeviceToHost, on.get()),
          "downloading");
    on.wait("sorting");
    return numbers;
}

std::vector<std::uint32_t> order_on_host(const std::vector<std::uint64_t> &keys)
{
    std::vector<std::uint32_t> numbers(keys.size());
    std::iota(numbers.begin(), numbers.end(), 0u);
    std::stable_sort(numbers.begin(), numbers.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
    return numbers;
}

int test(unsigned long seed)
{
    struct chance chance = {seed};
    int passed = 0, failed = 0;
    std::printf("seed %lu\n", seed);
    /* From 2^20 on the first bits are one pass more. */
    for (const std::size_t n : {1, 2, 300, 20000, 300000, 2500000})
        for (const std::size_t most : {1, 24, 25, 60, 512, 514, 3000})
            for (const int distinct : {1, 7, low_bits}) {
                const std::vector<std::uint64_t> keys = draw_keys(n, most, distinct, &chance);
                const bool good = order_on_device(keys) == order_on_host(keys);
                (good ? passed : failed)++;
                if (!good)
                    std::printf("FAILED: %zu keys in runs of up to %zu, %d last bits\n", n, most,
                                distinct);
            }
    std::printf("order: %d passed, %d failed\n", passed, failed);
    return failed > 0;
}

} // namespace

int main(int argc, char **argv)
{
    const unsigned long seed = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1;
    return run_on_device([&] { return test(seed); });
}
