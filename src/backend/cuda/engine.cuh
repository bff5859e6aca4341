/* SPDX-License-Identifier: MIT */
/* What the cuda backend holds of a model: its data on each device, and, where something is left to
 * the processor, a second engine there. */
#ifndef SHEPARD_BACKEND_CUDA_ENGINE_CUH
#define SHEPARD_BACKEND_CUDA_ENGINE_CUH

#include "backend/cuda/boxes.cuh"
#include "backend/cuda/cells.cuh"
#include "backend/cuda/far.cuh"
#include "backend/cuda/intake.cuh"
#include "backend/cuda/processor.cuh"
#include "backend/cuda/total.cuh"

extern "C" {
#include "backend/backend.h"
#include "core/accuracy.h"
}

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace shepard
{

/* Makes a device the current one, and the one before again at the end. */
class use_device
{
  public:
    explicit use_device(int device)
    {
        check(cudaGetDevice(&before_), "choosing a device");
        check(cudaSetDevice(device), "choosing a device");
    }
    use_device(const use_device &) = delete;
    use_device &operator=(const use_device &) = delete;
    ~use_device() { (void)cudaSetDevice(before_); }

  private:
    int before_ = 0;
};

/* Rules for the ranges of powers, on the host and on the device. */
struct rule_set {
    shepard_accuracy host[power_ranges] = {};
    block<shepard_accuracy> device;
};

/* One kind of sums over all points; nothing of it is made where every pair is summed. */
struct far_kind {
    rule_set rules;
    rule_set local; /* for local expansions; nothing where sums are in double */
    double power = 0, power_max = 0;
    std::unique_ptr<far_field<float>> single;
    std::unique_ptr<far_field<double>> precise;

    bool made() const { return single || precise; }
    std::size_t bytes() const
    {
        return (single ? single->bytes() : 0) + (precise ? precise->bytes() : 0);
    }
};

constexpr int far_kinds = 3; /* as charge_kind counts */

/* The data on one device. */
class holding
{
  public:
    /* Takes points in, and fills *facts. */
    holding(int device, const shepard_data &data, const shepard_stretch &stretch,
            shepard_points *facts, shepard_timing *timing);
    ~holding();

    /* Makes what predictions by these rules need. */
    void prepare(const shepard_rules &rules, shepard_timing *timing);
    /* Makes what a kind of sums needs, once: threads may ask at the same time. */
    const far_kind &provide(charge_kind kind, const shepard_rules &rules);

    int device() const { return device_; }
    const cloud_view &view() const { return view_; }
    const curve &along() const { return cloud_->along(); }
    const cells &division() const { return cells_; }
    std::size_t bytes() const;
    /* Points in the order of the curve, as the host would hold them; *points is to be freed, even
     * where this fails. */
    void download(const shepard_points &facts, shepard_points *points) const;

  private:
    void make(charge_kind kind, const shepard_rules &rules, far_kind *to);

    int device_;
    std::unique_ptr<stream> stream_;
    std::unique_ptr<cloud> cloud_;
    std::unique_ptr<boxes> boxes_;
    std::unique_ptr<cell_tree> tree_; /* where sums are within a tolerance */
    cells cells_;
    cloud_view view_ = {};
    std::mutex making_;
    far_kind kinds_[far_kinds];
};

/* What a model's points hold in elsewhere; none of it on a device: the processor does all. */
struct holdings {
    std::vector<std::unique_ptr<holding>> of; /* one a device */
    shepard_timing timing = {};
    std::string notice;
};

} // namespace shepard

struct shepard_engine {
    const struct shepard_points *points;
    const struct shepard_rules *rules;
    shepard::holdings *held; /* of no device: everything is left to the processor */
    shepard::processor host;
    std::string notice;
    shepard_timing timing;
};

#endif
