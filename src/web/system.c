/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This file replaces src/core/portable.c in the module, but for the widths of characters (absent.c), and has functions
 * that wasi-libc declares or needs, but lacks. */
#define _DEFAULT_SOURCE /* declares madvise() */
#include "core/system.h"
#include "core/text.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

/* There are no files, so no path leads to a file. */
char *realpath(const char *path, char *resolved)
{
    errno = ENOENT;
    return NULL;
}

/* The function may ignore the advice, which affects only the speed. */
int madvise(void *start, size_t size, int advice)
{
    return 0;
}

/* These two symbols are needed because Debian builds clang's runtime library with stack protection. */
uintptr_t __stack_chk_guard = 0x5bd1e995;
void __stack_chk_fail(void);
void __stack_chk_fail(void)
{
    __builtin_trap();
}

/* ---- The memory can grow to 65,536 pages of 64 KiB, and a single thread does all work. ---- */

double sb_memory_available(void)
{
    return (65536.0 - (double)__builtin_wasm_memory_size(0)) * 65536;
}

size_t sb_threads_count(size_t asked, uint64_t useful)
{
    return 1;
}

void sb_threads_run(size_t threads, void (*work)(void *state, size_t thread), void *state)
{
    work(state, 0);
}

/* ---- Every locale has a decimal point. ---- */

locale_t sb_decimal_begin(void)
{
    return (locale_t)0;
}

void sb_decimal_end(locale_t before)
{
}
