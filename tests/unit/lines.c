/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the deck is in a line: fields, a value in JSON, playing cards. line_match.c tests regular expressions. The
 * result is the same wherever chunks end.
 */
#include "unit/test.h"

#include "subject/parts.h"
#include "unit/stream_expect.h"

/* The expected permutations of the lines of a log, wherever chunks end. */

/* What a text becomes: its deals, then the error after a colon. What follows a star may be anything. */
static void expect_lines(const struct sb_subject *lines, const char *text, const char *expected)
{
    const struct sb_subject form = { .timeout = 60, .n = lines->n, .deal = lines->deal, .cards = lines->cards };
    const size_t length = strlen(text), known = strcspn(expected, "*");

    for (size_t chunk = 1; chunk <= length + 1; chunk += 1 + chunk / 4) {
        struct sb_bytes *bytes = script_new(text, length, chunk);
        struct outcome outcome = { 0 };
        struct sb_feed *feed;
        char got[4096];

        if (sb_text_stages_add(lines, NULL, &outcome.error, &bytes) == SB_OK &&
            sb_stream_new(bytes, &form, &outcome.error, &feed) == SB_OK)
            outcome = outcome_of(feed, 1 + chunk % 3);
        describe(&outcome, got, sizeof got);
        if (strncmp(got, expected, known) != 0 || (expected[known] != '*' && got[known]))
            fail_msg("'%s' in chunks of %zu:\n%s\ninstead of\n%s", text, chunk, got, expected);
        outcome_close(&outcome);
    }
}

/* An option, a text, and what becomes of it. */
struct row {
    const char *option, *text, *expected;
};

TEST(fields_are_those_of_cut_and_awk)
{
    static const struct row blanks[] = {
        { "2", "a 0,1,2 b\nc 2,1,0 d\n", "0 1 2|2 1 0" },
        { "3-", "a b 0 1 2\nc d 2 1 0", "0 1 2|2 1 0" },
        { "2-4", "  x\t 0 1  2 y\r\n\n \nx 2 1 0\r\n", "0 1 2|2 1 0" },
        { "1", "0,1 x\n1,0 x\n", "0 1|1 0" },
        { "4", "a 0,1\n", ":script, line 1: there is no field 4, only 2: correct `field`*" },
        { "2-", "a 0 1\nb 1 1\n", "0 1:script, line 2: 1 comes twice, and 0 is missing*" },
        { "2", "a 0,1\n\n# b\n", "0 1:script, line 3: no numbers*" },
        { "2",
          "\xEF\xBB\xBF"
          "a 0,1\n",
          "0 1" },
    };
    static const struct row semicolons[] = {
        { "3", "a;b;0 1 2;c\n;;2 1 0", "0 1 2|2 1 0" },
        { "2-", "a;0;1;2\nb;2;1;0\n", "0 1 2|2 1 0" },
        { "2-3", "a;-;0 1\n", "0 1" },
        { "2", "a;;0 1\n", ":script, line 1: field 2 is empty*" },
        { "2", "a;", ":script, line 1: field 2 is empty*" },
        { "2", "a", ":script, line 1: there is no field 2, only 1*" },
    };

    for (size_t i = 0; i < sizeof blanks / sizeof blanks[0]; i++)
        expect_lines(&(struct sb_subject) { .field = blanks[i].option }, blanks[i].text, blanks[i].expected);
    for (size_t i = 0; i < sizeof semicolons / sizeof semicolons[0]; i++)
        expect_lines(&(struct sb_subject) { .field = semicolons[i].option, .separator = ";" }, semicolons[i].text,
                     semicolons[i].expected);
    expect_lines(&(struct sb_subject) { .field = "2", .separator = "\\t" }, "a b\t0 1\n", "0 1");
    expect_lines(&(struct sb_subject) { .field = "1-", .separator = "-" }, "0-2-1\n", "0 2 1");
    expect_lines(&(struct sb_subject) { .field = "2", .separator = " -> " }, "a -> 0 1 -> b\n", "0 1");
}

TEST(a_deck_is_no_comment)
{
    const struct sb_subject match = { .match = "deck: (.*)" }, all = { .match = "(.*)" }, field = { .field = "2-" };

    expect_lines(&match, "deck: 2 0 1\ndeck:  #1 #2 #3\n",
                 "2 0 1:script, line 2: the deck '#1 #2 #3' is a comment: remove #, as with tr -d '#', or "
                 "correct `match`");
    expect_lines(&match, "# deck: #1 #2\n", ":script, line 1: the deck '#1 #2' is a comment*");
    expect_lines(&field, "\uFEFF7 #1 #2\n",
                 ":script, line 1: the deck '#1 #2' is a comment: remove #, as with tr -d '#', or correct `field`");
    expect_lines(&(struct sb_subject) { .field = "2", .separator = ";" }, "7; #1\n",
                 ":script, line 1: the deck '#1' is a comment*");
    expect_lines(&match, "deck: 0 1 # a comment after the deck\n", "0 1");
    expect_lines(&all, "\uFEFF # the whole line is a comment\n0 1\n", "0 1");
    expect_lines(&(struct sb_subject) { .field = "1-" }, " # the whole line is a comment\n0 1\n", "0 1");
    expect_lines(&(struct sb_subject) { .match = "game (.*)", .field = "2-" }, "game #7 0 1\n", "0 1");
}

TEST(values_are_those_of_json)
{
    static const struct row rows[] = {
        { ".deck", "{\"deck\": [0, 1, 2]}\n{\"t\": 1, \"deck\": [2, 1, 0]}", "0 1 2|2 1 0" },
        { ".", "[0,1]\r\n\n[1,0]\r\n", "0 1|1 0" },
        { ".", "0\n", ":script, line 1: the value of `json_path` is a number*" },
        { "[1]", "[[0, 1], [1, 0]]\n", "1 0" },
        { ".a[0].b", "{\"a\": [{\"b\": \"1 0\"}]}\n", "1 0" },
        { ".d", "{\"d\": [\"0\", \"1\"]}\n", "0 1" },
        { ".d", "{\"d\": []}\n", ":script, line 1: the array of `json_path` is empty*" },
        { ".d", "{\"d\": [0, 1]}\n{\"e\": 1}\n", "0 1:script, line 2: there is no .d: *" },
        { ".d.e", "{\"d\": {}}\n", ":script, line 1: there is no .d.e: *" },
        { ".d[2]", "{\"d\": [0, 1]}\n", ":script, line 1: there is no .d[2]: *" },
        { ".d", "{\"d\": null}\n", ":script, line 1: the value of `json_path` is null: *" },
        { ".d", "{\"d\": {}}\n", ":script, line 1: the value of `json_path` is an object: *" },
        { ".d", "{\"d\": [0, 1.5]}\n", ":script, line 1: item 2 of the array is not a whole number: *" },
        { ".d", "{\"d\": [0, [1]]}\n", ":script, line 1: item 2 of the array is an array: *" },
        { ".d", "{\"d\": [\"a b\", \"c\"]}\n", ":script, line 1: no numbers in 'a b c'*" },
        { ".d", "{\"d\": [\"#\", \"c\"]}\n", ":script, line 1: the item '#' is not one word*" },
        { ".d", "{\"d\": \"0 # 1\"}\n", ":script, line 1: the string '0 # 1' is not a deck*" },
        { ".d", "{\"d\": \"\"}\n", ":script, line 1: the string '' is not a deck*" },
        { ".d", "{\"d\": [0, 1]\n", ":script, line 1: the JSON ends within a value: *" },
        { ".d", "# comment\n", ":script, line 1: it is not JSON, from byte 1 on: *" },
        { ".d", "{\"d\": [0], \"d\": [1]}\n", ":script, line 1: it is not JSON*" },
        { ".d", "{\"d\": [-1, 0]}\n", ":script, line 1: a sign or a point beside a digit*" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        expect_lines(&(struct sb_subject) { .json_path = rows[i].option }, rows[i].text, rows[i].expected);
}

TEST(an_item_of_json_is_one_item)
{
    static const struct row numbers[] = {
        { ".", "[\"card_0\", \"card_1\"]\n", "0 1" },
        { ".", "[\"(0)\", \"<1>\"]\n", "0 1" },
        { ".", "[\"1:2\", \"3\"]\n", ":script, line 1: the item '1:2' is not one word: print one word" },
        { ".", "[\"1\u20142\", \"3\"]\n", ":script, line 1: the item *" },
        { ".", "[\":\", 1, 2]\n", ":script, line 1: the item ':' is not one word*" },
        { ".", "[\"1.2\", 3]\n", ":script, line 1: a sign or a point beside a digit*" },
        { ".", "[\"joker\", 2, 1, 3]\n", ":script, line 1: 'joker' is not a number*" },
        { ".", "[\"deck:\", 2, 1, 3]\n", ":script, line 1: 'deck' is not a number*" },
    };
    static const struct row cards[] = {
        { ".", "[\"As\", \"[10c]\"]\n", "0 48" },
        { ".", "[\"As|Kd\", \"10c\"]\n", ":script, line 1: the item 'As|Kd' is not one word*" },
        { ".", "[\"10c/As\"]\n", ":script, line 1: the item '10c/As' is not one word*" },
        { ".", "[\"\U0001F0A1\U0001F0CE\"]\n", ":script, line 1: the item *" },
    };
    static const struct row names[] = {
        /* the option is --cards */
        { "A B C", "[\"(B)\", \"C\", \"A\"]", "1 2 0" },
        { "A/B C", "[\"C\", \"A/B\"]", "1 0" },
        { "A B|C", "[\"C\", \"A B\"]", "1 0" },
        { "A B C", "[\"A|B\", \"C\"]", ":script, line 1: the item 'A|B' is not one word*" },
        { "A B C", "[\"|\", \"A\", \"B\", \"C\"]", ":script, line 1: the item '|' is not one word*" },
    };

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        expect_lines(&(struct sb_subject) { .json_path = numbers[i].option }, numbers[i].text, numbers[i].expected);
    for (size_t i = 0; i < sizeof cards / sizeof cards[0]; i++)
        expect_lines(&(struct sb_subject) { .n = 52, .deal = 2, .json_path = cards[i].option }, cards[i].text,
                     cards[i].expected);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        expect_lines(&(struct sb_subject) { .json_path = ".", .cards = names[i].option }, names[i].text,
                     names[i].expected);
}

TEST(cards_have_three_notations)
{
    static const char ranks[] = "A23456789TJQK", *const suits[] = { "sShH", "dDcC" };
    static const char *const symbols[] = { "\u2660", "\u2665", "\u2666", "\u2663" };
    enum sb_card_notation notation;
    const char *end;
    char name[16];

    for (uint32_t card = 0; card < SB_PLAYING_CARDS; card++) {
        const char rank = ranks[card % 13], suit = suits[card / 26][card / 13 % 2 * 2];
        /* the block has a knight between jack and queen (The Unicode Standard, chart U1F0A0) */
        const uint32_t glyph = 0x1F0A1 + 16 * (card / 13) + card % 13 + (card % 13 > 10);

        sprintf(name, "%c%c", rank, suit);
        assert_int_equal(sb_playing_card(name, &end, &notation), card);
        assert_int_equal(notation, SB_NOTATION_LETTERS);
        sprintf(name, "%c%c", rank >= 'A' ? rank + 'a' - 'A' : rank, suit + 'A' - 'a');
        assert_int_equal(sb_playing_card(name, &end, &notation), card);
        sprintf(name, "%s%s\uFE0F.", rank == 'T' ? "10" : (char[]) { rank, 0 }, symbols[card / 13]);
        assert_int_equal(sb_playing_card(name, &end, &notation), card);
        assert_int_equal(notation, SB_NOTATION_SYMBOLS);
        assert_string_equal(end, ".");
        sprintf(name, "\xF0\x9F%c%c", (int)(0x80 | (glyph >> 6 & 63)) - 256, (int)(0x80 | (glyph & 63)) - 256);
        assert_int_equal(sb_playing_card(name, &end, &notation), card);
        assert_int_equal(notation, SB_NOTATION_GLYPHS);
    }
    static const char *const none[] = { "",           "1s",        "11h",        "A",          "s",
                                        "Ax",         "Zs",        "0d",         "\U0001F0AC", "\U0001F0A0",
                                        "\U0001F0CF", "10",        "sA",         "\u2660A",    "\u2660",
                                        "\xE2\x99",   "A\xE2\x99", "\U0001F0BF", "\U0001F0E0" };
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        assert_int_equal(sb_playing_card(none[i], &end, &notation), SB_PLAYING_CARDS);
}

TEST(cards_are_recognised)
{
    const struct sb_subject hands = { .n = 52, .deal = 2 }, any = { 0 };
    static const struct row rows[] = {
        { "", "As Kd\n2h, 3c\n[10c-Qs]\n# Ks\n\nTh JH # 7\n", "0 38|14 41|48 11|22 23" },
        { "", "-2h, 3c.\n3c - 10c. # Ks.\nQs 2h-\n", "14 41|41 48|11 14" },
        { "",
          "\uFEFF"
          "A\u2660 K\u2666\n10\u2661|3\u2663\n",
          "0 38|22 41" },
        { "", "\U0001F0A1\U0001F0CE\n\U0001F0D1 \U0001F0BE\n", "0 38|39 25" },
        { "", "As Kd\nAs K\u2666\n",
          "0 38:script, line 2: 'K\u2666' is in another notation: cards are written as As Kd 10h*" },
        { "", "A\u2660 K\u2666\n\nAs Kd\n", "0 38:script, line 3: 'As' is in another notation*" },
        { "", "As Kd\n\U0001F0A1 \U0001F0BE\n", "0 38:script, line 2: '*" },
        { "", "As Kd\nAs 11h\n", "0 38:script, line 2: '11h' is none of 52 playing cards: *" },
        { "", "\U0001F0A1\U0001F0AC\n", ":script, line 1: *" },
        { "", "As Kd\nAs As\n", "0 38:script, line 2: 'AS' comes twice: deal each item once at most" },
        { "", "As Kd\nAs 2s 3s\n", "0 38:script, line 2: 3 cards instead of 2*" },
        { "", "As Kd\n1 2\n", "0 38:script, line 2: '1' is none of 52 playing cards*" },
        { "", "AsKd\n2h10c\n", "0 38|14 48" },
        { "", "0 1\nAs Kd\n", "0 1:script, line 2: *" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        expect_lines(&hands, rows[i].text, rows[i].expected);
    expect_lines(&any, "As Kd\n", ":script, line 1: 2 cards instead of 52: hands take `deal=2` `n=52`*");
    expect_lines(&(struct sb_subject) { .n = 2 }, "0 1\n", "0 1");
    expect_lines(&(struct sb_subject) { .n = 3 }, "2c 3c 4c\n", ":script, line 1: the letter 'c'*");
    expect_lines(&(struct sb_subject) { .n = 52, .deal = 2, .json_path = ".d" },
                 "{\"d\": [\"A\\u2660\", \"10\\u2663\"]}\n{\"d\":[\"K\u2660\",\"K\u2663\"]}\n", "0 48|12 51");
    expect_lines(&(struct sb_subject) { .n = 52, .deal = 2, .match = "board (.*)" }, "x\nboard [As Kd]\n", "0 38");
}

TEST(cards_are_recognised_wherever_reads_end)
{
    const struct sb_subject hands = { .n = 52, .deal = 2 };
    char text[8192];

    for (int blanks = 4090; blanks < 4100; blanks++) {
        sprintf(text, "%*sAS KH\nKH AS\n", blanks, "");
        expect_lines(&hands, text, "0 25|25 0");
        sprintf(text, "AS%*sKH\nKH AS\n", blanks, "");
        expect_lines(&hands, text, "0 25|25 0");
        sprintf(text, "AS%*s1\n", blanks, ""); /* no longer a second word, when it ends too late */
        expect_lines(&hands, text,
                     blanks < 4093 ? ":script, line 1: 1 integers instead of 2*"
                                   : ":script, line 1: '1' is none of 52 playing cards*");
    }
    memset(text, '|', 4094);
    strcpy(text + 4094, "AS KH\n");
    expect_lines(&hands, text, ":script, line 1: no numbers*");
}

TEST(a_deck_of_cards_has_52)
{
    const struct sb_subject any = { 0 };
    static const char ranks[] = "A23456789TJQK", suits[] = "shdc";
    char text[1024] = "", expected[1024] = "";
    size_t used = 0, made = 0;

    for (int card = 51; card >= 0; card--) {
        used += (size_t)sprintf(text + used, "%c%c ", ranks[card % 13], suits[card / 13]);
        made += (size_t)sprintf(expected + made, card ? "%d " : "%d", card);
    }
    strcpy(text + used, "\n");
    expect_lines(&any, text, expected);
    strcpy(text + used, "As\n");
    expect_lines(&any, text, ":script, line 1: 53 cards instead of 52: *");
    memcpy(text + used - 3, "Ks ", 4);
    expect_lines(&any, text, ":script, line 1: 'KS' comes twice, and 'AS' is missing: print each card once");
}

TEST(odd_bytes_have_names)
{
    const struct sb_subject plain = { 0 }, first = { .field = "1-" };

    expect_lines(&plain,
                 "\xFF\xFE"
                 "1",
                 ":script, line 1: this is UTF-16: convert it to UTF-8*");
    expect_lines(&first,
                 "\xFE\xFF"
                 "1",
                 ":script, line 1: this is UTF-16*");
    expect_lines(&plain,
                 "\xEF\xBB\xBF"
                 "0 1\n1 0\n",
                 "0 1|1 0");
    expect_lines(&plain, "\xEF\xBB\xBF", "");
    expect_lines(&first, "\uFEFF0 1\n\n\uFEFF1 0\n\uFEFF# comment\n\uFEFF", "0 1|1 0");
    expect_lines(&(struct sb_subject) { .match = "^deck: (.*)" }, "\uFEFFdeck: 0 1\n\uFEFFdeck: 1 0\n", "0 1|1 0");
    expect_lines(&(struct sb_subject) { .n = 52, .deal = 2 }, "# comment\n\uFEFFAs Kd\n\uFEFF2h 3c\n", "0 38|14 41");
    expect_lines(&plain, "", "");
    expect_lines(&plain, "\xEF\xBB", ":script, line 1: *");
}

/* A line that is no permutation is named for what it is, with the remedy, as it stands alone: not with what is left of
 * a longer line before it. */
TEST(the_kind_of_a_line_is_named)
{
    static const char *const rows[][2] = {
        { "2.0 0.0 1.0\n", ":script, line 1: '2.0 0.0 1.0' has decimal points: print whole numbers, as sed 's/\\.0//g' "
                           "does" },
        { "0 2 1\n   0      2     1   \n2.0 0.0 1.0\n",
          "0 2 1|0 2 1:script, line 3: '2.0 0.0 1.0' has decimal points: *" },
        { "{\"t\": 9, \"deck\": [2, 0, 1]}\n",
          ":script, line 1: '{\"t\": 9, \"deck\": [2, 0, 1]}' is a JSON object: say `json_path=.deck`" },
        { "{\"t\": 9, \"deck\": [2, 0, 1}\n",
          ":script, line 1: '{\"t\": 9, \"deck\": [2, 0, 1}' has its items from field 3 on: say `field=3-`" },
        { "[{\"t\": 9, \"deck\": [2, 0, 1]}]\n",
          ":script, line 1: '[{\"t\": 9, \"deck\": [2, 0, 1]}]' is a JSON array of "
          "objects: name the array of their items with `json_path`, as in [*].deck" },
        { "[[2, 0, 1], [0, 1, 2]]\n", "2 0 1|0 1 2" },
        { "[\n", ":script, line 1: no integers: print a permutation a line (names need `cards`), and "
                 "comments after #" },
        { "{\n", ":script, line 1: '{' begins JSON of several lines: name the array of its items with "
                 "`json_path`, as in .deck or .games[*].deck" },
        { "2-0-1\n", ":script, line 1: '2-0-1' has '-' between its numbers: say `field=1-` `separator=-`" },
        { "2,0,1,170\n",
          ":script, line 1: '2,0,1,170' is an order and its count: print each order as often as it came, as "
          "awk -F, '{c=$NF; $NF=\"\"; while (c-- > 0) print}' does" },
        { "201 170\n",
          ":script, line 1: '201 170' is an order and its count: print each order as often as it came, as awk "
          "'{c=$NF; $NF=\"\"; gsub(/./, \"& \"); while (c-- > 0) print}' does" },
        { "game,0,1,2\n",
          ":script, line 1: 'game,0,1,2' looks like the titles of a table: leave them out, as sed 1d does*" },
        { "0 1 2\n7: 2 0 1\n", "0 1 2:script, line 2: '7: 2 0 1' has its items from field 2 on: say `field=2-`" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        expect_lines(&(struct sb_subject) { 0 }, rows[i][0], rows[i][1]);
}

/* The longest name has 63 bytes. */
TEST(the_longest_name_is_found)
{
    enum { MOST = 63 };
    char cards[MOST + 8] = "b ", line[MOST + 8];

    memset(cards + 2, 'a', MOST);
    sprintf(line, "%s b\n", cards + 2);
    expect_lines(&(struct sb_subject) { .cards = cards }, line, "1 0");
}

TEST(wrong_options_are_refused)
{
    static const struct {
        struct sb_subject form;
        const char *line;
    } rows[] = {
        { { .field = "0" }, "`field=0`: fields count from 1" },
        { { .field = "" }, "`field`: fields count from 1" },
        { { .field = "-1" }, "`field=-1`: " },
        { { .field = "3-2" }, "`field=3-2`: " },
        { { .field = "3-0" }, "`field=3-0`: " },
        { { .field = "2,3" }, "`field=2,3`: " },
        { { .field = "99999999999999999999" }, "`field=99999999999999999999`: " },
        { { .field = "1", .separator = "" }, "`separator`: must be one or more characters" },
        { { .field = "1", .separator = "\n" }, "`separator`: must be" },
        { { .separator = ";" }, "`separator`: separates fields: say which with `field`" },
        { { .field = "1", .json_path = "." }, "`field` and `json_path` exclude each other" },
        { { .json_path = "" }, "`json_path`: write keys" },
        { { .json_path = "deck" }, "`json_path=deck`: write keys" },
        { { .json_path = ".a." }, "`json_path=.a.`: write keys" },
        { { .json_path = ".a[" }, "`json_path=.a[`: write keys" },
        { { .json_path = ".a[-1]" }, "`json_path=.a[-1]`: write keys" },
        { { .json_path = ".a[1]b" }, "`json_path=.a[1]b`: write keys" },
        { { .json_path = ".a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q" }, "`json_path=.a.b" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sb_error error = { 0 };

        assert_int_equal(sb_text_stages_check(&rows[i].form, &error), SB_INVALID);
        if (strncmp(error.text, rows[i].line, strlen(rows[i].line)) != 0)
            fail_msg("'%s' instead of '%s'", error.text, rows[i].line);
    }
}

/* ---- line match ---- */

/* The deck is the first group of a regular expression. Limits are tested by tests/cli/match_limits.py. */

TEST(groups_are_those_of_pcre2)
{
    static const struct row rows[] = {
        { "deck: (.*)", "x\ngame 7 deck: 0 1 2\nlogin\ny deck: 2 1 0", "0 1 2|2 1 0" },
        { "^([0-9,]+);", "0,1;9\n# 1,0;\n1,0;7 7\n", "0 1|1 0" },
        { "(a|b) .*", "a 0 1\n", ":script, line 1: *" },
        { "deck:(.*)", "deck: \n", ":script, line 1: the group of `match` is empty*" },
        { "deck( [0-9 ]+)?$", "deck 0 1\ndeck\ndeck 1 0\n", "0 1|1 0" },
        { "x(.)", "a\nb\n\n", ":script: none of 2 lines matches `match`: try it with 'grep -P'" },
        { "x(.)", "", "" },
        { "x(.)", "\n \n", "" },
        { "^.\xE2\x99\xA0.(.*)", "A\xE2\x99\xA0: 0 1\n", "0 1" },
        { "^.{3}(.*)", "A\xE2\x99\xA0: 0 1\n", "0 1" }, /* a point is a character, not a byte */
        { "^[[:alpha:]]+ (.*)", "K\xC3\xB6nig 0 1\n", "0 1" },
        { "^[\xE2\x99\xA0\xE2\x99\xA5] (.*)", "\xE2\x99\xA5 0 1\n\xE2\x99\xA6 1 0\n", "0 1" },
        { "by .* (0.*)", "by \xE9l\xE8ve 0 1\n", "0 1" }, /* Latin-1: a point is a byte */
        { "^.{4} (.*)", "\xE2\x99\xA0\xFF 0 1\n", "0 1" },
        { "^\xE9 (.*)", "\xE9 0 1\n", "0 1" }, /* the pattern is Latin-1, too */
        { "([0\\x{2660} ]+1)", "0 1\n\xFF 0 1\n",
          "0 1:script, line 2: the line is not UTF-8, which `match` needs: convert it with iconv" },
        { "[[:digit:]]+[[:blank:]](([[:digit:]][[:space:]]?){2,3})x", "7 0 1 x\n10 1 0 x\n", "0 1|1 0" },
        { "(a|b|0 1)", "0 1\n", "0 1" },
        { "\\d:(\\d+\\s\\d+)", "7:0 1\n", "0 1" },
        { "(0|0 1)", "0 1\n", "0" }, /* the first alternative, where POSIX takes the longest */
        { "x(0 1){0,1}$", "x0 1\nx\n", "0 1" },
        { "(0 1) \\1", "0 1 0 1\n", "0 1" },
        { "^deck (.*)$", "deck 0 1\r\ndeck 1 0", "0 1|1 0" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        expect_lines(&(struct sb_subject) { .match = rows[i].option }, rows[i].text, rows[i].expected);
    expect_lines(&(struct sb_subject) { .match = "deal (.*)", .field = "2-" }, "x\ndeal 7 0 1\n", "0 1");
    expect_lines(&(struct sb_subject) { .match = "deal (.*)", .json_path = ".d" }, "x\ny deal {\"d\": [1, 0]}\n",
                 "1 0");
}

TEST(wrong_patterns_are_refused)
{
    static const struct {
        const char *pattern;
        const char *line;
    } rows[] = {
        { "x", "`match`: 'x' has no group" },
        { "", "`match`: '' has no group" },
        { "(x", "`match`: '(x' is not a regular expression: missing closing parenthesis, at byte 2" },
        { "\xFF(x", "`match`: '\uFFFD(x' is not a regular expression: missing closing parenthesis" },
        { "\\\\\\<(x)", "`match`: '\\<' has this meaning only for grep -E: write \\b" },
        { "(x\\>)", "`match`: '\\>' has this meaning only for grep -E: write \\b" },
        { "(x{,3})", "`match`: '{,' has this meaning only for grep -E: write {0," },
        { "(\\C)", "`match`: '(\\C)' is not a regular expression: " },
        { "([[.a.]])", "`match`: '([[.a.]])' is not a regular expression: " },
        { "((((a{1,255}){1,255}){1,255}){1,255})",
          "`match`: '((((a{1,255}){1,255}){1,255}){1,255})' is not a regular expression: regular expression "
          "is too large" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sb_error error = { 0 };

        assert_int_equal(sb_text_stages_check(&(struct sb_subject) { .match = rows[i].pattern }, &error), SB_INVALID);
        if (strncmp(error.text, rows[i].line, strlen(rows[i].line)) != 0)
            fail_msg("'%s' instead of '%s'", error.text, rows[i].line);
    }
}
