/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The teacher's notes: for each lesson, what students learn, how long it takes, and how to spend the time. */
#include "lesson/lesson.h"

#include "report/page.h"

static void teacher_goals(const struct sb_lesson_plan *plan, FILE *stream)
{
    fputs("<p>Afterwards, students can:</p>\n<ul class=\"goals\">\n", stream);
    for (size_t i = 0; i < SB_LESSON_GOALS_MOST && plan->goals[i]; i++) {
        fputs("<li>", stream);
        sb_markup_text(stream, plan->goals[i]);
        fputs("</li>\n", stream);
    }
    fputs("</ul>\n", stream);
}

static void teacher_write(struct sb_lesson *lesson)
{
    FILE *const stream = lesson->html.stream;
    unsigned minutes = 0;

    for (size_t i = 0; i < sb_lesson_types_count; i++)
        minutes += sb_lesson_types[i]->plan.minutes;
    sb_lesson_say(
        lesson,
        "The course has %zu lessons, which take %u minutes altogether. The first lesson comes first; each "
        "of the others can stand alone. Students need no probability beyond counting equally likely "
        "cases, and no program: every figure works in the browser. Bring a deck of cards, a few dice and "
        "coins.",
        sb_lesson_types_count, minutes);
    sb_lesson_say(lesson,
                  "Each lesson asks one question before it gives the answer. Let the class vote first: a "
                  "guess makes the answer worth knowing. The worksheet has the same questions, a task for "
                  "each lesson, and the answers on a page of their own.");
    for (size_t i = 0; i < sb_lesson_types_count && lesson->status == SB_OK; i++) {
        const struct sb_lesson_type *const type = sb_lesson_types[i];

        sb_lesson_section(lesson, type->title);
        fprintf(stream, "<p><strong>%u minutes.</strong> <a href=\"%s\">Lesson %zu</a></p>\n",
                type->plan.minutes, type->file, i + 1);
        teacher_goals(&type->plan, stream);
        sb_lesson_say(lesson, "%s", type->plan.course);
    }
}

const struct sb_lesson_page sb_lesson_teacher = {
    .file = "teacher.html",
    .title = "Teacher's notes",
    .summary = "The goals of each lesson, the minutes that it takes, and how to spend them.",
    .write = teacher_write,
};
