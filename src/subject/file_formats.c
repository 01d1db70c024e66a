/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files whose decks are not one a line: documents of JSON, bridge deals, poker hands. This stage recognises such a file
 * by its first bytes, and makes a line of text of each deck. The bytes of all other files pass unchanged.
 *
 * Memory: the record being read, of at most SB_JSON_LINE_MOST bytes, and its decks. A line of the text has no position
 * in the file, so messages count decks, and runs that resume treat such a file like gzip data.
 */
#include "core/core.h"
#include "core/system.h"
#include "subject/parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FORMATS_CHUNK = 1 << 16 };

static const struct sb_file_format *const formats[] = { &sb_file_json, &sb_file_bridge, &sb_file_phh };

struct formats {
    struct sb_bytes bytes; /* must be the first member, because callers have a pointer to this member */
    struct sb_bytes *inner;
    const struct sb_file_format *format; /* NULL: the bytes pass unchanged */
    bool known;                          /* whether the first bytes have been looked at */
    bool ended;                          /* whether the source has ended */
    char *text;                          /* [room + 1] the bytes that are not taken yet; owned */
    size_t at, end, room;
    struct sb_records records;
    size_t given; /* bytes of records.made that have been read */
};

/* ---- what formats call ---- */

void sb_records_put(struct sb_records *records, const char *text, size_t length)
{
    if (records->length + length > records->room) {
        const size_t room = 2 * (records->length + length);
        char *const made = realloc(records->made, room);

        records->lacking = records->lacking || !made;
        if (!made)
            return;
        records->made = made;
        records->room = room;
    }
    memcpy(records->made + records->length, text, length);
    records->length += length;
}

/* ---- the stage ---- */

/* Returns the format of a text that begins with these bytes; NULL: none. Sets *more to whether more bytes could show a
 * format. */
static const struct sb_file_format *formats_find(const struct sb_subject *form, const char *text, size_t length,
                                                 bool *more)
{
    const size_t mark = sb_text_mark(text, length);

    *more = length < 3 && memcmp(text, "\xEF\xBB\xBF", length) == 0; /* a byte order mark, or its beginning */
    if (*more)
        return NULL;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        const enum sb_file_look look = formats[i]->begins(form, text + mark, length - mark);

        if (look == SB_FILE_YES)
            return formats[i];
        *more = *more || look == SB_FILE_MORE;
    }
    *more = *more && length < SB_FILE_LOOK;
    return NULL;
}

static enum sb_status formats_fill(struct formats *self, double deadline, struct sb_error *error)
{
    size_t got = 0;

    memmove(self->text, self->text + self->at, self->end - self->at);
    self->end -= self->at;
    self->at = 0;
    if (self->room - self->end < FORMATS_CHUNK) {
        char *const text = realloc(self->text, 2 * self->room + 1);

        if (!text)
            return sb_error_memory(error, "a record");
        self->text = text;
        self->room *= 2;
    }
    const enum sb_status status =
        self->inner->read(self->inner, self->text + self->end, self->room - self->end, deadline, &got, error);

    if (status)
        return status;
    self->end += got;
    self->text[self->end] = '\0';
    self->ended = got == 0;
    return SB_OK;
}

static enum sb_status formats_look(struct formats *self, double deadline, struct sb_error *error)
{
    bool more = true;

    while (more && !self->ended) {
        const enum sb_status status = formats_fill(self, deadline, error);

        if (status)
            return status;
        self->format = formats_find(&self->records.form, self->text, self->end, &more);
    }
    self->known = true;
    if (self->format) {
        self->at = sb_text_mark(self->text, self->end);
        self->bytes.unit = "deck";
        self->bytes.seats = self->format->seats;
        self->bytes.blame_line = NULL; /* its remedies are edits of the lines of the file */
    }
    return SB_OK;
}

static enum sb_status formats_wrong(struct formats *self, const char *what, struct sb_error *error)
{
    char where[40];

    snprintf(where, sizeof where, "line %" PRIu64, self->records.line);
    sb_bytes_wrong(&self->bytes, where, what, false, error);
    return error ? error->status : SB_SUBJECT;
}

/* Takes the next record, if it is complete. */
static enum sb_status formats_take(struct formats *self, struct sb_error *error)
{
    struct sb_records *const records = &self->records;

    records->text = self->text + self->at;
    records->there = self->end - self->at;
    records->ended = self->ended;
    const size_t used = self->format->take(records);

    if (records->lacking)
        return sb_error_memory(error, "a record");
    if (records->wrong.wrong[0])
        return formats_wrong(self, records->wrong.wrong, error);
    for (size_t i = 0; i < used; i++)
        records->line += records->text[i] == '\n';
    self->at += used;
    return SB_OK;
}

static enum sb_status formats_convert(struct formats *self, double deadline, struct sb_error *error)
{
    enum sb_status status = SB_OK;

    self->given = self->records.length = 0;
    while (status == SB_OK && self->records.length == 0) {
        const size_t before = self->at;

        status = formats_take(self, error);
        if (status || self->at > before || self->records.length)
            continue;
        if (self->ended)
            break;
        if (self->end - self->at > SB_JSON_LINE_MOST)
            return formats_wrong(self, "longer than 16,777,216 bytes, the most that one value may have: split it",
                                 error);
        status = formats_fill(self, deadline, error);
    }
    return status;
}

static enum sb_status formats_plain(struct formats *self, char buffer[], size_t room, double deadline, size_t *got,
                                    struct sb_error *error)
{
    const size_t there = self->end - self->at;

    if (there == 0 && !self->ended)
        return self->inner->read(self->inner, buffer, room, deadline, got, error);
    *got = there < room ? there : room;
    if (*got > 0)
        memcpy(buffer, self->text + self->at, *got);
    self->at += *got;
    return SB_OK;
}

static enum sb_status formats_read(struct sb_bytes *bytes, char buffer[], size_t room, double deadline, size_t *got,
                                   struct sb_error *error)
{
    struct formats *const self = (struct formats *)bytes;
    struct sb_records *const records = &self->records;
    enum sb_status status = self->known ? SB_OK : formats_look(self, deadline, error);

    if (status)
        return status;
    if (!self->format)
        return formats_plain(self, buffer, room, deadline, got, error);
    if (self->given == records->length)
        status = formats_convert(self, deadline, error);
    if (status)
        return status;
    const size_t there = records->length - self->given;

    *got = there < room ? there : room;
    if (*got > 0) /* no record at all made no text to copy from */
        memcpy(buffer, records->made + self->given, *got);
    self->given += *got;
    return SB_OK;
}

static void formats_free(struct sb_bytes *bytes)
{
    struct formats *const self = (struct formats *)bytes;

    self->inner->free(self->inner);
    free(self->text);
    free(self->records.made);
    json_decref(self->records.items);
    free(self);
}

static bool formats_wanted(const struct sb_subject *form)
{
    return !form->match && !form->field && !form->free && !sb_input_width(form->input);
}

enum sb_status sb_formats_new(struct sb_bytes *bytes, const struct sb_subject *form, struct sb_error *error,
                              struct sb_bytes **plain)
{
    *plain = bytes;
    if (!formats_wanted(form))
        return SB_OK;
    struct formats *const self = calloc(1, sizeof *self);
    char *const text = self ? malloc(2 * FORMATS_CHUNK + 1) : NULL;

    if (!text) {
        free(self);
        bytes->free(bytes);
        return sb_error_memory(error, "a source of bytes");
    }
    self->bytes = (struct sb_bytes) { .name = bytes->name, .read = formats_read, .free = formats_free };
    self->inner = bytes;
    self->text = text;
    self->room = 2 * FORMATS_CHUNK;
    self->records.form = *form;
    self->records.line = 1;
    *plain = &self->bytes;
    return SB_OK;
}

const char *sb_file_converted(const char *path, const struct sb_subject *form)
{
    struct stat about;
    char *const text = malloc(SB_FILE_LOOK + 1);
    FILE *const file = text && stat(path, &about) == 0 && S_ISREG(about.st_mode) ? fopen(path, "re") : NULL;
    const size_t got = file ? fread(text, 1, SB_FILE_LOOK, file) : 0;
    const struct sb_file_format *format = NULL;
    bool more;

    if (got && formats_wanted(form)) {
        text[got] = '\0';
        format = formats_find(form, text, got, &more);
    }
    const bool gzip = text && sb_gzip_begins((const unsigned char *)text, got);

    if (file)
        fclose(file);
    free(text);
    return gzip ? "gzip data" : format ? format->name : NULL;
}
