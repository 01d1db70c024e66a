/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the targets of the fuzzer share. A target makes a request from the fuzzer's bytes, and aborts if the
 * result breaks a rule. Sanitizers find the other faults. The first byte chooses the part of the target, the next
 * bytes choose the options, and the rest is the input.
 */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* The bytes that are left. */
struct fuzz {
    const uint8_t *data;
    size_t size;
};

/* Defines a target with these parts. libFuzzer and corpus.c call it. */
#define FUZZ_TARGET(...)                                                   \
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)           \
    {                                                                      \
        static void (*const parts[])(struct fuzz *) = { __VA_ARGS__ };     \
        struct fuzz fuzz = { data, size };                                 \
                                                                           \
        parts[fuzz_byte(&fuzz) % (sizeof parts / sizeof parts[0])](&fuzz); \
        return 0;                                                          \
    }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Takes a byte; 0 if none is left. */
static inline unsigned fuzz_byte(struct fuzz *fuzz)
{
    if (fuzz->size == 0)
        return 0;
    fuzz->size--;
    return *fuzz->data++;
}

/* Takes a number of `bytes` bytes, the lowest byte first. */
static inline uint64_t fuzz_number(struct fuzz *fuzz, unsigned bytes)
{
    uint64_t number = 0;

    for (unsigned i = 0; i < bytes; i++)
        number |= (uint64_t)fuzz_byte(fuzz) << (8 * i);
    return number;
}

/* Takes a text of at most room - 1 bytes, which ends at a zero byte. */
static inline const char *fuzz_text(struct fuzz *fuzz, char text[], size_t room)
{
    size_t length = 0;

    for (unsigned byte; length + 1 < room && (byte = fuzz_byte(fuzz)) != 0;)
        text[length++] = (char)byte;
    text[length] = '\0';
    return text;
}

/* Aborts unless a rule holds. */
static inline void fuzz_check(bool holds, const char *rule)
{
    if (holds)
        return;
    fprintf(stderr, "broken rule: %s\n", rule);
    abort();
}

/* ---- files of the target, in a folder of their own ---- */

/* Returns the path of the file with this short name in the folder. The path is valid until the next three
 * calls. */
const char *scratch_path(const char *name);

/* Replaces the content of the file, and returns its path. */
const char *scratch_write(const char *name, const void *bytes, size_t size);

/* Reads the file into memory that the caller frees, with a terminating 0; NULL if there is no file. */
char *scratch_read(const char *path, size_t *size);

/* Removes all files of the folder. */
void scratch_clear(void);

/* ---- rules for results ---- */

/* Aborts unless the tags of "html", "svg" and "junit" match, and "json" can be read. Other formats have no rule. */
void page_check(const char *format, const char *text);

/* Returns whether two values are the same: numbers by their value, objects in any order, texts also if one of them
 * is the other made safe to show. `ignored` is a list of keys that are not compared, and ends in NULL. */
bool json_same(const json_t *one, const json_t *other, const char *const ignored[]);

#endif
