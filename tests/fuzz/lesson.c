/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Explanations and lessons: each page is written without a fault, its tags match or its JSON can be read, and
 * the same request writes the same page.
 */
#include "fuzz/fuzz.h"

#include "shufflebias.h"

#include <ctype.h>
#include <jansson.h>
#include <string.h>

enum { LESSON_DEPTH = 64, LESSON_TAG = 32 };

/* Tags of HTML that have no end. */
static bool tag_is_single(const char *name)
{
    static const char *const single[] = { "!doctype", "br", "col", "hr", "img", "input", "link", "meta" };

    for (size_t i = 0; i < sizeof single / sizeof single[0]; i++)
        if (strcmp(name, single[i]) == 0)
            return true;
    return false;
}

/* Reads the name of the tag at `text`, in lower case. */
static void tag_name(const char *text, char name[LESSON_TAG])
{
    size_t length = 0;

    while (length + 1 < LESSON_TAG && text[length] && !strchr(" \t\r\n/>", text[length])) {
        name[length] = (char)tolower((unsigned char)text[length]);
        length++;
    }
    name[length] = '\0';
}

/* Returns the end of a tag, '>', after its quoted values. */
static const char *tag_end(const char *text)
{
    for (char quote = '\0'; *text && (quote || *text != '>'); text++)
        if (quote ? *text == quote : *text == '"' || *text == '\'')
            quote = quote ? '\0' : *text;
    return text;
}

/* Aborts unless each tag that begins also ends, in the right order. */
static void tags_check(const char *text)
{
    char open[LESSON_DEPTH][LESSON_TAG], name[LESSON_TAG];
    size_t depth = 0;

    while ((text = strchr(text, '<'))) {
        const bool closes = text[1] == '/';

        tag_name(text + 1 + closes, name);
        const char *const end = strncmp(text, "<!--", 4) == 0 ? strstr(text, "-->") : tag_end(text);

        fuzz_check(end && *end, "a tag has an end");
        if (closes)
            fuzz_check(depth > 0 && strcmp(open[--depth], name) == 0, "tags match");
        else if (end[-1] != '/' && text[1] != '!' && text[1] != '?' && !tag_is_single(name)) {
            fuzz_check(depth < LESSON_DEPTH, "tags are not too deep");
            strcpy(open[depth++], name);
            if (strcmp(name, "script") == 0 || strcmp(name, "style") == 0) {
                char close[LESSON_TAG + 3];

                snprintf(close, sizeof close, "</%s", name);
                text = strstr(end, close);
                fuzz_check(text, "a script has an end");
                continue;
            }
        }
        text = end;
    }
    fuzz_check(depth == 0, "each tag ends");
}

static void page_check(const char *format, const char *text)
{
    if (strcmp(format, "html") == 0 || strcmp(format, "svg") == 0)
        tags_check(text);
    if (strcmp(format, "json") == 0) {
        json_t *const value = json_loads(text, JSON_REJECT_DUPLICATES, NULL);

        fuzz_check(value, "the JSON can be read");
        json_decref(value);
    }
}

/* Explains a scheme; returns the text, or NULL after an error. */
static char *explain(const char *scheme, const char *path, const struct sb_options *options,
                     const char *format)
{
    const struct sb_look look = { .struct_size = sizeof look, .unicode = true, .columns = 80 };
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
    struct sb_options options;
    char scheme[64], path[32];

    sb_options_init(&options);
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
    tags_check(text);
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
