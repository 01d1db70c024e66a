/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A worksheet to print: the question and a task of each lesson, and the answers on a page of their own. */
#include "lesson/lesson.h"

#include "report/page.h"

#include <string.h>

/* Computes the question of a lesson; the lesson's results are no longer needed after that. */
static void worksheet_question(struct sb_lesson *lesson, size_t index, struct sb_lesson_question *question)
{
    *question = (struct sb_lesson_question) { .options = 0 };
    if (lesson->status == SB_OK)
        sb_lesson_types[index]->ask(lesson, question);
    sb_lesson_close(lesson);
}

static void worksheet_sheet(struct sb_lesson *lesson, size_t index)
{
    FILE *const stream = lesson->html.stream;
    struct sb_lesson_question question;

    worksheet_question(lesson, index, &question);
    fputs("<section class=\"sheet\">\n", stream);
    sb_page_title(&lesson->html.page, 2, "%zu. %s", index + 1, sb_lesson_types[index]->title);
    sb_lesson_say(lesson, "%s", question.text);
    fputs("<ul class=\"boxes\">\n", stream);
    for (size_t i = 0; i < question.options; i++) {
        fputs("<li>\u2610 ", stream);
        sb_typeset(question.option[i].text, strlen(question.option[i].text), stream);
        fputs("</li>\n", stream);
    }
    fputs("</ul>\n", stream);
    sb_lesson_say(lesson, "%s", question.task);
    fputs("<p class=\"line\"></p>\n</section>\n", stream);
}

static void worksheet_answer(struct sb_lesson *lesson, size_t index)
{
    struct sb_lesson_question question;

    worksheet_question(lesson, index, &question);
    fputs("<li>", lesson->html.stream);
    for (size_t i = 0; i < question.options; i++)
        if (question.option[i].right)
            sb_page_paragraph(&lesson->html.page, SB_INK_PLAIN, NULL, "%s: %s", question.option[i].text,
                              question.option[i].why);
    sb_lesson_say(lesson, "Task: %s", question.solution);
    fputs("</li>\n", lesson->html.stream);
}

static void worksheet_write(struct sb_lesson *lesson)
{
    FILE *const stream = lesson->html.stream;

    fputs("<p class=\"name\">Name</p>\n", stream);
    for (size_t i = 0; i < sb_lesson_types_count && lesson->status == SB_OK; i++)
        worksheet_sheet(lesson, i);
    fputs("<div class=\"answers\">\n", stream);
    sb_lesson_section(lesson, "Answers");
    fputs("<ol>\n", stream);
    for (size_t i = 0; i < sb_lesson_types_count && lesson->status == SB_OK; i++)
        worksheet_answer(lesson, i);
    fputs("</ol>\n</div>\n", stream);
}

const struct sb_lesson_page sb_lesson_worksheet = {
    .file = "worksheet.html",
    .title = "Worksheet",
    .summary = "A question and a task for each lesson, to print. The answers are on a page of their own.",
    .write = worksheet_write,
};
