/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fuzz/page_rules.h"

#include "fuzz/fuzz.h"

#include <ctype.h>
#include <jansson.h>
#include <string.h>

enum { PAGE_DEPTH = 64, PAGE_TAG = 32 };

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
static void tag_name(const char *text, char name[PAGE_TAG])
{
    size_t length = 0;

    while (length + 1 < PAGE_TAG && text[length] && !strchr(" \t\r\n/>", text[length])) {
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
static void page_tags(const char *text)
{
    char open[PAGE_DEPTH][PAGE_TAG], name[PAGE_TAG];
    size_t depth = 0;

    while ((text = strchr(text, '<'))) {
        const bool closes = text[1] == '/';

        tag_name(text + 1 + closes, name);
        const char *const end = strncmp(text, "<!--", 4) == 0 ? strstr(text, "-->") : tag_end(text);

        fuzz_check(end && *end, "a tag has an end");
        if (closes)
            fuzz_check(depth > 0 && strcmp(open[--depth], name) == 0, "tags match");
        else if (end[-1] != '/' && text[1] != '!' && text[1] != '?' && !tag_is_single(name)) {
            fuzz_check(depth < PAGE_DEPTH, "tags are not too deep");
            strcpy(open[depth++], name);
            if (strcmp(name, "script") == 0 || strcmp(name, "style") == 0) {
                char close[PAGE_TAG + 3];

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

void page_check(const char *format, const char *text)
{
    if (strcmp(format, "html") == 0 || strcmp(format, "svg") == 0 || strcmp(format, "junit") == 0)
        page_tags(text);
    if (strcmp(format, "json") == 0) {
        json_t *const value = json_loads(text, JSON_REJECT_DUPLICATES, NULL);

        fuzz_check(value, "the JSON can be read");
        json_decref(value);
    }
}
