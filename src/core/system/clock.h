/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The clock that deadlines and pauses go by: nothing that is counted depends on it. */
#ifndef SB_CORE_SYSTEM_CLOCK_H
#define SB_CORE_SYSTEM_CLOCK_H

#include <time.h>

/* Seconds, from a moment that does not change while the machine runs, whatever its date is set to. */
static inline double sb_clock_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
