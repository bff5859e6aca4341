/* SPDX-License-Identifier: MIT */
/* Where the results of one chunk go, on the device: as struct shepard_output, but the columns of
 * a result stand one after the other; nullptr: not wanted. Mirrors backend/cpu/output.h. */
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
    std::uint32_t m; /* targets of the chunk */
    double *values;  /* [columns, m]; all columns, or none */
    /* Of targets: [m], lengths in user units; of columns: [columns, m]. */
    SHEPARD_DIAGNOSTIC_LIST(SHEPARD_CUDA_OUTPUT, SHEPARD_CUDA_OUTPUT)
};
#undef SHEPARD_CUDA_OUTPUT

__device__ __forceinline__ void put(double *array, std::uint32_t index, double value)
{
    if (array != nullptr)
        array[index] = value;
}

/* nodata in all results of a target but the count and the nearest distance. */
__device__ __forceinline__ void put_nodata(const outputs &out, int columns, std::uint32_t index,
                                           double nodata)
{
    outputs rest = out;
    rest.count = rest.nearest = nullptr;
#define PUT(id, array, name) put(rest.array, index, nodata);
#define PUT_COLUMNS(id, arrays, name)                                                              \
    for (int c = 0; rest.arrays != nullptr && c < columns; c++)                                    \
        rest.arrays[(std::size_t)c * rest.m + index] = nodata;
    PUT_COLUMNS(VALUE, values, "value")
    SHEPARD_DIAGNOSTIC_LIST(PUT, PUT_COLUMNS)
#undef PUT_COLUMNS
#undef PUT
}

} // namespace shepard

#endif
