/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Errors, and text for people: a strict UTF-8 decoder (no overlong forms, no surrogates, nothing above U+10FFFF), and
 * the characters that a terminal must not receive or that nobody sees. RFC 3629; Default_Ignorable_Code_Point in
 * Unicode 15, UAX #44.
 */
#define _GNU_SOURCE /* fopencookie() */

#include "core/text.h"
#include "core/core.h"

/* Errors: a status for the program, and one line of text for people. */

bool sb_error_field_next(const char *text, struct sb_error_field *field)
{
    for (const char *start = text; (start = strchr(start, '`')); start++) {
        const char *const name = start + 1, *const after = name + strspn(name, "abcdefghijklmnopqrstuvwxyz_");
        const bool stated = strncmp(after, " = ", 3) == 0;
        const char *const value = after + (stated ? 3 : *after == '='), *const end = strchr(value, '`');

        if ((start > text && !strchr(" (", start[-1])) || after == name || !end ||
            (value == after ? end != after : end == value))
            continue;
        *field = (struct sb_error_field) {
            .start = start,
            .end = end + 1,
            .name = name,
            .name_length = (int)(after - name),
            .value = value,
            .value_length = (int)(end - value),
            .stated = stated,
        };
        return true;
    }
    return false;
}

/* Finds the first field in the line. Sets error->field to the field's name and error->value to its value. The
 * function skips names of functions, which also stand between backquotes. */
static void error_find_field(struct sb_error *error)
{
    struct sb_error_field found;
    const char *at = error->text;

    error->field[0] = error->value[0] = '\0';
    while (sb_error_field_next(at, &found)) {
        at = found.end;
        if (strncmp(found.name, "sb_", 3) == 0)
            continue;
        snprintf(error->field, sizeof error->field, "%.*s", found.name_length, found.name);
        snprintf(error->value, sizeof error->value, "%.*s", found.value_length, found.value);
        return;
    }
}

enum sb_status sb_error_set(struct sb_error *error, enum sb_status status, const char *format, ...)
{
    va_list arguments;

    if (!error)
        return status;
    char text[sizeof error->text];

    error->status = status;
    va_start(arguments, format);
    sb_decimal_format_list(text, sizeof text, format, arguments);
    va_end(arguments);
    /* the text may contain file names, which may contain any character */
    sb_sanitize_log_text(text, error->text, sizeof error->text);
    error_find_field(error);
    return status;
}

enum sb_status sb_error_deal(struct sb_error *error, size_t deal, size_t n)
{
    if (n == 1)
        return sb_error_set(error, SB_INVALID, "`deal=%zu`: there is only 1 item", deal);
    return sb_error_set(error, SB_INVALID, "`deal=%zu`: there are only %zu items", deal, n);
}

enum sb_status sb_error_null(struct sb_error *error, const char *what)
{
    return sb_error_set(error, SB_INVALID, "%s is NULL: name one", what);
}

enum sb_status sb_error_memory(struct sb_error *error, const char *what)
{
    return sb_error_set(error, SB_NO_MEMORY, "not enough memory for %s: ask for a smaller n", what);
}

enum sb_status sb_error_broken(struct sb_error *error, const char *what)
{
    return sb_error_set(error, SB_BROKEN, "%s: something went wrong that should not: please report it" SB_BUGS, what);
}

enum sb_status sb_error_stuck(struct sb_error *error, enum sb_status status, const char *scheme, uint64_t seed)
{
    return sb_error_set(
        error, status,
        "%s with seed %llu gives the same few answers over and over: take another seed, generator or draw", scheme,
        (unsigned long long)seed);
}

bool sb_level_is(double level)
{
    return level >= 1e-100 && level < 1;
}

uint32_t sb_utf8_next(const char **text)
{
    static const uint32_t least[] = {
        0, 0x80, 0x800, 0x10000
    }; /* the smallest code point of each length; a smaller code point is overlong */
    const unsigned char *byte = (const unsigned char *)*text;
    uint32_t point = byte[0];
    size_t more = 0;

    if (point == 0)
        return 0;
    (*text)++;
    if (point < 0x80)
        return point;
    if (point >= 0xC2 && point < 0xE0)
        more = 1;
    else if (point >= 0xE0 && point < 0xF0)
        more = 2;
    else if (point >= 0xF0 && point < 0xF5)
        more = 3;
    else
        return SB_UTF8_REPLACEMENT;
    point &= 0x3FU >> more;
    for (size_t i = 1; i <= more; i++) {
        if ((byte[i] & 0xC0) != 0x80)
            return SB_UTF8_REPLACEMENT;
        point = point << 6 | (byte[i] & 0x3F);
    }
    if (point < least[more] || point > 0x10FFFF || (point >= 0xD800 && point < 0xE000))
        return SB_UTF8_REPLACEMENT;
    *text += more;
    return point;
}

bool sb_utf8_unsafe(uint32_t point)
{
    static const struct {
        uint32_t first, last;
    } range[] = {
        { 0x01, 0x08 },       { 0x0B, 0x0C },     { 0x0E, 0x1F },     { 0x7F, 0x9F },       { 0xAD, 0xAD },
        { 0x34F, 0x34F },     { 0x61C, 0x61C },   { 0x115F, 0x1160 }, { 0x17B4, 0x17B5 },   { 0x180E, 0x180E },
        { 0x200B, 0x200F },   { 0x2028, 0x202E }, { 0x2060, 0x206F }, { 0x3164, 0x3164 },   { 0xFEFF, 0xFEFF },
        { 0xFFA0, 0xFFA0 },   { 0xFFF0, 0xFFFB }, { 0xFFFE, 0xFFFF }, { 0x1BCA0, 0x1BCA3 }, { 0x1D173, 0x1D17A },
        { 0xE0000, 0xE0FFF },
    };

    for (size_t i = 0; i < sizeof range / sizeof range[0] && point >= range[i].first; i++)
        if (point <= range[i].last)
            return true;
    return false;
}

size_t sb_utf8_put(uint32_t point, char bytes[4])
{
    static const unsigned char lead[] = { 0, 0xC0, 0xE0, 0xF0 };
    const size_t more = point < 0x80 ? 0 : point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;

    for (size_t i = more; i > 0; i--, point >>= 6)
        bytes[i] = (char)(0x80 | (point & 0x3F));
    bytes[0] = (char)(lead[more] | point);
    return more + 1;
}

/*
 * CI systems look for commands in printed text and execute these commands: GitHub `::error::` at the start of
 * a line and `##[error]` anywhere, Azure `##vso[...]`, TeamCity `##teamcity[...]`. This file inserts a blank
 * between the two colons or hashes, which disables the command. Two colons that follow a letter, as in Perl's
 * List::Util, stay unchanged.
 */

/* Returns whether a character belongs to a name in a program; isalnum() would depend on the locale. */
static bool log_letter(uint32_t point)
{
    return (point >= 'a' && point <= 'z') || (point >= 'A' && point <= 'Z') || (point >= '0' && point <= '9') ||
           point == '_';
}

bool sb_log_text_begins(uint32_t before, uint32_t last, uint32_t point)
{
    return last == point && (point == '#' || (point == ':' && !log_letter(before)));
}

uint32_t sb_log_text_next(struct sb_log_text *text)
{
    const char *rest = text->rest;
    uint32_t point = sb_utf8_next(&rest);

    if (sb_utf8_unsafe(point))
        point = SB_UTF8_REPLACEMENT;
    if (sb_log_text_begins(text->before, text->last, point))
        point = ' '; /* the next call returns the character */
    else
        text->rest = rest;
    text->before = text->last;
    text->last = point;
    return point;
}

void sb_sanitize_log_text(const char *text, char line[], size_t room)
{
    struct sb_log_text outside = { .rest = text };
    size_t used = 0;

    for (uint32_t point; (point = sb_log_text_next(&outside)) != 0;) {
        char bytes[4];

        if (point == '\t' || point == '\n' || point == '\r')
            point = ' ';
        const size_t length = sb_utf8_put(point, bytes);

        if (used + length + 1 > room)
            break;
        memcpy(line + used, bytes, length);
        used += length;
    }
    line[used] = '\0';
}

/* Makes text from another program safe to show, converts the text to ASCII, and truncates the text. O(length). */

/* Returns the ASCII replacement of a code point. */
static const char *sanitize_ascii(uint32_t point)
{
    switch (point) {
    case 0x2013: /* en dash; the other dashes and the minus sign follow */
    case 0x2014:
    case 0x2212:
        return "-";
    case 0x2018:
    case 0x2019:
        return "'";
    case 0x2026:
        return "...";
    case 0xD7:
        return "x";
    default:
        return "?";
    }
}

char *sb_sanitize_page_text(const char *text, bool unicode)
{
    const size_t room = 3 * strlen(text) + 1; /* an invalid byte becomes the three bytes of U+FFFD */
    char *const safe = malloc(room), *end = safe;

    if (!safe)
        return NULL;
    sb_sanitize_log_text(text, safe, room);
    if (unicode)
        return safe;
    for (const char *rest = safe; *rest;) { /* no replacement is longer than its character */
        const uint32_t point = sb_utf8_next(&rest);
        const char plain[] = { (char)point, '\0' }, *const ascii = point < 0x80 ? plain : sanitize_ascii(point);

        memcpy(end, ascii, strlen(ascii));
        end += strlen(ascii);
    }
    *end = '\0';
    return safe;
}

char *sb_sanitize_text(const char *text, size_t most)
{
    char *const safe = sb_sanitize_page_text(text, true);

    if (!safe || strlen(safe) <= most)
        return safe;
    size_t length = most;

    while ((safe[length] & 0xC0) == 0x80)
        length--; /* goes back to the start of a character */
    char *const room = realloc(safe, length + sizeof "...");

    if (!room) {
        free(safe);
        return NULL;
    }
    strcpy(room + length, "...");
    return room;
}

/* Text with numbers, written and read with a decimal point, in any locale. */

int sb_decimal_format(char *text, size_t room, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    const int length = sb_decimal_format_list(text, room, format, arguments);
    va_end(arguments);
    return length;
}

int sb_decimal_format_list(char *text, size_t room, const char *format, va_list arguments)
{
    const locale_t before = sb_decimal_begin();
    /* clang-tidy 14 does not see the caller's va_start() */
    const int length = vsnprintf(text, room, format, arguments); // NOLINT(clang-analyzer-valist.Uninitialized)

    sb_decimal_end(before);
    return length;
}

bool sb_decimal_whole(const char *text, double *number)
{
    const locale_t before = sb_decimal_begin();
    char *end = NULL;

    *number = strtod(text, &end);
    sb_decimal_end(before);
    return end != text && *end == '\0';
}

double sb_decimal_read(const char *text)
{
    const locale_t before = sb_decimal_begin();
    const double number = strtod(text, NULL);

    sb_decimal_end(before);
    return number;
}

/*
 * Handles names as people type them: reads numbers, and finds the known names nearest to an unknown name.
 *
 * V. I. Levenshtein, Binary codes capable of correcting deletions, insertions, and reversals (1966); the
 * row-by-row form is Wagner and Fischer's, doi:10.1145/321796.321811.
 */

enum { NAME_LENGTH_MOST = 64 };

bool sb_name_number(const char *text, uint64_t *number)
{
    uint64_t value = 0;

    if (!*text)
        return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9' || __builtin_mul_overflow(value, 10U, &value) ||
            __builtin_add_overflow(value, (uint64_t)(*text - '0'), &value))
            return false;
    }
    *number = value;
    return true;
}

/* Returns the edit distance (Levenshtein) of two names: the smallest number of letters to insert, delete or
 * replace. O(|a| |b|). */
static size_t name_letters(const char *a, const char *b)
{
    size_t row[NAME_LENGTH_MOST + 1];
    const size_t width = strnlen(b, NAME_LENGTH_MOST);

    for (size_t j = 0; j <= width; j++)
        row[j] = j;
    for (size_t i = 0; i < NAME_LENGTH_MOST && a[i]; i++) {
        size_t corner = row[0];

        row[0] = i + 1;
        for (size_t j = 0; j < width; j++) {
            size_t best = corner + (a[i] != b[j]);

            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j + 1] + 1 < best)
                best = row[j + 1] + 1;
            corner = row[j + 1];
            row[j + 1] = best;
        }
    }
    return row[width];
}

/* Returns the edit distance of two names, but at most 2 if `known` contains `typed` and `typed` has three
 * letters or more. */
static size_t name_distance(const char *typed, const char *known)
{
    const size_t distance = name_letters(typed, known);

    return strlen(typed) > 2 && strstr(known, typed) ? (distance < 2 ? distance : 2) : distance;
}

void sb_name_offer(struct sb_name_nearest *nearest, const char *known)
{
    size_t distance = name_distance(nearest->name, known);

    if (distance > 2 && distance > strlen(nearest->name) / 3)
        return;
    for (size_t i = 0; i < 3; i++) {
        const char *const other = nearest->nearest[i];
        const size_t other_distance = nearest->distance[i];

        if (other && other_distance <= distance)
            continue;
        nearest->nearest[i] = known;
        nearest->distance[i] = distance;
        if (!other)
            return;
        known = other;
        distance = other_distance;
    }
}

char *sb_name_suggest(const struct sb_name_nearest *nearest, char text[], size_t room)
{
    const char *const *const name = nearest->nearest;

    if (!name[0])
        text[0] = '\0';
    else if (!name[1])
        snprintf(text, room, "; did you mean %s?", name[0]);
    else if (!name[2])
        snprintf(text, room, "; did you mean %s or %s?", name[0], name[1]);
    else
        snprintf(text, room, "; did you mean %s, %s or %s?", name[0], name[1], name[2]);
    return text;
}

/*
 * A stream into memory as a stream of its own, with fopencookie() of glibc and musl, which knows of each write that
 * fails. Other systems use their open_memstream().
 */

#if SB_HAS_FOPENCOOKIE

struct memory_stream {
    char **text;
    size_t *length;
    char *bytes;          /* [room]; NULL before the first write */
    size_t written, room; /* there is always room for a 0 after the bytes that are written */
    bool failed;          /* whether a write has failed */
};

/* Makes room for `more` bytes and a 0. */
static bool memory_stream_grow(struct memory_stream *memory, size_t more)
{
    if (memory->room - memory->written > more)
        return true;
    const size_t room = 2 * memory->room + more + 1;
    char *const bytes = realloc(memory->bytes, room);

    if (!bytes)
        return false;
    memory->bytes = bytes;
    memory->room = room;
    return true;
}

static ssize_t memory_stream_write(void *cookie, const char *bytes, size_t count)
{
    struct memory_stream *const memory = cookie;

    if (!memory_stream_grow(memory, count)) {
        memory->failed = true;
        return 0; /* which marks a stream of glibc, but not one of musl */
    }
    memcpy(memory->bytes + memory->written, bytes, count);
    memory->written += count;
    return (ssize_t)count;
}

static int memory_stream_end(void *cookie)
{
    struct memory_stream *const memory = cookie;
    const bool failed = memory->failed;

    if (memory_stream_grow(memory, 0))
        memory->bytes[memory->written] = '\0';
    else
        memory->written = 0;
    *memory->text = memory->bytes;
    *memory->length = memory->written;
    free(memory);
    return failed ? EOF : 0;
}

FILE *sb_memory_stream_open(char **text, size_t *length)
{
    const cookie_io_functions_t calls = { .write = memory_stream_write, .close = memory_stream_end };
    struct memory_stream *const memory = malloc(sizeof *memory);

    *text = NULL;
    if (!memory)
        return NULL;
    *memory = (struct memory_stream) { .text = text };
    memory->length = length;
    FILE *const stream = fopencookie(memory, "w", calls);

    if (!stream)
        free(memory);
    return stream;
}

#else

FILE *sb_memory_stream_open(char **text, size_t *length)
{
    *text = NULL;
    return open_memstream(text, length);
}

#endif

bool sb_memory_stream_close(FILE *stream, char *const *text)
{
    if (!stream)
        return false;
    const bool failed = ferror(stream);

    return fclose(stream) == 0 && !failed && *text;
}

bool sb_shell_plain(const char *word)
{
    return word[0] && !strpbrk(word, " \t\n'\"\\$`&|;<>()*?[]#~=%!{}");
}
