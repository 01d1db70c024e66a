/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Repeated decks of a stream: a set of keys with open addressing, in a table that is at most half full. Cost
 * for each deck: computing the key, and one or two memory accesses. Memory: 32 to 64 bytes for each deck in
 * the set, up to a gigabyte.
 */
#include "tally/repeats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STREAM_ROOM_LEAST = 1 << 10 };

struct sb_repeats_stream {
    size_t n, k;
    struct sb_deck_key *slot; /* [room] keys; zero marks a free slot */
    size_t room;              /* number of slots, a power of two */
    uint64_t kept;
    bool full; /* memory ran out, or there are SB_REPEATS_MOST decks; no more decks are added */
    bool part; /* only a part of the decks is compared, and a full set is emptied */
    /* [SB_REPEATS_CARRIED] a ring: added deck t = 0, 1, ... is at index t modulo SB_REPEATS_CARRIED; owned;
     * NULL: the order is not recorded */
    struct sb_deck_key *newest;
    uint64_t noted; /* number of decks that were written to `newest` so far */
};

static struct sb_repeats_stream *stream_new(size_t n, size_t k, size_t room, bool part)
{
    struct sb_repeats_stream *const made = calloc(1, sizeof *made);

    if (!made)
        return NULL;
    *made = (struct sb_repeats_stream) {
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

struct sb_repeats_stream *sb_repeats_stream_new(size_t n, size_t k)
{
    return stream_new(n, k, STREAM_ROOM_LEAST, false);
}

struct sb_repeats_stream *sb_repeats_stream_new_part(size_t n, size_t k)
{
    return stream_new(n, k, 2 * (size_t)SB_REPEATS_ERA, true);
}

void sb_repeats_stream_free(struct sb_repeats_stream *repeats)
{
    if (!repeats)
        return;
    free(repeats->newest);
    free(repeats->slot);
    free(repeats);
}

uint64_t sb_repeats_stream_kept(const struct sb_repeats_stream *repeats)
{
    return repeats->kept;
}

/* Returns the slot with this key or, if the set lacks the key, the free slot for it. */
static struct sb_deck_key *stream_find(struct sb_deck_key slot[], size_t room, struct sb_deck_key key)
{
    size_t at = (size_t)key.high & (room - 1);

    while ((slot[at].high | slot[at].low) && (slot[at].high != key.high || slot[at].low != key.low))
        at = (at + 1) & (room - 1);
    return &slot[at];
}

/* Moves the keys to a table twice as large. */
static bool stream_grow(struct sb_repeats_stream *repeats)
{
    struct sb_deck_key *const slot = calloc(2 * repeats->room, sizeof *slot);

    if (!slot)
        return false;
    for (size_t i = 0; i < repeats->room; i++)
        if (repeats->slot[i].high | repeats->slot[i].low)
            *stream_find(slot, 2 * repeats->room, repeats->slot[i]) = repeats->slot[i];
    free(repeats->slot);
    repeats->slot = slot;
    repeats->room *= 2;
    return true;
}

struct sb_deck_key sb_repeats_stream_key(const struct sb_repeats_stream *repeats, const sb_item deck[])
{
    const struct sb_deck_key key = sb_repeats_key(repeats->n, repeats->k, deck);

    __builtin_prefetch(&repeats->slot[key.high & (repeats->room - 1)], 1);
    return key;
}

bool sb_repeats_stream_wants(const struct sb_repeats_stream *repeats, struct sb_deck_key key)
{
    return !repeats->part || key.high >> (64 - SB_REPEATS_PART) == 0;
}

/* Empties the set if it is full. */
static void stream_renew(struct sb_repeats_stream *repeats)
{
    if (repeats->kept < SB_REPEATS_ERA)
        return;
    memset(repeats->slot, 0, repeats->room * sizeof repeats->slot[0]);
    repeats->kept = 0;
}

bool sb_repeats_stream_add(struct sb_repeats_stream *repeats, struct sb_deck_key key)
{
    const struct sb_deck_key *const slot = stream_find(repeats->slot, repeats->room, key);

    if (slot->high | slot->low)
        return true;
    if (repeats->part)
        stream_renew(repeats);
    else
        repeats->full = repeats->full || repeats->kept == SB_REPEATS_MOST ||
                        (2 * repeats->kept >= repeats->room && !stream_grow(repeats));
    if (repeats->full)
        return false;
    *stream_find(repeats->slot, repeats->room, key) = key;
    repeats->kept++;
    if (repeats->newest)
        repeats->newest[repeats->noted++ % SB_REPEATS_CARRIED] = key;
    return false;
}

bool sb_repeats_stream_carry(struct sb_repeats_stream *repeats, const struct sb_deck_key key[], size_t count)
{
    repeats->newest = calloc(SB_REPEATS_CARRIED, sizeof repeats->newest[0]);
    for (size_t i = 0; repeats->newest && i < count; i++)
        sb_repeats_stream_add(repeats, key[i]);
    return repeats->newest;
}

size_t sb_repeats_stream_newest(const struct sb_repeats_stream *repeats, struct sb_deck_key key[])
{
    const size_t count = repeats->noted < SB_REPEATS_CARRIED ? (size_t)repeats->noted : SB_REPEATS_CARRIED;

    for (size_t i = 0; i < count; i++)
        key[i] = repeats->newest[(repeats->noted - count + i) % SB_REPEATS_CARRIED];
    return count;
}

double sb_repeats_stream_ln_pair_part(size_t n, size_t k)
{
    const double ln_pair = sb_deck_key_ln_pair(n, k) + SB_REPEATS_PART * log(2);

    return ln_pair - log1p(-fmin(0.5, 6 * exp(0.5 * ln_pair)));
}
