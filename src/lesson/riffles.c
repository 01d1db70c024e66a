/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Riffles by Gilbert, Shannon and Reeds. After k riffles, an order of n cards with r rising sequences has the
 * probability C(a + n - r, n) / a^n with a = 2^k; so the probability is 0 for r > 2^k. Bayer and Diaconis,
 * Annals of Applied Probability 2 (1992) 294.
 */
#include "lesson/lesson.h"

#include "report/exact_text.h"
#include "study/results.h"

#include <inttypes.h>
#include <math.h>

enum { RIFFLES_CARDS = 52, RIFFLES_MOST = 10, RIFFLES_SEVEN = 7 };

static const struct sb_report *riffles_law(struct sb_lesson *lesson, unsigned count)
{
    char scheme[32];

    snprintf(scheme, sizeof scheme, "riffle:%u", count);
    return sb_lesson_law(lesson, scheme, RIFFLES_CARDS);
}

/* The proportion of all orders that have more than `most` rising sequences. */
static double riffles_beyond(const struct sb_null_law *law, double most)
{
    struct sb_null_cell cell;
    double share = 0;

    for (size_t i = 0; sb_null_law_cell_get(law, i, &cell); i++)
        share += (double)cell.cell > most ? cell.p : 0;
    return fmin(share, 1);
}

/* Writes a percentage, or "nearly all" or "none" if rounding would be misleading. */
static struct sb_number riffles_share(double share)
{
    const struct sb_number none = { .text = "none" }, all = { .text = "nearly all" };

    if (share <= 0)
        return none;
    return share > 0.99995 ? all : sb_number_percent(share, 2);
}

static void riffles_model(struct sb_lesson *lesson)
{
    const struct sb_explain *const how = sb_lesson_explain(lesson, "riffle:1", 4);

    if (!how)
        return;
    sb_lesson_say(lesson, "Cut the deck, and let the two halves fall together. Gilbert, Shannon and Reeds "
                          "described this as a model that can be computed:");
    sb_lesson_code(lesson, how->pseudocode);
    sb_lesson_say(lesson,
                  "The cut is near the middle, and the next card is likelier to come from the larger packet, "
                  "as in a shuffle by hand. It is a good model of people who shuffle carefully.");
    sb_lesson_say(lesson, "Here is one riffle of four cards, coin by coin. The cards fall when all coins are "
                          "tossed:");
    sb_lesson_walk(lesson, "riffle:1", 4, "1,0,1,0");
    sb_lesson_say(lesson, "And this is what all riffles of a few cards lead to:");
    sb_lesson_slide(lesson, &(const struct sb_lesson_slide) { .scheme = { "riffle:1" },
                                                              .figure = { "tree", "bars", "matrix" },
                                                              .least = 3,
                                                              .most = 6,
                                                              .shown = 4 });
}

static void riffles_rising(struct sb_lesson *lesson)
{
    sb_lesson_section(lesson, "Rising sequences");
    sb_lesson_say(lesson,
                  "Go through a deck from the top and collect 1, then 2, then 3, as long as each card comes "
                  "after the one before. Then start again at the top with the next card. The number of "
                  "passes is the number of rising sequences. A new deck has one. After one riffle there are "
                  "at most two, one from each packet, and each further riffle at most doubles their number. "
                  "After %d riffles there are at most %u, but with %d cards the reversed deck has %d. So the "
                  "reversed deck cannot occur after %d riffles, and neither can a great many other orders.",
                  5, 1U << 5, RIFFLES_CARDS, RIFFLES_CARDS, 5);
    sb_lesson_say(lesson, "In fact, the probability of an order depends only on its number of rising "
                          "sequences. So we can compute exactly how far k riffles are from fair, although 52 "
                          "cards have more orders than anyone can list.");
}

static void riffles_table(struct sb_lesson *lesson)
{
    const struct sb_null_law *const rising = sb_lesson_null_law(lesson, "rising-sequences", RIFFLES_CARDS);
    double seven = 0, last = 0;
    struct sb_table table;

    sb_lesson_section(lesson, "How many riffles are enough");
    sb_lesson_ask(lesson);
    sb_lesson_table_open(
        "rrrrr",
        (const char *const[]) { "riffles", "total variation", "cannot come up", "new deck", "to see it" },
        &table);
    for (unsigned k = 1; k <= RIFFLES_MOST && rising; k++) {
        const struct sb_report *const law = riffles_law(lesson, k);

        if (!law)
            break;
        seven = k == RIFFLES_SEVEN ? law->effect.total_variation : seven;
        last = law->effect.total_variation;
        sb_table_add(&table, SB_INK_STRONG, "%u", k);
        sb_table_add(&table, SB_INK_PLAIN, "%s", sb_number_fixed(law->effect.total_variation, 3).text);
        sb_table_add(&table, SB_INK_PLAIN, "%s",
                     riffles_share(riffles_beyond(rising, ldexp(1, (int)k))).text);
        sb_table_add(&table, SB_INK_OVER, "%s", sb_number_short(law->effect.max_ratio, 3).text);
        sb_table_add(&table, SB_INK_PLAIN, "%.0f", ceil(law->effect.shuffles_to_see));
    }
    sb_lesson_table(lesson, &table);
    sb_lesson_say(
        lesson,
        "Bayer and Diaconis published these values of the total variation in 1992. The other columns show "
        "the share of all orders that cannot occur, the probability of the new-deck order as a multiple of "
        "its fair share, and how many decks show the bias to a test that knows the biased law. Up to four "
        "riffles, nearly all orders cannot occur. Then the total variation falls, and from seven riffles on, "
        "each riffle about halves it. The newspapers stopped at seven, but the shuffle is not fair there: a "
        "total variation of %s is left. So there is a bet on the deck that wins %.0f times in 100 more often "
        "than it should. After %d riffles it is %.0f times.",
        sb_number_fixed(seven, 3).text, 100 * seven, RIFFLES_MOST, 100 * last);
}

static void riffles_curve(struct sb_lesson *lesson)
{
    struct sb_lesson_curve curve = {
        .title = "Total variation from a fair shuffle after each riffle of 52 cards",
        .caption =
            "A point for each number of riffles. Up to four the total variation stays near 1, then it falls. "
            "The broken line is one half.",
        .x_title = "riffles",
        .y_title = "total variation",
        .mark = 0.5,
    };

    for (unsigned k = 1; k <= RIFFLES_MOST; k++) {
        const struct sb_report *const law = riffles_law(lesson, k);

        if (!law)
            return;
        curve.point[curve.count].x = k;
        curve.point[curve.count++].y = law->effect.total_variation;
    }
    sb_lesson_curve(lesson, &curve);
}

static void riffles_places(struct sb_lesson *lesson)
{
    const struct sb_report *const one = riffles_law(lesson, 1), *const three = riffles_law(lesson, 3),
                                  *const seven = riffles_law(lesson, RIFFLES_SEVEN);

    if (!seven)
        return;
    sb_lesson_section(lesson, "Where the cards are");
    sb_lesson_say(lesson, "These figures show where each card ends up after one, three and seven riffles. "
                          "Blue means too rarely and orange too often, on the same scale in all three. "
                          "After one riffle, the two packets are visible. The places soon even out: the bias "
                          "that seven riffles leave is in the relative order of the cards.");
    sb_lesson_figures(lesson,
                      (const struct sb_lesson_figure[]) { { "matrix", .report = one },
                                                          { "matrix", .report = three },
                                                          { "matrix", .report = seven } },
                      3);
}

static void riffles_write(struct sb_lesson *lesson)
{
    riffles_model(lesson);
    riffles_rising(lesson);
    riffles_table(lesson);
    riffles_curve(lesson);
    riffles_places(lesson);
}

/* Whether one riffle can reverse three cards. */
static void riffles_task(struct sb_lesson *lesson, struct sb_lesson_question *question)
{
    const struct sb_report *const law = sb_lesson_law(lesson, "riffle:1", 3);

    if (!law)
        return;
    const size_t last = law->evidence.cells - 1;

    sb_lesson_set(question->task, "How many rising sequences has %s? Can it come up after one riffle?",
                  sb_exact_notation(&law->evidence, last).text);
    sb_lesson_set(question->solution,
                  "It has %zu. One riffle leaves at most 2: %" PRIu64 " of the %" PRIu64
                  " series of coins lead to it.",
                  law->evidence.n, sb_numbers_u64(&law->evidence.counts, last), law->evidence.total);
}

static void riffles_ask(struct sb_lesson *lesson, struct sb_lesson_question *question)
{
    static const unsigned counts[] = { 3, 5, 7, 9 };

    sb_lesson_set(question->text,
                  "A shuffle of %d cards has a total variation from 0, fair, to 1. After how many "
                  "riffles does it first fall below one half?",
                  RIFFLES_CARDS);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        const struct sb_report *const before = riffles_law(lesson, counts[i] - 1);
        const struct sb_report *const after = riffles_law(lesson, counts[i]);
        char text[32];

        if (!after)
            return;
        snprintf(text, sizeof text, "%u", counts[i]);
        sb_lesson_option(question,
                         after->effect.total_variation < 0.5 && before->effect.total_variation >= 0.5, text,
                         "After %u riffles it is %s, and after %u it is %s.", counts[i] - 1,
                         sb_number_fixed(before->effect.total_variation, 3).text, counts[i],
                         sb_number_fixed(after->effect.total_variation, 3).text);
    }
    riffles_task(lesson, question);
}

const struct sb_lesson_type sb_lesson_riffles = {
    .file = "riffles.html",
    .title = "Seven riffles",
    .summary = "How often you must riffle a deck, exactly, and how much bias is left after seven riffles.",
    .sources = "Dave Bayer and Persi Diaconis, Trailing the dovetail shuffle to its lair, Annals of Applied "
               "Probability 2 (1992), doi:10.1214/aoap/1177005705. Persi Diaconis, Group Representations in "
               "Probability and Statistics (1988).",
    .write = riffles_write,
    .ask = riffles_ask,
    .plan = { 30, { "Count the rising sequences of a deck.",
                    "Say why one riffle cannot reverse a deck.",
                    "Read a curve of total variation, and say what is left after seven riffles." },
              "Number the cards of a small deck from 1 to 8, riffle once, and let students find the two packets "
              "again. Riffle twice more and count rising sequences. Take a vote on the question, then show the "
              "curve. Discuss what \"enough\" means for a casino, and for an evening with friends." },
    .tries = {
        { "explain riffle:1 -n 4", 0, "One riffle of four cards: all coins, and the argument." },
        { "report riffle:7 -n 52 --by exact", 0, "Seven riffles of a deck, exactly." },
        { "law rising-sequences -n 52", 0, "How many rising sequences a fair deck has." },
        { "gate riffle:7 -n 52", 1, "The gate fails seven riffles." },
        { "report overhand:5 -n 52 --by exact", 0, "The overhand shuffle, which hardly mixes the deck." },
    },
};
