/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merging: a sample of any shuffle, split into any number of shards that are merged in any order, directly or
 * by way of partial sums, is byte for byte the sample that was not split. */
#include "study/results.h"
#include "unit/test.h"

#include "core/calls.h"
#include "property/random_decks.h"
#include "shuffle/shuffle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SHARDS_MOST = 6, PATH = 64 };

static char folder[] = "/tmp/shufflebias-merge-XXXXXX";

static void path_of(const char *name, char path[PATH])
{
    snprintf(path, PATH, "%s/%s", folder, name);
}

/* Saves a sample, or one shard of it. */
static void save(const char *scheme, const struct sb_request *run, unsigned shard, unsigned shards, const char *path)
{
    struct sb_request options = *run;
    struct sb_reports *reports;
    struct sb_error error = { 0 };

    options.shard.number = shard;
    options.shard.of = shards;
    options.save = path;
    if (sb_reports_new(&scheme, 1, &options, &error, &reports))
        fail_msg("%s: %s", scheme, error.text);
    sb_reports_free(reports);
}

static void merge(const char *const paths[], size_t count, bool partial, const char *path)
{
    struct sb_request options;
    struct sb_error error = { 0 };

    sb_request_init(&options, SB_REPORT);
    options.save = path;
    if (sb_saved_merge(paths, count, partial, &options, &error))
        fail_msg("%s", error.text);
}

/* The text of a file; the caller frees it. */
static char *text_of(const char *path)
{
    FILE *const stream = fopen(path, "rb");
    char *text;
    long size;

    assert_non_null(stream);
    fseek(stream, 0, SEEK_END);
    size = ftell(stream);
    rewind(stream);
    text = calloc((size_t)size + 1, 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, stream), size);
    fclose(stream);
    return text;
}

static void assert_same_files(const char *scheme, const char *one, const char *other)
{
    char *const first = text_of(one), *const second = text_of(other);

    if (strcmp(first, second) != 0)
        fail_msg("%s: '%s' and '%s' differ", scheme, one, other);
    free(first);
    free(second);
}

/* Splits a run into shards, and merges these in a random order: all at once, and a few of them first. */
static void check(const char *scheme, const struct sb_request *run)
{
    const unsigned shards = 2 + (unsigned)random_below(SHARDS_MOST - 1), few = 1 + (unsigned)random_below(shards - 1);
    char whole[PATH], merged[PATH], some[PATH], by_way[PATH], shard[SHARDS_MOST + 1][PATH];
    const char *paths[SHARDS_MOST + 1];
    sb_item order[SHARDS_MOST + 1];

    path_of("whole", whole);
    path_of("merged", merged);
    path_of("some", some);
    path_of("by-way", by_way);
    save(scheme, run, 0, 0, whole);
    random_deck(shards, order);
    for (unsigned i = 0; i < shards; i++) {
        char name[16];

        snprintf(name, sizeof name, "%u", (unsigned)order[i] + 1);
        path_of(name, shard[i]);
        paths[i] = shard[i];
        save(scheme, run, (unsigned)order[i] + 1, shards, shard[i]);
    }
    merge(paths, shards, false, merged);
    assert_same_files(scheme, whole, merged);
    merge(paths, few, true, some);
    paths[few - 1] = some; /* in place of the first few */
    merge(paths + few - 1, shards - few + 1, false, by_way);
    assert_same_files(scheme, whole, by_way);
    for (unsigned i = 0; i < shards; i++)
        unlink(shard[i]);
    unlink(whole);
    unlink(merged);
    unlink(some);
    unlink(by_way);
}

/* Every shuffle, with a random number of items, some of them dealt in part; small decks are counted by rank,
 * large ones in a matrix and by their statistics. */
TEST(shards_in_any_order)
{
    assert_non_null(mkdtemp(folder));
    for (size_t s = 0; s < sb_shuffle_types_count; s++) {
        struct sb_request options;

        sb_request_init(&options, SB_REPORT);
        options.n = s % 3 ? 3 + random_below(4) : 11 + random_below(20);
        options.deal = s % 2 ? options.n : 1 + random_below(options.n - 1);
        options.samples = s % 3 ? 70000 + random_below(300000) : 5000 + random_below(20000);
        options.seed = s;
        options.by = SB_BY_SAMPLE;
        options.threads = 1;
        check(sb_shuffle_types[s]->name, &options);
    }
    rmdir(folder);
}
