/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ranks: a report is byte for byte that of one process, for any number of ranks and any means of
 * communication. The ranks here are threads with their own memory, which exchange data only at barriers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sample/sample.h"
#include "subject/subject.h"
#include "unit/ranks_threads.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void help(struct member *member)
{
    struct sb_error error;

    assert_int_equal(sb_ranks_serve(&member->ranks, &error), SB_OK);
}

/* What is reported on, with the JSON that comes of it. */
static struct asked {
    const char *scheme;
    struct sb_request options;
    enum sb_status status; /* of the report */
    struct sb_error error;
    char *json; /* owned */
} asked;

static volatile sig_atomic_t stop;

static void report(struct member *member)
{
    struct sb_reports *reports = NULL;
    size_t size;

    asked.options.ranks = member ? &member->ranks : NULL;
    asked.json = NULL;
    asked.status = sb_reports_new(&asked.scheme, 1, &asked.options, &asked.error, &reports);
    if (asked.status == SB_OK) {
        FILE *const stream = open_memstream(&asked.json, &size);

        assert_non_null(stream);
        assert_int_equal(sb_result_write(&sb_reports_result, reports, "json", NULL, NULL, stream), SB_OK);
        fclose(stream);
    }
    sb_reports_free(reports);
    if (member)
        sb_ranks_dismiss(&member->ranks);
}

static void same_reports(const char *scheme, const struct sb_request *options, unsigned size)
{
    asked = (struct asked) { .scheme = scheme, .options = *options };
    report(NULL);
    assert_int_equal(asked.status, SB_OK);
    char *const alone = asked.json;
    ranks_run(size, report, help);
    assert_int_equal(asked.status, SB_OK);
    assert_string_equal(asked.json, alone);
    free(alone);
    free(asked.json);
}

static void reports_are_those_of_one_process(void **state)
{
    static const struct {
        const char *scheme, *statistics;
        size_t n, deal;
        uint64_t samples;
        bool increments;
    } cases[] = {
        { "fisher-yates", NULL, 5, 0, 2000001, false },          /* by rank, side by side */
        { "sort-by-key:2", NULL, 4, 2, 200001, false },          /* by rank, plain C */
        { "naive", "descents,repeat", 11, 0, 150000, true },     /* by position, steps, decks that come up again */
        { "overhand", "descents", 52, 0, 50000, true },          /* the same in plain C */
        { "naive/ideal/mt19937", "descents", 4, 0, 9000, true }, /* one stream, which is not shared */
        { "naive", NULL, 3, 0, 1, false },
        { "naive", NULL, 0, 0, 10, false },
    };
    struct sb_request options;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sb_request_init(&options, SB_REPORT);
        options.n = cases[i].n;
        options.deal = cases[i].deal;
        options.samples = cases[i].samples;
        options.statistics = cases[i].statistics;
        options.increments = cases[i].increments;
        options.threads = 1 + i % 2;
        options.by = i % 2 ? SB_BY_SAMPLE : 0;
        same_reports(cases[i].scheme, &options, 2 + (unsigned)i % 3);
    }
}

static void same_laws(const char *scheme, size_t n, unsigned size)
{
    struct sb_request options;

    sb_request_init(&options, SB_REPORT);
    options.by = SB_BY_EXACT;
    options.n = n;
    options.threads = 1 + size % 2;
    same_reports(scheme, &options, size);
}

/* The root computes an exact law alone. */
static void laws_are_those_of_one_process(void **state)
{
    same_laws("naive/modulo:4", 8, 2);
    same_laws("naive", 9, 3);
}

static void raise_stop(void *state, const char *subject, uint64_t done, uint64_t total)
{
    stop = 3 * done >= total;
}

static void a_law_can_be_stopped(void **state)
{
    for (unsigned size = 2; size <= 3; size++) {
        asked = (struct asked) { .scheme = "naive" };
        sb_request_init(&asked.options, SB_REPORT);
        asked.options.by = SB_BY_EXACT;
        asked.options.n = 10;
        asked.options.threads = 2;
        asked.options.stop = &stop;
        asked.options.progress = raise_stop;
        stop = 0;
        ranks_run(size, report, help);
        assert_int_equal(asked.status, SB_STOPPED);
        stop = 0;
    }
}

static void seeds_are_those_of_one_process(void **state)
{
    struct sb_request options;

    sb_request_init(&options, SB_REPORT);
    options.by = SB_BY_SEEDS;
    options.seed_range.count = 30000;
    options.n = 6; /* counted by rank */
    same_reports("fisher-yates/modulo/msvc-rand", &options, 3);
    options.n = 52; /* sorted */
    options.seed_range.first = 5;
    same_reports("planet-poker/multiply:32/delphi", &options, 2);
}

static struct sb_evidence reached;
static uint64_t reach_room;

/* Deals of 3 out of 160, which are just too many to be counted one by one. */
static void reach(struct member *member)
{
    struct sb_scheme scheme;
    struct sb_shuffler shuffler;
    struct sb_evidence evidence;

    assert_int_equal(sb_scheme_parse("fisher-yates/modulo/msvc-rand", NULL, NULL, NULL, &scheme), SB_OK);
    assert_int_equal(sb_shuffler_open(scheme.shuffle, 160, 3, &shuffler), SB_OK);
    const struct sb_seeds seeds = {
        .recipe = { &shuffler, &scheme.draw, &scheme.rng, 0, NULL },
        .last = 39999,
        .room = reach_room,
        .threads = 1,
        .ranks = member ? &member->ranks : NULL,
    };
    assert_int_equal(sb_seeds_reach(&seeds, NULL, &evidence), SB_OK);
    sb_shuffler_close(&shuffler);
    if (!member || member->ranks.rank == 0)
        reached = evidence;
    else
        sb_evidence_close(&evidence);
}

static void seeds_in_little_room(void **state)
{
    const uint64_t rooms[] = { 640000, 639999, 1000 }; /* sorted, a bit for each deal, estimated */

    for (size_t i = 0; i < 3; i++) {
        reach_room = rooms[i];
        reach(NULL);
        const uint64_t alone = reached.reach->reached;
        sb_evidence_close(&reached);
        ranks_run(3, reach, reach);
        assert_int_equal(reached.reach->reached, alone);
        assert_int_equal(reached.total, 40000);
        assert_int_equal(reached.reach->most > 0, i == 0);
        assert_int_equal(reached.reach->reached_error > 0, i == 2);
        sb_evidence_close(&reached);
    }
}

/* A file for the sample, removed before. */
static char saved_path[] = "/tmp/shufflebias-ranks-XXXXXX";

static char *saved_text(void)
{
    static char text[1 << 16];
    FILE *const stream = fopen(saved_path, "r");

    assert_non_null(stream);
    text[fread(text, 1, sizeof text - 1, stream)] = '\0';
    fclose(stream);
    unlink(saved_path);
    return strdup(text);
}

/* Checkpoints all the time: one leg after another. */
static void saved_files_are_those_of_one_process(void **state)
{
    close(mkstemp(saved_path));
    unlink(saved_path);
    asked = (struct asked) { .scheme = "overhand" };
    sb_request_init(&asked.options, SB_REPORT);
    asked.options.n = 12;
    asked.options.samples = 100000;
    asked.options.threads = 1;
    asked.options.statistics = "repeat,cycles";
    asked.options.save = saved_path;
    asked.options.checkpoint = 1e-9;
    report(NULL);
    free(asked.json);
    char *const alone = saved_text();
    ranks_run(3, report, help);
    assert_int_equal(asked.status, SB_OK);
    free(asked.json);
    char *const shared = saved_text();
    assert_string_equal(shared, alone);
    free(shared);
    free(alone);
}

static void stop_at_once(void *state, const char *subject, uint64_t done, uint64_t total)
{
    stop = 1;
}

/* The first one's stop flag ends it for all, with what was counted until then. */
static void ends_early(void **state)
{
    stop = 0;
    asked = (struct asked) { .scheme = "naive" };
    sb_request_init(&asked.options, SB_REPORT);
    asked.options.n = 20;
    asked.options.samples = UINT64_C(1) << 60;
    asked.options.by = SB_BY_SAMPLE;
    asked.options.threads = 1;
    asked.options.stop = &stop;
    asked.options.progress = stop_at_once;
    ranks_run(3, report, help);
    assert_int_equal(asked.status, SB_OK);
    assert_non_null(strstr(asked.json, "\"interrupted\": true"));
    free(asked.json);
}

/* What the first one cannot do, nobody is asked for, or all give up. */
static void fails_with_a_line(void **state)
{
    asked = (struct asked) { .scheme = "naive" };
    sb_request_init(&asked.options, SB_REPORT);
    asked.options.n = 9000;
    asked.options.samples = 1;
    asked.options.by = SB_BY_SAMPLE;
    asked.options.statistics = "";
    ranks_run(2, report, help);
    assert_int_equal(asked.status, SB_TOO_LARGE);
}

/* Tells as another version would. */
static void tell_another_version(struct member *member)
{
    char call[1024] = "0.0.0";

    member->ranks.broadcast(member, call, sizeof call);
}

static void refuse(struct member *member)
{
    struct sb_error error;

    assert_int_equal(sb_ranks_serve(&member->ranks, &error), SB_INVALID);
    assert_non_null(strstr(error.text, "0.0.0"));
}

static void refuses_another_version(void **state)
{
    ranks_run(2, tell_another_version, refuse);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reports_are_those_of_one_process),
        cmocka_unit_test(laws_are_those_of_one_process),
        cmocka_unit_test(a_law_can_be_stopped),
        cmocka_unit_test(seeds_are_those_of_one_process),
        cmocka_unit_test(seeds_in_little_room),
        cmocka_unit_test(saved_files_are_those_of_one_process),
        cmocka_unit_test(ends_early),
        cmocka_unit_test(fails_with_a_line),
        cmocka_unit_test(refuses_another_version),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
