/* SPDX-License-Identifier: MIT */
/* Values at the points on one device, and what predictions have prepared of them. Mirrors
 * backend/cpu/field.h. */
#ifndef SHEPARD_BACKEND_CUDA_DEVICE_FIELD_CUH
#define SHEPARD_BACKEND_CUDA_DEVICE_FIELD_CUH

#include "backend/cuda/all_points.cuh"
#include "backend/cuda/device_points.cuh"
#include "backend/cuda/moments.cuh"
#include "backend/cuda/value_store.cuh"

extern "C" {
#include "core/accuracy.h"
#include "core/plane_levels.h"
#include "core/rules.h"
}

#include <list>

namespace shepard
{

/* Rules for the ranges of powers, on the host and on the device. */
struct rule_set {
    shepard_accuracy host[power_ranges] = {};
    block<shepard_accuracy> device;
};

/* One kind of sums over all points; nothing of it is made where every pair is summed. Moments are
 * shared by kinds of the same form. */
struct far_kind {
    rule_set rules;
    rule_set local; /* for local expansions in float32; nothing without them */
    double power = 0, power_max = 0, charges = 0;
    bool expands = false; /* of planes: local expansions, by the rules of the nodes */
    bool coarse = false;  /* of planes: weights may be as inexact as coarse_power.cuh has them */
    std::shared_ptr<far_field<float>> single;
    std::shared_ptr<far_field<double>> precise;
    std::unique_ptr<event> ready; /* when all this is made */

    bool made() const { return single || precise; }
};

/* Of sums of every pair. */
inline const far_kind no_far_kind;

/* As charge_kind counts, of planes one for each level. */
constexpr int far_kinds = (int)charge_kind::planes + SHEPARD_PLANE_LEVELS;

/* What decides the far field of given data. */
struct far_demand {
    double eps = 0, power = 0, power_max = 0;
    bool smooth = false, single = false;

    bool operator==(const far_demand &other) const
    {
        return eps == other.eps && power == other.power && power_max == other.power_max &&
               smooth == other.smooth && single == other.single;
    }
};

class device_field;

/* The far field for one demand, kind by kind. */
class far_set
{
  public:
    far_set(device_field &of, const far_demand &demand) : of_(of), demand_(demand) {}

    const far_demand &demand() const { return demand_; }
    /* Makes what a kind of sums needs, once: threads may ask at the same time. What follows in a
     * stream finds it made. */
    const far_kind &provide(charge_kind kind, int level, const stream &in);
    /* Begins to make it; returns whether it had not been begun. level: of planes, else 0. */
    bool begin(charge_kind kind, int level);

  private:
    device_field &of_;
    far_demand demand_;
    std::mutex making_;
    far_kind kinds_[far_kinds];
};

class device_field
{
  public:
    /* Takes values in, and fills the ranges of *facts, whose arrays are there. *gaps: one is
     * unusable; then the field is of no use. */
    device_field(device_points &on, const shepard_values &values, shepard_samples *facts,
                 bool *gaps, shepard_timing *timing);
    ~device_field();

    device_points &points() const { return on_; }
    const space_points_view &view() const { return view_; }
    std::size_t bytes() const;

    /* The far field that sums by these rules take; nullptr where every pair is summed. */
    std::shared_ptr<far_set> take(const shepard_rules &rules);
    /* Begins to make what predictions by these rules with these outputs need; the time is added to
     * that of the field's making. */
    void prepare(const shepard_rules &rules, const shepard_output &output);
    /* Drops far fields that no call uses, oldest first, where they are more than limit bytes, or
     * very many. */
    void trim(std::size_t limit);
    /* Waits for what has been begun. */
    shepard_timing timing() const;

    /* Values [columns, n] and weights [n], in order; each may be nullptr. */
    void download(double *values, double *weights) const;

  private:
    friend class far_set;
    void make(charge_kind kind, int level, const far_demand &demand, far_kind *to);
    void add_clocks() const;
    template <class Real>
    std::shared_ptr<far_field<Real>> moments(std::list<std::shared_ptr<far_field<Real>>> &kept,
                                             charge_kind kind, int orders);
    std::size_t prepared_bytes() const;

    device_points &on_;
    std::unique_ptr<stream> stream_;
    std::unique_ptr<value_store> store_;
    space_points_view view_ = {};
    mutable std::mutex making_;
    mutable shepard_timing timing_ = {};
    mutable std::list<stage_timer> clocks_;    /* of what has been begun */
    std::list<std::shared_ptr<far_set>> sets_; /* what was used least lately first */
    std::list<std::shared_ptr<far_field<float>>> singles_;
    std::list<std::shared_ptr<far_field<double>>> doubles_;
};

} // namespace shepard

#endif
