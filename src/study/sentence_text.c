/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text that grows. Each addition is formatted twice, the first time only to measure its length. */
#include "study/sentence.h"

#include "core/text.h"
#include "report/number.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for `length` more bytes and a zero byte. */
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

void sb_sentence_add(struct sb_sentence *s, const char *format, ...)
{
    va_list arguments, again;

    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = sb_decimal_format_list(NULL, 0, format, again);
    va_end(again);
    if (length >= 0 && sentence_grow(s, (size_t)length))
        s->used += (size_t)sb_decimal_format_list(s->text + s->used, s->room - s->used, format, arguments);
    else
        s->lost = true;
    va_end(arguments);
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
