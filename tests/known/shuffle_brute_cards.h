/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Brute-force computations for the shuffles of real cards: packets in two hands, dropped card by card. */
#ifndef SB_TESTS_SHUFFLE_BRUTE_CARDS_H
#define SB_TESTS_SHUFFLE_BRUTE_CARDS_H

#include "shuffle_brute.h"

static inline uint64_t ways_to_choose(size_t n, size_t k)
{
    return k == 0 ? 1 : n == 0 ? 0 : ways_to_choose(n - 1, k - 1) + ways_to_choose(n - 1, k);
}

/* Two packets in hand, from[left..left_end-1] and from[right..n-1], and the new deck. */
struct hands {
    size_t n, left, left_end, right;
    uint8_t from[MOST], to[MOST];
};

/*
 * Drops the card at `place` from the left or the right, in proportion to what they still hold: fractions over
 * n, n-1, ..., 1, so a weight that n! divides stays whole.
 */
static inline void drop(struct law *law, struct hands hands, size_t place, uint64_t weight)
{
    const size_t lefts = hands.left_end - hands.left, rights = hands.n - hands.right;

    if (place >= hands.n || place >= MOST) {
        law->weight[encode(hands.n, hands.to)] += weight;
        return;
    }
    if (lefts > 0 && hands.left < MOST) {
        struct hands next = hands;

        next.to[place] = hands.from[next.left++];
        drop(law, next, place + 1, weight * lefts / (lefts + rights));
    }
    if (rights > 0 && hands.right < MOST) {
        struct hands next = hands;

        next.to[place] = hands.from[next.right++];
        drop(law, next, place + 1, weight * rights / (lefts + rights));
    }
}

/* One riffle: k cards in the left hand in C(n, k) of 2^n cuts; 5! makes the weights whole. */
static inline void riffle_again(struct law *law)
{
    const struct law before = *law;

    memset(law->weight, 0, sizeof law->weight);
    for (size_t code = 0; code < power(law->n, law->n); code++)
        for (size_t k = 0; before.weight[code] && k <= law->n; k++) {
            struct hands hands = { .n = law->n, .left_end = k, .right = k };

            decode(law->n, code, hands.from);
            drop(law, hands, 0, before.weight[code] * ways_to_choose(law->n, k) * 120);
        }
}

static inline void riffle_once(struct law *law)
{
    start(law);
    riffle_again(law);
}

static inline void riffle_thrice(struct law *law)
{
    riffle_once(law);
    riffle_again(law);
    riffle_again(law);
}

/* Every set of gaps; packets are laid down from the last card of the deck upwards. */
static inline void overhand(struct law *law, uint64_t others)
{
    const size_t n = law->n;

    for (size_t gaps = 0; gaps < power(2, n - 1); gaps++) {
        uint8_t a[MOST] = { 0 };
        uint64_t weight = 1;
        size_t placed = 0, end = n;

        for (size_t i = n; i-- > 0;) { /* the packet that begins at i is the next from the top */
            const bool begins = i == 0 || (gaps >> (i - 1) & 1);

            if (i > 0)
                weight *= begins ? 1 : others;
            for (size_t j = i; begins && j < end; j++)
                a[placed++] = (uint8_t)j;
            if (begins)
                end = i;
        }
        law->weight[encode(n, a)] += weight;
    }
}

static inline void overhand_2(struct law *law)
{
    overhand(law, 1);
}

static inline void overhand_5(struct law *law)
{
    overhand(law, 4);
}

/* The top card goes to the bottom, k times, in C(n, k) of the 2^n ways. */
static inline void cut(struct law *law)
{
    const size_t n = law->n;

    for (size_t k = 0; k <= n; k++) {
        uint8_t a[MOST] = { 0 };

        for (size_t j = 0; j < n; j++)
            a[j] = (uint8_t)j;
        for (size_t times = 0; times < k; times++)
            turn(n, a, 0, 1);
        law->weight[encode(n, a)] += ways_to_choose(n, k);
    }
}

#endif
