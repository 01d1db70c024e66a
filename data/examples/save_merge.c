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

/* Runs a request whose options are a list of names and values that ends with NULL, and frees it. */
static struct sb_result *run(const char *command, const char *const options[])
{
    struct sb_request *const request = sb_request_new(command);
    struct sb_result *result = NULL;
    enum sb_status status = request ? SB_OK : SB_NO_MEMORY;

    for (; status == SB_OK && *options; options += 2)
        status = sb_set(request, options[0], options[1]);
    if (status == SB_OK)
        result = sb_run(request);
    if (!result && request)
        printf("%s (%s is %s)\n", sb_error(request), sb_error_option(request), sb_error_value(request));
    sb_request_free(request);
    return result;
}

static bool save_shard(const char *shard, const char *path)
{
    const char *const options[] = { "scheme", "naive", "n",   "4",    "samples", "1e5", "by",
                                    "sample", "shard", shard, "save", path,      NULL };
    struct sb_result *const result = run("report", options);

    sb_result_free(result);
    return result;
}

static bool merge(char name[SHARDS][256], const char *whole)
{
    const char *const options[] = { "part", name[0], "part", name[1], "output", whole, NULL };
    struct sb_result *const result = run("merge", options);

    sb_result_free(result);
    return result;
}

/* Reports on the saved sample, and returns whether it is biased. */
static bool report(const char *path)
{
    const char *const other[] = { "save", path, "seed", "2", NULL }, *const same[] = { "save", path, NULL };
    struct sb_result *const wrong = run("report", other); /* an error: the sample had another seed */
    struct sb_result *const result = wrong ? NULL : run("report", same);
    const char *const verdict = result ? sb_get(result, "reports.0.verdict") : NULL;
    const bool biased = verdict && strcmp(verdict, "biased") == 0;

    if (result)
        printf("%s\n", sb_get(result, "reports.0.sentence"));
    sb_result_free(wrong);
    sb_result_free(result);
    return biased;
}

int main(int argc, char *argv[])
{
    const char *const folder = argc > 1 ? argv[1] : ".";
    char name[SHARDS][256], whole[256], shard[16];
    bool well = true;

    for (int i = 0; i < SHARDS && well; i++) {
        snprintf(name[i], sizeof name[i], "%s/shard-%d.json", folder, i + 1);
        snprintf(shard, sizeof shard, "%d/%d", i + 1, SHARDS);
        well = save_shard(shard, name[i]);
    }
    snprintf(whole, sizeof whole, "%s/whole.json", folder);
    well = well && merge(name, whole) && sb_saved_is(whole) && report(whole);
    for (int i = 0; i < SHARDS; i++)
        remove(name[i]);
    remove(whole);
    return !well;
}
