/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Saved evidence on file systems with locks and without, and on those that fail: the old file stays, or the new one is
 * whole. The test replaces the system's calls that lock a file, that close it and that force it to the disk.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "unit/ask.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>

/* What a call has for an errno, from the first on; 0, as all others: it is well. */
struct answers {
    int number[3];
    size_t asked;
};

static struct answers locks, syncs, closes;

static int next_of(struct answers *answers)
{
    errno = answers->asked < 3 ? answers->number[answers->asked] : 0;
    answers->asked++;
    return errno ? -1 : 0;
}

/* In place of the system's. */
int flock(int descriptor, int operation)
{
    return next_of(&locks);
}

int fsync(int descriptor)
{
    return next_of(&syncs);
}

/* The file is closed all the same. */
int fclose(FILE *stream)
{
    int (*system_fclose)(FILE *);

    *(void **)&system_fclose = dlsym(RTLD_NEXT, "fclose");
    return system_fclose(stream) || next_of(&closes) ? EOF : 0;
}

static int stop_soon(void *request, const char *event, const char *text, uint64_t done, uint64_t total)
{
    if (strcmp(event, "progress") == 0 && done > 0)
        sb_stop(request);
    return 0;
}

static void text_of(const char *path, char text[], size_t room)
{
    FILE *const stream = fopen(path, "r");

    assert_non_null(stream);
    text[fread(text, 1, room - 1, stream)] = '\0';
    fclose(stream);
}

/* Begins a run or goes on with it, for a while; NULL: well, or else the line of its error. No file is left beside the
 * saved one, and no descriptor open. */
static void check_run(const char *path, const char *options, const char *line)
{
    struct sb_request *const request = ask("report", options);
    char beside[120];
    const int next = dup(0);

    close(next);
    put(request, "save", path);
    sb_on(request, stop_soon, request);
    struct sb_result *const result = sb_run(request);

    assert_int_equal(sb_status(request), line ? SB_IO : SB_OK);
    if (line && !strstr(sb_error(request), line))
        fail_msg("'%s' lacks '%s'", sb_error(request), line);
    sb_result_free(result);
    sb_request_free(request);
    snprintf(beside, sizeof beside, "%s.new", path);
    assert_int_not_equal(access(beside, F_OK), 0);
    assert_int_equal(dup(0), next);
    close(next);
}

static const char fresh[] = "scheme=naive n=4 samples=1e15 by=sample threads=1";

TEST(why_a_file_is_not_held)
{
    static const struct {
        struct answers locks;
        size_t asked; /* at least */
        const char *line;
    } cases[] = {
        { { { 0 }, 0 }, 1, NULL },
        { { { EINTR, EINTR, 0 }, 0 }, 3, NULL },
        { { { ENOLCK }, 0 }, 1, NULL }, /* file systems without locks */
        { { { EOPNOTSUPP }, 0 }, 1, NULL },
        { { { ENOSYS }, 0 }, 1, NULL },
        { { { EWOULDBLOCK }, 0 }, 1, "' is in use: another run saves to it" },
        { { { EIO, ESTALE, 0 }, 0 }, 3, NULL }, /* a file server that restarts */
        { { { EBADF }, 0 }, 1, ": Bad file descriptor" },
    };
    const char *const path = scratch_name("lock");

    locks = syncs = (struct answers) { .asked = 0 };
    check_run(path, fresh, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        locks = cases[i].locks;
        check_run(path, "", cases[i].line);
        assert_true(cases[i].line ? locks.asked == 1 : locks.asked >= cases[i].asked);
    }
    remove(path);
}

/* If the new file does not reach the disk, the old one stays; what may pass is written once more. `number` is that of
 * the system's error, which comes in the system's words. */
TEST(a_file_without_its_end_replaces_nothing)
{
    static const struct {
        struct answers syncs, closes;
        const char *line;
    } cases[] = {
        { { { ESPIPE }, 0 }, { { 0 }, 0 }, "mend that, and resume the run with `save` " },
        { { { ENOSPC }, 0 }, { { 0 }, 0 }, "make room, and resume the run with `save` " },
        { { { EIO, ESTALE, 0 }, 0 }, { { 0 }, 0 }, NULL },
        { { { 0 }, 0 }, { { ENOSPC, ENOSPC, ENOSPC }, 0 }, "make room, and resume the run with `save` " },
    };
    const char *const path = scratch_name("whole");
    char line[200], old[1 << 14], new[1 << 14];

    locks = (struct answers) { .asked = 0 };
    syncs = (struct answers) { .number = { ESPIPE } };
    snprintf(line, sizeof line, "cannot write '%s': %s: name another file", path, strerror(ESPIPE));
    check_run(path, fresh, line);
    assert_int_not_equal(access(path, F_OK), 0);
    /* what a killed run has left is overwritten; the second file fails, so that the first one stays */
    snprintf(line, sizeof line, "%s.new", path);
    FILE *const left = fopen(line, "w");

    assert_non_null(left);
    fprintf(left, "%20000s", "");
    fclose(left);
    syncs = (struct answers) { .number = { 0, 0, ESPIPE } }; /* the second one is of the folder */
    check_run(path, fresh, "mend that, and resume the run with `save` ");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        text_of(path, old, sizeof old);
        syncs = cases[i].syncs;
        closes = cases[i].closes;
        snprintf(line, sizeof line, "cannot write '%s': %s: %s", path,
                 strerror(syncs.number[0] ? syncs.number[0] : closes.number[0]), cases[i].line ? cases[i].line : "");
        check_run(path, "", cases[i].line ? line : NULL);
        text_of(path, new, sizeof new);
        assert_int_equal(strcmp(old, new) == 0, cases[i].line != NULL);
        assert_true(sb_saved_is(path));
        assert_non_null(strstr(new, "\"checksum\""));
    }
    remove(path);
}
