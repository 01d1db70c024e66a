/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In text, blank lines and comments are no permutation. In binary output, each byte is part of an item. */
#include "subject/process/once_output.h"

#include <ctype.h>
#include <string.h>

/* Removes a byte order mark. Returns the length that is left. */
static size_t once_skip_mark(char bytes[], size_t length)
{
    if (length < 3 || memcmp(bytes, "\xEF\xBB\xBF", 3) != 0)
        return length;
    memmove(bytes, bytes + 3, length - 3);
    return length - 3;
}

size_t sb_once_output_take(struct sb_once_output *output, char bytes[], size_t length)
{
    if (output->record) {
        output->length += length;
        output->spoke = true;
        return length;
    }
    if (output->length == 0)
        length = once_skip_mark(bytes, length);
    if (length == 0)
        return 0;
    output->length += length;
    output->gzip = output->gzip || (!output->spoke && bytes[0] == '\x1f');
    output->last = bytes[length - 1];
    for (size_t i = 0; i < length && !output->spoke; i++)
        if (bytes[i] == '\n' || output->comment)
            output->comment = bytes[i] != '\n';
        else if (bytes[i] == '#')
            output->comment = true;
        else
            output->spoke = !isspace((unsigned char)bytes[i]);
    return length;
}

enum sb_status sb_once_output_check(const struct sb_once_output *output, const char *name,
                                    struct sb_error *error)
{
    if (!output->spoke)
        return sb_error_set(error, SB_SUBJECT,
                            "'%s' ended without a permutation: with `once`, each start prints one", name);
    if (output->gzip)
        return sb_error_set(error, SB_SUBJECT, "'%s' prints gzip data: with `once`, let it print text", name);
    if (output->record && output->length % output->record)
        return sb_error_set(
            error, SB_SUBJECT,
            "'%s' ended after %llu bytes, and a permutation has %zu: with `once`, each start prints "
            "whole ones",
            name, (unsigned long long)output->length, output->record);
    return SB_OK;
}
