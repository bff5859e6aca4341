/* SPDX-License-Identifier: MIT */
/* IDW of 2014 with dynamic parallelism: a thread for each target launches a grid over the data,
 * whose blocks leave partial sums. A kernel can no longer wait for what it launched (CUDA has no
 * cudaDeviceSynchronize on devices of compute capability 9.0 or more), so either the last block of
 * a child to come in adds the blocks' sums and writes the result, or a grid does that starts when
 * all children of a parent grid are done. */
#include "brute_sums.cuh"
#include "device_task.cuh"

#include "cuda/buffer.cuh"

namespace shepard
{

/* Children that wait or run at one time, and what the device is told to keep room for. */
constexpr std::uint32_t batch_targets = 2048;
constexpr std::size_t pending_launches = 4096;

/* A thread of a child adds about so many points, in at most so many blocks. */
constexpr std::size_t points_of_thread = 8;
constexpr std::size_t child_blocks_max = 64;

/* Who adds a child's partial sums; without anyone the results are NaN. */
enum class adder { last_block, tail_grid, none };

template <class Real, int C> struct nested_work {
    kernel_data<Real, C> data;
    Real alpha;
    fixup_list list;
    Real *slots;       /* [batch_targets, blocks, C + 1]: w, z */
    unsigned *arrived; /* [batch_targets], 0 between children */
    int *failed;       /* a cudaError_t of a launch, or 0 */
    unsigned blocks;   /* of a child */

    __device__ Real *slots_of(std::uint32_t seat) const
    {
        return slots + (std::size_t)seat * blocks * (C + 1);
    }
};

/* The sum over the block's threads, in thread 0. */
template <class Real, int C>
__device__ inline void add_block(partial_sums<Real, C> &part, Real *space)
{
    for (int half = block_threads / 2; half > 0; half /= 2) {
#pragma unroll
        for (int c = 0; c <= C; c++)
            space[c * block_threads + threadIdx.x] = c == 0 ? part.w : part.z[c > 0 ? c - 1 : 0];
        __syncthreads();
        if ((int)threadIdx.x < half) {
            part.w = real_sum(part.w, space[threadIdx.x + half]);
#pragma unroll
            for (int c = 0; c < C; c++)
                part.z[c] =
                    real_sum(part.z[c], space[(c + 1) * block_threads + threadIdx.x + half]);
        }
        __syncthreads();
    }
}

/* The slots in their order, by one thread; other blocks wrote them, so past the first cache. */
template <class Real, int C>
__device__ inline void finish_child(const nested_work<Real, C> &work, const Real *slots,
                                    std::uint32_t target)
{
    target_sums<Real, C> total;
    for (unsigned block = 0; block < work.blocks; block++) {
        partial_sums<Real, C> part;
        const Real *slot = slots + (std::size_t)block * (C + 1);
        part.w = __ldcg(slot);
#pragma unroll
        for (int c = 0; c < C; c++)
            part.z[c] = __ldcg(slot + c + 1);
        total.add(part);
    }
    if (work.alpha <= limits<Real>::alpha && total.is_good())
        total.template write<false>(work.data, target);
    else
        fixup_later(work.list, target);
}

template <form F, adder A, class Real, int C>
__global__ void __launch_bounds__(block_threads)
    child(const __grid_constant__ nested_work<Real, C> work, std::uint32_t target,
          std::uint32_t seat)
{
    __shared__ Real space[(C + 1) * block_threads];
    const kernel_data<Real, C> &data = work.data;
    summand<Real, C> own;
    own.x = data.target_x[target];
    own.y = data.target_y[target];
    own.by = weight_function_of(work.alpha, Real(0));
    const global_view<false, Real, C> view{data, 0};
    const std::uint32_t step = work.blocks * block_threads;
    for (std::uint32_t i = blockIdx.x * block_threads + threadIdx.x; i < data.n; i += step)
        add_pair<F, false>(view, i, view.point(i), own);
    const bool good = __syncthreads_and(own.check.is_good());
    add_block(own.part, space);
    if (threadIdx.x > 0)
        return;
    Real *slots = work.slots_of(seat);
    Real *slot = slots + (std::size_t)blockIdx.x * (C + 1);
    slot[0] = good ? own.part.w : Real(NAN);
#pragma unroll
    for (int c = 0; c < C; c++)
        slot[c + 1] = own.part.z[c];
    if (A != adder::last_block)
        return;
    __threadfence();
    if (atomicAdd(&work.arrived[seat], 1u) + 1 < work.blocks)
        return;
    __threadfence();
    work.arrived[seat] = 0;
    finish_child(work, slots, target);
}

/* A thread for each target of a batch. */
template <class Real, int C>
__global__ void finish_batch(const nested_work<Real, C> work, std::uint32_t first,
                             std::uint32_t count)
{
    const std::uint32_t seat = blockIdx.x * blockDim.x + threadIdx.x;
    if (seat < count)
        finish_child(work, work.slots_of(seat), first + seat);
}

template <form F, adder A, class Real, int C>
__global__ void parent(const nested_work<Real, C> work, std::uint32_t first, std::uint32_t count)
{
    const std::uint32_t seat = blockIdx.x * blockDim.x + threadIdx.x;
    if (seat >= count)
        return;
    child<F, A>
        <<<work.blocks, block_threads, 0, cudaStreamFireAndForget>>>(work, first + seat, seat);
    if (A == adder::tail_grid && seat == 0)
        finish_batch<<<gridDim.x, blockDim.x, 0, cudaStreamTailLaunch>>>(work, first, count);
    const cudaError_t code = cudaGetLastError();
    if (code != cudaSuccess)
        atomicExch(work.failed, (int)code);
}

/* A parent is done when its children and the grid after them are, so batches follow one another in
 * the stream. */
template <form F, adder A, class Real, int C>
static void launch_batches(const sum_task<Real, C> &task, const nested_work<Real, C> &work)
{
    for (std::uint32_t first = 0; first < task.data.m;) {
        const std::uint32_t left = task.data.m - first;
        const std::uint32_t count = left < batch_targets ? left : batch_targets;
        parent<F, A><<<blocks_for(count, block_threads), block_threads, 0, task.on->get()>>>(
            work, first, count);
        check_launch("starting a grid of parents");
        first += count;
    }
}

template <form F, class Real, int C>
static void launch_form(const sum_task<Real, C> &task, const nested_work<Real, C> &work)
{
    const shepard_paper_scheme scheme = task.engine->scheme;
    if constexpr (std::is_same_v<Real, float>) {
        if (scheme == SHEPARD_PAPER_NESTED_TAIL) {
            launch_batches<F, adder::tail_grid>(task, work);
            return;
        }
        if (scheme == SHEPARD_PAPER_NESTED_OPEN) {
            check(cudaMemsetAsync(task.data.means, 0xff, sizeof(Real) * C * task.data.m,
                                  task.on->get()),
                  "NaN");
            launch_batches<F, adder::none>(task, work);
            return;
        }
    }
    launch_batches<F, adder::last_block>(task, work);
}

template <class Real, int C> void launch_nested(const sum_task<Real, C> &task)
{
    check(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, pending_launches),
          "making room for launches on the device");
    const std::size_t wanted = blocks_for(task.data.n, block_threads * points_of_thread);
    const std::size_t blocks = wanted < child_blocks_max ? wanted : child_blocks_max;
    const buffer<Real> slots(batch_targets * blocks * (C + 1));
    const buffer<unsigned> arrived(batch_targets);
    const buffer<int> failed(1);
    const cudaStream_t on = task.on->get();
    check(cudaMemsetAsync(arrived.get(), 0, batch_targets * sizeof(unsigned), on), "zeros");
    check(cudaMemsetAsync(failed.get(), 0, sizeof(int), on), "zeros");
    const nested_work<Real, C> work = {task.data,     task.by.alpha, task.list,       slots.get(),
                                       arrived.get(), failed.get(),  (unsigned)blocks};
    if (task.engine->square)
        launch_form<form::square>(task, work);
    else
        launch_form<form::uniform>(task, work);
    int code = 0;
    check(cudaMemcpyAsync(&code, failed.get(), sizeof code, cudaMemcpyDeviceToHost, on),
          "reading the launches' state");
    task.on->wait("sums by grids launched on the device");
    check((cudaError_t)code, "a launch on the device");
}

#define INSTANTIATE(Real, C) template void launch_nested<Real, C>(const sum_task<Real, C> &);
SHEPARD_FOR_EACH_TASK(INSTANTIATE)

} // namespace shepard
