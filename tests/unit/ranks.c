/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ranks: a report is byte for byte that of one process, for any number of ranks and any means of
 * communication.
 */
#include "unit/ask.h"
#include "unit/rank_threads.h"

static void help(struct member *member)
{
    char error[200];

    assert_int_equal(sb_ranks_help(&member->ranks, error, sizeof error), SB_OK);
}

/* What is reported on, and what becomes of it. */
static struct asked {
    const char *options, *save;
    sb_event *event;
    enum sb_status status;
    char *json; /* owned */
} asked;

static void report(struct member *member)
{
    struct sb_request *const request = ask("report", asked.options);

    if (asked.save)
        put(request, "save", asked.save);
    if (asked.event)
        sb_on(request, asked.event, request);
    if (member)
        sb_set_ranks(request, &member->ranks);
    struct sb_result *const result = sb_run(request);

    asked.status = sb_status(request);
    asked.json = result ? strdup(sb_text(result, "json", NULL)) : NULL;
    sb_result_free(result);
    sb_request_free(request);
    if (member)
        sb_ranks_dismiss(&member->ranks);
}

TEST(reports_are_those_of_one_process)
{
    static const char *const cases[] = {
        "scheme=fisher-yates n=5 samples=2000001 by=both",                    /* by rank, side by side */
        "scheme=sort-by-key:2 n=4 deal=2 samples=200001 by=sample threads=2", /* by rank, plain C */
        /* by position, in steps, with decks that come up again */
        "scheme=naive n=11 samples=150000 statistics=descents,repeat increments=1 by=sample threads=1",
        "scheme=overhand n=52 samples=50000 statistics=descents increments=1 by=sample threads=2", /* in plain C */
        "scheme=naive/ideal/mt19937 n=4 samples=9000 statistics=descents increments=1",            /* one stream */
        "scheme=naive n=3 samples=1 by=sample", "scheme=naive n=0 samples=10",
        "scheme=naive/modulo:4 n=8 by=exact threads=1", /* the root computes an exact law alone */
        "scheme=naive n=9 by=exact threads=2",
        "scheme=fisher-yates/modulo/msvc-rand by=seeds seeds_count=30000 n=6",                  /* counted by rank */
        "scheme=planet-poker/multiply:32/delphi by=seeds seeds_first=5 seeds_count=30000 n=52", /* sorted */
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        asked = (struct asked) { .options = cases[i] };
        report(NULL);
        char *const alone = asked.json;

        assert_non_null(alone);
        ranks_run(2 + (unsigned)i % 3, report, help);
        assert_int_equal(asked.status, SB_OK);
        assert_string_equal(asked.json, alone);
        free(alone);
        free(asked.json);
    }
}

static int stop_at_once(void *request, const char *event, const char *text, uint64_t done, uint64_t total)
{
    return strcmp(event, "progress") == 0;
}

/* The first one's stop ends it for all: an exact law has no result then, and a sample what was counted so far. */
TEST(a_run_can_be_stopped)
{
    for (unsigned size = 2; size <= 3; size++) {
        asked = (struct asked) { .options = "scheme=naive by=exact n=10 threads=2", .event = stop_at_once };
        ranks_run(size, report, help);
        assert_int_equal(asked.status, SB_STOPPED);
    }
    asked = (struct asked) { .options = "scheme=naive n=20 samples=1e18 by=sample threads=1", .event = stop_at_once };
    ranks_run(3, report, help);
    assert_int_equal(asked.status, SB_OK);
    assert_non_null(strstr(asked.json, "\"interrupted\": true"));
    free(asked.json);
}

/* What the first one cannot do, nobody is asked for, or all give up. */
TEST(fails_with_a_line)
{
    asked = (struct asked) { .options = "scheme=naive n=9000 samples=1 by=sample statistics=none" };
    ranks_run(2, report, help);
    assert_int_equal(asked.status, SB_TOO_LARGE);
}

static char *saved_text(const char *path)
{
    static char text[1 << 16];
    FILE *const stream = fopen(path, "r");

    assert_non_null(stream);
    text[fread(text, 1, sizeof text - 1, stream)] = '\0';
    fclose(stream);
    remove(path);
    return strdup(text);
}

/* Checkpoints all the time: one leg after another. */
TEST(saved_files_are_those_of_one_process)
{
    asked = (struct asked) {
        .options = "scheme=overhand n=12 samples=100000 threads=1 statistics=repeat,cycles checkpoint=1e-9",
        .save = scratch_name("ranks"),
    };
    report(NULL);
    free(asked.json);
    char *const alone = saved_text(asked.save);

    ranks_run(3, report, help);
    free(asked.json);
    char *const shared = saved_text(asked.save);

    assert_string_equal(shared, alone);
    free(shared);
    free(alone);
}

/* Tells as another version would. */
static void tell_another_version(struct member *member)
{
    char call[1024] = "0.0.0";

    member->ranks.broadcast(member, call, sizeof call);
}

static void refuse(struct member *member)
{
    char error[200];

    assert_int_equal(sb_ranks_help(&member->ranks, error, sizeof error), SB_INVALID);
    assert_non_null(strstr(error, "0.0.0"));
}

TEST(refuses_another_version)
{
    ranks_run(2, tell_another_version, refuse);
}
