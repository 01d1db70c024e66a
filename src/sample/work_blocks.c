/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks of work that wait to be taken: a counter, from which whoever is idle takes the next.
 *
 * The threads of a process alone share it by an atomic addition, one block at a time. The counter of a crew
 * is at the first member, and asking it may take from a microsecond to many milliseconds: so a thread takes
 * as many blocks at once as it needs to wait for 2% of its time at most, unless they would last for more than
 * a quarter of a second, or for more than a fair share of what is left. Who shuts the queue takes all.
 */
#include "sample/work_blocks.h"

#include "core/system/clock.h"

void sb_queue_open(struct sb_queue *queue, const struct sb_crew *crew, size_t threads, uint64_t first,
                   uint64_t end)
{
    *queue = (struct sb_queue) { .crew = crew, .threads = threads, .next = first, .end = end };
    pthread_mutex_init(&queue->asking, NULL);
    if (crew)
        crew->open(crew->state, first);
}

void sb_queue_close(struct sb_queue *queue)
{
    if (queue->crew)
        queue->crew->close(queue->crew->state);
    pthread_mutex_destroy(&queue->asking);
}

/* Asks the crew for so many blocks; one thread at a time. */
static uint64_t queue_ask(struct sb_queue *queue, uint64_t count)
{
    pthread_mutex_lock(&queue->asking);
    const uint64_t first = queue->crew->take(queue->crew->state, count);
    pthread_mutex_unlock(&queue->asking);
    return first;
}

/* Some blocks for a hand that has none. */
static void queue_fill(struct sb_queue *queue, struct sb_queue_hand *hand)
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
    const uint64_t hands = (uint64_t)queue->crew->size * queue->threads;
    const uint64_t share = first < end ? (end - first) / (8 * hands) : 0;
    hand->size = hand->size < share ? hand->size : share;
}

bool sb_queue_take(struct sb_queue *queue, struct sb_queue_hand *hand, uint64_t *block)
{
    if (hand->next == hand->end) {
        if (queue->shut)
            return false;
        if (queue->crew) {
            queue_fill(queue, hand);
        } else {
            hand->next = atomic_fetch_add(&queue->next, 1);
            hand->end = hand->next + 1;
        }
    }
    *block = hand->next++;
    return *block < queue->end;
}

void sb_queue_shut(struct sb_queue *queue)
{
    if (!atomic_exchange(&queue->shut, true) && queue->crew)
        queue->next = queue_ask(queue, queue->end);
}

uint64_t sb_queue_left(const struct sb_queue *queue)
{
    const bool asked = !queue->crew || queue->shut;

    return asked && queue->next < queue->end ? queue->next : queue->end;
}
