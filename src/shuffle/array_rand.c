/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * PHP's array_rand(), taken for a deal: k random keys of an array of n, in the order of the array. PHP 7.1 and
 * later draw from the whole array until k different keys are marked. For k > n/2 PHP marks the n-k keys to
 * leave out.
 *
 * The set of k keys is uniform, and their order is always ascending. So P(item x is at position i) = C(x, i)
 * C(n-1-x, k-1-i) / C(n, k). All n keys are the unshuffled array. PHP 5.2.10 to 7.0 went through the array
 * once and took a key with probability (keys still wanted) / (keys still to come): other draws, the same law.
 * Before 5.2.10, PHP shuffled the keys.
 * Cost, on average: n (H(n) - H(n-m)) draws, where m = min(k, n-k) and H(m) = 1 + 1/2 + ... + 1/m; 2
 * accesses of marks for each draw, and n + 2k array accesses.
 *
 * PHP, ext/standard/array.c, php_array_pick_keys(); the manual, https://www.php.net/array_rand.
 */
#include "shuffle/shuffle.h"

#include <string.h>

static size_t array_rand_awaits(const struct sb_shuffle *self, size_t n, size_t deal)
{
    return 2 * deal > n ? n - deal : deal;
}

static void array_rand_run(const struct sb_shuffle *self, struct sb_deck *deck, struct sb_source *src)
{
    const size_t n = deck->n;
    const bool leaves_out = 2 * deck->deal > n;
    uint64_t *const marked = deck->key; /* one bit per item */
    struct sb_hand hand = sb_hand_take(src);
    bool goes_on = true;

    memset(marked, 0, (n + 63) / 64 * sizeof *marked);
    for (size_t left = array_rand_awaits(self, n, deck->deal); goes_on && left > 0;) {
        const size_t j = sb_hand_below(&hand, (uint32_t)n);
        const bool is_new = !(marked[j / 64] >> (j % 64) & 1);

        marked[j / 64] |= UINT64_C(1) << (j % 64);
        left -= is_new;
        goes_on = sb_hand_reject(&hand, !is_new);
    }
    sb_hand_give(&hand);
    for (size_t j = 0, i = 0; j < n && i < deck->deal; j++)
        if ((marked[j / 64] >> (j % 64) & 1) != leaves_out)
            deck->a[i++] = deck->a[j]; /* i <= j, so no item is lost before it is read */
}

const struct sb_shuffle_type sb_shuffle_array_rand = {
    .name = "array-rand",
    .title = "PHP's array_rand() taken for a deal: a fair set of cards, in ascending order",
    .cite = "https://www.php.net/array_rand",
    .claim = SB_BIASED,
    .by_name_only = true,
    .pseudocode = "repeat                      (k cards are dealt)\n"
                  "    mark a[draw(n)], if it is not marked yet\n"
                  "until k cards are marked\n"
                  "deal the marked cards, in the order of a\n",
    .why = "As a set the cards are fair, each set of k equally likely. But they are dealt in the order of the "
           "deck, never in another, and the whole deck is dealt unshuffled. PHP's manual promises no more; "
           "shuffle() the sample before dealing from it.",
    .run = array_rand_run,
    .awaits = array_rand_awaits,
};
