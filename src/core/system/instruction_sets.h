/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Instruction sets of the processor. Some source files are compiled once for each instruction set
 * (instruction_sets in src/meson.build). The names that these files define end in _plain, _avx2 or _avx512.
 * All versions give the same results, and the program chooses a version when it runs.
 */
#ifndef SB_CORE_SYSTEM_INSTRUCTION_SETS_H
#define SB_CORE_SYSTEM_INSTRUCTION_SETS_H

#include <stddef.h>

/* Returns how many versions this machine can run, 1..3. The versions are _plain, _avx2 and _avx512, in this
 * order. A machine that can run a version can also run all versions before it. On each machine, the last
 * version that it can run is the fastest. */
size_t sb_instruction_sets(void);

#endif
