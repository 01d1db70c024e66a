/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The module has a single thread, which does all work. */
#include "core/system.h"

size_t sb_threads_count(size_t asked, uint64_t useful)
{
    (void)asked;
    (void)useful;
    return 1;
}

void sb_threads_run(size_t threads, void (*work)(void *state, size_t thread), void *state)
{
    (void)threads;
    work(state, 0);
}
