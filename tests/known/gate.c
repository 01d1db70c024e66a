/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The gate: weights, rejected statistics against closed testing by brute force, verdicts of tallies made
 * by hand, and rare cases.
 */
#include "unit/test.h"

#include "fit/sequential.h"
#include "gate/gate.h"

#include <math.h>

static const struct sb_gate_terms terms = {
    .alpha = 1e-9,
    .delta = 1e-6,
    .exclude = 0.01,
    .limit = 2000000,
};

/* After the needed deals, the bound of a fair subject is `exclude`. Steps at a lag need as many as a line whose
 * level, delta', has ln 1/delta' = 2 (ln 1/delta + ln 2 + 1). */
TEST(deals_that_a_pass_needs)
{
    const struct sb_gate_line line = { .cells = 120 }, even = { .cells = 120, .even = true },
                              lag = { .cells = 120, .lag = 2 }, two = { .cells = 2 };
    struct sb_gate_terms other = terms;
    const double needed = sb_gate_deals_needed(&terms, &line);

    assert_true(fabs(sb_tv_high_fair(needed, 120, -log(terms.delta)) / terms.exclude - 1) < 1e-5);
    other.delta = pow(terms.delta / 2 / exp(1), 2);
    assert_true(fabs(sb_gate_deals_needed(&terms, &lag) / sb_gate_deals_needed(&other, &line) - 1) < 1e-5);
    other = terms;
    other.exclude = 0.02; /* and with equally likely cells, the median of 301 simulated fair subjects */
    assert_true(fabs(sb_gate_deals_needed(&other, &even) / 68739 - 1) < 0.1);
    other.exclude = 0.999999;
    other.delta = 0.5;
    assert_true(sb_gate_deals_needed(&other, &two) == 1);
}

static struct sb_tally tally_of(const char *statistic, size_t members, size_t cells, const uint64_t count[])
{
    struct sb_tally tally = { .statistic = statistic, .members = members, .cells = cells, .count = count };

    for (size_t i = 0; count && i < cells; i++)
        tally.total += count[i];
    return tally;
}

/* Half goes to the rank, and the rest to the other statistics, each of which divides it among its members. */
TEST(weights)
{
    const struct sb_tally all[] = { tally_of("rank", 1, 6, NULL), tally_of("none", 0, 0, NULL),
                                    tally_of("position", 3, 3, NULL), tally_of("cycles", 1, 3, NULL) };
    static const double weight[] = { 0.5, 0.25 / 3, 0.25 / 3, 0.25 / 3, 0.25 };
    struct sb_gate gate;

    assert_int_equal(sb_gate_open(&terms, all, 4, &gate), SB_OK);
    assert_true(gate.whole && gate.lines_count == 5);
    for (size_t i = 0; i < 5; i++)
        assert_true(fabs(gate.line[i].weight - weight[i]) < 1e-16);
    sb_gate_close(&gate);
}

enum { LINES_MOST = 10 };

/* Whether the weighted average of E over the set reaches 1/alpha. */
static int reaches(const struct sb_gate *gate, unsigned set)
{
    double sum = 0, weight = 0;

    for (size_t i = 0; i < gate->lines_count; i++)
        if (set >> i & 1) {
            sum += gate->line[i].weight * exp(gate->line[i].ln_e);
            weight += gate->line[i].weight;
        }
    return sum >= weight / gate->terms.alpha;
}

/* Whether it is rejected by closed testing: so are all sets around it. */
static int rejected(const struct sb_gate *gate, unsigned set)
{
    for (unsigned around = set; around < 1U << gate->lines_count; around++)
        if ((around & set) == set && !reaches(gate, around))
            return 0;
    return 1;
}

static unsigned size_of(unsigned set)
{
    unsigned size = 0;

    for (; set; set >>= 1)
        size += set & 1;
    return size;
}

static void assert_rejected_as_by_brute_force(struct sb_gate *gate)
{
    unsigned named = 0, alone = 0, smallest = LINES_MOST + 1;

    sb_gate_reject(gate);
    for (size_t i = 0; i < gate->lines_count; i++) {
        named |= (unsigned)gate->line[i].rejected << i;
        alone |= (unsigned)rejected(gate, 1U << i) << i;
    }
    if (alone) {
        assert_int_equal(named, alone);
        assert_false(gate->jointly);
        return;
    }
    for (unsigned set = 1; set < 1U << gate->lines_count; set++)
        if (size_of(set) < smallest && rejected(gate, set))
            smallest = size_of(set);
    assert_true(gate->jointly && rejected(gate, named));
    assert_int_equal(size_of(named), smallest);
}

/* Made-up e-values around 1/alpha of up to ten lines, as long as their average fails. */
TEST(rejected_as_by_brute_force)
{
    uint64_t x = 1;
    unsigned fails = 0, jointly = 0;

    for (unsigned trial = 0; trial < 2000; trial++) {
        struct sb_gate_line line[LINES_MOST] = { 0 };
        struct sb_gate gate = { .terms = terms, .line = line, .lines_count = 1 + trial % LINES_MOST };

        for (size_t i = 0; i < gate.lines_count; i++) {
            x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            line[i].weight = i == 0 ? 0.5 : 0.5 / (double)(gate.lines_count - 1);
            line[i].ln_e = -log(terms.alpha) + (double)(x >> 40) / (1 << 24) * 5 - (trial % 3 ? 2.5 : 4);
        }
        if (gate.lines_count == 1)
            line[0].weight = 1;
        if (!reaches(&gate, (1U << gate.lines_count) - 1))
            continue;
        assert_rejected_as_by_brute_force(&gate);
        fails++;
        jointly += gate.jointly;
    }
    assert_true(fails > 500 && jointly > 50 && fails - jointly > 50);
}

/* One look at three cards in the ratios of the naive swap, 4 5 5 5 4 4. */
static void look_at_three(const struct sb_gate_terms *with, uint64_t times, const uint64_t ratio[6],
                          struct sb_gate *gate)
{
    static const unsigned cards[6][3] = {
        { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 }
    };
    uint64_t rank[6], matrix[9] = { 0 };

    for (size_t i = 0; i < 6; i++) {
        rank[i] = times * ratio[i];
        for (size_t j = 0; j < 3; j++)
            matrix[3 * cards[i][j] + j] += rank[i];
    }
    const struct sb_tally tally[] = { tally_of("rank", 1, 6, rank), tally_of("position", 3, 3, matrix) };

    assert_int_equal(sb_gate_open(with, tally, 2, gate), SB_OK);
    assert_int_equal(sb_gate_look(tally, 2, gate), SB_OK);
    assert_int_equal(sb_gate_sum_up(tally, 2, gate), SB_OK);
}

static const uint64_t naive[] = { 4, 5, 5, 5, 4, 4 }, fair[] = { 1, 1, 1, 1, 1, 1 };

/* Where E is 1/alpha up to rounding, the gate does not fail the shuffle; where it is larger by 10^-6, the
 * gate does. */
TEST(rounding_does_not_decide)
{
    struct sb_gate gate;

    look_at_three(&terms, 1000, naive, &gate);
    gate.terms.alpha = exp(-gate.ln_e);
    assert_true(!sb_gate_shows_bias(&gate));
    gate.terms.alpha = exp(1e-6 - gate.ln_e);
    assert_true(sb_gate_shows_bias(&gate));
    sb_gate_close(&gate);
}

/* What is missing: for a pass as often as a fair shuffle needs, 110,000 at n = 3; for a fail the rest of ln
 * E. */
TEST(how_many_more)
{
    struct sb_gate gate;

    look_at_three(&terms, 1, fair, &gate);
    assert_int_equal(gate.verdict, SB_VERDICT_INCONCLUSIVE);
    assert_in_range((uint64_t)gate.needed, 100000, 120000);
    sb_gate_close(&gate);
    look_at_three(&terms, 100, naive, &gate);
    assert_int_equal(gate.verdict, SB_VERDICT_INCONCLUSIVE);
    assert_in_range((uint64_t)gate.needed, 1000, 8000);
    sb_gate_close(&gate);
}

/* Where increments are looked at a pass goes by their rank, too: by 0.008 from fair, and then by 0.002. */
TEST(increments_have_a_say)
{
    uint64_t rank[6], steps[6];
    struct sb_tally tally[2];
    struct sb_gate gate;

    for (size_t i = 0; i < 6; i++) {
        rank[i] = 100000;
        steps[i] = i % 2 ? 101600 : 98400;
    }
    tally[0] = tally_of("rank", 1, 6, rank);
    tally[1] = tally_of("rank", 1, 6, steps);
    tally[1].lag = 1;
    struct sb_gate_terms other = terms;

    other.tolerate = 0.01;
    assert_int_equal(sb_gate_open(&other, tally, 2, &gate), SB_OK);
    assert_int_equal(sb_gate_look(tally, 2, &gate), SB_OK);
    assert_int_equal(gate.verdict, SB_VERDICT_INCONCLUSIVE);
    assert_true(gate.whole && gate.tv_high > 0.01);
    assert_int_equal(sb_gate_sum_up(tally, 2, &gate), SB_OK);
    assert_true(gate.line[0].tv_high < 0.01 && gate.line[1].tv_high > 0.01);
    for (size_t i = 0; i < 6; i++)
        steps[i] = i % 2 ? 100400 : 99600;
    assert_int_equal(sb_gate_look(tally, 2, &gate), SB_OK);
    assert_int_equal(gate.verdict, SB_VERDICT_PASS);
    sb_gate_close(&gate);
}

/* Without the rank every line has to be below. */
TEST(without_the_rank)
{
    uint64_t count[9];
    const struct sb_tally tally = {
        .statistic = "position", .members = 3, .cells = 3, .total = 300000, .count = count
    };
    struct sb_gate gate;

    for (size_t i = 0; i < 9; i++)
        count[i] = 100000;
    assert_int_equal(sb_gate_open(&terms, &tally, 1, &gate), SB_OK);
    assert_int_equal(sb_gate_look(&tally, 1, &gate), SB_OK);
    assert_true(gate.verdict == SB_VERDICT_PASS && !gate.whole);
    count[3] += 1600;
    count[5] -= 1600;
    assert_int_equal(sb_gate_look(&tally, 1, &gate), SB_OK);
    assert_int_equal(gate.verdict, SB_VERDICT_INCONCLUSIVE);
    assert_true(gate.tv_high > 0.01 && gate.points_count == 2);
    sb_gate_close(&gate);
}

/* ---- rare cases ---- */

/* A die of three sides whose third side comes, although it cannot: E is infinite at once. */
TEST(impossible_fails)
{
    const uint64_t count[] = { 3, 3, 1 };
    const double ln_p[] = { log(0.5), log(0.5), -HUGE_VAL };
    struct sb_tally tally = tally_of("x", 1, 3, count);
    struct sb_gate gate;

    tally.ln_p = ln_p;
    assert_int_equal(sb_gate_open(&terms, &tally, 1, &gate), SB_OK);
    assert_int_equal(sb_gate_look(&tally, 1, &gate), SB_OK);
    assert_int_equal(gate.verdict, SB_VERDICT_FAIL);
    assert_true(gate.ln_e == HUGE_VAL);
    sb_gate_close(&gate);
}

/* The same die as the law of steps at a lag: many deals do not make it unremarkable. */
TEST(impossible_steps_fail)
{
    uint64_t count[] = { 50000, 50000, 0 };
    const double ln_p[] = { log(0.5), log(0.5), -HUGE_VAL };
    struct sb_tally tally = tally_of("x", 1, 3, count);
    struct sb_gate gate;

    tally.ln_p = ln_p;
    tally.lag = 1;
    tally.dependence = true;
    assert_int_equal(sb_gate_open(&terms, &tally, 1, &gate), SB_OK);
    assert_int_equal(sb_gate_look(&tally, 1, &gate), SB_OK);
    assert_true(gate.ln_e == -HUGE_VAL); /* even counts are unremarkable: their E is replaced by 0 */
    count[2] = 1;
    tally.total++;
    assert_int_equal(sb_gate_look(&tally, 1, &gate), SB_OK);
    assert_true(gate.ln_e == HUGE_VAL);
    sb_gate_close(&gate);
}

/* Chi-square of 1000 even steps is 3.6 with these counts, and 2 degrees of freedom: unremarkable up to 2 + 4. With the
 * others it is 6.3, and E is computed. */
TEST(remarkable_steps_have_evidence)
{
    static const uint64_t count[2][3] = { { 333, 358, 309 }, { 333, 366, 301 } };

    for (size_t i = 0; i < 2; i++) {
        struct sb_tally tally = tally_of("x", 1, 3, count[i]);
        struct sb_gate gate;

        tally.lag = 1;
        tally.dependence = true;
        assert_int_equal(sb_gate_open(&terms, &tally, 1, &gate), SB_OK);
        assert_int_equal(sb_gate_look(&tally, 1, &gate), SB_OK);
        assert_true(i == 0 ? gate.ln_e == -HUGE_VAL : isfinite(gate.ln_e));
        sb_gate_close(&gate);
    }
}

/* Steps at a lag test independence and give no bound: a pass goes by the permutations alone, however few steps there
 * are. */
TEST(few_steps_do_not_delay_a_pass)
{
    uint64_t rank[6], steps[6];
    struct sb_tally tally[2];
    struct sb_gate gate;
    double alone = 0;

    for (size_t i = 0; i < 6; i++) {
        rank[i] = 100000;
        steps[i] = 100;
    }
    tally[0] = tally_of("rank", 1, 6, rank);
    tally[1] = tally_of("rank", 1, 6, steps);
    tally[1].lag = 2;
    tally[1].dependence = true;
    for (size_t count = 1; count <= 2; count++) {
        assert_int_equal(sb_gate_open(&terms, tally, count, &gate), SB_OK);
        assert_int_equal(sb_gate_look(tally, count, &gate), SB_OK);
        assert_int_equal(gate.verdict, SB_VERDICT_PASS);
        if (count == 1)
            alone = gate.tv_high;
        assert_true(gate.tv_high > 0 && gate.tv_high == alone);
        sb_gate_close(&gate);
    }
}

/* Permutations that are fair one by one, but of which one step in two is the same: no pass, whatever the bound. */
TEST(steps_that_repeat_fail)
{
    static const uint64_t rank[] = { 100000, 100000, 100000, 100000, 100000, 100000 },
                          steps[] = { 1000, 200, 200, 200, 200, 200 };
    struct sb_tally tally[] = { tally_of("rank", 1, 6, rank), tally_of("rank", 1, 6, steps) };
    struct sb_gate gate;

    tally[1].lag = 1;
    tally[1].dependence = true;
    assert_int_equal(sb_gate_open(&terms, tally, 2, &gate), SB_OK);
    assert_int_equal(sb_gate_look(tally, 1, &gate), SB_OK);
    assert_int_equal(gate.verdict, SB_VERDICT_PASS);
    assert_false(sb_gate_shows_dependence(&gate));
    assert_int_equal(sb_gate_look(tally, 2, &gate), SB_OK);
    assert_int_equal(gate.verdict, SB_VERDICT_FAIL);
    assert_true(sb_gate_shows_dependence(&gate) && gate.tv_high < terms.exclude);
    sb_gate_close(&gate);
}

/* A statistic that has no members at this n takes no part. */
TEST(no_members)
{
    const uint64_t count[] = { 10, 10 };
    const struct sb_tally tally[] = { tally_of("none", 0, 0, NULL), tally_of("x", 1, 2, count) };
    struct sb_gate one, both;

    assert_int_equal(sb_gate_open(&terms, tally, 2, &both), SB_OK);
    assert_int_equal(sb_gate_open(&terms, tally + 1, 1, &one), SB_OK);
    assert_int_equal(sb_gate_look(tally, 2, &both), SB_OK);
    assert_int_equal(sb_gate_look(tally + 1, 1, &one), SB_OK);
    assert_true(both.total == 20 && both.ln_e == one.ln_e && both.tv_high == one.tv_high);
    sb_gate_close(&one);
    sb_gate_close(&both);
}

/* Of several rejected lags, the one with the most evidence; none if anything else is rejected. */
TEST(strongest_dependence)
{
    struct sb_gate_line line[] = {
        { .ln_e = 99, .dependence = true }, /* not rejected */
        { .ln_e = 40, .dependence = true, .rejected = true },
        { .ln_e = 60, .dependence = true, .rejected = true },
        { .ln_e = 50, .dependence = true, .rejected = true },
        { .ln_e = 70, .context = "the last card", .rejected = true }, /* a bettor wins by each dependence */
        { .ln_e = 80 },
    };
    const struct sb_gate gate = { .line = line, .lines_count = sizeof line / sizeof line[0] };

    assert_ptr_equal(sb_gate_dependence(&gate), &line[2]);
    line[5].rejected = true;
    assert_null(sb_gate_dependence(&gate));
}

/* E below 1/alpha by less than rounding: all lines are named, jointly, and naming ends. */
TEST(rounding_below_the_level)
{
    struct sb_gate_line line[2] = { { .weight = 0.5 }, { .weight = 0.5 } };
    struct sb_gate gate = { .line = line, .lines_count = 2, .terms = terms };

    line[0].ln_e = line[1].ln_e = -log(terms.alpha) - 1e-13;
    sb_gate_reject(&gate);
    assert_true(gate.jointly && line[0].rejected && line[1].rejected);
}

/* Of cells expected 20 times, that with exactly 20 does not deviate, and is not listed. */
TEST(cells_as_expected)
{
    const uint64_t count[] = { 28, 20, 12 };
    const struct sb_tally tally = tally_of("x", 1, 3, count);
    struct sb_gate_line line = { .statistic = "x", .members = 1, .cells = 3, .rejected = true };
    struct sb_gate gate = { .line = &line, .lines_count = 1 };

    sb_gate_list_cells(&tally, 1, &gate);
    assert_int_equal(gate.cells_count, 2);
    assert_true(gate.cell[0].cell == 0 && gate.cell[1].cell == 2);
    assert_true(fabs(gate.cell[0].z - 8 / sqrt(60 * (1.0 / 3) * (2.0 / 3))) < 1e-12);
}

/* The catalogue has no cells: it shows those of the line with the most evidence, wherever in the list it stands. */
TEST(cells_of_the_catalogue)
{
    const uint64_t count[] = { 30, 30, 30, 30, 40, 20 };
    const double ln_e = 50;
    struct sb_tally tally[] = { tally_of("catalogue", 1, 0, NULL), tally_of("x", 3, 2, count) };
    struct sb_gate_line line[] = {
        { .statistic = "catalogue", .members = 1, .ln_e = 50, .rejected = true },
        { .statistic = "x", .members = 3, .cells = 2, .ln_e = 1 },
        { .statistic = "x", .member = 1, .members = 3, .cells = 2, .ln_e = 2 },
        { .statistic = "x", .member = 2, .members = 3, .cells = 2, .ln_e = 9 },
    };
    struct sb_gate gate = { .line = line, .lines_count = 4 };

    tally[0].ln_e = &ln_e;
    sb_gate_list_cells(tally, 2, &gate);
    assert_true(gate.cells_count == 2 && gate.cell[0].line == 3);

    struct sb_tally last[] = { tally[1], tally[0] };
    struct sb_gate_line later[] = { line[1], line[2], line[3], line[0] };
    struct sb_gate other = { .line = later, .lines_count = 4 };

    sb_gate_list_cells(last, 2, &other);
    assert_true(other.cells_count == 2 && other.cell[0].line == 2);
}

/* The law is known well enough, and only the number of decks is not yet: that number alone is needed, and at
 * least one deck, because an inconclusive gate needs more. */
TEST(only_seeds_are_missing)
{
    static const double total[] = { 2500000, 2000001, 1999999 }, needed[] = { 500000, 1, 1 };
    const uint64_t even[] = { 1000000, 1000000 };
    const struct sb_tally coin = tally_of("rank", 1, 2, even);
    struct sb_gate_terms other = terms;
    struct sb_gate gate;

    other.seeds = 1000000;
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(sb_gate_open(&other, &coin, 1, &gate), SB_OK);
        gate.seeds_total = total[i];
        assert_int_equal(sb_gate_look(&coin, 1, &gate), SB_OK);
        assert_int_equal(sb_gate_sum_up(&coin, 1, &gate), SB_OK);
        assert_int_equal(gate.verdict, SB_VERDICT_INCONCLUSIVE);
        assert_true(gate.tv_high < terms.exclude && gate.needed == needed[i]);
        sb_gate_close(&gate);
    }
}

/* The naive swap is 1/18 = 0.0556 from fair. Half the needed permutations more settle nothing, twice as many do: a fail
 * if 0.05 is tolerated, a pass if 0.0557 is. */
TEST(a_tolerated_bias_needs_more)
{
    static const struct {
        double tolerate, exclude;
        enum sb_verdict verdict;
    } at[] = { { 0.05, 0.055, SB_VERDICT_FAIL }, { 0.0557, 0.06, SB_VERDICT_PASS } };

    for (size_t i = 0; i < 2; i++) {
        struct sb_gate_terms other = terms;
        struct sb_gate gate;

        other.tolerate = at[i].tolerate;
        other.exclude = at[i].exclude;
        look_at_three(&other, 1000, naive, &gate);
        assert_int_equal(gate.verdict, SB_VERDICT_INCONCLUSIVE);
        const double needed = gate.needed / 27;

        sb_gate_close(&gate);
        look_at_three(&other, 1000 + (uint64_t)(needed / 2), naive, &gate);
        assert_int_equal(gate.verdict, SB_VERDICT_INCONCLUSIVE);
        sb_gate_close(&gate);
        look_at_three(&other, 1000 + (uint64_t)(needed * 2), naive, &gate);
        assert_int_equal(gate.verdict, at[i].verdict);
        sb_gate_close(&gate);
    }
}

/* Before a bias shows, a pass takes as many permutations as without a tolerated bias, also before the first. */
TEST(a_bias_that_does_not_show_needs_no_more)
{
    for (uint64_t times = 0; times < 3; times++) {
        struct sb_gate_terms other = terms;
        struct sb_gate strict, tolerant;

        look_at_three(&terms, times, fair, &strict);
        other.tolerate = 0.005;
        look_at_three(&other, times, fair, &tolerant);
        assert_int_equal(tolerant.verdict, SB_VERDICT_INCONCLUSIVE);
        assert_true(tolerant.tv_low == 0 && tolerant.needed == strict.needed && strict.needed > 100000);
        sb_gate_close(&strict);
        sb_gate_close(&tolerant);
    }
}

/* Always the same permutation of three is 5/6 from fair. No number of permutations shows whether this is less than the
 * double next to 5/6, or more than a bit less. */
TEST(no_number_settles_a_bias_at_the_limit)
{
    static const uint64_t same[] = { 1, 0, 0, 0, 0, 0 };
    struct sb_gate_terms other = terms;
    struct sb_gate gate;

    other.tolerate = 0.8333333333;
    other.exclude = nextafter(5.0 / 6, 1);
    for (uint64_t total = 100; total <= 1000000; total *= 10) {
        look_at_three(&other, total, same, &gate);
        assert_int_equal(gate.verdict, SB_VERDICT_INCONCLUSIVE);
        assert_true(isnan(gate.needed));
        sb_gate_close(&gate);
    }
}

/* The rank is in play up to n = 5 by default; more with a looser bound or a higher limit. */
TEST(reach_of_the_rank)
{
    struct sb_gate_terms other = terms;

    assert_true(sb_gate_reaches(&terms, 1) && sb_gate_reaches(&terms, 2) && sb_gate_reaches(&terms, 120));
    assert_false(sb_gate_reaches(&terms, 0) || sb_gate_reaches(&terms, 720));
    other.exclude = 0.05;
    assert_true(sb_gate_reaches(&other, 5040));
    other = terms;
    other.limit = 3000000;
    assert_true(sb_gate_reaches(&other, 720));
    other.limit = 100000;
    assert_false(sb_gate_reaches(&other, 6));
}
