/* SPDX-License-Identifier: MIT */
#include "backend/cuda/arrays.cuh"

#include "backend/cuda/address.cuh"
#include "backend/cuda/staging.cuh"
#include "backend/cuda/use_device.cuh"
#include "cuda/launch.cuh"

#include <algorithm>

namespace shepard
{

/* ---- kernels --------------------------------------------------------------------------------- */

namespace
{

constexpr int threads = 256;

struct result_view {
    char *first;
    std::ptrdiff_t stride;
    bool single;
};

__global__ void write_numbers(const double *from, std::size_t count, result_view to)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (i >= count)
        return;
    char *const at = to.first + (std::ptrdiff_t)i * to.stride;
    if (to.single)
        *reinterpret_cast<float *>(at) = (float)from[i];
    else
        *reinterpret_cast<double *>(at) = from[i];
}

__global__ void read_numbers(number_view from, std::size_t count, double *to)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (i < count)
        to[i] = number_at(from, i);
}

/* Elements as they are, from one stride to another. */
template <class Word>
__global__ void move_words(const char *from, std::ptrdiff_t from_stride, std::size_t count,
                           char *to, std::ptrdiff_t to_stride)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (i < count)
        *reinterpret_cast<Word *>(to + (std::ptrdiff_t)i * to_stride) =
            *reinterpret_cast<const Word *>(from + (std::ptrdiff_t)i * from_stride);
}

struct bounds {
    double low, high;
};

__global__ void find_first(number_view in, number_view beside, std::size_t count, bounds within,
                           unsigned long long *first)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (i >= count)
        return;
    const double a = number_at(in, i);
    const bool found = a != 0 && a >= within.low && a < within.high;
    if (found && (beside.first == nullptr || isfinite(number_at(beside, i))))
        atomicMin(first, (unsigned long long)i);
}

/* ---- addresses ------------------------------------------------------------------------------- */

std::size_t size_of(shepard_type type)
{
    return type == SHEPARD_FLOAT32 ? sizeof(float) : sizeof(double);
}

/* The device to read an address on; managed memory is every device's. */
int owner_of(const void *address)
{
    const cudaPointerAttributes attributes = attributes_of(address);
    return attributes.type == cudaMemoryTypeManaged ? current_device() : attributes.device;
}

/* The device of a stream; the current one's where it has none of its own, or CUDA cannot say. */
int device_of(cudaStream_t callers)
{
    int device = current_device();
#if CUDART_VERSION >= 12080
    if (callers != nullptr && callers != cudaStreamLegacy && callers != cudaStreamPerThread &&
        cudaStreamGetDevice(callers, &device) != cudaSuccess)
        (void)cudaGetLastError();
#else
    (void)callers;
#endif
    return device;
}

/* The device to wait on for a stream, in which an array is used. */
int device_to_wait_on(const void *address, cudaStream_t callers)
{
    const cudaPointerAttributes attributes = attributes_of(address);
    return attributes.type == cudaMemoryTypeManaged ? device_of(callers) : attributes.device;
}

shepard_array part_of(const shepard_array &array, std::size_t first)
{
    shepard_array part = array;
    part.data = static_cast<const char *>(array.data) + (std::ptrdiff_t)first * array.stride;
    return part;
}

number_view view_of(const shepard_array &array)
{
    return {static_cast<const char *>(array.data), array.stride, array.type == SHEPARD_FLOAT32};
}

void move_elements(const void *from, std::ptrdiff_t from_stride, std::size_t count,
                   std::size_t size, void *to, std::ptrdiff_t to_stride, cudaStream_t in)
{
    const char *const source = static_cast<const char *>(from);
    char *const target = static_cast<char *>(to);
    if (size == sizeof(float))
        move_words<std::uint32_t><<<blocks_for(count, threads), threads, 0, in>>>(
            source, from_stride, count, target, to_stride);
    else
        move_words<std::uint64_t><<<blocks_for(count, threads), threads, 0, in>>>(
            source, from_stride, count, target, to_stride);
    check_launch("copying an array");
}

} // namespace

bool is_of_device(const void *address)
{
    const cudaMemoryType type = attributes_of(address).type;
    return type == cudaMemoryTypeDevice || type == cudaMemoryTypeManaged;
}

/* ---- order ----------------------------------------------------------------------------------- */

lent_memory::lent_memory(const shepard_memory &memory, const void *any)
    : on_device_(memory.kind == SHEPARD_MEMORY_CUDA)
{
    if (!on_device_ || any == nullptr)
        return;
    const cudaStream_t callers = static_cast<cudaStream_t>(memory.stream);
    const use_device there(device_to_wait_on(any, callers));
    cudaStreamCaptureStatus capturing = cudaStreamCaptureStatusNone;
    check(cudaStreamIsCapturing(callers, &capturing), "looking at the stream of the arrays");
    if (capturing != cudaStreamCaptureStatusNone)
        fail(SHEPARD_ERROR_ARGUMENT, "it is capturing a graph: call outside of the capture");
    check(cudaEventCreateWithFlags(&ready_, cudaEventDisableTiming), "an event");
    const cudaError_t code = cudaEventRecord(ready_, callers);
    if (code == cudaSuccess)
        return;
    (void)cudaGetLastError();
    (void)cudaEventDestroy(ready_);
    fail(SHEPARD_ERROR_ARGUMENT,
         "it cannot be waited for (%s): give a stream of the device where the arrays lie",
         cudaGetErrorString(code));
}

lent_memory::~lent_memory()
{
    if (ready_ != nullptr)
        (void)cudaEventDestroy(ready_);
}

void lent_memory::follow(cudaStream_t in) const
{
    if (ready_ != nullptr)
        check(cudaStreamWaitEvent(in, ready_, 0), "waiting for the stream of the arrays");
}

/* ---- reading --------------------------------------------------------------------------------- */

taken::taken(const shepard_array &array, std::size_t first, std::size_t count,
             const lent_memory &memory, const stream &on)
{
    const shepard_array part = part_of(array, first);
    if (!memory.on_device()) {
        upload(part, count, on);
        return;
    }
    const int owner = owner_of(part.data);
    if (owner == current_device())
        view_ = view_of(part);
    else
        bring(part, count, owner, memory);
}

void taken::upload(const shepard_array &part, std::size_t count, const stream &on)
{
    const std::size_t size = size_of(part.type);
    uploaded_ = block<unsigned char>(count * size, on.get());
    char *const first = const_cast<char *>(static_cast<const char *>(part.data)); /* read only */
    upload_elements({first, part.stride, size}, count, uploaded_.get(), on);
    view_ = {reinterpret_cast<const char *>(uploaded_.get()), (std::ptrdiff_t)size,
             part.type == SHEPARD_FLOAT32};
}

void taken::bring(const shepard_array &part, std::size_t count, int owner,
                  const lent_memory &memory)
{
    const std::size_t size = size_of(part.type);
    const int here = current_device();
    brought_ = buffer<unsigned char>(count * size);
    const use_device there(owner);
    const stream across;
    memory.follow(across.get());
    const buffer<unsigned char> packed(count * size);
    move_elements(part.data, part.stride, count, size, packed.get(), (std::ptrdiff_t)size,
                  across.get());
    check(
        cudaMemcpyPeerAsync(brought_.get(), here, packed.get(), owner, count * size, across.get()),
        "copying an array to another device");
    across.wait("copying an array to another device");
    view_ = {reinterpret_cast<const char *>(brought_.get()), (std::ptrdiff_t)size,
             part.type == SHEPARD_FLOAT32};
}

/* ---- writing --------------------------------------------------------------------------------- */

/* `from`: contiguous elements of some size on the current device, ready in a stream. */
static void send(const void *from, std::size_t size, std::size_t count, void *to,
                 std::ptrdiff_t stride, const lent_memory &memory, const stream &in)
{
    const std::size_t bytes = count * size;
    const int here = current_device(), owner = owner_of(to);
    const buffer<unsigned char> packed(bytes);
    check(cudaMemcpyAsync(packed.get(), from, bytes, cudaMemcpyDeviceToDevice, in.get()),
          "copying results to another device");
    in.wait("copying results to another device");
    const use_device there(owner);
    const stream across;
    memory.follow(across.get());
    const buffer<unsigned char> arrived(bytes);
    check(cudaMemcpyPeerAsync(arrived.get(), owner, packed.get(), here, bytes, across.get()),
          "copying results to another device");
    move_elements(arrived.get(), (std::ptrdiff_t)size, count, size, to, stride, across.get());
    across.wait("copying results to another device");
}

static void write_view(const double *from, std::size_t count, const result_view &to,
                       cudaStream_t in)
{
    write_numbers<<<blocks_for(count, threads), threads, 0, in>>>(from, count, to);
    check_launch("writing results");
}

void deliver(const shepard_output_array &to, std::size_t first, const double *from,
             std::size_t count, const lent_memory &memory, const stream &in)
{
    if (to.data == nullptr || count == 0)
        return;
    const bool single = to.type == SHEPARD_FLOAT32;
    const std::size_t size = size_of(to.type);
    shepard_output_array part = to;
    part.data = static_cast<char *>(to.data) + (std::ptrdiff_t)first * to.stride;
    if (memory.on_device() && owner_of(part.data) == current_device()) {
        write_view(from, count, {static_cast<char *>(part.data), part.stride, single}, in.get());
        return;
    }
    block<float> rounded;
    const void *source = from;
    if (single) {
        rounded = block<float>(count, in.get());
        write_view(from, count,
                   {reinterpret_cast<char *>(rounded.get()), (std::ptrdiff_t)size, true}, in.get());
        source = rounded.get();
    }
    if (memory.on_device())
        send(source, size, count, part.data, part.stride, memory, in);
    else
        download_elements(source, count, {static_cast<char *>(part.data), part.stride, size}, in);
}

void deliver_indices(std::uint32_t *to, std::size_t first, const std::uint32_t *from,
                     std::size_t count, const lent_memory &memory, const stream &in)
{
    if (to == nullptr || count == 0)
        return;
    std::uint32_t *const part = to + first;
    const bool away = memory.on_device() && owner_of(part) != current_device();
    if (away)
        send(from, sizeof *from, count, part, sizeof *from, memory, in);
    else if (memory.on_device())
        check(cudaMemcpyAsync(part, from, count * sizeof *from, cudaMemcpyDeviceToDevice, in.get()),
              "writing results");
    else
        download_elements(from, count, {reinterpret_cast<char *>(part), sizeof *part, sizeof *part},
                          in);
}

/* ---- the host's copies ----------------------------------------------------------------------- */

namespace
{

/* Elements copied at a time: this is done where little of the device's memory is left. */
constexpr std::size_t piece = std::size_t{1} << 20;

} // namespace

std::vector<double> bring_to_host(const shepard_array &array, std::size_t count,
                                  const shepard_memory &memory)
{
    std::vector<double> numbers(count);
    const use_device there(owner_of(array.data));
    const lent_memory lent(memory, array.data);
    const stream in;
    lent.follow(in.get());
    block<double> wide(std::min(count, piece), in.get());
    for (std::size_t first = 0; first < count; first += piece) {
        const std::size_t part = std::min(piece, count - first);
        read_numbers<<<blocks_for(part, threads), threads, 0, in.get()>>>(
            view_of(part_of(array, first)), part, wide.get());
        check_launch("copying an array to the host");
        check(cudaMemcpyAsync(&numbers[first], wide.get(), part * sizeof(double),
                              cudaMemcpyDeviceToHost, in.get()),
              "copying an array to the host");
    }
    in.wait("copying an array to the host");
    return numbers;
}

void send_from_host(const std::vector<double> &from, const shepard_output_array &to,
                    const shepard_memory &memory)
{
    const use_device there(owner_of(to.data));
    const lent_memory lent(memory, to.data);
    const stream in;
    lent.follow(in.get());
    block<double> numbers(std::min(from.size(), piece), in.get());
    for (std::size_t first = 0; first < from.size(); first += piece) {
        const std::size_t part = std::min(piece, from.size() - first);
        check(cudaMemcpyAsync(numbers.get(), &from[first], part * sizeof(double),
                              cudaMemcpyHostToDevice, in.get()),
              "copying results to the device");
        deliver(to, first, numbers.get(), part, lent, in);
    }
    in.wait("copying results to the device");
}

void send_indices_from_host(const std::vector<std::uint32_t> &from, std::uint32_t *to,
                            const shepard_memory &memory)
{
    const use_device there(owner_of(to));
    const lent_memory lent(memory, to);
    const stream in;
    lent.follow(in.get());
    check(cudaMemcpyAsync(to, from.data(), from.size() * sizeof *to, cudaMemcpyHostToDevice,
                          in.get()),
          "copying results to the device");
    in.wait("copying results to the device");
}

std::size_t find_between(const shepard_array &array, const shepard_array &beside, std::size_t count,
                         double low, double high, const shepard_memory &memory)
{
    unsigned long long first = count;
    const use_device there(owner_of(array.data));
    const lent_memory lent(memory, array.data);
    const stream in;
    lent.follow(in.get());
    block<unsigned long long> found(1, in.get());
    taken own(array, 0, count, lent, in), other;
    if (beside.data != nullptr)
        other = taken(beside, 0, count, lent, in);
    check(cudaMemcpyAsync(found.get(), &first, sizeof first, cudaMemcpyHostToDevice, in.get()),
          "looking at an array");
    find_first<<<blocks_for(count, threads), threads, 0, in.get()>>>(
        own.view(), other.view(), count, {low, high}, found.get());
    check_launch("looking at an array");
    check(cudaMemcpyAsync(&first, found.get(), sizeof first, cudaMemcpyDeviceToHost, in.get()),
          "looking at an array");
    in.wait("looking at an array");
    return first;
}

} // namespace shepard
