/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A library that is loaded before the C library (LD_PRELOAD). It makes a call of the program fail that would
 * have succeeded. The environment says which call:
 *
 *     FAULT_PROGRAM  the program's short name; others, as those that it starts, are left alone
 *     FAULT_WHAT     allocate, thread, spawn, read or write: the calls that are counted
 *     FAULT_AT       the number of the first call that fails, from 1; 0: none
 *     FAULT_ALL      if set, all calls after that one fail, too
 *     FAULT_ERRNO    what they fail with
 *     FAULT_SITES    a file for a line per call, a number that stands for where it was made
 *     FAULT_DEPTH    return addresses that stand for a place (7)
 *     FAULT_FIRED    a file that is made once a call has failed
 *     FAULT_LEFT     a file for the number of blocks that the program itself allocated and never freed
 *
 * Where a call was made is the sum of its innermost return addresses, which are the same in each run without
 * randomised addresses (setarch -R).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* glibc's own names for what is replaced here: dlsym() allocates, and could not be asked for them. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

enum { FAULT_FRAMES = 9, FAULT_OWN = 2 }; /* of the stack that are added up, after those of this file */

static struct {
    pid_t process; /* that is counted; 0: none */
    const char *what, *fired;
    long at, calls;
    bool all;
    int number, sites; /* FAULT_ERRNO; a descriptor, -1 for none */
    int depth;
} fault = { .sites = -1 };

static _Thread_local bool fault_busy; /* in this file, whose own calls do not count */

static void fault_site(void)
{
    void *frame[FAULT_FRAMES];
    const int frames = backtrace(frame, FAULT_FRAMES);
    uint64_t sum = 0;
    char line[32];

    for (int i = FAULT_OWN; i < frames && i < FAULT_OWN + fault.depth; i++)
        sum = (sum ^ (uintptr_t)frame[i]) * UINT64_C(0x100000001b3);
    const int length = snprintf(line, sizeof line, "%llx\n", (unsigned long long)sum);
    if (write(fault.sites, line, (size_t)length) != length)
        abort();
}

/* Whether this call is to fail. */
static bool fault_due(const char *what)
{
    if (!fault.process || fault_busy || !fault.what || strcmp(what, fault.what) != 0 || getpid() != fault.process)
        return false;
    fault_busy = true;
    const long call = __atomic_add_fetch(&fault.calls, 1, __ATOMIC_SEQ_CST);
    const bool due = fault.at && (fault.all ? call >= fault.at : call == fault.at);

    if (fault.sites >= 0)
        fault_site();
    if (due && fault.fired)
        close(open(fault.fired, O_WRONLY | O_CREAT, 0666));
    if (due)
        errno = fault.number;
    fault_busy = false;
    return due;
}

/* ---- the blocks of the program itself, and not of the libraries under it ---- */

enum { FAULT_BLOCKS = 1 << 20 };

static struct {
    uintptr_t first, last;         /* the program's code */
    pthread_mutex_t lock;          /* of the table */
    uintptr_t block[FAULT_BLOCKS]; /* open addressing; 0: never used, 1: used before */
    size_t left;
} fault_own = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Finds where the program's own code stands: it is the first object. */
static int fault_object(struct dl_phdr_info *object, size_t size, void *data)
{
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const uintptr_t first = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;

        if (object->dlpi_phdr[i].p_type != PT_LOAD || !(object->dlpi_phdr[i].p_flags & PF_X))
            continue;
        fault_own.first = first;
        fault_own.last = first + object->dlpi_phdr[i].p_memsz;
    }
    return 1;
}

static void fault_keep(const void *block, const void *caller)
{
    size_t slot = (uintptr_t)block / 16 % FAULT_BLOCKS;

    if (!block || (uintptr_t)caller < fault_own.first || (uintptr_t)caller >= fault_own.last)
        return;
    pthread_mutex_lock(&fault_own.lock);
    while (fault_own.block[slot] > 1)
        slot = (slot + 1) % FAULT_BLOCKS;
    fault_own.block[slot] = (uintptr_t)block;
    fault_own.left++;
    pthread_mutex_unlock(&fault_own.lock);
}

static void fault_forget(const void *block)
{
    size_t slot = (uintptr_t)block / 16 % FAULT_BLOCKS;

    if (!block || !fault_own.last)
        return;
    pthread_mutex_lock(&fault_own.lock);
    while (fault_own.block[slot] && fault_own.block[slot] != (uintptr_t)block)
        slot = (slot + 1) % FAULT_BLOCKS;
    if (fault_own.block[slot]) {
        fault_own.block[slot] = 1;
        fault_own.left--;
    }
    pthread_mutex_unlock(&fault_own.lock);
}

__attribute__((destructor)) static void fault_end(void)
{
    const char *const path = getenv("FAULT_LEFT");
    char line[32];

    if (!fault.process || getpid() != fault.process || !path)
        return;
    fault.process = 0;
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    const int length = snprintf(line, sizeof line, "%zu\n", fault_own.left);

    if (file < 0 || write(file, line, (size_t)length) != length)
        abort();
    close(file);
}

/* ---- what stands before the C library's functions ---- */

void *malloc(size_t size)
{
    void *const block = fault_due("allocate") ? NULL : __libc_malloc(size);

    fault_keep(block, __builtin_return_address(0));
    return block;
}

void *calloc(size_t count, size_t size)
{
    void *const block = fault_due("allocate") ? NULL : __libc_calloc(count, size);

    fault_keep(block, __builtin_return_address(0));
    return block;
}

static void *fault_realloc(void *block, size_t size, const void *caller)
{
    if (fault_due("allocate"))
        return NULL;
    fault_forget(block); /* before another thread gets its address */
    void *const moved = __libc_realloc(block, size);

    fault_keep(moved ? moved : block, caller);
    return moved;
}

void *realloc(void *block, size_t size)
{
    return fault_realloc(block, size, __builtin_return_address(0));
}

void *reallocarray(void *block, size_t count, size_t size)
{
    size_t bytes;

    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return fault_realloc(block, bytes, __builtin_return_address(0));
}

void *aligned_alloc(size_t alignment, size_t size)
{
    void *const block = fault_due("allocate") ? NULL : __libc_memalign(alignment, size);

    fault_keep(block, __builtin_return_address(0));
    return block;
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    void *const made = fault_due("allocate") ? NULL : __libc_memalign(alignment, size);

    fault_keep(made, __builtin_return_address(0));
    if (made)
        *block = made;
    return made ? 0 : ENOMEM;
}

char *strdup(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *const copy = fault_due("allocate") ? NULL : __libc_malloc(size);

    fault_keep(copy, __builtin_return_address(0));
    return copy ? memcpy(copy, text, size) : NULL;
}

void free(void *block)
{
    fault_forget(block);
    __libc_free(block);
}

/* The function of that name that this file stands before. */
static void *fault_next(const char *name)
{
    const bool busy = fault_busy;

    fault_busy = true;
    void *const next = dlsym(RTLD_NEXT, name);
    fault_busy = busy;
    if (!next)
        abort();
    return next;
}

void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset)
{
    void *(*next)(void *, size_t, int, int, int, off_t);

    *(void **)&next = fault_next("mmap");
    return fault_due("allocate") ? MAP_FAILED : next(address, size, protection, flags, file, offset);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument)
{
    int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

    *(void **)&next = fault_next("pthread_create");
    return fault_due("thread") ? fault.number : next(thread, attributes, run, argument);
}

pid_t fork(void)
{
    pid_t (*next)(void);

    *(void **)&next = fault_next("fork");
    return fault_due("spawn") ? -1 : next();
}

typedef int fault_spawn(pid_t *process, const char *file, const posix_spawn_file_actions_t *actions,
                        const posix_spawnattr_t *attributes, char *const argv[], char *const envp[]);

int posix_spawn(pid_t *process, const char *file, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const argv[], char *const envp[])
{
    fault_spawn *next;

    *(void **)&next = fault_next("posix_spawn");
    return fault_due("spawn") ? fault.number : next(process, file, actions, attributes, argv, envp);
}

int posix_spawnp(pid_t *process, const char *file, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const argv[], char *const envp[])
{
    fault_spawn *next;

    *(void **)&next = fault_next("posix_spawnp");
    return fault_due("spawn") ? fault.number : next(process, file, actions, attributes, argv, envp);
}

ssize_t read(int file, void *bytes, size_t size)
{
    ssize_t (*next)(int, void *, size_t);

    *(void **)&next = fault_next("read");
    return fault_due("read") ? -1 : next(file, bytes, size);
}

ssize_t write(int file, const void *bytes, size_t size)
{
    ssize_t (*next)(int, const void *, size_t);

    *(void **)&next = fault_next("write");
    return file != STDERR_FILENO && fault_due("write") ? -1 : next(file, bytes, size);
}

__attribute__((constructor)) static void fault_begin(void)
{
    const char *const program = getenv("FAULT_PROGRAM"), *const at = getenv("FAULT_AT");
    const char *const number = getenv("FAULT_ERRNO"), *const sites = getenv("FAULT_SITES");
    const char *const depth = getenv("FAULT_DEPTH");
    void *frame[1];

    if (!program || !at || strcmp(program_invocation_short_name, program) != 0)
        return;
    backtrace(frame, 1); /* the first one allocates */
    fault.what = getenv("FAULT_WHAT");
    fault.fired = getenv("FAULT_FIRED");
    fault.at = atol(at);
    fault.depth = depth ? atoi(depth) : FAULT_FRAMES - FAULT_OWN;
    fault.all = getenv("FAULT_ALL");
    fault.number = number ? atoi(number) : ENOMEM;
    fault.sites = sites ? open(sites, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
    dl_iterate_phdr(fault_object, NULL);
    fault.process = getpid();
}
