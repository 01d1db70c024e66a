/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The naive swap on three cards: 27 paths cannot be divided evenly among 6 orders. For n cards there are n^n
 * paths and n! orders. For n >= 3, n - 1 divides n! but does not divide n^n, because n - 1 and n have no
 * common factor.
 */
#include "lesson/lesson.h"

#include "report/page.h"

#include <inttypes.h>
#include <string.h>

/* Writes the counts of all orders: "123: 4, 132: 5, ...". */
static void three_counts(const struct sb_report *law, char text[256])
{
    text[0] = '\0';
    for (size_t rank = 0; rank < law->evidence.cells; rank++)
        snprintf(text + strlen(text), 256 - strlen(text), "%s%.16s has %" PRIu64,
                 rank == 0                         ? ""
                 : rank + 1 == law->evidence.cells ? " and "
                                                   : ", ",
                 sb_exact_notation(&law->evidence, rank).text, sb_numbers_u64(&law->evidence.counts, rank));
}

static void three_naive(struct sb_lesson *lesson)
{
    const struct sb_explain *const naive = sb_lesson_explain(lesson, "naive", 3);
    const struct sb_report *const law = sb_lesson_law(lesson, "naive", 3);
    const struct sb_report *const two = sb_lesson_law(lesson, "naive", 2);
    char counts[256];

    if (!two)
        return;
    const uint64_t paths = law->evidence.total, orders = law->evidence.cells;
    const uint64_t least = sb_numbers_u64(&law->evidence.counts, law->effect.least[0]);
    const uint64_t most = sb_numbers_u64(&law->evidence.counts, law->effect.most[0]);

    three_counts(law, counts);
    sb_lesson_say(lesson, "This shuffle looks right. It swaps each position in turn with a position drawn "
                          "from the whole deck:");
    sb_lesson_code(lesson, naive->pseudocode);
    sb_lesson_ask(lesson);
    sb_lesson_say(lesson,
                  "With %zu cards it draws %zu times, each time one of %zu. There are %zu \u00D7 %zu \u00D7 "
                  "%zu = %" PRIu64
                  " series of answers, all equally likely, and each of them is a path to one of 3! = %" PRIu64
                  " orders. Follow the paths, and count where they end: %s.",
                  naive->n, naive->n, naive->n, naive->n, naive->n, naive->n, paths, orders, counts);
    sb_lesson_say(lesson, "Here is one of the paths, swap by swap, with the orders that are still possible:");
    sb_lesson_walk(lesson, "naive", 3, "2,0,1");
    sb_lesson_slide(lesson, &(const struct sb_lesson_slide) { .scheme = { "naive" },
                                                              .figure = { "tree", "bars", "matrix" },
                                                              .least = 3,
                                                              .most = 6,
                                                              .shown = 3 });
    sb_lesson_section(lesson, "Why it cannot be otherwise");
    sb_lesson_say(lesson,
                  "%" PRIu64 " paths cannot be divided evenly among %" PRIu64 " orders: %" PRIu64
                  " = %" PRIu64 " \u00D7 %" PRIu64 " + %" PRIu64
                  ". Each order would need %s paths, and there are no half paths. So some have %" PRIu64
                  " and others %" PRIu64 ": the rarest order comes up %" PRIu64 "/%" PRIu64
                  " as often as the likeliest. No other choice of swaps would help, as long as there are "
                  "three draws with three answers each.",
                  paths, orders, paths, paths / orders, orders, paths % orders,
                  sb_number_short((double)paths / (double)orders, 2).text, least, most, least, most);
    sb_lesson_say(
        lesson,
        "The problem is not that there are more paths than orders. With %zu cards there are %" PRIu64
        " paths and %zu orders, and %" PRIu64 " of them lead to each: the very same program is fair.",
        two->evidence.n, two->evidence.total, two->evidence.cells, sb_numbers_u64(&two->evidence.counts, 0));
    sb_lesson_say(lesson,
                  "From three cards on it is never fair. For n cards there are n^n paths and n! "
                  "orders. The number n \u2212 1 is one of the factors of n!. It has no factor in common "
                  "with n, so it does not divide n \u00D7 n \u00D7 ... \u00D7 n, unless it is 1.");
}

static void three_fix(struct sb_lesson *lesson)
{
    const struct sb_explain *const fair = sb_lesson_explain(lesson, "fisher-yates", 3);
    const struct sb_report *const law = sb_lesson_law(lesson, "fisher-yates", 3);

    if (!law)
        return;
    sb_lesson_section(lesson, "The fix is one number");
    sb_lesson_say(lesson, "Draw only from the cards that have no final position yet:");
    sb_lesson_code(lesson, fair->pseudocode);
    sb_lesson_say(
        lesson,
        "Now there are 3 \u00D7 2 = %s paths for %s orders, one for each. The same holds for n "
        "cards. The draws have n answers, then n \u2212 1, down to 2, so there are n! paths. No two "
        "paths end in the same order: the first draw decides which card is last, the next draw "
        "decides which card is next to last, and these cards never move again.",
        fair->series, fair->total);
    sb_lesson_walk(lesson, "fisher-yates", 3, "0,1");
    sb_lesson_slide(lesson, &(const struct sb_lesson_slide) { .scheme = { "fisher-yates" },
                                                              .figure = { "tree", "bars", "matrix" },
                                                              .least = 3,
                                                              .most = 6,
                                                              .shown = 3 });
}

/* Writes the section about the naive swap with more cards. */
static void three_more(struct sb_lesson *lesson)
{
    enum { MORE_MOST = 8 };
    struct sb_table table;

    sb_lesson_section(lesson, "With more cards it gets worse");
    sb_lesson_table_open("rrrrrrr",
                         (const char *const[]) { "cards", "paths", "orders", "left over", "rarest order",
                                                 "likeliest", "total variation" },
                         &table);
    for (size_t n = 2; n <= MORE_MOST; n++) {
        const struct sb_report *const law = sb_lesson_law(lesson, "naive", n);

        if (!law)
            break;
        uint64_t paths = 1;
        for (size_t i = 0; i < n; i++)
            paths *= n;
        sb_table_add(&table, SB_INK_STRONG, "%zu", n);
        sb_table_add(&table, SB_INK_PLAIN, "%s", sb_number_grouped(paths).text);
        sb_table_add(&table, SB_INK_PLAIN, "%s", sb_number_grouped(law->evidence.cells).text);
        sb_table_add(&table, SB_INK_PLAIN, "%s", sb_number_grouped(paths % law->evidence.cells).text);
        sb_table_add(&table, SB_INK_UNDER, "%s", sb_number_fixed(law->effect.min_ratio, 3).text);
        sb_table_add(&table, SB_INK_OVER, "%s", sb_number_fixed(law->effect.max_ratio, 3).text);
        sb_table_add(&table, SB_INK_PLAIN, "%s", sb_number_fixed(law->effect.total_variation, 4).text);
    }
    sb_lesson_table(lesson, &table);
    sb_lesson_say(lesson,
                  "The table shows exact results for the naive swap. \u201CLeft over\u201D is the remainder "
                  "when the paths are divided among the orders. The rarest and the likeliest order are "
                  "multiples of their fair share, which is 1. The total variation is the share of shuffles "
                  "that would have to end in another order to make the shuffle fair.");
}

static void three_write(struct sb_lesson *lesson)
{
    three_naive(lesson);
    three_fix(lesson);
    three_more(lesson);
}

static void three_ask(struct sb_lesson *lesson, struct sb_lesson_question *question)
{
    enum { ASK_OPTIONS = 4 };
    const struct sb_report *const law = sb_lesson_law(lesson, "naive", 3);
    const struct sb_explain *const path = sb_lesson_path(lesson, "naive", 3, "1,2,0");
    char end[SB_NOTATION_ROOM];

    if (!path)
        return;
    const uint64_t least = sb_numbers_u64(&law->evidence.counts, law->effect.least[0]);

    sb_lesson_set(question->text,
                  "Before you count: which of these orders does the naive swap deal least often?");
    for (size_t rank = 0; rank < ASK_OPTIONS; rank++) {
        const uint64_t paths = sb_numbers_u64(&law->evidence.counts, rank);

        sb_lesson_option(question, paths == least, sb_exact_notation(&law->evidence, rank).text,
                         "%" PRIu64 " of the %" PRIu64 " paths lead to it; a fair share would be %s.", paths,
                         law->evidence.total,
                         sb_number_short((double)law->evidence.total / (double)law->evidence.cells, 2).text);
    }
    sb_permutation_notation(path->n, path->n, path->result, end, sizeof end);
    sb_lesson_set(question->task,
                  "The naive swap exchanges position i with position draw(3), for i = 0, 1 and 2. "
                  "The draws are 1, 2 and 0. How does 123 end?");
    sb_lesson_set(question->solution, "As %s, like %" PRIu64 " of the %" PRIu64 " paths.", end,
                  sb_numbers_u64(&law->evidence.counts, sb_permutation_cell(path->n, path->n, path->result)),
                  law->evidence.total);
}

const struct sb_lesson_type sb_lesson_three_cards = {
    .file = "three-cards.html",
    .title = "Three cards",
    .summary = "The first shuffle that most people write, on three cards, and why its paths cannot be divided evenly.",
    .sources = "Jeff Atwood, The Danger of Na\u00EFvet\u00E9 (2007). Richard Durstenfeld, Algorithm 235: "
               "Random permutation, Communications of the ACM 7 (1964). Daniel Goldstein and David Moews, "
               "The identity is the most likely exchange shuffle for large n, arXiv:math/0010066.",
    .write = three_write,
    .ask = three_ask,
    .plan = { 30, { "Follow a shuffle draw by draw, and count its paths.",
                    "Explain why the paths cannot be shared out evenly among the orders.",
                    "Correct the naive swap, and say why the correction is fair." },
              "Give three cards and a die to each pair of students. Ask the question and take a vote. Each pair "
              "plays ten paths of the naive swap, and the class adds up the ends (15 minutes). Compare with the "
              "tree. Then ask which number of the program to change." },
    .tries = {
        { "explain naive", 0, "All 27 paths as a tree, and the argument." },
        { "explain naive --path 0,2,1", 0, "One path, swap by swap." },
        { "report naive fisher-yates -n 4 --by exact", 0, "The same comparison with four cards." },
        { "gate naive", 1, "The gate detects the bias by shuffling alone, without reading the program." },
        { "gate fisher-yates", 0, "The correct shuffle passes." },
    },
};
