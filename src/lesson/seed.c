/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The decks that seeds can reach: S seeds reach at most S of the n! decks. A seed needs log2 n! = lgamma(n +
 * 1) / ln 2 bits to reach all decks. On average, the first repeated deck comes after sqrt(pi S / 2) decks.
 */
#include "lesson/lesson.h"

#include "core/numbers.h"

#include <inttypes.h>
#include <math.h>

static const double seed_count = 4294967296.0; /* 2^32 */

/* Writes the proportion of all n! = e^ln_orders orders that 2^32 seeds can reach: "all", or "1 in
 * 1.88e58". */
static void seed_share(double ln_orders, char text[64])
{
    const double each = exp(ln_orders) / seed_count;

    if (each <= 1)
        snprintf(text, 64, "all");
    else if (each >= 1000 && each < 1e12)
        snprintf(text, 64, "1 in %.50s", sb_number_grouped((uint64_t)llround(each)).text);
    else
        snprintf(text, 64, "1 in %.50s", sb_number_short(each, 3).text);
}

static void seed_reach(struct sb_lesson *lesson)
{
    static const size_t items[] = { 8, 10, 12, 13, 16, 20, 34, 52 };
    const double bits = sb_ln_gamma(53) / log(2);
    struct sb_table table;

    sb_lesson_ask(lesson);
    sb_lesson_say(
        lesson,
        "A generator of random numbers is a machine. Its seed sets its first state, and everything else "
        "follows from that: the same seed deals the same deck. So there are no more decks than seeds, for "
        "any shuffle. A seed of 32 bits has %s values; 52 cards have 52! or %s orders.",
        sb_number_grouped((uint64_t)seed_count).text, sb_number_short(exp(sb_ln_gamma(53)), 3).text);
    sb_lesson_table_open("rrrr", (const char *const[]) { "cards", "orders", "bits", "32 bits reach" },
                         &table);
    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++) {
        const double ln_orders = sb_ln_gamma((double)items[i] + 1);
        const uint64_t orders = sb_deals(items[i], items[i]);
        char share[64];

        seed_share(ln_orders, share);
        sb_table_add(&table, SB_INK_STRONG, "%zu", items[i]);
        sb_table_add(&table, SB_INK_PLAIN, "%s",
                     orders < UINT64_MAX ? sb_number_grouped(orders).text
                                         : sb_number_short(exp(ln_orders), 3).text);
        sb_table_add(&table, SB_INK_PLAIN, "%.0f", ceil(ln_orders / log(2)));
        sb_table_add(&table, SB_INK_PLAIN, "%s", share);
    }
    sb_lesson_table(lesson, &table);
    sb_lesson_say(
        lesson,
        "Fisher-Yates is fair, and its draws may be fair, too. But with a seed of 32 bits, nearly every "
        "order of 52 cards can never be dealt. It takes %.1f bits, so %.0f, to make all orders possible.",
        bits, ceil(bits));
}

static void seed_small(struct sb_lesson *lesson)
{
    static const char scheme[] = "fisher-yates/modulo/msvc-rand";
    const struct sb_report *const few = sb_lesson_seeds(lesson, scheme, 4, 64);
    const struct sb_report *const many = sb_lesson_seeds(lesson, scheme, 8, 65536);

    if (!many)
        return;
    const struct sb_reach *const reach = many->evidence.reach, *const small = few->evidence.reach;
    sb_lesson_section(lesson, "Seed by seed");
    sb_lesson_say(
        lesson,
        "With few cards, we can try the seeds one by one and count the first deck of each. Of the %zu orders "
        "of four cards, the first %" PRIu64 " seeds of Microsoft's `rand()` reach %" PRIu64
        ". The first %s seeds are all that a program with a 16-bit seed has. They reach %s of the %s orders "
        "of eight cards. The other %s orders never occur, and %zu orders occur for %" PRIu64
        " seeds each. The same number of fair shuffles would reach about %s orders.",
        few->evidence.cells, few->evidence.total, small->reached,
        sb_number_grouped(many->evidence.total).text, sb_number_grouped(reach->reached).text,
        sb_number_grouped(many->evidence.cells).text,
        sb_number_grouped(many->evidence.cells - reach->reached).text, many->effect.most_total, reach->most,
        sb_number_grouped((uint64_t)llround(reach->reached_fair)).text);
    sb_lesson_slide(lesson, &(const struct sb_lesson_slide) { .scheme = { scheme },
                                                              .figure = { "bars" },
                                                              .least = 3,
                                                              .most = 6,
                                                              .shown = 4,
                                                              .seeds = few->evidence.total });
}

static void seed_poker(struct sb_lesson *lesson)
{
    const uint64_t milliseconds = UINT64_C(24) * 60 * 60 * 1000, hands = sb_deals(52, 5);

    sb_lesson_section(lesson, "The poker rooms of 1999");
    sb_lesson_say(
        lesson,
        "A company that ran poker on the Internet published its shuffle, to show that it was fair. The "
        "program began with `Randomize`, which in Delphi uses the milliseconds since midnight as a seed. A "
        "day has %s milliseconds. A player sees five cards: two in the hand and three on the table. They are "
        "one of 52 \u00D7 51 \u00D7 50 \u00D7 49 \u00D7 48 = %s possible deals. Only the true seed fits "
        "them, and %s wrong seeds on average. Arkin and others wrote a program that found the seed, and with "
        "it the cards of all players, during the game.",
        sb_number_grouped(milliseconds).text, sb_number_grouped(hands).text,
        sb_number_fixed((double)milliseconds / (double)hands, 2).text);
}

static void seed_blind(struct sb_lesson *lesson)
{
    const double first = sqrt(acos(-1) * seed_count / 2), bits = sb_ln_gamma(53) / log(2);

    sb_lesson_section(lesson, "Why tests do not see it");
    sb_lesson_say(lesson,
                  "Every statistic of single decks looks fair, because the possible decks are as well mixed "
                  "as the others. There are just too few of them. So the test has to wait until a whole deck "
                  "occurs again. With 2^32 seeds this takes about %s decks, the square root of \u03C0/2 "
                  "times the number of seeds; a fair shuffle of 52 cards would take %s.",
                  sb_number_grouped((uint64_t)first).text,
                  sb_number_short(sqrt(acos(-1) / 2) * exp(sb_ln_gamma(53) / 2), 2).text);
    sb_lesson_section(lesson, "The fix");
    sb_lesson_say(lesson,
                  "Take a long enough seed from the operating system: 256 bits are more than the %.0f that "
                  "52 cards need. In C use `getrandom()`, in Python `secrets` or `random.SystemRandom`, in "
                  "browsers `crypto.getRandomValues()`. And seed the generator only once: if it is seeded "
                  "for each deck, there is only one deck for each seed, however good the generator is.",
                  ceil(bits));
}

static void seed_write(struct sb_lesson *lesson)
{
    seed_reach(lesson);
    seed_small(lesson);
    seed_poker(lesson);
    seed_blind(lesson);
}

/* From how many cards on there are more orders than seeds. */
static void seed_task(struct sb_lesson_question *question)
{
    const uint64_t seeds = (uint64_t)seed_count;
    size_t n = 1;

    while (sb_deals(n, n) <= seeds)
        n++;
    sb_lesson_set(question->task, "From how many cards on are there more orders than seeds of 32 bits?");
    sb_lesson_set(question->solution, "From %zu cards on: %zu! = %s, and there are %s seeds; %zu! = %s.", n,
                  n, sb_number_grouped(sb_deals(n, n)).text, sb_number_grouped(seeds).text, n - 1,
                  sb_number_grouped(sb_deals(n - 1, n - 1)).text);
}

static void seed_ask(struct sb_lesson *lesson, struct sb_lesson_question *question)
{
    static const struct {
        const char *text;
        double share;
    } guess[] = { { "all of them", 1 }, { "about half", 0.5 }, { "about 1 in a million", 1e-6 } };
    const double share = seed_count / exp(sb_ln_gamma(53));
    char text[64];

    (void)lesson;
    sb_lesson_set(
        question->text,
        "A program shuffles 52 cards with a perfect algorithm. Its generator of random numbers starts "
        "from a seed of 32 bits. How many of all orders can it deal?");
    for (size_t i = 0; i < sizeof guess / sizeof guess[0]; i++)
        sb_lesson_option(question, fabs(log10(guess[i].share / share)) < 0.5, guess[i].text,
                         "There are %s orders, but each seed deals only one deck, and there are %s seeds.",
                         sb_number_short(exp(sb_ln_gamma(53)), 3).text,
                         sb_number_grouped((uint64_t)seed_count).text);
    seed_share(sb_ln_gamma(53), text);
    sb_lesson_option(question, true, text,
                     "There are %s orders, but each seed deals only one deck, and there are %s seeds.",
                     sb_number_short(exp(sb_ln_gamma(53)), 3).text,
                     sb_number_grouped((uint64_t)seed_count).text);
    seed_task(question);
}

const struct sb_lesson_type sb_lesson_seed = {
    .file = "seed.html",
    .title = "The seed",
    .summary = "A fair shuffle with fair draws that can deal almost none of all decks, and how players could exploit this.",
    .sources = "Brad Arkin, Frank Hill, Scott Marks, Matt Schmid, Thomas John Walls and Gary McGraw, How We "
               "Learned to Cheat at Online Poker (1999). OEIS A152960.",
    .write = seed_write,
    .ask = seed_ask,
    .plan = { 25, { "Say why there are no more decks than seeds.",
                    "Compute how many bits a seed needs for a deck.",
                    "Tell the story of the poker rooms of 1999, and what would have prevented it." },
              "Ask the question and take a vote: most choose too large a share. Compare the number of orders with the number of seeds together. "
              "Tell the story, and let students find out why no test of single decks could see the fault." },
    .tries = {
        { "report fisher-yates/modulo/msvc-rand -n 8 --by seeds --seeds 0..65535", 0,
          "Which orders 16 bits reach." },
        { "report planet-poker/multiply:32/delphi -n 52 --by seeds --seeds 0..99999", 0,
          "The first hundred seconds after midnight." },
        { "deal planet-poker/multiply:32/delphi -n 52 --seed 43200000 --samples 1", 0, "The deck of noon." },
        { "explain fisher-yates -n 52", 0, "How many orders 32 bits can reach." },
    },
};
