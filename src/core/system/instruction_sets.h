/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Instruction sets of the processor. Some sources are compiled once for each of them (instruction_sets in
 * src/meson.build); the names of what they define end in _plain, _avx2 or _avx512. All versions give the same
 * results, and the program chooses one when it runs.
 */
#ifndef SB_CORE_SYSTEM_INSTRUCTION_SETS_H
#define SB_CORE_SYSTEM_INSTRUCTION_SETS_H

#include <stddef.h>

/* Returns how many versions this machine can run, 1..3. The versions are _plain, _avx2 and _avx512, in this
 * order: a machine that can run one of them can also run those before it, and the last one is the fastest. */
size_t sb_instruction_sets(void);

#endif
