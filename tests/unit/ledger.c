/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ledgers: the shares of the runs, the evidence that the runs of one key add up, their whole decks, and what
 * becomes of the files when they are damaged or cannot be written. tests/cli/gate_ledger.py has runs of the command.
 */
#include "unit/ask.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* The ledger of a test; it does not exist at first. */
static char path[96];
static uint64_t word;

static const char *beside(const char *suffix)
{
    static char names[2][128];
    static unsigned next;
    char *const name = names[next++ % 2];

    snprintf(name, sizeof names[0], "%s%s", path, suffix);
    return name;
}

static int ledger_close(void **state)
{
    static const char *const suffixes[] = { "", ".lock", ".new", ".decks", ".decks.new" };

    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++)
        remove(beside(suffixes[i]));
    return 0;
}

static int ledger_open(void **state)
{
    snprintf(path, sizeof path, "%s", scratch_name("ledger"));
    word = 1;
    return ledger_close(state);
}

/* A gate on a shuffle with the ledger, and the options that it is given. */
static struct sb_request *ask_with(sb_own_shuffle *shuffle, const char *options)
{
    char line[128];

    snprintf(line, sizeof line, "name=mine limit=500 %s", options); /* the last one holds */
    struct sb_request *const request = ask("gate", line);

    put(request, "ledger", path);
    sb_set_shuffle(request, shuffle, &word);
    return request;
}

static struct sb_request *ask_fair(const char *options)
{
    return ask_with(fair_shuffle, options);
}

/* The run ends with a verdict, and its key has looked at so many permutations. */
static void check_run(struct sb_request *request, const char *verdict, unsigned total)
{
    struct sb_result *const result = answer(request);

    check_value(result, "verdict", verdict);
    assert_int_equal(sb_number(result, "gates.0.total"), total);
    sb_result_free(result);
}

static void check_share(const char *options, unsigned share)
{
    struct sb_result *const result = answer(ask_fair(options));

    assert_int_equal(sb_number(result, "gates.0.ledger.share"), share);
    sb_result_free(result);
}

/* A file's bytes, with a zero behind; the caller frees them. */
static char *bytes_of(const char *name, size_t *size)
{
    struct stat there;
    FILE *const file = fopen(name, "rb");

    assert_true(file && fstat(fileno(file), &there) == 0);
    char *const bytes = calloc(1, (size_t)there.st_size + 1);

    assert_non_null(bytes);
    *size = fread(bytes, 1, (size_t)there.st_size, file);
    fclose(file);
    return bytes;
}

static void write_bytes(const char *name, const char *bytes, size_t size)
{
    FILE *const file = fopen(name, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* Checks that the ledger holds a line, or several. */
static void check_holds(const char *lines)
{
    size_t size;
    char *const text = bytes_of(path, &size);

    if (!strstr(text, lines))
        fail_msg("no '%s' in %s", lines, text);
    free(text);
}

/* Checks that a run is refused and leaves the ledger as it is. */
static void check_unspent(struct sb_request *request, enum sb_status status, const char *words)
{
    size_t size, after_size;
    char *const before = bytes_of(path, &size);

    check_refused(request, status, words);
    char *const after = bytes_of(path, &after_size);

    assert_int_equal(size, after_size);
    assert_memory_equal(before, after, size);
    free(before);
    free(after);
}

/* ---- keys ---- */

/* Steps between permutations, and decks that came up again, are carried on, too. A key's first run has no
 * step before its first permutation; the first that a later run counts has one, from the last that it does
 * not. */
TEST_WITH(a_key_carries_the_stream_on, ledger_open, ledger_close)
{
    for (unsigned i = 1; i <= 3; i++) {
        char lines[128];

        check_run(ask_fair("key=v1 increments=1 n=10"), "inconclusive", 500 * i);
        snprintf(lines, sizeof lines, "\"increments\": true,\n          \"total\": %u,", 500 * i - 1);
        check_holds(lines);
        snprintf(lines, sizeof lines, "\"lag\": 64,\n          \"total\": %u,", 500 * i - 64);
        check_holds(lines);
        snprintf(lines, sizeof lines, "\"repeats\": {\n        \"decks\": %u,", 500 * i);
        check_holds(lines);
    }
    check_unspent(ask_fair("key=v1 n=10"), SB_INVALID, "stands for a test with increments");
}

/* With a key a pass does not end a run, but a failure does, and stays. */
TEST_WITH(keys_go_on_after_a_pass_and_not_after_a_failure, ledger_open, ledger_close)
{
    check_run(ask_fair("key=fair exclude=0.1 limit=20000"), "pass", 20000);
    check_run(ask_fair("key=fair exclude=0.1 limit=20000"), "pass", 40000);

    struct sb_result *const failed = answer(ask_with(naive_shuffle, "key=naive exclude=0.1 limit=1000000"));

    check_value(failed, "verdict", "fail");
    check_run(ask_fair("key=naive exclude=0.1 limit=1000000"), "fail", (unsigned)sb_number(failed, "gates.0.total"));
    sb_result_free(failed);
}

TEST_WITH(a_key_is_one_test, ledger_open, ledger_close)
{
    static const char *const cases[][2] = {
        { "key=v1 n=4", "stands for 3 of 3 items, not 4 of 4" },
        { "key=v1 deal=2", "stands for 3 of 3 items, not 2 of 3" },
        { "key=v1 chained=1", "permutations that are not chained" },
        { "key=v1 alpha=1e-8", "is a ledger for alpha = 1e-09, not 1e-08" },
        { "delta=1e-5", "is a ledger for delta = 1e-06, not 1e-05" },
        { "key=", "a key has 1 to 100 bytes" },
        { "key=v\n", "has characters that are not printable ASCII" },
        { "key=cards n=52", "stands for a test with the profile cards, not with none: use another key" },
        { "key=none n=52 profile=cards", "with no profile, not with the profile cards: use another key" },
    };

    check_share("key=v1", 1);
    check_share("key=cards n=52 profile=cards", 2);
    check_share("key=cards n=52 profile=cards", 2);
    check_share("key=none n=52", 3);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_unspent(ask_fair(cases[i][0]), SB_INVALID, cases[i][1]);
    check_share("key=v1 name=yours", 4); /* another subject is another test */
}

TEST_WITH(old_keys_make_room, ledger_open, ledger_close)
{
    enum { MOST = 50 };
    char options[32];

    for (unsigned i = 0; i <= MOST; i++) {
        snprintf(options, sizeof options, "limit=1 key=v%u", i);
        check_share(options, i + 1);
    }
    check_share("limit=1 key=v1", 2);
    check_share("limit=1 key=v0", MOST + 2);
}

/* Loses an item with its two hundredth. */
static int loses(void *items, size_t n, size_t size, void *state)
{
    static unsigned calls;

    fair_shuffle(items, n, size, state);
    if (++calls % 200 == 0)
        memcpy(items, (char *)items + size, size);
    return 0;
}

/* A subject that breaks its word loses no evidence, or one could break it where it looks bad. */
TEST_WITH(a_subject_that_breaks_its_word_keeps_its_evidence, ledger_open, ledger_close)
{
    check_refused(ask_with(loses, "key=v1"), SB_SUBJECT, "");
    check_holds("\"broken\": 1");
    check_holds("\"open\": false");
    check_holds("\"total\": 19"); /* nearly all of those before */
}

/* ---- whole decks ---- */

/* The bytes of a file with these decks in its sections. */
static size_t decks_size(size_t sections, size_t decks)
{
    return 27 + 8 * (1 + 5 * sections + 2 * decks + 1);
}

static void check_decks(size_t sections, size_t decks)
{
    size_t size;

    free(bytes_of(beside(".decks"), &size));
    assert_int_equal(size, decks_size(sections, decks));
}

/* Decks from one of 2^20 seeds each. */
static int few_seeds(void *items, size_t n, size_t size, void *state)
{
    uint64_t own = UINT64_C(0x9E3779B97F4A7C15) * (word_below(state, 1 << 20) + 1);

    return fair_shuffle(items, n, size, &own);
}

/* Runs of 200 decks hardly repeat one, and all of them together do: a single one is enough. */
TEST_WITH(few_seeds_show_across_runs, ledger_open, ledger_close)
{
    bool failed = false;
    unsigned runs = 0;

    for (; runs < 40 && !failed; runs++) {
        struct sb_result *const result = answer(ask_with(few_seeds, "key=v1 n=20 limit=200"));

        failed = strcmp(sb_get(result, "verdict"), "fail") == 0;
        sb_result_free(result);
    }
    assert_true(failed);
    assert_in_range(runs, 2, 40);
}

/* The decks that did not count, 64 of each later run, are kept, too. */
TEST_WITH(a_fair_shuffle_shows_nothing, ledger_open, ledger_close)
{
    for (unsigned run = 1; run <= 40; run++)
        check_run(ask_fair("key=v1 n=20 limit=200"), "inconclusive", 200 * run);
    check_holds("\"repeats\": {\n        \"decks\": 8000,\n        \"repeats\": 0,");
    check_decks(1, 200 * 40 + 64 * 39);
}

/* Another key's decks stay; with those of an earlier run, a key goes on without. */
TEST_WITH(each_key_has_its_own, ledger_open, ledger_close)
{
    size_t size;

    check_run(ask_fair("key=v1 n=20 limit=200"), "inconclusive", 200);
    check_run(ask_fair("key=v2 n=20 limit=200"), "inconclusive", 200);
    char *const earlier = bytes_of(beside(".decks"), &size);

    check_run(ask_fair("key=v1 n=20 limit=200"), "inconclusive", 400);
    check_decks(2, 3 * 200 + 64);
    write_bytes(beside(".decks"), earlier, size);
    check_run(ask_fair("key=v1 n=20 limit=200"), "inconclusive", 600);
    check_decks(2, 2 * 200 + 64);
    free(earlier);
}

/* At most 2^18 decks, or 4 MB, are kept: the oldest of all keys make room. */
TEST_WITH(the_oldest_decks_make_room, ledger_open, ledger_close)
{
    check_run(ask_fair("key=v1 n=20 limit=200000"), "inconclusive", 200000);
    check_decks(1, 200000);
    check_run(ask_fair("key=v2 n=20 limit=100000"), "inconclusive", 100000);
    check_decks(2, 1 << 18);
    check_run(ask_fair("key=v2 n=20 limit=200000"), "inconclusive", 300000);
    check_decks(1, 1 << 18);
}

/* Nothing is spent, and once the file is gone the key goes on with all of its evidence. */
TEST_WITH(damaged_decks_are_refused, ledger_open, ledger_close)
{
    size_t size;

    check_run(ask_fair("key=v1 n=20 limit=200"), "inconclusive", 200);
    char *const bytes = bytes_of(beside(".decks"), &size);

    for (size_t at = 0; at < size; at += 13) {
        write_bytes(beside(".decks"), bytes, at ? at : 1);
        check_unspent(ask_fair("key=v1 n=20"), SB_IO, ".decks' was truncated, edited or damaged: restore it");
        bytes[at] ^= 1;
        write_bytes(beside(".decks"), bytes, size);
        check_unspent(ask_fair("key=v1 n=20"), SB_IO, "");
        bytes[at] ^= 1;
    }
    free(bytes);
    remove(beside(".decks"));
    check_run(ask_fair("key=v1 n=20 limit=200"), "inconclusive", 400);
}

/* What cannot be written is said in one line, and the evidence is in the ledger all the same. */
TEST_WITH(decks_that_cannot_be_written_lose_no_evidence, ledger_open, ledger_close)
{
    assert_int_equal(mkdir(beside(".decks.new"), 0777), 0);
    check_refused(ask_fair("key=v1 n=20 limit=200"), SB_IO,
                  "(the evidence is in the ledger, without the decks) (the verdict was inconclusive)");
    check_holds("\"open\": false");
    check_holds("\"decks\": 0\n");
    remove(beside(".decks.new"));
    check_run(ask_fair("key=v1 n=20 limit=200"), "inconclusive", 400);
}

/* A shuffle; from the hundredth call on, something bars the way of both files. */
static int bars_files(void *items, size_t n, size_t size, void *state)
{
    static unsigned calls;

    if (++calls == 100) {
        mkdir(beside(".new"), 0777);
        mkdir(beside(".decks.new"), 0777);
    }
    return fair_shuffle(items, n, size, state);
}

/* If neither file can be written, then the evidence is not in the ledger, and the error does not say so. */
TEST_WITH(evidence_that_cannot_be_written_is_lost, ledger_open, ledger_close)
{
    struct sb_request *const request = ask_with(bars_files, "key=v1 n=20 limit=200");

    assert_null(sb_run(request));
    assert_int_equal(sb_status(request), SB_IO);
    assert_non_null(strstr(sb_error(request), ".new' is in the way, and no file"));
    assert_non_null(strstr(sb_error(request), "(the verdict was inconclusive)"));
    assert_null(strstr(sb_error(request), "the evidence is in the ledger"));
    sb_request_free(request);
}

/* What --seeds asks for is checked before a share is claimed. */
TEST_WITH(seeds_that_cannot_be_ruled_out_spend_nothing, ledger_open, ledger_close)
{
    check_refused(ask_fair("n=3 seeds=1048576"), SB_INVALID, "there are only 6 orders");
    check_refused(ask_fair("n=20 seeds=1048576 limit=1000"), SB_INVALID, "permutations, more than the limit of 1000");
    check_refused(ask_fair("n=8 seeds=100"), SB_INVALID, "no whole decks are compared");
    assert_int_equal(access(path, F_OK), -1);
    check_share("n=8", 1);
    check_unspent(ask_fair("n=8 seeds=100 key=v1"), SB_INVALID, "");
    check_share("n=20 seeds=100 key=v1", 2); /* runs of a key add up: none of them need be long enough */
}

/* ---- files ---- */

TEST_WITH(a_full_disk_leaves_the_old_one, ledger_open, ledger_close)
{
    int status;

    check_share("", 1);
    const pid_t child = fork();

    if (child == 0) {
        const struct rlimit little = { 300, 300 };

        signal(SIGXFSZ, SIG_IGN); /* then writing fails, as on a full disk */
        setrlimit(RLIMIT_FSIZE, &little);
        check_unspent(ask_fair(""), SB_IO, "cannot write");
        _exit(0);
    }
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    check_holds("\"runs\": 1,");
}

/* Replaces the first `from` of a sound ledger by `to`; the error has to name the place, and nothing is reset. */
TEST_WITH(damage_is_named, ledger_open, ledger_close)
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
    size_t size;

    check_share("", 1);
    check_share("key=v1", 2);
    char *const sound = bytes_of(path, &size);

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *const at = strstr(sound, cases[i].from);
        FILE *const file = fopen(path, "w");

        assert_true(at && file);
        fprintf(file, "%.*s%s%s", (int)(at - sound), sound, cases[i].to, at + strlen(cases[i].from));
        fclose(file);
        check_unspent(ask_fair("key=v1"), SB_IO, cases[i].says);
    }
    free(sound);
}

/* A ledger that is sound but not of this version: the key is of no use, and loses nothing but a run. */
TEST_WITH(counts_that_are_foreign_are_named, ledger_open, ledger_close)
{
    static const char known[] = "\"statistic\": \"rank\"";
    size_t size;

    check_share("key=v1", 1);
    char *const sound = bytes_of(path, &size), *const at = strstr(sound, known);

    assert_non_null(at);
    memcpy(at + strlen(known) - 5, "luck", 4);
    write_bytes(path, sound, size);
    free(sound);
    check_refused(ask_fair("key=v1"), SB_INVALID, "has counts of luck, which is unknown: use another key");
    check_holds("\"runs\": 2,");
    check_holds("\"total\": 500,\n      \"statistics\": [\n        {\n          \"statistic\": \"luck\"");
}

TEST_WITH(what_is_no_file_is_no_ledger, ledger_open, ledger_close)
{
    static const char *const cases[][2] = {
        { "/dev/null", "is no file" },
        { "/nonexistent/l.json", "/nonexistent/l.json" },
    };

    write_bytes(path, "", 0);
    check_refused(ask_fair(""), SB_IO, "it is empty");
    remove(path);
    assert_int_equal(symlink("nothing", path), 0);
    check_refused(ask_fair(""), SB_IO, "No such file");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sb_request *const request = ask_fair("");

        put(request, "ledger", cases[i][0]);
        check_refused(request, SB_IO, cases[i][1]);
    }
}
