/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ledgers: the shares of the runs, and the evidence that the runs of one key add up. */
#include "unit/test.h"

#include "gate/gate.h"
#include "unit/ledger_house.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Loses an item with its two hundredth. */
static int loses(void *items, size_t n, size_t size, void *word)
{
    ledger_house_fair(items, n, size, word);
    if (++((uint64_t *)word)[1] % 200 == 0)
        ((uint16_t *)items)[0] = ((uint16_t *)items)[1];
    return 0;
}

/* Steps between permutations, and decks that came up again, are carried on, too. A key's first run has no
 * step before its first permutation; the first that a later run counts has one, from the last that it does
 * not. */
TEST_WITH(a_key_carries_the_stream_on, ledger_house_open, ledger_house_close)
{
    struct ledger_house *const house = *state;
    struct sb_ledger *ledger;

    house->options.key = "v1";
    house->options.increments = true;
    house->subject.n = 10;
    for (unsigned i = 1; i <= 3; i++) {
        assert_int_equal(ledger_house_run(house), SB_OK);
        assert_string_equal(house->summary.verdict, "inconclusive");
        assert_int_equal(house->summary.total, 500 * i);
        ledger = ledger_house_read(house);
        assert_non_null(ledger);

        const struct sb_ledger_entry *const entry = ledger->entry[0];
        size_t count = entry->snapshot.counts_count;

        assert_int_equal(entry->snapshot.counts[count - 1].lag, 64);
        assert_int_equal(entry->snapshot.counts[count - 1].total, 500 * i - 64);
        while (count > 1 && entry->snapshot.counts[count - 1].dependence)
            count--;
        assert_true(entry->snapshot.watched && entry->snapshot.birthday.decks == 500 * i);
        assert_int_equal(entry->snapshot.counts[0].lag, 0);
        assert_int_equal(entry->snapshot.counts[0].total, 500 * i);
        assert_int_equal(entry->snapshot.counts[count - 1].lag, 1);
        assert_int_equal(entry->snapshot.counts[count - 1].total, 500 * i - 1);
        sb_ledger_free(ledger);
    }
    house->options.increments = false;
    assert_int_equal(ledger_house_run(house), SB_INVALID);
    assert_non_null(strstr(house->error.text, "stands for a test with increments"));
}

/* Another profile is another test; nothing is spent where that is found out. */
TEST_WITH(a_key_has_one_profile, ledger_house_open, ledger_house_close)
{
    struct ledger_house *const house = *state;

    house->options.key = "v1";
    house->options.profile = "cards";
    house->subject.n = 52;
    assert_int_equal(ledger_house_run(house), SB_OK);
    assert_int_equal(ledger_house_run(house), SB_OK);
    house->options.profile = NULL;
    assert_int_equal(ledger_house_run(house), SB_INVALID);
    assert_non_null(
        strstr(house->error.text, "stands for a test with the profile cards, not with none: use another key"));
    house->options.key = "v2";
    assert_int_equal(ledger_house_run(house), SB_OK);
    assert_int_equal(house->summary.run, 3);
    house->options.profile = "cards";
    assert_int_equal(ledger_house_run(house), SB_INVALID);
    assert_non_null(strstr(house->error.text, "with no profile, not with the profile cards: use another key"));
}

/* With a key a pass does not end a run, but a failure does, and stays. */
TEST_WITH(keys_go_on_after_a_pass_and_not_after_a_failure, ledger_house_open, ledger_house_close)
{
    struct ledger_house *const house = *state;
    uint64_t total;

    house->options.key = "fair";
    house->options.exclude = 0.1;
    house->options.limit = 20000;
    for (unsigned i = 1; i <= 2; i++) {
        assert_int_equal(ledger_house_run(house), SB_OK);
        assert_string_equal(house->summary.verdict, "pass");
        assert_int_equal(house->summary.total, 20000 * i);
    }
    house->options.key = "naive";
    house->subject.shuffle = ledger_house_naive;
    house->options.limit = 1000000;
    assert_int_equal(ledger_house_run(house), SB_OK);
    assert_string_equal(house->summary.verdict, "fail");
    total = house->summary.total;
    house->subject.shuffle = ledger_house_fair;
    assert_int_equal(ledger_house_run(house), SB_OK);
    assert_string_equal(house->summary.verdict, "fail");
    assert_int_equal(house->summary.total, total);
}

TEST_WITH(a_key_is_one_test, ledger_house_open, ledger_house_close)
{
    struct ledger_house *const house = *state;
    const struct ledger_house sound = *house;
    const struct {
        struct sb_subject subject;
        double alpha, delta;
        const char *key, *says;
    } cases[] = {
        { { .name = "mine", .n = 4 }, 1e-9, 1e-6, "v1", "stands for 3 of 3 items, not 4 of 4" },
        { { .name = "mine", .deal = 2 }, 1e-9, 1e-6, "v1", "stands for 3 of 3 items, not 2 of 3" },
        { { .name = "mine", .chained = true }, 1e-9, 1e-6, "v1", "permutations that are not chained" },
        { { .name = "mine" }, 1e-8, 1e-6, "v1", "is a ledger for alpha = 1e-09, not 1e-08" },
        { { .name = "mine" }, 1e-9, 1e-5, NULL, "is a ledger for delta = 1e-06, not 1e-05" },
        { { .name = "mine" }, 1e-9, 1e-6, "", "a key has 1 to 100 bytes" },
        { { .name = "mine" }, 1e-9, 1e-6, "v\n", "has characters that are not printable ASCII" },
    };
    char *before, *after;

    house->options.key = "v1";
    assert_int_equal(ledger_house_run(house), SB_OK);
    before = ledger_house_text(house);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        house->subject = cases[i].subject;
        house->subject.shuffle = sound.subject.shuffle;
        house->subject.state = house->word;
        house->options.alpha = cases[i].alpha;
        house->options.delta = cases[i].delta;
        house->options.key = cases[i].key;
        assert_int_equal(ledger_house_run(house), SB_INVALID);
        if (!strstr(house->error.text, cases[i].says))
            fail_msg("%s", house->error.text);
    }
    house->options.ledger = NULL;
    house->options.key = "v1";
    assert_int_equal(ledger_house_run(house), SB_INVALID);
    after = ledger_house_text(house);
    assert_string_equal(before, after);
    free(before);
    free(after);
    *house = sound;
    house->options.key = "v1";
    house->subject.name = "yours"; /* another subject is another test */
    assert_int_equal(ledger_house_run(house), SB_OK);
    assert_int_equal(house->summary.share, 2);
}

/* A subject that breaks its word loses no evidence, or one could break it where it looks bad. */
TEST_WITH(a_subject_that_breaks_its_word_keeps_its_evidence, ledger_house_open, ledger_house_close)
{
    struct ledger_house *const house = *state;
    struct sb_ledger *ledger;

    house->options.key = "v1";
    house->subject.shuffle = loses;
    assert_int_equal(ledger_house_run(house), SB_SUBJECT);
    ledger = ledger_house_read(house);
    assert_false(ledger->entry[0]->open);
    assert_in_range(ledger->entry[0]->snapshot.total, 150, 199);
    sb_ledger_free(ledger);
}

TEST_WITH(old_keys_make_room, ledger_house_open, ledger_house_close)
{
    struct ledger_house *const house = *state;
    char key[16];

    house->options.limit = 1;
    house->options.key = key;
    for (unsigned i = 0; i <= SB_LEDGER_ENTRIES; i++) {
        snprintf(key, sizeof key, "v%u", i);
        assert_int_equal(ledger_house_run(house), SB_OK);
        assert_int_equal(house->summary.share, i + 1);
    }
    snprintf(key, sizeof key, "v1");
    assert_int_equal(ledger_house_run(house), SB_OK);
    assert_int_equal(house->summary.share, 2);
    snprintf(key, sizeof key, "v0");
    assert_int_equal(ledger_house_run(house), SB_OK);
    assert_int_equal(house->summary.share, SB_LEDGER_ENTRIES + 2);
}

/* ---- ledger file ---- */

/*
 * The file of a ledger: two processes at once, processes that are killed, a full disk, and files that
 * another program has written.
 */

TEST_WITH(a_full_disk_leaves_the_old_one, ledger_house_open, ledger_house_close)
{
    struct ledger_house *const house = *state;
    char *before, *after;
    int status;

    assert_int_equal(ledger_house_run(house), SB_OK);
    before = ledger_house_text(house);
    const pid_t child = fork();

    if (child == 0) {
        const struct rlimit little = { 300, 300 };

        signal(SIGXFSZ, SIG_IGN); /* then writing fails, as on a full disk */
        setrlimit(RLIMIT_FSIZE, &little);
        _exit(ledger_house_run(house) == SB_IO && strstr(house->error.text, "cannot write") ? 0 : 1);
    }
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    after = ledger_house_text(house);
    assert_string_equal(before, after);
    free(before);
    free(after);
}

/* Replaces the first `from` of a sound ledger by `to`; the error has to name the place. */
TEST_WITH(damage_is_named_and_nothing_is_reset, ledger_house_open, ledger_house_close)
{
    static const struct {
        const char *from, *to, *says;
    } cases[] = {
        { "{", "", "line 2, column 10" },
        { "\"alpha\"", "\"beta\"", "beta is no field of a ledger" },
        { "ledger/2", "ledger/9", "schema must be \"shufflebias.ledger/2\"" },
        { "1.0000000000000001e-09", "1.5", "alpha must be a number from 1e-100 to 1" },
        { "\"runs\": 2", "\"runs\": 0", "runs must be an integer from 1" },
        { "\"runs\": 2", "\"runs\": \"2\"", "runs must be an integer from 1" },
        { "\"shares\": 2", "\"shares\": 3", "shares must be an integer from 1 to 2" },
        { "\"inconclusive\": 2", "\"inconclusive\": 3", "outcomes.inconclusive must be an integer from 0 to 2" },
        { "\"run\": 2", "\"run\": 1", "recent[1].run must be larger than the one before" },
        { "\"outcome\": \"inc", "\"outcome\": \"unc", "recent[0].outcome must be one of pass fail" },
        { "\"total\": 500,\n      \"stat", "\"total\": 499,\n      \"stat", "keys[0].statistics[0].total must be" },
        { "\"counts\": [", "\"counts\": [9", "keys[0].statistics[0].counts must be integers" },
        { "\"counts\": [", "\"counts\": [true, ", "keys[0].statistics[0].counts must hold members times" },
        { "\"repeats\": null", "\"repeats\": {}", "keys[0].repeats.decks must be an integer" },
        { "\"cells\": 6", "\"cells\": 7", "keys[0].statistics[0].counts must hold members times cells" },
        { "\"open\": false", "\"open\": 0", "keys[0].open must be true or false" },
        { "\"n\": 3", "\"n\": 1", "keys[0].n must be an integer from 2 to 1000000" },
        { "\"runs\"", "\"alpha\"", "line 5, column" }, /* twice */
    };
    struct ledger_house *const house = *state;
    char *sound;

    assert_int_equal(ledger_house_run(house), SB_OK);
    house->options.key = "v1";
    assert_int_equal(ledger_house_run(house), SB_OK);
    sound = ledger_house_text(house);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *const at = strstr(sound, cases[i].from);
        FILE *file = fopen(house->path, "w");
        char *before, *after;

        assert_non_null(at);
        fprintf(file, "%.*s%s%s", (int)(at - sound), sound, cases[i].to, at + strlen(cases[i].from));
        fclose(file);
        before = ledger_house_text(house);
        assert_int_equal(ledger_house_run(house), SB_IO);
        if (!strstr(house->error.text, cases[i].says) || !strstr(house->error.text, "l.json' is no sound ledger"))
            fail_msg("%zu: %s", i, house->error.text);
        after = ledger_house_text(house);
        assert_string_equal(before, after);
        free(before);
        free(after);
    }
    free(sound);
}

/* A ledger that is sound but not of this version: the key is of no use, and loses nothing. */
TEST_WITH(counts_that_are_foreign_are_named, ledger_house_open, ledger_house_close)
{
    struct ledger_house *const house = *state;
    struct sb_ledger *ledger;

    house->options.key = "v1";
    assert_int_equal(ledger_house_run(house), SB_OK);
    char *const sound = ledger_house_text(house);
    char *const at = strstr(sound, "\"statistic\": \"rank\"");
    FILE *const file = fopen(house->path, "w");

    assert_non_null(at);
    fprintf(file, "%.*s\"statistic\": \"luck\"%s", (int)(at - sound), sound, at + strlen("\"statistic\": \"rank\""));
    fclose(file);
    free(sound);
    assert_int_equal(ledger_house_run(house), SB_INVALID);
    assert_non_null(strstr(house->error.text, "has counts of luck, which is unknown: use another key"));
    ledger = ledger_house_read(house);
    assert_int_equal(ledger->entry[0]->snapshot.total, 500);
    assert_int_equal(ledger->entry[0]->snapshot.counts_count, 9);
    assert_int_equal(ledger->runs, 2);
    sb_ledger_free(ledger);
}

TEST_WITH(what_is_no_file_is_no_ledger, ledger_house_open, ledger_house_close)
{
    struct ledger_house *const house = *state;
    FILE *const empty = fopen(house->path, "w");

    fclose(empty);
    assert_int_equal(ledger_house_run(house), SB_IO);
    assert_non_null(strstr(house->error.text, "it is empty"));
    unlink(house->path);
    assert_int_equal(symlink("nothing", house->path), 0);
    assert_int_equal(ledger_house_run(house), SB_IO);
    assert_non_null(strstr(house->error.text, "No such file"));
    house->options.ledger = "/dev/null";
    assert_int_equal(ledger_house_run(house), SB_IO);
    assert_non_null(strstr(house->error.text, "is no file"));
    house->options.ledger = "/nonexistent/l.json";
    assert_int_equal(ledger_house_run(house), SB_IO);
    assert_non_null(strstr(house->error.text, "/nonexistent/l.json"));
}
