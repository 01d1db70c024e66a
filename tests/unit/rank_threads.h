/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranks that are threads with their own memory, which exchange data only at barriers. */
#ifndef TESTS_RANK_THREADS_H
#define TESTS_RANK_THREADS_H

#include "shufflebias.h"
#include "unit/test.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { RANKS_MOST = 4 };

/* Where members meet. */
struct house {
    pthread_barrier_t barrier;
    pthread_mutex_t mutex;
    void *first;   /* what the first member has brought */
    size_t length; /* its bytes */
    _Atomic uint64_t number;
};

struct member {
    struct sb_ranks ranks;
    struct house *house;
    void (*work)(struct member *member);
    pthread_t thread;
};

static void meet(const struct member *member)
{
    pthread_barrier_wait(&member->house->barrier);
}

static void member_broadcast(void *state, void *bytes, size_t size)
{
    const struct member *const member = state;

    if (member->ranks.rank == 0)
        member->house->first = bytes;
    meet(member);
    if (member->ranks.rank > 0)
        memcpy(bytes, member->house->first, size);
    meet(member);
}

/* The first member's array, for the others to join theirs to it; it waits until all have. */
static void *join_begin(const struct member *member, void *own)
{
    if (member->ranks.rank == 0)
        member->house->first = own;
    meet(member);
    pthread_mutex_lock(&member->house->mutex);
    return member->house->first;
}

static void join_end(const struct member *member)
{
    pthread_mutex_unlock(&member->house->mutex);
    meet(member);
}

static void member_sum(void *state, uint64_t tally[], size_t count)
{
    uint64_t *const first = join_begin(state, tally);

    for (size_t i = 0; first != tally && i < count; i++)
        first[i] += tally[i];
    join_end(state);
}

static void member_most(void *state, uint8_t held[], size_t count)
{
    uint8_t *const first = join_begin(state, held);

    for (size_t i = 0; i < count; i++)
        first[i] = first[i] > held[i] ? first[i] : held[i];
    join_end(state);
}

static void member_either(void *state, uint64_t bits[], size_t count)
{
    uint64_t *const first = join_begin(state, bits);

    for (size_t i = 0; i < count; i++)
        first[i] |= bits[i];
    join_end(state);
}

static size_t member_gather(void *state, void *bytes, size_t size)
{
    const struct member *const member = state;
    struct house *const house = member->house;

    if (member->ranks.rank == 0)
        house->length = size;
    char *const first = join_begin(member, bytes);
    if (member->ranks.rank > 0 && size > 0) {
        memcpy(first + house->length, bytes, size);
        house->length += size;
    }
    join_end(member);
    return house->length;
}

static void member_open(void *state, uint64_t first)
{
    const struct member *const member = state;

    if (member->ranks.rank == 0)
        atomic_store(&member->house->number, first);
    meet(member);
}

static void member_close(void *state)
{
    meet(state);
}

static uint64_t member_take(void *state, uint64_t count)
{
    const struct member *const member = state;

    return atomic_fetch_add(&member->house->number, count);
}

static void *member_run(void *state)
{
    struct member *const member = state;

    member->work(member);
    return NULL;
}

/* Has all of 2 to 4 ranks do their work, this thread that of the first. */
static inline void ranks_run(unsigned size, void (*first)(struct member *member), void (*others)(struct member *member))
{
    struct member members[RANKS_MOST];
    struct house house = { .first = NULL };

    pthread_barrier_init(&house.barrier, NULL, size);
    pthread_mutex_init(&house.mutex, NULL);
    for (unsigned rank = 0; rank < size; rank++)
        members[rank] = (struct member) {
            .ranks = {
                .rank = rank,
                .size = size,
                .state = &members[rank],
                .broadcast = member_broadcast,
                .sum = member_sum,
                .most = member_most,
                .either = member_either,
                .gather = member_gather,
                .open = member_open,
                .close = member_close,
                .take = member_take,
            },
            .house = &house,
            .work = rank ? others : first,
        };
    for (unsigned rank = 1; rank < size; rank++)
        assert_int_equal(pthread_create(&members[rank].thread, NULL, member_run, &members[rank]), 0);
    member_run(&members[0]);
    for (unsigned rank = 1; rank < size; rank++)
        pthread_join(members[rank].thread, NULL);
    pthread_mutex_destroy(&house.mutex);
    pthread_barrier_destroy(&house.barrier);
}

#endif
