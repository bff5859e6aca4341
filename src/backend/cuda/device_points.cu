/* SPDX-License-Identifier: MIT */
#include "backend/cuda/device_points.cuh"

#include "backend/cuda/arrays.cuh"
#include "backend/cuda/use_device.cuh"

#include <atomic>

namespace shepard
{

/* The part of device memory that is kept for the next call. */
static constexpr std::size_t kept_part = 4;

/* Asking how much memory there is takes long: once for each device. */
static void keep_memory(int device)
{
    constexpr int devices_most = 64;
    static std::atomic<bool> asked[devices_most];
    if (device < devices_most && asked[device])
        return;
    cudaMemPool_t pool;
    check(cudaDeviceGetDefaultMemPool(&pool, device), "asking for device memory");
    keep_in_pool(pool, kept_part);
    if (device < devices_most)
        asked[device] = true;
}

void device_points::build_boxes()
{
    store_->show(&view_);
    if (in_space()) {
        space_boxes_ = std::make_unique<space_boxes>(view_, stream_->get());
        space_boxes_->fill(view_);
        return;
    }
    boxes_ = std::make_unique<boxes>(view_, stream_->get());
    boxes_->fill(view_);
}

device_points::device_points(int device, const shepard_coordinates &coordinates,
                             const shepard_stretch &stretch, shepard_geometry *facts,
                             shepard_timing *timing)
    : device_(device), given_count_(coordinates.count)
{
    const use_device here(device);
    keep_memory(device);
    stage_timer clock(true);
    stream_ = std::make_unique<stream>();
    store_ = std::make_unique<point_store>(coordinates, stretch, facts, *stream_, clock);
    if (facts->count == 0)
        return;
    clock.enter(&shepard_timing::tree, *stream_);
    build_boxes();
    clock.enter(nullptr, *stream_);
    stream_->wait("building the tree");
    clock.add_to(timing);
}

device_points::device_points(int device, const shepard_geometry &on_host, std::size_t given_count,
                             shepard_timing *timing)
    : device_(device), given_count_(given_count)
{
    const use_device here(device);
    keep_memory(device);
    stage_timer clock(true);
    stream_ = std::make_unique<stream>();
    const settled at_end(*stream_);
    clock.enter(&shepard_timing::upload, *stream_);
    store_ = std::make_unique<point_store>(on_host, *stream_);
    clock.enter(&shepard_timing::tree, *stream_);
    build_boxes();
    clock.enter(nullptr, *stream_);
    stream_->wait("building the tree");
    clock.add_to(timing);
}

device_points::device_points(const device_points &all, const bool *keep, shepard_geometry *facts)
    : device_(all.device_), given_count_(all.given_count_)
{
    const use_device here(device_);
    stream_ = std::make_unique<stream>();
    store_ = std::make_unique<point_store>(*all.store_, keep, given_count_, facts, *stream_);
    build_boxes();
    stream_->wait("building the tree");
}

/* The stream goes last: blocks are given back in it. */
device_points::~device_points()
{
    const use_device_quietly here(device_);
    divided_.reset();
    tree_.reset();
    cells_.reset();
    space_boxes_.reset();
    boxes_.reset();
    store_.reset();
    stream_.reset();
}

bool device_points::provide_division(bool with_tree, const stream &in)
{
    const std::lock_guard<std::mutex> one(making_);
    if (!divided_)
        divided_ = std::make_unique<event>();
    const bool any = !cells_ || (with_tree && !tree_);
    if (!cells_)
        cells_ = std::make_unique<cells>(view_, stream_->get());
    if (with_tree && !tree_)
        tree_ = std::make_unique<cell_tree>(view_.key, view_.n, *stream_);
    divided_->record(*stream_);
    check(cudaStreamWaitEvent(in.get(), divided_->get(), 0), "dividing the points");
    return any;
}

std::size_t device_points::bytes() const
{
    const std::lock_guard<std::mutex> one(making_);
    return store_->bytes() + (boxes_ ? boxes_->bytes() : 0) +
           (space_boxes_ ? space_boxes_->bytes() : 0) + (cells_ ? cells_->bytes() : 0) +
           (tree_ ? tree_->bytes() : 0);
}

template <class T> static void bring(T *to, const T *from, std::size_t count, cudaStream_t in)
{
    if (to != nullptr)
        check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToHost, in),
              "bringing the data points back");
}

void device_points::download(double *x, double *y, std::uint32_t *index) const
{
    const use_device here(device_);
    const cudaStream_t in = stream_->get();
    bring(x, view_.x, view_.n, in);
    bring(y, view_.y, view_.n, in);
    bring(index, view_.index, view_.n, in);
    stream_->wait("bringing the data points back");
}

} // namespace shepard
