/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Following a log while it grows, is moved away, copied and truncated, by readers that end and start again.
 * Every line comes once and in order, even if one in a few of the reader's system calls fails. tests/fuzz/lines.c has
 * logs that are rotated between two reads.
 */
#define _GNU_SOURCE       /* what failing_calls.h needs */
#define _XOPEN_SOURCE 700 /* mkdtemp() */
#include "unit/test.h"

#include "core/core.h"
#include "subject/subject.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/*
 * System calls that fail from time to time, instead of the system's. For one source of a test, which defines
 * _GNU_SOURCE.
 */

/* Knuth's 64-bit linear congruential generator: a number below `bound`. */
static unsigned below(uint64_t *state, unsigned bound)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((*state >> 33) % bound);
}

/* How the reader's system calls fail. */
static struct {
    bool on;         /* the reader is at work, and nobody else */
    unsigned one_in; /* of so many calls fails one; 0: none does */
    uint64_t random;
    unsigned count; /* failures so far */
    ino_t broken;   /* fstat() of this file fails after `left` calls; 0: none does */
    unsigned left;
} faults;

static bool fault_comes(void)
{
    static const int numbers[] = { EIO, ESTALE, EMFILE, ENOMEM, EINTR, ETIMEDOUT };

    if (!faults.on || !faults.one_in || below(&faults.random, faults.one_in) > 0)
        return false;
    faults.count++;
    errno = numbers[below(&faults.random, sizeof numbers / sizeof numbers[0])];
    return true;
}

/* In place of the system's. */
int stat(const char *path, struct stat *about)
{
    return fault_comes() ? -1 : fstatat(AT_FDCWD, path, about, 0);
}

int fstat(int descriptor, struct stat *about)
{
    if (fault_comes() || fstatat(descriptor, "", about, AT_EMPTY_PATH))
        return -1;
    if (!faults.broken || about->st_ino != faults.broken || (faults.left > 0 && faults.left--))
        return 0;
    errno = EIO;
    return -1;
}

ssize_t pread(int descriptor, void *bytes, size_t room, off_t offset)
{
    const struct iovec part = { bytes, room > 700 ? 700 : room }; /* a short read, too */

    return fault_comes() ? -1 : preadv(descriptor, &part, 1, offset);
}

int open(const char *path, int flags, ...)
{
    return fault_comes() ? -1 : openat(AT_FDCWD, path, flags, 0666);
}

enum { ITEMS = 6, LINE = 2 * ITEMS, DEALS = 720, MOVED_MOST = 400 };

/* Whoever writes the log, a step each time that the reader waits. */
struct writer {
    char folder[32], path[64];
    uint64_t random;
    uint64_t lines; /* written so far */
    size_t begun;   /* bytes of the next one */
    unsigned moved; /* files that were made of it */
    unsigned lost;  /* lines that the reader told */
    bool busy;      /* goes on writing */
};

/* The permutation of that line. */
static void line_items(uint64_t number, sb_item items[ITEMS])
{
    sb_permutation_unrank(ITEMS, ITEMS, (number * 391 + number * number % 7919) % DEALS, items);
}

static void line_text(uint64_t number, char text[LINE])
{
    sb_item items[ITEMS];

    line_items(number, items);
    for (size_t i = 0; i < ITEMS; i++) {
        text[2 * i] = (char)('0' + items[i]);
        text[2 * i + 1] = i + 1 < ITEMS ? ' ' : '\n';
    }
}

static void writer_open(uint64_t seed, struct writer *writer)
{
    *writer = (struct writer) { .folder = "/tmp/follow-XXXXXX", .random = seed, .busy = true };
    assert_non_null(mkdtemp(writer->folder));
    snprintf(writer->path, sizeof writer->path, "%s/log", writer->folder);
}

static void writer_close(struct writer *writer)
{
    DIR *const list = opendir(writer->folder);
    char name[400];

    for (const struct dirent *entry; list && (entry = readdir(list));) {
        snprintf(name, sizeof name, "%s/%s", writer->folder, entry->d_name);
        unlink(name);
    }
    closedir(list);
    rmdir(writer->folder);
}

/* Writes so many bytes of the lines that come next. */
static void writer_write(struct writer *writer, size_t bytes)
{
    const int file = open(writer->path, O_WRONLY | O_CREAT | O_APPEND, 0666);
    char text[LINE];

    while (bytes > 0) {
        const size_t left = LINE - writer->begun, piece = bytes < left ? bytes : left;

        line_text(writer->lines, text);
        assert_int_equal(write(file, text + writer->begun, piece), piece);
        writer->lines += piece == left;
        writer->begun = piece == left ? 0 : writer->begun + piece;
        bytes -= piece;
    }
    close(file);
}

/* Where the log is moved to: log.1, after log.K has become log.K+1 for all of them. */
static void writer_shift(struct writer *writer, char first[80])
{
    char from[80], to[80];

    snprintf(first, 80, "%s.1", writer->path);
    for (unsigned k = writer->moved++; k > 0; k--) {
        snprintf(from, sizeof from, "%s.%u", writer->path, k);
        snprintf(to, sizeof to, "%s.%u", writer->path, k + 1);
        assert_int_equal(rename(from, to), 0);
    }
}

/* As logrotate does it, after a whole line: renamed; or copied, and cut. */
static void writer_rotate(struct writer *writer, bool copy)
{
    char to[80], bytes[512];

    writer_write(writer, writer->begun ? LINE - writer->begun : 2 * LINE);
    writer_shift(writer, to);
    if (!copy) {
        assert_int_equal(rename(writer->path, to), 0);
        if (below(&writer->random, 2)) { /* and once more, after a day without a line */
            close(open(writer->path, O_WRONLY | O_CREAT, 0666));
            writer_shift(writer, to);
            assert_int_equal(rename(writer->path, to), 0);
        }
        return;
    }
    const int in = open(writer->path, O_RDWR), out = open(to, O_WRONLY | O_CREAT, 0666);

    for (ssize_t got; (got = read(in, bytes, sizeof bytes)) > 0;)
        assert_int_equal(write(out, bytes, (size_t)got), got);
    assert_int_equal(ftruncate(in, 0), 0);
    close(in);
    close(out);
}

/* What happens while the reader waits. */
static void writer_step(void *state)
{
    struct writer *const writer = state;
    const unsigned what = below(&writer->random, 12);

    if (!writer->busy)
        return;
    faults.on = false;
    if (what < 9 || writer->moved > MOVED_MOST)
        writer_write(writer, 1 + below(&writer->random, what < 6 ? 40 : 2000));
    else
        writer_rotate(writer, what == 11);
    faults.on = true;
}

static void writer_told(void *state, const char *line)
{
    struct writer *const writer = state;

    writer->lost += strstr(line, "lost") != NULL;
}

static struct sb_feed *reader_open(struct writer *writer, const struct sb_log_position *from)
{
    const struct sb_subject form = { .n = ITEMS, .base = "0", .timeout = 60 };
    const struct sb_patience patience = { .timeout = 60, .idle = writer_step, .idle_state = writer };
    const struct sb_following following = {
        .on = true,
        .lines = true,
        .from = *from,
        .tell = writer_told,
        .state = writer,
    };
    struct sb_bytes *bytes;
    struct sb_feed *feed = NULL;
    struct sb_error error = { 0 };

    if (sb_bytes_open_follow(writer->path, &following, &patience, &error, &bytes) ||
        sb_stream_new(bytes, &form, &error, &feed))
        fail_msg("%s", error.text);
    return feed;
}

/*
 * Reads so many lines. Now and then the reader puts down how far it is; now and then it is killed, and
 * another goes on from there, having forgotten what came after it.
 */
static void lines_come_once(void)
{
    enum { LINES = 6000 };

    for (uint64_t seed = 1; seed <= 4; seed++) {
        struct writer writer;
        struct sb_log_position saved = { .inode = 0 };
        uint64_t done = 0, kept = 0, random = seed;
        unsigned killed = 0;
        struct sb_feed *feed;

        writer_open(seed, &writer);
        writer_write(&writer, LINE);
        feed = reader_open(&writer, &saved);
        while (done < LINES) {
            struct sb_error error = { 0 };
            sb_item expected[ITEMS];
            const sb_item *items;
            size_t count;

            faults.on = true;
            const enum sb_status status = feed->next(feed, 1 + below(&random, 100), &items, &count, &error);
            faults.on = false;
            if (status)
                fail_msg("%s", error.text);
            for (size_t i = 0; i < count; i++, done++) {
                line_items(done, expected);
                assert_memory_equal(items + i * ITEMS, expected, sizeof expected);
            }
            if (below(&random, 4) == 0) {
                feed->position(feed, &saved);
                kept = done;
            }
            if (below(&random, 12) == 0 && kept > 0) {
                sb_feed_free(feed);
                feed = reader_open(&writer, &saved);
                done = kept;
                killed++;
            }
        }
        assert_true(killed > 5 && writer.moved > 20);
        assert_int_equal(writer.lost, 0);
        sb_feed_free(feed);
        writer_close(&writer);
    }
}

/* Descriptor 0 is a file like any other, and all files are closed in the end. */
TEST(every_line_comes_once)
{
    const int input = dup(0), next = dup(0);

    assert_true(close(next) == 0 && close(0) == 0);
    lines_come_once();
    assert_int_equal(dup(input), 0);
    assert_int_equal(dup(0), next);
    assert_true(close(next) == 0 && close(input) == 0);
}

TEST(every_line_comes_once_though_calls_fail)
{
    faults.one_in = 300;
    faults.random = 3;
    lines_come_once();
    faults.one_in = 0;
    assert_true(faults.count > 100);
}

/* A log of bytes that is moved away within a record, twice, a step each time that the reader waits. */
struct splitter {
    char folder[32], path[64], old[64], older[64];
    unsigned steps;
    volatile sig_atomic_t stop;
};

static void splitter_write(const char *path, const char bytes[], size_t count)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0666);

    assert_int_equal(write(file, bytes, count), count);
    close(file);
}

static void splitter_step(void *state)
{
    struct splitter *const splitter = state;

    if (splitter->steps < 2) {
        if (splitter->steps == 1)
            assert_int_equal(rename(splitter->old, splitter->older), 0);
        assert_int_equal(rename(splitter->path, splitter->old), 0);
        splitter_write(splitter->path, splitter->steps == 0 ? "\0" : "\2", 1);
    }
    splitter->stop = splitter->steps++ == 4;
}

/* Where a record stands in three files its begin, in the first one, is what a reader goes on from. */
TEST(records_are_split)
{
    struct splitter splitter = { .folder = "/tmp/follow-XXXXXX" };
    const struct sb_subject form = { .input = "u8", .n = 4, .base = "0", .timeout = 60 };
    const struct sb_patience patience = {
        .timeout = 60, .stop = &splitter.stop, .idle = splitter_step, .idle_state = &splitter
    };
    struct sb_following following = { .on = true };

    assert_non_null(mkdtemp(splitter.folder));
    snprintf(splitter.path, sizeof splitter.path, "%s/log", splitter.folder);
    snprintf(splitter.old, sizeof splitter.old, "%s/log.1", splitter.folder);
    snprintf(splitter.older, sizeof splitter.older, "%s/log.2", splitter.folder);
    splitter_write(splitter.path, "\0\1\2\3\3\2\1\0\1", 9);
    for (size_t start = 0; start < 2; start++) {
        static const sb_item third[] = { 1, 0, 2, 3 };
        struct sb_bytes *bytes;
        struct sb_feed *feed;
        const sb_item *items;
        size_t count;

        assert_int_equal(sb_bytes_open_follow(splitter.path, &following, &patience, NULL, &bytes), SB_OK);
        assert_int_equal(sb_stream_new(bytes, &form, NULL, &feed), SB_OK);
        assert_int_equal(feed->next(feed, 9, &items, &count, NULL), SB_OK);
        assert_int_equal(count, start ? 1 : 2);
        if (start)
            assert_memory_equal(items, third, sizeof third);
        else
            assert_int_equal(feed->next(feed, 9, &items, &count, NULL), SB_STOPPED);
        feed->position(feed, &following.from);
        assert_int_equal(following.from.offset, start ? 2 : 8);
        sb_feed_free(feed);
        splitter.stop = 0;
        if (!start)
            splitter_write(splitter.path, "\3", 1);
    }
    unlink(splitter.path);
    unlink(splitter.old);
    unlink(splitter.older);
    rmdir(splitter.folder);
}

/* A log of three items, and what happens to it, a step each time that the reader waits. */
struct scene {
    char folder[32], path[64], old[64];
    void (*steps[2])(struct scene *scene);
    unsigned step;
    volatile sig_atomic_t stop;
};

static void scene_write(struct scene *scene, const char *text)
{
    splitter_write(scene->path, text, strlen(text));
}

static void scene_rename(struct scene *scene)
{
    assert_int_equal(rename(scene->path, scene->old), 0);
}

/* The reader knows the file that it has read no more: it is not a numbered one. */
static void scene_moves_away(struct scene *scene)
{
    strcat(scene->old, ".gone");
    scene_rename(scene);
    scene_write(scene, "2 1 0\n");
}

static void scene_begins_empty(struct scene *scene)
{
    scene_rename(scene);
    scene_write(scene, "");
}

/* The file that was empty has a line, and takes the place of the one before, which goes. */
static void scene_rotates_again(struct scene *scene)
{
    scene_write(scene, "2 1 0\n");
    scene_rename(scene);
    scene_write(scene, "1 0 2\n");
}

/* A new file in place of the lines that were read, by a program that begins files with a byte order mark; and by one
 * that writes UTF-16. */
static void scene_is_cut(struct scene *scene)
{
    assert_int_equal(truncate(scene->path, 0), 0);
    scene_write(scene, "\xEF\xBB\xBF"
                       "2 1 0\n");
}

static void scene_is_cut_wrongly(struct scene *scene)
{
    assert_int_equal(truncate(scene->path, 0), 0);
    splitter_write(scene->path,
                   "\xFF\xFE"
                   "2\0 \0"
                   "1\0 \0"
                   "0\0\n",
                   14);
}

static void scene_idle(void *state)
{
    struct scene *const scene = state;

    if (scene->step < 2 && scene->steps[scene->step])
        scene->steps[scene->step](scene);
    scene->stop = scene->step++ == 6;
}

/* Reads to the end or to an error: each deck is written as its digits, and then the error. */
static void scene_read(struct scene *scene, const struct sb_following *following, bool first, char decks[700],
                       struct sb_log_position *position)
{
    const struct sb_subject form = { .n = 3, .base = "0", .timeout = 60 };
    const struct sb_patience patience = {
        .timeout = 60, .stop = &scene->stop, .idle = scene_idle, .idle_state = scene
    };
    struct sb_error error = { 0 };
    struct sb_bytes *bytes;
    struct sb_feed *feed;
    const sb_item *items;
    size_t count, used = 0;

    assert_int_equal(sb_bytes_open_follow(scene->path, following, &patience, NULL, &bytes), SB_OK);
    assert_int_equal(sb_stream_new(bytes, &form, NULL, &feed), SB_OK);
    while (feed->next(feed, 1, &items, &count, &error) == SB_OK && used < 60) {
        used += (size_t)sprintf(decks + used, "%u%u%u ", items[0], items[1], items[2]);
        feed->position(feed, position);
        if (first)
            break;
    }
    if (!first && error.status != SB_STOPPED)
        snprintf(decks + used, 600, "%s", error.text);
    sb_feed_free(feed);
}

/* What is read of a log, where the file that was read is not beside it any more, or was cut after a reader had gone on
 * from the middle of it. */
TEST(files_that_go)
{
    static const struct {
        void (*steps[2])(struct scene *scene);
        bool resumes;
        const char *decks;
    } cases[] = {
        { { scene_moves_away, NULL }, false, "012 210 " },
        { { scene_begins_empty, scene_rotates_again }, false, "012 210 102 " },
        { { scene_is_cut, NULL }, true, "012 210 " },
        { { scene_is_cut_wrongly, NULL }, true, ": this is UTF-16: convert it to UTF-8" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct scene scene = { .folder = "/tmp/follow-XXXXXX", .steps = { cases[i].steps[0], cases[i].steps[1] } };
        struct sb_following following = { .on = true, .lines = true };
        char decks[700] = "";

        assert_non_null(mkdtemp(scene.folder));
        snprintf(scene.path, sizeof scene.path, "%s/log", scene.folder);
        snprintf(scene.old, sizeof scene.old, "%s/log.1", scene.folder);
        scene_write(&scene, "0 1 2\n");
        if (cases[i].resumes)
            scene_read(&scene, &following, true, decks, &following.from);
        scene_read(&scene, &following, false, decks + strlen(decks), &(struct sb_log_position) { 0 });
        if (!strstr(decks, cases[i].decks))
            fail_msg("'%s' instead of '%s'", decks, cases[i].decks);
        unlink(scene.path);
        unlink(scene.old);
        rmdir(scene.folder);
    }
}

/* A recording ends where it ends, and one that has grown meanwhile goes on from there. */
TEST(recordings_go_on)
{
    const struct sb_subject form = { .n = ITEMS, .base = "0", .timeout = 60 };
    const struct sb_patience patience = { .timeout = 60 };
    struct sb_following following = { .on = false };
    struct writer writer;

    writer_open(1, &writer);
    for (size_t part = 1; part <= 3; part++) {
        struct sb_bytes *bytes;
        struct sb_feed *feed;
        const sb_item *items;
        size_t count;

        writer_write(&writer, part * LINE);
        assert_int_equal(sb_bytes_open_follow(writer.path, &following, &patience, NULL, &bytes), SB_OK);
        assert_int_equal(sb_stream_new(bytes, &form, NULL, &feed), SB_OK);
        assert_int_equal(feed->next(feed, 100, &items, &count, NULL), SB_OK);
        assert_int_equal(count, part);
        assert_int_equal(feed->next(feed, 100, &items, &count, NULL), SB_OK);
        assert_int_equal(count, 0);
        feed->position(feed, &following.from);
        sb_feed_free(feed);
    }
    writer_close(&writer);
}
