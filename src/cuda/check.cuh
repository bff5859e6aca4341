/* SPDX-License-Identifier: MIT */
/* Calls of CUDA that failed become a fault, thrown; guard() at the C interface turns it into a
 * status, so that no exception leaves. */
#ifndef SHEPARD_CUDA_CHECK_CUH
#define SHEPARD_CUDA_CHECK_CUH

extern "C" {
#include "base/error.h"
}

#include <cuda_runtime.h>
#include <stdarg.h>
#include <stdio.h>

#include <new>

namespace shepard
{

struct fault {
    shepard_error error;
};

/* Throws a fault with a printf-style message. */
[[noreturn]] __attribute__((format(printf, 2, 3))) inline void fail(shepard_status status,
                                                                    const char *format, ...)
{
    fault thrown;
    char message[sizeof thrown.error.message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    shepard_error_set(&thrown.error, status, "", "%s", message);
    throw thrown;
}

/* Errors after which every call on the device fails until the program ends. */
inline bool is_lost(cudaError_t code)
{
    switch (code) {
    case cudaErrorLaunchFailure:
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorIllegalInstruction:
    case cudaErrorHardwareStackError:
    case cudaErrorLaunchTimeout:
    case cudaErrorECCUncorrectable:
    case cudaErrorUnknown:
        return true;
    default:
        return false;
    }
}

/* The one place where a CUDA error becomes a text; what names the step. */
inline void check(cudaError_t code, const char *what)
{
    if (code == cudaSuccess)
        return;
    (void)cudaGetLastError();
    if (code == cudaErrorMemoryAllocation)
        fail(SHEPARD_ERROR_MEMORY, "the GPU is out of memory (%s): use fewer points or targets",
             what);
    if (is_lost(code))
        fail(SHEPARD_ERROR_BACKEND, "the device was lost (%s: %s): start the program again", what,
             cudaGetErrorString(code));
    fail(SHEPARD_ERROR_BACKEND, "CUDA failed (%s: %s)", what, cudaGetErrorString(code));
}

/* After each launch. */
inline void check_launch(const char *what)
{
    check(cudaGetLastError(), what);
}

/* Runs work(); what it throws is told in *error (may be NULL). */
template <class Work> shepard_status guard(shepard_error *error, const Work &work)
{
    try {
        work();
        return SHEPARD_OK;
    } catch (const fault &thrown) {
        if (error != nullptr)
            *error = thrown.error;
        return thrown.error.status;
    } catch (const std::bad_alloc &) {
        return shepard_error_set_memory(error, "a GPU engine's arrays");
    } catch (...) {
        return shepard_error_set(error, SHEPARD_ERROR_BACKEND, "", "the GPU engine broke off");
    }
}

} // namespace shepard

#endif
