/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text from somebody else's program, made fit to be shown on a terminal and in a log of a CI system. These
 * read commands in what is printed: GitHub `::error::` where a line begins, and `##[error]` anywhere in it;
 * Azure `##vso[...]`, TeamCity `##teamcity[...]`. A blank between the two colons or hashes undoes them. The
 * colons of List::Util stay: before a command there is no letter. O(length).
 */
#include "subject/harmless.h"

#include "core/utf8.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Of a name in a program; by bytes, since isalnum() asks the locale. */
static bool harmless_letter(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
           byte == '_';
}

/* Whether the byte at i is the second of two that may begin a command. */
static bool harmless_begins(const char text[], size_t i)
{
    if (i == 0 || text[i] != text[i - 1])
        return false;
    return text[i] == '#' || (text[i] == ':' && !(i > 1 && harmless_letter(text[i - 2])));
}

char *sb_harmless(const char *text, size_t most)
{
    char *const folded = sb_utf8_fold(text, true);
    size_t length = folded ? strlen(folded) : 0, used = 0;
    const bool cut = length > most;

    if (cut)
        for (length = most; (folded[length] & 0xC0) == 0x80;)
            length--; /* to where a character begins */
    char *const harmless = folded ? malloc(2 * length + sizeof "...") : NULL;
    if (harmless) {
        for (size_t i = 0; i < length; i++) {
            if (harmless_begins(folded, i))
                harmless[used++] = ' ';
            harmless[used++] = folded[i];
        }
        strcpy(harmless + used, cut ? "..." : "");
    }
    free(folded);
    return harmless;
}
