/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rand() % n: the generator has W different words, and each answer below n comes from floor(W/n) or
 * floor(W/n) + 1 of them. The lesson shows the effect on a shuffle, and how many shuffles show the bias.
 */
#include "lesson/lesson.h"

#include <inttypes.h>
#include <math.h>

static void modulo_die(struct sb_lesson *lesson)
{
    const uint64_t words = UINT64_C(1) << 15, sides = 6, cards = 20000;
    const uint64_t each = words / sides, over = words % sides;

    sb_lesson_say(lesson, "To draw one of six numbers, many programs write");
    sb_lesson_code(lesson, "rand() % 6\n");
    sb_lesson_ask(lesson);
    sb_lesson_say(
        lesson,
        "`rand()` gives one of %s words where `RAND_MAX` is %s, the smallest value that the C standard "
        "allows, and the value in Microsoft's library. But %s = %s \u00D7 %" PRIu64 " + %" PRIu64
        ". The %" PRIu64 " words that are left over go to the lowest answers: each answer below %" PRIu64
        " is made of %s words, each other one of %s. The low answers are %s%% more frequent.",
        sb_number_grouped(words).text, sb_number_grouped(words - 1).text, sb_number_grouped(words).text,
        sb_number_grouped(each).text, sides, over, over, over, sb_number_grouped(each + 1).text,
        sb_number_grouped(each).text, sb_number_short(100 / (double)each, 3).text);
    sb_lesson_say(lesson,
                  "With a die, a player will never notice. The bias grows with the bound of the draw: with "
                  "`rand() %% %" PRIu64
                  "` the %s words go round once, and then only to the first %s answers: %" PRIu64
                  " words for each of these, and %" PRIu64 " for each of the rest.",
                  cards, sb_number_grouped(words).text, sb_number_grouped(words % cards).text,
                  words / cards + 1, words / cards);
}

static void modulo_small(struct sb_lesson *lesson)
{
    const struct sb_report *const law = sb_lesson_law(lesson, "fisher-yates/modulo:3", 3);
    const uint64_t words = UINT64_C(1) << 3;

    if (!law)
        return;
    sb_lesson_section(lesson, "Seen with three bits");
    sb_lesson_say(lesson,
                  "With words of three bits a draw below 3 is made of %" PRIu64 ", %" PRIu64 " and %" PRIu64
                  " words of %" PRIu64 ". Fisher-Yates, which is fair, then has orders with %" PRIu64
                  " and orders with %" PRIu64 " of %" PRIu64
                  " pairs of words: a fair shuffle on unfair draws is not fair.",
                  (words + 2) / 3, (words + 1) / 3, words / 3, words,
                  sb_numbers_u64(&law->evidence.counts, law->effect.least[0]),
                  sb_numbers_u64(&law->evidence.counts, law->effect.most[0]), law->evidence.total);
    sb_lesson_slide(lesson, &(const struct sb_lesson_slide) { .scheme = { "fisher-yates/modulo:3" },
                                                              .figure = { "tree", "bars", "matrix" },
                                                              .least = 3,
                                                              .most = 6,
                                                              .shown = 3 });
}

/* Adds a row for the scheme. Sets *odds to the likelihood ratio at which a test stops. */
static void modulo_row(struct sb_lesson *lesson, const char *scheme, struct sb_table *table, double *odds)
{
    const struct sb_report *const law = sb_lesson_law(lesson, scheme, 52);

    if (!law)
        return;
    *odds = 1 / law->alpha;
    sb_table_add(table, SB_INK_STRONG, "%s", scheme);
    sb_table_add(table, SB_INK_OVER, "%s%%", sb_number_short(100 * law->effect.max_excess, 3).text);
    sb_table_add(table, SB_INK_PLAIN, "%s", sb_number_short(law->effect.total_variation, 3).text);
    sb_table_add(table, SB_INK_PLAIN, "%s",
                 law->effect.total_variation > 0 ? sb_number_short(law->effect.shuffles_to_see, 3).text
                                                 : "never");
}

static void modulo_cards(struct sb_lesson *lesson)
{
    static const char *const schemes[] = {
        "fisher-yates/modulo:8",  "fisher-yates/modulo:15", "fisher-yates/multiply:15",
        "fisher-yates/modulo:31", "fisher-yates/modulo:32", "fisher-yates/multiply:53",
        "fisher-yates/lemire:32",
    };
    struct sb_table table;
    double odds = 0;

    sb_lesson_section(lesson, "Fifty-two cards");
    sb_lesson_say(lesson, "A shuffle of 52 cards draws numbers below 52, 51 and so on. Each draw adds a "
                          "little bias, and the likeliest order gains from every draw. The table shows how "
                          "far it is above its fair share, and how many shuffles it takes to see this:");
    sb_lesson_table_open(
        "lrrr", (const char *const[]) { "scheme", "likeliest", "total variation", "to see it" }, &table);
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++)
        modulo_row(lesson, schemes[i], &table, &odds);
    sb_lesson_table(lesson, &table);
    sb_lesson_say(lesson,
                  "`modulo:15` is the remainder of a word of 15 bits. `multiply:53` is the product rounded "
                  "down, as in `Math.floor(Math.random() * n)`. Multiplying is no better than taking the "
                  "remainder: just as many answers get one extra word, but different ones. Each additional "
                  "bit about halves the bias, and then it takes about four times as many shuffles to see it. "
                  "The last column is for the best possible test, which knows the biased law beforehand: on "
                  "average, it takes at least this number of shuffles until the odds are %s to 1.",
                  sb_number_grouped((uint64_t)llround(odds)).text);
}

static void modulo_fix(struct sb_lesson *lesson)
{
    const uint64_t words = UINT64_C(1) << 15, sides = 6;
    const struct sb_report *const law = sb_lesson_law(lesson, "fisher-yates/lemire:15", 6);

    if (!law)
        return;
    sb_lesson_section(lesson, "The fix");
    sb_lesson_say(
        lesson,
        "Throw the %" PRIu64 " words that are left over away, and draw again: %s = %s \u00D7 %" PRIu64
        " is divided evenly. A redraw happens once in %s draws. Lemire's method, `lemire:15`, takes one "
        "multiplication and hardly ever a "
        "division. With it, Fisher-Yates with 6 cards is exactly %s.",
        words % sides, sb_number_grouped(words - words % sides).text, sb_number_grouped(words / sides).text,
        sides, sb_number_grouped(words / (words % sides)).text, law->verdict);
    sb_lesson_code(lesson, "do\n"
                           "    r = rand();\n"
                           "while (r > RAND_MAX - (RAND_MAX % n + 1) % n);\n"
                           "r % n\n");
}

static void modulo_write(struct sb_lesson *lesson)
{
    modulo_die(lesson);
    modulo_small(lesson);
    modulo_cards(lesson);
    modulo_fix(lesson);
}

static void modulo_ask(struct sb_lesson *lesson, struct sb_lesson_question *question)
{
    enum { ASK_SIDES = 6, ASK_CARDS = 52 };
    const uint64_t words = UINT64_C(1) << 15, over = words % ASK_CARDS;
    const struct sb_number all = sb_number_grouped(words);

    (void)lesson;
    sb_lesson_set(question->text,
                  "`rand()` gives each of %s words equally often, from 0 on. Which answers of `rand() %% %d` "
                  "come up more often than the others?",
                  all.text, ASK_SIDES);
    for (uint64_t low = 0; low < ASK_SIDES; low += 2) {
        /* answer a comes from the words a, a + 6, ...: those below 2^15 */
        const uint64_t first = (words - low + ASK_SIDES - 1) / ASK_SIDES;
        const uint64_t second = (words - low - 1 + ASK_SIDES - 1) / ASK_SIDES;
        char text[64];

        snprintf(text, sizeof text, "%" PRIu64 " and %" PRIu64, low, low + 1);
        sb_lesson_option(question, first > words / ASK_SIDES && second > words / ASK_SIDES, text,
                         "%s words give the answer %" PRIu64 ", and %s the answer %" PRIu64 ".",
                         sb_number_grouped(first).text, low, sb_number_grouped(second).text, low + 1);
    }
    sb_lesson_option(question, words % ASK_SIDES == 0, "none: all equally often",
                     "%s is not a multiple of %d: %" PRIu64 " words are left over.", all.text, ASK_SIDES,
                     words % ASK_SIDES);
    sb_lesson_set(
        question->task,
        "Divide the %s words among %d cards. How many words are left over, and which answers get one "
        "more?",
        all.text, ASK_CARDS);
    sb_lesson_set(question->solution,
                  "%s = %" PRIu64 " \u00D7 %d + %" PRIu64 ": the answers 0 to %" PRIu64 " get one more.",
                  all.text, words / ASK_CARDS, ASK_CARDS, over, over - 1);
}

const struct sb_lesson_type sb_lesson_modulo = {
    .file = "modulo.html",
    .title = "The modulo",
    .summary = "Why rand() % 6 favours low numbers, by how much, and when that matters.",
    .sources = "comp.lang.c FAQ, question 13.16. ISO/IEC 9899:2018, 7.22.2. Daniel Lemire, Fast Random "
               "Integer Generation in an Interval, ACM TOMACS 29 (2019), doi:10.1145/3230636.",
    .write = modulo_write,
    .ask = modulo_ask,
    .plan = { 20, { "Say which answers of a remainder are too frequent, and by how much.",
                    "Say when this bias matters: how large is the bound beside the number of words?",
                    "Write a draw without this bias, by drawing again." },
              "Take a vote on the question. Deal eight cards, the words, to three players in turn: who gets "
              "more? Then divide the words among six answers, and among 52, together. End with the loop that throws words away." },
    .tries = {
        { "explain fisher-yates/modulo:15 -n 6", 0, "What the draw adds, in words." },
        { "report fisher-yates/modulo:15 -n 52 --by exact", 0, "The exact law of a deck of 52." },
        { "plan fisher-yates/modulo:15 -n 52", 0, "How many decks each test needs to see it." },
        { "gate fisher-yates/modulo:3", 1, "With three bits, the gate soon sees the bias." },
        { "gate fisher-yates/modulo:15 -n 6 --exclude 0.05", 0,
          "With fifteen bits, this number of shuffles does not show it." },
    },
};
