/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sample in two shards, each saved to a file as two machines would, then merged and reported; and what a saved
 * file says about its run. It writes into a folder, which is its argument; without one, into the current folder.
 *
 *     cc save_merge.c $(pkg-config --cflags --libs shufflebias) -o save_merge && ./save_merge FOLDER
 */
#include <shufflebias.h>

#include <string.h>

enum { SHARDS = 2 };

/* The options of every run here. */
static struct sb_options sample_options(void)
{
    struct sb_options options;

    sb_options_init(&options);
    options.n = 4;
    options.samples = 100000;
    options.by = SB_BY_SAMPLE;
    return options;
}

/* Counts one shard of the sample and saves it. */
static enum sb_status save_shard(unsigned shard, const char *path, struct sb_error *error)
{
    static const char *const naive[] = { "naive" };
    struct sb_options options = sample_options();
    struct sb_reports *reports;

    options.save = path;
    options.shard = shard;
    options.shards = SHARDS;
    const enum sb_status status = sb_reports_new(naive, 1, &options, error, &reports);

    if (status == SB_OK)
        sb_reports_free(reports);
    return status;
}

/* Reports what a file holds; the verdict is that of the whole sample. */
static enum sb_status report_file(const char *path, struct sb_error *error, bool *biased)
{
    struct sb_options options = sample_options();
    struct sb_summary summary;
    struct sb_reports *reports = NULL;
    struct sb_saved *saved;
    enum sb_status status = sb_saved_new(path, error, &saved);

    if (status)
        return status;
    sb_saved_options(saved, &options);
    printf("%s: %zu items, seed %llu\n", path, options.n, (unsigned long long)options.seed);
    options.seed++;
    if (sb_saved_agrees(saved, NULL, &options, error) == SB_INVALID) /* it had another seed */
        printf("%s (%s is %s)\n", error->text, error->field, error->value);
    options.seed--;
    status = sb_reports_saved(saved, &options, error, &reports);
    sb_saved_free(saved);
    if (status)
        return status;
    *biased = sb_reports_summary(reports, 0, &summary) && strcmp(summary.verdict, "biased") == 0;
    printf("%s\n", summary.sentence);
    sb_reports_free(reports);
    return SB_OK;
}

int main(int argc, char *argv[])
{
    const char *const folder = argc > 1 ? argv[1] : ".";
    char name[SHARDS][256], whole[256];
    const char *const paths[SHARDS] = { name[0], name[1] };
    struct sb_options options = sample_options();
    struct sb_error error = { .text = "" };
    bool biased = false;
    enum sb_status status = SB_OK;

    for (unsigned i = 0; i < SHARDS && status == SB_OK; i++) {
        snprintf(name[i], sizeof name[i], "%s/shard-%u.json", folder, i + 1);
        status = save_shard(i + 1, name[i], &error);
    }
    snprintf(whole, sizeof whole, "%s/whole.json", folder);
    options.save = whole;
    if (status == SB_OK)
        status = sb_saved_merge(paths, SHARDS, false, &options, &error);
    if (status == SB_OK && sb_saved_is(whole))
        status = report_file(whole, &error, &biased);
    if (status)
        fprintf(stderr, "%s\n", error.text);
    for (unsigned i = 0; i < SHARDS; i++)
        remove(name[i]);
    remove(whole);
    return !(status == SB_OK && biased);
}
