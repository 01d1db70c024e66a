/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stream into memory holds every byte, and says so when memory ran out for one of its writes only. */
#define _GNU_SOURCE /* as in the source that this test includes */
#include "unit/test.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool refuses; /* the next realloc() fails, and no other */

static void *sparing_realloc(void *block, size_t size)
{
    if (!refuses)
        return realloc(block, size);
    refuses = false;
    return NULL;
}

#define realloc sparing_realloc
#include "../../src/core/text.c"
#undef realloc

enum { LINES = 10000 };

TEST(holds_every_byte)
{
    char *text, line[32];
    size_t length, at = 0;
    FILE *const stream = sb_memory_stream_open(&text, &length);

    assert_non_null(stream);
    for (int i = 0; i < LINES; i++)
        fprintf(stream, "line %d\n", i);
    fwrite("\0.", 1, 2, stream);
    assert_true(sb_memory_stream_close(stream, &text));
    for (int i = 0; i < LINES; i++, at += strlen(line)) {
        sprintf(line, "line %d\n", i);
        assert_memory_equal(text + at, line, strlen(line));
    }
    assert_int_equal(length, at + 2);
    assert_memory_equal(text + at, "\0.", 3);
    free(text);
}

TEST(an_empty_text_is_a_text)
{
    char *text;
    size_t length = 1;

    assert_true(sb_memory_stream_close(sb_memory_stream_open(&text, &length), &text));
    assert_string_equal(text, "");
    assert_int_equal(length, 0);
    free(text);
    assert_false(sb_memory_stream_close(NULL, &text));
}

TEST(a_lost_write_is_remembered)
{
#if SB_HAS_FOPENCOOKIE
    for (int lost = 0; lost < LINES / 4; lost += LINES / 20) { /* the memory grows after each of them */
        char *text;
        size_t length;
        FILE *const stream = sb_memory_stream_open(&text, &length);

        assert_non_null(stream);
        for (int i = 0; i < LINES; i++) {
            refuses = refuses || i == lost;
            fprintf(stream, "line %d\n", i);
        }
        assert_false(refuses);
        assert_false(sb_memory_stream_close(stream, &text));
        free(text);
    }
#endif
}
