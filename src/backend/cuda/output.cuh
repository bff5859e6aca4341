/* SPDX-License-Identifier: MIT */
/* Where the results of one chunk go, on the device: as struct shepard_output, but the columns of
 * values and of deviations stand one after the other; nullptr: not wanted. Mirrors
 * backend/cpu/output.h. */
#ifndef SHEPARD_BACKEND_CUDA_OUTPUT_CUH
#define SHEPARD_BACKEND_CUDA_OUTPUT_CUH

extern "C" {
#include "core/diagnostics.h"
}

#include <cstdint>

namespace shepard
{

#define SHEPARD_CUDA_OUTPUT(id, array, name) double *array;
struct outputs {
    std::uint32_t m;    /* targets of the chunk */
    double *values;     /* [columns, m]; all columns, or none */
    double *deviations; /* [columns, m] */
    /* Of targets: [m], lengths in user units. */
    SHEPARD_DIAGNOSTIC_LIST(SHEPARD_CUDA_OUTPUT, SHEPARD_NO_DIAGNOSTIC)
};
#undef SHEPARD_CUDA_OUTPUT

__device__ __forceinline__ void put(double *array, std::uint32_t index, double value)
{
    if (array != nullptr)
        array[index] = value;
}

/* All but the count and the nearest distance. */
__device__ __forceinline__ void put_nodata(const outputs &out, int columns, std::uint32_t index,
                                           double nodata)
{
    for (int c = 0; out.values != nullptr && c < columns; c++)
        out.values[(std::size_t)c * out.m + index] = nodata;
    for (int c = 0; out.deviations != nullptr && c < columns; c++)
        out.deviations[(std::size_t)c * out.m + index] = nodata;
    put(out.power, index, nodata);
    put(out.effective, index, nodata);
}

} // namespace shepard

#endif
