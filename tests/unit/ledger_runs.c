/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ledgers: the shares of the runs, and of the evidence that runs add up. */
#include "unit/test.h"

#include "gate/gate.h"
#include "unit/ledger_house.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
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

/* The house with evidence that is saved. */
static struct ledger_house *saving(void **state)
{
    struct ledger_house *const house = *state;

    house->options.save = house->saved;
    return house;
}

static void copy_file(const char *from, const char *to)
{
    FILE *const in = fopen(from, "r"), *const out = fopen(to, "w");

    assert_true(in && out);
    for (int byte; (byte = getc(in)) != EOF;)
        putc(byte, out);
    fclose(in);
    fclose(out);
}

/* All runs that save to one file have one share. Only the evidence of the share's last run is continued. */
TEST_WITH(a_file_has_one_share, ledger_house_open, ledger_house_close)
{
    struct ledger_house *const house = saving(state);
    char copy[96];

    snprintf(copy, sizeof copy, "%s/copy", house->folder);
    for (unsigned i = 1; i <= 3; i++) {
        assert_int_equal(ledger_house_run(house), SB_OK);
        assert_int_equal(house->summary.total, 500 * i);
        assert_true(house->summary.run == i && house->summary.share == 1);
        if (i == 2)
            copy_file(house->saved, copy);
    }
    copy_file(copy, house->saved); /* without the third run */
    assert_int_equal(ledger_house_run(house), SB_INVALID);
    assert_non_null(strstr(house->error.text, "is not the evidence of the last run with its share"));
    unlink(copy);
    unlink(house->saved);
    assert_int_equal(ledger_house_run(house), SB_OK);
    assert_true(house->summary.run == 4 && house->summary.share == 2 && house->summary.total == 500);
    house->options.ledger = NULL;
    assert_int_equal(ledger_house_run(house), SB_INVALID);
    assert_non_null(strstr(house->error.text, "has a share of a ledger: name that ledger, too"));
    unlink(house->saved);
    assert_int_equal(ledger_house_run(house), SB_OK);
    house->options.ledger = house->path;
    assert_int_equal(ledger_house_run(house), SB_INVALID);
    assert_non_null(strstr(house->error.text, "was begun without a ledger"));
}

/* The evidence of a killed run lacks the permutations after its last checkpoint. It is not continued, unless the same
 * permutations come again. */
TEST_WITH(a_killed_run_begins_anew, ledger_house_open, ledger_house_close)
{
    struct ledger_house *const house = saving(state);
    struct sb_ledger *ledger;

    for (unsigned scheme = 0; scheme < 2; scheme++) {
        if (scheme) {
            house->subject = (struct sb_subject) { .scheme = "fisher-yates", .n = 3, .seed = 1 };
            unlink(house->saved);
        }
        assert_int_equal(ledger_house_run(house), SB_OK);
        ledger = ledger_house_read(house);
        ledger->outcome[2]--;
        ledger->recent[ledger->recent_count - 1].outcome = NULL;
        assert_int_equal(sb_ledger_write(house->path, ledger, &house->error), SB_OK);
        sb_ledger_free(ledger);
        assert_int_equal(ledger_house_run(house), SB_OK);
        assert_int_equal(house->summary.total, 500);
        if (!scheme) {
            assert_true(house->summary.run == 2 && house->summary.share == 2);
            assert_int_equal(ledger_house_run(house), SB_OK);
            assert_true(house->summary.total == 1000 && house->summary.share == 2);
        }
    }
    ledger = ledger_house_read(house);
    assert_int_equal(ledger->shares, 3); /* the scheme had reached its limit, and claimed nothing again */
    sb_ledger_free(ledger);
}

/* A subject that breaks its word loses no evidence, or one could break it where it looks bad. */
TEST_WITH(a_subject_that_breaks_its_word_keeps_its_evidence, ledger_house_open, ledger_house_close)
{
    struct ledger_house *const house = saving(state);
    struct sb_saved *saved;

    house->subject.shuffle = loses;
    assert_int_equal(ledger_house_run(house), SB_SUBJECT);
    assert_int_equal(sb_saved_new(house->saved, SB_GATE, false, NULL, &house->error, &saved), SB_OK);
    assert_in_range(saved->snapshot.total, 150, 199);
    sb_saved_free(saved);
    house->subject.shuffle = ledger_house_fair;
    house->word[0] = 2;
    house->error.text[0] = '\0';
    assert_int_equal(ledger_house_run(house), SB_OK);
    assert_int_equal(house->summary.share, 1);
}

/* Another request is another test; nothing is spent where that is found out. */
TEST_WITH(a_file_is_one_test, ledger_house_open, ledger_house_close)
{
    struct ledger_house *const house = saving(state);
    const struct ledger_house sound = *house;
    const struct {
        struct sb_subject subject;
        const char *option, *text, *says;
    } cases[] = {
        { { .name = "mine", .n = 4 }, NULL, NULL, "`n` 4: differs" },
        { { .name = "mine", .deal = 2 }, NULL, NULL, "`deal` 2: differs" },
        { { .name = "mine", .chained = true }, NULL, NULL, "`chained` given: differs" },
        { { .name = "yours" }, NULL, NULL, "yours" },
        { { .name = "mine" }, "alpha", "1e-8", "1e-08" },
        { { .name = "mine" }, "delta", "1e-5", "1e-05" },
        { { .name = "mine" }, "profile", "cards", "`profile` cards: differs" },
    };

    assert_int_equal(ledger_house_run(house), SB_OK);
    char *const before = ledger_house_text(house);

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        house->subject = cases[i].subject;
        house->subject.shuffle = sound.subject.shuffle;
        house->subject.state = house->word;
        house->options = sound.options;
        if (cases[i].option)
            ledger_house_set(house, cases[i].option, cases[i].text);
        assert_int_equal(ledger_house_run(house), SB_INVALID);
        if (!strstr(house->error.text, cases[i].says))
            fail_msg("%s", house->error.text);
    }
    char *const after = ledger_house_text(house);

    assert_string_equal(before, after);
    free(before);
    free(after);
}

/* What --seeds asks for is checked before a share is claimed. */
TEST_WITH(seeds_that_cannot_be_ruled_out_spend_nothing, ledger_house_open, ledger_house_close)
{
    struct ledger_house *const house = *state;

    house->subject.n = 3; /* of whose orders there are six */
    house->options.seeds = 1 << 20;
    assert_int_equal(ledger_house_run(house), SB_INVALID);
    assert_non_null(strstr(house->error.text, "there are only 6 orders"));
    house->subject.n = 20;
    house->options.limit = 1000;
    assert_int_equal(ledger_house_run(house), SB_INVALID);
    assert_non_null(strstr(house->error.text, "permutations, more than the limit of 1000"));
    house->subject.n = 8; /* each order is counted */
    house->options.seeds = 100;
    assert_int_equal(ledger_house_run(house), SB_INVALID);
    assert_non_null(strstr(house->error.text, "no whole decks are compared"));
    assert_int_equal(access(house->path, F_OK), -1); /* no share, and so no ledger */
    house->subject.n = 20;                           /* runs add up: none of them need be long enough */
    house->options.save = house->saved;
    assert_int_equal(ledger_house_run(house), SB_OK);
    assert_int_equal(house->summary.share, 1);
}

static char barred[96];

/* A shuffle; from the hundredth call on, something bars the way of the file of evidence. */
static int bars_file(void *items, size_t n, size_t size, void *state)
{
    uint64_t *const word = state;

    if (++word[1] == 100)
        mkdir(barred, 0777);
    return ledger_house_fair(items, n, size, word);
}

/* A run whose evidence cannot be saved has no outcome, and the next run begins anew. */
TEST_WITH(evidence_that_cannot_be_written_is_not_continued, ledger_house_open, ledger_house_close)
{
    struct ledger_house *const house = saving(state);

    snprintf(barred, sizeof barred, "%s.new", house->saved);
    house->subject.shuffle = bars_file;
    assert_int_equal(ledger_house_run(house), SB_IO);
    assert_non_null(strstr(house->error.text, ".new' is in the way, and no file"));
    assert_non_null(strstr(house->error.text, "(the verdict was inconclusive)"));
    assert_int_equal(rmdir(barred), 0);
    assert_int_equal(ledger_house_run(house), SB_OK);
    assert_true(house->summary.share == 2 && house->summary.total == 500);
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
        { "ledger/3", "ledger/9", "schema must be \"shufflebias.ledger/3\"" },
        { "1.0000000000000001e-09", "1.5", "alpha must be a number from 1e-100 to 1" },
        { "\"runs\": 2", "\"runs\": 0", "runs must be an integer from 1" },
        { "\"runs\": 2", "\"runs\": \"2\"", "runs must be an integer from 1" },
        { "\"shares\": 2", "\"shares\": 3", "shares must be an integer from 1 to 2" },
        { "\"inconclusive\": 2", "\"inconclusive\": 3", "outcomes.inconclusive must be an integer from 0 to 2" },
        { "\"run\": 2", "\"run\": 1", "recent[1].run must be larger than the one before" },
        { "\"outcome\": \"inc", "\"outcome\": \"unc", "recent[0].outcome must be one of pass fail" },
        { "\"runs\"", "\"alpha\"", "line 5, column" }, /* twice */
    };
    struct ledger_house *const house = *state;
    char *sound;

    assert_int_equal(ledger_house_run(house), SB_OK);
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
