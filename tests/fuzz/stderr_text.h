/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Catches what the command line prints on standard error. The GNU C library allows that `stderr` is set. */
#ifndef TESTS_FUZZ_STDERR_TEXT_H
#define TESTS_FUZZ_STDERR_TEXT_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Turns `stderr` into a text in memory, which stderr_give() completes; the caller frees *text afterwards.
 * Returns the stream that stderr_give() restores. */
static inline FILE *stderr_take(char **text)
{
    static size_t length;
    FILE *const before = stderr, *const stream = open_memstream(text, &length);

    if (!stream)
        abort();
    stderr = stream;
    return before;
}

static inline void stderr_give(FILE *before)
{
    FILE *const stream = stderr;

    stderr = before;
    if (fclose(stream))
        abort();
}

/* Returns whether the text is one line of the program, which is safe to show on a terminal. */
static inline bool stderr_is_line(const char *text)
{
    const size_t length = strlen(text);

    if (strncmp(text, "shufflebias", 11) != 0 || length < 20 || text[length - 1] != '\n')
        return false;
    for (size_t i = 0; i + 1 < length; i++)
        if ((unsigned char)text[i] < ' ' || text[i] == 127)
            return false;
    return true;
}

#endif
