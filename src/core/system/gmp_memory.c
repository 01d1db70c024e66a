/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The reserve of memory for GMP is a series of blocks, each with a header that gives its size. An allocation
 * takes the first free block that is large enough, and joins adjacent free blocks on the way. Cost: one step
 * per block, and nothing as long as malloc() succeeds.
 */
#include "core/system/gmp_memory.h"

#include <gmp.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { RESERVE_BYTES = 8 << 20 };

/* The header in front of a block. */
struct reserve_head {
    /* bytes of the header and the block together; a multiple of the header's size */
    alignas(max_align_t) size_t size;
    bool used;
};

/* All blocks are in one static array, because GMP passes no state to its allocation functions. */
static struct {
    pthread_mutex_t lock; /* protects everything below */
    atomic_size_t used;   /* number of blocks in use; read without the lock */
    union {
        struct reserve_head first; /* size 0: no block exists yet */
        unsigned char byte[RESERVE_BYTES];
    } room;
} gmp_reserve = { .lock = PTHREAD_MUTEX_INITIALIZER };

bool sb_gmp_short(void)
{
    return atomic_load_explicit(&gmp_reserve.used, memory_order_relaxed) > 0;
}

/* Returns the header after this one; NULL at the end. */
static struct reserve_head *reserve_next(struct reserve_head *head)
{
    unsigned char *const next = (unsigned char *)head + head->size;

    return next < gmp_reserve.room.byte + RESERVE_BYTES ? (struct reserve_head *)(void *)next : NULL;
}

/* Shrinks this block to `size` bytes and turns the rest, if any, into a free block. */
static void reserve_split(struct reserve_head *head, size_t size)
{
    const size_t rest = head->size - size;

    if (rest <= sizeof *head)
        return;
    head->size = size;
    *reserve_next(head) = (struct reserve_head) { .size = rest };
}

static void *reserve_take(size_t bytes)
{
    const size_t size = (bytes / sizeof(struct reserve_head) + 2) * sizeof(struct reserve_head);
    void *found = NULL;

    if (bytes >= RESERVE_BYTES)
        return NULL;
    pthread_mutex_lock(&gmp_reserve.lock);
    if (gmp_reserve.room.first.size == 0)
        gmp_reserve.room.first.size = RESERVE_BYTES;
    for (struct reserve_head *head = &gmp_reserve.room.first; head && !found; head = reserve_next(head)) {
        struct reserve_head *next = reserve_next(head);

        for (; !head->used && next && !next->used; next = reserve_next(head))
            head->size += next->size;
        if (head->used || head->size < size)
            continue;
        reserve_split(head, size);
        head->used = true;
        atomic_fetch_add(&gmp_reserve.used, 1);
        found = head + 1;
    }
    pthread_mutex_unlock(&gmp_reserve.lock);
    return found;
}

static bool reserve_holds(const void *block)
{
    const uintptr_t at = (uintptr_t)block, first = (uintptr_t)gmp_reserve.room.byte;

    return at >= first && at - first < RESERVE_BYTES;
}

static void reserve_give(void *block)
{
    struct reserve_head *const head = (struct reserve_head *)block - 1;

    pthread_mutex_lock(&gmp_reserve.lock);
    head->used = false;
    atomic_fetch_sub(&gmp_reserve.used, 1);
    pthread_mutex_unlock(&gmp_reserve.lock);
}

/* Like GMP's own function, but falls back on the reserve. Calls abort() only if the reserve is full. The
 * reserve is large enough that this should not happen. */
static void *gmp_allocate(size_t bytes)
{
    void *block = malloc(bytes);

    if (!block)
        block = reserve_take(bytes);
    if (!block)
        abort();
    return block;
}

static void gmp_free(void *block, size_t bytes)
{
    (void)bytes;
    if (reserve_holds(block))
        reserve_give(block);
    else
        free(block);
}

static void *gmp_reallocate(void *block, size_t before, size_t bytes)
{
    void *grown = reserve_holds(block) ? bytes <= before ? block : NULL : realloc(block, bytes);

    if (grown)
        return grown;
    grown = gmp_allocate(bytes);
    memcpy(grown, block, before < bytes ? before : bytes);
    gmp_free(block, before);
    return grown;
}

/* Makes GMP use the functions above if GMP still uses its own functions. Setting NULL restores GMP's own
 * functions, so the code sets NULL and then asks which functions these are. */
__attribute__((constructor)) static void gmp_begin(void)
{
    void *(*allocate[2])(size_t), *(*reallocate)(void *, size_t, size_t);
    void (*release)(void *, size_t);

    mp_get_memory_functions(&allocate[0], &reallocate, &release);
    mp_set_memory_functions(NULL, NULL, NULL);
    mp_get_memory_functions(&allocate[1], NULL, NULL);
    if (allocate[0] == allocate[1])
        mp_set_memory_functions(gmp_allocate, gmp_reallocate, gmp_free);
    else
        mp_set_memory_functions(allocate[0], reallocate, release);
}

/* Restores GMP's functions, since GMP may stay loaded longer than this library. */
__attribute__((destructor)) static void gmp_end(void)
{
    void *(*allocate)(size_t);

    mp_get_memory_functions(&allocate, NULL, NULL);
    if (allocate == gmp_allocate && !sb_gmp_short())
        mp_set_memory_functions(NULL, NULL, NULL);
}
