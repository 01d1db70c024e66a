/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks the system for huge pages. A refusal only costs time. */
#define _DEFAULT_SOURCE /* for madvise() */

#include "core/system/huge_pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { HUGE_PAGE = 2 * 1024 * 1024 };

void *sb_huge_pages_new(size_t count, size_t width)
{
    char *const table = calloc(count, width);

#ifdef MADV_HUGEPAGE
    if (table && count * width >= 2 * HUGE_PAGE) {
        const size_t skip = HUGE_PAGE - (uintptr_t)table % HUGE_PAGE;

        (void)madvise(table + skip, (count * width - skip) / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
    }
#endif
    return table;
}
