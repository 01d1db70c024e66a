/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vectors of the largest size that the instruction set supports. Only files that are compiled once per
 * instruction set include this header. */
#ifndef SB_CORE_VECTOR_H
#define SB_CORE_VECTOR_H

#include <stdint.h>

#if defined __AVX2__ || defined __SSE2__
#include <immintrin.h>
#endif

#if defined __AVX512BW__
#define SB_VECTOR_BYTES 64
#elif defined __AVX2__
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
