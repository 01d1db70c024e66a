/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vectors, and the order of bytes. */
#ifndef SB_CORE_VECTOR_H
#define SB_CORE_VECTOR_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * The order of the bytes of a word in memory. Words are values everywhere else, and this header serves the few places
 * that read vectors of bytes as vectors of larger lanes. Results are the same on little-endian and on big-endian
 * processors; tests/platforms/qemu.sh compares them.
 */

enum { SB_BIG_ENDIAN = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ };

/* A word has `parts` parts, a power of two. Converts the index of a part by value, where part 0 is the lowest, to its
 * index in memory, and back. Also accepts the index of a part in an array of words. */
static inline size_t sb_part_in_memory(size_t part, size_t parts)
{
    return SB_BIG_ENDIAN ? part ^ (parts - 1) : part;
}

/* Vectors of the largest size that the instruction set supports. Only files that are compiled once per
 * instruction set include this header. */

#if defined __AVX2__ || defined __SSE2__
#include <immintrin.h>
#endif

#if defined __AVX2__
#define SB_VECTOR_BYTES 32
#else
#define SB_VECTOR_BYTES 16
#endif

typedef uint8_t sb_vector8 __attribute__((vector_size(SB_VECTOR_BYTES), may_alias));
typedef int8_t sb_signed8 __attribute__((vector_size(SB_VECTOR_BYTES), may_alias));
typedef uint16_t sb_vector16 __attribute__((vector_size(SB_VECTOR_BYTES), may_alias));
typedef uint32_t sb_vector32 __attribute__((vector_size(SB_VECTOR_BYTES), may_alias));
typedef uint64_t sb_vector64 __attribute__((vector_size(SB_VECTOR_BYTES), may_alias));

#endif
