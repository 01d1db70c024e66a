/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Locked files, on file systems with locks and without, and evidence that another run extends between the
 * reading and the locking. The test replaces the system's lock call.
 */
#include "unit/test.h"

#include "core/system.h"
#include "store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static int answers[3]; /* what flock() has for an errno, from the first on; 0, as all others: it is well */
static size_t asked;

/* In place of the system's. */
int flock(int descriptor, int operation)
{
    errno = asked < sizeof answers / sizeof answers[0] ? answers[asked] : 0;
    asked++;
    return errno ? -1 : 0;
}

static void answer(int first, int second, int third)
{
    answers[0] = first;
    answers[1] = second;
    answers[2] = third;
    asked = 0;
}

static int open_folder(void **state)
{
    static char folder[64];

    strcpy(folder, "/tmp/shufflebias-lock-XXXXXX");
    *state = folder;
    answer(0, 0, 0);
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int close_folder(void **state)
{
    unlink("file");
    return chdir("/") || rmdir(*state);
}

static enum sb_status write_text(const void *what, FILE *stream)
{
    fputs(what, stream);
    return SB_OK;
}

static enum sb_status write_nothing(const void *what, FILE *stream)
{
    fputs(what, stream);
    errno = ESPIPE;
    return SB_IO;
}

static enum sb_status write_on_a_full_disk(const void *what, FILE *stream)
{
    fputs(what, stream);
    errno = ENOSPC;
    return SB_IO;
}

static void assert_text(const char *expected)
{
    char text[64] = "";
    FILE *const stream = fopen("file", "r");

    assert_non_null(stream);
    assert_non_null(fgets(text, sizeof text, stream));
    fclose(stream);
    assert_string_equal(text, expected);
}

TEST_WITH(test_why_a_file_is_not_held, open_folder, close_folder)
{
    static const struct {
        int answers[3];
        enum sb_status status;
        size_t asked;
        const char *line;
    } cases[] = {
        { { 0 }, SB_OK, 1, "" },
        { { EINTR, EINTR, 0 }, SB_OK, 3, "" },
        { { ENOLCK }, SB_OK, 1, "" }, /* file systems without locks */
        { { EOPNOTSUPP }, SB_OK, 1, "" },
        { { ENOSYS }, SB_OK, 1, "" },
        { { EWOULDBLOCK }, SB_IO, 1, "'file' is in use: another run saves to it" },
        { { EIO, ESTALE, 0 }, SB_OK, 3, "" }, /* a file server that restarts */
        { { EBADF }, SB_IO, 1, "cannot lock 'file': Bad file descriptor" },
    };

    assert_int_equal(sb_atomic_file_replace("file", false, write_text, "old", NULL, NULL, NULL), SB_OK);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sb_error error = { 0 };
        const int next = dup(0);
        int held = -1;

        close(next);
        answer(cases[i].answers[0], cases[i].answers[1], cases[i].answers[2]);
        assert_int_equal(sb_file_lock_open("file", &error, &held), cases[i].status);
        assert_int_equal(asked, cases[i].asked);
        assert_non_null(strstr(error.text, cases[i].line));
        assert_int_equal(held < 0, cases[i].status != SB_OK);
        if (held >= 0)
            close(held);
        assert_int_equal(dup(0), next); /* no other descriptor is left open */
        close(next);
    }
}

/* `number` is that of the system's error, which comes in the system's words. */
static void assert_unwritten(const struct sb_error *error, const char *path, int number, const char *remedy)
{
    char line[200];

    snprintf(line, sizeof line, "cannot write '%s': %s: %s", path, strerror(number), remedy);
    assert_string_equal(error->text, line);
}

/* Whoever writes says that it went wrong: then the old file stays, and nothing beside it. */
TEST_WITH(test_a_file_without_its_end_replaces_nothing, open_folder, close_folder)
{
    struct sb_error error;
    int held = -1;

    assert_int_equal(sb_atomic_file_replace("file", false, write_text, "old", NULL, NULL, NULL), SB_OK);
    assert_int_equal(sb_atomic_file_replace("file", false, write_nothing, "new", NULL, NULL, &error), SB_IO);
    assert_unwritten(&error, "file", ESPIPE, "mend that");
    assert_int_equal(sb_atomic_file_replace("fresh", false, write_nothing, "new", &held, "`saved`", &error), SB_IO);
    assert_unwritten(&error, "fresh", ESPIPE, "name another file");
    assert_int_not_equal(access("fresh", F_OK), 0);
    assert_int_equal(sb_file_lock_open("file", &error, &held), SB_OK);
    assert_int_equal(sb_atomic_file_replace("file", false, write_nothing, "new", &held, "`saved`", &error), SB_IO);
    assert_unwritten(&error, "file", ESPIPE, "mend that, and resume the run with `saved` file");
    assert_int_equal(sb_atomic_file_replace("file", false, write_on_a_full_disk, "new", &held, "`saved`", &error),
                     SB_IO);
    assert_unwritten(&error, "file", ENOSPC, "make room, and resume the run with `saved` file");
    close(held);
    assert_text("old");
    assert_int_not_equal(access("file.new", F_OK), 0);
}

/* Fails twice, and after its text, as a file server does that restarts. */
static enum sb_status write_in_the_end(const void *what, FILE *stream)
{
    static const int fault[] = { EIO, ESTALE, 0 };
    static size_t tried;

    fputs(tried < 2 ? "a half" : what, stream);
    fflush(stream);
    errno = fault[tried++];
    return errno ? SB_IO : SB_OK;
}

/* And then the file has the text once. */
TEST_WITH(test_what_may_pass_is_written_once_more, open_folder, close_folder)
{
    assert_int_equal(sb_atomic_file_replace("file", false, write_text, "old", NULL, NULL, NULL), SB_OK);
    assert_int_equal(sb_atomic_file_replace("file", false, write_in_the_end, "new", NULL, NULL, NULL), SB_OK);
    assert_text("new");
    assert_int_not_equal(access("file.new", F_OK), 0);
}

/* What cannot be read back has no checksum. */
TEST_WITH(test_a_pipe_is_not_sealed, open_folder, close_folder)
{
    int ends[2];
    FILE *stream;

    assert_int_equal(pipe(ends), 0);
    stream = fdopen(ends[1], "w");
    assert_non_null(stream);
    fputs("{", stream);
    assert_int_equal(sb_checksummed_end(stream), SB_IO);
    fclose(stream);
    close(ends[0]);
}
