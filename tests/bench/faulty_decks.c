/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planted faults. All start from a fair deck; the first decks, which have none before them, stay fair. */
#include "bench/faulty_decks.h"

#include <stdbool.h>
#include <string.h>

enum { FAULTY_BUFFER = 26 };

static uint64_t faulty_word(struct faulty_decks *decks)
{
    uint64_t a = decks->state[0];
    const uint64_t b = decks->state[1];

    decks->state[0] = b;
    a ^= a << 23;
    decks->state[1] = a ^ b ^ (a >> 17) ^ (b >> 26);
    return decks->state[1] + b;
}

static size_t faulty_below(struct faulty_decks *decks, size_t bound)
{
    return (size_t)((faulty_word(decks) >> 32) * bound >> 32);
}

static void faulty_swap(sb_item deck[], size_t i, size_t j)
{
    const sb_item card = deck[i];

    deck[i] = deck[j];
    deck[j] = card;
}

static size_t faulty_place(const sb_item deck[], size_t card)
{
    size_t place = 0;

    while (deck[place] != card)
        place++;
    return place;
}

static const sb_item *faulty_ago(const struct faulty_decks *decks, size_t ago)
{
    return decks->last[(decks->dealt - ago) % (FAULTY_BACK + 1)];
}

/* ---- the faults ---- */

/* The deck some decks ago, with one pass of the naive swap: as many chains, which take turns. */
static void faulty_chain(struct faulty_decks *decks, size_t ago, sb_item deck[])
{
    if (decks->dealt < ago)
        return;
    memcpy(deck, faulty_ago(decks, ago), FAULTY_CARDS * sizeof deck[0]);
    for (size_t i = 0; i < FAULTY_CARDS; i++)
        faulty_swap(deck, i, faulty_below(decks, FAULTY_CARDS));
}

static void chain_2(struct faulty_decks *decks, sb_item deck[])
{
    faulty_chain(decks, 2, deck);
}

static void chain_3(struct faulty_decks *decks, sb_item deck[])
{
    faulty_chain(decks, 3, deck);
}

/* Passes cards through a buffer, in which the next card replaces one that is drawn. */
static void faulty_buffer(struct faulty_decks *decks, const sb_item from[], sb_item deck[])
{
    sb_item buffer[FAULTY_BUFFER];

    memcpy(buffer, from, sizeof buffer);
    for (size_t i = 0; i < FAULTY_CARDS; i++) {
        const size_t next = i + FAULTY_BUFFER, left = FAULTY_CARDS - i;
        const size_t j = faulty_below(decks, left < FAULTY_BUFFER ? left : FAULTY_BUFFER);

        deck[i] = buffer[j];
        buffer[j] = next < FAULTY_CARDS ? from[next] : buffer[left - 1];
    }
}

static void buffer(struct faulty_decks *decks, sb_item deck[])
{
    sb_item sorted[FAULTY_CARDS];

    for (size_t i = 0; i < FAULTY_CARDS; i++)
        sorted[i] = (sb_item)i;
    faulty_buffer(decks, sorted, deck);
}

static void buffer_across(struct faulty_decks *decks, sb_item deck[])
{
    if (decks->dealt)
        faulty_buffer(decks, faulty_ago(decks, 1), deck);
}

/* If card 11 comes before card 3, then card 7 follows card 3 in one deck of four. */
static void hand(struct faulty_decks *decks, sb_item deck[])
{
    const size_t three = faulty_place(deck, 3);

    if (faulty_place(deck, 11) < three && three + 1 < FAULTY_CARDS && faulty_below(decks, 4) == 0)
        faulty_swap(deck, three + 1, faulty_place(deck, 7));
}

/* The first card is never that of the last deck. */
static void first_differs(struct faulty_decks *decks, sb_item deck[])
{
    if (decks->dealt && deck[0] == faulty_ago(decks, 1)[0])
        faulty_swap(deck, 0, 1 + faulty_below(decks, FAULTY_CARDS - 1));
}

/* One deck of ten is the last one, cut. */
static void cut(struct faulty_decks *decks, sb_item deck[])
{
    const size_t at = decks->dealt && faulty_below(decks, 10) == 0 ? faulty_below(decks, FAULTY_CARDS) : 0;

    for (size_t i = 0; at && i < FAULTY_CARDS; i++)
        deck[i] = faulty_ago(decks, 1)[(i + at) % FAULTY_CARDS];
}

/* Three cards in a row are where they were some decks ago. */
static void faulty_keep(const struct faulty_decks *decks, size_t ago, size_t from, sb_item deck[])
{
    for (size_t i = from; decks->dealt >= ago && i < from + 3; i++)
        faulty_swap(deck, i, faulty_place(deck, faulty_ago(decks, ago)[i]));
}

static void three_kept(struct faulty_decks *decks, sb_item deck[])
{
    faulty_keep(decks, 1, 26 + faulty_below(decks, 23), deck);
}

/* In one deck of four. No lag is tested at five, and three of 52 cards leave a deck by itself fair. */
static void five_ago(struct faulty_decks *decks, sb_item deck[])
{
    if (faulty_below(decks, 4) == 0)
        faulty_keep(decks, 5, faulty_below(decks, FAULTY_CARDS - 2), deck);
}

/*
 * A card that was in the first half of the last deck is followed by an even card, and one of the second half by an
 * odd card, in one case of eight. Both halves are equally likely, so neither the pair of cards nor the pair of
 * places shows it: it takes the place of one and the name of the other.
 */
static void next_by_place(struct faulty_decks *decks, sb_item deck[])
{
    for (size_t i = 1; decks->dealt && i + 1 < FAULTY_CARDS; i++) {
        const bool second = faulty_place(faulty_ago(decks, 1), deck[i - 1]) >= FAULTY_CARDS / 2;
        const size_t j = i + 1 + faulty_below(decks, FAULTY_CARDS - i - 1);

        if (faulty_below(decks, 8) == 0 && deck[i] % 2 != second && deck[j] % 2 == second)
            faulty_swap(deck, i, j);
    }
}

const struct fault faults[] = {
    { "fair", "none", NULL },
    { "chain-2", "two chains of naive swaps, which take turns", chain_2 },
    { "chain-3", "three chains of naive swaps", chain_3 },
    { "buffer", "a shuffle buffer of 26 cards", buffer },
    { "buffer-across", "the last deck through a buffer of 26 cards", buffer_across },
    { "hand", "if 11 is before 3, 7 follows 3 in one deck of four", hand },
    { "first-differs", "never the first card of the last deck", first_differs },
    { "cut", "one deck of ten is the last one, cut", cut },
    { "three-kept", "three cards are where they were in the last deck", three_kept },
    { "five-ago", "in one deck of four, three cards are where they were five decks ago", five_ago },
    { "next-by-place", "a card's last place decides whether the next is even", next_by_place },
};

const size_t faults_count = sizeof faults / sizeof faults[0];

void faulty_begin(uint64_t seed, struct faulty_decks *decks)
{
    *decks = (struct faulty_decks) { .state = { seed * 7919 + 1, 99 } };
    for (size_t i = 0; i < 40; i++)
        faulty_word(decks);
}

void faulty_next(const struct fault *fault, struct faulty_decks *decks, sb_item deck[])
{
    for (size_t i = 0; i < FAULTY_CARDS; i++)
        deck[i] = (sb_item)i;
    for (size_t i = FAULTY_CARDS; i-- > 1;)
        faulty_swap(deck, i, faulty_below(decks, i + 1));
    if (fault->plant)
        fault->plant(decks, deck);
    memcpy(decks->last[decks->dealt % (FAULTY_BACK + 1)], deck, FAULTY_CARDS * sizeof deck[0]);
    decks->dealt++;
}
