/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decks that have been seen before: a set of their keys, with open addressing in a table that is at most half
 * full. Cost: a key, and a place or two of memory, for each deck; 32 to 64 bytes for each that is kept, up to
 * a gigabyte.
 */
#include "tally/repeat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REPEAT_ROOM_LEAST = 1 << 10 };

struct sb_repeat {
    size_t n, k;
    struct sb_seeds_key *slot; /* [room] a key of zeroes is a free place */
    size_t room;               /* a power of two */
    uint64_t kept;
    bool full;                   /* there is no more memory */
    bool part;                   /* only a part of the decks is compared, and they are forgotten in time */
    struct sb_seeds_key *newest; /* [SB_REPEAT_CARRIED] the t-th that was kept at t modulo that; owned; NULL:
                                    the order is not noted */
    uint64_t noted;              /* how many were */
};

static struct sb_repeat *repeat_new(size_t n, size_t k, size_t room, bool part)
{
    struct sb_repeat *const made = calloc(1, sizeof *made);

    if (!made)
        return NULL;
    *made = (struct sb_repeat) {
        .n = n,
        .k = k,
        .slot = calloc(room, sizeof made->slot[0]),
        .room = room,
        .part = part,
    };
    if (made->slot)
        return made;
    free(made);
    return NULL;
}

struct sb_repeat *sb_repeat_new(size_t n, size_t k)
{
    return repeat_new(n, k, REPEAT_ROOM_LEAST, false);
}

struct sb_repeat *sb_repeat_new_part(size_t n, size_t k)
{
    return repeat_new(n, k, 2 * (size_t)SB_REPEAT_ERA, true);
}

void sb_repeat_free(struct sb_repeat *repeat)
{
    if (!repeat)
        return;
    free(repeat->newest);
    free(repeat->slot);
    free(repeat);
}

uint64_t sb_repeat_kept(const struct sb_repeat *repeat)
{
    return repeat->kept;
}

/* Where the key is, or would be. */
static struct sb_seeds_key *repeat_find(struct sb_seeds_key slot[], size_t room, struct sb_seeds_key key)
{
    size_t at = (size_t)key.high & (room - 1);

    while ((slot[at].high | slot[at].low) && (slot[at].high != key.high || slot[at].low != key.low))
        at = (at + 1) & (room - 1);
    return &slot[at];
}

/* Moves to a table twice as large. */
static bool repeat_grow(struct sb_repeat *repeat)
{
    struct sb_seeds_key *const slot = calloc(2 * repeat->room, sizeof *slot);

    if (!slot)
        return false;
    for (size_t i = 0; i < repeat->room; i++)
        if (repeat->slot[i].high | repeat->slot[i].low)
            *repeat_find(slot, 2 * repeat->room, repeat->slot[i]) = repeat->slot[i];
    free(repeat->slot);
    repeat->slot = slot;
    repeat->room *= 2;
    return true;
}

bool sb_repeat_wants(const struct sb_repeat *repeat, const sb_item deck[])
{
    return !repeat->part || sb_seeds_key(repeat->n, repeat->k, deck).high >> (64 - SB_REPEAT_PART) == 0;
}

/* Forgets all, once there are enough of them. */
static void repeat_renew(struct sb_repeat *repeat)
{
    if (repeat->kept < SB_REPEAT_ERA)
        return;
    memset(repeat->slot, 0, repeat->room * sizeof repeat->slot[0]);
    repeat->kept = 0;
}

/* Whether this key is among them; else it is from now on, as long as there is memory. */
static bool repeat_see(struct sb_repeat *repeat, struct sb_seeds_key key)
{
    const struct sb_seeds_key *const slot = repeat_find(repeat->slot, repeat->room, key);

    if (slot->high | slot->low)
        return true;
    if (repeat->part)
        repeat_renew(repeat);
    else
        repeat->full = repeat->full || repeat->kept == SB_REPEAT_MOST ||
                       (2 * repeat->kept >= repeat->room && !repeat_grow(repeat));
    if (repeat->full)
        return false;
    *repeat_find(repeat->slot, repeat->room, key) = key;
    repeat->kept++;
    if (repeat->newest)
        repeat->newest[repeat->noted++ % SB_REPEAT_CARRIED] = key;
    return false;
}

bool sb_repeat_see(struct sb_repeat *repeat, const sb_item deck[])
{
    struct sb_seeds_key key = sb_seeds_key(repeat->n, repeat->k, deck);

    key.low += !(key.high | key.low);
    return repeat_see(repeat, key);
}

bool sb_repeat_carry(struct sb_repeat *repeat, const struct sb_seeds_key key[], size_t count)
{
    repeat->newest = calloc(SB_REPEAT_CARRIED, sizeof repeat->newest[0]);
    for (size_t i = 0; repeat->newest && i < count; i++)
        repeat_see(repeat, key[i]);
    return repeat->newest;
}

size_t sb_repeat_newest(const struct sb_repeat *repeat, struct sb_seeds_key key[])
{
    const size_t count = repeat->noted < SB_REPEAT_CARRIED ? (size_t)repeat->noted : SB_REPEAT_CARRIED;

    for (size_t i = 0; i < count; i++)
        key[i] = repeat->newest[(repeat->noted - count + i) % SB_REPEAT_CARRIED];
    return count;
}

double sb_repeat_ln_pair(size_t n, size_t k)
{
    double ln_deals = 0;

    for (size_t i = 0; i < k; i++)
        ln_deals += log((double)(n - i));
    if (sb_deals(n, k) < UINT64_MAX)
        return -ln_deals;
    const double ln_key = 2 * log((double)n * 0x1p-61);

    return ln_key + log1p(exp(-ln_deals - ln_key));
}

double sb_repeat_ln_pair_part(size_t n, size_t k)
{
    const double ln_pair = sb_repeat_ln_pair(n, k) + SB_REPEAT_PART * log(2);

    return ln_pair - log1p(-fmin(0.5, 6 * exp(0.5 * ln_pair)));
}
