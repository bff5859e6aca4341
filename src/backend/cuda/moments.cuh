/* SPDX-License-Identifier: MIT */
/* The far field on the device: nodes of the tree of the curve's cells and their moments, in the
 * form of kernel/node.h. Mirrors core/moments.h. */
#ifndef SHEPARD_BACKEND_CUDA_MOMENTS_CUH
#define SHEPARD_BACKEND_CUDA_MOMENTS_CUH

#include "backend/cuda/cell_tree.cuh"

extern "C" {
#include "kernel/node.h"
}

#include <cuda_runtime.h>

namespace shepard
{

/* Orders that nodes have at most on a device: 1, 3, 5 ... */
constexpr int far_orders_max = 6;
/* In float32: a pair costs little there beside a node of a high order. */
constexpr int far_orders_single = 4;
/* Of planes, which take two more degrees of the moments. */
constexpr int far_orders_planes = far_orders_max - 1;

/* The number of the pair m, k, where pairs are counted by their degree m + 2k. */
__host__ __device__ constexpr int pair_number(int degree, int k)
{
    return (degree + 1) * (degree + 1) / 4 + k;
}

/* As the walk sees a node. */
struct alignas(16) far_node {
    double x, y;  /* centre: the middle of the box of its points, frame units */
    double scale; /* rho: half of the box's diagonal, no less than a point's distance */
    float charge; /* log2 of the sum of q */
    /* For each order number o the log2 of the mean radius of degree 2 o + 2, as in core/moments.h;
     * of planes that of the radius. */
    float mean_radius_log2[far_orders_max];
    std::uint32_t below[2]; /* the children; of a leaf the first point, and how many there are */
};

/* Nodes are numbered as in cell_tree.cuh: those below `leaves` are leaves, the last is the root. */
struct far_tree {
    int depth;  /* nodes on the longest way down, at most */
    int orders; /* of every node */
    std::uint32_t leaves;
    const far_node *nodes;
    const tree_top *top;

    __device__ const far_node &root() const { return nodes[2 * (std::size_t)leaves - 2]; }
};

template <class Real> struct far_view : far_tree {
    int charges; /* q, then the others */
    /* [nodes, charges, stride]: SHEPARD_TERMS of the largest order, then zeros up to stride, a
     * multiple of 4 */
    const Real *moments;
    int stride;
};

/* What is summed: q; then of each column q z', z' = scale (z - middle); with spread q z'^2 instead;
 * squares: q^2 alone. planes: as values, every weight being right relative to itself. */
enum class charge_kind { values, squares, spread, planes };

template <class Real> class far_field
{
  public:
    far_field() = default;
    /* Over a tree that outlives it; 1 <= orders <= far_orders_max: asynchronous. The stream must
     * outlive what it made. */
    far_field(const points_view &points, const cell_tree &tree, charge_kind kind, int orders,
              cudaStream_t stream);

    const far_view<Real> &view() const { return view_; }
    charge_kind kind() const { return kind_; }
    std::size_t bytes() const { return nodes_.bytes() + moments_.bytes(); }

  private:
    charge_kind kind_ = charge_kind::values;
    block<far_node> nodes_;
    block<Real> moments_;
    far_view<Real> view_ = {};
};

extern template class far_field<float>;
extern template class far_field<double>;

} // namespace shepard

#endif
