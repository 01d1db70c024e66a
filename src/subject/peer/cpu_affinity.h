/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One processor for two who take turns. This thread and its peer never work at once. On two processors each
 * waits at every turn until the other has been woken there, which on an idle machine takes ten times as long
 * as a change of context on one.
 */
#ifndef SB_SUBJECT_PEER_CPU_AFFINITY_H
#define SB_SUBJECT_PEER_CPU_AFFINITY_H

struct sb_cpu_affinity; /* where the thread was allowed to run before */

/* Keeps this thread, and the processes that it starts from now on, on the processor where it is. NULL where
 * that cannot be had, which does no harm. */
struct sb_cpu_affinity *sb_cpu_affinity_begin(void);

/* Lets the thread that began go where it went before; its processes stay. NULL is ignored. */
void sb_cpu_affinity_end(struct sb_cpu_affinity *turns);

#endif
