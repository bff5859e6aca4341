/* SPDX-License-Identifier: MIT */
/** Numbers of a LAS file, which are little-endian on every machine. */
#ifndef SHEPARD_IO_LAS_BYTES_H
#define SHEPARD_IO_LAS_BYTES_H

#include <stdint.h>
#include <string.h>

static inline uint16_t shepard_las_u16(const unsigned char *bytes)
{
    return (uint16_t)(bytes[0] | bytes[1] << 8);
}

static inline uint32_t shepard_las_u32(const unsigned char *bytes)
{
    return shepard_las_u16(bytes) | (uint32_t)shepard_las_u16(bytes + 2) << 16;
}

static inline int32_t shepard_las_i32(const unsigned char *bytes)
{
    return (int32_t)shepard_las_u32(bytes);
}

static inline uint64_t shepard_las_u64(const unsigned char *bytes)
{
    return shepard_las_u32(bytes) | (uint64_t)shepard_las_u32(bytes + 4) << 32;
}

static inline float shepard_las_f32(const unsigned char *bytes)
{
    const uint32_t bits = shepard_las_u32(bytes);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double shepard_las_f64(const unsigned char *bytes)
{
    const uint64_t bits = shepard_las_u64(bytes);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline void shepard_las_put16(unsigned char *bytes, unsigned value)
{
    bytes[0] = (unsigned char)value;
    bytes[1] = (unsigned char)(value >> 8);
}

static inline void shepard_las_put32(unsigned char *bytes, uint32_t value)
{
    shepard_las_put16(bytes, value & 0xffff);
    shepard_las_put16(bytes + 2, value >> 16);
}

static inline void shepard_las_put64(unsigned char *bytes, uint64_t value)
{
    shepard_las_put32(bytes, (uint32_t)value);
    shepard_las_put32(bytes + 4, (uint32_t)(value >> 32));
}

#endif
