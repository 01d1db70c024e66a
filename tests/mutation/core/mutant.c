/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * In the mutated tree alone. When a process starts, it reads the number of the active mutant from the environment
 * variable SB_MUTANT, and maps the file SB_MUTANT_REACHED, in which it marks the sites that it reaches. Its child
 * processes do the same.
 */
#include "core/mutant.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MUTANT_SITES = 1 << 16 };

static unsigned char nowhere[MUTANT_SITES];

unsigned sb_mutant = 0;
unsigned char *sb_mutant_reached = nowhere;

__attribute__((constructor)) static void mutant_start(void)
{
    const char *const number = getenv("SB_MUTANT"), *const path = getenv("SB_MUTANT_REACHED");

    if (number)
        sb_mutant = (unsigned)strtoul(number, NULL, 10);
    if (!path)
        return;
    const int file = open(path, O_RDWR | O_CLOEXEC);

    if (file < 0)
        return;
    void *const shared = mmap(NULL, MUTANT_SITES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);

    close(file);
    if (shared != MAP_FAILED)
        sb_mutant_reached = shared;
}
