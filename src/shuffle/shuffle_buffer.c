/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The shuffle buffer of data loaders: a buffer holds B items of a stream. At each step one of them, drawn
 * at random, comes out, and the next item of the stream takes its place. After the end of the stream the
 * buffer empties. Here the buffer is a[i..i+B-1]: step i swaps the drawn item to position i.
 *
 * The draws map one to one onto orders: result[i] says which item step i drew. So B! B^(n-B) of the n!
 * orders occur (B <= n), all equally likely, and total variation is 1 - B! B^(n-B) / n!. Item x enters the
 * buffer before step s = max(0, x-B+1). A step i <= n-B draws it with probability 1/B; after these steps, all
 * items of the buffer are in fair order. So P(item x ends at position q) is 0 for q < s, and
 *
 *     (1/B) (1 - 1/B)^(min(q, n-B) - s)     for q >= s.
 *
 * The first item (x = 0) has s = 0: in a long stream its position has a geometric law, with mean B-1 and
 * median about B ln 2. The last item never comes before position n-B.
 * Cost for a deal of k: k draws (n-1 if k = n) and 4 array accesses for each draw.
 *
 * TensorFlow: tf.data.Dataset.shuffle(buffer_size); PyTorch, WebDataset, Hugging Face datasets and NVIDIA
 * DALI have the same buffer.
 */
#include "shuffle/shuffle.h"

static size_t shuffle_buffer_plan(const struct sb_shuffle *self, size_t n, size_t deal, struct sb_swap steps[])
{
    const size_t size = (size_t)self->parameter;
    const size_t count = deal < n ? deal : n - 1; /* the last item is no choice */

    for (size_t i = 0; steps && i < count; i++)
        steps[i] = (struct sb_swap) { .at = i, .at_bound = 1, .from = i, .bound = size < n - i ? size : n - i };
    return count;
}

const struct sb_shuffle_type sb_shuffle_shuffle_buffer = {
    .name = "shuffle-buffer",
    .title = "a data loader's buffer of B items, of which a random one comes out",
    .cite = "https://www.tensorflow.org/api_docs/python/tf/data/Dataset#shuffle",
    .claim = SB_BIASED,
    .by_name_only = true,
    .pseudocode = "for i = 0 to n-2:\n"
                  "    j = i + draw(min(B, n - i))\n"
                  "    swap a[i], a[j]\n",
    .why = "Only B items are in reach of a draw, so no item comes out more than B-1 places early, and the "
           "first items tend to come first: sorted data stay nearly sorted. If B is below n, just B! "
           "B^(n-B) of the n! orders ever come up, equally often. It is fair only if B is n or more.",
    .parameter = { .name = "B", .meaning = "items of the buffer", .low = 1, .high = 10000000, .standard = 2 },
    .plan = shuffle_buffer_plan,
};
