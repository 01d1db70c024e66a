/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* fopencookie() */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/failing_memory.h"

#include <errno.h>
#include <execinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The library's own functions, under the names that the linker's --wrap gives them. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
char *__real_strdup(const char *text);
void __real_free(void *block);
FILE *__real_fopencookie(void *cookie, const char *mode, cookie_io_functions_t functions);
FILE *__real_open_memstream(char **text, size_t *size);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
char *__wrap_strdup(const char *text);
void __wrap_free(void *block);
FILE *__wrap_fopencookie(void *cookie, const char *mode, cookie_io_functions_t functions);
FILE *__wrap_open_memstream(char **text, size_t *size);

enum {
    BLOCKS_MOST = 1 << 16,
    PLACES_MOST = 1 << 14,
    DEPTH = 8, /* return addresses of a place */
};

/* A place that allocates. */
struct place {
    uint64_t hash;   /* of the return addresses; 0: none */
    unsigned failed; /* its allocations that have failed, each in another run: 0..2 */
    unsigned seen;   /* its allocations in this run */
};

static struct {
    bool on;
    bool failed;          /* an allocation has failed in this run: */
    void *address[DEPTH]; /* [depth] where */
    int depth;
    void *block[BLOCKS_MOST]; /* allocated during this run, and not yet freed */
    size_t blocks;
    struct place place[PLACES_MOST]; /* by hash */
} memory;

static struct place *memory_place(void)
{
    uint64_t hash = 1;

    memory.depth = backtrace(memory.address, DEPTH);
    for (int i = 0; i < memory.depth; i++)
        hash = (hash ^ (uintptr_t)memory.address[i]) * UINT64_C(0x9E3779B97F4A7C15);
    for (size_t i = hash >> 32;; i++) {
        struct place *const place = &memory.place[i % PLACES_MOST];

        if (place->hash == 0)
            place->hash = hash;
        if (place->hash == hash)
            return place;
    }
}

static bool memory_fails(void)
{
    if (!memory.on || memory.failed)
        return false;
    struct place *const place = memory_place();

    if (place->seen++ != place->failed || place->failed == 2)
        return false;
    place->failed++;
    memory.failed = true;
    errno = ENOMEM;
    return true;
}

static void *memory_remember(void *block)
{
    if (memory.on && block && memory.blocks < BLOCKS_MOST)
        memory.block[memory.blocks++] = block;
    return block;
}

static void memory_forget(const void *block)
{
    for (size_t i = memory.blocks; memory.on && block && i-- > 0;)
        if (memory.block[i] == block) {
            memory.block[i] = memory.block[--memory.blocks];
            return;
        }
}

void *__wrap_malloc(size_t size)
{
    return memory_fails() ? NULL : memory_remember(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return memory_fails() ? NULL : memory_remember(__real_calloc(count, size));
}

void *__wrap_realloc(void *block, size_t size)
{
    if (memory_fails())
        return NULL;
    memory_forget(block);
    return memory_remember(__real_realloc(block, size));
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return memory_fails() ? NULL : memory_remember(__real_aligned_alloc(alignment, size));
}

char *__wrap_strdup(const char *text)
{
    return memory_fails() ? NULL : memory_remember(__real_strdup(text));
}

void __wrap_free(void *block)
{
    memory_forget(block);
    __real_free(block);
}

FILE *__wrap_fopencookie(void *cookie, const char *mode, cookie_io_functions_t functions)
{
    return memory_fails() ? NULL : __real_fopencookie(cookie, mode, functions);
}

FILE *__wrap_open_memstream(char **text, size_t *size)
{
    return memory_fails() ? NULL : __real_open_memstream(text, size);
}

static enum sb_status memory_run(failing_memory_call *call, const void *argument)
{
    memory.failed = false;
    memory.blocks = 0;
    for (size_t i = 0; i < PLACES_MOST; i++)
        memory.place[i].seen = 0;
    memory.on = true;
    const enum sb_status status = call(argument);

    memory.on = false;
    return status;
}

static void memory_blame(const char *what, enum sb_status status)
{
    backtrace_symbols_fd(memory.address, memory.depth, STDERR_FILENO);
    fail_msg("the run without the memory of this place %s: status %d", what, (int)status);
}

static size_t memory_each(failing_memory_call *call, const void *argument, bool or_right)
{
    memset(memory.place, 0, sizeof memory.place);
    for (size_t runs = 0;; runs++) {
        const enum sb_status status = memory_run(call, argument);

        if (memory.blocks > 0)
            memory_blame("leaves blocks behind", status);
        if (!memory.failed) {
            assert_int_equal(status, SB_OK);
            return runs;
        }
        if (status != SB_NO_MEMORY && !(or_right && status == SB_OK))
            memory_blame("has another status", status);
    }
}

size_t failing_memory_each(failing_memory_call *call, const void *argument)
{
    return memory_each(call, argument, false);
}

size_t failing_memory_each_or_right(failing_memory_call *call, const void *argument)
{
    return memory_each(call, argument, true);
}
