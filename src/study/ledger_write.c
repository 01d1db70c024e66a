/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A ledger to its file: written under another name, forced to the disk, and renamed, so that whoever reads
 * the file, and whatever ends this program or the machine, has the old one or the new one whole.
 */
#include "core/error.h"
#include "report/json_writer.h"
#include "study/ledger.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void write_counts(struct sb_json *json, const struct sb_ledger_counts *counts)
{
    sb_json_object(json, NULL);
    sb_json_string(json, "statistic", counts->statistic);
    sb_json_bool(json, "increments", counts->increments);
    sb_json_integer(json, "total", counts->total);
    sb_json_integer(json, "members", counts->members);
    sb_json_integer(json, "cells", counts->cells);
    sb_json_array(json, "counts", true);
    for (size_t i = 0; i < counts->members * counts->cells; i++)
        sb_json_integer(json, NULL, counts->count[i]);
    sb_json_close(json);
    sb_json_close(json);
}

/* What is known of decks that came up again; null where they were not watched for. */
static void write_repeats(struct sb_json *json, const struct sb_ledger_entry *entry)
{
    if (!entry->watched) {
        sb_json_null(json, "repeats");
        return;
    }
    sb_json_object(json, "repeats");
    sb_json_integer(json, "decks", entry->birthday.decks);
    sb_json_integer(json, "repeats", entry->birthday.repeats);
    sb_json_array(json, "ln_e", true);
    for (size_t i = 0; i < SB_BIRTHDAY_ALTERNATIVES; i++)
        sb_json_real(json, NULL, entry->birthday.ln_e[i]);
    sb_json_close(json);
    sb_json_close(json);
}

static void write_entry(struct sb_json *json, const struct sb_ledger_entry *entry)
{
    sb_json_object(json, NULL);
    sb_json_string(json, "key", entry->key);
    sb_json_string(json, "subject", entry->subject);
    sb_json_integer(json, "share", entry->share);
    sb_json_integer(json, "run", entry->run);
    sb_json_bool(json, "open", entry->open);
    sb_json_integer(json, "n", entry->n);
    sb_json_integer(json, "deal", entry->deal);
    sb_json_bool(json, "chained", entry->chained);
    sb_json_bool(json, "increments", entry->increments);
    sb_json_string(json, "profile", entry->profile);
    sb_json_integer(json, "total", entry->total);
    sb_json_array(json, "statistics", false);
    for (size_t i = 0; i < entry->statistics_count; i++)
        write_counts(json, &entry->statistic[i]);
    sb_json_close(json);
    write_repeats(json, entry);
    sb_json_array(json, "openings", true);
    for (size_t i = 0; i < entry->openings_count; i++)
        fprintf(sb_json_value(json, NULL), "\"%016" PRIx64 "\"", entry->opening[i]);
    sb_json_close(json);
    sb_json_close(json);
}

static void write_run(struct sb_json *json, const struct sb_ledger_run *run)
{
    sb_json_object(json, NULL);
    sb_json_integer(json, "run", run->run);
    sb_json_integer(json, "share", run->share);
    sb_json_string(json, "key", run->key);
    sb_json_string(json, "subject", run->subject);
    sb_json_string(json, "outcome", run->outcome);
    sb_json_integer(json, "total", run->total);
    sb_json_close(json);
}

static void write_all(const struct sb_ledger *ledger, FILE *stream)
{
    struct sb_json json = { .stream = stream };

    sb_json_object(&json, NULL);
    sb_json_string(&json, "schema", "shufflebias.ledger/1");
    sb_json_real(&json, "alpha", ledger->alpha);
    sb_json_real(&json, "delta", ledger->delta);
    sb_json_integer(&json, "runs", ledger->runs);
    sb_json_integer(&json, "shares", ledger->shares);
    sb_json_object(&json, "outcomes");
    for (size_t i = 0; i < SB_LEDGER_OUTCOMES; i++)
        sb_json_integer(&json, sb_ledger_outcomes[i], ledger->outcome[i]);
    sb_json_close(&json);
    sb_json_array(&json, "recent", false);
    for (size_t i = 0; i < ledger->recent_count; i++)
        write_run(&json, &ledger->recent[i]);
    sb_json_close(&json);
    sb_json_array(&json, "keys", false);
    for (size_t i = 0; i < ledger->entries_count; i++)
        write_entry(&json, ledger->entry[i]);
    sb_json_close(&json);
    sb_json_close(&json);
    fputc('\n', stream);
}

/* Opens the new file, with the mode of the old one; the lock sees to it that nobody else does. */
static FILE *write_open(const char *path, const char *name)
{
    const int descriptor = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    FILE *const stream = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    struct stat old;

    if (stream && stat(path, &old) == 0)
        (void)fchmod(descriptor, old.st_mode & 0777);
    if (!stream && descriptor >= 0)
        close(descriptor);
    return stream;
}

/* Forces the new name to the disk, too; file systems that cannot do so with folders are let alone. */
static void write_settle(const char *path)
{
    char folder[PATH_MAX];
    const char *const slash = strrchr(path, '/');
    const size_t length = slash == path ? 1 : slash ? (size_t)(slash - path) : 0;
    int descriptor;

    snprintf(folder, sizeof folder, "%.*s", slash ? (int)length : 1, slash ? path : ".");
    descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    (void)fsync(descriptor);
    close(descriptor);
}

enum sb_status sb_ledger_write(const char *path, const struct sb_ledger *ledger, struct sb_error *error)
{
    char name[PATH_MAX];
    FILE *stream = NULL;
    bool well = false;
    int number = ENAMETOOLONG;

    if (snprintf(name, sizeof name, "%s.new", path) < PATH_MAX) {
        errno = 0;
        stream = write_open(path, name);
        number = errno;
    }
    if (stream) {
        write_all(ledger, stream);
        well = !ferror(stream) && fflush(stream) == 0 && fsync(fileno(stream)) == 0;
        number = errno;
        if (fclose(stream) && well) {
            well = false;
            number = errno;
        }
        if (well && rename(name, path)) {
            well = false;
            number = errno;
        }
        if (!well)
            unlink(name);
    }
    if (!well)
        return sb_error_set(error, SB_IO, "cannot write '%.200s': %s", path, strerror(number ? number : EIO));
    write_settle(path);
    return SB_OK;
}
