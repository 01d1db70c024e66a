/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The clock for deadlines and pauses. No result depends on this clock. */
#ifndef SB_CORE_SYSTEM_CLOCK_H
#define SB_CORE_SYSTEM_CLOCK_H

#include <time.h>

/* Returns the seconds since a fixed moment; changes of the system's date have no effect. */
static inline double sb_clock_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
