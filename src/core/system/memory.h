/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much memory the system can give this process. */
#ifndef SB_CORE_SYSTEM_MEMORY_H
#define SB_CORE_SYSTEM_MEMORY_H

/*
 * Returns the bytes that this process can still use without making the system swap: the least of
 *
 *   - the available memory of the machine (Linux: MemAvailable; elsewhere: all of its memory),
 *   - the limit on the address space of the process (RLIMIT_AS),
 *   - the limit of the process's control group (Linux: memory.max).
 *
 * Infinite if all of these are unknown.
 */
double sb_memory_available(void);

#endif
