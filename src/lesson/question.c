/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The question of a lesson: its options, and what is right or wrong about each. The worksheet has the same
 * questions. */
#include "lesson/lesson.h"

#include "core/text.h"
#include "report/typeset.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void sb_lesson_set(char text[SB_LESSON_TEXT], const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    sb_decimal_format_list(text, SB_LESSON_TEXT, format, arguments);
    va_end(arguments);
}

void sb_lesson_option(struct sb_lesson_question *question, bool right, const char *text, const char *why, ...)
{
    struct sb_lesson_option *const option = &question->option[question->options];
    va_list arguments;

    if (question->options == SB_LESSON_OPTIONS_MOST)
        return;
    question->options++;
    option->right = right;
    snprintf(option->text, sizeof option->text, "%s", text);
    va_start(arguments, why);
    sb_decimal_format_list(option->why, sizeof option->why, why, arguments);
    va_end(arguments);
}

static void question_typeset(const char *text, FILE *stream)
{
    sb_typeset(text, strlen(text), stream);
}

/* Writes the options as a list. lesson.js turns them into buttons, and finds there what to say about each. */
static void question_options(const struct sb_lesson_question *question, FILE *stream)
{
    fputs("<ul class=\"options\">\n", stream);
    for (size_t i = 0; i < question->options; i++) {
        fprintf(stream, "<li data-right=\"%s\" data-why=\"", question->option[i].right ? "yes" : "no");
        question_typeset(question->option[i].why, stream);
        fputs("\">", stream);
        question_typeset(question->option[i].text, stream);
        fputs("</li>\n", stream);
    }
    fputs("</ul>\n", stream);
}

/* Writes the right options with their reasons, and then the wrong ones that have another reason. */
static void question_reasons(const struct sb_lesson_question *question, FILE *stream)
{
    const char *known = "";

    for (int wrong = 0; wrong < 2; wrong++)
        for (size_t i = 0; i < question->options; i++) {
            const struct sb_lesson_option *const option = &question->option[i];

            if (option->right == wrong || (wrong && strcmp(option->why, known) == 0))
                continue;
            known = wrong ? known : option->why;
            fputs(wrong ? "<p>Not " : "<p><strong>", stream);
            question_typeset(option->text, stream);
            fputs(wrong ? ": " : ".</strong> ", stream);
            question_typeset(option->why, stream);
            fputs("</p>\n", stream);
        }
}

void sb_lesson_ask(struct sb_lesson *lesson)
{
    struct sb_lesson_question question = { .options = 0 };
    FILE *const stream = lesson->html.stream;

    if (lesson->status == SB_OK)
        lesson->type->ask(lesson, &question);
    if (lesson->status)
        return;
    fputs("<section class=\"ask\" aria-label=\"Question\">\n", stream);
    sb_lesson_say(lesson, "%s", question.text);
    question_options(&question, stream);
    fputs("<details><summary>Answer</summary>\n", stream);
    question_reasons(&question, stream);
    fputs("</details>\n</section>\n", stream);
}
