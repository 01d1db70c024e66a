/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files and commands as subjects: the forms that are read, options that do not go together, and subjects that fail in
 * rare ways. Each error says what to do. */
#include "unit/ask.h"

#include <signal.h>
#include <sys/stat.h>
#include <time.h>

/* A file with these bytes; the test removes it. */
static const char *file_of(const char *bytes, size_t length)
{
    const char *const path = scratch_name("subject");
    FILE *const file = fopen(path, "w");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
    return path;
}

/* A request on a file. */
static struct sb_request *ask_of(const char *command, const char *path, const char *options)
{
    struct sb_request *const request = ask(command, options);

    put(request, "file", path);
    return request;
}

/* A report counts the decks 0 1 2 and 2 1 0, the first and the last of six. */
TEST(files_are_read)
{
    static const struct {
        const char *options, *bytes;
        size_t length; /* 0: up to the end of the text */
    } files[] = {
        { "", "0 1 2\n2 1 0\n", 0 },
        { "base=1", "1 2 3\n3 2 1\n", 0 },
        { "input=u8 n=3", "\0\1\2\2\1\0", 6 },
        { "match=deck=([0-9,]*)", "deck=0,1,2 ok\nno deck\ndeck=2,1,0 ok\n", 0 },
        { "free=1 n=3", "0 1\n2 2 1\n0\n", 0 },
        { "field=2 separator=;", "a;0 1 2;b\na;2 1 0;b\n", 0 },
        { "json-path=.deck", "{\"deck\": [0, 1, 2]}\n{\"deck\": [2, 1, 0]}\n", 0 },
    };

    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        const size_t length = files[i].length ? files[i].length : strlen(files[i].bytes);
        const char *const path = file_of(files[i].bytes, length);

        check_answer(ask_of("report", path, files[i].options), "reports.0.evidence.counts", "[1,0,0,0,0,1]");
        remove(path);
    }
}

TEST(options_that_do_not_go_together_are_errors)
{
    static const char *const slips[][2] = {
        { "input=u8 n=3 field=1", "`field`: is for text: leave it or `input=u8` out" },
        { "input=u8 n=3 match=(.*)", "`match`: is for text" },
        { "input=u16 n=3 json-path=.a", "`json_path`: is for text" },
        { "input=u8 n=3 separator=;", "`separator`: is for text" },
        { "input=u8 n=257", "do not fit a byte: use u16" },
        { "input=u8", "has no header: say `n=N`" },
        { "input=u9 n=3", "u9" },
        { "free=1 n=3 field=1", "`field`: reads lines, which `free` ignores" },
        { "separator=;", "`separator`" },
        { "base=2", "unknown base '2'" },
    };
    const char *const path = file_of("0 1 2\n", 6);

    for (size_t i = 0; i < sizeof slips / sizeof slips[0]; i++)
        check_refused(ask_of("gate", path, slips[i][0]), SB_INVALID, slips[i][1]);
    remove(path);
    check_refused(ask_of("gate", path, "n=3"), SB_INVALID, path);
}

/* Compressed data is read, but not followed; bytes that look like compressed data are items, where items are bytes. */
TEST(a_compressed_log_does_not_grow)
{
    const char *const path = file_of("\x1f\x8b\x08", 3);
    struct sb_request *const text = ask("watch", "n=3"), *const bytes = ask("watch", "n=256 deal=3 input=u8 limit=1");

    put(text, "follow", path);
    put(bytes, "follow", path);
    check_refused(text, SB_INVALID, " is gzip data, which does not grow: follow the log");
    check_answer(bytes, "total", "1");
    remove(path);
}

static int by_number(const void *a, const void *b)
{
    return (int)*(const uint16_t *)a - (int)*(const uint16_t *)b;
}

/* Fair deals whose hands are sorted show no order of the draw, even if there is but one, and even if a card in front of
 * them is the same in all. tests/cli/sorted_lines.py has other orders, and what is no sign of them. */
TEST(sorted_hands_show_no_order)
{
    enum { CARDS = 52, HAND = 13, DEALS = 5 };
    static char text[DEALS * 200];
    size_t used = 0;
    uint64_t word = 1;

    for (int card = 0; card < CARDS; card++) /* every fourth card into the same hand */
        used += (size_t)sprintf(text + used, "%d ", card % HAND * 4 + card / HAND);
    strcpy(text + used++, "\n");
    const char *path = file_of(text, used);

    check_refused(ask_of("gate", path, ""), SB_SUBJECT,
                  "the only line is in ascending order by number, in hands of 13,");
    remove(path);
    used = 0;
    for (int deal = 0; deal < DEALS; deal++) {
        uint16_t card[CARDS];

        for (int i = 0; i < CARDS; i++)
            card[i] = (uint16_t)i;
        fair_shuffle(card, CARDS, sizeof card[0], &word);
        for (int hand = 0; hand < CARDS; hand += HAND)
            qsort(card + hand, HAND, sizeof card[0], by_number);
        used += (size_t)sprintf(text + used, "%d", CARDS);
        for (int i = 0; i < CARDS; i++)
            used += (size_t)sprintf(text + used, " %d", card[i]);
        strcpy(text + used++, "\n");
    }
    path = file_of(text, used);
    check_refused(ask_of("gate", path, ""), SB_SUBJECT,
                  "all 5 lines are in ascending order by number, in groups of 1, 13, 13, 13 and 13,");
    remove(path);
}

/* A line without a deck, which takes seconds: the time without a deck ends the search within the line. The processor
 * time cannot be longer, so that a busy machine does not matter. */
TEST(a_match_that_takes_long_is_ended)
{
    enum { WORDS = 40000 };
    static char text[6 * WORDS + 1];

    for (size_t word = 0; word < WORDS; word++)
        memcpy(text + 6 * word, "deck: ", 6);
    text[6 * WORDS] = '\n';
    const char *const path = file_of(text, sizeof text);
    struct sb_request *const request = ask_of("gate", path, "timeout=0.2");

    const clock_t began = clock();

    put(request, "match", "deck: (.*) done");
    check_refused(request, SB_SUBJECT, "no permutation for 0.2 s, because `match` takes long: simplify `match`");
    assert_true(clock() - began < CLOCKS_PER_SEC / 2);
    remove(path);
}

/* A program of text that does not say what runs it. */
TEST(a_program_without_its_interpreter)
{
    const char *const path = file_of("\001 1 2 3\n", 8);
    struct sb_request *const request = ask("gate", "");

    assert_int_equal(chmod(path, 0700), 0);
    put(request, "command", path);
    check_refused(request, SB_SUBJECT, "");
    remove(path);
}

/* A program that ignores SIGCHLD never learns how its children have exited. */
TEST(nobody_waits_for_children)
{
    signal(SIGCHLD, SIG_IGN);
    check_refused(ask("gate", "command=echo command=1,2,3 limit=10"), SB_SUBJECT, "do not ignore SIGCHLD");
    check_refused(ask("zoo", "n=3 test=true"), SB_SUBJECT,
                  "cannot tell how 'true' exited: do not ignore SIGCHLD in the program that starts it");
    signal(SIGCHLD, SIG_DFL);
    sb_result_free(answer(ask("gate", "command=echo command=1,2,3 limit=10")));
}

/* Six decks with equal cards, three in each run: the second run continues after the third deck, and the third finds
 * none. */
TEST(equal_cards_in_a_log)
{
    static const char log[] = "K K Q Q\nK Q K Q\nQ K K Q\nQ Q K K\nK Q Q K\nQ K Q K\n";
    const char *const path = file_of(log, sizeof log - 1), *const save = scratch_name("save");

    for (int run = 0; run < 3; run++) {
        struct sb_request *const request = ask("watch", "limit=3 timeout=0.1");

        put(request, "cards", "K K Q Q");
        put(request, "follow", path);
        put(request, "save", save);
        if (run < 2)
            check_answer(request, "total", run == 0 ? "3" : "6");
        else
            check_refused(request, SB_SUBJECT, "no permutation for 0.1 s: raise `timeout`");
    }
    remove(path);
    remove(save);
}

/* A matrix of 200 items whose text is longer than a first block: item i was 150 times at each position. */
TEST(a_long_matrix)
{
    enum { N = 200 };
    static char text[4 * N * N];
    struct sb_request *const request = ask("report", "");

    for (size_t i = 0; i < N * N; i++)
        memcpy(text + 4 * i, (i + 1) % N ? "150," : "150\n", 4);
    const char *const path = file_of(text, sizeof text);

    put(request, "matrix", path);
    check_answer(request, "reports.0.verdict", "no bias seen");
    remove(path);
}

/* A run that resumes reads the stream as the first run did; what does not change the decks may change. */
TEST(a_file_stands_for_one_subject)
{
    static const char *const options[] = {
        "", "title=other timeout=3", "base=0", "match=(.*)", "field=1-", "free=1", "cards=0,1,2"
    };
    const char *const path = file_of("0 1 2\n2 1 0\n", 12), *const evidence = scratch_name("evidence");

    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        struct sb_request *const request = ask_of("gate", path, options[i]);

        put(request, "n", "3");
        put(request, "save", evidence);
        if (i <= 1)
            check_answer(request, "gates.0.total", "2");
        else
            check_refused(request, SB_INVALID, "differs");
    }
    remove(path);
    remove(evidence);
}

#if SB_HAS_ZLIB

/* 100 permutations in a compressed file, which may have several parts, and which may be cut off. */
TEST(a_compressed_file_is_read)
{
    static const char bytes[] =
        "\x1F\x8B\x08\x00\x00\x00\x00\x00\x02\x03\x33\x54\x30\xE2\x32\x52\x30\xE4\x32\x1C\xA5\x07"
        "\x05\x0D\x00\xA5\xB8\x30\xA6\x90\x01\x00\x00";
    const size_t sizes[] = { sizeof bytes - 1, sizeof bytes - 1, sizeof bytes / 2 };
    const char *const path = scratch_name("decks.gz");

    for (size_t i = 0; i < 3; i++) {
        struct sb_request *const request = ask("report", "");
        FILE *const file = fopen(path, i == 1 ? "ab" : "wb");

        assert_non_null(file);
        fwrite(bytes, 1, sizes[i], file);
        fclose(file);
        put(request, "file", path);
        if (i < 2)
            check_answer(request, "reports.0.evidence.total", i ? "200" : "100");
        else
            check_refused(request, SB_SUBJECT, "");
    }
    remove(path);
}

#endif
