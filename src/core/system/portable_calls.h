/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * System calls that POSIX.1-2008 lacks, with a replacement for systems without them, such as macOS. Meson
 * looks for the calls (SB_HAS_... in core/system/meson.build). The unit test `portable_calls` compiles all
 * replacements on any system. docs/platforms.md says what the replacements cannot do.
 */
#ifndef SB_CORE_SYSTEM_PORTABLE_CALLS_H
#define SB_CORE_SYSTEM_PORTABLE_CALLS_H

#include <spawn.h>
#include <stddef.h>

/* Opens a pipe whose ends are closed in new programs. Returns 0 or an errno number. */
int sb_portable_pipe(int ends[2]);

/* Opens a new file that is closed in new programs, as mkstemp() does. Returns a descriptor, or -1 and sets errno. */
int sb_portable_temporary(char path[]);

/* Discards the pending SIGPIPE of this thread, which blocks that signal. */
void sb_portable_discard_sigpipe(void);

/* Returns how many processors this process may use, at least 1. */
size_t sb_portable_processors(void);

/* Lets posix_spawn() start a program in a folder. Returns 0 or an errno number; ENOTSUP where the system cannot. */
int sb_portable_spawn_in(posix_spawn_file_actions_t *actions, const char *folder);

/* Returns the environment of this process, for posix_spawn(). */
char **sb_portable_environment(void);

#endif
