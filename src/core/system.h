/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The system: files, clocks, memory, processors, threads, and what POSIX lacks. */
#ifndef SB_CORE_SYSTEM_H
#define SB_CORE_SYSTEM_H

#include <jansson.h>
#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

/* The clock for deadlines and pauses. No result depends on this clock. */

/* Returns the seconds since a fixed moment; changes of the system's date have no effect. */
double sb_clock_now(void);

/* What the failure of a system call on a file means, and how long to retry the call. */

enum {
    SB_RETRY_SAVED = 2,    /* seconds to retry a saved file; the run waits meanwhile */
    SB_RETRY_FOLLOWED = 20 /* seconds to retry a followed log; the run has no other work */
};

enum sb_fault {
    SB_FAULT_ABSENT, /* the file does not exist */
    /* the failure may end by itself, as when a file server restarts or descriptors run out */
    SB_FAULT_PASSING,
    SB_FAULT_LASTING, /* the failure lasts until a person acts, as with permissions or a full disk */
};

/* Returns the kind of an errno. */
enum sb_fault sb_fault_kind(int number);

/* The retries of one call so far. Initialise this struct with zeroes. */
struct sb_retry {
    double began; /* sb_clock_now() at the first failure; 0: no failure yet */
    long pause;   /* nanoseconds of the last pause */
};

/*
 * Returns whether to repeat a call that failed with the errno `number`. If the failure may be temporary,
 * waits and returns true; each wait is twice as long as the previous one, up to 128 ms. Returns false if the
 * failure is not temporary, or if SB_RETRY_SAVED seconds have passed since the first failure. Sets errno to
 * `number`.
 */
bool sb_retry_again(struct sb_retry *retry, int number);

/* System calls on files, repeated for SB_RETRY_SAVED seconds after a temporary failure. */

/*
 * Like open() with O_CLOEXEC: returns a descriptor, or returns -1 and sets errno. The descriptor is above 2, because a
 * program that has closed its standard error would write its messages into a file with that number.
 */
int sb_file_open(const char *path, int flags, mode_t mode);

/* Like stat(), or like lstat() if `link` is true. Returns 0 or an errno. Sets `*there` to whether the file
 * exists. A missing file is not a failure; in this case `*about` does not change. */
int sb_file_status(const char *path, bool link, bool *there, struct stat *about);

/* Like fstat(). Returns 0 or an errno. */
int sb_file_status_open(int descriptor, struct stat *about);

/* Like flock(), for an exclusive lock. Returns 0 or an errno. If another open file has the lock, returns
 * EWOULDBLOCK without waiting. Closing the descriptor ends the lock. */
int sb_file_flock(int descriptor);

/* Like rename(), for a file that is open under its old name. Returns 0 or an errno. */
int sb_file_rename(int descriptor, const char *from, const char *to);

/* Large tables in huge pages. Without huge pages, each access to a random place in a table of many megabytes also
 * needs a page look-up. */

/* Allocates `count` zeroed elements of `width` bytes, in huge pages if the table is large and the system has
 * them. The caller frees the table. NULL if memory runs out. */
void *sb_huge_pages_new(size_t count, size_t width);

/*
 * Reads JSON completely or not at all. If memory runs out, Jansson drops characters from a string and still
 * returns the value, so a string in a saved file would silently change.
 *
 * If Jansson allocates with malloc() when the library is loaded, the library makes Jansson use an allocation
 * function of the library. This function records, for each thread, whether an allocation failed. A program
 * may set allocation functions of its own, before or after the library is loaded. Then the program's
 * functions stay in place, and a string may be truncated when memory runs out.
 */

/* Reads the value in a stream; duplicate keys are an error. NULL with errno ENOMEM: memory ran out. NULL with
 * errno 0: the stream is not JSON, and `fault` says why. NULL with another errno: the stream cannot be
 * read. */
json_t *sb_json_load(FILE *stream, json_error_t *fault);

/* Reads any value in `length` bytes of text; otherwise like sb_json_load(). */
json_t *sb_json_load_text(const char text[], size_t length, json_error_t *fault);

/* How much memory the system can give this process. */

/*
 * Returns the bytes that this process can still use without making the system swap: the least of
 *
 *   - the available memory of the machine (Linux: MemAvailable; elsewhere: all of its memory),
 *   - the limit on the address space of the process (RLIMIT_AS),
 *   - the limit of the process's control group (Linux: memory.max).
 *
 * Infinite if all of these are unknown.
 */
double sb_memory_available(void);

/*
 * System calls that POSIX.1-2008 lacks, with a replacement for systems without them, such as macOS. Meson
 * looks for the calls (SB_HAS_... in core/system/meson.build). The unit test `portable_calls` compiles all
 * replacements on any system. docs/platforms.md says what the replacements cannot do.
 */

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

/* Work that several threads share. */

/* Returns how many threads to use. This is `asked` or, if `asked` is 0, the number of processors that this
 * thread may run on. The result is at most `useful`, and at least 1. */
size_t sb_threads_count(size_t asked, uint64_t useful);

/*
 * Calls work(state, thread) in up to `threads` threads in parallel, and returns when all calls have returned.
 * The calling thread makes the call for thread 0; the other threads have numbers from 1 to threads - 1, and
 * block the signals that a program handles. If a thread cannot start, there are fewer calls. So no part of
 * the work may be tied to a thread's number: each call takes parts from a shared counter until none is left.
 * If `work` itself calls this function, the nested call runs in one thread.
 */
void sb_threads_run(size_t threads, void (*work)(void *state, size_t thread), void *state);

/* Makes two versions of a function of plain C, one of them for AVX2; the dynamic linker chooses one when the program
 * starts. Sanitizers do not work before it has done so. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ /* gcc */
#define SB_SANITIZED 1
#elif defined __has_feature /* clang */
#define SB_SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define SB_SANITIZED 0
#endif
#if defined __x86_64__ && defined __gnu_linux__ && !SB_SANITIZED
#define SB_VERSIONS __attribute__((target_clones("avx2", "default")))
#else
#define SB_VERSIONS
#endif

#endif
