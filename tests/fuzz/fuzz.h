/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the targets of the fuzzer share. A target makes a request from the fuzzer's bytes, and aborts if the
 * result breaks a rule. Sanitizers find the other faults. The first bytes choose the options; the rest is the
 * input.
 */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Runs the target; returns 0. libFuzzer and corpus.c call it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The bytes that are left. */
struct fuzz {
    const uint8_t *data;
    size_t size;
};

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

#endif
