/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A bettor that learns. It detects faults for which no statistic was made.
 *
 * Let m cards be left before a card is dealt, and let the bettor predict card c with probability P(c), where P
 * depends only on what came before and sums to 1 over the cards left. If card c comes, the bettor's wealth is
 * multiplied by m P(c). If the shuffle is fair and starts afresh, each card left has probability 1/m, whatever
 * came before, so this factor has the mean sum (1/m) m P(c) = 1. So the wealth is a martingale that starts at
 * 1, that is, an e-process, however P was learnt. The average of several bettors' wealths is an e-process, too.
 *
 * Each bettor uses one context, which consists of a key and a label. The key is known before the card is dealt:
 * the place of the card, the previous card, the two previous cards, or the place that the previous card had k
 * decks ago. The label distinguishes the cards left: the card itself, or the place that it had k decks ago. Let
 * N[label] be the number of earlier cards with this key and this label, and let a be a pseudo-count. Then
 *
 *   P(c) = (N[label(c)] + a) / sum over the cards left (N[label] + a).
 *
 * A bettor with a small pseudo-count learns fast; one with a large pseudo-count loses little. No bettor bets on
 * the first deck, or on a deck whose context would look back beyond the first deck.
 *
 * Exactness: counts are integers of 16 bits, so their sums do not depend on the order or on the processor, and
 * the few operations on doubles have a fixed order. At most one card of each deck has a given key, so the
 * counts of 65,535 decks fit in 16 bits. The bettor ignores later decks, which also bounds its cost. A wealth
 * is stored as a fraction and a power of two, so it cannot overflow, and updating it needs no logarithm.
 *
 * Cost: for each card and context, a sum over n counts, eight counts at a time: 2.7 microseconds for a deck of
 * 52. Memory: 2 n^3 bytes, 4 MB at most. Ramdas, Grünwald, Vovk and Shafer, Game-theoretic statistics and safe
 * anytime-valid inference, arXiv:2210.01948; testing by prediction: arXiv:1906.09256, arXiv:2602.04146.
 */
#include "tally/bettor.h"

#include "tally/bettor_wealth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BETTOR_ROWS = SB_BETTOR_LAGS + 1,
    BETTOR_PAIR = 2,   /* number of contexts with the same label that are computed together */
    BETTOR_LANES = 4,  /* products that are computed side by side */
    BETTOR_COUNTS = 8, /* counts in a vector */
};

typedef int16_t bettor_vector __attribute__((vector_size(2 * BETTOR_COUNTS)));
typedef uint64_t bettor_words __attribute__((vector_size(2 * BETTOR_COUNTS)));

static const double bettor_share = 0.01; /* of alpha */
static const double bettor_pseudo[SB_BETTOR_PSEUDO] = { 3, 30, 300 };

const char sb_bettor_name[] = "bettor";

/* The kinds of keys: what is known of a card before it is dealt. */
enum bettor_key {
    BETTOR_PLACE, /* the card's place in the deck */
    BETTOR_CARD,  /* the previous card */
    BETTOR_CARDS, /* the two previous cards */
    BETTOR_WAS,   /* the place of the previous card some decks ago */
};

struct bettor_context {
    enum bettor_key key;
    size_t ago;   /* how many decks ago to look up the previous card; 0: not looked up */
    size_t label; /* 0: a card's label is the card itself; k: the label is the card's place k decks ago */
    const char *name;
};

/* The contexts are listed in pairs with the same label. */
static const struct bettor_context bettor_contexts[SB_BETTOR_CONTEXTS] = {
    { BETTOR_PLACE, 0, 0, "the place in the deck" },
    { BETTOR_CARD, 0, 0, "the previous card" },
    { BETTOR_CARDS, 0, 0, "the previous two cards" },
    { BETTOR_WAS, 1, 0, "the place of the previous card one deck ago" },
    { BETTOR_PLACE, 0, 1, "where each card was one deck ago" },
    { BETTOR_WAS, 1, 1, "where the previous card was one deck ago" },
    { BETTOR_PLACE, 0, 2, "where each card was two decks ago" },
    { BETTOR_WAS, 2, 2, "where the previous card was two decks ago" },
    { BETTOR_PLACE, 0, 3, "where each card was three decks ago" },
    { BETTOR_WAS, 3, 3, "where the previous card was three decks ago" },
    { BETTOR_PLACE, 0, 5, "where each card was five decks ago" },
    { BETTOR_WAS, 5, 5, "where the previous card was five decks ago" },
};

struct sb_bettor {
    size_t n;
    size_t width;                                /* length of a row of counts: n, plus up to 7 zeroes */
    size_t next;                                 /* the row for the next deck */
    uint16_t place[BETTOR_ROWS][SB_BETTOR_MOST]; /* place of each card in the latest decks */
    /* 0, 1, 2, ...: label of each card in the contexts whose label is the card itself */
    uint16_t card[SB_BETTOR_MOST];
    /* [i]: 1 / (number of cards left before the card at place i is dealt); 0 for i >= n */
    double inverse[SB_BETTOR_MOST];
    uint64_t learnt; /* number of decks that the bettor has learnt from */
    size_t counts_count;
    uint16_t *counts; /* [counts_count] the counts of all contexts; owned */
    /* [keys * width] the counts of each context, by key and label; part of `counts` */
    uint16_t *count[SB_BETTOR_CONTEXTS];
    struct sb_bettor_wealth wealth;
    double ln_e, ln_wealth[SB_BETTOR_WEALTHS]; /* values at the last reading */
    const char *name[SB_BETTOR_WEALTHS];       /* name of each wealth's context */
};

static size_t bettor_keys(enum bettor_key key, size_t n)
{
    return key == BETTOR_CARDS ? (n + 1) * (n + 1) : n + 1; /* one more key stands for "no previous card" */
}

enum sb_status sb_bettor_new(size_t n, struct sb_bettor **bettor)
{
    struct sb_bettor *const made = calloc(1, sizeof *made);
    size_t counts = 0;

    if (!made)
        return SB_NO_MEMORY;
    made->n = n;
    made->width = (n + BETTOR_COUNTS - 1) / BETTOR_COUNTS * BETTOR_COUNTS;
    for (size_t c = 0; c < SB_BETTOR_CONTEXTS; c++)
        counts += bettor_keys(bettor_contexts[c].key, n) * made->width;
    made->counts = calloc(counts, sizeof made->counts[0]);
    if (!made->counts) {
        free(made);
        return SB_NO_MEMORY;
    }
    made->counts_count = counts;
    counts = 0;
    for (size_t c = 0; c < SB_BETTOR_CONTEXTS; c++) {
        made->count[c] = made->counts + counts;
        counts += bettor_keys(bettor_contexts[c].key, n) * made->width;
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

/* The places of all cards some decks ago. */
static const uint16_t *bettor_places(const struct sb_bettor *bettor, size_t ago)
{
    return bettor->place[(bettor->next + BETTOR_ROWS - ago) % BETTOR_ROWS];
}

/* Finds for each card of the deck the row of counts of its key in context c. */
static void bettor_find(const struct sb_bettor *bettor, size_t c, const sb_item deck[], uint16_t *row[])
{
    const struct bettor_context *const context = &bettor_contexts[c];
    const uint16_t *const places = bettor_places(bettor, context->ago);
    const size_t n = bettor->n, width = bettor->width;
    uint16_t *const count = bettor->count[c];

    for (size_t i = 0; i < n; i++) {
        const size_t before = i > 0 ? deck[i - 1] : n, two = i > 1 ? deck[i - 2] : n;
        const size_t key = context->key == BETTOR_PLACE   ? i
                           : context->key == BETTOR_CARD  ? before
                           : context->key == BETTOR_CARDS ? before * (n + 1) + two
                           : i > 0                        ? places[before]
                                                          : n;

        row[i] = count + key * width;
    }
}

/* The sum of eight counts. It is below 2^16, so the top 16 bits of the product are the sum of four lanes. */
static int32_t bettor_total(bettor_vector counts)
{
    const bettor_words words = (bettor_words)counts;

    return (int32_t)((words[0] + words[1]) * UINT64_C(0x0001000100010001) >> 48);
}

/* Adds up the counts, in each of two rows, of the labels whose cards come after turn `gone`. */
static void bettor_sum(const uint16_t a[], const uint16_t b[], const int16_t turn[], size_t width, int gone,
                       int32_t *in_a, int32_t *in_b)
{
    const bettor_vector last = (bettor_vector) { 0 } + (int16_t)gone;
    bettor_vector sum_a = { 0 }, sum_b = { 0 };

    for (size_t j = 0; j < width; j += BETTOR_COUNTS) {
        bettor_vector when, x, y;

        memcpy(&when, turn + j, sizeof when);
        memcpy(&x, a + j, sizeof x);
        memcpy(&y, b + j, sizeof y);
        sum_a += x & (when > last);
        sum_b += y & (when > last);
    }
    *in_a = bettor_total(sum_a);
    *in_b = bettor_total(sum_b);
}

/*
 * Multiplies the wealths of a context by the factors m P(c) of a deck, in a fixed order. The products cannot
 * overflow: each element of up[] and down[] has at most 32 factors between 3 and 2^17, and the product of all m
 * P(c) is at most n!.
 */
static void bettor_settle(const struct sb_bettor *bettor, const int32_t seen[], const int32_t sum[],
                          double part[], int64_t power[])
{
    double up[SB_BETTOR_PSEUDO][BETTOR_LANES], down[SB_BETTOR_PSEUDO][BETTOR_LANES];

    for (size_t a = 0; a < SB_BETTOR_PSEUDO; a++)
        for (size_t j = 0; j < BETTOR_LANES; j++)
            up[a][j] = down[a][j] = 1;
    for (size_t i = 0; i < bettor->n; i += BETTOR_LANES)
        for (size_t j = 0; j < BETTOR_LANES; j++) {
            const double count = seen[i + j], mean = sum[i + j] * bettor->inverse[i + j];

            for (size_t a = 0; a < SB_BETTOR_PSEUDO; a++) {
                up[a][j] *= count + bettor_pseudo[a];
                down[a][j] *= mean + bettor_pseudo[a];
            }
        }
    for (size_t a = 0; a < SB_BETTOR_PSEUDO; a++) {
        const double low = (up[a][0] * up[a][1]) / (down[a][0] * down[a][1]);
        const double high = (up[a][2] * up[a][3]) / (down[a][2] * down[a][3]);
        int shift;

        part[a] = frexp(part[a] * low, &shift);
        power[a] += shift;
        part[a] = frexp(part[a] * high, &shift);
        power[a] += shift;
    }
}

/* Bets on a deck in the two contexts c and c + 1, and learns from the deck. */
static void bettor_play(struct sb_bettor *bettor, size_t c, const sb_item deck[])
{
    const size_t n = bettor->n, ago = bettor_contexts[c].label;
    const uint16_t *const label = ago ? bettor_places(bettor, ago) : bettor->card;
    int16_t turn[SB_BETTOR_MOST] = { 0 }; /* the turn at which the card with each label comes */
    uint16_t *row[BETTOR_PAIR][SB_BETTOR_MOST];
    int32_t seen[BETTOR_PAIR][SB_BETTOR_MOST], sum[BETTOR_PAIR][SB_BETTOR_MOST];

    for (size_t i = 0; i < n; i++)
        turn[label[deck[i]]] = (int16_t)i;
    for (size_t k = 0; k < BETTOR_PAIR; k++)
        bettor_find(bettor, c + k, deck, row[k]);
    for (size_t i = 0; i < n; i++) {
        const size_t l = label[deck[i]];

        bettor_sum(row[0][i], row[1][i], turn, bettor->width, (int)i - 1, &sum[0][i], &sum[1][i]);
        for (size_t k = 0; k < BETTOR_PAIR; k++)
            seen[k][i] = row[k][i][l]++;
    }
    for (size_t k = 0; k < BETTOR_PAIR; k++) {
        for (size_t i = n; i % BETTOR_LANES; i++)
            seen[k][i] = sum[k][i] = 0;
        bettor_settle(bettor, seen[k], sum[k], bettor->wealth.part + (c + k) * SB_BETTOR_PSEUDO,
                      bettor->wealth.power + (c + k) * SB_BETTOR_PSEUDO);
    }
}

/* Bets on decks of one round, and learns from them. */
static void bettor_add(struct sb_bettor *bettor, const sb_item items[], size_t count)
{
    const size_t n = bettor->n;

    bettor->wealth.decks += count;
    for (; count && bettor->learnt < SB_BETTOR_DECKS; count--, items += n, bettor->learnt++) {
        for (size_t c = 0; c < SB_BETTOR_CONTEXTS && bettor->learnt; c += BETTOR_PAIR)
            if (bettor_contexts[c].label <= bettor->learnt)
                bettor_play(bettor, c, items);
        for (size_t j = 0; j < n; j++)
            bettor->place[bettor->next][items[j]] = (uint16_t)j;
        bettor->next = (bettor->next + 1) % BETTOR_ROWS;
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
        .bets = SB_BETTOR_WEALTHS,
        .ln_bet = bettor->ln_wealth,
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
