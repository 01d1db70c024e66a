/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The C library's header, and a declaration of realpath(), which wasi-libc lacks. src/web/system.c
 * defines realpath(). */
#include_next <stdlib.h>

char *realpath(const char *path, char *resolved);
