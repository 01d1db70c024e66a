/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first group of an extended regular expression (POSIX.1-2017, Base Definitions, 9.4). */
#include "core/error.h"
#include "subject/lines/line_parts.h"

#include <string.h>

/* Returns a class that Perl has and POSIX has not, such as \d: glibc would read it as the letter d. */
static const char *match_perl(const char *pattern)
{
    for (const char *c = pattern; *c; c++)
        if (*c == '\\' && c[1]) {
            if (strchr("dDhHvVAzZ", c[1]))
                return c;
            c++;
        }
    return NULL;
}

/* Makes the current thread use UTF-8 for characters; returns the locale to restore. */
static locale_t match_begin(const struct sb_match *match)
{
    return match->utf8 ? uselocale(match->utf8) : (locale_t)0;
}

static void match_end(locale_t before)
{
    if (before)
        uselocale(before);
}

enum sb_status sb_match_open(const char *pattern, struct sb_error *error, struct sb_match *match)
{
    struct sb_match made = { .open = true, .utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0) };
    const char *const perl = match_perl(pattern);
    char what[120] = "";

    if (perl) {
        if (made.utf8)
            freelocale(made.utf8);
        return sb_error_set(
            error, SB_INVALID,
            "`match`: '%.2s' is not in POSIX's extended regular expressions: write a set such "
            "as [0-9]",
            perl);
    }
    const locale_t before = match_begin(&made);
    const int fault = regcomp(&made.regex, pattern, REG_EXTENDED);

    if (fault)
        regerror(fault, &made.regex, what, sizeof what);
    match_end(before);
    if (fault) {
        if (made.utf8)
            freelocale(made.utf8);
        return fault == REG_ESPACE
                   ? sb_error_memory(error, "a regular expression")
                   : sb_error_set(error, SB_INVALID,
                                  "`match`: '%.60s' is no extended regular expression: %s: try it with "
                                  "'grep -E'",
                                  pattern, what);
    }
    if (made.regex.re_nsub == 0) {
        sb_match_close(&made);
        return sb_error_set(
            error, SB_INVALID,
            "`match`: '%.60s' has no group: put the deck into parentheses, as in 'deck: (.*)'", pattern);
    }
    *match = made;
    return SB_OK;
}

void sb_match_close(struct sb_match *match)
{
    if (!match->open)
        return;
    regfree(&match->regex);
    if (match->utf8)
        freelocale(match->utf8);
    match->open = false;
}

enum sb_line_result sb_match_take(const struct sb_match *match, struct sb_line *line)
{
    regmatch_t group[2];
    const locale_t before = match_begin(match);
    const int fault = regexec(&match->regex, line->text, 2, group, 0);

    match_end(before);
    if (fault == REG_ESPACE)
        return sb_line_reject(line, "not enough memory to match the line: shorten `match`");
    if (fault || group[1].rm_so < 0)
        return SB_LINE_SKIPPED;
    sb_line_keep(line, line->text + group[1].rm_so, (size_t)(group[1].rm_eo - group[1].rm_so));
    return strspn(line->text, " \t") < line->length
               ? SB_LINE_TAKEN
               : sb_line_reject(line, "the group of `match` is empty: correct `match`");
}
