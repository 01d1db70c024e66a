/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs of decks that come again, as from a generator that starts again from one of its few seeds. If the last m decks
 * equal m decks in a row that came before, the next deck is predicted to be the deck that followed those, and a right
 * prediction is followed by the next one. Of several such places the latest is meant. m is the least number for which
 * there are 2^24 runs of m decks, so that few decks of a fair shuffle are predicted.
 *
 * The last 2^16 decks are remembered. A table tells by a hash of m decks where they came last; a place in it may be
 * lost to another run. The prediction depends on earlier decks alone, so a bet on it (fit/birthday.c) stays fair.
 *
 * Cost for each deck: an access to the table. Memory: 0.8 MB, which fits in a cache.
 */
#include "tally/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    REPLAY_BITS = 16, /* of SB_REPLAY_MOST */
    REPLAY_RUNS_BITS = 24,
};

static const uint64_t replay_factor = UINT64_C(0x9e3779b97f4a7c15);

struct sb_replay {
    size_t context;   /* m */
    uint64_t leaving; /* replay_factor to the power of m */
    uint64_t hash;    /* of the last m decks: the sum of key[count-1-i] factor^i */
    uint64_t *key;    /* [SB_REPLAY_MOST] deck t = 0, 1, ... is at index t modulo SB_REPLAY_MOST; owned */
    /* [SB_REPLAY_MOST] the deck, modulo SB_REPLAY_MOST, that followed the m decks with this hash, and above it sixteen
     * other bits of the hash, so that few keys are looked at; owned */
    uint32_t *slot;
    uint64_t count, first; /* the decks so far; the first of them in memory */
    uint64_t next, length; /* the deck that is predicted to come again, 0: none; and how many did before it */
    struct sb_replay_run longest;
};

struct sb_replay *sb_replay_new(double ln_decks)
{
    struct sb_replay *const made = calloc(1, sizeof *made);

    if (!made)
        return NULL;
    made->context = (size_t)ceil(REPLAY_RUNS_BITS * log(2) / ln_decks);
    made->leaving = 1;
    for (size_t i = 0; i < made->context; i++)
        made->leaving *= replay_factor;
    made->key = calloc(SB_REPLAY_MOST, sizeof made->key[0]);
    made->slot = calloc(SB_REPLAY_MOST, sizeof made->slot[0]);
    if (made->key && made->slot)
        return made;
    sb_replay_free(made);
    return NULL;
}

void sb_replay_free(struct sb_replay *replay)
{
    if (!replay)
        return;
    free(replay->key);
    free(replay->slot);
    free(replay);
}

static uint64_t replay_key(const struct sb_replay *replay, uint64_t deck)
{
    return replay->key[deck % SB_REPLAY_MOST];
}

/* Whether the m decks before this one are remembered, and are the last m decks. Keys are stored before their decks are
 * compared, so the oldest do not count. */
static bool replay_follows(const struct sb_replay *replay, uint64_t deck)
{
    const size_t m = replay->context;

    if (deck < replay->first + m || deck + SB_REPLAY_MOST < replay->count + m + 2 * SB_REPLAY_TOGETHER)
        return false;
    for (size_t i = 1; i <= m; i++)
        if (replay_key(replay, deck - i) != replay_key(replay, replay->count - i))
            return false;
    return true;
}

void sb_replay_skip(struct sb_replay *replay, uint64_t count)
{
    memset(replay->key, 0, SB_REPLAY_MOST * sizeof replay->key[0]);
    memset(replay->slot, 0, SB_REPLAY_MOST * sizeof replay->slot[0]);
    replay->count += count;
    replay->first = replay->count;
    replay->hash = replay->next = 0;
}

/* Compares the deck that was predicted with the one that came. */
static enum sb_replay_bet replay_follow(struct sb_replay *replay, uint64_t key)
{
    const bool hit = replay_key(replay, replay->next) == key;

    replay->next = hit ? replay->next + 1 : 0;
    replay->length++;
    return hit ? SB_REPLAY_HIT : SB_REPLAY_MISS;
}

/* Looks for where the last m decks came before. */
static void replay_find(struct sb_replay *replay, uint32_t slot)
{
    const uint64_t back = (replay->count - slot) % SB_REPLAY_MOST;

    if (back == 0 || back > replay->count || !replay_follows(replay, replay->count - back))
        return;
    replay->next = replay->count - back;
    replay->length = replay->context;
}

static void replay_measure(struct sb_replay *replay)
{
    if (replay->length > replay->longest.length)
        replay->longest = (struct sb_replay_run) {
            .first = replay->next - replay->length + 1,
            .again = replay->count - replay->length + 1,
            .length = replay->length,
        };
}

void sb_replay_add(struct sb_replay *replay, const struct sb_deck_key key[], size_t count, enum sb_replay_bet bet[])
{
    uint32_t *slot[SB_REPLAY_TOGETHER], tag[SB_REPLAY_TOGETHER];
    uint64_t hash = replay->hash, *const kept = replay->key;

    for (size_t i = 0; i < count; i++) { /* a place is fetched long before it is used */
        const uint64_t at = replay->count + i;

        /* before the first deck there are keys of 0 */
        hash = hash * replay_factor + key[i].high - kept[(at - replay->context) % SB_REPLAY_MOST] * replay->leaving;
        kept[at % SB_REPLAY_MOST] = key[i].high;
        const uint64_t mixed = (hash ^ hash >> 32) * replay_factor;

        slot[i] = &replay->slot[mixed >> (64 - REPLAY_BITS)];
        tag[i] = (uint32_t)(mixed >> (32 - REPLAY_BITS) & ~(uint64_t)(SB_REPLAY_MOST - 1));
        __builtin_prefetch(slot[i], 1);
    }
    replay->hash = hash;
    for (size_t i = 0; i < count; i++) {
        const uint32_t entry = tag[i] | (uint32_t)(++replay->count % SB_REPLAY_MOST), before = *slot[i];

        *slot[i] = entry;
        bet[i] = SB_REPLAY_NONE;
        if (replay->next)
            bet[i] = replay_follow(replay, key[i].high);
        if (bet[i] != SB_REPLAY_HIT && !((before ^ entry) >> REPLAY_BITS))
            replay_find(replay, before);
        if (replay->next)
            replay_measure(replay);
    }
}

void sb_replay_forget(struct sb_replay *replay)
{
    if (replay)
        replay->longest.length = 0;
}

struct sb_replay_run sb_replay_longest(const struct sb_replay *replay, double ln_decks)
{
    const double places = 2 * log((double)replay->count + 1);

    /* each two places are the beginnings of such a run with probability exp(-length ln_decks) */
    return places - (double)replay->longest.length * ln_decks < SB_REPLAY_LN_P ? replay->longest
                                                                               : (struct sb_replay_run) { 0 };
}
