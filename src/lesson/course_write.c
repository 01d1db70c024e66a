/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The public functions of the course, which list the pages and write a page. */
#include "lesson/lesson.h"

#include "core/error.h"
#include "report/memory_text.h"
#include "study/report/report_parts.h"
#include "study/results.h"

#include <errno.h>

/* Returns whether there is a page `index`, and sets *page. */
bool sb_course_page_get(size_t index, struct sb_course_page *page)
{
    if (index == 0) {
        *page = (struct sb_course_page) { "index.html", sb_lesson_course, NULL };
        return true;
    }
    if (index <= sb_lesson_types_count) {
        const struct sb_lesson_type *const type = sb_lesson_types[index - 1];

        *page = (struct sb_course_page) { type->file, type->title, type->summary };
        return true;
    }
    const struct sb_lesson_page *const more = sb_lesson_page_get(index - 1 - sb_lesson_types_count);

    if (more)
        *page = (struct sb_course_page) { more->file, more->title, NULL };
    return more;
}

enum sb_status sb_course_write(size_t index, const struct sb_options *options, struct sb_error *error,
                               FILE *stream)
{
    struct sb_course_page page;
    struct sb_options own, settled;

    if (!stream)
        return sb_error_set(error, SB_INVALID, "the stream is NULL: check the call that opened it");
    if (!sb_course_page_get(index, &page))
        return sb_error_set(error, SB_INVALID, "page %zu: there is no such page", index);
    sb_options_init(&own);
    if (options)
        own = *options;
    const enum sb_status status = sb_options_settle(&own, error, &settled);

    if (status)
        return status;
    errno = 0;
    return sb_lesson_write(index, &own, error, stream);
}

enum sb_status sb_course_text(size_t index, const struct sb_options *options, struct sb_error *error,
                              char **text, size_t *length)
{
    struct sb_memory_text memory;
    enum sb_status status = sb_memory_text_open(&memory, error);

    if (status)
        return status;
    status = sb_course_write(index, options, error, memory.stream);
    return sb_memory_text_close(&memory, status, error, text, length);
}

const char *sb_lesson(size_t index)
{
    struct sb_course_page page;

    return sb_course_page_get(index, &page) ? page.file : NULL;
}

enum sb_status sb_lesson_page(size_t index, FILE *stream)
{
    return sb_course_write(index, NULL, NULL, stream);
}
