/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the questions of a peer and the answers to these questions as one short line of text for people. */
#include "exact/oracle/oracle_words.h"

#include "core/text.h"

#include <stdarg.h>
#include <stdio.h>

enum { WORDS_QUESTIONS = 7 }; /* a line shows at most this many questions, the last ones of a path */

struct words_line {
    struct sb_transcript transcript;
    size_t used;
};

__attribute__((format(printf, 2, 3))) static void words_add(struct words_line *line, const char *format, ...)
{
    char *const text = line->transcript.text;
    va_list arguments;

    va_start(arguments, format);
    const int length =
        sb_decimal_format_list(text + line->used, SB_TRANSCRIPT_ROOM - line->used, format, arguments);
    va_end(arguments);
    if (length > 0)
        line->used += (size_t)length;
    if (line->used >= SB_TRANSCRIPT_ROOM)
        line->used = SB_TRANSCRIPT_ROOM - 1;
}

static void words_question(struct words_line *line, const struct sb_question *question)
{
    if (question->number)
        words_add(line, "random");
    else
        words_add(line, "draw %u", question->bound);
}

struct sb_transcript sb_transcript_of(const struct sb_oracle_run *run, size_t answered,
                                      const struct sb_question *next, const sb_item deck[])
{
    struct words_line line = { .used = 0 };
    const size_t from = answered > WORDS_QUESTIONS ? answered - WORDS_QUESTIONS : 0;

    if (from > 0)
        words_add(&line, "... ");
    for (size_t i = from; i < answered; i++) {
        const struct sb_question *const question = &run->path[i];

        words_question(&line, question);
        if (question->number)
            words_add(&line, ": %.4g, ", sb_oracle_run_number(run, i));
        else
            words_add(&line, ": %u, ", question->answer);
    }
    if (next) {
        words_question(&line, next);
        return line.transcript;
    }
    words_add(&line, "deck");
    for (size_t i = 0; i < run->oracle->n; i++)
        words_add(&line, " %u", deck[i]);
    return line.transcript;
}

struct sb_transcript sb_transcript_now(const struct sb_oracle_run *run)
{
    if (!run->strayed)
        return sb_transcript_of(run, run->length, NULL, run->deck);
    return sb_transcript_of(run, run->passed, run->stray.bound ? &run->stray : NULL, run->deck);
}

struct sb_transcript sb_transcript_before(const struct sb_oracle_run *run, size_t rank)
{
    const size_t n = run->oracle->n, at = run->strayed ? run->passed : run->length;
    sb_item deck[SB_ORACLE_ITEMS_MOST] = { 0 };

    if (at < run->length)
        return sb_transcript_of(run, at, &run->path[at], run->deck);
    sb_permutation_unrank(n, n, rank, deck);
    return sb_transcript_of(run, at, NULL, deck);
}
