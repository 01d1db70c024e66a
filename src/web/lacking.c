/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that wasi-libc declares or needs, but does not have. */
#define _DEFAULT_SOURCE /* declares madvise() */

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

/* There are no files, so no path leads to a file. */
char *realpath(const char *path, char *resolved)
{
    (void)path;
    (void)resolved;
    errno = ENOENT;
    return NULL;
}

/* The function may ignore the advice, which affects only the speed. */
int madvise(void *start, size_t size, int advice)
{
    (void)start;
    (void)size;
    (void)advice;
    return 0;
}

/* These two symbols are needed because Debian builds clang's runtime library with stack protection. */
uintptr_t __stack_chk_guard = 0x5bd1e995;
void __stack_chk_fail(void);
void __stack_chk_fail(void)
{
    __builtin_trap();
}
