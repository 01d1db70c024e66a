/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The C library's header, and a type that wasi-libc lacks: the module starts no processes, of which none ends. */
#include_next <signal.h>

typedef struct siginfo siginfo_t;
