/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file replaces src/store/file in the module, which can neither replace nor lock files, and so saves no
 * evidence. Functions that read files work unchanged: wasi-libc asks the host.
 */
#include "core/core.h"
#include "store/file/atomic_file.h"
#include "store/file/file_lock.h"

static enum sb_status files_none(const char *path, struct sb_error *error)
{
    return sb_error_set(error, SB_IO,
                        "cannot save '%.200s': the WebAssembly module locks no files: use the native program",
                        path);
}

enum sb_status sb_atomic_file_replace(const char *path, bool secret, sb_atomic_file_writer *writer,
                                      const void *what, struct sb_error *error)
{
    (void)secret;
    (void)writer;
    (void)what;
    return files_none(path, error);
}

enum sb_status sb_atomic_file_replace_held(const char *path, bool secret, sb_atomic_file_writer *writer,
                                           const void *what, int *lock, const char *again,
                                           struct sb_error *error)
{
    (void)secret;
    (void)writer;
    (void)what;
    (void)lock;
    (void)again;
    return files_none(path, error);
}

enum sb_status sb_atomic_file_absent(const char *path, const char *remedy, struct sb_error *error)
{
    (void)remedy;
    return files_none(path, error);
}

void sb_atomic_file_clean(const char *path)
{
    (void)path;
}

enum sb_status sb_file_lock_take(int descriptor, const char *path, struct sb_error *error, bool *taken)
{
    (void)descriptor;
    (void)taken;
    return files_none(path, error);
}

enum sb_status sb_file_lock_open(const char *path, struct sb_error *error, int *lock)
{
    (void)lock;
    return files_none(path, error);
}

enum sb_status sb_file_lock_busy(const char *path, struct sb_error *error)
{
    return files_none(path, error);
}

enum sb_status sb_file_lock_wait(const char *path, const volatile sig_atomic_t *stop, struct sb_error *error,
                                 int *lock)
{
    (void)stop;
    (void)lock;
    return files_none(path, error);
}
