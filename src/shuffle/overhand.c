/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One overhand shuffle: packets are taken off the top and dropped on each other. This reverses the order of
 * the packets, but the cards within each packet keep their order. P is the parameter of the shuffle: at each
 * of the n-1 gaps between two cards, a packet ends with probability 1/P, independently of the other gaps. So
 * packets have about P cards.
 *
 * Biased: of the n! permutations only 2^(n-1) ever occur. It takes on the order of n^2 ln n such shuffles to
 * come close to uniform.
 * Cost: n-1 draws below P, where the answer 0 ends a packet; 2n array accesses.
 *
 * The model is R. Pemantle's (Journal of Theoretical Probability 2 (1989) 37). Pemantle leaves the packets in
 * place and reverses the cards of each packet, which gives the same deck turned over. J. Jonasson, The
 * overhand shuffle mixes in Theta(n^2 log n) steps, Annals of Applied Probability 16 (2006) 231,
 * doi:10.1214/105051605000000692.
 */
#include "shuffle/shuffle.h"

static void overhand_run(const struct sb_shuffle *self, struct sb_deck *deck, struct sb_source *src)
{
    const size_t n = deck->n;
    size_t end = n; /* end of the free part of the new deck; packets fill it from the bottom up */

    for (size_t first = 0, i = 0; i < n; i++) {
        const bool cut = i + 1 == n || sb_draw_below(src, (uint32_t)self->parameter) == 0;

        if (!cut)
            continue;
        end -= i + 1 - first; /* the packet first..i */
        for (size_t place = end; first <= i; first++, place++)
            deck->b[place] = deck->a[first];
    }
    sb_deck_exchange(deck);
}

static size_t overhand_origin(const struct sb_shuffle *self, size_t n, size_t step, size_t q, struct sb_source *src)
{
    const uint32_t bound = (uint32_t)self->parameter;
    /* `below` lies in the packet first..last, and this packet moves to the positions n-1-last..n-1-first,
     * which include q */
    const size_t below = n - 1 - q;
    const size_t first = below - sb_draw_run(src, bound, below);
    const size_t last = below + sb_draw_run(src, bound, q);

    return first + last - below;
}

const struct sb_shuffle_type sb_shuffle_overhand = {
    .name = "overhand",
    .title = "one overhand shuffle, in packets of about P cards",
    .cite = "doi:10.1214/105051605000000692",
    .claim = SB_BIASED,
    .pseudocode = "for each gap between two cards:\n"
                  "    a packet ends there if draw(P) = 0\n"
                  "take the packets off the top, one by one,\n"
                  "    and drop each on the one before\n",
    .why = "The cards of a packet keep their order, and the packets are turned round. Chance decides "
           "only where packets end, in 2^(n-1) ways: no more orders ever come up, and most "
           "neighbours stay neighbours.",
    .parameter = { .name = "P", .meaning = "cards of a packet, on average", .low = 2, .high = 100, .standard = 5 },
    .run = overhand_run,
    .origin = overhand_origin,
    .steps = sb_steps_one,
};
