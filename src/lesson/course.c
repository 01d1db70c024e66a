/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole pages: the index, and each lesson with its heading and its commands to try. Links are relative, so
 * that users can move the folder, send it, and open it from disk. */
#include "lesson/lesson.h"

#include "core/core.h"
#include "report/html/asset.h"
#include "report/markup.h"

#include <errno.h>
#include <string.h>

const char sb_lesson_course[] = "Is it a fair shuffle? A small course";

static void course_link(const char *file, const char *before, const char *title, const char *after,
                        FILE *stream)
{
    fprintf(stream, "<a href=\"%s\">%s", file, before);
    sb_markup_text(stream, title);
    fprintf(stream, "%s</a>\n", after);
}

/* Writes which lesson this is: "lesson 2 of 7". */
static void course_place(size_t index, FILE *stream)
{
    fputs("<nav class=\"course\" aria-label=\"Course\">\n", stream);
    course_link("index.html", "", "All lessons", "", stream);
    fprintf(stream, "<span>lesson %zu of %zu</span>\n</nav>\n", index + 1, sb_lesson_types_count);
}

/* Writes links to the previous and the next lesson. */
static void course_onward(size_t index, FILE *stream)
{
    const bool first = index == 0, last = index + 1 == sb_lesson_types_count;

    fputs("<nav class=\"course\" aria-label=\"Lessons\">\n", stream);
    if (!first)
        course_link(sb_lesson_types[index - 1]->file, "\u2190 ", sb_lesson_types[index - 1]->title, "",
                    stream);
    if (!last)
        course_link(sb_lesson_types[index + 1]->file, "", sb_lesson_types[index + 1]->title, " \u2192",
                    stream);
    fputs("</nav>\n", stream);
}

static void course_command(const char *command, FILE *stream)
{
    char typed[SB_LESSON_TEXT];

    snprintf(typed, sizeof typed, "shufflebias %s", command);
    sb_html_command(typed, stream);
}

static void course_tries(const struct sb_lesson_try tries[], struct sb_lesson *lesson)
{
    FILE *const stream = lesson->html.stream;

    sb_lesson_section(lesson, "Commands to try");
    fputs("<ul class=\"tries\">\n", stream);
    for (const struct sb_lesson_try *one = tries; one->command; one++) {
        char status[32] = "";

        if (one->status)
            snprintf(status, sizeof status, " Exit status %d.", one->status);
        fputs("<li>", stream);
        course_command(one->command, stream);
        sb_page_paragraph(&lesson->html.page, SB_INK_PLAIN, NULL, "%s%s", one->what, status);
        fputs("</li>\n", stream);
    }
    fputs("</ul>\n", stream);
}

static void course_lesson(size_t index, struct sb_lesson *lesson)
{
    const struct sb_lesson_type *const type = sb_lesson_types[index];

    lesson->type = type;
    course_place(index, lesson->html.stream);
    sb_page_title(&lesson->html.page, 1, "%s", type->title);
    type->write(lesson);
    course_tries(type->tries, lesson);
    sb_lesson_section(lesson, "Sources");
    sb_lesson_say(lesson, "%s", type->sources);
    course_onward(index, lesson->html.stream);
}

const struct sb_lesson_page *sb_lesson_page_get(size_t index)
{
    static const struct sb_lesson_page *const pages[] = { &sb_lesson_teacher, &sb_lesson_worksheet };

    return index < sizeof pages / sizeof pages[0] ? pages[index] : NULL;
}

static void course_page(const struct sb_lesson_page *page, struct sb_lesson *lesson)
{
    FILE *const stream = lesson->html.stream;

    fputs("<nav class=\"course\" aria-label=\"Course\">\n", stream);
    course_link("index.html", "", "All lessons", "", stream);
    fputs("</nav>\n", stream);
    sb_page_title(&lesson->html.page, 1, "%s", page->title);
    page->write(lesson);
}

/* Writes links to the pages that are not lessons. */
static void course_more(struct sb_lesson *lesson)
{
    FILE *const stream = lesson->html.stream;
    const struct sb_lesson_page *page;

    sb_lesson_section(lesson, "For teachers");
    fputs("<ul>\n", stream);
    for (size_t i = 0; (page = sb_lesson_page_get(i)); i++) {
        fputs("<li>", stream);
        course_link(page->file, "", page->title, "", stream);
        sb_lesson_say(lesson, "%s", page->summary);
        fputs("</li>\n", stream);
    }
    fputs("</ul>\n", stream);
}

static void course_index(struct sb_lesson *lesson)
{
    FILE *const stream = lesson->html.stream;

    sb_page_title(&lesson->html.page, 1, "%s", sb_lesson_course);
    sb_lesson_say(
        lesson, "A shuffle brings cards, names or files into a random order, so that all orders are equally "
                "likely. Most people's first shuffle does not do this, although it looks right. Each lesson "
                "explains one mistake, or one way to detect it, and ends with commands to try.");
    fputs("<ol class=\"lessons\">\n", stream);
    for (size_t i = 0; i < sb_lesson_types_count; i++) {
        fputs("<li>", stream);
        course_link(sb_lesson_types[i]->file, "", sb_lesson_types[i]->title, "", stream);
        sb_lesson_say(lesson, "%s", sb_lesson_types[i]->summary);
        fputs("</li>\n", stream);
    }
    fputs("</ol>\n", stream);
    course_more(lesson);
    sb_lesson_section(lesson, "How to read it");
    sb_lesson_say(lesson,
                  "We write an order as the item at each place: in 231, item 2 comes first, then item 3, "
                  "then item 1. `draw(k)` is a random integer from 0 to k-1, and programs count positions "
                  "from 0. A fair shuffle gives all n! orders of n items the same probability. The total "
                  "variation, from 0 to 1, says how far another shuffle is from fair: it is the largest "
                  "difference between the probabilities that the two shuffles give to any event.");
    sb_lesson_say(lesson,
                  "shufflebias computed all numbers when it wrote these pages, most of them exactly. Every "
                  "figure has its data below it. `shufflebias lesson FOLDER` writes the same pages again.");
}

enum sb_status sb_lesson_write(size_t page, const struct sb_options *options, struct sb_error *error,
                               FILE *stream)
{
    struct sb_lesson lesson = { .options = options, .error = error };
    const struct sb_lesson_page *const more =
        page > sb_lesson_types_count ? sb_lesson_page_get(page - 1 - sb_lesson_types_count) : NULL;
    const char *const title = more ? more->title : page ? sb_lesson_types[page - 1]->title : sb_lesson_course;

    sb_html_open_styled(title, (const char *const[]) { sb_asset_stepper_css, sb_asset_lesson_css, NULL },
                        stream, &lesson.html);
    if (more)
        course_page(more, &lesson);
    else if (page)
        course_lesson(page - 1, &lesson);
    else
        course_index(&lesson);
    fprintf(stream, "<script>%s</script>\n<script>%s</script>\n", sb_asset_stepper_js, sb_asset_lesson_js);
    sb_html_close(&lesson.html);
    const enum sb_status written = lesson.html.page.status;
    const bool flushed = fflush(stream) == 0 && !ferror(stream);

    sb_lesson_close(&lesson);
    if (lesson.status)
        return lesson.status;
    if (written)
        return sb_error_memory(error, "a lesson");
    return flushed ? SB_OK
                   : sb_error_set(error, SB_IO, "cannot write the lesson: %s", strerror(errno ? errno : EIO));
}
