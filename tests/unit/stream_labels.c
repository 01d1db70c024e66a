/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words among integers: which words are allowed, and the error for a word that may be an item. */
#include "unit/test.h"

#include "unit/stream_expect.h"

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
    const struct sb_form hands = { .n = 3, .deal = 1, .base = -1, .timeout = 60 };
    const struct sb_form broken = { .n = 3, .free = true, .base = -1, .timeout = 60 };

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
        { "10H 9H\n", "the letter 'H' right after a digit*" },
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
    const struct sb_form broken = { .n = 3, .free = true, .base = -1, .timeout = 60 };

    expect(&broken, "0 2 c 1", ":script, line 1: " NO_NUMBER("c"));
    expect(&broken, "0 2 1\nend\n", "0 2 1:script, line 3: " NO_NUMBER("end"));
    expect(&broken, "a 0 2 1", ":script, line 1: " NO_NUMBER("a"));
}
