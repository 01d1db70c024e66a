/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up the shards of a run, one or more per file, in any order, to the file that a run without shards would have
 * saved. Tallies are sums over blocks of decks. Only the comparison of whole decks is no sum, because decks of
 * different shards are compared, too: for it the first decks of the run are dealt again. Cost: reading the files, of
 * which two are in memory at a time, and dealing the first decks. */
#include "study/report/report_result.h"

#include <inttypes.h>

/* The remedy in error lines about a damaged file. */
static const char merge_unsound[] =
    "restore it, or remove it and do that part of the run again, with `shard` and `save`";

/* The sum so far. */
struct merge {
    const char *const *paths;
    size_t paths_count;
    bool partial;
    struct sb_request options; /* options of the run */
    struct sb_error *error;
    /* the content of the first file, to which the other files are added; owned, like all fields below */
    struct sb_saved *sum;
    struct sb_statistics statistics;
    struct sb_shards parts; /* all shards, sorted by number; replaces the shards of `sum` */
    const char **path;      /* [parts.count] their files; the paths are borrowed */
};

/* Puts a part of a file into the list. */
static enum sb_status merge_note(struct merge *merge, struct sb_shard part, const char *path)
{
    struct sb_shards *const parts = &merge->parts;
    struct sb_shard *const list = realloc(parts->part, (parts->count + 1) * sizeof *list);

    parts->part = list ? list : parts->part;
    const char **const files = realloc(merge->path, (parts->count + 1) * sizeof *files);

    merge->path = files ? files : merge->path;
    if (!list || !files)
        return sb_error_memory(merge->error, "the parts");
    size_t at = parts->count;

    for (; at > 0 && list[at - 1].number > part.number; at--) {
        list[at] = list[at - 1];
        files[at] = files[at - 1];
    }
    list[at] = part;
    files[at] = path;
    parts->count++;
    if (at == 0 || list[at - 1].number < part.number)
        return SB_OK;
    if (strcmp(path, files[at - 1]) == 0)
        return sb_error_set(merge->error, SB_INVALID, "'%.200s' is named twice: leave it out once", path);
    return sb_error_set(merge->error, SB_INVALID,
                        "part %" PRIu64 " of %" PRIu64 " is in '%.200s' and in '%.200s': leave one out", part.number,
                        merge->sum->parts.of, files[at - 1], path);
}

static void merge_add(const struct sb_evidence *evidence, struct sb_evidence *sum)
{
    sum->total += evidence->total;
    for (size_t rank = 0; rank < sum->cells; rank++)
        sum->counts.u64[rank] += evidence->counts.u64[rank];
    for (size_t i = 0; sum->cells == 0 && i < sum->n * sum->deal; i++)
        sum->matrix.u64[i] += evidence->matrix.u64[i];
}

static enum sb_status merge_begin(struct merge *merge, struct sb_saved *first)
{
    struct sb_request *const options = &merge->options;
    const struct sb_request own = *options;

    merge->sum = first;
    *options = first->asked;
    options->deal = first->deal;
    options->save = own.save;
    options->threads = own.threads;
    options->stop = own.stop;
    options->progress = own.progress;
    options->progress_state = own.progress_state;
    return sb_statistics_open(options, NULL, options->n, options->deal, options->samples, merge->error,
                              &merge->statistics);
}

/* Records the first difference between two runs. Their shards may differ. */
static void merge_differs(const struct sb_saved *one, const struct sb_saved *other, struct sb_mismatch *differs)
{
    sb_mismatch_text(differs, "version", one->version, other->version);
    sb_mismatch_text(differs, "scheme", one->scheme.name, other->scheme.name);
    sb_mismatch_integer(differs, "shards", one->parts.of, other->parts.of);
    sb_saved_compare(&one->asked, &other->asked, differs);
}

static enum sb_status merge_file(struct merge *merge, const char *path)
{
    const volatile sig_atomic_t *const stop = merge->options.stop;
    const bool first = !merge->sum;
    struct sb_mismatch differs = { 0 };
    struct sb_saved *saved = NULL;
    enum sb_status status;

    if (stop && *stop)
        return sb_error_set(merge->error, SB_STOPPED, "stopped before all was added up");
    status = sb_saved_new(path, SB_REPORT, false, merge_unsound, merge->error, &saved);
    if (status)
        return status;
    if (!first)
        merge_differs(merge->sum, saved, &differs);
    if (saved->parts.of == 0)
        status = sb_error_set(merge->error, SB_INVALID, "'%.200s' is a whole run: name runs with `shard`", path);
    else if (differs.field)
        status = sb_error_set(merge->error, SB_INVALID,
                              "'%.130s' and '%.130s' are of different runs, `%s` %.80s and %.80s: name parts of one",
                              merge->paths[0], path, differs.field, differs.was, differs.is);
    else if (first)
        status = merge_begin(merge, saved);
    if (status == SB_OK)
        status = sb_saved_add(saved, merge->error, &merge->statistics);
    for (size_t i = 0; i < saved->parts.count && status == SB_OK; i++)
        status = merge_note(merge, saved->parts.part[i], path);
    if (status == SB_OK && !first)
        merge_add(&saved->evidence, &merge->sum->evidence);
    if (merge->sum != saved)
        sb_saved_free(saved);
    return status;
}

static enum sb_status merge_missing(const struct merge *merge)
{
    const struct sb_shards *const here = &merge->parts;
    struct sb_shards missing = { .of = here->of, .part = calloc((size_t)here->of + 1, sizeof *missing.part) };
    char text[SB_SHARD_ROOM];

    if (!missing.part)
        return sb_error_memory(merge->error, "the parts");
    for (uint64_t number = 1, i = 0; number <= here->of; number++) {
        if (i < here->count && here->part[i].number == number)
            i++;
        else
            missing.part[missing.count++].number = number;
    }
    sb_shards_say(&missing, text);
    free(missing.part);
    return sb_error_set(merge->error, SB_INVALID, "%s %s missing: name %s too, or merge what there is with `partial`",
                        text, missing.count > 1 ? "are" : "is", missing.count > 1 ? "their files" : "its file");
}

static enum sb_status merge_whole(const struct merge *merge, bool *whole)
{
    const struct sb_shards *const parts = &merge->parts;
    const struct sb_request *const options = &merge->options;

    *whole = parts->count == parts->of && merge->sum->evidence.total == options->samples;
    if (*whole || merge->partial)
        return SB_OK;
    if (parts->count < parts->of)
        return merge_missing(merge);
    for (size_t i = 0; i < parts->count; i++) {
        const uint64_t blocks = sb_shards_blocks(parts, i, options->n, options->samples).count;

        if (parts->part[i].done < blocks)
            return sb_error_set(merge->error, SB_INVALID,
                                "'%.200s' is unfinished: part %" PRIu64 " has %" PRIu64 " of %" PRIu64
                                " blocks: resume it with `save`, or merge what there is with `partial`",
                                merge->path[i], parts->part[i].number, parts->part[i].done, blocks);
    }
    return SB_OK;
}

static enum sb_status merge_compare_decks(struct merge *merge)
{
    static const struct sb_shards whole = { .of = 0 };
    const struct sb_request *const options = &merge->options;
    const struct sb_pause pause = { .before = &merge->sum->evidence };
    struct sb_evidence same = { 0 };
    struct sb_shuffler shuffler;
    enum sb_status status;

    if (sb_shuffler_open(merge->sum->scheme.shuffle, options->n, options->deal, &shuffler))
        return sb_error_memory(merge->error, "the steps of a shuffle");
    const struct sb_sampling sampling = {
        .scheme = &merge->sum->scheme,
        .shuffler = &shuffler,
        .options = options,
    };

    status = sb_sampled_count(&sampling, &whole, &pause, &merge->statistics, merge->error, &same);
    sb_shuffler_close(&shuffler);
    if (status)
        return status;
    if (options->stop && *options->stop)
        status = sb_error_set(merge->error, SB_STOPPED, "stopped before all decks were compared");
    else if (sb_statistics_read(&same, options->threads, &merge->statistics))
        status = sb_error_memory(merge->error, "the decks");
    sb_evidence_close(&same);
    return status;
}

static enum sb_status merge_write(struct merge *merge, bool whole)
{
    struct sb_saving saving = {
        .path = merge->options.save,
        .scheme = &merge->sum->scheme,
        .options = &merge->options,
        .parts = &merge->parts,
        .statistics = &merge->statistics,
        .lock = -1,
        .ended = whole,
    };
    enum sb_status status = SB_OK;

    if (whole)
        merge->parts.of = 0;
    if (whole && merge->statistics.tallies.noted)
        status = merge_compare_decks(merge);
    if (status == SB_OK)
        status = sb_saving_write(&saving, &merge->sum->evidence, merge->error);
    sb_saving_end(&saving);
    return status;
}

static enum sb_status merge_all(struct merge *merge)
{
    enum sb_status status = sb_atomic_file_absent(merge->options.save, "name another file, or remove it", merge->error);
    bool whole = false;

    for (size_t i = 0; i < merge->paths_count && status == SB_OK; i++)
        status = merge_file(merge, merge->paths[i]);
    if (status == SB_OK) {
        merge->parts.of = merge->sum->parts.of;
        status = merge_whole(merge, &whole);
    }
    return status ? status : merge_write(merge, whole);
}

enum sb_status sb_saved_merge(const char *const paths[], size_t count, bool partial, const struct sb_request *options,
                              struct sb_error *error)
{
    struct merge merge = { .paths = paths, .paths_count = count, .partial = partial, .error = error };

    if (!paths || count == 0)
        return sb_error_set(error, SB_INVALID, "name the parts to merge");
    if (!options->save)
        return sb_error_set(error, SB_INVALID, "name the file to write with `output`");
    enum sb_status status = sb_options_settle(options, error, &merge.options);

    if (status)
        return status;
    status = merge_all(&merge);
    sb_statistics_close(&merge.statistics);
    sb_saved_free(merge.sum);
    free(merge.path);
    free(merge.parts.part);
    return status;
}
