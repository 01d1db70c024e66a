/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the module leaves out: the logs of src/subject/lines.c and gzip.c, with which it would be a tenth larger; tables
 * of counts; the commands of src/study/zoo/process; the saved files of src/store/file.c, which it can neither replace
 * nor lock; and the commands watch, bench and merge. Reading files works unchanged: wasi-libc asks the host.
 */
#include "core/text.h"
#include "study/zoo/zoo.h"

enum sb_status sb_text_stages_check(const struct sb_subject *subject, struct sb_error *error)
{
    const char *const name = subject->match       ? "match"
                             : subject->json_path ? "json_path"
                             : subject->field     ? "field"
                             : subject->separator ? "separator"
                                                  : NULL;

    return name ? sb_error_set(error, SB_INVALID, "`%s`: the WebAssembly module reads no logs: use the native program",
                               name)
                : SB_OK;
}

enum sb_status sb_text_stages_add(const struct sb_subject *subject, const volatile sig_atomic_t *stop,
                                  struct sb_error *error, struct sb_bytes **bytes)
{
    return SB_OK;
}

const char *sb_file_converted(const char *path, const struct sb_subject *subject)
{
    return NULL;
}

enum sb_status sb_zoo_ask(const struct sb_request *options, struct sb_feed *feed, struct sb_error *error, bool *passed)
{
    return sb_error_set(error, SB_INVALID, "cannot run '%.200s': the WebAssembly module starts no commands",
                        options->test);
}

static enum sb_status absent_saving(const char *path, struct sb_error *error)
{
    return sb_error_set(error, SB_IO,
                        "cannot save '%.200s': the WebAssembly module locks no files: use the native program", path);
}

enum sb_status sb_atomic_file_replace(const char *path, bool secret, sb_atomic_file_writer *writer, const void *what,
                                      int *lock, const char *again, struct sb_error *error)
{
    return absent_saving(path, error);
}

enum sb_status sb_atomic_file_absent(const char *path, const char *remedy, struct sb_error *error)
{
    return absent_saving(path, error);
}

void sb_atomic_file_clean(const char *path)
{
}

enum sb_status sb_file_lock_open(const char *path, struct sb_error *error, int *lock)
{
    return absent_saving(path, error);
}

enum sb_status sb_file_lock_busy(const char *path, struct sb_error *error)
{
    return absent_saving(path, error);
}

enum sb_status sb_file_lock_wait(const char *path, const volatile sig_atomic_t *stop, struct sb_error *error, int *lock)
{
    return absent_saving(path, error);
}

/* A code point takes one column: with libc's tables of widths, the module would be larger. */
size_t sb_utf8_width(const char *text)
{
    size_t width = 0;

    while (sb_utf8_next(&text))
        width++;
    return width;
}

static enum sb_status absent_command(const char *command, struct sb_error *error)
{
    return sb_error_set(error, SB_INVALID, "the WebAssembly module has no '%s': use the native program", command);
}

enum sb_status sb_reports_counted(const char *path, const struct sb_request *options, struct sb_error *error,
                                  struct sb_reports **reports)
{
    return sb_error_set(error, SB_INVALID,
                        "cannot read '%.200s': the WebAssembly module reads no tables of counts: use "
                        "the native program",
                        path);
}

const struct sb_result_type sb_watch_result = { .what = "the watch" }, sb_alarm_result = { .what = "the alarm" },
                            sb_costs_result = { .what = "the costs" };

enum sb_status sb_watch_new(const struct sb_subject *subject, const struct sb_request *options, struct sb_error *error,
                            struct sb_watch **watch)
{
    return absent_command("watch", error);
}

void sb_watch_free(struct sb_watch *watch)
{
}

enum sb_status sb_costs_new(const char *const schemes[], size_t count, const struct sb_request *options,
                            struct sb_error *error, struct sb_costs **costs)
{
    return absent_command("bench", error);
}

void sb_costs_free(struct sb_costs *costs)
{
}

enum sb_status sb_saved_merge(const char *const paths[], size_t count, bool partial, const struct sb_request *options,
                              struct sb_error *error)
{
    return absent_command("merge", error);
}
