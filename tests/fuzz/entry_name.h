/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names from the lists of the library, which the bytes choose. */
#ifndef TESTS_FUZZ_ENTRY_NAME_H
#define TESTS_FUZZ_ENTRY_NAME_H

#include "fuzz/fuzz.h"

#include "core/calls.h"

#include <stdio.h>
#include <string.h>

/* Returns entry `skip` of a family, in a circle. The list is read once, because that takes time. */
static inline const struct sb_entry *entry_of(const char *family, size_t skip)
{
    static struct sb_entry all[400];
    static size_t all_count;
    size_t count = 0;

    if (all_count == 0)
        while (all_count < sizeof all / sizeof all[0] && sb_entry_get(all_count, &all[all_count]))
            all_count++;
    for (size_t i = 0; i < all_count; i++)
        count += strcmp(all[i].family, family) == 0;
    for (size_t i = 0, left = skip % count + 1; i < all_count; i++)
        if (strcmp(all[i].family, family) == 0 && --left == 0)
            return &all[i];
    return NULL;
}

/* Appends the name of an entry of a family, and a parameter if it takes one. */
static inline void entry_name(struct fuzz *fuzz, const char *family, char text[], size_t room)
{
    const struct sb_entry *const entry = entry_of(family, fuzz_byte(fuzz));

    snprintf(text + strlen(text), room - strlen(text), "%s", entry->name);
    if (entry->parameter && fuzz_byte(fuzz) % 2)
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
