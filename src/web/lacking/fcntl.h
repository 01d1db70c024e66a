/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The C library's header, and a command that wasi-libc lacks. Its fcntl() refuses it; it is asked for only if a file
 * gets the descriptor of a standard stream, and the module has all three. */
#include_next <fcntl.h>

enum { F_DUPFD_CLOEXEC = 1030 };
