/* SPDX-License-Identifier: MIT */
/* A small vector vocabulary over GCC/Clang vector extensions. A file that includes it is compiled
 * once for each instruction set, whose name (SHEPARD_KERNEL_ISA) and vectors (SHEPARD_VECTOR_BYTES:
 * 16, 32 or 64) are given on its command line. Vectors of 16 bytes need no intrinsics: compilers
 * have them on every target, in hardware (SSE2, NEON, VSX, ...) or one lane after the other.
 */
#ifndef SHEPARD_KERNEL_SIMD_H
#define SHEPARD_KERNEL_SIMD_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if !defined(SHEPARD_KERNEL_ISA) || !defined(SHEPARD_VECTOR_BYTES)
#error "compile with -DSHEPARD_KERNEL_ISA=name -DSHEPARD_VECTOR_BYTES=16, 32 or 64"
#endif
#if SHEPARD_VECTOR_BYTES == 64 && !defined(__AVX512F__)
#error "vectors of 64 bytes need -mavx512f and its kin"
#endif
#if SHEPARD_VECTOR_BYTES == 32 && !defined(__AVX2__)
#error "vectors of 32 bytes need -mavx2 -mfma"
#endif

#if SHEPARD_VECTOR_BYTES > 16
#include <immintrin.h>
#endif

/* The name of this instruction set's kernels of one kind. */
#define SHEPARD_KERNELS(kind) SHEPARD_KERNELS_OF(kind, SHEPARD_KERNEL_ISA)
#define SHEPARD_KERNELS_OF(kind, isa) SHEPARD_KERNELS_JOIN(kind, isa)
#define SHEPARD_KERNELS_JOIN(kind, isa) shepard_##kind##_##isa

#define LANES_D (SHEPARD_VECTOR_BYTES / 8)
#define LANES_F (SHEPARD_VECTOR_BYTES / 4)

typedef double vd __attribute__((vector_size(SHEPARD_VECTOR_BYTES)));
typedef int64_t vl __attribute__((vector_size(SHEPARD_VECTOR_BYTES)));
typedef float vf __attribute__((vector_size(SHEPARD_VECTOR_BYTES)));
typedef int32_t vi __attribute__((vector_size(SHEPARD_VECTOR_BYTES)));

/* As many floats as a vd has lanes. */
typedef float vh __attribute__((vector_size(SHEPARD_VECTOR_BYTES / 2)));

static inline vd vd_all(double a)
{
    return a - (vd){0};
}

static inline vf vf_all(float a)
{
    return a - (vf){0};
}

static inline vd vd_load(const double *a)
{
    vd v;
    memcpy(&v, a, sizeof v);
    return v;
}

static inline vf vf_load(const float *a)
{
    vf v;
    memcpy(&v, a, sizeof v);
    return v;
}

static inline void vd_store(double *a, vd v)
{
    memcpy(a, &v, sizeof v);
}

static inline void vf_store(float *a, vf v)
{
    memcpy(a, &v, sizeof v);
}

/* Two vectors of doubles as one of floats, and the halves of one as doubles; not through memory: a
 * load that spans two stores waits for both. */
#if SHEPARD_VECTOR_BYTES == 64
#define SHEPARD_LOW 0, 1, 2, 3, 4, 5, 6, 7
#define SHEPARD_HIGH 8, 9, 10, 11, 12, 13, 14, 15
#elif SHEPARD_VECTOR_BYTES == 32
#define SHEPARD_LOW 0, 1, 2, 3
#define SHEPARD_HIGH 4, 5, 6, 7
#else
#define SHEPARD_LOW 0, 1
#define SHEPARD_HIGH 2, 3
#endif

static inline vf vf_join(vd low, vd high)
{
    return __builtin_shufflevector(__builtin_convertvector(low, vh),
                                   __builtin_convertvector(high, vh), SHEPARD_LOW, SHEPARD_HIGH);
}

static inline vd vd_low(vf a)
{
    return __builtin_convertvector(__builtin_shufflevector(a, a, SHEPARD_LOW), vd);
}

static inline vd vd_high(vf a)
{
    return __builtin_convertvector(__builtin_shufflevector(a, a, SHEPARD_HIGH), vd);
}

/* a * b + c, rounded once where that is one instruction of vectors: what is fused is written, never
 * left to a compiler, so that a sum has the same bits wherever its code is inlined. */
static inline vd vd_fma(vd a, vd b, vd c)
{
#if SHEPARD_VECTOR_BYTES == 64
    return _mm512_fmadd_pd(a, b, c);
#elif SHEPARD_VECTOR_BYTES == 32
    return _mm256_fmadd_pd(a, b, c);
#elif defined(__ARM_FEATURE_FMA) || defined(__VSX__)
    vd fused;
    for (int i = 0; i < LANES_D; i++)
        fused[i] = __builtin_fma(a[i], b[i], c[i]);
    return fused;
#else
    return a * b + c;
#endif
}

static inline vf vf_fma(vf a, vf b, vf c)
{
#if SHEPARD_VECTOR_BYTES == 64
    return _mm512_fmadd_ps(a, b, c);
#elif SHEPARD_VECTOR_BYTES == 32
    return _mm256_fmadd_ps(a, b, c);
#elif defined(__ARM_FEATURE_FMA) || defined(__VSX__)
    vf fused;
    for (int i = 0; i < LANES_F; i++)
        fused[i] = __builtin_fmaf(a[i], b[i], c[i]);
    return fused;
#else
    return a * b + c;
#endif
}

/* mask ? a : b, lane by lane; lanes of a mask are all ones or all zeros. */
static inline vd vd_select(vl mask, vd a, vd b)
{
    return (vd)((mask & (vl)a) | (~mask & (vl)b));
}

static inline vf vf_select(vi mask, vf a, vf b)
{
    return (vf)((mask & (vi)a) | (~mask & (vi)b));
}

static inline vd vd_max(vd a, vd b)
{
#if SHEPARD_VECTOR_BYTES == 64
    return _mm512_max_pd(a, b);
#elif SHEPARD_VECTOR_BYTES == 32
    return _mm256_max_pd(a, b);
#else
    return vd_select(a > b, a, b);
#endif
}

static inline vf vf_max(vf a, vf b)
{
#if SHEPARD_VECTOR_BYTES == 64
    return _mm512_max_ps(a, b);
#elif SHEPARD_VECTOR_BYTES == 32
    return _mm256_max_ps(a, b);
#else
    return vf_select(a > b, a, b);
#endif
}

static inline vi vi_max(vi a, vi b)
{
#if SHEPARD_VECTOR_BYTES == 64
    return (vi)_mm512_max_epi32((__m512i)a, (__m512i)b);
#elif SHEPARD_VECTOR_BYTES == 32
    return (vi)_mm256_max_epi32((__m256i)a, (__m256i)b);
#else
    const vi above = a > b;
    return (above & a) | (~above & b);
#endif
}

/* Bit i set where lane i of the mask is. */
static inline unsigned vl_bits(vl mask)
{
#if SHEPARD_VECTOR_BYTES == 64
    return (unsigned)_mm512_movepi64_mask((__m512i)mask);
#elif SHEPARD_VECTOR_BYTES == 32
    return (unsigned)_mm256_movemask_pd((__m256d)mask);
#else
    return (unsigned)(mask[0] & 1) | (unsigned)(mask[1] & 2);
#endif
}

/* Numbers from a table of four: those that the lanes of index, below 4, name. The index is prepared
 * once. */
static inline vl vl_choice(vl index)
{
#if SHEPARD_VECTOR_BYTES == 32
    return 2 * index | (2 * index + 1) << 32;
#else
    return index;
#endif
}

static inline vd vd_choose(const double *table, vl choice)
{
#if SHEPARD_VECTOR_BYTES == 64
    return _mm512_permutexvar_pd((__m512i)choice, _mm512_broadcast_f64x4(_mm256_loadu_pd(table)));
#elif SHEPARD_VECTOR_BYTES == 32
    return (vd)_mm256_permutevar8x32_ps(_mm256_loadu_ps((const float *)table), (__m256i)choice);
#else
    vd chosen;
    for (int i = 0; i < LANES_D; i++)
        chosen[i] = table[choice[i]];
    return chosen;
#endif
}

/* Stores a vector that is not read soon, past the caches where an instruction does so; a is aligned
 * to a vector. vd_stream_end: other threads see such stores after it. */
static inline void vd_stream(double *a, vd v)
{
#if SHEPARD_VECTOR_BYTES == 64
    _mm512_stream_pd(a, v);
#elif SHEPARD_VECTOR_BYTES == 32
    _mm256_stream_pd(a, v);
#else
    vd_store(a, v);
#endif
}

static inline void vd_stream_end(void)
{
#if SHEPARD_VECTOR_BYTES > 16
    _mm_sfence();
#endif
}

/* Whether any lane of the mask is set. */
static inline bool vi_any(vi mask)
{
#if SHEPARD_VECTOR_BYTES == 64
    return _mm512_movepi32_mask((__m512i)mask) != 0;
#elif SHEPARD_VECTOR_BYTES == 32
    return _mm256_movemask_ps((__m256)mask) != 0;
#else
    const vl pairs = (vl)mask;
    return (pairs[0] | pairs[1]) != 0;
#endif
}

#endif
