/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Explanations and lessons: each page is written without a fault, its tags match or its JSON can be read, and
 * the same request writes the same page.
 */
#include "fuzz/fuzz.h"
#include "fuzz/page_rules.h"

#include "core/calls.h"

#include <string.h>

/* Explains a scheme; returns the text, or NULL after an error. */
static char *explain(const char *scheme, const char *path, const struct sb_request *options,
                     const char *format)
{
    const struct sb_look look = { .unicode = true, .columns = 80 };
    struct sb_error error = { .status = SB_OK };
    struct sb_explain *made;
    char *text = NULL;
    size_t length;

    if (sb_explain_new(scheme, path, options, &error, &made)) {
        fuzz_check(error.text[0], "an error has a line");
        return NULL;
    }
    fuzz_check(sb_explain_text(made, format, &look, &error, &text, &length) == SB_OK &&
                   strlen(text) == length,
               "an explanation can be written");
    sb_explain_free(made);
    return text;
}

static void explain_check(struct fuzz *fuzz, const char *format)
{
    struct sb_request options;
    char scheme[64], path[32];

    sb_request_init(&options, SB_REPORT);
    options.n = fuzz_byte(fuzz) % 6;
    options.deal = options.n ? fuzz_byte(fuzz) % (options.n + 1) : 0;
    options.threads = 1;
    fuzz_text(fuzz, scheme, sizeof scheme);
    fuzz_text(fuzz, path, sizeof path);
    char *const one = explain(scheme, path[0] ? path : NULL, &options, format);
    char *const other = explain(scheme, path[0] ? path : NULL, &options, format);

    fuzz_check(!one == !other && (!one || strcmp(one, other) == 0), "the same request writes the same page");
    if (one)
        page_check(format, one);
    free(one);
    free(other);
}

/* Writes a page of the course that takes no long computation. */
static void course_check(size_t index)
{
    struct sb_course_page page;
    struct sb_error error = { .status = SB_OK };
    size_t pages = 0, length;
    char *text = NULL;

    while (sb_course_page_get(pages, &page))
        pages++;
    index = index % 3 ? pages - index % 3 : 0; /* the index, the worksheet and the teacher's notes */
    fuzz_check(sb_course_text(index, NULL, &error, &text, &length) == SB_OK, "a page can be written");
    page_check("html", text);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const formats[] = { "text", "markdown", "json", "html", "svg" };
    struct fuzz fuzz = { data, size };
    const unsigned how = fuzz_byte(&fuzz);

    if (how < 255)
        explain_check(&fuzz, formats[how % 5]);
    else
        course_check(fuzz_byte(&fuzz));
    return 0;
}
