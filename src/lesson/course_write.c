/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The public functions of the course, which list the pages and write a page. */
#include "lesson/lesson.h"

#include "core/error.h"
#include "core/struct_size.h"
#include "report/result.h"
#include "study/report/report_parts.h"

#include <errno.h>

/* Returns whether there is a page `index`, and sets *page. */
static bool course_page_find(size_t index, struct sb_course_page *page)
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

bool sb_course_page_get_sized(size_t index, struct sb_course_page *page, size_t size)
{
    struct sb_course_page own;

    if (!course_page_find(index, &own))
        return false;
    sb_struct_write(&own, sizeof own, page, size);
    return true;
}

enum sb_status sb_course_write(size_t index, const struct sb_options *options, struct sb_error *error,
                               FILE *stream)
{
    struct sb_course_page page;
    struct sb_options own, settled;
    enum sb_status status = SB_OK;

    if (!stream)
        return sb_error_set(error, SB_INVALID, "the stream is NULL: check the call that opened it");
    if (!course_page_find(index, &page))
        return sb_error_set(error, SB_INVALID, "page %zu: there is no such page", index);
    sb_options_init(&own);
    if (options)
        status = sb_options_read(options, error, &own);
    if (status == SB_OK)
        status = sb_options_settle(&own, error, &settled);
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
