/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which texts are read as permutations, and the error for those that are not. The result is the same
 * wherever chunks end.
 */
#include "unit/test.h"

#include "unit/stream_expect.h"

TEST(integers_are_separated_by_anything_else)
{
    const char *const lines[] = { "0 4 2 1 3\n",
                                  "[0,4,2,1,3]\n",
                                  "[0 4 2 1 3]\n",
                                  "0\t4\t2\t1\t3\r\n",
                                  "  0,4,2, 1;3  \n",
                                  "00 04 02 01 03\n",
                                  "0_4_2_1_3\n",
                                  "(0|4|2|1|3)",
                                  "0 4 2 1 3",
                                  "\n\n 0 4 2 1 3\n\n",
                                  "# 9 9\n0 4 2 1 3 # 7\n",
                                  "0 \xe2\x86\x92 4 2 1 3\n" };

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        expect(&text_form, lines[i], "0 4 2 1 3");
    expect(&text_form, "", "");
    expect(&text_form, "\n#\n \r\n", "");
}

TEST(the_first_line_says_how_many_and_from_where)
{
    expect(&text_form, "0 1 2\n2 1 0\n", "0 1 2|2 1 0");
    expect(&text_form, "1 2 3\n3 2 1\n", "0 1 2|2 1 0");
    expect(&text_form, "0\n0\n", "0|0");
    expect(&text_form, "1\n1\n", "0|0");
    expect(&text_form, "1 2 3\n0 1 2\n", "0 1 2:script, line 2: 0 is not in 1..3, as the first one was counted*");
    expect(&text_form, "0 1 2\n1 2 3\n", "0 1 2:script, line 2: 3 is not in 0..2, as the first one was counted*");
    expect(&text_form, "1\n0\n", "0:script, line 2: 0 is not in 1..1*");
    expect(&text_form, "5\n", ":script, line 1: a single item: print all items*");
    expect(&text_form, "2 3 4\n", ":script, line 1: 4 is not in 1..3: name all items, as in `cards` \"2 3 4\"; hands*");
    expect(&text_form, "0 7 1\n", ":script, line 1: 7 is not in 0..2*");
}

TEST(what_the_form_says_holds)
{
    struct sb_subject form = text_form;

    form.n = 3;
    expect(&form, "3 1 2\n", "2 0 1");
    expect(&form, "3 1 2 4\n", ":script, line 1: 4 integers instead of 3*");
    form.base = "0";
    expect(&form, "3 1 2\n", ":script, line 1: 3 is not in 0..2*");
    form.base = "1";
    expect(&form, "0 1 2\n", ":script, line 1: 0 is not in 1..3*");
}

TEST(each_slip_has_its_line)
{
    const char *const slips[][2] = {
        { "0 1 1\n", "1 comes twice, and 2 is missing: print each item once, or name equal items in `cards`" },
        { "0 1\n", "2 integers instead of 3: print a permutation a line, or say `free`*" },
        { "0 1", "2 integers instead of 3*" },
        { "0 1 2 2\n", "4 integers instead of 3*" },
        { "0 1 3\n", "3 is not in 0..2*" },
        { "0 1 99999999999999999999999\n", "a number above 10000000 is not in 0..2*" },
        { "0 1 4294967298\n", "a number above 10000000*" },
        { "shuffling...\n", "no numbers in 'shuffling': name items with `cards` \"A B C\", in their order before "
                            "the shuffle; begin a header with #; lines of a log take `match`" },
        { "[]\n", "no integers*" },
        { "0 -1 2\n", "a sign or a point beside a digit*" },
        { "0 +1 2\n", "a sign or a point beside a digit*" },
        { "0 1.5 2\n", "a sign or a point beside a digit*" },
        { "0-1-2\n", "a sign or a point beside a digit*" },
        { "0 1 2.\n", "a sign or a point beside a digit*" },
        { "0 1 2\r\r\n", "a control byte 0x0d with no 0x0a after it*" },
        { "0 1 2\r", "a control byte 0x0d with no 0x0a after it*" },
        { "0 1 \x1b[31m2\n", "a control byte 0x1b, which begins a colour code: print without colours" },
        { "0 1 2 # \x07\n", "a control byte 0x07*" },
        { "0 1 2\x7f\n", "a control byte 0x7f*" },
    };

    for (size_t i = 0; i < sizeof slips / sizeof slips[0]; i++) {
        char text[128], expected[256];

        snprintf(text, sizeof text, "2 1 0\n# a comment\n\n0 2 1\n%s", slips[i][0]);
        snprintf(expected, sizeof expected, "2 1 0|0 2 1:script, line 5: %s", slips[i][1]);
        expect(&text_form, text, expected);
    }
    expect_bytes(&text_form, "0 1\n0 1\0\n", 9, "0 1:script, line 2: a control byte 0x00*");
    expect(&text_form, "- 0 1 2\n", "0 1 2"); /* a list, and no sign beside a digit */
}

/* The fast parser takes 64 bytes at a time. What is too much for a line is found there, too, and no number is taken for
 * a part of the next one. */
TEST(numbers_may_stand_far_behind)
{
    struct sb_subject form = text_form;
    char text[400];

    for (int blanks = 1; blanks < 140; blanks += 46) {
        snprintf(text, sizeof text, "0 1 2\n2 1 0%*s1\n0 1 2\n%80s\n", blanks, "", "");
        expect(&text_form, text, "0 1 2:script, line 2: 4 integers instead of 3*");
        snprintf(text, sizeof text, "0 1 2\n2 1 0%*s\n%80s\n", blanks, "", "");
        expect(&text_form, text, "0 1 2|2 1 0");
    }
    form.n = 200;
    form.deal = 3;
    snprintf(text, sizeof text, "100 150 199\n4%63s1 2\n%80s\n", "", "");
    expect(&form, text, "100 150 199|4 1 2");
    snprintf(text, sizeof text, "100 150 199\n4 1 2%63s3\n%80s\n", "", "");
    expect(&form, text, "100 150 199:script, line 2: 4 integers instead of 3*");
}

/* Permutations in comments do not count, also if several lines look alike. */
TEST(comments_are_no_deals)
{
    expect(&text_form, "0 1 2\n# 1 2 0\n# 2 1 0\n# 2 0 1\n1 0 2\n", "0 1 2|1 0 2");
    expect(&text_form, "# 1 2 0\n# 2 1 0\n0 1 2\n# 2 0 1\n# 2 1 0\n0 2 1\n1 0 2\n", "0 1 2|0 2 1|1 0 2");
    expect(&text_form, "0 1 2 # 5\n1 0 2 # 5\n#0 1 2 #5\n#0 2 1 #5\n", "0 1 2|1 0 2");
    expect(&text_form, "0 1 2\n#\n#\n\n\n2 1 0\n", "0 1 2|2 1 0");
    expect(&text_form, "1\n#1\n#1\n#1\n1\n", "0|0");
}

TEST(deals_are_counted_from_zero_unless_told)
{
    struct sb_subject form = text_form;

    form.n = 5;
    form.deal = 2;
    expect(&form, "4 0\n1 3\n", "4 0|1 3");
    expect(&form, "4 4\n", ":script, line 1: 4 comes twice: deal each item once at most");
    expect(&form, "1 3\n1 5\n", "0 2|0 4"); /* the first line with item 0, or item n, shows which it is */
    expect(&form, "1 3\n0 2\n1 5\n", "1 3|0 2:script, line 3: 5 is not in 0..4: if it counts from 1, say `base=1`");
    expect(
        &form,
        "1 3\n1 3\n1 3\n1 3\n1 3\n1 3\n1 3\n1 3\n1 3\n1 3\n1 3\n1 3\n1 3\n1 3\n1 3\n1 3\n"
        "1 3\n1 3\n1 3\n1 3\n1 3\n1 3\n1 3\n1 3\n1 3\n1 3\n1 3\n1 3\n1 3\n1 3\n1 3\n1 3\n1 5\n",
        "1 3|1 3|1 3|1 3|1 3|1 3|1 3|1 3|1 3|1 3|1 3|1 3|1 3|1 3|1 3|1 3|1 3|1 3|1 3|1 3|1 3|1 3|1 3|1 3|1 3|1 3|1 3|1 "
        "3|"
        "1 3|1 3|1 3|1 3:script, line 33: 5 is not in 0..4: if it counts from 1, say `base=1`"); /* 32 are looked at */
    form.kept = true; /* the next run would judge by other lines */
    expect(&form, "1 3\n1 5\n", "1 3:script, line 2: 5 is not in 0..4: if it counts from 1, say `base=1`");
    form.kept = false;
    expect(&form, "1 9\n", ":script, line 1: 9 is not in 0..4: correct `n` or `base`");
    expect(&form, "1 2 3\n", ":script, line 1: 3 integers instead of 2*");
    form.base = "1";
    expect(&form, "1 5\n", "0 4");
    expect(&form, "1 0\n", ":script, line 1: 0 is not in 1..5: correct `n` or `base`");
}

TEST(free_text_ignores_the_ends_of_lines)
{
    struct sb_subject form = text_form;

    form.free = true;
    form.n = 3;
    expect(&form, "1 2\n3 3\n2 1 # 7 8\n1\n3\n2", "0 1 2|2 1 0|0 2 1");
    expect(&form, "0 1\n2 0 1", "0 1 2:script, line 2: it ends after 2 of 3 items*");
    expect(&form, "0 1 2 0 1\n1", "0 1 2:script, line 2: 1 comes twice*");
    expect(&form, "0 1 2 2 -1", "0 1 2:script, line 1: a sign or a point*");
    form.n = 0;
    expect(&form, "0 1 2", ":`free`: say of how many items, `n=N`");
}

TEST(cards_have_names)
{
    struct sb_subject form = text_form;

    form.cards = "A\xe2\x99\xa0 A\xe2\x99\xa5 10\xe2\x99\xa0";
    expect(&form, "['A\xe2\x99\xa5', '10\xe2\x99\xa0', 'A\xe2\x99\xa0'] # comment\n", "1 2 0");
    expect(&form, "A\xe2\x99\xa0 A\xe2\x99\xa0 10\xe2\x99\xa0\n",
           ":script, line 1: 'A\xe2\x99\xa0' comes twice, and 'A\xe2\x99\xa5' is missing*");
    form.cards = "A, B, C-";
    expect(&form, "C- B A\nA B C-\n", "2 1 0|0 1 2");
    expect(&form, "A B\n", ":script, line 1: 2 names instead of 3*");
    expect(&form, "A B C\n", ":script, line 1: 'C' is none of the 3 names: correct `cards`, or begin a header with #");
    expect(&form, "A B \x9b\n", ":script, line 1: '\xef\xbf\xbd' is none of the 3 names: correct `cards`*");
    expect(&form, "A B Supercalifragilisticexpialidocious\n", ":script, line 1: 'Supercalifragilistic...' is*");
    form.n = 4;
    expect(&form, "A B C-\n", ":`cards` has 3 names, and `n` is 4: leave `n` out");
    form.n = 0;
    form.deal = 2;
    expect(&form, "C- A\n", "2 0");
    form.cards = "A B A"; /* equal cards get their numbers in order */
    expect(&form, "B A\nA A\n", "1 0|0 2");
    expect(&form, "B B\n", ":script, line 1: more than 1 times 'B': print each card as often as `cards` names it");
    form.cards = "A #";
    expect(&form, "A B\n", ":`cards` '#': a name has no control characters, and no #*");
    form.cards = " ";
    expect(&form, "A B\n", ":`cards` has 0 names*");
}

TEST(binary_items_are_little_endian)
{
    struct sb_subject form = { .input = "u8", .n = 3, .timeout = 60 };

    expect_bytes(&form, "\2\0\1\0\1\2", 6, "2 0 1|0 1 2");
    expect_bytes(&form, "\2\3\1\1\3\2", 6, "1 2 0|0 2 1");
    expect_bytes(&form, "\2\0\1\0\1\3", 6, "2 0 1:script, permutation 2 at byte 3: 3 is not in 0..2*");
    expect_bytes(&form, "\2\0\1\0\1\1", 6, "2 0 1:script, permutation 2 at byte 3: 1 comes twice, and 2 is missing*");
    expect_bytes(&form, "\2\0\1\0\1", 5, "2 0 1:script, permutation 2 at byte 3: it ends after 2 of 3 bytes*");
    form.input = "u16";
    expect_bytes(&form, "\2\0\0\0\1\0", 6, "2 0 1");
    expect_bytes(&form, "\2\0\0\0\0\1", 6, ":script, permutation 1 at byte 0: 256 is not in 0..2*");
    form.input = "u32";
    expect_bytes(&form, "\1\0\0\0\0\0\0\0\2\0\0\0", 12, "1 0 2");
    expect_bytes(&form, "\1\0\0\0\0\0\0\0\2\0\0\1", 12, ":script, permutation 1 at byte 0: 16777218 is not in 0..2*");
    form.deal = 2;
    expect_bytes(&form, "\1\0\0\0\0\0\0\0\2\0\0\0\1\0\0\0", 16, "1 0|2 1");
    form.n = 0;
    expect_bytes(&form, "\1", 1, ":`input=u32` has no header: say `n=N`");
    form = (struct sb_subject) { .input = "u8", .n = 257 };
    expect_bytes(&form, "\1", 1, ":`input=u8`: items of n = 257 do not fit a byte: use u16");
}

TEST(forms_that_contradict_themselves_are_refused)
{
    const struct {
        struct sb_subject form;
        const char *expected;
    } slips[] = {
        { { .input = "u8", .n = 3, .cards = "A" }, ":`input=u8`: `cards` is for text: leave it out" },
        { { .input = "u8", .n = 3, .free = true }, ":`input=u8`: `free` is for text: leave it out" },
        { { .deal = 3 }, ":`deal`: say of how many items, `n=N`" },
        { { .n = 3, .deal = 4 }, ":`deal=4`: there are only 3 items" },
        { { .n = 10000001 }, ":`n=10000001`: 10000000 items are the most" },
        { { .base = "1", .cards = "A" }, ":`cards`: names have no `base`: leave it out" },
    };

    for (size_t i = 0; i < sizeof slips / sizeof slips[0]; i++)
        expect(&slips[i].form, "0 1 2\n", slips[i].expected);
}

/* All items backwards, in text: 89 MB. */
TEST(the_largest_deck_fits)
{
    char *const text = malloc(11 * (size_t)SB_ITEMS_MOST);
    size_t used = 0;

    assert_non_null(text);
    for (unsigned item = SB_ITEMS_MOST; item > 0; item--)
        used += (size_t)sprintf(text + used, "%u, ", item);
    text[used++] = '\n';
    strcpy(text + used, "10000001\n");
    struct outcome outcome = outcome_read(text, used, &text_form, 77777, 10);

    assert_int_equal(outcome.error.status, SB_OK);
    assert_int_equal(outcome.count, 1);
    assert_int_equal(outcome.n, SB_ITEMS_MOST);
    for (unsigned j = 0; j < SB_ITEMS_MOST; j++)
        if (outcome.items[j] != SB_ITEMS_MOST - 1 - j)
            fail_msg("item %u at position %u", (unsigned)outcome.items[j], j);
    outcome_close(&outcome);
    text[used - 1] = ' '; /* one item more */
    outcome = outcome_read(text, used + 9, &text_form, 100000, 10);
    assert_non_null(strstr(outcome.error.text, "line 1: 10000001 integers: a permutation has 10000000 items at most"));
    outcome_close(&outcome);
    free(text);
}

/* ---- stream labels ---- */

/* Words among integers: which words are allowed, and the error for a word that may be an item. */

/* What stands before the numbers on each line alike cannot be an item, nor what stands before each number. */
TEST(titles_and_labels_may_stand)
{
    const char *const titles[][2] = {
        { "deck: %d %d %d\n", "0 2 1|1 0 2" },
        { "  deck=%d,%d,%d\n", "0 2 1|1 0 2" },
        { "deck %d %d %d\n", "0 2 1|1 0 2" },
        { "p: %d %d %d\n", "0 2 1|1 0 2" },
        { "Shuffled deck: [%d, %d, %d]\n", "0 2 1|1 0 2" },
        { "{\"deck\": [%d, %d, %d]}\n", "0 2 1|1 0 2" },
        { "array([%d, %d, %d])\n", "0 2 1|1 0 2" },
        { "deck [%d %d %d]\n", "0 2 1|1 0 2" },
        { "\xef\xbb\xbf\"d\xc3\xa9\" : %d %d %d # deck\n", "0 2 1|1 0 2" },
        { "card%d card%d card%d\n", "0 2 1|1 0 2" },
        { "c%d,c%d,c%d\n", "0 2 1|1 0 2" },
        { "deck: card_%d, card_%d, card_%d\n", "0 2 1|1 0 2" },
        { "[{\"id\": %d}, {\"id\": %d}, {\"id\": %d}]\n", "0 2 1|1 0 2" },
        { "%d\xe2\x86\x92%d \xe2\x86\x92 %d\n", "0 2 1|1 0 2" },
    };

    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++) {
        char text[256];
        int used = snprintf(text, sizeof text, titles[i][0], 0, 2, 1);

        snprintf(text + used, sizeof text - (size_t)used, titles[i][0], 1, 0, 2);
        expect(&text_form, text, titles[i][1]);
    }
    const struct sb_subject hands = { .n = 3, .deal = 1, .timeout = 60 };
    const struct sb_subject broken = { .n = 3, .free = true, .timeout = 60 };

    expect(&hands, "top: 2\ntop: 0\n", "2|0");
    expect(&broken, "deck: 0 2\n1 deck: 1\n0 2\n", "0 2 1|1 0 2");
    expect(&broken, "c0 c2\nc1 c1 c0 c2", "0 2 1|1 0 2");
}

#define NO_NUMBER(word) "'" word "' is not a number: print items as whole numbers*"

/* Sixteen items in hexadecimal are not ten items. */
TEST(words_among_numbers_are_errors)
{
    const char *const slips[][2] = {
        { "c 1 2 9 3 8 f 0 a 4 e 5 7 6 d b\n", NO_NUMBER("c") },
        { "1 2 9 3 8 f 0 a 4 e 5 7 6 d c b\n", NO_NUMBER("f") },
        { "0 1 2 3 4 5 6 7 8 9 a\n", NO_NUMBER("a") },
        { "c,1,2,0\n", NO_NUMBER("c") },
        { "[\"c\", 1, 2, 0]\n", NO_NUMBER("c") },
        { "A 2 3 1", NO_NUMBER("A") },
        { "Joker, 2, 3, 1\n", NO_NUMBER("Joker") },
        { "['Joker', 2, 3, 1]\n", NO_NUMBER("Joker") },
        { "0 1 null 2\n", NO_NUMBER("null") },
        { "0 and 1 and 2\n", NO_NUMBER("and") },
        { "deck: 0 1 2 and more\n", NO_NUMBER("and") },
        { "deck: 0 x 1 2\n", NO_NUMBER("x") },
        { "card 1 2 card 3\n", NO_NUMBER("card") },
        { "0 c1 2\n", NO_NUMBER("c") },
        { "0 \xe2\x99\xa0 1 2\n", NO_NUMBER("\xe2\x99\xa0") },
        { "\xd0\x90 2 3 1\n", NO_NUMBER("\xd0\x90") },
        { "0 2 1 \xe2\x86\x92x\n", NO_NUMBER("\xe2\x86\x92x") },
        { "0 \xa4 1 2\n", NO_NUMBER("\xef\xbf\xbd") },
        { "\xc2\xbd 1 2\n", NO_NUMBER("\xc2\xbd") },         /* a half */
        { "1 \xe2\x88\x9e 2\n", NO_NUMBER("\xe2\x88\x9e") }, /* infinity */
        { "\xe2\x88\x92"
          "1 2 3\n",
          NO_NUMBER("\xe2\x88\x92") },                /* a minus sign */
        { "1\xc2\xb2 2 3\n", NO_NUMBER("\xc2\xb2") }, /* squared */
        { "1\xe2\x81\x84"
          "2\n",
          NO_NUMBER("\xe2\x81\x84") }, /* a fraction stroke */
        { "0 Supercalifragilisticexpialidocious 2\n", NO_NUMBER("Supercalifragilistic...") },
        { "0a 01 00\n", "the letter 'a' right after a digit: print items as decimal numbers*" },
        { "0x0 0x2 0x1\n", "the letter 'x' right after a digit*" },
        { "10H 9H\n", "2 cards instead of 52*" },
        { "d f 1 2 0\n", NO_NUMBER("d") },
        { "0 1 d f 2\n", NO_NUMBER("d") },
        { "shuffling...\n", "no numbers in 'shuffling'*" },
    };
    const char *const later[][2] = {
        { "0 1 2\n2 x 1 0\n", NO_NUMBER("x") },
        { "0 1 2\n2 1 0 x\n", NO_NUMBER("x") },
        { "0 1 2\nx: 2 1 0\n", "'x' comes before the numbers of only some lines*" },
        { "ace: 0 1 2\nking: 2 1 0\n", "begins with 'king', and the first permutation with 'ace'*" },
        { "deck: 0 1 2\n2 1 0\n", "'deck' comes before the numbers of only some lines*" },
        { "c0 c1 c2\nc2 c1 0\n", NO_NUMBER("c") },
        { "c0 c1 c2\nc2 f1 c0\n", NO_NUMBER("f") },
    };
    char wide[1000], expected[200];

    for (size_t i = 0; i < sizeof slips / sizeof slips[0]; i++) {
        snprintf(expected, sizeof expected, ":script, line 1: %s", slips[i][1]);
        expect(&text_form, slips[i][0], expected);
    }
    for (size_t i = 0; i < sizeof later / sizeof later[0]; i++) {
        snprintf(expected, sizeof expected, "0 1 2:script, line 2: %s", later[i][1]);
        expect(&text_form, later[i][0], expected);
    }
    for (int arrows = 0; arrows < 86; arrows++) /* more than fits are no separator */
        strcpy(wide + (size_t)3 * (size_t)arrows, "\xe2\x86\x92");
    strcpy(wide + 258, " 1 2 3\n");
    expect(&text_form, wide, ":script, line 1: more than 255 bytes of words before a number*");
    const struct sb_subject broken = { .n = 3, .free = true, .timeout = 60 };

    expect(&broken, "0 2 c 1", ":script, line 1: " NO_NUMBER("c"));
    expect(&broken, "0 2 1\nend\n", "0 2 1:script, line 3: " NO_NUMBER("end"));
    expect(&broken, "a 0 2 1", ":script, line 1: " NO_NUMBER("a"));
}
