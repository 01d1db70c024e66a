/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names from the lists of the library, which the bytes choose. */
#ifndef TESTS_FUZZ_ENTRY_NAME_H
#define TESTS_FUZZ_ENTRY_NAME_H

#include "fuzz/fuzz.h"

#include "shufflebias.h"

#include <stdio.h>
#include <string.h>

/* Appends the name of an entry of a family, and a parameter if it takes one. */
static inline void entry_name(struct fuzz *fuzz, const char *family, char text[], size_t room)
{
    struct sb_entry entry;
    size_t index = 0, count = 0;

    for (size_t i = 0; sb_entry_get(i, &entry); i++)
        count += strcmp(entry.family, family) == 0;
    for (size_t skip = fuzz_byte(fuzz) % count + 1; sb_entry_get(index, &entry); index++)
        if (strcmp(entry.family, family) == 0 && --skip == 0)
            break;
    snprintf(text + strlen(text), room - strlen(text), "%s", entry.name);
    if (entry.parameter && fuzz_byte(fuzz) % 2)
        snprintf(text + strlen(text), room - strlen(text), ":%u", 1 + fuzz_byte(fuzz) % 64);
}

/* Takes a scheme: a shuffle, and perhaps a draw and a generator. */
static inline void entry_scheme(struct fuzz *fuzz, char text[], size_t room)
{
    static const char *const families[] = { "shuffle", "draw", "rng" };

    for (size_t i = 0, parts = 1 + fuzz_byte(fuzz) % 3; i < parts; i++) {
        if (i > 0)
            snprintf(text + strlen(text), room - strlen(text), "/");
        entry_name(fuzz, families[i], text, room);
    }
}

#endif
