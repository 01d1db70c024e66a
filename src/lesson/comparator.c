/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sort whose comparison tosses a coin. The probability of every order is a multiple of 2^-m for some m, but
 * for n >= 3, 1/n! is not such a multiple. The probabilities depend on the sort.
 */
#include "lesson/lesson.h"

#include "report/exact_text.h"
#include "study/results.h"

#include <inttypes.h>
#include <string.h>

static const char comparator_timsort[] = "sort-timsort";

/* Writes the counts and the denominator: "6 1 2 1 1 5 of 16". */
static void comparator_counts(const struct sb_report *law, char text[128])
{
    text[0] = '\0';
    for (size_t rank = 0; rank < law->evidence.cells; rank++)
        snprintf(text + strlen(text), 128 - strlen(text), "%" PRIu64 " ",
                 sb_numbers_u64(&law->evidence.counts, rank));
    snprintf(text + strlen(text), 128 - strlen(text), "of %" PRIu64, law->evidence.total);
}

static void comparator_one(struct sb_lesson *lesson)
{
    const struct sb_explain *const how = sb_lesson_explain(lesson, comparator_timsort, 3);
    const struct sb_report *const law = sb_lesson_law(lesson, comparator_timsort, 3);
    char counts[128];

    if (!law)
        return;
    comparator_counts(law, counts);
    sb_lesson_say(lesson, "The shortest shuffle of all sorts the cards, and tosses a coin to compare two of "
                          "them. In JavaScript it takes one line:");
    sb_lesson_code(lesson, "cards.sort(() => Math.random() - 0.5)\n");
    sb_lesson_ask(lesson);
    sb_lesson_say(lesson, "A sort asks as few questions as it can and infers the rest: if a is below b, and "
                          "b below c, then a is below c. Coins do not follow this rule. V8 from 7.0 to 11.3 "
                          "(node 20) and CPython up to 3.12 share a sort for short arrays. With three cards "
                          "and a coin as the comparison, the orders 123, 132, 213, 231, 312 and 321 come up");
    sb_lesson_code(lesson, counts);
    sb_lesson_say(lesson, "times, where a fair share is %s. %s",
                  sb_number_short((double)law->evidence.total / (double)law->evidence.cells, 3).text,
                  how->why);
    sb_lesson_say(lesson, "Here is one path, coin by coin. Halving finds the place of each new card:");
    sb_lesson_walk(lesson, comparator_timsort, 3, "1,0,0,0");
    sb_lesson_slide(lesson, &(const struct sb_lesson_slide) { .scheme = { comparator_timsort },
                                                              .figure = { "tree", "bars" },
                                                              .least = 3,
                                                              .most = 6,
                                                              .shown = 3 });
    sb_lesson_section(lesson, "No number of coins is enough");
    sb_lesson_say(
        lesson,
        "A series of m tosses has probability 1/2^m, so the probability of an order is a whole number of "
        "%" PRIu64
        "ths here, and in any other sort a whole number over some power of two. The fair share is 1/%zu. "
        "Since 3 divides %zu but no power of two, the fair share is not such a number, with %" PRIu64
        " or with a million. From three cards on n! has the factor 3. So no sort that ends after a limited "
        "number of comparisons shuffles fairly by tossing coins, and better random numbers do not help.",
        law->evidence.total, law->evidence.cells, law->evidence.cells, law->evidence.total);
}

/* Adds a row for each sort of the registry. */
static void comparator_rows(struct sb_lesson *lesson, struct sb_table *table)
{
    struct sb_entry entry;

    for (size_t i = 0; sb_entry_get(i, &entry); i++) {
        if (strcmp(entry.family, "shuffle") != 0 || strncmp(entry.name, "sort-", 5) != 0 || entry.parameter)
            continue; /* a sort with a parameter sorts by keys, without coins */
        const struct sb_report *const three = sb_lesson_law(lesson, entry.name, 3);
        const struct sb_report *const four = sb_lesson_law(lesson, entry.name, 4);
        char counts[128];

        if (!four)
            return;
        comparator_counts(three, counts);
        sb_table_add(table, SB_INK_STRONG, "%s", entry.name);
        sb_table_add(table, SB_INK_PLAIN, "%s", counts);
        sb_table_add(table, SB_INK_PLAIN, "%s", sb_number_fixed(three->effect.total_variation, 4).text);
        sb_table_add(table, SB_INK_PLAIN, "%s", sb_number_fixed(four->effect.total_variation, 4).text);
        sb_table_add(table, SB_INK_OVER, "%s", sb_number_fixed(four->effect.max_ratio, 3).text);
    }
}

static void comparator_others(struct sb_lesson *lesson)
{
    struct sb_table table;

    sb_lesson_section(lesson, "It depends on the sort");
    sb_lesson_say(
        lesson,
        "Every sort asks different questions, so each has its own bias. The table shows the counts from 123 "
        "to 321 with three cards, and how far each sort is from fair with three and with four cards:");
    sb_lesson_table_open(
        "llrrr",
        (const char *const[]) { "sort", "three cards", "total variation", "with four", "likeliest of four" },
        &table);
    comparator_rows(lesson, &table);
    sb_lesson_table(lesson, &table);
    sb_lesson_say(
        lesson,
        "The last column is the likeliest order as a multiple of its fair share. No standard promises a "
        "particular sort. If a comparison contradicts itself, the order is implementation-defined in "
        "ECMAScript; in C and C++ the behaviour is undefined; Java (since 7) may throw an exception. The "
        "next version of a library may have another bias: V8 15.6 (Chromium 156) sorts fewer than 16 "
        "elements by `sort-binary-insertion`, and CPython 3.13 has 20 2 6 9 10 17 of 64. In 2010, because of "
        "this line, Microsoft's browser ballot showed one browser in the last place far too often.");
    sb_lesson_slide(lesson,
                    &(const struct sb_lesson_slide) { .scheme = { comparator_timsort, "sort-insertion" },
                                                      .figure = { "matrix" },
                                                      .least = 3,
                                                      .most = 8,
                                                      .shown = 8 });
}

static void comparator_fix(struct sb_lesson *lesson)
{
    const struct sb_report *const wide = sb_lesson_law(lesson, "sort-by-key:53", 3);
    const struct sb_report *const narrow = sb_lesson_law(lesson, "sort-by-key:8", 3);

    if (!narrow)
        return;
    sb_lesson_section(lesson, "The fix");
    sb_lesson_say(lesson,
                  "Draw one random number for each card, instead of a coin for each question, and sort by "
                  "the numbers. Then the comparisons are consistent. Cards with equal numbers keep their old "
                  "order, so the numbers must be long: for three cards with 8 bits each, the total variation "
                  "is %s; with the 53 bits of `Math.random()` it is %s. Or use the shuffle at the end of the "
                  "first lesson, which is shorter, faster and exact.",
                  sb_number_short(narrow->effect.total_variation, 2).text,
                  sb_number_short(wide->effect.total_variation, 2).text);
}

static void comparator_write(struct sb_lesson *lesson)
{
    comparator_one(lesson);
    comparator_others(lesson);
    comparator_fix(lesson);
}

/* The share with the denominator of the law that is nearest to the fair share, and the difference. */
static void comparator_task(const struct sb_report *law, struct sb_lesson_question *question)
{
    const uint64_t total = law->evidence.total, orders = law->evidence.cells;
    const uint64_t nearest = (2 * total + orders) / (2 * orders);
    const bool over = nearest * orders > total;
    uint64_t off = over ? nearest * orders - total : total - nearest * orders, below = total * orders;

    for (uint64_t divisor = off; divisor > 1; divisor--) /* lowest terms: 2/96 is 1/48 */
        if (off % divisor == 0 && below % divisor == 0) {
            off /= divisor;
            below /= divisor;
        }
    sb_lesson_set(question->task,
                  "Each probability of this sort is a whole number of %" PRIu64
                  "ths. Which of these numbers is nearest to the fair share, 1/%" PRIu64
                  ", and how far is it off?",
                  total, orders);
    sb_lesson_set(question->solution,
                  "%" PRIu64 "/%" PRIu64 " is %" PRIu64 "/%" PRIu64 " too %s: no whole number fits.", nearest,
                  total, off, below, over ? "much" : "little");
}

static void comparator_ask(struct sb_lesson *lesson, struct sb_lesson_question *question)
{
    static const size_t ranks[] = { 0, 2, 5 };
    const struct sb_report *const law = sb_lesson_law(lesson, comparator_timsort, 3);

    if (!law)
        return;
    const uint64_t most = sb_numbers_u64(&law->evidence.counts, law->effect.most[0]);
    const uint64_t least = sb_numbers_u64(&law->evidence.counts, law->effect.least[0]);

    sb_lesson_set(question->text, "The sort of node 20 sorts three cards, 123, and tosses a coin for each "
                                  "comparison. Which order comes out most often?");
    for (size_t i = 0; i < sizeof ranks / sizeof ranks[0]; i++) {
        const uint64_t count = sb_numbers_u64(&law->evidence.counts, ranks[i]);

        sb_lesson_option(question, count == most, sb_exact_notation(&law->evidence, ranks[i]).text,
                         "It comes out %" PRIu64 " times in %" PRIu64 ".", count, law->evidence.total);
    }
    sb_lesson_option(question, most == least, "none: all equally often",
                     "The likeliest order comes out %" PRIu64 " times in %" PRIu64 ", and the rarest %" PRIu64
                     ".",
                     most, law->evidence.total, least);
    comparator_task(law, question);
}

const struct sb_lesson_type sb_lesson_comparator = {
    .file = "comparator.html",
    .title = "Why sorting with a random comparator fails",
    .summary = "Sorting with a coin instead of a comparison: the bias that results, why no better coin helps, and how it depends on the sort.",
    .sources = "ECMA-262, Array.prototype.sort. ISO/IEC 9899:2018, 7.22.5. Rob Weir, Doing the Microsoft "
               "Shuffle: Algorithm Fail in Browser Ballot (2010). Mike Bostock, Will It Shuffle? (2012). "
               "V8, Getting things sorted in V8 (2018).",
    .write = comparator_write,
    .ask = comparator_ask,
    .plan = { 30, { "Sort three cards with a coin as the comparison.",
                    "Explain why coins never give a fair share of the orders.",
                    "Replace the comparison by one random number per card." },
              "Take a vote on the question. Students sort three cards by hand and toss a coin for each "
              "comparison (10 minutes); collect the results on the board. Show the tree, then let students find "
              "the argument with the powers of two." },
    .tries = {
        { "explain sort-timsort", 0, "The tree of coins, with three cards." },
        { "report sort-timsort sort-merge sort-quick -n 4 --by exact", 0, "Three sorts, and three laws." },
        { "gate sort-timsort -n 8", 1, "The gate detects the bias after a few hundred shuffles." },
        { "gate sort-by-key:53 -n 4 --exclude 0.05", 0, "Sorting by keys passes." },
    },
};
