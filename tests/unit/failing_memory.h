/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a call once for each place that allocates memory, and each time the allocation of another place fails. A
 * place is a series of return addresses. Only for programs that tests/meson.build links with failing_memory: the
 * linker then turns the library's malloc(), calloc(), realloc(), aligned_alloc(), strdup(), free(), fopencookie()
 * and open_memstream() over to failing_memory.c. Allocations inside of other libraries do not fail.
 */
#ifndef SB_TESTS_FAILING_MEMORY_H
#define SB_TESTS_FAILING_MEMORY_H

#include "core/calls.h"

/* Makes the call, checks the result, and frees the result. */
typedef enum sb_status failing_memory_call(const void *argument);

/*
 * In each run, the first allocation of a place at which none has failed yet fails, or the second allocation of a
 * place at which only the first has failed; all others succeed. A run in which an allocation failed must return
 * SB_NO_MEMORY. The first run in which none failed must return SB_OK, and ends the test. No run may leave memory
 * behind. Returns the number of runs that failed.
 */
size_t failing_memory_each(failing_memory_call *call, const void *argument);

/* The same, except that a run may return SB_OK although an allocation failed, because the call has a slower way
 * without this memory. The call itself checks that the result is right. */
size_t failing_memory_each_or_right(failing_memory_call *call, const void *argument);

/*
 * The same for calls on files, pipes, threads and processes: open(), stat(), read(), write(), fsync(), rename() and
 * others (failing_memory.c has the list). They fail with the errno `number`. A run may end with any error, or with
 * SB_OK if the library does without the call or repeats it.
 */
size_t failing_files_each(failing_memory_call *call, const void *argument, int number);

#endif
