/* SPDX-License-Identifier: MIT */
#include "base/isa.h"

bool shepard_isa_any(void)
{
    return true;
}

#if defined(__x86_64__)

bool shepard_isa_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

bool shepard_isa_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
}

#else

bool shepard_isa_avx2(void)
{
    return false;
}

bool shepard_isa_avx512(void)
{
    return false;
}

#endif
