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
 * Cost: for each card and context, a sum over n counts, eight at a time.
 * Memory: 2 n^3 bytes, 4 MB at most. Ramdas, Grünwald, Vovk and Shafer, Game-theoretic statistics and safe
 * anytime-valid inference, arXiv:2210.01948; testing by prediction: arXiv:1906.09256, arXiv:2602.04146.
 *
 * The wealths of a bettor, and E of all rounds together.
 *
 * In a stream without an end, the bettor bets in rounds. In each round it learns anew, and bets a separate
 * stake: in round k, the stake is the share 1/(k(k+1)) = 1/k - 1/(k+1) of the initial wealth. So all shares
 * add up to 1, and the shares of the rounds after round k add up to 1/(k+1). Let E_j be what a stake of 1
 * becomes in round j. In round k,
 *
 *   E = sum over j < k of E_j/(j(j+1)) + E_k/(k(k+1)) + 1/(k+1)
 *
 * The three terms are what earlier rounds have won, what is at stake in round k, and what is not staked yet.
 * Each E_j is a martingale that starts at 1 under a fair shuffle, so E is also a martingale that starts at 1.
 * A late round can raise E to 1/alpha, too, but its small share costs a factor of k(k+1). In round 10,000,
 * the logarithm of this factor is 18 nats.
 *
 * Rounding: let u = 2^-53. A deck multiplies a wealth by n factors m P(c) = (N + a)/(mean + a), where the
 * mean is a sum of integers times 1/m. The mean has a relative error of 2u, so a factor has one of at most
 * 3u, and the two products and their quotient, which the wealth is multiplied by, have one of at most (5 n +
 * 12) u per deck (sb_bettor_play()). The errors of t decks add up to at most (6 n + 16) t u, as t n u is far
 * below 1/16 (Higham 2002, section 3.1). A round has at most 65,536 decks. Logarithms, exponentials and sums,
 * with relative errors of at most 4u, round by 64u and 32u of ln E and of ln k in each round.
 *
 * N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, 2002.
 */
#include "tally/order.h"

#include "core/system.h"

enum {
    /* decks on which the bettor bets in one context before the next, so that the counts of a context stay in
     * the cache */
    BETTOR_BLOCK = 16,
    BETTOR_DEALT_MOST = 7, /* the most items of a deal whose order the bets know: one group each, beside the rest */
    BETTOR_ROWS = 32,      /* at least BETTOR_BLOCK, and the 5 decks that a context looks back */
    BETTOR_COUNTS = 16,    /* counts in a vector */
    BETTOR_LINE = 64,      /* bytes of a line of the cache */
    BETTOR_LANES = 4,      /* products that are computed side by side, in an order that fixes their rounding */
};

static const double bettor_share = 0.01; /* share of alpha */
const double sb_bettor_pseudo[SB_BETTOR_PSEUDO] = { 3, 30, 300 };

typedef int16_t bettor_counts __attribute__((vector_size(2 * BETTOR_COUNTS), may_alias));

const char sb_bettor_name[] = "bettor";

/* The kinds of keys: what is known of a card before it is dealt. */
enum bettor_key {
    BETTOR_PLACE, /* the card's place in the deck */
    BETTOR_CARDS, /* the two previous cards */
    BETTOR_CARD,  /* the previous card, or the place that it had some decks ago */
};

struct bettor_context {
    enum bettor_key key;
    size_t ago;   /* how many decks back to look up the place of the previous card; 0: the card itself is the key */
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
    struct sb_group_bets *groups; /* of sets and hands, which have no counts here; owned; NULL: permutations */
    struct sb_multiset *dealt;    /* of deals: their places as groups, and what is not dealt; owned; else NULL */
    size_t deal;
    struct sb_bettor_wealth wealth;
    double ln_e, ln_wealth[SB_BETTOR_WEALTHS]; /* values at the last sb_bettor_read() */
    const char *name[SB_BETTOR_WEALTHS];       /* name of each wealth's context */
};

static const double wealth_ln_2 = 0.69314718055994531;
static const double wealth_unit = 0x1p-53; /* u */

static double wealth_ln_add(double ln_x, double ln_y)
{
    const double most = fmax(ln_x, ln_y);

    return isinf(most) ? most : most + log1p(exp(fmin(ln_x, ln_y) - most));
}

/* ln of share times the final wealth, summed up over all rounds up to this one. */
double sb_rounds_ln_won(uint64_t round, double ln_won, double ln_e)
{
    const double k = (double)round;

    return wealth_ln_add(round > 1 ? ln_won : -HUGE_VAL, ln_e - log(k) - log(k + 1));
}

double sb_rounds_ln_e(uint64_t round, double ln_won, double ln_e)
{
    return wealth_ln_add(sb_rounds_ln_won(round, ln_won, ln_e), -log((double)round + 1));
}

void sb_bettor_stakes(struct sb_bettor_wealth *wealth)
{
    for (size_t i = 0; i < SB_BETTOR_WEALTHS; i++) {
        wealth->part[i] = 0.5;
        wealth->power[i] = 1;
    }
}

double sb_bettor_average(const struct sb_bettor_wealth *wealth, double ln_wealth[], size_t *best)
{
    double sum = 0;

    *best = 0;
    for (size_t i = 0; i < SB_BETTOR_WEALTHS; i++) {
        ln_wealth[i] = log(wealth->part[i]) + wealth_ln_2 * (double)wealth->power[i];
        *best = ln_wealth[i] > ln_wealth[*best] ? i : *best;
    }
    for (size_t i = 0; i < SB_BETTOR_WEALTHS; i++)
        sum += exp(ln_wealth[i] - ln_wealth[*best]);
    return ln_wealth[*best] + log(sum / SB_BETTOR_WEALTHS);
}

/* How many more decks the current round takes; 0 if the round is complete, UINT64_MAX without rounds. */
static uint64_t bettor_round_left(const struct sb_bettor_wealth *wealth)
{
    return wealth->round == 0 ? UINT64_MAX : wealth->round * SB_BETTOR_ROUND - wealth->decks;
}

void sb_bettor_round_next(double ln_e, struct sb_bettor_wealth *wealth)
{
    wealth->ln_won = sb_rounds_ln_won(wealth->round, wealth->ln_won, ln_e);
    wealth->round++;
    sb_bettor_stakes(wealth);
}

/* What a deck adds to the rounding error of ln of each wealth, in units of 2^-53. */
static double bettor_deck_error(size_t n)
{
    return 6 * (double)n + 16;
}

static double bettor_error(const struct sb_bettor_wealth *wealth, double deck, double ln_e)
{
    const double decks = fmin((double)wealth->decks, SB_BETTOR_ROUND), rounds = (double)wealth->round + 1;

    return wealth_unit * (decks * deck + rounds * (64 + 32 * (fabs(ln_e) + log(rounds))));
}

double sb_bettor_error(const struct sb_bettor_wealth *wealth, size_t n, double ln_e)
{
    return bettor_error(wealth, bettor_deck_error(n), ln_e);
}

static const struct bettor_context *bettor_named(const char *name)
{
    for (size_t i = 0; i < SB_BETTOR_CONTEXTS && name; i++)
        if (strcmp(bettor_contexts[i].name, name) == 0)
            return &bettor_contexts[i];
    return NULL;
}

/* Returns the index of a context of sets and hands; SB_BETTOR_CONTEXTS if there is none. */
static size_t bettor_groups_named(const char *name)
{
    size_t i = 0;

    while (i < SB_BETTOR_CONTEXTS && !(name && strcmp(sb_group_bets_name(i), name) == 0))
        i++;
    return i;
}

bool sb_bettor_single(const char *context)
{
    const struct bettor_context *const found = bettor_named(context);
    const size_t groups = bettor_groups_named(context);

    return found ? found->ago == 0 && found->label == 0 : groups < SB_BETTOR_CONTEXTS && sb_group_bets_ago(groups) == 0;
}

bool sb_bettor_last(const char *context)
{
    const struct bettor_context *const found = bettor_named(context);
    const size_t groups = bettor_groups_named(context);

    return found ? found->ago == 1 || found->label == 1 : groups < SB_BETTOR_CONTEXTS && sb_group_bets_ago(groups) == 1;
}

static size_t bettor_keys(enum bettor_key key, size_t n)
{
    return key == BETTOR_CARDS ? (n + 1) * (n + 1) : n + 1; /* one more key stands for "no previous card" */
}

bool sb_bettor_can(const struct sb_multiset *multiset, size_t n)
{
    return n >= SB_BETTOR_LEAST && n <= SB_BETTOR_MOST &&
           !(multiset && multiset->groups && !sb_group_bets_can(multiset));
}

static enum sb_status bettor_new_groups(const struct sb_multiset *multiset, struct sb_bettor *made)
{
    made->groups = sb_group_bets_new(multiset);
    for (size_t i = 0; i < SB_BETTOR_WEALTHS; i++)
        made->name[i] = sb_group_bets_name(i / SB_BETTOR_PSEUDO);
    sb_bettor_stakes(&made->wealth);
    return made->groups ? SB_OK : SB_NO_MEMORY;
}

/* The deals of few items as hands of one item each, so that bets know their order; those of many as sets. */
static enum sb_status bettor_new_dealt(size_t n, size_t deal, struct sb_bettor *made)
{
    made->deal = deal;
    return sb_groups_dealt(n, deal, deal <= BETTOR_DEALT_MOST, &made->dealt) ? SB_NO_MEMORY
                                                                             : bettor_new_groups(made->dealt, made);
}

enum sb_status sb_bettor_new(const struct sb_multiset *multiset, size_t n, size_t deal, struct sb_bettor **bettor)
{
    struct sb_bettor *const made = calloc(1, sizeof *made);
    size_t counts = 0;

    if (!made)
        return SB_NO_MEMORY;
    made->n = n;
    if (deal < n || (multiset && multiset->groups)) {
        const enum sb_status status = deal < n ? bettor_new_dealt(n, deal, made) : bettor_new_groups(multiset, made);

        if (status)
            sb_bettor_free(made);
        else
            *bettor = made;
        return status;
    }
    made->width = (n + BETTOR_COUNTS - 1) / BETTOR_COUNTS * BETTOR_COUNTS; /* whole vectors */
    for (size_t c = 0; c < SB_BETTOR_CONTEXTS; c++)
        counts += bettor_keys(bettor_contexts[c].key, n) * made->width;
    made->counts =
        aligned_alloc(BETTOR_LINE, (counts * sizeof made->counts[0] + BETTOR_LINE - 1) / BETTOR_LINE * BETTOR_LINE);
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
    sb_group_bets_free(bettor->groups);
    sb_multiset_free(bettor->dealt);
    free(bettor->counts);
    free(bettor);
}

static uint16_t *bettor_places(struct sb_bettor *bettor, size_t d, size_t ago)
{
    return bettor->place[(bettor->next + d + BETTOR_ROWS - ago) % BETTOR_ROWS];
}

/* For each card of deck d of the block, finds the row of counts of the card's key in context c. */
static void bettor_find(struct sb_bettor *bettor, size_t c, size_t d, const sb_item deck[], uint16_t *row[])
{
    const struct bettor_context *const context = &bettor_contexts[c];
    const uint16_t *const place = context->ago ? bettor_places(bettor, d, context->ago) : bettor->card;
    const size_t n = bettor->n, width = bettor->width;
    uint16_t *const count = bettor->count[c];

    if (context->key == BETTOR_PLACE)
        for (size_t i = 0; i < n; i++)
            row[i] = count + i * width;
    else
        row[0] = count + (context->key == BETTOR_CARDS ? n * (n + 1) + n : n) * width;
    if (context->key == BETTOR_CARD)
        for (size_t i = 1; i < n; i++)
            row[i] = count + place[deck[i - 1]] * width;
    if (context->key == BETTOR_CARDS)
        for (size_t i = 1; i < n; i++)
            row[i] = count + (deck[i - 1] * (n + 1) + (i > 1 ? deck[i - 2] : n)) * width;
}

/* Multiplies a wealth, part 2^power, by a factor, and brings `part` back to [0.5, 1). */
static inline void bettor_multiply(double factor, double *part, int64_t *power)
{
    int shift;

    *part = frexp(*part * factor, &shift);
    *power += shift;
}

/* Multiplies the wealths by the factors m P(c) of the deck, in a fixed order. The products cannot overflow: each
 * element of up[] and down[] has at most 32 factors between 3 and 2^17, and the product of all m P(c) is at most n!. */
static inline void bettor_settle(const struct sb_bettor_deck *deck, const int32_t seen[], const int32_t sum[],
                                 double part[], int64_t power[])
{
    double up[SB_BETTOR_PSEUDO][BETTOR_LANES], down[SB_BETTOR_PSEUDO][BETTOR_LANES];

    for (size_t a = 0; a < SB_BETTOR_PSEUDO; a++)
        for (size_t k = 0; k < BETTOR_LANES; k++)
            up[a][k] = down[a][k] = 1;
    for (size_t i = 0; i < deck->n; i += BETTOR_LANES)
        for (size_t a = 0; a < SB_BETTOR_PSEUDO; a++)
            for (size_t k = 0; k < BETTOR_LANES; k++) {
                up[a][k] *= seen[i + k] + sb_bettor_pseudo[a];
                down[a][k] *= sum[i + k] * deck->inverse[i + k] + sb_bettor_pseudo[a];
            }
    for (size_t a = 0; a < SB_BETTOR_PSEUDO; a++) {
        bettor_multiply((up[a][0] * up[a][1]) / (down[a][0] * down[a][1]), &part[a], &power[a]);
        bettor_multiply((up[a][2] * up[a][3]) / (down[a][2] * down[a][3]), &part[a], &power[a]);
    }
}

SB_VERSIONS static void bettor_settle_pair(const struct sb_bettor_deck *deck, int32_t seen[][SB_BETTOR_MOST],
                                           int32_t sum[][SB_BETTOR_MOST], double part[], int64_t power[])
{
    for (size_t k = 0; k < SB_BETTOR_PAIR; k++) {
        for (size_t i = deck->n; i % BETTOR_LANES; i++)
            seen[k][i] = sum[k][i] = 0;
        bettor_settle(deck, seen[k], sum[k], part + k * SB_BETTOR_PSEUDO, power + k * SB_BETTOR_PSEUDO);
    }
}

/* For each of the two rows of card i, adds up the counts of the labels whose cards are dealt at turn i or later. Each
 * sum is below 2^16; the top 16 bits of the product are the sum of the four lanes of a word. */
SB_VERSIONS static void bettor_play_deck(const struct sb_bettor_deck *deck, double part[], int64_t power[])
{
    int32_t seen[SB_BETTOR_PAIR][SB_BETTOR_MOST], sum[SB_BETTOR_PAIR][SB_BETTOR_MOST];

    for (size_t i = 0; i < deck->n; i++) {
        const bettor_counts last = (bettor_counts) { 0 } + (int16_t)((int)i - 1);
        uint16_t *const row[SB_BETTOR_PAIR] = { deck->row[0][i], deck->row[1][i] };
        bettor_counts left[SB_BETTOR_PAIR] = { { 0 } }, when, counts;
        uint64_t word[SB_BETTOR_PAIR][sizeof(bettor_counts) / sizeof(uint64_t)];

        for (size_t j = 0; j < deck->width; j += BETTOR_COUNTS) {
            memcpy(&when, deck->turn + j, sizeof when);
            const bettor_counts later = when > last;

            for (size_t k = 0; k < SB_BETTOR_PAIR; k++) {
                memcpy(&counts, row[k] + j, sizeof counts);
                left[k] += counts & later;
            }
        }
        memcpy(word, left, sizeof word);
        for (size_t k = 0; k < SB_BETTOR_PAIR; k++) {
            uint64_t all = 0;

            for (size_t w = 0; w < sizeof word[k] / sizeof word[k][0]; w++)
                all += word[k][w];
            sum[k][i] = (int32_t)(all * UINT64_C(0x0001000100010001) >> 48);
            seen[k][i] = row[k][deck->label[i]]++;
        }
    }
    bettor_settle_pair(deck, seen, sum, part, power);
}

/* The versions of a function for instruction sets would be exported if the function were external. */
void sb_bettor_play(const struct sb_bettor_deck *deck, double part[], int64_t power[])
{
    bettor_play_deck(deck, part, power);
}

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
        bettor_find(bettor, c + k, d, items, deck.row[k]);
    sb_bettor_play(&deck, bettor->wealth.part + c * SB_BETTOR_PSEUDO, bettor->wealth.power + c * SB_BETTOR_PSEUDO);
}

static void bettor_add_block(struct sb_bettor *bettor, const sb_item items[], size_t count)
{
    const size_t n = bettor->n;

    for (size_t d = 0; d < count && bettor->groups; d++)
        sb_group_bets_add(bettor->groups, items + d * n, bettor->wealth.part, bettor->wealth.power);
    for (size_t d = 0; d < count && !bettor->groups; d++) {
        uint16_t *const places = bettor_places(bettor, d, 0);

        for (size_t j = 0; j < n; j++)
            places[items[d * n + j]] = (uint16_t)j;
    }
    for (size_t c = 0; c < SB_BETTOR_CONTEXTS && !bettor->groups; c += SB_BETTOR_PAIR)
        for (size_t d = 0; d < count; d++)
            if (bettor->learnt + d > 0 && bettor->learnt + d >= bettor_contexts[c].label)
                bettor_play(bettor, c, d, items + d * n);
    bettor->next = (bettor->next + count) % BETTOR_ROWS;
    bettor->learnt += count;
}

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

/* Adds decks, or deals, each as its deck of groups. */
static void bettor_each(struct sb_bettor *bettor, const sb_item items[], size_t count,
                        void (*add)(struct sb_bettor *bettor, const sb_item decks[], size_t count))
{
    const struct sb_multiset *const dealt = bettor->dealt;
    uint32_t next[SB_BETTOR_MOST], group[SB_BETTOR_MOST];
    sb_item deck[SB_BETTOR_MOST] = { 0 };

    if (!dealt)
        add(bettor, items, count);
    for (size_t t = 0; dealt && t < count; t++, items += bettor->deal) {
        for (size_t i = 0; i < bettor->n; i++)
            group[i] = (uint32_t)dealt->groups;
        for (size_t j = 0; j < bettor->deal; j++)
            group[items[j]] = dealt->kind[j];
        sb_groups_deck(dealt, group, next, deck);
        add(bettor, deck, 1);
    }
}

static void bettor_add_decks(struct sb_bettor *bettor, const sb_item items[], size_t count)
{
    while (count) {
        const uint64_t left = bettor_round_left(&bettor->wealth);
        const size_t next = left < count ? (size_t)left : count;
        size_t best;

        if (next == 0) {
            sb_bettor_round_next(sb_bettor_average(&bettor->wealth, bettor->ln_wealth, &best), &bettor->wealth);
            if (bettor->groups)
                sb_group_bets_forget(bettor->groups);
            else
                memset(bettor->counts, 0, bettor->counts_count * sizeof bettor->counts[0]);
            bettor->learnt = 0;
        }
        bettor_add(bettor, items, next);
        items += next * bettor->n;
        count -= next;
    }
}

void sb_bettor_add(struct sb_bettor *bettor, const sb_item items[], size_t count)
{
    bettor_each(bettor, items, count, bettor_add_decks);
}

void sb_bettor_learn(struct sb_bettor *bettor, const sb_item items[], size_t count)
{
    const struct sb_bettor_wealth wealth = bettor->wealth;

    bettor_each(bettor, items, count, bettor_add);
    bettor->wealth = wealth;
}

struct sb_tally sb_bettor_read(struct sb_bettor *bettor)
{
    size_t best;
    const double ln_e = sb_bettor_average(&bettor->wealth, bettor->ln_wealth, &best);
    const double deck = bettor->groups ? sb_group_bets_error(bettor->groups) : bettor_deck_error(bettor->n);

    bettor->ln_e = bettor->wealth.round ? sb_rounds_ln_e(bettor->wealth.round, bettor->wealth.ln_won, ln_e) : ln_e;
    return (struct sb_tally) {
        .statistic = sb_bettor_name,
        .members = 1,
        .total = bettor->wealth.decks,
        .share = bettor_share,
        .ln_e = &bettor->ln_e,
        .ln_e_error = bettor_error(&bettor->wealth, deck, bettor->ln_e),
        .bets = SB_BETTOR_WEALTHS,
        .ln_bet = bettor->ln_wealth,
        .bet_error = wealth_unit * deck,
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
