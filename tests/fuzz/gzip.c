/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files made of gzip data and of plain bytes: the members are decompressed, and from the first plain byte on all bytes pass
 * unchanged. Files that are cut off or have a wrong byte give the beginning of this text, wherever reads end.
 */
#include "fuzz/fuzz.h"
#include "unit/stream_script.h"

#include "subject/parts.h"

#include <zlib.h>

enum { FILE_ROOM = 1 << 15, PIECE_ROOM = 512, TEXT_ROOM = 1 << 16 };

struct file {
    uint8_t bytes[FILE_ROOM];
    size_t length;
    uint8_t text[TEXT_ROOM]; /* what the file says */
    size_t text_length;
    size_t plain; /* where plain bytes begin; SIZE_MAX: nowhere */
};

/* Adds a member of gzip data; the options choose the level, the window, the memory and the strategy. */
static void add_member(struct file *file, unsigned options, const uint8_t piece[], size_t length)
{
    z_stream stream = { .next_in = (z_const Bytef *)piece, .avail_in = (uInt)length };

    if (deflateInit2(&stream, (int)(options % 10), Z_DEFLATED, 16 + 9 + (int)(options / 10 % 7),
                     1 + (int)(options % 9), (int)(options / 70 % 5)) != Z_OK)
        abort();
    stream.next_out = file->bytes + file->length;
    stream.avail_out = (uInt)(FILE_ROOM - file->length);
    fuzz_check(deflate(&stream, Z_FINISH) == Z_STREAM_END, "a piece fits into the file");
    file->length = FILE_ROOM - stream.avail_out;
    deflateEnd(&stream);
}

static void add_piece(struct file *file, unsigned kind, const uint8_t piece[], size_t length)
{
    if (kind % 8 == 0 && length > 0) {
        if (file->plain == SIZE_MAX)
            file->plain = file->length;
        memcpy(file->bytes + file->length, piece, length);
        file->length += length;
        return;
    }
    add_member(file, kind, piece, length);
    if (file->plain != SIZE_MAX)
        return;
    memcpy(file->text + file->text_length, piece, length);
    file->text_length += length;
}

/* Makes up to 16 pieces of the bytes. A piece can be repeated, so that long ones take few bytes. */
static void make_file(struct fuzz *fuzz, struct file *file)
{
    uint8_t piece[PIECE_ROOM];

    file->length = file->text_length = 0;
    file->plain = SIZE_MAX;
    for (unsigned pieces = 0; pieces < 16 && fuzz->size > 0; pieces++) {
        const unsigned kind = (unsigned)fuzz_number(fuzz, 2), times = 1 + kind / 1024;
        size_t part = fuzz_byte(fuzz), length = 0;

        part = part < fuzz->size ? part : fuzz->size;
        for (unsigned i = 0; i < times && length + part <= PIECE_ROOM; i++, length += part)
            memcpy(piece + length, fuzz->data, part);
        fuzz->data += part;
        fuzz->size -= part;
        add_piece(file, kind, piece, length);
    }
    if (file->plain == SIZE_MAX)
        return;
    memcpy(file->text + file->text_length, file->bytes + file->plain, file->length - file->plain);
    file->text_length += file->length - file->plain;
}

struct text {
    char bytes[TEXT_ROOM];
    size_t length;
    struct sb_error error;
};

/* Reads the file in chunks, into a buffer with so much room. */
static void read_text(const struct file *file, size_t chunk, size_t room, struct text *text)
{
    struct sb_bytes *plain;
    char *const buffer = malloc(room);
    size_t got = 1;

    text->length = 0;
    text->error = (struct sb_error) { 0 };
    if (!buffer ||
        sb_gzip_new(script_new((const char *)file->bytes, file->length, chunk), &text->error, &plain))
        abort();
    while (got > 0 && plain->read(plain, buffer, room, 1e300, &got, &text->error) == SB_OK) {
        got = got < TEXT_ROOM - text->length ? got
                                             : TEXT_ROOM - text->length; /* damage can make the text long */
        memcpy(text->bytes + text->length, buffer, got);
        text->length += got;
    }
    plain->free(plain);
    free(buffer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct file file;
    static struct text whole, parts;
    struct fuzz fuzz = { data, size };
    const unsigned fault = fuzz_byte(&fuzz), chunk = 1 + fuzz_byte(&fuzz), room = 1 + fuzz_byte(&fuzz);
    const size_t at = (size_t)fuzz_number(&fuzz, 2);

    make_file(&fuzz, &file);
    const bool cut = fault % 4 == 1 && at < file.length, wrong = fault % 4 == 2 && at < file.length;
    /* plain bytes may begin as gzip data does; what these bytes say is left open */
    const bool known =
        file.plain == SIZE_MAX || !sb_gzip_begins(file.bytes + file.plain, file.length - file.plain);

    if (cut)
        file.length = at;
    /* the first byte of a member that is cut off there is a plain byte */
    const bool half = cut && at > 0 && file.bytes[at - 1] == 0x1F;

    if (wrong)
        file.bytes[at] ^= (uint8_t)(1 + fault / 4);
    read_text(&file, SIZE_MAX, TEXT_ROOM, &whole);
    read_text(&file, chunk, room, &parts);
    fuzz_check(whole.length == parts.length && memcmp(whole.bytes, parts.bytes, whole.length) == 0,
               "the text does not depend on where reads end");
    fuzz_check(strcmp(whole.error.text, parts.error.text) == 0,
               "the error does not depend on where reads end");
    if (wrong || half || !known)
        return 0;
    fuzz_check(whole.length <= file.text_length && memcmp(whole.bytes, file.text, whole.length) == 0,
               "the text is a beginning of what was compressed");
    fuzz_check(cut || (whole.length == file.text_length && whole.error.status == SB_OK),
               "a whole file is read to its end");
    return 0;
}
