/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the deck in each line of a text, for subjects that say where it is. The stream hands over the lines that it has
 * read, and each complete line is replaced by the deck in the line: by some of the line's fields, by a group of a
 * regular expression, or by a value in JSON. The result does not depend on where reads end.
 *
 * Each line keeps its length: the deck comes first, and blanks fill the rest. So line numbers and positions in a log
 * are those of the source. Lines that are skipped become blank.
 */
#include "core/text.h"
#include "subject/parts.h"

#include <ctype.h>
#include <inttypes.h>

enum { LINES_TIMES = 1 << 12 }; /* a chunk of a stream has fewer lines with eight items or more */

struct lines_time {
    uint64_t line;
    char text[SB_LINE_TIME];
};

struct lines {
    struct sb_lines lines; /* must be the first member, because callers have a pointer to this member */
    struct sb_bytes *bytes;
    struct sb_subject form; /* whose options say where the deck is; its strings are borrowed */
    bool begins;            /* whether the first bytes have been looked at */
    struct sb_fields fields;
    struct sb_match *match;
    struct sb_match_limits limits;
    struct sb_json_path json_path;
    size_t searched;          /* bytes of the incomplete line that are known to have no line end */
    uint64_t begun;           /* bytes of the file before the first byte read */
    uint64_t line;            /* lines so far */
    uint64_t filled, matched; /* lines so far that are not blank, and those that match */
    struct lines_time *time;  /* [LINES_TIMES] the times of the last lines that match; owned */
};

static bool lines_extract(const struct sb_subject *form)
{
    return form->field || form->match || form->json_path;
}

static void lines_wrong(struct lines *self, const char *what)
{
    char where[80];
    const int used = snprintf(where, sizeof where, "line %" PRIu64, self->line + 1);

    if (self->begun)
        snprintf(where + used, sizeof where - (size_t)used, " after byte %" PRIu64, self->begun);
    sb_bytes_wrong(self->bytes, where, what, self->bytes->position, &self->lines.error);
}

static void lines_check_length(struct lines *self, size_t length)
{
    if (length > SB_MATCH_LINE_MOST && self->form.match)
        lines_wrong(self, "the line is longer than 1,048,576 bytes, the most with `match`: end lines with newlines");
    else if (length > SB_JSON_LINE_MOST && self->form.json_path)
        lines_wrong(self, "the line is longer than 16,777,216 bytes, the most with `json_path`: end lines with "
                          "newlines");
    else if (length >= SB_LINE_MOST)
        lines_wrong(self, "the line is too long: end lines with newlines");
}

/* Rejects a deck that the parser would skip as a comment, unless the line itself is the comment, whose content
 * begins at `begin`. */
static enum sb_line_result lines_check_comment(const struct lines *self, struct sb_line *line, size_t begin)
{
    const size_t blanks = strspn(line->text, " \t");

    if (line->text[blanks] != '#' || line->cut + blanks == begin)
        return SB_LINE_TAKEN;
    return sb_line_reject_text(line, "the deck ", line->text + blanks, line->length - blanks,
                               self->form.field ? " is a comment: remove #, as with tr -d '#', or correct `field`"
                                                : " is a comment: remove #, as with tr -d '#', or correct `match`");
}

static enum sb_line_result lines_steps(struct lines *self, struct sb_line *line)
{
    const size_t begin = line->cut + strspn(line->text, " \t");
    enum sb_line_result result = SB_LINE_TAKEN;

    if (memchr(line->text, '\0', line->length))
        return sb_line_reject(line, "a control byte 0x00: print text, without NUL bytes");
    if (self->form.match)
        result = sb_match_take(self->match, &self->limits, line);
    if (result == SB_LINE_TAKEN && self->form.json_path)
        result = sb_json_path_take(&self->json_path, line);
    if (result == SB_LINE_TAKEN && self->form.field)
        result = sb_fields_take(&self->fields, line);
    return result == SB_LINE_TAKEN ? lines_check_comment(self, line, begin) : result;
}

static bool lines_date(const char *text, const char *end)
{
    return end - text >= 4 && isdigit((unsigned char)end[-2]) && (end[-3] == '-' || end[-3] == '/');
}

/* Copies the first time of a line, such as 10:15 or 2026-03-01 10:15:30.25, with its date. */
static void lines_find_time(const char *text, size_t length, char when[SB_LINE_TIME])
{
    const char *const end = text + length, *at = text;

    when[0] = '\0';
    while ((at = memchr(at, ':', (size_t)(end - at))) &&
           !(at - text >= 2 && end - at > 2 && isdigit((unsigned char)at[-2]) && isdigit((unsigned char)at[-1]) &&
             isdigit((unsigned char)at[1]) && isdigit((unsigned char)at[2])))
        at++;
    if (!at)
        return;
    const char *begin = at - 2;

    if (begin > text && *(begin - 1) == ' ' && lines_date(text, begin - 1))
        begin--;
    while (begin > text && at - begin < SB_LINE_TIME / 2 && strchr("0123456789-/T", begin[-1]))
        begin--;
    snprintf(when, SB_LINE_TIME, "%.*s", (int)((size_t)(at - begin) + strspn(at, "0123456789:.+Z")), begin);
}

static void lines_when(const struct sb_lines *lines, uint64_t line, char when[SB_LINE_TIME])
{
    const struct lines *const self = (const struct lines *)lines;

    for (size_t i = 0; i < LINES_TIMES; i++)
        if (self->time[i].line == line)
            memcpy(when, self->time[i].text, SB_LINE_TIME);
}

static enum sb_line_result lines_take(struct lines *self, char text[], size_t length)
{
    const char last = text[length];
    const bool cr = length > 0 && text[length - 1] == '\r';
    struct sb_line line = { .text = text, .length = length - cr };
    const size_t mark = sb_text_mark(text, line.length);
    enum sb_line_result result = SB_LINE_TAKEN;

    text[line.length] = '\0';
    if (mark)
        sb_line_keep(&line, text + mark, line.length - mark);
    /* a row of a spreadsheet without any cell is an empty line */
    if (strspn(text, self->form.field ? " \t,;|" : " \t") < line.length) {
        struct lines_time *const time = &self->time[self->matched % LINES_TIMES];

        self->filled++;
        lines_find_time(text, line.length, time->text);
        time->line = self->line + 1;
        result = lines_steps(self, &line);
        self->matched += result == SB_LINE_TAKEN;
        self->limits.found = self->limits.found || result == SB_LINE_TAKEN;
    } else {
        line.length = 0;
    }
    if (result == SB_LINE_REJECTED)
        lines_wrong(self, line.wrong);
    if (result == SB_LINE_STOPPED)
        sb_error_set(&self->lines.error, SB_STOPPED, "stopped while %s was read", self->bytes->name);
    if (result != SB_LINE_TAKEN)
        line.length = 0;
    memset(text + line.length, ' ', length - line.length);
    text[length] = last;
    return result;
}

static void lines_end(struct lines *self)
{
    const uint64_t skipped = self->filled - self->matched;
    char text[200];

    if (!self->form.match || self->lines.error.status || skipped == 0)
        return;
    if (self->matched == 0 && self->begun == 0) {
        sb_error_set(&self->lines.error, SB_SUBJECT,
                     "%.120s: none of %" PRIu64 " lines matches `match`: try it with %s", self->bytes->name,
                     self->filled, "'grep -P'");
    } else if (self->form.overheard) {
        snprintf(text, sizeof text, "%.120s: %" PRIu64 " of %" PRIu64 " lines do not match: they were skipped",
                 self->bytes->name, skipped, self->filled);
        self->form.overheard(self->form.overheard_state, text);
    }
}

static size_t lines_replace(struct sb_lines *lines, char text[], size_t length, bool ended, double deadline)
{
    struct lines *const self = (struct lines *)lines;
    const char *foreign;
    size_t ready = 0;

    if (self->bytes->unit) /* each line is a deck already */
        return length;
    self->limits.deadline = deadline;
    if (self->bytes->gap) { /* the end of the incomplete line is lost, and a file begins */
        self->searched = 0;
        self->begins = false;
    }
    if (!self->begins && length < SB_FOREIGN_BYTES && !ended)
        return 0;
    if (!self->begins && self->begun == 0 && (foreign = sb_foreign(text, length)))
        lines_wrong(self, foreign);
    self->begins = true;
    while (ready < length && !lines->error.status) {
        char *const lf = memchr(text + self->searched, '\n', length - self->searched);
        const size_t stop = lf ? (size_t)(lf - text) : length;

        self->searched = stop;
        lines_check_length(self, stop - ready);
        if (lines->error.status || (!lf && !ended))
            break;
        const enum sb_line_result result = lines_take(self, text + ready, stop - ready);

        /* perhaps a part of a line, which the next run reads again */
        if (lines->error.status || (!lf && result == SB_LINE_SKIPPED))
            break;
        self->line++;
        ready = self->searched = stop + (lf != NULL);
    }
    self->searched -= ready;
    if (ended)
        lines_end(self);
    return ready;
}

static void lines_free(struct sb_lines *lines)
{
    struct lines *const self = (struct lines *)lines;

    sb_match_close(self->match);
    free(self->time);
    free(self);
}

static enum sb_status lines_open(const struct sb_subject *form, struct sb_error *error, struct lines *self)
{
    enum sb_status status = SB_OK;

    if (form->separator && !form->field)
        return sb_error_set(error, SB_INVALID, "`separator`: separates fields: say which with `field`");
    if (form->field && form->json_path)
        return sb_error_set(error, SB_INVALID, "`field` and `json_path` exclude each other: use one of them");
    if (form->field)
        status =
            sb_fields_open(form->field, form->separator, sb_item_names_separator(form->cards), error, &self->fields);
    if (status == SB_OK && form->json_path)
        status = sb_json_path_open(form->json_path, form->cards, error, &self->json_path);
    if (status == SB_OK && form->match)
        status = sb_match_open(form->match, error, &self->match);
    return status;
}

static enum sb_status lines_new(struct sb_bytes *bytes, const struct sb_subject *form,
                                const volatile sig_atomic_t *stop, struct sb_error *error)
{
    struct lines *const self = calloc(1, sizeof *self);

    if (self)
        self->time = calloc(LINES_TIMES, sizeof self->time[0]);
    if (!self || !self->time) {
        free(self);
        return sb_error_memory(error, "a line");
    }
    self->lines = (struct sb_lines) { .replace = lines_replace, .when = lines_when, .free = lines_free };
    self->bytes = bytes;
    self->form = *form;
    self->limits = (struct sb_match_limits) { .stop = stop, .timeout = sb_subject_timeout(form) };
    const enum sb_status status = lines_open(form, error, self);

    if (status) {
        lines_free(&self->lines);
        return status;
    }
    if (bytes->position) {
        struct sb_log_position position;

        bytes->position(bytes, 0, &position);
        self->begun = position.offset;
    }
    bytes->lines = &self->lines;
    return SB_OK;
}

/* ---- text stages ---- */

enum sb_status sb_text_stages_check(const struct sb_subject *form, struct sb_error *error)
{
    const char *const name = form->match       ? "match"
                             : form->json_path ? "json_path"
                             : form->field     ? "field"
                                               : "separator";
    struct lines checked = { .begins = false };

    if (!lines_extract(form) && !form->separator)
        return SB_OK;
    if (sb_input_width(form->input))
        return sb_error_set(error, SB_INVALID, "`%s`: is for text: leave it or `input=%s` out", name, form->input);
    if (form->free)
        return sb_error_set(error, SB_INVALID, "`%s`: reads lines, which `free` ignores: leave one of them out", name);
    const enum sb_status status = lines_open(form, error, &checked);

    sb_match_close(checked.match);
    return status;
}

enum sb_status sb_text_stages_add(const struct sb_subject *form, const volatile sig_atomic_t *stop,
                                  struct sb_error *error, struct sb_bytes **bytes)
{
    enum sb_status status = SB_OK;

    if (sb_input_width(form->input))
        return SB_OK;
    if (!(*bytes)->position)
        status = sb_gzip_new(*bytes, error, bytes);
    if (status == SB_OK && !(*bytes)->position)
        status = sb_formats_new(*bytes, form, error, bytes);
    if (status)
        return status;
    if (!lines_extract(form)) { /* there is no remedy for parts of lines */
        (*bytes)->blame_line = sb_line_kind_blame;
        return SB_OK;
    }
    status = lines_new(*bytes, form, stop, error);
    if (status)
        (*bytes)->free(*bytes);
    return status;
}
