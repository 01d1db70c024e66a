/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keeps a thread and its peer on one processor. The thread and the peer take turns and never work at the same
 * time. On two processors, each change of turn would have to wake up the other processor. On an idle machine
 * this takes ten times as long as a context switch.
 */
#ifndef SB_SUBJECT_PROCESS_CPU_AFFINITY_H
#define SB_SUBJECT_PROCESS_CPU_AFFINITY_H

struct sb_cpu_affinity; /* the thread's previous affinity */

/* Keeps this thread, and the processes that this thread starts later, on the current processor. Returns NULL
 * if this is not possible; the caller can ignore the failure. */
struct sb_cpu_affinity *sb_cpu_affinity_begin(void);

/* Restores the previous affinity of the thread, but not of the processes that the thread started. `affinity` may
 * be NULL. */
void sb_cpu_affinity_end(struct sb_cpu_affinity *affinity);

#endif
