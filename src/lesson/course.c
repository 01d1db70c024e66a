/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The course: its pages in the order of meson.build, the index first. A page with a question is a lesson. The part
 * `lesson` of data/lessons/course.md is the frame of all lessons; other pages have their whole text themselves. Links
 * are relative, so that users can move the folder, send it, and open it from disk.
 */
#include "lesson/lesson.h"

#include "core/core.h"
#include "report/page.h"
#include "report/result.h"
#include "study/report/report_result.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns the name of page `index`; NULL beyond the last page. */
static const char *course_page(size_t index)
{
    for (size_t i = 0; i < sb_template_parts_count; i++)
        if (strcmp(sb_template_parts[i].name, "file") == 0 && index-- == 0)
            return sb_template_parts[i].page;
    return NULL;
}

const char *sb_course_part(size_t index, const char *name)
{
    return course_page(index) ? sb_template_part(course_page(index), name) : NULL;
}

/* Makes an object of the parts of a page. */
static json_t *course_parts(const char *page)
{
    json_t *const parts = json_object();

    for (size_t i = 0; i < sb_template_parts_count; i++)
        if (strcmp(sb_template_parts[i].page, page) == 0 &&
            json_object_set_new(parts, sb_template_parts[i].name, json_string(sb_template_parts[i].text))) {
            json_decref(parts);
            return NULL;
        }
    return parts;
}

/* Names what marks know on every page: `page` and its `number`; `course`, which the pages share; `lessons`, and
 * `others`, which are the remaining pages but the index. */
static void course_names(struct sb_template *template, size_t index)
{
    json_t *const lessons = json_array(), *const others = json_array();

    sb_template_name(template, "pi", json_real(acos(-1)));
    sb_template_name(template, "course", course_parts("course"));
    sb_template_name(template, "page", course_parts(course_page(index)));
    sb_template_name(template, "number", json_integer((json_int_t)index));
    sb_template_name(template, "lessons", lessons);
    sb_template_name(template, "others", others);
    for (size_t i = 1; course_page(i) && template->status == SB_OK; i++)
        if (json_array_append_new(sb_template_part(course_page(i), "question") ? lessons : others,
                                  course_parts(course_page(i))))
            template->status = sb_error_memory(template->error, "a lesson");
}

static void course_text(struct sb_template *template, size_t index)
{
    const char *const page = course_page(index);
    const bool framed = sb_template_part(page, "question");
    char *text;

    template->names = json_object();
    template->kept = json_array();
    course_names(template, index);
    text = sb_template_fill(template, framed ? sb_template_part("course", "lesson") : sb_template_part(page, "text"));
    if (text)
        sb_template_markdown(template, text);
    free(text);
}

static enum sb_status course_write(size_t index, const struct sb_request *options, struct sb_error *error, FILE *stream)
{
    struct sb_lesson lesson = {
        .template = { .page = &lesson.html.page, .error = error, .command = sb_lesson_json, .block = sb_lesson_block },
        .options = options,
    };

    sb_html_open(sb_template_part(course_page(index), "title"),
                 (const char *const[]) { sb_asset_stepper_css, sb_asset_lesson_css, NULL }, stream, &lesson.html);
    course_text(&lesson.template, index);
    fprintf(stream, "<script>%s</script>\n<script>%s</script>\n", sb_asset_stepper_js, sb_asset_lesson_js);
    sb_html_close(&lesson.html);
    const enum sb_status written = lesson.html.page.status;
    const bool flushed = fflush(stream) == 0 && !ferror(stream);

    json_decref(lesson.template.names);
    json_decref(lesson.template.kept);
    sb_lesson_results_free(&lesson);
    if (lesson.template.status)
        return lesson.template.status;
    if (written)
        return sb_error_memory(error, "a lesson");
    return flushed ? SB_OK : sb_error_set(error, SB_IO, "cannot write the lesson: %s", strerror(errno ? errno : EIO));
}

enum sb_status sb_course_write(size_t index, const struct sb_request *options, struct sb_error *error, FILE *stream)
{
    struct sb_request own, settled;

    if (!stream)
        return sb_error_set(error, SB_INVALID, "the stream is NULL: check the call that opened it");
    if (!course_page(index))
        return sb_error_set(error, SB_INVALID, "page %zu: there is no such page", index);
    sb_request_init(&own, SB_REPORT);
    if (options)
        own = *options;
    const enum sb_status status = sb_options_settle(&own, error, &settled);

    if (status)
        return status;
    errno = 0;
    return course_write(index, &own, error, stream);
}

const char *sb_lesson(size_t index)
{
    return sb_course_part(index, "file");
}

enum sb_status sb_lesson_page(size_t index, FILE *stream)
{
    return sb_course_write(index, NULL, NULL, stream);
}
