/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keeps a thread and its peer, which take turns, on one processor. They never work at the same time. On two
 * processors, each would wait at every turn until the other wakes up there, which on an idle machine takes
 * ten times as long as a context switch on one processor.
 */
#ifndef SB_SUBJECT_PEER_CPU_AFFINITY_H
#define SB_SUBJECT_PEER_CPU_AFFINITY_H

struct sb_cpu_affinity; /* the thread's previous affinity */

/* Keeps this thread, and the processes that it starts later, on the current processor. NULL if that is
 * not possible, which is harmless. */
struct sb_cpu_affinity *sb_cpu_affinity_begin(void);

/* Restores the previous affinity of the thread; its processes stay. NULL is ignored. */
void sb_cpu_affinity_end(struct sb_cpu_affinity *turns);

#endif
