/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text that grows. Each addition is formatted twice, the first time only to measure its length. */
#include "core/text.h"
#include "core/numbers.h"
#include "report/page.h"
#include "report/result.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool sentence_grow(struct sb_sentence *s, size_t length)
{
    const size_t room = 2 * (s->used + length) + 64;
    char *grown;

    if (s->used + length < s->room)
        return true;
    grown = realloc(s->text, room);
    if (!grown)
        return false;
    s->text = grown;
    s->room = room;
    return true;
}

void sb_sentence_add_list(struct sb_sentence *s, const char *format, va_list arguments)
{
    va_list again;

    va_copy(again, arguments);
    const int length = sb_decimal_format_list(NULL, 0, format, again);
    va_end(again);
    if (length >= 0 && sentence_grow(s, (size_t)length))
        s->used += (size_t)sb_decimal_format_list(s->text + s->used, s->room - s->used, format, arguments);
    else
        s->lost = true;
}

void sb_sentence_add(struct sb_sentence *s, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    sb_sentence_add_list(s, format, arguments);
    va_end(arguments);
}

void sb_sentence_mpz(struct sb_sentence *s, mpz_srcptr value)
{
    char *const digits = sb_mpz_text(value);

    s->lost = s->lost || !digits;
    sb_sentence_add(s, "%s", digits ? digits : "");
    free(digits);
}

char *sb_sentence_take(struct sb_sentence *s)
{
    char *const text = s->lost ? NULL : s->text ? s->text : strdup("");

    if (s->lost)
        free(s->text);
    *s = (struct sb_sentence) { 0 };
    return text;
}

void sb_sentence_close(struct sb_sentence *s)
{
    free(s->text);
    *s = (struct sb_sentence) { 0 };
}

void sb_sentence_number(double x, char text[32])
{
    if (x == 0 || (x >= 1e-4 && x < 999.5))
        sb_decimal_format(text, 32, "%.3g", x);
    else
        snprintf(text, 32, "%.31s", sb_number_short(x, 3).text);
}

enum sb_status sb_memory_text_open(struct sb_memory_text *memory, struct sb_error *error)
{
    *memory = (struct sb_memory_text) { .text = NULL };
    memory->stream = sb_memory_stream_open(&memory->text, &memory->length);
    return memory->stream ? SB_OK : sb_error_memory(error, "the text");
}

enum sb_status sb_memory_text_close(struct sb_memory_text *memory, enum sb_status status, struct sb_error *error,
                                    char **text, size_t *length)
{
    const bool whole = sb_memory_stream_close(memory->stream, &memory->text);

    if (status == SB_OK && whole) {
        *text = memory->text;
        if (length)
            *length = memory->length;
        return SB_OK;
    }
    free(memory->text);
    return status == SB_OK || status == SB_IO ? sb_error_memory(error, "the text") : status;
}

void sb_text_free(char *text)
{
    free(text);
}

int sb_print(FILE *stream, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    const locale_t before = sb_decimal_begin();
    const int length = vfprintf(stream, format, arguments);
    sb_decimal_end(before);
    va_end(arguments);
    return length;
}
