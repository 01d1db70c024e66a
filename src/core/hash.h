/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The hash FNV-1a of 64 bits, to recognise data and to detect accidental damage. This hash does not protect
 * against tampering. G. Fowler, L. C. Noll, K.-P. Vo and D. Eastlake, The FNV non-cryptographic hash
 * algorithm, IETF draft.
 */
#ifndef SB_CORE_HASH_H
#define SB_CORE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* The hash of no bytes. */
#define SB_HASH_EMPTY UINT64_C(0xcbf29ce484222325)

/* Continues a hash. `hash` is the hash of all earlier bytes, and `bytes` points to the `count` bytes that
 * follow. Returns the hash of all bytes. */
static inline uint64_t sb_hash_add(uint64_t hash, const void *bytes, size_t count)
{
    const unsigned char *const byte = bytes;

    for (size_t i = 0; i < count; i++)
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    return hash;
}

#endif
