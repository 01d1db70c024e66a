/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fuzz/deals.h"
#include "fuzz/fuzz.h"
#include "subject/parts.h"
#include "subject/subject.h"
#include "unit/stream_script.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#if SB_HAS_ZLIB
#include <zlib.h>
#endif

static const char *const bases[] = { NULL, "0", "1" };

/* ---- text ---- */

/* Permutations as text, in every form: the same deals and the same error wherever chunks end. */
static void part_text(struct fuzz *fuzz)
{
    static const char *const cards[] = { NULL, "A B C", "a bb c-d 7x", "\xE2\x99\xA0 \xE2\x99\xA5", "A A B" };
    const unsigned how = fuzz_byte(fuzz), n = fuzz_byte(fuzz), chunk = fuzz_byte(fuzz) + 1;
    struct sb_subject form = { .base = bases[how % 3], .timeout = 60, .n = n % 70 };

    form.cards = cards[(how >> 2) % 5];
    form.free = form.n && how & 64;
    form.deal = form.n && how & 128 ? 1 + n / 70 % form.n : 0;
    struct outcome whole = outcome_read((const char *)fuzz->data, fuzz->size, &form, SIZE_MAX, 1000);
    struct outcome parts = outcome_read((const char *)fuzz->data, fuzz->size, &form, chunk, 1 + chunk % 7);

    deals_check_same(&whole, &parts);
}

/* ---- lines ---- */

/* Logs: the decks that fields, regular expressions, values in JSON and playing cards say, wherever chunks end. */
static struct outcome read_log(const struct fuzz *log, const struct sb_subject *lines, size_t chunk)
{
    const struct sb_subject form = { .timeout = 60 };
    struct outcome outcome = { 0 };
    struct sb_bytes *bytes;
    struct sb_feed *feed;

    bytes = script_new((const char *)log->data, log->size, chunk);
    if (sb_text_stages_add(lines, NULL, &outcome.error, &bytes) || sb_stream_new(bytes, &form, &outcome.error, &feed))
        return outcome;
    return outcome_of(feed, 100);
}

static void part_lines(struct fuzz *fuzz)
{
    const unsigned how = fuzz_byte(fuzz), chunk = fuzz_byte(fuzz) + 1;
    struct sb_subject lines = { 0 };
    char how_text[24], separator[4], pattern[200];

    if (how % 4 == 1)
        lines.field = fuzz_text(fuzz, how_text, sizeof how_text);
    if (how % 4 == 1 && how & 4)
        lines.separator = fuzz_text(fuzz, separator, sizeof separator);
    if (how % 4 == 2 && how & 8) /* compiled alone, because a match may take seconds until it is refused */
        (void)sb_text_stages_check(&(struct sb_subject) { .match = fuzz_text(fuzz, pattern, sizeof pattern) },
                                   &(struct sb_error) { 0 });
    if (how % 4 == 2)
        lines.match = how & 4 ? "deck: (.*)" : "^[a-z]*([0-9 ]+);";
    if (how % 4 == 3)
        lines.json_path = fuzz_text(fuzz, how_text, sizeof how_text);
    struct outcome whole = read_log(fuzz, &lines, SIZE_MAX), parts = read_log(fuzz, &lines, chunk);

    deals_check_same(&whole, &parts);
}

/* ---- binary ---- */

/* Permutations of 8, 16 and 32 bits an item: the same deals and the same error wherever chunks end. */
static void part_binary(struct fuzz *fuzz)
{
    static const char *const inputs[] = { "u8", "u16", "u32" };
    const unsigned how = fuzz_byte(fuzz), n = fuzz_byte(fuzz), chunk = fuzz_byte(fuzz) + 1;
    struct sb_subject form = { .input = inputs[how % 3], .base = bases[how / 3 % 3], .timeout = 60, .n = n };

    form.deal = n && how & 128 ? 1 + (how >> 4) % n : 0;
    struct outcome whole = outcome_read((const char *)fuzz->data, fuzz->size, &form, SIZE_MAX, 1000);
    struct outcome parts = outcome_read((const char *)fuzz->data, fuzz->size, &form, chunk, 1 + chunk % 7);

    deals_check_same(&whole, &parts);
}

/* ---- gzip ---- */

/*
 * Files made of gzip data and of plain bytes: the members are decompressed, and from the first plain byte on all bytes
 * pass unchanged. Files that are cut off or have a wrong byte give the beginning of this text, wherever reads end.
 */
#if SB_HAS_ZLIB
enum { FILE_ROOM = 1 << 15, PIECE_ROOM = 512, TEXT_ROOM = 1 << 16 };

struct gzip {
    uint8_t bytes[FILE_ROOM];
    size_t length;
    uint8_t text[TEXT_ROOM]; /* what the file says */
    size_t text_length;
    size_t plain; /* where plain bytes begin; SIZE_MAX: nowhere */
};

/* Adds a member of gzip data; the options choose the level, the window, the memory and the strategy. */
static void add_member(struct gzip *file, unsigned options, const uint8_t piece[], size_t length)
{
    z_stream stream = { .next_in = (z_const Bytef *)piece, .avail_in = (uInt)length };

    if (deflateInit2(&stream, (int)(options % 10), Z_DEFLATED, 16 + 9 + (int)(options / 10 % 7), 1 + (int)(options % 9),
                     (int)(options / 70 % 5)) != Z_OK)
        abort();
    stream.next_out = file->bytes + file->length;
    stream.avail_out = (uInt)(FILE_ROOM - file->length);
    fuzz_check(deflate(&stream, Z_FINISH) == Z_STREAM_END, "a piece fits into the file");
    file->length = FILE_ROOM - stream.avail_out;
    deflateEnd(&stream);
}

static void add_piece(struct gzip *file, unsigned kind, const uint8_t piece[], size_t length)
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
static void make_file(struct fuzz *fuzz, struct gzip *file)
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

struct plain {
    char bytes[TEXT_ROOM];
    size_t length;
    struct sb_error error;
};

/* Reads the file in chunks, into a buffer with so much room. */
static void read_text(const struct gzip *file, size_t chunk, size_t room, struct plain *text)
{
    struct sb_bytes *plain;
    char *const buffer = malloc(room);
    size_t got = 1;

    text->length = 0;
    text->error = (struct sb_error) { 0 };
    if (!buffer || sb_gzip_new(script_new((const char *)file->bytes, file->length, chunk), &text->error, &plain))
        abort();
    while (got > 0 && plain->read(plain, buffer, room, 1e300, &got, &text->error) == SB_OK) {
        got = got < TEXT_ROOM - text->length ? got : TEXT_ROOM - text->length; /* damage can make the text long */
        memcpy(text->bytes + text->length, buffer, got);
        text->length += got;
    }
    plain->free(plain);
    free(buffer);
}

static void part_gzip(struct fuzz *fuzz)
{
    static struct gzip file;
    static struct plain whole, parts;
    const unsigned fault = fuzz_byte(fuzz), chunk = 1 + fuzz_byte(fuzz), room = 1 + fuzz_byte(fuzz);
    const size_t at = (size_t)fuzz_number(fuzz, 2);

    make_file(fuzz, &file);
    const bool cut = fault % 4 == 1 && at < file.length, wrong = fault % 4 == 2 && at < file.length;
    /* plain bytes may begin as gzip data does; what these bytes say is left open */
    const bool known = file.plain == SIZE_MAX || !sb_gzip_begins(file.bytes + file.plain, file.length - file.plain);

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
    fuzz_check(strcmp(whole.error.text, parts.error.text) == 0, "the error does not depend on where reads end");
    if (wrong || half || !known)
        return;
    fuzz_check(whole.length <= file.text_length && memcmp(whole.bytes, file.text, whole.length) == 0,
               "the text is a beginning of what was compressed");
    fuzz_check(cut || (whole.length == file.text_length && whole.error.status == SB_OK),
               "a whole file is read to its end");
}
#else
static void part_gzip(struct fuzz *fuzz)
{
}
#endif

/* ---- follow ---- */

/*
 * A log that grows, is renamed or copied and truncated, while a reader reads it and starts anew from
 * its position. The reader gets each byte once, and in order. If lines are read, the end of a file ends its last line.
 */
enum {
    FOLLOW_STEPS = 60,
    FOLLOW_TEXT = 32768,
    FOLLOW_LINE = 24,
    FOLLOW_LEAST = 20,
    FOLLOW_FILES = 12,
    FOLLOW_KEPT = 4
};

struct text {
    size_t length;
    char byte[FOLLOW_TEXT];
};

struct log {
    bool lines;                   /* whether lines are read */
    bool rising;                  /* whether the file that was renamed last gets the largest number, and not number 1 */
    bool fresh;                   /* nothing was written since the last rotation */
    bool late;                    /* the program may still write to the file that was renamed last */
    size_t rotations;             /* how many rotated files there are */
    size_t end[FOLLOW_FILES + 1]; /* where the content of each ends in `written`, the oldest first */
    time_t clock;                 /* goes on with each write; the time of a file system may stand still for 10 ms */
    uint64_t random;              /* makes the content, in which no two parts are equal */
    struct text written;          /* what the reader should get */
    struct text got;              /* what it got */
    size_t since;                 /* how much it got since it was started */
    struct sb_bytes *read;        /* the reader */
    char path[128];               /* the path that it reads */
};

static void follow_add(struct text *text, const char bytes[], size_t length)
{
    fuzz_check(text->length + length <= FOLLOW_TEXT, "there is room");
    memcpy(text->byte + text->length, bytes, length);
    text->length += length;
}

/* The path of the file that was rotated `ago` rotations before the last one. */
static const char *follow_rotated(const struct log *log, size_t ago)
{
    char name[32];

    snprintf(name, sizeof name, "log.%zu", log->rising ? log->rotations - ago : 1 + ago);
    return scratch_path(name);
}

/* Sets the time of the last write to a file. */
static void follow_stamp(struct log *log, const char *path)
{
    const struct timespec now = { .tv_sec = ++log->clock };

    fuzz_check(utimensat(AT_FDCWD, path, (struct timespec[2]) { now, now }, 0) == 0, "the time of a file is set");
}

/* Appends bytes to the log or, as a program that still has the renamed file open, to this file. */
static void follow_append(struct log *log, size_t length, bool ended, bool late)
{
    const struct text *const written = &log->written;
    char bytes[FOLLOW_TEXT];

    for (size_t i = 0; i < length; i++) {
        log->random = log->random * 6364136223846793005 + 1442695040888963407;
        bytes[i] = i % FOLLOW_LINE == FOLLOW_LINE - 1 ? '\n' : (char)('a' + (log->random >> 60));
    }
    if (ended)
        bytes[length - 1] = '\n';
    late = late && log->late;
    if (!late && log->lines && log->fresh && written->length && written->byte[written->length - 1] != '\n')
        follow_add(&log->written, "\n", 1);
    log->fresh = log->fresh && late;
    log->late = late;
    const char *const path = late ? follow_rotated(log, 0) : scratch_path("log");
    FILE *const file = fopen(path, "ab");

    fuzz_check(file && fwrite(bytes, 1, length, file) == length && fclose(file) == 0, "the log is written");
    follow_stamp(log, path);
    follow_add(&log->written, bytes, length);
    if (late)
        log->end[log->rotations - 1] = log->written.length;
}

static void follow_told(void *state, const char *line)
{
    fuzz_check(!strstr(line, "lost"), "nothing is lost");
}

static void follow_start(struct log *log, const struct sb_log_position *from)
{
    const struct sb_following following = { .lines = log->lines, .from = *from, .tell = follow_told };
    const struct sb_patience patience = { .timeout = 1 };
    struct sb_error error = { .status = SB_OK };

    fuzz_check(sb_bytes_open_follow(log->path, &following, &patience, &error, &log->read) == SB_OK,
               "the reader starts");
    log->since = 0;
}

/* Reads once. Returns whether bytes came. */
static bool follow_read(struct log *log, size_t room)
{
    struct sb_error error = { .status = SB_OK };
    char buffer[512];
    size_t got;

    fuzz_check(log->read->read(log->read, buffer, room, HUGE_VAL, &got, &error) == SB_OK, "the log is read");
    fuzz_check(!log->read->gap && got <= room, "there is no gap");
    follow_add(&log->got, buffer, got);
    log->since += got;
    fuzz_check(log->got.length <= log->written.length && memcmp(log->got.byte, log->written.byte, log->got.length) == 0,
               "each byte is read once, and in order");
    return got > 0;
}

static void follow_drain(struct log *log)
{
    while (follow_read(log, 512))
        ;
    fuzz_check(log->got.length == log->written.length, "all is read");
}

/* Gives all rotated files the next numbers, so that the last one can be number 1, unless numbers rise. */
static void follow_shift(struct log *log)
{
    for (size_t k = log->rotations; k > 0 && !log->rising; k--)
        fuzz_check(rename(follow_rotated(log, k - 1), follow_rotated(log, k)) == 0, "a file is renamed");
    log->end[log->rotations++] = log->written.length;
}

static void follow_rename(struct log *log, bool create)
{
    follow_shift(log);
    fuzz_check(rename(scratch_path("log"), follow_rotated(log, 0)) == 0, "the log is renamed");
    log->late = !log->fresh;
    log->fresh = true;
    if (create) {
        scratch_write("log", "", 0);
        follow_stamp(log, scratch_path("log"));
    }
}

/* Copies the log, and lets the reader read if `between` is set before the log is truncated. */
static void follow_copy(struct log *log, bool between)
{
    struct sb_log_position position;
    struct stat about;
    size_t size;

    log->read->position(log->read, 0, &position);
    if (stat(scratch_path("log"), &about) || position.inode != about.st_ino ||
        position.offset == 0) /* otherwise nothing shows that the log was truncated */
        follow_drain(log);
    follow_shift(log);
    char *const bytes = scratch_read(scratch_path("log"), &size);
    const char *const copy = follow_rotated(log, 0);

    scratch_write(strrchr(copy, '/') + 1, bytes, size);
    follow_stamp(log, copy);
    free(bytes);
    if (between)
        follow_read(log, 64);
    fuzz_check(truncate(scratch_path("log"), 0) == 0, "the log is truncated");
    follow_stamp(log, scratch_path("log"));
    log->fresh = true;
    log->late = false;
}

/* Stops the reader and starts another one from a position at least `behind` bytes back, which is the start of a line if
 * lines are read. */
static void follow_again(struct log *log, size_t behind)
{
    struct text *const got = &log->got;
    struct sb_log_position position;
    size_t passed = 0;

    while (log->lines && behind < got->length && got->byte[got->length - behind - 1] != '\n')
        behind++;
    for (size_t i = 0; i < log->rotations; i++)
        passed += log->end[i] >= got->length - behind && log->end[i] <= got->length;
    if (behind > log->since || passed >= FOLLOW_KEPT)
        return; /* the reader was not started yet, or has dropped the file */
    log->read->position(log->read, behind, &position);
    got->length -= behind;
    log->read->free(log->read);
    follow_start(log, &position);
}

static void follow_step(struct log *log, unsigned how, unsigned size)
{
    const bool there = access(scratch_path("log"), F_OK) == 0, rotates = there && log->rotations < FOLLOW_FILES;

    switch (how % 8) {
    case 0:
    case 1:
        follow_append(log, FOLLOW_LEAST + size, how & 8, how & 16);
        break;
    case 2:
        if (rotates)
            follow_rename(log, how & 8);
        break;
    case 3:
        if (rotates)
            follow_copy(log, how & 8);
        break;
    case 4:
        if (there)
            follow_again(log, size);
        break;
    case 5:
        follow_drain(log);
        break;
    default:
        (void)follow_read(log, 32 + size);
    }
}

static void part_follow(struct fuzz *fuzz)
{
    static const struct sb_log_position none;
    static struct log log;
    const unsigned how = fuzz_byte(fuzz);

    log = (struct log) { .lines = how & 2, .rising = how & 4, .random = how };
    snprintf(log.path, sizeof log.path, "%s", scratch_path("log"));
    scratch_clear();
    follow_append(&log, 2 * FOLLOW_LEAST, true, false);
    follow_start(&log, &none);
    for (int i = 0; i < FOLLOW_STEPS && fuzz->size; i++) {
        const unsigned step = fuzz_byte(fuzz);

        follow_step(&log, step, fuzz_byte(fuzz));
    }
    follow_append(&log, FOLLOW_LEAST, true, false);
    follow_drain(&log);
    log.read->free(log.read);
}

/* ---- dialogue ---- */

/*
 * The oracle's protocol: a scripted program that answers with the lines of the fuzzer's bytes. Its draws, its
 * decks and its error are the same wherever reads end; each deck has n items, and each answer its form.
 */
enum { DIALOGUE_ITEMS = 6, DIALOGUE_SHUFFLES = 4, DIALOGUE_DRAWS = 50 };

/* A program that says a line, its next one, after each line that it reads. */
struct dialogue {
    struct sb_bytes bytes; /* must be the first member */
    struct fuzz text;
    size_t chunk;
    size_t ready; /* how many bytes the program has said that are not read yet */
    bool started; /* whether a shuffle has begun */
};

static enum sb_status dialogue_read(struct sb_bytes *bytes, char buffer[], size_t room, double deadline, size_t *got,
                                    struct sb_error *error)
{
    struct dialogue *const dialogue = (struct dialogue *)bytes;
    size_t count = dialogue->chunk < room ? dialogue->chunk : room;

    count = count < dialogue->ready ? count : dialogue->ready;
    memcpy(buffer, dialogue->text.data, count);
    dialogue->text.data += count;
    dialogue->text.size -= count;
    dialogue->ready -= count;
    *got = count;
    return SB_OK;
}

/* Checks what the library says, and lets the program say its next line that is not blank. */
static enum sb_status dialogue_write(struct sb_bytes *bytes, const char text[], size_t length, struct sb_error *error)
{
    struct dialogue *const dialogue = (struct dialogue *)bytes;
    const uint8_t *const data = dialogue->text.data;
    bool blank = true;
    char *end;

    fuzz_check(length > 1 && text[length - 1] == '\n' && strlen(text) == length, "an answer is a line");
    if (dialogue->started) {
        const double answer = strtod(text, &end);

        fuzz_check((*end == '\n' && answer >= 0) || strcmp(text, "start\n") == 0,
                   "an answer is a number, or the start of a shuffle");
    }
    dialogue->started = true;
    while (dialogue->ready < dialogue->text.size) {
        const uint8_t byte = data[dialogue->ready++];

        if (byte == '\n' && !blank)
            break;
        blank = blank && memchr(" \t\r\n", byte, 4);
    }
    return SB_OK;
}

static void dialogue_free(struct sb_bytes *bytes)
{
}

/* The draws of a run, and what became of it. */
struct run {
    struct sb_draws draws; /* must be the first member */
    uint32_t bound[DIALOGUE_DRAWS];
    size_t asked, decks;
    sb_item deck[DIALOGUE_SHUFFLES][DIALOGUE_ITEMS];
    enum sb_status status;
    struct sb_error error;
};

static uint32_t run_below(struct sb_draws *draws, uint32_t bound)
{
    struct run *const run = (struct run *)draws;

    fuzz_check(bound > 0, "a draw has a bound");
    if (run->asked == DIALOGUE_DRAWS)
        draws->over = true;
    else
        run->bound[run->asked++] = bound;
    return bound - 1;
}

static double run_uniform(struct sb_draws *draws)
{
    return 1 / (1.0 + run_below(draws, UINT32_MAX));
}

static struct run run_script(const struct fuzz *text, size_t n, size_t chunk)
{
    struct dialogue dialogue = {
        .bytes = { .name = "script", .read = dialogue_read, .write = dialogue_write, .free = dialogue_free, },
        .text = *text,
        .chunk = chunk,
    };
    struct run run = { .draws = { .below = run_below, .uniform = run_uniform } };
    struct sb_peer *peer;

    fuzz_check(sb_command_peer_new(&dialogue.bytes, 60, &run.error, &peer) == SB_OK, "there is memory");
    while (run.decks < DIALOGUE_SHUFFLES && run.status == SB_OK && !run.draws.over) {
        run.status = peer->shuffle(peer, &run.draws, n, run.deck[run.decks], &run.error);
        run.decks += run.status == SB_OK && !run.draws.over;
    }
    peer->free(peer);
    return run;
}

static void part_dialogue(struct fuzz *fuzz)
{
    const size_t n = fuzz_byte(fuzz) % (DIALOGUE_ITEMS + 1), chunk = 1 + fuzz_byte(fuzz);
    const struct run whole = run_script(fuzz, n, SIZE_MAX), parts = run_script(fuzz, n, chunk);

    fuzz_check(whole.status == parts.status && strcmp(whole.error.text, parts.error.text) == 0 &&
                   whole.asked == parts.asked && whole.decks == parts.decks &&
                   memcmp(whole.bound, parts.bound, sizeof whole.bound) == 0,
               "the end of a read changes nothing");
    for (size_t i = 0; i < whole.decks; i++)
        fuzz_check(memcmp(whole.deck[i], parts.deck[i], n * sizeof whole.deck[0][0]) == 0,
                   "the end of a read changes no deck");
}

FUZZ_TARGET(part_text, part_lines, part_binary, part_gzip, part_follow, part_dialogue)
