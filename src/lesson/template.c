/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The marks in the text of a lesson; value.c describes expressions:
 *
 *     {{x}}                                a value
 *     {{x | grouped}}                      a rounded integer with separators: 10,000,000
 *     {{x | short 3}} {{x | fixed 3}}      three significant digits, three decimals
 *     {{x | percent 2}}                    0.25 as 25.00%
 *     {{set name = x}}                     gives a value a name
 *     {{rows name = x}}                    the items of a Markdown list, "- a | b", each as an array of its texts
 *     {{for name in x}} ... {{end}}        for each element of an array
 *     {{for name in 1, 'b'}} ... {{end}}   for each of these values
 *     {{if x}} ... {{else}} ... {{end}}    if x is neither 0 nor an empty text
 *     {{include x}}                        fills the marks of a text, and inserts the text
 *
 * `set`, `rows`, `for`, `if`, `else` and `end` that have a line to themselves leave no empty line. In a line that
 * begins with
 * "<", which is HTML, values are escaped.
 */
#include "lesson/lesson.h"

#include "core/core.h"
#include "core/text.h"
#include "report/page.h"
#include "report/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A text whose marks are being filled. */
struct template
{
    struct sb_lesson *lesson;
    const char *text;
    FILE *out;
};

static bool template_is(const char *mark, const char *word)
{
    const size_t length = strlen(word);

    return *mark && strncmp(mark + 2, word, length) == 0 && strchr(" }", mark[2 + length]);
}

/* Returns the text behind a mark and, if the mark has a line to itself, behind this line. */
static const char *template_after(const struct template *template, const char *mark)
{
    const char *const end = strstr(mark, "}}");

    if (!end) {
        sb_lesson_fault(template->lesson, mark);
        return mark + strlen(mark);
    }
    const bool begins = mark == template->text || mark[-1] == '\n';

    return end + 2 + (begins && end[2] == '\n');
}

static const char *template_run(const struct template *template, const char *at, bool live);

/* Runs the text of a loop for one value. Returns the mark that ends the loop. */
static const char *template_round(const struct template *template, const char *body, const char *name, json_t *value)
{
    sb_lesson_name(template->lesson, name, json_incref(value));
    return template_run(template, body, true);
}

/* Runs a loop. Returns the mark that ends the loop, or NULL if there was nothing to run it for. */
static const char *template_rounds(const struct template *template, const char *at, const char *body)
{
    struct sb_lesson *const lesson = template->lesson;
    char name[SB_LESSON_NUMBER_ROOM], in[SB_LESSON_NUMBER_ROOM];
    const char *end = NULL;

    sb_lesson_word(&at, name);
    sb_lesson_word(&at, in);
    do {
        json_t *const value = sb_lesson_read(lesson, &at);

        if (!json_is_array(value))
            end = template_round(template, body, name, value);
        for (size_t i = 0; i < json_array_size(value); i++)
            end = template_round(template, body, name, json_array_get(value, i));
    } while (*at++ == ',');
    return end;
}

static const char *template_for(const struct template *template, const char *mark, bool live)
{
    const char *const body = template_after(template, mark);
    const char *end = live ? template_rounds(template, mark + strlen("{{for"), body) : NULL;

    if (!end)
        end = template_run(template, body, false);
    return template_after(template, end);
}

static const char *template_if(const struct template *template, const char *mark, bool live)
{
    const char *at = mark + strlen("{{if");
    char room[SB_LESSON_NUMBER_ROOM];
    bool yes = false;

    if (live) {
        const char *const text = sb_lesson_text(sb_lesson_read(template->lesson, &at), room);

        yes = text[0] && strcmp(text, "0") != 0;
    }
    const char *end = template_run(template, template_after(template, mark), live && yes);

    if (template_is(end, "else"))
        end = template_run(template, template_after(template, end), live && !yes);
    return template_after(template, end);
}

/* Reads "name = x". */
static json_t *template_assigned(const struct template *template, const char *at, char name[SB_LESSON_NUMBER_ROOM])
{
    sb_lesson_word(&at, name);
    at += strspn(at, " =");
    return sb_lesson_read(template->lesson, &at);
}

static void template_set(const struct template *template, const char *at)
{
    char name[SB_LESSON_NUMBER_ROOM];
    json_t *const value = template_assigned(template, at, name);

    sb_lesson_name(template->lesson, name, json_incref(value));
}

/* Splits an item of a list at each " | ", and joins its lines. */
static json_t *template_row(char *item)
{
    json_t *const row = json_array();

    for (char *at = item; (at = strchr(at, '\n'));)
        *at = at[1] ? ' ' : '\0';
    for (char *bar; item; item = bar ? bar + strlen(" | ") : NULL) {
        bar = strstr(item, " | ");
        if (json_array_append_new(row, json_stringn(item, bar ? (size_t)(bar - item) : strlen(item)))) {
            json_decref(row);
            return NULL;
        }
    }
    return row;
}

/* Names the rows of a list, whose marks it fills first. */
static void template_rows(const struct template *template, const char *at)
{
    struct sb_lesson *const lesson = template->lesson;
    char name[SB_LESSON_NUMBER_ROOM], room[SB_LESSON_NUMBER_ROOM];
    char *const text = sb_lesson_fill(lesson, sb_lesson_text(template_assigned(template, at, name), room));
    json_t *const rows = json_array();

    sb_lesson_name(lesson, name, rows);
    for (char *item = text && strncmp(text, "- ", 2) == 0 ? text : NULL, *next; item; item = next) {
        next = strstr(item, "\n- ");
        if (next)
            *next++ = '\0';
        if (json_array_append_new(rows, template_row(item + strlen("- "))))
            lesson->status = sb_error_memory(lesson->error, "a lesson");
    }
    free(text);
}

static void template_include(const struct template *template, const char *at)
{
    char room[SB_LESSON_NUMBER_ROOM];
    struct template part = *template;

    part.text = sb_lesson_text(sb_lesson_read(template->lesson, &at), room);
    template_run(&part, part.text, true);
}

/* Returns the number in the format that stands behind "|". */
static struct sb_number template_format(struct sb_lesson *lesson, double x, const char *at)
{
    char name[SB_LESSON_NUMBER_ROOM];

    sb_lesson_word(&at, name);
    const int digits = (int)sb_decimal_read(at);

    if (strcmp(name, "grouped") == 0)
        return sb_number_grouped((uint64_t)llround(x));
    if (strcmp(name, "short") == 0)
        return sb_number_short(x, digits);
    if (strcmp(name, "percent") == 0)
        return sb_number_percent(x, digits);
    if (strcmp(name, "fixed") != 0)
        sb_lesson_fault(lesson, name);
    return sb_number_fixed(x, digits);
}

static void template_value(const struct template *template, const char *mark)
{
    const char *at = mark + 2, *line = mark;
    char room[SB_LESSON_NUMBER_ROOM];
    json_t *const value = sb_lesson_read(template->lesson, &at);
    struct sb_number number;
    const char *text = sb_lesson_text(value, room);

    if (*at == '|') {
        number = template_format(template->lesson, sb_lesson_number(value), at + 1);
        text = number.text;
    } else if (*at != '}') {
        sb_lesson_fault(template->lesson, mark);
    }
    while (line > template->text && line[-1] != '\n')
        line--;
    if (*line == '<')
        sb_typeset(text, strlen(text), template->out);
    else
        fputs(text, template->out);
}

/* Fills one mark; returns the text behind it. */
static const char *template_mark(const struct template *template, const char *mark, bool live)
{
    if (template_is(mark, "for"))
        return template_for(template, mark, live);
    if (template_is(mark, "if"))
        return template_if(template, mark, live);
    if (template_is(mark, "set") || template_is(mark, "rows")) {
        if (live && template_is(mark, "set"))
            template_set(template, mark + strlen("{{set"));
        else if (live)
            template_rows(template, mark + strlen("{{rows"));
        return template_after(template, mark);
    }
    if (live && template_is(mark, "include"))
        template_include(template, mark + strlen("{{include"));
    else if (live)
        template_value(template, mark);
    const char *const end = strstr(mark, "}}");

    return end ? end + 2 : mark + strlen(mark);
}

/* Writes the text up to the mark that ends its block, and returns this mark, or the end of the text. Writes and
 * computes nothing if the text is not `live`. */
static const char *template_run(const struct template *template, const char *at, bool live)
{
    while (template->lesson->status == SB_OK) {
        const char *const found = strstr(at, "{{"), *const mark = found ? found : at + strlen(at);

        if (live)
            fwrite(at, 1, (size_t)(mark - at), template->out);
        if (!found || template_is(mark, "end") || template_is(mark, "else"))
            return mark;
        at = template_mark(template, mark, live);
    }
    return at + strlen(at);
}

char *sb_lesson_fill(struct sb_lesson *lesson, const char *text)
{
    char *filled = NULL;
    size_t length;
    FILE *const stream = lesson->status ? NULL : sb_memory_stream_open(&filled, &length);

    if (stream)
        template_run(&(const struct template) { lesson, text, stream }, text, true);
    if (!sb_memory_stream_close(stream, &filled) && lesson->status == SB_OK)
        lesson->status = sb_error_memory(lesson->error, "the text");
    if (lesson->status == SB_OK)
        return filled;
    free(filled);
    return NULL;
}
