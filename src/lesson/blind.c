/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blind tests: biased shuffles whose matrix of items by positions is nevertheless uniform. The zoo tells
 * which statistic detects which of these shuffles.
 */
#include "lesson/lesson.h"

#include "core/numbers.h"
#include "report/exact_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { BLIND_ITEMS = 4, BLIND_LEAST = 3, BLIND_MOST = 8 };

/* Whether each item comes to each position equally often, by the exact law. */
static bool blind_uniform(const struct sb_report *law)
{
    const struct sb_evidence *const evidence = &law->evidence;
    const struct sb_fraction first = sb_exact_cell(evidence, 0, 0);

    for (size_t item = 0; item < evidence->n; item++)
        for (size_t position = 0; position < evidence->n; position++)
            if (strcmp(sb_exact_cell(evidence, item, position).text, first.text) != 0)
                return false;
    return true;
}

/* Says for which of the slider's numbers of cards the matrix of merge sort is uniform. */
static void blind_powers(struct sb_lesson *lesson)
{
    char numbers[64] = "";

    for (size_t n = BLIND_LEAST; n <= BLIND_MOST; n++) {
        const struct sb_report *const law = sb_lesson_law(lesson, "sort-merge", n);
        const size_t used = strlen(numbers);

        if (!law)
            return;
        if (blind_uniform(law))
            snprintf(numbers + used, sizeof numbers - used, "%s%zu", used ? " and " : "", n);
    }
    sb_lesson_say(
        lesson,
        "With other numbers of cards, `sort-merge` is easier to catch: from %d to %d cards, its matrix "
        "is uniform for %s only.",
        BLIND_LEAST, BLIND_MOST, numbers);
}

static void blind_matrices(struct sb_lesson *lesson)
{
    const struct sb_report *const rotate = sb_lesson_law(lesson, "rotate", BLIND_ITEMS), *const merge =
                                                                                             sb_lesson_law(
                                                                                                 lesson,
                                                                                                 "sort-merge",
                                                                                                 BLIND_ITEMS);
    size_t possible = 0;

    if (!merge)
        return;
    for (size_t rank = 0; rank < rotate->evidence.cells; rank++)
        possible += sb_numbers_u64(&rotate->evidence.counts, rank) > 0;
    const uint64_t most = sb_numbers_u64(&merge->evidence.counts, merge->effect.most[0]);
    const uint64_t least = sb_numbers_u64(&merge->evidence.counts, merge->effect.least[0]);

    sb_lesson_say(lesson,
                  "The usual test counts how often each card ends up at each place, and expects all counts "
                  "to be about the same. Here are two shuffles to test. The first, `rotate`, rotates the "
                  "deck by a random number of places. The second, `sort-merge`, is merge sort with a coin as "
                  "its comparison, on %d cards. Where does each card end up?",
                  BLIND_ITEMS);
    sb_lesson_slide(lesson, &(const struct sb_lesson_slide) { .scheme = { "rotate", "sort-merge" },
                                                              .figure = { "matrix" },
                                                              .least = BLIND_LEAST,
                                                              .most = BLIND_MOST,
                                                              .shown = BLIND_ITEMS });
    blind_powers(lesson);
    sb_lesson_ask(lesson);
    sb_lesson_say(lesson,
                  "Each card is exactly equally often at each place: every cell is %s. The test sees "
                  "nothing, with a hundred shuffles or with a billion. And yet the first shuffle deals only "
                  "%zu of the %zu orders. The second prefers %s to %s, %" PRIu64 " to %" PRIu64 ".",
                  sb_exact_cell(&merge->evidence, 0, 0).text, possible, rotate->evidence.cells,
                  sb_exact_notation(&merge->evidence, merge->effect.most[0]).text,
                  sb_exact_notation(&merge->evidence, merge->effect.least[0]).text, most, least);
    sb_lesson_slide(lesson, &(const struct sb_lesson_slide) { .scheme = { "rotate", "sort-merge" },
                                                              .figure = { "bars" },
                                                              .least = 3,
                                                              .most = 6,
                                                              .shown = BLIND_ITEMS });
    sb_lesson_say(lesson, "Looking at single cards is not enough. A rotation never changes which card "
                          "follows which, and a test of positions never asks that question.");
}

static const struct sb_zoo_row *blind_row(const struct sb_zoo *zoo, const char *name)
{
    for (size_t i = 0; i < zoo->rows; i++)
        if (strcmp(zoo->row[i].name, name) == 0)
            return &zoo->row[i];
    return NULL;
}

static void blind_cell(const struct sb_zoo_row *row, size_t column, struct sb_table *table)
{
    const double needed = row ? row->needed[column] : NAN;

    if (isfinite(needed))
        sb_table_add(table, SB_INK_PLAIN, "%s", sb_number_grouped((uint64_t)needed).text);
    else
        sb_table_add(table, SB_INK_BAD, "%s", isnan(needed) ? "not seen" : "never");
}

/* The number of biased shuffles that the statistic of this column can never detect, although another
 * statistic can. */
static size_t blind_spots(const struct sb_zoo *zoo, size_t column)
{
    size_t spots = 0;

    for (size_t i = 0; i < zoo->rows; i++) {
        bool seen = false;

        for (size_t j = 0; j < zoo->columns; j++)
            seen = seen || isfinite(zoo->row[i].needed[j]);
        spots += seen && isinf(zoo->row[i].needed[column]);
    }
    return spots;
}

static void blind_statistics(struct sb_lesson *lesson)
{
    static const char *const shuffles[] = { "rotate", "sort-merge", "sattolo", "fisher-yates-stops-early",
                                            "cut" };
    const struct sb_zoo *const zoo = sb_lesson_zoo(lesson, BLIND_ITEMS);
    struct sb_table table;

    if (!zoo)
        return;
    sb_lesson_section(lesson, "Which statistic sees it");
    sb_lesson_say(lesson,
                  "We can ask other questions about a deck: how many cards kept their place, how often a "
                  "smaller card follows a card, how many cycles there are. For each question, the answers of "
                  "a fair shuffle are known. The table shows how many shuffles of %d cards it takes to see a "
                  "bias every second time, at level %g:",
                  BLIND_ITEMS, zoo->alpha);
    sb_table_open("lrrrrrr", &table);
    sb_table_add(&table, SB_INK_STRONG, "statistic");
    for (size_t i = 0; i < sizeof shuffles / sizeof shuffles[0]; i++)
        sb_table_add(&table, SB_INK_STRONG, "%s", shuffles[i]);
    sb_table_add(&table, SB_INK_STRONG, "blind to");
    for (size_t j = 0; j < zoo->columns; j++) {
        sb_table_add(&table, SB_INK_STRONG, "%s", zoo->column[j]);
        for (size_t i = 0; i < sizeof shuffles / sizeof shuffles[0]; i++)
            blind_cell(blind_row(zoo, shuffles[i]), j, &table);
        sb_table_add(&table, SB_INK_PLAIN, "%zu", blind_spots(zoo, j));
    }
    sb_lesson_table(lesson, &table);
    sb_lesson_say(lesson,
                  "\"Never\" means never: the statistic has exactly the same law as under a fair shuffle. "
                  "The last column counts the biased shuffles of the zoo for which this is true.");
}

static void blind_fix(struct sb_lesson *lesson)
{
    sb_lesson_section(lesson, "What to do about it");
    sb_lesson_say(lesson,
                  "Only the order itself, the statistic `rank`, sees every bias. But its cells are all "
                  "orders, and 52 cards have %s orders. For larger decks, a test has to combine several "
                  "statistics, which share the probability of a false alarm. None of them sees a short seed, "
                  "which shows only when a whole deck occurs again.",
                  sb_number_short(exp(sb_ln_gamma(53)), 3).text);
    sb_lesson_say(lesson,
                  "A test must be tested, too: on shuffles that are known to be biased, to see which of them "
                  "it misses, and on a fair shuffle, to see that it passes. The zoo does this. The last "
                  "command below does it for a test that checks how often item 1 is on top.");
}

static void blind_write(struct sb_lesson *lesson)
{
    blind_matrices(lesson);
    blind_statistics(lesson);
    blind_fix(lesson);
}

static void blind_ask(struct sb_lesson *lesson, struct sb_lesson_question *question)
{
    static const size_t guess[] = { 24, 12, 8, 4 };
    const struct sb_report *const law = sb_lesson_law(lesson, "rotate", BLIND_ITEMS);
    size_t possible = 0;

    if (!law)
        return;
    sb_lesson_set(question->solution, "These:");
    for (size_t rank = 0; rank < law->evidence.cells; rank++)
        if (sb_numbers_u64(&law->evidence.counts, rank) > 0) {
            const size_t used = strlen(question->solution);

            snprintf(question->solution + used, SB_LESSON_TEXT - used, " %s",
                     sb_exact_notation(&law->evidence, rank).text);
            possible++;
        }
    sb_lesson_set(question->text,
                  "`rotate` turns the deck by a random number of places, and its matrix is "
                  "perfect. How many of the %zu orders of %d cards can it deal?",
                  law->evidence.cells, BLIND_ITEMS);
    for (size_t i = 0; i < sizeof guess / sizeof guess[0]; i++) {
        char text[32];

        snprintf(text, sizeof text, "%zu", guess[i]);
        sb_lesson_option(question, guess[i] == possible, text,
                         "It has %d rotations, and each deals one order: %zu in all.", BLIND_ITEMS, possible);
    }
    sb_lesson_set(question->task, "Write down all orders of %d cards that `rotate` can deal.", BLIND_ITEMS);
}

const struct sb_lesson_type sb_lesson_blind = {
    .file = "blind.html",
    .title = "How a test can be blind",
    .summary = "Two very bad shuffles that the usual test can never detect, and the question that exposes them.",
    .sources = "David P. Robbins and Ethan D. Bolker, The bias of three pseudo-random shuffles, Aequationes "
               "Mathematicae 22 (1981). Donald E. Knuth, The Art of Computer Programming, vol. 2, 3.3.2. "
               "The GNU C Library 2.36, stdlib/msort.c.",
    .write = blind_write,
    .ask = blind_ask,
    .plan = { 25, { "Say which question a test asks, and what it cannot see.",
                    "Find a bias that a uniform matrix hides.",
                    "Test a test, on biased shuffles and on a fair one." },
              "Cut a deck of four cards several times and fill in the matrix together: it is uniform. Take a vote "
              "on the question. Then let groups invent a statistic that exposes a rotation, and look for it in the "
              "table." },
    .tries = {
        { "report rotate sort-merge -n 4 --by exact", 0, "Both laws, and both matrices." },
        { "plan rotate -n 4", 0, "The plan says that the test of positions cannot see them." },
        { "gate rotate -n 4", 1, "The gate asks all of them." },
        { "zoo -n 4", 0, "All biased shuffles against all statistics." },
        { "zoo -n 4 --test \"awk '$1 == 1 { k++ } END { exit k < 200 || k > 300 }'\"", 0,
          "A test of your own in the zoo." },
    },
};
