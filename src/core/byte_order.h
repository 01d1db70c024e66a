/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The order of the bytes of a word in memory. Words are values everywhere else, and this header serves the few places
 * that read memory as words of another size: vectors of bytes as vectors of larger lanes, and bytes of text eight at a
 * time. Results are the same on little-endian and on big-endian processors; tests/platforms/qemu.sh compares them.
 */
#ifndef SB_CORE_BYTE_ORDER_H
#define SB_CORE_BYTE_ORDER_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { SB_BIG_ENDIAN = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ };

/* A word has `parts` parts, a power of two. Converts the index of a part by value, where part 0 is the lowest, to its
 * index in memory, and back. Also accepts the index of a part in an array of words. */
static inline size_t sb_part_in_memory(size_t part, size_t parts)
{
    return SB_BIG_ENDIAN ? part ^ (parts - 1) : part;
}

/* Loads eight bytes; the first byte becomes the lowest. */
static inline uint64_t sb_load_little_endian(const uint8_t at[8])
{
    uint64_t word;

    memcpy(&word, at, sizeof word);
    return SB_BIG_ENDIAN ? __builtin_bswap64(word) : word;
}

#endif
