/* SPDX-License-Identifier: GPL-3.0-or-later */
/* POSIX mutexes and pthread_once() for the WebAssembly module, which has a single thread: a lock is always free. As a
 * header of the system, this file may ignore parameters. */
#ifndef SB_WEB_LACKING_PTHREAD_H
#define SB_WEB_LACKING_PTHREAD_H

#include <stddef.h>
#include <sys/types.h> /* has the types */

#define PTHREAD_MUTEX_INITIALIZER \
    {                             \
        0                         \
    }

#define PTHREAD_ONCE_INIT 0

static inline int pthread_once(pthread_once_t *once, void (*routine)(void))
{
    if (!*once)
        routine();
    *once = 1;
    return 0;
}

static inline int pthread_mutex_init(pthread_mutex_t *mutex, const void *attributes)
{
    return 0;
}

static inline int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    return 0;
}

static inline int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    return 0;
}

static inline int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
    return 0;
}

#endif
