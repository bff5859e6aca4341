/* SPDX-License-Identifier: MIT */
/* Where the results of one chunk go, on the device: as struct shepard_output, but the columns of
 * values and of deviations stand one after the other; nullptr: not wanted. Mirrors
 * backend/cpu/output.h. */
#ifndef SHEPARD_BACKEND_CUDA_OUTPUT_CUH
#define SHEPARD_BACKEND_CUDA_OUTPUT_CUH

#include <cstdint>

namespace shepard
{

struct outputs {
    std::uint32_t m;    /* targets of the chunk */
    double *values;     /* [columns, m]; all columns, or none */
    double *deviations; /* [columns, m] */
    double *count;      /* [m] */
    double *nearest;    /* [m] user units */
    double *power;      /* [m] */
    double *effective;  /* [m] */
};

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
