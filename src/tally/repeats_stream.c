/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Repeated decks of a stream: the keys in the order of their decks, and a table with open addressing that finds
 * them. A slot of the table has the index of a key and a tag, which is seven bits of this key. So only a deck whose
 * tag equals the slot's tag needs a look at the key, in another part of memory: one in 128 of the new decks that meet
 * another deck. The table is at most half full. Cost for each deck: computing the key, and one access to the table.
 * Memory: 16 bytes for each deck in the set, and 8 to 16 bytes for the table, up to 400 MB.
 */
#include "tally/repeats.h"

#include "core/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    STREAM_ROOM_LEAST = 1 << 10,
    STREAM_TAG_BITS =
        8, /* a tag is odd, so that a slot in use is not 0; the other seven bits are the key's */
    STREAM_TAG_FROM =
        40,            /* the table's index uses the lowest bits of a key, and a part of decks the highest */
    STREAM_AHEAD = 16, /* how many keys ahead a growing table fetches slots */
};

struct sb_repeats_stream {
    size_t n, k;
    struct sb_deck_key *key; /* [room / 2] the keys; owned */
    /* [room] (index of a key) * 2^STREAM_TAG_BITS + tag; 0 marks a free slot; owned. An index is below
     * SB_REPEATS_MOST, so it has 24 bits. */
    uint32_t *slot;
    size_t room; /* number of slots, a power of two */
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
        .key = malloc(room / 2 * sizeof made->key[0]),
        .slot = sb_huge_pages_new(room, sizeof made->slot[0]),
        .room = room,
        .part = part,
    };
    if (made->key && made->slot)
        return made;
    sb_repeats_stream_free(made);
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
    free(repeats->key);
    free(repeats);
}

uint64_t sb_repeats_stream_kept(const struct sb_repeats_stream *repeats)
{
    return repeats->kept;
}

static uint32_t stream_tag(struct sb_deck_key key)
{
    return (uint32_t)(key.high >> STREAM_TAG_FROM) % (1 << STREAM_TAG_BITS) | 1;
}

/* Whether this slot in use has this key. */
static bool stream_is(const struct sb_repeats_stream *repeats, uint32_t slot, struct sb_deck_key key)
{
    const struct sb_deck_key *const kept = &repeats->key[slot >> STREAM_TAG_BITS];

    return slot % (1 << STREAM_TAG_BITS) == stream_tag(key) && kept->high == key.high && kept->low == key.low;
}

/* Returns the slot with this key or, if the set lacks the key, the free slot for it. */
static uint32_t *stream_find(const struct sb_repeats_stream *repeats, struct sb_deck_key key)
{
    size_t at = (size_t)key.high & (repeats->room - 1);

    while (repeats->slot[at] && !stream_is(repeats, repeats->slot[at], key))
        at = (at + 1) & (repeats->room - 1);
    return &repeats->slot[at];
}

/* Enters all keys in a table whose slots are free. The keys are different, so none needs a look. */
static void stream_enter(const struct sb_deck_key key[], size_t kept, uint32_t slot[], size_t room)
{
    for (size_t i = 0; i < kept; i++) {
        size_t at = (size_t)key[i].high & (room - 1);

        if (i + STREAM_AHEAD < kept)
            __builtin_prefetch(&slot[key[i + STREAM_AHEAD].high & (room - 1)], 1);
        while (slot[at])
            at = (at + 1) & (room - 1);
        slot[at] = (uint32_t)i << STREAM_TAG_BITS | stream_tag(key[i]);
    }
}

/* Makes a table twice as large, and room for as many more keys. */
static bool stream_grow(struct sb_repeats_stream *repeats)
{
    uint32_t *const slot = sb_huge_pages_new(2 * repeats->room, sizeof *slot);
    struct sb_deck_key *const key = slot ? realloc(repeats->key, repeats->room * sizeof *key) : NULL;

    if (!key) {
        free(slot);
        return false;
    }
    stream_enter(key, (size_t)repeats->kept, slot, 2 * repeats->room);
    free(repeats->slot);
    repeats->slot = slot;
    repeats->key = key;
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

bool sb_repeats_stream_add(struct sb_repeats_stream *repeats, struct sb_deck_key key)
{
    const size_t room = repeats->room;
    uint32_t *slot = stream_find(repeats, key);

    if (*slot)
        return true;
    if (repeats->part && repeats->kept == SB_REPEATS_ERA) { /* the set is full, and starts again */
        memset(repeats->slot, 0, room * sizeof repeats->slot[0]);
        repeats->kept = 0;
        slot = stream_find(repeats, key);
    }
    repeats->full = repeats->full || repeats->kept == SB_REPEATS_MOST ||
                    (2 * repeats->kept >= room && !stream_grow(repeats));
    if (repeats->full)
        return false;
    if (repeats->room > room)
        slot = stream_find(repeats, key);
    repeats->key[repeats->kept] = key;
    *slot = (uint32_t)repeats->kept++ << STREAM_TAG_BITS | stream_tag(key);
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
