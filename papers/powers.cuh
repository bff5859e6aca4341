/* SPDX-License-Identifier: MIT */
/* Powers of targets, as kernels hand them on. */
#ifndef SHEPARD_PAPERS_POWERS_CUH
#define SHEPARD_PAPERS_POWERS_CUH

namespace shepard
{

/* One power for all, or arrays: alphas, shifts [m]; a shift of NaN leaves the target to fixup. */
template <class Real> struct target_powers {
    Real alpha;
    Real *alphas;
    Real *shifts;
};

} // namespace shepard

#endif
