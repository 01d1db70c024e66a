/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Swap or not, in R rounds: draw a pivot below n. The positions i and pivot - i (modulo n) are partners; for
 * each pair of partners, a coin says whether to swap their items.
 *
 * Nearly uniform. In a round, an item that does not stay by its coin goes to a uniform position. So P(item x
 * ends at position q) = 1/n + 2^-R ([x = q] - 1/n): after the 90 rounds of Ethereum, no test of positions
 * sees anything. Swaps of pairs, in contrast to a full shuffle, can be computed for a single item: Ethereum
 * asks where one validator goes, without shuffling a million.
 * Cost: about R (1 + n/2) draws and 3 R n array accesses.
 *
 * V. T. Hoang, B. Morris and P. Rogaway, An enciphering scheme based on a card shuffle, CRYPTO 2012,
 * doi:10.1007/978-3-642-32009-5_1, which bounds how far R rounds are from uniform. Ethereum, consensus-specs,
 * phase0, compute_shuffled_index(), takes pivots and coins from SHA-256.
 */
#include "shuffle/shuffle.h"

/* Swaps partners, by coin: i and j, i+1 and j-1, and so on. */
static void swap_or_not_pairs(struct sb_hand *hand, sb_item a[], size_t i, size_t j)
{
    for (; i < j; i++, j--) {
        const sb_item swaps = sb_hand_coin(hand), differ = (a[i] ^ a[j]) & (0 - swaps);

        a[i] ^= differ;
        a[j] ^= differ;
    }
}

static void swap_or_not_run(const struct sb_shuffle *self, struct sb_deck *deck, struct sb_source *src)
{
    const size_t n = deck->n;
    struct sb_hand hand = sb_hand_take(src);

    for (uint64_t round = 0; round < self->parameter; round++) {
        const size_t pivot = sb_hand_below(&hand, (uint32_t)n);

        swap_or_not_pairs(&hand, deck->a, 0, pivot);
        swap_or_not_pairs(&hand, deck->a, pivot + 1, n - 1);
    }
    sb_hand_give(&hand);
}

static size_t swap_or_not_origin(const struct sb_shuffle *self, size_t n, size_t step, size_t q, struct sb_source *src)
{
    const size_t partner = (n + sb_draw_below(src, (uint32_t)n) - q) % n;

    return partner != q && sb_draw_below(src, 2) == 1 ? partner : q;
}

static size_t swap_or_not_steps(const struct sb_shuffle *self, size_t n)
{
    return (size_t)self->parameter;
}

const struct sb_shuffle_type sb_shuffle_swap_or_not = {
    .name = "swap-or-not",
    .title = "R rounds of swap-or-not, which Ethereum uses with R = 90",
    .cite = "doi:10.1007/978-3-642-32009-5_1",
    .claim = SB_NEARLY_UNIFORM,
    .by_name_only = true,
    .pseudocode = "repeat R times:\n"
                  "    pivot = draw(n)\n"
                  "    for each pair i < j with i + j = pivot or pivot + n:\n"
                  "        if draw(2) = 1: swap a[i], a[j]\n",
    .why = "In a round, a coin leaves an item where it is or sends it to a uniform position. So after R "
           "rounds it "
           "is still where it started with probability 1/n + 2^-R (1 - 1/n), and at each other position with "
           "(1 - 2^-R)/n: a bias that is easy to see after 4 rounds, and impossible to see after 90.",
    .parameter = { .name = "R", .meaning = "rounds", .low = 1, .high = 255, .standard = 90 },
    .run = swap_or_not_run,
    .origin = swap_or_not_origin,
    .steps = swap_or_not_steps,
};
