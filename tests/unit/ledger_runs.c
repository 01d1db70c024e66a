/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ledgers: the shares of the runs, and the evidence that the runs of one key add up. */
#include "unit/test.h"

#include "gate/gate.h"
#include "unit/ledger_house.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Ends the process with its fifth permutation. */
static int dies(void *items, size_t n, size_t size, void *word)
{
    ledger_house_fair(items, n, size, word);
    if (++((uint64_t *)word)[1] == 5)
        _exit(0);
    return 0;
}

/* Loses an item with its two hundredth. */
static int loses(void *items, size_t n, size_t size, void *word)
{
    ledger_house_fair(items, n, size, word);
    if (++((uint64_t *)word)[1] % 200 == 0)
        ((uint16_t *)items)[0] = ((uint16_t *)items)[1];
    return 0;
}

TEST(shares_add_up_to_the_level)
{
    double sum = 0;

    for (uint64_t k = 1; k <= 100000; k++)
        sum += sb_gate_share(1e-2, k);
    assert_true(fabs(sum - 1e-2 * 100000 / 100001) < 1e-15);
    assert_true(sb_gate_share(1e-100, UINT64_C(1) << 62) > 0);
}

TEST_WITH(each_run_spends_the_next_share, ledger_house_open, ledger_house_close)
{
    struct ledger_house *const house = *state;
    struct sb_ledger *ledger;

    house->options.alpha = 1e-2;
    for (unsigned k = 1; k <= 105; k++) {
        assert_int_equal(ledger_house_run(house), SB_OK);
        assert_int_equal(house->summary.run, k);
        assert_int_equal(house->summary.share, k);
        assert_true(fabs(house->summary.alpha * k * (k + 1.0) / 1e-2 - 1) < 1e-14);
        assert_int_equal(house->summary.total, 500);
    }
    ledger = ledger_house_read(house);
    assert_int_equal(ledger->runs, 105);
    assert_int_equal(ledger->shares, 105);
    assert_int_equal(ledger->outcome[2], 105); /* inconclusive */
    assert_int_equal(ledger->recent_count, SB_LEDGER_RECENT);
    assert_int_equal(ledger->recent[0].run, 6);
    assert_string_equal(ledger->recent[99].outcome, "inconclusive");
    sb_ledger_free(ledger);
}

/* Fair permutations but the first 64 of each 564 after the first 500. */
static int passes_over_64(void *items, size_t n, size_t size, void *word)
{
    uint64_t *const count = (uint64_t *)word + 1;

    if (*count >= 500 && *count % 500 == 0)
        for (unsigned i = 0; i < SB_FINGERPRINT_DECKS; i++)
            ledger_house_fair(items, n, size, word);
    for (size_t i = 0; i < n; i++)
        ((uint16_t *)items)[i] = (uint16_t)i;
    ledger_house_fair(items, n, size, word);
    ++*count;
    return 0;
}

/* Four runs that count 500 permutations and one that counts the same 2000 see the same, and say the same. */
TEST_WITH(a_key_carries_evidence_on, ledger_house_open, ledger_house_close)
{
    struct ledger_house *const house = *state;
    struct sb_gate_summary parts;
    struct sb_ledger *ledger;

    house->options.key = "v1";
    for (unsigned i = 1; i <= 4; i++) {
        assert_int_equal(ledger_house_run(house), SB_OK);
        assert_int_equal(house->summary.total, 500 * i);
        assert_int_equal(house->summary.run, i);
        assert_int_equal(house->summary.share, 1);
    }
    parts = house->summary;
    ledger = ledger_house_read(house);
    assert_int_equal(ledger->entries_count, 1);
    assert_int_equal(ledger->entry[0]->snapshot.total, 2000);
    assert_int_equal(ledger->entry[0]->fingerprints.count, 4);
    assert_int_equal(ledger->entry[0]->fingerprints.uncounted, 3 * SB_FINGERPRINT_DECKS);
    assert_false(ledger->entry[0]->open);
    sb_ledger_free(ledger);

    house->word[0] = 1;
    house->subject.shuffle = passes_over_64;
    house->options.key = "v2";
    house->options.limit = 2000;
    assert_int_equal(ledger_house_run(house), SB_OK);
    assert_int_equal(house->summary.share, 2);                 /* a key of its own */
    assert_true(fabs(house->summary.ln_e - parts.ln_e) < 0.1); /* no step leads from one run to another */
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
    assert_non_null(strstr(house->error.text,
                           "stands for a test with the profile cards, not with none: use another key"));
    house->options.key = "v2";
    assert_int_equal(ledger_house_run(house), SB_OK);
    assert_int_equal(house->summary.run, 3);
    house->options.profile = "cards";
    assert_int_equal(ledger_house_run(house), SB_INVALID);
    assert_non_null(
        strstr(house->error.text, "with no profile, not with the profile cards: use another key"));
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

TEST_WITH(what_was_seen_before_does_not_count_twice, ledger_house_open, ledger_house_close)
{
    struct ledger_house *const house = *state;
    struct sb_ledger *ledger;

    house->options.key = "v1";
    assert_int_equal(ledger_house_run(house), SB_OK);
    house->word[0] = 1;
    assert_int_equal(ledger_house_run(house), SB_SUBJECT);
    assert_non_null(
        strstr(house->error.text, "its first 64 permutations are those of an earlier run with key 'v1'"));
    ledger = ledger_house_read(house);
    assert_int_equal(ledger->entry[0]->snapshot.total, 500);
    assert_false(ledger->entry[0]->open);
    assert_string_equal(ledger->recent[1].outcome, "broken");
    sb_ledger_free(ledger);
    assert_int_equal(ledger_house_run(house), SB_OK);
    assert_int_equal(house->summary.total, 1000);
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

/* A run that is killed has spent its share; what its key had is not gone on from. */
TEST_WITH(a_run_that_dies_has_spent_its_share, ledger_house_open, ledger_house_close)
{
    static const char *const keys[] = { NULL, "v1", "v1" };
    struct ledger_house *const house = *state;
    struct sb_ledger *ledger;

    for (unsigned i = 0; i < 3; i++) {
        const pid_t child = fork();

        if (child == 0) {
            house->options.key = keys[i];
            house->subject.shuffle = dies;
            ledger_house_run(house);
            _exit(1);
        }
        waitpid(child, NULL, 0);
    }
    house->options.key = "v1";
    assert_int_equal(ledger_house_run(house), SB_OK);
    assert_int_equal(house->summary.run, 4);
    assert_int_equal(house->summary.share, 4);
    assert_int_equal(ledger_house_run(house), SB_OK);
    assert_int_equal(house->summary.share, 4); /* and now it goes on */
    ledger = ledger_house_read(house);
    assert_int_equal(ledger->entries_count, 3);
    assert_true(ledger->entry[0]->open && ledger->entry[1]->open && !ledger->entry[2]->open);
    assert_null(ledger->recent[0].outcome);
    assert_int_equal(ledger->entry[2]->snapshot.total, 1000);
    sb_ledger_free(ledger);
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
