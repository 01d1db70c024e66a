/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A bettor that learns. It detects faults for which no statistic was made.
 *
 * Let m cards be left before a card is dealt, and let the bettor predict card c with probability P(c), where
 * P depends only on what came before and sums to 1 over the cards left. If card c comes, the bettor's wealth
 * is multiplied by m P(c). If the shuffle is fair and starts afresh, each card left has probability 1/m,
 * whatever came before, so this factor has the mean sum (1/m) m P(c) = 1. So the wealth is a martingale that
 * starts at 1, that is, an e-process, however P was learnt. The average of several bettors' wealths is an
 * e-process, too.
 *
 * Each of these bettors has one wealth, one context and one pseudo-count. A context consists of a key and a
 * label. The key is known before the card is dealt: the place of the card, the previous card, the two
 * previous cards, or the place that the previous card had k decks ago. The label distinguishes the cards
 * left. The label of a card is the card itself, or the place that the card had k decks ago. Let N[label] be
 * the number of earlier cards with this key and this label, and let a be a pseudo-count. Then
 *
 *   P(c) = (N[label(c)] + a) / sum over the cards left (N[label] + a).
 *
 * A bettor with a small pseudo-count learns fast; a bettor with a large pseudo-count loses little. No bettor
 * bets on the first deck, or on a deck whose context would look back beyond the first deck.
 *
 * Exactness: counts are integers of 16 bits, so their sums do not depend on the order or on the processor,
 * and the few operations on doubles have a fixed order. At most one card of each deck has a given key, so the
 * counts of 65,535 decks fit in 16 bits. The bettor ignores later decks, so its cost is bounded, too. A
 * wealth is stored as a fraction and a power of two, so it cannot overflow, and updating it needs no
 * logarithm.
 *
 * Cost: for each card and context, a sum over n counts, up to 32 counts at a time (tally/bettor_wide.c).
 * Memory: 2 n^3 bytes, 4 MB at most. Ramdas, Grünwald, Vovk and Shafer, Game-theoretic statistics and safe
 * anytime-valid inference, arXiv:2210.01948; testing by prediction: arXiv:1906.09256, arXiv:2602.04146.
 */
#include "tally/bettor.h"

#include "core/system.h"
#include "tally/bettor_wealth.h"
#include "tally/bettor_wide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* decks on which the bettor bets in one context before the next, so that the counts of a context stay in
     * the cache */
    BETTOR_BLOCK = 16,
    BETTOR_ROWS = 32,    /* at least BETTOR_BLOCK, and the 5 decks that a context looks back */
    BETTOR_FEW = 8,      /* counts in the smallest vector */
    BETTOR_ALIGNED = 64, /* bytes of the largest vector */
};

static const double bettor_share = 0.01; /* share of alpha */
const double sb_bettor_pseudo[SB_BETTOR_PSEUDO] = { 3, 30, 300 };

const char sb_bettor_name[] = "bettor";

/* The kinds of keys: what is known of a card before it is dealt. */
enum bettor_key {
    BETTOR_PLACE, /* the card's place in the deck */
    BETTOR_CARDS, /* the two previous cards */
    BETTOR_CARD,  /* the previous card, or the place that it had some decks ago */
};

struct bettor_context {
    enum bettor_key key;
    size_t
        ago; /* how many decks back to look up the place of the previous card; 0: the card itself is the key */
    size_t label; /* 0: a card's label is the card itself; k: the label is the card's place k decks ago */
    const char *name;
};

/* The contexts are listed in pairs with the same label. */
static const struct bettor_context bettor_contexts[SB_BETTOR_CONTEXTS] = {
    { BETTOR_PLACE, 0, 0, "the place in the deck" },
    { BETTOR_CARD, 0, 0, "the previous card" },
    { BETTOR_CARDS, 0, 0, "the previous two cards" },
    { BETTOR_CARD, 1, 0, "the place of the previous card one deck ago" },
    { BETTOR_PLACE, 0, 1, "where each card was one deck ago" },
    { BETTOR_CARD, 1, 1, "where the previous card was one deck ago" },
    { BETTOR_PLACE, 0, 2, "where each card was two decks ago" },
    { BETTOR_CARD, 2, 2, "where the previous card was two decks ago" },
    { BETTOR_PLACE, 0, 3, "where each card was three decks ago" },
    { BETTOR_CARD, 3, 3, "where the previous card was three decks ago" },
    { BETTOR_PLACE, 0, 5, "where each card was five decks ago" },
    { BETTOR_CARD, 5, 5, "where the previous card was five decks ago" },
};

struct sb_bettor {
    size_t n;
    size_t width;                                /* length of a row of counts: n, padded with zeroes */
    sb_bettor_play *play;                        /* the function for this machine */
    size_t next;                                 /* the row for the next block's first deck */
    uint16_t place[BETTOR_ROWS][SB_BETTOR_MOST]; /* place of each card in the latest decks */
    /* label of each card in the contexts whose label is the card itself: 0, 1, 2, ... */
    uint16_t card[SB_BETTOR_MOST];
    /* [i]: 1 / (number of cards left before the card at place i is dealt); 0 for i >= n */
    double inverse[SB_BETTOR_MOST];
    uint64_t learnt; /* number of decks that the bettor has learnt from */
    size_t counts_count;
    uint16_t *counts; /* [counts_count] the counts of all contexts; owned */
    /* [keys * width] the counts of each context, by key and label; part of `counts` */
    uint16_t *count[SB_BETTOR_CONTEXTS];
    /* [n] for each card of the current deck, the row of counts of the card's key; constant if the key is the place */
    uint16_t *row[SB_BETTOR_CONTEXTS][SB_BETTOR_MOST];
    struct sb_bettor_wealth wealth;
    double ln_e, ln_wealth[SB_BETTOR_WEALTHS]; /* values at the last sb_bettor_read() */
    const char *name[SB_BETTOR_WEALTHS];       /* name of each wealth's context */
};

bool sb_bettor_single(const char *context)
{
    for (size_t i = 0; i < SB_BETTOR_CONTEXTS && context; i++)
        if (strcmp(bettor_contexts[i].name, context) == 0)
            return bettor_contexts[i].ago == 0 && bettor_contexts[i].label == 0;
    return false;
}

bool sb_bettor_last(const char *context)
{
    for (size_t i = 0; i < SB_BETTOR_CONTEXTS && context; i++)
        if (strcmp(bettor_contexts[i].name, context) == 0)
            return bettor_contexts[i].ago == 1 || bettor_contexts[i].label == 1;
    return false;
}

static size_t bettor_keys(enum bettor_key key, size_t n)
{
    return key == BETTOR_CARDS ? (n + 1) * (n + 1) : n + 1; /* one more key stands for "no previous card" */
}

/* The length of a row: n rounded up to whole vectors of SB_BETTOR_COUNTS counts or, if the last of these
 * would be nearly empty, to vectors of BETTOR_FEW counts. */
static size_t bettor_width(size_t n)
{
    const size_t few = (n + BETTOR_FEW - 1) / BETTOR_FEW * BETTOR_FEW;
    const size_t most = (n + SB_BETTOR_COUNTS - 1) / SB_BETTOR_COUNTS * SB_BETTOR_COUNTS;

    return most - few < SB_BETTOR_COUNTS / 2 ? most : few;
}

sb_bettor_play *sb_bettor_play_get(size_t index)
{
    static sb_bettor_play *const version[] = {
        sb_bettor_play_plain,
#if defined __x86_64__ || defined __i386__
        sb_bettor_play_avx2,
        sb_bettor_play_avx512,
#endif
    };
    const size_t count = sb_instruction_sets();

    return index < count ? version[count - 1 - index] : NULL;
}

enum sb_status sb_bettor_new(size_t n, struct sb_bettor **bettor)
{
    struct sb_bettor *const made = calloc(1, sizeof *made);
    size_t counts = 0;

    if (!made)
        return SB_NO_MEMORY;
    made->n = n;
    made->width = bettor_width(n);
    made->play = sb_bettor_play_get(0);
    for (size_t c = 0; c < SB_BETTOR_CONTEXTS; c++)
        counts += bettor_keys(bettor_contexts[c].key, n) * made->width;
    made->counts = aligned_alloc(BETTOR_ALIGNED, (counts * sizeof made->counts[0] + BETTOR_ALIGNED - 1) /
                                                     BETTOR_ALIGNED * BETTOR_ALIGNED);
    if (!made->counts) {
        free(made);
        return SB_NO_MEMORY;
    }
    made->counts_count = counts;
    memset(made->counts, 0, counts * sizeof made->counts[0]);
    counts = 0;
    for (size_t c = 0; c < SB_BETTOR_CONTEXTS; c++) {
        made->count[c] = made->counts + counts;
        counts += bettor_keys(bettor_contexts[c].key, n) * made->width;
        for (size_t i = 0; i < n; i++)
            made->row[c][i] = made->count[c] + i * made->width;
    }
    for (size_t j = 0; j < n; j++) {
        made->card[j] = (uint16_t)j;
        made->inverse[j] = 1 / (double)(n - j);
    }
    for (size_t i = 0; i < SB_BETTOR_WEALTHS; i++)
        made->name[i] = bettor_contexts[i / SB_BETTOR_PSEUDO].name;
    sb_bettor_stakes(&made->wealth);
    *bettor = made;
    return SB_OK;
}

void sb_bettor_free(struct sb_bettor *bettor)
{
    if (!bettor)
        return;
    free(bettor->counts);
    free(bettor);
}

/* The places of all cards in deck d of the block, or `ago` decks before that deck. */
static uint16_t *bettor_places(struct sb_bettor *bettor, size_t d, size_t ago)
{
    return bettor->place[(bettor->next + d + BETTOR_ROWS - ago) % BETTOR_ROWS];
}

/* For each card of deck d of the block, finds the row of counts of the card's key in context c. */
static uint16_t **bettor_find(struct sb_bettor *bettor, size_t c, size_t d, const sb_item deck[])
{
    const struct bettor_context *const context = &bettor_contexts[c];
    const uint16_t *const key = context->ago ? bettor_places(bettor, d, context->ago) : bettor->card;
    const size_t n = bettor->n, width = bettor->width;
    uint16_t *const count = bettor->count[c], **const row = bettor->row[c];

    if (context->key == BETTOR_PLACE)
        return row;
    row[0] = count + (context->key == BETTOR_CARDS ? n * (n + 1) + n : n) * width;
    if (context->key == BETTOR_CARD)
        for (size_t i = 1; i < n; i++)
            row[i] = count + key[deck[i - 1]] * width;
    else
        for (size_t i = 1; i < n; i++)
            row[i] = count + (deck[i - 1] * (n + 1) + (i > 1 ? deck[i - 2] : n)) * width;
    return row;
}

/* Bets on deck d of the block in the two contexts c and c + 1, and learns from the deck. */
static void bettor_play(struct sb_bettor *bettor, size_t c, size_t d, const sb_item items[])
{
    const size_t n = bettor->n, ago = bettor_contexts[c].label;
    const uint16_t *const label = ago ? bettor_places(bettor, d, ago) : bettor->card;
    /* not initialised, because initialising would take longer than the rest of this function */
    struct sb_bettor_deck deck;

    deck.n = n;
    deck.width = bettor->width;
    deck.inverse = bettor->inverse;
    for (size_t i = n; i < bettor->width; i++)
        deck.turn[i] = 0;
    for (size_t i = 0; i < n; i++) {
        deck.label[i] = label[items[i]];
        deck.turn[deck.label[i]] = (int16_t)i;
    }
    for (size_t k = 0; k < SB_BETTOR_PAIR; k++)
        deck.row[k] = bettor_find(bettor, c + k, d, items);
    bettor->play(&deck, bettor->wealth.part + c * SB_BETTOR_PSEUDO,
                 bettor->wealth.power + c * SB_BETTOR_PSEUDO);
}

/* Bets on a block of decks, and learns from them. */
static void bettor_add_block(struct sb_bettor *bettor, const sb_item items[], size_t count)
{
    const size_t n = bettor->n;

    for (size_t d = 0; d < count; d++) {
        uint16_t *const places = bettor_places(bettor, d, 0);

        for (size_t j = 0; j < n; j++)
            places[items[d * n + j]] = (uint16_t)j;
    }
    for (size_t c = 0; c < SB_BETTOR_CONTEXTS; c += SB_BETTOR_PAIR)
        for (size_t d = 0; d < count; d++)
            if (bettor->learnt + d > 0 && bettor->learnt + d >= bettor_contexts[c].label)
                bettor_play(bettor, c, d, items + d * n);
    bettor->next = (bettor->next + count) % BETTOR_ROWS;
    bettor->learnt += count;
}

/* Bets on decks of one round, and learns from them. */
static void bettor_add(struct sb_bettor *bettor, const sb_item items[], size_t count)
{
    const uint64_t left = SB_BETTOR_DECKS - bettor->learnt;
    const size_t most = count < left ? count : (size_t)left;

    bettor->wealth.decks += count;
    for (size_t done = 0, next; done < most; done += next) {
        next = most - done < BETTOR_BLOCK ? most - done : BETTOR_BLOCK;
        bettor_add_block(bettor, items + done * bettor->n, next);
    }
}

void sb_bettor_add(struct sb_bettor *bettor, const sb_item items[], size_t count)
{
    while (count) {
        const uint64_t left = sb_bettor_round_left(&bettor->wealth);
        const size_t next = left < count ? (size_t)left : count;
        size_t best;

        if (next == 0) {
            sb_bettor_round_next(sb_bettor_average(&bettor->wealth, bettor->ln_wealth, &best),
                                 &bettor->wealth);
            memset(bettor->counts, 0, bettor->counts_count * sizeof bettor->counts[0]);
            bettor->learnt = 0;
        }
        bettor_add(bettor, items, next);
        items += next * bettor->n;
        count -= next;
    }
}

void sb_bettor_learn(struct sb_bettor *bettor, const sb_item items[], size_t count)
{
    const struct sb_bettor_wealth wealth = bettor->wealth;

    bettor_add(bettor, items, count);
    bettor->wealth = wealth;
}

struct sb_tally sb_bettor_read(struct sb_bettor *bettor)
{
    size_t best;
    const double ln_e = sb_bettor_average(&bettor->wealth, bettor->ln_wealth, &best);

    bettor->ln_e = bettor->wealth.round ? sb_bettor_rounds_ln_e(&bettor->wealth, ln_e) : ln_e;
    return (struct sb_tally) {
        .statistic = sb_bettor_name,
        .members = 1,
        .total = bettor->wealth.decks,
        .share = bettor_share,
        .ln_e = &bettor->ln_e,
        .ln_e_error = sb_bettor_error(&bettor->wealth, bettor->n, bettor->ln_e),
        .bets = SB_BETTOR_WEALTHS,
        .ln_bet = bettor->ln_wealth,
        .bet_error = sb_bettor_deck_error(bettor->n),
        .names = bettor->name,
        .round = bettor->wealth.round ? SB_BETTOR_ROUND : 0,
        .context = bettor->name[best],
    };
}

const struct sb_bettor_wealth *sb_bettor_wealth(const struct sb_bettor *bettor)
{
    return &bettor->wealth;
}

void sb_bettor_begin_rounds(struct sb_bettor *bettor)
{
    bettor->wealth.round = 1;
}

void sb_bettor_resume(struct sb_bettor *bettor, const struct sb_bettor_wealth *wealth)
{
    bettor->wealth = *wealth;
}
