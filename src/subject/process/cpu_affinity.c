/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps two processes on one processor, because they never work at the same time. Uses Linux's thread
 * affinity; other systems place the processes as they like. */
#define _GNU_SOURCE /* for sched_getcpu() and CPU_SET() */
#include "subject/process/cpu_affinity.h"

#include <sched.h>
#include <stdlib.h>

#if SB_HAS_SCHED_SETAFFINITY

struct sb_cpu_affinity {
    cpu_set_t before;
};

struct sb_cpu_affinity *sb_cpu_affinity_begin(void)
{
    struct sb_cpu_affinity *const affinity = malloc(sizeof *affinity);
    const int here = sched_getcpu();
    cpu_set_t one;

    CPU_ZERO(&one);
    if (here >= 0 && here < CPU_SETSIZE)
        CPU_SET((size_t)here, &one);
    if (affinity && sched_getaffinity(0, sizeof affinity->before, &affinity->before) == 0 &&
        sched_setaffinity(0, sizeof one, &one) == 0)
        return affinity;
    free(affinity);
    return NULL;
}

void sb_cpu_affinity_end(struct sb_cpu_affinity *affinity)
{
    if (affinity)
        sched_setaffinity(0, sizeof affinity->before, &affinity->before);
    free(affinity);
}

#else

struct sb_cpu_affinity *sb_cpu_affinity_begin(void)
{
    return NULL;
}

void sb_cpu_affinity_end(struct sb_cpu_affinity *affinity)
{
    (void)affinity;
}

#endif
