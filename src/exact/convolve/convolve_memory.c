/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocates the memory of `convolve`, and checks beforehand that there is enough. */
#include "exact/convolve/convolve_memory.h"

#include "core/core.h"
#include "core/system.h"

#include <stdatomic.h>
#include <stdlib.h>

enum {
    MEMORY_PAGE = 4096,
    MEMORY_HUGE_PAGE = 2 * 1024 * 1024,
    MEMORY_SMALL = 1 << 28, /* fewer bytes are not checked beforehand, because the estimate is rough */
};

void *sb_convolve_new(size_t count, size_t width)
{
    return sb_huge_pages_new(count, width);
}

/* Cells whose pages the threads touch. */
struct memory_touch {
    const struct sb_law *law;
    char *cells;
    size_t bytes;
    atomic_size_t next; /* index of the next byte to take */
};

/* Does the work of a thread: takes ranges of the size of a huge page until none is left, and touches each
 * page in these ranges. */
static void memory_touch(void *state, size_t thread)
{
    struct memory_touch *const touch = state;
    size_t first;

    (void)thread;
    while ((first = atomic_fetch_add(&touch->next, MEMORY_HUGE_PAGE)) < touch->bytes &&
           !(touch->law->stop && *touch->law->stop))
        for (size_t i = first; i < touch->bytes && i < first + MEMORY_HUGE_PAGE; i += MEMORY_PAGE)
            touch->cells[i] = 0;
}

void sb_convolve_touch(const struct sb_law *law, void *cells, size_t bytes)
{
    struct memory_touch touch = { .law = law, .cells = cells, .bytes = bytes };
    const size_t pages = bytes / MEMORY_HUGE_PAGE;

    sb_threads_run(pages > 8 ? sb_threads_count(law->threads, pages) : 1, memory_touch, &touch);
}

/* Returns the largest n, 2 <= n <= `most`, for which two arrays of n! 32-bit counts fit in `bytes`, with 64
 * MB to spare. Returns 2 if none fits. */
static size_t memory_items(double bytes, size_t most)
{
    size_t n = most;

    while (n > 2 && 8 * (double)sb_deals(n, n) + 64e6 > bytes)
        n--;
    return n;
}

enum sb_status sb_convolve_fits(const struct sb_law *law, double needs, struct sb_error *error)
{
    const double gib = 1073741824, available = sb_memory_available();
    const size_t n = law->shuffler->n;

    if (needs < MEMORY_SMALL || needs <= available)
        return SB_OK;
    return sb_error_set(
        error, SB_NO_MEMORY,
        "%s: the exact law of `n = %zu` takes %.1f GiB of memory, and %.1f GiB are available: "
        "free memory, or use n <= %zu",
        law->shuffler->shuffle.type->name, n, needs / gib, available / gib, memory_items(available, n - 1));
}
