/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The gate's findings as text, Markdown and JSON, for gates made by hand. The library computes nothing in
 * them.
 */
#include "unit/test.h"

#include "report/page.h"
#include "study/gate/gate_page.h"
#include "tally/order.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 11 };

/* Three cards that fail: the rank is named, and a permutation came up that cannot. */
static struct sb_gate failed(struct sb_gate_line line[LINES], struct sb_gate_point point[2])
{
    static char name[] = "python3 *naive*.py", sentence[] = "FAIL after 4,112 permutations: unfair.";
    struct sb_gate gate = {
        .name = name,
        .kind = "command",
        .n = 3,
        .deal = 3,
        .terms = { .alpha = 1e-9, .delta = 1e-6, .exclude = 0.01, .limit = 2000000 },
        .total = 4112,
        .verdict = SB_VERDICT_FAIL,
        .ln_e = INFINITY,
        .tv_low = 0.0312,
        .tv_high = 0.0743,
        .telling = line,
        .whole = true,
        .needed = NAN,
        .lines_count = 2,
        .line = line,
        .cells_count = 2,
        .cell = { { 0, 2, 812, 685.3333, 5.3, "213" }, { 1, 1, 3, 0, NAN, "item 3 at position 2" } },
        .points_count = 2,
        .point = point,
        .sentence = sentence,
    };

    line[0] = (struct sb_gate_line) {
        .statistic = "rank",
        .members = 1,
        .cells = 6,
        .weight = 0.5,
        .ln_e = INFINITY,
        .tv_low = 0.0312,
        .tv_high = 0.0743,
        .rejected = true,
        .tv_seen = 0.0561,
        .tv_fair = 0.0136,
    };
    line[1] = (struct sb_gate_line) {
        .statistic = "position",
        .member = 2,
        .members = 3,
        .cells = 3,
        .weight = 0.5,
        .ln_e = 2.5,
        .tv_high = 0.09,
        .tv_seen = 0.03,
        .tv_fair = 0.02,
    };
    point[0] = (struct sb_gate_point) { 1, -0.25, 0, 1 };
    point[1] = (struct sb_gate_point) { 4112, INFINITY, 0.0312, 0.0743 };
    return gate;
}

/* Fifty-two cards of which ten were looked at, open. */
static struct sb_gate opened(struct sb_gate_line line[LINES])
{
    static char name[] = "a\x1B[31m|b", sentence[] = "INCONCLUSIVE after 1 permutation: too few.";
    struct sb_gate gate = {
        .name = name,
        .kind = "file",
        .n = 52,
        .deal = 5,
        .chained = true,
        .terms = { .alpha = 1e-3, .delta = 1e-2, .exclude = 0.5, .tolerate = 0.1, .limit = 1 },
        .total = 1,
        .ln_e = -2,
        .tv_high = 1,
        .needed = 123456,
        .lines_count = LINES,
        .line = line,
        .sentence = sentence,
        .interrupted = true,
    };

    for (size_t i = 0; i < LINES; i++)
        line[i] = (struct sb_gate_line) {
            .statistic = "position",
            .member = i,
            .members = LINES,
            .cells = 6,
            .weight = 1.0 / LINES,
            .ln_e = -2,
            .tv_high = 1,
            .rejected = i == 3,
            .tv_seen = NAN,
            .tv_fair = NAN,
        };
    return gate;
}

static char *print(const struct sb_gate *gate, bool markdown, bool unicode)
{
    char *text = NULL;
    size_t size;
    FILE *const stream = open_memstream(&text, &size);
    struct sb_page page = { .stream = stream, .markdown = markdown, .look = { .unicode = unicode } };

    assert_non_null(stream);
    sb_gate_page(gate, &page);
    assert_int_equal(page.status, SB_OK);
    fclose(stream);
    return text;
}

/* The text holds all of these, in this order. */
static void check(const char *text, const char *const wanted[], size_t count)
{
    const char *at = text;

    for (size_t i = 0; i < count; i++) {
        at = strstr(at, wanted[i]);
        if (!at)
            fail_msg("'%s' is not in its place in:\n%s", wanted[i], text);
        at += strlen(wanted[i]);
    }
}

TEST(text_says_the_verdict_first)
{
    static const char *const wanted[] = {
        "Subject: python3 *naive*.py, n = 3\n",
        "E = infinite",
        "reaches 1,000,000,000 with",
        "0.0312-0.0743, of the whole law",
        "rank",

        "infinite",
        "named",
        "position of item 3",
        "3  ",
        "12.2",
        "213 ",
        "685.3",
        "1.1848",
        "+5.3",
        "item 3 at position 2",
        "3",
    };
    struct sb_gate_line line[LINES];
    struct sb_gate_point point[2];
    const struct sb_gate gate = failed(line, point);
    char *const text = print(&gate, false, false);

    assert_memory_equal(text, "FAIL after 4,112 permutations: unfair.\n", 39);
    check(text, wanted, sizeof wanted / sizeof wanted[0]);
    free(text);
}

TEST(many_members_are_summed_up)
{
    static const char *const wanted[] = {
        "52, 5 of them dealt; each shuffles the one before",
        "reaches 1,000 with",
        "statistics below",
        "up to 0.1",
        "position of what was at 4",
        "position: the other 10, the largest of each",
        "0.909",
    };
    struct sb_gate_line line[LINES];
    const struct sb_gate gate = opened(line);
    char *const text = print(&gate, false, true);

    check(text, wanted, sizeof wanted / sizeof wanted[0]);
    assert_null(strstr(text, "What stands out"));
    assert_null(strchr(text, '\x1B'));
    free(text);
}

TEST(markdown_escapes)
{
    struct sb_gate_line line[LINES];
    struct sb_gate_point point[2];
    const struct sb_gate gate = failed(line, point);
    char *const text = print(&gate, true, true);

    assert_memory_equal(text, "**FAIL after 4,112 permutations:** unfair.\n", 43);
    assert_non_null(strstr(text, "python3 \\*naive\\*.py"));
    assert_non_null(strstr(text, "| rank | 6 |"));
    free(text);
}

/* What a report has counted: which part of its run, and what it does not record. */
static struct sb_gate counted(struct sb_gate_line line[LINES], const char *left_out[2])
{
    struct sb_gate gate = opened(line);

    gate.reported = true;
    gate.left_out = left_out;
    gate.left_out_count = 2;
    snprintf(gate.evidence.part, sizeof gate.evidence.part, "part 3 of 7");
    left_out[0] = "cycles";
    left_out[1] = "repeat";
    return gate;
}

TEST(what_a_report_counted_is_said)
{
    static const char *const wanted[] = {
        "Counted by: a report, part 3 of 7; looked at once, without what it does not record: "
        "cycles, repeat.\n",
    };
    const char *left_out[2];
    struct sb_gate_line line[LINES];
    const struct sb_gate gate = counted(line, left_out);
    char *const text = print(&gate, false, false);

    check(text, wanted, 1);
    free(text);
}

static json_t *parse(struct sb_gate *gate)
{
    static char name[] = "by hand";
    struct sb_suite_item item = { .name = name, .gate = gate };
    const struct sb_suite suite = { .count = 1, .item = &item };
    char *text = NULL;
    size_t size;
    FILE *const stream = open_memstream(&text, &size);
    json_error_t error;

    assert_non_null(stream);
    assert_int_equal(sb_suite_write(&suite, "json", NULL, NULL, stream), SB_OK);
    fclose(stream);
    json_t *const root = json_loads(text, JSON_REJECT_DUPLICATES, &error);

    assert_non_null(root);
    free(text);
    return root;
}

TEST(json_has_it_all)
{
    struct sb_gate_line line[LINES];
    struct sb_gate_point point[2];
    struct sb_gate gate = failed(line, point);
    json_t *const document = parse(&gate), *cell, *looks;
    const json_t *const root = json_array_get(json_object_get(document, "gates"), 0);

    assert_string_equal(json_string_value(json_object_get(document, "schema")), "shufflebias.gate/2");
    assert_string_equal(json_string_value(json_object_get(document, "verdict")), "fail");
    assert_string_equal(json_string_value(json_object_get(root, "name")), "by hand");
    assert_string_equal(json_string_value(json_object_get(root, "verdict")), "fail");
    assert_true(json_is_null(json_object_get(root, "ln_e")));
    assert_true(json_is_null(json_object_get(root, "needed")));
    assert_int_equal(json_integer_value(json_object_get(root, "total")), 4112);
    cell = json_array_get(json_object_get(root, "cells"), 0);
    assert_string_equal(json_string_value(json_object_get(cell, "where")), "213");
    assert_int_equal(json_integer_value(json_object_get(cell, "count")), 812);
    looks = json_object_get(root, "looks");
    assert_int_equal(json_array_size(json_object_get(looks, "total")), 2);
    assert_true(json_real_value(json_array_get(json_object_get(looks, "ln_e"), 0)) == -0.25);
    assert_true(json_is_null(json_array_get(json_object_get(looks, "ln_e"), 1)));
    assert_true(json_is_null(json_object_get(root, "counts")));
    assert_true(json_is_null(json_object_get(root, "report")));
    json_decref(document);
}

TEST(json_has_what_a_report_counted)
{
    const char *left_out[2];
    struct sb_gate_line line[LINES];
    struct sb_gate gate = counted(line, left_out);
    json_t *const document = parse(&gate);
    const json_t *const report =
        json_object_get(json_array_get(json_object_get(document, "gates"), 0), "report");

    assert_string_equal(json_string_value(json_object_get(report, "part")), "part 3 of 7");
    assert_int_equal(json_array_size(json_object_get(report, "left_out")), 2);
    assert_string_equal(json_string_value(json_array_get(json_object_get(report, "left_out"), 1)), "repeat");
    json_decref(document);
}

/* Each deck is compared with the first 2^24 decks alone. */
TEST(a_pass_says_which_decks_were_compared)
{
    static const struct {
        uint64_t total;
        const char *said;
    } table[] = {
        { SB_REPEATS_MOST, ". No deck came up twice: fewer than 2^43 " },
        { 20000002, ". None of the first 16,777,216 decks came up again: fewer than 2^43 " },
    };
    struct sb_gate_line line[LINES];
    struct sb_gate_point point[2];
    struct sb_gate gate = failed(line, point);

    gate.verdict = SB_VERDICT_PASS;
    gate.ln_e = 0;
    gate.seeds_low = 0x1p43;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct sb_sentence sentence = { .used = 0 };

        gate.total = table[i].total;
        sb_sentence_gate(&sentence, &gate);
        assert_non_null(strstr(sentence.text, table[i].said));
        sb_sentence_close(&sentence);
    }
}
