/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many shuffles show a bias. The lesson shows the power of the chi-square test. For K orders with the
 * probabilities p, the test's noncentrality for N shuffles is N sum (p - 1/K)^2 K. The lesson also explains
 * what a passed test means.
 */
#include "lesson/lesson.h"
#include "study/results.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Finds the plan's line for this test; false if the plan has none. */
static bool many_line(const struct sb_plan *plan, const char *test, struct sb_plan_line *line)
{
    for (size_t i = 0; sb_plan_line_get(plan, i, line); i++)
        if (strcmp(line->test, test) == 0)
            return true;
    return false;
}

static void many_power(struct sb_lesson *lesson)
{
    static const uint64_t samples[] = { 100, 300, 1000, 3000, 5000 };
    struct sb_table table;
    double first = 0, alpha = 0;

    sb_lesson_table_open(
        "rrr", (const char *const[]) { "shuffles", "the test sees it", "it passes for fair" }, &table);
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        const struct sb_plan *const plan = sb_lesson_plan(lesson, "naive", 3, samples[i]);
        struct sb_plan_line line;

        if (!plan || !many_line(plan, "pearson", &line))
            break;
        first = i ? first : line.power;
        alpha = plan->alpha;
        sb_table_add(&table, SB_INK_STRONG, "%s", sb_number_grouped(samples[i]).text);
        sb_table_add(&table, SB_INK_GOOD, "%s", sb_number_percent(line.power, 2).text);
        sb_table_add(&table, SB_INK_BAD, "%s", sb_number_percent(1 - line.power, 2).text);
    }
    sb_lesson_say(lesson,
                  "Run the naive swap of the first lesson on three cards, count the orders, and let "
                  "Pearson's chi-square test at level %g decide whether a fair shuffle could give these "
                  "counts. How often does it say no?",
                  alpha);
    sb_lesson_ask(lesson);
    sb_lesson_table(lesson, &table);
    sb_lesson_say(
        lesson,
        "With %s shuffles, the test sees nothing in %s%% of all cases. So a report that the test passed says "
        "nothing about the shuffle: a biased shuffle would have passed as well. A pass means something only "
        "together with the size of the bias that the test would not have missed.",
        sb_number_grouped(samples[0]).text, sb_number_short(100 * (1 - first), 3).text);
}

/* The power of Pearson's test over the number of shuffles, from the plans for these numbers. */
static void many_curve(struct sb_lesson *lesson)
{
    static const uint64_t samples[] = { 100,  200,  300,  500,  700,  1000, 1500,
                                        2000, 3000, 4000, 5000, 7000, 10000 };
    struct sb_lesson_curve curve = {
        .title = "How often Pearson's test notices the bias of the naive swap of three cards",
        .caption =
            "The power is how often the test notices the bias, for each number of shuffles on a logarithmic "
            "axis. The broken line is the power that a plan asks for.",
        .x_title = "shuffles",
        .y_title = "power of the test",
        .log_x = true,
        .percent = true,
    };

    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        const struct sb_plan *const plan = sb_lesson_plan(lesson, "naive", 3, samples[i]);
        struct sb_plan_line line;

        if (!plan || !many_line(plan, "pearson", &line))
            return;
        curve.mark = plan->power;
        curve.point[curve.count].x = (double)samples[i];
        curve.point[curve.count++].y = line.power;
    }
    sb_lesson_curve(lesson, &curve);
}

static void many_needed(struct sb_lesson *lesson)
{
    const struct sb_plan *const plan = sb_lesson_plan(lesson, "naive", 3, 0);
    const struct sb_report *const law = sb_lesson_law(lesson, "naive", 3);
    struct sb_plan_line line;

    if (!law || !many_line(plan, "pearson", &line))
        return;
    sb_lesson_section(lesson, "How many it takes");
    sb_lesson_say(lesson,
                  "The exact law predicts this. In addition to chance, chi-square grows on average by %s "
                  "with each shuffle: the sum of the squared differences from the fair share, divided by the "
                  "fair share. With %.0f degrees of freedom, this excess must reach %s to be seen 9 times in "
                  "10. That takes %s shuffles. No test needs many fewer than %s on average, not even a "
                  "test that knows the biased law beforehand.",
                  sb_number_short(line.effect, 3).text, line.dof,
                  sb_number_fixed(line.effect * line.samples, 1).text,
                  sb_number_grouped((uint64_t)llround(line.samples)).text,
                  sb_number_grouped((uint64_t)ceil(law->effect.shuffles_to_see)).text);
    sb_lesson_say(
        lesson,
        "Because of the squares, half the bias takes four times as many shuffles, and a tenth of the bias a "
        "hundred times as many. So one biased shuffle is detected immediately, and another one never:");
}

static void many_schemes(struct sb_lesson *lesson)
{
    static const struct {
        const char *scheme;
        size_t n;
    } rows[] = { { "sattolo", 4 },
                 { "sort-timsort", 4 },
                 { "naive", 3 },
                 { "naive", 4 },
                 { "sort-bubble", 4 },
                 { "fisher-yates/modulo:8", 6 },
                 { "riffle:7", 52 },
                 { "fisher-yates/modulo:15", 6 },
                 { "fisher-yates/modulo:15", 52 } };
    struct sb_table table;
    double odds = 0;

    sb_lesson_table_open("lrrr", (const char *const[]) { "shuffle", "cards", "total variation", "to see it" },
                         &table);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct sb_report *const law = sb_lesson_law(lesson, rows[i].scheme, rows[i].n);

        if (!law)
            break;
        odds = 1 / law->alpha;
        sb_table_add(&table, SB_INK_STRONG, "%s", rows[i].scheme);
        sb_table_add(&table, SB_INK_PLAIN, "%zu", rows[i].n);
        sb_table_add(&table, SB_INK_PLAIN, "%s", sb_number_short(law->effect.total_variation, 3).text);
        sb_table_add(&table, SB_INK_PLAIN, "%s",
                     sb_number_grouped((uint64_t)ceil(law->effect.shuffles_to_see)).text);
    }
    sb_lesson_table(lesson, &table);
    sb_lesson_say(lesson,
                  "The last column is for the test that knows the biased law: on average, it takes at "
                  "least this number of shuffles until the odds are %s to 1 against a fair shuffle.",
                  sb_number_grouped((uint64_t)llround(odds)).text);
}

static void many_gate(struct sb_lesson *lesson)
{
    const struct sb_gate *const naive = sb_lesson_gate(lesson, "naive", 3), *const fair = sb_lesson_gate(
                                                                                lesson, "fisher-yates", 3);

    if (!fair)
        return;
    sb_lesson_section(lesson, "As many as it takes");
    sb_lesson_say(lesson,
                  "The bias of a shuffle is not known beforehand. So the gate continues until it has a "
                  "verdict, and it may look at its evidence at any time. Its evidence is like a bet against "
                  "the shuffle, which a fair shuffle loses at most once in %s runs, on average, however long "
                  "they are. These are the verdicts on the naive swap and on Fisher-Yates:",
                  sb_number_grouped((uint64_t)llround(1 / naive->terms.alpha)).text);
    sb_lesson_say(lesson, "%s", naive->sentence);
    sb_lesson_say(lesson, "%s", fair->sentence);
    sb_lesson_say(lesson, "Note the second sentence. It does not say that the shuffle is fair, which no "
                          "number of shuffles can show. It says how biased the shuffle may still be.");
    sb_lesson_figures(
        lesson, (const struct sb_lesson_figure[]) { { "curve", .gate = naive }, { "curve", .gate = fair } },
        2);
}

static void many_write(struct sb_lesson *lesson)
{
    many_power(lesson);
    many_curve(lesson);
    many_needed(lesson);
    many_schemes(lesson);
    many_gate(lesson);
}

static void many_ask(struct sb_lesson *lesson, struct sb_lesson_question *question)
{
    enum { ASK_SAMPLES = 100 };
    static const struct {
        const char *text;
        double low, high;
    } guess[] = { { "nearly always", 0.9, 1 },
                  { "about every second time", 0.35, 0.65 },
                  { "less than once in five times", 0, 0.2 } };
    const struct sb_plan *const few = sb_lesson_plan(lesson, "naive", 3, ASK_SAMPLES);
    const struct sb_plan *const enough = sb_lesson_plan(lesson, "naive", 3, 0);
    struct sb_plan_line power, needed;

    if (!enough || !many_line(few, "pearson", &power) || !many_line(enough, "pearson", &needed))
        return;
    sb_lesson_set(question->text,
                  "Someone makes %d naive shuffles of three cards. How often does the test notice "
                  "that the shuffle is biased?",
                  ASK_SAMPLES);
    for (size_t i = 0; i < sizeof guess / sizeof guess[0]; i++)
        sb_lesson_option(
            question, power.power >= guess[i].low && power.power < guess[i].high, guess[i].text,
            "The test notices it in %s of all cases. To notice it in %.0f%%, it takes %s shuffles.",
            sb_number_percent(power.power, 1).text, 100 * enough->power,
            sb_number_grouped((uint64_t)needed.samples).text);
    sb_lesson_set(
        question->task,
        "A test needs %s shuffles to see a bias %.0f times in 100. About how many does it need for half "
        "of the bias?",
        sb_number_grouped((uint64_t)needed.samples).text, 100 * enough->power);
    sb_lesson_set(question->solution,
                  "Four times as many, %s, because differences from the fair share are squared.",
                  sb_number_grouped(4 * (uint64_t)needed.samples).text);
}

const struct sb_lesson_type sb_lesson_how_many = {
    .file = "how-many.html",
    .title = "How many shuffles do I need to see it?",
    .summary = "A pass means nothing until the test says which bias it would have detected. How many shuffles that takes.",
    .sources = "Jacob Cohen, Statistical Power Analysis for the Behavioral Sciences (1988). Abraham Wald, "
               "Sequential Tests of Statistical Hypotheses, Annals of Mathematical Statistics 16 (1945). "
               "Aaditya Ramdas, Peter Gr\u00FCnwald, Vladimir Vovk and Glenn Shafer, Game-Theoretic "
               "Statistics and Safe Anytime-Valid Inference, Statistical Science 38 (2023).",
    .write = many_write,
    .ask = many_ask,
    .plan = { 30, { "Say what it means, and what it does not mean, that a test passed.",
                    "Read a curve of power.",
                    "Estimate how many shuffles it takes to see a smaller bias." },
              "Each student makes 20 naive shuffles of three cards and judges from the counts whether the shuffle "
              "is fair. Add up all counts of the class and judge again. Show the curve: where does the class stand "
              "on it? Read the gate's two sentences aloud and compare them." },
    .tries = {
        { "plan naive", 0, "How many shuffles each test needs." },
        { "plan naive --samples 100", 0, "What a hundred shuffles show." },
        { "plan --detect 0.01 -n 5", 0, "The same for any bias of that size." },
        { "gate naive --seed 7", 1, "Another run of the gate takes another number of shuffles, with the same verdict." },
        { "gate naive --limit 300", 3, "With too few shuffles, the gate says that it does not know." },
    },
};
