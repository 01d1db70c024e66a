/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Divides the work on a sample into blocks, and divides B blocks into M parts. Part number `part` has the
 * blocks [floor(B (part-1) / M), floor(B part / M)), so each block is in exactly one part, and each process
 * can compute its own part. Cost: O(1).
 *
 * A queue distributes blocks: each idle thread takes the next block from a common counter. In a single process, a
 * thread takes one block at a time, by an atomic addition. With several MPI ranks, the counter is at the root, and a
 * request may take from a microsecond to many milliseconds. So a thread takes several blocks at once, just enough that
 * requests take at most 2% of the thread's time. But a thread never takes more blocks than the thread can do in a
 * quarter of a second, nor more than a fair share of the remaining blocks. To shut the queue, the root takes all
 * remaining blocks itself.
 */
#include "sample/sample.h"

#include "core/system.h"

struct sb_blocks sb_blocks_all(size_t n, uint64_t total)
{
    const uint64_t decks = sb_block_decks(n);

    return (struct sb_blocks) { .first = 0, .count = total / decks + (total % decks > 0) };
}

/* Returns floor(count * part / parts). No product overflows, because `part` and count % parts are at most 10^6. */
static uint64_t blocks_share(uint64_t count, uint64_t part, uint64_t parts)
{
    return count / parts * part + count % parts * part / parts;
}

struct sb_blocks sb_blocks_part(struct sb_blocks all, uint64_t part, uint64_t parts)
{
    const uint64_t begin = blocks_share(all.count, part - 1, parts);
    const uint64_t end = blocks_share(all.count, part, parts);

    return (struct sb_blocks) { .first = all.first + begin, .count = end - begin };
}

uint64_t sb_blocks_decks(struct sb_blocks blocks, size_t n, uint64_t total)
{
    const uint64_t decks = sb_block_decks(n);
    const uint64_t first = blocks.first * decks; /* at most `total`, because every block starts within the sample */
    const uint64_t left = first < total ? total - first : 0;

    return blocks.count <= left / decks ? blocks.count * decks : left;
}

void sb_work_blocks_open(struct sb_work_blocks *queue, const struct sb_ranks *ranks, size_t threads, uint64_t first,
                         uint64_t end)
{
    *queue = (struct sb_work_blocks) { .ranks = ranks, .threads = threads, .next = first, .end = end };
    pthread_mutex_init(&queue->asking, NULL);
    if (ranks)
        ranks->open(ranks->state, first);
}

void sb_work_blocks_close(struct sb_work_blocks *queue)
{
    if (queue->ranks)
        queue->ranks->close(queue->ranks->state);
    pthread_mutex_destroy(&queue->asking);
}

/* Requests `count` blocks from the counter that all MPI ranks share. Returns the first of these blocks. A
 * lock lets one thread at a time make a request. */
static uint64_t queue_ask(struct sb_work_blocks *queue, uint64_t count)
{
    pthread_mutex_lock(&queue->asking);
    const uint64_t first = queue->ranks->take(queue->ranks->state, count);
    pthread_mutex_unlock(&queue->asking);
    return first;
}

/* Takes some blocks for a thread that has no blocks left. */
static void queue_fill(struct sb_work_blocks *queue, struct sb_work_blocks_hand *hand)
{
    const double asked = sb_clock_now(), lasted = asked - hand->since;
    const uint64_t size = hand->size ? hand->size : 1;
    const uint64_t first = queue_ask(queue, size), end = queue->end;
    const double got = sb_clock_now();

    hand->next = first;
    hand->end = first < end && end - first < size ? end : first + size;
    if (hand->since > 0 && got - asked > 0.02 * lasted && lasted < 0.125)
        hand->size = 2 * size;
    else if (lasted > 0.25)
        hand->size = size / 2;
    else
        hand->size = size;
    hand->since = got;
    const uint64_t hands = (uint64_t)queue->ranks->size * queue->threads;
    const uint64_t share = first < end ? (end - first) / (8 * hands) : 0;
    hand->size = hand->size < share ? hand->size : share;
}

bool sb_work_blocks_take(struct sb_work_blocks *queue, struct sb_work_blocks_hand *hand, uint64_t *block)
{
    if (hand->next == hand->end) {
        if (queue->shut)
            return false;
        if (queue->ranks) {
            queue_fill(queue, hand);
        } else {
            hand->next = atomic_fetch_add(&queue->next, 1);
            hand->end = hand->next + 1;
        }
    }
    *block = hand->next++;
    return *block < queue->end;
}

void sb_work_blocks_shut(struct sb_work_blocks *queue)
{
    if (!atomic_exchange(&queue->shut, true) && queue->ranks)
        queue->next = queue_ask(queue, queue->end);
}

uint64_t sb_work_blocks_left(const struct sb_work_blocks *queue)
{
    const bool asked = !queue->ranks || queue->shut;

    return asked && queue->next < queue->end ? queue->next : queue->end;
}
