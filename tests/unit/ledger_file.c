/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The file of a ledger: two processes at once, processes that are killed, a full disk, and files that
 * another program has written.
 */
#include "unit/test.h"

#include "unit/ledger_house.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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
        { "\"inconclusive\": 2", "\"inconclusive\": 3",
          "outcomes.inconclusive must be an integer from 0 to 2" },
        { "\"run\": 2", "\"run\": 1", "recent[1].run must be larger than the one before" },
        { "\"outcome\": \"inc", "\"outcome\": \"unc", "recent[0].outcome must be one of pass fail" },
        { "\"total\": 500,\n      \"stat", "\"total\": 499,\n      \"stat",
          "keys[0].statistics[0].total must be" },
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
        if (!strstr(house->error.text, cases[i].says) ||
            !strstr(house->error.text, "l.json' is no sound ledger"))
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
    fprintf(file, "%.*s\"statistic\": \"luck\"%s", (int)(at - sound), sound,
            at + strlen("\"statistic\": \"rank\""));
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
