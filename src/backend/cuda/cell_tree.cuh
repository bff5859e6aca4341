/* SPDX-License-Identifier: MIT */
/* The binary tree of the curve's cells, down to those of at most leaf_points points: a node is the
 * least cell, a square or half of one, that holds its points, and its two children are the halves
 * of that. Many points at one place are cut by their numbers. */
#ifndef SHEPARD_BACKEND_CUDA_CELL_TREE_CUH
#define SHEPARD_BACKEND_CUDA_CELL_TREE_CUH

#include "backend/cuda/hilbert.cuh"
#include "backend/cuda/points_view.cuh"
#include "cuda/pool.cuh"
#include "cuda/stream.cuh"

#include <cstdint>

namespace shepard
{

/* Bits of a point's key and then of its number: what names cells. */
constexpr int cell_bits = hilbert_bits + 32;

/* Nodes to begin a walk at: some way down from the root, at most a warp's. */
struct tree_top {
    int count;
    std::uint32_t node[32];
};

/* Leaves are numbered along the curve; the other nodes follow them, each after its children. */
struct cell_tree_view {
    std::uint32_t leaves;
    const std::uint32_t *first; /* [leaves + 1] each leaf's first point; n */
    const uint2 *below;         /* [leaves - 1] the children of the node leaves + i */
    const tree_top *top;
};

class cell_tree
{
  public:
    /* Of rising keys; waits for the stream, which must outlive the tree. */
    cell_tree(const std::uint64_t *key, std::uint32_t n, const stream &in);

    const cell_tree_view &view() const { return view_; }
    std::uint32_t nodes() const { return 2 * view_.leaves - 1; }
    /* Leaves are level 0. The nodes of a level, up to where the next begins, may be made at once:
     * their children are of levels before. */
    int levels() const { return levels_; }
    std::uint32_t level_end(int level) const { return end_[level]; }
    std::size_t bytes() const { return first_.bytes() + below_.bytes() + top_.bytes(); }

  private:
    block<std::uint32_t> first_;
    block<uint2> below_;
    block<tree_top> top_;
    int levels_ = 0;
    std::uint32_t end_[1 + cell_bits] = {};
    cell_tree_view view_ = {};
};

} // namespace shepard

#endif
