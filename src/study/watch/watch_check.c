/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks the request to a watch as far as possible before the watch starts. A watch may replace its files for
 * years. No file may be both read and written, and no two outputs may go to one file: the content would be
 * lost at the first checkpoint.
 */
#include "study/watch/watch.h"

#include "core/error.h"
#include "core/level.h"
#include "core/system/file_calls.h"
#include "study/results.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

void sb_watch_options_init(struct sb_watch_options *options)
{
    *options = (struct sb_watch_options) {
        .alpha = 1e-9,
        .delta = 1e-6,
        .checkpoint = 60,
        .interval = 5,
    };
}

/* A file to read or write, and the option that names it. */
struct check_file {
    const char *what, *path; /* `path` is NULL if the file was not requested */
    bool written;
};

/* If the file exists, checks that it is a regular file, because the watch replaces the file. */
static enum sb_status check_target(const struct check_file *file, struct sb_error *error)
{
    struct stat about;
    bool there;

    if (!file->written || sb_file_status(file->path, false, &there, &about) || !there ||
        S_ISREG(about.st_mode))
        return SB_OK; /* if sb_file_status() failed, a later call fails, too, and reports an error */
    return sb_error_set(error, SB_INVALID, "'%.200s' is no file, and cannot be replaced: name another",
                        file->path);
}

/* Checks that a file's folder exists; the file itself may be created later. */
static enum sb_status check_folder(const struct check_file *file, struct sb_error *error)
{
    const char *const slash = strrchr(file->path, '/');
    const int length = slash ? (int)(slash - file->path) : 0;
    char folder[PATH_MAX];
    struct stat there;

    if (length == 0 || snprintf(folder, sizeof folder, "%.*s", length, file->path) >= PATH_MAX ||
        stat(folder, &there) == 0 || errno != ENOENT)
        return SB_OK;
    return sb_error_set(error, SB_IO,
                        "cannot %s '%.200s': there is no folder '%.200s': make it, or name another file",
                        file->written ? "write" : "read", file->path, folder);
}

static bool check_same(const char *path, const char *other)
{
    struct stat one, two;
    bool first, second;

    return strcmp(path, other) == 0 || (sb_file_status(path, false, &first, &one) == 0 &&
                                        sb_file_status(other, false, &second, &two) == 0 && first && second &&
                                        one.st_dev == two.st_dev && one.st_ino == two.st_ino);
}

static enum sb_status check_files(const struct sb_subject *subject, const struct sb_watch_options *options,
                                  struct sb_error *error)
{
    const bool reads = subject->file && strcmp(subject->file, "-") != 0;
    const struct check_file file[] = {
        { .what = "what is watched,", .path = reads ? subject->file : NULL },
        { .what = "`save`", .path = options->save, .written = true },
        { .what = "`metrics`", .path = options->metrics, .written = true },
    };

    for (size_t i = 0; i < sizeof file / sizeof file[0]; i++) {
        enum sb_status status = SB_OK;

        if (!file[i].path)
            continue;
        for (size_t j = 0; j < i; j++)
            if (file[j].path && check_same(file[i].path, file[j].path))
                return sb_error_set(error, SB_INVALID,
                                    "%s '%.150s' and %s '%.150s' are one file: name another", file[j].what,
                                    file[j].path, file[i].what, file[i].path);
        status = check_target(&file[i], error);
        if (status == SB_OK && (file[i].written || options->follow))
            status = check_folder(&file[i], error);
        if (status)
            return status;
    }
    return SB_OK;
}

enum sb_status sb_watch_check(const struct sb_subject *subject, const struct sb_watch_options *options,
                              struct sb_error *error)
{
    if (sb_level_check("alpha", options->alpha, error) || sb_level_check("delta", options->delta, error))
        return SB_INVALID;
    if (!(options->checkpoint > 0))
        return sb_error_set(error, SB_INVALID, "`checkpoint = %g` must be above 0 seconds",
                            options->checkpoint);
    if (!(options->interval > 0))
        return sb_error_set(error, SB_INVALID, "`interval = %g` must be above 0 seconds", options->interval);
    if (options->follow && (!subject->file || strcmp(subject->file, "-") == 0))
        return sb_error_set(error, SB_INVALID,
                            "only a file can be followed: name a file, or leave `follow` out");
    if (options->save && subject->file && subject->chained)
        return sb_error_set(error, SB_INVALID,
                            "`chained` does not go with `save` and a file: the step between what was read "
                            "before and after would be lost: use `increments`, or leave `save` out");
    return check_files(subject, options, error);
}
