/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Insertion before a random sibling: each item in turn, in the order of the unshuffled deck, moves to the
 * place before an item that is drawn from all n items. If an item draws itself, it stays.
 *
 * Biased for n >= 3: n^n equally likely series of draws cannot be divided evenly among n! permutations, as
 * n-1 divides n! but has no factor in common with n. Nothing is ever inserted at the end, so an item only
 * becomes last when all items behind it move away.
 * Cost: n draws. The code keeps a linked list, as browsers do, so a move does not shift other items: about
 * 16n array accesses.
 *
 * This is the `shuffle` of reveal.js 6.0.2 (js/reveal.js), where the items are slides: insertBefore(slide,
 * slides[Math.floor(Math.random() * slides.length)]).
 */
#include "shuffle/shuffle.h"

static void insertion_run(const struct sb_shuffle *self, struct sb_deck *deck, struct sb_source *src)
{
    const sb_item n = (sb_item)deck->n;
    /* the neighbours of each item, in a circle: the first item comes after the last */
    sb_item *const before = deck->b, *const after = (void *)deck->key;
    sb_item first = 0;

    for (sb_item i = 0; i < n; i++) {
        before[i] = i == 0 ? n - 1 : i - 1;
        after[i] = i + 1 == n ? 0 : i + 1;
    }
    for (sb_item i = 0; i < n; i++) {
        const sb_item next = sb_draw_below(src, n);

        if (next == i)
            continue;
        first = first == i ? after[i] : first;
        after[before[i]] = after[i];
        before[after[i]] = before[i];
        first = first == next ? i : first;
        before[i] = before[next];
        after[i] = next;
        after[before[i]] = i;
        before[next] = i;
    }
    for (size_t j = 0; j < n; j++, first = after[first])
        deck->a[j] = first;
}

const struct sb_shuffle_type sb_shuffle_insertion = {
    .name = "insertion",
    .title = "each item in turn inserted before a random one, as in reveal.js",
    .cite = "https://github.com/hakimel/reveal.js",
    .claim = SB_BIASED,
    .by_name_only = true,
    .pseudocode = "for each item x, in the unshuffled order:\n"
                  "    y = one of all items: draw(n)\n"
                  "    if y is not x: move x to the place before y\n",
    .why = "Each item draws from all others, also from those that have been inserted already. From n = 3 on "
           "the n^n series of answers cannot be shared out evenly among n! orders: n-1 divides n! but has "
           "no factor in common with n. Besides, nothing is ever inserted at the end.",
    .run = insertion_run,
};
