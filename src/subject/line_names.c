/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names in a line of text, before the names are known: without brackets, labels, arrows and the "vs" between teams,
 * as text_name() reads them later (stream_text.c). */
#include "core/core.h"
#include "core/text.h"
#include "subject/parts.h"

#include <stdlib.h>
#include <string.h>

enum { NAMES_LETTERS = 3 }; /* the fewest items of a word */

static const char names_between[] = " ,;|", names_titles[] = "\t,;|"; /* titles have what they like between these */

/* Whether the word line[at..at+length-1] stands in the line once more. */
static bool names_again(const char *line, size_t at, size_t length)
{
    for (size_t i = 0, next; line[i]; i = next + strspn(line + next, " ,;:")) {
        next = i + strcspn(line + i, " ,;:");
        if (i != at && next - i == length && memcmp(line + i, line + at, length) == 0)
            return true;
    }
    return false;
}

/* Whether a word of the line is a number, and no part of a label. */
static bool names_numbers(const char *line)
{
    for (; *line; line += strcspn(line, names_between), line += strspn(line, names_between)) {
        const size_t digits = strspn(line, "0123456789");

        if (digits && (!line[digits] || strchr(names_between, line[digits])))
            return true;
    }
    return false;
}

/* Whether blanks stand within what the other separators separate. */
static bool names_have_blanks(const char *line)
{
    for (const char *blank = line; (blank = strchr(blank, ' ')); blank += strspn(blank, " ")) {
        const char after = blank[strspn(blank, " ")];

        if (blank > line && !strchr(names_titles, blank[-1]) && after && !strchr(names_titles, after))
            return true;
    }
    return false;
}

/* Replaces labels by commas, as the text reader leaves them out: each is a word before a colon that stands nowhere else
 * in the line, or two words that begin like the line, as in "Team A: Ann Bob Team B: Cid Dee". Returns whether there
 * are any. */
static bool names_labels(char *line)
{
    const size_t first = strcspn(line, " :");
    const bool two = line[first] == ' ' && line[first + 1 + strcspn(line + first + 1, " :")] == ':';
    bool any = false;

    if ((!two && line[first] != ':') || names_numbers(line))
        return false;
    for (char *colon; (colon = strrchr(line, ':')); any = true) { /* the first label last */
        size_t at = (size_t)(colon - line);
        const size_t end = at;

        if (colon[1] != ' ')
            return any;
        while (at > 0 && line[at - 1] != ' ')
            at--;
        if (two && at > first && strncmp(line + at - first - 1, line, first) == 0)
            at -= first + 1;
        else if (two || at == end || names_again(line, at, end - at))
            return any;
        memset(line + at, ',', end + 1 - at);
    }
    return any;
}

/* Replaces the brackets around a line, and Python's quotation marks, by those of a list of names; and arrows, "vs" and
 * labels, as in text_name(), by blanks, and then commas too. Returns false if the names between these may have blanks.
 * */
static bool names_plain(char *line)
{
    const size_t length = strlen(line);
    const bool titles = strpbrk(line, names_titles);
    bool parts = names_labels(line);
    char *end;

    for (char *c = line; !strchr(line, '<') && (c = strchr(c, '>')); c++)
        c[0] = c[-(c > line && (c[-1] == '-' || c[-1] == '='))] = ' ';
    for (char *at = line, *rest; !titles && (rest = sb_labels_cut(at)); at = rest)
        memset(at + strlen(at), ' ', (size_t)(rest - at) - strlen(at));
    for (char *between = line; (between = strstr(between, " vs")); between++)
        if (between[3] == ' ' || strncmp(between + 3, ". ", 2) == 0) {
            memset(between, ',', 4);
            parts = true;
        }
    if (parts && titles && names_have_blanks(line))
        return false;
    for (char *c = line; parts && (c = strpbrk(c, names_titles));)
        *c = ' ';
    if (line[0] != '[' || line[length - 1] != ']')
        return true;
    line[0] = line[length - 1] = ' ';
    for (char *c = line; *c; c++)
        if (*c == '\'' && c[-1] == ' ' && (end = strpbrk(c + 1, "'\"")) && *end == '\'' &&
            (end[1] == ',' || end[1] == ' '))
            *c = *end = '"', c = end;
    return true;
}

bool sb_line_letters(const char *line, size_t length)
{
    bool seen[128] = { false };

    for (size_t i = 0; i < length; i++) {
        const uint8_t byte = (uint8_t)line[i];

        if (byte >= 128 || !sb_text_in_word(line[i]) || seen[byte])
            return false;
        seen[byte] = true;
    }
    return length >= NAMES_LETTERS;
}

/* Returns the line with a blank after each letter, or NULL: not enough memory. Frees the line. */
static char *names_spread(char *line)
{
    const size_t length = strlen(line);
    char *const spread = calloc(2 * length + 1, 1);

    for (size_t i = 0; spread && i < length; i++) {
        spread[2 * i] = line[i];
        spread[2 * i + 1] = ' ';
    }
    free(line);
    return spread;
}

struct sb_item_names *sb_line_names(const struct sb_stream *stream, const char **at, bool *more)
{
    const char *const end = (const char *)stream->end;
    struct sb_item_names *names = NULL;

    while (*at < end) {
        const char *const begin = *at + strspn(*at, " \t\r"), *const lf = memchr(*at, '\n', (size_t)(end - *at));
        const char *const stop = lf ? lf : end;

        *more = !lf && !stream->ended;
        *at = lf ? lf + 1 : end;
        if (begin >= stop || *begin == '#')
            continue;
        char *line = strndup(begin, (size_t)(stop - begin));

        for (size_t length = line ? strlen(line) : 0; length && strchr(" \t\r", line[length - 1]); length--)
            line[length - 1] = '\0';
        const bool plain = line && names_plain(line);

        if (plain && sb_line_letters(line, strlen(line)))
            line = names_spread(line);
        if (line && plain && !*more && !strpbrk(line, "{}"))
            sb_item_names_new(line, NULL, &names);
        free(line);
        return names;
    }
    *more = !stream->ended;
    return NULL;
}
