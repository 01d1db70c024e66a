/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks the system how much memory there is. */
#include "core/system/memory.h"

#include "core/system/file_calls.h"

#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { MEMORY_TEXT_ROOM = 4096 };

/* Reads the beginning of a system file, such as /proc/meminfo, as text. Returns false if there is no such
 * file. */
static bool memory_read(const char *path, char text[MEMORY_TEXT_ROOM])
{
    const int file = sb_file_open(path, O_RDONLY | O_CLOEXEC, 0);
    ssize_t length;

    if (file < 0)
        return false;
    length = read(file, text, MEMORY_TEXT_ROOM - 1);
    close(file);
    text[length > 0 ? length : 0] = '\0';
    return length > 0;
}

/* Returns the available memory of the machine. */
static double memory_machine(void)
{
    static const char label[] = "MemAvailable:";
    char text[MEMORY_TEXT_ROOM];
    const char *const at = memory_read("/proc/meminfo", text) ? strstr(text, label) : NULL;

    if (at)
        return (double)strtoull(at + sizeof label - 1, NULL, 10) * 1024;
#ifdef _SC_PHYS_PAGES
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

    if (pages > 0 && size > 0)
        return (double)pages * (double)size;
#endif
    return HUGE_VAL;
}

/* Returns the number of bytes that the process may still add to its address space. */
static double memory_address_space(void)
{
    char text[MEMORY_TEXT_ROOM];
    struct rlimit limit;

    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return HUGE_VAL;
    const double used = memory_read("/proc/self/statm", text)
                            ? (double)strtoull(text, NULL, 10) * (double)sysconf(_SC_PAGESIZE)
                            : 0;

    return fmax(0, (double)limit.rlim_cur - used);
}

/* Returns the memory limit of the control group. If there is no limit, the group's file says "max". */
static double memory_group(void)
{
    char text[MEMORY_TEXT_ROOM];

    if (!memory_read("/sys/fs/cgroup/memory.max", text) || text[0] < '0' || text[0] > '9')
        return HUGE_VAL;
    return (double)strtoull(text, NULL, 10);
}

double sb_memory_available(void)
{
    return fmin(memory_machine(), fmin(memory_address_space(), memory_group()));
}
