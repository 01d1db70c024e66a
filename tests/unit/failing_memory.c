/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* fopencookie() */
#include "unit/test.h"

#include "unit/failing_memory.h"

#include <dirent.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* The library's own functions, under the names that the linker's --wrap gives them. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
char *__real_strdup(const char *text);
void __real_free(void *block);
FILE *__real_fopencookie(void *cookie, const char *mode, cookie_io_functions_t functions);
FILE *__real_open_memstream(char **text, size_t *size);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
char *__wrap_strdup(const char *text);
void __wrap_free(void *block);
FILE *__wrap_fopencookie(void *cookie, const char *mode, cookie_io_functions_t functions);
FILE *__wrap_open_memstream(char **text, size_t *size);

enum {
    BLOCKS_MOST = 1 << 16,
    PLACES_MOST = 1 << 14,
    DEPTH = 8, /* return addresses of a place */
};

/* A place that allocates. */
struct place {
    uint64_t hash;   /* of the return addresses; 0: none */
    unsigned failed; /* its allocations that have failed, each in another run: 0..2 */
    unsigned seen;   /* its allocations in this run */
};

static struct {
    bool on;
    int number;           /* the errno of calls on files that fail; 0: allocations fail */
    bool failed;          /* an allocation has failed in this run: */
    void *address[DEPTH]; /* [depth] where */
    int depth;
    void *block[BLOCKS_MOST]; /* allocated during this run, and not yet freed */
    size_t blocks;
    struct place place[PLACES_MOST]; /* by hash */
} memory;

static struct place *memory_place(void)
{
    uint64_t hash = 1;

    memory.depth = backtrace(memory.address, DEPTH);
    for (int i = 0; i < memory.depth; i++)
        hash = (hash ^ (uintptr_t)memory.address[i]) * UINT64_C(0x9E3779B97F4A7C15);
    for (size_t i = hash >> 32;; i++) {
        struct place *const place = &memory.place[i % PLACES_MOST];

        if (place->hash == 0)
            place->hash = hash;
        if (place->hash == hash)
            return place;
    }
}

/* Whether this call fails; it is an allocation, or it is not. */
static bool place_fails(bool allocation)
{
    if (!memory.on || memory.failed || allocation == (memory.number != 0))
        return false;
    struct place *const place = memory_place();

    if (place->seen++ != place->failed || place->failed == 2)
        return false;
    place->failed++;
    memory.failed = true;
    errno = allocation ? ENOMEM : memory.number;
    return true;
}

static bool memory_fails(void)
{
    return place_fails(true);
}

static void *memory_remember(void *block)
{
    if (memory.on && block && memory.blocks < BLOCKS_MOST)
        memory.block[memory.blocks++] = block;
    return block;
}

static void memory_forget(const void *block)
{
    for (size_t i = memory.blocks; memory.on && block && i-- > 0;)
        if (memory.block[i] == block) {
            memory.block[i] = memory.block[--memory.blocks];
            return;
        }
}

void *__wrap_malloc(size_t size)
{
    return memory_fails() ? NULL : memory_remember(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return memory_fails() ? NULL : memory_remember(__real_calloc(count, size));
}

void *__wrap_realloc(void *block, size_t size)
{
    if (memory_fails())
        return NULL;
    memory_forget(block);
    return memory_remember(__real_realloc(block, size));
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return memory_fails() ? NULL : memory_remember(__real_aligned_alloc(alignment, size));
}

char *__wrap_strdup(const char *text)
{
    return memory_fails() ? NULL : memory_remember(__real_strdup(text));
}

void __wrap_free(void *block)
{
    memory_forget(block);
    __real_free(block);
}

FILE *__wrap_fopencookie(void *cookie, const char *mode, cookie_io_functions_t functions)
{
    return memory_fails() ? NULL : __real_fopencookie(cookie, mode, functions);
}

FILE *__wrap_open_memstream(char **text, size_t *size)
{
    return memory_fails() ? NULL : __real_open_memstream(text, size);
}

/* ---- calls on files, pipes, threads and processes ---- */

/* Declares the system's function, and defines ours: it fails by returning `failure`, or else calls the system's. */
#define CALL(type, name, failure, parameters, arguments)               \
    type __real_##name parameters;                                     \
    type __wrap_##name parameters;                                     \
    type __wrap_##name parameters                                      \
    {                                                                  \
        return place_fails(false) ? failure : __real_##name arguments; \
    }

/* Under both names: with -D_FILE_OFFSET_BITS=64, a program calls the second. */
#define CALLS(type, name, failure, parameters, arguments) \
    CALL(type, name, failure, parameters, arguments)      \
    CALL(type, name##64, failure, parameters, arguments)

CALLS(int, stat, -1, (const char *path, struct stat *about), (path, about))
CALLS(int, lstat, -1, (const char *path, struct stat *about), (path, about))
CALLS(int, fstat, -1, (int file, struct stat *about), (file, about))
CALLS(int, ftruncate, -1, (int file, off_t size), (file, size))
CALLS(off_t, lseek, -1, (int file, off_t offset, int whence), (file, offset, whence))
CALLS(ssize_t, pread, -1, (int file, void *bytes, size_t count, off_t offset), (file, bytes, count, offset))
CALLS(FILE *, fopen, NULL, (const char *path, const char *mode), (path, mode))
CALL(int, open, -1, (const char *path, int flags, mode_t mode), (path, flags, mode))
CALL(int, open64, -1, (const char *path, int flags, mode_t mode), (path, flags, mode))
CALL(int, fcntl, -1, (int file, int command, long argument), (file, command, argument))
CALL(int, fcntl64, -1, (int file, int command, long argument), (file, command, argument))
CALL(ssize_t, read, -1, (int file, void *bytes, size_t count), (file, bytes, count))
CALL(ssize_t, write, -1, (int file, const void *bytes, size_t count), (file, bytes, count))
CALL(int, fsync, -1, (int file), (file))
CALL(int, flock, -1, (int file, int operation), (file, operation))
CALL(int, rename, -1, (const char *old, const char *new), (old, new))
CALL(char *, realpath, NULL, (const char *path, char *target), (path, target))
CALL(FILE *, fdopen, NULL, (int file, const char *mode), (file, mode))
CALL(size_t, fread, 0, (void *bytes, size_t size, size_t count, FILE *file), (bytes, size, count, file))
CALL(int, fseek, -1, (FILE * file, long offset, int whence), (file, offset, whence))
CALL(long, ftell, -1, (FILE * file), (file))
CALL(int, fputs, EOF, (const char *text, FILE *file), (text, file))
CALL(int, fflush, EOF, (FILE * file), (file))
CALL(DIR *, opendir, NULL, (const char *path), (path))
CALL(int, pipe2, -1, (int files[2], int flags), (files, flags))
CALL(int, poll, -1, (struct pollfd * files, nfds_t count, int wait), (files, count, wait))

/* Closes the file even if it fails, as the system does. */
int __real_fclose(FILE *file);
int __wrap_fclose(FILE *file);
int __wrap_fclose(FILE *file)
{
    const bool fails = place_fails(false);
    const int number = errno, status = __real_fclose(file);

    if (fails)
        errno = number;
    return fails ? EOF : status;
}

/* These return their errno. */
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*start)(void *), void *state);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*start)(void *), void *state);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*start)(void *), void *state)
{
    return place_fails(false) ? errno : __real_pthread_create(thread, how, start, state);
}

int __real_posix_spawnp(pid_t *process, const char *name, const posix_spawn_file_actions_t *files,
                        const posix_spawnattr_t *how, char *const arguments[], char *const names[]);
int __wrap_posix_spawnp(pid_t *process, const char *name, const posix_spawn_file_actions_t *files,
                        const posix_spawnattr_t *how, char *const arguments[], char *const names[]);
int __wrap_posix_spawnp(pid_t *process, const char *name, const posix_spawn_file_actions_t *files,
                        const posix_spawnattr_t *how, char *const arguments[], char *const names[])
{
    return place_fails(false) ? errno : __real_posix_spawnp(process, name, files, how, arguments, names);
}

static enum sb_status memory_run(failing_memory_call *call, const void *argument)
{
    memory.failed = false;
    memory.blocks = 0;
    for (size_t i = 0; i < PLACES_MOST; i++)
        memory.place[i].seen = 0;
    memory.on = true;
    const enum sb_status status = call(argument);

    memory.on = false;
    return status;
}

static void memory_blame(const char *what, enum sb_status status)
{
    backtrace_symbols_fd(memory.address, memory.depth, STDERR_FILENO);
    fail_msg("the run without the memory of this place %s: status %d", what, (int)status);
}

enum allowed { NO_MEMORY, NO_MEMORY_OR_RIGHT, ANYTHING };

static size_t memory_each(failing_memory_call *call, const void *argument, int number, enum allowed allowed)
{
    memset(memory.place, 0, sizeof memory.place);
    memory.number = number;
    for (size_t runs = 0;; runs++) {
        const enum sb_status status = memory_run(call, argument);

        if (memory.blocks > 0)
            memory_blame("leaves blocks behind", status);
        if (!memory.failed) {
            assert_int_equal(status, SB_OK);
            return runs;
        }
        if (allowed != ANYTHING && status != SB_NO_MEMORY &&
            !(allowed == NO_MEMORY_OR_RIGHT && status == SB_OK))
            memory_blame("has another status", status);
    }
}

size_t failing_memory_each(failing_memory_call *call, const void *argument)
{
    return memory_each(call, argument, 0, NO_MEMORY);
}

size_t failing_memory_each_or_right(failing_memory_call *call, const void *argument)
{
    return memory_each(call, argument, 0, NO_MEMORY_OR_RIGHT);
}

size_t failing_files_each(failing_memory_call *call, const void *argument, int number)
{
    return memory_each(call, argument, number, ANYTHING);
}
