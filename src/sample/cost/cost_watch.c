/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The functions that the compiler calls before each memory access of a shuffle in the second compilation
 * (sample/cost/cost_hooks.h). These functions have the interface of the thread sanitizer. Accesses outside
 * the watched arrays (struct sb_cost_watch) are not counted.
 *
 * The compiler passes no state to these functions, so the current watch is in a thread-local variable.
 */
#include "sample/cost/cost_watch.h"

#include <string.h>

static _Thread_local struct sb_cost_watch *cost_watch;

void sb_cost_watch_begin(struct sb_cost_watch *watch)
{
    cost_watch = watch;
}

static void cost_see(const void *where, size_t bytes, bool write)
{
    for (size_t i = 0; cost_watch && i < SB_COST_ARRAYS; i++) {
        struct sb_cost_array *const array = &cost_watch->array[i];
        const uintptr_t offset =
            /* if the address is before the array, the offset wraps to a very large number */
            (uintptr_t)where - (uintptr_t)array->start;
        const uint64_t elements = (bytes + array->element - 1) / array->element;

        if (offset < array->bytes) {
            array->reads += write ? 0 : elements;
            array->writes += write ? elements : 0;
        }
    }
}

/* Only code that the compiler generates calls these functions. */
void sb_cost_none(void);
void sb_cost_read1(const void *where);
void sb_cost_read2(const void *where);
void sb_cost_read4(const void *where);
void sb_cost_read8(const void *where);
void sb_cost_read16(const void *where);
void sb_cost_write1(const void *where);
void sb_cost_write2(const void *where);
void sb_cost_write4(const void *where);
void sb_cost_write8(const void *where);
void sb_cost_write16(const void *where);
void sb_cost_read_range(const void *where, size_t bytes);
void sb_cost_write_range(const void *where, size_t bytes);
void *sb_cost_memcpy(void *to, const void *from, size_t bytes);
void *sb_cost_memmove(void *to, const void *from, size_t bytes);
void *sb_cost_memset(void *to, int byte, size_t bytes);

void sb_cost_none(void)
{
}

void sb_cost_read1(const void *where)
{
    cost_see(where, 1, false);
}

void sb_cost_read2(const void *where)
{
    cost_see(where, 2, false);
}

void sb_cost_read4(const void *where)
{
    cost_see(where, 4, false);
}

void sb_cost_read8(const void *where)
{
    cost_see(where, 8, false);
}

void sb_cost_read16(const void *where)
{
    cost_see(where, 16, false);
}

void sb_cost_write1(const void *where)
{
    cost_see(where, 1, true);
}

void sb_cost_write2(const void *where)
{
    cost_see(where, 2, true);
}

void sb_cost_write4(const void *where)
{
    cost_see(where, 4, true);
}

void sb_cost_write8(const void *where)
{
    cost_see(where, 8, true);
}

void sb_cost_write16(const void *where)
{
    cost_see(where, 16, true);
}

void sb_cost_read_range(const void *where, size_t bytes)
{
    cost_see(where, bytes, false);
}

void sb_cost_write_range(const void *where, size_t bytes)
{
    cost_see(where, bytes, true);
}

void *sb_cost_memcpy(void *to, const void *from, size_t bytes)
{
    return sb_cost_memmove(to, from, bytes);
}

void *sb_cost_memmove(void *to, const void *from, size_t bytes)
{
    cost_see(from, bytes, false);
    cost_see(to, bytes, true);
    return memmove(to, from, bytes);
}

void *sb_cost_memset(void *to, int byte, size_t bytes)
{
    cost_see(to, bytes, true);
    return memset(to, byte, bytes);
}
