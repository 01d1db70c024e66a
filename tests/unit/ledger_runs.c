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
